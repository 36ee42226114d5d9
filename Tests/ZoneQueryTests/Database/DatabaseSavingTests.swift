import Testing

@testable import ZoneQuery

struct DatabaseSavingTests {
  let clock = TestClock()

  private func database(
    _ schema: Schema? = nil, scope: Database.Scope = .private,
    _ change: (inout Database.Configuration) -> Void = { _ in }
  ) throws -> Database {
    var configuration = Database.Configuration()
    configuration.scope = scope
    configuration.clock = clock.read
    change(&configuration)
    return try Database(schema: schema, configuration: configuration)
  }

  @Test func savingGivesSystemFields() throws {
    let database = try database { $0.userRecordName = "_me" }
    var record = Record(recordType: "Note", recordName: "a")
    record["text"] = "hello"
    let saved = try database.save(record)
    #expect(saved.creationDate == clock.now && saved.modificationDate == clock.now)
    #expect(saved.creatorUserRecordID?.recordName == "_me" && saved.changeTag != nil)
    clock.advance(5)
    var changed = saved
    changed["text"] = "bye"
    let again = try database.save(changed)
    #expect(again.creationDate == saved.creationDate)
    #expect(again.modificationDate == Timestamp(milliseconds: saved.modificationDate!.milliseconds + 5))
    #expect(again.changeTag != saved.changeTag)
    #expect(try database.record(for: record.recordID) == again)
    #expect(try database.record(for: record.recordID, desiredKeys: []).fieldCount == 0)
    #expect(try database.count(recordType: "Note") == 1)
  }

  @Test func aRecordWithoutANameGetsAUUID() throws {
    let database = try database()
    let saved = try database.save(Record(recordType: "Note"))
    #expect(saved.recordID.recordName.utf8.count == 36)
    #expect(saved.recordID != Record(recordType: "Note").recordID)
  }

  @Test func savingReturnsTheFieldsWanted() throws {
    let database = try database()
    var record = Record(recordType: "Note", recordName: "a")
    record["text"] = "one"
    record["size"] = 1
    record["place"] = "here"
    let first = try database.save(record, desiredKeys: [])
    #expect(first.fieldCount == 0 && first.creationDate == clock.now && first.changeTag != nil)
    var change = Record(recordType: "Note", recordName: "a")
    change["size"] = 2
    let some = try database.save(change, policy: .changedKeys, desiredKeys: ["text", "size", "none"])
    #expect(some["text"] == "one" && some["size"] == 2 && some.fieldCount == 2)
    let all = try database.save([change], policy: .changedKeys)[0].get()
    #expect(try database.record(for: record.recordID) == all && all["place"] == "here")
    // What is returned in part is saved in part.
    var part = try database.save(change, policy: .changedKeys, desiredKeys: ["size"])
    part["size"] = 3
    part["colour"] = "red"
    #expect(try database.save(part)["place"] == "here")
    let stored = try database.record(for: record.recordID)
    #expect(stored["text"] == "one" && stored["size"] == 3 && stored["colour"] == "red" && stored.fieldCount == 4)
    let results = try database.modify(saving: [stored], deleting: [], policy: .replace, desiredKeys: ["place"])
    #expect(try results.saves[0].get().fieldNames == ["place"])
  }

  @Test func aTooLargeRecordIsRefusedWithWhatItKeeps() throws {
    let database = try database { $0.limits.recordSize = 1_000 }
    var record = Record(recordType: "Note", recordName: "a")
    record["text"] = .string(String(repeating: "x", count: 500))
    record["words"] = .stringList(Array(repeating: "", count: 40))
    try database.save(record)
    var change = Record(recordType: "Note", recordName: "a")
    change["more"] = .string(String(repeating: "y", count: 300))
    #expect(failureCode { try database.save(change, policy: .changedKeys) } == .limitExceeded)
    change["more"] = .string(String(repeating: "y", count: 200))
    #expect(try database.save(change, policy: .changedKeys).fieldCount == 3)
    #expect(try database.save(change, policy: .replace).fieldCount == 1)
  }

  @Test func savePolicies() throws {
    let database = try database()
    var record = Record(recordType: "Note", recordName: "a")
    record["text"] = "one"
    record["size"] = 1
    let first = try database.save(record)
    var mine = first
    mine["text"] = "mine"
    var theirs = first
    theirs["text"] = "theirs"
    try database.save(theirs)
    do {
      try database.save(mine)
      Issue.record("a stale record was saved")
    } catch {
      #expect(error.code == .serverRecordChanged)
      #expect(error.conflict?.serverRecord["text"] == "theirs" && error.conflict?.clientRecord["text"] == "mine")
    }
    #expect(failureCode { try database.save(record) } == .serverRecordChanged)
    var partial = Record(recordType: "Note", recordName: "a")
    partial["text"] = "partial"
    #expect(try database.save(partial, policy: .changedKeys)["size"] == 1)
    #expect(try database.save(partial, policy: .replace)["size"] == nil)
    try database.deleteRecord(withID: record.recordID)
    #expect(failureCode { try database.save(first) } == .unknownItem)
    #expect(failureCode { try database.deleteRecord(withID: record.recordID) } == .unknownItem)
    #expect(failureCode { try database.record(for: record.recordID) } == .unknownItem)
  }

  @Test func aCustomZoneCommitsAllOrNone() throws {
    let database = try database()
    let zone = ZoneID(zoneName: "Notes")
    #expect(
      failureCode { try database.save(Record(recordType: "Note", recordName: "a", zoneID: zone)) } == .zoneNotFound)
    try database.createZone(zone)
    var good = Record(recordType: "Note", recordName: "good", zoneID: zone)
    good["size"] = 1
    var bad = Record(recordType: "Note", recordName: "bad", zoneID: zone)
    bad["size"] = .double(.nan)
    let results = try database.save([good, bad])
    #expect(results.map { failureCode($0.get) } == [.batchRequestFailed, .invalidRecord])
    #expect(try database.count(recordType: "Note") == 0)
    #expect(database.schema["Note"] == nil, "a failed commit leaves nothing behind")
    let inDefault = try database.save([
      Record(recordType: "Note", recordName: "good"), Record(recordType: "No te", recordName: "bad"),
    ])
    #expect(inDefault.map { failureCode($0.get) } == [nil, .invalidRecord])
    let mixed = try database.modify(saving: [good], deleting: [RecordID(recordName: "none", zoneID: zone)])
    #expect(mixed.saves.map { failureCode($0.get) } == [.batchRequestFailed])
    #expect(mixed.deletions.map { failureCode($0.get) } == [.unknownItem])
    #expect(failureCode { try database.record(for: good.recordID) } == .unknownItem)
    #expect(try database.save([good, good]).map { failureCode($0.get) } == [.batchRequestFailed, .invalidRecord])
  }

  @Test func namesAndLimits() throws {
    let database = try database {
      $0.limits.recordSize = 1000
      $0.limits.itemsPerOperation = 3
      $0.limits.fieldsPerType = 2
    }
    for name in ["", "_a", "é", "a\u{0}", String(repeating: "a", count: 256)] {
      #expect(
        failureCode { try database.save(Record(recordType: "Note", recordName: name)) } == .invalidRecord, "\(name)")
    }
    #expect(
      failureCode { try database.save(Record(recordType: "Note", recordName: String(repeating: "a", count: 255))) }
        == nil)
    for type in ["", "1a", "a b", "É", "_a"] {
      #expect(failureCode { try database.save(Record(recordType: type)) } == .invalidRecord, "\(type)")
    }
    var record = Record(recordType: "Note", recordName: "a")
    for name in ["a b", "", "_x", "recordID", "parent", "é"] {
      var wrong = record
      wrong[name] = 1
      #expect(failureCode { try database.save(wrong) } == .invalidRecord, "\(name)")
    }
    record["text"] = .string(String(repeating: "x", count: 2000))
    #expect(failureCode { try database.save(record) } == .limitExceeded)
    record = Record(recordType: "Other", recordName: "a")
    for name in ["a", "b", "c"] { record[name] = 1 }
    #expect(failureCode { try database.save(record) } == .limitExceeded)
    let four = (0..<4).map { Record(recordType: "Note", recordName: "n\($0)") }
    #expect(failureCode { try database.save(four) } == .limitExceeded)
    #expect(failureCode { try database.records(for: four.map(\.recordID)) } == .limitExceeded)
    for value in [
      FieldValue.double(.nan), .doubleList([.nan]), .location(Location(latitude: 91, longitude: 0)),
      .location(Location(latitude: 0, longitude: 180.0000001)), .location(Location(latitude: .nan, longitude: 0)),
    ] {
      var wrong = Record(recordType: "Third", recordName: "a")
      wrong["x"] = value
      #expect(failureCode { try database.save(wrong) } == .invalidRecord)
    }
  }

  @Test func fieldTypesAreFixed() throws {
    let database = try database()
    var record = Record(recordType: "Note", recordName: "a")
    record["size"] = 1
    record["weight"] = 1.5
    try database.save(record)
    record = Record(recordType: "Note", recordName: "b")
    record["size"] = 2.0
    record["weight"] = 3
    let saved = try database.save(record)
    #expect(saved["size"] == .int64(2) && saved["weight"] == .double(3))
    record["size"] = "x"
    do {
      try database.save(record, policy: .replace)
      Issue.record("a text was saved as INT64")
    } catch {
      #expect(
        error.message
          == "invalid attempt to set value type STRING for field 'size' for type 'Note', defined to be: INT64")
    }
    let production = try Database(schema: database.schema)
    var unknown = Record(recordType: "Note", recordName: "a")
    unknown["colour"] = "red"
    #expect(failureCode { try production.save(unknown) } == .invalidRecord)
    #expect(failureCode { try production.save(Record(recordType: "Other", recordName: "a")) } == .invalidRecord)
  }

  @Test func everyTypeComesBack() throws {
    let database = try database()
    var details = Location.Details()
    details.altitude = 12.5
    details.timestamp = Timestamp(milliseconds: 7)
    let here = Location(latitude: 1, longitude: 2, details: details)
    let reference = Reference(RecordID(recordName: "r"), action: .deleteSelf)
    let values: [FieldValue] = [
      .string("a\u{301}"), .int64(.min), .double(-0.5), .bytes([0, 255]), .timestamp(Timestamp(milliseconds: -1)),
      .location(here), .reference(reference), .asset(Asset(fileChecksum: "c", size: 3)), .stringList(["", "é"]),
      .int64List([1, -1]), .doubleList([.infinity]), .bytesList([[], [1]]),
      .timestampList([Timestamp(milliseconds: 3)]),
      .locationList([Location(latitude: 0, longitude: 0), here]), .referenceList([reference]), .assetList([]),
      .stringList([String(repeating: "x", count: 300)]), .int64List([]),
    ]
    var record = Record(recordType: "All", recordName: "a")
    for (index, value) in values.enumerated() { record["f\(index)"] = value }
    let saved = try database.save(record)
    let fetched = try database.record(for: record.recordID)
    #expect(fetched == saved && fetched.hasSameFields(as: record))
    for (index, value) in values.enumerated() { #expect(fetched["f\(index)"] == value) }
    try database.save(Record(recordType: "All", recordName: "a"), policy: .replace)
    #expect(try database.record(for: record.recordID).fieldCount == 0)
  }

  @Test func references() throws {
    let database = try database()
    func note(_ name: String, _ target: String?, _ action: Reference.Action = .deleteSelf) -> Record {
      var record = Record(recordType: "Note", recordName: name)
      if let target { record["target"] = .reference(Reference(RecordID(recordName: target), action: action)) }
      return record
    }
    try database.saveAll([
      note("a", nil), note("b", "a"), note("c", "b"), note("d", "a", .none), note("e", "e2"), note("e2", "e"),
    ])
    #expect(Set(try database.deleteRecord(withID: RecordID(recordName: "a")).map(\.recordName)) == ["a", "b", "c"])
    #expect(try database.count(recordType: "Note") == 3)
    #expect(try database.deleteRecord(withID: RecordID(recordName: "e")).count == 2)
    var orphan = note("o", nil)
    orphan.parent = Reference(RecordID(recordName: "gone"))
    #expect(failureCode { try database.save(orphan) } == .referenceViolation)
    orphan.parent = Reference(RecordID(recordName: "p"))
    #expect(try database.save([orphan, note("p", nil)]).allSatisfy { failureCode($0.get) == nil })
    var elsewhere = note("x", nil)
    elsewhere["target"] = .reference(Reference(RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Z"))))
    #expect(failureCode { try database.save(elsewhere) } == .referenceViolation)
    let limited = try self.database { $0.limits.cascadingReferences = 2 }
    let results = try limited.save([note("t", nil), note("1", "t"), note("2", "t"), note("3", "t")])
    #expect(results.map { failureCode($0.get) } == [nil, nil, nil, .limitExceeded])
    // A parent takes nothing along, and says so.
    var child = note("child", nil)
    child.parent = Reference(RecordID(recordName: "p"), action: .deleteSelf)
    #expect(failureCode { try database.save(child) } == .invalidRecord)
    #expect(failureCode { try database.load([child]) } == .invalidRecord)
  }

  /// The limit on the references to one record against counts over a dictionary, with indexes on the fields and without:
  /// each reference counts, of a list too, and those that a save replaces or a deletion takes away do not.
  @Test(arguments: ["QUERYABLE", ""])
  func limitOfCascades(_ index: String) throws {
    let database = try database(
      try Schema(
        ckdb: """
          DEFINE SCHEMA
            RECORD TYPE Node ("___recordID" REFERENCE QUERYABLE, one REFERENCE \(index), many LIST<REFERENCE> \(index));
            RECORD TYPE Leaf ("___recordID" REFERENCE QUERYABLE, up REFERENCE \(index));
          """)
    ) { $0.limits.cascadingReferences = 5 }
    var random = SplitMix(seed: 12)
    var model: [Int: [String: [Int]]] = [:]
    var (refused, taken) = (0, 0)
    func id(_ number: Int) -> RecordID { RecordID(recordName: "node \(number)") }
    func reference(_ number: Int, _ action: Reference.Action = .deleteSelf) -> Reference {
      Reference(id(number), action: action)
    }
    for _ in 0..<TestAmount.of(1_500) {
      // What a save does not mention goes or stays.
      let keeps = random.below(2) == 0
      var records: [Record] = []
      var expected: [ZoneQueryError.Code?] = []
      for number in Set((0..<(1 + random.below(4))).map { _ in random.below(40) }).sorted() {
        // Those of even numbers are of the one type, the others of the other; few are targets.
        let isNode = number % 2 == 0
        var record = Record(recordType: isNode ? "Node" : "Leaf", recordID: id(number))
        var own = keeps ? model[number] ?? [:] : [:]
        let (single, isWeak) = (random.below(6), random.below(4) == 0)
        if random.below(3) > 0 {
          record[isNode ? "one" : "up"] = .reference(reference(single, isWeak ? .none : .deleteSelf))
          own["one"] = isWeak ? [] : [single]
        }
        if isNode, random.below(2) == 0 {
          let list = (0..<random.below(random.below(8) == 0 ? 9 : 3)).map { _ in random.below(6) }
          record["many"] = .referenceList(list.map { reference($0) } + [reference(7, .none)])
          own["many"] = list
        }
        records.append(record)
        var counts: [Int: Int] = [:]
        for target in own.values.joined() { counts[target, default: 0] += 1 }
        let fits = counts.allSatisfy { target, count in
          let others = model.filter { $0.key != number }.values.flatMap { $0.values.joined() }
          return others.filter { $0 == target }.count + count <= 5
        }
        expected.append(fits ? nil : .limitExceeded)
        if fits { model[number] = own }
      }
      let gone = random.below(3) == 0 ? [random.below(40)] : []
      let results = try database.modify(
        saving: records, deleting: gone.map(id), policy: keeps ? .changedKeys : .replace)
      #expect(results.saves.map { failureCode($0.get) } == expected)
      refused += expected.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
      taken += expected.reduce(0) { $0 + ($1 == nil ? 1 : 0) }
      var pending = gone
      while let next = pending.popLast() {
        guard model.removeValue(forKey: next) != nil else { continue }
        pending += model.filter { $0.value.values.joined().contains(next) }.map(\.key)
      }
      #expect(try database.count(recordType: "Node") + database.count(recordType: "Leaf") == model.count)
    }
    print("cascades: \(refused) saves refused and \(taken) taken as the model says")
    #expect(refused >= TestAmount.of(300) && taken >= TestAmount.of(1_000))
  }

  /// Saving and deleting records with many references takes no more than looking at each a few times.
  @Test func manyReferencesInLists() throws {
    let database = try database()
    let targets = (0..<400).map { Reference(RecordID(recordName: "target \($0)"), action: .deleteSelf) }
    let records = (0..<50).map { number in
      var record = Record(recordType: "Note", recordName: "note \(number)")
      record["to"] = .referenceList(targets)
      return record
    }
    #expect(try database.save(records).allSatisfy { failureCode($0.get) == nil })
    for record in records.prefix(5) { try database.save(record, policy: .replace) }
    try database.saveAll([Record(recordType: "Note", recordName: "target 0")])
    #expect(try database.deleteRecord(withID: RecordID(recordName: "target 0")).count == 51)
    var many = Record(recordType: "Note", recordName: "many")
    many["to"] = .referenceList(Array(repeating: targets[0], count: 751))
    #expect(failureCode { try database.save(many) } == .limitExceeded)
    many["to"] = .referenceList(Array(repeating: targets[0], count: 750))
    #expect(failureCode { try database.save(many) } == nil)
    #expect(failureCode { try database.save(many, policy: .replace) } == nil)
    var another = Record(recordType: "Note", recordName: "another")
    another["to"] = .referenceList([targets[0]])
    #expect(failureCode { try database.save(another) } == .limitExceeded)
  }

  /// A name that comes twice in a save is refused the second time, whatever becomes of the first.
  @Test func namesThatComeTwice() throws {
    let database = try database()
    func child(_ parent: String?) -> Record {
      var record = Record(recordType: "Note", recordName: "c")
      record.parent = parent.map { Reference(RecordID(recordName: $0)) }
      return record
    }
    var failing = Record(recordType: "Note", recordName: "p")
    failing["x"] = .double(.nan)
    #expect(
      try database.save([child("nowhere"), child(nil)]).map { failureCode($0.get) } == [
        .referenceViolation, .invalidRecord,
      ])
    #expect(
      try database.save([failing, child("p"), child(nil)]).map { failureCode($0.get) }
        == [.invalidRecord, .referenceViolation, .invalidRecord])
    #expect(try database.save([child(nil)]).map { failureCode($0.get) } == [nil])
  }

  /// What `.changedKeys` keeps of a stored record counts as if it had been given.
  @Test func keptParentsAndShares() throws {
    let database = try database()
    var child = Record(recordType: "Note", recordName: "child")
    child.parent = Reference(RecordID(recordName: "parent"))
    child.share = Reference(RecordID(recordName: "share"))
    try database.saveAll([Record(recordType: "Note", recordName: "parent"), child])
    var change = Record(recordType: "Note", recordName: "child")
    change["x"] = 1
    let saved = try database.save(change, policy: .changedKeys)
    #expect(saved.share == child.share && saved.parent == child.parent)
    #expect(try database.record(for: child.recordID).share == child.share)
    #expect(try database.save(change, policy: .replace).share == nil)
    // In the default zone a child goes the way of the parent it keeps, though it says nothing of it.
    try database.save(child, policy: .replace)
    try database.deleteRecord(withID: RecordID(recordName: "parent"))
    var parent = Record(recordType: "Note", recordName: "parent")
    parent["x"] = "a text where a number stands"
    change["x"] = 2
    let results = try database.save([parent, change], policy: .changedKeys)
    #expect(results.map { failureCode($0.get) } == [.invalidRecord, .referenceViolation])
    #expect(try database.record(for: child.recordID)["x"] == nil)
  }

  /// Deletions against a closure over a dictionary of references, with indexes on the fields and without.
  @Test(arguments: ["QUERYABLE", ""])
  func cascades(_ index: String) throws {
    let database = try database(
      try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Node (
            "___recordID" REFERENCE QUERYABLE, one REFERENCE \(index), many LIST<REFERENCE> \(index), size INT64
          );
          """))
    var random = SplitMix(seed: 11)
    var targets: [Int: [Int]] = [:]
    var checks = 0
    func id(_ number: Int) -> RecordID { RecordID(recordName: "node \(number)") }
    for round in 0..<600 {
      let number = random.below(60)
      if round % 4 < 3 {
        var record = Record(recordType: "Node", recordID: id(number))
        record["size"] = .int64(Int64(round))
        let (other, isWeak) = (random.below(60), random.below(3) == 0)
        let list = (0..<random.below(3)).map { _ in random.below(60) }
        // A quarter of the saves keep what refers to others.
        if random.below(4) > 0 {
          record["one"] = .reference(Reference(id(other), action: isWeak ? .none : .deleteSelf))
          record["many"] = .referenceList(list.map { Reference(id($0), action: .deleteSelf) })
          targets[number] = (isWeak ? [] : [other]) + list
        } else if targets[number] == nil {
          targets[number] = []
        }
        try database.save(record, policy: .changedKeys)
      } else if targets[number] != nil {
        var gone: Set<Int> = []
        var pending = [number]
        while let next = pending.popLast() {
          if targets[next] == nil || !gone.insert(next).inserted { continue }
          pending += targets.filter { $0.value.contains(next) }.map(\.key)
        }
        let deleted = try database.deleteRecord(withID: id(number))
        #expect(deleted.count == gone.count && Set(deleted) == Set(gone.map(id)))
        for number in gone { targets[number] = nil }
        checks += 1
      }
      if round % 50 == 0 { #expect(try database.count(recordType: "Node") == targets.count) }
    }
    print("cascades: \(checks) deletions")
    #expect(checks > 20)
  }

  @Test func zones() throws {
    let database = try database()
    try database.createZone(ZoneID(zoneName: "A"))
    #expect(failureCode { try database.createZone(ZoneID(zoneName: "A")) } == .invalidZone)
    for name in ["", "_x", "é", "a/b"] {
      #expect(failureCode { try database.createZone(ZoneID(zoneName: name)) } == .invalidZone, "\(name)")
    }
    #expect(failureCode { try database.createZone(ZoneID(zoneName: "B", ownerName: "other")) } == .invalidZone)
    #expect(database.zoneIDs == [ZoneID(zoneName: "A"), .default])
    #expect(failureCode { try database.deleteZone(.default) } == .invalidZone)
    try database.deleteZone(ZoneID(zoneName: "A"))
    #expect(failureCode { try database.deleteZone(ZoneID(zoneName: "A")) } == .zoneNotFound)
    #expect(failureCode { try self.database(scope: .public).createZone(ZoneID(zoneName: "A")) } == .invalidZone)
    let shared = try self.database(scope: .shared)
    #expect(shared.zoneIDs.isEmpty)
    #expect(failureCode { try shared.createZone(ZoneID(zoneName: "A")) } == .invalidZone)
    try shared.createZone(ZoneID(zoneName: "A", ownerName: "other"))
    #expect(failureCode { try shared.records(matching: Query(recordType: "Note")) } == .unknownRecordType)
  }

  @Test func aPartlyFetchedRecordKeepsTheRest() throws {
    let database = try database()
    var record = Record(recordType: "Note", recordName: "a")
    record["title"] = "one"
    record["size"] = 1
    try database.save(record)
    var part = try database.record(for: record.recordID, desiredKeys: ["title", "title"])
    #expect(part.fieldNames == ["title"])
    part["title"] = "two"
    let saved = try database.save(part)
    #expect(saved["size"] == 1 && saved["title"] == "two")
  }

  @Test func aRefusedSaveDefinesNothing() throws {
    let database = try database()
    var ghost = Record(recordType: "Ghost", recordName: "a")
    ghost["x"] = 1
    ghost.parent = Reference(RecordID(recordName: "gone"))
    #expect(failureCode { try database.save(ghost) } == .referenceViolation)
    #expect(database.schema["Ghost"] == nil)
  }

  @Test func aCascadeDeletesWhatTheBatchNames() throws {
    let zone = ZoneID(zoneName: "Z")
    for order in [["t", "u"], ["u", "t"]] {
      let database = try database()
      try database.createZone(zone)
      var referrer = Record(recordType: "Note", recordName: "u", zoneID: zone)
      referrer["to"] = .reference(Reference(RecordID(recordName: "t", zoneID: zone), action: .deleteSelf))
      try database.saveAll([Record(recordType: "Note", recordName: "t", zoneID: zone), referrer])
      let results = try database.deleteRecords(withIDs: order.map { RecordID(recordName: $0, zoneID: zone) })
      #expect(results.allSatisfy { failureCode($0.get) == nil })
      #expect(try database.count(recordType: "Note") == 0)
    }
  }

  @Test func noChangeTagComesTwice() throws {
    let zone = ZoneID(zoneName: "Z")
    let database = try database()
    try database.createZone(zone)
    let first = try database.save(Record(recordType: "Note", recordName: "a", zoneID: zone))
    try database.deleteZone(zone)
    try database.createZone(zone)
    let second = try database.save(Record(recordType: "Note", recordName: "a", zoneID: zone))
    #expect(first.changeTag != second.changeTag)
    #expect(failureCode { try database.save(first) } == .serverRecordChanged)
  }

  @Test func loadingKeepsDates() throws {
    let database = try database { $0.limits.itemsPerOperation = 1 }
    var old = Record(recordType: "Note", recordName: "old")
    old.creationDate = Timestamp(milliseconds: 1)
    let fresh = Record(recordType: "Note", recordName: "new", zoneID: ZoneID(zoneName: "Z"))
    #expect(try database.load([old, fresh]) == 2)
    #expect(try database.record(for: old.recordID).creationDate == Timestamp(milliseconds: 1))
    #expect(try database.record(for: fresh.recordID).creationDate == clock.now)
    var wrong = Record(recordType: "Note", recordName: "wrong")
    wrong["x"] = .double(.nan)
    #expect(
      failureCode { try database.load([Record(recordType: "Note", recordName: "third"), wrong]) } == .invalidRecord)
    #expect(try database.count(recordType: "Note") == 2)
  }

  /// A server's names, of users say: a client makes none, but saves what a load stored under one.
  @Test func namesThatAServerGives() throws {
    let database = try database { _ in }
    let given = Record(recordType: "Note", recordName: "_given")
    #expect(failureCode { try database.save(given) } == .invalidRecord)
    #expect(try database.load([given]) == 1)
    #expect(failureCode { try database.save(given) } == .serverRecordChanged)
    var fetched = try database.record(for: given.recordID)
    fetched["title"] = "mine"
    try database.save(fetched)
    #expect(try database.record(for: given.recordID)["title"] == "mine")
    try database.deleteRecord(withID: given.recordID)
    #expect(failureCode { try database.save(given, policy: .replace) } == .invalidRecord)
  }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let time = Locked(Timestamp(milliseconds: 1_700_000_000_000))
  var now: Timestamp { time.withLock { $0 } }
  var read: @Sendable () -> Timestamp { { self.now } }
  func advance(_ milliseconds: Int64) {
    time.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + milliseconds) }
  }
}
