import Foundation
import Testing
import ZoneQuery
import ZoneQueryTesting

/// What the documentation shows, compiled: no testable import here.
struct DocumentedUseTests {
  /// The ten lines of the documentation.
  @Test func yourSchemaYourEngine() throws {
    // The documentation's, letter by letter:
    let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (city STRING QUERYABLE, seats INT64 SORTABLE);")
    let mine = ComparisonOracle("mine") { testCase in
      let predicate = try QueryPredicate(format: QueryPredicate(testCase.predicate).description)
      let type = testCase.recordType
      let matcher = try Matcher(predicate, for: type, options: testCase.options, now: testCase.now)
      return try testCase.records.filter { try matcher.matches($0) }.map(\.recordID)
    }
    var fuzzer = Fuzzer(seed: 7, schema: schema, oracles: Oracles.all + [mine])
    if let report = fuzzer.run(checks: 5_000) { print(report) }
    print(fuzzer.summary)
    // So far.
    #expect(fuzzer.failures == 0 && fuzzer.checks >= 5_000 && fuzzer.checksByOracle["mine"] ?? 0 > 20)
    #expect(fuzzer.checksByOracle.values.filter { $0 > 0 }.count > Oracles.all.count / 2)
  }

  @Test func linesAreTheDocumentations() throws {
    let tests = URL(filePath: #filePath)
    let article = tests.deletingLastPathComponent().appending(
      path: "../../Sources/ZoneQueryTesting/ZoneQueryTesting.docc/ZoneQueryTesting.md")
    let documented = try lines(of: article, after: "### Your schema, your engine", from: "```swift", to: "```")
    let tested = try lines(
      of: tests, after: "@Test func yourSchemaYourEngine", from: "// The documentation's, letter by letter:",
      to: "// So far.")
    #expect(documented == tested && documented.count == 10)
  }

  /// The lines of a file between two, without the indentation of the first.
  private func lines(of file: URL, after heading: String, from first: String, to last: String) throws -> [String] {
    let all = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let begun = all.drop { !$0.contains(heading) }.drop { !$0.hasSuffix(first) }.dropFirst()
    let lines = begun.prefix { !$0.hasSuffix(last) }
    let indentation = lines.first?.prefix { $0 == " " }.count ?? 0
    return lines.map { String($0.dropFirst(indentation)) }
  }

  /// Predicates that an engine of fewer operators can take.
  @Test func fewerOperators() {
    let mine = ComparisonOracle("mine") { testCase in
      testCase.records.filter { testCase.evaluator.truth(of: testCase.predicate, for: $0) == .yes }.map(\.recordID)
    }
    var fuzzer = Fuzzer(seed: 7, oracles: [mine])
    fuzzer.dialects = [.cloudKit]
    fuzzer.tune = { $0.operators = [.equal, .less, .in] }
    #expect(fuzzer.run(checks: TestAmount.of(1_000)) == nil)
    #expect(fuzzer.coverage.counts.keys.allSatisfy { name in ["==", "<", ">", "IN"].contains { name.hasSuffix($0) } })
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
    let report = fuzzer.run(checks: TestAmount.of(300))
    #expect(report == nil)
    #expect(
      fuzzer.coverage.counts.keys.allSatisfy { ["==", "IN", "ANY ==", "ALL ==", "ANY IN", "ALL IN"].contains($0) })
  }
}
