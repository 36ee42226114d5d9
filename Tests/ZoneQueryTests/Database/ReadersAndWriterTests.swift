import Foundation
import Testing

@testable import ZoneQuery

/// Threads that read in every way beside threads that write in every way. Each commit writes a whole group of records
/// under one version, so whoever sees two versions in a group, or a part of one, saw a part of a commit. To be run under
/// the thread sanitizer and the address sanitizer.
struct ReadersAndWriterTests {
  @Test func readersSeeWholeCommitsWhateverIsWritten() throws {
    let subject = try SharedGroups()
    try subject.begin()
    let commits = TestAmount.isLong ? 10_000 : 60
    let wanted = TestAmount.isLong ? 50_000 : 300
    let threads = [
      subject.thread { try $0.writeGroups(atLeast: commits, untilChecks: wanted) },
      subject.thread { try $0.whileWriting { groups, random in try groups.changeZones(&random) } },
      subject.thread { try $0.whileWriting { groups, random in try groups.changeIndexes(&random) } },
      subject.thread { try $0.read(seed: 1) }, subject.thread { try $0.read(seed: 2) },
      subject.thread { try $0.read(seed: 3) },
    ]
    for thread in threads { thread.start() }
    subject.wait(for: threads.count)
    let (checks, made, faults) = subject.outcome
    print("readers beside writers: \(checks) checks beside \(made) changes")
    #expect(faults.isEmpty, "\(faults.prefix(5).joined(separator: "\n"))")
    #expect(checks >= wanted && made >= commits)
  }
}

/// A database whose records come and go by groups.
private final class SharedGroups: Sendable {
  static let groupSize = 8
  static let groupCount = 12
  static let zone = ZoneID(zoneName: "Groups")
  static let passing = (0..<3).map { ZoneID(zoneName: "Passing\($0)") }
  static let schema = """
    DEFINE SCHEMA
    RECORD TYPE T (
      "group" INT64 QUERYABLE, version INT64 QUERYABLE SORTABLE, text STRING QUERYABLE SORTABLE SEARCHABLE,
      weight DOUBLE SORTABLE, tags LIST<STRING> QUERYABLE, place LOCATION QUERYABLE, link REFERENCE QUERYABLE
    );
    """

  let database: Database
  private let prepared: [PreparedQuery]
  private let version: RecordField
  private let text: RecordField
  private let log = Locked(Log())
  private let finished = DispatchSemaphore(value: 0)

  private struct Log: Sendable {
    var checks = 0
    var changes = 0
    var isOver = false
    var faults: [String] = []
  }

  private struct Fault: Error {
    var text: String
  }

  init() throws {
    database = try Database(schema: try Schema(ckdb: Self.schema))
    let database = database
    prepared = try [
      ("group = $g", [SortKey]()), ("group = $g", [.descending("text")]), ("version >= 0 AND group IN {$g}", []),
      ("tags CONTAINS 'all' AND group = $g", [.ascending("weight")]),
    ].map { format, sort in
      try database.prepare(
        Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort), inZoneWith: Self.zone)
    }
    version = try prepared[0].field("version")
    text = try prepared[0].field("text")
  }

  var outcome: (checks: Int, changes: Int, faults: [String]) {
    log.withLock { ($0.checks, $0.changes, $0.faults) }
  }

  func thread(_ body: @escaping @Sendable (SharedGroups) throws -> Void) -> Thread {
    Thread {
      do { try body(self) } catch { self.log.withLock { $0.faults.append("\(error)") } }
      self.finished.signal()
    }
  }

  func wait(for threads: Int) {
    for _ in 0..<threads { finished.wait() }
  }

  private var isOver: Bool { log.withLock { $0.isOver || !$0.faults.isEmpty } }
  private func changed() { log.withLock { $0.changes += 1 } }

  private func check(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw Fault(text: message()) }
    log.withLock { $0.checks += 1 }
  }

  // MARK: Writing

  private func records(_ group: Int, version: Int64, in zone: ZoneID) -> [Record] {
    (0..<Self.groupSize).map { member in
      var record = Record(recordType: "T", recordName: "g\(group)m\(member)", zoneID: zone)
      record["group"] = .int64(Int64(group))
      record["version"] = .int64(version)
      // Long enough to lie outside the row, and of a length that changes.
      record["text"] = .string(String(repeating: "words ", count: Int(version % 11)) + "version \(version)")
      record["weight"] = .double(Double(version * 3 + Int64(member)))
      record["tags"] = .stringList(["all", "v\(version % 7)"])
      record["place"] = .location(Location(latitude: Double(version % 60), longitude: 179.999))
      record["link"] = .reference(Reference(RecordID(recordName: "g\(group)m0", zoneID: zone)))
      return record
    }
  }

  func begin() throws {
    try database.createZone(Self.zone)
    for group in 0..<Self.groupCount { _ = try database.save(records(group, version: 0, in: Self.zone)) }
  }

  func writeGroups(atLeast commits: Int, untilChecks wanted: Int) throws {
    defer { log.withLock { $0.isOver = true } }
    var random = SplitMix(seed: 7)
    for version in Int64(1)... {
      let (checks, hasFailed) = log.withLock { ($0.checks, !$0.faults.isEmpty) }
      if hasFailed || version > commits && checks >= wanted { return }
      let group = random.below(Self.groupCount)
      let zone = Self.zone
      let ids = (0..<Self.groupSize).map { RecordID(recordName: "g\(group)m\($0)", zoneID: zone) }
      switch random.below(8) {
      case 0: _ = try database.deleteRecords(withIDs: ids)
      case 1:
        // Fails at its end, and leaves nothing.
        var batch = records(group, version: version, in: zone)
        for index in batch.indices { batch[index]["version"] = .int64(-1) }
        var wrong = Record(recordType: "T", recordName: "wrong", zoneID: zone)
        wrong["version"] = .string("no number")
        let results = try database.save(batch + [wrong], policy: .replace)
        if results.contains(where: { if case .success = $0 { true } else { false } }) {
          throw Fault(text: "a part of a batch was saved")
        }
      case 2: _ = try database.load((0..<Self.groupCount).flatMap { records($0, version: version, in: zone) })
      default:
        for result in try database.save(records(group, version: version, in: zone), policy: .replace) {
          _ = try result.get()
        }
      }
      changed()
    }
  }

  func whileWriting(_ change: (SharedGroups, inout SplitMix) throws -> Void) throws {
    var random = SplitMix(seed: 11)
    while !isOver {
      try change(self, &random)
      changed()
      Thread.sleep(forTimeInterval: 0.000_5)
    }
  }

  func changeZones(_ random: inout SplitMix) throws {
    let zone = Self.passing[random.below(Self.passing.count)]
    if database.zoneIDs.contains(zone) {
      try database.deleteZone(zone)
    } else {
      try database.createZone(zone)
      _ = try database.load((0..<random.below(3)).flatMap { records($0, version: 5, in: zone) })
    }
  }

  func changeIndexes(_ random: inout SplitMix) throws {
    let keys = [
      ["group", "version"], ["text"], ["place"], ["tags"], ["allTokens"], ["version"], ["tags", "weight"],
      ["text", "version"], ["link"],
    ]
    let index = IndexDefinition(recordType: "T", keys: keys[random.below(keys.count)])
    if database.indexes(of: "T").contains(index) {
      try database.dropIndex(index)
    } else {
      try database.addIndex(index)
    }
  }

  // MARK: Reading

  func read(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    while !isOver {
      switch random.below(9) {
      case 0: try readSorted(&random)
      case 1: try readGroup(&random)
      case 2: try readCounts()
      case 3, 4: try readInPlace(&random)
      case 5: try readPages(&random)
      case 6: try readByIndex(&random)
      case 7: try readEveryZone(&random)
      default: try fetch(&random)
      }
    }
  }

  private func whole(_ records: [Record]) throws {
    var versions: [Int64: Set<Int64>] = [:]
    var counts: [Int64: Int] = [:]
    for record in records {
      guard case .int64(let group)? = record["group"], case .int64(let version)? = record["version"],
        case .string(let text)? = record["text"], case .double(let weight)? = record["weight"]
      else { throw Fault(text: "\(record.recordID) lacks a field") }
      guard text.hasSuffix("version \(version)"), Int64(weight) / 3 >= version else {
        throw Fault(text: "\(record.recordID) is of version \(version), but says \(text)")
      }
      versions[group, default: []].insert(version)
      counts[group, default: 0] += 1
    }
    try check(
      versions.values.allSatisfy { $0.count == 1 && $0.first.map { $0 >= 0 } == true }
        && counts.values.allSatisfy { $0 == Self.groupSize }, "groups in part: \(versions), \(counts)")
  }

  private func readSorted(_ random: inout SplitMix) throws {
    let keys = ["version", "text", "weight", "recordID"]
    let key = keys[random.below(keys.count)]
    let query = Query(recordType: "T", sort: [random.below(2) == 0 ? .ascending(key) : .descending(key)])
    try whole(try database.records(matching: query, inZoneWith: Self.zone, resultsLimit: 1_000).records)
  }

  private func readGroup(_ random: inout SplitMix) throws {
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "group = %@", random.below(Self.groupCount)))
    try whole(try database.records(matching: query, inZoneWith: Self.zone).records)
  }

  private func readCounts() throws {
    func count(_ format: String) throws -> Int {
      try database.count(
        matching: Query(recordType: "T", predicate: try QueryPredicate(format: format)), inZoneWith: Self.zone)
    }
    try check(try count("version < 0") == 0, "a failed batch left something")
    try check(try count("version >= 0") % Self.groupSize == 0, "a group is counted in part")
    try check(try count("tags CONTAINS 'all'") % Self.groupSize == 0, "a group is counted in part by its tags")
    try check(try database.count(recordType: "T", inZoneWith: Self.zone) % Self.groupSize == 0, "counted in part")
  }

  private func readInPlace(_ random: inout SplitMix) throws {
    let query = prepared[random.below(prepared.count)]
    var versions: Set<Int64> = []
    var (count, isRight) = (0, true)
    try query.forEachRecord(["g": random.below(Self.groupCount)]) { record in
      let version = record.int64(self.version) ?? -1
      versions.insert(version)
      isRight = record.withUTF8(self.text) { String(copying: $0).hasSuffix("version \(version)") } == true && isRight
      count += 1
    }
    try check(isRight, "a text is of another version than its record")
    try check(versions.count <= 1 && (count == 0 || count == Self.groupSize), "\(count) of \(versions) in place")
  }

  private func readPages(_ random: inout SplitMix) throws {
    let sort: [SortKey] = random.below(2) == 0 ? [] : [.ascending("recordID")]
    let limit = 1 + random.below(40)
    var page = try database.records(
      matching: Query(recordType: "T", sort: sort), inZoneWith: Self.zone, resultsLimit: limit)
    var names = page.records.map(\.recordID.recordName)
    while let cursor = page.cursor {
      page = try database.records(continuingMatchFrom: cursor, resultsLimit: limit)
      names += page.records.map(\.recordID.recordName)
    }
    // Without a sort a record that is deleted and saved again may come twice; in the order of names none can.
    try check(sort.isEmpty || names == Set(names).sorted(), "pages are not in order: \(names)")
  }

  private func readByIndex(_ random: inout SplitMix) throws {
    let version = random.below(60)
    let tag = "v\(version % 7)"
    let formats = [
      "tags CONTAINS '\(tag)'", "ALL tokenize('version', 'Cdl') IN allTokens", "link = CAST('g1m0', 'CKReference')",
      "distanceToLocation:fromLocation:(place, CAST('\(version),-179.999', 'CLLocation')) < 1000",
      "text BEGINSWITH 'version'", "text BEGINSWITH 'words words'", "tags CONTAINS 'all' AND weight > \(version)",
    ]
    let choice = random.below(formats.count)
    // A reference is to a record of its own zone.
    let format = choice == 2 ? "group = 1" : formats[choice]
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: format),
      sort: random.below(2) == 0 ? [] : [.ascending("text")])
    let records = try database.records(matching: query, inZoneWith: Self.zone, resultsLimit: 1_000).records
    if choice < 6 { try whole(records) }
    for record in records where choice == 0 {
      guard case .stringList(let tags)? = record["tags"] else { throw Fault(text: "no tags") }
      try check(tags.contains(tag), "\(record.recordID) has no tag \(tag)")
    }
  }

  private func readEveryZone(_ random: inout SplitMix) throws {
    let sort: [SortKey] = random.below(2) == 0 ? [] : [.descending("version"), .ascending("recordID")]
    let records = try database.records(matching: Query(recordType: "T", sort: sort), resultsLimit: 10_000).records
    for zone in Set(records.map(\.recordID.zoneID)) { try whole(records.filter { $0.recordID.zoneID == zone }) }
    try check(records.count % Self.groupSize == 0, "\(records.count) in all zones")
  }

  private func fetch(_ random: inout SplitMix) throws {
    let name = "g\(random.below(Self.groupCount))m\(random.below(Self.groupSize))"
    do throws(ZoneQueryError) {
      let record = try database.record(for: RecordID(recordName: name, zoneID: Self.zone))
      guard case .int64(let version)? = record["version"], case .string(let text)? = record["text"] else { return }
      log.withLock {
        $0.checks += 1
        if !text.hasSuffix("version \(version)") { $0.faults.append("\(name) fetched as \(version), \(text)") }
      }
    } catch {
      try check(error.code == .unknownItem, "\(error)")
    }
  }
}
