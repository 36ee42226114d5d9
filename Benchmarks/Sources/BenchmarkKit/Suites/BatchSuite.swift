internal import ZoneQuery

/// The program's batch form: counts over a database without indexes, where every question reads its columns a block of
/// rows at a time, against the tree that is walked over dictionaries.
struct BatchSuite {
  private let run: BenchmarkRun
  private let generator: EventGenerator

  init(_ run: BenchmarkRun, _ generator: EventGenerator) {
    self.run = run
    self.generator = generator
  }

  func measure(
    _ kinds: [MatchSuite.Kind], _ records: [Record], _ dictionaries: [[String: FieldValue]]
  ) throws {
    let names = kinds.map { "match-batch-\($0.name)" }
    guard run.wants("match-batch") || names.contains(where: run.wants) else { return }
    let database = try ZoneQueryEngine.database()
    for index in database.indexes(of: ZoneQueryEngine.recordType) { try database.dropIndex(index) }
    try database.load(records)
    let queries = try kinds.map { kind in
      let prepared = try database.prepare(
        Query(
          recordType: ZoneQueryEngine.recordType,
          predicate: try QueryPredicate(format: kind.format, arguments: kind.arguments)), inZoneWith: .default)
      let (found, expected) = (try prepared.count(), dictionaries.count { kind.naive.matches($0) })
      if found != expected {
        throw BenchmarkError("'\(kind.format)': the scan counts \(found), the naive tree \(expected)")
      }
      let explanation = try prepared.explainCount(prepared.arguments())
      guard explanation.tables.allSatisfy({ $0.plan.isScan }) else {
        throw BenchmarkError("'\(kind.format)' was not answered by a scan:\n\(explanation)")
      }
      return (kind: kind, prepared: prepared)
    }
    if run.wants("match-batch") { try time("match-batch", queries, dictionaries) }
    for (name, query) in zip(names, queries) where run.wants(name) { try time(name, [query], dictionaries) }
  }

  private func time(
    _ name: String, _ queries: [(kind: MatchSuite.Kind, prepared: PreparedQuery)],
    _ dictionaries: [[String: FieldValue]]
  ) throws {
    var competitors = [
      Alternation.Competitor(name: ReportResult.ownEngine) { range in
        for _ in range {
          for query in queries { blackHole(UInt64(try query.prepared.count())) }
        }
      }
    ]
    if run.options.peer != .none {
      competitors.append(
        Alternation.Competitor(name: MatchSuite.peer) { range in
          for _ in range {
            for query in queries { blackHole(UInt64(dictionaries.count { query.kind.naive.matches($0) })) }
          }
        })
    }
    let count = Double(dictionaries.count * queries.count)
    let timings = try run.alternation(cycle: 1).run(competitors).map { timing in
      // An operation is a scan for each predicate; what is reported is a record's part of one.
      var timing = timing
      timing.cpu = timing.cpu.map { $0 / count }
      timing.wall = timing.wall.map { $0 / count }
      timing.allocations /= count
      return timing
    }
    var counters = ["matches": 0.0]
    for query in queries { counters["matches", default: 0] += Double(try query.prepared.count()) }
    for (competitor, timing) in zip(competitors, timings) {
      counters["\(competitor.name).allocations"] = timing.allocations
    }
    run.add(
      ReportResult(
        suite: "match", workload: name, variant: .records, records: generator.records,
        timings: zip(competitors, timings).map { (name: $0.name, timing: $1) }, counters: counters))
  }
}

extension QueryExplanation.Node {
  /// Whether the rows come from a scan of all records, wherever they go from there.
  fileprivate var isScan: Bool { operation == .columnScan || children.contains { $0.isScan } }
}
