internal import ZoneQuery

/// Draws values of fields: most from so small a range that records share them, many at boundaries, some anywhere.
struct ValueGenerator {
  /// The zone that references point into; a reference stays in its record's zone.
  var zoneID = ZoneID.default

  func value(of type: FieldType, _ random: inout SeededRandom) -> FieldValue {
    guard type.isList else { return scalar(type.scalar, &random) }
    let count = random.one(of: 0, 1, 1, 2, 2, 3, 4)
    func many<Member>(_ draw: (inout SeededRandom) -> Member) -> [Member] { (0..<count).map { _ in draw(&random) } }
    switch type.scalar {
    case .string:
      let isAlike = random.chance(1, of: 2)
      return .stringList(many { isAlike ? $0.pick(BoundaryValues.alike) ?? "" : string(&$0) })
    case .int64: return .int64List(many(integer))
    case .double: return .doubleList(many(double))
    case .bytes: return .bytesList(many(bytes))
    case .timestamp: return .timestampList(many(moment))
    case .location: return .locationList(many(place))
    case .reference: return .referenceList(many(reference))
    case .asset: return .assetList(many(asset))
    }
  }

  private func scalar(_ scalar: FieldType.Scalar, _ random: inout SeededRandom) -> FieldValue {
    switch scalar {
    case .string: .string(string(&random))
    case .int64: .int64(integer(&random))
    case .double: .double(double(&random))
    case .bytes: .bytes(bytes(&random))
    case .timestamp: .timestamp(moment(&random))
    case .location: .location(place(&random))
    case .reference: .reference(reference(&random))
    case .asset: .asset(asset(&random))
    }
  }

  func string(_ random: inout SeededRandom) -> String {
    switch random.below(11) {
    case 0: return random.pick(BoundaryValues.alike + BoundaryValues.long) ?? ""
    case 1...4: return random.pick(BoundaryValues.strings) ?? ""
    case 5, 6: return random.pick(BoundaryValues.texts) ?? ""
    case 7:
      return (random.pick(BoundaryValues.strings) ?? "") + (random.pick(BoundaryValues.strings) ?? "")
    case 8:
      // Texts that repeat themselves, for searches that must not skip too far.
      if random.chance(2, of: 3) { return String(repeating: "a", count: random.one(of: 1, 2, 3, 4)) + "b" }
      return (0..<random.one(of: 3, 4, 5, 7)).map { _ in random.one(of: "a", "a", "b") }.joined()
    default:
      return (0..<random.one(of: 1, 1, 2, 3)).map { _ in random.one(of: "a", "b", "A", "c") }.joined()
    }
  }

  func integer(_ random: inout SeededRandom) -> Int64 {
    switch random.below(8) {
    case 0, 1: random.pick(BoundaryValues.integers) ?? 0
    case 2: Int64(bitPattern: random.next())
    default: Int64(random.below(12)) - 3
    }
  }

  func double(_ random: inout SeededRandom) -> Double {
    switch random.below(8) {
    case 0, 1: return random.pick(BoundaryValues.doubles) ?? 0
    case 2:
      let value = Double(bitPattern: random.next())
      return value.isNaN ? 0.25 : value
    default: return Double(random.below(24)) / 2 - 3
    }
  }

  func moment(_ random: inout SeededRandom) -> Timestamp {
    switch random.below(8) {
    case 0, 1, 2: Timestamp(milliseconds: random.pick(BoundaryValues.moments) ?? 0)
    case 3: Timestamp(milliseconds: Int64(bitPattern: random.next()) / 1000)
    default: Timestamp(milliseconds: 1_000_000_000_000 + Int64(random.below(7)) - 3)
    }
  }

  func place(_ random: inout SeededRandom) -> Location {
    switch random.below(8) {
    case 0...3:
      let place = random.pick(BoundaryValues.places) ?? (0, 0)
      return Location(latitude: place.latitude, longitude: place.longitude)
    case 4, 5: return Location(latitude: 48 + random.fraction() / 10, longitude: 2 + random.fraction() / 10)
    default: return Location(latitude: random.fraction() * 180 - 90, longitude: random.fraction() * 360 - 180)
    }
  }

  func reference(_ random: inout SeededRandom) -> Reference {
    Reference(RecordID(recordName: random.pick(BoundaryValues.names) ?? "r0", zoneID: zoneID))
  }

  func bytes(_ random: inout SeededRandom) -> [UInt8] {
    (0..<random.below(5)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  func asset(_ random: inout SeededRandom) -> Asset {
    Asset(fileChecksum: "checksum\(random.below(5))", size: Int64(random.below(1000)))
  }
}
