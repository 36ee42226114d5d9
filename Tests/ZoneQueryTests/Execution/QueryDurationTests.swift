import Testing

@testable import ZoneQuery

/// Queries that may take so long and no longer.
@Suite struct QueryDurationTests {
  private static let formats = [
    "TRUEPREDICATE", "name ENDSWITH 'x'", "city = 'c3' AND name CONTAINS 'e'",
    "NOT tags CONTAINS 't1' AND seats > price", "seats > 40 AND name LIKE '*7'",
    "tags CONTAINS 't2' AND name CONTAINS '1'", "city = 'c1' OR seats = 3 OR name = 'x'",
    "distanceToLocation:fromLocation:(place, CAST('10,20', 'CLLocation')) < 2000000 AND seats > 20",
    "SELF CONTAINS 'word3' AND name ENDSWITH '5'",
  ]
  private static let sorts = [
    [], [SortKey.ascending("seats")], [.descending("city"), .ascending("seats")],
    [.distance("place", from: Location(latitude: 1, longitude: 2))],
  ]

  private static func database(_ duration: Duration?, zones: Int = 1) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    configuration.limits.queryDuration = duration
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE T (
            name STRING, code STRING QUERYABLE, seats INT64 QUERYABLE SORTABLE, price DOUBLE, city STRING QUERYABLE SORTABLE,
            tags LIST<STRING> QUERYABLE, title STRING SEARCHABLE, place LOCATION QUERYABLE);
          """), configuration: configuration)
    var samples = SplitMix(seed: 41)
    for zone in 0..<zones {
      let id = zone == 0 ? ZoneID.default : ZoneID(zoneName: "z\(zone)")
      try database.load(
        (0..<1_500).map { number in
          var record = Record(recordType: "T", recordID: RecordID(recordName: "r\(number)", zoneID: id))
          record["name"] = .string("name \(samples.below(50))")
          record["code"] = .string("code \(samples.below(900))")
          if samples.below(9) > 0 { record["seats"] = .int64(Int64(samples.below(60))) }
          record["price"] = .double(Double(samples.below(60)))
          record["city"] = .string("c\(samples.below(5))")
          record["tags"] = .stringList((0..<samples.below(4)).map { _ in "t\(samples.below(6))" })
          record["title"] = .string("word\(samples.below(5)) and word\(samples.below(5))")
          record["place"] = .location(
            Location(latitude: Double(samples.below(40)), longitude: Double(samples.below(40))))
          return record
        })
    }
    return database
  }

  private static func queries() throws -> [Query] {
    try formats.flatMap { format in
      try sorts.map { Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: $0) }
    }
  }

  /// Where there is time enough, the answers are those without a limit.
  @Test(arguments: [1, 3]) func timeEnough(zones: Int) throws {
    let (free, timed) = (try Self.database(nil, zones: zones), try Self.database(.seconds(3_600), zones: zones))
    var checks = 0
    for query in try Self.queries() {
      for _ in 0..<2 {
        for limit in [1, 30, 10_000] {
          let expected = try free.records(matching: query, resultsLimit: limit)
          let found = try timed.records(matching: query, resultsLimit: limit)
          #expect(found.records.map(\.recordID) == expected.records.map(\.recordID), "\(query), \(limit)")
          #expect((found.cursor == nil) == (expected.cursor == nil))
          checks += 1
        }
        #expect(try timed.count(matching: query) == free.count(matching: query))
      }
    }
    #expect(checks == Self.formats.count * Self.sorts.count * 6)
  }

  /// Where there is none, no record is read; explanations and deletions are not bound.
  @Test(arguments: [1, 3]) func noTime(zones: Int) throws {
    let database = try Self.database(.nanoseconds(1), zones: zones)
    let prepared = try Self.queries().map { try database.prepare($0) }
    for query in prepared {
      for _ in 0..<2 {
        func expect(_ body: () throws -> Void) {
          let error = #expect(throws: ZoneQueryError.self) { try body() }
          #expect(error?.code == .limitExceeded && error?.message.contains("queryDuration") == true, "\(query)")
        }
        expect { _ = try query.records(resultsLimit: 20) }
        expect { _ = try database.records(matching: query.query) }
        expect { _ = try query.count() }
        expect { try query.forEachRecord { _ in Issue.record("a record is lent") } }
      }
      #expect(try query.explain(query.arguments()).counters.rowsReturned > 0 || query.description.contains("\"x\""))
    }
    let format = "city = 'c1' AND NOT name ENDSWITH '7'"
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
    let found = try database.prepare(query).answer(forcing: .scan).ids
    let deleted = try database.deleteRecords(matching: query)
    #expect(found.count > 200 && Set(deleted) == Set(found))
    let left = try database.zoneIDs.map { try database.allRecords(inZoneWith: $0).reduce(0) { count, _ in count + 1 } }
    #expect(left.reduce(0, +) == 1_500 * zones - found.count)
  }

  /// A predicate that would take long ends soon, in each way in which rows are held against it.
  @Test func longPredicates() throws {
    let database = try Self.database(.milliseconds(3))
    for (number, condition) in ["", " AND city = 'c1'", " AND seats > 5", " AND tags CONTAINS 't1'"].enumerated() {
      // By the texts that an index has too, and with and without case.
      let part = ["name CONTAINS[cd]", "code CONTAINS"][number % 2]
      let parts = (0..<(TestAmount.isFull ? 1_200 : 300)).map { "\(part) 'absent \($0)'" }.joined(separator: " OR ")
      let format = "(\(parts))\(condition)"
      for sort in Self.sorts {
        let query = Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort)
        let prepared = try database.prepare(query, inZoneWith: .default)
        for _ in 0..<2 {
          let error = #expect(throws: ZoneQueryError.self) { try prepared.records(resultsLimit: 10) }
          #expect(error?.code == .limitExceeded)
          #expect(throws: ZoneQueryError.self) { try prepared.count() }
        }
      }
    }
    // What is asked next is answered, be it at a later try on a machine that stands still meanwhile.
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "city = 'c1' AND seats = 3"))
    #expect((0..<99).contains { _ in (try? database.records(matching: query).records.isEmpty) == false })
  }

  /// What a kept plan does is bound too, though the values that it was made for took no time: each text of the second pattern
  /// takes some milliseconds.
  @Test(arguments: [[], [SortKey.ascending("recordID")]]) func keptPlans(sort: [SortKey]) throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    configuration.limits.queryDuration = .milliseconds(400)
    let schema = #"DEFINE SCHEMA RECORD TYPE T ("___recordID" REFERENCE SORTABLE, body STRING);"#
    let database = try Database(schema: try Schema(ckdb: schema), configuration: configuration)
    try database.load(
      (0..<400).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["body"] = .string(String(repeating: "ab", count: 20_000))
        return record
      })
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "body LIKE $p"), sort: sort)
    let prepared = try database.prepare(query)
    func quick() throws -> Int {
      // On a machine that stands still meanwhile it may take its time, too.
      for _ in 0..<9 {
        var count = 0
        if (try? prepared.forEachRecord(["p": "*"], resultsLimit: 10, { _ in count += 1 })) != nil { return count }
      }
      return 0
    }
    for _ in 0..<3 { #expect(try quick() == 10) }
    #expect(prepared.directAnswers > 0)
    let slow = "*" + String(repeating: "a?", count: 2_000) + "c*"
    let error = #expect(throws: ZoneQueryError.self) {
      try prepared.forEachRecord(["p": slow], resultsLimit: 10) { _ in Issue.record("a record is lent") }
    }
    #expect(error?.code == .limitExceeded && error?.message.contains("queryDuration") == true)
    #expect(throws: ZoneQueryError.self) { try prepared.count(["p": slow]) }
    #expect(try quick() == 10)
  }

  @Test func negative() {
    var configuration = Database.Configuration()
    configuration.limits.queryDuration = .seconds(-1)
    let error = #expect(throws: ZoneQueryError.self) { try Database(configuration: configuration) }
    #expect(error?.code == .invalidConfiguration)
  }
}
