import Testing

@testable import ZoneQuery

/// Subscriptions by content, and notifications as push payloads.
struct NotificationTests {
  private static let type = RecordType(
    "Event",
    fields: [
      FieldDefinition("title", .string), FieldDefinition("city", .string), FieldDefinition("seats", .int64),
      FieldDefinition("start", .timestamp), FieldDefinition("place", .location),
      FieldDefinition("tags", .list(.string)),
    ])

  private func content(
    _ format: String, _ events: QuerySubscription.Events = .creation, zone: ZoneID? = nil
  ) throws -> SubscriptionContent {
    let predicate = try QueryPredicate(format: format)
    let subscription = QuerySubscription(
      recordType: "Event", predicate: predicate, subscriptionID: format, firesOn: events, zoneID: zone)
    return try SubscriptionContent(subscription, of: "u", recordType: Self.type, options: PredicateOptions())
  }

  private func notification(
    of subscription: QuerySubscription, _ reason: QueryNotification.Reason, _ record: Record, _ scope: Database.Scope
  ) -> QueryNotification {
    QueryNotification(
      FiringSubscription(QueryRegistration(subscription, of: "u", now: Timestamp(milliseconds: 0))),
      FiredChange(reason, hasEntered: nil, record.recordID, record, scope))
  }

  @Test func duplicatesByContent() throws {
    #expect(try content("city = 'Seoul' AND seats > 5") == content("seats > 5 AND city = 'Seoul'"))
    #expect(try content("city = 'Seoul' AND seats > 5") == content("seats >= 6 AND city IN {'Seoul'}"))
    #expect(try content("start > now()") == content("start > now()"))
    #expect(try content("start > now()") != content("start > CAST(256260690.123, 'NSDate')"))
    #expect(try content("city = 'Seoul'") != content("city = 'seoul'"))
    #expect(try content("city = 'Seoul'") != content("city = 'Seoul'", [.creation, .update]))
    #expect(try content("city = 'Seoul'") != content("city = 'Seoul'", zone: .default))
  }

  @Test func notificationsOfRecordsRoundTrip() throws {
    var record = Record(recordType: "Event", recordID: RecordID(recordName: "k", zoneID: ZoneID(zoneName: "Z")))
    record["title"] = "Maps of the sea"
    record["seats"] = 120
    record["start"] = .timestamp(Timestamp(milliseconds: 1_788_000_000_000))
    record["place"] = .location(Location(latitude: 37.5, longitude: 127))
    var info = NotificationInfo()
    info.alertLocalizationKey = "NEW"
    info.alertLocalizationArguments = ["title", "seats", "city"]
    info.title = "News"
    info.soundName = "default"
    info.category = "event"
    info.shouldBadge = true
    info.shouldSendContentAvailable = true
    info.desiredKeys = ["seats", "place", "city"]
    #expect(info.fault(for: Self.type) == nil)
    let subscription = QuerySubscription(recordType: "Event", subscriptionID: "s", notificationInfo: info)
    for (reason, hasEntered) in [
      (QueryNotification.Reason.recordUpdated, true), (.recordDeleted, nil), (.recordLeft, nil),
    ] {
      var notification = self.notification(of: subscription, reason, record, .private)
      notification.hasEntered = hasEntered
      #expect(notification.presentation.alertLocalizationArguments == ["Maps of the sea", "120", ""])
      #expect(notification.recordFields.count == 2)
      let text = SubscriptionNotification.query(notification).pushPayloadJSON(containerID: "iCloud.example")
      #expect(try SubscriptionNotification(pushPayloadJSON: text) == .query(notification))
    }
    let created = notification(of: subscription, .recordCreated, record, .public)
    let payload = SubscriptionNotification.query(created).pushPayloadJSON()
    #expect(payload.hasPrefix(#"{"aps":{"alert":{"title":"News","loc-key":"NEW","loc-args":["Maps of the sea","#))
    #expect(
      payload.contains(#""ck":{"ce":2,"qry":{"rid":"k","fo":1,"zid":"Z","zoid":"__defaultOwner__","dbs":1,"sid":"s""#))
  }

  @Test func otherNotificationsRoundTrip() throws {
    var zone = ZoneNotification(subscriptionID: "z", zoneID: ZoneID(zoneName: "Z"), databaseScope: .private)
    zone.presentation.alertBody = "changed"
    let database = DatabaseNotification(subscriptionID: "d", databaseScope: .shared)
    for notification in [SubscriptionNotification.zone(zone), .database(database)] {
      #expect(try SubscriptionNotification(pushPayloadJSON: notification.pushPayloadJSON()) == notification)
    }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"ck":{}}"#, #"{"ck":{"qry":{}}}"#, #"{"ck":{"qry":{"rid":"r","fo":9,"dbs":1,"sid":"s"}}}"#,
    #"{"ck":{"qry":{"rid":1,"fo":1,"dbs":1,"sid":"s"}}}"#, #"{"ck":{"fet":{"zid":"Z","dbs":"1","sid":"s"}}}"#,
    #"{"ck":{"qry":{"rid":"r","fo":1,"dbs":1,"sid":"s","af":{"é":{"value":1}}}}}"#,
    #"{"ck":{"qry":{"rid":"r","fo":1,"dbs":1,"sid":"s","af":[1]}}}"#,
    #"{"ck":{"qry":{"rid":"","fo":1,"dbs":1,"sid":"s"}}}"#, #"{"ck":{"met":{"dbs":1,"sid":""}}}"#,
    #"{"aps":{"alert":{"loc-key":"K","loc-args":["a",1]}},"ck":{"met":{"dbs":1,"sid":"s"}}}"#,
    #"{"aps":{"alert":{"title-loc-args":"a"}},"ck":{"met":{"dbs":1,"sid":"s"}}}"#,
  ])
  func badPayloads(_ text: String) {
    #expect(throws: ZoneQueryError.self) { try SubscriptionNotification(pushPayloadJSON: text) }
  }

  @Test func infosThatCannotBe() {
    for keys in [["seats", "title", "city", "start"], ["missing"], ["tags"]] {
      var info = NotificationInfo()
      info.desiredKeys = keys
      #expect(info.fault(for: Self.type) != nil)
    }
  }
}
