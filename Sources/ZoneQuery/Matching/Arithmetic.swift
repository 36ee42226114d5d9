/// Arithmetic on computed values.
enum Arithmetic {
  static func apply(
    _ operation: ArithmeticOperator, _ left: ComputedValue, _ right: ComputedValue
  ) -> ComputedValue {
    switch operation {
    case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
      guard let a = left.wholeNumber, let b = right.wholeNumber else { return .missing }
      return bits(operation, a, b)
    default: break
    }
    if let a = left.wholeNumber, let b = right.wholeNumber {
      switch operation {
      case .add: return integer(Int128(a) + Int128(b))
      case .subtract: return integer(Int128(a) - Int128(b))
      case .multiply: return integer(Int128(a) * Int128(b))
      case .divide: return quotient(a, b)
      default: if let exact = power(a, b) { return .integer(exact) }
      }
    }
    guard let a = left.approximation, let b = right.approximation else { return .missing }
    switch operation {
    case .add: return .number(a + b)
    case .subtract: return .number(a - b)
    case .multiply: return .number(a * b)
    case .divide: return b == 0 ? .missing : .number(a / b)
    default: return .number(CMathematics.power(a, b))
    }
  }

  /// A whole number where it fits, else the nearest double.
  static func integer(_ value: Int128) -> ComputedValue {
    Int64(exactly: value).map { .integer($0) } ?? .double(Double(value))
  }

  private static func quotient(_ dividend: Int64, _ divisor: Int64) -> ComputedValue {
    guard dividend.magnitude <= 1 << 53, divisor.magnitude <= 1 << 53, divisor != 0 else {
      return quotient(Int128(dividend), divisor)
    }
    // Both are doubles, whose quotient is rounded once.
    let (whole, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder == 0 ? .integer(whole) : .number(Double(dividend) / Double(divisor))
  }

  /// The quotient where it is a whole number that fits, else the nearest double: that of the exact quotient.
  static func quotient(_ dividend: Int128, _ divisor: Int64) -> ComputedValue {
    if divisor == 0 { return .missing }
    let (whole, remainder) = dividend.quotientAndRemainder(dividingBy: Int128(divisor))
    if remainder == 0 { return integer(whole) }
    // As many bits as there is room for, 64 and more, and whether any are left behind them; these are rounded once.
    let shift = dividend.magnitude.leadingZeroBitCount
    let (bits, rest) = (dividend.magnitude << shift).quotientAndRemainder(dividingBy: UInt128(divisor.magnitude))
    let magnitude = Double(rest == 0 ? bits : bits | 1) * Double(sign: .plus, exponent: -shift, significand: 1)
    return .number((dividend < 0) == (divisor < 0) ? magnitude : -magnitude)
  }

  /// The exact quotient of whole numbers, made whole by one of the functions that round.
  static func quotient(_ dividend: Int64, _ divisor: Int64, _ rounding: BuiltinFunction) -> ComputedValue {
    if divisor == 0 { return .missing }
    let (whole, remainder) = Int128(dividend).quotientAndRemainder(dividingBy: Int128(divisor))
    let isNegative = (dividend < 0) != (divisor < 0)
    switch rounding {
    case .floor: return integer(remainder != 0 && isNegative ? whole - 1 : whole)
    case .ceiling: return integer(remainder != 0 && !isNegative ? whole + 1 : whole)
    default: return integer(whole)
    }
  }

  private static func fitting(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
    result.overflow ? nil : result.partialValue
  }

  private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
    guard exponent >= 0 else { return nil }
    var (result, square, left) = (Int64(1), base, exponent)
    while left > 0 {
      if left & 1 == 1 {
        guard let product = fitting(result.multipliedReportingOverflow(by: square)) else { return nil }
        result = product
      }
      left >>= 1
      if left > 0 {
        guard let next = fitting(square.multipliedReportingOverflow(by: square)) else { return nil }
        square = next
      }
    }
    return result
  }

  private static func bits(_ operation: ArithmeticOperator, _ a: Int64, _ b: Int64) -> ComputedValue {
    switch operation {
    case .bitAnd: .integer(a & b)
    case .bitOr: .integer(a | b)
    case .bitXor: .integer(a ^ b)
    // A negative shift has no result; one of 64 or more shifts everything out.
    case .shiftLeft: b < 0 ? .missing : .integer(b > 63 ? 0 : a << b)
    default: b < 0 ? .missing : .integer(a >> min(b, 63))
    }
  }
}

extension BuiltinFunction {
  /// The function's value for arguments of the kinds the binder let through.
  func apply(_ arguments: [ComputedValue]) -> ComputedValue {
    switch self {
    case .sum, .min, .max, .average, .median, .mode, .standardDeviation: return aggregate(arguments)
    case .add: return binary(.add, arguments)
    case .subtract: return binary(.subtract, arguments)
    case .multiply: return binary(.multiply, arguments)
    case .divide: return binary(.divide, arguments)
    case .raise: return binary(.power, arguments)
    case .bitwiseAnd: return binary(.bitAnd, arguments)
    case .bitwiseOr: return binary(.bitOr, arguments)
    case .bitwiseXor: return binary(.bitXor, arguments)
    case .leftShift: return binary(.shiftLeft, arguments)
    case .rightShift: return binary(.shiftRight, arguments)
    case .modulus: return modulus(arguments)
    case .onesComplement: return arguments.first?.wholeNumber.map { .integer(~$0) } ?? .missing
    case .uppercase, .lowercase, .length: return text(arguments)
    case .floor, .ceiling, .truncate, .absolute, .squareRoot, .logarithm, .naturalLogarithm, .exponential:
      return scalar(arguments)
    case .count, .random, .randomBelow, .now, .noIndex, .distance, .tokenize: return .missing
    }
  }

  private func binary(_ operation: ArithmeticOperator, _ arguments: [ComputedValue]) -> ComputedValue {
    guard arguments.count == 2 else { return .missing }
    return Arithmetic.apply(operation, arguments[0], arguments[1])
  }

  private func modulus(_ arguments: [ComputedValue]) -> ComputedValue {
    guard arguments.count == 2 else { return .missing }
    if let a = arguments[0].wholeNumber, let b = arguments[1].wholeNumber {
      let (remainder, overflow) = a.remainderReportingOverflow(dividingBy: b)
      return b == 0 ? .missing : .integer(overflow ? 0 : remainder)
    }
    guard let a = arguments[0].approximation, let b = arguments[1].approximation, b != 0 else { return .missing }
    return .number(a.truncatingRemainder(dividingBy: b))
  }

  private func text(_ arguments: [ComputedValue]) -> ComputedValue {
    guard case .text(let bytes)? = arguments.first else { return .missing }
    let text = String(decoding: bytes, as: UTF8.self)
    return switch self {
    case .uppercase: .text(Array(text.uppercased().utf8))
    case .lowercase: .text(Array(text.lowercased().utf8))
    default: .integer(Int64(text.unicodeScalars.count))
    }
  }

  private func scalar(_ arguments: [ComputedValue]) -> ComputedValue {
    if arguments.count == 2 { return roundedQuotient(arguments[0], arguments[1]) }
    guard let argument = arguments.first, let value = argument.approximation else { return .missing }
    if let whole = argument.wholeNumber {
      switch self {
      case .floor, .ceiling, .truncate: return argument
      case .absolute: return whole == .min ? .double(0x1p63) : .integer(abs(whole))
      default: break
      }
    }
    return switch self {
    case .floor: .number(value.rounded(.down))
    case .ceiling: .number(value.rounded(.up))
    case .truncate: .number(value.rounded(.towardZero))
    case .absolute: .number(abs(value))
    case .squareRoot: value < 0 ? .missing : .number(value.squareRoot())
    case .logarithm: value <= 0 ? .missing : .number(CMathematics.logarithm(value))
    case .naturalLogarithm: value <= 0 ? .missing : .number(CMathematics.naturalLogarithm(value))
    default: .number(CMathematics.exponential(value))
    }
  }

  /// A function that rounds, of a quotient: the nearest double of the quotient may be rounded to another whole number.
  private func roundedQuotient(_ dividend: ComputedValue, _ divisor: ComputedValue) -> ComputedValue {
    if let a = dividend.wholeNumber, let b = divisor.wholeNumber { return Arithmetic.quotient(a, b, self) }
    return scalar([Arithmetic.apply(.divide, dividend, divisor)])
  }

  /// A function of all members of the lists, and all single values, among the arguments.
  private func aggregate(_ arguments: [ComputedValue]) -> ComputedValue {
    var members: [ComputedValue] = []
    for argument in arguments {
      switch argument {
      case .missing: return .missing
      case .list(let values): members += values
      default: members.append(argument)
      }
    }
    switch self {
    case .sum: return Sum(members).value
    case .min: return members.min { ($0.compare($1) ?? 0) < 0 } ?? .missing
    case .max: return members.max { ($0.compare($1) ?? 0) < 0 } ?? .missing
    case .mode: return mode(members)
    default: break
    }
    guard !members.isEmpty else { return .missing }
    switch self {
    case .average: return Sum(members).divided(by: members.count)
    case .median:
      let sorted = members.sorted { ($0.compare($1) ?? 0) < 0 }
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : Sum(sorted[middle - 1...middle]).divided(by: 2)
    default:
      // The population's standard deviation.
      guard let mean = Sum(members).divided(by: members.count).approximation else { return .missing }
      let squares = members.compactMap(\.approximation).reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return .number((squares / Double(members.count)).squareRoot())
    }
  }

  /// The most frequent value, the least of them where several are.
  private func mode(_ members: [ComputedValue]) -> ComputedValue {
    let sorted = members.sorted { ($0.compare($1) ?? 0) < 0 }
    var (best, bestCount, count) = (ComputedValue.missing, 0, 0)
    for (index, member) in sorted.enumerated() {
      count = index > 0 && sorted[index - 1].compare(member) == 0 ? count + 1 : 1
      if count > bestCount { (best, bestCount) = (member, count) }
    }
    return best
  }
}

/// The sum of numbers: exact while it is whole, whatever it comes to in between, so that the order of whole numbers does not
/// matter.
private enum Sum {
  /// Room for more INT64 than any memory holds.
  case whole(Int128)
  case double(Double)
  case missing

  init(_ members: some Sequence<ComputedValue>) {
    self = .whole(0)
    for member in members { add(member) }
  }

  private mutating func add(_ member: ComputedValue) {
    switch (self, member) {
    case (.whole(let sum), .integer(let value)): self = .whole(sum + Int128(value))
    case (.whole(let sum), .double(let value)): self = Sum(Double(sum) + value)
    case (.double(let sum), .integer(let value)): self = Sum(sum + Double(value))
    case (.double(let sum), .double(let value)): self = Sum(sum + value)
    default: self = .missing
    }
  }

  private init(_ value: Double) {
    switch ComputedValue.number(value) {
    case .integer(let whole): self = .whole(Int128(whole))
    case .double(let value): self = .double(value)
    default: self = .missing
    }
  }

  var value: ComputedValue {
    switch self {
    case .whole(let sum): Arithmetic.integer(sum)
    case .double(let sum): .double(sum)
    case .missing: .missing
    }
  }

  func divided(by count: Int) -> ComputedValue {
    switch self {
    case .whole(let sum): Arithmetic.quotient(sum, Int64(count))
    case .double(let sum): .number(sum / Double(count))
    case .missing: .missing
    }
  }
}
