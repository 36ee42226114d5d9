internal import PredicateSyntax
internal import ZoneQuery

/// How often each operator met each type of field.
public struct FuzzCoverage: Sendable {
  /// How often an operator met a field of a type, by `ANY ==` and `LIST<STRING>`.
  public private(set) var counts: [String: [String: Int]] = [:]

  /// Creates coverage of nothing.
  public init() {}

  /// The number of pairs of operator and type that occurred.
  public var pairs: Int { counts.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ predicate: PredicateNode, _ type: RecordType) {
    switch predicate {
    case .constant: break
    case .not(let node): add(node.operand, type)
    case .and(let node), .or(let node): for part in node.parts { add(part, type) }
    case .comparison(let node):
      let name = [node.quantifier?.rawValue, node.comparison.rawValue].compactMap { $0 }.joined(separator: " ")
      counts[name, default: [:]][
        Self.subject(node.left, type) ?? Self.subject(node.right, type) ?? "words", default: 0] += 1
    }
  }

  /// The type of the first field that an expression names.
  private static func subject(_ expression: ExpressionNode, _ type: RecordType) -> String? {
    switch expression {
    case .key(let node):
      if let field = type.field(node.name) { return field.type.description }
      return SystemField.allCases.first { sameBytes($0.key, node.name) }?.type.description
    case .function(let node): return node.arguments.lazy.compactMap { subject($0, type) }.first
    case .binary(let node): return subject(node.left, type) ?? subject(node.right, type)
    case .index(let node): return subject(node.base, type)
    case .ternary(let node): return subject(node.then, type)
    case .unary(let node): return subject(node.operand, type)
    default: return nil
    }
  }

  mutating func add(_ other: FuzzCoverage) {
    for (name, types) in other.counts { counts[name, default: [:]].merge(types) { $0 + $1 } }
  }
}
