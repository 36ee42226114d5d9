/// A query's answer, and then each answer that differs from the one before, for as long as somebody asks.
///
/// Made by ``Database/liveRecords(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)``.
///
/// ```swift
/// for try await update in try database.liveRecords(matching: query, resultsLimit: 20) {
///   print(update.records.count, update.changes)
/// }
/// ```
///
/// Each iterator is a live query of its own: it hears of changes by a subscription in the database's index and then runs
/// the query again. Commits that come faster than updates are taken become one update. Answers differ where a record's
/// change tag does, which every save changes: one that was saved is `updated` even where none of the fields asked for is
/// another. It keeps the database.
public struct LiveRecords: AsyncSequence, Sendable {
  /// An answer, and what leads to it.
  public typealias Element = Update
  /// The zone is gone, or the schema does not fit the query any more.
  public typealias Failure = ZoneQueryError

  /// An answer of the query.
  public struct Update: Sendable, Hashable {
    /// The records, in the query's order, at most the limit.
    public let records: [Record]
    /// What leads from the records of the update before to these; empty in the first.
    public let changes: [Change]
  }

  /// A step from one answer to the next. Places of records that go are those in the answer before, places of records
  /// that come those in the new one: take out what is removed or moved, the last first, then put in what is moved or
  /// inserted, the first first.
  public enum Change: Sendable, Hashable {
    /// A record is no longer among those of the answer.
    case removed(RecordID, from: Int)
    /// A record has come.
    case inserted(Record, at: Int)
    /// A record that was there stands elsewhere; it may have changed too.
    case moved(Record, from: Int, to: Int)
    /// A record that stays where it is, among those that stay, has changed.
    case updated(Record, at: Int)
  }

  let database: Database
  let query: Query
  let zoneID: ZoneID?
  let desiredKeys: [String]?
  let resultsLimit: Int
  let parameters: [ByteKey: ArgumentValue]

  /// An iterator, which begins with the answer as it is when it is first asked.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// One live query.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: LiveRecords
    private var registration: Registration?
    private var records: [Record] = []
    /// How often the signal had been raised when that was the answer, or more often.
    private var seen: UInt64 = 0
    private var isAtEnd = false

    init(_ source: LiveRecords) { self.source = source }

    /// The next answer; nil once the task is cancelled.
    ///
    /// - Throws: What the query throws; then there are no further answers.
    public mutating func next() async throws(ZoneQueryError) -> Update? { try await advance() }

    /// The next answer; nil once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ZoneQueryError) -> Update? {
      try await advance()
    }

    private mutating func advance() async throws(ZoneQueryError) -> Update? {
      if isAtEnd { return nil }
      do throws(ZoneQueryError) {
        guard let registration else {
          if Task.isCancelled { return nil }
          // Registered first, so that nothing that the answer lacks is missed.
          let registration = try Registration(source)
          self.registration = registration
          seen = 0
          records = try source.answer(registration.live)
          return Update(records: records, changes: [])
        }
        while let count = await registration.live.signal.wait(beyond: seen) {
          seen = count
          let new = try source.answer(registration.live)
          let changes = RecordListDifference(from: records, to: new).changes
          if changes.isEmpty { continue }
          records = new
          return Update(records: new, changes: changes)
        }
      } catch {
        isAtEnd = true
        registration = nil
        throw error
      }
      isAtEnd = true
      registration = nil
      return nil
    }
  }

  /// A live query's place among the database's subscriptions, until it goes.
  private final class Registration: Sendable {
    let live: LiveQuery
    private let standing: StandingSubscriptions

    init(_ source: LiveRecords) throws(ZoneQueryError) {
      let database = source.database
      standing = database.standing
      live = LiveQuery(
        source.query, zoneID: source.zoneID, parameters: source.parameters, now: database.configuration.clock())
      let type = try database.recordType(of: source.query, source.zoneID)
      let prepared = try live.prepare(for: type, standing.index)
      database.learn(of: type)
      try standing.withState { [live] (state: inout StandingState) throws(ZoneQueryError) in
        try state.add(live, prepared)
      }
    }

    deinit { standing.remove(live) }
  }

  private func answer(_ live: LiveQuery) throws(ZoneQueryError) -> [Record] {
    // Prepared anew, since the schema may have grown.
    let prepared = try PreparedQuery(database, query, zoneID)
    var values: [String: any PredicateArgument] = [:]
    for (name, value) in parameters { values[name.text] = value }
    return try prepared.records(prepared.arguments(known: values), desiredKeys, resultsLimit, now: live.now)
  }
}
