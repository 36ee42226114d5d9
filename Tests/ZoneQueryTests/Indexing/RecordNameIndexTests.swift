import Testing

@testable import ZoneQuery

/// Indexes that have records in the order of their names.
@Suite struct RecordNameIndexTests {
  private static let zones = ["A", "B", "C"].map { ZoneID(zoneName: $0) }
  /// More than the words of an index hold, and the same for many.
  private static let long = "a-record-whose-name-is-longer-than-the-words-of-an-index-"

  private static func schema(_ mark: String = "QUERYABLE SORTABLE") throws -> Schema {
    try Schema(
      ckdb: """
        DEFINE SCHEMA RECORD TYPE T (
          "___recordID" REFERENCE \(mark), city STRING QUERYABLE, seats INT64 QUERYABLE SORTABLE);
        """)
  }

  private static func name(_ samples: inout SplitMix) -> String {
    let number = samples.below(400)
    switch number % 4 {
    case 0: return "\(number)"
    case 1: return "\(long)\(number)"
    case 2: return "\(number)-\(long)"
    default: return "N\(String(repeating: "x", count: number / 2))"
    }
  }

  private static func record(_ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "T", recordName: name(&samples), zoneID: zones[samples.below(zones.count)])
    if samples.below(9) > 0 { record["city"] = .string(["Suva", "Oslo", "\(long)city"][samples.below(3)]) }
    if samples.below(9) > 0 { record["seats"] = .int64(Int64(samples.below(4))) }
    return record
  }

  private static func key(_ id: RecordID) -> [UInt8] { Array(id.encoded) }

  /// Drawn pages, in one zone and in all, of records that come and go between pages: each record that stays is there once, in
  /// the order of zones and names, whether indexes have that order or not.
  @Test func drawn() throws {
    let database = try Database(schema: try Self.schema())
    for zone in Self.zones { try database.createZone(zone) }
    let compound = IndexDefinition(recordType: "T", keys: ["city", "recordID"])
    try database.addIndex(compound)
    var (samples, checks, walked) = (SplitMix(seed: 71), 0, 0)
    var held: [RecordID: Record] = [:]
    for _ in 0..<300 {
      let record = Self.record(&samples)
      held[record.recordID] = record
      try database.save(record, policy: .replace)
    }
    let sorts: [[SortKey]] = [
      [.ascending("recordID")], [.descending("recordID")], [.ascending("city"), .ascending("recordID")],
      [.descending("city"), .descending("recordID")], [.ascending("city"), .descending("recordID")],
      [.descending("recordID"), .ascending("seats")],
    ]
    let formats = [
      "TRUEPREDICATE", "city = 'Suva'", "city IN {'Oslo', 'Suva'}", "seats > 1", "city = '\(Self.long)city'",
    ]
    for round in 0..<TestAmount.of(300) {
      if round % 10 == 9 { try round % 20 == 9 ? database.dropIndex(compound) : database.addIndex(compound) }
      let (sort, format) = (sorts[samples.below(sorts.count)], formats[samples.below(formats.count)])
      let predicate = try QueryPredicate(format: format)
      let type = try #require(database.schema["T"])
      let matcher = try Matcher(predicate, for: type)
      let query = Query(recordType: "T", predicate: predicate, sort: sort)
      let zone = samples.below(2) == 0 ? nil : Self.zones[samples.below(3)]
      let (limit, changes) = (1 + samples.below(40), samples.below(2) == 0)
      /// Those that were there all the time, and all that were there at some time.
      var (stayed, known) = (held, held)
      var found: [RecordID] = []
      var page = try database.records(matching: query, inZoneWith: zone, resultsLimit: limit)
      while true {
        found += page.records.map(\.recordID)
        guard let cursor = page.cursor else { break }
        if changes {
          let record = Self.record(&samples)
          try database.save(record, policy: .replace)
          (stayed[record.recordID], known[record.recordID], held[record.recordID]) = (nil, record, record)
          if samples.below(2) == 0, let gone = held.keys.min(by: { $0.description < $1.description }) {
            try database.deleteRecord(withID: gone)
            (stayed[gone], held[gone]) = (nil, nil)
          }
        }
        page = try database.records(continuingMatchFrom: cursor, resultsLimit: limit)
      }
      func isAsked(_ record: Record) throws -> Bool {
        try (zone.map { record.recordID.zoneID == $0 } ?? true) && matcher.matches(record)
      }
      let expected = try stayed.values.filter(isAsked).sorted { precedes($0, $1, sort) }.map(\.recordID)
      #expect(found.filter { stayed[$0] != nil } == expected, "\(query) \(limit)")
      // One whose city changes meanwhile may come again.
      #expect(Set(found).count == found.count || sort[0].key == "city" && changes)
      #expect(found.allSatisfy { known[$0] != nil })
      if !changes {
        // The plan is kept from the second page on.
        #expect(try database.prepare(query, inZoneWith: zone).ids([:], pagesOf: limit) == expected, "\(query) \(limit)")
      }
      let explanation = try database.explain(query, inZoneWith: zone, resultsLimit: limit)
      if "\(explanation)".contains("recordID) ") { walked += 1 }
      checks += 1
    }
    print("pages in the order of names: \(checks) answers, \(walked) along an index")
    #expect(checks >= TestAmount.of(300) && walked >= checks / 4)
  }

  private func precedes(_ left: Record, _ right: Record, _ sort: [SortKey]) -> Bool {
    for key in sort {
      var (a, b): ([UInt8], [UInt8]) = ([], [])
      switch key.key {
      case "city":
        // What is missing comes first ascending.
        (a, b) = ([], [])
        if case .string(let city)? = left["city"] { a = [1] + Array(city.utf8) }
        if case .string(let city)? = right["city"] { b = [1] + Array(city.utf8) }
      case "recordID": (a, b) = (Self.key(left.recordID), Self.key(right.recordID))
      default: continue
      }
      if a == b { continue }
      return a.lexicographicallyPrecedes(b) == (key.order == .ascending)
    }
    return Self.key(left.recordID).lexicographicallyPrecedes(Self.key(right.recordID))
  }

  /// A page reads its entries alone, from the first page to the last, in one zone and in the last of several; so do kept plans.
  @Test func figures() throws {
    let database = try Database(schema: try Self.schema())
    for zone in Self.zones { try database.createZone(zone) }
    let names = (0..<2_000).map { "\(Self.long)\(1_000_000 + $0)" }
    for zone in Self.zones {
      try database.load(names.shuffledBySeed(9).map { Record(recordType: "T", recordName: $0, zoneID: zone) })
    }
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "TRUEPREDICATE"), sort: [.ascending("recordID")])
    for zone in [nil, Self.zones[1]] {
      let prepared = try database.prepare(query, inZoneWith: zone)
      var (all, page): ([String], QueryPage) = ([], try prepared.records(resultsLimit: 50))
      while true {
        all += page.records.map(\.recordID.recordName)
        guard let cursor = page.cursor else { break }
        page = try database.records(continuingMatchFrom: cursor)
      }
      #expect(all == (zone == nil ? names + names + names : names))
      let explanation = try database.explain(query, inZoneWith: zone, resultsLimit: 50)
      // Of each zone but the first, one entry tells that all come behind.
      #expect(explanation.counters.entriesRead <= 53 && explanation.counters.rowsExamined == 0, "\(explanation)")
    }
  }

  /// QUERYABLE alone, as CloudKit's dashboard marks every type, is no index of names; one is added, found and dropped.
  @Test func definitions() throws {
    let database = try Database(schema: try Self.schema("QUERYABLE"))
    let names = IndexDefinition(recordType: "T", keys: ["___recordID"])
    #expect(database.indexes(of: "T").map(\.name) == ["city", "seats"])
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["recordID"]))
    #expect(database.indexes(of: "T").map(\.name) == ["city", "seats", "recordID"])
    #expect(throws: ZoneQueryError.self) { try database.addIndex(names) }
    try database.dropIndex(names)
    #expect(database.indexes(of: "T").map(\.name) == ["city", "seats"])
    #expect {
      try database.addIndex(IndexDefinition(recordType: "T", keys: ["recordID", "city"]))
    } throws: { "\($0)".contains("no two records have one name") }
  }
}

extension [String] {
  /// In an order that a seed tells.
  fileprivate func shuffledBySeed(_ seed: UInt64) -> [String] {
    var samples = SplitMix(seed: seed)
    return map { (samples.next(), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
