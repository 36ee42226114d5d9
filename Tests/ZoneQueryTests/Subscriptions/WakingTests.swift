import Foundation
import Testing

@testable import ZoneQuery

/// Who waits for what commits bring goes on when it has come, each of them, and where no lock is held.
struct WakingTests {
  private static func database() throws -> Database {
    let database = try Database()
    try database.save(note("a", n: 1))
    try database.save(.query(QuerySubscription(recordType: "T", subscriptionID: "all", firesOn: .all)))
    return database
  }

  /// Holds an iterator, copies of which wait for the same live query.
  private actor Screen {
    private var iterator: LiveRecords.AsyncIterator

    init(_ iterator: LiveRecords.AsyncIterator) { self.iterator = iterator }

    func begin() async {
      var copy = iterator
      _ = try? await copy.next()
      iterator = copy
    }

    func wait() async -> Int? {
      var copy = iterator
      return try? await copy.next()?.records.count
    }
  }

  @Test func copiesOfAnIteratorAreAllTold() async throws {
    let database = try Self.database()
    let screen = Screen(try database.liveRecords(matching: Query(recordType: "T")).makeAsyncIterator())
    await screen.begin()
    let told = Locked(0)
    let tasks = (0..<3).map { _ in
      Task {
        if await screen.wait() == 2 { told.withLock { $0 += 1 } }
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    try database.save(note("b", n: 2))
    #expect(await eventually { told.withLock { $0 } == 3 })
    for task in tasks { await task.value }
    // One that waits later is told of what came before it looked.
    #expect(await screen.wait() == 2)
    // And each ends where it is cancelled.
    let ended = Locked(0)
    let cancelled = (0..<3).map { _ in
      Task {
        var copy = try? database.liveRecords(matching: Query(recordType: "T")).makeAsyncIterator()
        _ = try? await copy?.next()
        _ = try? await copy?.next()
        ended.withLock { $0 += 1 }
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    for task in cancelled { task.cancel() }
    #expect(await eventually { ended.withLock { $0 } == 3 })
  }

  @Test func copiesThatWaitForOneSignal() async throws {
    let signal = Signal()
    let ended = Locked<[UInt64?]>([])
    let tasks = (0..<4).map { _ in
      Task {
        let count = await signal.wait(beyond: 0)
        ended.withLock { $0.append(count) }
      }
    }
    try await Task.sleep(for: .milliseconds(30))
    tasks[0].cancel()
    #expect(await eventually { ended.withLock { $0 } == [nil] })
    signal.raise()
    #expect(await eventually { ended.withLock { $0.count } == 4 })
    #expect(ended.withLock { $0.compactMap(\.self) } == [1, 1, 1])
    #expect(await signal.wait(beyond: 0) == 1)
    signal.raise()
    #expect(await signal.wait(beyond: 1) == 2)
  }

  /// Runs what it is given at once, on the thread that gives it.
  private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// A loop that writes, and goes on within the save that brought what it waits for.
  @Test func whoGoesOnAtOnceMayWrite() async throws {
    let database = try Self.database()
    let executor = InlineExecutor()
    let (notified, answered) = (Locked(0), Locked(0))
    let notifications = database.notifications()
    let told = Task(executorPreference: executor) {
      for await delivered in notifications {
        let number = notified.withLock { count in
          count += 1
          return count
        }
        if delivered.commit > 0, number < 4 { _ = try? database.save(note("by notification \(number)", n: 5)) }
      }
    }
    let live = try database.liveRecords(matching: Query(recordType: "T", predicate: QueryPredicate(format: "n < 9")))
    let watching = Task(executorPreference: executor) {
      for try await update in live {
        answered.withLock { $0 = max($0, update.records.count) }
        if update.records.count < 8 { _ = try? database.save(note("by query \(update.records.count)", n: 6)) }
      }
    }
    #expect(await eventually { answered.withLock { $0 } >= 8 && notified.withLock { $0 } >= 4 })
    watching.cancel()
    told.cancel()
    await told.value
    _ = try? await watching.value
  }

  /// A callback that takes long, or waits for those who are asked, keeps none of them from going on.
  @Test func callbacksKeepNobodyWaiting() async throws {
    let database = try Self.database()
    let got = Locked(0)
    let tasks = (0..<8).map { _ in
      let notifications = database.notifications()
      return Task {
        for await _ in notifications { got.withLock { $0 += 1 } }
      }
    }
    // Until each waits: those that don't yet are served by what is kept for them.
    try await Task.sleep(for: .milliseconds(30))
    let (isFirst, sawAll) = (Locked(true), Locked(false))
    let observer = database.onNotification { _ in
      let first = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if !first { return }
      let end = ContinuousClock.now + .seconds(600)
      while got.withLock({ $0 }) < 8, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.001) }
      sawAll.withLock { $0 = got.withLock { $0 } >= 8 }
    }
    let writer = OnThread { try database.save(note("b", n: 2)) }
    #expect(await eventually { sawAll.withLock { $0 } })
    _ = try writer.value()
    try database.save(note("c", n: 3))
    #expect(await eventually { got.withLock { $0 } == 16 })
    observer.cancel()
    for task in tasks { task.cancel() }
  }

  /// What waits with a notification is what it shows.
  @Test func notificationsKeepWhatTheyShow() throws {
    func fields(_ change: (inout NotificationInfo) -> Void) -> [String] {
      var info = NotificationInfo()
      change(&info)
      return NotificationInfoBox(info).fields.map(\.text)
    }
    #expect(fields { $0.alertBody = "changed" }.isEmpty)
    #expect(
      fields {
        $0.desiredKeys = ["a"]; $0.alertLocalizationArguments = ["b"]
      } == ["a", "b"])
    #expect(fields { $0.titleLocalizationArguments = ["c"] } == ["c"])
    let database = try Self.database()
    var info = NotificationInfo()
    info.desiredKeys = ["n"]
    info.alertLocalizationKey = "K"
    info.alertLocalizationArguments = ["city"]
    var first = note("x", n: 3)
    first["city"] = "Suva"
    first["other"] = "long"
    try database.save(first)
    try database.save(
      .query(
        QuerySubscription(recordType: "T", subscriptionID: "shows", firesOn: .update, notificationInfo: info)))
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    first["n"] = 4
    try database.save(first, policy: .changedKeys)
    let told = heard.take().compactMap { delivered -> QueryNotification? in
      if case .query(let notification) = delivered.notification { notification } else { nil }
    }
    let shown = try #require(told.first { $0.subscriptionID == "shows" })
    #expect(shown.recordFields == ["n": 4] && shown.presentation.alertLocalizationArguments == ["Suva"])
    #expect(told.count == 2)
    let state = try database.zone(.default).pinned().state
    let stored = try #require(state.stored("x"))
    #expect(stored.record(withFields: [ByteKey("city"), ByteKey("none")]).fields.map(\.name) == ["city"])
    observer.cancel()
  }
}
