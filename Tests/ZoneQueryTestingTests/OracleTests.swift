import PredicateSyntax
import Testing
import ZoneQuery

@testable import ZoneQueryTesting

/// The oracles over the engine, for a fixed seed and few seconds; the tool's command fuzz goes on for longer.
struct OracleTests {
  @Test(arguments: Oracles.all.map(\.name))
  func holds(_ name: String) throws {
    let oracle = try #require(Oracles.named(name))
    var fuzzer = Fuzzer(seed: 20_260_101, oracles: [oracle])
    let checks = TestAmount.of(250, long: 3_000)
    let report = fuzzer.run(checks: checks)
    #expect(report == nil, "\(report.map(\.description) ?? "")")
    print("\(name): \(fuzzer.summary)")
    #expect(fuzzer.checks >= checks)
  }

  @Test func usersAreNotAskedFor() throws {
    let schema = try Schema(
      ckdb: "DEFINE SCHEMA RECORD TYPE Users (roles LIST<INT64>); RECORD TYPE Thing (x INT64 QUERYABLE SORTABLE);")
    var fuzzer = Fuzzer(seed: 5, schema: schema)
    let report = fuzzer.run(checks: TestAmount.of(400))
    #expect(report == nil, "\(report.map(\.description) ?? "")")
  }

  @Test func aSchemaWithNothingToAskForIsToldOf() throws {
    let users = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Users (roles LIST<INT64>);")
    for schema in [Schema(), users] {
      var fuzzer = Fuzzer(seed: 1, schema: schema)
      let found = fuzzer.run(checks: 3)
      let report = try #require(found)
      #expect(report.oracle == "setup" && fuzzer.failures == 1 && fuzzer.checks == 0)
      #expect(report.description.contains("no record type that can be asked for"))
    }
  }

  @Test func everyOperatorMeetsEveryTypeItTakes() {
    var fuzzer = Fuzzer(seed: 1, oracles: [TextOracle()])
    let report = fuzzer.run(checks: TestAmount.isFull ? 12_000 : 3_000)
    #expect(report == nil, "\(report.map(\.description) ?? "")")
    print("coverage: \(fuzzer.coverage.pairs) pairs of operator and type")
    #expect(fuzzer.coverage.pairs >= 150)
    let operators = fuzzer.coverage.counts.keys
    for name in [
      "==", "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "TOKENMATCHES", "ANY IN", "ALL IN",
    ] {
      #expect(operators.contains { $0.utf8.elementsEqual(name.utf8) }, "\(name)")
    }
  }

  @Test func plansAreToldOfOperatorsAndTypes() {
    // Circles are rare: of some seeds these have them early.
    var fuzzer = Fuzzer(seed: 49, oracles: [PlanOracle(), TextOracle()])
    let report = fuzzer.run(checks: TestAmount.isLong ? 120_000 : TestAmount.isFull ? 16_000 : 4_000)
    #expect(report == nil, "\(report.map(\.description) ?? "")")
    print("coverage: \(fuzzer.coverage.triples) triples of operator, type and kind of plan")
    #expect(fuzzer.coverage.triples >= (TestAmount.isLong ? 500 : 150))
    func plans(_ operation: String, _ type: String) -> [String: Int] { fuzzer.coverage.plans[operation]?[type] ?? [:] }
    #expect(plans("==", "STRING")["scan"] ?? 0 > 0 && plans("==", "STRING")["span"] ?? 0 > 0)
    #expect(plans("<", "LOCATION")["circle"] ?? 0 > 0)
    // No predicate counts by a plan that was not counted as itself.
    for (operation, types) in fuzzer.coverage.plans {
      for (type, plans) in types {
        let count = fuzzer.coverage.counts[operation]?[type] ?? 0
        #expect(plans.values.allSatisfy { $0 <= count }, "\(operation) \(type)")
      }
    }
  }

  @Test func theSameSeedGivesTheSameRun() {
    func run(_ seed: UInt64) -> [Int] {
      var fuzzer = Fuzzer(seed: seed, oracles: [MatcherOracle()])
      _ = fuzzer.run(checks: TestAmount.of(2_000))
      return [fuzzer.checks, fuzzer.predicates, fuzzer.coverage.pairs]
    }
    #expect(run(5) == run(5) && run(5) != run(6))
  }

  @Test func fewAnswersAreUndecided() {
    var random = SeededRandom(seed: 3)
    var counts: [Truth: Int] = [:]
    for _ in 0..<40 {
      let type = SchemaGenerator().recordType("Thing", &random)
      let records = RecordGenerator(recordType: type).records(10, &random)
      var generator = PredicateGenerator(recordType: type, records: records)
      generator.dialect = random.chance(1, of: 2) ? .cloudKit : .extended
      for _ in 0..<20 {
        let evaluator = NaiveEvaluator(recordType: type, options: PredicateOptions(dialect: generator.dialect))
        let predicate = generator.predicate(&random)
        for record in records { counts[evaluator.truth(of: predicate, for: record), default: 0] += 1 }
      }
    }
    let total = counts.values.reduce(0, +)
    print("truths: \(counts)")
    #expect(total == 8_000)
    #expect(
      (counts[.undecided] ?? 0) * 20 < total && (counts[.yes] ?? 0) * 10 > total
        && (counts[.unknown] ?? 0) * 20 > total)
  }
}
