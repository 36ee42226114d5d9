import Testing
import ZoneQuery

/// What zones take, and what readers and commits leave behind.
@Suite struct MemoryTests {
  private static let schema = """
    DEFINE SCHEMA RECORD TYPE Event (
      name STRING QUERYABLE SORTABLE, start TIMESTAMP QUERYABLE SORTABLE, place LOCATION QUERYABLE,
      title STRING SEARCHABLE, tags LIST<STRING> QUERYABLE, seats INT64
    );
    """

  private static func record(_ number: Int, _ zone: ZoneID, seats: Int = 0) -> Record {
    var record = Record(recordType: "Event", recordName: "record \(number)", zoneID: zone)
    record["name"] = .string("name \(number * 7 % 50)")
    record["start"] = .timestamp(Timestamp(milliseconds: Int64(number * 1_000)))
    record["place"] = .location(Location(latitude: Double(number % 90), longitude: Double(number % 170)))
    record["title"] = .string("the title of number \(number) among \(number % 13) others")
    record["tags"] = .stringList(["tag \(number % 5)", "tag \(number % 7)"])
    record["seats"] = .int64(Int64(seats))
    return record
  }

  /// A reader keeps what it reads and no more, however many commits there are; behind it nothing is kept.
  @Test func readersKeepTheirVersion() throws {
    let database = try Database(schema: try Schema(ckdb: MemoryTests.schema))
    #expect(database.memory.totalBytes == 0)
    for number in 0..<500 { try database.save(MemoryTests.record(number, .default)) }
    let before = try database.memory(ofZone: .default)
    #expect(before.liveBytes > 500 * 200 && before.heldBytes == 0)
    let prepared = try database.prepare(
      Query(recordType: "Event", predicate: try QueryPredicate(format: "seats == 0")))
    var (isFirst, held) = (true, [Int]())
    try prepared.forEachRecord(resultsLimit: 500) { (_) throws(ZoneQueryError) in
      guard isFirst else { return }
      isFirst = false
      for round in 1...3 {
        for number in 0..<500 {
          try database.save(MemoryTests.record(number, .default, seats: round), policy: .replace)
        }
        held.append(try database.memory(ofZone: .default).heldBytes)
      }
    }
    #expect(held.allSatisfy { $0 > 0 && $0 <= before.liveBytes }, "\(held)")
    #expect(held[1] == held[0] && held[2] == held[0])
    try database.save(MemoryTests.record(0, .default, seats: 9), policy: .replace)
    let after = try database.memory(ofZone: .default)
    #expect(after.heldBytes == 0 && after.reusableBytes > 0)
    #expect(throws: ZoneQueryError.self) { try database.memory(ofZone: ZoneID(zoneName: "none")) }
  }

  /// What an index takes is what there is less when it is dropped, and more when it comes back; entries are as many as the
  /// records have values.
  @Test func indexesByThemselves() throws {
    let database = try Database(schema: try Schema(ckdb: MemoryTests.schema))
    let zones = (0..<3).map { ZoneID(zoneName: "z\($0)") }
    for (place, zone) in zones.enumerated() {
      try database.createZone(zone)
      try database.load((0..<400 * place).map { MemoryTests.record($0, zone) })
    }
    let compound = IndexDefinition(recordType: "Event", keys: ["name", "start"])
    try database.addIndex(compound)
    let sizes = try database.indexSizes(of: "Event")
    #expect(sizes.map(\.index) == database.indexes(of: "Event"))
    #expect(sizes.reduce(0) { $0 + $1.byteCount } < database.memory.liveBytes)
    let counts = Dictionary(uniqueKeysWithValues: sizes.map { ($0.index.name, $0.entryCount) })
    // "tag 0" twice where 35 divides the number.
    let tags = zones.indices.reduce(0) { sum, place in
      sum + (0..<400 * place).reduce(0) { $0 + ($1 % 5 == $1 % 7 ? 1 : 2) }
    }
    let expected = ["name": 1_200, "start": 1_200, "place": 1_200, "name, start": 1_200, "tags": tags]
    for (name, count) in expected { #expect(counts[name] == count, "\(name)") }
    #expect((counts["allTokens"] ?? 0) > 1_200 * 3)
    for size in sizes where size.entryCount > 0 {
      let before = database.memory.liveBytes
      try database.dropIndex(size.index)
      #expect(before - database.memory.liveBytes == size.byteCount, "\(size)")
      #expect(try !database.indexSizes(of: "Event").contains { $0.index == size.index })
      try database.addIndex(size.index)
      let again = try database.indexSizes(of: "Event").first { $0.index == size.index }
      #expect(
        again?.entryCount == size.entryCount
          && database.memory.liveBytes - before == (again?.byteCount ?? 0) - size.byteCount)
    }
    var sums: [IndexDefinition: Int] = [:]
    for zone in zones {
      for size in try database.indexSizes(of: "Event", inZoneWith: zone) {
        sums[size.index, default: 0] += size.byteCount
      }
    }
    #expect(
      try sums == Dictionary(uniqueKeysWithValues: database.indexSizes(of: "Event").map { ($0.index, $0.byteCount) }))
    expectFailure(.unknownRecordType) { try database.indexSizes(of: "Nope") }
    expectFailure(.zoneNotFound) { try database.indexSizes(of: "Event", inZoneWith: ZoneID(zoneName: "none")) }
  }

  /// A batch that fails leaves neither records nor much memory.
  @Test func failedBatchesLeaveLittle() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 5_000
    let database = try Database(schema: try Schema(ckdb: MemoryTests.schema), configuration: configuration)
    let zone = ZoneID(zoneName: "zone")
    try database.createZone(zone)
    try database.save(MemoryTests.record(0, zone))
    let before = try database.memory(ofZone: zone)
    var records = (1..<3_000).map { MemoryTests.record($0, zone) }
    // It is there already.
    records.append(MemoryTests.record(0, zone))
    for result in try database.save(records) { #expect(throws: ZoneQueryError.self) { try result.get() } }
    let after = try database.memory(ofZone: zone)
    #expect(after.liveBytes == before.liveBytes && after.heldBytes == 0)
    #expect(after.reusableBytes <= 1 << 18 && after.reusableBytes > before.reusableBytes, "\(after)")
  }

  /// The sum over zones that come and go.
  @Test func zonesAreSummed() throws {
    let database = try Database(schema: try Schema(ckdb: MemoryTests.schema))
    for zone in 0..<5 {
      let id = ZoneID(zoneName: "zone \(zone)")
      try database.createZone(id)
      #expect(try database.memory(ofZone: id).totalBytes == 0)
      for number in 0..<30 { try database.save(MemoryTests.record(number, id)) }
      let memory = try database.memory(ofZone: id)
      #expect(memory.liveBytes < 30 * 1_200 && memory.heldBytes == 0 && memory.reusableBytes <= 270_000, "\(memory)")
    }
    let sum = database.memory
    #expect(sum.liveBytes == (try database.zoneIDs.map { try database.memory(ofZone: $0).liveBytes }.reduce(0, +)))
    for zone in database.zoneIDs where zone != .default { try database.deleteZone(zone) }
    #expect(database.memory.totalBytes == 0)
  }
}
