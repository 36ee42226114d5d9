import Foundation
import Testing

@testable import ZoneQuery

/// The batch form of a program gives each row the answer of the scalar form, and both that of the tree of comparisons
/// walked without cleverness.
struct ProgramBatchTests {
  /// What a predicate is of a row: the tree walked, numbers and plain texts compared here, the rest asked of a program
  /// of one comparison.
  static func holds(_ predicate: BoundPredicate, _ row: ValuesRow) -> Bool {
    switch predicate {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { holds($0, row) }
    case .or(let parts): parts.contains { holds($0, row) }
    case .comparison(let comparison): holds(comparison, row)
    }
  }

  private static func holds(_ comparison: BoundComparison, _ row: ValuesRow) -> Bool {
    if case .value(let field, let test) = comparison.condition {
      guard let value = row.values[field] else { return comparison.whenMissing }
      if let passes = passes(value, test) { return passes != comparison.isNegated }
    }
    return Program(.comparison(comparison)).matches(row)
  }

  private static func passes(_ value: FieldValue, _ test: ValueTest) -> Bool? {
    switch (value, test) {
    case (_, .none): return false
    case (_, .every): return true
    case (.int64(let value), .integers(let range)): return value >= range.lowerBound && value <= range.upperBound
    case (.timestamp(let value), .integers(let range)): return range.contains(value.milliseconds)
    case (.int64(let value), .integerSet(let set)): return set.contains(value)
    case (.double(let value), .doubles(let range)): return value >= range.lowerBound && value <= range.upperBound
    case (.double(let value), .doubleSet(let set)): return set.contains(value)
    case (.location(let place), .location(let latitude, let longitude)):
      return place.latitude == latitude && place.longitude == longitude
    case (.location(let place), .distance(let circle)):
      let distance = Geodesic.distance(
        latitude1: circle.latitude, longitude1: circle.longitude, latitude2: place.latitude,
        longitude2: place.longitude)
      return circle.relation.holds(distance, circle.radius)
    case (.string(let text), .text(let test)) where test.folding.isEmpty:
      let (bytes, operand) = (Array(text.utf8), test.operand)
      switch test.relation {
      case .equal: return bytes == operand
      case .less: return bytes.lexicographicallyPrecedes(operand)
      case .lessOrEqual: return !operand.lexicographicallyPrecedes(bytes)
      case .greater: return operand.lexicographicallyPrecedes(bytes)
      case .greaterOrEqual: return !bytes.lexicographicallyPrecedes(operand)
      case .prefix: return !operand.isEmpty && bytes.starts(with: operand)
      case .suffix: return !operand.isEmpty && bytes.reversed().starts(with: operand.reversed())
      default: return nil
      }
    case (.string(let text), .textSet(let set, let folding)) where folding.isEmpty:
      return set.contains(Array(text.utf8))
    default: return nil
    }
  }

  @Test func batchAnswersAsTheScalarForm() {
    var source = PredicateSource(random: SplitMix(seed: 41))
    let blocks = (0..<(TestAmount.isLong ? 60 : 12)).map { _ in source.block() }
    let wanted = TestAmount.of(320_000, long: 6_000_000)
    var (verdicts, truths, modelled) = (0, 0, 0)
    while verdicts < wanted {
      let parts = (0..<1 + source.pick(3)).map { _ in source.predicate(depth: source.pick(4)) }
      let program = Program(conjuncts: parts)
      let whole = BoundPredicate.and(parts)
      let block = blocks[source.pick(blocks.count)]
      var candidates = SIMD4<UInt64>()
      let share = source.pick(4)
      for row in block.rows.indices where share < 2 || source.pick(share == 2 ? 2 : 20) == 0 {
        candidates[row / 64] |= 1 << (row % 64)
      }
      let answer = program.mask(block, candidates)
      var some: [Int] = []
      for number in parts.indices where source.pick(2) == 0 { some.insert(number, at: source.pick(some.count + 1)) }
      let residual = program.mask(block, candidates, conjuncts: some)
      var (expected, expectedOfSome) = (SIMD4<UInt64>(), SIMD4<UInt64>())
      for row in block.rows.indices where candidates[row / 64] >> (row % 64) & 1 == 1 {
        let bit: UInt64 = 1 << (row % 64)
        let scalar = program.matches(block.rows[row])
        if scalar { expected[row / 64] |= bit }
        let scalarOfSome = program.matches(block.rows[row], conjuncts: some)
        if scalarOfSome { expectedOfSome[row / 64] |= bit }
        verdicts += 2
        truths += scalar ? 1 : 0
        if row % 8 == 0 {
          #expect(scalar == Self.holds(whole, block.rows[row]), "\(whole) \(block.rows[row])")
          #expect(scalarOfSome == some.allSatisfy { Self.holds(parts[$0], block.rows[row]) }, "\(parts) \(some)")
          modelled += 2
        }
      }
      if answer != expected { Issue.record("\(whole): \(answer) for \(expected) of \(candidates)") }
      if residual != expectedOfSome { Issue.record("\(parts) \(some): \(residual) for \(expectedOfSome)") }
    }
    print("batch: \(verdicts) verdicts, \(truths) true of the whole, \(modelled) against the tree")
    #expect(verdicts >= TestAmount.of(300_000) && truths >= verdicts / 20 && modelled >= verdicts / 20)
  }

  @Test func constantsAreReplaced() {
    var source = PredicateSource(random: SplitMix(seed: 42))
    let rows = (0..<40).map { _ in source.row() }
    var (replaced, refused, verdicts) = (0, 0, 0)
    for _ in 0..<TestAmount.of(4_000, long: 100_000) {
      var parts = (0..<1 + source.pick(3)).map { _ in source.predicate(depth: source.pick(2)) }
      var program = Program(conjuncts: parts)
      let untouched = program
      let original = parts
      let number = source.pick(parts.count)
      // Another comparison; of a field's one value, mostly one of the same form, by drawing until one turns up.
      var next = source.comparison()
      var isReplaced = program.replaceConstant(ofConjunct: number, with: next)
      if !isReplaced, case .comparison(let old) = parts[number], case .value(let field, _) = old.condition {
        for _ in 0..<4 where !isReplaced {
          let test = source.test(PredicateSource.types[field], isSet: false)
          next = BoundComparison(
            condition: .value(field, test), isNegated: source.pick(2) == 0, whenMissing: source.pick(2) == 0)
          isReplaced = program.replaceConstant(ofConjunct: number, with: next)
        }
      }
      if isReplaced {
        parts[number] = .comparison(next)
        replaced += 1
      } else {
        refused += 1
      }
      let fresh = Program(conjuncts: parts)
      let before = Program(conjuncts: original)
      for row in rows.indices where row % 4 == refused % 4 {
        #expect(program.matches(rows[row]) == fresh.matches(rows[row]), "\(original) \(next)")
        #expect(untouched.matches(rows[row]) == before.matches(rows[row]), "\(original) \(next)")
        verdicts += 2
      }
    }
    print("replaced constants: \(replaced), refused \(refused), \(verdicts) verdicts")
    #expect(replaced >= TestAmount.of(800) && refused >= TestAmount.of(400) && verdicts >= TestAmount.of(60_000))
  }

  @Test func bytesCompareAsWrittenPlainly() {
    var random = SplitMix(seed: 43)
    var checks = 0
    for _ in 0..<TestAmount.of(30_000, long: 1_000_000) {
      let length = Int(random.next() % 36)
      var left = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) & 0x83 }
      var right = Array(left.prefix(Int(random.next() % UInt64(length + 1))))
      if random.next() % 4 == 0 { right = left }
      for _ in 0..<Int(random.next() % 4) { right.append(UInt8(truncatingIfNeeded: random.next()) & 0x83) }
      if !right.isEmpty, random.next() % 3 == 0 { right[Int(random.next() % UInt64(right.count))] ^= 0x80 }
      if random.next() % 2 == 0 { swap(&left, &right) }
      let order = ByteOrder.compare(left.span, right.span)
      #expect((order < 0) == left.lexicographicallyPrecedes(right))
      #expect((order > 0) == right.lexicographicallyPrecedes(left))
      #expect(ByteOrder.areEqual(left.span, right.span) == (left == right))
      #expect(ByteOrder.stands(right.span, in: left.span, at: 0) == left.starts(with: right))
      #expect(
        ByteOrder.stands(right.span, in: left.span, at: left.count - right.count)
          == left.reversed().starts(with: right.reversed()))
      checks += 5
    }
    print("byte order: \(checks) checks")
    #expect(checks >= TestAmount.of(150_000))
  }
}
