public import ZoneQuery

/// Compares an evaluator of one's own with the naive one: the way to try another engine, or two against each other.
///
/// ```swift
/// let mine = ComparisonOracle("mine") { testCase in
///   try myEngine.find(testCase.predicate.predicateFormat, in: testCase.records).map(\.recordID)
/// }
/// var fuzzer = Fuzzer(seed: 1, oracles: [mine])
/// ```
///
/// The cases come in all dialects and readings of ``FuzzCase/options``, and `now()` is the case's: an evaluator that knows
/// fewer is tried with those it knows (``Fuzzer/dialects``, ``Fuzzer/missingFields``, ``Fuzzer/stringEquality``).
public struct ComparisonOracle: Oracle {
  /// The name that reports call it by.
  public let name: String
  /// The rule.
  public let summary = "The evaluator finds the records that the naive evaluator finds."
  private let find: @Sendable (FuzzCase) throws -> [RecordID]

  /// Creates an oracle of an evaluator.
  ///
  /// - Parameters:
  ///   - name: A name for reports.
  ///   - find: The IDs of the records that the case's predicate finds among the case's records, in any order. What it
  ///     throws is a failure.
  public init(_ name: String, find: @escaping @Sendable (FuzzCase) throws -> [RecordID]) {
    self.name = name
    self.find = find
  }

  /// Compares the two, but for records whose truth is undecided.
  public func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var testCase = subject.testCase
    testCase.records = subject.records
    let found: [RecordID]
    do {
      found = try find(testCase)
    } catch {
      throw OracleFailure("the predicate was refused by \(name): \(error)")
    }
    let ids = Set(found)
    try expect(ids.count == found.count, "\(name) finds a record twice")
    try expect(ids.isSubset(of: subject.records.map(\.recordID)), "\(name) finds a record that is not there")
    var checks = 0
    for record in subject.records {
      let truth = testCase.evaluator.truth(of: testCase.predicate, for: record)
      if truth == .undecided { continue }
      checks += 1
      try expect(
        (truth == .yes) == ids.contains(record.recordID),
        "the naive evaluator says \(truth.rawValue) of \(record.recordID), \(name) "
          + (ids.contains(record.recordID) ? "finds it" : "does not find it"))
    }
    return checks
  }
}
