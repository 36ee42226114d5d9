internal import ZoneQuery

/// Drawn questions to both engines: how far ahead we are of SQLite on each, with the ways to ask that an expert would try,
/// of which the fastest counts.
///
/// A sample of the report is a question, not a turn, so that its quartiles tell how questions differ.
struct MixedSuite {
  static let workload = "mixed"

  private static let questionCount = 300
  private static let leastTurns = 5
  /// How many of the ways that are fastest at names are tried for whole records.
  private static let kept = 3
  /// A way that takes longer than this, and than four times the fastest so far, is given up, in nanoseconds.
  private static let leastPatience = 100_000.0
  /// A stretch shorter than this would measure the clock, in nanoseconds.
  fileprivate static let shortestStretch = 20_000.0

  private let run: BenchmarkRun
  private let generator: EventGenerator

  /// A question as one of the engines answers it.
  fileprivate struct Contender {
    let prepared: any PreparedQuestion
    /// How the engine was asked, in words.
    let way: String
    var explanation: (() throws -> String)?
    var repeats = 1
    var times: [Double] = []

    mutating func time() throws {
      var sink = RowSink(.touch)
      let watch = Stopwatch()
      for _ in 0..<repeats { try prepared.run(into: &sink) }
      times.append(watch.lap().cpu / Double(repeats))
      blackHole(sink.checksum)
    }

    /// Answers once, and sets how often that is done for a time.
    mutating func warmUp() throws {
      try time()
      repeats = max(1, Int((MixedSuite.shortestStretch / max(times[0], 1)).rounded(.up)))
      times = []
    }

    func answer(_ mode: RowSink.Mode) throws -> [ResultRow] {
      var sink = RowSink(mode)
      try prepared.run(into: &sink)
      return sink.rows
    }

    var median: Double { Quartiles(times).median }
  }

  init(_ run: BenchmarkRun, _ generator: EventGenerator) {
    self.run = run
    self.generator = generator
  }

  func measure(_ engines: [any EngineUnderTest]) throws {
    guard run.wants(MixedSuite.workload), let own = engines.first as? ZoneQueryEngine else { return }
    let peer = engines.dropFirst().first as? SQLiteEngine
    var random = RandomSource(seed: generator.seed ^ 0x4D69_7865)
    let questions = (0..<MixedSuite.questionCount).map { _ in MixedQuestion(generator, &random) }
    var ways: [[String]] = questions.map { SQLiteWays($0, .ids).statements }
    for variant in Variant.allCases {
      var contenders = [try questions.map { try own.contender($0, variant) }]
      if let peer {
        var theirs: [Contender] = []
        for (index, question) in questions.enumerated() {
          if variant == .records {
            let all = SQLiteWays(question, .ids).statements
            let whole = SQLiteWays(question, .records).statements
            ways[index] = ways[index].map { way in whole[all.firstIndex(of: way) ?? 0] }
          }
          let fastest = try fastest(ways[index], question, variant, peer)
          ways[index] = fastest.map(\.way)
          theirs.append(fastest[0])
        }
        contenders.append(theirs)
      }
      let rows = try compare(questions, contenders, variant)
      if variant == .ids, let peer { try compareLimited(questions, contenders, own, peer) }
      for engine in contenders.indices {
        for index in contenders[engine].indices { try contenders[engine][index].warmUp() }
      }
      for _ in 0..<max(MixedSuite.leastTurns, run.options.turns ?? MixedSuite.leastTurns) {
        for engine in contenders.indices {
          for index in contenders[engine].indices { try contenders[engine][index].time() }
        }
      }
      try report(questions, contenders, names: engines.map(\.name), variant, rows: rows)
    }
  }

  /// The fastest ways to ask SQLite, the fastest first.
  private func fastest(
    _ ways: [String], _ question: MixedQuestion, _ variant: Variant, _ peer: SQLiteEngine
  ) throws -> [Contender] {
    var timed: [Contender] = []
    for way in ways {
      // One that SQLite refuses has an index that is of no use for the question.
      guard var contender = try? peer.contender(question, variant, way) else { continue }
      let most = max(MixedSuite.leastPatience, 4 * (timed.map(\.median).min() ?? .infinity))
      do {
        // The first time its pages are far.
        try peer.connection.within(nanoseconds: 5 * most) { try contender.time() }
        contender.times = []
        for _ in 0..<3 { try peer.connection.within(nanoseconds: most) { try contender.time() } }
        timed.append(contender)
      } catch {
        continue
      }
    }
    guard !timed.isEmpty else { throw BenchmarkError("SQLite answers '\(question.format)' in no way: \(ways)") }
    return timed.sorted { $0.median < $1.median }.prefix(MixedSuite.kept).map { contender in
      var contender = contender
      contender.times = []
      return contender
    }
  }

  /// Compares the answers as far as the question says what they are, and returns the number of rows in all.
  private func compare(
    _ questions: [MixedQuestion], _ contenders: [[Contender]], _ variant: Variant
  ) throws -> Int {
    var count = 0
    for (index, question) in questions.enumerated() {
      let answers = try contenders.map { try $0[index].answer(.full) }
      count += answers[0].count
      guard let theirs = answers.dropFirst().first else { continue }
      guard question.agrees(answers[0], theirs) else {
        throw BenchmarkError(
          "the engines differ in '\(MixedSuite.workload)' (\(variant.rawValue)), question \(question.format)\n"
            + AnswerComparison.difference(answers[0], theirs, names: ["zonequery", contenders[1][index].way]))
      }
    }
    return count
  }

  /// Where a limit cuts off records that no order tells, what is found is among what both engines find without one, which they
  /// agree on.
  private func compareLimited(
    _ questions: [MixedQuestion], _ contenders: [[Contender]], _ own: ZoneQueryEngine, _ peer: SQLiteEngine
  ) throws {
    for (index, question) in questions.enumerated() where !question.hasOrder && question.limit < .max {
      let whole = question.unlimited
      let ours = try own.contender(whole, .ids).answer(.full)
      guard let way = SQLiteWays(whole, .ids).statements.lazy.compactMap({ try? peer.contender(whole, .ids, $0) }).first
      else { throw BenchmarkError("SQLite answers '\(question.format)' in no way") }
      let theirs = try way.answer(.full)
      let all = Set(ours.map(\.name))
      let areThere = try contenders.allSatisfy { contender in
        let found = try contender[index].answer(.full)
        return found.count == min(question.limit, all.count) && Set(found.map(\.name)).count == found.count
          && found.allSatisfy { all.contains($0.name) }
      }
      guard whole.agrees(ours, theirs), areThere else {
        throw BenchmarkError(
          "the engines differ in '\(MixedSuite.workload)' without a limit, question \(question.format)")
      }
    }
  }

  private func report(
    _ questions: [MixedQuestion], _ contenders: [[Contender]], names: [String], _ variant: Variant, rows: Int
  ) throws {
    let count = Double(questions.count)
    var counters = ["questions": count, "rows": Double(rows) / count]
    for ours in contenders[0] {
      for (name, value) in try ours.prepared.counters() { counters["zonequery.\(name)", default: 0] += value / count }
    }
    var timings: [Alternation.Timing] = []
    for engine in contenders {
      var timing = Alternation.Timing()
      timing.cpu = engine.map(\.median)
      timing.wall = timing.cpu
      timings.append(timing)
    }
    if contenders.count > 1 {
      let ratios = questions.indices.map { contenders[1][$0].median / max(contenders[0][$0].median, 1) }
      counters["least_ratio"] = ratios.min()
      let behind = questions.indices.filter { ratios[$0] < 1 }.sorted { ratios[$0] < ratios[$1] }
      counters["behind"] = Double(behind.count)
      for index in behind {
        run.note(
          "behind in \(MixedSuite.workload) \(variant.rawValue), "
            + "\(Figures.amount(contenders[0][index].median, unit: "ns")) against "
            + "\(Figures.amount(contenders[1][index].median, unit: "ns")), limit \(questions[index].limit): "
            + "\(contenders[0][index].way)\n  \(contenders[1][index].way)\n"
            + "\(try contenders[0][index].explanation?() ?? "")")
      }
    }
    run.add(
      ReportResult(
        suite: "query", workload: MixedSuite.workload, variant: variant, records: generator.records,
        timings: zip(names, timings).map { (name: $0, timing: $1) }, counters: counters))
  }
}

extension ZoneQueryEngine {
  fileprivate func contender(_ question: MixedQuestion, _ variant: Variant) throws -> MixedSuite.Contender {
    let query = try question.query()
    let prepared = ZoneQueryStatement(try database.prepare(query, inZoneWith: .default))
    return MixedSuite.Contender(
      prepared: try ZoneQueryQuestion(prepared, limit: question.limit, variant), way: "\(query)",
      explanation: { "\(try prepared.query.explain(prepared.arguments, resultsLimit: question.limit))" })
  }
}

extension SQLiteEngine {
  fileprivate func contender(
    _ question: MixedQuestion, _ variant: Variant, _ way: String
  ) throws -> MixedSuite.Contender {
    let statement = try SQLiteStatement(connection, way, isLasting: true)
    let arguments = SQLiteArguments(SQLiteWays(question, variant).values)
    return MixedSuite.Contender(
      prepared: SQLiteQuestion(statement, [arguments], wanted: 0, variant == .ids ? .names : .records), way: way)
  }
}
