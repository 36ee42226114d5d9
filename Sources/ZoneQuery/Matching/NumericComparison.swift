/// A comparison of numbers that are computed from a record, where nothing takes part but fields of one number each, constants and
/// arithmetic: its steps in one list, each of which names those before that it works on, so that no reference is counted.
///
/// ```
/// attendees * 2 + 1 > 500      0 attendees   1 2   2 (0 * 1)   3 1   4 (2 + 3)   5 500
/// ```
struct NumericComparison: Sendable {
  /// A number on the way.
  private enum Number: Sendable {
    case missing
    case integer(Int64)
    case double(Double)

    init(_ value: ComputedValue) {
      switch value {
      case .integer(let value): self = .integer(value)
      case .double(let value): self = .double(value)
      default: self = .missing
      }
    }

    var value: ComputedValue {
      switch self {
      case .missing: .missing
      case .integer(let value): .integer(value)
      case .double(let value): .double(value)
      }
    }

    var isMissing: Bool { if case .missing = self { true } else { false } }
  }

  private enum Step: Sendable {
    case constant(Number)
    case integer(FieldNumber)
    case double(FieldNumber)
    /// Of what two steps before come to.
    case arithmetic(ArithmeticOperator, Int, Int)
  }

  private var steps: [Step] = []
  private var left = 0
  private var right = 0
  private let relation: ComputedRelation

  /// The comparison; nil where something else takes part in it.
  init?(_ left: BoundExpression, _ relation: ComputedRelation, _ right: BoundExpression) {
    self.relation = relation
    switch relation.kind {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual: break
    case .present, .member, .text: return nil
    }
    guard let first = add(left), let second = add(right) else { return nil }
    (self.left, self.right) = (first, second)
  }

  /// Adds the steps of an expression and returns the place of the last.
  private mutating func add(_ expression: BoundExpression) -> Int? {
    let step: Step
    switch expression {
    case .constant(.integer(let value)): step = .constant(.integer(value))
    case .constant(.double(let value)): step = .constant(.double(value))
    case .field(let field, let type) where !type.isList && type.scalar == .int64: step = .integer(field)
    case .field(let field, let type) where !type.isList && type.scalar == .double: step = .double(field)
    case .arithmetic(let operation, let left, let right):
      guard let first = add(left), let second = add(right) else { return nil }
      step = .arithmetic(operation, first, second)
    case .negated(let operand):
      guard let zero = add(.constant(.integer(0))), let second = add(operand) else { return nil }
      step = .arithmetic(.subtract, zero, second)
    default: return nil
    }
    steps.append(step)
    return steps.count - 1
  }

  /// Whether it holds for a record; nil where a side is missing and that decides nothing. Complexity: linear in the steps.
  @inline(never)
  func answer<Row: ProgramRow>(_ row: Row) -> Bool? {
    let (left, right) = (number(left, row), number(right, row))
    if left.isMissing || right.isMissing {
      return relation.missingEqualsMissing && left.isMissing && right.isMissing ? true : nil
    }
    let order: Int
    if case .integer(let a) = left, case .integer(let b) = right {
      order = a < b ? -1 : a > b ? 1 : 0
    } else {
      guard let compared = left.value.compare(right.value) else { return nil }
      order = compared
    }
    switch relation.kind {
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    default: return order == 0
    }
  }

  private func number<Row: ProgramRow>(_ step: Int, _ row: Row) -> Number {
    switch steps.span[step] {
    case .constant(let number): number
    case .integer(let field): row.isPresent(field) ? .integer(row.integer(field)) : .missing
    case .double(let field): row.isPresent(field) ? Number(.number(row.double(field))) : .missing
    case .arithmetic(let operation, let left, let right):
      NumericComparison.apply(operation, number(left, row), number(right, row))
    }
  }

  /// As ``Arithmetic/apply(_:_:_:)``, which it asks where whole numbers do not fit, or doubles take part.
  private static func apply(_ operation: ArithmeticOperator, _ left: Number, _ right: Number) -> Number {
    if case .integer(let a) = left, case .integer(let b) = right {
      let result: (partialValue: Int64, overflow: Bool)? =
        switch operation {
        case .add: a.addingReportingOverflow(b)
        case .subtract: a.subtractingReportingOverflow(b)
        case .multiply: a.multipliedReportingOverflow(by: b)
        default: nil
        }
      if let result, !result.overflow { return .integer(result.partialValue) }
    }
    return Number(Arithmetic.apply(operation, left.value, right.value))
  }
}
