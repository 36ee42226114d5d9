import Testing

@testable import ZoneQuery

/// Subscriptions hear of their own zone alone, whatever they ask and whatever happens there; what payloads carry comes back.
struct SubscriptionScopeTests {
  private let zones = [ZoneID(zoneName: "Y"), ZoneID(zoneName: "Z")]

  @Test(arguments: ["TRUEPREDICATE", "n != 9", "n = 1", "n < 5", "n IN {1, 2}", "NOT n = 9", "n BETWEEN {0, 3}"])
  func eachZoneForItself(format: String) throws {
    let database = try Database()
    for zone in zones { try database.createZone(zone) }
    for zone in [ZoneID.default] + zones { try database.save(note("first", zone, n: 1)) }
    let predicate = try QueryPredicate(format: format)
    for (name, zone) in [("Y", zones[0]), ("Z", zones[1]), ("default", .default), ("any", nil)] {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "T", predicate: predicate, subscriptionID: name, firesOn: .all, zoneID: zone)))
    }
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    defer { observer.cancel() }
    for (name, zone) in [("Y", zones[0]), ("Z", zones[1]), ("default", ZoneID.default)] {
      func expectHeard(_ what: String) {
        #expect(heard.take().map(\.notification.subscriptionID).sorted() == [name, "any"].sorted(), "\(what) \(zone)")
      }
      var record = try database.save(note("a", zone, n: 1))
      expectHeard("creation")
      record["n"] = 2
      if format != "n = 1" {
        record = try database.save(record)
        expectHeard("update")
      }
      record["n"] = 9
      record = try database.save(record)
      if format != "TRUEPREDICATE" { expectHeard("leaving") } else { _ = heard.take() }
      record["n"] = 1
      try database.save(record)
      expectHeard("entering")
      try database.deleteRecord(withID: record.recordID)
      expectHeard("deletion")
    }
  }

  /// Numbers are found by their value: zero has two signs, and a whole number is that of either type.
  @Test func zeroOfEitherSign() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let type = RecordType("T", fields: [FieldDefinition("x", .double), FieldDefinition("l", .list(.double))])
    let database = try Database(schema: Schema([type]), configuration: configuration)
    // Others, so that the one is looked up.
    for number in 1..<40 {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "T", predicate: try QueryPredicate(format: "x = \(number)"), subscriptionID: "s\(number)")))
    }
    for (name, format) in [("zero", "x = 0"), ("set", "x IN {0, 100}"), ("list", "l CONTAINS 0")] {
      try database.save(
        .query(
          QuerySubscription(recordType: "T", predicate: try QueryPredicate(format: format), subscriptionID: name)))
    }
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    defer { observer.cancel() }
    for value in [0.0, -0.0] {
      var record = note("r\(value)")
      record["x"] = .double(value)
      record["l"] = .doubleList([5, value])
      try database.save(record)
      #expect(heard.take().map(\.notification.subscriptionID).sorted() == ["list", "set", "zero"])
    }
  }

  @Test func payloadsOfWhatIsLeftOut() throws {
    var query = QueryNotification(
      subscriptionID: "s", reason: .recordDeleted, recordID: RecordID(recordName: "a", zoneID: zones[0]),
      databaseScope: .shared)
    #expect(!SubscriptionNotification.query(query).pushPayloadJSON().contains(#""p""#))
    #expect(!SubscriptionNotification.query(query).pushPayloadJSON().contains(#""af""#))
    query.isPruned = true
    query.recordFields = ["n": 1]
    let payload = SubscriptionNotification.query(query).pushPayloadJSON()
    #expect(payload.contains(#""p":1"#) && payload.contains(#""af":{"n":"#))
    #expect(try SubscriptionNotification(pushPayloadJSON: payload) == .query(query))
    // A field that JSON cannot carry is left out, which the payload says.
    query.isPruned = false
    query.recordFields["x"] = .double(.infinity)
    let read = try SubscriptionNotification(
      pushPayloadJSON: SubscriptionNotification.query(query).pushPayloadJSON())
    query.isPruned = true
    query.recordFields["x"] = nil
    #expect(read == .query(query))
  }

  @Test func payloadsOfArgumentsAlone() throws {
    for keyPath in [
      \NotificationPresentation.alertLocalizationArguments, \NotificationPresentation.titleLocalizationArguments,
    ] {
      var presentation = NotificationPresentation()
      presentation[keyPath: keyPath] = ["a", ""]
      var notification = DatabaseNotification(subscriptionID: "s", databaseScope: .private)
      notification.presentation = presentation
      let payload = SubscriptionNotification.database(notification).pushPayloadJSON()
      #expect(try SubscriptionNotification(pushPayloadJSON: payload).presentation == presentation)
    }
  }

  @Test func keysThatNoNotificationCarries() throws {
    let type = RecordType(
      "T",
      fields: [
        FieldDefinition("n", .int64), FieldDefinition("list", .list(.int64)), FieldDefinition("data", .bytes),
        FieldDefinition("file", .asset), FieldDefinition("secret", .string, isEncrypted: true),
        FieldDefinition("place", .location), FieldDefinition("r", .reference),
      ])
    for key in ["n", "place", "r"] {
      var info = NotificationInfo()
      info.desiredKeys = [key]
      #expect(info.fault(for: type) == nil)
    }
    for (key, part) in [
      ("list", "LIST<INT64>"), ("data", "BYTES"), ("file", "ASSET"), ("secret", "encrypted"),
      ("creationDate", "system field"), ("___createTime", "system field"), ("___recordID", "system field"),
      ("nn", "no field 'nn'"),
    ] {
      for keyPath in [\NotificationInfo.desiredKeys, \.alertLocalizationArguments, \.titleLocalizationArguments] {
        var info = NotificationInfo()
        info[keyPath: keyPath] = [key]
        #expect(info.fault(for: type)?.contains(part) == true, "\(key)")
      }
    }
  }

  /// A type may come again with more fields behind those it has, and with no others.
  @Test func typesThatAnIndexKnows() throws {
    let (n, m) = (FieldDefinition("n", .int64), FieldDefinition("m", .string))
    func type(_ fields: FieldDefinition...) -> RecordType { RecordType("T", fields: fields) }
    let predicate = try QueryPredicate(format: "n = 1")
    for (first, second, isLike) in [
      (type(n), type(n), true), (type(n), type(n, m), true), (type(n, m), type(n), true),
      (type(n, m), type(n, m), true),
      (type(n), type(m, n), false), (type(n, m), type(m, n), false),
      (type(n), type(FieldDefinition("n", .double)), false), (type(n, m), type(FieldDefinition("n", .double)), false),
      (type(n), type(FieldDefinition("n", .double), m), false),
    ] {
      let index = SubscriptionIndex()
      let handle = try index.add(predicate, for: first)
      // Alone, prepared before, and after others have come.
      let prepared = try index.prepare(predicate, for: second)
      #expect(failureCode { try index.add(prepared) } == (isLike ? nil : .invalidSchema))
      #expect(failureCode { try index.add(predicate, for: second) } == (isLike ? nil : .invalidSchema))
      #expect(failureCode { try index.add(predicate, for: RecordType("U", fields: second.fields)) } == nil)
      #expect(index.remove(handle) && !index.remove(handle))
    }
  }

  /// What is removed makes room for what comes.
  @Test func subscriptionsThatGoLeaveTheirRoom() throws {
    let index = SubscriptionIndex()
    let type = RecordType("T", fields: [FieldDefinition("n", .int64), FieldDefinition("s", .string)])
    let predicates = try (0..<64).map { try QueryPredicate(format: "n = \($0) AND s BEGINSWITH 'text \($0)'") }
    var size = 0
    for round in 0..<40 {
      let handles = try predicates.map { try index.add($0, for: type) }
      if round == 3 { size = index.memorySize(ofRecordType: "T") }
      for handle in handles { #expect(index.remove(handle)) }
      let kept = try index.add(predicates[round], for: type)
      #expect(index.remove(kept))
    }
    let handles = try predicates.map { try index.add($0, for: type) }
    #expect(handles.count == 64 && size > 0 && index.memorySize(ofRecordType: "T") <= size)
  }
}
