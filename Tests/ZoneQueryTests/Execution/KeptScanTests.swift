import Testing

@testable import ZoneQuery

/// Plans that prepared queries keep where an answer ends with the first rows of a table, and where nobody has a term: over
/// the same records, and as they change.
@Suite struct KeptScanTests {
  private static func database(_ count: Int) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    configuration.limits.itemsPerOperation = 10_000
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE T (
            name STRING, seats INT64, price DOUBLE, city STRING QUERYABLE, tags LIST<STRING> QUERYABLE,
            title STRING SEARCHABLE, start INT64 QUERYABLE SORTABLE);
          """), configuration: configuration)
    var samples = SplitMix(seed: 11)
    try database.load((0..<count).map { record("r\($0)", &samples) })
    return database
  }

  private static func record(_ name: String, _ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "T", recordName: name)
    if samples.below(9) > 0 { record["name"] = .string("a name of some length \(samples.below(50))") }
    if samples.below(9) > 0 { record["seats"] = .int64(Int64(samples.below(100))) }
    record["price"] = .double(Double(samples.below(100)) / 4)
    record["city"] = .string("c\(samples.below(7))")
    record["tags"] = .stringList((0..<samples.below(4)).map { _ in "t\(samples.below(20))" })
    record["title"] = .string("word\(samples.below(9)) and word\(samples.below(9))")
    record["start"] = .int64(Int64(samples.below(500)))
    return record
  }

  /// The first rows are those of a forced scan, in its order, whatever was asked before.
  @Test func scansThatEndWithTheFirstRows() throws {
    let database = try Self.database(1_800)
    var samples = SplitMix(seed: 12)
    let prepared = try [
      "seats > 90", "seats > $seats", "name ENDSWITH '7'", "name ENDSWITH $text AND price < $price", "TRUEPREDICATE",
      "seats = nil", "NOT name BEGINSWITH $text", "seats > price + 60", "name CONTAINS $text OR seats = $seats",
      "price BETWEEN {3, 4} AND seats < $seats",
    ].map {
      try database.prepare(Query(recordType: "T", predicate: try QueryPredicate(format: $0)), inZoneWith: .default)
    }
    var (checks, direct) = (0, 0)
    for round in 0..<TestAmount.of(60) {
      for (number, query) in prepared.enumerated() {
        let limit = [1, 2, 10, 63, 64, 65, 300, 5_000][(number + round / 8) % 8]
        let all: [String: any PredicateArgument] = [
          "seats": samples.below(102) - 1, "price": Double(samples.below(110)) / 4, "text": "\(samples.below(30))",
        ]
        let values = all.filter { query.parameterNames.contains($0.key) }
        for _ in 0..<2 {
          let expected = try query.answer(forcing: .scan, values, resultsLimit: limit)
          let before = query.directAnswers
          var found: [RecordID] = []
          let hasMore = try query.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
          #expect(found == expected.ids && hasMore == expected.hasMore, "\(query.query), \(values), \(limit)")
          let page = try query.records(values, resultsLimit: limit)
          #expect(page.records.map(\.recordID) == expected.ids, "\(query.query), \(values), \(limit)")
          // A plan that is let go of takes its answers with it.
          direct += max(0, query.directAnswers - before)
          #expect((page.cursor != nil) == expected.hasMore)
          checks += 3
          if let cursor = page.cursor {
            let whole = try query.answer(forcing: .scan, values).ids
            var rest: [RecordID] = []
            try query.forEachRecord(values, after: cursor) { rest.append($0.recordID) }
            #expect(expected.ids + rest == whole)
            checks += 1
          }
        }
      }
      // Rows go and others take their places; a group is left without any.
      for _ in 0..<5 { try database.save(Self.record("r\(samples.below(2_000))", &samples), policy: .replace) }
      let gone = (0..<10).map { RecordID(recordName: "r\((512 + round * 10 + $0) % 1_100)") }
      _ = try database.deleteRecords(withIDs: gone)
    }
    print("kept scans: \(checks) checks, \(direct) answers by an earlier plan")
    #expect(checks > TestAmount.of(3_600) && direct > TestAmount.of(1_000))
  }

  /// A scan of few records is no plan for the many that come: the planner is asked again, and finds the index.
  @Test func recordsThatComeLater() throws {
    let database = try Self.database(40)
    let scanned = try ["city = 'rare'", "city = $city"].map {
      try database.prepare(Query(recordType: "T", predicate: try QueryPredicate(format: $0)), inZoneWith: .default)
    }
    let name = try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: "name = 'rare'")), inZoneWith: .default)
    func check() throws -> Int {
      var answers = 0
      for query in scanned + [name] {
        let values = query.parameterNames.isEmpty ? [:] : ["city": "rare"]
        let before = query.directAnswers
        let expected = try query.answer(forcing: .scan, values, resultsLimit: 3).ids
        for _ in 0..<8 {
          var found: [RecordID] = []
          try query.forEachRecord(values, resultsLimit: 3) { found.append($0.recordID) }
          #expect(Set(found) == Set(expected) && found.count == expected.count)
        }
        answers += query.directAnswers - before
      }
      return answers
    }
    _ = try check()
    var samples = SplitMix(seed: 21)
    try database.load((0..<12_000).map { Self.record("later\($0)", &samples) })
    _ = try check()
    for query in scanned {
      let values = query.parameterNames.isEmpty ? [:] : ["city": "rare"]
      #expect(try query.explain(values, resultsLimit: 3).counters.rowsExamined == 0)
    }
    for number in 0..<2 {
      var record = Self.record("rare\(number)", &samples)
      (record["name"], record["city"]) = (.string("rare"), .string("rare"))
      try database.save(record)
    }
    #expect(try check() > 0)
  }

  /// An index that comes later is asked, and a scan that takes the whole table is not kept.
  @Test func indexesThatComeLater() throws {
    let database = try Self.database(600)
    func queries() throws -> [PreparedQuery] {
      try ["name ENDSWITH '7'", "seats > $seats"].map {
        try database.prepare(Query(recordType: "T", predicate: try QueryPredicate(format: $0)), inZoneWith: .default)
      }
    }
    /// How often the plan that is kept in the end has answered.
    func run(_ queries: [PreparedQuery], _ limit: Int) throws -> [Int] {
      try queries.map { query in
        let values = query.parameterNames.isEmpty ? [:] : ["seats": 20]
        let expected = Set(try query.answer(forcing: .scan, values).ids)
        for _ in 0..<4 {
          var found: [RecordID] = []
          try query.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
          #expect(found.count == min(limit, expected.count) && expected.isSuperset(of: found))
        }
        return query.directAnswers
      }
    }
    let kept = try queries()
    #expect(try run(kept, 5) == [3, 3])
    // Neither ends with the first rows.
    #expect(try run(queries(), 590) == [0, 0])
    for keys in [["name"], ["price"]] {
      try database.addIndex(IndexDefinition(recordType: "T", keys: keys))
      // Planned anew, once.
      #expect(try run(kept, 5) == [3, 3])
      #expect(try run(kept, 5) == [7, 7])
      try database.dropIndex(IndexDefinition(recordType: "T", keys: keys))
      #expect(try run(kept, 5) == [3, 3])
    }
  }

  /// An index that comes later is asked by queries that have kept a plan with another, and one that goes is not missed.
  @Test func betterIndexesThatComeLater() throws {
    let database = try Self.database(3_000)
    let queries = try ["city = $city", "city = $city AND tags CONTAINS 't1'"].map {
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: $0), sort: [.ascending("start")])
      return try database.prepare(query, inZoneWith: .default)
    }
    /// What the kept plans' indexes are on, in the end.
    func asked() throws -> [String] {
      try queries.map { query in
        let expected = try query.answer(forcing: .scan, ["city": "c3"], resultsLimit: 10).ids
        for _ in 0..<3 {
          var found: [RecordID] = []
          try query.forEachRecord(["city": "c3"], resultsLimit: 10) { found.append($0.recordID) }
          #expect(found == expected && found.count == 10)
        }
        // Planned anew, once.
        #expect(query.directAnswers == 2)
        return try #require(query.direct?.take()).plan.shape.name
      }
    }
    let before = try asked()
    #expect(!before.contains("city, start"))
    let better = IndexDefinition(recordType: "T", keys: ["city", "start"])
    try database.addIndex(better)
    #expect(try asked()[0] == "city, start")
    try database.dropIndex(better)
    #expect(try asked() == before)
  }

  /// Conditions beside a term that no record has are held against those that come to have it.
  @Test func termsThatComeLater() throws {
    let database = try Self.database(400)
    var checks = 0
    for (number, format) in [
      "tags CONTAINS 'later' AND name ENDSWITH '7'", "tags CONTAINS 'later' AND seats > 50 AND city = 'c3'",
      "SELF CONTAINS 'later' AND tags CONTAINS 't1'", "tags CONTAINS 'later' AND SELF CONTAINS 'word3'",
      "tags CONTAINS 'later' AND tags CONTAINS 't1'", "tags CONTAINS $tag AND seats > 50", "tags CONTAINS 'later'",
      "tags CONTAINS 'later' AND NOT (tags CONTAINS 't2')", "ANY tags IN {'later', 'never'} AND seats > 50",
      "ALL tokenize('later word4', 'Cdl') IN allTokens AND price < 20",
    ].enumerated() {
      for sort in [[], [SortKey.descending("start")], [.ascending("city"), .ascending("price")]] {
        let query = try database.prepare(
          Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort), inZoneWith: .default)
        let values = query.parameterNames.isEmpty ? [:] : ["tag": "later"]
        var samples = SplitMix(seed: UInt64(number))
        func check() throws {
          let expected = try query.answer(forcing: .scan, values).ids
          for _ in 0..<2 {
            var found: [RecordID] = []
            try query.forEachRecord(values) { found.append($0.recordID) }
            #expect(sort.isEmpty ? Set(found) == Set(expected) : found == expected, "\(format), \(sort)")
            #expect(found.count == expected.count)
            #expect(try query.count(values) == expected.count, "\(format), \(sort)")
            checks += 3
          }
        }
        try check()
        for many in [3, 40, 1_500] {
          let records = (0..<many).map { number in
            var record = Self.record("later\(number)", &samples)
            if case .stringList(let tags)? = record["tags"] { record["tags"] = .stringList(tags + ["later"]) }
            if case .string(let title)? = record["title"] { record["title"] = .string(title + " later") }
            return record
          }
          for result in try database.save(records, policy: .replace) { _ = try result.get() }
          try check()
        }
        _ = try database.deleteRecords(withIDs: (0..<1_500).map { RecordID(recordName: "later\($0)") })
        try check()
        #expect(query.directAnswers > 0 || number == 8, "\(format), \(sort)")
      }
    }
    print("terms that come later: \(checks) checks")
    #expect(checks == 900)
  }
}
