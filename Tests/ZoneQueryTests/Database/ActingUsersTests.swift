import Testing

@testable import ZoneQuery

/// One database in the hands of several users.
struct ActingUsersTests {
  private static let users = ["_alice", "_bob", "carol"]

  private static func database(_ scope: Database.Scope = .public) throws -> Database {
    var configuration = Database.Configuration()
    configuration.scope = scope
    configuration.userRecordName = "_server"
    return try Database(configuration: configuration)
  }

  private static func query(_ key: String, _ user: String) throws -> Query {
    Query(recordType: "T", predicate: try QueryPredicate(format: "%K = %@", key, RecordID(recordName: user)))
  }

  @Test func recordsSayWhoWroteThem() throws {
    let database = try Self.database()
    let (alice, bob) = (try database.acting(as: "_alice"), try database.acting(as: "_bob"))
    #expect(alice.configuration.userRecordName == "_alice" && database.configuration.userRecordName == "_server")
    var saved = try alice.save(note("a", n: 1))
    #expect(saved.creatorUserRecordID?.recordName == "_alice")
    #expect(saved.lastModifiedUserRecordID?.recordName == "_alice")
    saved["n"] = 2
    saved = try bob.save(saved)
    #expect(saved.creatorUserRecordID?.recordName == "_alice")
    #expect(saved.lastModifiedUserRecordID?.recordName == "_bob")
    // As it is read, by whomever.
    for reader in [database, alice, bob] {
      let stored = try reader.record(for: saved.recordID)
      #expect(stored == saved && stored.creatorUserRecordID?.recordName == "_alice")
      #expect(stored.lastModifiedUserRecordID?.recordName == "_bob")
    }
    _ = try bob.save([note("b"), note("c")]).get()
    #expect(try bob.load([note("d")]) == 1)
    let page = try alice.records(matching: Self.query("creatorUserRecordID", "_bob"))
    #expect(Set(page.records.map(\.recordName)) == ["b", "c", "d"])
    #expect(try database.count(matching: Self.query("lastModifiedUserRecordID", "_alice")) == 0)
    #expect(try alice.acting(as: "_bob").save(note("e")).creatorUserRecordID?.recordName == "_bob")
    #expect(try bob.deleteRecord(withID: saved.recordID) == [saved.recordID])
    expectFailure(.unknownItem) { try alice.record(for: saved.recordID) }
  }

  @Test func requestsAreTheUsers() throws {
    let alice = try Self.database().acting(as: "_alice")
    let response = try alice.webServicesResponse(
      to: "records/modify",
      body: """
        {"operations": [{"operationType": "create", "record": {"recordType": "T", "recordName": "w", "fields": {}}}]}
        """)
    #expect(response.contains(#""userRecordName":"_alice""#))
    #expect(try alice.webServicesResponse(to: "users/caller") == #"{"users":[{"userRecordName":"_alice"}]}"#)
    #expect(try alice.webServicesResponse(to: "users/current") == #"{"userRecordName":"_alice"}"#)
  }

  /// What belongs to no user is the same for all.
  @Test func allElseIsOne() throws {
    let database = try Self.database(.private)
    let (alice, bob) = (try database.acting(as: "_alice"), try database.acting(as: "_bob"))
    let zone = ZoneID(zoneName: "Z")
    try alice.createZone(zone)
    #expect(bob.zoneIDs == database.zoneIDs && bob.zoneIDs.contains(zone))
    // A type, an index, a prepared query and a token of one serve the other.
    try alice.save(note("a", zone, n: 1))
    #expect(bob.schema["T"]?.fields.map(\.name) == ["n"])
    try bob.addIndex(IndexDefinition(recordType: "T", keys: ["n", "creationDate"]))
    #expect(alice.indexes(of: "T") == database.indexes(of: "T"))
    let prepared = try alice.prepare(Query(recordType: "T", sort: [.ascending("n")]), inZoneWith: zone)
    let token = try alice.recordZoneChanges(inZoneWith: zone).changeToken
    for number in 2..<6 { try bob.save(note("b\(number)", zone, n: Int64(number))) }
    #expect(try prepared.records().records.map(\.recordName) == ["a", "b2", "b3", "b4", "b5"])
    #expect(try bob.recordZoneChanges(inZoneWith: zone, since: token).records.count == 4)
    // Pages too, of an order and of none.
    let orders: [[SortKey]] = [[.descending("n")], []]
    for sort in orders {
      let first = try alice.records(matching: Query(recordType: "T", sort: sort), inZoneWith: zone, resultsLimit: 2)
      let rest = try bob.records(continuingMatchFrom: try #require(first.cursor))
      #expect(Set((first.records + rest.records).map(\.recordName)).count == 5)
    }
    // A private database's zones are its own user's still, whoever asks; others are nobody's there.
    expectFailure(.invalidZone) { try alice.createZone(ZoneID(zoneName: "Y", ownerName: "_alice")) }
    expectFailure(.invalidZone) { try alice.createZone(ZoneID(zoneName: "Y", ownerName: "_server")) }
    try bob.deleteZone(zone)
    expectFailure(.zoneNotFound) { try alice.record(for: RecordID(recordName: "a", zoneID: zone)) }
  }

  @Test func namesThatAreNone() throws {
    let database = try Self.database()
    for (name, message) in [
      ("", "must not be empty"), ("é", "ASCII characters only"), (String(repeating: "u", count: 256), "at most 255"),
      ("a\nb", "no control characters"), ("a\u{7F}", "no control characters"), ("a\u{80}", "ASCII characters only"),
    ] {
      do throws(ZoneQueryError) {
        _ = try database.acting(as: name)
        Issue.record("'\(name)' was taken")
      } catch {
        #expect(error.code == .invalidConfiguration && error.message.contains(message), "\(error)")
      }
    }
    #expect(try database.acting(as: String(repeating: "u", count: 255)).save(note("a")).recordName == "a")
  }

  // MARK: Subscriptions

  private static func subscription(_ id: String, _ format: String = "n > 5", once: Bool = false) throws -> Subscription
  {
    .query(
      QuerySubscription(
        recordType: "T", predicate: try QueryPredicate(format: format), subscriptionID: id, firesOn: .all,
        firesOnce: once))
  }

  @Test func subscriptionsAreEachUsersOwn() throws {
    let database = try Self.database()
    try database.save(note("a", n: 1))
    let (alice, bob) = (try database.acting(as: "_alice"), try database.acting(as: "_bob"))
    // The same ID for different things, and the same thing, for two users; not twice for one.
    try alice.save(Self.subscription("s"))
    try bob.save(Self.subscription("s"))
    try bob.save(Self.subscription("t", "n < 5"))
    expectFailure(.duplicateSubscription) { try alice.save(Self.subscription("x")) }
    try alice.save(Self.subscription("s", "n > 7"))
    try alice.save(Self.subscription("x"))
    #expect(alice.subscriptions().map(\.subscriptionID) == ["s", "x"])
    #expect(bob.subscriptions().map(\.subscriptionID) == ["s", "t"])
    #expect(database.subscriptions().isEmpty)
    #expect(try alice.acting(as: "_bob").subscription(for: "t") == bob.subscription(for: "t"))
    expectFailure(.unknownItem) { try alice.subscription(for: "t") }
    expectFailure(.unknownItem) { try database.deleteSubscription(withID: "s") }
    try alice.deleteSubscription(withID: "s")
    #expect(try bob.subscription(for: "s") == Self.subscription("s"))
    let listed = try bob.webServicesResponse(to: "subscriptions/list", body: "{}")
    #expect(listed.contains(#""subscriptionID":"t""#) && !listed.contains(#""subscriptionID":"x""#))
    expectFailure(.duplicateSubscription) { try database.acting(as: "_bob").save(Self.subscription("u", "n < 5")) }
  }

  /// What a file keeps of all subscriptions comes back as it was, whatever dialect a predicate is of.
  @Test func subscriptionsAreKept() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let type = RecordType(
      "Note", fields: [FieldDefinition("n", .int64, [.queryable]), FieldDefinition("t", .timestamp)])
    func database() throws -> Database { try Database(schema: Schema([type]), configuration: configuration) }
    let before = try database()
    let formats = ["n = 1 OR n = 2", "t < now()", "n = nil", "n IN {1, 2} AND t > CAST(5, 'NSDate')", "TRUEPREDICATE"]
    for user in ["_b", "_a", "_c"] {
      let acting = try before.acting(as: user)
      for (number, format) in formats.enumerated() {
        var info = NotificationInfo()
        info.alertBody = user
        try acting.save(
          .query(
            QuerySubscription(
              recordType: "Note", predicate: QueryPredicate(format: format), subscriptionID: "s\(number)",
              firesOn: [.creation, .leaving], firesOnce: number == 1, notificationInfo: info)))
      }
      try acting.save(.database(DatabaseSubscription(subscriptionID: "all")))
    }
    let all = before.subscriptionsOfAllUsers()
    #expect(all.map(\.userRecordName) == ["_a", "_b", "_c"].flatMap { Array(repeating: $0, count: 6) })
    #expect(all.prefix(6).map(\.subscription) == (try before.acting(as: "_a").subscriptions()))
    #expect(before.subscriptions().isEmpty)
    let after = try database()
    for (user, subscription) in all {
      let text = try subscription.webServicesJSON(predicateAsText: true)
      try after.acting(as: user).save(Subscription(webServicesJSON: text, schema: after.schema))
    }
    #expect(after.subscriptionsOfAllUsers().elementsEqual(all) { $0 == $1 })
    expectFailure(.invalidPredicate) { try all[1].subscription.webServicesJSON() }
  }

  @Test func limitsCountAllUsers() throws {
    var configuration = Database.Configuration()
    configuration.limits.subscriptions = 3
    let database = try Database(configuration: configuration)
    try database.save(note("a", n: 1))
    for user in Self.users { try database.acting(as: user).save(Self.subscription("s")) }
    expectFailure(.limitExceeded) { try database.save(Self.subscription("s")) }
    try database.acting(as: "_bob").save(Self.subscription("s", "n < 0"))
    try database.acting(as: "_bob").deleteSubscription(withID: "s")
    try database.save(Self.subscription("s"))
  }

  @Test func eachHearsOfTheirOwn() throws {
    let database = try Self.database()
    try database.save(note("a", n: 1))
    let (alice, bob) = (try database.acting(as: "_alice"), try database.acting(as: "_bob"))
    let (own, others, all) = (Heard(), Heard(), Heard())
    let observers = [
      alice.onNotification { own.add($0) }, bob.onNotification { others.add($0) },
      database.onNotification(ofAllUsers: true) { all.add($0) },
    ]
    try alice.save(Self.subscription("s", once: true))
    try bob.save(Self.subscription("s", once: true))
    try bob.save(Self.subscription("t", "n > 8"))
    try database.save(note("b", n: 9))
    try database.save(note("c", n: 9))
    #expect(own.take().map(\.notification.subscriptionID) == ["s"])
    #expect(others.take().map(\.notification.subscriptionID).sorted() == ["s", "t", "t"])
    let heard = all.take().map { "\($0.userRecordName) \($0.notification.subscriptionID) \($0.commit)" }
    let first = heard.first?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    #expect(
      heard.sorted() == ["_alice s \(first)", "_bob s \(first)", "_bob t \(first)", "_bob t \(first + 1)"])
    #expect(alice.subscriptions().isEmpty && bob.subscriptions().map(\.subscriptionID) == ["t"])
    observers.forEach { $0.cancel() }
    try database.save(note("d", n: 9))
    #expect(all.count + others.count == 0)
  }

  /// What each user hears, and who hears all, beside a plain list of everybody's subscriptions.
  @Test func hearsAsAPlainListDoes() throws {
    var (checks, told) = (0, 0)
    for seed in 0..<TestAmount.of(40) {
      var random = SplitMix(seed: UInt64(7_000 + seed))
      let zone = ZoneID(zoneName: "Z")
      let database = try Self.database(.private)
      try database.createZone(zone)
      try database.save(note("first", zone, n: 0))
      let views = try Self.users.map { try database.acting(as: $0) }
      let heard = Self.users.map { _ in Heard() }
      let all = Heard()
      var observers = zip(views, heard).map { view, heard in view.onNotification { heard.add($0) } }
      observers.append(views[0].onNotification(ofAllUsers: true) { all.add($0) })
      var plain: [(user: Int, subscription: Subscription, least: Int64)] = []
      for step in 0..<120 {
        let (user, id) = (random.below(3), "s\(random.below(4))")
        switch random.below(4) {
        case 0:
          let least = Int64(random.below(10))
          let made: Subscription =
            switch random.below(4) {
            case 0: .zone(ZoneSubscription(zoneID: zone, subscriptionID: id))
            case 1: .database(DatabaseSubscription(subscriptionID: id))
            default: try Self.subscription(id, "n >= \(least)", once: random.below(4) == 0)
            }
          let isQuery = if case .query = made { true } else { false }
          func isSame(_ other: (user: Int, subscription: Subscription, least: Int64)) -> Bool {
            other.user == user && sameBytes(other.subscription.subscriptionID, id)
          }
          let isDuplicate =
            isQuery && plain.contains { $0.user == user && $0.least == least && !isSame($0) }
          let code = failureCode { try views[user].save(made) }
          #expect(code == (isDuplicate ? .duplicateSubscription : nil))
          if code == nil {
            plain.removeAll(where: isSame)
            plain.append((user, made, isQuery ? least : -1))
          }
        case 1:
          let place = plain.firstIndex { $0.user == user && $0.subscription.subscriptionID == id }
          let code = failureCode { try views[user].deleteSubscription(withID: id) }
          #expect(code == (place == nil ? .unknownItem : nil))
          if let place { plain.remove(at: place) }
        default:
          let number = Int64(random.below(12))
          try views[user].save(note("r\(step)", zone, n: number))
          // Those of the whole zone have a bound that every number is above.
          let expected = plain.filter { $0.least <= number }
          for (user, name) in Self.users.enumerated() {
            let own = heard[user].take()
            #expect(own.allSatisfy { $0.userRecordName == name })
            #expect(
              own.map(\.notification.subscriptionID).sorted()
                == expected.filter { $0.user == user }.map(\.subscription.subscriptionID).sorted())
          }
          let everything = all.take().map { "\($0.userRecordName) \($0.notification.subscriptionID)" }
          #expect(
            everything.sorted()
              == expected.map { "\(Self.users[$0.user]) \($0.subscription.subscriptionID)" }.sorted())
          told += expected.count
          plain.removeAll {
            if case .query(let query) = $0.subscription { query.firesOnce && $0.least <= number } else { false }
          }
          checks += 1
        }
        #expect(
          views[user].subscriptions().map(\.subscriptionID)
            == plain.filter { $0.user == user }.map(\.subscription.subscriptionID).sorted())
      }
      observers.forEach { $0.cancel() }
    }
    #expect(checks >= TestAmount.of(2_000) && told >= TestAmount.of(6_000))
    print("users' subscriptions beside a plain list: \(checks) commits, \(told) notifications")
  }

  // MARK: Lifetime

  /// A sequence of notifications ends with the last who has the database, whichever of its users that is.
  @Test func theDatabaseIsAllOfItsUsers() async throws {
    var database: Database? = try Self.database()
    var alice = try database?.acting(as: "_alice")
    try alice?.save(note("a", n: 1))
    try alice?.save(Self.subscription("s"))
    let notifications = try #require(database?.notifications(ofAllUsers: true))
    database = nil
    try alice?.save(note("b", n: 9))
    alice = nil
    var heard: [String] = []
    for await delivered in notifications { heard.append(delivered.userRecordName) }
    #expect(heard == ["_alice"])
  }

  @Test func eventsSayWhoAsked() throws {
    let events = Locked<[String]>([])
    var configuration = Database.Configuration()
    configuration.instrumentation = Instrumentation { event in
      events.withLock { $0.append("\(event.userRecordName) \(event.operation)") }
    }
    let database = try Database(configuration: configuration)
    try database.acting(as: "_alice").save(note("a", n: 1))
    _ = try database.acting(as: "_bob").count(matching: Query(recordType: "T"))
    _ = try database.record(for: RecordID(recordName: "a"))
    #expect(events.withLock { $0 } == ["_alice modify", "_bob count", "__defaultOwner__ fetch"])
  }
}
