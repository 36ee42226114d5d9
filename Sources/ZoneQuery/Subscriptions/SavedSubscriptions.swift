/// The subscriptions of a database by their IDs, under a lock of their own: who asks for one does not wait for what a
/// commit fires. They change under the lock of ``StandingSubscriptions`` alone.
final class SavedSubscriptions: Sendable {
  private let all = Locked<[ByteKey: Subscription]>([:])

  /// The subscription of an ID. Setting one saves it, setting nil deletes it.
  subscript(id: ByteKey) -> Subscription? {
    get { all.withLock { $0[id] } }
    set { all.withLock { $0[id] = newValue } }
  }

  var count: Int { all.withLock { $0.count } }

  /// All of them, by ID. Complexity: that of sorting them.
  var sorted: [Subscription] {
    all.withLock { Array($0.values) }
      .sorted { $0.subscriptionID.utf8.lexicographicallyPrecedes($1.subscriptionID.utf8) }
  }
}
