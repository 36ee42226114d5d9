/// Writes field values as CloudKit Web Services has them.
struct WebServicesValueWriter {
  /// The zone that references need not name.
  var zoneID: ZoneID
  /// Whether INT64 and DOUBLE are written as strings.
  var numbersAsStrings = false

  /// The fields of a record, those of `keys` alone where there are any.
  func fields(of record: Record, _ keys: Set<ByteKey>?) throws(WebServicesFault) -> JSONValue {
    var object = JSONObject()
    for (name, value) in record.fields where keys?.contains(ByteKey(name)) ?? true {
      do throws(WebServicesFault) {
        object.append(name, try field(value))
      } catch {
        throw error.inside(name).inside("fields")
      }
    }
    // Those set to nil, which no order is known of.
    let removed = record.removed.names.filter { keys?.contains($0) ?? true }.map(\.text)
    for name in removed.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      object.append(name, .object(JSONObject([("value", .null)])))
    }
    return .object(object)
  }

  /// A field's dictionary.
  func field(_ value: FieldValue) throws(WebServicesFault) -> JSONValue {
    let json: JSONValue
    do throws(WebServicesFault) {
      json = try self.value(value)
    } catch {
      throw error.inside("value")
    }
    return .object(JSONObject([("value", json), ("type", .string(value.type.webServicesName))]))
  }

  private func value(_ value: FieldValue) throws(WebServicesFault) -> JSONValue {
    switch value {
    case .string(let value): return .string(value)
    case .int64(let value): return int64(value)
    case .double(let value): return try double(value)
    case .bytes(let value): return .string(Base64.encode(value))
    case .timestamp(let value): return .integer(value.milliseconds)
    case .location(let value): return try location(value)
    case .reference(let value): return reference(value)
    case .asset(let value): return asset(value)
    case .stringList(let values): return .array(values.map { .string($0) })
    case .int64List(let values): return .array(values.map(int64))
    case .doubleList(let values): return try each(values, double)
    case .bytesList(let values): return .array(values.map { .string(Base64.encode($0)) })
    case .timestampList(let values): return .array(values.map { .integer($0.milliseconds) })
    case .locationList(let values): return try each(values, location)
    case .referenceList(let values): return .array(values.map(reference))
    case .assetList(let values): return .array(values.map(asset))
    }
  }

  private func each<Member>(
    _ members: [Member], _ body: (Member) throws(WebServicesFault) -> JSONValue
  ) throws(WebServicesFault) -> JSONValue {
    var result: [JSONValue] = []
    result.reserveCapacity(members.count)
    for (index, member) in members.enumerated() {
      do throws(WebServicesFault) {
        result.append(try body(member))
      } catch {
        throw error.inside(index)
      }
    }
    return .array(result)
  }

  private func int64(_ value: Int64) -> JSONValue { numbersAsStrings ? .string("\(value)") : .integer(value) }

  private func double(_ value: Double) throws(WebServicesFault) -> JSONValue {
    let json = try number(value)
    return numbersAsStrings ? .string(json.text) : json
  }

  private func number(_ value: Double) throws(WebServicesFault) -> JSONValue {
    guard let json = JSONValue.double(value) else { throw WebServicesFault("JSON cannot carry the number \(value)") }
    return json
  }

  private func location(_ location: Location) throws(WebServicesFault) -> JSONValue {
    let details = location.details
    var object = JSONObject()
    let numbers: [(String, Double?)] = [
      ("latitude", location.latitude), ("longitude", location.longitude), ("altitude", details.altitude),
      ("horizontalAccuracy", details.horizontalAccuracy), ("verticalAccuracy", details.verticalAccuracy),
      ("course", details.course), ("speed", details.speed),
    ]
    for case (let key, let value?) in numbers {
      do throws(WebServicesFault) {
        object.append(key, try number(value))
      } catch {
        throw error.inside(key)
      }
    }
    if let timestamp = details.timestamp { object.append("timestamp", .integer(timestamp.milliseconds)) }
    return .object(object)
  }

  /// A reference's dictionary. The zone is left out where it is the record's own.
  func reference(_ reference: Reference) -> JSONValue { self.reference(reference, always: true) }

  /// A reference's dictionary, with an action of none or without.
  private func reference(_ reference: Reference, always hasAction: Bool) -> JSONValue {
    var object = JSONObject()
    object.append("recordName", .string(reference.recordID.recordName))
    if reference.recordID.zoneID != zoneID { object.append("zoneID", zone(reference.recordID.zoneID)) }
    if hasAction || reference.action != .none { object.append("action", .string(reference.action.rawValue)) }
    return .object(object)
  }

  /// The dictionary of a parent or a share, which name an action only where there is one.
  func relation(_ reference: Reference) -> JSONValue { self.reference(reference, always: false) }

  /// A zone's dictionary.
  func zone(_ zoneID: ZoneID) -> JSONValue {
    var object = JSONObject()
    object.append("zoneName", .string(zoneID.zoneName))
    if !sameBytes(zoneID.ownerName, ZoneID.currentUserName) {
      object.append("ownerRecordName", .string(zoneID.ownerName))
    }
    return .object(object)
  }

  private func asset(_ asset: Asset) -> JSONValue {
    var object = JSONObject()
    object.append("fileChecksum", .string(asset.fileChecksum))
    object.append("size", .integer(asset.size))
    let texts = [
      ("referenceChecksum", asset.referenceChecksum), ("wrappingKey", asset.wrappingKey), ("receipt", asset.receipt),
      ("downloadURL", asset.downloadURL),
    ]
    for case (let key, let value?) in texts { object.append(key, .string(value)) }
    return .object(object)
  }

  /// When something was done to a record, and by whom; `nil` where neither is known.
  func moment(_ timestamp: Timestamp?, _ user: RecordID?) -> JSONValue? {
    var object = JSONObject()
    if let timestamp { object.append("timestamp", .integer(timestamp.milliseconds)) }
    if let user { object.append("userRecordName", .string(user.recordName)) }
    return object.isEmpty ? nil : .object(object)
  }
}
