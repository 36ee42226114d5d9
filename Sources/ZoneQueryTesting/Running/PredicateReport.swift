/// How a closure and the engine agreed about a predicate over the records near it.
public struct PredicateReport: Sendable, CustomStringConvertible {
  /// What came of a check.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// Both say the same of every record, of some that they match and of others that they do not.
    case agree
    /// They differ about a record: ``PredicateReport/difference`` has it.
    case differ
    /// They say the same, but that no record matches: nothing is known of what should.
    case neverMatched
    /// They say the same, but that every record matches: nothing is known of what should not.
    case alwaysMatched
  }

  /// What came of the check.
  public let verdict: Verdict
  /// How many records the engine says that the predicate matches, of those that were judged.
  public let matched: Int
  /// How many records it says that the predicate does not match.
  public let unmatched: Int
  /// The first difference, its records made as small as can be; nil where there is none.
  public let difference: FuzzReport?
  /// The seed that the records were drawn from.
  public let seed: UInt64

  init(matched: Int, unmatched: Int, difference: FuzzReport? = nil, seed: UInt64) {
    if difference != nil {
      verdict = .differ
    } else if matched == 0 {
      verdict = .neverMatched
    } else {
      verdict = unmatched == 0 ? .alwaysMatched : .agree
    }
    self.matched = matched
    self.unmatched = unmatched
    self.difference = difference
    self.seed = seed
  }

  /// Whether the check proves little, because none of the records matched, or all did.
  public var isVacuous: Bool { verdict == .neverMatched || verdict == .alwaysMatched }

  /// The verdict and the counts, `agree: 512 records matched, 488 did not, seed 1`, and the difference where there is
  /// one.
  public var description: String {
    let counts = "\(verdict.rawValue): \(matched) records matched, \(unmatched) did not, seed \(seed)"
    return difference.map { "\(counts)\n\($0)" } ?? counts
  }
}
