import Testing

@testable import ZoneQuery

/// A commit that fires more than is handed on at a time: everybody hears all of it, in order.
struct LargeCommitTests {
  private static let type = RecordType("T", fields: [FieldDefinition("n", .int64)])

  @Test func allIsHeard() async throws {
    let database = try Database(schema: Schema([Self.type]))
    let users = [database, try database.acting(as: "_alice"), try database.acting(as: "_bob")]
    for (number, user) in users.enumerated() {
      for subscription in 0..<(number == 0 ? 8 : 1) {
        try user.save(
          .query(
            QuerySubscription(
              recordType: "T", predicate: QueryPredicate(format: "n >= %d", subscription),
              subscriptionID: "s\(subscription)", firesOn: [.creation])))
      }
    }
    let (all, mine, alice, few) = (Heard(), Heard(), Heard(), Heard())
    let observers = [
      database.onNotification(ofAllUsers: true, bufferingLimit: 100_000) { all.add($0) },
      database.onNotification(bufferingLimit: 100_000) { mine.add($0) },
      users[1].onNotification(bufferingLimit: 100_000) { alice.add($0) },
      database.onNotification(bufferingLimit: 100) { few.add($0) },
    ]
    defer { for observer in observers { observer.cancel() } }
    let count = 3_000
    try database.load(
      (0..<count).map { number in
        var record = Record(recordType: "T", recordName: "r\(10_000 + number)")
        record["n"] = .int64(8)
        return record
      })
    func name(_ delivered: DeliveredNotification) -> String? {
      if case .query(let query) = delivered.notification { query.recordID.recordName } else { nil }
    }
    _ = await eventually { all.count == 10 * count && mine.count == 8 * count && alice.count == count }
    let heard = all.take()
    #expect(heard.count == 10 * count)
    #expect(heard.allSatisfy { $0.lostCount == 0 && $0.coalescedCount == 0 })
    for user in users {
      let own = heard.filter { $0.userRecordName == user.user.recordName }
      #expect(own.compactMap(name) == own.compactMap(name).sorted())
      #expect(Set(own.compactMap(name)).count == count)
    }
    #expect(mine.take().count == 8 * count)
    let ofAlice = alice.take()
    #expect(ofAlice.count == count && ofAlice.compactMap(name) == ofAlice.compactMap(name).sorted())
    // Whoever keeps few hears of each subscription, and how many notifications stand for others or are lost.
    _ = await eventually { few.count >= 8 }
    let kept = few.take()
    #expect(kept.reduce(0) { $0 + 1 + $1.coalescedCount + $1.lostCount } == 8 * count)
  }
}
