// Everything here but `distance(to:)` is the extended dialect's: CloudKit's compares stored fields with constants.

extension Field {
  /// The distance in metres from a location field to a place:
  /// `distanceToLocation:fromLocation:(field, place)`. CloudKit's dialect takes it with `<` and `<=`.
  ///
  /// ```swift
  /// Field("location").distance(to: Location(latitude: 37.5, longitude: 127)) < 1000
  /// // distanceToLocation:fromLocation:(location, CAST("37.5,127.0", "CLLocation")) < 1000
  /// ```
  public func distance(to place: Location) -> Field { distance(to: .value(place)) }

  /// The distance in metres from a location field to a parameter's place.
  public func distance(to place: Field) -> Field { call(.distance, self, place) }

  private func call(_ function: BuiltinFunction, _ arguments: Field...) -> Field {
    Field(over: arguments) { .function(FunctionNode(function, arguments.map(\.node))) }
  }

  private func combine(_ operation: ArithmeticOperator, _ other: Field) -> Field {
    Field(over: [self, other]) { .binary(BinaryNode(node, operation, other.node)) }
  }
}

// MARK: - Arithmetic

extension Field {
  /// `a + b`.
  public static func + (left: Field, right: some PredicateArgument) -> Field { left.combine(.add, .value(right)) }
  /// `a + b`.
  public static func + (left: Field, right: Field) -> Field { left.combine(.add, right) }
  /// `a - b`.
  public static func - (left: Field, right: some PredicateArgument) -> Field {
    left.combine(.subtract, .value(right))
  }
  /// `a - b`.
  public static func - (left: Field, right: Field) -> Field { left.combine(.subtract, right) }
  /// `a * b`.
  public static func * (left: Field, right: some PredicateArgument) -> Field {
    left.combine(.multiply, .value(right))
  }
  /// `a * b`.
  public static func * (left: Field, right: Field) -> Field { left.combine(.multiply, right) }
  /// `a / b`, the mathematical quotient: 7 / 2 is 3.5. A division by zero has no value.
  public static func / (left: Field, right: some PredicateArgument) -> Field { left.combine(.divide, .value(right)) }
  /// `a / b`, the mathematical quotient.
  public static func / (left: Field, right: Field) -> Field { left.combine(.divide, right) }

  /// `-a`.
  public static prefix func - (operand: Field) -> Field {
    Field(over: [operand]) { .negated(operand.node) }
  }

  /// `~a`, the bitwise complement.
  public static prefix func ~ (operand: Field) -> Field {
    Field(over: [operand]) { .complemented(operand.node) }
  }

  /// Any arithmetic or bit operation: `Field("flags").applying(.bitAnd, 4)` is `flags & 4`.
  public func applying(_ operation: ArithmeticOperator, _ value: some PredicateArgument) -> Field {
    combine(operation, .value(value))
  }

  /// Any arithmetic or bit operation with another field.
  public func applying(_ operation: ArithmeticOperator, _ other: Field) -> Field { combine(operation, other) }

  /// `modulus:by:(a, b)`, the remainder of a division, with the sign of `a`.
  public func remainder(dividingBy divisor: some PredicateArgument) -> Field { call(.modulus, self, .value(divisor)) }

  /// `modulus:by:(a, b)`, the remainder of a division by another field.
  public func remainder(dividingBy divisor: Field) -> Field { call(.modulus, self, divisor) }

  /// `a ** b`.
  public func raised(to exponent: some PredicateArgument) -> Field { combine(.power, .value(exponent)) }
}

// MARK: - Functions

extension Field {
  /// `abs:(a)`.
  public var absoluteValue: Field { call(.absolute, self) }
  /// `sqrt:(a)`; of a negative number there is none.
  public var squareRoot: Field { call(.squareRoot, self) }
  /// `floor:(a)`.
  public var floor: Field { call(.floor, self) }
  /// `ceiling:(a)`.
  public var ceiling: Field { call(.ceiling, self) }
  /// `trunc:(a)`.
  public var truncated: Field { call(.truncate, self) }
  /// `log:(a)`, to the base 10; of zero and of a negative number there is none.
  public var logarithm: Field { call(.logarithm, self) }
  /// `ln:(a)`; of zero and of a negative number there is none.
  public var naturalLogarithm: Field { call(.naturalLogarithm, self) }
  /// `exp:(a)`.
  public var exponential: Field { call(.exponential, self) }

  /// `uppercase:(a)`.
  public var uppercased: Field { call(.uppercase, self) }
  /// `lowercase:(a)`.
  public var lowercased: Field { call(.lowercase, self) }
  /// `length:(a)`, of a text: the number of its Unicode scalars.
  public var length: Field { call(.length, self) }

  /// `count:(a)`, the number of a list's members.
  public var count: Field { call(.count, self) }
  /// `sum:(a)`, of a list's members; of none it is 0.
  public var sum: Field { call(.sum, self) }
  /// `min:(a)`, the least of a list's members; of none there is none, and so with those below.
  public var minimum: Field { call(.min, self) }
  /// `max:(a)`, the greatest of a list's members.
  public var maximum: Field { call(.max, self) }
  /// `average:(a)`, of a list's members.
  public var average: Field { call(.average, self) }
  /// `median:(a)`, of a list's members: of an even number the mean of the two in the middle.
  public var median: Field { call(.median, self) }
  /// `mode:(a)`, the most frequent of a list's members: of several that are the least.
  public var mode: Field { call(.mode, self) }
  /// `stddev:(a)`, of a list's members: that of a population, which divides by their number.
  public var standardDeviation: Field { call(.standardDeviation, self) }

  /// `list[FIRST]`.
  public var first: Field { element(.first) }
  /// `list[LAST]`.
  public var last: Field { element(.last) }
  /// `list[position]`, counted from 0.
  public subscript(position: Int) -> Field { self[.value(position)] }
  /// `list[position]`, for a position that is a field or computed.
  public subscript(position: Field) -> Field {
    Field(over: [self, position]) { .index(IndexNode(node, .at(position.node))) }
  }

  private func element(_ selector: IndexSelector) -> Field {
    Field(over: [self]) { .index(IndexNode(node, selector)) }
  }

  /// `TERNARY(condition, then, otherwise)`.
  ///
  /// ```swift
  /// Field.choice(Field("age") > 5, .value("old"), .value("young")) == "old"
  /// // TERNARY(age > 5, "old", "young") == "old"
  /// ```
  public static func choice(_ condition: QueryPredicate, _ then: Field, _ otherwise: Field) -> Field {
    let (root, size, faults) = condition.measured
    // The condition stands in for a part of its size, whose node is never read.
    let part = Field(node: .literal(LiteralNode(.null)), size: size, faults: faults)
    return Field(over: [part, then, otherwise]) { .ternary(TernaryNode(root, then.node, otherwise.node)) }
  }
}
