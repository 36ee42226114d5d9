import Testing

@testable import ZoneQuery

/// A full buffer drops nothing silently: what was taken, waits, and was counted as dropped is all that came.
struct NotificationBufferTests {
  private func notification(_ subscription: Int, _ number: Int) -> FiredNotification {
    FiredNotification(
      .whole(.database(DatabaseNotification(subscriptionID: "s\(subscription)", databaseScope: .private))),
      commit: UInt64(number))
  }

  @Test func everythingIsAccountedFor() {
    var checks = 0
    for seed in 0..<400 {
      var random = SplitMix(seed: UInt64(seed))
      let limit = 1 + random.below(8)
      let subscriptions = 1 + random.below(12)
      var buffer = NotificationBuffer(limit: limit)
      // Of each subscription: how many came, were taken, and were said to be dropped.
      var came = [Int](repeating: 0, count: subscriptions)
      var told = came
      var lost = 0
      var newest = [Int](repeating: -1, count: subscriptions)
      var order = 0
      func take() -> Bool {
        guard let next = buffer.take()?.delivered else { return false }
        let subscription = Int(next.notification.subscriptionID.dropFirst()) ?? 0
        told[subscription] += 1 + next.coalescedCount
        lost += next.lostCount
        // In order, of each subscription.
        #expect(Int(next.commit) > newest[subscription])
        newest[subscription] = Int(next.commit)
        checks += 1
        return true
      }
      for _ in 0..<300 {
        if random.below(3) > 0 {
          let subscription = random.below(subscriptions)
          came[subscription] += 1
          order += 1
          buffer.add(notification(subscription, order))
        } else {
          _ = take()
        }
        #expect(buffer.count <= limit)
      }
      while take() {}
      #expect(buffer.isEmpty)
      // What is left untold was lost, and the next says so.
      buffer.add(notification(0, order + 1))
      came[0] += 1
      #expect(take())
      #expect(came.reduce(0, +) == told.reduce(0, +) + lost)
      #expect(zip(came, told).allSatisfy { $0 >= $1 })
      if subscriptions <= limit { #expect(lost == 0 && came == told) }
    }
    print("buffers: \(checks) notifications taken")
    #expect(checks >= 20_000)
  }

  @Test func overflowOfASlowListener() async throws {
    let database = try StandingSample().database
    try database.save(.query(QuerySubscription(recordType: "Event", subscriptionID: "q", firesOn: .creation)))
    let notifications = database.notifications(bufferingLimit: 4)
    var random = SplitMix(seed: 1)
    for number in 0..<50 { try database.save(StandingSample.record("r\(number)", .default, &random)) }
    var taken = 0
    var sum = 0
    for await delivered in notifications {
      taken += 1
      sum += 1 + delivered.coalescedCount
      #expect(delivered.lostCount == 0)
      if sum == 50 { break }
    }
    #expect(taken == 4 && sum == 50)
  }

  @Test func cancellationEndsASequence() async throws {
    let database = try StandingSample().database
    let notifications = database.notifications()
    let task = Task {
      var count = 0
      for await _ in notifications { count += 1 }
      return count
    }
    await Task.yield()
    task.cancel()
    #expect(await task.value == 0)
  }
}
