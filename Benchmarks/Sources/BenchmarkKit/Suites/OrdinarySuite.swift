internal import ZoneQuery

/// The ordinary calls, which hand over records as values, beside the prepared query that lends them in place.
struct OrdinarySuite {
  private let run: BenchmarkRun
  private let source: QuestionSource

  /// The peer's name in the report.
  static let peer = "prepared"

  init(_ run: BenchmarkRun, _ source: QuestionSource) {
    self.run = run
    self.source = source
  }

  func measure(_ engine: ZoneQueryEngine) throws {
    guard ValuesQuestion.Door.allCases.contains(where: { run.wants($0.rawValue) }) else { return }
    let questions = source.questions(.equalitySortLimit)
    for door in ValuesQuestion.Door.allCases where run.wants(door.rawValue) {
      let inPlace = try questions.map { try engine.prepare($0, .records) }
      let values = try questions.map { try engine.values($0, through: door) }
      var rows = 0
      for (lent, given) in zip(inPlace, values) {
        var (left, right) = (RowSink(.digest), RowSink(.digest))
        try lent.run(into: &left)
        try given.run(into: &right)
        if left.rows != right.rows { throw BenchmarkError("'\(door.rawValue)' and the prepared query differ") }
        rows += left.count
      }
      let competitors = [(ReportResult.ownEngine, values), (OrdinarySuite.peer, inPlace)].map { name, prepared in
        QuerySuite.competitor(name, prepared)
      }
      let timings = try run.alternation(cycle: questions.count).run(competitors)
      var counters = ["questions": Double(questions.count), "rows": Double(rows) / Double(questions.count)]
      for (name, prepared) in [(ReportResult.ownEngine, values), (OrdinarySuite.peer, inPlace)] {
        for (key, value) in try QuerySuite.counters(of: prepared) { counters["\(name).\(key)"] = value }
      }
      run.add(
        ReportResult(
          suite: "query", workload: door.rawValue, variant: .records, records: source.generator.records,
          timings: zip(competitors, timings).map { (name: $0.name, timing: $1) }, counters: counters))
    }
    run.addSetup(
      OrdinarySuite.peer,
      [
        "the question of equality-sort-limit, 50 records at most, asked of the same database by a prepared query that "
          + "lends every field of every record in place",
        "ordinary-50: Database.records(matching:), the predicate read beforehand; ordinary-50-format: the predicate read "
          + "from its format string each time; values-50: PreparedQuery.records. All three hand over records as values",
      ])
  }
}
