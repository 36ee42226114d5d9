/// What a predicate says of a record.
public enum Truth: String, Sendable, Hashable, CaseIterable {
  /// It holds.
  case yes
  /// It does not.
  case no
  /// It compares a value the record does not have: neither it nor its negation holds.
  case unknown
  /// The rules leave it open, or it lies closer to a border than this evaluator computes.
  case undecided

  /// NOT. What is unknown stays so.
  var negated: Truth {
    switch self {
    case .yes: .no
    case .no: .yes
    case .unknown, .undecided: self
    }
  }

  /// AND of many: one `no` decides.
  static func all(_ parts: some Sequence<Truth>) -> Truth {
    var result = Truth.yes
    for part in parts {
      switch (part, result) {
      case (.no, _): return .no
      case (.undecided, _), (_, .undecided): result = .undecided
      case (.unknown, _): result = .unknown
      default: break
      }
    }
    return result
  }

  /// OR of many: one `yes` decides.
  static func any(_ parts: some Sequence<Truth>) -> Truth { all(parts.map(\.negated)).negated }

  init(_ value: Bool) { self = value ? .yes : .no }
}
