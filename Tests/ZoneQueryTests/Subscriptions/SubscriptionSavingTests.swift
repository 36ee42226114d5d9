import Testing

@testable import ZoneQuery

/// Saving, fetching and deleting subscriptions, and what is refused.
struct SubscriptionSavingTests {
  private func query(
    _ id: String, _ format: String = "TRUEPREDICATE", _ change: (inout QuerySubscription) -> Void = { _ in }
  ) throws -> Subscription {
    var subscription = QuerySubscription(
      recordType: "Event", predicate: try QueryPredicate(format: format), subscriptionID: id)
    change(&subscription)
    return .query(subscription)
  }

  private func code(_ database: Database, _ subscription: Subscription) -> ZoneQueryError.Code? {
    do throws(ZoneQueryError) {
      try database.save(subscription)
      return nil
    } catch {
      return error.code
    }
  }

  /// A payload is read by whoever carries it, so it brings along nothing that CloudKit encrypts.
  @Test func notificationsCarryNoSecrets() throws {
    let database = try Database(
      schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (city STRING, pin ENCRYPTED STRING, tags LIST<STRING>);"))
    func fault(_ change: (inout NotificationInfo) -> Void) throws -> String {
      var info = NotificationInfo()
      change(&info)
      let subscription = try query("s") { $0.notificationInfo = info }
      return try #require(throws: ZoneQueryError.self) { try database.save(subscription) }.message
    }
    let secret = "'pin' is encrypted, which a notification does not carry"
    #expect(try fault { $0.desiredKeys = ["pin"] }.hasSuffix(secret))
    #expect(try fault { ($0.alertLocalizationKey, $0.alertLocalizationArguments) = ("K", ["pin"]) }.hasSuffix(secret))
    #expect(try fault { $0.desiredKeys = ["cty"] }.hasSuffix("type 'Event' has no field 'cty' (Did you mean 'city'?)"))
    #expect(try fault { $0.desiredKeys = ["creationDate"] }.contains("is a system field"))
    #expect(try fault { $0.desiredKeys = ["tags"] }.contains("a notification does not carry"))
    #expect(database.subscriptions().isEmpty)
  }

  @Test func savedFetchedListedDeleted() throws {
    let database = try StandingSample().database
    let all: [Subscription] = [
      .database(DatabaseSubscription(subscriptionID: "a")), try query("b", "seats > 3"),
      .zone(ZoneSubscription(zoneID: StandingSample.custom, subscriptionID: "c")),
    ]
    for subscription in all.reversed() { try database.save(subscription) }
    #expect(database.subscriptions() == all)
    for subscription in all {
      #expect(try database.subscription(for: subscription.subscriptionID) == subscription)
    }
    // A new content under an old ID, and the same once more.
    for _ in 0..<2 {
      try database.save(query("b", "seats > 4"))
      #expect(try database.subscription(for: "b") == query("b", "seats > 4"))
    }
    try database.save(.database(DatabaseSubscription(subscriptionID: "b")))
    #expect(database.subscriptions().count == 3)
    try database.save(query("x", "seats > 4"))
    for id in ["a", "b", "c", "x"] { try database.deleteSubscription(withID: id) }
    #expect(database.subscriptions().isEmpty)
    #expect(throws: ZoneQueryError.self) { try database.deleteSubscription(withID: "a") }
    #expect(throws: ZoneQueryError.self) { try database.subscription(for: "b") }
  }

  /// Words are looked for in every field the type has by now: a duplicate is one whenever either was saved.
  @Test(arguments: [false, true])
  func duplicatesOfATypeThatGrows(isHeard: Bool) throws {
    let database = try Database()
    let observer = isHeard ? database.onNotification { _ in } : nil
    func save(_ fields: String...) throws {
      var record = Record(recordType: "Event", recordName: fields.joined())
      for field in fields { record[field] = "harbour" }
      try database.save(record)
    }
    try save("a")
    let words = "self CONTAINS 'harbour'"
    #expect(try code(database, query("first", words)) == nil)
    #expect(try code(database, query("second", words)) == .duplicateSubscription)
    for field in ["b", "c"] {
      try save(field)
      #expect(try code(database, query("second", words)) == .duplicateSubscription, "\(field)")
    }
    #expect(try code(database, query("other", words) { $0.zoneID = .default }) == nil)
    try save("d")
    #expect(try code(database, query("second", words) { $0.zoneID = .default }) == .duplicateSubscription)
    try database.deleteSubscription(withID: "first")
    #expect(try code(database, query("second", words)) == nil)
    #expect(try code(database, query("first", words)) == .duplicateSubscription)
    observer?.cancel()
  }

  /// Words are looked for in any order, and one word is all there are.
  @Test func duplicatesOfWords() throws {
    let database = try Database(schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (title STRING SEARCHABLE);"))
    for (first, second) in [
      ("self CONTAINS 'sea map'", "self CONTAINS 'map sea'"),
      ("ALL tokenize('sea map','Cdl') IN allTokens", "allTokens TOKENMATCHES[cdl] 'Map the sea map'"),
      ("ANY tokenize('sea','Cdl') IN allTokens", "ALL tokenize('sea','Cdl') IN allTokens"),
    ] {
      #expect(try code(database, query("first", first)) == nil)
      #expect(try code(database, query("second", second)) == .duplicateSubscription, "\(second)")
    }
    #expect(try code(database, query("second", "ANY tokenize('sea map','Cdl') IN allTokens")) == nil)
  }

  /// Asking for subscriptions waits for no commit: it would wait for ever here.
  @Test func readingWhileACommitIsPublished() throws {
    let database = try StandingSample().database
    try database.save(query("a"))
    try database.standing.withState { (_: inout StandingState) throws(ZoneQueryError) in
      #expect(database.subscriptions().count == 1)
      #expect((try? database.subscription(for: "a")) != nil)
    }
  }

  /// A subscription that is replaced is there all the time.
  @Test func readingWhatIsReplaced() async throws {
    let database = try StandingSample().database
    try database.save(query("s"))
    let missing = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        for number in 0..<2_000 {
          try database.save(query("s", number % 2 == 0 ? "seats > \(number)" : "city = 'Oslo'"))
          if number % 2 == 0 {
            try database.save(.database(DatabaseSubscription(subscriptionID: "s")))
          }
        }
        return 0
      }
      for _ in 0..<2 {
        group.addTask {
          var missing = 0
          for _ in 0..<20_000 {
            if (try? database.subscription(for: "s")) == nil { missing += 1 }
            if database.subscriptions().count != 1 { missing += 1 }
          }
          return missing
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(missing == 0)
  }

  /// What is saved as bound to an older type is held against the others as bound to the newer.
  @Test func savesThatHoldAnOlderType() throws {
    let database = try Database()
    let types = (1...2).map { count in
      RecordType("Event", fields: (0..<count).map { FieldDefinition("f\($0)", .string, [.queryable, .searchable]) })
    }
    func save(_ id: String, _ word: String, _ type: RecordType) throws -> ZoneQueryError.Code? {
      let subscription = QuerySubscription(
        recordType: "Event", predicate: try QueryPredicate(format: "self CONTAINS %@", word), subscriptionID: id)
      let prepared = try database.standing.index.prepare(
        subscription.predicate, for: type, events: subscription.firesOn, zone: nil, now: nil)
      let content = try SubscriptionContent(subscription, of: "u", recordType: type, options: PredicateOptions())
      let registration = QueryRegistration(subscription, of: "u", now: Timestamp(milliseconds: 0))
      do throws(ZoneQueryError) {
        try database.standing.withState { (state: inout StandingState) throws(ZoneQueryError) in
          try state.save(registration, prepared, content)
        }
        return nil
      } catch {
        return error.code
      }
    }
    #expect(try save("a", "x", types[1]) == nil)
    #expect(try save("b", "y", types[0]) == nil)
    #expect(try save("a2", "x", types[0]) == .duplicateSubscription)
    #expect(try save("b2", "y", types[0]) == .duplicateSubscription)
    #expect(try save("b2", "y", types[1]) == .duplicateSubscription)
    #expect(try save("b", "x", types[0]) == .duplicateSubscription)
  }

  /// A handle names nothing in another index.
  @Test func handlesOfAnotherIndex() throws {
    let type = RecordType("T", fields: [FieldDefinition("a", .int64)])
    let indexes = [SubscriptionIndex(), SubscriptionIndex()]
    let handles = try indexes.map { try $0.add(QueryPredicate(format: "a = 1"), for: type) }
    #expect(handles[0] != handles[1] && handles[0].index == handles[1].index)
    #expect(!indexes[0].remove(handles[1]) && !indexes[1].remove(handles[0]))
    #expect(indexes.map(\.count) == [1, 1])
    #expect(indexes[0].remove(handles[0]) && !indexes[0].remove(handles[0]))
    #expect(indexes.map(\.count) == [0, 1])
  }

  @Test func duplicates() throws {
    let database = try StandingSample().database
    try database.save(query("first", "city = 'Oslo' AND seats > 3"))
    let second = try query("second", "seats > 3 AND city = 'Oslo'")
    do throws(ZoneQueryError) {
      try database.save(second)
      Issue.record("saved")
    } catch {
      #expect(error.code == .duplicateSubscription && error.message == "subscription is duplicate of 'first'")
    }
    try database.save(query("second", "seats > 3 AND city = 'Oslo'") { $0.zoneID = .default })
    try database.save(query("third", "seats > 3 AND city = 'Oslo'") { $0.firesOn = .all })
    try database.deleteSubscription(withID: "first")
    try database.save(query("fourth", "city = 'Oslo' AND seats > 3"))
    #expect(database.subscriptions().count == 3)
  }

  @Test func refusals() throws {
    let database = try StandingSample().database
    #expect(code(database, try query("q") { $0.firesOn = [] }) == .invalidSubscription)
    #expect(code(database, try query("")) == .invalidSubscription)
    #expect(code(database, try query(String(repeating: "x", count: 256))) == .invalidSubscription)
    #expect(code(database, try query("q") { $0.recordType = "Nothing" }) == .unknownRecordType)
    #expect(code(database, try query("q") { $0.recordType = "Users" }) == .invalidQuery)
    #expect(code(database, try query("q", "nothing = 1")) == .invalidPredicate)
    #expect(code(database, try query("q") { $0.zoneID = ZoneID(zoneName: "None") }) == .zoneNotFound)
    for keys in [["city", "seats", "score", "place"], ["nothing"], ["tags"]] {
      let subscription = try query("q") {
        var info = NotificationInfo()
        info.desiredKeys = keys
        $0.notificationInfo = info
      }
      #expect(code(database, subscription) == .invalidSubscription)
    }
    let zone = ZoneSubscription(zoneID: ZoneID(zoneName: "None"), subscriptionID: "z")
    #expect(code(database, .zone(zone)) == .zoneNotFound)
    #expect(
      code(database, .database(DatabaseSubscription(subscriptionID: "d", recordType: "Nothing"))) == .unknownRecordType)
    #expect(database.subscriptions().isEmpty)
    let shared = try StandingSample(scope: .shared).database
    #expect(code(shared, try query("q")) == .invalidSubscription)
    #expect(code(shared, .database(DatabaseSubscription(subscriptionID: "d"))) == nil)
    let open = try StandingSample(scope: .public).database
    #expect(code(open, try query("q")) == nil)
    #expect(code(open, .database(DatabaseSubscription(subscriptionID: "d"))) == .invalidSubscription)
  }

  @Test func limits() throws {
    var configuration = Database.Configuration()
    configuration.limits.subscriptions = 2
    let database = try Database(schema: Schema([StandingSample.type]), configuration: configuration)
    try database.save(query("a", "seats = 1"))
    try database.save(query("b", "seats = 2"))
    #expect(code(database, try query("c", "seats = 3")) == .limitExceeded)
    try database.save(query("b", "seats = 3"))
    try database.deleteSubscription(withID: "a")
    try database.save(query("c", "seats = 4"))
  }

  @Test func whatNotificationsCarry() throws {
    let database = try StandingSample().database
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    var info = NotificationInfo()
    info.alertLocalizationKey = "NEW"
    info.alertLocalizationArguments = ["city"]
    info.desiredKeys = ["seats"]
    try database.save(
      query("q") {
        $0.firesOn = .all
        $0.notificationInfo = info
      })
    var record = Record(recordType: "Event", recordName: "r")
    record["city"] = "Oslo"
    record["seats"] = 5
    try database.save(record)
    record["seats"] = 6
    try database.save(record, policy: .replace)
    try database.deleteRecord(withID: record.recordID)
    let seats = heard.take().map { delivered -> FieldValue? in
      guard case .query(let query) = delivered.notification else { return nil }
      #expect(query.presentation.alertLocalizationArguments == ["Oslo"] && query.databaseScope == .private)
      return query.recordFields["seats"]
    }
    #expect(seats == [.int64(5), .int64(6), .int64(6)])
    observer.cancel()
  }
}
