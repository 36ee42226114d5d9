import Testing
import ZoneQuery

/// Indexes by the names that they may be called by.
struct IndexChoiceTests {
  private func database(_ schema: String) throws -> Database {
    var configuration = Database.Configuration()
    configuration.environment = .development
    return try Database(schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (\(schema));"), configuration: configuration)
  }

  private func index(_ keys: String...) -> IndexDefinition { IndexDefinition(recordType: "T", keys: keys) }

  private func expectRefusal(_ reason: String, _ body: () throws -> Void) {
    let error = #expect(throws: ZoneQueryError.self) { try body() }
    #expect(error?.code == .invalidSchema && error?.message.contains(reason) == true)
  }

  /// A system field's two names are one.
  @Test(arguments: [("___createTime", "creationDate"), ("creationDate", "___createTime")])
  func systemFields(one: String, other: String) throws {
    let database = try database("\"___createTime\" TIMESTAMP QUERYABLE, title STRING")
    #expect(database.indexes(of: "T") == [index("creationDate")])
    expectRefusal("already") { try database.addIndex(index(one)) }
    try database.dropIndex(index(one))
    #expect(database.indexes(of: "T").isEmpty)
    expectRefusal("There is no index") { try database.dropIndex(index(other)) }
    try database.addIndex(index(other))
    #expect(database.indexes(of: "T") == [index("creationDate")])
    try database.addIndex(index(one, "title"))
    expectRefusal("already") { try database.addIndex(index(other, "title")) }
    try database.dropIndex(index(other, "title"))
    expectRefusal("There is no index") { try database.dropIndex(index(one, "title")) }
  }

  /// What plans call a compound index is no key.
  @Test func joinedNames() throws {
    let database = try database("a INT64, b INT64")
    try database.addIndex(index("a", "b"))
    expectRefusal("There is no index") { try database.dropIndex(index("a, b")) }
    #expect(database.indexes(of: "T") == [index("a", "b")])
    try database.dropIndex(index("a", "b"))
    #expect(database.indexes(of: "T").isEmpty)
  }

  /// Of a field called `allTokens` and the words, each has its index, and keeps it when the other comes.
  @Test func allTokensOfBothKinds() throws {
    let database = try database("allTokens INT64")
    let name = index("allTokens")
    try database.addIndex(name)
    for number in 0..<300 {
      var record = Record(recordType: "T", recordName: "r\(number)")
      record["allTokens"] = .int64(Int64(number % 10))
      try database.save(record)
    }
    var record = Record(recordType: "T", recordName: "words")
    record["title"] = "hello"
    try database.save(record)
    let field = Query(recordType: "T", predicate: try QueryPredicate(format: "allTokens = 7"))
    let words = Query(
      recordType: "T", predicate: try QueryPredicate(format: "ALL tokenize('hello', 'Cdl') IN allTokens"))
    func isScanned(_ query: Query) throws -> Bool { try database.explain(query).counters.rowsExamined >= 301 }
    func expect(_ indexes: Int, field isOfField: Bool, words isOfWords: Bool, _ line: Int = #line) throws {
      #expect(try database.count(matching: field) == 30 && database.count(matching: words) == 1, "line \(line)")
      #expect(try isScanned(field) != isOfField && isScanned(words) != isOfWords, "line \(line)")
      #expect(database.indexes(of: "T").filter { $0 == name }.count == indexes, "line \(line)")
    }
    try expect(2, field: true, words: true)
    expectRefusal("already") { try database.addIndex(name) }
    // Words come first.
    try database.dropIndex(name)
    try expect(1, field: true, words: false)
    try database.dropIndex(name)
    try expect(0, field: false, words: false)
    expectRefusal("There is no index") { try database.dropIndex(name) }
    try database.addIndex(name)
    try expect(1, field: false, words: true)
    try database.addIndex(name)
    try expect(2, field: true, words: true)
  }
}
