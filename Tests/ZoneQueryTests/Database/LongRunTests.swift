import Testing

@testable import ZoneQuery

/// What stays of what was: a database that is used for long is as large as what it holds.
struct LongRunTests {
  private static let zone = ZoneID(zoneName: "Z")

  private static func record(_ number: Int, _ zone: ZoneID = zone) -> Record {
    var record = note("r\(number)", zone, n: Int64(number))
    record["city"] = .string("city \(number % 7)")
    record["text"] = .string(String(repeating: "the text of record \(number) ", count: 1 + number % 4))
    return record
  }

  private static func database(_ count: Int) throws -> Database {
    let database = try Database()
    try database.createZone(zone)
    try database.load((0..<count).map { record($0) })
    return database
  }

  /// Whether a zone that nobody keeps any more is gone.
  private struct WeakZone: Sendable {
    private weak let zone: Zone?

    init(_ zone: Zone) { self.zone = zone }

    var isGone: Bool { zone == nil }
  }

  /// A prepared query does not keep the zones that it was run on, in whichever way.
  @Test(arguments: [true, false]) func deletedZonesGo(_ isScoped: Bool) throws {
    let database = try Self.database(40)
    try database.save(Self.record(1, .default))
    let known = WeakZone(try database.zone(Self.zone))
    let formats = ["city = $c", "recordName = $c", "city = $c AND n > 5", "text CONTAINS $c"]
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let queries = try formats.prefix(3).flatMap { format in
      let format = format == "recordName = $c" ? "recordID = $c" : format
      return try [[], [SortKey.ascending("n")]].map { sort in
        try database.prepare(
          Query(recordType: "T", predicate: QueryPredicate(format: format), sort: sort),
          inZoneWith: isScoped ? Self.zone : nil)
      }
    }
    func ask(_ query: PreparedQuery) throws {
      let isName = query.query.predicate.root.predicateFormat.contains("recordID")
      let value: any PredicateArgument =
        isName ? Reference(RecordID(recordName: "r3", zoneID: Self.zone)) : "city 3"
      for _ in 0..<3 {
        try query.forEachRecord(["c": value], resultsLimit: 10) { _ in }
        _ = try query.records(["c": value], resultsLimit: 3)
        _ = try query.count(["c": value])
      }
    }
    for query in queries { try ask(query) }
    #expect(!known.isGone)
    try database.deleteZone(Self.zone)
    #expect(known.isGone)
    for query in queries {
      if isScoped { expectFailure(.zoneNotFound) { try ask(query) } } else { try ask(query) }
    }
    // One that is deleted while it is read goes with the next run.
    try database.createZone(Self.zone)
    try database.load((0..<40).map { Self.record($0) })
    let again = WeakZone(try database.zone(Self.zone))
    try queries[0].forEachRecord(["c": "city 3"], resultsLimit: 10) { (_) throws(ZoneQueryError) in
      if database.zoneIDs.contains(Self.zone) { try database.deleteZone(Self.zone) }
    }
    _ = try? queries[0].count(["c": "city 3"])
    _ = try? queries[0].forEachRecord(["c": "city 3"]) { _ in }
    #expect(again.isGone)
  }

  /// What was prepared and is gone leaves nothing, and what is kept is found among it.
  @Test func preparedQueriesAreNotKept() throws {
    let database = try Self.database(10)
    let query = Query(recordType: "T", sort: [.ascending("n")])
    let kept = try (0..<5).map { _ in try database.prepare(query) }
    for _ in 0..<500 { _ = try database.prepare(query) }
    for prepared in kept { #expect(try prepared.records().records.count == 10) }
    let known = WeakZone(try database.zone(Self.zone))
    try database.deleteZone(Self.zone)
    #expect(known.isGone)
    for prepared in kept { #expect(try prepared.records().records.isEmpty) }
  }

  /// A long answer's room goes behind short ones; that of long ones stays for them.
  @Test func roomOfLongAnswersGoes() throws {
    let count = TestAmount.isFull ? 12_000 : 6_000
    let database = try Self.database(count)
    let prepared = try database.prepare(
      Query(
        recordType: "T", predicate: QueryPredicate(format: "n >= $n"), sort: [.ascending("city"), .descending("n")]))
    func room() throws -> Int {
      let execution = try #require(prepared.bound.idle?.take())
      defer { prepared.bound.idle?.put(execution) }
      return max(execution.rows.capacity, execution.slots.capacity, execution.first.rows.capacity)
    }
    for _ in 0..<40 { #expect(try prepared.records(["n": 0], resultsLimit: count).records.count == count) }
    #expect(try room() >= count)
    for _ in 0..<40 { #expect(try prepared.records(["n": count - 10], resultsLimit: 100).records.count == 10) }
    #expect(try room() <= 4_096)
    #expect(try prepared.records(["n": 0], resultsLimit: count).records.count == count)
  }

  /// What a commit of many deletions leaves to be used again is bounded as what others leave is.
  @Test func largeDeletionsGiveBack() throws {
    let count = TestAmount.isFull ? 30_000 : 10_000
    let database = try Self.database(count)
    let before = try database.memory(ofZone: Self.zone)
    try database.deleteRecords(
      matching: Query(recordType: "T", predicate: QueryPredicate(format: "n > 10")), inZoneWith: Self.zone)
    let after = try database.memory(ofZone: Self.zone)
    #expect(before.liveBytes > 200 * count && after.liveBytes < before.liveBytes / 2)
    #expect(after.reusableBytes <= 2 * max(1 << 18, after.liveBytes / 8) + (1 << 20), "\(after)")
    #expect(try database.count(matching: Query(recordType: "T"), inZoneWith: Self.zone) == 11)
  }

  /// Of records that are deleted here and there little stays.
  @Test func scatteredDeletionsGiveBack() throws {
    let count = TestAmount.isFull ? 20_000 : 8_000
    let database = try Self.database(count)
    let gone = (0..<count).filter { $0 % 33 != 0 }.map { RecordID(recordName: "r\($0)", zoneID: Self.zone) }
    for start in stride(from: 0, to: gone.count, by: 400) {
      _ = try database.deleteRecords(withIDs: Array(gone[start..<min(start + 400, gone.count)])).get()
    }
    let left = (0..<count).filter { $0 % 33 == 0 }
    let fresh = try Database()
    try fresh.createZone(Self.zone)
    try fresh.load(left.map { Self.record($0) })
    let (old, new) = (try database.memory(ofZone: Self.zone).liveBytes, try fresh.memory(ofZone: Self.zone).liveBytes)
    #expect(old < 16 * new, "\(old) bytes, \(new) of the same records alone")
    for number in left {
      let id = RecordID(recordName: "r\(number)", zoneID: Self.zone)
      #expect(try database.record(for: id)["text"] == Self.record(number)["text"])
    }
  }

  /// Answers that are kept by the hundred, and let go of at once, are given back by the commits that follow.
  @Test func keptAnswersGoByAndBy() throws {
    let database = try Self.database(400)
    var answers: [ZoneRecords] = []
    for number in 0..<150 {
      answers.append(try database.allRecords(inZoneWith: Self.zone))
      try database.save(Self.record(number % 400), policy: .replace)
    }
    let held = try database.memory(ofZone: Self.zone).heldBytes
    #expect(held > 0)
    // Each is as of its commit.
    for (number, answer) in answers.enumerated() where number % 29 == 0 { #expect(Array(answer).count == 400) }
    answers.removeLast(140)
    for number in 0..<20 { try database.save(Self.record(number), policy: .replace) }
    let less = try database.memory(ofZone: Self.zone).heldBytes
    #expect(less < held)
    answers = []
    for number in 0..<20 { try database.save(Self.record(number), policy: .replace) }
    #expect(try database.memory(ofZone: Self.zone).heldBytes == 0)
  }
}
