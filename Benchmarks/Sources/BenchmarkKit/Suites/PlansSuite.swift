internal import PredicateSyntax
internal import ZoneQuery

/// Questions of one to four conditions of many kinds, as a user might put them together, sorted in several ways or not at all: what
/// the plans that are chosen for them take, beside the fastest of all that were considered.
struct PlansSuite {
  static let workload = "mixed-plans"
  /// The peer's name in the report.
  static let peer = "best-path"

  private static let questionCount = 300
  private static let leastTurns = 3

  private let run: BenchmarkRun
  private let source: QuestionSource

  private struct MixedQuestion {
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
    var questions = try (0..<PlansSuite.questionCount).map { _ in try question(engine.database, &random) }
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

  // MARK: Drawing

  private func question(_ database: Database, _ random: inout RandomSource) throws -> MixedQuestion {
    var parts: [String] = []
    var arguments: [any PredicateArgument] = []
    for _ in 0..<[1, 2, 2, 2, 3, 3, 4][random.below(7)] {
      let (format, values) = condition(&random)
      parts.append(random.below(12) == 0 ? "NOT (\(format))" : format)
      arguments += values
    }
    if parts.count > 2, random.below(3) == 0 { parts[0...1] = ["(\(parts[0]) OR \(parts[1]))"] }
    let event = event(&random)
    let sort: [SortKey] =
      switch random.below(8) {
      case 0: [.ascending("start")]
      case 1: [.descending("start")]
      case 2: [.ascending("name")]
      case 3: [.descending("rating")]
      case 4: [.ascending("city"), .descending("price")]
      case 5: [.distance("location", from: Location(latitude: event.place.latitude, longitude: event.place.longitude))]
      default: []
      }
    let predicate = try QueryPredicate(format: parts.joined(separator: " AND "), arguments: arguments)
    let query = Query(recordType: ZoneQueryEngine.recordType, predicate: predicate, sort: sort)
    return MixedQuestion(
      prepared: try database.prepare(query, inZoneWith: .default), limit: [1, 10, 50, 500, .max][random.below(5)])
  }

  private func event(_ random: inout RandomSource) -> Event {
    source.generator.event(at: random.below(source.generator.records))
  }

  /// A condition that some record satisfies.
  private func condition(_ random: inout RandomSource) -> (format: String, arguments: [any PredicateArgument]) {
    let (event, other) = (event(&random), event(&random))
    let word = event.body.split { $0 == " " || $0 == "." }.first.map(String.init) ?? ""
    switch random.below(16) {
    case 0, 1: return ("name = %@", [event.name])
    case 2, 3: return ("city = %@", [event.city])
    case 4: return ("city IN %@", [(0..<1 + random.below(6)).map { _ in self.event(&random).city }])
    case 5: return ("name BEGINSWITH %@", [String(event.name.prefix(1 + random.below(4)))])
    case 6: return ("start > %@", [Literal.date(milliseconds: event.start)])
    case 7:
      let (first, last) = (min(event.start, other.start), max(event.start, other.start))
      return ("start BETWEEN {%@, %@}", [Literal.date(milliseconds: first), Literal.date(milliseconds: last)])
    case 8: return ("price < %@", [event.price])
    case 9: return ("attendees >= %@", [event.attendees])
    case 10: return ("rating > %@", [event.rating])
    case 11: return ("tags CONTAINS %@", [event.tags.first ?? ""])
    case 12: return ("self CONTAINS %@", [word])
    case 13:
      let place = Location(latitude: event.place.latitude, longitude: event.place.longitude)
      let metres = [1_000.0, 10_000, 100_000, 1_000_000][random.below(4)]
      return ("distanceToLocation:fromLocation:(location, %@) < %@", [place, metres])
    case 14: return ("name ENDSWITH %@", [String(event.name.suffix(1 + random.below(3)))])
    default: return ("title CONTAINS %@", [String(word.dropFirst())])
    }
  }
}
