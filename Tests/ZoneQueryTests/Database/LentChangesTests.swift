import Testing

@testable import ZoneQuery

/// What changed in a zone, read in place.
@Suite struct LentChangesTests {
  private static let zone = ZoneChangesTests.zone

  private static func database() throws -> Database { try ZoneChangesTests.database() }

  private static func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zone) }

  private static func record(_ type: String, _ name: String, _ value: FieldValue) -> Record {
    var record = Record(recordType: type, recordName: name, zoneID: zone)
    record["value"] = value
    return record
  }

  @Test func theSameAsValues() throws {
    let database = try Self.database()
    let start = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    // Types take turns, and one has its field at the place and of the kind of another's.
    var random = SplitMix(seed: 5)
    for round in 0..<40 {
      for number in 0..<8 where random.below(3) > 0 {
        let name = "\(number)-\(random.below(6))"
        switch number % 3 {
        case 0: try database.save(Self.record("Note", name, .string("note \(round)")), policy: .replace)
        case 1: try database.save(Self.record("Task", name, .int64(Int64(round))), policy: .replace)
        default: try database.save(Self.record("Mark", name, .string("mark \(round)")), policy: .replace)
        }
        if random.below(4) == 0 { try database.deleteRecord(withID: Self.id(name)) }
      }
    }
    var compared = 0
    for limit in [1, 2, 3, 7, 1_000] {
      for since in [nil, start] {
        var token = since
        var hasMore = true
        while hasMore {
          let values = try database.recordZoneChanges(inZoneWith: Self.zone, since: token, resultsLimit: limit)
          let lent = try database.lentChanges(inZoneWith: Self.zone, since: token, resultsLimit: limit)
          #expect(lent == values)
          compared += values.records.count + values.deletions.count
          (token, hasMore) = (values.changeToken, values.moreComing)
        }
      }
    }
    #expect(compared > 300)
  }

  @Test func fieldsAreReadInPlace() throws {
    let database = try Self.database()
    try database.saveAll([
      Self.record("Note", "a", "one"), Self.record("Task", "b", 2), Self.record("Note", "c", "three"),
    ])
    let text = try database.field("value", ofType: "Note")
    let number = try database.field("value", ofType: "Task")
    var read: [String] = []
    let end = try database.forEachRecordZoneChange(inZoneWith: Self.zone) { record in
      let name = record.withRecordName { String(copying: $0) }
      read.append("\(record.recordType) \(name) \(record.string(text) ?? "-") \(record.int64(number) ?? 0)")
      #expect(record.recordID == Self.id(name) && record.changeNumber > 0 && record.creationDate != nil)
    } deleted: { deletion in
      Issue.record("\(deletion) was not deleted")
    }
    #expect(read == ["Note a one 0", "Task b - 2", "Note c three 0"] && !end.moreComing)
    #expect(try end.changeToken == database.recordZoneChanges(inZoneWith: Self.zone).changeToken)
    expectFailure(.unknownRecordType) { try database.field("value", ofType: "Notes") }
    expectFailure(.invalidQuery) { try database.field("valeu", ofType: "Note") }
  }

  @Test func whoThrowsGetsNoToken() throws {
    let database = try Self.database()
    try database.saveAll([Self.record("Note", "a", "1"), Self.record("Note", "b", "2")])
    let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try database.save(Self.record("Note", "a", "3"), policy: .replace)
    try database.deleteRecord(withID: Self.id("b"))
    let enough = ZoneQueryError(.database, .invalidQuery, "enough")
    for failsAtRecord in [true, false] {
      var calls = 0
      expectFailure(.invalidQuery) {
        try database.forEachRecordZoneChange(inZoneWith: Self.zone, since: token) { _ throws(ZoneQueryError) in
          calls += 1
          if failsAtRecord { throw enough }
        } deleted: { _ throws(ZoneQueryError) in
          calls += 1
          throw enough
        }
      }
      #expect(calls == (failsAtRecord ? 1 : 2))
    }
    let lent = try database.lentChanges(inZoneWith: Self.zone, since: token)
    #expect(lent.records.count == 1 && lent.deletions.map(\.recordID) == [Self.id("b")])
  }

  @Test func writesMeanwhileComeLater() throws {
    let database = try Self.database()
    try database.saveAll((0..<20).map { Self.record("Note", "n\($0)", "old") })
    let text = try database.field("value", ofType: "Note")
    var seen = 0
    let end = try database.forEachRecordZoneChange(inZoneWith: Self.zone) { record throws(ZoneQueryError) in
      // A commit each, and other records in the places of those that go.
      let name = record.withRecordName { String(copying: $0) }
      try database.deleteRecord(withID: Self.id(name))
      try database.save(Self.record("Note", "new-\(name)", "new"))
      #expect(record.string(text) == "old")
      seen += 1
    } deleted: { _ in
      seen += 100
    }
    #expect(seen == 20 && !end.moreComing)
    let later = try database.lentChanges(inZoneWith: Self.zone, since: end.changeToken)
    #expect(later.records.count == 20 && later.records.allSatisfy { $0.string("value") == "new" })
    #expect(later.deletions.count == 20)
  }

  @Test func whatIsRefused() throws {
    let database = try Self.database()
    try database.save(Self.record("Note", "a", "1"))
    _ = try database.forEachRecordZoneChange(inZoneWith: Self.zone) { record in
      do throws(ZoneQueryError) {
        _ = try record.cursor()
        Issue.record("there is no cursor")
      } catch {
        #expect(error.code == .invalidCursor && error.hint?.contains("change token") == true)
      }
    } deleted: { _ in
    }
    func ask(_ zoneID: ZoneID, _ limit: Int? = nil) throws {
      _ = try database.forEachRecordZoneChange(inZoneWith: zoneID, resultsLimit: limit) { _ in
        Issue.record("nothing is lent")
      } deleted: { _ in
      }
    }
    expectFailure(.invalidZone) { try ask(.default) }
    expectFailure(.zoneNotFound) { try ask(ZoneID(zoneName: "none")) }
    expectFailure(.invalidQuery) { try ask(Self.zone, 0) }
    let token = try database.recordZoneChanges(inZoneWith: Self.zone).changeToken
    try database.deleteZone(Self.zone)
    try database.createZone(Self.zone)
    expectFailure(.changeTokenExpired) { try database.lentChanges(inZoneWith: Self.zone, since: token) }
  }
}

extension Database {
  /// A page of what changed in a zone, of which each part is taken where it lies.
  func lentChanges(
    inZoneWith zoneID: ZoneID, since token: ChangeToken? = nil, resultsLimit: Int? = nil
  ) throws(ZoneQueryError) -> RecordZoneChanges {
    var (records, deletions): ([Record], [RecordZoneChanges.Deletion]) = ([], [])
    let end = try forEachRecordZoneChange(inZoneWith: zoneID, since: token, resultsLimit: resultsLimit) { record in
      records.append(record.record())
    } deleted: { deletion in
      deletions.append(deletion)
    }
    return RecordZoneChanges(
      records: records, deletions: deletions, changeToken: end.changeToken, moreComing: end.moreComing)
  }
}
