@testable import ZoneQuery

/// Random rows, and random predicates bound to their fields.
struct PredicateSource {
  static let types: [FieldType] = [
    FieldType(.int64), FieldType(.timestamp), FieldType(.double), FieldType(.string), FieldType(.reference),
    FieldType(.location), .list(.int64), .list(.double), .list(.string), .list(.location), .list(.reference),
    .list(.timestamp), FieldType(.int64), FieldType(.int64), FieldType(.string), FieldType(.double),
  ]

  var random: SplitMix

  mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  // MARK: Values

  mutating func integer() -> Int64 {
    switch pick(12) {
    case 0: .min + Int64(pick(3))
    case 1: .max - Int64(pick(3))
    case 2: Int64(bitPattern: random.next())
    default: Int64(pick(60)) - 30
    }
  }

  mutating func double() -> Double {
    switch pick(12) {
    case 0: [0.0, -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude][pick(5)]
    case 1: Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF)
    default: Double(pick(60) - 30) / 2
    }
  }

  mutating func text() -> String {
    switch pick(4) {
    case 0: ["", "a", "ab", "abc", "éa", "Éa", "straße", "STRASSE", "ab\0", "abcdefgh", "abcdefgi"][pick(11)]
    case 1: String(decoding: (0..<pick(30)).map { _ in UInt8(ascii: "a") + UInt8(pick(2)) }, as: UTF8.self)
    default: "word \(pick(9)) of the sea"
    }
  }

  mutating func place() -> Location {
    switch pick(4) {
    case 0: Location(latitude: [90, -90, 0, 37.5][pick(4)], longitude: [180, -180, 0, 127][pick(4)])
    default: Location(latitude: Double(pick(181)) - 90, longitude: Double(pick(361)) - 180)
    }
  }

  mutating func reference() -> Reference {
    Reference(
      RecordID(recordName: "r\(pick(8))", zoneID: pick(2) == 0 ? .default : ZoneID(zoneName: "z")),
      action: Reference.Action.allCases[pick(3)])
  }

  mutating func value(_ type: FieldType) -> FieldValue {
    let count = pick(5)
    switch (type.scalar, type.isList) {
    case (.int64, false): return .int64(integer())
    case (.timestamp, false): return .timestamp(Timestamp(milliseconds: integer()))
    case (.double, false): return .double(double())
    case (.string, false): return .string(text())
    case (.reference, false): return .reference(reference())
    case (.location, false): return .location(place())
    case (.int64, true): return .int64List((0..<count).map { _ in integer() })
    case (.timestamp, true): return .timestampList((0..<count).map { _ in Timestamp(milliseconds: integer()) })
    case (.double, true): return .doubleList((0..<count).map { _ in double() })
    case (.string, true): return .stringList((0..<count).map { _ in text() })
    case (.reference, true): return .referenceList((0..<count).map { _ in reference() })
    case (.location, true): return .locationList((0..<count).map { _ in place() })
    default: return .int64(0)
    }
  }

  /// A row; the next to last integer field is nearly always missing, the last one always, and the last two others never.
  mutating func row() -> ValuesRow {
    var values: [FieldValue?] = []
    for (field, type) in Self.types.enumerated() {
      let isPresent = field == 12 ? pick(20) == 0 : field == 13 ? false : field > 13 || pick(8) != 0
      values.append(isPresent ? value(type) : nil)
    }
    return ValuesRow(values: values)
  }

  mutating func block() -> ValuesBlock {
    let capacity = [4, 8, 16, 32, 64, 128, 256, 256, 256][pick(9)]
    let count = pick(3) == 0 ? capacity : 1 + pick(capacity)
    let rows = (0..<count).map { _ in row() }
    return ValuesBlock(Self.types, rows: rows, rowCapacity: capacity, random: &random)
  }

  // MARK: Predicates

  mutating func folding() -> TextFolding { pick(3) > 0 ? [] : TextFolding(rawValue: UInt8(1 + pick(3))) }

  mutating func test(_ type: FieldType, isSet: Bool) -> ValueTest {
    if !isSet, pick(12) == 0 { return pick(2) == 0 ? .none : .every }
    let count = 1 + pick(pick(4) == 0 ? 12 : 4)
    let wantsSet = isSet || pick(3) == 0
    switch type.scalar {
    case .int64, .timestamp:
      if wantsSet { return .integerSet(Set((0..<count).map { _ in integer() }).sorted()) }
      let (a, b) = (integer(), integer())
      return .integers(min(a, b)...max(a, b))
    case .double:
      if wantsSet { return .doubleSet(Set((0..<count).map { _ in double() + 0 }).sorted()) }
      let (a, b) = (double(), double())
      return .doubles(min(a, b)...max(a, b))
    case .string:
      let folding = folding()
      let operand = folding.fold(Array(text().utf8))
      if wantsSet {
        return .textSet(ValueTest.sorted((0..<count).map { _ in folding.fold(Array(text().utf8)) }), folding)
      }
      if pick(4) == 0 { return .textRange(lower: operand, upper: folding.fold(Array(text().utf8)), folding) }
      let relation = TextTest.Relation(rawValue: UInt8(pick(9))) ?? .equal
      return .text(TextTest(relation, operand, folding: folding))
    case .reference:
      if !isSet, pick(2) == 0 {
        return .recordNameSet(ValueTest.sorted((0..<count).map { _ in Array("r\(pick(8))".utf8) }))
      }
      return .referenceSet(ValueTest.sorted((0..<count).map { _ in reference().recordID.encoded }))
    default:
      let place = place()
      if pick(3) == 0 { return .location(latitude: place.latitude, longitude: place.longitude) }
      let radius = [0, 500_000, 3_000_000, 12_000_000, -1, .infinity, 20_003_931.5][pick(7)]
      return .distance(
        CircleTest(
          latitude: place.latitude, longitude: place.longitude, radius: radius,
          relation: GeodesicRadiusTest.Comparison.allCases[pick(4)]))
    }
  }

  mutating func comparison() -> BoundComparison {
    let condition: BoundComparison.Condition
    switch pick(20) {
    case 0:
      let words: [[UInt8]] = [Array("word".utf8), Array("sea".utf8), Array("3".utf8), Array("ab".utf8)]
      let tokens = Array(words.prefix(1 + pick(4)))
      condition = .tokens(TokenSearch(fields: [3, 8, 14], tokens: tokens, requiresAll: pick(2) == 0))
    case 1:
      condition = .computed(
        .arithmetic(.add, .field(0, FieldType(.int64)), .constant(.integer(Int64(pick(5))))),
        ComputedRelation(kind: [.equal, .less, .greaterOrEqual][pick(3)], folding: []),
        pick(2) == 0 ? .field(12, FieldType(.int64)) : .constant(.integer(Int64(pick(20)) - 10)))
    default:
      let field = pick(Self.types.count)
      let type = Self.types[field]
      if !type.isList {
        condition = .value(field, test(type, isSet: false))
      } else {
        switch pick(3) {
        case 0: condition = .anyMember(field, test(type, isSet: false))
        case 1: condition = .allMembers(field, test(type, isSet: false))
        default: condition = .holdsAll(field, test(type, isSet: type.scalar != .location))
        }
      }
    }
    return BoundComparison(condition: condition, isNegated: pick(3) == 0, whenMissing: pick(3) == 0)
  }

  mutating func predicate(depth: Int) -> BoundPredicate {
    switch depth > 0 ? pick(8) : 7 {
    case 0, 1, 2: return .and((0..<1 + pick(4)).map { _ in predicate(depth: depth - 1) })
    case 3, 4, 5: return .or((0..<1 + pick(4)).map { _ in predicate(depth: depth - 1) })
    case 6: return pick(4) == 0 ? .constant(pick(2) == 0) : .comparison(comparison())
    default: return .comparison(comparison())
    }
  }
}
