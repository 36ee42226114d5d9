/// How high a tree is and how many nodes it has, counted as the parser counts them: a constant or a key is one node of
/// height 1, the elements of a list are not counted but for lists among them and their elements; constants count as
/// `SyntaxLimits.constantBytes` says. Of a tree with more nodes than `most`, or with more constants than may be, no more
/// is looked at: parts that a tree shares with itself can make it exponentially large.
struct TreeSize: Sendable, Hashable {
  var height: Int
  var nodes: Int
  var constantBytes: Int

  /// A tree of one node, which is no constant.
  static let leaf = TreeSize(height: 1, nodes: 1, constantBytes: 0)

  /// A tree of one constant.
  static func constant(_ literal: Literal) -> TreeSize {
    TreeSize(height: 1, nodes: 1, constantBytes: literal.weight)
  }

  /// What trees built in Swift may use up: as much as a text may by default, so that every tree prints to a text that
  /// reads back.
  static let limits = SyntaxLimits()

  /// How many nodes a tree that was made node by node may have: more than one that is combined of predicates, since
  /// somebody has written each of them down.
  static let most = 1 << 18

  /// The size of a node over subtrees.
  static func over(_ parts: TreeSize...) -> TreeSize {
    parts.reduce(into: leaf) { $0.grow(over: $1) }
  }

  /// What is wrong with a tree of this size, if anything is.
  var fault: Diagnostic? {
    if height > TreeSize.limits.nesting { return .nestingTooDeep }
    if nodes > TreeSize.limits.nodes { return .tooManyNodes(TreeSize.limits.nodes) }
    return constantBytes > TreeSize.limits.constantBytes ? .tooManyConstants : nil
  }

  /// What is wrong with a tree of this size that was made node by node, if anything is.
  var faultOfNodes: Diagnostic? {
    if nodes > TreeSize.most { return .tooManyNodes(TreeSize.most) }
    return constantBytes > TreeSize.limits.constantBytes ? .tooManyConstants : nil
  }

  /// The size of a tree; nil where it nests deeper than the limit, which is as deep as it is looked at.
  ///
  /// Complexity: linear in the tree.
  init?(of root: PredicateNode) {
    self.init(root, levels: TreeSize.limits.nesting)
  }

  /// The size of an expression; nil where it nests deeper than the limit.
  init?(of node: ExpressionNode) {
    self.init(node, levels: TreeSize.limits.nesting)
  }

  private init(height: Int, nodes: Int, constantBytes: Int) {
    self.height = height
    self.nodes = nodes
    self.constantBytes = constantBytes
  }

  private init?(_ node: PredicateNode, levels: Int) {
    guard levels > 0 else { return nil }
    switch node {
    case .constant: self = .leaf
    case .not(let not):
      guard let operand = TreeSize(not.operand, levels: levels - 1) else { return nil }
      self = .over(operand)
    case .and(let compound), .or(let compound):
      self = .leaf
      for part in compound.parts where !isTooLarge {
        guard let size = TreeSize(part, levels: levels - 1) else { return nil }
        grow(over: size)
      }
    case .comparison(let comparison):
      self = .leaf
      for side in [comparison.left, comparison.right] where !isTooLarge {
        guard let size = TreeSize(side, levels: levels - 1) else { return nil }
        grow(over: size)
      }
    }
  }

  private init?(_ node: ExpressionNode, levels: Int) {
    guard levels > 0 else { return nil }
    self = .leaf
    if case .literal(let literal) = node { self = .constant(literal.value) }
    for part in node.operands where !isTooLarge {
      guard let size = TreeSize(part, levels: levels - 1) else { return nil }
      grow(over: size)
      if case .list(let inner) = part, node.isList {
        nodes += inner.elements.count
      } else if node.isList {
        nodes -= 1
      }
    }
    if isTooLarge { return }
    switch node {
    case .ternary(let ternary):
      guard let size = TreeSize(ternary.condition, levels: levels - 1) else { return nil }
      grow(over: size)
    case .subquery(let subquery):
      guard let size = TreeSize(subquery.predicate, levels: levels - 1) else { return nil }
      grow(over: size)
    default: break
    }
  }

  /// Whether it is larger than any tree may be.
  private var isTooLarge: Bool { faultOfNodes != nil }

  /// Makes it the size of a tree with one more part under its root.
  mutating func grow(over part: TreeSize) {
    height = max(height, part.height + 1)
    nodes += part.nodes
    constantBytes += part.constantBytes
  }
}

extension ExpressionNode {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }

  /// The expressions directly within this one, conditions apart.
  var operands: [ExpressionNode] {
    switch self {
    case .literal, .key, .selfReference, .variable: []
    case .list(let node): node.elements
    case .unary(let node): [node.operand]
    case .binary(let node): [node.left, node.right]
    case .property(let node): [node.base]
    case .index(let node): if case .at(let position) = node.selector { [node.base, position] } else { [node.base] }
    case .function(let node): node.arguments
    case .customFunction(let node): [node.target] + node.arguments
    case .subquery(let node): [node.collection]
    case .ternary(let node): [node.then, node.otherwise]
    case .cast(let node): [node.value]
    case .assignment(let node): [node.value]
    }
  }
}

extension Diagnostic {
  /// A tree built in Swift nests too deep.
  static let nestingTooDeep = Diagnostic(
    stage: .parser, code: "nestingTooDeep",
    message: "The predicate nests more than \(TreeSize.limits.nesting) deep.", range: nil,
    hint: "A list of alternatives is flat: QueryPredicate.any(of: predicates).")

  /// A tree built in Swift has more nodes than it may have.
  static func tooManyNodes(_ most: Int) -> Diagnostic {
    Diagnostic(
      stage: .parser, code: "tooManyNodes", message: "The predicate has more than \(most) parts.", range: nil,
      hint:
        "Many values for one field belong into one list: Field(\"name\").isIn(values). A comparison is three parts: "
        + "itself and its two sides.")
  }

  /// A predicate's constants take too much.
  static let tooManyConstants = Diagnostic(
    stage: .parser, code: "tooManyConstants", message: SyntaxLimits.tooManyConstants(TreeSize.limits.constantBytes),
    range: nil, hint: SyntaxLimits.fewerConstants)

  /// A value, a name or a form that was put into a predicate in Swift and cannot stand there.
  static func argument(_ code: String, _ message: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(stage: .arguments, code: code, message: message, range: nil, hint: hint)
  }

  /// As many faults as one predicate carries, the first of each kind alone.
  static func merged(_ left: [Diagnostic], _ right: [Diagnostic]) -> [Diagnostic] {
    if right.isEmpty { return left }
    var all = left
    for fault in right where all.count < most && !all.contains(fault) { all.append(fault) }
    return all
  }
}
