internal import CProbes
internal import ZoneQuery

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A record against standing subscriptions by the index, and by asking each of them.
struct SubscribeSuite {
  let run: BenchmarkRun
  let count: Int
  private static let recordCount = 1_000

  init(_ run: BenchmarkRun, subscriptions: Int) {
    self.run = run
    count = subscriptions
  }

  func measure() throws {
    try measureEncoding()
    try measure("created", scale: 1)
    if run.wants("created-bounded") {
      // Ranges the narrower, the more subscriptions there are, so that a record's answer grows less than they do.
      try measure("created-bounded", scale: max(0.02, (10_000 / Double(count)).squareRoot()))
    }
    try measureSaving()
    run.addSetup(
      "scan",
      [
        "the same index asked by SubscriptionIndex.matchesByScanning: every subscription's compiled program over the "
          + "record's encoding, without keys",
        "records count the subscriptions; the answers of index and scan were compared first",
      ])
  }

  private func measure(_ name: String, scale: Double) throws {
    let isPlain = name == "created"
    if isPlain, !SubscribeSuite.plain.contains(where: run.wants) { return }
    let type = SubscriptionWorkload.recordType
    var workload = SubscriptionWorkload(seed: run.options.seed, scale: scale)
    let samples = (0..<600).map { workload.record($0) }
    let predicates = try workload.predicates(count)
    let records = (0..<Self.recordCount).map { workload.record($0) }
    let heap = probe_heap_bytes()
    let index = SubscriptionIndex()
    index.learn(from: samples, recordType: type)
    var watch = Stopwatch()
    var prepared: [SubscriptionIndex.Prepared] = []
    prepared.reserveCapacity(count)
    for predicate in predicates { prepared.append(try index.prepare(predicate, for: type)) }
    let preparing = watch.lap().cpu / Double(count)
    var handles: [SubscriptionIndex.Handle] = []
    handles.reserveCapacity(count)
    watch = Stopwatch()
    for subscription in prepared { handles.append(try index.add(subscription)) }
    let adding = watch.lap().cpu / Double(count)
    var found = 0
    for record in records.prefix(count > 100_000 ? 20 : 200) {
      let matches = index.matches(created: record)
      if matches != index.matchesByScanning(created: record) {
        throw BenchmarkError("index and scan differ on \(record.fields)")
      }
      found += matches.count
    }
    let perRecord = Double(found) / Double(count > 100_000 ? 20 : 200)
    if run.wants(name) { try created(name, index, records, perRecord) }
    guard isPlain else { return }
    try time("updated", records.count, [:]) { range in
      for operation in range {
        let changes = index.matches(
          updated: records[operation % records.count], to: records[(operation + 1) % records.count])
        blackHole(UInt64(changes.entered.count))
      }
    }
    if let updated = median("updated"), let created = median("created") {
      note("updated: \(Figures.fixed(updated / created, 2)) times created")
    }
    try changes(index, prepared, handles, predicates)
    guard run.wants("subscription-memory") else { return }
    let ready = "\(Figures.time(preparing)) to prepare one, \(Figures.time(adding)) to add one while the index grows"
    (prepared, handles) = ([], [])
    let kept = withExtendedLifetime((samples, predicates, records)) {
      Double(Int64(bitPattern: probe_heap_bytes() &- heap)) / Double(count)
    }
    let bytes = Double(index.memorySize(ofRecordType: type.name)) / Double(count)
    note(
      "subscription-memory: \(Figures.short(bytes)) bytes a subscription; \(Figures.short(kept)) of heap, "
        + "room to grow included; \(ready)")
  }

  private static let plain = WorkloadList.subscribe.map(\.name).filter {
    !["created-bounded", "encode", "save-standing", "update-standing"].contains($0)
  }

  /// One subscription that reads every field and matches nothing: what is left is the encoding.
  private func measureEncoding() throws {
    let empty = SubscriptionIndex()
    let all = try QueryPredicate(
      format: """
        owner = 'nobody' AND category = 'c' AND status = 's' AND price < 0 AND score < 0 AND created < now() AND \
        tags CONTAINS 't' AND code BEGINSWITH '-' AND self CONTAINS 'nothing' AND \
        distanceToLocation:fromLocation:(place, %@) < 1
        """, Location(latitude: 0, longitude: 0))
    _ = try empty.add(all, for: SubscriptionWorkload.recordType)
    var workload = SubscriptionWorkload(seed: run.options.seed)
    let records = (0..<Self.recordCount).map { workload.record($0) }
    try time("encode", records.count, ["matches": 0]) { range in
      for operation in range { blackHole(UInt64(empty.matches(created: records[operation % records.count]).count)) }
    }
  }

  func note(_ line: String) { run.note("\(Figures.count(count)) subscribe \(line)") }

  /// What a workload took, at so many subscriptions, in nanoseconds, where it was measured.
  private func median(_ workload: String, at count: Int? = nil) -> Double? {
    run.report.results.last {
      $0.suite == "subscribe" && $0.workload == workload && $0.records == count ?? self.count
    }?.own?.median
  }

  /// How the time grows from the fewest subscriptions measured: the exponent of their number, with the encoding of the
  /// record and without.
  private func noteGrowth(of workload: String) {
    let counts = run.report.results.filter { $0.suite == "subscribe" && $0.workload == workload }.map(\.records)
    guard let least = counts.min(), least < count, let from = median(workload, at: least), let to = median(workload)
    else { return }
    let growth = log(Double(count) / Double(least))
    var line = "\(workload): grows from \(Figures.count(least)) by the exponent "
    line += Figures.fixed(log(to / from) / growth, 2)
    if let encoding = median("encode"), encoding < from {
      line += ", \(Figures.fixed(log((to - encoding) / (from - encoding)) / growth, 2)) without the encoding"
    }
    note(line)
  }

  private func created(
    _ name: String, _ index: SubscriptionIndex, _ records: [Record], _ matches: Double
  ) throws {
    var competitors = [
      Alternation.Competitor(name: ReportResult.ownEngine) { range in
        for operation in range { blackHole(UInt64(index.matches(created: records[operation % records.count]).count)) }
      }
    ]
    if run.options.peer != .none {
      competitors.append(
        Alternation.Competitor(name: "scan") { range in
          for operation in range {
            blackHole(UInt64(index.matchesByScanning(created: records[operation % records.count]).count))
          }
        })
    }
    // Many different records: the index would learn few by heart.
    let timings = try run.alternation(cycle: records.count).run(competitors)
    run.add(
      ReportResult(
        suite: "subscribe", workload: name, variant: .records, records: count,
        timings: zip(competitors, timings).map { (name: $0.name, timing: $1) }, counters: ["matches": matches]))
    noteGrowth(of: name)
  }

  private func time(
    _ name: String, _ cycle: Int, _ counters: [String: Double], _ body: @escaping (Range<Int>) throws -> Void
  ) throws {
    guard run.wants(name) else { return }
    let timings = try run.alternation(cycle: cycle).run([
      Alternation.Competitor(name: ReportResult.ownEngine) { range in try body(range) }
    ])
    run.add(
      ReportResult(
        suite: "subscribe", workload: name, variant: .records, records: count,
        timings: [(name: ReportResult.ownEngine, timing: timings[0])], counters: counters))
  }

  /// Takes subscriptions out and puts them back, in an order that goes all over the index.
  private func changes(
    _ index: SubscriptionIndex, _ prepared: [SubscriptionIndex.Prepared], _ handles: [SubscriptionIndex.Handle],
    _ predicates: [QueryPredicate]
  ) throws {
    let names = ["unsubscribe", "subscribe", "subscribe-planned"]
    guard names.contains(where: run.wants) else { return }
    var handles = handles
    var order = Array(prepared.indices)
    var random = RandomSource(seed: run.options.seed)
    for index in order.indices.reversed() { order.swapAt(index, random.below(index + 1)) }
    let part = Array(order.prefix(max(1_000, count / 10)).prefix(count))
    func remove(_ range: Range<Int>) { for operation in range { index.remove(handles[part[operation]]) } }
    func addPlanned(_ range: Range<Int>) throws {
      for operation in range { handles[part[operation]] = try index.add(prepared[part[operation]]) }
    }
    // An index that knows no records leaves the choice to the one that they are added to.
    let empty = SubscriptionIndex()
    let compiled = try part.map { try empty.prepare(predicates[$0], for: SubscriptionWorkload.recordType) }
    func add(_ range: Range<Int>) throws {
      for operation in range { handles[part[operation]] = try index.add(compiled[operation]) }
    }
    var alternation = run.alternation(cycle: part.count)
    alternation.mayRepeat = false
    let timings = try alternation.run([
      Alternation.Competitor(name: "unsubscribe", after: add) { remove($0) },
      Alternation.Competitor(name: "subscribe", before: remove) { try add($0) },
      Alternation.Competitor(name: "subscribe-planned", before: remove) { try addPlanned($0) },
    ])
    for (name, timing) in zip(names, timings) where run.wants(name) {
      run.add(
        ReportResult(
          suite: "subscribe", workload: name, variant: .records, records: count,
          timings: [(name: ReportResult.ownEngine, timing: timing)], counters: [:]))
    }
  }
}
