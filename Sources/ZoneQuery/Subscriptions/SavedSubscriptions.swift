/// Names a subscription in its database: whose it is, and its ID, which is one among that user's alone.
struct SubscriptionKey: Hashable, Sendable {
  let user: ByteKey
  let id: ByteKey

  init(_ id: String, of user: String) { (self.user, self.id) = (ByteKey(user), ByteKey(id)) }
}

/// The subscriptions of a database by their users and IDs, under a lock of their own: who asks for one does not wait for
/// what a commit fires. They change under the lock of ``StandingSubscriptions`` alone.
final class SavedSubscriptions: Sendable {
  private struct Users: Sendable {
    var subscriptions: [ByteKey: [ByteKey: Subscription]] = [:]
    var count = 0
  }

  private let all = Locked(Users())

  /// The subscription of a user and an ID. Setting one saves it, setting nil deletes it.
  subscript(key: SubscriptionKey) -> Subscription? {
    get { all.withLock { $0.subscriptions[key.user]?[key.id] } }
    set {
      all.withLock { all in
        let old =
          if let newValue {
            all.subscriptions[key.user, default: [:]].updateValue(newValue, forKey: key.id)
          } else {
            all.subscriptions[key.user]?.removeValue(forKey: key.id)
          }
        all.count += (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
        if newValue == nil, all.subscriptions[key.user]?.isEmpty == true { all.subscriptions[key.user] = nil }
        if all.count == 0 { all.subscriptions = [:] }
      }
    }
  }

  /// How many there are of all users.
  var count: Int { all.withLock { $0.count } }

  /// All of a user, by ID. Complexity: that of sorting them.
  func sorted(of user: String) -> [Subscription] {
    Self.sorted(all.withLock { $0.subscriptions[ByteKey(user)] } ?? [:])
  }

  /// All of all users, by user and ID. Complexity: that of sorting them.
  func sorted() -> [(user: String, subscriptions: [Subscription])] {
    all.withLock { $0.subscriptions }.map { ($0.text, Self.sorted($1)) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }

  private static func sorted(_ subscriptions: [ByteKey: Subscription]) -> [Subscription] {
    subscriptions.values.sorted { $0.subscriptionID.utf8.lexicographicallyPrecedes($1.subscriptionID.utf8) }
  }
}
