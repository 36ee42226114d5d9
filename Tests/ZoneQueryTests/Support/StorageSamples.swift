@testable import ZoneQuery

/// Values of every type, for tests of storage, and a writing of values that tells apart what `==` does not.
struct StorageSamples {
  var random: SplitMix
  /// The zone that references stay in; any where nil, as no database takes them.
  var zone: ZoneID?

  /// A field of every type, and one of each kept encrypted.
  static let type = RecordType(
    "T",
    fields: FieldType.Scalar.allCases.flatMap { scalar in
      [
        FieldDefinition("f_" + scalar.rawValue, FieldType(scalar)),
        FieldDefinition("l_" + scalar.rawValue, .list(scalar)),
        FieldDefinition("e_" + scalar.rawValue, FieldType(scalar), isEncrypted: true),
      ]
    })

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  private mutating func length() -> Int {
    switch below(20) {
    case 0: [0, 6, 7, 8, 127, 128, 255, 256, 2047, 2048, 2049, 5000][below(12)]
    case 1: below(300)
    default: below(24)
    }
  }

  private mutating func bytes() -> [UInt8] {
    // A few values come often, so that neighbours share them.
    if below(3) == 0 { return Array("a value that comes often \(below(3))".utf8) }
    return (0..<length()).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private mutating func text() -> String {
    String(decoding: bytes().map { $0 & 0x7F }, as: UTF8.self) + ["", "é", "\u{0}", "𝛑"][below(4)]
  }

  private mutating func number() -> Double {
    let values = [0, -0.0, 1, .infinity, -.infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude]
    return below(3) == 0 ? values[below(7)] : Double(Int64(bitPattern: random.next())) / 1024
  }

  private mutating func integer() -> Int64 {
    below(3) == 0 ? [0, -1, .min, .max, 1][below(5)] : Int64(bitPattern: random.next())
  }

  private mutating func place() -> Location {
    var details = Location.Details()
    if below(4) == 0 {
      if below(2) == 0 { details.altitude = number() }
      if below(2) == 0 { details.speed = -0.0 }
      if below(2) == 0 { details.course = number() }
      if below(2) == 0 { details.horizontalAccuracy = 5 }
      if below(2) == 0 { details.verticalAccuracy = 7 }
      if below(2) == 0 { details.timestamp = Timestamp(milliseconds: integer()) }
    }
    return Location(
      latitude: Double(below(181)) - 90.0, longitude: [-180, -0.0, 180, 12.5][below(4)], details: details)
  }

  private mutating func recordID() -> RecordID {
    let names = [ZoneID.currentUserName, "x\(below(20))", "a name of some length \(below(1000))"]
    let zones = [
      ZoneID.default, ZoneID(zoneName: "Z"), ZoneID(zoneName: "Other", ownerName: "someone"),
      ZoneID(zoneName: "Z", ownerName: "else"),
    ]
    return RecordID(recordName: names[below(3)], zoneID: zones[below(4)])
  }

  mutating func reference() -> Reference {
    let target = recordID()
    return Reference(
      zone.map { RecordID(recordName: target.recordName, zoneID: $0) } ?? target,
      action: below(8) == 0 ? .deleteSelf : below(8) == 0 ? .validate : .none)
  }

  private mutating func asset() -> Asset {
    var asset = Asset(fileChecksum: text(), size: integer() & .max, downloadURL: below(2) == 0 ? text() : nil)
    if below(2) == 0 { asset.referenceChecksum = text() }
    if below(2) == 0 { asset.wrappingKey = "" }
    if below(2) == 0 { asset.receipt = text() }
    return asset
  }

  private mutating func list<Member>(_ make: (inout StorageSamples) -> Member) -> [Member] {
    (0..<(below(6) == 0 ? 40 : below(4))).map { _ in make(&self) }
  }

  /// Some value of a type.
  mutating func value(_ type: FieldType) -> FieldValue {
    switch (type.scalar, type.isList) {
    case (.string, false): .string(text())
    case (.int64, false): .int64(integer())
    case (.double, false): .double(number())
    case (.bytes, false): .bytes(bytes())
    case (.timestamp, false): .timestamp(Timestamp(milliseconds: integer()))
    case (.location, false): .location(place())
    case (.reference, false): .reference(reference())
    case (.asset, false): .asset(asset())
    case (.string, true): .stringList(list { $0.text() })
    case (.int64, true): .int64List(list { $0.integer() })
    case (.double, true): .doubleList(list { $0.number() })
    case (.bytes, true): .bytesList(list { $0.bytes() })
    case (.timestamp, true): .timestampList(list { Timestamp(milliseconds: $0.integer()) })
    case (.location, true): .locationList(list { $0.place() })
    case (.reference, true): .referenceList(list { $0.reference() })
    case (.asset, true): .assetList(list { $0.asset() })
    }
  }

  /// A record of ``type`` with about `filled` of ten fields.
  mutating func record(_ name: String, zoneID: ZoneID, filled: Int = 5) -> Record {
    var record = Record(recordType: "T", recordID: RecordID(recordName: name, zoneID: zoneID))
    for field in StorageSamples.type.fields where below(10) < filled { record[field.name] = value(field.type) }
    record.creationDate = Timestamp(milliseconds: integer())
    record.modificationDate = Timestamp(milliseconds: integer())
    // Now and then none, or the one who saved it last.
    let user = below(16)
    record.creatorUserRecordID =
      user == 0 ? nil : RecordID(recordName: user < 3 ? ZoneID.currentUserName : "user \(user % 2)")
    record.lastModifiedUserRecordID = RecordID(recordName: ZoneID.currentUserName)
    if below(3) == 0 { record.parent = reference() }
    if below(5) == 0 { record.share = reference() }
    return record
  }

  // MARK: Comparing

  /// Whether two records are the same, change tags and the sign of zero included.
  static func isSame(_ left: Record, _ right: Record?) -> Bool {
    guard let right, left == right else { return false }
    return left.fields.allSatisfy { name, value in bits(value) == right[name].map(bits) }
  }

  /// What tells apart doubles that `==` does not.
  private static func bits(_ value: FieldValue) -> [UInt64] {
    switch value {
    case .double(let number): [number.bitPattern]
    case .doubleList(let numbers): numbers.map(\.bitPattern)
    case .location(let place): bits(place)
    case .locationList(let places): places.flatMap(bits)
    default: []
    }
  }

  private static func bits(_ place: Location) -> [UInt64] {
    [place.latitude.bitPattern, place.longitude.bitPattern] + place.details.numbers.map { $0?.bitPattern ?? 1 }
  }
}
