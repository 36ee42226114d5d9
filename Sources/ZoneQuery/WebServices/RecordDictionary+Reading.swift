extension Record {
  /// Reads a record dictionary of CloudKit Web Services.
  ///
  /// - Parameters:
  ///   - json: the dictionary. Keys that are none of a record's are passed over.
  ///   - schema: tells the types of values that do not name theirs, and whether a number is INT64 or DOUBLE.
  ///   - defaultType: the record type where the dictionary names none.
  ///   - zoneID: the zone of the record, where the dictionary names none.
  ///   - numbersAsStrings: whether INT64 and DOUBLE may be written as strings.
  ///   - userRecordName: the user whose zones are the reader's own.
  /// - Throws: ``ZoneQueryError`` of the stage `webServices`, naming the record and the path to the fault.
  package init(
    webServices json: JSONValue, schema: Schema? = nil, defaultType: String? = nil, zoneID: ZoneID = .default,
    numbersAsStrings: Bool = false, userRecordName: String? = nil
  ) throws(ZoneQueryError) {
    let reader = WebServicesValueReader(
      zoneID: zoneID, numbersAsStrings: numbersAsStrings, userRecordName: userRecordName)
    try self.init(webServices: json, reader, schema, defaultType)
  }

  /// Reads a record's dictionary, its values as `values` reads them.
  ///
  /// - Throws: ``ZoneQueryError`` of the stage `webServices`, naming the record and the path to the fault.
  init(
    webServices json: JSONValue, _ values: WebServicesValueReader, _ schema: Schema?, _ defaultType: String?
  ) throws(ZoneQueryError) {
    guard let object = json.object else {
      throw WebServicesFault.expected("a record dictionary", json).error(in: "A record")
    }
    var reader = values
    do throws(WebServicesFault) {
      self = try Record(object, &reader, schema, defaultType)
    } catch {
      // The name is read once more: what went wrong may be the name itself.
      guard let name = object["recordName"]?.string else { throw error.error(in: "A record without a name") }
      throw error.error(
        in: "The record '\(SyntaxError.excerpt(name))'",
        recordID: RecordID(recordName: name, zoneID: reader.zoneID))
    }
  }

  /// Reads a record's dictionary, whose zone becomes the reader's.
  init(
    _ object: JSONObject, _ reader: inout WebServicesValueReader, _ schema: Schema?, _ defaultType: String?
  ) throws(WebServicesFault) {
    if let code = object["serverErrorCode"]?.string {
      throw WebServicesFault("the dictionary is an error, \(SyntaxError.excerpt(code)), and no record")
    }
    if let zone = try object.read("zoneID", reader.zoneID) { reader.zoneID = zone }
    if try object.read("deleted", reader.boolean) == true {
      throw WebServicesFault("the dictionary tells of a deleted record, which has no fields")
    }
    guard let type = try object.read("recordType", reader.string) ?? defaultType else {
      throw WebServicesFault("the key \"recordType\" is missing")
    }
    let name = try object.read("recordName", reader.string)
    self.init(recordType: type, recordName: name, zoneID: reader.zoneID)
    changeTag = try object.read("recordChangeTag", reader.string)
    let created = try object.read("created") { json throws(WebServicesFault) in try Self.moment(json, reader) }
    creationDate = created?.timestamp
    creatorUserRecordID = created?.user
    let modified = try object.read("modified") { json throws(WebServicesFault) in try Self.moment(json, reader) }
    modificationDate = modified?.timestamp
    lastModifiedUserRecordID = modified?.user
    if let json = object["parent"] { parent = json.isNull ? nil : try object.read("parent", reader.reference) }
    share = try object.read("share", reader.reference)
    let recordType = schema?[type]
    let fields = try object.read("fields") { json throws(WebServicesFault) -> [(String, FieldValue?)] in
      try Self.fields(json, reader, recordType)
    }
    for (name, value) in fields ?? [] {
      if let value { append(value, to: name) } else { self[name] = nil }
    }
  }

  private static func fields(
    _ json: JSONValue, _ reader: WebServicesValueReader, _ recordType: RecordType?
  ) throws(WebServicesFault) -> [(String, FieldValue?)] {
    guard let object = json.object else { throw .expected("a dictionary of fields", json) }
    var fields: [(String, FieldValue?)] = []
    fields.reserveCapacity(object.count)
    for (name, json) in object.members {
      do throws(WebServicesFault) {
        fields.append((name, try reader.field(json, schemaType: recordType?.field(name)?.type)))
      } catch {
        throw error.inside(name)
      }
    }
    return fields
  }

  /// Reads who did something to the record, and when. The device is passed over.
  private static func moment(
    _ json: JSONValue, _ reader: WebServicesValueReader
  ) throws(WebServicesFault) -> (timestamp: Timestamp?, user: RecordID?) {
    guard let object = json.object else { throw .expected("a dictionary of a timestamp and a user", json) }
    let timestamp = try object.read("timestamp", reader.timestamp)
    let user = try object.read("userRecordName", reader.string)
    return (timestamp, user.map { RecordID(recordName: $0) })
  }
}

extension JSONValue {
  /// Reads text of CloudKit Web Services.
  ///
  /// - Throws: ``ZoneQueryError`` of the stage `webServices`, naming line and column.
  init(webServices text: String) throws(ZoneQueryError) {
    do throws(JSONError) {
      self = try JSONReader.read(text)
    } catch {
      throw ZoneQueryError(.webServices, .invalidJSON, error.description)
    }
  }
}

extension Record {
  /// Reads a record from the text of its CloudKit Web Services dictionary.
  ///
  /// ```swift
  /// let record = try Record(webServicesJSON: """
  ///   {"recordName": "keynote", "recordType": "Event", "fields": {"capacity": {"value": 120}}}
  ///   """)
  /// record["capacity"]   // .int64(120)
  /// ```
  ///
  /// A value without a `type` takes the schema's, or the one it shows: a whole number is INT64, another DOUBLE. With a
  /// schema, `3` is read for a DOUBLE and `3.0` for an INT64. A value of null is that of a field set to nil, which goes where
  /// the record is saved, whatever the policy; so it is with a parent of null. Names and sizes are judged where the record
  /// is saved. The default zone is the reader's own, whoever is named as its owner.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - schema: Tells the types of values that do not name theirs.
  ///   - zoneID: The zone of a record that names none, as those of a request that names its zone once.
  ///   - recordType: The type of a record that names none, as updates may.
  ///   - userRecordName: The record name of the user whose own zones CloudKit's answers name by it; those are read as the
  ///     current user's.
  /// - Throws: ``ZoneQueryError`` of the stage `webServices` and the code `invalidJSON`, naming line and column, or
  ///   the record and the path to what is wrong: `fields.location.value.latitude`.
  /// - Complexity: linear in the length of the text (n log n in the number of its keys).
  public init(
    webServicesJSON text: String, schema: Schema? = nil, zoneID: ZoneID = .default, recordType: String? = nil,
    userRecordName: String? = nil
  ) throws(ZoneQueryError) {
    try self.init(
      webServices: JSONValue(webServices: text), schema: schema, defaultType: recordType, zoneID: zoneID,
      userRecordName: userRecordName)
  }
}
