import Foundation
import Testing

@testable import ZoneQuery

struct ExplanationTests {
  private static func database(zones: Int, records: Int) throws -> Database {
    let schema = try Schema(
      ckdb: """
        DEFINE SCHEMA RECORD TYPE Event (
          "___recordID" REFERENCE QUERYABLE, city STRING QUERYABLE SORTABLE, start TIMESTAMP QUERYABLE SORTABLE,
          seats INT64);
        """)
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(schema: schema, configuration: configuration)
    for zone in 0..<zones { try database.createZone(ZoneID(zoneName: "z\(zone)")) }
    try database.load(
      (0..<records).map { number in
        var record = Record(
          recordType: "Event", recordName: "r\(number)", zoneID: ZoneID(zoneName: "z\(number % zones)"))
        record["city"] = .string(GoldenScript.cities[number / zones % 20])
        record["start"] = .timestamp(Timestamp(milliseconds: Int64(number) * 7_919 % 100_003))
        record["seats"] = .int64(Int64(number % 7))
        return record
      })
    return database
  }

  /// What an answer that looked at every record would have been served by.
  @Test func indexesThatAreMissing() throws {
    func missing(_ schema: String, _ format: String, _ sort: [SortKey]) throws -> [String?] {
      let database = try Database(schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (\(schema));"))
      try database.load(
        (0..<3_000).map { number in
          var record = Record(recordType: "T", recordName: "r\(number)")
          record["i"] = .int64(Int64(number % 3))
          record["j"] = .int64(Int64(number))
          record["l"] = .location(Location(latitude: Double(number % 90), longitude: Double(number % 540) / 3))
          return record
        })
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort)
      return try database.explain(query, resultsLimit: 10).missingIndexes.map(\.item)
    }
    let near = [SortKey.distance("l", from: Location(latitude: 1, longitude: 1))]
    #expect(try missing("l LOCATION, i INT64, j INT64", "TRUEPREDICATE", near) == ["l LOCATION QUERYABLE"])
    #expect(
      try missing("l LOCATION, i INT64, j INT64", "i = 1", near) == ["i INT64 QUERYABLE", "l LOCATION QUERYABLE"])
    #expect(try missing("l LOCATION QUERYABLE, i INT64, j INT64", "TRUEPREDICATE", near) == [])
    // An index that is gone through from end to end looks at every record, too.
    let whole = "l LOCATION, i INT64, j INT64 QUERYABLE SORTABLE"
    #expect(try missing(whole, "i = 7", [.ascending("j")]) == ["i INT64 QUERYABLE"])
    #expect(try missing(whole, "i = 1", [.ascending("j")]) == [])
    #expect(try missing(whole, "j > 2500", [.ascending("j")]) == [])
  }

  /// The figures of the steps add up to those of the whole, and the JSON has them all.
  @Test func figuresAddUp() throws {
    let database = try Self.database(zones: 3, records: 1_200)
    var checks = 0
    for format in [
      "city = 'Seoul'", "city IN {'Oslo', 'Suva'} AND seats > 2", "seats = 3", "TRUEPREDICATE",
      "city = 'Oslo' OR start < CAST(-978307190, 'NSDate')", "city BEGINSWITH 'S' AND NOT seats = 4", "FALSEPREDICATE",
    ] {
      for sort in [[], [SortKey.ascending("start")], [.descending("seats"), .ascending("city")]] {
        for zone in [nil, ZoneID(zoneName: "z1")] {
          let query = Query(recordType: "Event", predicate: try QueryPredicate(format: format), sort: sort)
          for limit in [1, 20, Int.max] {
            let explanation = try database.explain(query, inZoneWith: zone, resultsLimit: limit)
            let page = try database.records(matching: query, inZoneWith: zone, resultsLimit: limit)
            #expect(explanation.counters.rowsReturned == page.records.count && explanation.hasMore == page.hasMore)
            var sums = (rows: 0, entries: 0, examined: 0)
            func add(_ node: QueryExplanation.Node) {
              sums.entries += node.entriesRead
              sums.examined += node.rowsExamined
              #expect((node.nanoseconds ?? 0) >= 0)
              Self.checkIndexes(of: node, database)
              for child in node.children { add(child) }
            }
            for tables in explanation.tables {
              sums.rows += tables.plan.actualRows ?? 0
              add(tables.plan)
              if let abandoned = tables.abandoned { add(abandoned) }
              #expect(tables.paths.filter(\.isChosen).count == 1 && tables.paths.allSatisfy { !$0.reason.isEmpty })
            }
            #expect(sums.rows == page.records.count, "\(format) \(sort) \(limit)")
            #expect(sums.entries == explanation.counters.entriesRead, "\(format) \(sort) \(limit)")
            #expect(sums.examined == explanation.counters.rowsExamined, "\(format) \(sort) \(limit)")
            let json = try JSONSerialization.jsonObject(with: Data(explanation.json.utf8)) as? [String: Any]
            #expect(json?["rowsReturned"] as? Int == page.records.count)
            #expect((json?["tables"] as? [[String: Any]])?.count == explanation.tables.count)
            checks += 7
          }
        }
      }
    }
    print("explanations: \(checks) figures checked")
    #expect(checks >= 800)
  }

  /// The indexes that a step reads are those that its words name.
  private static func checkIndexes(of node: QueryExplanation.Node, _ database: Database) {
    switch node.operation {
    case .indexRange, .multiRange, .indexWalk, .locationCover, .intersection:
      #expect(!node.indexes.isEmpty && node.indexes.allSatisfy { node.detail.contains("(\($0.name)") }, "\(node)")
    case .postings, .probe: break
    case .union: #expect(node.indexes.isEmpty && !node.allIndexes.isEmpty, "\(node)")
    default: #expect(node.indexes.isEmpty && node.entriesRead == 0 || node.operation == .fetch, "\(node)")
    }
    #expect(node.indexes.allSatisfy { database.indexes(of: "Event").contains($0) })
    #expect(Set(node.children.flatMap(\.allIndexes) + node.indexes) == Set(node.allIndexes))
  }

  /// Which index a query uses, and which it could use where there are too few records for it to pay.
  @Test func indexesAreNamed() throws {
    let database = try Self.database(zones: 1, records: 600)
    let compound = IndexDefinition(recordType: "Event", keys: ["city", "start"])
    try database.addIndex(compound)
    func explain(
      _ format: String, _ sort: [SortKey] = [], of database: Database, limit: Int = 5
    ) throws -> QueryExplanation {
      try database.explain(
        Query(recordType: "Event", predicate: try QueryPredicate(format: format), sort: sort), resultsLimit: limit)
    }
    #expect(try explain("city = 'Seoul'", [.descending("start")], of: database).indexes == [compound])
    let city = IndexDefinition(recordType: "Event", keys: ["city"])
    let both = try explain("city = 'Seoul' AND seats = 3", of: database, limit: .max).indexes
    #expect(!both.isEmpty && both.allSatisfy { database.indexes(of: "Event").contains($0) })
    #expect(try explain("TRUEPREDICATE", of: database).indexes.isEmpty)
    let small = try Self.database(zones: 1, records: 10)
    let few = try explain("city = 'Seoul'", of: small)
    #expect(few.tables.first?.paths.contains { $0.indexes.contains(city) } == true, "\(few)")
    let json = try JSONSerialization.jsonObject(with: Data(few.json.utf8)) as? [String: Any]
    let paths = ((json?["tables"] as? [[String: Any]])?.first?["paths"] as? [[String: Any]]) ?? []
    #expect(paths.contains { $0["indexes"] as? [[String]] == [["city"]] })
    try small.dropIndex(city)
    let without = try explain("city = 'Seoul'", of: small)
    #expect(without.tables.first?.paths.allSatisfy { !$0.indexes.contains(city) } == true && without.indexes.isEmpty)
    #expect(without.text(showsTimes: false) == (try explain("city = 'Seoul'", of: small).text(showsTimes: false)))
  }

  /// What paths take is measured of each, changes nothing else, and is of the path taken what the answer itself took.
  @Test func pathsAreMeasured() throws {
    let database = try Self.database(zones: 3, records: 1_200)
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["city", "start"]))
    var (paths, checks) = (0, 0)
    func check(_ measured: QueryExplanation, _ plain: QueryExplanation, _ note: String) {
      #expect(measured.counters == plain.counters && measured.hasMore == plain.hasMore, "\(note)")
      #expect(
        measured.text(showsTimes: false).contains("and what they took:")
          || measured.tables.allSatisfy { $0.paths.count == 1 })
      for (tables, other) in zip(measured.tables, plain.tables) {
        #expect(tables.paths.map(\.detail) == other.paths.map(\.detail), "\(note)")
        #expect(other.paths.allSatisfy { $0.measured == nil })
        func sums(_ node: QueryExplanation.Node) -> [Int] {
          node.children.reduce([node.entriesRead, node.rowsExamined]) { sum, child in
            zip(sum, sums(child)).map { $0 + $1 }
          }
        }
        for path in tables.paths {
          guard let measurement = path.measured else {
            Issue.record("\(note): \(path.detail) was not measured")
            continue
          }
          #expect(measurement.nanoseconds >= 0)
          if path.isChosen, tables.abandoned == nil {
            #expect(
              [measurement.entriesRead, measurement.rowsExamined] == sums(tables.plan), "\(note): \(path.detail)")
          }
          // All records are counted without a look at them.
          if path.detail.hasPrefix("column scan "), measured.resultsLimit == nil, path.zoneCount == tables.zoneCount {
            #expect(measurement.rowsExamined == tables.recordCount && measurement.entriesRead == 0, "\(note)")
          }
          paths += 1
        }
      }
      checks += 1
    }
    for format in [
      "city = 'Seoul'", "city IN {'Oslo', 'Suva'} AND seats > 2", "seats = 3", "TRUEPREDICATE",
      "city = 'Oslo' OR start < CAST(-978307190, 'NSDate')", "city BEGINSWITH 'S' AND NOT seats = 4", "FALSEPREDICATE",
      "city = 'Seoul' AND start > CAST(-978307150, 'NSDate')",
    ] {
      let predicate = try QueryPredicate(format: format)
      for zone in [nil, ZoneID(zoneName: "z1")] {
        for sort in [[], [SortKey.ascending("start")], [.descending("seats"), .ascending("city")]] {
          let query = Query(recordType: "Event", predicate: predicate, sort: sort)
          for limit in [1, 20, Int.max] {
            check(
              try database.explain(query, inZoneWith: zone, resultsLimit: limit, measuringPaths: true),
              try database.explain(query, inZoneWith: zone, resultsLimit: limit),
              "\(format) \(sort) \(limit) \(String(describing: zone))")
          }
        }
        let query = Query(recordType: "Event", predicate: predicate)
        check(
          try database.explainCount(query, inZoneWith: zone, measuringPaths: true),
          try database.explainCount(query, inZoneWith: zone), "count of \(format)")
      }
    }
    print("measured paths: \(paths) of \(checks) explanations checked")
    #expect(checks >= 150 && paths >= 400)
  }

  /// In several zones a path is measured in those alone that it was considered in: small ones are gone through without a choice.
  @Test func pathsOfSeveralZonesAreMeasured() throws {
    let schema = try Schema(
      ckdb: "DEFINE SCHEMA RECORD TYPE T (a INT64 QUERYABLE, b INT64 QUERYABLE SORTABLE, c INT64);")
    let database = try Database(schema: schema)
    for (zone, count) in [1_000, 100, 100, 100].enumerated() {
      let zoneID = ZoneID(zoneName: "z\(zone)")
      try database.createZone(zoneID)
      try database.load(
        (0..<count).map { number in
          var record = Record(recordType: "T", recordName: "r\(number)", zoneID: zoneID)
          record["a"] = .int64(Int64(number % 3))
          record["b"] = .int64(Int64(number * 7_919 % 1_009))
          record["c"] = .int64(Int64(number % 11))
          return record
        })
    }
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "a = 1 AND c = 2"), sort: [.ascending("b")])
    func measured(_ zone: ZoneID?) throws -> [String: QueryExplanation.Measurement] {
      let explanation = try database.explain(query, inZoneWith: zone, resultsLimit: 5, measuringPaths: true)
      let paths = explanation.tables.flatMap(\.paths).filter { $0.zoneCount == 1 }
      #expect(explanation.tables.allSatisfy { $0.paths.allSatisfy { $0.measured != nil } }, "\(explanation)")
      return Dictionary(paths.compactMap { path in path.measured.map { (path.detail, $0) } }) { first, _ in first }
    }
    let (all, one) = (try measured(nil), try measured(ZoneID(zoneName: "z0")))
    var checks = 0
    for (detail, measurement) in one where !detail.hasPrefix("column scan") {
      guard let other = all[detail] else { continue }
      #expect(other.entriesRead == measurement.entriesRead, "\(detail)")
      #expect(other.rowsExamined == measurement.rowsExamined, "\(detail)")
      checks += 1
    }
    #expect(checks >= 2)
  }

  /// Of a page behind a cursor an explanation says what the page says, and its steps add up.
  @Test func laterPagesAreExplained() throws {
    let database = try Self.database(zones: 5, records: 700)
    var checks = 0
    for format in [
      "TRUEPREDICATE", "city = 'Seoul'", "seats = 3", "city IN {'Oslo', 'Suva'} AND seats > 2", "NOT seats = 4",
      "city = 'Oslo' OR seats = 1",
    ] {
      for zone in [nil, ZoneID(zoneName: "z1")] {
        let query = Query(recordType: "Event", predicate: try QueryPredicate(format: format))
        let prepared = try database.prepare(query, inZoneWith: zone)
        for limit in [3, 40] {
          var page = try database.records(matching: query, inZoneWith: zone, resultsLimit: limit)
          var pages = 0
          while let cursor = page.cursor, pages < 20 {
            page = try database.records(continuingMatchFrom: cursor, resultsLimit: limit)
            let explanation = try prepared.explain(prepared.arguments(), resultsLimit: limit, after: cursor)
            func entries(_ node: QueryExplanation.Node) -> Int {
              node.children.reduce(node.entriesRead) { $0 + entries($1) }
            }
            let rows = explanation.tables.reduce(0) { $0 + ($1.plan.actualRows ?? 0) }
            let note = "\(format) \(String(describing: zone)) \(limit) \(pages)"
            #expect(explanation.counters.rowsReturned == page.records.count, "\(note)")
            #expect(explanation.hasMore == page.hasMore && rows == page.records.count, "\(note)")
            #expect(
              explanation.tables.reduce(0) { $0 + entries($1.plan) } == explanation.counters.entriesRead, "\(note)")
            (pages, checks) = (pages + 1, checks + 1)
          }
        }
      }
    }
    print("explanations of later pages: \(checks) checked")
    #expect(checks >= 200)
  }

  @Test func manyZonesAreAPage() throws {
    let zones = TestAmount.isLong ? 10_000 : 500
    let database = try Self.database(zones: zones, records: zones * 2)
    for format in ["TRUEPREDICATE", "city = 'Seoul'", "seats = 3 AND start > CAST(-978307190, 'NSDate')"] {
      let query = Query(
        recordType: "Event", predicate: try QueryPredicate(format: format), sort: [.ascending("start")])
      let explanation = try database.explain(query, resultsLimit: 50)
      #expect(explanation.tables.reduce(explanation.zonesPassedOver) { $0 + $1.zoneCount } == zones)
      #expect(explanation.tables.count < 8 && explanation.description.split(separator: "\n").count < 80)
    }
  }

  @Test func parametersStandInTheirPlaces() throws {
    let database = try Self.database(zones: 1, records: 400)
    let query = Query(recordType: "Event", predicate: try QueryPredicate(format: "city = $city AND seats > $least"))
    let prepared = try database.prepare(query)
    let explanation = try prepared.explain(["city": "Suva", "least": 3])
    #expect(explanation.predicate == #"city == "Suva" AND seats > 3"#)
    #expect(explanation.description.contains(#"index range (city): city = "Suva""#))
    #expect(explanation.description.contains("filter seats > 3"))
    #expect(explanation.counters.rowsReturned == (try prepared.count(["city": "Suva", "least": 3])))
    let again = try database.explain(query, parameters: ["city": "Suva", "least": 3, "other": 1])
    #expect(again.text(showsTimes: false).contains("filter seats > 3"))
    expectFailure(.invalidPredicate) { try prepared.explain(["city": "Suva"]) }
    expectFailure(.invalidQuery) { try prepared.explain(["city": "Suva", "least": 3], resultsLimit: 0) }
    expectFailure(.zoneNotFound) { try database.explain(query, inZoneWith: ZoneID(zoneName: "nowhere")) }
  }

  /// A prepared query over all zones finds what is in them now, wherever it was planned before.
  @Test func zonesThatChange() throws {
    let database = try Database(
      schema: try Schema(
        ckdb: #"DEFINE SCHEMA RECORD TYPE Event ("___recordID" REFERENCE QUERYABLE, seats INT64 QUERYABLE);"#))
    let (first, second) = (ZoneID(zoneName: "a"), ZoneID(zoneName: "b"))
    try database.createZone(first)
    let wanted = RecordID(recordName: "r", zoneID: second)
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "recordID = %@", Reference(wanted)))
    let prepared = try database.prepare(query)
    try database.load([Record(recordType: "Event", recordName: "r", zoneID: first)])
    #expect(try prepared.count() == 0)
    try database.deleteZone(first)
    try database.createZone(second)
    try database.load([Record(recordType: "Event", recordName: "r", zoneID: second)])
    #expect(try prepared.count() == 1)
    #expect(try prepared.records().records.map(\.recordID) == [wanted])
  }

  /// A predicate of many and long parts is told of in lines that end.
  @Test func hostilePredicates() throws {
    let database = try Self.database(zones: 1, records: 300)
    let long = String(repeating: "e\u{301}", count: 3_000)
    let parts = (0..<400).map { "seats != \($0 + 100)" } + ["city != '\(long)'", "NOT city IN {'\(long)', 'x'}"]
    for format in [parts.joined(separator: " AND "), parts.joined(separator: " OR ")] {
      let query = Query(recordType: "Event", predicate: try QueryPredicate(format: format), sort: [.ascending("start")])
      let explanation = try database.explain(query)
      #expect(explanation.description.utf8.count < 40_000)
      #expect(explanation.counters.rowsReturned == 100)
    }
  }
}
