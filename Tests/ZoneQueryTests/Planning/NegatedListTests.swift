import Testing

@testable import ZoneQuery

/// Negations of what posting lists tell, counted from the lists without a look at a record, against a loop and a scan.
struct NegatedListTests {
  struct Item {
    var tags: [String]?
    var title: String?
    var note: String?
    var start: Int

    func has(_ word: String) -> Bool {
      [title, note].contains { $0?.split(separator: " ").contains { $0 == word } ?? false }
    }
    var hasText: Bool { title != nil || note != nil }
  }

  private static let words = ["river", "stone", "cloud", "harbour", "forest"]

  private static func record(_ number: Int, _ samples: inout SplitMix) -> (Item, Record) {
    func text() -> String? {
      samples.below(4) == 0 ? nil : (0..<2).map { _ in words[samples.below(5)] }.joined(separator: " ")
    }
    let tags = samples.below(5) == 0 ? nil : (0..<samples.below(4)).map { _ in words[samples.below(5)] }
    let item = Item(tags: tags, title: text(), note: text(), start: samples.below(1_000))
    var record = Record(recordType: "Item", recordName: "r\(number)")
    record["tags"] = item.tags.map { .stringList($0) }
    record["title"] = item.title.map { .string($0) }
    record["note"] = item.note.map { .string($0) }
    record["start"] = .int64(Int64(item.start))
    return (item, record)
  }

  @Test(arguments: [PredicateOptions.MissingFields.excluded, .likeNSPredicate])
  func restOfLists(_ missing: PredicateOptions.MissingFields) throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended, missingFields: missing)
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Item (
            "___recordID" REFERENCE QUERYABLE, tags LIST<STRING> QUERYABLE, title STRING SEARCHABLE,
            note STRING SEARCHABLE, start INT64 QUERYABLE SORTABLE);
          """), configuration: configuration)
    var samples = SplitMix(seed: 19)
    var items: [String: Item] = [:]
    var records: [Record] = []
    let count = TestAmount.isFull ? 3_000 : 600
    for number in 0..<count {
      let (item, record) = Self.record(number, &samples)
      items[record.recordID.recordName] = item
      records.append(record)
    }
    try database.load(records)
    // Slots without records are no rest.
    for number in stride(from: 3, to: count, by: 50) {
      try database.deleteRecord(withID: RecordID(recordName: "r\(number)"))
      items["r\(number)"] = nil
    }
    let whole = missing == .likeNSPredicate
    let cases: [(format: String, holds: (Item) -> Bool)] = [
      ("NOT (tags CONTAINS 'river')", { $0.tags.map { !$0.contains("river") } ?? whole }),
      ("NOT (tags CONTAINS 'nowhere')", { $0.tags != nil || whole }),
      ("NOT (self CONTAINS 'river')", { $0.hasText ? !$0.has("river") : whole }),
      // One of the words is enough, or all are asked for.
      ("NOT (self CONTAINS 'river nowhere stone')", { $0.hasText ? !$0.has("river") && !$0.has("stone") : whole }),
      (
        "NOT (ALL tokenize('river stone', 'Cdl') IN allTokens)",
        { $0.hasText ? !($0.has("river") && $0.has("stone")) : whole }
      ),
      ("NOT (ALL tokenize('river nowhere', 'Cdl') IN allTokens)", { $0.hasText || whole }),
      (
        "NOT (ANY tags IN {'river', 'cloud'})",
        { $0.tags.map { !$0.contains("river") && !$0.contains("cloud") } ?? whole }
      ),
    ]
    for (number, one) in cases.enumerated() {
      let counters = try Self.check(database, one.format, items, one.holds)
      #expect(counters.rowsExamined == 0, "\(one.format)")
      for (format, holds) in [cases[(number + 1) % cases.count], cases[(number + 2) % cases.count]] {
        try Self.check(database, "\(one.format) AND \(format)", items) { one.holds($0) && holds($0) }
        try Self.check(database, "\(one.format) OR (\(format) AND start < 500)", items) {
          one.holds($0) || holds($0) && $0.start < 500
        }
      }
      try Self.check(database, "\(one.format) AND start < 90", items) { one.holds($0) && $0.start < 90 }
    }
  }

  /// What counting took.
  @discardableResult
  private static func check(
    _ database: Database, _ format: String, _ items: [String: Item], _ holds: (Item) -> Bool
  ) throws -> QueryCounters {
    let expected = Set(items.filter { holds($0.value) }.keys)
    for sort in [[], [SortKey.descending("start")]] {
      let query = try database.prepare(
        Query(recordType: "Item", predicate: try QueryPredicate(format: format), sort: sort), inZoneWith: .default)
      let scanned = try query.answer(forcing: .scan).ids.map(\.recordName)
      var (pages, cursor) = ([String](), QueryCursor?.none)
      repeat {
        let page = try query.records(resultsLimit: 300, after: cursor)
        pages += page.records.map(\.recordID.recordName)
        cursor = page.cursor
      } while cursor != nil
      #expect(Set(scanned) == expected && scanned.count == expected.count, "\(format)")
      #expect(sort.isEmpty ? pages.sorted() == scanned.sorted() : pages == scanned, "\(format)")
      #expect(try query.count() == expected.count, "\(format)")
    }
    let query = Query(recordType: "Item", predicate: try QueryPredicate(format: format))
    return try database.explainCount(query).counters
  }
}
