import Testing

@testable import ZoneQuery

/// Names from outside in messages and log lines: nothing in them that a terminal would act on, and no more than a line shows.
@Suite struct ShownNamesTests {
  private static let hostile = "a\nlog: forged\u{1B}[31m\u{9B}31m\u{202E}\u{2028}\u{85}\u{7F}"

  private static func isShown(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }

  private static func expectShown(_ work: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
    do {
      try work()
      Issue.record("there is no error", sourceLocation: sourceLocation)
    } catch let error as ZoneQueryError {
      for text in [error.message, error.hint ?? ""] {
        #expect(isShown(text), "\(text.debugDescription)", sourceLocation: sourceLocation)
      }
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func inErrors() throws {
    let database = try Database(schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (n INT64 QUERYABLE);"))
    // Of two subscriptions that ask the same the second is told the first's ID.
    func subscribe(_ id: String) throws {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "T", predicate: try QueryPredicate(format: "n = 1"), subscriptionID: id,
            firesOn: .creation)))
    }
    try subscribe(Self.hostile)
    Self.expectShown { try subscribe("another") }
    // A value that no field can have, under a name that none has.
    var record = Record(recordType: "T", recordName: "r")
    record[Self.hostile] = .double(.nan)
    Self.expectShown { try database.save(record) }
    Self.expectShown { _ = try database.load([record]) }
    // A key of an object twice.
    for key in ["a\u{9B}31m", "b\u{202E}c", "d\u{7F}\u{85}", "e\u{2028}"] {
      Self.expectShown { _ = try ZoneChangeState(json: "{\"\(key)\": 1, \"\(key)\": 2}") }
    }
  }

  @Test func inLogLines() throws {
    let long = String(repeating: "name", count: 100_000)
    var query = Query(recordType: "T", predicate: .true)
    query.sort = Array(repeating: .ascending(Self.hostile + long), count: 5_000)
    let zone = ZoneID(zoneName: Self.hostile + long, ownerName: long)
    let line = DatabaseEvent(.query, query, zoneID: zone).description
    #expect(Self.isShown(line) && line.utf8.count < 4_096, "\(line.utf8.count)")
    query.sort = (0..<20).map { .ascending("field\($0)") }
    #expect(DatabaseEvent(.query, query, zoneID: .default).description.contains("field15 ascending and 4 more in"))
  }

  /// Of many sort keys no query is kept to be asked again.
  @Test func manySortKeys() throws {
    func query(_ count: Int) -> Query {
      Query(recordType: "T", predicate: .true, sort: Array(repeating: .ascending("n"), count: count))
    }
    #expect(QueryShape(query(8)) != nil)
    #expect(QueryShape(query(9)) == nil)
    let database = try Database(schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (n INT64 SORTABLE);"))
    for number in 0..<50 {
      var record = Record(recordType: "T", recordName: "r\(number)")
      record["n"] = .int64(Int64(number % 7))
      try database.save(record)
    }
    for count in [1, 8, 9, 1_000] {
      let first = try database.records(matching: query(count), resultsLimit: 9).records.map(\.recordID)
      #expect(try database.records(matching: query(count), resultsLimit: 9).records.map(\.recordID) == first)
      #expect(try database.records(matching: query(1), resultsLimit: 9).records.map(\.recordID) == first)
    }
  }
}
