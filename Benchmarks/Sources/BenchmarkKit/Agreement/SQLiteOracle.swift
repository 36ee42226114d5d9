internal import Synchronization
internal import ZoneQuery
internal import ZoneQueryTesting

/// SQLite as a second engine: where a predicate has an exact meaning in SQL, both find the same records.
struct SQLiteOracle: Oracle {
  let name = "sqlite"
  let summary = "Query and count find the records that SQLite finds, where the predicate can be said in SQL."
  /// Counts the predicates that could be.
  let said = Tally()

  final class Tally: Sendable {
    private let number = Atomic<Int>(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
  }

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let testCase = subject.testCase
    var translation = SQLTranslation(testCase)
    guard let expression = try? translation.expression(testCase.predicate) else { return 0 }
    said.add()
    let found: Set<String>
    do {
      found = try SQLiteRecords(subject.records, of: testCase.recordType).found(expression, translation.values)
    } catch {
      throw OracleFailure("\(error)")
    }
    let query = Query(recordType: testCase.recordType.name, predicate: QueryPredicate(testCase.predicate))
    let ours: Set<RecordID>
    let count: Int
    do throws(ZoneQueryError) {
      ours = Set(try subject.database.records(matching: query, resultsLimit: .max).records.map(\.recordID))
      count = try subject.database.count(matching: query)
    } catch {
      throw OracleFailure("the query \(query.predicate) was refused: \(error.message)")
    }
    for record in subject.records {
      let isFound = found.contains(SQLiteRecords.text(record.recordID))
      try expect(
        isFound == ours.contains(record.recordID),
        "SQLite \(isFound ? "finds" : "does not find") \(record.recordID), ZoneQuery "
          + "\(isFound ? "does not" : "does"), by \(expression)")
    }
    try expect(count == found.count, "ZoneQuery counts \(count), SQLite finds \(found.count)")
    return subject.records.count + 1
  }
}
