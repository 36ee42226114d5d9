/// A predicate as a hint shows it: whole where it is short, else with … for its constants.
enum HintText {
  private static let most = 160

  /// Nil where it is long even so.
  static func text(of node: PredicateNode) -> String? {
    if isShort(node), let text = shown(node) { return text }
    return shown(shortened(node))
  }

  /// The text, if it is short and holds nothing that a terminal would act on.
  private static func shown(_ node: PredicateNode) -> String? {
    let text = QueryPredicate(node).description
    return sameBytes(SyntaxError.excerpt(text, most: most), text) ? text : nil
  }

  /// Whether it is worth printing: lists may hold thousands of values.
  private static func isShort(_ node: PredicateNode) -> Bool {
    switch node {
    case .constant: true
    case .comparison(let comparison): isShort(comparison.left) && isShort(comparison.right)
    case .not(let not): isShort(not.operand)
    case .and(let compound), .or(let compound): compound.parts.allSatisfy(isShort)
    }
  }

  private static func isShort(_ node: ExpressionNode) -> Bool {
    switch node {
    case .list(let list): list.elements.count <= 16 && list.elements.allSatisfy(isShort)
    case .literal(let literal):
      if case .string(let text) = literal.value { text.utf8.count <= most } else { true }
    default: true
    }
  }

  private static func shortened(_ node: PredicateNode) -> PredicateNode {
    switch node {
    case .constant: return node
    case .comparison(var comparison):
      comparison.left = shortened(comparison.left)
      comparison.right = shortened(comparison.right)
      return .comparison(comparison)
    case .not(let not): return .not(NotNode(shortened(not.operand)))
    case .and(let compound): return .all(of: compound.parts.map(shortened))
    case .or(let compound): return .any(of: compound.parts.map(shortened))
    }
  }

  private static func shortened(_ node: ExpressionNode) -> ExpressionNode {
    switch node {
    case .literal: return .key(KeyNode("…"))
    case .list: return .key(KeyNode("{…}"))
    case .function(var call):
      call.arguments = call.arguments.map(shortened)
      return .function(call)
    default: return node
    }
  }
}
