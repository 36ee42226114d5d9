internal import PredicateSyntax
internal import ZoneQuery

/// How often each operator met each type of field, and which kinds of plans answered.
public struct FuzzCoverage: Sendable {
  /// How often an operator met a field of a type, by `ANY ==` and `LIST<STRING>`.
  public private(set) var counts: [String: [String: Int]] = [:]
  /// How many predicates with such a pair were answered by a kind of plan, by operator, type and `any list`. A predicate of
  /// several comparisons counts for each.
  public private(set) var plans: [String: [String: [String: Int]]] = [:]

  /// Creates coverage of nothing.
  public init() {}

  /// The number of pairs of operator and type that occurred.
  public var pairs: Int { counts.values.reduce(0) { $0 + $1.count } }

  /// The number of triples of operator, type and kind of plan that occurred.
  public var triples: Int { plans.values.reduce(0) { sum, types in types.values.reduce(sum) { $0 + $1.count } } }

  mutating func add(_ predicate: PredicateNode, _ type: RecordType, plans kinds: Set<String>) {
    // How much of the predicate is left to look at, or to look up, behind a plan is not told apart.
    let names = Set(kinds.map { String($0.prefix { $0 != "," }) })
    Self.forEachPair(predicate, type) { name, type in
      counts[name, default: [:]][type, default: 0] += 1
      for kind in names { plans[name, default: [:]][type, default: [:]][kind, default: 0] += 1 }
    }
  }

  private static func forEachPair(_ predicate: PredicateNode, _ type: RecordType, _ body: (String, String) -> Void) {
    switch predicate {
    case .constant: break
    case .not(let node): forEachPair(node.operand, type, body)
    case .and(let node), .or(let node): for part in node.parts { forEachPair(part, type, body) }
    case .comparison(let node):
      let name = [node.quantifier?.rawValue, node.comparison.rawValue].compactMap { $0 }.joined(separator: " ")
      body(name, subject(node.left, type) ?? subject(node.right, type) ?? "words")
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
}
