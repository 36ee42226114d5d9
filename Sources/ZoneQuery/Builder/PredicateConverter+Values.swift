internal import FoundationEssentials

extension PredicateExpressions.Variable: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    try converter.variable(key)
  }
}

extension PredicateExpressions.KeyPath: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let base = try converter.convert(root)
    if case .property(let path) = base {
      let whole = path.map { $0.appending(path: keyPath) } ?? keyPath
      // A name given for the whole path goes before what the language has for its last step.
      if let whole, kind == nil || converter.fieldName(whole) != nil { return .property(whole) }
      if whole == nil, kind == nil {
        throw PredicateConverter.error(
          "unknownProperty", "No field is known for a property of an optional value, \(keyPath).",
          hint: "Give the record a property for it, and its field's name: fields: [\\.property: \"field\"].")
      }
    }
    let value = try converter.value(of: base)
    let isText = Root.Output.self is any StringProtocol.Type
    switch kind {
    case .collectionIsEmpty?:
      let (left, right) =
        isText
        ? (value, .literal(LiteralNode(.string(""))))
        : (ExpressionNode.function(FunctionNode(.count, [value])), PredicateConverter.integer(0))
      return .predicate(.comparison(ComparisonNode(nil, left, .equal, right)))
    case .collectionCount? where !isText: return .value(.function(FunctionNode(.count, [value])))
    case .collectionFirst? where !isText: return .value(.index(IndexNode(value, .first)))
    case .bidirectionalCollectionLast? where !isText: return .value(.index(IndexNode(value, .last)))
    case .collectionCount?, .collectionFirst?, .bidirectionalCollectionLast?:
      throw PredicateConverter.error(
        "unsupportedExpression", "A text is not asked for its characters in the language.",
        hint: "Field(\"name\").length counts the code points of a text, hasPrefix asks how it begins.")
    default:
      throw PredicateConverter.error(
        "unknownProperty", "No field is known for the property \(keyPath) of a value.",
        hint: "Only the record's own properties are fields; keep the value in a field of its own.")
    }
  }
}

// MARK: - Optionals

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    try converter.convert(inner)
  }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let value = try converter.convert(lhs)
    // A condition is never nil.
    if case .predicate = value { return value }
    if case .value(.literal(let literal)) = value {
      return literal.value == .null ? try converter.convert(rhs) : value
    }
    let fallback = try converter.convert(rhs)
    if case .optional(let condition, let operand) = value, case .predicate(.constant(let constant)) = fallback {
      return .predicate(
        constant.value
          ? .any(of: [PredicateConverter.isNil(operand), condition])
          : PredicateConverter.guarded(condition, operand))
    }
    let otherwise = try converter.value(of: fallback)
    if case .optional(let condition, let operand) = value {
      let truth = try converter.value(of: .predicate(condition))
      return .value(.ternary(TernaryNode(PredicateConverter.isNil(operand), otherwise, truth)))
    }
    let node = try converter.operand(value)
    return .value(.ternary(TernaryNode(PredicateConverter.isNil(node), otherwise, node)))
  }
}

extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    if let known = converter.captured.value(of: wrapped) {
      guard let value = known else { return .value(PredicateConverter.null) }
      return try converter.convert(transform, with: variable, for: value)
    }
    let value = try converter.convert(wrapped)
    if case .value(PredicateConverter.null) = value { return value }
    let start = converter.lastVariable
    let result = try converter.convert(transform, with: variable.key, as: value)
    // A property of the optional value is missing where that is; another one is there or not by itself.
    if case .property = result, converter.lastVariable == variable.key {
      converter.lastVariable = start
      return result
    }
    let operand = try converter.operand(value)
    func missing(with operand: ExpressionNode, else node: ExpressionNode) -> ExpressionNode {
      .ternary(TernaryNode(PredicateConverter.isNil(operand), PredicateConverter.null, node))
    }
    switch result {
    case .predicate(let condition): return .optional(condition, of: operand)
    // Nothing where either value is missing.
    case .optional(let condition, let inner):
      return .optional(condition, of: try converter.operand(.value(missing(with: operand, else: inner))))
    case .value, .property:
      // What is computed from a missing value is missing by itself.
      return .value(missing(with: operand, else: try converter.value(of: result)))
    case .range: throw PredicateConverter.unsupported(Self.self)
    }
  }
}

// MARK: - Computed values

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let operation: ArithmeticOperator
    switch op {
    case .add: operation = .add
    case .subtract: operation = .subtract
    case .multiply: operation = .multiply
    @unknown default: throw PredicateConverter.unsupported(Self.self)
    }
    return .value(.binary(BinaryNode(try converter.value(lhs), operation, try converter.value(rhs))))
  }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .value(.binary(BinaryNode(try converter.value(lhs), .divide, try converter.value(rhs))))
  }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
  /// Whole numbers divide to a whole number in Swift, and to the exact quotient in the language.
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    let quotient = BinaryNode(try converter.value(lhs), .divide, try converter.value(rhs))
    return .value(.function(FunctionNode(.truncate, [.binary(quotient)])))
  }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .value(.function(FunctionNode(.modulus, [try converter.value(lhs), try converter.value(rhs)])))
  }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .value(.negated(try converter.value(wrapped)))
  }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .value(.function(FunctionNode(.max, [try converter.value(elements)])))
  }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .value(.function(FunctionNode(.min, [try converter.value(elements)])))
  }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .value(.index(IndexNode(try converter.value(wrapped), .at(try converter.value(index)))))
  }
}
