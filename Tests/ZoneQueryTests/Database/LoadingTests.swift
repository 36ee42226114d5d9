import Testing

@testable import ZoneQuery

/// Loads whose zone comes or goes while they are under way, and what subscriptions hear of loads.
struct LoadingTests {
  private static let zone = ZoneID(zoneName: "Z")

  /// Records of fields of all types, some of them twice, some without a user.
  private func records(_ count: Int, seed: UInt64) -> [Record] {
    var samples = StorageSamples(random: SplitMix(seed: seed), zone: Self.zone)
    return (0..<count).map { number in
      var record = samples.record("r\(samples.below(5) == 0 ? number / 2 : number)", zoneID: Self.zone)
      for (name, value) in record.fields where value.fault != nil { record[name] = nil }
      if let parent = record.parent { record.parent = Reference(parent.recordID, action: .none) }
      return record
    }
  }

  private func database() throws -> Database {
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: 1_000_000) }
    return try Database(configuration: configuration)
  }

  private func contents(_ database: Database, of records: [Record]) throws -> [Record] {
    try Set(records.map(\.recordID)).sorted { $0.recordName < $1.recordName }.map { id in
      var record = try database.record(for: id)
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
    let names = Set(records.map(\.recordID.recordName))
    #expect(try plain.load(records) == count)
    let waiting = PiledRecords()
    for record in records { waiting.append(record) }
    for _ in 0..<2 {
      let (zone, _) = try again.unlistedZone(Self.zone)
      #expect(try !again.load(waiting, into: zone, Timestamp(milliseconds: 1_000_000)) { false })
      #expect(waiting.count == names.count && again.zoneIDs == [.default] && again.schema["T"] == nil)
    }
    let (zone, indexes) = try again.unlistedZone(Self.zone)
    #expect(try again.load(waiting, into: zone, Timestamp(milliseconds: 1_000_000)) { again.enter(zone, indexes) })
    #expect(waiting.count == 0)
    let (one, other) = (try contents(plain, of: records), try contents(again, of: records))
    #expect(one.count == names.count && zip(one, other).allSatisfy { StorageSamples.isSame($0, $1) })
  }

  /// What a client fetched before an export can be saved behind the load of it, unless it has changed since.
  @Test func changeTagsOutliveAnExport() throws {
    let before = try database()
    try before.load((0..<40).map { Record(recordType: "T", recordName: "n\($0)") })
    let id = RecordID(recordName: "n7")
    var stale = try before.record(for: id)
    var fresh = stale
    fresh["n"] = 2
    fresh = try before.save(fresh)
    let after = try database()
    try after.load(
      (0..<40).reversed().map {
        try Record(webServicesJSON: before.record(for: RecordID(recordName: "n\($0)")).webServicesJSON)
      })
    stale["m"] = 5
    #expect(throws: ZoneQueryError.self) { try after.save(stale) }
    fresh["m"] = 6
    let saved = try after.save(fresh)
    #expect(saved["n"] == 2 && saved["m"] == 6)
    #expect(saved.changeTag != stale.changeTag && saved.changeTag != fresh.changeTag)
    // One that is there gets a new tag, as do others when they are saved.
    let tag = try after.record(for: id).changeTag
    try after.load([fresh])
    let again = try after.record(for: id).changeTag
    #expect(again != fresh.changeTag && again != tag)
  }

  /// Tags that no database gives are not kept, and those that a hostile file brings leave room for others.
  @Test(arguments: [
    "", "0", "01", "A", "+5", "-5", "9 ", "zzzzzzzzzzzz", "1y2p0ij32e8e7", "zzzzzzzzzzzzzzzzzzzz", "k2j4m", "é",
  ])
  func foreignChangeTags(_ tag: String) throws {
    let database = try database()
    var record = Record(recordType: "T", recordName: "a")
    record.changeTag = tag
    try database.load([record, Record(recordType: "T", recordName: "b")])
    var stored = try database.record(for: record.recordID)
    #expect((stored.changeTag == tag) == (tag == "k2j4m"))
    for _ in 0..<3 {
      let earlier = stored.changeTag
      stored["n"] = 1
      stored = try database.save(stored)
      #expect(stored.changeTag != earlier)
    }
    #expect(try database.record(for: RecordID(recordName: "b")).changeTag != nil)
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
