import Testing

@testable import ZoneQuery

/// Plans that prepared queries keep for the first entries of a long stretch of an index, and for rows that are put into the
/// order of their distances, beside a forced scan.
@Suite struct KeptWalkTests {
  private static func database(_ count: Int) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE T (
            name STRING, seats INT64, city STRING QUERYABLE, tags LIST<STRING> QUERYABLE, start INT64 QUERYABLE SORTABLE,
            place LOCATION QUERYABLE);
          """), configuration: configuration)
    var samples = SplitMix(seed: 31)
    try database.load((0..<count).map { record("r\($0)", &samples) })
    return database
  }

  private static func record(_ name: String, _ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "T", recordName: name)
    if samples.below(9) > 0 { record["name"] = .string("a name of some length \(samples.below(50))") }
    if samples.below(9) > 0 { record["seats"] = .int64(Int64(samples.below(100))) }
    record["city"] = .string("c\(samples.below(40))")
    record["tags"] = .stringList((0..<samples.below(3)).map { _ in "t\(samples.below(9))" })
    record["start"] = .int64(Int64(samples.below(500)))
    if samples.below(9) > 0 {
      // Some places are one, and some near one another.
      let (latitude, longitude) = (Double(samples.below(60)) / 100, Double(samples.below(60)) / 1_000)
      record["place"] = .location(Location(latitude: latitude, longitude: longitude))
    }
    return record
  }

  private static func ids(
    _ query: PreparedQuery, _ values: [String: any PredicateArgument], limit: Int = .max,
    after cursor: QueryCursor? = nil
  ) throws -> [RecordID] {
    var found: [RecordID] = []
    if let cursor {
      try query.forEachRecord(values, resultsLimit: limit, after: cursor) { found.append($0.recordID) }
    } else {
      try query.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
    }
    return found
  }

  /// Of a stretch of thousands of entries the first that pass, however few do.
  @Test func longStretches() throws {
    let database = try Self.database(6_000)
    var samples = SplitMix(seed: 32)
    var (checks, direct) = (0, 0)
    for (format, isDirect) in [
      ("start > 20 AND NOT name ENDSWITH '7'", true), ("start > 20 AND name ENDSWITH '7'", true),
      ("start > $start AND seats > $seats", true), ("start > 20 AND name ENDSWITH 'nobody'", false),
      ("start > $start AND name ENDSWITH $text", true),
      ("start < 480 AND (seats > 30 OR name ENDSWITH '1') AND NOT city = 'c3'", true),
      ("start BETWEEN {10, 480} AND NOT tags CONTAINS 't1'", false),
    ] {
      let query = try database.prepare(
        Query(recordType: "T", predicate: try QueryPredicate(format: format)), inZoneWith: .default)
      for round in 0..<TestAmount.of(40) {
        // Few rows end with the last of the texts, and none with that before.
        let all: [String: any PredicateArgument] = [
          "start": samples.below(100), "seats": samples.below(120) - 10,
          "text": ["7", "1", "th 3", "nobody", "length 49"][samples.below(5)],
        ]
        let values = all.filter { query.parameterNames.contains($0.key) }
        let limit = [1, 2, 10, 150][round % 4]
        let expected = Set(try query.answer(forcing: .scan, values).ids)
        for _ in 0..<4 {
          let before = query.directAnswers
          let found = try Self.ids(query, values, limit: limit)
          direct += max(0, query.directAnswers - before)
          #expect(found.count == min(limit, expected.count) && Set(found).count == found.count, "\(format) \(values)")
          #expect(expected.isSuperset(of: found), "\(format) \(values)")
          checks += 2
        }
        let page = try query.records(values, resultsLimit: limit)
        if let cursor = page.cursor {
          let rest = try Self.ids(query, values, after: cursor)
          #expect(Set(page.records.map(\.recordID) + rest) == expected && rest.count + limit == expected.count)
          checks += 1
        } else {
          #expect(expected.count <= limit)
        }
      }
      #expect(query.directAnswers > 0 || !isDirect, "\(format)")
    }
    print("kept walks: \(checks) checks, \(direct) answers by an earlier plan")
    #expect(checks > TestAmount.of(2_200) && direct > TestAmount.of(400))
  }

  /// The entries of several values of an index of two fields, until records come that it does not have.
  @Test func entriesOfSeveralValues() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (city STRING, start INT64, seats INT64);"),
      configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["city", "start"]))
    var samples = SplitMix(seed: 34)
    try database.load((0..<3_000).map { Self.record("r\($0)", &samples).keeping(["city", "start", "seats"]) })
    let queries = try ["city IN $cities", "city IN $cities AND seats > 20", "city ==[c] $city AND seats > 20"].flatMap {
      format in
      try [[], [SortKey.descending("seats")]].map { sort in
        try database.prepare(
          Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort), inZoneWith: .default)
      }
    }
    var direct = 0
    func check() throws {
      for query in queries {
        for _ in 0..<4 {
          let all: [String: any PredicateArgument] = [
            "cities": (0..<3).map { _ in "c\(samples.below(40))" }, "city": "C\(samples.below(40))",
          ]
          let values = all.filter { query.parameterNames.contains($0.key) }
          let expected = try query.answer(forcing: .scan, values).ids
          let before = query.directAnswers
          let found = try Self.ids(query, values)
          direct += max(0, query.directAnswers - before)
          #expect(query.query.sort.isEmpty ? Set(found) == Set(expected) : found == expected)
          #expect(found.count == expected.count)
          #expect(try query.count(values) == expected.count)
        }
      }
    }
    try check()
    try check()
    #expect(direct > 24)
    for number in 0..<20 {
      try database.save(Self.record("later\(number)", &samples).keeping(["city", "seats"]))
      try check()
    }
  }

  /// The nearest of the rows that a condition holds for, page by page, as records come and go.
  @Test func distances() throws {
    let database = try Self.database(2_000)
    var samples = SplitMix(seed: 33)
    var (checks, direct) = (0, 0)
    let origins = [(0.3, 0.03), (0, 0), (-80, 170)].map { Location(latitude: $0.0, longitude: $0.1) }
    let queries = try [
      "city = 'c3'", "city = $city AND seats > 20", "tags CONTAINS 'later'", "tags CONTAINS 'later' AND seats > 20",
      "start = $start", "city = 'c4' AND NOT name ENDSWITH '7'", "tags CONTAINS 't3' AND city = $city",
    ].enumerated().map { number, format in
      try database.prepare(
        Query(
          recordType: "T", predicate: try QueryPredicate(format: format),
          sort: [.distance("place", from: origins[number % 3])] + (number % 2 == 0 ? [] : [.descending("seats")])),
        inZoneWith: .default)
    }
    for round in 0..<TestAmount.of(60) {
      for query in queries {
        let all: [String: any PredicateArgument] = ["city": "c\(samples.below(41))", "start": samples.below(500)]
        let values = all.filter { query.parameterNames.contains($0.key) }
        let limit = [1, 2, 7, 30, .max][samples.below(5)]
        let expected = try query.answer(forcing: .scan, values).ids
        for _ in 0..<2 {
          let before = query.directAnswers
          let found = try Self.ids(query, values, limit: limit)
          direct += max(0, query.directAnswers - before)
          #expect(found == Array(expected.prefix(limit)), "\(query.query), \(values), \(limit)")
          checks += 1
        }
        let page = try query.records(values, resultsLimit: limit)
        #expect(page.records.map(\.recordID) == Array(expected.prefix(limit)))
        #expect((page.cursor != nil) == (expected.count > limit))
        if let cursor = page.cursor {
          #expect(try Self.ids(query, values, limit: 9, after: cursor) == Array(expected.dropFirst(limit).prefix(9)))
          checks += 1
        }
      }
      for number in 0..<5 {
        var record = Self.record("r\(samples.below(2_100))", &samples)
        if round % 3 == 1, number == 0, case .stringList(let tags)? = record["tags"] {
          record["tags"] = .stringList(tags + ["later"])
        }
        try database.save(record, policy: .replace)
      }
      _ = try database.deleteRecords(withIDs: [RecordID(recordName: "r\(samples.below(2_100))")])
    }
    print("kept distances: \(checks) checks, \(direct) answers by an earlier plan")
    #expect(checks > TestAmount.of(1_000) && direct > TestAmount.of(350))
  }
}

extension Record {
  /// A copy with some of the fields.
  fileprivate func keeping(_ fields: [String]) -> Record {
    var record = Record(recordType: recordType, recordID: recordID)
    for field in fields { record[field] = self[field] }
    return record
  }
}
