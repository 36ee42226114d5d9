import Testing
import ZoneQuery

@testable import BenchmarkKit

/// Every engine gives the same answer to every question.
@Suite struct AgreementTests {
  private static let generator = EventGenerator(seed: 11, records: 2_000)

  private func engines() throws -> [any EngineUnderTest] {
    let engines: [any EngineUnderTest] = [try ZoneQueryEngine(), try SQLiteEngine(), try SQLiteEngine(covering: true)]
    for engine in engines { try engine.load(EventSource(AgreementTests.generator)) }
    return engines
  }

  @Test func allWorkloadsAgree() throws {
    let engines = try engines()
    let source = QuestionSource(AgreementTests.generator)
    var compared = 0
    for workload in Workload.allCases {
      let questions = Array(source.questions(workload).prefix(8))
      var rows = 0
      for variant in workload.variants {
        for engine in engines { try engine.settle(workload, variant, on: questions) }
        for question in questions {
          rows += try AnswerComparison.compare(question, variant, engines, workload.rawValue)
          compared += 1
        }
      }
      // Empty answers would agree about nothing.
      #expect(rows > 0 || workload == .radius1km, "\(workload.rawValue)")
    }
    print("compared \(compared) answers of three engines")
    #expect(compared >= 390)
  }

  /// Every way in which SQLite takes a drawn question finds what ours does.
  @Test func drawnQuestionsAgree() throws {
    let (own, peer) = (try ZoneQueryEngine(), try SQLiteEngine())
    for engine in [own, peer] as [any EngineUnderTest] { try engine.load(EventSource(AgreementTests.generator)) }
    func rows(_ prepared: any PreparedQuestion) throws -> [ResultRow] {
      var sink = RowSink(.digest)
      try prepared.run(into: &sink)
      return sink.rows
    }
    var random = RandomSource(seed: 17)
    var (compared, found) = (0, 0)
    for _ in 0..<150 {
      let question = MixedQuestion(AgreementTests.generator, &random)
      let prepared = ZoneQueryStatement(try own.database.prepare(try question.query(), inZoneWith: .default))
      for variant in Variant.allCases {
        let ours = try rows(ZoneQueryQuestion(prepared, limit: question.limit, variant))
        found += ours.count
        let ways = SQLiteWays(question, variant)
        for way in ways.statements {
          // What has an index that is of no use is refused.
          guard let statement = try? SQLiteStatement(peer.connection, way, isLasting: false) else { continue }
          let reading: SQLiteQuestion.Reading = variant == .ids ? .names : .records
          let theirs = try rows(SQLiteQuestion(statement, [SQLiteArguments(ways.values)], wanted: 0, reading))
          #expect(question.agrees(ours, theirs), "\(question.format)\n\(way)")
          compared += 1
        }
      }
    }
    print("compared \(compared) ways to ask drawn questions")
    #expect(compared >= 1_500 && found > 5_000)
  }

  @Test func placesOfValues() {
    #expect(SQLiteCondition.numbered("a = ?1 AND b IN (?2, ?12)", behind: 3) == "a = ?4 AND b IN (?5, ?15)")
    #expect(SQLiteCondition.numbered("none", behind: 3) == "none")
  }

  @Test func writesAgree() throws {
    var options = try CommandLineOptions(["--repeat", "1", "--suite", "write"])
    options.budget = 1_000_000
    let run = BenchmarkRun(options) { _ in }
    try WriteSuite(run, AgreementTests.generator).measure(try engines())
    let names = run.report.results.map(\.workload)
    #expect(
      names == [
        "insert", "update", "update-but-start", "update-any", "delete", "insert-1000", "update-1000",
        "update-but-start-1000", "update-any-1000", "delete-1000", SharingSuite.reading, SharingSuite.writing,
        "add-index",
      ])
  }

  @Test func aDifferenceShowsTheFirstRecordThatDiffers() throws {
    let own = try ZoneQueryEngine()
    let peer = try SQLiteEngine()
    try own.load(EventSource(EventGenerator(seed: 11, records: 2_000)))
    try peer.load(EventSource(EventGenerator(seed: 11, records: 1_999)))
    let last = AgreementTests.generator.event(at: 1_999)
    #expect {
      try AnswerComparison.compare(.equality(name: last.name), .records, [own, peer], "equality")
    } throws: { error in
      "\(error)".contains(last.recordName) && "\(error)".contains("sqlite")
    }
  }
}
