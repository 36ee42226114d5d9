import Testing

@testable import ZoneQuery

/// `.deleteSelf` references in fields without an index: what a table knows of them beside its indexes.
@Suite struct CascadeIndexTests {
  /// Saves, loads, deletions and changes of indexes, drawn by seeds, beside a dictionary of what is stored; behind each
  /// step all that a zone's pages say is checked against its rows.
  @Test func stepsAgainstADictionary() throws {
    let seeds = TestAmount.isLong ? 200 : TestAmount.isFull ? 5 : 1
    var counts = CascadeModel.Counts()
    for seed in 0..<seeds {
      var model = try CascadeModel(seed: UInt64(seed))
      for step in 0..<200 {
        try model.take(step)
        if let fault = model.fault {
          Issue.record("seed \(seed), step \(step): \(fault)")
          return
        }
      }
      counts.add(model.counts)
    }
    print("cascade index: \(counts) over \(seeds) seeds")
    #expect(counts.refused >= seeds * 10 && counts.cascaded >= seeds * 40)
    #expect(counts.bulkLoads >= seeds * 4 && counts.toggles >= seeds * 20 && counts.unindexed >= seeds * 500)
  }

  private static let lines = """
    DEFINE SCHEMA
      RECORD TYPE Customer (name STRING);
      RECORD TYPE Line (inOrder REFERENCE, item REFERENCE QUERYABLE, n INT64, extras LIST<REFERENCE>);
    """

  /// As many records are looked at for an order as it has lines, however many there are.
  @Test func anOrdersLinesAlone() throws {
    let database = try Database(schema: Schema(ckdb: Self.lines))
    let (orders, each) = (200, 15)
    func order(_ number: Int) -> RecordID { RecordID(recordName: "order \(number)") }
    for start in stride(from: 0, to: orders * each, by: 300) {
      let lines = (start..<start + 300).map { number in
        var line = Record(recordType: "Line", recordName: "line \(number)")
        line["inOrder"] = .reference(Reference(order(number % orders), action: .deleteSelf))
        // What takes nothing along is not among them.
        let action: Reference.Action = number % 5 == 0 ? .deleteSelf : .none
        line["item"] = .reference(Reference(RecordID(recordName: "item"), action: action))
        line["extras"] = .referenceList([Reference(order(0))])
        line["n"] = .int64(Int64(number))
        return line
      }
      try database.saveAll(lines)
    }
    try database.saveAll((0..<orders).map { Record(recordType: "Customer", recordID: order($0)) })
    let zone = try database.zone(.default)
    func candidates(_ number: Int) -> [Int] {
      zone.read { state in state.tables.map { $0.slotsReferring(to: order(number).encoded).count } }
    }
    func known() -> Int { zone.read { $0.tables.reduce(0) { $0 + $1.cascades.postings } } }
    for number in 0..<orders { #expect(candidates(number) == [each, 0]) }
    #expect(known() == orders * each * 6 / 5)
    // A line that stays in its order changes nothing, one that goes to another both.
    var line = try database.record(for: RecordID(recordName: "line 7"))
    line["n"] = -1
    line = try database.save(line)
    #expect(known() == orders * each * 6 / 5)
    line["inOrder"] = .reference(Reference(order(8), action: .deleteSelf))
    line["extras"] = .referenceList([7, 7, 8].map { Reference(order($0), action: .deleteSelf) })
    try database.save(line)
    #expect(candidates(7) == [each, 0] && candidates(8) == [each + 1, 0])
    // The line that refers to two orders goes with the first.
    for number in 0..<orders { #expect(try database.deleteRecord(withID: order(number)).count == each + 1) }
    #expect(known() == 0)
    #expect(try database.count(recordType: "Line") == 0)
    #expect(zone.read { $0.check() } == nil)
  }

  /// References that take nothing along are not looked at, however many there are to a record, and whether or not an index
  /// has them.
  @Test func amongManyOthers() throws {
    let database = try Database(
      schema: Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (r REFERENCE QUERYABLE, l LIST<REFERENCE> QUERYABLE);"))
    let hub = RecordID(recordName: "hub")
    try database.load(
      (0..<2_000).map { number in
        var record = Record(recordType: "T", recordName: "\(number)")
        record["r"] = .reference(Reference(hub, action: number % 100 == 7 ? .deleteSelf : .none))
        record["l"] = .referenceList([Reference(hub), Reference(hub)])
        return record
      } + [Record(recordType: "T", recordID: hub)])
    let zone = try database.zone(.default)
    func candidates() -> Int { zone.read { $0.tables[0].slotsReferring(to: hub.encoded).count } }
    #expect(candidates() == 20)
    for key in ["r", "l"] { try database.dropIndex(IndexDefinition(recordType: "T", keys: [key])) }
    #expect(candidates() == 20 && zone.read { $0.check() } == nil)
    var child = Record(recordType: "T", recordName: "child")
    child["l"] = .referenceList([Reference(hub, action: .deleteSelf), Reference(hub, action: .deleteSelf)])
    try database.save(child)
    #expect(candidates() == 21)
    #expect(try database.deleteRecord(withID: hub).count == 22)
    #expect(candidates() == 0 && zone.read { $0.check() } == nil)
  }
}

private struct CascadeModel {
  /// What came about.
  struct Counts {
    var (saved, refused, cascaded, bulkLoads, toggles, unindexed) = (0, 0, 0, 0, 0, 0)

    mutating func add(_ other: Counts) {
      saved += other.saved
      refused += other.refused
      cascaded += other.cascaded
      bulkLoads += other.bulkLoads
      toggles += other.toggles
      unindexed += other.unindexed
    }
  }

  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE Order (note STRING QUERYABLE);
      RECORD TYPE Line (
        inOrder REFERENCE, item REFERENCE QUERYABLE, others LIST<REFERENCE>, more LIST<REFERENCE> QUERYABLE,
        n INT64 QUERYABLE
      );
      RECORD TYPE Note (about REFERENCE, n INT64 QUERYABLE);
    """
  private static let limit = 5
  private static let zones = [ZoneID.default, ZoneID(zoneName: "A")]
  private static let types = ["Order", "Line", "Note"]
  private static let keys = [
    ("Line", "inOrder"), ("Line", "item"), ("Line", "others"), ("Line", "more"), ("Line", "late"), ("Line", "lateMany"),
    ("Note", "about"), ("Note", "late"),
  ]

  private typealias Fields = [String: FieldValue]

  private let database: Database
  private var random: SplitMix
  private var stored: [RecordID: Fields] = [:]
  /// Older versions, and who referred to whom then.
  private var held: [(snapshot: ZoneSnapshot, referrers: [String: Set<String>])] = []
  private(set) var counts = Counts()
  private(set) var fault: String?

  init(seed: UInt64) throws {
    random = SplitMix(seed: seed)
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: 1_000) }
    configuration.limits.cascadingReferences = Self.limit
    // Fields come with the records that have them, with an index at first.
    configuration.environment = .development
    database = try Database(schema: Schema(ckdb: Self.schema), configuration: configuration)
    try database.createZone(Self.zones[1])
  }

  mutating func take(_ step: Int) throws {
    let zone = Self.zones[random.below(2)]
    var toggled = false
    switch random.below(16) {
    case 0..<9: try save(step, zone)
    case 9..<11: try deleteSome(zone)
    case 11: try deleteFound(zone)
    case 12..<14: try load(step, zone)
    default:
      let (type, key) = Self.keys[random.below(Self.keys.count)]
      let index = IndexDefinition(recordType: type, keys: [key])
      guard database.schema[type]?.fields.contains(where: { $0.name == key }) == true else { break }
      if (try? database.dropIndex(index)) == nil { try database.addIndex(index) }
      counts.toggles += 1
      toggled = true
    }
    try check(zone)
    if step % 8 == 0 || toggled { for zone in Self.zones { try check(zone) } }
  }

  private mutating func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) {
    if !isTrue, fault == nil { fault = message() }
  }

  // MARK: Records

  /// Some record's name; the names of few records are long, and orders are few.
  private mutating func name(_ type: String) -> String {
    let number = random.below(type == "Order" ? 8 : 40)
    return "\(type) \(number)" + (number % 3 == 0 ? " with a name of some length" : "")
  }

  private mutating func type() -> String { Self.types[[0, 1, 1, 1, 2][random.below(5)]] }

  private mutating func reference(_ zone: ZoneID) -> Reference {
    let type = random.below(4) > 0 ? "Order" : type()
    return Reference(RecordID(recordName: name(type), zoneID: zone), action: random.below(3) > 0 ? .deleteSelf : .none)
  }

  /// Values for some of a type's fields, of which some come with time, in the one zone earlier than in the other.
  private mutating func fields(_ type: String, _ step: Int, _ zone: ZoneID, each share: Int) -> Fields {
    var fields: Fields = [:]
    let isLate = step >= (zone == .default ? 60 : 120)
    let singles: [String], lists: [String]
    switch type {
    case "Line":
      singles = ["inOrder", "item"] + (isLate ? ["late"] : [])
      lists = ["others", "more"] + (isLate && step % 2 == 0 ? ["lateMany"] : [])
    case "Note": (singles, lists) = (["about"] + (isLate ? ["late"] : []), [])
    default:
      fields["note"] = .string("\(random.below(5))")
      return fields
    }
    for field in singles where random.below(share) == 0 { fields[field] = .reference(reference(zone)) }
    for field in lists where random.below(share * 2) == 0 {
      var list = (0..<random.below(3)).map { _ in reference(zone) }
      // The same one again.
      if let first = list.first, random.below(3) == 0 { list += [first, Reference(first.recordID)] }
      fields[field] = .referenceList(list)
    }
    if random.below(share) == 0 { fields["n"] = .int64(Int64(random.below(12))) }
    return fields
  }

  /// The names of the records that take one with them, as often as it says so.
  private static func targets(_ fields: Fields) -> [String] {
    fields.values.flatMap { value -> [Reference] in
      switch value {
      case .reference(let reference): [reference]
      case .referenceList(let list): list
      default: []
      }
    }.filter { $0.action == .deleteSelf }.map(\.recordID.recordName)
  }

  private func referrers(_ zone: ZoneID) -> [String: Set<String>] {
    var referrers: [String: Set<String>] = [:]
    for (id, fields) in stored where id.zoneID == zone {
      for target in Self.targets(fields) { referrers[target, default: []].insert(id.recordName) }
    }
    return referrers
  }

  /// Puts a record in place of another where no target has too many references then, given how many each has; whether it did.
  private static func put(_ fields: Fields, inPlaceOf old: Fields, _ counts: inout [String: Int]) -> Bool {
    var after = counts
    for target in targets(old) { after[target, default: 0] -= 1 }
    let own = targets(fields)
    for target in own { after[target, default: 0] += 1 }
    // What a load stored beyond the limit stays, where there is no more of it.
    if own.contains(where: { after[$0, default: 0] > max(limit, counts[$0, default: 0]) }) { return false }
    counts = after
    return true
  }

  // MARK: Changes

  private mutating func save(_ step: Int, _ zone: ZoneID) throws {
    var after = stored
    var targets: [String: Int] = [:]
    for (id, fields) in stored where id.zoneID == zone {
      for target in Self.targets(fields) { targets[target, default: 0] += 1 }
    }
    let keeping: Database.SavePolicy = step % 2 == 0 ? .allKeys : .changedKeys
    let policy = [.replace, keeping, .ifServerRecordUnchanged][random.below(3)]
    var (records, expected): ([Record], [Bool]) = ([], [])
    var taken: Set<String> = []
    for _ in 0..<(random.below(12) == 0 ? 40 : 1 + random.below(5)) {
      let type = type()
      let id = RecordID(recordName: name(type), zoneID: zone)
      if !taken.insert(id.recordName).inserted { continue }
      var record = Record(recordType: type, recordID: id)
      let known = after[id]
      let isFetched = known != nil && (policy == .ifServerRecordUnchanged || random.below(2) == 0)
      if isFetched { record = try database.record(for: id) }
      var merged = isFetched || policy == .changedKeys || policy == .allKeys ? known ?? [:] : [:]
      for (field, value) in fields(type, step, zone, each: 2) {
        record[field] = value
        merged[field] = value
      }
      if isFetched, let lost = merged.keys.sorted().first, random.below(4) == 0 {
        record[lost] = nil
        merged[lost] = nil
      }
      records.append(record)
      expected.append(Self.put(merged, inPlaceOf: known ?? [:], &targets))
      if expected[expected.count - 1] { after[id] = merged }
    }
    let results = try database.modify(saving: records, policy: policy).saves
    // A custom zone takes all of them or none.
    let isAllOrNone = zone != .default
    for (result, isTaken) in zip(results, expected) {
      switch result {
      case .success:
        expect(isTaken && !(isAllOrNone && expected.contains(false)), "what goes beyond the limit was taken")
        counts.saved += 1
      case .failure(let error):
        if isTaken {
          expect(isAllOrNone && error.code == .batchRequestFailed && expected.contains(false), "refused: \(error)")
        } else {
          expect(error.code == .limitExceeded || isAllOrNone && error.code == .batchRequestFailed, "\(error)")
          counts.refused += 1
        }
      }
    }
    if !isAllOrNone || !expected.contains(false) { stored = after }
  }

  private mutating func load(_ step: Int, _ zone: ZoneID) throws {
    // Enough for the indexes to be built at the end, or few.
    let count = random.below(3) == 0 ? 70 + random.below(30) : 1 + random.below(8)
    if count >= 64 { counts.bulkLoads += 1 }
    var records: [Record] = []
    for _ in 0..<count {
      let type = type()
      var record = Record(recordType: type, recordName: name(type), zoneID: zone)
      let fields = fields(type, step, zone, each: 3)
      for (field, value) in fields { record[field] = value }
      records.append(record)
      stored[record.recordID] = fields
    }
    try database.load(records)
  }

  private mutating func deleteSome(_ zone: ZoneID) throws {
    let known = stored.keys.filter { $0.zoneID == zone }.map(\.recordName).sorted()
    if known.isEmpty { return }
    let targets = Set(referrers(zone).keys).intersection(known).sorted()
    let names = Set(
      (0..<1 + random.below(3)).map { _ in
        let some = random.below(3) == 0 || targets.isEmpty ? known : targets
        return some[random.below(some.count)]
      }
    ).sorted()
    let results = try database.modify(deleting: names.map { RecordID(recordName: $0, zoneID: zone) }).deletions
    let deleted = try results.flatMap { try $0.get() }
    expectGone(deleted, names, zone)
  }

  private mutating func deleteFound(_ zone: ZoneID) throws {
    let (type, number) = (random.below(2) == 0 ? "Line" : "Note", Int64(random.below(12)))
    let query = Query(recordType: type, predicate: try QueryPredicate(format: "n = %d", number))
    let found = stored.filter { id, fields in
      id.zoneID == zone && id.recordName.hasPrefix(type) && fields["n"] == .int64(number)
    }
    let deleted = try database.deleteRecords(matching: query, inZoneWith: zone)
    expectGone(deleted, found.keys.map(\.recordName), zone)
  }

  /// Takes records away with all that go with them, which are to be those that were deleted.
  private mutating func expectGone(_ deleted: [RecordID], _ names: [String], _ zone: ZoneID) {
    let referrers = referrers(zone)
    var gone: Set<RecordID> = []
    var pending = names
    while let name = pending.popLast() {
      let id = RecordID(recordName: name, zoneID: zone)
      if stored[id] == nil || !gone.insert(id).inserted { continue }
      pending += referrers[name] ?? []
    }
    expect(deleted.count == gone.count && Set(deleted) == gone, "deleted \(deleted), not \(gone)")
    for id in gone { stored[id] = nil }
    counts.cascaded += gone.count - names.count
  }

  // MARK: Checks

  private mutating func check(_ id: ZoneID) throws {
    let zone = try database.zone(id)
    if let fault = zone.read({ $0.check() }) { expect(false, fault) }
    let content = try Self.types.flatMap { type in
      try database.schema[type] == nil
        ? [] : database.records(matching: Query(recordType: type), inZoneWith: id, resultsLimit: .max).records
    }
    expect(
      content.count == stored.keys.count { $0.zoneID == id }
        && content.allSatisfy { record in
          let fields = stored[record.recordID]
          return fields?.count == record.fieldNames.count && fields?.allSatisfy { record[$0.key] == $0.value } == true
        }, "other records than the model's")
    let referrers = referrers(id)
    zone.read { state in
      for table in state.tables { counts.unindexed += table.cascades.postings }
      for name in Set(content.map(\.recordID.recordName)).union(referrers.keys) {
        let found = state.referrers(to: name)
        if Set(found) != referrers[name] ?? [] || Set(found).count != found.count {
          expect(false, "\(found) refer to \(name), not \(referrers[name] ?? [])")
        }
      }
    }
    guard random.below(8) == 0 else { return }
    held.append((zone.pinned(), referrers))
    if held.count <= 4 { return }
    let (snapshot, then) = held.removeFirst()
    for (name, names) in then {
      expect(Set(snapshot.state.referrers(to: name)) == names, "an older version has other referrers of \(name)")
    }
  }
}
