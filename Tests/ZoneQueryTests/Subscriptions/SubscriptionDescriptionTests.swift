import Testing

@testable import ZoneQuery

/// What is printed of subscriptions, notifications, prepared queries and databases: a line for a log.
@Suite struct SubscriptionDescriptionTests {
  @Test func lines() throws {
    var query = QuerySubscription(
      recordType: "Event", predicate: try QueryPredicate(format: "city = 'Seoul'"), subscriptionID: "s")
    #expect("\(query)" == #"'s' on Event where city == "Seoul", on creation, update"#)
    (query.firesOn, query.firesOnce, query.zoneID, query.predicate) = (.all, true, ZoneID(zoneName: "Trip"), .true)
    #expect("\(Subscription.query(query))" == "'s' on Event in zone Trip, on creation, update, deletion, leaving, once")
    #expect("\(QuerySubscription.Events())" == "no change")
    let zone = ZoneSubscription(zoneID: ZoneID(zoneName: "Trip"), subscriptionID: "z")
    #expect("\(Subscription.zone(zone))" == "'z' on zone Trip")
    let database = DatabaseSubscription(subscriptionID: "d", recordType: "Event")
    #expect("\(Subscription.database(database))" == "'d' on the custom zones of records of Event")

    var told = QueryNotification(
      subscriptionID: "s", reason: .recordUpdated, recordID: RecordID(recordName: "r1"), databaseScope: .private)
    #expect("\(told)" == "'s': recordUpdated, r1")
    told.hasEntered = true
    let delivered = DeliveredNotification(
      notification: .query(told), userRecordName: "_owner", commit: 12, coalescedCount: 3, lostCount: 1)
    #expect(
      "\(delivered)"
        == "commit 12, to _owner: 's': recordUpdated, r1, which entered; 3 of it dropped; 1 of others dropped")
    let changes = ZoneNotification(subscriptionID: "z", zoneID: ZoneID(zoneName: "Trip"), databaseScope: .private)
    #expect("\(SubscriptionNotification.zone(changes))" == "'z': changes in zone Trip")
    let all = DatabaseNotification(subscriptionID: "d", databaseScope: .shared)
    #expect("\(SubscriptionNotification.database(all))" == "'d': changes in the shared database")
  }

  /// Names and texts from outside are cut short, and steer no terminal.
  @Test func hostileNames() throws {
    let name = "a\u{1B}[31m\u{202E}" + String(repeating: "x", count: 10_000)
    let subscription = QuerySubscription(
      recordType: name, predicate: try QueryPredicate(format: "city = %@", name), subscriptionID: name)
    let told = QueryNotification(
      subscriptionID: name, reason: .recordLeft, recordID: RecordID(recordName: name), databaseScope: .public)
    let delivered = DeliveredNotification(
      notification: .query(told), userRecordName: name, commit: 1, coalescedCount: 0, lostCount: 0)
    for text in ["\(subscription)", "\(Subscription.query(subscription))", "\(told)", "\(delivered)"] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" } && text.utf8.count < 1_500)
    }
  }

  @Test func queriesAndDatabases() throws {
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (city STRING QUERYABLE SORTABLE);"))
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "city = $city"), sort: [.descending("city")])
    #expect("\(try database.prepare(query))" == "Event where city == $city sorted by city descending")
    #expect("\(try database.prepare(query, inZoneWith: .default))".hasSuffix("descending in '_defaultZone'"))
    #expect("\(database)" == "private database, production, 1 zone")
    let warnings = try QueryPredicate(format: "city = '%@'", "Suva").warnings
    #expect(warnings.map { "\($0)" }.joined().hasPrefix("1 argument for 0 conversions: what is left over is ignored; "))
  }
}
