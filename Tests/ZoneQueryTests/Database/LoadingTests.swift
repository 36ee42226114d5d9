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
  @Test(arguments: [1, 40, TestAmount.isFull ? 3_000 : 300])
  func loadsThatAreTriedAgain(count: Int) throws {
    let records = records(count, seed: UInt64(count))
    let (plain, again) = (try database(), try database())
    let names = Set(records.map(\.recordID.recordName))
    #expect(try plain.load(records) == count)
    let waiting = PiledRecords()
    for record in records { waiting.append(record) }
    for _ in 0..<2 {
      let (zone, _) = try again.unlistedZone(Self.zone)
      #expect(try !again.load(waiting, into: zone, Timestamp(milliseconds: 1_000_000)) { _ in false })
      #expect(waiting.count == names.count && again.zoneIDs == [.default] && again.schema["T"] == nil)
    }
    let (zone, indexes) = try again.unlistedZone(Self.zone)
    let isLoaded = try again.load(waiting, into: zone, Timestamp(milliseconds: 1_000_000)) {
      again.enter(zone, indexes, $0)
    }
    #expect(isLoaded)
    #expect(waiting.count == 0)
    let (one, other) = (try contents(plain, of: records), try contents(again, of: records))
    #expect(one.count == names.count && zip(one, other).allSatisfy { StorageSamples.isSame($0, $1) })
  }

  /// What was not stored leaves no tags behind: a load that is tried again stores records under those that they brought along,
  /// and the others under new ones, so that change tokens from before it go on.
  @Test func tagsOfLoadsThatAreTriedAgain() throws {
    func record(_ name: String) -> Record { Record(recordType: "T", recordName: name, zoneID: Self.zone) }
    let (given, database) = (try database(), try database())
    try given.load(["a", "b", "c", "twice"].map(record))
    let tagged = try ["b", "c", "twice"].map { try given.record(for: record($0).recordID) }
    for records in [["x", "y", "y", "z"].map(record), [record("x")] + tagged + [tagged[2]]] {
      let waiting = PiledRecords()
      for record in records { waiting.append(record) }
      let (unlisted, _) = try database.unlistedZone(Self.zone)
      #expect(try !database.load(waiting, into: unlisted, Timestamp(milliseconds: 0)) { _ in false })
      try database.createZone(Self.zone)
      let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
      #expect(try database.load(waiting, into: database.zone(Self.zone), Timestamp(milliseconds: 0)))
      var tags: [String: String] = [:]
      for record in records { tags[record.recordID.recordName] = try database.record(for: record.recordID).changeTag }
      if records.contains(where: { $0.changeTag != nil }) {
        for record in tagged.prefix(2) { #expect(tags[record.recordID.recordName] == record.changeTag) }
        #expect(tags["twice"] != tagged[2].changeTag)
      } else {
        let changes = try database.recordZoneChanges(inZoneWith: Self.zone, since: token)
        #expect(Set(changes.records.map(\.recordID.recordName)) == ["x", "y", "z"])
      }
      try database.deleteZone(Self.zone)
    }
  }

  /// All records of a zone, as they were when they were asked for, whatever is written meanwhile; loaded they are the same.
  @Test func recordsOfAZone() throws {
    let before = try database()
    try before.createZone(Self.zone)
    #expect(try Array(before.allRecords(inZoneWith: Self.zone)).isEmpty)
    expectFailure(.zoneNotFound) { try before.allRecords(inZoneWith: ZoneID(zoneName: "none")) }
    try before.load(
      records(TestAmount.isFull ? 1_500 : 500, seed: 7)
        + (0..<700).map { Record(recordType: "U", recordName: "u\($0)", zoneID: Self.zone) })
    for number in stride(from: 0, to: 700, by: 3) {
      try before.deleteRecord(withID: RecordID(recordName: "u\(number)", zoneID: Self.zone))
    }
    let all = try before.allRecords(inZoneWith: Self.zone)
    let stored = try before.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: .max).records
    let expected = Dictionary(uniqueKeysWithValues: stored.map { ($0.recordID, $0) })
    #expect(all.count == expected.count && all.underestimatedCount == expected.count)
    var iterator = all.makeIterator()
    var found: [Record] = []
    while let record = iterator.next() {
      if found.count % 100 == 50 {
        try before.deleteRecord(withID: record.recordID)
        try before.save(Record(recordType: "U", recordName: "new \(found.count)", zoneID: Self.zone))
      }
      found.append(record)
    }
    #expect(iterator.next() == nil && found.count == expected.count)
    #expect(found.allSatisfy { record in expected[record.recordID].map { StorageSamples.isSame($0, record) } == true })
    // Of long records few are read at once.
    let long = try database()
    for number in 0..<40 {
      var record = Record(recordType: "L", recordName: "l\(number)")
      record["bytes"] = .bytes(Array(repeating: UInt8(number), count: number % 3 == 0 ? 60_000 : 10))
      try long.save(record)
    }
    #expect(try Set(long.allRecords(inZoneWith: .default).map(\.recordName)).count == 40)
    // Once more from the beginning, into another database.
    let after = try database()
    #expect(try after.load(all) == found.count)
    for record in try after.allRecords(inZoneWith: Self.zone) {
      #expect(
        expected[record.recordID].map { StorageSamples.isSame($0, record) && $0.changeTag == record.changeTag } == true)
    }
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

  /// Tags are kept in whatever order zones are made and records come, and none is given twice: not in a zone that is made
  /// again, nor behind a restart to a record that was deleted before, or saved when it had been exported.
  /// A record that was changed since a database gave it is another than its tag says: who has the one before is told.
  @Test func changedRecordsHaveNewTags() throws {
    let database = try Database()
    var first = Record(recordType: "Note", recordName: "a")
    first["x"] = 1
    let saved = try database.save(first)
    var mine = saved
    mine["x"] = 5
    for isText in [false, true] {
      var edited = isText ? try Record(webServicesJSON: saved.webServicesJSON).asFetched() : saved
      edited["y"] = 2
      try database.deleteRecord(withID: saved.recordID)
      try database.load([edited])
      #expect(try database.record(for: saved.recordID).changeTag != saved.changeTag)
      expectFailure(.serverRecordChanged) { try database.save(mine) }
      // One that was not changed keeps it.
      try database.deleteRecord(withID: saved.recordID)
      try database.load([isText ? try Record(webServicesJSON: saved.webServicesJSON).asFetched() : saved])
      #expect(try database.record(for: saved.recordID) == saved)
    }
    #expect(try database.save(mine)["x"] == 5)
  }

  @Test func changeTagsOfZonesThatComeAndGo() throws {
    let zones = (0..<4).map { ZoneID(zoneName: "zone \($0)") }
    func record(_ zone: ZoneID, _ name: String = "a") -> Record {
      Record(recordType: "T", recordID: RecordID(recordName: name, zoneID: zone))
    }
    let before = try database()
    var exported: [Record] = []
    for zone in zones {
      try before.createZone(zone)
      exported.append(try before.save(before.save(record(zone))))
      exported.append(try before.save(record(zone, "b")))
    }
    var deleted = try before.save(record(zones[0], "gone"))
    try before.deleteRecord(withID: deleted.recordID)
    var newer = exported[0]
    newer["n"] = 1
    newer = try before.save(newer)
    let after = try database()
    var tags = Set((exported + [deleted, newer]).map(\.changeTag))
    #expect(tags.count == exported.count + 2)
    for var record in exported.reversed() {
      try after.load([record])
      #expect(try after.record(for: record.recordID).changeTag == record.changeTag)
      record["n"] = 2
      #expect(tags.insert(try after.save(record).changeTag).inserted)
    }
    try after.save(record(zones[0], "gone"))
    deleted["n"] = 3
    newer["n"] = 3
    for stale in [deleted, newer] { #expect(throws: ZoneQueryError.self) { try after.save(stale) } }
    for _ in 0..<5 {
      try after.deleteZone(zones[2])
      try after.load([exported[4]])
      #expect(try after.record(for: exported[4].recordID).changeTag == exported[4].changeTag)
      for _ in 0..<3 { #expect(tags.insert(try after.save(record(zones[2]), policy: .replace).changeTag).inserted) }
    }
  }

  /// A zone that a load makes is there with its records or not at all, whoever looks meanwhile.
  @Test func zonesComeWithTheirRecords() throws {
    let database = try Database()
    let names = (0..<300).map { ZoneID(zoneName: "zone \($0)") }
    let seen = OnThread {
      var counts: Set<Int> = []
      for zone in names {
        while true {
          let ids = ["a", "b"].map { RecordID(recordName: $0, zoneID: zone) }
          let found = try database.records(for: ids).filter { (try? $0.get()) != nil }.count
          guard let all = try? database.count(recordType: "T", inZoneWith: zone) else { continue }
          counts.formUnion([all, found == 0 ? 2 : found])
          break
        }
      }
      return counts
    }
    for zone in names {
      try database.load(["a", "b"].map { Record(recordType: "T", recordName: $0, zoneID: zone) })
    }
    #expect(try seen.value() == [2])
  }

  /// Of records that one commit saves, a fetch of both finds the new ones or the old ones.
  @Test func fetchesSeeWholeCommits() throws {
    let database = try Database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    let ids = ["a", "b"].map { RecordID(recordName: $0, zoneID: zone) }
    func save(_ value: Int64) throws {
      let records = ids.map { id in
        var record = Record(recordType: "T", recordID: id)
        record["n"] = .int64(value)
        return record
      }
      for result in try database.save(records, policy: .replace) { _ = try result.get() }
    }
    try save(0)
    // Many others are looked for between the two.
    let others = (0..<300).map { RecordID(recordName: "no \($0)", zoneID: zone) }
    let asked = [ids[0]] + others + [ids[1]]
    let isDone = Locked(false)
    let torn = OnThread {
      defer { isDone.withLock { $0 = true } }
      return try (0..<40).reduce(0) { torn, _ in
        let found = try database.records(for: asked)
        let isWhole = try found[0].get()["n"] == found[found.count - 1].get()["n"]
        return isWhole ? torn : torn + 1
      }
    }
    // Somebody writes for as long as they are read.
    var value: Int64 = 0
    while !isDone.withLock({ $0 }) {
      value += 1
      try save(value)
    }
    #expect(try torn.value() == 0)
  }

  /// Tags that no database gives are not kept.
  @Test(arguments: [
    "", "0", "01", "A", "+5", "-5", "9 ", "zzzzzzzzzzzz", "1y2p0ij32e8e7", "zzzzzzzzzzzzzzzzzzzz", "k2j4m", "é",
  ])
  func foreignChangeTags(_ tag: String) throws {
    let database = try database()
    var record = Record(recordType: "T", recordName: "a")
    record.changeTag = tag
    try database.load([record, Record(recordType: "T", recordName: "b")])
    var stored = try database.record(for: record.recordID)
    #expect((stored.changeTag == tag) == ["zzzzzzzzzzzz", "1y2p0ij32e8e7", "k2j4m"].contains(tag))
    for _ in 0..<3 {
      let earlier = stored.changeTag
      stored["n"] = 1
      stored = try database.save(stored)
      #expect(stored.changeTag != earlier)
    }
    #expect(try database.record(for: RecordID(recordName: "b")).changeTag != nil)
  }

  /// Nor are tags that the zone is to give next, which a hostile file may guess.
  @Test func changeTagsToCome() throws {
    let database = try database()
    let tag = try #require(try database.save(Record(recordType: "T", recordName: "a")).changeTag)
    let number = try #require(Int64(tag, radix: 36))
    for step in [Int64(7), 9, 1 << 20, 0, -1] {
      var record = Record(recordType: "T", recordName: "step \(step)")
      record.changeTag = String(number + step, radix: 36)
      try database.load([record])
      #expect((try database.record(for: record.recordID).changeTag == record.changeTag) == (step <= 0), "\(step)")
    }
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
