import Testing

@testable import ZoneQuery

/// What limited queries read does not grow with the records.
struct PlanGrowthTests {
  private struct Figures: Equatable {
    var counters: QueryCounters
    var heights: [Int]
  }

  @Test func limitedQueriesReadAsMuchOfTenTimesTheRecords() throws {
    let sizes = TestAmount.isLong ? [2_000, 20_000, 100_000, 1_000_000] : [2_000, 20_000]
    let queries: [(String, [SortKey], String?)] = [
      ("city = 'Seoul'", [.ascending("start")], nil),
      ("city = 'Seoul'", [.descending("start")], nil),
      ("seats > 250", [], nil),
      ("seats BETWEEN {100, 400}", [], nil),
      ("TRUEPREDICATE", [.ascending("start")], "page"),
      ("city = 'Kyoto'", [.descending("start")], "page"),
    ]
    var figures: [[Figures]] = []
    var checks = 0
    for size in sizes {
      let database = try Self.database(size)
      figures.append(
        try queries.map { format, sort, page in
          try Self.figures(database, format, sort, deep: page != nil)
        })
    }
    for (smaller, greater) in zip(figures, figures.dropFirst()) {
      for number in queries.indices {
        let (before, after) = (smaller[number], greater[number])
        #expect(before.counters == after.counters, "\(queries[number])")
        #expect(before.counters.rowsReturned == 50 && after.counters.entriesRead <= 60, "\(queries[number])")
        for (low, high) in zip(before.heights, after.heights) {
          #expect(high - low <= 1 && high >= low)
          checks += 1
        }
        checks += 2
      }
    }
    print("growth: \(checks) figures of \(sizes) records compared")
    #expect(checks >= 36)
  }

  /// What the first 50 rows take, or those behind the answer's first quarter.
  private static func figures(
    _ database: Database, _ format: String, _ sort: [SortKey], deep: Bool
  ) throws -> Figures {
    let query = Query(recordType: "Event", predicate: try QueryPredicate(format: format), sort: sort)
    let prepared = try database.prepare(query)
    let execution = try prepared.execution(nil)
    var position: CursorPosition?
    if deep {
      // A cursor may stand anywhere in the answer: here it is made of the record at its first quarter.
      let all = try prepared.execution(.scan)
      all.run(prepared.recordType, limit: .max)
      position = database.position(of: all.row(all.rows[all.rows.count / 4]), prepared.order, walked: nil)
      all.close()
    }
    execution.run(prepared.recordType, limit: 50, behind: position)
    let counters = execution.counters
    defer { execution.close() }
    let table = try #require(execution.sources.first?.table)
    let heights = table.indexes.indices.compactMap { number -> Int? in
      switch table.indexes[number].entries {
      case .one(let index): index.height
      case .two(let index): index.height
      case .three(let index): index.height
      case .four(let index): index.height
      case .postings: nil
      }
    }
    return Figures(counters: counters, heights: heights)
  }

  private static func database(_ count: Int) throws -> Database {
    let schema = try Schema(
      ckdb: """
        DEFINE SCHEMA RECORD TYPE Event (
          "___recordID" REFERENCE QUERYABLE, city STRING QUERYABLE, start TIMESTAMP QUERYABLE SORTABLE,
          seats INT64 QUERYABLE SORTABLE);
        """)
    let database = try Database(schema: schema)
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["city", "start"]))
    for start in stride(from: 0, to: count, by: 50_000) {
      try database.load(
        (start..<min(count, start + 50_000)).map { number in
          var record = Record(recordType: "Event", recordName: "r\(number)")
          record["city"] = .string(GoldenScript.cities[number % 20])
          // Every moment once, in an order that has nothing to do with the names'.
          record["start"] = .timestamp(Timestamp(milliseconds: Int64(number) * 7_919 % Int64(count)))
          record["seats"] = .int64(Int64(number % 500))
          return record
        })
    }
    return database
  }
}
