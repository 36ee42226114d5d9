internal import PredicateSyntax
internal import ZoneQuery

/// Records and standing subscriptions: conjunctions of one to five comparisons, of which one in about five thousand
/// matches a record.
///
/// A quarter names an owner, with loose comparisons beside; a quarter a category, half of them a status too, and a
/// range; a tenth a status and ranges; a fifth ranges alone; a tenth is IN or list membership; a tenth a prefix, a circle
/// or words. One in twelve carries a `!=` more.
struct SubscriptionWorkload {
  static let recordType = RecordType(
    "Item",
    fields: [
      FieldDefinition("owner", .string), FieldDefinition("category", .string), FieldDefinition("status", .string),
      FieldDefinition("price", .int64), FieldDefinition("score", .int64), FieldDefinition("created", .timestamp),
      FieldDefinition("tags", .list(.string)), FieldDefinition("code", .string), FieldDefinition("place", .location),
      FieldDefinition("text", .string, .searchable),
    ])

  private var random: RandomSource
  private let categories = ZipfDistribution(count: 500)
  private let clusters: [Location]
  private let base: Int64 = 1_700_000_000_000
  private let span = Double(1 << 35)
  /// How wide ranges are, against the workload's own.
  private let scale: Double

  init(seed: UInt64, scale: Double = 1) {
    var random = RandomSource(seed: seed)
    clusters = (0..<200).map { _ in
      Location(latitude: random.unit() * 140 - 70, longitude: random.unit() * 358 - 179)
    }
    self.random = random
    self.scale = scale
  }

  mutating func record(_ number: Int) -> Record {
    var record = Record(recordType: "Item", recordName: "r\(number)")
    record["owner"] = .string(owner())
    record["category"] = .string(category())
    record["status"] = .string(status())
    record["price"] = .int64(price(random.unit()))
    record["score"] = .int64(Int64(random.below(10_000)))
    record["created"] = .timestamp(Timestamp(milliseconds: base + Int64(random.unit() * span)))
    record["tags"] = .stringList((0..<random.below(9)).map { _ in "t\(random.below(5_000))" })
    record["code"] = .string(code(8))
    record["place"] = .location(place())
    record["text"] = .string((0..<(5 + random.below(21))).map { _ in word() }.joined(separator: " "))
    return record
  }

  mutating func predicates(_ count: Int) throws -> [QueryPredicate] {
    var predicates: [QueryPredicate] = []
    predicates.reserveCapacity(count)
    for _ in 0..<count { predicates.append(try predicate()) }
    return predicates
  }

  mutating func predicate() throws -> QueryPredicate {
    var parts: [String] = []
    var arguments: [(any PredicateArgument)?] = []
    func add(_ text: String, _ values: (any PredicateArgument)?...) {
      parts.append(text)
      arguments += values
    }
    switch random.below(100) {
    case 0..<25:
      add("owner = %@", owner())
      for _ in 0..<random.below(5) {
        switch random.below(4) {
        case 0: add("status != %@", status())
        case 1: add("category != %@", category())
        default: range(0.3, 0.9, scaled: false, add)
        }
      }
    case 25..<50:
      add("category = %@", category())
      if random.below(2) == 0 { add("status = %@", status()) }
      range(0.005, 0.04, add)
    case 50..<60:
      add("status = %@", status())
      range(0.002, 0.005, add)
      if random.below(2) == 0 { range(0.05, 0.3, scaled: false, add) }
    case 60..<80:
      switch random.below(3) {
      case 0: range(0.0001, 0.0006, add)
      case 1: for _ in 0..<2 { range(0.005, 0.03, add) }
      default: for _ in 0..<3 { range(0.01, 0.1, add) }
      }
    case 80..<90:
      switch random.below(3) {
      case 0:
        add("category IN {%@, %@, %@}", category(), category(), category())
        range(0.005, 0.01, add)
      case 1: add("tags CONTAINS %@", "t\(random.below(5_000))")
      default: add("owner IN {%@, %@, %@, %@}", owner(), owner(), owner(), owner())
      }
    default:
      switch random.below(3) {
      case 0: add("code BEGINSWITH %@", code(3 + random.below(2)))
      case 1:
        add("distanceToLocation:fromLocation:(place, %@) < %@", place(), 2_000 + 20_000 * random.unit())
      default: add("ALL tokenize(%@, 'Cdl') IN allTokens", "\(word()) \(word())")
      }
    }
    if random.below(12) == 0 { add("status != %@", status()) }
    return try QueryPredicate(format: parts.joined(separator: " AND "), arguments: arguments)
  }

  /// Adds a range of about a share of the records, between two shares.
  private mutating func range(
    _ low: Double, _ high: Double, scaled: Bool = true, _ add: (String, (any PredicateArgument)?...) -> Void
  ) {
    let factor = scaled ? scale : 1
    // Between the two by the square of an even number: most are narrow.
    let even = random.unit()
    let share = min(1, factor * (low + (high - low) * even * even))
    let from = random.unit() * (1 - share)
    switch random.below(3) {
    case 0: add("price BETWEEN {%@, %@}", price(from), price(from + share))
    case 1: add("score BETWEEN {%@, %@}", Int64(from * 10_000), Int64((from + share) * 10_000))
    default:
      add(
        "created BETWEEN {%@, %@}", Literal.date(milliseconds: base + Int64(from * span)),
        Literal.date(milliseconds: base + Int64((from + share) * span)))
    }
  }

  private mutating func owner() -> String { "u\(random.below(50_000))" }
  private mutating func category() -> String { "c\(categories.draw(&random))" }
  private mutating func status() -> String {
    let unit = random.unit()
    return "s\([0.5, 0.7, 0.82, 0.9, 0.95, 0.98, 0.993].firstIndex { unit < $0 } ?? 7)"
  }
  /// Small prices are common.
  private func price(_ share: Double) -> Int64 { Int64(share * share * share * 100_000) }
  private mutating func code(_ length: Int) -> String {
    String((0..<length).map { _ in Character(UnicodeScalar(UInt8(97 + random.below(26)))) })
  }
  private mutating func place() -> Location {
    let cluster = clusters[random.below(clusters.count)]
    return Location(
      latitude: cluster.latitude + random.unit() - 0.5, longitude: cluster.longitude + random.unit() - 0.5)
  }
  private mutating func word() -> String {
    let unit = random.unit()
    return "w\(Int(unit * unit * 20_000))"
  }
}
