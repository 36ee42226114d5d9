import Testing

@testable import ZoneQuery

struct NumericOrderTests {
  /// Whole numbers and doubles around every place where casting would go wrong.
  private static let whole: [Int64] = {
    var values: Set<Int64> = [.min, .min + 1, .max, .max - 1, 0, 1, -1]
    for shift in [31, 52, 53, 54, 60, 61, 62] {
      for delta in -3...3 {
        values.insert((1 << Int64(shift)) + Int64(delta))
        values.insert(-(1 << Int64(shift)) + Int64(delta))
      }
    }
    return values.sorted()
  }()

  private static let doubles: [Double] = {
    var values: [Double] = [
      0, -0.0, .infinity, -.infinity, 0.5, -0.5, 1e300, -1e300, .leastNonzeroMagnitude, 0x1p63, -0x1p63,
    ]
    for number in whole { values += [Double(number), Double(number).nextUp, Double(number).nextDown] }
    return values
  }()

  /// The order of two numbers by splitting the double into its whole and fractional parts.
  private func order(_ whole: Int64, _ number: Double) -> Int {
    if number >= 0x1p63 { return -1 }
    if number < -0x1p63 { return 1 }
    let truncated = number.rounded(.towardZero)
    let part = Int64(truncated)
    if whole != part { return whole < part ? -1 : 1 }
    let rest = number - truncated
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  @Test func boundsAndComparisonsAgree() {
    var checks = 0
    for whole in Self.whole {
      for number in Self.doubles {
        let order = order(whole, number)
        #expect(NumericOrder.compare(whole, number) == order, "\(whole) \(number)")
        for (relation, holds, mirrored) in [
          (NumericOrder.Relation.equal, order == 0, order == 0), (.less, order < 0, order > 0),
          (.lessOrEqual, order <= 0, order >= 0), (.greater, order > 0, order < 0),
          (.greaterOrEqual, order >= 0, order <= 0),
        ] {
          #expect(
            (NumericOrder.wholeNumbers(relation, number)?.contains(whole) ?? false) == holds,
            "\(whole) \(relation) \(number)")
          #expect(
            (NumericOrder.doubles(relation, whole)?.contains(number) ?? false) == mirrored,
            "\(number) \(relation) \(whole)")
          checks += 2
        }
      }
    }
    print("numeric order: \(checks) checks")
    #expect(checks > 100_000)
  }
}
