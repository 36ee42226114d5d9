import Testing

@testable import ZoneQuery

/// What a database tells of its operations.
@Suite struct InstrumentationTests {
  private static let schema = """
    DEFINE SCHEMA RECORD TYPE Event (
      city STRING QUERYABLE SORTABLE, start TIMESTAMP QUERYABLE SORTABLE, seats INT64 QUERYABLE
    );
    """

  /// Keeps events, in the order in which they came.
  private final class Log: Sendable {
    private let kept = Locked<[DatabaseEvent]>([])

    func add(_ event: DatabaseEvent) { kept.withLock { $0.append(event) } }

    /// The events since the last call.
    func take() -> [DatabaseEvent] {
      kept.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  private static func database(
    _ log: Log, slowerThan duration: Duration = .zero, scope: Database.Scope = .private
  ) throws -> Database {
    var configuration = Database.Configuration()
    configuration.scope = scope
    configuration.instrumentation = Instrumentation(slowerThan: duration) { log.add($0) }
    return try Database(schema: try Schema(ckdb: schema), configuration: configuration)
  }

  /// A cursor of another database.
  private static func cursor(_ records: [Record], _ query: Query) throws -> QueryCursor? {
    let database = try database(Log())
    try database.load(records)
    return try database.records(matching: query, resultsLimit: 2).cursor
  }

  private static func record(_ number: Int, in zone: ZoneID = .default) -> Record {
    var record = Record(recordType: "Event", recordName: "r\(number)", zoneID: zone)
    record["city"] = number % 2 == 0 ? "Suva" : "Oslo"
    record["start"] = .timestamp(Timestamp(milliseconds: Int64(number)))
    record["seats"] = .int64(Int64(number))
    return record
  }

  /// Each door tells of one operation, with what it was about.
  @Test func everyDoor() throws {
    let log = Log()
    let database = try Self.database(log)
    let trip = ZoneID(zoneName: "Trip")
    var checks = 0
    /// Runs a call, and compares what is told of it.
    func expect(
      _ operation: DatabaseEvent.Operation,
      _ counts: (returned: Int, saved: Int, deleted: Int, failed: Int) = (0, 0, 0, 0),
      in zone: ZoneID? = nil, type: String? = nil, query: Query? = nil, fails code: ZoneQueryError.Code? = nil,
      _ line: SourceLocation = #_sourceLocation, _ call: () throws -> Void
    ) {
      do { try call() } catch { #expect((error as? ZoneQueryError)?.code == code, sourceLocation: line) }
      let events = log.take()
      #expect(events.count == 1, "\(events)", sourceLocation: line)
      guard let event = events.first else { return }
      #expect(event.operation == operation, sourceLocation: line)
      #expect(
        (event.outcome.returned, event.outcome.saved, event.outcome.deleted, event.outcome.failed) == counts,
        "\(event)",
        sourceLocation: line)
      #expect(event.zoneID == zone, sourceLocation: line)
      #expect(event.recordType == type ?? query?.recordType, sourceLocation: line)
      #expect(event.query == query, sourceLocation: line)
      #expect(event.outcome.error?.code == code, sourceLocation: line)
      #expect(event.duration > .zero && event.duration < .seconds(60), sourceLocation: line)
      checks += 1
    }
    let suva = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "city = 'Suva'"), sort: [.descending("start")])
    let few = Query(recordType: "Event", predicate: try QueryPredicate(format: "seats < $most"))
    let wrong = Query(recordType: "Event", predicate: try QueryPredicate(format: "town = 'Suva'"))

    expect(.createZone, in: trip) { try database.createZone(trip) }
    expect(.createZone, in: trip, fails: .invalidZone) { try database.createZone(trip) }
    // What a load stored before it failed is stored.
    var unfit = Self.record(0, in: ZoneID(zoneName: "Other"))
    unfit["seats"] = "many"
    let (fit, wrongType) = (Self.record(91, in: trip), unfit)
    expect(.load, (0, 1, 0, 0), fails: .invalidRecord) { try database.load([fit, wrongType]) }
    expect(.load, (0, 40, 0, 0)) { try database.load((0..<40).map { Self.record($0) }) }
    expect(.modify, (0, 1, 0, 0), in: trip) { try database.save(Self.record(0, in: trip)) }
    expect(.modify, (0, 2, 0, 1), in: .default, fails: .serverRecordChanged) {
      _ = try database.save([Self.record(40), Self.record(3), Self.record(41)])
    }
    expect(.modify, (0, 0, 0, 1), in: .default, fails: .serverRecordChanged) { try database.save(Self.record(3)) }
    expect(.modify, fails: .limitExceeded) {
      _ = try database.save((0..<401).map { Self.record($0, in: $0 == 0 ? trip : .default) })
    }
    expect(.modify, (0, 1, 1, 1), fails: .unknownItem) {
      _ = try database.modify(
        saving: [Self.record(1, in: trip)], deleting: [Self.record(41).recordID, Self.record(99).recordID])
    }
    // One failure fails a batch in a custom zone: it is the one that is told, not what it did to the others.
    expect(.modify, (0, 0, 0, 2), in: trip, fails: .serverRecordChanged) {
      _ = try database.save([Self.record(2, in: trip), Self.record(0, in: trip)])
    }
    expect(.modify, (0, 0, 1, 0), in: .default) { try database.deleteRecord(withID: Self.record(40).recordID) }
    expect(.fetch, (1, 0, 0, 0), in: .default) { _ = try database.record(for: Self.record(5).recordID) }
    expect(.fetch, (0, 0, 0, 1), in: .default, fails: .unknownItem) {
      _ = try database.record(for: Self.record(50).recordID)
    }
    expect(.fetch, (2, 0, 0, 1), fails: .unknownItem) {
      _ = try database.records(for: [Self.record(5), Self.record(50), Self.record(1, in: trip)].map(\.recordID))
    }

    var cursor: QueryCursor?
    expect(.query, (7, 0, 0, 0), query: suva) { cursor = try database.records(matching: suva, resultsLimit: 7).cursor }
    let behind = try #require(cursor)
    expect(.query, (14, 0, 0, 0), query: suva) { _ = try database.records(continuingMatchFrom: behind) }
    expect(.query, (7, 0, 0, 0), in: .default, query: suva) {
      cursor = try database.records(matching: suva, inZoneWith: .default, resultsLimit: 7).cursor
    }
    let behindHere = try #require(cursor)
    expect(.query, (13, 0, 0, 0), in: .default, query: suva) {
      _ = try database.records(continuingMatchFrom: behindHere)
    }
    expect(.query, query: wrong, fails: .invalidPredicate) { _ = try database.records(matching: wrong) }
    expect(.query, (3, 0, 0, 0), in: .default, query: few) {
      _ = try database.records(matching: few, inZoneWith: .default, parameters: ["most": 3])
    }
    expect(.count, (21, 0, 0, 0), query: suva) { _ = try database.count(matching: suva) }

    let prepared = try database.prepare(few, inZoneWith: .default)
    #expect(log.take().isEmpty)
    for _ in 0..<3 {
      expect(.query, (4, 0, 0, 0), in: .default, query: few) { try prepared.forEachRecord(["most": 4]) { _ in } }
      expect(.query, (4, 0, 0, 0), in: .default, query: few) { _ = try prepared.records(["most": 4]) }
      expect(.count, (5, 0, 0, 0), in: .default, query: few) { _ = try prepared.count(["most": 5]) }
    }
    expect(.query, (2, 0, 0, 0), in: .default, query: few, fails: .unknownItem) {
      var seen = 0
      try prepared.forEachRecord(["most": 4]) { (_) throws(ZoneQueryError) in
        seen += 1
        if seen == 2 { throw Database.unknownItem(Self.record(0).recordID) }
      }
    }
    expect(.query, in: .default, query: few, fails: .invalidPredicate) { try prepared.forEachRecord { _ in } }
    // Parameters that there are not fail as much.
    expect(.query, in: .default, query: few, fails: .invalidQuery) { try prepared.forEachRecord(["least": 4]) { _ in } }
    expect(.query, in: .default, query: few, fails: .invalidQuery) { _ = try prepared.records(["least": 4]) }
    expect(.count, in: .default, query: few, fails: .invalidQuery) { _ = try prepared.count(["least": 4]) }
    // A page behind a cursor knows the values of the first page's.
    var fewCursor: QueryCursor?
    expect(.query, (2, 0, 0, 0), in: .default, query: few) {
      fewCursor = try prepared.records(["most": 7], resultsLimit: 2).cursor
    }
    let valued = Query(recordType: "Event", predicate: try QueryPredicate(format: "seats < 7"))
    let behindTwo = try #require(fewCursor)
    expect(.query, (5, 0, 0, 0), in: .default, query: valued) {
      _ = try database.records(continuingMatchFrom: behindTwo)
    }
    expect(.query, (5, 0, 0, 0), in: .default, query: few) { _ = try prepared.records(["most": 7], after: behindTwo) }
    let foreign = try #require(
      try Self.cursor((0..<9).map { Self.record($0) }, Query(recordType: "Event")))
    expect(.query, fails: .invalidCursor) { _ = try database.records(continuingMatchFrom: foreign) }

    let index = IndexDefinition(recordType: "Event", keys: ["city", "start"])
    expect(.addIndex, type: "Event") { try database.addIndex(index) }
    expect(.addIndex, type: "Event", fails: .invalidSchema) { try database.addIndex(index) }
    expect(.dropIndex, type: "Event") { try database.dropIndex(index) }

    let subscription = QuerySubscription(recordType: "Event", predicate: suva.predicate, subscriptionID: "suva")
    let asked = Query(recordType: "Event", predicate: suva.predicate)
    expect(.saveSubscription, query: asked) { try database.save(.query(subscription)) }
    expect(.deleteSubscription) { try database.deleteSubscription(withID: "suva") }
    expect(.deleteSubscription, fails: .unknownItem) { try database.deleteSubscription(withID: "suva") }

    expect(.deleteMatching, (0, 0, 21, 0), query: asked) { try database.deleteRecords(matching: suva) }
    expect(.deleteMatching, query: asked) { try database.deleteRecords(matching: suva) }
    expect(.deleteZone, in: trip) { try database.deleteZone(trip) }
    expect(.deleteZone, in: trip, fails: .zoneNotFound) { try database.deleteZone(trip) }

    // What only tells of what there is, and live queries.
    _ = try database.liveRecords(matching: suva)
    _ = try database.explain(suva)
    _ = try database.count(recordType: "Event")
    _ = (database.schema, database.zoneIDs, database.memory, database.subscriptions())
    #expect(log.take().isEmpty)
    print("instrumentation: \(checks) operations compared")
    #expect(checks >= 49)
  }

  /// A database whose handler counts what it has, in the middle of whatever called it.
  private final class Nested: Sendable {
    let log = Log()
    let database = Locked<Database?>(nil)

    func handle(_ event: DatabaseEvent) {
      log.add(event)
      guard event.operation == .modify || event.operation == .createZone else { return }
      let known = database.withLock { $0 }
      let count = try? known?.count(matching: Query(recordType: "Event"))
      #expect(count != nil || known == nil)
    }
  }

  /// The handler may use the database: no lock is held.
  @Test func handlersMayAsk() throws {
    let nested = Nested()
    var configuration = Database.Configuration()
    configuration.instrumentation = Instrumentation { nested.handle($0) }
    let database = try Database(schema: try Schema(ckdb: Self.schema), configuration: configuration)
    nested.database.withLock { $0 = database }
    defer { nested.database.withLock { $0 = nil } }
    try database.createZone(ZoneID(zoneName: "Trip"))
    try database.save(Self.record(1))
    let told = nested.log.take()
    #expect(told.map(\.operation) == [.createZone, .count, .modify, .count])
    #expect(told.last?.outcome.returned == 1)
  }

  /// A handler may write, too: what it writes is told before its call returns.
  @Test func handlersMayWrite() throws {
    let nested = Nested()
    var configuration = Database.Configuration()
    configuration.instrumentation = Instrumentation { [weak nested] event in
      guard let nested else { return }
      nested.log.add(event)
      guard event.operation == .query, let database = nested.database.withLock({ $0 }) else { return }
      _ = try? database.deleteRecords(matching: Query(recordType: "Event"))
      try? database.deleteZone(ZoneID(zoneName: "Trip"))
    }
    let database = try Database(schema: try Schema(ckdb: Self.schema), configuration: configuration)
    nested.database.withLock { $0 = database }
    defer { nested.database.withLock { $0 = nil } }
    try database.createZone(ZoneID(zoneName: "Trip"))
    try database.load((0..<9).map { Self.record($0) })
    _ = nested.log.take()
    let prepared = try database.prepare(Query(recordType: "Event"))
    for round in 0..<3 {
      var seen = 0
      try prepared.forEachRecord { _ in seen += 1 }
      #expect(seen == (round == 0 ? 9 : 0))
      #expect(nested.log.take().map(\.operation) == [.query, .deleteMatching, .deleteZone])
    }
  }

  /// Each way of asking tells who asked.
  @Test func usersWhoAsk() throws {
    let log = Log()
    let alice = try Self.database(log).acting(as: "_alice")
    try alice.load([Self.record(1)])
    let prepared = try alice.prepare(Query(recordType: "Event"))
    try prepared.forEachRecord { _ in }
    try prepared.forEachRecord(prepared.arguments()) { _ in }
    try prepared.forEachRecord { (_, stops) in stops = true }
    _ = try prepared.records()
    _ = try prepared.count()
    #expect(log.take().map(\.userRecordName) == Array(repeating: "_alice", count: 6))
  }

  /// What many threads do is told once each.
  @Test func manyThreads() async throws {
    let log = Log()
    let database = try Self.database(log)
    let prepared = try database.prepare(
      Query(recordType: "Event", predicate: try QueryPredicate(format: "seats < $most")))
    let sum = await withTaskGroup(of: Int.self) { group in
      for thread in 0..<4 {
        group.addTask {
          var returned = 0
          for round in 0..<50 {
            _ = try? database.save(Self.record(thread * 1_000 + round))
            _ = try? prepared.forEachRecord(["most": 20]) { _ in returned += 1 }
          }
          return returned
        }
      }
      return await group.reduce(0, +)
    }
    let told = log.take()
    #expect(told.count == 400)
    let saved: Int = told.map(\.outcome.saved).reduce(0, +)
    let returned: Int = told.map(\.outcome.returned).reduce(0, +)
    #expect(saved == 200 && returned == sum)
    #expect(sum > 0)
  }

  /// Names of whatever kind stay in the line, and do not steer what shows it.
  @Test func hostileNames() throws {
    let log = Log()
    let database = try Self.database(log)
    let zone = ZoneID(zoneName: "Z\nquery fake")
    let predicate = try QueryPredicate(
      format: "city = %@ AND city IN %@", "\u{202E}\u{2028}", (0..<500).map { "c\($0)" })
    _ = try? database.count(matching: Query(recordType: "E\r\u{1B}[2J", predicate: predicate), inZoneWith: zone)
    _ = try? database.record(for: RecordID(recordName: "a\nb", zoneID: zone))
    _ = try? database.deleteSubscription(withID: "\u{7}")
    _ = try? database.addIndex(IndexDefinition(recordType: "Event", keys: ["a\u{85}b"]))
    let lines = log.take().map(\.description)
    #expect(lines.count == 4)
    for line in lines {
      #expect(line.utf8.count < 2_000)
      #expect(
        line.unicodeScalars.allSatisfy {
          ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }, "\(line)")
    }
    #expect(lines[0].hasPrefix(#"count E␍␛[2J where city == "<U+202E><U+2028>" AND "#))
  }

  /// What is quick is not told of, but for what fails.
  @Test func onlyTheSlow() throws {
    let log = Log()
    let database = try Self.database(log, slowerThan: .seconds(600))
    try database.save(Self.record(1))
    _ = try database.count(matching: Query(recordType: "Event"))
    #expect(log.take().isEmpty)
    expectFailure(.unknownRecordType) { try database.count(matching: Query(recordType: "Evnet")) }
    _ = try database.save([Self.record(1), Self.record(2)])
    #expect(log.take().map(\.operation) == [.count, .modify])
    let slow = Query(recordType: "Event")
    var longer = Database.Configuration()
    longer.instrumentation = Instrumentation(slowerThan: .microseconds(1)) { log.add($0) }
    let other = try Database(schema: database.schema, configuration: longer)
    try other.load([Self.record(1)])
    let prepared = try other.prepare(slow)
    _ = log.take()
    try prepared.forEachRecord { _ in
      let start = ContinuousClock.now
      while start.duration(to: .now) < .microseconds(50) {}
    }
    #expect(log.take().first.map { $0.duration >= .microseconds(50) } == true)
  }

  /// Each event reads as a line of a log.
  @Test func linesOfALog() throws {
    let log = Log()
    let database = try Self.database(log)
    try database.load((0..<1_500).map { Self.record($0) })
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "city = %@", "Suva"), sort: [.descending("start")])
    _ = try database.records(matching: query, inZoneWith: .default)
    _ = try database.records(matching: query, resultsLimit: 1)
    _ = try database.records(for: [Self.record(1), Self.record(-1)].map(\.recordID))
    _ = try? database.count(matching: Query(recordType: "Evnet"))
    try database.deleteRecords(matching: query)
    // All but the time, which is the last part.
    let lines = log.take().map { event in
      event.description.split(separator: ", ").dropLast().joined(separator: ", ")
    }
    #expect(
      lines.prefix(4) + lines.suffix(1) == [
        "load: 1,500 saved",
        "query Event where city == \"Suva\" sorted by start descending in '_defaultZone': 100 records",
        "query Event where city == \"Suva\" sorted by start descending: 1 record",
        "fetch in '_defaultZone': 1 record, 1 not there",
        "deleteMatching Event where city == \"Suva\": 750 deleted",
      ], "\(lines)")
    #expect(lines.count == 6)
  }
}
