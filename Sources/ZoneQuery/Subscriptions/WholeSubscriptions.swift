/// A zone or database subscription, and whose it is.
struct WholeSubscription: Sendable {
  let subscription: Subscription
  let user: String

  /// By ID, then by user.
  func precedes(_ other: WholeSubscription) -> Bool {
    let (own, others) = (subscription.subscriptionID, other.subscription.subscriptionID)
    if !sameBytes(own, others) { return own.utf8.lexicographicallyPrecedes(others.utf8) }
    return user.utf8.lexicographicallyPrecedes(other.user.utf8)
  }

  func isSame(as other: WholeSubscription) -> Bool {
    sameBytes(subscription.subscriptionID, other.subscription.subscriptionID) && sameBytes(user, other.user)
  }
}

/// The zone and database subscriptions of a database, by what they are told of.
///
/// Complexity: finding those that a zone's commit concerns is linear in them alone; saving one and taking it away moves
/// those of the same zone.
struct WholeSubscriptions: Sendable {
  /// Of each zone that has any, in the order of their IDs.
  private var zones: [ZoneID: [WholeSubscription]] = [:]
  /// Of the whole database, in the order of their IDs.
  private var databases: [WholeSubscription] = []

  var isEmpty: Bool { zones.isEmpty && databases.isEmpty }

  /// Takes a zone or database subscription in, of whose user and ID there is none.
  mutating func insert(_ whole: WholeSubscription) {
    switch whole.subscription {
    case .query: break
    case .zone(let zone): WholeSubscriptions.insert(whole, into: &zones[zone.zoneID, default: []])
    case .database: WholeSubscriptions.insert(whole, into: &databases)
    }
  }

  /// Takes a subscription out that was taken in.
  mutating func remove(_ whole: WholeSubscription) {
    switch whole.subscription {
    case .query: break
    case .zone(let zone):
      WholeSubscriptions.remove(whole, from: &zones[zone.zoneID, default: []])
      if zones[zone.zoneID]?.isEmpty == true { zones[zone.zoneID] = nil }
    case .database: WholeSubscriptions.remove(whole, from: &databases)
    }
  }

  /// Those that a change in a zone concerns, in the order of their IDs: of the zone itself, and of the database, where
  /// the default zone's changes are not told.
  func concerned(by zone: ZoneID) -> [WholeSubscription] {
    let own = zones[zone] ?? []
    if zone.isDefault || databases.isEmpty { return own }
    if own.isEmpty { return databases }
    var merged: [WholeSubscription] = []
    merged.reserveCapacity(own.count + databases.count)
    var rest = own[...]
    for whole in databases {
      while let next = rest.first, next.precedes(whole) { merged.append(rest.removeFirst()) }
      merged.append(whole)
    }
    return merged + rest
  }

  private static func insert(_ whole: WholeSubscription, into list: inout [WholeSubscription]) {
    list.insert(whole, at: place(of: whole, in: list))
  }

  private static func remove(_ whole: WholeSubscription, from list: inout [WholeSubscription]) {
    let place = place(of: whole, in: list)
    if place < list.count, list[place].isSame(as: whole) { list.remove(at: place) }
  }

  /// The first place whose subscription does not precede another.
  private static func place(of whole: WholeSubscription, in list: [WholeSubscription]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].precedes(whole) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
