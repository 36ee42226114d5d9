import PredicateSyntax
import Testing
import ZoneQuery

@testable import ZoneQueryTesting

struct ShrinkerTests {
  /// An engine that says of every record that it matches where the predicate has a BEGINSWITH anywhere.
  private static let broken = ComparisonOracle("broken") { testCase in
    if testCase.predicate.predicateFormat.utf8.contains(UInt8(ascii: "W")) { return testCase.records.map(\.recordID) }
    let database = try testCase.database()
    let query = Query(recordType: testCase.recordType.name, predicate: QueryPredicate(testCase.predicate))
    return try database.records(matching: query, resultsLimit: .max).records.map(\.recordID)
  }

  @Test func aFailureIsMadeSmallAndPrintedAsATest() throws {
    var fuzzer = Fuzzer(seed: 13, oracles: [Self.broken])
    fuzzer.dialects = [.cloudKit]
    let found = fuzzer.run(checks: 100_000)
    let report = try #require(found)
    #expect(fuzzer.failures == 1 && fuzzer.summary.hasSuffix("1 failure, seed 13"))
    #expect(report.testCase.records.count == 1, "\(report)")
    #expect(report.testCase.recordType.fields.count <= 1, "\(report)")
    guard case .comparison(let node) = report.testCase.predicate else {
      Issue.record("\(report)")
      return
    }
    #expect(node.comparison == .beginsWith || node.comparison == .between, "\(report)")
    for part in [
      "seed: 13", "@Test func shrunkCase", "Record(webServicesJSON:", "QueryPredicate(format:", "dialect: .cloudKit",
      "let oracle = yourOracle  // the one named \"broken\"",
    ] {
      #expect(report.description.contains(part), "\(part)")
    }
  }

  @Test func constantsBecomePlain() throws {
    let type = RecordType("Thing", fields: [FieldDefinition("age", .int64), FieldDefinition("name", .string)])
    var record = Record(recordType: "Thing", recordName: "r")
    record["age"] = 1234
    record["name"] = "abcdef"
    let predicate = try QueryPredicate(format: "name = 'x' OR age IN {5, 77, 1234, 99} AND NOT (name = 'long text')")
    let testCase = FuzzCase(
      recordType: type, records: [record, record], predicate: predicate.root,
      options: PredicateOptions(dialect: .extended))
    // Fails as long as an IN with at least two members stands there.
    let small = Shrinker().shrink(testCase) { candidate in
      let text = candidate.predicate.predicateFormat
      return text.contains("IN {") && text.contains(",")
    }
    #expect(small.predicate.predicateFormat == "age IN {0, 0}" && small.records.isEmpty)
  }

  @Test func aPredicateCanStay() throws {
    let type = RecordType("Thing", fields: [FieldDefinition("age", .int64), FieldDefinition("name", .string)])
    var record = Record(recordType: "Thing", recordName: "r")
    record["age"] = 1234
    record["name"] = "abcdef"
    let predicate = try QueryPredicate(format: "age > 5 AND age < 2000 AND name != 'x'")
    let testCase = FuzzCase(recordType: type, records: [record, record], predicate: predicate.root)
    var shrinker = Shrinker()
    shrinker.keepsPredicate = true
    let small = shrinker.shrink(testCase) { candidate in
      candidate.records.contains { ($0.int64("age") ?? 0) > 5 }
    }
    #expect(small.predicate == predicate.root)
    #expect(small.records.count == 1 && small.records.first?.fieldCount == 1)
    #expect(small.records.first?.int64("age") == 6)
  }

  /// The test that a report prints, as it was printed for a planted bug, compiles and holds once the bug is gone.
  @Test func aPrintedTestCompiles() throws {
    let schema = try Schema(ckdb: "DEFINE SCHEMA\n\n    RECORD TYPE Thing (\n        x4 LOCATION QUERYABLE\n    );\n")
    var records: [Record] = []
    records.append(
      try Record(
        webServicesJSON:
          "{\"recordName\":\"r6\",\"recordType\":\"Thing\",\"fields\":{\"x4\":{\"value\":{\"latitude\":90.0,\"longitude\":0.0},\"type\":\"LOCATION\"}}}",
        schema: schema))
    let predicate = try QueryPredicate(
      format: "distanceToLocation:fromLocation:(x4, CAST(\"-90.0,0.0\", \"CLLocation\")) < 1")
    let testCase = FuzzCase(
      recordType: schema.recordTypes[0], records: records, predicate: predicate.root,
      options: PredicateOptions(dialect: .extended, missingFields: .excluded, stringEquality: .exact),
      now: Timestamp(milliseconds: 1_000_000_000_000), seed: 10_905_445_342_812_638_925)
    let oracle = try #require(Oracles.named("evaluator"))
    #expect(try oracle.check(OracleSubject(testCase)) >= 0)
  }
}
