internal import ZoneQuery

/// Drawn questions: what the plans that are chosen for them take, beside the fastest of all that were considered.
struct PlansSuite {
  static let workload = "mixed-plans"
  /// The peer's name in the report.
  static let peer = "best-path"

  private static let questionCount = 300
  private static let leastTurns = 3

  private let run: BenchmarkRun
  private let source: QuestionSource

  private struct Drawn {
    let prepared: PreparedQuery
    let limit: Int
    /// The path that was the fastest of all, in words, when they were measured before.
    var best = ""

    func explain() throws -> QueryExplanation {
      try prepared.explain(prepared.arguments(), resultsLimit: limit, measuringPaths: true)
    }
  }

  init(_ run: BenchmarkRun, _ source: QuestionSource) {
    self.run = run
    self.source = source
  }

  func measure(_ engine: ZoneQueryEngine) throws {
    guard run.wants(PlansSuite.workload) else { return }
    var random = RandomSource(seed: source.generator.seed ^ 0x506C_616E)
    var questions = try (0..<PlansSuite.questionCount).map { _ in
      let question = MixedQuestion(source.generator, &random)
      return Drawn(
        prepared: try engine.database.prepare(try question.query(), inZoneWith: .default), limit: question.limit)
    }
    let count = Double(questions.count)
    var counters = ["questions": count, "slow_plans": 0]
    for index in questions.indices {
      let explanation = try questions[index].explain()
      let taken = try PlansSuite.taken(explanation)
      guard let best = explanation.tables[0].paths.min(by: { time($0) < time($1) }) else { continue }
      questions[index].best = best.detail
      if taken > 1.5 * time(best) { counters["slow_plans", default: 0] += 1 }
      counters["rows", default: 0] += Double(explanation.counters.rowsReturned) / count
      counters["zonequery.rows_examined", default: 0] += Double(explanation.counters.rowsExamined) / count
      counters["zonequery.entries_read", default: 0] += Double(explanation.counters.entriesRead) / count
    }
    var timings = [Alternation.Timing(), Alternation.Timing()]
    for _ in 0..<max(PlansSuite.leastTurns, run.options.turns ?? PlansSuite.leastTurns) {
      var sums = (taken: 0.0, best: 0.0)
      for question in questions {
        let explanation = try question.explain()
        sums.taken += try PlansSuite.taken(explanation)
        sums.best += explanation.tables[0].paths.first { $0.detail == question.best }.map(time) ?? 0
      }
      for (index, sum) in [sums.taken, sums.best].enumerated() {
        timings[index].cpu.append(sum / count)
        timings[index].wall.append(sum / count)
      }
    }
    run.add(
      ReportResult(
        suite: "query", workload: PlansSuite.workload, variant: .ids, records: source.generator.records,
        timings: [(name: ReportResult.ownEngine, timing: timings[0]), (name: PlansSuite.peer, timing: timings[1])],
        counters: counters))
    run.addSetup(
      PlansSuite.peer,
      [
        "the path that was the fastest of those considered for each question of mixed-plans, as explain measures them "
          + "(measuringPaths), found by a measurement before the turns; wall time, planning apart",
        "slow_plans: how many of the questions took more than one and a half times that",
      ])
  }

  /// What an answer took, a walk that was given up included.
  private static func taken(_ explanation: QueryExplanation) throws -> Double {
    guard explanation.tables.count == 1, let chosen = explanation.tables[0].paths.first(where: \.isChosen),
      let measured = chosen.measured
    else { throw BenchmarkError("'\(workload)': the path that was taken was not measured: \(explanation)") }
    if explanation.tables[0].abandoned == nil { return Double(measured.nanoseconds) }
    return Double(explanation.nanoseconds - explanation.planningNanoseconds)
  }

  private func time(_ path: QueryExplanation.Path) -> Double { Double(path.measured?.nanoseconds ?? .max) }
}
