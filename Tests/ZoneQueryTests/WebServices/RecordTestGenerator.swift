import ZoneQuery

/// Records of every type of field, the same for the same seed.
struct RecordTestGenerator {
  private var json: JSONTestGenerator

  init(seed: UInt64) { json = JSONTestGenerator(seed: seed) }

  mutating func next() -> UInt64 { json.next() }

  mutating func below(_ bound: Int) -> Int { json.below(bound) }

  mutating func record() -> Record {
    let zone = below(2) == 0 ? ZoneID.default : self.zone()
    let id = RecordID(recordName: text(), zoneID: zone)
    var record = Record(recordType: text(), recordID: id)
    for index in 0..<below(8) {
      let scalar = FieldType.Scalar.allCases[below(8)]
      record["\(index)" + text()] = value(below(3) == 0 ? .list(scalar) : FieldType(scalar), zone)
    }
    if below(3) == 0 { record.changeTag = text() }
    if below(3) == 0 { record.creationDate = timestamp() }
    if below(3) == 0 { record.modificationDate = timestamp() }
    if below(3) == 0 { record.creatorUserRecordID = RecordID(recordName: text()) }
    if below(3) == 0 { record.lastModifiedUserRecordID = RecordID(recordName: text()) }
    if below(4) == 0 { record.parent = reference(zone) }
    if below(4) == 0 { record.share = reference(zone) }
    return record
  }

  mutating func value(_ type: FieldType, _ zone: ZoneID) -> FieldValue {
    func list<Member>(_ member: (inout RecordTestGenerator) -> Member) -> [Member] {
      (0..<below(5)).map { _ in member(&self) }
    }
    switch (type.scalar, type.isList) {
    case (.string, false): return .string(text())
    case (.int64, false): return .int64(whole())
    case (.double, false): return .double(double())
    case (.bytes, false): return .bytes(bytes())
    case (.timestamp, false): return .timestamp(timestamp())
    case (.location, false): return .location(location())
    case (.reference, false): return .reference(reference(zone))
    case (.asset, false): return .asset(asset())
    case (.string, true): return .stringList(list { $0.text() })
    case (.int64, true): return .int64List(list { $0.whole() })
    case (.double, true): return .doubleList(list { $0.double() })
    case (.bytes, true): return .bytesList(list { $0.bytes() })
    case (.timestamp, true): return .timestampList(list { $0.timestamp() })
    case (.location, true): return .locationList(list { $0.location() })
    case (.reference, true): return .referenceList(list { $0.reference(zone) })
    case (.asset, true): return .assetList(list { $0.asset() })
    }
  }

  mutating func text() -> String {
    var text = ""
    for _ in 0..<below(10) {
      let scalar = UInt32([below(0x80), 0x300 + below(0x40), below(0x3000), below(0x11_0000)][below(4)])
      if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  private mutating func whole() -> Int64 {
    switch below(6) {
    case 0: [Int64.min, .max, 0, -1, 1 << 53, (1 << 53) + 1][below(6)]
    default: Int64(bitPattern: next()) >> Int64(below(64))
    }
  }

  private mutating func double() -> Double {
    let value = Double(bitPattern: next())
    return below(3) == 0 || !value.isFinite ? Double(below(2_000) - 1_000) / 8 : value
  }

  private mutating func bytes() -> [UInt8] { (0..<below(9)).map { _ in UInt8(truncatingIfNeeded: next()) } }

  private mutating func timestamp() -> Timestamp { Timestamp(milliseconds: whole()) }

  private mutating func zone() -> ZoneID {
    below(2) == 0 ? ZoneID(zoneName: text()) : ZoneID(zoneName: text(), ownerName: text())
  }

  private mutating func reference(_ zone: ZoneID) -> Reference {
    let zone = below(3) == 0 ? self.zone() : zone
    return Reference(RecordID(recordName: text(), zoneID: zone), action: Reference.Action.allCases[below(3)])
  }

  private mutating func location() -> Location {
    var details = Location.Details()
    if below(3) == 0 {
      details.altitude = double()
      details.timestamp = timestamp()
    }
    if below(3) == 0 {
      details.horizontalAccuracy = double()
      details.verticalAccuracy = double()
      details.course = double()
      details.speed = double()
    }
    let latitude = Double(below(180_000_001)) / 1_000_000 - 90
    return Location(latitude: latitude, longitude: Double(below(360_001)) / 1_000 - 180, details: details)
  }

  private mutating func asset() -> Asset {
    var asset = Asset(fileChecksum: text(), size: Int64(below(1 << 40)), downloadURL: below(2) == 0 ? nil : text())
    if below(2) == 0 {
      asset.referenceChecksum = text()
      asset.wrappingKey = text()
      asset.receipt = text()
    }
    return asset
  }
}
