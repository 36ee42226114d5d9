internal import FoundationEssentials

// What needs no record is computed in Swift, with the operations of Swift's own types: CloudKit's dialect has no
// arithmetic, and compares fields alone.

/// What may be known without a record: a value that the predicate captured, its properties, and what is computed from
/// such values.
protocol CapturedExpression {
  /// The value; nil where it is not known, or is none that Swift could compute.
  func constant(_ captured: CapturedValues) -> Any?
}

/// What is known while a predicate is converted, beside the values in it.
struct CapturedValues {
  /// The variables of closures that stand for such values.
  private(set) var bindings = PredicateBindings()
  /// How many levels deep values are looked for.
  private var levels = TreeSize.limits.nesting

  /// An expression's value where no record is needed for it.
  func constant(of expression: some PredicateExpression) -> Any? {
    guard levels > 0, let expression = expression as? any CapturedExpression else { return nil }
    var below = self
    below.levels -= 1
    return expression.constant(below)
  }

  /// The same in its own type.
  func value<Expression: PredicateExpression>(of expression: Expression) -> Expression.Output? {
    // (What is not known would be taken for a known nil.)
    guard let constant = constant(of: expression) else { return nil }
    return constant as? Expression.Output
  }

  /// What Foundation makes of an expression whose parts need no record; nil where one does.
  func evaluated(_ expression: some PredicateExpression, of parts: any PredicateExpression...) -> Any? {
    for part in parts where constant(of: part) == nil { return nil }
    return try? expression.evaluate(bindings)
  }

  /// The same, and what a variable stands for.
  func binding<Value>(_ variable: PredicateExpressions.Variable<Value>, to value: Value) -> CapturedValues {
    var bound = self
    bound.bindings[variable] = value
    return bound
  }
}

extension PredicateExpressions.Value: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { value }
}

extension PredicateExpressions.Variable: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.bindings[self] }
}

extension PredicateExpressions.NilLiteral: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { Output.none as Any }
}

extension PredicateExpressions.KeyPath: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.value(of: root).map { $0[keyPath: keyPath] } }
}

extension PredicateExpressions.ForcedUnwrap: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.value(of: inner) ?? nil }
}

extension PredicateExpressions.NilCoalesce: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let value = captured.value(of: lhs) else { return nil }
    return value ?? captured.value(of: rhs)
  }
}

extension PredicateExpressions.OptionalFlatMap: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let value = captured.value(of: wrapped) else { return nil }
    guard let value else { return Output.none as Any }
    return captured.binding(variable, to: value).constant(of: transform)
  }
}

extension PredicateExpressions.CollectionIndexSubscript: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let values = captured.value(of: wrapped), let index = captured.value(of: index),
      values.indices.contains(index)
    else { return nil }
    return values[index]
  }
}

extension PredicateExpressions.DictionaryKeySubscript: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: wrapped, key) }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: wrapped, key, `default`) }
}

// MARK: - Conditions

extension PredicateExpressions.Conjunction: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let first = captured.value(of: lhs) else { return nil }
    return first ? captured.value(of: rhs) : false
  }
}

extension PredicateExpressions.Disjunction: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let first = captured.value(of: lhs) else { return nil }
    return first ? true : captured.value(of: rhs)
  }
}

extension PredicateExpressions.Negation: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.value(of: wrapped).map { !$0 } }
}

extension PredicateExpressions.Conditional: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let condition = captured.value(of: test) else { return nil }
    return condition ? captured.constant(of: trueBranch) : captured.constant(of: falseBranch)
  }
}

extension PredicateExpressions.Equal: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: lhs, rhs) }
}

extension PredicateExpressions.NotEqual: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: lhs, rhs) }
}

extension PredicateExpressions.Comparison: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: lhs, rhs) }
}

extension PredicateExpressions.RangeExpressionContains: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: range, element) }
}

extension PredicateExpressions.SequenceContains: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: sequence, element) }
}

extension PredicateExpressions.SequenceContainsWhere: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let members = captured.value(of: sequence) else { return nil }
    for member in members {
      guard let holds = captured.binding(variable, to: member).value(of: test) else { return nil }
      if holds { return true }
    }
    return false
  }
}

extension PredicateExpressions.SequenceAllSatisfy: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let members = captured.value(of: sequence) else { return nil }
    for member in members {
      guard let holds = captured.binding(variable, to: member).value(of: test) else { return nil }
      if !holds { return false }
    }
    return true
  }
}

extension PredicateExpressions.SequenceStartsWith: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: base, prefix) }
}

extension PredicateExpressions.CollectionContainsCollection: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: base, other) }
}

extension PredicateExpressions.SequenceMaximum: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: elements) }
}

extension PredicateExpressions.SequenceMinimum: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.evaluated(self, of: elements) }
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
  func constant(_ captured: CapturedValues) -> Any? {
    guard let left = captured.value(of: lhs), let right = captured.value(of: rhs) else { return nil }
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

extension CapturedValues {
  fileprivate func result(
    _ operation: WholeNumberOperation, _ lhs: some PredicateExpression, _ rhs: some PredicateExpression
  ) -> Any? {
    guard let left = constant(of: lhs) as? any FixedWidthInteger, let right = constant(of: rhs) else { return nil }
    return operation.result(left, right)
  }
}

extension PredicateExpressions.IntDivision: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.result(.divide, lhs, rhs) }
}

extension PredicateExpressions.IntRemainder: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? { captured.result(.remainder, lhs, rhs) }
}

extension PredicateExpressions.FloatDivision: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let left = captured.value(of: lhs), left is any BinaryFloatingPoint,
      let right = captured.value(of: rhs)
    else { return nil }
    return left / right
  }
}

extension PredicateExpressions.UnaryMinus: CapturedExpression {
  func constant(_ captured: CapturedValues) -> Any? {
    guard let value = captured.value(of: wrapped) else { return nil }
    if let value = value as? any FixedWidthInteger { return negated(value) }
    return value is any BinaryFloatingPoint ? -value : nil
  }

  private func negated<Number: FixedWidthInteger>(_ value: Number) -> Number? {
    WholeNumberOperation.subtract.result(.zero, value)
  }
}

// MARK: - Literals

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

extension PredicateConverter {
  /// The constant of a Swift value, also of an enumeration's raw value, a character or a collection of these.
  fileprivate static func constant(_ value: Any) throws(ZoneQueryError) -> ExpressionNode {
    guard let argument = argument(value, levels: 4) else {
      throw error(
        "unsupportedArgument", "A value of the type \(SyntaxError.excerpt("\(type(of: value))")) has no literal.",
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
