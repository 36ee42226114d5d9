internal import ZoneQuery

/// A record against standing subscriptions by the index, and by asking each of them.
struct SubscribeSuite {
  private let run: BenchmarkRun
  private let count: Int
  private static let recordCount = 1_000

  init(_ run: BenchmarkRun, subscriptions: Int) {
    self.run = run
    count = subscriptions
  }

  func measure() throws {
    try measure("created", scale: 1)
    if run.wants("created-bounded") {
      // Ranges the narrower, the more subscriptions there are, so that a record's answer grows less than they do.
      try measure("created-bounded", scale: max(0.02, (10_000 / Double(count)).squareRoot()))
    }
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
    if isPlain, !WorkloadList.subscribe.contains(where: { $0.name != "created-bounded" && run.wants($0.name) }) {
      return
    }
    let type = SubscriptionWorkload.recordType
    var workload = SubscriptionWorkload(seed: run.options.seed, scale: scale)
    let index = SubscriptionIndex()
    index.learn(from: (0..<600).map { workload.record($0) }, recordType: type)
    var prepared: [SubscriptionIndex.Prepared] = []
    prepared.reserveCapacity(count)
    for _ in 0..<count { prepared.append(try index.prepare(workload.predicate(), for: type)) }
    var handles: [SubscriptionIndex.Handle] = []
    handles.reserveCapacity(count)
    for subscription in prepared { handles.append(try index.add(subscription)) }
    let records = (0..<Self.recordCount).map { workload.record($0) }
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
    let empty = SubscriptionIndex()
    // One subscription that reads every field and matches nothing: what is left is the encoding.
    let all = try QueryPredicate(
      format: """
        owner = 'nobody' AND category = 'c' AND status = 's' AND price < 0 AND score < 0 AND created < now() AND \
        tags CONTAINS 't' AND code BEGINSWITH '-' AND self CONTAINS 'nothing' AND \
        distanceToLocation:fromLocation:(place, %@) < 1
        """, Location(latitude: 0, longitude: 0))
    _ = try empty.add(all, for: type)
    try time("encode", records.count, ["matches": 0]) { range in
      for operation in range { blackHole(UInt64(empty.matches(created: records[operation % records.count]).count)) }
    }
    try time("updated", records.count, [:]) { range in
      for operation in range {
        let changes = index.matches(
          updated: records[operation % records.count], to: records[(operation + 1) % records.count])
        blackHole(UInt64(changes.entered.count))
      }
    }
    if run.wants("subscription-memory") {
      let bytes = Double(index.memorySize(ofRecordType: type.name)) / Double(count)
      run.note("\(Figures.count(count)) subscribe subscription-memory: \(Figures.short(bytes)) bytes a subscription")
    }
    try changes(index, prepared, handles)
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
    let timings = try run.alternation(cycle: count > 100_000 ? 10 : 100).run(competitors)
    run.add(
      ReportResult(
        suite: "subscribe", workload: name, variant: .records, records: count,
        timings: zip(competitors, timings).map { (name: $0.name, timing: $1) }, counters: ["matches": matches]))
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
    _ index: SubscriptionIndex, _ prepared: [SubscriptionIndex.Prepared], _ handles: [SubscriptionIndex.Handle]
  ) throws {
    guard run.wants("subscribe") || run.wants("unsubscribe") else { return }
    var handles = handles
    var order = Array(prepared.indices)
    var random = RandomSource(seed: run.options.seed)
    for index in order.indices.reversed() { order.swapAt(index, random.below(index + 1)) }
    let part = Array(order.prefix(max(1_000, count / 10)).prefix(count))
    func remove(_ range: Range<Int>) { for operation in range { index.remove(handles[part[operation]]) } }
    func add(_ range: Range<Int>) throws {
      for operation in range { handles[part[operation]] = try index.add(prepared[part[operation]]) }
    }
    var alternation = run.alternation(cycle: part.count)
    alternation.mayRepeat = false
    let timings = try alternation.run([
      Alternation.Competitor(name: "unsubscribe", after: add) { remove($0) },
      Alternation.Competitor(name: "subscribe", before: remove) { try add($0) },
    ])
    for (name, timing) in zip(["unsubscribe", "subscribe"], timings) where run.wants(name) {
      run.add(
        ReportResult(
          suite: "subscribe", workload: name, variant: .records, records: count,
          timings: [(name: ReportResult.ownEngine, timing: timing)], counters: [:]))
    }
  }
}
