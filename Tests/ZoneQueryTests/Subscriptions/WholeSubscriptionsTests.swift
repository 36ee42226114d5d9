import Testing

@testable import ZoneQuery

struct WholeSubscriptionsTests {
  /// What a zone's commit concerns, in its order, against a plain list of all.
  @Test func agreesWithAPlainList() {
    var random = SplitMix(seed: 31)
    let zones = [ZoneID(zoneName: "A"), ZoneID(zoneName: "B"), ZoneID(zoneName: "A", ownerName: "b"), ZoneID.default]
    var subscriptions = WholeSubscriptions()
    var plain: [Subscription] = []
    var checks = 0
    for _ in 0..<4_000 {
      let id = ["", "é", "e\u{301}", "z"][random.below(4)] + "\(random.below(40))"
      if let place = plain.firstIndex(where: { sameBytes($0.subscriptionID, id) }) {
        subscriptions.remove(plain.remove(at: place))
      } else {
        let made: Subscription =
          random.below(3) == 0
          ? .database(DatabaseSubscription(subscriptionID: id))
          : .zone(ZoneSubscription(zoneID: zones[random.below(4)], subscriptionID: id))
        subscriptions.insert(made)
        plain.append(made)
      }
      #expect(subscriptions.isEmpty == plain.isEmpty)
      for zone in zones {
        let expected = plain.filter {
          switch $0 {
          case .query: false
          case .zone(let subscription): subscription.zoneID == zone
          case .database: !zone.isDefault
          }
        }
        .map { Array($0.subscriptionID.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        let found = subscriptions.concerned(by: zone).map { Array($0.subscriptionID.utf8) }
        guard found == expected else {
          Issue.record("\(zone): \(found) instead of \(expected)")
          return
        }
        checks += 1
      }
      if random.below(200) == 0 {
        for subscription in plain { subscriptions.remove(subscription) }
        plain = []
      }
    }
    #expect(checks == 16_000)
    print("zone and database subscriptions: \(checks) checks")
  }
}
