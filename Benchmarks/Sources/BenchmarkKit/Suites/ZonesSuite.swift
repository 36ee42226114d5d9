internal import PredicateSyntax
internal import ZoneQuery

/// One question to ten thousand zones of ten records each: what starts first after a moment.
struct ZonesSuite {
  static let workload = "zones-10000"
  private static let zoneCount = 10_000
  private static let recordCount = 100_000
  private static let questionCount = 16
  private static let limit = 50

  private let run: BenchmarkRun

  init(_ run: BenchmarkRun) { self.run = run }

  func measure() throws {
    guard run.wants(ZonesSuite.workload) else { return }
    run.note("loading \(Figures.count(ZonesSuite.zoneCount)) zones")
    let generator = EventGenerator(seed: run.options.seed, records: ZonesSuite.recordCount)
    let database = try ZoneQueryEngine.database()
    let zones = (0..<ZonesSuite.zoneCount).map { ZoneID(zoneName: "zone-\($0)") }
    for zone in zones { try database.createZone(zone) }
    try database.load(
      (0..<ZonesSuite.recordCount).lazy.map { index in
        ZoneQueryEngine.record(generator.event(at: index), in: zones[index % zones.count])
      })
    let query = Query(
      recordType: ZoneQueryEngine.recordType, predicate: try QueryPredicate(format: "start > $after"),
      sort: [.ascending("start")])
    let prepared = try database.prepare(query)
    let after = try prepared.parameter("after")
    let moments = (0..<ZonesSuite.questionCount).map { number in
      generator.start(after: (Double(number) + 0.5) / Double(ZonesSuite.questionCount))
    }
    let arguments = moments.map { moment in
      var arguments = prepared.arguments()
      arguments[after] = Literal.date(milliseconds: moment)
      return arguments
    }
    try compare(prepared, arguments, moments, generator)
    let competitor = Alternation.Competitor(name: ReportResult.ownEngine) { range in
      var sink = RowSink(.touch)
      for index in range {
        try prepared.forEachRecord(arguments[index], resultsLimit: ZonesSuite.limit) { record in
          record.withRecordName { $0.withUnsafeBufferPointer { sink.row($0) } }
        }
      }
      blackHole(sink.checksum)
    }
    let timings = try run.alternation(cycle: arguments.count).run([competitor])
    var counters = ["zones": Double(ZonesSuite.zoneCount), "rows": Double(ZonesSuite.limit)]
    let allocations = AllocationCount()
    try competitor.run(0..<arguments.count)
    counters["zonequery.allocations"] = allocations.since / Double(arguments.count)
    let explained = try prepared.explain(arguments[0], resultsLimit: ZonesSuite.limit).counters
    counters["zonequery.rows_examined"] = Double(explained.rowsExamined)
    counters["zonequery.entries_read"] = Double(explained.entriesRead)
    run.add(
      ReportResult(
        suite: "query", workload: ZonesSuite.workload, variant: .ids, records: ZonesSuite.recordCount,
        timings: [(name: competitor.name, timing: timings[0])], counters: counters))
  }

  /// Holds the answers against the generator's own starts.
  private func compare(
    _ prepared: PreparedQuery, _ arguments: [QueryArguments], _ moments: [Int64], _ generator: EventGenerator
  ) throws {
    let events = (0..<ZonesSuite.recordCount).map { (start: generator.keys(at: $0).start, index: $0) }
      .sorted { $0.start < $1.start }
    for (arguments, moment) in zip(arguments, moments) {
      let expected = events.drop { $0.start <= moment }.prefix(ZonesSuite.limit).map { event in
        ResultRow(name: generator.recordName(at: event.index))
      }
      var sink = RowSink(.digest)
      try prepared.forEachRecord(arguments, resultsLimit: ZonesSuite.limit) { record in
        record.withRecordName { $0.withUnsafeBufferPointer { sink.row($0) } }
      }
      if sink.rows != expected {
        throw BenchmarkError("'\(ZonesSuite.workload)' is not what starts first after \(moment)")
      }
    }
  }
}
