import Testing

@testable import ZoneQuery

/// Sorts over several zones, which are gone through in the order of their first records and not beyond the last that can
/// have one.
struct TablesInTurnTests {
  private struct Row {
    var zone: String
    var name: String
    var a: Int64?
    var d: Double?
    var s: String?
    var u: Int64 = 0
  }

  private static func schema() throws -> Schema {
    try Schema(
      ckdb: """
        DEFINE SCHEMA RECORD TYPE T (
          "___recordID" REFERENCE QUERYABLE, a INT64 QUERYABLE SORTABLE, d DOUBLE QUERYABLE SORTABLE,
          s STRING QUERYABLE SORTABLE, u INT64);
        """)
  }

  private static func database(_ rows: [Row], zones: [String]) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(schema: try schema(), configuration: configuration)
    for zone in zones { try database.createZone(ZoneID(zoneName: zone)) }
    try database.load(
      rows.map { row in
        var record = Record(recordType: "T", recordName: row.name, zoneID: ZoneID(zoneName: row.zone))
        record["a"] = row.a.map { .int64($0) }
        record["d"] = row.d.map { .double($0) }
        record["s"] = row.s.map { .string($0) }
        record["u"] = .int64(row.u)
        return record
      })
    return database
  }

  private static func rows(_ random: inout SplitMix, zones: [String]) -> [Row] {
    zones.flatMap { zone -> [Row] in
      let count = random.below(8) == 0 ? 129 + random.below(150) : random.below(25)
      let (base, hole) = (Int64(random.below(400)), random.below(3) == 0 ? 3 : 40)
      return (0..<count).map { number in
        var row = Row(zone: zone, name: "r\(random.below(1_000))-\(number)")
        if random.below(hole) > 0 { row.a = base + Int64(random.below(60)) - 200 }
        if random.below(hole) > 0 { row.d = Double(base) / 7 - Double(random.below(90)) }
        if random.below(hole) > 0 {
          let beginning = "\(base % 10)" + (random.below(4) == 0 ? "same beginning " : "x")
          row.s = random.below(30) == 0 ? "" : beginning + "\(random.below(500))"
        }
        row.u = Int64(random.below(10))
        return row
      }
    }
  }

  private static func precedes(_ left: Row, _ right: Row, _ keys: [SortKey]) -> Bool {
    func order<Value: Comparable>(_ a: Value?, _ b: Value?) -> Int {
      guard let a, let b else { return a == nil && b == nil ? 0 : a == nil ? -1 : 1 }
      return a < b ? -1 : a > b ? 1 : 0
    }
    for key in keys {
      var found =
        switch key.key {
        case "a": order(left.a, right.a)
        case "d": order(left.d, right.d)
        case "s": order(left.s, right.s)
        default: order(left.u, right.u)
        }
      if key.order == .descending { found = -found }
      if found != 0 { return found < 0 }
    }
    return (left.name, left.zone) < (right.name, right.zone)
  }

  @Test func pagesAreThoseOfAModel() throws {
    var random = SplitMix(seed: 2_024)
    let conditions: [(String, (Row) -> Bool)] = [
      ("TRUEPREDICATE", { _ in true }), ("a > 20", { $0.a.map { $0 > 20 } ?? false }),
      ("a <= -20 AND u < 5", { row in row.a.map { $0 <= -20 } ?? false && row.u < 5 }),
      ("a IN {5, -170, 160}", { $0.a.map { [5, -170, 160].contains($0) } ?? false }),
      ("a != 7", { $0.a.map { $0 != 7 } ?? false }), ("a = nil", { $0.a == nil }), ("d != nil", { $0.d != nil }),
      ("NOT d < 3", { $0.d.map { $0 >= 3 } ?? false }),
      ("d BETWEEN {-10, 30}", { $0.d.map { $0 >= -10 && $0 <= 30 } ?? false }),
      ("s BEGINSWITH '4'", { $0.s?.hasPrefix("4") ?? false }), ("s > '7same'", { $0.s.map { $0 > "7same" } ?? false }),
      ("u = 3", { $0.u == 3 }), ("u = 3 AND a < 0", { row in row.u == 3 && row.a.map { $0 < 0 } ?? false }),
      ("u = 4 AND d > 0", { row in row.u == 4 && row.d.map { $0 > 0 } ?? false }),
      ("u = 6 AND s < '5'", { row in row.u == 6 && row.s.map { $0 < "5" } ?? false }),
      ("a = 5", { $0.a == 5 }), ("u = 2 AND s = '4same beginning 7'", { $0.u == 2 && $0.s == "4same beginning 7" }),
      ("a = 1000", { $0.a == 1_000 }), ("a = 3 OR u = 9", { $0.a == 3 || $0.u == 9 }),
    ]
    let sorts: [[SortKey]] = [
      [.ascending("a")], [.descending("a")], [.ascending("d"), .descending("s")], [.descending("d")],
      [.ascending("s")], [.descending("s"), .ascending("a")], [.ascending("u"), .ascending("a")],
    ]
    var checks = 0
    let rounds = TestAmount.isLong ? 40 : 2
    for round in 0..<rounds {
      let zones = (0..<2 + random.below(60)).map { "zone \($0)" }
      let rows = Self.rows(&random, zones: zones)
      let database = try Self.database(rows, zones: zones)
      if round & 1 == 0 {
        for keys in [["a", "s"], ["u", "d"], ["u", "s", "a"]] {
          try database.addIndex(IndexDefinition(recordType: "T", keys: keys))
        }
      }
      for (number, (format, holds)) in conditions.enumerated() {
        let kept = rows.filter(holds)
        for (order, sort) in sorts.enumerated() where TestAmount.takes(number + order + 2 * round) {
          let expected = kept.sorted { Self.precedes($0, $1, sort) }.map { "\($0.zone)/\($0.name)" }
          let query = Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort)
          let limit = [1, 7, 50][random.below(3)]
          var found: [String] = []
          var page = try database.records(matching: query, resultsLimit: limit)
          // Few steps of one record are enough.
          while true {
            found += page.records.map { "\($0.recordID.zoneID.zoneName)/\($0.recordID.recordName)" }
            guard let cursor = page.cursor, found.count < 40 * limit else { break }
            page = try database.records(continuingMatchFrom: cursor, resultsLimit: limit)
          }
          #expect(found == Array(expected.prefix(found.count)), "\(format) \(sort)")
          #expect(page.cursor != nil || found.count == expected.count, "\(format) \(sort)")
          let all = try database.records(matching: query, resultsLimit: .max).records.count
          #expect(all == expected.count)
          checks += found.count + 2
        }
      }
    }
    print("sorts over several zones: \(checks) checks")
    #expect(checks >= (TestAmount.isFull ? 5_000 : 1_000) * rounds)
  }

  /// However deep a page lies, few zones are gone to, by numbers and by texts that begin alike; none are where an index says
  /// that they have no record that can count.
  @Test func zonesThatCannotCountAreNotRead() throws {
    let zones = (0..<600).map { "zone \($0)" }
    var random = SplitMix(seed: 5)
    let rows = zones.flatMap { zone in
      (0..<10).map { number in
        var row = Row(zone: zone, name: "\(number)")
        (row.a, row.s) = (Int64(random.below(1_000_000)), "beginning of \(100_000 + random.below(900_000))")
        row.u = Int64(random.below(20))
        return row
      }
    }
    let database = try Self.database(rows, zones: zones)
    func query(_ format: String, _ sort: SortKey) throws -> Query {
      Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: [sort])
    }
    func expectFew(_ query: Query, pages: Int, most: Int = 30 + QueryExecution.togetherCount) throws {
      let prepared = try database.prepare(query)
      var cursor: QueryCursor?
      for _ in 0..<pages {
        let explanation = try prepared.explain(prepared.arguments(), resultsLimit: 30, after: cursor)
        #expect(explanation.counters.rowsExamined <= most * 10, "\(query)")
        #expect(explanation.zonesPassedOver >= 600 - most, "\(query)")
        #expect(explanation.tables.reduce(explanation.zonesPassedOver) { $0 + $1.zoneCount } == 600)
        #expect(explanation.description.contains("zones more passed over by the sort"))
        cursor = try prepared.records(resultsLimit: 30, after: cursor).cursor
      }
    }
    for format in ["TRUEPREDICATE", "a > 300000", "a < 700000", "s > 'beginning of 3'"] {
      let field = format.first == "s" ? "s" : "a"
      for sort in [SortKey.ascending(field), .descending(field)] {
        try expectFew(try query(format, sort), pages: TestAmount.of(20))
      }
    }
    for sort in [SortKey.ascending("s"), .descending("s")] {
      // A tenth do not match.
      try expectFew(try query("a < 900000", sort), pages: TestAmount.of(20), most: 64)
    }
    // Of those that few records match, hardly more than have one.
    for format in ["a = 500000", "a BETWEEN {500000, 500300}", "a IN {5, 6}", "a IN {}", "a > 1000000"] {
      for sort in [SortKey.ascending("a"), .descending("a")] { try expectFew(try query(format, sort), pages: 1) }
    }
    // Nothing tells where the records of a value lie; an index on it and the sort's field does.
    let rare = try query("u = 7", .ascending("a"))
    let before = try database.explain(rare, resultsLimit: 30)
    #expect(before.counters.rowsExamined > 2_000)
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["u", "a"]))
    try expectFew(rare, pages: 5)
    try expectFew(try query("u = 7 AND a > 400000", .descending("a")), pages: 5)
    #expect(try database.explain(try query("u = 70", .ascending("a"))).zonesPassedOver == 600)
    // No index is on this one: all are gone to.
    #expect(try database.explain(try query("u = 7", .ascending("u"))).zonesPassedOver < 600)
    #expect(try database.explain(try query("a > 3", .ascending("u"))).zonesPassedOver == 0)
  }

  /// What costs much to hold records against, an index answers in small tables too.
  @Test func wordsAreLookedUpInSmallTables() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE T (a INT64 QUERYABLE SORTABLE, s STRING SEARCHABLE, u INT64 QUERYABLE);"),
      configuration: configuration)
    let zones = (0..<50).map { ZoneID(zoneName: "zone \($0)") }
    for zone in zones { try database.createZone(zone) }
    try database.load(
      (0..<2_000).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)", zoneID: zones[number % 50])
        record["a"] = .int64(Int64(number * 7_919 % 10_007))
        record["s"] = .string("an old harbour by the sea, number \(number % 400)")
        record["u"] = .int64(Int64(number % 400))
        return record
      })
    func explain(_ format: String) throws -> (QueryExplanation, [RecordID]) {
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: [.ascending("a")])
      let page = try database.records(matching: query, resultsLimit: 10)
      return (try database.explain(query, resultsLimit: 10), page.records.map(\.recordID))
    }
    let (byWord, found) = try explain("allTokens TOKENMATCHES[cdl] '117 harbour'")
    #expect(byWord.counters.rowsExamined <= 10 && found.count == 5)
    let (byNumber, same) = try explain("u = 117")
    #expect(found == same)
    // What costs little is not worth a plan.
    #expect(byNumber.counters.rowsExamined > 1_000)
  }
}
