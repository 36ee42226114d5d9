/// Everything a run found out, in the form of its JSON.
struct Report: Codable, Equatable {
  var format = 1
  var generated: String
  var command: [String]
  var seed: UInt64
  var machine: Machine
  var versions: [String: String]
  var method: [String]
  /// How each engine was set up, by its name.
  var setups: [String: [String]]
  /// What was asked for or belongs here and was not measured, with the reason.
  var absent: [Absence]
  var results: [ReportResult] = []
  /// The most memory the process had, in bytes.
  var peakResidentBytes: UInt64 = 0

  enum CodingKeys: String, CodingKey {
    case format, generated, command, seed, machine, versions, method, setups, absent, results
    case peakResidentBytes = "peak_resident_bytes"
  }
}

/// Something that was not measured.
struct Absence: Codable, Equatable {
  var what: String
  var why: String
}

/// One row of the report.
struct ReportResult: Codable, Equatable {
  var suite: String
  var workload: String
  var variant: String
  var records: Int
  /// "ns" an operation, or "bytes" a record; the keys of `engines` keep their names.
  var unit = "ns"
  var engines: [String: EngineTimes]
  /// The peer's median over ours, and the quartiles of the ratio turn by turn.
  var ratio: Double?
  var ratioQ1: Double?
  var ratioQ3: Double?
  /// Work that does not depend on the clock, by engine and kind.
  var counters: [String: Double]

  enum CodingKeys: String, CodingKey {
    case suite, workload, variant, records, unit, engines, ratio, counters
    case ratioQ1 = "ratio_q1"
    case ratioQ3 = "ratio_q3"
  }

  static let ownEngine = "zonequery"
  /// Peers that are other ways of our own: nobody else to be ahead of, and what changes in us may change in them.
  private static let ownWays: Set<String> = ["scan", OrdinarySuite.peer, PlansSuite.peer, SharingSuite.peer]

  /// Whether the peer is there to be ahead of, and not to show what something of our own costs.
  var isRace: Bool { peer.map { ![OrdinarySuite.peer, PlansSuite.peer, SharingSuite.peer].contains($0.name) } ?? true }

  /// The peer that is somebody else's.
  var rival: (name: String, times: EngineTimes)? { peer.flatMap { ReportResult.ownWays.contains($0.name) ? nil : $0 } }

  var own: EngineTimes? { engines[ReportResult.ownEngine] }

  var peer: (name: String, times: EngineTimes)? {
    engines.filter { $0.key != ReportResult.ownEngine }.min { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The counters that tables show, with what stands above them.
  static let shownCounters: [(key: String, title: String)] = [
    ("rows", "rows"), ("zonequery.rows_examined", "examined"), ("zonequery.entries_read", "entries"),
    ("zonequery.allocations", "allocs"),
  ]

  /// A counter as tables show it; empty where it was not counted.
  func counter(_ key: String) -> String {
    guard let value = counters[key] else { return "" }
    let isWhole = value == value.rounded() || abs(value) >= 1_000
    return isWhole && abs(value) < 1e15 ? Figures.count(Int(value.rounded())) : Figures.short(value)
  }

  /// What makes it the same measurement as one of another run.
  var identity: [String] { [workload, variant, String(records)] }

  init(
    suite: String, workload: String, variant: Variant, records: Int, unit: String = "ns",
    timings: [(name: String, timing: Alternation.Timing)], counters: [String: Double]
  ) {
    self.suite = suite
    self.workload = workload
    self.variant = variant.rawValue
    self.records = records
    self.unit = unit
    self.counters = counters
    engines = [:]
    for (name, timing) in timings { engines[name] = EngineTimes(timing) }
    if let own = timings.first(where: { $0.name == ReportResult.ownEngine })?.timing,
      let peer = timings.first(where: { $0.name != ReportResult.ownEngine })?.timing
    {
      let pairs = zip(peer.cpu, own.cpu).filter { $1 > 0 }.map { $0 / $1 }
      let quartiles = Quartiles(pairs)
      let ownMedian = Quartiles(own.cpu).median
      if ownMedian > 0 { ratio = Quartiles(peer.cpu).median / ownMedian }
      (ratioQ1, ratioQ3) = (quartiles.q1, quartiles.q3)
    }
  }
}

/// What one engine took.
struct EngineTimes: Codable, Equatable {
  /// Thread CPU time of an operation.
  var median: Double
  var q1: Double
  var q3: Double
  /// The median of the wall time.
  var wall: Double
  /// The thread CPU time of each turn, in order.
  var samples: [Double]

  enum CodingKeys: String, CodingKey {
    case median = "median_ns"
    case q1 = "q1_ns"
    case q3 = "q3_ns"
    case wall = "wall_ns"
    case samples = "samples_ns"
  }

  init(_ timing: Alternation.Timing) {
    let quartiles = Quartiles(timing.cpu)
    (q1, median, q3) = (quartiles.q1, quartiles.median, quartiles.q3)
    wall = Quartiles(timing.wall).median
    samples = timing.cpu.map { ($0 * 10).rounded() / 10 }
  }
}
