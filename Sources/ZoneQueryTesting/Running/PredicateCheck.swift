public import PredicateSyntax
public import ZoneQuery

/// Holds a closure against the engine over records near a predicate that does not change, as an app's own are.
///
/// ```swift
/// let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (city STRING QUERYABLE, seats INT64 QUERYABLE);")
/// let predicate = try QueryPredicate(format: "city = %@ AND seats >= $least", "Suva")
/// let check = try PredicateCheck(predicate, for: schema.recordTypes[0], parameters: ["least": 3]) { record in
///   record.string("city").map { $0.utf8.elementsEqual("Suva".utf8) } == true && record.int64("seats") ?? 0 > 3
/// }
/// let report = check.run(records: 1_000, seed: 1)
/// report.verdict                          // .differ
/// report.difference?.testCase.records     // one record, whose seats are 3
/// ```
///
/// The engine is asked by a `Matcher` and by queries, with the schema's indexes and with one on each field that the
/// predicate names, by each plan there is: they have to agree too.
///
/// It is an oracle of its own predicate, whatever predicate a case has, so that the test which a ``FuzzReport`` prints
/// runs.
public struct PredicateCheck: Oracle {
  /// The name that reports call it by.
  public let name = "predicate-check"
  /// The rule.
  public let summary = "The closure says of each record what the engine says of the predicate."
  /// The predicate.
  public let predicate: QueryPredicate
  /// The type of the records.
  public let recordType: RecordType
  /// Dialect and switches.
  public let options: PredicateOptions
  /// The moment `now()` stands for.
  public let now: Timestamp
  private let parameters: [String: ArgumentValue]
  private let generator: RecordGenerator
  private let matches: @Sendable (Record) throws -> Bool

  /// Creates a check of a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - recordType: The type of the records.
  ///   - options: Dialect and switches.
  ///   - parameters: The values of `$name` parameters.
  ///   - now: The moment `now()` stands for.
  ///   - matches: Whether a record matches, as the closure has it. What it throws is a difference.
  /// - Throws: `invalidPredicate` where dialect or type refuse the predicate, or a parameter has no value.
  ///
  /// Complexity: linear in the predicate.
  public init(
    _ predicate: QueryPredicate, for recordType: RecordType, options: PredicateOptions = PredicateOptions(),
    parameters: [String: any PredicateArgument] = [:], now: Timestamp = FuzzCase.defaultNow,
    matches: @escaping @Sendable (Record) throws -> Bool
  ) throws(ZoneQueryError) {
    generator = try RecordGenerator(
      recordType: recordType, near: predicate, options: options, parameters: parameters, now: now)
    self.predicate = predicate
    self.recordType = recordType
    self.options = options
    self.parameters = parameters.mapValues(\.predicateArgument)
    self.now = now
    self.matches = matches
  }

  /// Creates a check of a query's predicate; its sort plays no part.
  ///
  /// - Throws: `unknownRecordType` where the schema lacks the query's type, and as
  ///   ``init(_:for:options:parameters:now:matches:)``.
  public init(
    _ query: Query, in schema: Schema, options: PredicateOptions = PredicateOptions(),
    parameters: [String: any PredicateArgument] = [:], now: Timestamp = FuzzCase.defaultNow,
    matches: @escaping @Sendable (Record) throws -> Bool
  ) throws(ZoneQueryError) {
    try self.init(
      query.predicate, for: query.recordType(in: schema), options: options, parameters: parameters, now: now,
      matches: matches)
  }

  // MARK: Running

  /// The most records of a population.
  private static let populationSize = 12

  /// Draws records near the predicate, and asks closure and engine about each, until so many are judged or they differ.
  ///
  /// - Parameters:
  ///   - wanted: How many records are drawn.
  ///   - seed: What they are drawn from: the same one gives the same records on every machine.
  /// - Returns: How many matched and how many did not, and the first difference, with records that have no more than
  ///   shows it.
  ///
  /// Complexity: linear in the records.
  public func run(records wanted: Int, seed: UInt64) -> PredicateReport {
    var random = SeededRandom(seed: seed)
    let node = predicate.replacing(parameters).root
    var (matched, unmatched) = (0, 0)
    while matched + unmatched < wanted {
      let count = min(1 + random.below(Self.populationSize), wanted - matched - unmatched)
      let testCase = FuzzCase(
        recordType: recordType, records: generator.records(count, &random), predicate: node, options: options, now: now,
        seed: random.next())
      do throws(OracleFailure) {
        let subject = try OracleSubject(testCase)
        let found = try matchingRecords(subject)
        matched += found.count
        unmatched += subject.records.count - found.count
        try check(subject, found)
      } catch {
        var shrinker = Shrinker()
        shrinker.keepsPredicate = true
        let difference = FuzzReport(testCase, breaking: self, seed: seed, by: shrinker)
        return PredicateReport(matched: matched, unmatched: unmatched, difference: difference, seed: seed)
      }
    }
    return PredicateReport(matched: matched, unmatched: unmatched, seed: seed)
  }

  /// Asks closure and engine about each record of a case, whose predicate is not looked at.
  public func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    try check(subject, matchingRecords(subject))
  }

  /// The records that a matcher says the predicate matches.
  private func matchingRecords(_ subject: OracleSubject) throws(OracleFailure) -> [RecordID] {
    let testCase = subject.testCase
    return try subject.answer("the predicate \(predicate)") { () throws(ZoneQueryError) in
      let matcher = try Matcher(
        predicate, for: testCase.recordType, options: testCase.options, parameters: parameters, now: testCase.now)
      var found: [RecordID] = []
      for record in subject.records where try matcher.matches(record) { found.append(record.recordID) }
      return found
    }
  }

  @discardableResult
  private func check(_ subject: OracleSubject, _ found: [RecordID]) throws(OracleFailure) -> Int {
    let ids = Set(found)
    for record in subject.records {
      let isMatch: Bool
      do {
        isMatch = try matches(record)
      } catch {
        throw OracleFailure("the closure throws for \(record.recordID): \(error)")
      }
      let isFound = ids.contains(record.recordID)
      try expect(
        isMatch == isFound,
        "the predicate \(isFound ? "matches" : "does not match") \(record.recordID), the closure says "
          + (isMatch ? "that it does" : "that it does not"))
    }
    var checks = subject.records.count
    for database in [subject.database, try indexed(subject)] {
      checks += try checkPlans(subject, database, ids)
    }
    return checks
  }

  /// A database of the subject's records with an index on each field that the predicate names.
  private func indexed(_ subject: OracleSubject) throws(OracleFailure) -> Database {
    let database = try subject.answer("loading the records") { () throws(ZoneQueryError) in
      try subject.testCase.database(loading: subject.records)
    }
    for key in predicate.root.keyNames {
      // An index that the schema has already, or that the field cannot have, is refused, which changes nothing.
      try? database.addIndex(IndexDefinition(recordType: subject.testCase.recordType.name, keys: [key]))
    }
    return database
  }

  /// Whatever plan answers the query finds what the matcher does.
  private func checkPlans(
    _ subject: OracleSubject, _ database: Database, _ ids: Set<RecordID>
  ) throws(OracleFailure) -> Int {
    let query = Query(recordType: subject.testCase.recordType.name, predicate: predicate)
    let names = ids.map(\.description).sorted(by: precedes)
    func expectSame(_ found: [RecordID], _ plan: String) throws(OracleFailure) {
      try expect(
        found.count == ids.count && Set(found) == ids,
        "the engine differs from itself: \(plan) finds \(found), the matcher \(names)")
    }
    let (found, prepared) = try subject.answer("the query \(predicate)") { () throws(ZoneQueryError) in
      (
        try database.records(matching: query, resultsLimit: .max, parameters: parameters).records.map(\.recordID),
        try database.prepare(query)
      )
    }
    try expectSame(found, "the query")
    let values = parameters.filter { value in prepared.parameterNames.contains { sameBytes($0, value.key) } }
    func forced(_ plan: ForcedPlan) throws(OracleFailure) -> PreparedQuery.ForcedAnswer {
      try subject.answer("the query \(predicate)") { () throws(ZoneQueryError) in
        try prepared.answer(forcing: plan, values)
      }
    }
    try expectSame(try forced(.scan).ids, "a scan")
    var (number, most) = (0, 1)
    while number < most {
      let answer = try forced(.considered(number))
      try expectSame(answer.ids, "plan \(number)")
      most = max(1, answer.notes.most)
      number += 1
    }
    return number + 2
  }
}
