import Testing

@testable import ZoneQuery

/// A full buffer drops nothing silently: what was taken, waits, and was counted as dropped is all that came.
struct NotificationBufferTests {
  private func notification(_ subscription: Int, _ number: Int) -> FiredNotification {
    // Two users have subscriptions of the same IDs.
    FiredNotification(
      .whole(
        .database(DatabaseNotification(subscriptionID: "s\(subscription / 2)", databaseScope: .private)),
        user: "\(subscription % 2)"),
      commit: UInt64(number))
  }

  @Test func everythingIsAccountedFor() {
    var (checks, batches) = (0, 0)
    for seed in 0..<TestAmount.of(400) {
      var random = SplitMix(seed: UInt64(seed))
      // The larger ones are emptied in batches.
      let limit = seed % 2 == 0 ? 1 + random.below(8) : 16 + random.below(1_000)
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
        note(next)
        return true
      }
      func note(_ next: DeliveredNotification) {
        let id = Int(next.notification.subscriptionID.dropFirst()) ?? 0
        let subscription = 2 * id + (Int(next.userRecordName) ?? 0)
        told[subscription] += 1 + next.coalescedCount
        lost += next.lostCount
        // In order, of each subscription.
        #expect(Int(next.commit) > newest[subscription])
        newest[subscription] = Int(next.commit)
        checks += 1
      }
      for _ in 0..<300 {
        switch random.below(6) {
        case 0..<3:
          let subscription = random.below(subscriptions)
          came[subscription] += 1
          order += 1
          buffer.add(notification(subscription, order))
        case 3:
          let fired = (0..<random.below(20)).map { _ in random.below(subscriptions) }
          for subscription in fired { came[subscription] += 1 }
          buffer.add(fired.indices.map { notification(fired[$0], order + 1 + $0) })
          order += fired.count
        case 4:
          let (waiting, batch) = (buffer.count, buffer.takeBatch(atMost: .max))
          #expect(batch.isEmpty == (waiting == 0) && batch.count <= max(1, limit / 16))
          for case let next? in batch { note(next.delivered) }
          batches += batch.count > 1 ? 1 : 0
        default: _ = take()
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
    print("buffers: \(checks) notifications taken, \(batches) batches of several")
    #expect(checks >= TestAmount.of(20_000) && batches >= TestAmount.of(200))
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

  /// One who cancels in a call is not called again, whatever waits with it.
  @Test func cancellationInACall() throws {
    final class Holder: Sendable {
      let observer = Locked<NotificationObserver?>(nil)
      let count = Locked(0)
    }
    let database = try StandingSample().database
    for number in 0..<5 {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "Event", predicate: QueryPredicate(format: "seats < %@", number), subscriptionID: "q\(number)",
            firesOn: .creation)))
    }
    let holder = Holder()
    let observer = database.onNotification { _ in
      let count = holder.count.withLock { count in
        count += 1
        return count
      }
      if count == 2 { holder.observer.withLock { $0?.cancel() } }
    }
    holder.observer.withLock { $0 = observer }
    var record = Record(recordType: "Event", recordName: "first")
    record["seats"] = -1
    try database.save(record)
    #expect(holder.count.withLock { $0 } == 2)
    holder.observer.withLock { $0 = nil }
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
