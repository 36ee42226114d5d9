/// Asks all engines the same questions: first compared, then timed.
struct QuerySuite {
  private let run: BenchmarkRun
  private let source: QuestionSource
  /// How many of a workload's questions work is counted for: as many as are compared on any machine.
  private static let counted = 3

  init(_ run: BenchmarkRun, _ source: QuestionSource) {
    self.run = run
    self.source = source
  }

  func measure(_ engines: [any EngineUnderTest]) throws {
    for workload in Workload.allCases where run.wants(workload.rawValue) {
      for variant in workload.variants { try measure(workload, variant, engines) }
    }
    if let own = engines.first as? ZoneQueryEngine {
      try OrdinarySuite(run, source).measure(own)
      try PlansSuite(run, source).measure(own)
      try MixedSuite(run, source.generator).measure(engines)
    }
  }

  private func measure(_ workload: Workload, _ variant: Variant, _ engines: [any EngineUnderTest]) throws {
    let drawn = source.questions(workload)
    for engine in engines { try engine.settle(workload, variant, on: drawn) }
    let (questions, rows) = try compared(drawn, workload, variant, engines)
    var competitors: [Alternation.Competitor] = []
    var ready: [[any PreparedQuestion]] = []
    for engine in engines {
      let prepared = try questions.map { try engine.prepare($0, variant) }
      ready.append(prepared)
      competitors.append(QuerySuite.competitor(engine.name, prepared))
    }
    let timings = try run.alternation(cycle: questions.count).run(competitors)
    var counters: [String: Double] = ["questions": Double(questions.count), "rows": rows]
    for (engine, prepared) in zip(engines, ready) {
      for (name, value) in try QuerySuite.counters(of: prepared) { counters["\(engine.name).\(name)"] = value }
    }
    run.add(
      ReportResult(
        suite: "query", workload: workload.rawValue, variant: variant, records: source.generator.records,
        timings: zip(engines, timings).map { (name: $0.name, timing: $1) }, counters: counters))
  }

  /// One who answers some questions.
  static func competitor(_ name: String, _ questions: [any PreparedQuestion]) -> Alternation.Competitor {
    Alternation.Competitor(
      name: name,
      approach: { range in blackHole(range.reduce(0) { $0 &+ questions[$1].approach() }) },
      run: { range in
        var sink = RowSink(.touch)
        for index in range { try questions[index].run(into: &sink) }
        blackHole(sink.checksum)
      })
  }

  /// What answering the first of some questions takes on average, which have been answered before.
  static func counters(of questions: [any PreparedQuestion]) throws -> [String: Double] {
    let questions = questions.prefix(counted)
    var sink = RowSink(.touch)
    let allocations = AllocationCount()
    for question in questions { try question.run(into: &sink) }
    var sums = ["allocations": allocations.since]
    blackHole(sink.checksum)
    for question in questions {
      for (name, value) in try question.counters() { sums[name, default: 0] += value }
    }
    return sums.mapValues { $0 / Double(questions.count) }
  }

  /// The questions whose answers were compared, as many as fit in the time for it, at least three, and how many rows
  /// an answer has on average.
  private func compared(
    _ drawn: [Question], _ workload: Workload, _ variant: Variant, _ engines: [any EngineUnderTest]
  ) throws -> (questions: [Question], rows: Double) {
    let watch = Stopwatch()
    var questions: [Question] = []
    var rows = 0
    for question in drawn {
      rows += try AnswerComparison.compare(question, variant, engines, workload.rawValue)
      questions.append(question)
      // Few different numbers, so that another run most likely asks the same.
      let isRound = questions.count.isMultiple(of: 3) && (questions.count / 3).nonzeroBitCount == 1
      if isRound, watch.lap().wall > max(run.options.budget, 200_000_000) { break }
    }
    return (questions, Double(rows) / Double(questions.count))
  }
}

/// Compares the answers of engines to one question.
enum AnswerComparison {
  /// The number of rows of the answer.
  ///
  /// - Throws: A `BenchmarkError` that shows the first record in which an answer differs from the first engine's.
  static func compare(
    _ question: Question, _ variant: Variant, _ engines: [any EngineUnderTest], _ workload: String
  ) throws -> Int {
    let answers = try engines.map { try rows(question, variant, $0, .digest) }
    guard let first = answers.first else { return 0 }
    for (index, answer) in answers.enumerated().dropFirst() where answer != first {
      let full = try [engines[0], engines[index]].map { try rows(question, variant, $0, .full) }
      throw BenchmarkError(
        "the engines differ in '\(workload)' (\(variant.rawValue)), question \(question)\n"
          + difference(full[0], full[1], names: [engines[0].name, engines[index].name]))
    }
    return question.isCount ? 1 : first.count
  }

  private static func rows(
    _ question: Question, _ variant: Variant, _ engine: any EngineUnderTest, _ mode: RowSink.Mode
  ) throws -> [ResultRow] {
    var sink = RowSink(mode)
    try engine.prepare(question, variant).run(into: &sink)
    if question.isOrdered { return sink.rows }
    return sink.rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  static func difference(_ left: [ResultRow], _ right: [ResultRow], names: [String]) -> String {
    func show(_ rows: [ResultRow], _ index: Int) -> String {
      guard index < rows.count else { return "nothing: it has \(rows.count) rows" }
      return ([rows[index].name] + rows[index].fields).joined(separator: " | ")
    }
    var index = 0
    while index < left.count, index < right.count, left[index] == right[index] { index += 1 }
    return "first at row \(index + 1):\n  \(names[0]): \(show(left, index))\n  \(names[1]): \(show(right, index))"
  }
}

/// Makes the optimiser believe that a value is needed.
@inline(never)
func blackHole(_ value: UInt64) {}
