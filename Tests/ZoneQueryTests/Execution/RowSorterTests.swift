import Testing

@testable import ZoneQuery

/// Orders of several keys, whose values are equal or begin alike, against a plain sort of the records.
struct RowSorterTests {
  private static let keys = ["text", "long", "number", "real", "date", "link"]

  private static func records(_ count: Int, zones: Int, _ random: inout SplitMix) -> [Record] {
    let shared = String(repeating: "the same beginning ", count: 12)
    return (0..<count).map { number in
      let zone = ZoneID(zoneName: "zone \(random.below(zones))")
      // Names that differ late, of which each zone has one.
      let name = random.below(2) == 0 ? "r\(number)" : String((shared + "\(number)").suffix(60))
      var record = Record(recordType: "T", recordName: name, zoneID: zone)
      if random.below(8) > 0 { record["text"] = .string(["", "a", "b", "é", "日本", "a\u{0}"][random.below(6)]) }
      if random.below(8) > 0 {
        let cut = [0, 19, 40, 200, 200, 200][random.below(6)]
        let end = ["", "x", "y", "\u{0}", "\(random.below(50))", "\(random.below(9)) \(shared) \(random.below(9))"]
        record["long"] = .string(String(shared.prefix(cut)) + end[random.below(6)])
      }
      if random.below(8) > 0 { record["number"] = .int64(Int64(random.below(4)) - 2) }
      if random.below(8) > 0 { record["real"] = .double([-0.0, 0, 1.5, -.infinity, .infinity][random.below(5)]) }
      if random.below(8) > 0 { record["date"] = .timestamp(Timestamp(milliseconds: Int64(random.below(3)))) }
      if random.below(8) > 0 {
        record["link"] = .reference(
          Reference(RecordID(recordName: "target \(random.below(20))", zoneID: zone), action: .none))
      }
      return record
    }
  }

  /// How two records are ordered by a key; 0 where their values are equal.
  private static func compare(_ left: Record, _ right: Record, _ key: SortKey) -> Int {
    func bytes(_ texts: String...) -> [UInt8] { Array(texts.joined(separator: "\u{0}").utf8) }
    func order(_ a: [UInt8], _ b: [UInt8]) -> Int { a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1 }
    let result: Int
    switch (left[key.key], right[key.key]) {
    case (nil, nil): result = 0
    case (nil, _): result = -1
    case (_, nil): result = 1
    case (.string(let a)?, .string(let b)?): result = order(bytes(a), bytes(b))
    case (.int64(let a)?, .int64(let b)?): result = a < b ? -1 : a > b ? 1 : 0
    case (.double(let a)?, .double(let b)?): result = a < b ? -1 : a > b ? 1 : 0
    case (.timestamp(let a)?, .timestamp(let b)?): result = a < b ? -1 : a > b ? 1 : 0
    case (.reference(let a)?, .reference(let b)?):
      func encoded(_ id: RecordID) -> [UInt8] { bytes(id.zoneID.zoneName, id.zoneID.ownerName, id.recordName) }
      result = order(encoded(a.recordID), encoded(b.recordID))
    default: result = 0
    }
    return key.order == .descending ? -result : result
  }

  private static func precedes(_ left: Record, _ right: Record, _ keys: [SortKey]) -> Bool {
    for key in keys {
      let order = compare(left, right, key)
      if order != 0 { return order < 0 }
    }
    let names = (Array(left.recordID.recordName.utf8), Array(right.recordID.recordName.utf8))
    if names.0 != names.1 { return names.0.lexicographicallyPrecedes(names.1) }
    return left.recordID.zoneID.zoneName < right.recordID.zoneID.zoneName
  }

  /// With indexes, in whose order rows come with those of one value together, and without.
  @Test(arguments: [1, 2, 3, 4], [true, false])
  func ordersOfSeveralKeys(seed: Int, isIndexed: Bool) throws {
    var random = SplitMix(seed: UInt64(seed))
    let zones = seed % 2 == 0 ? 1 : 3
    let use = isIndexed ? "QUERYABLE SORTABLE" : ""
    let schema = try Schema(
      ckdb: """
        DEFINE SCHEMA RECORD TYPE T ("___recordID" REFERENCE QUERYABLE, text STRING \(use), long STRING \(use),
          number INT64 \(use), real DOUBLE \(use), date TIMESTAMP \(use), link REFERENCE \(isIndexed ? "QUERYABLE" : ""));
        """)
    let database = try Database(schema: schema)
    for zone in 0..<zones { try database.createZone(ZoneID(zoneName: "zone \(zone)")) }
    let records = Self.records(TestAmount.isLong ? 3_000 : TestAmount.isFull ? 600 : 400, zones: zones, &random)
    try database.load(records)
    var checks = 0
    for _ in 0..<TestAmount.of(40) {
      let keys = Self.keys.shuffled(using: &random).prefix(random.below(4) + 1).map { key in
        random.below(2) == 0 ? SortKey.ascending(key) : .descending(key)
      }
      let sorted = records.sorted { Self.precedes($0, $1, keys) }.map(\.recordID)
      let prepared = try database.prepare(Query(recordType: "T", predicate: .true, sort: keys))
      for limit in [5, 300, Int.max] {
        // The second time by a kept plan.
        for _ in 0..<2 {
          let found = try prepared.records(resultsLimit: limit).records.map(\.recordID)
          #expect(found == Array(sorted.prefix(limit)), "\(keys.map { "\($0.key) \($0.order)" }), \(limit)")
          checks += found.count
        }
      }
    }
    print("sorted rows: \(checks) checked")
    #expect(checks >= TestAmount.of(50_000))
  }
}
