import Testing

@testable import ZoneQuery

/// Searches that the caller ends, and pages of a prepared query whose values are given by position.
@Suite struct StoppingTests {
  private static func database(_ log: Locked<[String]>? = nil) throws -> Database {
    var configuration = Database.Configuration()
    if let log { configuration.instrumentation = Instrumentation { event in log.withLock { $0.append("\(event)") } } }
    let database = try Database(
      schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (n INT64 QUERYABLE SORTABLE, s STRING);"),
      configuration: configuration)
    var records: [Record] = []
    for number in 0..<60 {
      var record = Record(recordType: "T", recordName: "r\(number)")
      record["n"] = .int64(Int64(number))
      records.append(record)
    }
    try database.load(records)
    return database
  }

  private static func prepared(_ database: Database) throws -> PreparedQuery {
    try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: "n >= $n"), sort: [.ascending("n")]))
  }

  @Test func stops() throws {
    let prepared = try Self.prepared(try Self.database())
    var arguments = prepared.arguments()
    arguments[try prepared.parameter("n")] = 10
    var checks = 0
    for last in 10..<60 {
      var (named, placed): ([Int64], [Int64]) = ([], [])
      #expect(
        try prepared.forEachRecord(["n": 10]) { record, stop in
          named.append(record.int64("n") ?? -1)
          stop = named.last == Int64(last)
        })
      #expect(
        try prepared.forEachRecord(arguments) { record, stop in
          placed.append(record.int64("n") ?? -1)
          stop = placed.last == Int64(last)
        })
      #expect(named == (10...last).map { Int64($0) } && placed == named)
      checks += named.count + placed.count
    }
    #expect(checks == 2_550)
    // One that never stops is as one that cannot; what it throws is thrown.
    var count = 0
    #expect(try prepared.forEachRecord(["n": 10], resultsLimit: 7) { _, _ in count += 1 })
    #expect(try !prepared.forEachRecord(["n": 10]) { _, _ in count += 1 })
    #expect(count == 57)
    expectFailure(.unknownItem) {
      try prepared.forEachRecord(["n": 10]) { (_: borrowing RecordView, stop: inout Bool) throws(ZoneQueryError) in
        stop = true
        throw Database.unknownItem(RecordID(recordName: "x"))
      }
    }
    expectFailure(.invalidQuery) { try prepared.forEachRecord(["m": 10]) { _, _ in } }
    // Where it stopped a page goes on.
    var cursor: QueryCursor?
    try prepared.forEachRecord(["n": 10]) { (record: borrowing RecordView, stop: inout Bool) throws(ZoneQueryError) in
      cursor = try record.cursor()
      stop = record.int64("n") == 30
    }
    var next: Int64?
    try prepared.forEachRecord(["n": 10], after: cursor) { record, stop in (next, stop) = (record.int64("n"), true) }
    #expect(next == 31)
  }

  @Test func isNoFailure() throws {
    let log = Locked<[String]>([])
    let prepared = try Self.prepared(try Self.database(log))
    log.withLock { $0 = [] }
    try prepared.forEachRecord(["n": 50]) { record, stop in stop = record.int64("n") == 52 }
    let told = log.withLock { $0 }
    #expect(told.count == 1 && told[0].contains(": 3 records, ") && !told[0].contains(";"))
  }

  @Test func pagesByPosition() throws {
    let database = try Self.database()
    let prepared = try Self.prepared(database)
    var arguments = prepared.arguments()
    arguments[try prepared.parameter("n")] = 20
    let page = try prepared.records(arguments, desiredKeys: ["n"], resultsLimit: 15)
    #expect(page.records == (try prepared.records(["n": 20], desiredKeys: ["n"], resultsLimit: 15)).records)
    let next = try prepared.records(arguments, resultsLimit: 100, after: page.cursor)
    #expect(next.records.compactMap { $0.int64("n") } == (35..<60).map { Int64($0) } && next.cursor == nil)
    let other = try database.prepare(Query(recordType: "T", predicate: try QueryPredicate(format: "n = $m")))
    expectFailure(.invalidQuery) { try other.records(arguments) }
  }

  /// What an error says names the record that it is about, once.
  @Test func errorsNameTheRecord() throws {
    let database = try Self.database()
    var record = Record(recordType: "T", recordName: "bad")
    record["s"] = 1
    for text in [
      "\(try #require(failure { try database.save(record) }))",
      "\(try #require(failure { try database.load([record]) }))",
    ] {
      #expect(text.hasPrefix("record 'bad': invalid attempt to set value type INT64"), "\(text)")
    }
    record["s"] = nil
    record["n"] = 1.5
    #expect(
      "\(try #require(failure { try database.save(record) }))".hasSuffix(
        "defined to be: INT64\nhint: a field of fractions is DOUBLE, in a schema or from its first value on: in JSON with \"type\": \"DOUBLE\""
      ))
    let gone = try #require(failure { try database.record(for: RecordID(recordName: "gone")) })
    #expect("\(gone)" == "There is no record 'gone'")
  }

  private func failure<Value>(_ body: () throws -> Value) -> ZoneQueryError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? ZoneQueryError
    }
  }
}
