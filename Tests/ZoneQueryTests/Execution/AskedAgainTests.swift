import Testing

@testable import ZoneQuery

/// Queries that are asked again, by plans and values that were kept, and values at the edge of what a condition takes.
struct AskedAgainTests {
  private let zone = ZoneID(zoneName: "Z")

  private func extended(_ equality: PredicateOptions.StringEquality = .exact) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    configuration.predicateOptions.stringEquality = equality
    configuration.limits.itemsPerOperation = 2_000
    return try Database(configuration: configuration)
  }
  private func count(_ database: Database, _ format: String, _ arguments: any PredicateArgument...) throws -> [Int] {
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: format, arguments: arguments))
    return try (0..<3).map { _ in try database.count(matching: query) }
  }

  /// Where another zone's records have a new field, a zone takes over the type's fields with its next change, and plans are kept
  /// again.
  @Test func fieldsOfOtherZones() throws {
    let database = try Database()
    try database.createZone(zone)
    try database.load((0..<50).map { (number: Int64) in note("r\(number)", n: number) })
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "n = $n"))
    func ask() throws -> Int {
      let prepared = try database.prepare(query, inZoneWith: .default)
      for _ in 0..<4 {
        let names = try prepared.records(["n": 3]).records.map(\.recordID.recordName)
        #expect(names == ["r3"])
      }
      var count = 0
      for _ in 0..<4 { try prepared.forEachRecord(["n": 3]) { _ in count += 1 } }
      #expect(count == 4)
      return prepared.directAnswers
    }
    #expect(try ask() > 0)
    var record = note("other", zone)
    record["x"] = 1
    try database.save(record)
    #expect(try ask() == 0)
    try database.save(note("one more", n: 99))
    #expect(try ask() > 0)
  }

  @Test func quantifiersStayInRepeatedQueries() throws {
    let database = try Database()
    var record = note("a")
    record["city"] = "Suva"
    try database.save(record)
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "ANY city IN {'Suva'}"))
    for _ in 0..<3 { expectFailure(.invalidPredicate) { try database.records(matching: query) } }
  }

  @Test func limitsOfKeptRunsByName() throws {
    let database = try Database()
    try database.save(note("a"))
    let prepared = try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: "recordID = $id")))
    let id = RecordID(recordName: "a")
    for _ in 0..<3 { try prepared.forEachRecord(["id": id]) { _ in } }
    expectFailure(.invalidQuery) { try prepared.forEachRecord(["id": id], resultsLimit: 0) { _ in } }
  }

  @Test func nowStaysThatOfTheFirstPage() throws {
    let clock = TestClock()
    var configuration = Database.Configuration()
    configuration.clock = clock.read
    let database = try Database(configuration: configuration)
    for number in 0..<6 {
      var record = note("r\(number)")
      record["at"] = .timestamp(Timestamp(milliseconds: clock.now.milliseconds + Int64(number) * 10 - 25))
      try database.save(record)
    }
    for sort in [[], [SortKey.ascending("at")]] {
      let prepared = try database.prepare(
        Query(recordType: "T", predicate: try QueryPredicate(format: "at < now()"), sort: sort))
      let page = try prepared.records(resultsLimit: 2)
      let cursor = try #require(page.cursor)
      clock.advance(20)
      var count = 0
      try prepared.forEachRecord(after: cursor) { _ in count += 1 }
      #expect(try (page.records.count, count, prepared.records(after: cursor).records.count) == (2, 1, 1))
      clock.advance(-20)
    }
  }

  @Test func whatAReaderByNameThrows() throws {
    let database = try Database()
    try database.save(note("a"))
    let prepared = try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: "recordID = $id")))
    let id = RecordID(recordName: "a")
    for _ in 0..<3 {
      expectFailure(.unknownItem) {
        try prepared.forEachRecord(["id": id]) { (_) throws(ZoneQueryError) in throw Database.unknownItem(id) }
      }
    }
  }

  @Test func pathsAreNoKeysOfRepeatedQueries() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(configuration: configuration)
    try database.save(note("a", n: 1))
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "n.m = 1"))
    for _ in 0..<3 { expectFailure(.invalidPredicate) { try database.records(matching: query) } }
  }

  @Test func cursorsOfOtherZones() throws {
    let database = try Database()
    try database.createZone(zone)
    for name in ["a", "b"] { for zone in [zone, .default] { try database.save(note(name, zone, n: 1)) } }
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "n = 1"), sort: [.ascending("n")])
    let cursor = try #require(try database.prepare(query, inZoneWith: zone).records(resultsLimit: 1).cursor)
    for other in [nil, ZoneID.default] {
      expectFailure(.invalidCursor) { try database.prepare(query, inZoneWith: other).records(after: cursor) }
    }
    #expect(try database.prepare(query, inZoneWith: zone).records(after: cursor).records.count == 1)
  }

  @Test func cursorsOfTypesThatGrew() throws {
    let database = try Database()
    for (name, n) in [("a", Int64(1)), ("b", 2)] {
      var record = note(name, n: n)
      record["title"] = "the sea"
      try database.save(record)
    }
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "self CONTAINS 'sea'"), sort: [.ascending("n")])
    var cursor: QueryCursor?
    for _ in 0..<4 { cursor = try database.records(matching: query, resultsLimit: 1).cursor }
    var record = note("c", n: 3)
    record["body"] = "of the sea"
    try database.save(record)
    let rest = try database.records(continuingMatchFrom: #require(cursor)).records
    #expect(rest.map(\.recordName) == ["b", "c"])
  }

  @Test func rangesOfTwoComparisons() throws {
    let database = try extended()
    _ = try database.saveAll((0..<1_000).map { note("r\($0)", n: Int64($0)) })
    #expect(try count(database, "n > 300 AND n < 310") == [9, 9, 9])
    #expect(try count(database, "n < 310 AND n > 300") == [9, 9, 9])
  }

  @Test func numbersOfListsAreExact() throws {
    let database = try extended()
    var record = note("a", n: 2)
    record["d"] = .double(0x1p53)
    try database.save(record)
    #expect(try count(database, "n IN {1.5, 7}") == [0, 0, 0])
    #expect(try count(database, "d IN {9007199254740993, 7}") == [0, 0, 0])
    #expect(try count(database, "d IN {9007199254740992, 7}") == [1, 1, 1])
  }

  @Test func placesAndDistances() throws {
    let database = try extended()
    var record = note("a", n: 2)
    let place = Location(latitude: 3, longitude: 4)
    record["place"] = .location(place)
    try database.save(record)
    expectFailure(.invalidPredicate) {
      try count(database, "place IN {%@, %@}", place, Location(latitude: 1, longitude: 1))
    }
    #expect(try count(database, "distanceToLocation:fromLocation:(place, %@) > 0", place) == [0, 0, 0])
    #expect(try count(database, "distanceToLocation:fromLocation:(place, %@) >= 0", place) == [1, 1, 1])
  }

  @Test func namesAsReferencesInMixedLists() throws {
    let database = try extended()
    try database.save(note("a"))
    expectFailure(.invalidPredicate) {
      try count(database, "recordID IN {%@, 'a'}", RecordID(recordName: "b"))
    }
  }

  @Test func caseOfMembersInKeptRuns() throws {
    let database = try extended(.caseInsensitive)
    var record = note("a")
    record["tags"] = .stringList(["sea"])
    record["name"] = "Sea"
    try database.save(record)
    let tags = try database.prepare(Query(recordType: "T", predicate: try QueryPredicate(format: "tags CONTAINS $t")))
    let name = try database.prepare(Query(recordType: "T", predicate: try QueryPredicate(format: "name BEGINSWITH $t")))
    for _ in 0..<4 {
      #expect(try (tags.count(["t": "SEA"]), tags.records(["t": "SEA"]).records.count) == (1, 1))
      #expect(try (name.count(["t": ""]), name.records(["t": ""]).records.count) == (0, 0))
    }
  }

  @Test func whatAHintSuggests() throws {
    let type = RecordType(
      "T",
      fields: [
        FieldDefinition("secret", .string, isEncrypted: true), FieldDefinition("open", .string),
      ])
    let words = IndexRequirements(
      of: Query(recordType: "T", predicate: try QueryPredicate(format: "self CONTAINS 'x'")), in: type)
    #expect(words.missing.map(\.field) == ["open"])
    let own = RecordType("T", fields: [FieldDefinition("allTokens", .string)])
    let field = IndexRequirements(
      of: Query(recordType: "T", predicate: try QueryPredicate(format: "allTokens = 'x'")), in: own)
    #expect(field.missing.map(\.field) == ["allTokens"] && field.missing.map(\.kind) == [.queryable])
  }

  @Test func cursorsOfOtherValues() throws {
    let database = try Database()
    for (name, city) in [("a", "Oslo"), ("b", "Oslo"), ("c", "Suva"), ("d", "Suva")] {
      var record = note(name)
      record["city"] = .string(city)
      try database.save(record)
    }
    let prepared = try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: "city = $c"), sort: [.ascending("city")]))
    let cursor = try #require(try prepared.records(["c": "Oslo"], resultsLimit: 1).cursor)
    expectFailure(.invalidCursor) { try prepared.records(["c": "Suva"], after: cursor) }
    #expect(try prepared.records(["c": "Oslo"], after: cursor).records.count == 1)
  }

  @Test func encryptedFieldsAreNotSortedBy() throws {
    let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (secret ENCRYPTED STRING, n INT64 QUERYABLE SORTABLE);")
    let database = try Database(schema: schema)
    for sort in [[SortKey.ascending("secret")], [.ascending("n"), .descending("secret")]] {
      expectFailure(.invalidQuery) { try database.records(matching: Query(recordType: "T", sort: sort)) }
    }
  }

  @Test func cursorsOfOtherSwitches() throws {
    func database(_ change: (inout PredicateOptions) -> Void) throws -> Database {
      var configuration = Database.Configuration()
      configuration.cursorKey = Array(repeating: 7, count: 16)
      change(&configuration.predicateOptions)
      let database = try Database(configuration: configuration)
      try database.saveAll([note("a", n: 1), note("b", n: 2)])
      return database
    }
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "n != 5"), sort: [.ascending("n")])
    let cursor = try #require(try database { _ in }.records(matching: query, resultsLimit: 1).cursor)
    #expect(try database { _ in }.records(continuingMatchFrom: cursor).records.map(\.recordName) == ["b"])
    for other in [
      try database { $0.missingFields = .likeNSPredicate }, try database { $0.stringEquality = .caseInsensitive },
    ] {
      expectFailure(.invalidCursor) { try other.records(continuingMatchFrom: cursor) }
    }
  }

  @Test func listsThatAreMissingWhereNilIsAValue() throws {
    let options = PredicateOptions(dialect: .extended, missingFields: .likeNSPredicate)
    for (format, isMatch) in [
      ("ALL {} IN tags", false), ("NOT (ALL {} IN tags)", true), ("ANY {} IN tags", false),
      ("NOT (ANY {} IN tags)", true), ("ANY tags = 'a'", false), ("NONE tags = 'a'", true),
    ] {
      let matcher = try Matcher(QueryPredicate(format: format), options: options)
      #expect(try matcher.matches(note("a", n: 1)) == isMatch, "\(format)")
    }
  }
}
