import Testing

@testable import ZoneQuery

/// Plans that answer several conditions together read no more than these need, by their counters; their answers are those
/// of a loop over the records and of a forced scan.
struct CombinedConditionTests {
  struct Item {
    var name: String
    var kind: String?
    var quantity: Int?
    var small: Int
    var start: Int
    var rare: Int?
  }

  private static let count = 6_000

  private static func items() -> [Item] {
    var samples = SplitMix(seed: 77)
    return (0..<count).map { number in
      Item(
        name: "r\(number)", kind: samples.below(10) == 0 ? nil : "kind \(samples.below(12))",
        quantity: samples.below(20) == 0 ? nil : samples.below(100), small: samples.below(6),
        start: samples.below(9_000),
        rare: number % 10 == 0 ? samples.below(500) : nil)
    }
  }

  private static func database(_ items: [Item], indexes: [[String]] = []) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Item (
            "___recordID" REFERENCE QUERYABLE, kind STRING QUERYABLE, quantity INT64 QUERYABLE, small INT64 QUERYABLE,
            start INT64 QUERYABLE SORTABLE, rare INT64 QUERYABLE SORTABLE);
          """), configuration: configuration)
    for keys in indexes { try database.addIndex(IndexDefinition(recordType: "Item", keys: keys)) }
    try database.load(
      items.map { item in
        var record = Record(recordType: "Item", recordName: item.name)
        record["kind"] = item.kind.map { .string($0) }
        record["quantity"] = item.quantity.map { .int64(Int64($0)) }
        record["small"] = .int64(Int64(item.small))
        record["start"] = .int64(Int64(item.start))
        record["rare"] = item.rare.map { .int64(Int64($0)) }
        return record
      })
    return database
  }

  /// What a query read; its answer, its count and those of a scan are held against the items for which `holds` is true.
  @discardableResult
  private static func counters(
    _ database: Database, _ format: String, sort: [SortKey] = [], _ items: [Item], _ holds: (Item) -> Bool
  ) throws -> QueryCounters {
    let query = try database.prepare(
      Query(recordType: "Item", predicate: try QueryPredicate(format: format), sort: sort), inZoneWith: .default)
    let expected = Set(items.filter(holds).map(\.name))
    let scanned = try query.answer(forcing: .scan).ids.map(\.recordName)
    #expect(Set(scanned) == expected && scanned.count == expected.count, "\(format)")
    let found = try query.records().records.map(\.recordID.recordName)
    #expect(sort.isEmpty ? Set(found) == expected && found.count == expected.count : found == scanned, "\(format)")
    #expect(try query.count() == expected.count, "\(format)")
    let explanation = try query.explain(query.arguments(), resultsLimit: .max)
    #expect(explanation.counters.rowsReturned == expected.count, "\(format)")
    return explanation.counters
  }

  @Test func eitherOfSeveralConjunctions() throws {
    let items = Self.items()
    let database = try Self.database(items)
    // Of each conjunction the part with the fewest records is looked up.
    let twoNames = try Self.counters(
      database, "(kind = 'kind 3' AND quantity = 7) OR (kind = 'kind 4' AND quantity = 8)", items
    ) { $0.kind == "kind 3" && $0.quantity == 7 || $0.kind == "kind 4" && $0.quantity == 8 }
    let reached = items.count { $0.quantity == 7 || $0.quantity == 8 }
    #expect(twoNames.entriesRead == reached && twoNames.rowsExamined == reached && reached < 150)
    // Intervals of one field are exact.
    let intervals = try Self.counters(
      database, "(start > 100 AND start < 160) OR (start >= 150 AND start < 170) OR (start > 8000 AND start < 8040)",
      items
    ) { 100 < $0.start && $0.start < 170 || 8_000 < $0.start && $0.start < 8_040 }
    #expect(intervals.entriesRead == intervals.rowsReturned && intervals.rowsExamined == 0)
    let disjoint = try Self.counters(
      database, "(quantity = 5 AND quantity > 5) OR (start < 4 AND start > 6)", items
    ) { _ in false }
    #expect(disjoint.entriesRead == 0 && disjoint.rowsExamined == 0)
    // A part that no index answers is left to the rows of another; where a conjunction has none, all rows are.
    let left = try Self.counters(
      database, "(quantity = 5 AND start + small = 4000) OR start < 20", items
    ) { $0.quantity == 5 && $0.start + $0.small == 4_000 || $0.start < 20 }
    #expect(left.entriesRead == items.count { $0.quantity == 5 } + items.count { $0.start < 20 })
    let unserved = try Self.counters(
      database, "(start + small = 4000 AND start - small = 4000) OR start < 20", items
    ) { $0.start + $0.small == 4_000 && $0.start - $0.small == 4_000 || $0.start < 20 }
    #expect(unserved.rowsExamined == items.count)
    try Self.counters(
      database, "((kind = 'kind 3' AND quantity < 9) OR quantity = 50) AND start BETWEEN {100, 4000}",
      sort: [.descending("start")], items
    ) { ($0.kind == "kind 3" && ($0.quantity ?? 9) < 9 || $0.quantity == 50) && (100...4_000).contains($0.start) }
  }
}
