/// What a query asks of the fields it names, in the order it names them: the filter's first, then the sort's.
struct IndexUses {
  struct Use {
    var key: String
    var purpose: MissingIndex.Purpose
    /// Where the predicate names the field.
    var range: SourceRange?
  }

  private(set) var uses: [Use] = []
  /// Where the first search for words stands, if there is one.
  private(set) var tokenSearch: SourceSpan?
  /// Whether `allTokens` is the name of a field.
  private let hasTokensField: Bool

  /// Complexity: linear in the query.
  init(of query: Query, hasFieldNamedAllTokens: Bool) {
    hasTokensField = hasFieldNamedAllTokens
    visit(query.predicate.root)
    if uses.isEmpty, tokenSearch == nil {
      uses.append(Use(key: SystemField.recordID.key, purpose: .everyRecord, range: nil))
    }
    for key in query.sort {
      uses.append(Use(key: key.key, purpose: key.origin == nil ? .sort : .distanceSort, range: nil))
    }
  }

  private mutating func visit(_ node: PredicateNode) {
    switch node {
    case .constant: break
    // Of NOT and NONE the comparison under them decides: a negated range is a range.
    case .not(let not): visit(not.operand)
    case .and(let compound), .or(let compound): for part in compound.parts { visit(part) }
    case .comparison(let comparison): visit(comparison)
    }
  }

  private mutating func visit(_ comparison: ComparisonNode) {
    let purpose: MissingIndex.Purpose = isRange(comparison) ? .range : .filter
    if let side = comparison.searchedWords {
      searchWords(side == .left ? comparison.left.span : comparison.right.span)
      visit(side == .left ? comparison.right : comparison.left, purpose)
      return
    }
    visit(comparison.left, purpose)
    visit(comparison.right, purpose)
  }

  private mutating func searchWords(_ span: SourceSpan) {
    if tokenSearch == nil { tokenSearch = span }
  }

  /// Whether a comparison holds one value of a field against bounds, which an index in the field's order answers too.
  private func isRange(_ comparison: ComparisonNode) -> Bool {
    switch comparison.comparison {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: break
    default: return false
    }
    guard comparison.quantifier == nil else { return false }
    return isField(comparison.left) && isConstant(comparison.right)
      || isConstant(comparison.left) && isField(comparison.right)
  }

  private func isField(_ node: ExpressionNode) -> Bool {
    if case .key(let key) = node { key.path.isEmpty } else { false }
  }

  private func isConstant(_ node: ExpressionNode) -> Bool {
    switch node {
    case .literal, .variable: true
    case .function(let call): call.function == .now
    case .list(let list): list.elements.allSatisfy(isConstant)
    default: false
    }
  }

  private mutating func visit(_ node: ExpressionNode, _ purpose: MissingIndex.Purpose) {
    switch node {
    case .literal, .variable: break
    case .selfReference(let node): searchWords(node.span)
    case .key(let key):
      if key.isAllTokens, !hasTokensField {
        searchWords(key.span)
      } else {
        uses.append(Use(key: key.name, purpose: purpose, range: key.span.range))
      }
    case .list(let list): for element in list.elements { visit(element, purpose) }
    case .unary(let unary): visit(unary.operand, .filter)
    case .binary(let binary):
      visit(binary.left, .filter)
      visit(binary.right, .filter)
    case .property(let property): visit(property.base, .filter)
    case .index(let index):
      visit(index.base, .filter)
      if case .at(let position) = index.selector { visit(position, .filter) }
    case .function(let call):
      let purpose: MissingIndex.Purpose = call.function == .distance ? .distance : .filter
      for argument in call.arguments { visit(argument, purpose) }
    case .ternary(let ternary):
      visit(ternary.condition)
      visit(ternary.then, .filter)
      visit(ternary.otherwise, .filter)
    // No dialect evaluates these; the binder says so.
    case .customFunction, .subquery, .cast, .assignment: break
    }
  }
}
