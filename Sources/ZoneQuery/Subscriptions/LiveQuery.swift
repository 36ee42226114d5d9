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
  private struct Waiting: Sendable {
    var count: UInt64 = 0
    var takers: [(number: Int, continuation: CheckedContinuation<UInt64?, Never>)] = []
    var cancelled: Set<Int> = []
    var takerCount = 0
  }

  private let state = Locked(Waiting())

  /// Raises it, and lets go of all who wait: to be called without any lock, as they may go on at once.
  func raise() {
    let (count, takers) = state.withLock { waiting in
      waiting.count += 1
      let takers = waiting.takers
      waiting.takers = []
      return (waiting.count, takers)
    }
    for taker in takers { taker.continuation.resume(returning: count) }
  }

  /// Waits until it has been raised more often than so many times; how often that is by then, and nil where the task is
  /// cancelled.
  func wait(beyond seen: UInt64) async -> UInt64? {
    let number = state.withLock { waiting in
      waiting.takerCount += 1
      return waiting.takerCount
    }
    let count = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { waiting -> UInt64?? in
          if waiting.cancelled.contains(number) { return .some(nil) }
          if waiting.count > seen { return waiting.count }
          waiting.takers.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let taker = state.withLock { waiting -> CheckedContinuation<UInt64?, Never>? in
        guard let index = waiting.takers.firstIndex(where: { $0.number == number }) else {
          waiting.cancelled.insert(number)
          return nil
        }
        return waiting.takers.remove(at: index).continuation
      }
      taker?.resume(returning: nil)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    return count
  }
}
