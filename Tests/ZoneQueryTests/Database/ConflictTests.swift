import Testing

@testable import ZoneQuery

/// What a record says of its changes, merging what two clients changed, and the values of a batch.
struct ConflictTests {
  @Test func changedKeysAreThoseThatDiffer() throws {
    let database = try Database()
    var record = Record(recordType: "Note", recordName: "a")
    (record["x"], record["y"]) = (1, "s")
    #expect(record.changedKeys == ["x", "y"])
    var saved = try database.save(record)
    #expect(saved.changedKeys.isEmpty)
    saved["x"] = 1
    #expect(saved.changedKeys.isEmpty)
    (saved["x"], saved["z"], saved["y"], saved["b"]) = (2, 3, nil, nil)
    #expect(saved.changedKeys == ["x", "z", "b", "y"])
    #expect(try database.save(saved).changedKeys.isEmpty)
    #expect(try database.record(for: record.recordID, desiredKeys: ["x"]).changedKeys.isEmpty)
  }

  @Test func aBatchThrowsWhatMadeItFail() throws {
    let database = try Database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    func note(_ name: String, _ value: FieldValue) -> Record {
      var record = Record(recordType: "Note", recordName: name, zoneID: zone)
      record["x"] = value
      return record
    }
    expectFailure(.invalidRecord) { try database.save([note("a", 1), note("b", .double(.nan))]).get() }
    #expect(try database.save([note("a", 1), note("b", 2)]).get().map(\.recordID.recordName) == ["a", "b"])
    expectFailure(.unknownItem) { try database.records(for: [RecordID(recordName: "a")]).get() }
    #expect(try database.deleteRecords(withIDs: [RecordID(recordName: "a", zoneID: zone)]).get().count == 1)
    #expect(try [Result<Int, ZoneQueryError>]().get().isEmpty)
  }

  /// Two clients change what one record was; the merged record has both their changes, and is taken.
  @Test func mergedRecordsHaveBothChanges() throws {
    var random = SplitMix(seed: 31)
    let database = try Database()
    let names = ["p", "q", "r", "s", "t"]
    func draw(_ record: inout Record) {
      for name in names where random.below(4) > 0 {
        record[name] = random.below(4) == 0 ? nil : .int64(Int64(random.below(3)))
      }
    }
    try database.save(Record(recordType: "Note", recordName: "parent"))
    var (checks, both) = (0, 0)
    for round in 0..<TestAmount.of(2_000) {
      var first = Record(recordType: "Note", recordName: "n\(round)")
      draw(&first)
      let ancestor = try database.save(first)
      var (mine, theirs) = (ancestor, ancestor)
      draw(&theirs)
      theirs = try database.save(theirs)
      draw(&mine)
      let takesParent = random.below(2) == 0
      if takesParent { mine.parent = Reference(RecordID(recordName: "parent")) }
      let error = try #require(throws: ZoneQueryError.self) { try database.save(mine) }
      let conflict = try #require(error.conflict)
      let prefersServer = random.below(2) == 0
      var asked: Set<String> = []
      let saved = try database.save(
        conflict.merged { key, old, client, server in
          both += 1
          asked.insert(key)
          #expect(old == ancestor[key] && client == mine[key] && server == theirs[key])
          #expect(client != old && server != old)
          return prefersServer ? server : client
        })
      // Whoever keeps records as text, and whoever finds out by other means, come to the same.
      var kept = try Record(webServicesJSON: ancestor.webServicesJSON).asFetched()
      #expect(kept.changedKeys.isEmpty && kept == ancestor)
      for name in names where mine[name] != ancestor[name] { kept[name] = mine[name] }
      kept.parent = mine.parent
      let whole = try Record(webServicesJSON: ancestor.webServicesJSON)
      var other = Record(recordType: "Note", recordID: mine.recordID)
      for name in names { other[name] = mine[name] }
      other.parent = mine.parent
      let others = [
        ZoneQueryError.Conflict(serverRecord: theirs, clientRecord: kept),
        ZoneQueryError.Conflict(serverRecord: theirs, clientRecord: other, ancestorRecord: whole),
      ]
      for other in others { #expect(other.merged() == conflict.merged()) }
      for name in names {
        let (old, ours, other) = (ancestor[name], mine[name], theirs[name])
        let expected = ours == old ? other : other == old || !prefersServer ? ours : other
        #expect(asked.contains(name) == (ours != old && other != old))
        #expect(saved[name] == expected, "\(name): \(String(describing: (old, ours, other)))")
        checks += 1
      }
      #expect((saved.parent != nil) == takesParent)
      if round % 7 == 0 { #expect(conflict.merged()["p"] == (mine["p"] == ancestor["p"] ? theirs["p"] : mine["p"])) }
    }
    print("merged records: \(checks) fields, \(both) that both had changed")
    #expect(checks >= TestAmount.of(10_000) && both > TestAmount.of(1_000))
  }

  /// What was not fetched may have been there: a field that was set to nil goes. So does a parent.
  @Test func removalsAreMerged() throws {
    let database = try Database()
    var record = Record(recordType: "Note", recordName: "a")
    (record["x"], record["y"]) = (1, 2)
    record.parent = Reference(try database.save(Record(recordType: "Note", recordName: "p")).recordID)
    var theirs = try database.save(record)
    var part = try database.record(for: record.recordID, desiredKeys: ["y"])
    part["x"] = nil
    part.parent = nil
    theirs["y"] = 9
    try database.save(theirs)
    var conflict = try #require(#require(throws: ZoneQueryError.self) { try database.save(part) }.conflict)
    #expect(conflict.merged()["x"] == nil && conflict.merged()["y"] == 9 && conflict.merged().parent == nil)
    let read = try Record(
      webServicesJSON:
        #"{"recordName": "a", "recordType": "Note", "recordChangeTag": "old", "fields": {}, "parent": null}"#)
    conflict = try #require(#require(throws: ZoneQueryError.self) { try database.save(read) }.conflict)
    #expect(conflict.merged().parent == nil && conflict.merged()["x"] == 1)
  }

  /// Of a record that a client made anew, all that differs was changed by both.
  @Test func conflictsOfNewRecords() throws {
    let database = try Database()
    var record = Record(recordType: "Note", recordName: "a")
    (record["x"], record["y"]) = (1, 2)
    try database.save(record)
    var mine = Record(recordType: "Note", recordName: "a")
    (mine["x"], mine["z"]) = (5, 6)
    let conflict = try #require(#require(throws: ZoneQueryError.self) { try database.save(mine) }.conflict)
    var asked: [String] = []
    let merged = conflict.merged { key, _, client, _ in
      asked.append(key)
      return client
    }
    #expect(asked == ["x"] && merged["x"] == 5 && merged["y"] == 2 && merged["z"] == 6)
    #expect(try database.save(merged).fieldCount == 3)
  }
}
