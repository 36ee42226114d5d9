public import PredicateSyntax
public import ZoneQuery

/// A case with its records in a database, ready to be asked.
public struct OracleSubject: Sendable {
  /// The case.
  public let testCase: FuzzCase
  /// A database of the case's switches and clock that holds the records.
  public let database: Database
  /// The records as the database gives them back.
  public let records: [Record]
  /// The kinds of plans that answered the predicate.
  let plans = PlanTally()

  /// Loads the records of a case. Complexity: linear in the records.
  ///
  /// - Throws: A failure of the case itself, whose records cannot be stored.
  public init(_ testCase: FuzzCase) throws(OracleFailure) {
    do throws(ZoneQueryError) {
      let database = try testCase.database()
      var records: [Record] = []
      for record in testCase.records { records.append(try database.record(for: record.recordID)) }
      self.init(testCase, database, records)
    } catch {
      throw OracleFailure(setup: error)
    }
    for (given, stored) in zip(testCase.records, records) { try OracleSubject.compare(stored, with: given) }
  }

  /// A stored record has what it was given, its fields apart: these its predicates are about.
  private static func compare(_ stored: Record, with given: Record) throws(OracleFailure) {
    func expect<Value: Equatable>(_ stored: Value?, _ given: Value?, _ what: String) throws(OracleFailure) {
      guard let given, stored != given else { return }
      throw OracleFailure("\(what) of a record is stored as \(stored.map { "\($0)" } ?? "none"), not \(given)")
    }
    try expect(stored.recordType, given.recordType, "the type")
    try expect(stored.recordID, given.recordID, "the ID")
    try expect(stored.creationDate, given.creationDate, "the date of the creation")
    try expect(stored.modificationDate, given.modificationDate, "the date of the last change")
    try expect(stored.creatorUserRecordID, given.creatorUserRecordID, "the creator")
    try expect(stored.lastModifiedUserRecordID, given.lastModifiedUserRecordID, "who changed it last")
    try expect(stored.parent, given.parent, "the parent")
    try expect(stored.share, given.share, "the share")
  }

  private init(_ testCase: FuzzCase, _ database: Database, _ records: [Record]) {
    self.testCase = testCase
    self.database = database
    self.records = records
  }

  /// The same records with another predicate and seed.
  func asking(_ predicate: PredicateNode, seed: UInt64) -> OracleSubject {
    var testCase = testCase.with(predicate)
    testCase.seed = seed
    return OracleSubject(testCase, database, records)
  }

  /// The random choices of an oracle for this case.
  public var random: SeededRandom { SeededRandom(seed: testCase.seed) }

  /// The record that the seed names: the same one when others are taken away.
  var chosen: Record? {
    records.min { left, right in rank(left.recordID) < rank(right.recordID) }
  }

  private func rank(_ id: RecordID) -> UInt64 {
    let hash = id.description.utf8.reduce(testCase.seed ^ 0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return hash ^ (hash >> 29)
  }

  /// The names, zones before them, of the records that a predicate finds in a database, in byte order.
  ///
  /// - Throws: A failure, where the database refuses the query.
  public func found(_ predicate: PredicateNode, in other: Database? = nil) throws(OracleFailure) -> [String] {
    try ids(predicate, in: other ?? database).map(\.description).sorted(by: precedes)
  }

  /// A query for a predicate.
  func query(_ predicate: PredicateNode, sort: [SortKey] = []) -> Query {
    Query(recordType: testCase.recordType.name, predicate: QueryPredicate(predicate), sort: sort)
  }

  /// The records of a query, all of them.
  func page(
    _ query: Query, in database: Database, zone: ZoneID? = nil, desiredKeys: [String]? = nil, limit: Int = .max
  ) throws(OracleFailure) -> QueryPage {
    try answer("the query \(query.predicate)") { () throws(ZoneQueryError) in
      try database.records(matching: query, inZoneWith: zone, desiredKeys: desiredKeys, resultsLimit: limit)
    }
  }

  /// What a call gives; an error is a failure, for no case asks for anything the engine may refuse.
  func answer<Answer>(
    _ subject: @autoclosure () -> String, _ call: () throws(ZoneQueryError) -> Answer
  ) throws(OracleFailure) -> Answer {
    do throws(ZoneQueryError) {
      return try call()
    } catch {
      throw OracleFailure("\(subject()) was refused: \(error.message)")
    }
  }

  private func ids(_ predicate: PredicateNode, in database: Database) throws(OracleFailure) -> [RecordID] {
    try page(query(predicate), in: database).records.map(\.recordID)
  }
}

/// Whether a text stands before another by their bytes.
func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

/// Whether two lists of texts are the same bytes.
func sameTexts(_ left: [String], _ right: [String]) -> Bool {
  left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
}
