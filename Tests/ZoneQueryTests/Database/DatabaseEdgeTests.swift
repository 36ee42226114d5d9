import Testing

@testable import ZoneQuery

/// What lies at the edge of a limit, and what is told of a failure: each test fails where one line is another.
struct DatabaseEdgeTests {
  private let zone = ZoneID(zoneName: "Z")

  @Test func aChildOfAFailedParentFailsWithTheBatch() throws {
    let database = try Database()
    try database.createZone(zone)
    try database.save(note("p", zone))
    var child = note("c", zone)
    child.parent = Reference(RecordID(recordName: "new", zoneID: zone))
    var wrong = note("new", zone)
    wrong.parent = Reference(RecordID(recordName: "x", zoneID: .default))
    let results = try database.save([wrong, child])
    #expect(results.map { failureCode($0.get) } == [.referenceViolation, .batchRequestFailed])
  }

  @Test func namesOfExactlyTheirLimit() throws {
    var configuration = Database.Configuration()
    configuration.limits.nameLength = 16
    let database = try Database(configuration: configuration)
    try database.save(Record(recordType: "Abcdefghabcdefgh", recordName: "1234567812345678"))
    expectFailure(.invalidRecord) { try database.save(Record(recordType: "Abcdefghabcdefghi", recordName: "a")) }
    expectFailure(.invalidRecord) {
      try database.save(Record(recordType: "Abcdefghabcdefgh", recordName: "12345678123456789"))
    }
  }

  @Test func asManyIDsAsAnOperationTakes() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 2
    let database = try Database(configuration: configuration)
    let ids = ["a", "b", "c"].map { RecordID(recordName: $0) }
    #expect(try database.records(for: Array(ids.prefix(2))).count == 2)
    expectFailure(.limitExceeded) { try database.records(for: ids) }
    #expect(try database.save([note("a"), note("b")]).count == 2)
  }

  @Test func fetchesBesideALoad() async throws {
    let database = try Database()
    let names = (0..<300).map { ZoneID(zoneName: "zone \($0)") }
    async let torn = Task.detached {
      var torn = 0
      for zone in names {
        while true {
          let ids = ["a", "b"].map { RecordID(recordName: $0, zoneID: zone) }
          let found = try database.records(for: ids).map { (try? $0.get()) != nil }
          if found == [false, true] { torn += 1 }
          if found[1] { break }
        }
      }
      return torn
    }.value
    for zone in names { try database.load([note("a", zone), note("b", zone)]) }
    #expect(try await torn == 0)
  }

  @Test func theCreatorOfALoadedRecordStays() throws {
    let database = try Database()
    var foreign = note("a", n: 1)
    foreign.creatorUserRecordID = RecordID(recordName: "_somebody")
    foreign.lastModifiedUserRecordID = RecordID(recordName: "_somebody")
    try database.load([foreign])
    let saved = try database.save(note("a", n: 2), policy: .allKeys)
    #expect(saved.creatorUserRecordID?.recordName == "_somebody")
    #expect(saved.lastModifiedUserRecordID != saved.creatorUserRecordID)
    #expect(try database.record(for: saved.recordID).creatorUserRecordID == saved.creatorUserRecordID)
  }

  @Test func databaseTokensFromTheFuture() throws {
    let database = try Database()
    try database.createZone(zone)
    let ahead = ChangeToken(
      .database(epoch: database.epoch, ChangedZones.Position(since: 1_000)), key: database.cursorKey)
    expectFailure(.invalidChangeToken) { try database.databaseChanges(since: ahead) }
  }

  @Test func loadsAreHeldToTheSizeOfRecords() throws {
    var configuration = Database.Configuration()
    configuration.limits.recordSize = 1_000
    let database = try Database(configuration: configuration)
    var record = note("a")
    record["text"] = .string(String(repeating: "x", count: 2_000))
    expectFailure(.limitExceeded) { try database.save(record) }
    expectFailure(.limitExceeded) { try database.load([record]) }
  }

  @Test func aFailedBatchNamesTheDeletion() throws {
    let database = try Database()
    try database.createZone(zone)
    let results = try database.modify(
      saving: [note("a", zone)], deleting: [RecordID(recordName: "gone", zoneID: zone)])
    guard case .failure(let error) = results.saves[0] else {
      Issue.record("saved")
      return
    }
    #expect(error.code == .batchRequestFailed && error.message.contains("'gone'"), "\(error.message)")
  }

  @Test func loadsDoNotChangeTypes() throws {
    let database = try Database()
    try database.save(note("a"))
    expectFailure(.invalidRecord) { try database.load([note("a", type: "U")]) }
    #expect(try database.count(recordType: "T") == 1 && database.count(recordType: "U") == 0)
  }

  @Test func recordsOfExactlyTheirLimit() throws {
    var record = note("a")
    record["text"] = .string(String(repeating: "x", count: 500))
    func save(limit: Int) throws {
      var configuration = Database.Configuration()
      configuration.limits.recordSize = limit
      try Database(configuration: configuration).save(record)
    }
    let most = try #require((500..<700).first { limit in failureCode { try save(limit: limit) } == nil })
    #expect(most == 64 + "text".utf8.count + record["text"]!.size)
  }

  @Test func sharesStayInTheirZone() throws {
    let database = try Database()
    try database.createZone(zone)
    var record = note("a", zone)
    record.share = Reference(RecordID(recordName: "s"))
    expectFailure(.referenceViolation) { try database.save(record) }
    expectFailure(.referenceViolation) { try database.load([record]) }
  }

  @Test func loadedDatesStay() throws {
    let clock = TestClock()
    var configuration = Database.Configuration()
    configuration.clock = clock.read
    let database = try Database(configuration: configuration)
    var record = note("a")
    let moment = Timestamp(milliseconds: 1_000)
    (record.creationDate, record.modificationDate) = (moment, moment)
    try database.load([record, note("b")])
    let loaded = try database.record(for: record.recordID)
    #expect((loaded.creationDate, loaded.modificationDate) == (moment, moment))
    let other = try database.record(for: RecordID(recordName: "b"))
    #expect((other.creationDate, other.modificationDate) == (clock.now, clock.now))
  }

  @Test func exportsTellHowMany() throws {
    let counts = Locked<[Int]>([])
    var configuration = Database.Configuration()
    configuration.instrumentation = Instrumentation { event in
      if event.operation == .export { counts.withLock { $0.append(event.outcome.returned) } }
    }
    let database = try Database(configuration: configuration)
    try database.load((0..<3).map { note("r\($0)") })
    _ = try database.allRecords(inZoneWith: .default)
    #expect(counts.withLock { $0 } == [3])
  }

  @Test func namesOfFieldsOfExactlyTheirLimit() throws {
    let database = try Database()
    var record = note("a")
    record["d"] = .double(1)
    try database.save(record)
    var bad = note("b")
    bad["d"] = .double(.nan)
    expectFailure(.invalidRecord) { try database.save(bad) }
    var long = note("c")
    long[String(repeating: "f", count: 255)] = 1
    try database.save(long)
    var longer = note("d")
    longer[String(repeating: "f", count: 256)] = 1
    expectFailure(.invalidRecord) { try database.save(longer) }
  }
}
