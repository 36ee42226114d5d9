import Testing

@testable import ZoneQuery

/// Readers, writers, subscribers, unsubscribers, listeners and live queries at the same time. Run under the thread
/// sanitizer too.
struct SubscriptionConcurrencyTests {
  @Test func allAtOnce() async throws {
    let database = try StandingSample().database
    try database.save(
      .query(QuerySubscription(recordType: "Event", subscriptionID: "all", firesOn: .all, zoneID: nil)))
    let commits = TestAmount.isLong ? 2_000 : 150
    let total = 3 * commits
    let heard = Heard()
    let observer = database.onNotification(bufferingLimit: 16) { heard.add($0) }
    let notifications = database.notifications(bufferingLimit: 100_000)
    let live = try database.liveRecords(
      matching: Query(recordType: "Event", sort: [.ascending("seats")]), resultsLimit: 5)
    let listener = Task {
      var count = 0
      var last: UInt64 = 0
      for await delivered in notifications where delivered.notification.subscriptionID == "all" {
        #expect(delivered.commit > last)
        last = delivered.commit
        count += 1 + delivered.coalescedCount
        if count == total { break }
      }
      return count
    }
    let watcher = Task {
      var records: [Record] = []
      for try await update in live { records = update.records }
      return records.count
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          var random = SplitMix(seed: UInt64(writer))
          let zone = writer == 0 ? StandingSample.custom : .default
          for _ in 0..<commits {
            let record = StandingSample.record("w\(writer)-\(random.below(6))", zone, &random)
            _ = try database.save(record, policy: .replace)
            await Task.yield()
          }
        }
      }
      for subscriber in 0..<2 {
        group.addTask {
          var random = SplitMix(seed: UInt64(100 + subscriber))
          for number in 0..<commits {
            let id = "s\(subscriber)-\(number)"
            let subscription = QuerySubscription(
              recordType: "Event", predicate: try StandingSample.predicate(&random), subscriptionID: id,
              firesOn: .all, firesOnce: random.below(2) == 0)
            _ = try? database.save(.query(subscription))
            _ = database.subscriptions().count
            await Task.yield()
            try? database.deleteSubscription(withID: "s\(random.below(2))-\(random.below(number + 1))")
          }
        }
      }
      for reader in 0..<2 {
        group.addTask {
          var random = SplitMix(seed: UInt64(200 + reader))
          for _ in 0..<commits {
            let query = Query(recordType: "Event", predicate: try StandingSample.predicate(&random))
            let some = try database.records(matching: query, resultsLimit: 10).records
            for record in some { _ = try? database.record(for: record.recordID) }
            await Task.yield()
          }
        }
      }
      group.addTask {
        for _ in 0..<commits {
          let short = database.notifications(bufferingLimit: 2)
          let token = database.onNotification { _ in }
          await Task.yield()
          token.cancel()
          _ = short.makeAsyncIterator()
        }
      }
      try await group.waitForAll()
    }
    #expect(await listener.value == total)
    watcher.cancel()
    _ = try? await watcher.value
    // By whichever writer or task it was told.
    let told = heard.take().filter { $0.notification.subscriptionID == "all" }
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.commit < $1.commit })
    observer.cancel()
    print("concurrent commits: \(total), of them \(told.count) told to a callback of few places")
  }

  /// One index by itself, with threads that add, take out, ask and teach it.
  @Test func indexAllAtOnce() async throws {
    let index = SubscriptionIndex(options: PredicateOptions(dialect: .extended))
    let rounds = TestAmount.isLong ? 4_000 : 300
    let type = StandingSample.type
    let kept = try index.add(.true, for: type)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for subscriber in 0..<2 {
        group.addTask {
          var random = SplitMix(seed: UInt64(subscriber))
          var handles: [SubscriptionIndex.Handle] = []
          for _ in 0..<rounds {
            handles.append(try index.add(try StandingSample.predicate(&random), for: type))
            if random.below(3) == 0 { #expect(index.remove(handles.remove(at: random.below(handles.count)))) }
            await Task.yield()
          }
          for handle in handles { #expect(index.remove(handle)) }
        }
      }
      for asker in 0..<2 {
        group.addTask {
          var random = SplitMix(seed: UInt64(50 + asker))
          for number in 0..<rounds {
            let record = StandingSample.record("a\(number)", .default, &random)
            let other = StandingSample.record("a\(number)", .default, &random)
            #expect(index.matches(created: record).contains(kept))
            #expect(index.matches(deleted: record).contains(kept))
            #expect(index.matches(updated: record, to: other).stayed.contains(kept))
            await Task.yield()
          }
        }
      }
      group.addTask {
        var random = SplitMix(seed: 99)
        for _ in 0..<rounds / 50 {
          index.learn(from: (0..<40).map { StandingSample.record("l\($0)", .default, &random) }, recordType: type)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    #expect(index.count == 1)
  }

  /// Of many writers at once exactly one fires what fires once.
  @Test func firesOnceAmongMany() async throws {
    let database = try StandingSample().database
    let heard = Heard()
    let observer = database.onNotification(bufferingLimit: 10_000) { heard.add($0) }
    var count = 0
    for round in 0..<(TestAmount.isLong ? 200 : 20) {
      try database.save(
        .query(
          QuerySubscription(recordType: "Event", subscriptionID: "once\(round)", firesOn: .all, firesOnce: true)))
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            var random = SplitMix(seed: UInt64(writer))
            let zone = writer % 2 == 0 ? StandingSample.custom : .default
            _ = try? database.save(StandingSample.record("w\(writer)", zone, &random), policy: .replace)
          }
        }
      }
      #expect(throws: ZoneQueryError.self) { try database.subscription(for: "once\(round)") }
      count += 1
    }
    // The last may have been left to a task.
    #expect(await eventually { heard.count >= count })
    let told = heard.take()
    #expect(told.count == count && Set(told.map(\.notification.subscriptionID)).count == count)
    observer.cancel()
  }
}
