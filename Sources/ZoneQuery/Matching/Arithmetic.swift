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
    if let a = left.wholeNumber, let b = right.wholeNumber, let exact = whole(operation, a, b) {
      return .integer(exact)
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

  /// The result where it is a whole number that fits.
  private static func whole(_ operation: ArithmeticOperator, _ a: Int64, _ b: Int64) -> Int64? {
    switch operation {
    case .add: return fitting(a.addingReportingOverflow(b))
    case .subtract: return fitting(a.subtractingReportingOverflow(b))
    case .multiply: return fitting(a.multipliedReportingOverflow(by: b))
    case .divide:
      guard b != 0, fitting(a.remainderReportingOverflow(dividingBy: b)) == 0 else { return nil }
      return fitting(a.dividedReportingOverflow(by: b))
    case .power: return power(a, b)
    default: return nil
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
    case .sum: return members.reduce(.integer(0)) { Arithmetic.apply(.add, $0, $1) }
    case .min: return members.min { ($0.compare($1) ?? 0) < 0 } ?? .missing
    case .max: return members.max { ($0.compare($1) ?? 0) < 0 } ?? .missing
    case .mode: return mode(members)
    default: break
    }
    guard !members.isEmpty else { return .missing }
    let count = ComputedValue.integer(Int64(members.count))
    let sum = members.reduce(.integer(0)) { Arithmetic.apply(.add, $0, $1) }
    switch self {
    case .average: return Arithmetic.apply(.divide, sum, count)
    case .median:
      let sorted = members.sorted { ($0.compare($1) ?? 0) < 0 }
      let middle = sorted.count / 2
      if sorted.count % 2 == 1 { return sorted[middle] }
      return Arithmetic.apply(.divide, Arithmetic.apply(.add, sorted[middle - 1], sorted[middle]), .integer(2))
    default:
      // The population's standard deviation.
      guard let mean = Arithmetic.apply(.divide, sum, count).approximation else { return .missing }
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
