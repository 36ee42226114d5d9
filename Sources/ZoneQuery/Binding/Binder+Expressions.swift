/// What an expression comes to, as far as it is known before a record is seen.
enum ComputedKind: Sendable, Hashable {
  case number, text, timestamp, reference, location
  indirect case list(ComputedKind)
  /// The scope does not tell, or there is nothing to tell (an empty list).
  case unknown

  init(_ scalar: FieldType.Scalar) {
    switch scalar {
    case .string: self = .text
    case .int64, .double: self = .number
    case .timestamp: self = .timestamp
    case .location: self = .location
    case .reference: self = .reference
    case .bytes, .asset: self = .unknown
    }
  }

  init(_ type: FieldType) {
    self = type.isList ? .list(ComputedKind(type.scalar)) : ComputedKind(type.scalar)
  }

  init(_ literal: Literal) {
    switch literal {
    case .null: self = .unknown
    case .integer, .double: self = .number
    case .string: self = .text
    case .date: self = .timestamp
    case .location: self = .location
    case .reference: self = .reference
    }
  }

  /// Whether values of the two can be compared at all.
  func agrees(with other: ComputedKind) -> Bool {
    switch (self, other) {
    case (.unknown, _), (_, .unknown): true
    case (.list(let a), .list(let b)): a.agrees(with: b)
    default: self == other
    }
  }

  var name: String {
    switch self {
    case .number: "a number"
    case .text: "a text"
    case .timestamp: "a date"
    case .reference: "a record ID"
    case .location: "a location"
    case .list(let member): member == .unknown ? "a list" : "a list of \(member.plural)"
    case .unknown: "a value"
    }
  }

  fileprivate var plural: String {
    switch self {
    case .number: "numbers"
    case .text: "texts"
    case .timestamp: "dates"
    case .reference: "record IDs"
    case .location: "locations"
    case .list: "lists"
    case .unknown: "values"
    }
  }
}

extension Binder {
  /// An expression with what it comes to.
  struct Expression {
    var node: BoundExpression
    var kind: ComputedKind
  }

  /// An operand that has to be computed; constants fold into constants.
  mutating func computedOperand(_ node: ExpressionNode) -> Operand {
    guard let expression = expression(node) else { return .failed }
    if case .constant(let value) = expression.node {
      switch value {
      case .missing, .list: break
      default:
        if let literal = value.literal { return .constant(literal, node.span) }
      }
    }
    return .computed(expression.node, expression.kind, node.span)
  }

  /// A comparison of computed values, or of one field with another.
  mutating func bindComputed(_ comparison: Comparison) -> BoundPredicate {
    if let quantifier = comparison.quantifier {
      return fail(
        "quantifierOperand", "\(quantifier.rawValue) takes a list field and a constant.", comparison.span)
    }
    if case .constant(.null, _) = comparison.left {
      guard comparison.relation == .equal || comparison.relation == .notEqual else {
        return fail("nilOperand", "nil is compared with = and != only.", comparison.operatorSpan)
      }
      var mirrored = comparison
      swap(&mirrored.left, &mirrored.right)
      if case .constant(.null, _) = mirrored.left {} else { return bindComputed(mirrored) }
    }
    if comparison.relation == .between { return bindComputedRange(comparison) }
    guard let left = expression(comparison.left), let right = expression(comparison.right) else {
      return .constant(false)
    }
    guard let kind = relationKind(comparison, left, right) else { return computedMismatch(comparison, left, right) }
    if kind == .member, case .recordType = scope, case .list(let literals, _) = comparison.right,
      let other = literals.map({ ComputedKind($0) }).first(where: { !$0.agrees(with: left.kind) })
    {
      return computedMismatch(comparison, left, Expression(node: right.node, kind: .list(other)))
    }
    if kind == .text(.pattern), case .constant(.text(let pattern)) = right.node,
      !accepts(TextTest(.pattern, pattern, folding: comparison.folding), comparison)
    {
      return .constant(false)
    }
    if case .open = scope { return .constant(false) }
    // The element of a membership stands left; of a text and a part of it, the text does.
    let (first, second) = kind == .text(.substring) ? (right, left) : (left, right)
    var folding = comparison.folding
    if options.stringEquality == .caseInsensitive, kind == .equal || kind == .member { folding.insert(.case) }
    let readsNil = options.missingFields == .likeNSPredicate
    let missing: Bool
    if case .constant(.null, _) = comparison.right {
      // What has no value is nil; the relation itself never holds.
      missing = comparison.isNegated == comparison.isComplement
      return .comparison(
        BoundComparison(
          condition: .computed(left.node, ComputedRelation(kind: .present, folding: []), right.node),
          isNegated: missing, whenMissing: missing))
    }
    missing = readsNil && comparison.isNegated != comparison.isComplement
    return .comparison(
      BoundComparison(
        condition: .computed(
          first.node,
          ComputedRelation(kind: kind, folding: folding, missingEqualsMissing: readsNil && kind == .equal),
          second.node),
        isNegated: comparison.isNegated != comparison.isComplement, whenMissing: missing))
  }

  /// `value BETWEEN {a, b}` and `value IN {a, b}` where an element is a field or computed: one comparison each.
  mutating func bindMixedList(
    _ comparison: Comparison, _ elements: [Operand], _ span: SourceSpan
  ) -> BoundPredicate {
    var part = comparison
    let relations: [ComparisonOperator]
    switch comparison.relation {
    case .between: relations = [.greaterOrEqual, .lessOrEqual]
    case .in: relations = elements.map { _ in .equal }
    default:
      return fail(
        "listElement", "A list that holds fields stands behind IN and BETWEEN only.", span,
        hint: "Write one comparison for each, joined by OR.")
    }
    var parts: [BoundPredicate] = []
    for (relation, element) in zip(relations, elements) {
      part.relation = relation
      part.right = element
      parts.append(bindScalar(part))
    }
    return (comparison.relation == .between) != comparison.isNegated ? .all(of: parts) : .any(of: parts)
  }

  /// `expression BETWEEN {a, b}` is two comparisons.
  private mutating func bindComputedRange(_ comparison: Comparison) -> BoundPredicate {
    guard case .list(let bounds, let span) = comparison.right, bounds.count == 2 else { return .constant(false) }
    var lower = comparison
    lower.relation = .greaterOrEqual
    lower.right = .constant(bounds[0], span)
    var upper = comparison
    upper.relation = .lessOrEqual
    upper.right = .constant(bounds[1], span)
    let parts = [bindComputed(lower), bindComputed(upper)]
    return comparison.isNegated ? .any(of: parts) : .all(of: parts)
  }

  /// The relation a comparison asks for, if values of these kinds can stand in it.
  private func relationKind(
    _ comparison: Comparison, _ left: Expression, _ right: Expression
  ) -> ComputedRelation.Kind? {
    if case .constant(.null, _) = comparison.right {
      return comparison.relation == .equal || comparison.relation == .notEqual ? .present : nil
    }
    var (element, collection) = (left.kind, right.kind)
    switch comparison.relation {
    case .equal, .notEqual:
      if case .list = element { return nil }
      return element.agrees(with: collection) ? .equal : nil
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard element.agrees(with: collection) else { return nil }
      switch element == .unknown ? collection : element {
      case .number, .text, .timestamp, .unknown: break
      default: return nil
      }
      return switch comparison.relation {
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      default: .greaterOrEqual
      }
    case .in, .contains:
      // Membership has been turned to `element IN collection` by the caller.
      switch (element, collection) {
      case (_, .list(let member)): return member.agrees(with: element) ? .member : nil
      case (.list, _): return nil
      // What is no text is no part of one: what it is looked for in is a list.
      case (_, .unknown) where !element.agrees(with: .text): return .member
      default: break
      }
      swap(&element, &collection)
      return element.agrees(with: .text) && collection.agrees(with: .text) ? .text(.substring) : nil
    case .beginsWith, .endsWith, .like:
      guard element.agrees(with: .text), collection.agrees(with: .text) else { return nil }
      return .text(comparison.relation.textRelation)
    case .between, .matches, .tokenMatches: return nil
    }
  }

  private mutating func computedMismatch(
    _ comparison: Comparison, _ left: Expression, _ right: Expression
  ) -> BoundPredicate {
    if comparison.relation == .in || comparison.relation == .contains {
      let (message, hint): (String, String)
      if case .list(let member) = right.kind {
        // `ANY list = value` comes here too.
        message = "A list of \(member.plural) holds no \(left.kind.plural)."
        hint = "What is looked for is of the members' type."
      } else {
        message = "\(comparison.relation.rawValue) looks in a list or a text, not in \(right.kind.name)."
        hint = "Write `value IN {a, b}`, `value IN listField`, or `part IN text`."
      }
      return typeFault(
        "inList", message, operandSpan(comparison.right), hint: hint, whenMissing: whenMissing(comparison))
    }
    return typeFault(
      "typeMismatch",
      "\(comparison.relation.rawValue) does not take \(left.kind.name) and \(right.kind.name).",
      comparison.operatorSpan, whenMissing: whenMissing(comparison))
  }

  /// The expression of an operand.
  private mutating func expression(_ operand: Operand) -> Expression? {
    switch operand {
    case .constant(let literal, let span):
      guard let value = ComputedValue(literal) else {
        fail("constant", "The constant has no value.", span)
        return nil
      }
      return Expression(node: .constant(value), kind: ComputedKind(literal))
    case .list(let literals, let span):
      let values = literals.compactMap(ComputedValue.init)
      guard values.count == literals.count else {
        fail("constant", "The list holds a constant without a value.", span)
        return nil
      }
      let kind = literals.first { $0 != .null }.map { ComputedKind($0) } ?? .unknown
      return Expression(node: .constant(.list(values)), kind: .list(kind))
    case .field(let field): return expression(field)
    case .distance(let field, let latitude, let longitude, _):
      switch field.knowledge {
      case .known: break
      case .unknown, .absent: return Expression(node: .constant(.missing), kind: .number)
      }
      return Expression(
        node: .distance(field.number, latitude: latitude, longitude: longitude), kind: .number)
    case .computed(let node, let kind, _): return Expression(node: node, kind: kind)
    case .parameter: return Expression(node: .constant(.missing), kind: .unknown)
    case .mixedList(_, let span):
      fail(
        "listElement", "A list that holds fields stands behind IN and BETWEEN only.", span,
        hint: "Elsewhere a list is a field's, or one of constants: {1, 2}.")
      return nil
    case .allTokens(let span), .selfReference(let span), .tokens(_, let span):
      refuse(.tokenUse, span)
      return nil
    case .failed: return nil
    }
  }

  private mutating func expression(_ field: FieldHandle) -> Expression? {
    switch field.knowledge {
    case .unknown, .absent: return Expression(node: .constant(.missing), kind: .unknown)
    case .known(let type):
      guard type.isQueryable else {
        // Without a schema it is the value that counts as missing.
        if case .shape = scope { return Expression(node: .constant(.missing), kind: .unknown) }
        fail("typeNotQueryable", "'\(field.name)' is \(type), which no predicate can ask about.", field.span)
        return nil
      }
      return Expression(node: .field(field.number, type), kind: ComputedKind(type))
    }
  }

  /// The expression of a node, constants folded.
  mutating func expression(_ node: ExpressionNode) -> Expression? {
    switch node {
    case .unary(let unary):
      guard let operand = number(unary.operand, for: "\(unary.operation.rawValue)") else { return nil }
      return folded(unary.operation == .negate ? .negated(operand) : .complement(operand), .number)
    case .binary(let binary):
      let name = binary.operation.rawValue
      guard let left = number(binary.left, for: name), let right = number(binary.right, for: name) else {
        return nil
      }
      return folded(.arithmetic(binary.operation, left, right), .number)
    case .key(let key) where Binder.isCount(key.path):
      return count(of: .key(KeyNode(key.name, span: key.span)), key.span)
    case .property(let property) where Binder.isCount(property.components):
      return count(of: property.base, property.span)
    case .index(let index): return element(index)
    case .ternary(let ternary):
      let condition = bind(ternary.condition, negated: false)
      guard let then = expression(ternary.then), let otherwise = expression(ternary.otherwise) else { return nil }
      guard then.kind.agrees(with: otherwise.kind) else {
        if case .shape = scope { return Expression(node: .constant(.missing), kind: .unknown) }
        fail(
          "typeMismatch", "TERNARY would give \(then.kind.name) or \(otherwise.kind.name).", ternary.span,
          hint: "Both values need one type.")
        return nil
      }
      let kind = then.kind == .unknown ? otherwise.kind : then.kind
      return Expression(node: .ternary(BoundCondition(condition), then.node, otherwise.node), kind: kind)
    case .function(let call):
      switch call.function {
      case .now, .distance, .tokenize, .random, .randomBelow: break
      default: return function(call)
      }
    default: break
    }
    let operand = operand(node)
    return expression(operand)
  }

  private mutating func number(_ node: ExpressionNode, for name: String) -> BoundExpression? {
    guard let expression = expression(node) else { return nil }
    guard expression.kind.agrees(with: .number) else { return wrongKind(name, "a number", expression, node.span) }
    return expression.node
  }

  private mutating func list(_ node: ExpressionNode, for name: String) -> Expression? {
    guard let expression = expression(node) else { return nil }
    switch expression.kind {
    case .list, .unknown: return expression
    default:
      _ = wrongKind(name, "a list", expression, node.span)
      return nil
    }
  }

  /// A value of the wrong kind: a fault with a schema, a missing value without one.
  private mutating func wrongKind(
    _ name: String, _ wanted: String, _ found: Expression, _ span: SourceSpan
  ) -> BoundExpression? {
    if case .shape = scope { return .constant(.missing) }
    fail("typeMismatch", "\(name) needs \(wanted), not \(found.kind.name).", span)
    return nil
  }

  private mutating func count(of node: ExpressionNode, _ span: SourceSpan) -> Expression? {
    guard let list = list(node, for: "@count") else { return nil }
    return folded(.count(list.node), .number)
  }

  private mutating func element(_ index: IndexNode) -> Expression? {
    guard let list = list(index.base, for: "an index") else { return nil }
    let kind: ComputedKind = if case .list(let member) = list.kind { member } else { .unknown }
    switch index.selector {
    case .size: return folded(.count(list.node), .number)
    case .first: return folded(.element(list.node, .first), kind)
    case .last: return folded(.element(list.node, .last), kind)
    case .at(let position):
      guard let position = number(position, for: "an index") else { return nil }
      return folded(.element(list.node, .at(position)), kind)
    }
  }

  /// Calls of the named functions.
  private mutating func function(_ call: FunctionNode) -> Expression? {
    let name = call.function.rawValue
    let facts = OperatorTable.facts(of: call.function)
    if let refusal = facts.refusal {
      fail("functionNotSupported", "\(name) is not evaluated: \(refusal).", call.nameSpan)
      return nil
    }
    guard facts.argumentCount.contains(call.arguments.count) else {
      let wanted = facts.argumentCount.lowerBound
      fail("argumentCount", "\(name) takes \(wanted) argument\(wanted == 1 ? "" : "s")", call.span)
      return nil
    }
    switch call.function {
    case .uppercase, .lowercase, .length:
      guard let argument = expression(call.arguments[0]) else { return nil }
      guard argument.kind.agrees(with: .text) else {
        guard let missing = wrongKind(name, "a text", argument, call.arguments[0].span) else { return nil }
        return Expression(node: missing, kind: .unknown)
      }
      return folded(.function(call.function, [argument.node]), call.function == .length ? .number : .text)
    case .count:
      return count(of: call.arguments[0], call.span)
    case .sum, .min, .max, .average, .median, .mode, .standardDeviation:
      return aggregate(call)
    default:
      var arguments: [BoundExpression] = []
      let quotient = call.quotientRounded
      for argument in quotient ?? call.arguments {
        guard let number = number(argument, for: quotient == nil ? name : "/") else { return nil }
        arguments.append(number)
      }
      return folded(.function(call.function, arguments), .number)
    }
  }

  /// `sum(list)` and its like.
  private mutating func aggregate(_ call: FunctionNode) -> Expression? {
    let takesOrder = call.function == .min || call.function == .max || call.function == .mode
    var members: [BoundExpression] = []
    var kinds: [ComputedKind] = []
    for node in call.arguments {
      guard let argument = expression(node) else { return nil }
      var kind = argument.kind
      if case .list(let member) = kind { kind = member }
      guard kind.agrees(with: .number) || takesOrder && (kind == .text || kind == .timestamp) else {
        guard let missing = wrongKind(call.function.rawValue, "numbers", argument, node.span) else { return nil }
        return Expression(node: missing, kind: .unknown)
      }
      members.append(argument.node)
      kinds.append(kind)
    }
    let kind = kinds.first { $0 != .unknown } ?? (takesOrder ? .unknown : .number)
    return folded(.function(call.function, members), kind)
  }

  /// The expression, evaluated at once where no field takes part.
  private func folded(_ node: BoundExpression, _ kind: ComputedKind) -> Expression {
    Expression(node: node.isConstant ? .constant(node.evaluate(NoFields())) : node, kind: kind)
  }
}

extension FunctionNode {
  /// The dividend and the divisor, where a function that rounds is called with a quotient.
  fileprivate var quotientRounded: [ExpressionNode]? {
    guard [.floor, .ceiling, .truncate].contains(function) else { return nil }
    switch arguments[0] {
    case .binary(let quotient) where quotient.operation == .divide: return [quotient.left, quotient.right]
    case .function(let quotient) where quotient.function == .divide && quotient.arguments.count == 2:
      return quotient.arguments
    default: return nil
    }
  }
}
