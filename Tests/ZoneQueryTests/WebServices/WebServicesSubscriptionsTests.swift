import Testing

@testable import ZoneQuery

/// The subscription dictionaries of CloudKit Web Services, and the requests about subscriptions.
struct WebServicesSubscriptionsTests {
  private static let type = RecordType(
    "Note",
    fields: [
      FieldDefinition("text", .string, [.queryable]), FieldDefinition("stars", .int64, [.queryable]),
      FieldDefinition("price", .double, [.queryable]),
      FieldDefinition("at", .timestamp, [.queryable]),
      FieldDefinition("tags", .list(.string), [.queryable]),
    ])
  private static let notes = ZoneID(zoneName: "notes")

  private static func database(_ change: (inout Database.Configuration) -> Void = { _ in }) throws -> Database {
    var configuration = Database.Configuration()
    change(&configuration)
    let database = try Database(schema: Schema([type]), configuration: configuration)
    if configuration.scope != .public { try database.createZone(notes) }
    return database
  }

  private static func query(
    _ id: String, _ format: String, _ events: QuerySubscription.Events = [.creation, .update],
    zone: ZoneID? = nil, once: Bool = false, info: NotificationInfo? = nil
  ) throws -> Subscription {
    .query(
      QuerySubscription(
        recordType: "Note", predicate: try QueryPredicate(format: format), subscriptionID: id, firesOn: events,
        firesOnce: once, zoneID: zone, notificationInfo: info))
  }

  // MARK: Dictionaries

  @Test func dictionaries() throws {
    var info = NotificationInfo()
    (info.alertBody, info.soundName, info.shouldBadge) = ("News", "default", true)
    (info.alertLocalizationArguments, info.desiredKeys) = (["text"], ["stars", "price"])
    let cases: [(Subscription, String)] = [
      (
        try Self.query("a", "text = 'x' AND price > 2"),
        #"{"subscriptionID":"a","subscriptionType":"query","query":{"recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"text","fieldValue":{"value":"x","type":"STRING"}},{"comparator":"GREATER_THAN","fieldName":"price","fieldValue":{"value":2.0,"type":"DOUBLE"}}]},"firesOn":["create","update"],"firesOnce":false,"zoneWide":true}"#
      ),
      (
        try Self.query("b", "TRUEPREDICATE", [.deletion, .leaving], zone: Self.notes, once: true, info: info),
        #"{"subscriptionID":"b","subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["delete","leave"],"firesOnce":true,"zoneID":{"zoneName":"notes"},"notificationInfo":{"alertBody":"News","soundName":"default","alertLocalizationArgs":["text"],"additionalFields":["stars","price"],"shouldBadge":true}}"#
      ),
      (
        try Self.query("c", #"text = "a\"b" OR stars = 1"#),
        #"{"subscriptionID":"c","subscriptionType":"query","query":{"recordType":"Note","predicate":"text == \"a\\\"b\" OR stars == 1"},"firesOn":["create","update"],"firesOnce":false,"zoneWide":true}"#
      ),
      (
        try Self.query("d", "at > now()"),
        #"{"subscriptionID":"d","subscriptionType":"query","query":{"recordType":"Note","predicate":"at > now()"},"firesOn":["create","update"],"firesOnce":false,"zoneWide":true}"#
      ),
      (
        .zone(ZoneSubscription(zoneID: Self.notes, subscriptionID: "e", recordType: "Note")),
        #"{"subscriptionID":"e","subscriptionType":"zone","zoneID":{"zoneName":"notes"},"recordType":"Note"}"#
      ),
      (
        .database(DatabaseSubscription(subscriptionID: "f", notificationInfo: NotificationInfo())),
        #"{"subscriptionID":"f","subscriptionType":"database","notificationInfo":{}}"#
      ),
    ]
    let schema = Schema([Self.type])
    let database = try Self.database { $0.predicateOptions.dialect = .extended }
    for (subscription, json) in cases {
      #expect(try Subscription(webServicesJSON: json, schema: schema) == subscription)
      try database.save(subscription)
      if json.contains(#""predicate""#) {
        // CloudKit reads no such text: what no filters say is told of.
        expectFailure(.invalidPredicate) { try subscription.webServicesJSON(schema: schema) }
      } else {
        #expect(try subscription.webServicesJSON(schema: schema) == json)
        #expect(try Subscription(webServicesJSON: subscription.webServicesJSON()) == subscription)
      }
    }
    #expect(
      database.webServicesResponseToSubscriptionList()
        == #"{"subscriptions":[\#(cases.map(\.1).joined(separator: ","))]}"#)
    // A query is read as it is listed, too.
    #expect(
      try Query(webServicesJSON: #"{"recordType": "Note", "predicate": "stars = 1 OR text = 'a'"}"#).predicate
        .description
        == #"stars == 1 OR text == "a""#)
    let one = try Subscription(
      webServicesJSON: #"{"subscriptionID": "s", "query": {"recordType": "Note"}, "zoneWide": false}"#)
    #expect(try one == Self.query("s", "TRUEPREDICATE", zone: .default))
    let faulty = Subscription.query(
      QuerySubscription(recordType: "Note", predicate: Field("no name") == 1, subscriptionID: "g"))
    expectFailure(.invalidPredicate) { try faulty.webServicesJSON() }
    // What is left out, and what is passed over.
    let short = try Subscription(
      webServicesJSON:
        #"{"subscriptionID": "s", "query": {"recordType": "Note", "sortBy": []}, "more": 1, "firesOn": null}"#)
    #expect(try short == Self.query("s", "TRUEPREDICATE"))
  }

  @Test func faults() throws {
    let cases: [(String, String)] = [
      ("{}", #"the key "subscriptionID" is missing"#), ("[]", "expected a subscription dictionary, found an array"),
      (#"{"subscriptionID": "a"}"#, #"the key "query" is missing"#),
      (#"{"subscriptionID": 1}"#, "subscriptionID: expected a string"),
      (
        #"{"subscriptionID": "a", "subscriptionType": "zones"}"#,
        "subscriptionType: there is no subscription type zones"
      ),
      (#"{"subscriptionID": "a", "subscriptionType": "zone"}"#, #"the key "zoneID" is missing"#),
      (#"{"subscriptionID": "a", "query": {}}"#, #"query: the key "recordType" is missing"#),
      (
        #"{"subscriptionID": "a", "query": {"recordType": "N", "filterBy": [{"comparator": "LIKE"}]}}"#,
        "query.filterBy[0].comparator: there is no comparator LIKE"
      ),
      (
        #"{"subscriptionID": "a", "query": {"recordType": "N", "filterBy": [], "predicate": "a = 1"}}"#,
        "query: the query has filters and a predicate"
      ),
      (
        #"{"subscriptionID": "a", "query": {"recordType": "N", "predicate": "a =\n b = 1"}}"#,
        "query.predicate: 2:4: "
      ),
      (#"{"subscriptionID": "a", "query": {"recordType": "N", "predicate": "a = %@"}}"#, "query.predicate: 1:5: "),
      (
        #"{"subscriptionID": "a", "query": {"recordType": "N"}, "firesOn": ["made"]}"#,
        "firesOn[0]: there is no event made"
      ),
      (#"{"subscriptionID": "a", "query": {"recordType": "N"}, "firesOn": "create"}"#, "firesOn: expected an array"),
      (
        #"{"subscriptionID": "a", "query": {"recordType": "N"}, "zoneWide": true, "zoneID": {"zoneName": "z"}}"#,
        #""zoneWide" is of all zones"#
      ),
      (
        #"{"subscriptionID": "a", "query": {"recordType": "N"}, "notificationInfo": {"additionalFields": [1]}}"#,
        "notificationInfo.additionalFields[0]: expected a string"
      ),
    ]
    for (json, message) in cases {
      do {
        _ = try Subscription(webServicesJSON: json)
        Issue.record("\(json)")
      } catch {
        #expect(error.code == .invalidJSON && error.message.contains(message), "\(error.message)")
      }
    }
  }

  // MARK: Requests

  private static func modify(_ database: Database, _ operations: String) throws -> [JSONValue] {
    let response = try database.webServicesResponse(toSubscriptionModify: #"{"operations": [\#(operations)]}"#)
    return try #require(try JSONReader.read(response)["subscriptions"]?.array)
  }

  private static func operation(_ type: String, _ id: String, _ format: String? = nil) -> String {
    let query = format.map { #", "query": {"recordType": "Note", "predicate": "\#($0)"}"# } ?? ""
    return #"{"operationType": "\#(type)", "subscription": {"subscriptionID": "\#(id)"\#(query)}}"#
  }

  @Test func subscriptionsThatAreMade() throws {
    let database = try Self.database()
    let made = try Self.modify(
      database,
      [
        Self.operation("create", "a", "stars > 3"), Self.operation("create", "b", "stars > 4"),
        Self.operation("create", "c", "stars > 3"), Self.operation("update", "d", "stars = 1"),
        Self.operation("delete", "e"), Self.operation("create", "f", "strs = 1"),
        #"{"operationType": "create", "subscription": {"subscriptionType": "zone", "zoneID": {"zoneName": "notes"}}}"#,
        #"{"operationType": "create", "subscription": {"subscriptionID": "g", "subscriptionType": "zone", "zoneID": {"zoneName": "no"}}}"#,
      ].joined(separator: ","))
    #expect(
      made.map { $0["serverErrorCode"]?.string } == [
        nil, nil, "EXISTS", "NOT_FOUND", "NOT_FOUND", "BAD_REQUEST", nil, "ZONE_NOT_FOUND",
      ])
    #expect(made.map { $0["subscriptionID"]?.string?.count } == [1, 1, 1, 1, 1, 1, 36, 1])
    #expect(made[2]["reason"]?.string == "subscription is duplicate of 'a'")
    #expect(made[0]["query"]?["filterBy"]?.array?.first?["comparator"]?.string == "GREATER_THAN")
    #expect(database.subscriptions().count == 3)
    // They hear of what is saved.
    let heard = Heard()
    let observer = database.onNotification { heard.add($0.notification.subscriptionID) }
    var note = Record(recordType: "Note", recordName: "n")
    note["stars"] = 4
    try database.save(note)
    #expect(heard.ids == ["a"])
    let changed = try Self.modify(
      database,
      [
        Self.operation("update", "a", "stars > 6"), Self.operation("create", "b", "stars > 7"),
        Self.operation("delete", "x"),
      ]
      .joined(separator: ","))
    #expect(changed.map { $0["serverErrorCode"]?.string } == [nil, "EXISTS", "NOT_FOUND"])
    #expect(changed[1]["reason"]?.string == "There is a subscription 'b' already")
    note["stars"] = 5
    try database.save(note, policy: .replace)
    #expect(heard.ids == ["a", "b"])
    let gone = try Self.modify(database, Self.operation("delete", "b"))
    #expect(gone[0].text == #"{"subscriptionID":"b","deleted":true}"#)
    #expect(database.subscriptions().map(\.subscriptionID).contains("b") == false)
    _ = observer
  }

  @Test func listsAndLookups() throws {
    let database = try Self.database { $0.predicateOptions.dialect = .extended }
    let saved = [
      try Self.query("b", "NOT (stars < 5) AND at < now()"), try Self.query("a", "NOT (stars < 5)"),
      try Self.query("c", "text = nil"), .database(DatabaseSubscription(subscriptionID: "d")),
    ]
    for subscription in saved { try database.save(subscription) }
    let list = try JSONReader.read(database.webServicesResponseToSubscriptionList())["subscriptions"]?.array ?? []
    #expect(list.map { $0["subscriptionID"]?.string } == ["a", "b", "c", "d"])
    #expect(list[0]["query"]?["filterBy"]?.array?.first?["comparator"]?.string == "GREATER_THAN_OR_EQUALS")
    #expect(list[1]["query"]?["predicate"]?.string == "NOT stars < 5 AND at < now()")
    #expect(list[2]["query"]?["predicate"]?.string == "text == nil")
    // Each reads as what asks the same.
    for (item, subscription) in zip(list, database.subscriptions()) {
      let read = try Subscription(webServicesJSON: item.text, schema: database.schema)
      if item["query"]?["filterBy"] == nil { #expect(read == subscription) }
    }
    let found = try database.webServicesResponse(
      toSubscriptionLookup: #"{"subscriptions": [{"subscriptionID": "d"}, {"subscriptionID": "no"}]}"#)
    let items = try #require(try JSONReader.read(found)["subscriptions"]?.array)
    #expect(items[0].text == #"{"subscriptionID":"d","subscriptionType":"database"}"#)
    #expect(items[1]["serverErrorCode"]?.string == "NOT_FOUND" && items[1]["subscriptionID"]?.string == "no")
  }

  /// Where a missing value is nil, a negated comparison is not the opposite one.
  @Test func negationsWhereNilIsAValue() throws {
    let database = try Self.database { $0.predicateOptions.missingFields = .likeNSPredicate }
    try database.save(Self.query("a", "NOT (stars < 5)"))
    try database.save(Self.query("b", "NOT (stars = 5) AND NOT (text IN {'a'}) AND stars > 1"))
    let list = database.webServicesResponseToSubscriptionList()
    #expect(list.contains(#""predicate":"NOT stars < 5""#) && !list.contains(#""predicate":"NOT stars =="#))
    #expect(list.contains("NOT_EQUALS") && list.contains("NOT_IN") && list.contains("GREATER_THAN"))
  }

  @Test func requestsThatAreRefused() throws {
    let database = try Self.database { $0.limits.itemsPerRequest = 2 }
    let valid = Self.operation("create", "a", "stars = 1")
    let cases: [(String, String)] = [
      ("", "the key \"operations\" is missing"), (#""operations": 1"#, "operations: expected an array of operations"),
      (
        #""operations": [\#(valid), {"operationType": "make"}]"#,
        "operations[1].operationType: there is no operation make"
      ),
      (
        #""operations": [\#(valid), {"operationType": "delete"}]"#, "operations[1]: the key \"subscription\" is missing"
      ),
      (#""operations": [\#(valid), \#(valid)]"#, "operations[1]: an operation before is of the same subscription"),
      (
        #""operations": [\#(valid), {"operationType": "update", "subscription": {"query": {"recordType": "Note"}}}]"#,
        "operations[1].subscription: the key \"subscriptionID\" is missing"
      ),
    ]
    for (members, message) in cases {
      do {
        _ = try database.webServicesResponse(toSubscriptionModify: "{\(members)}")
        Issue.record("\(members)")
      } catch {
        #expect(error.code == .invalidJSON && error.message.contains(message), "\(error.message)")
      }
    }
    expectFailure(.limitExceeded) {
      try Self.modify(database, [valid, valid, valid].joined(separator: ","))
    }
    expectFailure(.limitExceeded) {
      try database.webServicesResponse(toSubscriptionLookup: #"{"subscriptions": [1, 2, 3]}"#)
    }
    expectFailure(.invalidJSON) { try database.webServicesResponse(toSubscriptionLookup: #"{"subscriptions": [1]}"#) }
    // Nothing was changed.
    #expect(database.subscriptions().isEmpty)
    let `public` = try Self.database { $0.scope = .public }
    let kinds = try Self.modify(
      `public`, #"{"operationType": "create", "subscription": {"subscriptionType": "database"}}"#)
    #expect(kinds[0]["serverErrorCode"]?.string == "BAD_REQUEST")
  }

  /// What listeners heard.
  private final class Heard: Sendable {
    private let known = Locked<[String]>([])
    var ids: [String] { known.withLock { $0 } }
    func add(_ id: String) { known.withLock { $0.append(id) } }
  }
}
