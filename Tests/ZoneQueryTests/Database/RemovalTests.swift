import Testing

@testable import ZoneQuery

/// What setting nil does to a stored record, and what a conflict, a failed companion and a schema that learns say.
struct RemovalTests {
  private static let zone = ZoneID(zoneName: "Notes")

  private static func database() throws -> Database {
    let database = try Database()
    try database.createZone(zone)
    var parent = Record(recordType: "Note", recordID: id("parent"))
    parent["text"] = "above"
    try database.save(parent)
    var record = Record(recordType: "Note", recordID: id("a"))
    record["text"] = "one"
    record["size"] = 1
    record["link"] = .reference(Reference(id("parent"), action: .deleteSelf))
    record.parent = Reference(id("parent"))
    try database.save(record)
    return database
  }

  private static func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zone) }

  private static func names(_ database: Database) throws -> [String] {
    try database.record(for: id("a")).fieldNames
  }

  @Test func nilRemovesAFieldOfARecordFetchedInPart() throws {
    let database = try Self.database()
    var partial = try database.record(for: Self.id("a"), desiredKeys: ["text", "size"])
    partial["size"] = nil
    let saved = try database.save(partial)
    #expect(saved["size"] == nil && saved["text"] == "one" && saved["link"] != nil)
    #expect(try Self.names(database) == ["text", "link"])
    // What is set again stays, and a field that was not fetched may go too.
    partial = try database.record(for: Self.id("a"), desiredKeys: [])
    partial["size"] = nil
    partial["size"] = 3
    partial["link"] = nil
    partial["unknown"] = nil
    #expect(try database.save(partial, desiredKeys: ["size"]).fieldNames == ["size"])
    #expect(try Self.names(database) == ["text", "size"])
    // The reference that went cascades no more.
    #expect(try database.deleteRecord(withID: Self.id("parent")) == [Self.id("parent")])
  }

  @Test func nilRemovesUnderChangedKeys() throws {
    let database = try Self.database()
    var whole = try database.record(for: Self.id("a"))
    whole["size"] = nil
    whole["text"] = "two"
    let saved = try database.save(whole, policy: .changedKeys)
    #expect(try Self.names(database) == ["text", "link"])
    #expect(saved.parent == Reference(Self.id("parent")))
    // What was saved has nothing removed any more: a field that somebody else adds meanwhile stays.
    var other = Record(recordType: "Note", recordID: Self.id("a"))
    other["size"] = 9
    try database.save(other, policy: .changedKeys)
    var again = saved
    again["text"] = "three"
    try database.save(again, policy: .changedKeys)
    #expect(try Self.names(database) == ["text", "size", "link"])
    // Under `replace` all goes that the record has not.
    try database.save(again, policy: .replace)
    #expect(try Self.names(database) == ["text", "link"])
  }

  /// Two clients that change different fields lose nothing of each other's, by `.changedKeys`.
  @Test func changedKeysAreThoseChanged() throws {
    let database = try Self.database()
    let read = try database.record(for: Self.id("a"))
    var (mine, theirs) = (read, read)
    theirs["size"] = 7
    theirs["link"] = nil
    theirs.parent = nil
    try database.save(theirs)
    mine["text"] = "mine"
    let saved = try database.save(mine, policy: .changedKeys)
    #expect(saved["text"] == "mine" && saved["size"] == 7 && saved["link"] == nil && saved.parent == nil)
    #expect(try database.record(for: Self.id("a")) == saved)
    // What is set to what it was is no change, and one that was not changed at all only gets another tag.
    mine = read
    mine["size"] = read["size"]
    let same = try database.save(mine, policy: .changedKeys)
    #expect(same["size"] == 7 && same["text"] == "mine" && same.fieldCount == saved.fieldCount)
    #expect(same.changeTag != saved.changeTag)
    #expect(try database.save(read, policy: .changedKeys).hasSameFields(as: saved))
    // A parent that was changed is written; and all there is of a record that no database gave.
    mine.parent = nil
    mine.parent = Reference(Self.id("loose"))
    try database.save(Record(recordType: "Note", recordID: Self.id("loose")))
    #expect(try database.save(mine, policy: .changedKeys).parent == Reference(Self.id("loose")))
    var made = Record(recordType: "Note", recordID: Self.id("a"))
    made["size"] = read["size"]
    #expect(try database.save(made, policy: .changedKeys)["size"] == read["size"])
    // Of one fetched in part, and of a stored one that is gone meanwhile.
    var part = try database.record(for: Self.id("a"), desiredKeys: ["size"])
    theirs = try database.record(for: Self.id("a"))
    theirs["size"] = 11
    try database.save(theirs)
    part["text"] = "part"
    #expect(try database.save(part, policy: .changedKeys, desiredKeys: ["size"])["size"] == 11)
    #expect(try database.record(for: Self.id("a"))["text"] == "part")
    try database.deleteRecord(withID: Self.id("a"))
    mine = read
    mine["text"] = "whole"
    #expect(try database.save(mine, policy: .changedKeys).fieldCount == read.fieldCount)
  }

  @Test func parentsStayAndGo() throws {
    let database = try Self.database()
    var made = Record(recordType: "Note", recordID: Self.id("a"))
    made["size"] = 2
    #expect(try database.save(made, policy: .changedKeys).parent != nil)
    made.parent = nil
    #expect(try database.save(made, policy: .changedKeys).parent == nil)
    #expect(try database.record(for: Self.id("a")).parent == nil)
    made.parent = Reference(Self.id("parent"))
    try database.save(made, policy: .changedKeys)
    var partial = try database.record(for: Self.id("a"), desiredKeys: ["size"])
    #expect(partial.parent != nil)
    partial["size"] = 4
    #expect(try database.save(partial).parent != nil)
    partial = try database.record(for: Self.id("a"), desiredKeys: ["size"])
    partial.parent = nil
    try database.save(partial)
    #expect(try database.record(for: Self.id("a")).parent == nil)
    #expect(try Self.names(database) == ["text", "size", "link"])
  }

  /// Having no parent is not the same as having lost it.
  @Test func parentsThatOthersGiveStay() throws {
    let database = try Self.database()
    let loose = Record(recordType: "Note", recordID: Self.id("loose"))
    try database.save(loose)
    var mine = try database.record(for: Self.id("loose"))
    var theirs = mine
    theirs.parent = Reference(Self.id("parent"))
    try database.save(theirs)
    mine["size"] = 5
    #expect(try database.save(mine, policy: .changedKeys).parent == Reference(Self.id("parent")))
    let text = #"{"recordName":"a","recordType":"Note","zoneID":{"zoneName":"Notes"},"fields":{"size":{"value":7}}}"#
    let read = try Record(webServicesJSON: text)
    #expect(try database.save(read, policy: .changedKeys).parent == Reference(Self.id("parent")))
  }

  @Test func indexesFollowWhatGoes() throws {
    let database = try Self.database()
    let query = Query(recordType: "Note", predicate: try QueryPredicate(format: "#size = 1"))
    let words = Query(recordType: "Note", predicate: try QueryPredicate(format: "self CONTAINS 'one'"))
    #expect(try database.count(matching: query) == 1 && database.count(matching: words) == 1)
    var partial = try database.record(for: Self.id("a"), desiredKeys: [])
    partial["size"] = nil
    partial["text"] = nil
    try database.save(partial)
    #expect(try database.count(matching: query) == 0 && database.count(matching: words) == 0)
  }

  /// The ancestor is what the client had before it changed it.
  @Test func conflictsTellTheAncestor() throws {
    let database = try Self.database()
    let fetched = try database.record(for: Self.id("a"))
    var mine = fetched
    mine["text"] = "mine"
    var theirs = fetched
    theirs["text"] = "theirs"
    let stored = try database.save(theirs)

    func conflict(_ record: Record) -> ZoneQueryError.Conflict? {
      do {
        try database.save(record)
        Issue.record("it was saved")
        return nil
      } catch {
        return error.conflict
      }
    }
    let lost = conflict(mine)
    #expect(lost?.ancestorRecord == fetched && lost?.clientRecord == mine && lost?.serverRecord["text"] == "theirs")
    // A record that was not changed is its own ancestor; one that a save returned, before it was changed again.
    #expect(conflict(fetched)?.ancestorRecord == fetched)
    var later = stored
    later["text"] = "later"
    later["size"] = 8
    try database.save(later)
    var stale = stored
    stale["size"] = 7
    stale["size"] = 6
    let second = conflict(stale)
    #expect(second?.ancestorRecord == stored && second?.ancestorRecord?["text"] == "theirs")
    // One that was made anew has none.
    var made = Record(recordType: "Note", recordID: Self.id("a"))
    made["text"] = "made"
    let third = conflict(made)
    #expect(third != nil && third?.ancestorRecord == nil)
    // What is read of a record that is changed afterwards stays what it was.
    #expect(stored["text"] == "theirs" && fetched["text"] == "one")
  }

  /// In the default zone, which saves record by record, a child is not saved without the parent it was to have.
  @Test func childrenFailWithTheirParents() throws {
    let database = try Database()
    func record(_ name: String, parent: String? = nil, size: FieldValue = 1) -> Record {
      var record = Record(recordType: "Note", recordName: name)
      record["size"] = size
      if let parent { record.parent = Reference(RecordID(recordName: parent)) }
      return record
    }
    try database.saveAll([record("known"), record("sibling", parent: "known")])
    let results = try database.save(
      [
        record("grandchild", parent: "child"), record("child", parent: "bad"), record("bad", size: "text"),
        record("sibling", parent: "bad", size: 2), record("nephew", parent: "sibling"), record("good"),
        record("known", size: "text"), record("heir", parent: "known"),
      ], policy: .replace)
    let codes = results.map { result in
      switch result {
      case .success: ""
      case .failure(let error): error.code.description
      }
    }
    #expect(
      codes == [
        "referenceViolation", "referenceViolation", "invalidRecord", "referenceViolation", "", "", "invalidRecord", "",
      ])
    // The sibling stays as it was; nothing of what failed is stored.
    #expect(try database.record(for: RecordID(recordName: "sibling"))["size"] == 1)
    for name in ["grandchild", "child", "bad"] {
      #expect(throws: ZoneQueryError.self) { try database.record(for: RecordID(recordName: name)) }
    }
    #expect(try database.record(for: RecordID(recordName: "heir")).parent != nil)
    // Who fails beside a record of the same name, or by what is undone, takes nobody along.
    let mixed = try database.save(
      [
        record("b", parent: "a"), record("a"), record("a"), record("c", parent: "p"), record("p", size: "text"),
      ], policy: .replace)
    #expect(mixed.map { (try? $0.get()) != nil } == [true, true, false, false, false])
    var first = record("d", parent: "q")
    first["fresh"] = "text"
    var second = record("e")
    second["fresh"] = 5
    let undone = try database.save([first, second, record("q", size: "text")])
    #expect(undone.map { (try? $0.get()) != nil } == [false, true, false])
    #expect(try database.record(for: RecordID(recordName: "e"))["fresh"] == 5)
    // In one save with their parents, in any order, they are stored.
    #expect(try database.save([record("x", parent: "y"), record("y")]).allSatisfy { (try? $0.get()) != nil })
  }

  /// Development gives a field every index that it can have.
  @Test func developmentIndexesAllThatCanBe() throws {
    var configuration = Database.Configuration()
    configuration.indexPolicy = .required
    let database = try Database(configuration: configuration)
    var record = Record(recordType: "Note", recordName: "a")
    record["link"] = .reference(Reference(RecordID(recordName: "b")))
    try database.save(record)
    for key in [
      "link", "recordID", "creationDate", "modificationDate", "creatorUserRecordID", "lastModifiedUserRecordID",
    ] {
      #expect(
        try database.records(matching: Query(recordType: "Note", sort: [.ascending(key)])).records.count == 1, "\(key)")
    }
  }

  /// Without a schema a value that cannot be compared with the constant behaves as missing.
  @Test func locationsWithoutASchemaAreMissing() throws {
    let place = FieldValue.location(Location(latitude: 1, longitude: 2))
    for format in ["x = 1", "x != 1", "x IN {1, 2}", "x CONTAINS 1"] {
      let matcher = try Matcher(QueryPredicate(format: format))
      #expect(try !matcher.matches(["x": place]), "\(format)")
      #expect(try !matcher.matches(["x": .locationList([Location(latitude: 1, longitude: 2)])]), "\(format)")
    }
    #expect(throws: ZoneQueryError.self) {
      try Matcher(QueryPredicate(format: "x = %@", Location(latitude: 1, longitude: 2))).matches(["x": place])
    }
  }
}
