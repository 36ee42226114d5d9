import Testing

@testable import ZoneQuery

/// Loads whose zone comes or goes while they are under way, and what subscriptions hear of loads.
struct LoadingTests {
  private static let zone = ZoneID(zoneName: "Z")

  /// Records of fields of all types, some of them twice, with and without dates, users and parents.
  private func records(_ count: Int, seed: UInt64) -> [Record] {
    var generator = RecordTestGenerator(seed: seed)
    return (0..<count).map { number in
      let place = generator.below(5) == 0 ? number / 2 : number
      var record = Record(recordType: "T\(place % 2)", recordName: "r\(place)", zoneID: Self.zone)
      for scalar in FieldType.Scalar.allCases where generator.below(2) == 0 {
        for type in [FieldType(scalar), .list(scalar)] where generator.below(2) == 0 {
          let reference = Reference(RecordID(recordName: "r\(number / 3)", zoneID: Self.zone), action: .deleteSelf)
          let value: FieldValue =
            switch (scalar, type.isList) {
            case (.reference, false): .reference(reference)
            case (.reference, true): .referenceList([reference, reference])
            default: generator.value(type, Self.zone)
            }
          if value.fault == nil { record["f\(scalar)\(type.isList)"] = value }
        }
      }
      if generator.below(3) == 0 { record.creationDate = Timestamp(milliseconds: Int64(number)) }
      if generator.below(3) == 0 { record.creatorUserRecordID = RecordID(recordName: "u\(number % 3)") }
      if generator.below(4) == 0 {
        record.parent = Reference(RecordID(recordName: "r0", zoneID: Self.zone), action: .none)
      }
      return record
    }
  }

  private func database() throws -> Database {
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: 1_000_000) }
    return try Database(configuration: configuration)
  }

  private func contents(_ database: Database) throws -> [Record] {
    var all: [Record] = []
    for type in ["T0", "T1"] where database.schema[type] != nil {
      all += try database.records(matching: Query(recordType: type), resultsLimit: 10_000).records
    }
    return all.sorted { $0.recordID.recordName < $1.recordID.recordName }.map { record in
      var record = record
      record.changeTag = nil
      return record
    }
  }

  /// A load that is not admitted stores nothing, and its records wait again, of those of one name the last: the next try
  /// stores what the first would have.
  @Test(arguments: [1, 40, 3_000])
  func loadsThatAreTriedAgain(count: Int) throws {
    let records = records(count, seed: UInt64(count))
    let (plain, again) = (try database(), try database())
    #expect(try plain.load(records) == count)
    let waiting = PiledRecords()
    for record in records { waiting.append(record) }
    for _ in 0..<2 {
      let (zone, _) = try again.unlistedZone(Self.zone)
      #expect(try !again.load(waiting, into: zone, Timestamp(milliseconds: 1_000_000)) { false })
      #expect(waiting.count == Set(records.map(\.recordID.recordName)).count)
      #expect(again.zoneIDs == [.default] && again.schema["T0"] == nil && again.schema["T1"] == nil)
    }
    let (zone, indexes) = try again.unlistedZone(Self.zone)
    #expect(try again.load(waiting, into: zone, Timestamp(milliseconds: 1_000_000)) { again.enter(zone, indexes) })
    #expect(waiting.count == 0)
    let stored = try contents(again)
    #expect(try stored == contents(plain) && stored.count == Set(records.map(\.recordID.recordName)).count)
  }

  /// Subscriptions hear of each record of a load once, in the order of the load, whether there are few or many.
  @Test(arguments: [3, 500])
  func whatIsHeardOfALoad(count: Int) throws {
    let database = try database()
    try database.load([Record(recordType: "T", recordName: "n1", zoneID: Self.zone)])
    try database.save(.query(QuerySubscription(recordType: "T", subscriptionID: "s", firesOn: .all)))
    let heard = Locked<[String]>([])
    let observer = database.onNotification { notification in
      if case .query(let query) = notification.notification {
        heard.withLock { $0.append("\(query.recordID.recordName) \(query.reason)") }
      }
    }
    let order = Array((0..<count).reversed()) + [0, 1]
    try database.load(order.map { Record(recordType: "T", recordName: "n\($0)", zoneID: Self.zone) })
    let expected = (0..<count).reversed().map { "n\($0) \($0 == 1 ? "recordUpdated" : "recordCreated")" }
    #expect(heard.withLock { $0 } == expected)
    observer.cancel()
  }
}
