import Testing

@testable import ZoneQuery

/// Operations of many items, for which the indexes are changed together, beside the same items one by one.
@Suite struct ManyAtOnceTests {
  /// Every kind of index. A type with references, for which indexes are changed at once, beside one without.
  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE T (
        "___recordID" REFERENCE QUERYABLE, "___modTime" TIMESTAMP QUERYABLE SORTABLE,
        name STRING QUERYABLE SORTABLE, city STRING QUERYABLE SORTABLE, n INT64 QUERYABLE SORTABLE,
        d DOUBLE QUERYABLE SORTABLE, tags LIST<STRING> QUERYABLE, numbers LIST<INT64> QUERYABLE,
        place LOCATION QUERYABLE, text STRING SEARCHABLE
      );
      RECORD TYPE R (
        "___recordID" REFERENCE QUERYABLE, n INT64 QUERYABLE SORTABLE, r REFERENCE QUERYABLE, l LIST<REFERENCE> QUERYABLE
      );
    """

  private static let words = "sea map chart isle tide reef wind sail port bay".split(separator: " ").map(String.init)

  /// A text that is short, or as long as many others at its beginning.
  private static func text(_ random: inout SplitMix) -> String {
    switch random.below(4) {
    case 0: words[random.below(words.count)]
    case 1: "a beginning that many share, then \(random.below(6))"
    case 2: "a beginning that many share, then \(random.below(400))"
    default: "\(words[random.below(words.count)]) \(random.below(90))"
    }
  }

  private static func change(_ record: inout Record, _ random: inout SplitMix, each share: Int) {
    func isChosen() -> Bool { random.below(share) == 0 }
    if record.recordType == "R" {
      func target() -> Reference {
        Reference(RecordID(recordName: "T\(random.below(60))"), action: random.below(3) == 0 ? .deleteSelf : .none)
      }
      if isChosen() { record["n"] = .int64(Int64(random.below(20))) }
      if isChosen() { record["r"] = .reference(target()) }
      if isChosen() { record["l"] = .referenceList((0..<random.below(3)).map { _ in target() }) }
      return
    }
    if isChosen() { record["name"] = random.below(9) == 0 ? nil : .string(text(&random)) }
    if isChosen() { record["city"] = random.below(9) == 0 ? nil : .string(text(&random)) }
    if isChosen() { record["n"] = random.below(9) == 0 ? nil : .int64(Int64(random.below(50))) }
    if isChosen() { record["d"] = .double(Double(random.below(1_000)) / 8) }
    if isChosen() { record["tags"] = .stringList((0..<random.below(4)).map { _ in text(&random) }) }
    if isChosen() { record["numbers"] = .int64List((0..<random.below(4)).map { _ in Int64(random.below(9)) }) }
    if isChosen() {
      record["place"] = .location(Location(latitude: Double(random.below(90)), longitude: Double(random.below(180))))
    }
    if isChosen() {
      record["text"] = .string(
        (0..<random.below(12)).map { _ in words[random.below(words.count)] }.joined(separator: " "))
    }
  }

  private static func database() throws -> Database {
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: 1_000) }
    configuration.limits.itemsPerOperation = 10_000
    let database = try Database(schema: try Schema(ckdb: schema), configuration: configuration)
    for keys in [["city", "n"], ["n", "name"], ["tags", "n"], ["city", "name"], ["d", "n", "city"]] {
      try database.addIndex(IndexDefinition(recordType: "T", keys: keys))
    }
    return database
  }

  private static func fields(_ record: Record) -> [String: FieldValue] {
    var fields: [String: FieldValue] = [:]
    for name in record.fieldNames { fields[name] = record[name] }
    return fields
  }

  /// What a database holds, without change tags: those count the saves, and one that failed may or may not be one.
  private static func content(_ database: Database) throws -> [String: [String: FieldValue]] {
    var content: [String: [String: FieldValue]] = [:]
    for type in ["T", "R"] {
      for record in try database.records(matching: Query(recordType: type), resultsLimit: .max).records {
        content[record.recordID.recordName] = Self.fields(record)
      }
    }
    return content
  }

  @Test(arguments: 0..<(TestAmount.isFull ? 6 : 3)) func asOneByOne(_ seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let (together, apart) = (try Self.database(), try Self.database())
    let names = seed % 3 == 0 ? 90 : TestAmount.isFull ? 2_500 : 800
    var checks = 0
    // Three steps change all of the fields, each other one, and each third.
    let steps = TestAmount.isLong ? 400 : TestAmount.isFull ? 6 : 3
    for step in 0..<steps {
      let size = [1, 31, 40, 90, 300, names][random.below(6)]
      var (saves, taken): ([Record], Set<String>) = ([], [])
      for _ in 0..<random.below(size + 1) {
        let name = random.below(12) == 0 ? "R\(random.below(60))" : "T\(random.below(names))"
        if !taken.insert(name).inserted { continue }
        var record = Record(recordType: String(name.prefix(1)), recordName: name)
        Self.change(&record, &random, each: step % 3 + 1)
        saves.append(record)
      }
      // Some of those that were just saved, too.
      let deletions = (0..<(random.below(2) == 0 ? 0 : random.below(size + 1))).map { _ in
        RecordID(recordName: random.below(12) == 0 ? "R\(random.below(60))" : "T\(random.below(names))")
      }
      let policy: Database.SavePolicy = [.replace, .changedKeys, .allKeys][random.below(3)]
      let many = try together.modify(saving: saves, deleting: deletions, policy: policy)
      for (record, result) in zip(saves, many.saves) {
        let single = try apart.modify(saving: [record], policy: policy).saves[0]
        #expect(((try? single.get()) == nil) == ((try? result.get()) == nil))
        checks += 1
      }
      for id in deletions { _ = try apart.modify(deleting: [id]) }
      if random.below(3) == 0 {
        let some = Query(recordType: "T", predicate: try QueryPredicate(format: "n < %d", random.below(12)))
        let gone = try together.deleteRecords(matching: some)
        #expect(Set(gone) == Set(try apart.deleteRecords(matching: some)))
      }
      let fault = try together.zone(.default).read { $0.check() }
      #expect(fault == nil, "\(fault ?? "")")
      let (content, expected) = (try Self.content(together), try Self.content(apart))
      #expect(content == expected)
      checks += content.count + 2
    }
    print("many at once: \(checks) checks")
    #expect(checks > 40 * steps)
  }

  /// What is loaded may be there twice; more than what waits at most; into a zone that holds much already.
  @Test func loading() throws {
    var random = SplitMix(seed: 3)
    let database = try Self.database()
    var expected: [String: [String: FieldValue]] = [:]
    func records(_ count: Int, of names: Int) -> [Record] {
      (0..<count).map { _ in
        var record = Record(recordType: "T", recordName: "T\(random.below(names))")
        Self.change(&record, &random, each: 1)
        expected[record.recordID.recordName] = Self.fields(record)
        return record
      }
    }
    try database.load(records(TestAmount.isLong ? 24_000 : 4_800, of: TestAmount.isLong ? 30_000 : 6_000))
    for count in TestAmount.isLong ? [40, 900, 5_600] : [40, 900] {
      try database.load(records(count, of: count * 2 / 3))
      let fault = try database.zone(.default).read { $0.check() }
      #expect(fault == nil, "\(fault ?? "")")
    }
    #expect(try Self.content(database) == expected)
  }

  /// A field that comes with a record of an operation, and its index, while others of it wait.
  @Test func aTypeThatGrows() throws {
    let database = try Database()
    func record(_ number: Int, _ fields: [String: FieldValue]) -> Record {
      var record = Record(recordType: "T", recordName: "r\(number)")
      for (name, value) in fields { record[name] = value }
      return record
    }
    let target = Reference(RecordID(recordName: "r0"), action: .deleteSelf)
    try database.save(record(0, ["a": .int64(0), "d": .int64(1)]))
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["a", "d"]))
    var records = (1..<200).map { record($0, ["a": .int64(Int64($0 % 7))]) }
    records += (200..<300).map { record($0, ["a": .int64(1), "b": .string("b\($0)")]) }
    records += (300..<400).map { record($0, ["c": .double(Double($0))]) }
    records += (400..<420).map { record($0, ["r": .reference(target), "a": .int64(3)]) }
    for part in [records[..<250], records[250...]] {
      for result in try database.save(Array(part)) { _ = try result.get() }
    }
    #expect(try database.zone(.default).read { $0.check() } == nil)
    #expect(try database.count(matching: Query(recordType: "T", predicate: try QueryPredicate(format: "a = 1"))) == 129)
    #expect(
      try database.count(matching: Query(recordType: "T", predicate: try QueryPredicate(format: "c >= 350"))) == 50)
    // The references of records that were saved with it take them along.
    #expect(try database.deleteRecord(withID: RecordID(recordName: "r0")).count == 21)
    #expect(try database.zone(.default).read { $0.check() } == nil)
  }

  /// A failed operation in a custom zone leaves the indexes as they were.
  @Test func aFailureLeavesNothing() throws {
    let database = try Self.database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    func record(_ number: Int, _ value: FieldValue) -> Record {
      var record = Record(recordType: "T", recordName: "r\(number)", zoneID: zone)
      record["n"] = value
      return record
    }
    for result in try database.save((0..<100).map { record($0, .int64(Int64($0))) }) { _ = try result.get() }
    let failing = (50..<150).map { record($0, .int64(7)) } + [record(200, .string("no number"))]
    for result in try database.save(failing, policy: .replace) {
      #expect(throws: ZoneQueryError.self) { try result.get() }
    }
    #expect(try database.zone(zone).read { $0.check() } == nil)
    #expect(try database.count(recordType: "T") == 100)
    let seven = Query(recordType: "T", predicate: try QueryPredicate(format: "n = 7"))
    #expect(try database.count(matching: seven, inZoneWith: zone) == 1)
  }
}
