internal import FoundationEssentials

// MARK: - Logic

extension PredicateExpressions.Conjunction: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let first = try converter.predicate(lhs)
    // As in Swift, the second part is not looked at where the first decides: it may compare with what is nil.
    if case .constant(let constant) = first {
      return .predicate(constant.value ? try converter.predicate(rhs) : first)
    }
    let second = try converter.predicate(rhs)
    if case .constant(let constant) = second { return .predicate(constant.value ? first : second) }
    return .predicate(.all(of: [first, second]))
  }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let first = try converter.predicate(lhs)
    if case .constant(let constant) = first {
      return .predicate(constant.value ? first : try converter.predicate(rhs))
    }
    let second = try converter.predicate(rhs)
    if case .constant(let constant) = second { return .predicate(constant.value ? second : first) }
    return .predicate(.any(of: [first, second]))
  }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .predicate(.not(NotNode(try converter.predicate(wrapped))))
  }
}

extension PredicateExpressions.Conditional: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let condition = try converter.predicate(test)
    if case .constant(let constant) = condition {
      return try constant.value ? converter.convert(trueBranch) : converter.convert(falseBranch)
    }
    let then = try converter.value(trueBranch)
    let otherwise = try converter.value(falseBranch)
    return .value(.ternary(TernaryNode(condition, then, otherwise)))
  }
}

// MARK: - Equality

extension PredicateExpressions.Equal: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    try converter.equality(lhs, rhs, isNegated: false)
  }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    try converter.equality(lhs, rhs, isNegated: true)
  }
}

extension PredicateConverter {
  fileprivate mutating func equality(
    _ lhs: some PredicateExpression, _ rhs: some PredicateExpression, isNegated: Bool
  ) throws(ZoneQueryError) -> Converted {
    let left = try convert(lhs)
    let right = try convert(rhs)
    if let truth = Self.truth(right), let node = Self.condition(left, is: truth != isNegated, wanted: truth) {
      return .predicate(node)
    }
    if let truth = Self.truth(left), let node = Self.condition(right, is: truth != isNegated, wanted: truth) {
      return .predicate(node)
    }
    // A condition is never nil.
    if case .predicate = left, case .value(Self.null) = right { return .predicate(isNegated ? .true : .false) }
    if case .optional(_, let operand) = left, case .value(Self.null) = right {
      return .predicate(isNegated ? Self.isPresent(operand) : Self.isNil(operand))
    }
    let (leftNode, rightNode) = (try value(of: left), try value(of: right))
    if case .literal(let a) = leftNode, case .literal(let b) = rightNode, a.value == .null || b.value == .null {
      return .predicate((a.value == b.value) != isNegated ? .true : .false)
    }
    return .predicate(.comparison(ComparisonNode(nil, leftNode, isNegated ? .notEqual : .equal, rightNode)))
  }

  /// The truth value that a constant is.
  private static func truth(_ converted: Converted) -> Bool? {
    guard case .predicate(.constant(let constant)) = converted else { return nil }
    return constant.value
  }

  /// `condition == wanted` where `isWanted` is `wanted`, else `condition != wanted`.
  private static func condition(_ converted: Converted, is isWanted: Bool, wanted: Bool) -> PredicateNode? {
    switch converted {
    case .predicate(let node): return isWanted ? node : .not(NotNode(node))
    case .optional(let node, let operand):
      let isEquality = isWanted == wanted
      let condition = isWanted ? node : PredicateNode.not(NotNode(node))
      // nil equals no truth value, and so differs from each.
      return isEquality ? guarded(condition, operand) : .any(of: [isNil(operand), condition])
    default: return nil
    }
  }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let relation: ComparisonOperator
    switch op {
    case .lessThan: relation = .less
    case .lessThanOrEqual: relation = .lessOrEqual
    case .greaterThan: relation = .greater
    case .greaterThanOrEqual: relation = .greaterOrEqual
    @unknown default: throw PredicateConverter.unsupported(Self.self)
    }
    let comparison = ComparisonNode(nil, try converter.value(lhs), relation, try converter.value(rhs))
    return .predicate(.comparison(comparison))
  }
}

// MARK: - Ranges

extension PredicateExpressions.Range: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .range(lower: try converter.value(lower), upper: try converter.value(upper), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .range(lower: try converter.value(lower), upper: try converter.value(upper), includesUpper: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    guard case .range(let lower, let upper, let includesUpper) = try converter.convert(range) else {
      throw PredicateConverter.unsupported(Self.self)
    }
    return .predicate(
      PredicateConverter.contains(try converter.value(element), lower, upper, includesUpper: includesUpper))
  }
}

extension PredicateConverter {
  /// A closed range of constants is `BETWEEN`; any other is a comparison with each bound it has.
  fileprivate static func contains(
    _ element: ExpressionNode, _ lower: ExpressionNode?, _ upper: ExpressionNode?, includesUpper: Bool
  ) -> PredicateNode {
    if includesUpper, let lower, let upper, case .literal = lower, case .literal = upper {
      return .comparison(ComparisonNode(nil, element, .between, .list(ListNode([lower, upper]))))
    }
    var parts: [PredicateNode] = []
    if let lower { parts.append(.comparison(ComparisonNode(nil, element, .greaterOrEqual, lower))) }
    if let upper {
      parts.append(.comparison(ComparisonNode(nil, element, includesUpper ? .lessOrEqual : .less, upper)))
    }
    return .all(of: parts)
  }
}

// MARK: - Sequences

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let collection = try converter.convert(sequence)
    let member = try converter.value(element)
    if case .range(let lower, let upper, let includesUpper) = collection {
      return .predicate(PredicateConverter.contains(member, lower, upper, includesUpper: includesUpper))
    }
    let list = try converter.value(of: collection)
    if case .list = list { return .predicate(.comparison(ComparisonNode(nil, member, .in, list))) }
    return .predicate(.comparison(ComparisonNode(nil, list, .contains, member)))
  }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let list = try converter.value(sequence)
    return .predicate(try converter.members(of: list, .any, satisfy: test, with: variable.key))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let list = try converter.value(sequence)
    return .predicate(try converter.members(of: list, .all, satisfy: test, with: variable.key))
  }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
      throw PredicateConverter.error(
        "unsupportedExpression", "starts(with:) is asked of a text only.",
        hint: "Compare the first elements of a list one by one: tags[0] == \"a\".")
    }
    converter.textTests += 1
    let comparison = ComparisonNode(nil, try converter.value(base), .beginsWith, try converter.value(prefix))
    return .predicate(.comparison(comparison))
  }
}

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
      throw PredicateConverter.error(
        "unsupportedExpression", "A collection is looked for in a text only.",
        hint: "Ask for one element of a list: tags.contains(\"a\").")
    }
    converter.textTests += 1
    let comparison = ComparisonNode(nil, try converter.value(base), .contains, try converter.value(other))
    return .predicate(.comparison(comparison))
  }
}
