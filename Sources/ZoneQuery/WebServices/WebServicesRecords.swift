/// What a response of CloudKit Web Services holds, to `records/query`, `records/lookup`, `records/modify` or `changes/zone`:
/// CloudKit's own answer, to be stored, or held beside this engine's.
///
/// ```swift
/// let response = try WebServicesRecords(webServicesJSON: text, schema: schema)
/// try database.load(response.records)
/// let marker = response.continuationMarker   // where the next request goes on; nil behind the last page
/// ```
///
/// Of `changes/zone` the zones' records are taken together; ``zones`` tells where each goes on. Numbers may be strings, as where
/// a request asked for `numbersAsStrings`.
public struct WebServicesRecords: Sendable {
  /// The records, in the order of the response, each as a database gave it (``Record/asFetched()``).
  public private(set) var records: [Record] = []
  /// The IDs of records that are gone.
  public private(set) var deletedRecordIDs: [RecordID] = []
  /// What stands in place of records, or of a zone's, that there are none of.
  public private(set) var errors: [WebServicesError]
  /// Where the next page of a query's answer begins.
  public let continuationMarker: String?
  /// The zones of an answer to `changes/zone` that there are changes of.
  public let zones: [Zone]

  /// A zone of an answer to `changes/zone`.
  public struct Zone: Sendable, Hashable {
    /// The zone.
    public let zoneID: ZoneID
    /// CloudKit's token of what has been told; the next request is to have it.
    public let syncToken: String?
    /// Whether there is more to be told.
    public let moreComing: Bool
  }

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - text: The body of the response.
  ///   - schema: Tells the types of values that do not name theirs.
  ///   - zoneID: The zone of records that name none: that of the request.
  ///   - userRecordName: The record name of the user who asked, whose own zones CloudKit names by it.
  /// - Throws: `requestRefused`, with CloudKit's code and reason, where the response is an error dictionary; `invalidJSON`,
  ///   naming line and column or the path to what is wrong: `records[2].fields.start.value`.
  /// - Complexity: linear in the length of the text (n log n in the number of a record's keys).
  public init(
    webServicesJSON text: String, schema: Schema? = nil, zoneID: ZoneID = .default, userRecordName: String? = nil
  ) throws(ZoneQueryError) {
    let values = WebServicesValueReader(zoneID: zoneID, numbersAsStrings: true, userRecordName: userRecordName)
    let document = try WebServicesDocument(JSONValue(webServices: text), values)
    (errors, continuationMarker, zones) = (document.errors, document.continuationMarker, document.zones)
    for part in document.parts {
      switch try part.item(schema) {
      case .record(let record): records.append(record.asFetched())
      case .deleted(let id): deletedRecordIDs.append(id)
      case .error(let error): errors.append(error)
      }
    }
  }
}

/// A response of CloudKit Web Services, or an array of record dictionaries, whose dictionaries are read one by one.
package struct WebServicesDocument: Sendable {
  /// What a dictionary tells.
  package enum Item: Sendable {
    case record(Record)
    case deleted(RecordID)
    case error(WebServicesError)
  }

  /// A dictionary that is yet to be read.
  package struct Part: Sendable {
    /// The way to it: `records[3]`.
    package let path: String
    package let json: JSONValue
    fileprivate let values: WebServicesValueReader

    /// Reads it.
    ///
    /// - Throws: `invalidJSON`, with the record and the path within it.
    package func item(_ schema: Schema?) throws(ZoneQueryError) -> Item {
      guard let object = json.object else {
        throw WebServicesFault.expected("a record dictionary", json).error(in: path)
      }
      do throws(WebServicesFault) {
        if let error = try WebServicesError(object, values) { return .error(error) }
        if try object.read("deleted", values.boolean) == true {
          let zone = try object.read("zoneID", values.zoneID) ?? values.zoneID
          return .deleted(RecordID(recordName: try object.require("recordName", values.string), zoneID: zone))
        }
      } catch {
        throw error.error(in: path)
      }
      return .record(try Record(webServices: json, values, schema, nil))
    }
  }

  /// The dictionaries of records, of gone ones and of errors in their places.
  package private(set) var parts: [Part] = []
  /// Those of zones that there is nothing of.
  package private(set) var errors: [WebServicesError] = []
  /// Where the next page of a query's answer begins.
  package private(set) var continuationMarker: String?
  /// The zones that there are changes of.
  package private(set) var zones: [WebServicesRecords.Zone] = []

  /// Whether JSON is a response, by its keys, rather than a record's dictionary.
  package static func isResponse(_ json: JSONValue) -> Bool {
    guard let object = json.object, object["recordName"] == nil, object["recordType"] == nil else { return false }
    return ["records", "zones", "serverErrorCode", "subscriptions", "users"].contains { object[$0] != nil }
  }

  /// Takes a response apart.
  ///
  /// - Throws: `requestRefused` where it is an error dictionary, `invalidJSON`.
  package init(_ json: JSONValue, userRecordName: String?) throws(ZoneQueryError) {
    try self.init(json, WebServicesValueReader(numbersAsStrings: true, userRecordName: userRecordName))
  }

  fileprivate init(_ json: JSONValue, _ values: WebServicesValueReader) throws(ZoneQueryError) {
    let refusal: WebServicesError?
    do throws(WebServicesFault) {
      refusal = try read(json, values)
    } catch {
      throw error.error(in: "The response")
    }
    if let refusal { throw ZoneQueryError(refusal) }
  }

  /// Takes JSON apart; the error that it is as a whole, if it is one.
  private mutating func read(
    _ json: JSONValue, _ values: WebServicesValueReader
  ) throws(WebServicesFault) -> WebServicesError? {
    if let members = json.array {
      add(members, "", values)
      return nil
    }
    guard let object = json.object else { throw .expected("a response dictionary", json) }
    if let refusal = try WebServicesError(object, values) { return refusal }
    continuationMarker = try object.read("continuationMarker", values.string)
    let records = try object.read("records", WebServicesDocument.members)
    let dictionaries = try object.read("zones") { json throws(WebServicesFault) in
      try WebServicesQueryReader.each(json, "an array of zones") { $0 }
    }
    if records == nil, dictionaries == nil {
      throw WebServicesFault("the key \"records\" is missing, which a response has")
    }
    add(records ?? [], "records", values)
    for (index, zone) in (dictionaries ?? []).enumerated() {
      do throws(WebServicesFault) {
        if let error = try WebServicesError(zone, values) {
          errors.append(error)
          continue
        }
        var values = values
        values.zoneID = try zone.read("zoneID", values.zoneID) ?? values.zoneID
        zones.append(
          WebServicesRecords.Zone(
            zoneID: values.zoneID, syncToken: try zone.read("syncToken", values.string),
            moreComing: try zone.read("moreComing", values.boolean) ?? false))
        add(try zone.read("records", WebServicesDocument.members) ?? [], "zones[\(index)].records", values)
      } catch {
        throw error.inside(index).inside("zones")
      }
    }
    return nil
  }

  private mutating func add(_ members: [JSONValue], _ path: String, _ values: WebServicesValueReader) {
    for (index, json) in members.enumerated() {
      parts.append(Part(path: "\(path)[\(index)]", json: json, values: values))
    }
  }

  private static func members(_ json: JSONValue) throws(WebServicesFault) -> [JSONValue] {
    guard let members = json.array else { throw .expected("an array of record dictionaries", json) }
    return members
  }
}
