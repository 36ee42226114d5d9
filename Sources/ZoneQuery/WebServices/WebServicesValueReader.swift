/// Reads field values as CloudKit Web Services writes them: `{"value": …, "type": "STRING"}`.
///
/// The type is, in this order, the one the dictionary names, the one the schema gives the field, or what the JSON
/// tells: a string is STRING, a whole number or boolean INT64, another number DOUBLE, an object LOCATION, REFERENCE or
/// ASSETID by its keys, a list the list of what its first member is. `UNKNOWN_LIST`, as CloudKit's answers call the type of
/// an empty list, names none: without a schema such a field is read as one without a value.
struct WebServicesValueReader {
  /// The zone of a reference that names none: that of the record it stands in.
  var zoneID = ZoneID.default
  /// Whether INT64 and DOUBLE may be written as strings, as answers do that were asked for `numbersAsStrings`.
  var numbersAsStrings = false
  /// The user whose zones are the reader's own, if it is known: answers of CloudKit name the owner of each zone.
  var userRecordName: String?

  // MARK: Field dictionaries

  /// Reads a field's dictionary; `nil` where its value is null, that is, absent.
  func field(_ json: JSONValue, schemaType: FieldType?) throws(WebServicesFault) -> FieldValue? {
    if json.isNull { return nil }
    guard let object = json.object else {
      throw .expected("a dictionary of a field", json, hint: #"Write {"value": …}."#)
    }
    guard let value = object["value"] else {
      throw WebServicesFault("the key \"value\" is missing", hint: #"Write {"value": …, "type": …}."#)
    }
    let isUnknown = object["type"]?.string.map { sameBytes($0, "UNKNOWN_LIST") } ?? false
    let named = isUnknown ? nil : try object.read("type", type)
    if isUnknown, schemaType == nil, value.array?.isEmpty == true { return nil }
    do throws(WebServicesFault) {
      guard !value.isNull else { return nil }
      let read = try self.value(value, as: named ?? schemaType)
      guard named != nil, let schemaType, schemaType != read.type else { return read }
      // A schema decides what a number is. What cannot become its type is judged where the record is saved.
      return read.converted(to: schemaType) ?? read
    } catch {
      throw error.inside("value")
    }
  }

  private func type(_ json: JSONValue) throws(WebServicesFault) -> FieldType {
    let name = try string(json)
    if let type = FieldType(webServicesName: name) { return type }
    let names = FieldType.Scalar.allCases.flatMap {
      [FieldType($0).webServicesName, FieldType.list($0).webServicesName]
    }
    let bytes = Array(name.utf8)
    throw WebServicesFault(
      "there is no type \(SyntaxError.excerpt(name))",
      hint: SchemaWord.nearest(to: bytes[...], among: names).map { "Write \($0)." }
        ?? "The types are \(FieldType.Scalar.allCases.map { FieldType($0).webServicesName }.joined(separator: ", ")), and each with _LIST."
    )
  }

  /// Reads a value of a type, or of the one it shows.
  func value(_ json: JSONValue, as type: FieldType?) throws(WebServicesFault) -> FieldValue {
    guard let type else { return try value(json, as: try shownType(json)) }
    guard type.isList else { return try single(json, type.scalar) }
    guard let members = json.array else { throw .expected("an array for \(type.webServicesName)", json) }
    return try list(members, of: type.scalar)
  }

  /// The type a value shows without being told one.
  private func shownType(_ json: JSONValue) throws(WebServicesFault) -> FieldType {
    guard let members = json.array else { return FieldType(try shownScalar(json)) }
    guard let first = members.first else {
      throw WebServicesFault(
        "an empty list does not show its type", hint: #"Write its type, such as "type": "STRING_LIST"."#)
    }
    do throws(WebServicesFault) {
      let scalar = try shownScalar(first)
      // One fraction makes a list of numbers a list of DOUBLE.
      let hasFraction = members.contains { $0.number.map { !$0.isWhole && $0.exactInteger == nil } ?? false }
      return .list(scalar == .int64 && hasFraction ? .double : scalar)
    } catch {
      throw error.inside(0)
    }
  }

  private func shownScalar(_ json: JSONValue) throws(WebServicesFault) -> FieldType.Scalar {
    switch json {
    case .string: return .string
    case .bool: return .int64
    case .number(let number): return number.isWhole ? .int64 : .double
    case .null: throw WebServicesFault("a list has no null")
    case .array: throw WebServicesFault("a list has no lists for members")
    case .object(let object):
      if object["latitude"] != nil { return .location }
      if object["recordName"] != nil { return .reference }
      if object["fileChecksum"] != nil { return .asset }
      throw WebServicesFault("the object does not show its type", hint: #"Write its type, such as "type": "LOCATION"."#)
    }
  }

  private func single(_ json: JSONValue, _ scalar: FieldType.Scalar) throws(WebServicesFault) -> FieldValue {
    switch scalar {
    case .string: .string(try string(json))
    case .int64: .int64(try int64(json))
    case .double: .double(try double(json))
    case .bytes: .bytes(try bytes(json))
    case .timestamp: .timestamp(try timestamp(json))
    case .location: .location(try location(json))
    case .reference: .reference(try reference(json))
    case .asset: .asset(try asset(json))
    }
  }

  private func list(_ members: [JSONValue], of scalar: FieldType.Scalar) throws(WebServicesFault) -> FieldValue {
    switch scalar {
    case .string: .stringList(try WebServicesFault.each(members, string))
    case .int64: .int64List(try WebServicesFault.each(members, int64))
    case .double: .doubleList(try WebServicesFault.each(members, double))
    case .bytes: .bytesList(try WebServicesFault.each(members, bytes))
    case .timestamp: .timestampList(try WebServicesFault.each(members, timestamp))
    case .location: .locationList(try WebServicesFault.each(members, location))
    case .reference: .referenceList(try WebServicesFault.each(members, reference))
    case .asset: .assetList(try WebServicesFault.each(members, asset))
    }
  }

  // MARK: Single values

  /// Reads one of a few words, `what` they are called.
  func word<Value>(
    _ json: JSONValue, _ what: String, among known: some Collection<Value>, named name: (Value) -> String
  ) throws(WebServicesFault) -> Value {
    let word = try string(json)
    if let value = known.first(where: { sameBytes(name($0), word) }) { return value }
    throw WebServicesFault.unknown(what, word, among: known.map(name))
  }

  /// Reads a string.
  func string(_ json: JSONValue) throws(WebServicesFault) -> String {
    guard let string = json.string else { throw .expected("a string", json) }
    return string
  }

  /// Reads a boolean.
  func boolean(_ json: JSONValue) throws(WebServicesFault) -> Bool {
    guard let value = json.bool else { throw .expected("a boolean", json) }
    return value
  }

  private func int64(_ json: JSONValue) throws(WebServicesFault) -> Int64 {
    if let bool = json.bool { return bool ? 1 : 0 }
    let number = try number(json, "a whole number for INT64")
    guard let value = number.exactInteger else {
      let size = number.double.magnitude
      throw WebServicesFault(
        number.isWhole || size >= 0x1p63
          ? "the number is beyond the range of INT64"
          : size >= 0x1p53
            ? "the number may have been rounded; an INT64 from 2^53 on is written with digits alone"
            : "the number is not whole, as an INT64 is",
        hint: number.isWhole ? nil : #"Write "type": "DOUBLE" where the field is one."#)
    }
    return value
  }

  private func double(_ json: JSONValue) throws(WebServicesFault) -> Double {
    try number(json, "a number for DOUBLE").double
  }

  private func number(_ json: JSONValue, _ what: String) throws(WebServicesFault) -> JSONNumber {
    if let number = number(json) { return number }
    throw .expected(what, json)
  }

  /// A number, written as a string where that is asked for; nil where it is none.
  func number(_ json: JSONValue) -> JSONNumber? {
    if let number = json.number { return number }
    guard numbersAsStrings, let string = json.string, string.utf8.count <= 512 else { return nil }
    return (try? JSONReader.read(string))?.number
  }

  private func bytes(_ json: JSONValue) throws(WebServicesFault) -> [UInt8] {
    guard let text = json.string else { throw .expected("a Base64 string for BYTES", json) }
    do throws(Base64.Fault) {
      return try Base64.decode(text)
    } catch {
      throw WebServicesFault(error.message)
    }
  }

  /// Reads milliseconds since 1970, rounding to the nearest whole one, the later of two that are as near.
  func timestamp(_ json: JSONValue) throws(WebServicesFault) -> Timestamp {
    guard let number = json.number else { throw .expected("milliseconds since 1970 for TIMESTAMP", json) }
    if let whole = number.integer { return Timestamp(milliseconds: whole) }
    // Of a whole number beyond 64 bits the nearest double may be within them.
    guard !number.isWhole, let rounded = Int64(exactly: CastLiteral.nearest(number.double)) else {
      throw WebServicesFault("the moment is beyond the range of 64-bit milliseconds")
    }
    return Timestamp(milliseconds: rounded)
  }

  /// Reads a location's dictionary.
  func location(_ json: JSONValue) throws(WebServicesFault) -> Location {
    guard let object = json.object else {
      throw .expected("a location dictionary for LOCATION", json, hint: #"Write {"latitude": …, "longitude": …}."#)
    }
    var details = Location.Details()
    details.altitude = try object.read("altitude", degreesOrMetres)
    details.horizontalAccuracy = try object.read("horizontalAccuracy", degreesOrMetres)
    details.verticalAccuracy = try object.read("verticalAccuracy", degreesOrMetres)
    details.course = try object.read("course", degreesOrMetres)
    details.speed = try object.read("speed", degreesOrMetres)
    details.timestamp = try object.read("timestamp", timestamp)
    return Location(
      latitude: try object.require("latitude") { json throws(WebServicesFault) in try degrees(json, within: 90) },
      longitude: try object.require("longitude") { json throws(WebServicesFault) in try degrees(json, within: 180) },
      details: details)
  }

  private func degreesOrMetres(_ json: JSONValue) throws(WebServicesFault) -> Double {
    guard let number = json.number else { throw .expected("a number", json) }
    return number.double
  }

  private func degrees(_ json: JSONValue, within bound: Double) throws(WebServicesFault) -> Double {
    let value = try degreesOrMetres(json)
    guard value.magnitude <= bound else {
      throw WebServicesFault("\(value) degrees are not within -\(Int(bound)) to \(Int(bound))")
    }
    return value
  }

  /// Reads a reference dictionary.
  func reference(_ json: JSONValue) throws(WebServicesFault) -> Reference {
    guard let object = json.object else {
      throw .expected("a reference dictionary for REFERENCE", json, hint: #"Write {"recordName": …}."#)
    }
    let name = try object.require("recordName", string)
    let zone = try object.read("zoneID", zoneID)
    let action = try object.read("action", action)
    return Reference(RecordID(recordName: name, zoneID: zone ?? zoneID), action: action ?? .none)
  }

  private func action(_ json: JSONValue) throws(WebServicesFault) -> Reference.Action {
    let name = try string(json)
    guard let action = Reference.Action.allCases.first(where: { sameBytes($0.rawValue, name) }) else {
      throw WebServicesFault(
        "there is no action \(SyntaxError.excerpt(name)) of a reference", hint: "Write NONE, DELETE_SELF or VALIDATE.")
    }
    return action
  }

  /// Reads a zone's dictionary.
  func zoneID(_ json: JSONValue) throws(WebServicesFault) -> ZoneID {
    guard let object = json.object else {
      throw .expected("a zone dictionary", json, hint: #"Write {"zoneName": …}."#)
    }
    let name = try object.require("zoneName", string)
    return ZoneID(webServicesName: name, owner: try object.read("ownerRecordName", string), user: userRecordName)
  }

  private func asset(_ json: JSONValue) throws(WebServicesFault) -> Asset {
    guard let object = json.object else {
      throw .expected("an asset dictionary for ASSETID", json, hint: #"Write {"fileChecksum": …, "size": …}."#)
    }
    var asset = Asset(
      fileChecksum: try object.require("fileChecksum", string),
      size: try object.require("size", fileSize),
      downloadURL: try object.read("downloadURL", string))
    asset.referenceChecksum = try object.read("referenceChecksum", string)
    asset.wrappingKey = try object.read("wrappingKey", string)
    asset.receipt = try object.read("receipt", string)
    return asset
  }

  private func fileSize(_ json: JSONValue) throws(WebServicesFault) -> Int64 {
    guard let size = json.number?.exactInteger else {
      throw .expected("a whole number of bytes up to \(Int64.max), in digits", json)
    }
    if size < 0 { throw WebServicesFault("a file has no fewer than 0 bytes; this one has \(size)") }
    return size
  }
}

extension ZoneID {
  /// A zone as answers of CloudKit name it to a user.
  ///
  /// **Ours**: a default zone is the database's own, whoever owns it, since nobody is shown another's; CloudKit's answers
  /// name the user, or `_defaultOwner`, and that is the current user everywhere.
  package init(webServicesName name: String, owner: String?, user: String? = nil) {
    if sameBytes(name, ZoneID.defaultZoneName) {
      self = .default
      return
    }
    guard let owner, !["_defaultOwner", user].contains(where: { $0.map { sameBytes($0, owner) } ?? false }) else {
      self.init(zoneName: name)
      return
    }
    self.init(zoneName: name, ownerName: owner)
  }
}
