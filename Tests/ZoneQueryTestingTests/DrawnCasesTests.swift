import PredicateSyntax
import Testing
import ZoneQuery
import ZoneQueryTesting

/// What generators draw of a seed, and what their settings keep them from.
struct DrawnCasesTests {
  /// Reports name seeds: where this fails, those that were noted down mean other cases from now on.
  @Test func aSeedDrawsTheSameCases() {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func feed(_ text: String) { for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    var random = SeededRandom(seed: 20_260_301)
    var predicates = 0
    for dialect in Dialect.allCases {
      for _ in 0..<40 {
        let type = SchemaGenerator().recordType("Thing", &random)
        let records = RecordGenerator(recordType: type).records(8, &random)
        for record in records { feed("\(record)") }
        var generator = PredicateGenerator(recordType: type, records: records)
        generator.dialect = dialect
        for _ in 0..<25 {
          feed(generator.predicate(&random).predicateFormat)
          predicates += 1
        }
      }
    }
    #expect(predicates == 2_000)
    #expect(hash == 8_559_412_807_320_967_675)
  }

  /// Settings that leave nothing, or nearly nothing, to be drawn are taken at their word, and end.
  @Test func settingsAtTheEnds() {
    var random = SeededRandom(seed: 3)
    var generator = SchemaGenerator()
    for most in [-1, 0, 1, 2, 3] {
      generator.maximumFields = most
      var greatest = 0
      for _ in 0..<50 { greatest = max(greatest, generator.recordType("Thing", &random).fields.count) }
      #expect(greatest == max(0, most), "\(most)")
    }
    for predicates in [-1, 0] {
      var fuzzer = Fuzzer(seed: 1)
      (fuzzer.predicatesPerPopulation, fuzzer.recordCount) = (predicates, -1)
      let report = fuzzer.run(checks: 1)
      #expect(report?.oracle == "setup" && report?.message == "no oracle made a check for 1000 populations")
    }
    var idle = Fuzzer(seed: 1, oracles: [])
    (idle.predicatesPerPopulation, idle.recordCount) = (1, 0)
    #expect(idle.run(checks: 1)?.oracle == "setup" && idle.failures == 1)
  }

  /// The comparisons of predicates that a generator of some settings draws of types that have words to search for.
  private func comparisons(_ tune: (inout PredicateGenerator) -> Void) -> [ComparisonNode] {
    var random = SeededRandom(seed: 5)
    var comparisons: [ComparisonNode] = []
    func collect(_ node: PredicateNode) {
      switch node {
      case .constant: break
      case .not(let not): collect(not.operand)
      case .and(let compound), .or(let compound): compound.parts.forEach(collect)
      case .comparison(let comparison): comparisons.append(comparison)
      }
    }
    for dialect in Dialect.allCases {
      for _ in 0..<TestAmount.of(80) {
        var type = SchemaGenerator().recordType("Thing", &random)
        type.define(FieldDefinition("text", .string, .searchable))
        var generator = PredicateGenerator(
          recordType: type, records: RecordGenerator(recordType: type).records(4, &random))
        generator.dialect = dialect
        tune(&generator)
        for _ in 0..<25 { collect(generator.predicate(&random)) }
      }
    }
    return comparisons
  }

  private func isTokenSearch(_ comparison: ComparisonNode) -> Bool {
    let words = [comparison.left, comparison.right].contains { side in
      if case .key(let key) = side { key.name.utf8.elementsEqual("allTokens".utf8) } else { false }
    }
    if case .selfReference = comparison.left { return true }
    return words
  }

  @Test func tokenSearchesCanBeLeftOut() {
    let members: Set<ComparisonOperator> = [.in, .contains]
    let all = comparisons { $0.operators = members }
    #expect(all.contains(where: isTokenSearch))
    let without = comparisons { generator in
      generator.operators = members
      generator.includesTokenSearches = false
    }
    print("token searches left out of \(without.count) comparisons")
    #expect(without.count > TestAmount.of(4_000))
    #expect(!without.contains(where: isTokenSearch))
  }

  @Test func quantifiersCanBeChosen() {
    let all = comparisons { _ in }
    for quantifier in Quantifier.allCases {
      #expect(all.contains { $0.quantifier == quantifier })
      let some = comparisons { $0.quantifiers = [quantifier] }
      #expect(some.contains { $0.quantifier == quantifier })
      #expect(some.allSatisfy { $0.quantifier == nil || $0.quantifier == quantifier })
    }
    let none = comparisons { $0.quantifiers = [] }
    #expect(none.allSatisfy { $0.quantifier == nil } && none.contains(where: isTokenSearch))
    print("quantifiers left out of \(none.count) comparisons")
    #expect(none.count > TestAmount.of(4_000))
  }
}
