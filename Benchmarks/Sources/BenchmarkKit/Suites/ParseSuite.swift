/// From the text of a question to what can be run, stage by stage, against SQLite's preparation of the same question.
///
/// Each row holds all stages up to its own; SQLite has one door for them all, so only `plan` compares like with like,
/// and the rows before it say how much of SQLite's time is spent up to there. We have no door that plans and does not
/// answer: `plan` holds the finding of the first record among two thousand, too, of questions for which that is little, and is
/// an upper bound; `planning_ns` is what explanations say of the planning alone, beside all records.
struct ParseSuite {
  private let run: BenchmarkRun
  private let source: QuestionSource

  init(_ run: BenchmarkRun, _ source: QuestionSource) {
    self.run = run
    self.source = source
  }

  /// Those whose first record is found without looking at all.
  private static let planned: [Workload] = [
    .point, .equality, .equalitySortLimit, .inSortLimit, .rangeLimit, .indexedSort, .equalityAndRange, .rangeAndRange,
    .prefix,
    .contains1, .contains2, .containsSort, .in20, .radius1km, .tokens2,
  ]

  func measure(_ engines: [any EngineUnderTest]) throws {
    func questions(_ workloads: some Sequence<Workload>) -> [Question] {
      workloads.flatMap { source.questions($0).prefix(2) }
    }
    let planned = questions(ParseSuite.planned)
    let questions = planned + questions(Workload.allCases.filter { !ParseSuite.planned.contains($0) })
    let peers = engines.filter { $0.name != ReportResult.ownEngine }
    let peerPlans = try peers.map { peer in try questions.map { try peer.plan($0) } }
    guard let own = engines.first(where: { $0.name == ReportResult.ownEngine }) else { return }
    let stages = try ZoneQueryStages(questions)
    let plans = try questions.map { try own.plan($0) }
    let rows: [(String, (Int) throws -> Void)] = [
      ("lex", { try stages.lex($0) }), ("parse", { try stages.parse($0) }), ("bind", { try stages.bind($0) }),
      ("plan", { try plans[$0].plan() }),
    ]
    for (name, stage) in rows where run.wants(name) {
      var competitors = [
        Alternation.Competitor(name: own.name) { range in
          for index in range { try stage(index) }
        }
      ]
      for (peer, plans) in zip(peers, peerPlans) {
        competitors.append(
          Alternation.Competitor(name: peer.name) { range in
            for index in range { try plans[index].plan() }
          })
      }
      let count = name == "plan" ? planned.count : questions.count
      let timings = try run.alternation(cycle: count).run(competitors)
      var counters = ["questions": Double(count)]
      if name == "plan", let own = own as? ZoneQueryEngine {
        let planning = try planned.map { try own.planningNanoseconds($0) }
        counters["planning_ns"] = planning.reduce(0, +) / Double(planning.count)
      }
      for (competitor, timing) in zip(competitors, timings) {
        counters["\(competitor.name).allocations"] = timing.allocations
      }
      run.add(
        ReportResult(
          suite: "parse", workload: name, variant: .records, records: source.generator.records,
          timings: zip(competitors, timings).map { (name: $0.name, timing: $1) }, counters: counters))
    }
    run.addAbsence(
      "lex alone",
      "the lexer has no public door: 'lex' reads under a limit of no nodes, which stops behind the lexer, and holds the "
        + "making of that one error; it is an upper bound")
  }
}
