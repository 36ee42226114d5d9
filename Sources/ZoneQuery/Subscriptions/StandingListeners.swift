/// The listeners of a database, by the users of whose subscriptions they hear.
///
/// Complexity of delivering: linear in what was fired, and in the listeners to all users and to those whose subscriptions
/// fired.
struct StandingListeners: Sendable {
  /// Those who hear of all users' subscriptions.
  private var ofAll: [NotificationListener] = []
  /// Those who hear of one user's.
  private var ofUsers: [ByteKey: [NotificationListener]] = [:]
  var isEmpty: Bool { ofAll.isEmpty && ofUsers.isEmpty }

  mutating func add(_ listener: NotificationListener) {
    if let user = listener.user {
      ofUsers[ByteKey(user), default: []].append(listener)
    } else {
      ofAll.append(listener)
    }
  }

  /// Takes a listener out, if it is there.
  mutating func remove(_ listener: NotificationListener) {
    if let user = listener.user.map(ByteKey.init) {
      ofUsers[user]?.removeAll { $0 === listener }
      if ofUsers[user]?.isEmpty == true { ofUsers[user] = nil }
    } else {
      ofAll.removeAll { $0 === listener }
    }
  }

  /// Hands them what a commit fired, without gaps, and of some users' subscriptions: all the same one where they are to hear
  /// all of it.
  ///
  /// - Returns: Those of them that are to be woken or called.
  func deliver(_ fired: [FiredNotification?], of users: FiredUsers) -> [NotificationListener] {
    var woken = ofAll.filter { $0.add(fired) }
    if ofUsers.isEmpty { return woken }
    switch users {
    case .none: break
    case .one(let user): woken += (ofUsers[ByteKey(user)] ?? []).filter { $0.add(fired) }
    case .several:
      let parts = Dictionary(grouping: fired) { $0.map { ByteKey($0.userRecordName) } }
      for case (let user?, let part) in parts { woken += (ofUsers[user] ?? []).filter { $0.add(part) } }
    }
    return woken
  }

  /// All of them.
  var all: [NotificationListener] { ofAll + ofUsers.values.joined() }
}

/// Whose subscriptions a commit has fired.
enum FiredUsers: Sendable {
  case none
  case one(String)
  case several

  @inline(__always)
  mutating func add(_ user: String) {
    switch self {
    case .none: self = .one(user)
    case .one(let known): if !isIdentical(known, user), !sameBytes(known, user) { self = .several }
    case .several: break
    }
  }
}
