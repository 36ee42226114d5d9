internal import PredicateSyntax
internal import ZoneQuery

/// Draws values near the constants of a condition: those themselves, what lies just beside them, and now and then any
/// other.
struct NearbyValueGenerator {
  private let strings: [String]
  private let numbers: [Literal]
  private let moments: [Int64]
  private let places: [Location]
  private let recordIDs: [RecordID]
  private let isTokenSearch: Bool
  private let isComputed: Bool
  private let plain: ValueGenerator

  /// Creates a generator of values for a record of a zone, in which its references stay.
  init(_ constants: [Literal], isTokenSearch: Bool, isComputed: Bool, zoneID: ZoneID) {
    strings = constants.compactMap { if case .string(let text) = $0 { text } else { nil } }
    let numbers = constants.filter { Self.number($0) != nil }
    self.numbers = isComputed ? numbers + Self.computed(numbers.compactMap(Self.number).prefix(6)) : numbers
    moments = constants.compactMap { if case .date(let milliseconds) = $0 { milliseconds } else { nil } }
    places = constants.compactMap { constant in
      guard case .location(let latitude, let longitude) = constant else { return nil }
      return Location(latitude: latitude, longitude: longitude)
    }
    recordIDs = constants.compactMap(Self.recordID)
    self.isTokenSearch = isTokenSearch
    self.isComputed = isComputed
    plain = ValueGenerator(zoneID: zoneID)
  }

  /// The record that a constant names, by a reference or, as the extended dialect has it, by its bare name; nil where
  /// no record can have the name.
  static func recordID(_ constant: Literal) -> RecordID? {
    let id: RecordID
    switch constant {
    case .reference(let name, let zone, let owner):
      let zoneID = ZoneID(zoneName: zone ?? ZoneID.defaultZoneName, ownerName: owner ?? ZoneID.currentUserName)
      id = RecordID(recordName: name, zoneID: zoneID)
    case .string(let name): id = RecordID(recordName: name)
    default: return nil
    }
    return canName(id.recordName) ? id : nil
  }

  /// Whether a record can have a name.
  private static func canName(_ name: String) -> Bool {
    (1...255).contains(name.utf8.count) && name.utf8.allSatisfy { $0 < 0x80 }
  }

  private static func number(_ constant: Literal) -> Double? {
    switch constant {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// What numbers make with each other: a field that one is added to, and that is compared with the other, is their
  /// difference where the two sides are equal.
  private static func computed(_ numbers: ArraySlice<Double>) -> [Literal] {
    numbers.flatMap { (a) -> [Double] in
      [-a] + numbers.flatMap { (b) -> [Double] in [a + b, a - b, a * b, a / b] }
    }.compactMap { Literal.number($0) }
  }

  // MARK: Values

  /// A value of a type; bytes and assets, which no predicate compares, are any.
  func value(of type: FieldType, _ random: inout SeededRandom) -> FieldValue {
    switch (type.scalar, type.isList) {
    case (.string, false): .string(text(&random))
    case (.int64, false): .int64(integer(&random))
    case (.double, false): .double(double(&random))
    case (.timestamp, false): .timestamp(moment(&random))
    case (.location, false): .location(place(&random))
    case (.reference, false): .reference(reference(&random))
    case (.string, true): .stringList(list(strings, &random, text))
    case (.int64, true): .int64List(list(numbers.map { whole($0, .down) }, &random, integer))
    case (.double, true): .doubleList(list(numbers.compactMap(Self.number), &random, double))
    case (.timestamp, true): .timestampList(list(moments.map(Timestamp.init(milliseconds:)), &random, moment))
    case (.location, true): .locationList(list(places, &random, place))
    case (.reference, true): .referenceList(list(recordIDs.map(reference), &random, reference))
    case (.bytes, _), (.asset, _): plain.value(of: type, &random)
    }
  }

  /// A user, who may have any zone's records.
  func userRecordID(_ random: inout SeededRandom) -> RecordID {
    random.chance(3, of: 4) ? random.pick(recordIDs) ?? RecordID(recordName: "_anna") : RecordID(recordName: "_ben")
  }

  /// Whether the next value is any, near to nothing.
  private func isElsewhere(_ random: inout SeededRandom) -> Bool { random.chance(1, of: 8) }

  /// All of the constants, all but one, one more, or some members near them.
  private func list<Member>(
    _ constants: [Member], _ random: inout SeededRandom, _ draw: (inout SeededRandom) -> Member
  ) -> [Member] {
    switch random.below(8) {
    case 0: return []
    case 1: return random.shuffled(constants)
    case 2: return Array(random.shuffled(constants).dropFirst())
    case 3: return random.shuffled(constants + [draw(&random)])
    default:
      let count = count(&random) ?? random.one(of: 1, 1, 2, 2, 3)
      return (0..<count).map { _ in draw(&random) }
    }
  }

  /// A number of members or letters that a computation may be asked for; nil where none is.
  private func count(_ random: inout SeededRandom) -> Int? {
    guard isComputed, random.chance(1, of: 2) else { return nil }
    let counts = numbers.compactMap { Self.number($0) }.filter { (0...100).contains($0) }
    return random.pick(counts).map { max(0, Int($0) + random.one(of: 0, 0, 1, -1)) }
  }

  private func integer(_ random: inout SeededRandom) -> Int64 {
    guard !isElsewhere(&random), let number = random.pick(numbers) else { return plain.integer(&random) }
    let value = whole(number, random.one(of: .down, .up))
    return random.one(of: value, value, value, value &+ 1, value &- 1, value &+ Int64(random.below(20)) &- 10)
  }

  private func whole(_ number: Literal, _ rule: FloatingPointRoundingRule) -> Int64 {
    switch number {
    case .integer(let value): value
    case .double(let value) where abs(value) < 0x1p63: Int64(value.rounded(rule))
    case .double(let value): value < 0 ? .min : .max
    default: 0
    }
  }

  private func double(_ random: inout SeededRandom) -> Double {
    guard !isElsewhere(&random), let value = random.pick(numbers).flatMap(Self.number) else {
      return plain.double(&random)
    }
    return random.one(of: value, value, value, value, value.nextUp, value.nextDown, value + 1, value - 0.5)
  }

  private func moment(_ random: inout SeededRandom) -> Timestamp {
    guard !isElsewhere(&random), let value = random.pick(moments) else { return plain.moment(&random) }
    let day: Int64 = 86_400_000
    return Timestamp(
      milliseconds: random.one(
        of: value, value, value, value &+ 1, value &- 1, value &+ 1_000, value &- 1_000, value &+ day, value &- day))
  }

  /// A place at a constant, or as far from it as a number of the condition says, and a little less or more.
  private func place(_ random: inout SeededRandom) -> Location {
    guard !isElsewhere(&random), let centre = random.pick(places) else { return plain.place(&random) }
    let radii = numbers.compactMap(Self.number).filter { $0 > 0 && $0 < 2.1e7 }
    guard let radius = random.pick(radii) else {
      let moved = centre.moved(random.one(of: 0.001, 1, 1_000), towards: random.fraction() * 2 * .pi)
      return random.one(of: centre, centre, moved)
    }
    // Evaluators need not agree closer to the rim than they measure.
    let margin = max(0.01, radius * 1e-6)
    let metres = random.one(
      of: 0, radius / 2, radius * 0.99, radius - margin, radius + margin, radius * 1.01 + margin, radius * 2 + margin)
    return metres > 0 ? centre.moved(metres, towards: random.fraction() * 2 * .pi) : centre
  }

  private func reference(_ random: inout SeededRandom) -> Reference {
    guard !isElsewhere(&random), let id = random.pick(recordIDs) else { return plain.reference(&random) }
    let other = id.recordName + "a"
    guard random.chance(1, of: 4), Self.canName(other) else { return reference(id) }
    return Reference(RecordID(recordName: other, zoneID: plain.zoneID))
  }

  /// A reference to the record, or to the one of its name in this zone.
  private func reference(_ id: RecordID) -> Reference {
    Reference(RecordID(recordName: id.recordName, zoneID: plain.zoneID))
  }

  private func text(_ random: inout SeededRandom) -> String {
    if let length = count(&random) { return String((0..<length).map { _ in random.one(of: "a", "b") }) }
    guard !isElsewhere(&random), let constant = random.pick(strings) else {
      // What evaluators take for none.
      return random.chance(1, of: 4) ? "" : plain.string(&random)
    }
    return isTokenSearch ? NearbyText.words(of: constant, &random) : NearbyText.text(near: constant, &random)
  }
}
