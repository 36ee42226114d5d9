import Testing

@testable import ZoneQuery

/// What a full buffer drops, and which notification counts it, is what a plain list that is searched from its beginning
/// says.
struct NotificationBufferModelTests {
  /// What is told of a notification: its commit and its counts.
  private struct Told: Equatable {
    let subscription: Int
    let commit: Int
    var coalesced = 0
    var lost = 0
  }

  private struct Model {
    let limit: Int
    var waiting: [Told] = []
    var lost = 0
    /// How often another subscription gave way, and how often the oldest of all.
    var merges = 0
    var losses = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ subscription: Int, _ commit: Int) {
      var new = Told(subscription: subscription, commit: commit)
      if waiting.count == limit {
        if let place = waiting.lastIndex(where: { $0.subscription == subscription }) {
          new.coalesced = waiting.remove(at: place).coalesced + 1
        } else {
          drop()
        }
      }
      waiting.append(new)
    }

    private mutating func drop() {
      func last(_ subscription: Int) -> Int? { waiting.lastIndex { $0.subscription == subscription } }
      let place = waiting.indices.first { last(waiting[$0].subscription) != $0 }
      let gone = waiting[place ?? 0]
      if place != nil, let keeper = last(gone.subscription) {
        waiting[keeper].coalesced += gone.coalesced + 1
        merges += 1
      } else {
        lost += gone.coalesced + 1
        losses += 1
      }
      waiting.remove(at: place ?? 0)
    }

    mutating func take() -> Told? {
      if waiting.isEmpty { return nil }
      var first = waiting.removeFirst()
      first.lost = lost
      lost = 0
      return first
    }
  }

  private static func notification(_ subscription: Int, _ commit: Int) -> FiredNotification {
    // Three users have subscriptions of the same IDs.
    FiredNotification(
      .whole(
        .database(DatabaseNotification(subscriptionID: "\(subscription / 3)", databaseScope: .private)),
        user: "\(subscription % 3)"),
      commit: UInt64(commit))
  }

  private static func told(_ notification: FiredNotification) -> Told {
    Told(
      subscription: 3 * (Int(notification.subscriptionID) ?? -1) + (Int(notification.userRecordName) ?? 0),
      commit: Int(notification.commit),
      coalesced: notification.coalescedCount, lost: notification.lostCount)
  }

  @Test(arguments: [1, 2, 3, 7, 16, 40, 100])
  func dropsAsAPlainListDoes(_ limit: Int) {
    var (merges, losses) = (0, 0)
    for seed in 0..<(TestAmount.isLong ? 60 : 5) {
      var random = SplitMix(seed: UInt64(1_000 * limit + seed))
      // Some have fewer subscriptions than places, some more.
      let subscriptions = 1 + random.below(2 * limit + 2)
      var buffer = NotificationBuffer(limit: limit)
      var model = Model(limit: limit)
      var commit = 0
      var (isFilling, isInTurn) = (true, false)
      func subscription() -> Int { isInTurn ? commit % subscriptions : random.below(subscriptions) }
      for step in 0..<2_000 + 20 * limit {
        // Fuller and emptier in turn, so that what was the last of its subscription becomes an earlier one; and at times
        // of each subscription one, so that all are the last.
        if random.below(limit + 20) == 0 { isFilling.toggle() }
        if random.below(limit + 20) == 0 { isInTurn.toggle() }
        let choice = random.below(20)
        if choice == 0 {
          let batch = (0..<random.below(8)).map { _ in random.below(subscriptions) }
          buffer.add(batch.indices.map { Self.notification(batch[$0], commit + $0) })
          for (offset, subscription) in batch.enumerated() { model.add(subscription, commit + offset) }
          commit += batch.count
        } else if choice == 1 {
          let most = random.below(limit + 2)
          let isEmpty = most == 0 || buffer.isEmpty
          let batch = buffer.takeBatch(atMost: most).compactMap { $0 }.map(Self.told)
          #expect(batch.isEmpty == isEmpty && batch.count <= most)
          #expect(batch == batch.compactMap { _ in model.take() }, "seed \(seed), step \(step)")
        } else if choice < (isFilling ? 17 : 9) {
          let subscription = subscription()
          buffer.add(Self.notification(subscription, commit))
          model.add(subscription, commit)
          commit += 1
        } else {
          #expect(buffer.take().map(Self.told) == model.take(), "seed \(seed), step \(step)")
        }
        #expect(buffer.count == model.waiting.count)
      }
      while let next = buffer.take() { #expect(Self.told(next) == model.take(), "seed \(seed), at the end") }
      #expect(model.waiting.isEmpty)
      merges += model.merges
      losses += model.losses
    }
    #expect(losses > 0 && (limit < 3 || merges > 0))
  }

  /// The first of each of many subscriptions comes to a full buffer, behind many that are the last of theirs. One that
  /// looked at those again each time would be at it for minutes.
  @Test func manyComeToAFullBuffer() {
    let limit = 16_000
    var buffer = NotificationBuffer(limit: limit)
    // Half are the last of their subscription and the oldest; the other half are of one.
    for number in 0..<limit / 2 { buffer.add(Self.notification(number, number)) }
    for number in limit / 2..<limit { buffer.add(Self.notification(-1, number)) }
    let others = limit - 100
    for number in limit..<limit + others { buffer.add(Self.notification(number, number)) }
    #expect(buffer.count == limit)
    // All but one of the one subscription gave way, and then the oldest of all.
    let merged = limit / 2 - 1
    var (taken, coalesced) = (0, 0)
    while let next = buffer.take() {
      #expect(next.lostCount == (taken == 0 ? others - merged : 0))
      coalesced += next.coalescedCount
      taken += 1
    }
    #expect(taken == limit && coalesced == merged)
  }
}
