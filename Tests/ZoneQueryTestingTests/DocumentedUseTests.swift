import Testing
import ZoneQuery
import ZoneQueryTesting

/// What the documentation shows, compiled: no testable import here.
struct DocumentedUseTests {
  /// Ten lines that try another engine (here: a matcher) with a schema of one's own.
  @Test func anEngineOfOnesOwn() throws {
    let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event ( city STRING QUERYABLE, seats INT64 QUERYABLE );")
    let mine = ComparisonOracle("mine") { testCase in
      let matcher = try Matcher(
        QueryPredicate(testCase.predicate), for: testCase.recordType, options: testCase.options, now: testCase.now)
      return try testCase.records.filter { try matcher.matches($0) }.map(\.recordID)
    }
    var fuzzer = Fuzzer(seed: 7, schema: schema, oracles: [mine])
    let report = fuzzer.run(checks: 2_000)
    #expect(report == nil, "\(report.map(\.description) ?? "")")
    print("an engine of one's own: \(fuzzer.summary)")
    #expect(fuzzer.checks >= 2_000)
  }

  @Test func anOracleOfOnesOwn() {
    struct NothingIsTwice: Oracle {
      let name = "nothing-twice"
      let summary = "A query returns no record twice."
      func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
        let found = try subject.found(subject.testCase.predicate)
        try expect(Set(found.map { Array($0.utf8) }).count == found.count, "a record came twice")
        return 1
      }
    }
    var fuzzer = Fuzzer(seed: 7, oracles: [NothingIsTwice()])
    fuzzer.tune = { generator in
      generator.operators = [.equal, .in]
      generator.fieldTypes = [.string, .int64]
      generator.selectivity = 0.9
    }
    let report = fuzzer.run(checks: 300)
    #expect(report == nil)
    #expect(
      fuzzer.coverage.counts.keys.allSatisfy { ["==", "IN", "ANY ==", "ALL ==", "ANY IN", "ALL IN"].contains($0) })
  }
}
