import Testing

@testable import ZoneQuery

/// What policies, batches and limits say of records that are there already.
struct SavePolicyTests {
  private func database(_ change: (inout Database.Configuration) -> Void = { _ in }) throws -> Database {
    var configuration = Database.Configuration()
    change(&configuration)
    return try Database(configuration: configuration)
  }

  /// As CloudKit says of `CKRecordSaveAllKeys`: keys present only on the server remain unchanged.
  @Test func allKeysLeaveWhatOnlyTheServerHas() throws {
    let database = try database()
    var record = Record(recordType: "Note", recordName: "a")
    (record["text"], record["size"], record["more"]) = ("one", 1, 2)
    record.parent = Reference(try database.save(Record(recordType: "Note", recordName: "p")).recordID)
    let whole = try database.save(record)
    // Of what was fetched in part the others stay, and so do those that somebody added.
    var part = try database.record(for: record.recordID, desiredKeys: ["text"])
    var theirs = whole
    (theirs["size"], theirs["added"]) = (9, "new")
    try database.save(theirs)
    part["text"] = "mine"
    var saved = try database.save(part, policy: .allKeys)
    #expect(saved["text"] == "mine" && saved["size"] == 9 && saved["more"] == 2 && saved["added"] == "new")
    // All that is there is written, changed or not; what was set to nil goes.
    var mine = whole
    mine["more"] = nil
    saved = try database.save(mine, policy: .allKeys)
    #expect(saved["text"] == "one" && saved["size"] == 1 && saved["more"] == nil && saved["added"] == "new")
    // One that was made anew is written over what is there, and made where nothing is.
    var fresh = Record(recordType: "Note", recordName: "a")
    fresh["size"] = 3
    saved = try database.save(fresh, policy: .allKeys)
    #expect(saved["text"] == "one" && saved["size"] == 3 && saved.parent == record.parent)
    #expect(try database.record(for: record.recordID) == saved)
    #expect(try database.save(fresh, policy: .replace).fieldNames == ["size"])
    try database.deleteRecord(withID: record.recordID)
    #expect(try database.save(mine, policy: .allKeys)["text"] == "one")
  }

  /// What a load stored beyond the limit can be changed, as long as there is no more of it.
  @Test func referencesBeyondTheLimitStay() throws {
    let database = try database { $0.limits.cascadingReferences = 5 }
    let hub = FieldValue.reference(Reference(RecordID(recordName: "hub"), action: .deleteSelf))
    func note(_ name: String) -> Record {
      var record = Record(recordType: "Note", recordName: name)
      record["ref"] = hub
      return record
    }
    try database.load((0..<8).map { note("n\($0)") })
    var record = try database.record(for: RecordID(recordName: "n3"))
    record["size"] = 1
    record = try database.save(record)
    record["again"] = hub
    #expect(failureCode { try database.save(record) } == .limitExceeded)
    #expect(failureCode { try database.save(note("new")) } == .limitExceeded)
    record["again"] = nil
    record["ref"] = nil
    #expect(failureCode { try database.save(record) } == nil)
  }

  /// One item's failure names itself in the others', and a custom zone takes each for itself where it is told to.
  @Test func oneFailureOfABatch() throws {
    let database = try database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    #expect(failureCode { try database.createZone(.default) } == .invalidZone)
    func note(_ name: String, _ value: FieldValue) -> Record {
      var record = Record(recordType: "Note", recordName: name, zoneID: zone)
      record["size"] = value
      return record
    }
    let records = [
      note("a", 1), note("b", .double(.nan)), note("c", 2), note("d", .asset(Asset(fileChecksum: "x", size: -1))),
    ]
    let whole = try database.modify(saving: records)
    #expect(
      whole.saves.map { failureCode($0.get) } == [
        .batchRequestFailed, .invalidRecord, .batchRequestFailed, .invalidRecord,
      ])
    if case .failure(let error) = whole.saves[2] { #expect(error.message.contains("'b'")) }
    let each = try database.modify(saving: records, atomically: false)
    #expect(each.saves.map { failureCode($0.get) } == [nil, .invalidRecord, nil, .invalidRecord])
    #expect(try database.count(recordType: "Note", inZoneWith: zone) == 2)
  }
}
