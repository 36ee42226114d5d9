import Testing

@testable import ZoneQuery

/// Subscriptions and notifications are equal where each of their parts is.
struct SubscriptionEqualityTests {
  @Test func notificationsOfQueries() {
    var presentation = NotificationPresentation()
    presentation.badge = 1
    let base = QueryNotification(
      subscriptionID: "s", reason: .recordCreated, recordID: RecordID(recordName: "a"), databaseScope: .private)
    expectEachPartCounts(
      base,
      [
        { $0.subscriptionID = "t" }, { $0.reason = .recordUpdated }, { $0.hasEntered = true },
        { $0.recordID = RecordID(recordName: "b") }, { $0.databaseScope = .public }, { $0.recordFields = ["n": 1] },
        { $0.isPruned = true }, { $0.presentation = presentation },
      ])
  }

  @Test func notificationsOfZones() {
    var presentation = NotificationPresentation()
    presentation.category = "c"
    let base = ZoneNotification(subscriptionID: "s", zoneID: ZoneID(zoneName: "Z"), databaseScope: .private)
    expectEachPartCounts(
      base,
      [
        { $0.subscriptionID = "t" }, { $0.zoneID = ZoneID(zoneName: "Y") }, { $0.databaseScope = .shared },
        { $0.presentation = presentation },
      ])
  }

  @Test func notificationsOfDatabases() {
    var presentation = NotificationPresentation()
    presentation.title = "t"
    let base = DatabaseNotification(subscriptionID: "s", databaseScope: .private)
    expectEachPartCounts(
      base,
      [{ $0.subscriptionID = "t" }, { $0.databaseScope = .shared }, { $0.presentation = presentation }])
  }

  @Test func whatIsShown() {
    var full = NotificationPresentation()
    full.alertLocalizationArguments = ["a", "b"]
    full.titleLocalizationArguments = ["a"]
    let parts: [(inout NotificationPresentation) -> Void] = [
      { $0.alertBody = "x" }, { $0.alertLocalizationKey = "x" }, { $0.alertLocalizationArguments = ["a"] },
      { $0.title = "x" }, { $0.titleLocalizationKey = "x" }, { $0.titleLocalizationArguments = ["b"] },
      { $0.soundName = "x" }, { $0.badge = 0 }, { $0.isContentAvailable = true }, { $0.category = "x" },
    ]
    expectEachPartCounts(full, parts)
    // In two notifications that each hold one of their own, too.
    for change in parts {
      var other = full
      change(&other)
      var (one, two) = (notification, notification)
      one.presentation = full
      two.presentation = other
      #expect(one != two)
      two.presentation = full
      #expect(one == two && one.hashValue == two.hashValue)
    }
  }

  @Test func whatIsAskedToBeShown() {
    var full = NotificationInfo()
    full.alertLocalizationArguments = ["a", "b"]
    full.titleLocalizationArguments = ["a"]
    full.desiredKeys = ["n"]
    expectEachPartCounts(
      full,
      [
        { $0.alertBody = "x" }, { $0.alertLocalizationKey = "x" }, { $0.alertLocalizationArguments = ["b", "a"] },
        { $0.title = "x" }, { $0.titleLocalizationKey = "x" }, { $0.titleLocalizationArguments = [] },
        { $0.soundName = "x" }, { $0.shouldBadge = true }, { $0.shouldSendContentAvailable = true },
        { $0.category = "x" }, { $0.desiredKeys = ["m"] },
      ])
  }

  @Test func subscriptions() {
    var info = NotificationInfo()
    info.shouldBadge = true
    let zone = ZoneID(zoneName: "Z")
    expectEachPartCounts(
      QuerySubscription(recordType: "T", subscriptionID: "s"),
      [
        { $0.recordType = "U" }, { $0.predicate = QueryPredicate.false }, { $0.firesOn = [.creation] },
        { $0.firesOnce = true }, { $0.zoneID = zone }, { $0.notificationInfo = info },
        { $0 = QuerySubscription(recordType: "T", subscriptionID: "t") },
      ])
    expectEachPartCounts(
      ZoneSubscription(zoneID: zone, subscriptionID: "s"),
      [
        { $0.zoneID = .default }, { $0.recordType = "T" }, { $0.notificationInfo = info },
        { $0 = ZoneSubscription(zoneID: zone, subscriptionID: "t") },
      ])
    expectEachPartCounts(
      DatabaseSubscription(subscriptionID: "s"),
      [
        { $0.recordType = "T" }, { $0.notificationInfo = info }, { $0 = DatabaseSubscription(subscriptionID: "t") },
      ])
  }

  private var notification: DatabaseNotification { DatabaseNotification(subscriptionID: "s", databaseScope: .private) }
}
