internal import ZoneQuery

/// A rule that must hold of every predicate over every set of records, and a way to check it.
///
/// An oracle is stateless: the same case gives the same verdict, which is what lets a shrinker work.
///
/// ```swift
/// struct NothingIsTwice: Oracle {
///   let name = "nothing-twice"
///   let summary = "A query returns no record twice."
///   func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
///     let found = try subject.found(subject.testCase.predicate)
///     try expect(Set(found).count == found.count, "a record came twice")
///     return 1
///   }
/// }
/// ```
public protocol Oracle: Sendable {
  /// A short name, in lower case with hyphens.
  var name: String { get }
  /// The rule, in one sentence.
  var summary: String { get }
  /// Checks the rule.
  ///
  /// - Returns: How many checks were made; 0 where the rule has nothing to say of the case.
  /// - Throws: Where the rule is broken.
  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int
}

extension Oracle {
  /// Fails where a condition does not hold.
  public func expect(_ holds: Bool, _ message: @autoclosure () -> String) throws(OracleFailure) {
    if !holds { throw OracleFailure(message()) }
  }
}

/// How a rule was broken.
public struct OracleFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was found, and what should have been.
  public let description: String
  /// Whether the case itself could not be set up, which is no verdict on the engine.
  let isSetup: Bool

  /// Creates a failure.
  public init(_ description: String) {
    self.description = description
    isSetup = false
  }

  init(setup error: ZoneQueryError) {
    description = "the records could not be loaded: \(error.message)"
    isSetup = true
  }
}
