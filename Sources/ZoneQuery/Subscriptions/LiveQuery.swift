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

/// Raised by any thread, lowered by the one task that waits for it.
final class Signal: Sendable {
  private struct Waiting: Sendable {
    var isRaised = false
    var isCancelled = false
    var taker: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(Waiting())

  func raise() {
    let taker = state.withLock { waiting in
      waiting.isRaised = true
      let taker = waiting.taker
      waiting.taker = nil
      return taker
    }
    taker?.resume()
  }

  /// Waits until it is raised and lowers it; false where the task is cancelled.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { waiting in
          if waiting.isRaised || waiting.isCancelled { return true }
          waiting.taker = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let taker = state.withLock { waiting in
        waiting.isCancelled = true
        let taker = waiting.taker
        waiting.taker = nil
        return taker
      }
      taker?.resume()
    }
    return state.withLock { waiting in
      waiting.isRaised = false
      return !waiting.isCancelled
    }
  }
}
