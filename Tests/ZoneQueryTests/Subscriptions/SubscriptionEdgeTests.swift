import Testing

@testable import ZoneQuery

/// What subscriptions, live queries and payloads do at their edges.
struct SubscriptionEdgeTests {
  private let zone = ZoneID(zoneName: "Z")

  @Test func wholeSubscriptionsOfAType() throws {
    let database = try Database()
    try database.createZone(StandingSample.custom)
    try database.save(note("old", StandingSample.custom, type: "Event"))
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    try database.save(note("t", StandingSample.custom, n: 1))
    try database.save(.zone(ZoneSubscription(zoneID: StandingSample.custom, subscriptionID: "z", recordType: "Event")))
    try database.save(.database(DatabaseSubscription(subscriptionID: "d", recordType: "T")))
    try database.save(note("u", StandingSample.custom, n: 1))
    #expect(heard.take().map(\.notification.subscriptionID) == ["d"])
    try database.save(note("e", StandingSample.custom, type: "Event"))
    #expect(heard.take().map(\.notification.subscriptionID) == ["z"])
    observer.cancel()
  }

  @Test func aBufferHoldsOneAtLeast() {
    for limit in [0, -1, 1] {
      var buffer = NotificationBuffer(limit: limit)
      for number in 0..<5 {
        let notification = ZoneNotification(
          subscriptionID: "s\(number)", zoneID: zone, databaseScope: .private)
        buffer.add(FiredNotification(.whole(.zone(notification), user: "u"), commit: 1))
      }
      #expect(buffer.count == 1 && buffer.take()?.lostCount == 4)
    }
  }

  @Test func noUpdateWithoutChanges() async throws {
    let database = try Database()
    try database.save(note("a", n: 1))
    let live = try database.liveRecords(
      matching: Query(recordType: "T", sort: [.ascending("n")]), resultsLimit: 1)
    var iterator = live.makeAsyncIterator()
    _ = try await iterator.next()
    // Behind the limit: a change of the set, and none of the answer.
    try database.save(note("b", n: 5))
    let writer = Task {
      try await Task.sleep(nanoseconds: 100_000_000)
      try database.save(note("c", n: 0))
    }
    let update = try #require(await iterator.next())
    #expect(update.records.map(\.recordName) == ["c"] && update.changes.count == 2)
    try await writer.value
  }

  @Test func nowOfALiveQueryStays() async throws {
    let clock = TestClock()
    var configuration = Database.Configuration()
    configuration.clock = clock.read
    let database = try Database(configuration: configuration)
    func timed(_ name: String, _ offset: Int64) -> Record {
      var record = note(name)
      record["at"] = .timestamp(Timestamp(milliseconds: 1_700_000_000_000 + offset))
      return record
    }
    try database.save(timed("a", -10))
    let live = try database.liveRecords(
      matching: Query(recordType: "T", predicate: try QueryPredicate(format: "at < now()"), sort: [.ascending("at")]))
    var iterator = live.makeAsyncIterator()
    _ = try await iterator.next()
    clock.advance(1_000)
    try database.save([timed("later", 500), timed("b", -5)]).forEach { _ = try $0.get() }
    #expect(try await iterator.next()?.records.map(\.recordName) == ["a", "b"])
  }

  @Test func fieldNamesOfPayloads() throws {
    func payload(_ length: Int) -> String {
      #"{"aps":{},"ck":{"qry":{"rid":"r","fo":1,"dbs":1,"sid":"s","af":{"\#(String(repeating: "n", count: length))":{"value":1}}}}}"#
    }
    #expect(failureCode { try SubscriptionNotification(pushPayloadJSON: payload(255)) } == nil)
    #expect(failureCode { try SubscriptionNotification(pushPayloadJSON: payload(256)) } != nil)
  }

  @Test func databaseNotificationsShowWhatTheyAreTo() throws {
    let database = try Database()
    try database.createZone(StandingSample.custom)
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    var info = NotificationInfo()
    info.alertBody = "news"
    try database.save(
      .zone(ZoneSubscription(zoneID: StandingSample.custom, subscriptionID: "z", notificationInfo: info)))
    try database.save(.database(DatabaseSubscription(subscriptionID: "d", notificationInfo: info)))
    try database.save(note("u", StandingSample.custom))
    #expect(heard.take().map(\.notification.presentation.alertBody) == ["news", "news"])
    observer.cancel()
  }

  @Test func threeDesiredKeys() throws {
    let database = try StandingSample().database
    for keys in [["city", "seats", "score"], ["city", "seats", "score", "place"]] {
      var info = NotificationInfo()
      info.desiredKeys = keys
      let subscription = QuerySubscription(
        recordType: "Event", subscriptionID: "q\(keys.count)", firesOn: .creation, notificationInfo: info)
      #expect(failureCode { try database.save(.query(subscription)) } == (keys.count > 3 ? .invalidSubscription : nil))
    }
  }

  @Test func payloadsThatArePruned() throws {
    for (p, isPruned) in [("0", false), ("1", true), ("true", true), ("false", false)] {
      let payload = #"{"aps":{},"ck":{"p":\#(p),"qry":{"rid":"r","fo":1,"dbs":1,"sid":"s"}}}"#
      guard case .query(let query) = try SubscriptionNotification(pushPayloadJSON: payload) else {
        Issue.record("no query's")
        continue
      }
      #expect(query.isPruned == isPruned, "\(p)")
    }
  }

  @Test func onceWithNobodyListening() throws {
    let database = try StandingSample().database
    try database.save(
      .query(QuerySubscription(recordType: "Event", subscriptionID: "q", firesOn: .creation, firesOnce: true)))
    var random = SplitMix(seed: 1)
    try database.save(StandingSample.record("a", .default, &random))
    // Nobody listens; it has fired all the same.
    #expect(database.subscriptions().isEmpty)
  }

  @Test func subscriptionIDsOfExactlyTheirLimit() throws {
    var configuration = Database.Configuration()
    configuration.limits.nameLength = 16
    let database = try Database(schema: Schema([StandingSample.type]), configuration: configuration)
    for (id, code) in [
      ("abcdefghabcdefgh", nil), ("abcdefghabcdefghi", ZoneQueryError.Code.invalidSubscription),
      ("", .invalidSubscription),
    ] {
      let subscription = QuerySubscription(recordType: "Event", subscriptionID: id, firesOn: .creation)
      #expect(failureCode { try database.save(.query(subscription)) } == code)
    }
  }

  @Test func payloadsAsAppleWritesThem() throws {
    let text = #"{"aps":{"alert":"news","content-available":0},"ck":{"met":{"dbs":1,"sid":"s"}}}"#
    let notification = try SubscriptionNotification(pushPayloadJSON: text)
    #expect(notification.presentation.alertBody == "news")
    #expect(!notification.presentation.isContentAvailable)
  }

  @Test func aDeletedSubscriptionOfATypeThatGrew() throws {
    let database = try Database()
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    try database.save(note("a", n: 1))
    for id in ["q", "r"] {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "T", predicate: try QueryPredicate(format: id == "q" ? "n > 0" : "n > 1"), subscriptionID: id,
            firesOn: .creation)))
    }
    var record = note("b", n: 2)
    record["more"] = 1
    try database.save(record)
    #expect(heard.take().count == 2)
    try database.deleteSubscription(withID: "q")
    try database.save(note("c", n: 3))
    #expect(heard.take().map(\.notification.subscriptionID) == ["r"])
    observer.cancel()
  }

  @Test func liveQueriesThatEndOfATypeThatGrew() async throws {
    let database = try Database()
    try database.save(note("a", n: 1))
    do {
      var iterator = try database.liveRecords(matching: Query(recordType: "T")).makeAsyncIterator()
      _ = try await iterator.next()
      var record = note("b", n: 2)
      record["more"] = 1
      try database.save(record)
      _ = try await iterator.next()
    }
    #expect(database.standing.isIdle)
  }

  @Test func aCancelledTaskGetsNothing() async throws {
    let database = try Database()
    try database.save(note("a", n: 1))
    let live = try database.liveRecords(matching: Query(recordType: "T"))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var iterator = live.makeAsyncIterator()
      return try await iterator.next()
    }
    task.cancel()
    #expect(try await task.value == nil)
  }

  @Test func payloadsOfWhatJSONCannotCarry() throws {
    var query = QueryNotification(
      subscriptionID: "s", reason: .recordCreated, recordID: RecordID(recordName: "r"), databaseScope: .private)
    query.recordFields = ["x": .double(.infinity), "y": 1]
    let json = SubscriptionNotification.query(query).pushPayloadJSON()
    guard case .query(let read) = try SubscriptionNotification(pushPayloadJSON: json) else {
      Issue.record("it reads back as another kind")
      return
    }
    #expect(read.isPruned && read.recordFields.keys.sorted() == ["y"])
  }

  @Test func aSavedSubscriptionGivesUpItsOldPredicate() throws {
    let database = try StandingSample().database
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    for format in ["seats > 1", "seats > 5"] {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "Event", predicate: try QueryPredicate(format: format), subscriptionID: "q",
            firesOn: .creation)))
    }
    for seats in [3, 7] as [Int64] {
      var record = Record(recordType: "Event", recordName: "r\(seats)")
      record["seats"] = .int64(seats)
      try database.save(record)
      #expect(heard.take().count == (seats > 5 ? 1 : 0))
    }
    // What the first one asked for is no duplicate any more.
    try database.save(
      .query(
        QuerySubscription(
          recordType: "Event", predicate: try QueryPredicate(format: "seats > 1"), subscriptionID: "other",
          firesOn: .creation)))
    observer.cancel()
  }

  /// Names that Swift calls equal, as Unicode does, are different ones.
  @Test func namesAreComparedByBytes() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let id = RecordID(recordName: "a")
    func query(_ name: String) -> QueryNotification {
      QueryNotification(subscriptionID: name, reason: .recordCreated, recordID: id, databaseScope: .private)
    }
    #expect(query(composed) != query(decomposed) && query(composed) == query(composed))
    func zone(_ name: String) -> ZoneNotification {
      ZoneNotification(subscriptionID: name, zoneID: .default, databaseScope: .private)
    }
    #expect(zone(composed) != zone(decomposed) && Set([zone(composed), zone(decomposed), zone(composed)]).count == 2)
    func database(_ name: String) -> DatabaseNotification {
      DatabaseNotification(subscriptionID: name, databaseScope: .private)
    }
    #expect(database(composed) != database(decomposed) && database(composed) == database(composed))
    #expect(RecordType.Grant([.read], to: composed) != RecordType.Grant([.read], to: decomposed))
    var pruned = query(composed)
    pruned.isPruned = true
    #expect(pruned != query(composed))
  }
}
