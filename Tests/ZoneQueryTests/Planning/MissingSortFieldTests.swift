import Testing

@testable import ZoneQuery

/// Sorts by a field that most records lack, in steps: descending, these are not looked at where others fill the page.
struct MissingSortFieldTests {
  private static func database(zones: Int) throws -> Database {
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Item (
            "___recordID" REFERENCE QUERYABLE, small INT64 QUERYABLE, rare INT64 QUERYABLE SORTABLE);
          """))
    let ids = zones == 1 ? [ZoneID.default] : (0..<zones).map { ZoneID(zoneName: "zone\($0)") }
    for id in ids where id != .default { try database.createZone(id) }
    try database.load(
      (0..<6_000).map { number in
        var record = Record(recordType: "Item", recordName: "r\(number)", zoneID: ids[number / 10 % zones])
        record["small"] = .int64(Int64(number * 7 % 4))
        record["rare"] = number % 10 == 0 ? .int64(Int64(number * 31 % 900)) : nil
        return record
      })
    return database
  }

  /// What the first so many records take; the answer is that of a scan, in whole and in pages.
  @discardableResult
  private static func counters(
    _ database: Database, _ format: String, _ sort: SortKey, limit: Int
  ) throws -> QueryCounters {
    let query = try database.prepare(
      Query(recordType: "Item", predicate: try QueryPredicate(format: format), sort: [sort]))
    let scanned = try query.answer(forcing: .scan, resultsLimit: 3 * limit).ids
    var (found, cursor): ([RecordID], QueryCursor?) = ([], nil)
    for _ in 0..<3 {
      let page = try query.records(resultsLimit: limit, after: cursor)
      found += page.records.map(\.recordID)
      cursor = page.cursor
      if cursor == nil { break }
    }
    #expect(found == scanned, "\(format), \(sort), \(limit)")
    return try query.explain(query.arguments(), resultsLimit: limit).counters
  }

  @Test func descendingReadsPageAlone() throws {
    let database = try Self.database(zones: 1)
    let page = try Self.counters(database, "TRUEPREDICATE", .descending("rare"), limit: 20)
    // Some seven records have the same value.
    #expect(page.entriesRead <= 30 && page.rowsExamined == 0)
    let filtered = try Self.counters(database, "small != 3", .descending("rare"), limit: 20)
    #expect(filtered.entriesRead <= 60 && filtered.rowsExamined <= 60)
    // Where all that have the field are no page, the others are looked at.
    let long = try Self.counters(database, "TRUEPREDICATE", .descending("rare"), limit: 700)
    #expect(long.rowsExamined >= 5_400)
    let few = try Self.counters(database, "small = 1", .descending("rare"), limit: 400)
    #expect(few.rowsExamined > 0)
    let ascending = try Self.counters(database, "TRUEPREDICATE", .ascending("rare"), limit: 20)
    #expect(ascending.rowsExamined >= 5_400)
  }

  @Test func descendingOverZonesReadsPageAlone() throws {
    let database = try Self.database(zones: 3)
    let page = try Self.counters(database, "TRUEPREDICATE", .descending("rare"), limit: 20)
    #expect(page.entriesRead <= 80 && page.rowsExamined == 0)
    try Self.counters(database, "TRUEPREDICATE", .descending("rare"), limit: 700)
    try Self.counters(database, "small = 1", .descending("rare"), limit: 60)
    try Self.counters(database, "TRUEPREDICATE", .ascending("rare"), limit: 20)
  }
}
