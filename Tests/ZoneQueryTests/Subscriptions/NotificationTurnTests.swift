import Dispatch
import Testing

@testable import ZoneQuery

/// A writer calls with what waits when it comes to it, and what comes meanwhile is called with by another thread, in order.
struct NotificationTurnTests {
  /// Set for the writer whose turn is looked at; the library's thread does not inherit it.
  @TaskLocal private static var isWriter = false

  private struct Call: Sendable {
    let commit: UInt64
    /// How many notifications it stands for.
    let count: Int
    let isByWriter: Bool

    init(_ delivered: DeliveredNotification) {
      commit = delivered.commit
      count = 1 + delivered.coalescedCount + delivered.lostCount
      isByWriter = isWriter
    }
  }

  /// A database with subscriptions that all fire at each save.
  private static func database(subscriptions: Int) throws -> Database {
    let database = try StandingSample().database
    for number in 0..<subscriptions {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "Event", predicate: QueryPredicate(format: "seats > %@", -1 - number),
            subscriptionID: "s\(number)", firesOn: .all)))
    }
    return database
  }

  private static func save(_ name: String, _ zone: ZoneID = .default, in database: Database) throws {
    var record = Record(recordType: "Event", recordID: RecordID(recordName: name, zoneID: zone))
    record["seats"] = 1
    try database.save(record, policy: .replace)
  }

  /// The first call does not return before as many again have been saved: what these fire is not the first save's to
  /// call with, whether they wait one by one, in a batch, or for room.
  @Test(arguments: [2, 4, 64, 10_000])
  func aTurnIsBounded(limit: Int) async throws {
    let (subscriptions, others) = (3, 40)
    let database = try Self.database(subscriptions: subscriptions)
    let calls = Locked<[Call]>([])
    let observer = database.onNotification(bufferingLimit: limit) { [unowned database] delivered in
      let isFirst = calls.withLock { calls in
        calls.append(Call(delivered))
        return calls.count == 1
      }
      guard isFirst else { return }
      DispatchQueue.concurrentPerform(iterations: 2) { writer in
        let zone = writer == 0 ? StandingSample.custom : .default
        for number in 0..<others / 2 { try? Self.save("o\(number)", zone, in: database) }
      }
    }
    try Self.$isWriter.withValue(true) { try Self.save("first", in: database) }
    let total = subscriptions * (1 + others)
    #expect(await eventually { calls.withLock { $0.reduce(0) { $0 + $1.count } } >= total })
    let all = calls.withLock { $0 }
    #expect(all.reduce(0) { $0 + $1.count } == total)
    #expect(all.prefix { $0.isByWriter }.count == min(limit, subscriptions))
    #expect(all.dropFirst(min(limit, subscriptions)).allSatisfy { !$0.isByWriter })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.commit <= $1.commit })
    if limit >= total { #expect(all.count == total) }
    observer.cancel()
  }

  /// Once the other thread has called with all that waits, a writer is told by itself again.
  @Test func aWriterTakesOverAgain() async throws {
    let database = try Self.database(subscriptions: 1)
    let calls = Locked<[Call]>([])
    let observer = database.onNotification { [unowned database] delivered in
      let isFirst = calls.withLock { calls in
        calls.append(Call(delivered))
        return calls.count == 1
      }
      if isFirst { try? Self.save("other", in: database) }
    }
    try Self.save("first", in: database)
    #expect(await eventually { calls.withLock { $0.count } == 2 })
    var saves = 0
    let isToldByItself = await eventually {
      saves += 1
      try? Self.$isWriter.withValue(true) { try Self.save("again", in: database) }
      return calls.withLock { $0.last?.isByWriter == true }
    }
    #expect(isToldByItself)
    #expect(await eventually { calls.withLock { $0.count } == 2 + saves })
    observer.cancel()
  }

  /// Every commit of many writers is called with once, in order, by one at a time, and no later save is needed for it.
  @Test func manyWriters() async throws {
    let database = try Self.database(subscriptions: 2)
    let calls = Locked<[Call]>([])
    let callers = Locked(0)
    let overlaps = Locked(0)
    let observer = database.onNotification(bufferingLimit: .max) { delivered in
      let isAlone = callers.withLock { callers in
        callers += 1
        return callers == 1
      }
      if !isAlone { overlaps.withLock { $0 += 1 } }
      let count = calls.withLock { calls in
        calls.append(Call(delivered))
        return calls.count
      }
      // Some take long.
      if count % 20 == 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(100)) }
      callers.withLock { $0 -= 1 }
    }
    let (writers, saves) = (4, TestAmount.isLong ? 5_000 : 200)
    DispatchQueue.concurrentPerform(iterations: writers) { writer in
      let zone = writer % 2 == 0 ? StandingSample.custom : .default
      Self.$isWriter.withValue(true) {
        for _ in 0..<saves { try? Self.save("w\(writer)", zone, in: database) }
      }
    }
    #expect(await eventually { calls.withLock { $0.count } == 2 * writers * saves })
    let all = calls.withLock { $0 }
    #expect(overlaps.withLock { $0 } == 0 && all.allSatisfy { $0.count == 1 })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.commit <= $1.commit })
    print("many writers: \(all.count) calls, \(all.count { !$0.isByWriter }) of them by others")
    observer.cancel()
  }

  /// One who cancels while the other thread calls is not called again, and that lets go of the listener.
  @Test func cancellationWhileTheTaskCalls() async throws {
    let database = try Self.database(subscriptions: 1)
    let calls = Locked<[Call]>([])
    let holder = Locked<NotificationObserver?>(nil)
    var observer: NotificationObserver? = database.onNotification { [unowned database] delivered in
      let number = calls.withLock { calls in
        calls.append(Call(delivered))
        return calls.count
      }
      if number == 1 {
        for number in 0..<100 { try? Self.save("o\(number)", in: database) }
      } else if number == 3 {
        // Another listener comes and goes, too.
        database.onNotification { _ in }.cancel()
        holder.withLock { holder in
          holder?.cancel()
          holder = nil
        }
      }
    }
    holder.withLock { $0 = observer }
    let listener = WeakListener(try #require(observer).listener)
    try Self.$isWriter.withValue(true) { try Self.save("first", in: database) }
    #expect(await eventually { holder.withLock { $0 == nil } })
    try Self.save("later", in: database)
    observer = nil
    #expect(await eventually { listener.isGone })
    #expect(calls.withLock { $0.map(\.isByWriter) } == [true, false, false])
  }

  private struct WeakListener: Sendable {
    private weak let listener: NotificationListener?

    init(_ listener: NotificationListener) { self.listener = listener }

    var isGone: Bool { listener == nil }
  }
}
