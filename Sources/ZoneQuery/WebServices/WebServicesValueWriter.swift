/// Writes field values as CloudKit Web Services has them, into a text as it grows.
///
/// What JSON cannot carry is found before anything is written, so that no text ends in the middle: see ``fault(of:)``.
struct WebServicesValueWriter {
  /// The zone that references need not name.
  var zoneID: ZoneID
  /// Whether INT64 and DOUBLE are written as strings.
  var numbersAsStrings = false

  // MARK: Faults

  /// Why JSON cannot carry a value, if it cannot: a number in it is infinite or NaN.
  static func fault(of value: FieldValue) -> WebServicesFault? {
    switch value {
    case .double(let number): fault(of: number)?.inside("value")
    case .doubleList(let numbers): fault(of: numbers, fault(of:))
    case .location(let location): fault(of: location)?.inside("value")
    case .locationList(let locations): fault(of: locations, fault(of:))
    default: nil
    }
  }

  private static func fault(of number: Double) -> WebServicesFault? {
    number.isFinite ? nil : WebServicesFault("JSON cannot carry the number \(number)")
  }

  private static func fault(of location: Location) -> WebServicesFault? {
    for (key, number) in numbers(of: location) {
      if let number, let fault = fault(of: number) { return fault.inside(key) }
    }
    return nil
  }

  private static func fault<Member>(of members: [Member], _ body: (Member) -> WebServicesFault?) -> WebServicesFault? {
    for (index, member) in members.enumerated() {
      if let fault = body(member) { return fault.inside(index).inside("value") }
    }
    return nil
  }

  // MARK: Values

  /// Writes a field's dictionary, of a value without a ``fault(of:)``.
  func write(field value: FieldValue, to json: inout JSONWriter) {
    json.beginObject()
    json.key("value")
    write(value, to: &json)
    json.key("type")
    json.string(value.type.webServicesName)
    json.endObject()
  }

  private func write(_ value: FieldValue, to json: inout JSONWriter) {
    switch value {
    case .string(let value): json.string(value)
    case .int64(let value): write(value, to: &json)
    case .double(let value): write(value, to: &json)
    case .bytes(let value): json.string(Base64.encode(value))
    case .timestamp(let value): json.integer(value.milliseconds)
    case .location(let value): write(value, to: &json)
    case .reference(let value): write(value, to: &json)
    case .asset(let value): write(value, to: &json)
    case .stringList(let values): write(each: values, to: &json) { $1.string($0) }
    case .int64List(let values): write(each: values, to: &json) { write($0, to: &$1) }
    case .doubleList(let values): write(each: values, to: &json) { write($0, to: &$1) }
    case .bytesList(let values): write(each: values, to: &json) { $1.string(Base64.encode($0)) }
    case .timestampList(let values): write(each: values, to: &json) { $1.integer($0.milliseconds) }
    case .locationList(let values): write(each: values, to: &json) { write($0, to: &$1) }
    case .referenceList(let values): write(each: values, to: &json) { write($0, to: &$1) }
    case .assetList(let values): write(each: values, to: &json) { write($0, to: &$1) }
    }
  }

  private func write<Member>(
    each members: [Member], to json: inout JSONWriter, _ body: (Member, inout JSONWriter) -> Void
  ) {
    json.beginArray()
    for member in members { body(member, &json) }
    json.endArray()
  }

  private func write(_ value: Int64, to json: inout JSONWriter) {
    if numbersAsStrings { json.string("\(value)") } else { json.integer(value) }
  }

  private func write(_ value: Double, to json: inout JSONWriter) {
    if numbersAsStrings { json.string(value.description) } else { json.double(value) }
  }

  private static func numbers(of location: Location) -> [(key: String, number: Double?)] {
    let details = location.details
    return [
      ("latitude", location.latitude), ("longitude", location.longitude), ("altitude", details.altitude),
      ("horizontalAccuracy", details.horizontalAccuracy), ("verticalAccuracy", details.verticalAccuracy),
      ("course", details.course), ("speed", details.speed),
    ]
  }

  /// Writes a location's dictionary, of one without a ``fault(of:)``.
  func write(_ location: Location, to json: inout JSONWriter) {
    json.beginObject()
    for case (let key, let number?) in Self.numbers(of: location) {
      json.key(key)
      json.double(number)
    }
    json.member("timestamp", location.details.timestamp?.milliseconds)
    json.endObject()
  }

  private func write(_ asset: Asset, to json: inout JSONWriter) {
    json.beginObject()
    json.member("fileChecksum", asset.fileChecksum)
    json.member("size", asset.size)
    json.member("referenceChecksum", asset.referenceChecksum)
    json.member("wrappingKey", asset.wrappingKey)
    json.member("receipt", asset.receipt)
    json.member("downloadURL", asset.downloadURL)
    json.endObject()
  }

  // MARK: Names

  /// Writes a reference's dictionary. The zone is left out where it is the record's own.
  func write(_ reference: Reference, to json: inout JSONWriter) { write(reference, always: true, to: &json) }

  /// Writes the dictionary of a parent or a share, which name an action only where there is one.
  func write(relation reference: Reference, to json: inout JSONWriter) { write(reference, always: false, to: &json) }

  /// Writes a reference's dictionary, with an action of none or without.
  private func write(_ reference: Reference, always hasAction: Bool, to json: inout JSONWriter) {
    json.beginObject()
    json.member("recordName", reference.recordID.recordName)
    if reference.recordID.zoneID != zoneID { json.member("zoneID", reference.recordID.zoneID) }
    if hasAction || reference.action != .none { json.member("action", reference.action.rawValue) }
    json.endObject()
  }

  /// Writes under a key when something was done to a record, and by whom; nothing where neither is known.
  func write(_ key: String, _ timestamp: Timestamp?, _ user: RecordID?, to json: inout JSONWriter) {
    if timestamp == nil, user == nil { return }
    json.key(key)
    json.beginObject()
    json.member("timestamp", timestamp?.milliseconds)
    json.member("userRecordName", user?.recordName)
    json.endObject()
  }
}
