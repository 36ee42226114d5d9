/// The zone and database subscriptions of a database, by what they are told of.
///
/// Complexity: finding those that a zone's commit concerns is linear in them alone; saving one and taking it away moves
/// those of the same zone.
struct WholeSubscriptions: Sendable {
  /// Of each zone that has any, in the order of their IDs.
  private var zones: [ZoneID: [Subscription]] = [:]
  /// Of the whole database, in the order of their IDs.
  private var databases: [Subscription] = []

  var isEmpty: Bool { zones.isEmpty && databases.isEmpty }

  /// Takes a zone or database subscription in, of whose ID there is none.
  mutating func insert(_ subscription: Subscription) {
    switch subscription {
    case .query: break
    case .zone(let zone): WholeSubscriptions.insert(subscription, into: &zones[zone.zoneID, default: []])
    case .database: WholeSubscriptions.insert(subscription, into: &databases)
    }
  }

  /// Takes a subscription out that was taken in.
  mutating func remove(_ subscription: Subscription) {
    switch subscription {
    case .query: break
    case .zone(let zone):
      WholeSubscriptions.remove(subscription, from: &zones[zone.zoneID, default: []])
      if zones[zone.zoneID]?.isEmpty == true { zones[zone.zoneID] = nil }
    case .database: WholeSubscriptions.remove(subscription, from: &databases)
    }
  }

  /// Those that a change in a zone concerns, in the order of their IDs: of the zone itself, and of the database, where
  /// the default zone's changes are not told.
  func concerned(by zone: ZoneID) -> [Subscription] {
    let own = zones[zone] ?? []
    if zone.isDefault || databases.isEmpty { return own }
    if own.isEmpty { return databases }
    var merged: [Subscription] = []
    merged.reserveCapacity(own.count + databases.count)
    var rest = own[...]
    for subscription in databases {
      while let next = rest.first, WholeSubscriptions.precedes(next.subscriptionID, subscription.subscriptionID) {
        merged.append(rest.removeFirst())
      }
      merged.append(subscription)
    }
    return merged + rest
  }

  private static func insert(_ subscription: Subscription, into list: inout [Subscription]) {
    list.insert(subscription, at: place(of: subscription, in: list))
  }

  private static func remove(_ subscription: Subscription, from list: inout [Subscription]) {
    let place = place(of: subscription, in: list)
    if place < list.count, sameBytes(list[place].subscriptionID, subscription.subscriptionID) { list.remove(at: place) }
  }

  /// The first place whose ID does not precede a subscription's.
  private static func place(of subscription: Subscription, in list: [Subscription]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(list[middle].subscriptionID, subscription.subscriptionID) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
