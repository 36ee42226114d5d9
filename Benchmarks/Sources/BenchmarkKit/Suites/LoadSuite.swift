internal import CProbes

/// Loads the engines and measures what a load takes in time and memory.
struct LoadSuite {
  private let run: BenchmarkRun
  private let generator: EventGenerator

  init(_ run: BenchmarkRun, _ generator: EventGenerator) {
    self.run = run
    self.generator = generator
  }

  /// The loaded engines, ours first. With the write suite small sizes are loaded several times, the engines in turn.
  func measure() throws -> [any EngineUnderTest] {
    let records = generator.records
    let wantsTime = run.options.suites.contains(.write) && run.wants("load")
    let most = run.options.turns ?? 9
    let turns = wantsTime ? max(1, min(most, 300_000 / max(records, 1))) : 1
    run.note("loading \(Figures.count(records)) records")
    var engines: [any EngineUnderTest] = []
    var timings: [Alternation.Timing] = []
    var heap: [Alternation.Timing] = []
    var counters: [String: Double] = [:]
    for turn in 0..<turns {
      engines = []
      for (index, engine) in try run.makeEngines().enumerated() {
        if turn == 0 {
          timings.append(Alternation.Timing())
          heap.append(Alternation.Timing())
        }
        probe_trim_heap()
        let heapBefore = Double(probe_heap_bytes())
        let residentBefore = Double(probe_resident_bytes())
        let allocationsBefore = probe_allocations()
        let source = EventSource(generator)
        let watch = Stopwatch()
        try engine.load(source)
        let lap = watch.lap()
        let allocations = Double(probe_allocations() &- allocationsBefore)
        probe_trim_heap()
        let bytes = (Double(probe_heap_bytes()) - heapBefore) / Double(records)
        let resident = (Double(probe_resident_bytes()) - residentBefore) / Double(records)
        timings[index].cpu.append((lap.cpu - source.excludedCPU) / Double(records))
        timings[index].wall.append((lap.wall - source.excludedWall) / Double(records))
        heap[index].cpu.append(bytes)
        heap[index].wall.append(bytes)
        counters["\(engine.name).allocations"] = allocations / Double(records)
        counters["\(engine.name).resident_bytes"] = resident
        engines.append(engine)
      }
    }
    let names = engines.map(\.name)
    if wantsTime {
      run.add(
        ReportResult(
          suite: "write", workload: "load", variant: .records, records: records,
          timings: Array(zip(names, timings)).map { (name: $0, timing: $1) },
          counters: counters.filter { $0.key.hasSuffix("allocations") }))
    }
    if run.options.suites.contains(.write) || run.options.suites.contains(.memory), run.wants("memory") {
      if probe_heap_bytes() == 0 {
        run.addAbsence("memory", "the C library of this platform does not tell what its heap holds")
      } else {
        run.add(
          ReportResult(
            suite: run.options.suites.contains(.write) ? "write" : "memory", workload: "memory", variant: .records,
            records: records, unit: "bytes",
            timings: Array(zip(names, heap)).map { (name: $0, timing: $1) },
            counters: counters.filter { $0.key.hasSuffix("resident_bytes") }))
      }
    }
    return engines
  }
}
