/// What is asked of one text of a record, other than to lie in some intervals, held against each text that an index knows
/// instead of against each row's.
///
/// ```
/// name ENDSWITH "son"                            of all names there are, each once
/// name LIKE "*a?" AND name BEGINSWITH "No"       of those that begin so
/// city CONTAINS[c] "sea" OR city ENDSWITH "x"    of all cities
/// ```
struct TextCondition {
  private let node: Node

  private indirect enum Node {
    case constant(Bool)
    case test(MemberCondition, isNegated: Bool)
    case all([Node])
    case any([Node])
  }

  /// The condition of a predicate that ``field(of:)`` has one for.
  init(_ predicate: BoundPredicate) { node = TextCondition.node(predicate) }

  /// The field of whose one text a predicate asks, and of nothing else; nil too where it may hold for a record that lacks it,
  /// which is in no index of the field.
  static func field(of predicate: BoundPredicate) -> FieldNumber? {
    holdsWhenMissing(predicate) ? nil : field(predicate)
  }

  /// What holding one text against a predicate costs where no part of it saves another, in nanoseconds.
  static func greatestCost(_ predicate: BoundPredicate) -> Double {
    switch predicate {
    case .constant: 0
    case .comparison: Cost.holding(predicate)
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + greatestCost($1) }
    }
  }

  /// The field whose one text all comparisons ask of.
  private static func field(_ predicate: BoundPredicate) -> FieldNumber? {
    switch predicate {
    case .constant: return nil
    case .comparison(let comparison):
      guard case .value(let field, let test) = comparison.condition, test.isOfText else { return nil }
      return field
    case .and(let parts), .or(let parts):
      guard let first = parts.first.flatMap({ field($0) }) else { return nil }
      return parts.dropFirst().allSatisfy { field($0) == first } ? first : nil
    }
  }

  private static func holdsWhenMissing(_ predicate: BoundPredicate) -> Bool {
    switch predicate {
    case .constant(let value): value
    case .comparison(let comparison): comparison.whenMissing
    case .and(let parts): parts.allSatisfy(holdsWhenMissing)
    case .or(let parts): parts.contains(where: holdsWhenMissing)
    }
  }

  private static func node(_ predicate: BoundPredicate) -> Node {
    switch predicate {
    case .constant(let value): return .constant(value)
    case .comparison(let comparison):
      guard case .value(let field, let test) = comparison.condition else { return .constant(false) }
      return .test(MemberCondition(field, test), isNegated: comparison.isNegated)
    case .and(let parts): return .all(parts.map(node))
    case .or(let parts): return .any(parts.map(node))
    }
  }

  /// Whether it holds for the records that have a text.
  func holds(_ text: Span<UInt8>) -> Bool { TextCondition.holds(node, text) }

  private static func holds(_ node: Node, _ text: Span<UInt8>) -> Bool {
    switch node {
    case .constant(let value): return value
    case .test(let condition, let isNegated): return condition.holds(text) != isNegated
    case .all(let parts):
      for part in parts where !holds(part, text) { return false }
      return true
    case .any(let parts):
      for part in parts where holds(part, text) { return true }
      return false
    }
  }
}

extension ValueTest {
  /// Whether it is one of a text's, which an index in the order of texts may have.
  fileprivate var isOfText: Bool {
    switch self {
    case .text, .textSet, .textRange: true
    default: false
    }
  }
}
