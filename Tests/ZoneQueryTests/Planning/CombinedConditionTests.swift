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
  /// Some are longer than an index's words.
  private static let kinds = (0..<12).map { $0 < 9 ? "kind \($0)" : "a kind with a name longer than words, \($0)" }

  private static func items() -> [Item] {
    var samples = SplitMix(seed: 77)
    return (0..<count).map { number in
      Item(
        name: "r\(number)", kind: samples.below(10) == 0 ? nil : kinds[samples.below(12)],
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
    let found = try query.records(resultsLimit: count).records.map(\.recordID.recordName)
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

  // MARK: Several values of a compound index's fields

  @Test func severalValuesOfCompoundIndexes() throws {
    let items = Self.items()
    let database = try Self.database(items, indexes: [["kind", "quantity"]])
    let kinds = [Self.kinds[3], Self.kinds[4], Self.kinds[10]]
    let list = kinds.map { "'\($0)'" }.joined(separator: ", ")
    func expectExact(_ format: String, _ holds: (Item) -> Bool) throws {
      let counters = try Self.counters(database, format, items, holds)
      #expect(counters.entriesRead == counters.rowsReturned && counters.rowsExamined == 0, "\(format)")
      let query = Query(recordType: "Item", predicate: try QueryPredicate(format: format))
      let counted = try database.explainCount(query).counters
      #expect(counted.entriesRead == 0 && counted.rowsExamined == 0, "\(format)")
    }
    func isOfKinds(_ item: Item) -> Bool { item.kind.map(kinds.contains) ?? false }
    try expectExact("kind = 'kind 3' AND quantity IN {5, 77, 90, 400}") {
      $0.kind == "kind 3" && [5, 77, 90].contains($0.quantity)
    }
    try expectExact("kind IN {\(list)} AND quantity = 5") { isOfKinds($0) && $0.quantity == 5 }
    try expectExact("kind IN {\(list)} AND quantity BETWEEN {5, 9}") {
      isOfKinds($0) && (5...9).contains($0.quantity ?? 0)
    }
    try expectExact("(kind = 'kind 3' OR kind = '\(kinds[2])') AND quantity = 5") {
      [kinds[0], kinds[2]].contains($0.kind) && $0.quantity == 5
    }
    try expectExact("kind IN {\(list)} AND quantity IN {3, 5, 88} AND quantity < 80") {
      isOfKinds($0) && [3, 5].contains($0.quantity)
    }
    try expectExact("kind IN {\(list)} AND quantity IN {3, 5, 88} AND quantity > 90") { _ in false }
    try expectExact("kind BEGINSWITH 'a kind' AND kind IN {\(list)} AND (quantity < 4 OR quantity > 97)") {
      $0.kind == kinds[2] && $0.quantity.map { $0 < 4 || $0 > 97 } ?? false
    }
    // What is left is asked of the rows of these runs alone; a sort puts them into its order.
    let sorted = try Self.counters(
      database, "kind IN {\(list)} AND quantity IN {5, 6, 7} AND small = 2", sort: [.descending("start")], items
    ) { isOfKinds($0) && [5, 6, 7].contains($0.quantity) && $0.small == 2 }
    let reached = items.count { isOfKinds($0) && [5, 6, 7].contains($0.quantity) }
    #expect(sorted.entriesRead == reached)
    // Records without a quantity are not in the index, which does not answer for its first field alone.
    try Self.counters(database, "kind IN {\(list)} AND small = 2", items) { isOfKinds($0) && $0.small == 2 }
    // More combinations than an index is read in runs of.
    let all = Self.kinds.map { "'\($0)'" }.joined(separator: ", ")
    let numbers = (0..<40).map { "\(2 * $0)" }.joined(separator: ", ")
    try Self.counters(database, "kind IN {\(all)} AND quantity IN {\(numbers)}", items) {
      $0.kind != nil && $0.quantity.map { $0 < 80 && $0 % 2 == 0 } ?? false
    }
  }

  @Test func severalValuesOfThreeFields() throws {
    let items = Self.items()
    let database = try Self.database(items, indexes: [["small", "kind", "start"], ["quantity", "start", "rare"]])
    let counters = try Self.counters(
      database, "small IN {2, 3} AND kind IN {'kind 1', '\(Self.kinds[11])'} AND start >= 4000 AND start < 4600", items
    ) {
      [2, 3].contains($0.small) && ["kind 1", Self.kinds[11]].contains($0.kind) && (4_000..<4_600).contains($0.start)
    }
    #expect(counters.entriesRead == counters.rowsReturned && counters.rowsExamined == 0)
    // Most records lack the last field.
    try Self.counters(database, "quantity IN {2, 3} AND start > 4000", items) {
      [2, 3].contains($0.quantity) && $0.start > 4_000
    }
    let whole = try Self.counters(database, "quantity IN {2, 3} AND start IN {40, 50, 60, 70} AND rare > 0", items) {
      [2, 3].contains($0.quantity) && [40, 50, 60, 70].contains($0.start) && ($0.rare ?? 0) > 0
    }
    #expect(whole.entriesRead <= 10)
  }

  /// A list of texts on the first field of a compound index, with other texts at each run.
  @Test func textsOfCompoundIndexAgain() throws {
    let database = try Database(
      schema: try Schema(
        ckdb:
          #"DEFINE SCHEMA RECORD TYPE Item ("___recordID" REFERENCE QUERYABLE, kind STRING, start INT64 QUERYABLE);"#),
      configuration: {
        var configuration = Database.Configuration()
        configuration.predicateOptions.dialect = .extended
        return configuration
      }())
    try database.addIndex(IndexDefinition(recordType: "Item", keys: ["kind", "start"]))
    try database.load(
      (0..<2_400).map { number in
        var record = Record(recordType: "Item", recordName: "r\(number)")
        record["kind"] = .string(Self.kinds[number % 12])
        record["start"] = .int64(Int64(number))
        return record
      })
    let query = try database.prepare(
      Query(recordType: "Item", predicate: try QueryPredicate(format: "kind IN $kinds")), inZoneWith: .default)
    for first in 0..<10 {
      let kinds = [Self.kinds[first], Self.kinds[(first + 4) % 12]]
      var found: [String] = []
      try query.forEachRecord(["kinds": kinds]) { found.append($0.recordID.recordName) }
      #expect(Set(found) == Set((0..<2_400).filter { kinds.contains(Self.kinds[$0 % 12]) }.map { "r\($0)" }))
      #expect(found.count == 400)
      let counters = try query.explain(query.arguments(["kinds": kinds]), resultsLimit: .max).counters
      #expect(counters.entriesRead == 400 && counters.rowsExamined == 0)
    }
  }
}
