import Foundation
import Testing

@testable import ZoneQuery

/// What changed in a zone since a change token was made.
@Suite struct ZoneChangesTests {
  static let zone = ZoneID(zoneName: "notes")

  static func database(_ change: (inout Database.Configuration) -> Void = { _ in }) throws -> Database {
    var configuration = Database.Configuration()
    change(&configuration)
    let database = try Database(configuration: configuration)
    try database.createZone(zone)
    return database
  }

  private static func note(_ name: String, _ text: String = "") -> Record {
    var record = Record(recordType: "Note", recordName: name, zoneID: zone)
    record["text"] = .string(text)
    return record
  }

  private static func names(_ changes: RecordZoneChanges) -> [String] { changes.records.map(\.recordName) }

  private static func deleted(_ changes: RecordZoneChanges) -> [String] {
    changes.deletions.map(\.recordID.recordName)
  }

  // MARK: What is told

  @Test func allAtFirstAndThenWhatChanged() throws {
    let database = try Self.database()
    let empty = try database.recordZoneChanges(inZoneWith: Self.zone)
    #expect(empty.records.isEmpty && empty.deletions.isEmpty && !empty.moreComing)
    try database.saveAll(["a", "b", "c", "d"].map { Self.note($0, "1") })
    let first = try database.recordZoneChanges(inZoneWith: Self.zone)
    #expect(Self.names(first) == ["a", "b", "c", "d"] && first.deletions.isEmpty && !first.moreComing)
    #expect(try first.records == database.records(for: first.records.map(\.recordID)).get())
    // In the order of the last saves, whatever was first.
    try database.save(Self.note("c", "2"), policy: .replace)
    try database.deleteRecord(withID: RecordID(recordName: "a", zoneID: Self.zone))
    try database.save(Self.note("e", "1"))
    try database.save(Self.note("b", "2"), policy: .replace)
    let second = try database.recordZoneChanges(inZoneWith: Self.zone, since: first.changeToken)
    #expect(Self.names(second) == ["c", "e", "b"] && !second.moreComing)
    #expect(second.deletions.map(\.recordType) == ["Note"] && Self.deleted(second) == ["a"])
    // Nothing since; an older token tells all that it missed.
    let third = try database.recordZoneChanges(inZoneWith: Self.zone, since: second.changeToken)
    #expect(third.records.isEmpty && third.deletions.isEmpty && third.changeToken == second.changeToken)
    #expect(try database.recordZoneChanges(inZoneWith: Self.zone, since: empty.changeToken).records.count == 4)
  }

  @Test func aRecordThatIsThereAgainIsNoDeletion() throws {
    let database = try Self.database()
    try database.save(Self.note("a"))
    let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try database.deleteRecord(withID: RecordID(recordName: "a", zoneID: Self.zone))
    let gone = try database.recordZoneChanges(inZoneWith: Self.zone, since: token)
    #expect(gone.records.isEmpty && Self.deleted(gone) == ["a"])
    var other = Record(recordType: "Task", recordName: "a", zoneID: Self.zone)
    other["done"] = false
    try database.save(other)
    for since in [token, gone.changeToken] {
      let back = try database.recordZoneChanges(inZoneWith: Self.zone, since: since)
      #expect(back.records.map(\.recordType) == ["Task"] && back.deletions.isEmpty)
    }
    try database.deleteRecord(withID: other.recordID)
    let again = try database.recordZoneChanges(inZoneWith: Self.zone, since: token)
    #expect(again.records.isEmpty && again.deletions.map(\.recordType) == ["Task"])
  }

  @Test func cascadesAndMatchesAreDeletions() throws {
    let database = try Self.database()
    let parent = Self.note("parent")
    var child = Self.note("child", "x")
    child["of"] = .reference(Reference(parent.recordID, action: .deleteSelf))
    try database.saveAll([parent, child, Self.note("m1", "old"), Self.note("m2", "old")])
    let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try database.deleteRecord(withID: parent.recordID)
    try database.deleteRecords(
      matching: Query(recordType: "Note", predicate: QueryPredicate(format: "text = 'old'")), inZoneWith: Self.zone)
    let changes = try database.recordZoneChanges(inZoneWith: Self.zone, since: token)
    #expect(changes.records.isEmpty && Self.deleted(changes) == ["parent", "child", "m1", "m2"])
  }

  @Test func aFailedBatchChangesNothing() throws {
    let database = try Self.database()
    try database.save(Self.note("a"))
    let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    let results = try database.modify(
      saving: [Self.note("b"), Self.note("a")], deleting: [RecordID(recordName: "c", zoneID: Self.zone)])
    #expect(results.saves.allSatisfy { (try? $0.get()) == nil })
    let changes = try database.recordZoneChanges(inZoneWith: Self.zone, since: token)
    #expect(changes.records.isEmpty && changes.deletions.isEmpty && changes.changeToken == token)
  }

  @Test func fieldsThatAreWantedAndLimits() throws {
    let database = try Self.database()
    try database.saveAll((0..<10).map { Self.note("n\($0)", "text \($0)") })
    let bare = try database.recordZoneChanges(inZoneWith: Self.zone, desiredKeys: [], resultsLimit: 4)
    #expect(bare.records.count == 4 && bare.moreComing && bare.records.allSatisfy { $0.fieldCount == 0 })
    let rest = try database.recordZoneChanges(
      inZoneWith: Self.zone, since: bare.changeToken, desiredKeys: ["text", "other"])
    #expect(rest.records.map { $0["text"] } == (4..<10).map { .string("text \($0)") } && !rest.moreComing)
    // A page that ends with the last record says so.
    let whole = try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: 10)
    #expect(whole.records.count == 10 && !whole.moreComing)
    #expect(whole.changeToken == rest.changeToken)
    expectFailure(.invalidQuery) { try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: 0) }
    #expect(try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: .max).records.count == 10)
    var limited = Database.Limits()
    limited.itemsPerOperation = 3
    let small = try Self.database { $0.limits = limited }
    for number in 0..<5 { try small.save(Self.note("\(number)")) }
    #expect(try small.recordZoneChanges(inZoneWith: Self.zone).records.count == 3)
  }

  /// Who reads all records in pages is told of what is written meanwhile behind them.
  @Test func writesBetweenThePagesOfAll() throws {
    let database = try Self.database()
    try database.saveAll((0..<6).map { Self.note("n\($0)", "1") })
    let first = try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: 3)
    try database.save(Self.note("n0", "2"), policy: .replace)
    try database.save(Self.note("n5", "2"), policy: .replace)
    try database.deleteRecord(withID: RecordID(recordName: "n1", zoneID: Self.zone))
    try database.deleteRecord(withID: RecordID(recordName: "n3", zoneID: Self.zone))
    try database.save(Self.note("n6", "1"))
    let second = try database.recordZoneChanges(inZoneWith: Self.zone, since: first.changeToken, resultsLimit: 3)
    #expect(Self.names(first) == ["n0", "n1", "n2"] && Self.names(second) == ["n4", "n0", "n5"])
    #expect(second.moreComing && second.deletions.isEmpty)
    let third = try database.recordZoneChanges(inZoneWith: Self.zone, since: second.changeToken)
    #expect(Self.deleted(third) == ["n1", "n3"] && Self.names(third) == ["n6"] && !third.moreComing)
  }

  // MARK: What expires

  @Test func aZoneThatIsCreatedAgain() throws {
    let database = try Self.database()
    try database.save(Self.note("a"))
    let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try database.deleteZone(Self.zone)
    expectFailure(.zoneNotFound) { try database.recordZoneChanges(inZoneWith: Self.zone, since: token) }
    try database.createZone(Self.zone)
    expectFailure(.changeTokenExpired) { try database.recordZoneChanges(inZoneWith: Self.zone, since: token) }
  }

  @Test func moreDeletionsThanAreRemembered() throws {
    let database = try Self.database { $0.limits.rememberedDeletions = 2 }
    try database.saveAll((0..<8).map { Self.note("n\($0)") })
    let all = try database.recordZoneChanges(inZoneWith: Self.zone)
    let half = try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: 4)
    func delete(_ name: String) throws -> ChangeToken {
      try database.deleteRecord(withID: RecordID(recordName: name, zoneID: Self.zone))
      return try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    }
    let one = try delete("n0")
    _ = try delete("n1")
    #expect(
      try Self.deleted(database.recordZoneChanges(inZoneWith: Self.zone, since: all.changeToken)) == ["n0", "n1"])
    // One that is there again needs no remembering.
    try database.save(Self.note("n0"))
    _ = try delete("n2")
    let kept = try database.recordZoneChanges(inZoneWith: Self.zone, since: all.changeToken)
    #expect(Self.deleted(kept) == ["n1", "n2"] && Self.names(kept) == ["n0"])
    _ = try delete("n3")
    for token in [all.changeToken, half.changeToken, one] {
      expectFailure(.changeTokenExpired) { try database.recordZoneChanges(inZoneWith: Self.zone, since: token) }
    }
    let none = try Self.database { $0.limits.rememberedDeletions = 0 }
    try none.save(Self.note("a"))
    let token = try none.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try none.save(Self.note("b"))
    #expect(try Self.names(none.recordZoneChanges(inZoneWith: Self.zone, since: token)) == ["b"])
    try none.deleteRecord(withID: RecordID(recordName: "b", zoneID: Self.zone))
    expectFailure(.changeTokenExpired) { try none.recordZoneChanges(inZoneWith: Self.zone, since: token) }
  }

  /// Records that bring their change tags along have numbers of their own.
  @Test func loadsWithTags() throws {
    let source = try Self.database()
    try source.saveAll((0..<5).map { Self.note("s\($0)") })
    let records = try source.recordZoneChanges(inZoneWith: Self.zone).records
    let database = try Self.database()
    try database.save(Self.note("a"))
    let token = try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: 1).changeToken
    // Without tags of their own they are changes as all others.
    try database.load((0..<3).map { Self.note("l\($0)") })
    #expect(
      try Self.names(database.recordZoneChanges(inZoneWith: Self.zone, since: token)) == ["l0", "l1", "l2"])
    let before = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try database.load(records)
    expectFailure(.changeTokenExpired) { try database.recordZoneChanges(inZoneWith: Self.zone, since: before) }
    // All are told, in pages of any size, once.
    for limit in 1...10 {
      let (found, deleted, _) = try database.allChanges(inZoneWith: Self.zone, limit: limit)
      #expect(Set(found.map(\.recordName)).count == 9 && found.count == 9 && deleted.isEmpty)
    }
    let after = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try database.save(Self.note("s3", "new"), policy: .replace)
    try database.deleteRecord(withID: RecordID(recordName: "s1", zoneID: Self.zone))
    let changes = try database.recordZoneChanges(inZoneWith: Self.zone, since: after)
    #expect(Self.names(changes) == ["s3"] && Self.deleted(changes) == ["s1"])
  }

  /// Many records under one tag, which is above or below all that the zone gives.
  @Test func oneTagForAll() throws {
    for tag in ["1", String(Int64.max, radix: 36)] {
      let database = try Self.database()
      try database.load(
        (0..<300).map { number in
          var record =
            number % 3 == 0
            ? Self.note("n\(number)") : Record(recordType: "B", recordName: "b\(number)", zoneID: Self.zone)
          record.changeTag = tag
          return record
        })
      try database.saveAll((0..<20).map { Self.note("s\($0)") })
      for limit in [1, 7, 100, 319, 320, 321] {
        let (found, _, pages) = try database.allChanges(inZoneWith: Self.zone, limit: limit)
        #expect(found.count == 320 && Set(found.map(\.recordName)).count == 320)
        #expect(pages == (320 + limit - 1) / limit)
      }
    }
  }

  /// Zones are paged through to the end however many were deleted before.
  @Test func pagesOfZonesThatAreOlderThanWhatIsRemembered() throws {
    let database = try Self.database { $0.limits.rememberedDeletions = 4 }
    let old = (0..<3).map { ZoneID(zoneName: "old\($0)") }
    for zone in old { try database.createZone(zone) }
    for number in 0..<10 {
      try database.createZone(ZoneID(zoneName: "t\(number)"))
      try database.deleteZone(ZoneID(zoneName: "t\(number)"))
    }
    var changes = try database.databaseChanges(resultsLimit: 1)
    var found = changes.changedZoneIDs
    while changes.moreComing, found.count < 10 {
      changes = try database.databaseChanges(since: changes.changeToken, resultsLimit: 1)
      found += changes.changedZoneIDs
      #expect(changes.deletedZoneIDs.isEmpty && changes.changedZoneIDs.count == 1)
    }
    #expect(found == [Self.zone] + old)
    // As many are remembered as are to be.
    for zone in old + [Self.zone] { try database.deleteZone(zone) }
    let gone = try database.databaseChanges(since: changes.changeToken)
    #expect(gone.deletedZoneIDs == old + [Self.zone] && gone.changedZoneIDs.isEmpty)
    try database.createZone(old[0])
    try database.createZone(ZoneID(zoneName: "last"))
    try database.deleteZone(ZoneID(zoneName: "last"))
    #expect(
      try database.databaseChanges(since: changes.changeToken).deletedZoneIDs
        == [old[1], old[2], Self.zone, ZoneID(zoneName: "last")])
    try database.deleteZone(old[0])
    expectFailure(.changeTokenExpired) { try database.databaseChanges(since: changes.changeToken) }
  }

  // MARK: What is refused

  @Test func zonesWithoutChangesAndForeignTokens() throws {
    let database = try Self.database()
    let other = ZoneID(zoneName: "other")
    try database.createZone(other)
    expectFailure(.invalidZone) { try database.recordZoneChanges(inZoneWith: .default) }
    expectFailure(.zoneNotFound) { try database.recordZoneChanges(inZoneWith: ZoneID(zoneName: "none")) }
    let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    expectFailure(.invalidChangeToken) { try database.recordZoneChanges(inZoneWith: other, since: token) }
    expectFailure(.invalidChangeToken) { try database.databaseChanges(since: token) }
    let whole = try database.databaseChanges().changeToken
    expectFailure(.invalidChangeToken) { try database.recordZoneChanges(inZoneWith: Self.zone, since: whole) }
    // Another database has another key, or, with the same, another zone.
    expectFailure(.invalidChangeToken) { try Self.database().recordZoneChanges(inZoneWith: Self.zone, since: token) }
    let key = (0..<16).map { UInt8($0) }
    let (one, two) = (try Self.database { $0.cursorKey = key }, try Self.database { $0.cursorKey = key })
    let mine = try one.recordZoneChanges(inZoneWith: Self.zone).changeToken
    expectFailure(.changeTokenExpired) { try two.recordZoneChanges(inZoneWith: Self.zone, since: mine) }
    expectFailure(.changeTokenExpired) { try two.databaseChanges(since: one.databaseChanges().changeToken) }
  }

  @Test func tokensAsTextAndJSON() throws {
    let database = try Self.database()
    try database.saveAll((0..<3).map { Self.note("n\($0)") })
    let part = try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: 1).changeToken
    for token in [part, try database.recordZoneChanges(inZoneWith: Self.zone).changeToken] {
      #expect(ChangeToken("\(token)") == token)
      #expect(try ChangeToken(data: token.data) == token)
      #expect(try JSONDecoder().decode([ChangeToken].self, from: JSONEncoder().encode([token])) == [token])
    }
    #expect(try Self.names(database.recordZoneChanges(inZoneWith: Self.zone, since: part)) == ["n1", "n2"])
    for text in ["", "?", "QUJD", String(repeating: "A", count: 1_500_000)] {
      #expect(ChangeToken(text) == nil)
      expectFailure(.invalidChangeToken) { try ChangeToken(text: text) }
    }
    // Whoever shows one does not show the key with it.
    var shown = ""
    let cursor = try database.records(matching: Query(recordType: "Note"), resultsLimit: 1).cursor
    dump((part, cursor), to: &shown)
    #expect(shown.contains("key: a key") && !shown.contains("low") && !shown.contains("high"), "\(shown)")
    expectFailure(.invalidChangeToken) { try ChangeToken(text: try #require(cursor).description) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ChangeToken.self, from: Data("\"x\"".utf8)) }
  }

  /// Every bit and every length of a token; then contents that no database wrote, under its own key.
  @Test func damagedAndStrangeTokens() throws {
    let key = (0..<16).map { UInt8($0) }
    let database = try Self.database { $0.cursorKey = key }
    try database.saveAll((0..<9).map { Self.note("n\($0)") })
    try database.deleteRecord(withID: RecordID(recordName: "n4", zoneID: Self.zone))
    try database.createZone(ZoneID(zoneName: "other"))
    let tokens = [
      try database.recordZoneChanges(inZoneWith: Self.zone, resultsLimit: 2).changeToken,
      try database.recordZoneChanges(inZoneWith: Self.zone).changeToken, try database.databaseChanges().changeToken,
      try database.databaseChanges(resultsLimit: 1).changeToken,
    ]
    func ask(_ bytes: [UInt8]) throws -> Int {
      let token = try ChangeToken(data: bytes)
      if let changes = try? database.databaseChanges(since: token) { return changes.count }
      let changes = try database.recordZoneChanges(inZoneWith: Self.zone, since: token)
      return changes.records.count
    }
    var (refused, answered, zones) = (0, 0, 0)
    for token in tokens {
      for index in token.data.indices {
        for bit in 0..<8 {
          var bytes = token.data
          bytes[index] ^= 1 << UInt8(bit)
          expectFailure(.invalidChangeToken) { try ask(bytes) }
        }
        expectFailure(.invalidChangeToken) { try ask(Array(token.data[..<index])) }
        expectFailure(.invalidChangeToken) { try ask(token.data + token.data[...index]) }
        refused += 10
      }
    }
    var random = SplitMix(seed: 5)
    let sealKey = try #require(SipHash.Key(key))
    for _ in 0..<TestAmount.of(20_000, long: 400_000) {
      var bytes = Array(tokens[random.below(tokens.count)].data.dropLast(16))
      for _ in 0...random.next() % 3 {
        let place = 4 + Int(random.next() % UInt64(bytes.count - 4))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] = [0, 1, 2, 0x7F, 0x80, 0xFF][Int(random.next() % 6)]
        case 2: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next() % 4), at: place)
        }
        if bytes.count < 8 { break }
      }
      do throws(ZoneQueryError) {
        let token = try ChangeToken(data: bytes + SipHash.tag(of: bytes, key: sealKey))
        if let changes = try? database.databaseChanges(since: token, resultsLimit: 1 + random.below(3)) {
          #expect(changes.count <= 2)
          zones += 1
          continue
        }
        let changes = try database.recordZoneChanges(inZoneWith: Self.zone, since: token)
        #expect(changes.records.count <= 8 && changes.deletions.count <= 1)
        answered += 1
      } catch {
        #expect([.invalidChangeToken, .changeTokenExpired].contains(error.code))
        refused += 1
      }
    }
    print("change tokens: \(refused) refused, \(answered) answered, \(zones) about zones")
    #expect(refused > TestAmount.of(15_000) && answered > TestAmount.of(200) && zones > TestAmount.of(100))
  }

  // MARK: What it costs

  /// What a record of a custom zone takes more than one of the default zone, and what a deletion that is remembered takes.
  @Test func whatTrackingTakes() throws {
    let database = try Self.database()
    let count = TestAmount.isFull ? 20_000 : 8_000
    func record(_ number: Int, _ zone: ZoneID) -> Record {
      Record(recordType: "Note", recordName: "note-\(100_000 + number)", zoneID: zone)
    }
    func bytes(_ zone: ZoneID) throws -> Double { Double(try database.memory(ofZone: zone).liveBytes) }
    for zone in [.default, Self.zone] { try database.load((0..<count).map { record($0, zone) }) }
    let each = (try bytes(Self.zone) - bytes(.default)) / Double(count)
    for zone in [.default, Self.zone] {
      try database.deleteRecords(matching: Query(recordType: "Note"), inZoneWith: zone)
    }
    let deletion = (try bytes(Self.zone) - bytes(.default)) / Double(count)
    print("bytes that tracking takes: \(each) a record, \(deletion) a deletion of a name of 11")
    #expect(each > 10 && each < 16 && deletion > 20 && deletion < 75)
  }

  /// A zone that is written to for long keeps as much as it has records and remembers deletions.
  @Test func memoryDoesNotGrow() throws {
    let database = try Self.database { $0.limits.rememberedDeletions = 100 }
    func churn(_ rounds: Range<Int>) throws {
      for round in rounds {
        for number in 0..<30 { try database.save(Self.note("n\(number)", "\(round)"), policy: .replace) }
        for number in 0..<20 {
          try database.save(Self.note("gone \(round) \(number)"))
          try database.deleteRecord(withID: RecordID(recordName: "gone \(round) \(number)", zoneID: Self.zone))
        }
      }
    }
    try churn(0..<8)
    let early = try database.memory(ofZone: Self.zone).liveBytes
    try churn(8..<40)
    let late = try database.memory(ofZone: Self.zone).liveBytes
    #expect(late < early + early / 8)
  }
}

extension Database {
  /// All that changed, in pages: the records and the IDs in the order in which they are told, and how many pages there were.
  func allChanges(
    inZoneWith zoneID: ZoneID, since token: ChangeToken? = nil, limit: Int
  ) throws -> (records: [Record], deleted: [RecordID], pages: Int) {
    var (records, deleted, pages): ([Record], [RecordID], Int) = ([], [], 0)
    var token = token
    while true {
      let changes = try recordZoneChanges(inZoneWith: zoneID, since: token, resultsLimit: limit)
      records += changes.records
      deleted += changes.deletions.map(\.recordID)
      pages += 1
      token = changes.changeToken
      if !changes.moreComing { return (records, deleted, pages) }
      if changes.records.count + changes.deletions.count != limit { return ([], [], -1) }
    }
  }
}
