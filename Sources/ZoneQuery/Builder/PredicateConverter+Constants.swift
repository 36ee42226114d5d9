internal import FoundationEssentials

// What needs no record is computed in Swift, with the operations of Swift's own types: CloudKit's dialect has no
// arithmetic, and compares fields alone.

/// What may be known without a record: a value that the predicate captured, its properties, and what is computed from
/// such values.
protocol CapturedExpression {
  /// The value, looked for so many levels deep; nil where it is not known, or is none that Swift could compute.
  func constant(levels: Int) -> Any?
}

extension PredicateConverter {
  /// An expression's value where no record is needed for it.
  static func constant(of expression: some PredicateExpression, levels: Int = TreeSize.limits.nesting) -> Any? {
    levels > 0 ? (expression as? any CapturedExpression)?.constant(levels: levels - 1) : nil
  }

  /// The same in its own type.
  fileprivate static func value<Expression: PredicateExpression>(
    of expression: Expression, levels: Int
  ) -> Expression.Output? {
    // (What is not known would be taken for a known nil.)
    guard let constant = constant(of: expression, levels: levels) else { return nil }
    return constant as? Expression.Output
  }
}

extension PredicateExpressions.Value: CapturedExpression {
  func constant(levels: Int) -> Any? { value }
}

extension PredicateExpressions.NilLiteral: CapturedExpression {
  func constant(levels: Int) -> Any? { Output.none as Any }
}

extension PredicateExpressions.KeyPath: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.value(of: root, levels: levels).map { $0[keyPath: keyPath] } }
}

extension PredicateExpressions.ForcedUnwrap: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.value(of: inner, levels: levels) ?? nil }
}

extension PredicateExpressions.NilCoalesce: CapturedExpression {
  func constant(levels: Int) -> Any? {
    guard let value = PredicateConverter.value(of: lhs, levels: levels) else { return nil }
    return value ?? PredicateConverter.value(of: rhs, levels: levels)
  }
}

// MARK: - Conditions

extension PredicateConverter {
  /// What Foundation makes of an expression whose parts need no record; nil where one does.
  fileprivate static func evaluated(
    _ expression: some PredicateExpression, of parts: any PredicateExpression..., levels: Int
  ) -> Any? {
    for part in parts where constant(of: part, levels: levels) == nil { return nil }
    return try? expression.evaluate(PredicateBindings())
  }
}

extension PredicateExpressions.Conjunction: CapturedExpression {
  func constant(levels: Int) -> Any? {
    guard let first = PredicateConverter.value(of: lhs, levels: levels) else { return nil }
    return first ? PredicateConverter.value(of: rhs, levels: levels) : false
  }
}

extension PredicateExpressions.Disjunction: CapturedExpression {
  func constant(levels: Int) -> Any? {
    guard let first = PredicateConverter.value(of: lhs, levels: levels) else { return nil }
    return first ? true : PredicateConverter.value(of: rhs, levels: levels)
  }
}

extension PredicateExpressions.Negation: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.value(of: wrapped, levels: levels).map { !$0 } }
}

extension PredicateExpressions.Conditional: CapturedExpression {
  func constant(levels: Int) -> Any? {
    guard let condition = PredicateConverter.value(of: test, levels: levels) else { return nil }
    return condition
      ? PredicateConverter.constant(of: trueBranch, levels: levels)
      : PredicateConverter.constant(of: falseBranch, levels: levels)
  }
}

extension PredicateExpressions.Equal: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: lhs, rhs, levels: levels) }
}

extension PredicateExpressions.NotEqual: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: lhs, rhs, levels: levels) }
}

extension PredicateExpressions.Comparison: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: lhs, rhs, levels: levels) }
}

extension PredicateExpressions.RangeExpressionContains: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: range, element, levels: levels) }
}

extension PredicateExpressions.SequenceContains: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: sequence, element, levels: levels) }
}

extension PredicateExpressions.SequenceStartsWith: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: base, prefix, levels: levels) }
}

extension PredicateExpressions.CollectionContainsCollection: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: base, other, levels: levels) }
}

extension PredicateExpressions.SequenceMaximum: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: elements, levels: levels) }
}

extension PredicateExpressions.SequenceMinimum: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.evaluated(self, of: elements, levels: levels) }
}

// MARK: - Arithmetic

/// An operation on whole numbers of one type.
private enum WholeNumberOperation {
  case add, subtract, multiply, divide, remainder

  /// What comes of it; nil where Swift would stop.
  func result<Number: FixedWidthInteger>(_ left: Number, _ other: Any) -> Number? {
    guard let right = other as? Number else { return nil }
    let (value, isBeyond) =
      switch self {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      case .remainder: left.remainderReportingOverflow(dividingBy: right)
      }
    return isBeyond ? nil : value
  }
}

extension PredicateExpressions.Arithmetic: CapturedExpression {
  func constant(levels: Int) -> Any? {
    guard let left = PredicateConverter.value(of: lhs, levels: levels),
      let right = PredicateConverter.value(of: rhs, levels: levels)
    else { return nil }
    if let left = left as? any FixedWidthInteger {
      let operation: WholeNumberOperation
      switch op {
      case .add: operation = .add
      case .subtract: operation = .subtract
      case .multiply: operation = .multiply
      @unknown default: return nil
      }
      return operation.result(left, right)
    }
    // Other numbers may be anyone's, who may have them stop.
    guard left is any BinaryFloatingPoint else { return nil }
    switch op {
    case .add: return left + right
    case .subtract: return left - right
    case .multiply: return left * right
    @unknown default: return nil
    }
  }
}

extension PredicateConverter {
  fileprivate static func result(
    _ operation: WholeNumberOperation, _ lhs: some PredicateExpression, _ rhs: some PredicateExpression, levels: Int
  ) -> Any? {
    guard let left = constant(of: lhs, levels: levels) as? any FixedWidthInteger,
      let right = constant(of: rhs, levels: levels)
    else { return nil }
    return operation.result(left, right)
  }
}

extension PredicateExpressions.IntDivision: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.result(.divide, lhs, rhs, levels: levels) }
}

extension PredicateExpressions.IntRemainder: CapturedExpression {
  func constant(levels: Int) -> Any? { PredicateConverter.result(.remainder, lhs, rhs, levels: levels) }
}

extension PredicateExpressions.FloatDivision: CapturedExpression {
  func constant(levels: Int) -> Any? {
    guard let left = PredicateConverter.value(of: lhs, levels: levels), left is any BinaryFloatingPoint,
      let right = PredicateConverter.value(of: rhs, levels: levels)
    else { return nil }
    return left / right
  }
}

extension PredicateExpressions.UnaryMinus: CapturedExpression {
  func constant(levels: Int) -> Any? {
    guard let value = PredicateConverter.value(of: wrapped, levels: levels) else { return nil }
    if let value = value as? any FixedWidthInteger { return negated(value) }
    return value is any BinaryFloatingPoint ? -value : nil
  }

  private func negated<Number: FixedWidthInteger>(_ value: Number) -> Number? {
    WholeNumberOperation.subtract.result(.zero, value)
  }
}

// MARK: - Literals

extension PredicateExpressions.Value: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    try PredicateConverter.converted(value)
  }
}

extension PredicateConverter {
  /// The constant of a Swift value, a condition where that is a truth value.
  static func converted(_ value: Any) throws(ZoneQueryError) -> Converted {
    if let truth = value as? Bool { return .predicate(truth ? .true : .false) }
    if let range = value as? any ConvertibleRange {
      let (lower, upper, includesUpper) = range.bounds
      return .range(
        lower: try lower.map { (bound) throws(ZoneQueryError) in try constant(bound) },
        upper: try upper.map { (bound) throws(ZoneQueryError) in try constant(bound) },
        includesUpper: includesUpper)
    }
    return .value(try constant(value))
  }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted {
    .value(PredicateConverter.null)
  }
}

extension PredicateConverter {
  /// The constant of a Swift value, also of an enumeration's raw value, a character or a collection of these.
  fileprivate static func constant(_ value: Any) throws(ZoneQueryError) -> ExpressionNode {
    guard let argument = argument(value, levels: 4) else {
      throw error(
        "unsupportedArgument", "A value of the type \(Diagnostic.excerpt("\(type(of: value))")) has no literal.",
        hint: "Numbers, truth values, texts, dates, locations, record IDs, references, enumerations with such raw "
          + "values, and lists of these have. Of another value compare a part that is one: filter.name.")
    }
    let constant = Field.value(argument)
    if let fault = constant.faults.first { throw error(fault) }
    return constant.node
  }

  private static func argument(_ value: Any, levels: Int) -> ArgumentValue? {
    if let optional = value as? any OptionalValue, optional.isNil { return .literal(.null) }
    if let argument = value as? any PredicateArgument { return argument.predicateArgument }
    // Bytes are in no predicate; as a collection of numbers they would be.
    if value is Data { return nil }
    if let character = value as? Character { return .literal(.string(String(character))) }
    guard levels > 0 else { return nil }
    if let raw = value as? any RawRepresentable { return argument(rawValue(of: raw), levels: levels - 1) }
    guard let collection = value as? any Collection else { return nil }
    return list(collection, levels: levels - 1)
  }

  private static func rawValue(of value: some RawRepresentable) -> Any { value.rawValue }

  private static func list(_ collection: some Collection, levels: Int) -> ArgumentValue? {
    var elements: [ArgumentValue] = []
    for element in collection.prefix(TreeSize.limits.listElements + 1) {
      guard let value = argument(element, levels: levels) else { return nil }
      elements.append(value)
    }
    return .list(elements)
  }
}

private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { self == nil }
}

private protocol ConvertibleRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension Range: ConvertibleRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: ConvertibleRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: ConvertibleRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeUpTo: ConvertibleRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: ConvertibleRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}
