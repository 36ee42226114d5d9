import Testing
import ZoneQuery

@testable import ZoneQueryTesting

/// The oracle over plans has all kinds of plans to choose from.
struct PlanKindTests {
  @Test func everyKindOfPlanIsConsidered() throws {
    var random = SeededRandom(seed: 8)
    var kinds: Set<String> = []
    var queries = 0
    for round in 0..<120 {
      let type = SchemaGenerator().recordType("Thing", &random)
      let records = RecordGenerator(recordType: type).records(1 + random.below(20), &random)
      var generator = PredicateGenerator(recordType: type, records: records)
      generator.dialect = round % 2 == 0 ? .extended : .cloudKit
      let options = PredicateOptions(dialect: generator.dialect)
      var testCase = FuzzCase(recordType: type, records: records, predicate: .true, options: options)
      let world = try RoundaboutDatabase(testCase, &random)
      for _ in 0..<10 {
        testCase.predicate = generator.predicate(&random)
        let keys = random.chance(1, of: 2) ? [] : NaiveOrder.random(for: testCase, &random).keys
        let query = Query(recordType: "Thing", predicate: QueryPredicate(testCase.predicate), sort: keys)
        kinds.formUnion(try world.database.prepare(query).answer(forcing: .scan).notes.kinds)
        queries += 1
      }
    }
    print("plans: \(queries) queries, \(kinds.count) kinds: \(kinds.sorted().joined(separator: "; "))")
    for kind in [
      "scan", "slots", "span", "spans", "list", "any list", "all lists", "circle", "union", "nothing", "walk",
      "sorted walk", "walk with missing",
    ] {
      #expect(kinds.contains { $0 == kind || $0.hasPrefix(kind + ", ") }, "\(kind)")
    }
    #expect(kinds.contains { $0.hasSuffix("residual") } && kinds.contains { $0.hasSuffix("probes") })
    #expect(queries == 1_200)
  }
}
