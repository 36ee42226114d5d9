import Testing

@testable import ZoneQuery

/// What waits for a database's commits does not keep it and ends with it.
struct DatabaseReleaseTests {
  /// Whether a database that nobody keeps any more is gone.
  private struct WeakDatabase: Sendable {
    private weak let database: Database?

    init(_ database: Database) { self.database = database }

    var isGone: Bool { database == nil }
  }

  private static func database() throws -> Database {
    let database = try StandingSample().database
    try database.save(.query(QuerySubscription(recordType: "Event", subscriptionID: "q", firesOn: .all)))
    return database
  }

  private static func save(_ names: String..., in database: Database?) throws {
    for name in names { try database?.save(Record(recordType: "Event", recordName: name)) }
  }

  /// One who has taken everything and waits is let go; what waits for another is taken first.
  @Test func sequencesOfNotificationsEnd() async throws {
    var database: Database? = try Self.database()
    let known = WeakDatabase(try #require(database))
    let notifications = try #require(database?.notifications())
    let untaken = try #require(database?.notifications())
    let taken = Locked(0)
    let tasks = (0..<3).map { _ in
      Task { for await _ in notifications { taken.withLock { $0 += 1 } } }
    }
    try Self.save("a", "b", in: database)
    #expect(await eventually { taken.withLock { $0 } == 2 })
    try Self.save("c", in: database)
    database = nil
    #expect(known.isGone)
    for task in tasks { await task.value }
    #expect(taken.withLock { $0 } == 3)
    var commits: [UInt64] = []
    for await delivered in untaken { commits.append(delivered.commit) }
    #expect(commits == commits.sorted() && commits.count == 3)
    var iterator = untaken.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  /// Live records keep theirs: a database that nobody else keeps is asked nevertheless.
  @Test func liveRecordsKeepTheirs() async throws {
    var database: Database? = try Self.database()
    let known = WeakDatabase(try #require(database))
    try Self.save("a", in: database)
    let query = Query(recordType: "Event", sort: [.ascending("seats")])
    var live = try database?.liveRecords(matching: query)
    database = nil
    var iterator = try #require(live?.makeAsyncIterator())
    live = nil
    #expect(try await iterator.next()?.records.count == 1)
    #expect(!known.isGone)
  }

  /// Callbacks that another thread has are called with what waits, though the database goes meanwhile.
  @Test func callbacksAreCalledToTheEnd() async throws {
    var database: Database? = try Self.database()
    let known = WeakDatabase(try #require(database))
    let commits = Locked<[UInt64]>([])
    let holder = Locked(database)
    let observer = database?.onNotification { delivered in
      commits.withLock { $0.append(delivered.commit) }
      // The first call saves more and lets go.
      guard let database = holder.withLock({ $0.take() }) else { return }
      for number in 0..<50 { try? Self.save("o\(number)", in: database) }
    }
    try Self.save("first", in: database)
    database = nil
    #expect(await eventually { commits.withLock { $0.count } == 51 })
    #expect(await eventually { known.isGone })
    #expect(commits.withLock { $0 == $0.sorted() })
    observer?.cancel()
  }
}
