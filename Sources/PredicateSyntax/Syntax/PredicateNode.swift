/// A predicate as it was written: what a format string says, before any field, type or dialect is known.
///
/// `AND` and `OR` are n-ary and flat: an `and` never holds an `and`, an `or` never an `or`, and neither holds
/// fewer than two parts. `NONE p` is read as `NOT (ANY p)`, `SOME` as `ANY`. Equality is by meaning: source
/// spans take no part in it, and text is compared by its bytes.
///
/// Parsing gives no tree that nests deeper than `SyntaxLimits.nesting`, and nothing evaluates one that does. Whoever
/// builds trees node by node keeps to that too: comparing, printing and even letting go of a tree goes down its levels
/// on the stack.
public indirect enum PredicateNode: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(ConstantNode)
  /// Two expressions and an operator between them.
  case comparison(ComparisonNode)
  /// `NOT p`.
  case not(NotNode)
  /// `p AND q AND …`.
  case and(CompoundNode)
  /// `p OR q OR …`.
  case or(CompoundNode)

  /// The place the node was read from.
  public var span: SourceSpan {
    switch self {
    case .constant(let node): node.span
    case .comparison(let node): node.span
    case .not(let node): node.span
    case .and(let node), .or(let node): node.span
    }
  }
}

/// `TRUEPREDICATE` or `FALSEPREDICATE`.
public struct ConstantNode: Sendable, Hashable {
  /// What the predicate says of every record.
  public var value: Bool
  /// The place of the keyword.
  public var span: SourceSpan

  /// Creates the constant predicate `value`.
  public init(_ value: Bool, span: SourceSpan = .none) {
    self.value = value
    self.span = span
  }
}

/// `NOT p` or `! p`.
public struct NotNode: Sendable, Hashable {
  /// What is negated.
  public var operand: PredicateNode
  /// The place from the `NOT` to the operand's end.
  public var span: SourceSpan

  /// Creates the negation of `operand`.
  public init(_ operand: PredicateNode, span: SourceSpan = .none) {
    self.operand = operand
    self.span = span
  }
}

/// The parts of an `AND` or an `OR`, in the order written.
public struct CompoundNode: Sendable, Hashable {
  /// The parts: two or more, none of the same kind as the compound itself.
  public let parts: [PredicateNode]
  /// The place from the first part to the last.
  public var span: SourceSpan
  // Most compounds have two parts, and so one connective, which needs no array.
  private let firstOperatorSpan: SourceSpan
  private let laterOperatorSpans: [SourceSpan]

  /// The places of the connectives, one fewer than parts where the whole was read from one text; none where it was not.
  public var operatorSpans: [SourceSpan] {
    firstOperatorSpan.range == nil ? [] : [firstOperatorSpan] + laterOperatorSpans
  }

  package init(
    parts: [PredicateNode], firstOperatorSpan: SourceSpan = .none, laterOperatorSpans: [SourceSpan] = [],
    span: SourceSpan = .none
  ) {
    self.parts = parts
    self.firstOperatorSpan = firstOperatorSpan
    self.laterOperatorSpans = laterOperatorSpans
    self.span = span
  }

  /// Whether the parts are equal, in order; where the connectives stood does not matter.
  public static func == (left: CompoundNode, right: CompoundNode) -> Bool { left.parts == right.parts }

  /// Feeds the parts.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// How a comparison treats a side that is a collection.
public enum Quantifier: String, Sendable, Hashable, CaseIterable {
  /// At least one member satisfies the comparison: `ANY`, also written `SOME`.
  case any = "ANY"
  /// Every member satisfies the comparison: `ALL`.
  case all = "ALL"
}

/// One comparison: an optional quantifier, two expressions, and an operator with its options.
public struct ComparisonNode: Sendable, Hashable {
  /// `ANY` or `ALL`, if one stands before the comparison.
  public var quantifier: Quantifier?
  /// The expression before the operator.
  public var left: ExpressionNode
  /// The operator, under its canonical spelling.
  public var comparison: ComparisonOperator
  /// The letters in brackets after the operator.
  public var options: ComparisonOptions
  /// The expression after the operator.
  public var right: ExpressionNode
  /// The place of the operator alone, with its options.
  public var operatorSpan: SourceSpan
  /// The place of the whole comparison.
  public var span: SourceSpan

  /// Creates a comparison.
  public init(
    _ quantifier: Quantifier? = nil, _ left: ExpressionNode, _ comparison: ComparisonOperator,
    options: ComparisonOptions = [], _ right: ExpressionNode, operatorSpan: SourceSpan = .none,
    span: SourceSpan = .none
  ) {
    self.quantifier = quantifier
    self.left = left
    self.comparison = comparison
    self.options = options
    self.right = right
    self.operatorSpan = operatorSpan
    self.span = span
  }
}

extension PredicateNode {
  /// `TRUEPREDICATE`.
  public static let `true` = PredicateNode.constant(ConstantNode(true))
  /// `FALSEPREDICATE`.
  public static let `false` = PredicateNode.constant(ConstantNode(false))

  /// The conjunction of `parts` in the tree's normal form: nested conjunctions are merged, one part stands
  /// alone, and none at all is true.
  public static func all(of parts: [PredicateNode]) -> PredicateNode {
    var flat: [PredicateNode] = []
    for part in parts {
      if case .and(let inner) = part { flat += inner.parts } else { flat.append(part) }
    }
    if flat.count == 1 { return flat[0] }
    return flat.isEmpty ? .true : .and(CompoundNode(parts: flat))
  }

  /// The disjunction of `parts` in the tree's normal form: nested disjunctions are merged, one part stands
  /// alone, and none at all is false.
  public static func any(of parts: [PredicateNode]) -> PredicateNode {
    var flat: [PredicateNode] = []
    for part in parts {
      if case .or(let inner) = part { flat += inner.parts } else { flat.append(part) }
    }
    if flat.count == 1 { return flat[0] }
    return flat.isEmpty ? .false : .or(CompoundNode(parts: flat))
  }
}
