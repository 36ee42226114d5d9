internal import CProbes

/// One run: what was asked for, and the report as it grows.
final class BenchmarkRun {
  let options: CommandLineOptions
  private(set) var report: Report
  private let announce: (String) -> Void

  /// - Parameters:
  ///   - options: What was asked for.
  ///   - announce: Gets a line for each measurement as soon as it is there.
  init(_ options: CommandLineOptions, announce: @escaping (String) -> Void) {
    self.options = options
    self.announce = announce
    report = Report(
      generated: Report.now, command: options.arguments, seed: options.seed, machine: .current(),
      versions: Machine.versions, method: BenchmarkRun.method, setups: [:], absent: [])
    if options.peer == .none {
      report.absent.append(Absence(what: "peers", why: "left out with --peer none; nothing was compared"))
    }
  }

  static let method = [
    "both engines hold the same records, and the answers to every question that is timed were compared first, as record "
      + "names and again as whole records, in order where the question has one; a difference ends the run (of records held "
      + "against subscriptions the first were)",
    "the engines take turns, A B A B, on one thread of one process; before that each is warmed up",
    "a turn goes through up to \(QuestionSource.questionsPerWorkload) questions, behind others that are not timed "
      + "(those before, as many, or for some 10 ms if that is more; the same only where a turn asks all), and through them "
      + "again until it takes 0.1 ms; a time is that of a turn divided by its questions; insertions, updates and deletions "
      + "come behind as many that are made and undone",
    "times are thread CPU time; wall time stands beside them; quartiles are over the turns",
    "the ratio is the peer's median over ours; its quartiles are over the ratios turn by turn",
    "memory is what the heap holds more after a load than before (mallinfo2: blocks in use and mapped blocks), so that "
      + "records kept only while loading do not count; the growth of resident memory stands beside it as a counter",
    "rows examined and index entries read are what explain counts for the first three questions of a workload, on average",
    "allocations are counted by a malloc of the executable's own, which counts and passes on, for both engines alike",
  ]

  func runAll() throws {
    let suites = options.suites
    for records in options.records {
      let generator = EventGenerator(seed: options.seed, records: records)
      if suites.contains(.query) || suites.contains(.write) || suites.contains(.memory) || suites.contains(.parse) {
        let engines = try LoadSuite(self, generator).measure()
        if suites.contains(.query) || suites.contains(.parse) {
          let source = QuestionSource(generator)
          if suites.contains(.query) { try QuerySuite(self, source).measure(engines) }
          if suites.contains(.parse) { try ParseSuite(self, source).measure(engines) }
        }
        for engine in engines { report.setups[engine.name] = engine.setup }
        if suites.contains(.write) { try WriteSuite(self, generator).measure(engines) }
      }
      if suites.contains(.subscribe) { try SubscribeSuite(self, subscriptions: records).measure() }
      if records == options.records.last {
        if suites.contains(.match) { try MatchSuite(self, generator).measure() }
        if suites.contains(.text) { try TextSuite(self, generator).measure() }
      }
      probe_trim_heap()
    }
    if suites.contains(.query) {
      try ZonesSuite(self).measure()
      try ChangesSuite(self).measure()
      try NamesSuite(self).measure(seed: options.seed)
    }
    let order = CommandLineOptions.Suite.allCases.map(\.rawValue)
    func place(_ suite: String) -> Int { order.firstIndex(of: suite) ?? order.count }
    let ordered = report.results.enumerated().sorted { left, right in
      (left.element.records, place(left.element.suite), left.offset)
        < (right.element.records, place(right.element.suite), right.offset)
    }
    report.results = ordered.map(\.element)
    report.peakResidentBytes = probe_peak_resident_bytes()
  }

  func makeEngines() throws -> [any EngineUnderTest] {
    let own = try ZoneQueryEngine()
    switch options.peer {
    case .none: return [own]
    case .sqlite: return [own, try SQLiteEngine()]
    case .sqliteCovering: return [own, try SQLiteEngine(covering: true)]
    }
  }

  /// Whether a workload was asked for.
  func wants(_ workload: String) -> Bool { options.workloads.isEmpty || options.workloads.contains(workload) }

  func alternation(cycle: Int) -> Alternation {
    Alternation(cycle: cycle, turns: options.turns, budget: options.budget)
  }

  func add(_ result: ReportResult) {
    report.results.append(result)
    var line = "\(Figures.count(result.records)) \(result.suite) \(result.workload) \(result.variant):"
    for (name, times) in result.engines.sorted(by: { $0.key < $1.key }) {
      line += " \(name) \(Figures.amount(times.median, unit: result.unit))"
    }
    if let ratio = result.ratio { line += ", ratio \(Figures.ratio(ratio))" }
    announce(line)
  }

  func addAbsence(_ what: String, _ why: String) {
    let absence = Absence(what: what, why: why)
    if !report.absent.contains(absence) { report.absent.append(absence) }
  }

  func note(_ line: String) { announce(line) }

  func addSetup(_ name: String, _ lines: [String]) { report.setups[name] = lines }
}
