import Testing

@testable import ZoneQuery

/// The flat form of a comparison of numbers against the walk along its tree, whose values hold texts and lists too.
struct NumericComparisonTests {
  private static let numbers: [ComputedValue] = [
    .integer(0), .integer(1), .integer(-1), .integer(2), .integer(7), .integer(1 << 53 + 1), .integer(.max),
    .integer(.min), .double(0.5), .double(-2.25), .double(1e300), .double(0x1p63), .double(.infinity),
  ]
  private static let operations: [ArithmeticOperator] = [
    .add, .subtract, .multiply, .divide, .power, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight,
  ]

  private static func expression(_ depth: Int, _ random: inout SplitMix) -> BoundExpression {
    switch depth > 0 ? random.below(7) : random.below(3) {
    case 0: .constant(numbers[random.below(numbers.count)])
    case 1: .field(random.below(3), FieldType(.int64))
    case 2: .field(3 + random.below(3), FieldType(.double))
    case 3: .negated(expression(depth - 1, &random))
    default:
      .arithmetic(
        operations[random.below(operations.count)], expression(depth - 1, &random), expression(depth - 1, &random))
    }
  }

  @Test func answersAsTheTree() throws {
    var random = SplitMix(seed: 26)
    let kinds: [ComputedRelation.Kind] = [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual]
    var (checks, holding, missing) = (0, 0, 0)
    for _ in 0..<TestAmount.of(40_000) {
      let (left, right) = (Self.expression(3, &random), Self.expression(random.below(3), &random))
      var relation = ComputedRelation(kind: kinds[random.below(kinds.count)], folding: [])
      relation.missingEqualsMissing = random.below(2) == 0
      let flat = try #require(NumericComparison(left, relation, right))
      for _ in 0..<3 {
        let values: [FieldValue?] = (0..<6).map { field in
          if random.below(6) == 0 { return nil }
          let number = Self.numbers[random.below(Self.numbers.count)]
          if field < 3 { return .int64(number.wholeNumber ?? 3) }
          return .double(number.approximation ?? 0)
        }
        let row = ValuesRow(values: values)
        let expected = relation.holds(left.evaluate(row), right.evaluate(row), matcher: nil)
        let answer = flat.answer(row)
        if answer != expected { Issue.record("\(left) \(relation.kind) \(right) of \(values): \(answer as Any)") }
        checks += 1
        if answer == true { holding += 1 }
        if answer == nil { missing += 1 }
      }
    }
    print("comparisons of numbers: \(checks) checked, \(holding) hold, \(missing) miss a side")
    #expect(checks == 3 * TestAmount.of(40_000) && holding > checks / 5 && missing > checks / 20)
  }

  /// What has texts, lists, moments or conditions in it has no flat form.
  @Test func othersHaveNone() {
    let number = BoundExpression.field(0, FieldType(.int64))
    let equal = ComputedRelation(kind: .equal, folding: [])
    for other: BoundExpression in [
      .constant(.text([97])), .constant(.missing), .field(1, FieldType(.timestamp)), .field(1, FieldType(.string)),
      .field(1, .list(.int64)), .count(.field(1, .list(.int64))),
      .function(.absolute, [number]), .complement(number), .arithmetic(.add, number, .field(1, FieldType(.string))),
    ] {
      #expect(NumericComparison(number, equal, other) == nil && NumericComparison(other, equal, number) == nil)
    }
    #expect(NumericComparison(number, equal, number) != nil)
    #expect(NumericComparison(number, ComputedRelation(kind: .member, folding: []), number) == nil)
    #expect(NumericComparison(number, ComputedRelation(kind: .present, folding: []), number) == nil)
  }
}
