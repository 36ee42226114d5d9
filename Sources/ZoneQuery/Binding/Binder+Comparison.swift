extension Binder {
  /// A comparison with its sides classified, the field (or what is computed) on the left.
  struct Comparison {
    var quantifier: Quantifier?
    var left: Operand
    var relation: ComparisonOperator
    var right: Operand
    var folding: TextFolding
    /// Whether an odd number of `NOT`s stands before it.
    var isNegated: Bool
    /// Whether the quantifier was written as NONE, and the NOT with it.
    var isNone = false
    /// Whether CONTAINS and IN look for a part of a text.
    var isSubstring = false
    var operatorSpan: SourceSpan
    var span: SourceSpan

    /// The quantifier as it was written, for messages.
    var quantifierWord: String { isNone ? "NONE" : quantifier?.rawValue ?? "" }
  }

  /// The sides of a comparison.
  mutating func operands(of node: ComparisonNode) -> (left: Operand, right: Operand) {
    let left = node.searchedWords == .left ? Operand.allTokens(node.left.span) : operand(node.left)
    let right = node.searchedWords == .right ? Operand.allTokens(node.right.span) : operand(node.right)
    return (left, right)
  }

  mutating func bind(_ node: ComparisonNode, negated: Bool, isNone: Bool = false) -> BoundPredicate {
    if let plain = bindPlain(node, negated: negated) { return plain }
    guard node.comparison != .matches else {
      return refuse(.matches, node.operatorSpan, hint: offersExtended ? nil : "Use BEGINSWITH.")
    }
    let faults = diagnostics.count
    let (left, right) = operands(of: node)
    if case .failed = left {
      if case .field(let field) = right { suggestQuotes(node.left, opposite: field, since: faults) }
      return .constant(false)
    }
    if case .failed = right {
      if case .field(let field) = left { suggestQuotes(node.right, opposite: field, since: faults) }
      return .constant(false)
    }
    var comparison = Comparison(
      quantifier: node.quantifier, left: left, relation: node.comparison, right: right, folding: [],
      isNegated: negated, isNone: isNone, operatorSpan: node.operatorSpan, span: node.span)

    if isTokenSearch(comparison) { return bindTokens(comparison, options: node.options) }
    switch (left, right) {
    case (.tokens, _): return refuse(.tokenUse, node.comparison == .in ? node.right.span : node.operatorSpan)
    case (_, .tokens(_, let span)), (.selfReference(let span), _), (_, .selfReference(let span)),
      (.allTokens(let span), _), (_, .allTokens(let span)):
      return refuse(.tokenUse, span)
    default: break
    }
    if node.comparison == .tokenMatches { return refuse(.tokenUse, node.operatorSpan) }

    checkOptions(node)
    checkNil(node, left)
    checkNil(node, right)
    checkLists(node, left, right)
    if node.comparison == .between { checkBounds(node, right, negated: negated) }
    if isCloudKit, node.comparison == .endsWith { refuse(.endsWith, node.operatorSpan) }
    if isCloudKit, node.comparison == .like { refuse(.like, node.operatorSpan) }
    guard diagnostics.count == faults else { return .constant(false) }
    comparison.folding = TextFolding(node.options)

    if case .mixedList(let elements, let span) = right, node.quantifier == nil {
      return bindMixedList(comparison, elements, span)
    }
    if case .mixedList(let elements, let span) = left, node.comparison == .contains, node.quantifier == nil {
      (comparison.left, comparison.relation) = (right, .in)
      return bindMixedList(comparison, elements, span)
    }
    if node.comparison == .contains || node.comparison == .in { return bindMembership(comparison) }
    switch (left, right) {
    case (.distance, _), (_, .distance): return bindDistance(comparison)
    default: break
    }
    if node.quantifier != nil { return bindQuantified(comparison) }
    return bindScalar(comparison)
  }

  /// `field relation constant` where nothing is wrong: what most comparisons are, without a look at what else they
  /// could be. Nil where they are, or where there is a fault to tell.
  private func bindPlain(_ node: ComparisonNode, negated: Bool) -> BoundPredicate? {
    guard node.quantifier == nil, node.options.isEmpty, node.comparison.isRelation,
      case .key(let key) = node.left, key.path.isEmpty, case .literal(let literal) = node.right,
      literal.value.fault == nil,
      case .recordType(let recordType) = scope, let position = recordType.position(of: key.name)
    else { return nil }
    let definition = recordType.fields[position]
    guard !definition.isEncrypted, !definition.type.isList, !isCloudKit || FieldDefinition.isName(definition.name),
      let test = ValueTest(
        node.comparison, literal.value, definition.type.scalar, folding: [], options.stringEquality)
    else { return nil }
    let isNegated = negated != (node.comparison == .notEqual)
    return .comparison(
      BoundComparison(
        condition: .value(.position(position), test), isNegated: isNegated,
        whenMissing: isNegated && options.missingFields == .likeNSPredicate))
  }

  /// CloudKit's dialect has no nil; the extended one asks with it whether a single value is there.
  private mutating func checkNil(_ node: ComparisonNode, _ operand: Operand) {
    switch operand {
    case .constant(.null, let span) where isCloudKit: refuse(.nilOperand, span)
    case .constant(.null, let span) where node.quantifier != nil:
      fail("nilOperand", "A list holds no nil.", span, hint: "Write `list == nil` to ask whether there is a list.")
    case .list(let literals, let span) where literals.contains(.null):
      if isCloudKit {
        refuse(node.comparison == .between ? .nilBound : .nilInList, span)
      } else if node.quantifier != nil, node.comparison != .equal, node.comparison != .notEqual {
        if node.comparison.isRelation {
          fail("nilOperand", "nil is compared with = and != only.", span)
        } else {
          fail("nilOperand", "A list field holds no nil.", span)
        }
      }
    default: break
    }
  }

  /// Without ANY or ALL a list stands beside IN, CONTAINS and BETWEEN only.
  private mutating func checkLists(_ node: ComparisonNode, _ left: Operand, _ right: Operand) {
    if node.quantifier != nil || [.in, .contains, .between].contains(node.comparison) { return }
    for case (.list(_, let span), let other) in [(left, right), (right, left)] {
      var hint: String? = "Write `IN {…}` for one of several values, `BETWEEN {lower, upper}` for a range."
      switch other {
      case .field(let field) where field.isList:
        hint =
          "Whole lists are not compared: `ANY \(field.name) IN {…}` asks for one of the values, "
          + "`ALL {…} IN \(field.name)` for all of them."
      case .distance: hint = "Write one number of metres."
      default: break
      }
      fail(
        "listOperand", "\(node.comparison.rawValue) compares with a single value, not with a list.", span, hint: hint)
    }
  }

  private mutating func checkBounds(_ node: ComparisonNode, _ operand: Operand, negated: Bool) {
    if isCloudKit, negated, node.quantifier == nil { refuse(.negatedBetween, node.span) }
    switch operand {
    case .parameter: break
    case .mixedList(let bounds, _) where bounds.count == 2: break
    case .list(let bounds, let span) where bounds.count == 2:
      if !isCloudKit, bounds.contains(.null) { fail("nilOperand", "A bound of BETWEEN cannot be nil.", span) }
    default:
      fail(
        "betweenBounds", "BETWEEN needs a list of two bounds.", operandSpan(operand),
        hint: "Write `field BETWEEN {lower, upper}`.")
    }
  }

  private mutating func checkOptions(_ node: ComparisonNode) {
    if node.options.isEmpty { return }
    if !OperatorTable.facts(of: node.comparison).takesOptions {
      fail("optionsNotAllowed", "\(node.comparison.rawValue) takes no options.", node.operatorSpan)
    } else if node.options.contains(.normalized) {
      refuse(.normalizedOption, node.operatorSpan)
    } else if isCloudKit {
      refuse(.options, node.operatorSpan)
    } else if node.options.contains(.localeSensitive) {
      refuse(.localeOption, node.operatorSpan)
    }
  }

  /// A comparison without ANY or ALL.
  mutating func bindScalar(_ comparison: Comparison) -> BoundPredicate {
    var comparison = comparison
    switch (comparison.left, comparison.right) {
    case (.field, _) where comparison.right.isConstant: break
    case (_, .field) where comparison.left.isConstant:
      guard let mirrored = comparison.relation.mirrored else {
        if !isCloudKit, comparison.relation != .between { return bindComputed(comparison) }
        return fail(
          "operandOrder", "The field stands before \(comparison.relation.rawValue).", comparison.operatorSpan,
          hint: "Write `field \(comparison.relation.rawValue) value`.")
      }
      comparison.relation = mirrored
      swap(&comparison.left, &comparison.right)
    case (.field(let left), .field(let right)) where isCloudKit:
      return refuse(
        .fieldToField, comparison.span,
        hint: Binder.isNow(left.name) || Binder.isNow(right.name) ? Binder.nowHint : nil)
    case _ where isCloudKit: return refuse(.twoConstants, comparison.span)
    default: return bindComputed(comparison)
    }
    guard case .field(let field) = comparison.left else { return .constant(false) }
    return bindField(field, comparison)
  }

  /// `field relation constant`.
  mutating func bindField(_ field: FieldHandle, _ comparison: Comparison) -> BoundPredicate {
    if case .constant(.null, let span) = comparison.right {
      return bindNil(field, comparison, nilSpan: span)
    }
    // The value may be nil, which a list is compared with.
    if case .parameter = comparison.right, !isCloudKit, field.isList,
      comparison.relation == .equal || comparison.relation == .notEqual
    {
      return .constant(false)
    }
    if let fault = listFault(field, comparison) { return fault }
    return test(field, comparison) { .value($0, $1) }
  }

  /// What stands for a comparison of single values with a list field, if it is one.
  mutating func listFault(_ field: FieldHandle, _ comparison: Comparison) -> BoundPredicate? {
    guard field.isList else { return nil }
    let name = comparison.relation.rawValue
    let hint: String
    switch comparison.relation {
    case .equal: hint = "Write `\(field.name) CONTAINS value`."
    case .notEqual: hint = "Write `NOT \(field.name) CONTAINS value`."
    case .beginsWith: hint = "Write `ANY \(field.name) BEGINSWITH prefix`."
    default:
      let forms = "`ANY \(field.name) \(name) …` and `ALL \(field.name) \(name) …`"
      hint = isCloudKit ? "The extended dialect takes \(forms)." : "There are \(forms)."
    }
    return typeFault(
      "listField", "'\(field.name)' is a list; \(name) compares single values.", field.span,
      hint: isCloudKit && !offersExtended && !comparison.relation.asksMembers ? nil : hint,
      whenMissing: whenMissing(comparison))
  }

  /// `field = nil` asks whether the record lacks the field.
  mutating func bindNil(
    _ field: FieldHandle, _ comparison: Comparison, nilSpan: SourceSpan
  ) -> BoundPredicate {
    if isCloudKit { return refuse(.nilOperand, nilSpan) }
    guard comparison.relation == .equal || comparison.relation == .notEqual else {
      return fail(
        "nilOperand", "nil is compared with = and != only.", comparison.operatorSpan,
        hint: "Write `\(field.name) == nil` or `\(field.name) != nil`.")
    }
    let asksMissing = (comparison.relation == .equal) != comparison.isNegated
    switch field.knowledge {
    case .absent: return .constant(asksMissing)
    case .unknown: return .constant(false)
    case .known(let type):
      guard type.isQueryable else {
        return typeFault(
          "typeNotQueryable", "'\(field.name)' is \(type), which no predicate can ask about.", field.span,
          whenMissing: asksMissing)
      }
      return .comparison(
        BoundComparison(
          condition: .value(field.number, .every), isNegated: asksMissing, whenMissing: asksMissing))
    }
  }

  /// Makes the typed test of `field relation constant` and wraps it for the field's value or members.
  mutating func test(
    _ field: FieldHandle, _ comparison: Comparison,
    _ condition: (FieldNumber, ValueTest) -> BoundComparison.Condition
  ) -> BoundPredicate {
    let type: FieldType.Scalar
    switch field.knowledge {
    case .absent: return .constant(whenMissing(comparison))
    case .unknown:
      guard let guess = plausibleType(comparison.right) else { return .constant(false) }
      type = guess
    case .known(let known): type = known.scalar
    }
    guard let made = makeTest(type, field, comparison) else { return .constant(testFallback(comparison)) }
    return .comparison(
      BoundComparison(
        condition: condition(field.number, made), isNegated: comparison.isNegated != comparison.isComplement,
        whenMissing: whenMissing(comparison)))
  }

  /// What stands for a comparison whose test could not be made: nothing where a fault was recorded, and the rule
  /// for missing fields where the value's type does not fit and there is no schema to say so.
  func testFallback(_ comparison: Comparison) -> Bool {
    if case .shape = scope { return whenMissing(comparison) }
    return false
  }

  /// The answer for a record that lacks the field.
  func whenMissing(_ comparison: Comparison) -> Bool {
    guard options.missingFields == .likeNSPredicate else { return false }
    // ANY and ALL over a missing list are false whatever their operator; a single missing value is nil.
    if comparison.quantifier != nil { return comparison.isNegated }
    return comparison.isNegated != comparison.isComplement
  }

  /// The type to check an operand against where the field's own is not known.
  private func plausibleType(_ operand: Operand) -> FieldType.Scalar? {
    let literal: Literal?
    switch operand {
    case .constant(let value, _): literal = value
    case .list(let values, _): literal = values.first
    default: literal = nil
    }
    switch literal {
    case nil, .null?: return nil
    case .integer, .double: return .double
    case .string: return .string
    case .date: return .timestamp
    case .location: return .location
    case .reference: return .reference
    }
  }
}

extension ComparisonOperator {
  /// Whether it is one of `== != < <= > >=`.
  var isRelation: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// Whether CloudKit's dialect asks it of the members of a list too.
  fileprivate var asksMembers: Bool { self == .equal || self == .notEqual || self == .beginsWith }
}

extension FieldHandle {
  /// Whether it is known to be a list.
  var isList: Bool { if case .known(let type) = knowledge { type.isList } else { false } }
}

extension Binder.Comparison {
  /// Whether the operator is the complement of the test that is made for it: `!=` is tested as `=`, negated.
  var isComplement: Bool { relation == .notEqual }

}
