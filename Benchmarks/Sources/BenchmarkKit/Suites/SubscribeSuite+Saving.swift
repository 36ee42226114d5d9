internal import ZoneQuery

extension SubscribeSuite {
  /// The most subscriptions that a database is filled with: saving binds each three times, to tell duplicates.
  private static let mostStanding = 100_000
  private static let savedCount = 2_000
  /// So many records come before the measurement, half of them before the subscriptions.
  private static let warmingCount = 2_000

  /// A database with subscriptions, or none, and the records that are saved to it in turn.
  private final class Stand {
    let database: Database
    /// For each record, whether it has the values of the other.
    private var isOther: [Bool]
    private let records: [Record]
    private let others: [Record]

    init(_ subscriptions: [QuerySubscription], warming: [Record], _ records: [Record], _ others: [Record]) throws {
      var configuration = Database.Configuration()
      configuration.limits.subscriptions = Int.max
      database = try Database(
        schema: Schema([SubscriptionWorkload.recordType]), configuration: configuration)
      try database.load(warming.prefix(warming.count / 2))
      // Some ask for the same as others, which the database refuses.
      for subscription in subscriptions { try? database.save(.query(subscription)) }
      let kept = database.subscriptions().count
      if kept < subscriptions.count * 9 / 10 { throw BenchmarkError("only \(kept) subscriptions were saved") }
      let rest = Array(warming.dropFirst(warming.count / 2))
      for record in rest { try database.save(record, policy: .replace) }
      (self.records, self.others) = (records, others)
      isOther = [Bool](repeating: false, count: records.count)
    }

    func save(_ range: Range<Int>) throws {
      for operation in range { try database.save(records[operation], policy: .replace, desiredKeys: []) }
    }

    func delete(_ range: Range<Int>) throws {
      for operation in range { try database.deleteRecord(withID: records[operation].recordID) }
    }

    /// Gives the records the values of others, and the next time their own again.
    func update(_ range: Range<Int>) throws {
      for operation in range {
        isOther[operation].toggle()
        try database.save((isOther[operation] ? others : records)[operation], policy: .replace, desiredKeys: [])
      }
    }
  }

  /// What standing subscriptions add to the saves of a database: it is held against one that has none, turn by turn.
  func measureSaving() throws {
    guard run.wants("save-standing") || run.wants("update-standing") else { return }
    guard count <= Self.mostStanding else {
      return run.addAbsence(
        "save-standing and update-standing at more than \(Figures.count(Self.mostStanding)) subscriptions",
        "filling a database with them takes minutes")
    }
    var workload = SubscriptionWorkload(seed: run.options.seed)
    let warming = (0..<Self.warmingCount).map { workload.record($0) }
    let subscriptions = try workload.predicates(count).enumerated().map {
      QuerySubscription(
        recordType: "Item", predicate: $1, subscriptionID: "s\($0)", firesOn: [.creation, .update, .deletion])
    }
    let records = (0..<Self.savedCount).map { workload.record(Self.warmingCount + $0) }
    let others = (0..<Self.savedCount).map { workload.record(Self.warmingCount + $0) }
    let standing = try Stand(subscriptions, warming: warming, records, others)
    let none = try Stand([], warming: warming, records, others)
    try saving(standing, none, "")
    let observer = standing.database.onNotification(bufferingLimit: 4_096) { blackHole($0.commit) }
    try saving(standing, none, "-heard")
    observer.cancel()
  }

  private func saving(_ standing: Stand, _ none: Stand, _ ending: String) throws {
    try difference(
      "save-standing", ending, standing, none, { try $0.save($1) }, after: { try $0.delete($1) })
    for stand in [standing, none] { try stand.save(0..<Self.savedCount) }
    try difference("update-standing", ending, standing, none, { try $0.update($1) }, after: { _, _ in })
    for stand in [standing, none] { try stand.delete(0..<Self.savedCount) }
  }

  private func difference(
    _ name: String, _ ending: String, _ standing: Stand, _ none: Stand,
    _ work: @escaping (Stand, Range<Int>) throws -> Void, after: @escaping (Stand, Range<Int>) throws -> Void
  ) throws {
    guard run.wants(name) else { return }
    var alternation = run.alternation(cycle: Self.savedCount)
    alternation.mayRepeat = false
    let timings = try alternation.run([
      Alternation.Competitor(name: "standing", after: { try after(standing, $0) }, run: { try work(standing, $0) }),
      Alternation.Competitor(name: "none", after: { try after(none, $0) }, run: { try work(none, $0) }),
    ])
    var more = Alternation.Timing()
    more.cpu = zip(timings[0].cpu, timings[1].cpu).map { $0 - $1 }
    more.wall = zip(timings[0].wall, timings[1].wall).map { $0 - $1 }
    let plain = Quartiles(timings[1].cpu).median
    run.add(
      ReportResult(
        suite: "subscribe", workload: name + ending, variant: .records, records: count,
        timings: [(name: ReportResult.ownEngine, timing: more)], counters: ["none_ns": plain]))
    note("\(name)\(ending): \(Figures.time(Quartiles(more.cpu).median)) more than \(Figures.time(plain)) with none")
  }
}
