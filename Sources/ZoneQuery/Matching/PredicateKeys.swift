extension QueryPredicate {
  /// The names of the fields that the predicate mentions, each once, in the order they are first mentioned; system fields by
  /// their keys, and of a path (`owner.name`) the first name. What searches the words of all fields names none.
  ///
  /// ```swift
  /// try QueryPredicate(format: "city = $city AND start > capacity").fieldNames   // ["city", "start", "capacity"]
  /// ```
  ///
  /// Complexity: linear in the predicate.
  public var fieldNames: [String] { PredicateKeys(root).names.map(\.text) }

  /// The names of the predicate's parameters, without the `$`, each once, in the order they are first mentioned.
  ///
  /// Complexity: linear in the predicate.
  public var parameterNames: [String] { VariableMentions(root).names.map(\.text) }
}

/// The field names a predicate mentions, each once, and whether it searches for words.
package struct PredicateKeys {
  package private(set) var names: [ByteKey] = []
  private(set) var isTokenSearch = false
  /// Whether it mentions `allTokens`, which is a search for words where the record type has no field of the name.
  private(set) var mentionsAllTokens = false
  private var seen: Set<ByteKey> = []

  package init(_ root: PredicateNode) { visit(root) }

  init(_ expression: ExpressionNode) { visit(expression) }

  private mutating func visit(_ node: PredicateNode) {
    switch node {
    case .constant: break
    case .not(let not): visit(not.operand)
    case .and(let compound), .or(let compound): for part in compound.parts { visit(part) }
    case .comparison(let comparison):
      visit(comparison.left)
      visit(comparison.right)
    }
  }

  private mutating func visit(_ node: ExpressionNode) {
    switch node {
    case .literal, .variable: break
    case .selfReference: isTokenSearch = true
    case .key(let key):
      let name = ByteKey(key.name)
      if sameBytes(name.text, "allTokens") {
        (isTokenSearch, mentionsAllTokens) = (true, true)
        return
      }
      if seen.insert(name).inserted { names.append(name) }
    case .list(let list): for element in list.elements { visit(element) }
    case .unary(let unary): visit(unary.operand)
    case .binary(let binary):
      visit(binary.left)
      visit(binary.right)
    case .property(let property): visit(property.base)
    case .index(let index):
      visit(index.base)
      if case .at(let position) = index.selector { visit(position) }
    case .function(let call): for argument in call.arguments { visit(argument) }
    case .ternary(let ternary):
      visit(ternary.condition)
      visit(ternary.then)
      visit(ternary.otherwise)
    // No dialect evaluates these; the binder says so.
    case .customFunction, .subquery, .cast, .assignment: break
    }
  }
}
