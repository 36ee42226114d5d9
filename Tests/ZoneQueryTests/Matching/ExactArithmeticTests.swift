import Testing

@testable import ZoneQuery

/// What is computed of whole numbers, up to the ends of INT64.
@Suite struct ExactArithmeticTests {
  private var random = SplitMix(seed: 5)

  private static let ends: [Int64] = [.min, .min + 1, .max, .max - 1, 1 << 53, (1 << 53) + 1, 0, 1, -1]

  /// Whole numbers of all sizes, the ends among them.
  private mutating func number() -> Int64 {
    switch random.next() % 8 {
    case 0: Self.ends.randomElement(using: &random) ?? 0
    default: Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
    }
  }

  /// Whether `value` · 2ᵉ · `divisor` is less than `dividend`, equal to it (nil) or greater, exactly: all three positive.
  private static func isLess(_ value: UInt64, _ exponent: Int, _ divisor: UInt64, than dividend: UInt64) -> Bool? {
    // Both sides in 256 bits, whose unit is 2⁻¹²⁸.
    let product = value.multipliedFullWidth(by: divisor)
    let bits = UInt128(product.high) << 64 | UInt128(product.low)
    let shift = 128 + exponent
    let high = shift >= 128 ? bits << UInt128(shift - 128) : bits >> UInt128(128 - shift)
    let low = shift >= 128 ? 0 : bits << UInt128(shift)
    if high != UInt128(dividend) { return high < UInt128(dividend) }
    return low == 0 ? nil : false
  }

  /// A quotient that is no whole number is the double beside which no other is nearer.
  @Test mutating func quotientsAreTheNearestDoubles() {
    var checks = 0
    for _ in 0..<TestAmount.of(100_000) {
      let (a, b) = (number(), number())
      let quotient = Arithmetic.apply(.divide, .integer(a), .integer(b))
      checks += 1
      if b == 0 {
        #expect(quotient == .missing)
      } else if a.remainderReportingOverflow(dividingBy: b).partialValue == 0 {
        let whole = a.dividedReportingOverflow(by: b)
        #expect(quotient == (whole.overflow ? .double(0x1p63) : .integer(whole.partialValue)), "\(a) / \(b)")
      } else if let value = quotient.approximation {
        #expect(quotient == .number(value))
        #expect((value < 0) == ((a < 0) != (b < 0)))
        // Halfway to the neighbours: one bit more than a double has.
        let exponent = Int(value.exponent) - 53
        let middle = UInt64(value.significand * 0x1p53)
        let above = Self.isLess(middle + 1, exponent, b.magnitude, than: a.magnitude)
        // Below a power of two the neighbour is half as far.
        let below =
          value.significand == 1
          ? Self.isLess(2 * middle - 1, exponent - 1, b.magnitude, than: a.magnitude)
          : Self.isLess(middle - 1, exponent, b.magnitude, than: a.magnitude)
        #expect(above != true && below != false, "\(a) / \(b) is not \(value)")
      } else {
        Issue.record("\(a) / \(b) is \(quotient)")
      }
    }
    #expect(checks >= TestAmount.of(100_000))
  }

  /// Sums, differences and products, exact or the nearest double, against wider whole numbers.
  @Test mutating func resultsThatFitAreWhole() {
    for _ in 0..<TestAmount.of(100_000) {
      let (a, b) = (number(), number())
      for (operation, exact) in [
        (ArithmeticOperator.add, Int128(a) + Int128(b)), (.subtract, Int128(a) - Int128(b)),
        (.multiply, Int128(a) * Int128(b)),
      ] {
        let result = Arithmetic.apply(operation, .integer(a), .integer(b))
        if let whole = Int64(exactly: exact) {
          #expect(result == .integer(whole))
        } else if case .double(let value) = result {
          // The unit in the last place is at most 2⁷⁴, and what is rounded is a half of it off at most.
          let error = (Int128(value.magnitude) - Int128(exact.magnitude)).magnitude
          #expect(2 * error <= UInt128(value.ulp), "\(a) \(operation.rawValue) \(b) is not \(value)")
          #expect((value < 0) == (exact < 0))
        } else {
          Issue.record("\(a) \(operation.rawValue) \(b) is \(result)")
        }
      }
    }
  }

  /// A quotient is rounded as it is, not as its nearest double.
  @Test mutating func roundedQuotients() {
    for _ in 0..<TestAmount.of(100_000) {
      let (a, b) = (number(), number())
      if b == 0 || a == .min && b == -1 { continue }
      let (whole, remainder) = a.quotientAndRemainder(dividingBy: b)
      let isBelow = remainder != 0 && (a < 0) != (b < 0)
      let isAbove = remainder != 0 && (a < 0) == (b < 0)
      let arguments: [ComputedValue] = [.integer(a), .integer(b)]
      #expect(BuiltinFunction.truncate.apply(arguments) == .integer(whole))
      #expect(BuiltinFunction.floor.apply(arguments) == .integer(isBelow ? whole - 1 : whole))
      #expect(BuiltinFunction.ceiling.apply(arguments) == .integer(isAbove ? whole + 1 : whole))
    }
    let least: [ComputedValue] = [.integer(.min), .integer(-1)]
    #expect(BuiltinFunction.truncate.apply(least) == .double(0x1p63))
    #expect(BuiltinFunction.truncate.apply([.integer(1), .integer(0)]) == .missing)
    #expect(BuiltinFunction.truncate.apply([.double(7.5), .integer(2)]) == .integer(3))
    #expect(BuiltinFunction.floor.apply([.double(-7.5), .integer(2)]) == .integer(-4))
    #expect(BuiltinFunction.ceiling.apply([.missing, .integer(2)]) == .missing)
  }

  /// Sums, means and medians of whole numbers do not depend on their order or on what lies between.
  @Test mutating func sumsOfLists() {
    for _ in 0..<TestAmount.of(20_000) {
      var numbers = (0..<(1 + random.next() % 6)).map { _ in number() }
      if numbers.count > 2, random.next() % 2 == 0 {
        // Out of the range, and back.
        numbers += [.max, .min, 1, -1].prefix(Int(random.next() % 5))
      }
      numbers.shuffle(using: &random)
      let list: [ComputedValue] = [.list(numbers.map { .integer($0) })]
      let exact = numbers.reduce(Int128(0)) { $0 + Int128($1) }
      let sum = BuiltinFunction.sum.apply(list)
      #expect(sum == (Int64(exactly: exact).map { .integer($0) } ?? .double(Double(exact))))
      let count = Int128(numbers.count)
      let average = BuiltinFunction.average.apply(list)
      if exact % count == 0 {
        #expect(average == .integer(Int64(exact / count)))
      } else {
        let near = Double(exact) / Double(count)
        #expect(abs((average.approximation ?? .infinity) - near) <= near.ulp, "\(numbers)")
      }
      let sorted = numbers.sorted()
      let middles = Int128(sorted[(sorted.count - 1) / 2]) + Int128(sorted[sorted.count / 2])
      if middles % 2 == 0 {
        #expect(BuiltinFunction.median.apply(list) == .integer(Int64(middles / 2)))
      } else {
        #expect(BuiltinFunction.median.apply(list) == ComputedValue.number(Double(middles) / 2))
      }
    }
  }

  /// Doubles are added in their order; what they come to may be whole again.
  @Test func sumsOfDoubles() {
    func sum(_ values: ComputedValue...) -> ComputedValue { BuiltinFunction.sum.apply([.list(values)]) }
    #expect(sum() == .integer(0))
    #expect(sum(.double(0.1), .double(0.2), .double(0.3)) == .double(0.1 + 0.2 + 0.3))
    #expect(sum(.double(0.5), .double(0.5), .integer(.max), .integer(-1)) == .integer(.max))
    #expect(sum(.double(1e300), .integer(1), .double(1e300)) == .double(2e300))
    #expect(sum(.double(.infinity), .double(-.infinity)) == .missing)
    #expect(sum(.integer(1), .missing) == .missing)
    #expect(BuiltinFunction.average.apply([.list([])]) == .missing)
    #expect(BuiltinFunction.average.apply([.double(0.5), .integer(1)]) == .double(0.75))
  }
}
