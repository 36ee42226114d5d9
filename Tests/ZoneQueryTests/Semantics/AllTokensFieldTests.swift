import Testing

@testable import ZoneQuery

/// A field may be called `allTokens`; behind `tokenize(…) IN` and before TOKENMATCHES the words are meant all the same, of
/// which any client of a database in development could else deprive the others.
struct AllTokensFieldTests {
  private static let forms = [
    "ALL tokenize('hello', 'Cdl') IN allTokens", "ANY tokenize('hello', 'Cdl') IN allTokens",
    "allTokens TOKENMATCHES[cdl] 'hello'", "self CONTAINS 'hello'",
  ]

  private func record(_ name: String, _ fields: [String: FieldValue]) -> Record {
    var record = Record(recordType: "T", recordName: name)
    for (key, value) in fields { record[key] = value }
    return record
  }

  @Test(arguments: Self.forms)
  func theFieldComesLater(format: String) throws {
    let database = try Database()
    try database.save(record("a", ["title": "hello world"]))
    let predicate = try QueryPredicate(format: format)
    let query = Query(recordType: "T", predicate: predicate)
    let prepared = try database.prepare(query)
    #expect(try database.count(matching: query) == 1)
    try database.save(.query(QuerySubscription(recordType: "T", predicate: predicate, subscriptionID: "s")))
    let heard = Locked<[String]>([])
    let observer = database.onNotification { notification in
      if case .query(let query) = notification.notification { heard.withLock { $0.append(query.recordID.recordName) } }
    }
    try database.save(record("b", ["title": "hello", "allTokens": .int64(5)]))
    try database.save(record("c", ["title": "another"]))
    try database.save(record("d", ["body": "hello"]))
    #expect(try database.count(matching: query) == 3)
    #expect(try prepared.count() == 3)
    #expect(heard.withLock { $0 } == ["b", "d"])
    let type = try #require(database.schema["T"])
    let matcher = try Matcher(predicate, for: type)
    for (name, matches) in [("a", true), ("b", true), ("c", false), ("d", true)] {
      let stored = try database.record(for: RecordID(recordName: name))
      #expect(try matcher.matches(stored) == matches && Matcher(predicate).matches(stored) == matches)
    }
    // The field is asked for as any other.
    let field = Query(recordType: "T", predicate: try QueryPredicate(format: "allTokens = 5"))
    #expect(try database.count(matching: field) == 1)
    observer.cancel()
  }

  /// A matcher of a type reads the field, whatever else it reads, and whether it may be searched or not.
  @Test(arguments: ["", ", title STRING SEARCHABLE", ", a INT64, b INT64"])
  func matchersReadTheField(others: String) throws {
    let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (allTokens STRING\(others));")
    let database = try Database(schema: schema)
    let type = try #require(schema["T"])
    for (format, matches) in [("allTokens = 'x'", true), ("allTokens > 'x'", false), ("NOT allTokens = 'y'", true)] {
      let predicate = try QueryPredicate(format: format)
      let record = record("r", ["allTokens": "x"])
      try database.save(record, policy: .replace)
      #expect(try Matcher(predicate, for: type).matches(record) == matches)
      #expect(try database.count(matching: Query(recordType: "T", predicate: predicate)) == (matches ? 1 : 0))
    }
  }

  /// What `.required` asks of the schema is the words' index, not the field's.
  @Test func requiredIndexes() throws {
    let schema = try Schema(
      ckdb: "DEFINE SCHEMA RECORD TYPE T (allTokens INT64, title STRING SEARCHABLE); "
        + "RECORD TYPE U (allTokens INT64 QUERYABLE, title STRING);")
    var configuration = Database.Configuration()
    configuration.indexPolicy = .required
    let database = try Database(schema: schema, configuration: configuration)
    for format in Self.forms {
      let predicate = try QueryPredicate(format: format)
      #expect(try database.count(matching: Query(recordType: "T", predicate: predicate)) == 0)
      #expect(throws: ZoneQueryError.self) {
        try database.count(matching: Query(recordType: "U", predicate: predicate))
      }
    }
  }
}
