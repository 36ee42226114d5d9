import Testing

@testable import ZoneQuery

/// Queries that are asked again with other constants, against the first time each was asked.
struct RepeatedQueriesTests {
  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE T (
        "___recordID" REFERENCE QUERYABLE,
        name STRING QUERYABLE SORTABLE,
        city STRING QUERYABLE,
        start TIMESTAMP QUERYABLE SORTABLE,
        seats INT64 QUERYABLE SORTABLE,
        price DOUBLE,
        tags LIST<STRING> QUERYABLE,
        place LOCATION QUERYABLE,
        title STRING SEARCHABLE
      );
    """

  private static func database(_ records: Int, seed: UInt64) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(schema: Schema(ckdb: schema), configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["city", "start"]))
    var random = SplitMix(seed: seed)
    try database.load(
      (0..<records).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["name"] = .string("name \(random.below(records / 4 + 1))")
        if random.below(10) > 0 { record["city"] = .string("c\(random.below(9))") }
        record["start"] = .timestamp(Timestamp(milliseconds: Int64(random.below(1_000))))
        record["seats"] = .int64(Int64(random.below(50)))
        record["price"] = .double(Double(random.below(400)) / 4)
        record["tags"] = .stringList((0..<random.below(4)).map { _ in "t\(random.below(6))" })
        record["place"] = .location(
          Location(latitude: Double(random.below(40)), longitude: Double(random.below(40))))
        record["title"] = .string((0..<4).map { _ in "w\(random.below(12))" }.joined(separator: " "))
        return record
      })
    return database
  }

  /// A predicate of one of the forms, or of another.
  private static func predicate(_ random: inout SplitMix) -> String {
    func constant() -> String { ["\(random.below(60))", "\(Double(random.below(240)) / 4)"][random.below(2)] }
    func part() -> String {
      switch random.below(18) {
      case 0: "city = 'c\(random.below(10))'"
      case 1: "seats \(["<", "<=", ">", ">=", "!=", "="][random.below(6)]) \(constant())"
      case 2: "seats BETWEEN {\(constant()), \(constant())}"
      case 3: "name IN {\((0..<random.below(4)).map { _ in "'name \(random.below(40))'" }.joined(separator: ", "))}"
      case 4: "tags CONTAINS 't\(random.below(7))'"
      case 5: "name BEGINSWITH 'name \(random.below(5))'"
      case 6:
        "distanceToLocation:fromLocation:(place, CAST('\(random.below(40)),\(random.below(40))', 'CLLocation')) < "
          + "\(random.below(3) * 400_000 + 1)"
      case 7:
        "\(["ANY", "ALL"][random.below(2)]) tokenize('w\(random.below(13)) w\(random.below(13))', 'Cdl') IN allTokens"
      case 8: "start > CAST(\(Double(random.below(1_000)) / 1_000 - 978_307_200), 'NSDate')"
      case 9: "price < \(constant())"
      case 10: "(city = 'c\(random.below(9))' OR seats = \(random.below(50)))"
      case 11: "NOT seats = \(random.below(50))"
      case 12: "city != nil"
      case 13: "'t\(random.below(7))' IN tags"
      case 14: "\(["ANY", "ALL"][random.below(2)]) tags = 't\(random.below(7))'"
      case 15: "ANY tags IN {\((0..<random.below(4)).map { _ in "'t\(random.below(7))'" }.joined(separator: ", "))}"
      case 16: "self CONTAINS 'w\(random.below(13)) w\(random.below(13))'"
      default: "seats BETWEEN {price, \(constant())}"
      }
    }
    return (0..<1 + random.below(3)).map { _ in part() }.joined(separator: " AND ")
  }

  @Test func answersAreTheSame() throws {
    let database = try RepeatedQueriesTests.database(600, seed: 1)
    var random = SplitMix(seed: 2)
    let sorts: [[SortKey]] = [[], [.ascending("start")], [.descending("seats"), .ascending("name")]]
    var (answers, pages, sortedPages, repeated) = (0, 0, 0, 0)
    let asked = TestAmount.of(500, long: 15_000)
    for _ in 0..<asked {
      let text = RepeatedQueriesTests.predicate(&random)
      let sort = sorts[random.below(3)]
      let limit = [1, 7, 100][random.below(3)]
      let predicate = try QueryPredicate(format: text)
      let query = Query(recordType: "T", predicate: predicate, sort: sort)
      // Bound by itself, without a look at what was asked before.
      let bound = try PreparedQuery(database, query, nil)
      let alone = try bound.page(bound.arguments(), nil, limit)
      let count = try bound.count(bound.arguments())
      for _ in 0..<3 {
        let page = try database.records(matching: query, resultsLimit: limit)
        let expected = alone.records.map(\.recordID)
        #expect((page.cursor == nil) == (alone.cursor == nil), "\(text)")
        #expect(page.records.map(\.recordID) == expected, "\(text)")
        #expect(try database.count(matching: query) == count, "\(text)")
        answers += 2
        if let cursor = page.cursor {
          let next = try database.records(continuingMatchFrom: cursor, resultsLimit: limit)
          let read = try database.records(
            continuingMatchFrom: try QueryCursor(data: cursor.data), resultsLimit: limit)
          #expect(next.records == read.records && next.cursor == read.cursor, "\(text)")
          pages += 1
          if sort.isEmpty { continue }
          let all = try database.records(matching: query, resultsLimit: 10_000).records
          #expect(next.records == Array(all.dropFirst(limit).prefix(limit)), "\(text)")
          sortedPages += 1
        }
      }
      if let shape = QueryShape(query), database.repeated.known(shape, query, nil) != nil { repeated += 1 }
    }
    print("queries asked again: \(answers) answers, \(pages) pages, \(repeated) queries that are kept")
    #expect(answers == 6 * asked && pages > asked && sortedPages > asked / 2 && repeated > asked / 6)
  }

  /// From the third time on the plan of the time before answers, where there is a sort.
  @Test func laterOnesTakeThePlan() throws {
    let database = try RepeatedQueriesTests.database(400, seed: 1)
    var names: [[String]] = []
    for number in 0..<12 {
      let query = Query(
        recordType: "T", predicate: try QueryPredicate(format: "city = %@", "c\(number % 9)"),
        sort: [.ascending("start")])
      names.append(try database.records(matching: query, resultsLimit: 5).records.map(\.recordID.recordName))
      if number == 11 {
        let shape = try #require(QueryShape(query))
        let known = try #require(database.repeated.known(shape, query, nil))
        let run = try #require(known.directPages?.take())
        #expect(run.answers == 10)
      }
    }
    #expect(names[0] == names[9] && names[1] == names[10] && names[0] != names[1])
  }

  /// Which queries are taken for the same but for their constants, and what is not kept for others.
  @Test func shapes() throws {
    func shape(_ format: String, sort: [SortKey] = []) throws -> QueryShape? {
      QueryShape(Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort))
    }
    let first = try #require(try shape("city = 'a' AND seats BETWEEN {1, 2}"))
    let other = try #require(try shape("city = 'b' AND seats BETWEEN {3, 4}"))
    #expect(first.parts == other.parts && first.values != other.values && first.values.count == 3)
    #expect(first.predicate.description == "city == $constant1 AND seats BETWEEN {$constant2, $constant3}")
    #expect(try shape("city = 'a'")?.parts != shape("city != 'a'")?.parts)
    #expect(try shape("city = nil") == nil && shape("a = b") == nil && shape("a = 1 OR b = 2") == nil)
    // Constants are kept until they are asked for again, so that long ones are not taken.
    #expect(try shape("city = '\(String(repeating: "x", count: 4_096))'") != nil)
    #expect(try shape("city = '\(String(repeating: "x", count: 4_097))'") == nil)
    #expect(
      try shape("name IN {'\(String(repeating: "x", count: 4_000))', '\(String(repeating: "y", count: 97))'}") == nil)
    // Letters of options come from outside and are compared by their bytes, if they are few.
    #expect(try shape("ALL tokenize('a', 'Cdl') IN allTokens") != nil)
    #expect(
      try shape("ALL tokenize('a', 'cdl\(String(repeating: "\u{301}\u{316}", count: 40_000))') IN allTokens") == nil)
    #expect(
      try shape("city = 'a'", sort: [.distance("place", from: Location(latitude: 1, longitude: 2))]) == nil)
  }

  /// Queries that are asked once each do not make those go that are asked again and again.
  @Test func whatIsAskedOnceIsNotKept() throws {
    let database = try RepeatedQueriesTests.database(20, seed: 1)
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "seats = 3"), sort: [.ascending("start")])
    let shape = try #require(QueryShape(query))
    for _ in 0..<3 { _ = try database.records(matching: query) }
    let known = try #require(database.repeated.known(shape, query, nil))
    for number in 0..<100 {
      let origin = Location(latitude: Double(number % 90), longitude: 1)
      _ = try database.records(
        matching: Query(recordType: "T", predicate: query.predicate, sort: [.distance("place", from: origin)]))
      _ = try database.records(
        matching: Query(
          recordType: "T", predicate: QueryPredicate(format: "seats IN {\(number), 1} AND price < %d", number)))
    }
    #expect(database.repeated.known(shape, query, nil) === known)
  }

  @Test func faultsAreThoseOfTheQueryAsGiven() throws {
    let database = try RepeatedQueriesTests.database(10, seed: 1)
    for _ in 0..<4 {
      _ = try database.count(matching: Query(recordType: "T", predicate: QueryPredicate(format: "seats = 3")))
    }
    let format = "seats = 'three'"
    func fault() throws -> String {
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
      do {
        _ = try database.count(matching: query)
        return ""
      } catch { return "\(error)" }
    }
    let first = try fault()
    #expect(first.contains(format) && first.contains("^"))
    for _ in 0..<3 { #expect(try fault() == first) }
    #expect(throws: ZoneQueryError.self) {
      try database.records(
        matching: Query(recordType: "T", predicate: QueryPredicate(format: "seats = 3")), resultsLimit: 0)
    }
  }

  /// A field that a type gains in development is known to queries of a form that was asked before.
  @Test func typesGainFields() throws {
    let database = try Database()
    var record = Record(recordType: "T", recordName: "a")
    record["seats"] = 1
    try database.save(record)
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "seats = 1"))
    for _ in 0..<4 { #expect(try database.records(matching: query).records.count == 1) }
    var other = Record(recordType: "T", recordName: "b")
    other["seats"] = 1
    other["colour"] = "red"
    try database.save(other)
    for _ in 0..<4 {
      let page = try database.records(matching: query, desiredKeys: ["colour"])
      #expect(page.records.compactMap { $0.string("colour") } == ["red"])
    }
  }

  /// What is kept stays while other types gain fields, and makes room for one that knows the new fields of its own.
  @Test func keptWhileOtherTypesGrow() throws {
    let database = try Database()
    func save(_ type: String, _ field: String) throws {
      var record = Record(recordType: type, recordName: "\(type) \(field)")
      (record["seats"], record[field]) = (1, 1)
      try database.save(record)
    }
    try save("T", "a")
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "seats = 1"))
    let shape = try #require(QueryShape(query))
    for _ in 0..<3 { _ = try database.records(matching: query) }
    let kept = try #require(database.repeated.known(shape, query, nil))
    for field in ["b", "c", "d"] {
      try save("Other", field)
      #expect(try database.records(matching: query).records.count == 1)
      #expect(database.repeated.known(shape, query, nil) === kept && kept.isOfNow(database))
    }
    try save("T", "b")
    #expect(!kept.isOfNow(database))
    #expect(try database.records(matching: query).records.count == 2)
    let next = try #require(database.repeated.known(shape, query, nil))
    #expect(next !== kept && next.isOfNow(database) && next.recordType.fields.count == kept.recordType.fields.count + 1)
  }

  /// Queries of types that are called as their field, sort or zone is are no less different from each other.
  @Test func namesThatAreTheSame() throws {
    let database = try Database()
    for name in ["Seats", "Rows"] {
      try database.createZone(ZoneID(zoneName: name))
      var record = Record(recordType: name, recordName: "r", zoneID: ZoneID(zoneName: name))
      record[name] = 1
      try database.save(record)
    }
    for format in ["%K = 1", "%K < 2", "TRUEPREDICATE"] {
      for isSorted in [false, true] {
        for isInZone in [false, true] {
          database.repeated.removeAll()
          for name in ["Seats", "Rows"] {
            let query = Query(
              recordType: name, predicate: try QueryPredicate(format: format, name),
              sort: isSorted ? [.ascending(name)] : [])
            let zone = isInZone ? ZoneID(zoneName: name) : nil
            #expect(try database.records(matching: query, inZoneWith: zone).records.count == 1)
            let shape = try #require(QueryShape(query))
            // It was asked once.
            #expect(database.repeated.known(shape, query, zone) == nil)
          }
        }
      }
    }
  }

  /// Deleted zones are not kept for queries to come, and queries of one zone are not taken for another's.
  @Test func zonesComeAndGo() throws {
    let database = try Database()
    let (first, second) = (ZoneID(zoneName: "A"), ZoneID(zoneName: "B"))
    for zone in [first, second] {
      try database.createZone(zone)
      for number in 0..<(zone == first ? 3 : 5) {
        var record = Record(recordType: "T", recordName: "r\(number)", zoneID: zone)
        record["seats"] = 1
        try database.save(record)
      }
    }
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "seats = 1"))
    for _ in 0..<4 {
      #expect(try database.records(matching: query, inZoneWith: first).records.count == 3)
      #expect(try database.records(matching: query, inZoneWith: second).records.count == 5)
      #expect(try database.records(matching: query).records.count == 8)
    }
    weak let zone = try database.zone(first)
    try database.deleteZone(first)
    #expect(zone == nil)
    #expect(try database.records(matching: query).records.count == 5)
    #expect(throws: ZoneQueryError.self) { try database.records(matching: query, inZoneWith: first) }
  }

  /// What is kept goes with the database, and with whatever takes its place.
  @Test func whatIsKeptIsLetGo() throws {
    var database: Database? = try RepeatedQueriesTests.database(20, seed: 1)
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "seats = 3"), sort: [.ascending("start")])
    let shape = try #require(QueryShape(query))
    for _ in 0..<4 { _ = try database?.records(matching: query) }
    weak let kept = database?.repeated.known(shape, query, nil)
    #expect(kept != nil)
    for number in 0...RepeatedQueries.most {
      let other = Query(
        recordType: "T",
        predicate: try QueryPredicate(format: "seats \(["<", ">", "!=", "<=", ">="][number >> 6]) 3"),
        sort: (0..<6).filter { number >> $0 & 1 == 1 }.map {
          .ascending(["name", "city", "start", "seats", "price", "title"][$0])
        })
      for _ in 0..<3 { _ = try database?.records(matching: other) }
    }
    #expect(kept == nil)
    for _ in 0..<4 { _ = try database?.records(matching: query) }
    weak let last = database?.repeated.known(shape, query, nil)
    #expect(last != nil)
    database = nil
    #expect(last == nil)
  }

  /// Threads that ask queries of the same shapes, with constants of their own, beside one that saves and one that makes
  /// what is kept go.
  @Test func threadsAskTheSame() async throws {
    let database = try RepeatedQueriesTests.database(200, seed: 1)
    let rounds = 200
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for thread in 0..<4 {
        group.addTask {
          var answers = 0
          for round in 0..<rounds {
            let city = "c\((thread + round) % 9)"
            let query = Query(
              recordType: "T", predicate: try QueryPredicate(format: "city = %@ AND seats >= 0", city),
              sort: [.ascending("start")])
            let records = try database.records(matching: query, resultsLimit: 500).records
            #expect(!records.isEmpty && records.allSatisfy { $0.string("city") == city })
            answers += 1
          }
          return answers
        }
      }
      group.addTask {
        for round in 0..<rounds {
          var record = Record(recordType: "T", recordName: "new \(round)")
          (record["city"], record["seats"]) = (.string("c\(round % 9)"), 1)
          try database.save(record)
          let zone = ZoneID(zoneName: "z\(round)")
          try database.createZone(zone)
          try database.deleteZone(zone)
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(answers == 4 * rounds)
  }

  /// A page behind a cursor is no new asking: whoever pages through many queries pushes out none that is asked again.
  @Test func pagesAreNoAskings() throws {
    let database = try RepeatedQueriesTests.database(60, seed: 4)
    func query(_ text: String) throws -> Query {
      Query(recordType: "T", predicate: try QueryPredicate(format: text), sort: [.ascending("start")])
    }
    let repeated = try query("seats >= 0")
    for _ in 0..<3 { _ = try database.records(matching: repeated) }
    var pages = 0
    // Each of another shape.
    let comparisons = ["price >= 0", "price < 99999", "price != -1", "seats < 99999", "seats != -1", "city != ''"]
    for number in 1..<64 {
      let parts = comparisons.indices.filter { number >> $0 & 1 == 1 }.map { comparisons[$0] }
      let other = try query(parts.joined(separator: " AND "))
      var page = try database.records(matching: other, resultsLimit: 9)
      while let cursor = page.cursor {
        page = try database.records(continuingMatchFrom: cursor, resultsLimit: 9)
        pages += 1
      }
    }
    let shape = try #require(QueryShape(repeated))
    #expect(database.repeated.known(shape, repeated, nil) != nil)
    #expect(pages > 100)
  }

  /// Another database refuses what a cursor asks for in the same words, however the cursor was made.
  @Test func faultsElsewhere() throws {
    var configuration = Database.Configuration()
    configuration.cursorKey = CursorSample.key
    let databases = try ["x INT64 QUERYABLE, y INT64 QUERYABLE SORTABLE", "y INT64 QUERYABLE SORTABLE"].map {
      try Database(schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (\($0));"), configuration: configuration)
    }
    try databases[0].saveAll(
      (0..<9).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["x"] = .int64(Int64(number))
        record["y"] = .int64(Int64(number))
        return record
      })
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "x >= 3 AND y > 2"), sort: [.ascending("y")])
    var texts: [String] = []
    for _ in 0..<4 {
      let cursor = try #require(try databases[0].records(matching: query, resultsLimit: 3).cursor)
      for cursor in [cursor, try QueryCursor(data: cursor.data)] {
        do {
          _ = try databases[1].records(continuingMatchFrom: cursor)
        } catch {
          texts.append("\(error)")
        }
      }
    }
    #expect(texts.count == 8 && Set(texts).count == 1)
    #expect(texts.first?.contains("  x >= 3 AND y > 2\n  ^") == true, "\(texts)")
  }

  /// Of more queries than are kept the last ones are, and those that went are kept again when they are asked.
  @Test func theLastAreKept() throws {
    let database = try RepeatedQueriesTests.database(40, seed: 8)
    let relations = ["=", "!=", "<", "<=", ">", ">="]
    var shapes: [String] = []
    for first in relations {
      for second in relations {
        for third in relations { shapes.append("seats \(first) 7 AND price \(second) 30 AND name \(third) 'name 5'") }
      }
    }
    let queries = try shapes.flatMap { format in
      try [[], [SortKey.ascending("start")]].map { sort in
        Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort)
      }
    }
    #expect(queries.count > RepeatedQueries.most + 100)
    func isKept(_ query: Query) throws -> Bool {
      database.repeated.known(try #require(QueryShape(query)), query, nil) != nil
    }
    for query in queries {
      let counts = try (0..<3).map { _ in try database.count(matching: query) }
      #expect(Set(counts).count == 1)
      #expect(try isKept(query))
    }
    let kept = try queries.map(isKept)
    #expect(kept.count(where: { $0 }) == RepeatedQueries.most)
    #expect(kept.suffix(RepeatedQueries.most).allSatisfy { $0 })
    for _ in 0..<2 { _ = try database.count(matching: queries[0]) }
    #expect(try isKept(queries[0]))
    #expect(try queries.count(where: isKept) == RepeatedQueries.most)
  }
}
