import Testing

@testable import ZoneQuery

struct WholeSubscriptionsTests {
  private func whole(_ id: String, _ user: String) -> WholeSubscription {
    WholeSubscription(subscription: .database(DatabaseSubscription(subscriptionID: id)), user: user)
  }

  /// By ID, then by user; no name here has a byte of 0.
  private func order(_ whole: WholeSubscription) -> [UInt8] {
    Array(whole.subscription.subscriptionID.utf8) + [0] + Array(whole.user.utf8)
  }

  /// What a zone's commit concerns, in its order, against a plain list of all.
  @Test func agreesWithAPlainList() {
    var random = SplitMix(seed: 31)
    let zones = [ZoneID(zoneName: "A"), ZoneID(zoneName: "B"), ZoneID(zoneName: "A", ownerName: "b"), ZoneID.default]
    var subscriptions = WholeSubscriptions()
    var plain: [WholeSubscription] = []
    var checks = 0
    for _ in 0..<TestAmount.of(4_000) {
      let id = ["", "é", "e\u{301}", "z"][random.below(4)] + "\(random.below(40))"
      let user = ["", "u", "ü"][random.below(3)]
      if let place = plain.firstIndex(where: { $0.isSame(as: whole(id, user)) }) {
        subscriptions.remove(plain.remove(at: place))
      } else {
        let made: Subscription =
          random.below(3) == 0
          ? .database(DatabaseSubscription(subscriptionID: id))
          : .zone(ZoneSubscription(zoneID: zones[random.below(4)], subscriptionID: id))
        subscriptions.insert(WholeSubscription(subscription: made, user: user))
        plain.append(WholeSubscription(subscription: made, user: user))
      }
      #expect(subscriptions.isEmpty == plain.isEmpty)
      for zone in zones {
        let expected = plain.filter {
          switch $0.subscription {
          case .query: false
          case .zone(let subscription): subscription.zoneID == zone
          case .database: !zone.isDefault
          }
        }
        .map(order).sorted { $0.lexicographicallyPrecedes($1) }
        let found = subscriptions.concerned(by: zone).map(order)
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
    #expect(checks == 4 * TestAmount.of(4_000))
    print("zone and database subscriptions: \(checks) checks")
  }
}
