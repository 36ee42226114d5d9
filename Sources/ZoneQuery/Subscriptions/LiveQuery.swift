/// A query that is kept right: what it asks, and the signal that its answer may have changed.
final class LiveQuery: Sendable {
  let query: Query
  let zoneID: ZoneID?
  let parameters: [ByteKey: ArgumentValue]
  /// The moment that `now()` stands for throughout.
  let now: Timestamp
  let signal = Signal()

  init(_ query: Query, zoneID: ZoneID?, parameters: [ByteKey: ArgumentValue], now: Timestamp) {
    self.query = query
    self.zoneID = zoneID
    self.parameters = parameters
    self.now = now
  }

  /// The predicate as the index takes it: every change that it concerns is to be heard of.
  func prepare(
    for type: RecordType, _ index: SubscriptionIndex
  ) throws(ZoneQueryError) -> SubscriptionIndex.Prepared {
    var values: [String: any PredicateArgument] = [:]
    for (name, value) in parameters { values[name.text] = value }
    return try index.prepare(query.predicate, for: type, zone: zoneID, parameters: values, now: now)
  }
}

/// Raised by any thread, and waited for by tasks, each of which knows how often it has seen it raised.
final class Signal: Sendable {
  private struct Raised: Awaited {
    var count: UInt64 = 0
    var tasks = WaitingTasks<UInt64>()
  }

  private let state = Locked(Raised())

  /// Raises it, and lets go of all who wait: to be called without any lock, as they may go on at once.
  func raise() {
    let (count, tasks) = state.withLock { raised in
      raised.count += 1
      return (raised.count, raised.tasks.removeAll())
    }
    for task in tasks { task.resume(returning: count) }
  }

  /// Waits until it has been raised more often than so many times; how often that is by then, and nil where the task is
  /// cancelled.
  func wait(beyond seen: UInt64) async -> UInt64? {
    await state.wait { (raised: inout Raised) -> UInt64?? in
      if raised.count > seen { return .some(raised.count) }
      return nil
    }
  }
}
