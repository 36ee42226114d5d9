internal import PredicateSyntax

/// What a comparison mentions, wherever in it.
struct ComparisonMentions: Sendable {
  /// The names of fields, each once.
  private(set) var names: [String] = []
  /// The constants, but `nil`.
  private(set) var constants: [Literal] = []
  /// Whether it looks at the words of all fields.
  private(set) var isTokenSearch = false
  /// Whether it computes a value from others, so that a field is equal to no constant where the comparison turns.
  private(set) var isComputed = false
  private let now: Literal

  /// What a comparison mentions, and a literal for what `now()` gives.
  init(_ comparison: ComparisonNode, now: Literal) {
    self.now = now
    visit(comparison)
  }

  private mutating func visit(_ comparison: ComparisonNode) {
    visit(comparison.left)
    visit(comparison.right)
  }

  private mutating func visit(_ predicate: PredicateNode) {
    switch predicate {
    case .constant: break
    case .not(let node): visit(node.operand)
    case .and(let node), .or(let node): for part in node.parts { visit(part) }
    case .comparison(let node): visit(node)
    }
  }

  private mutating func visit(_ expression: ExpressionNode) {
    switch expression {
    case .literal(let node):
      if node.value != .null { constants.append(node.value) }
    case .key(let node):
      if sameBytes(node.name, "allTokens") {
        isTokenSearch = true
      } else if !names.contains(where: { sameBytes($0, node.name) }) {
        names.append(node.name)
      }
      if !node.path.isEmpty { isComputed = true }
    case .selfReference: isTokenSearch = true
    case .list(let node): for element in node.elements { visit(element) }
    case .unary(let node):
      isComputed = true
      visit(node.operand)
    case .binary(let node):
      isComputed = true
      visit(node.left)
      visit(node.right)
    case .index(let node):
      isComputed = true
      visit(node.base)
      if case .at(let position) = node.selector { visit(position) }
    case .function(let node): visit(node)
    case .ternary(let node):
      visit(node.condition)
      visit(node.then)
      visit(node.otherwise)
    // No dialect evaluates these with a value put in for each variable.
    case .property, .variable, .customFunction, .subquery, .cast, .assignment: break
    }
  }

  private mutating func visit(_ call: FunctionNode) {
    switch call.function {
    case .now: constants.append(now)
    // The letters behind the text are no words.
    case .tokenize: for argument in call.arguments.prefix(1) { visit(argument) }
    case .distance: for argument in call.arguments { visit(argument) }
    default:
      isComputed = true
      for argument in call.arguments { visit(argument) }
    }
  }
}
