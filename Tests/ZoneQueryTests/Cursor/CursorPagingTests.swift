import Testing

@testable import ZoneQuery

struct CursorPagingTests {
  @Test func pagesOfEveryLimitAreTheWhole() throws {
    var random = SplitMix(seed: 71)
    var checks = 0
    for count in TestAmount.isLong ? [1, 2, 17, 60, 140] : [1, 2, 24] {
      let sample = try CursorSample(count: count, &random)
      for sort in CursorSample.sorts {
        for format in CursorSample.predicates {
          let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format), sort: sort)
          for zone in [nil, CursorSample.zones[0]] {
            let whole = try sample.database.records(matching: query, inZoneWith: zone, resultsLimit: .max)
            #expect(whole.cursor == nil && !whole.hasMore)
            let expected = whole.records.map(\.recordID)
            for limit in 1...(expected.count + 1) {
              let found = try CursorSample.pages(
                sample.database, query, zone: zone, limit: limit, throughText: limit % 2 == 0)
              #expect(found == expected, "\(format) \(sort) \(limit)")
              checks += found.count + 1
            }
          }
        }
      }
    }
    print("pages of every limit: \(checks) positions checked")
    #expect(checks > 12_000)
  }

  /// Between two pages records are saved, changed and deleted; those that nobody touches come exactly once.
  @Test func untouchedRecordsComeOnce() throws {
    var checks = 0
    for seed in 0..<UInt64(TestAmount.of(30, long: 400)) {
      var random = SplitMix(seed: 900 + seed)
      for sort in CursorSample.sorts {
        var sample = try CursorSample(count: 30, &random)
        let format = CursorSample.predicates[Int(random.next() % UInt64(CursorSample.predicates.count))]
        let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format), sort: sort)
        let before = Set(
          try sample.database.records(matching: query, resultsLimit: .max).records.map(\.recordID))
        var touched: Set<RecordID> = []
        var page = try sample.database.records(matching: query, resultsLimit: Int(random.next() % 6) + 1)
        var seen: [RecordID: Int] = [:]
        var made = 0
        while true {
          for record in page.records { seen[record.recordID, default: 0] += 1 }
          guard let cursor = page.cursor else { break }
          for _ in 0..<random.next() % 4 {
            let existing = sample.records.keys.sorted {
              $0.description.utf8.lexicographicallyPrecedes($1.description.utf8)
            }
            let old = existing[Int(random.next() % UInt64(existing.count))]
            switch random.next() % 3 {
            case 0:
              let new = CursorSample.record("n\(made)", &random)
              made += 1
              try sample.save([new])
              touched.insert(new.recordID)
            case 1 where existing.count > 4:
              try sample.delete(old)
              touched.insert(old)
            default:
              try sample.save([CursorSample.record(old.recordName, in: old.zoneID, &random)])
              touched.insert(old)
            }
          }
          page = try sample.database.records(
            continuingMatchFrom: cursor, resultsLimit: Int(random.next() % 6) + 1)
        }
        for id in before.subtracting(touched) {
          #expect(seen[id] == 1, "\(id) came \(seen[id] ?? 0) times under \(sort)")
          checks += 1
        }
        for id in seen.keys where !touched.contains(id) { #expect(before.contains(id)) }
      }
    }
    print("pages beside writes: \(checks) records checked")
    #expect(checks > TestAmount.of(3_300))
  }

  @Test func zonesThatComeAndGo() throws {
    var random = SplitMix(seed: 5)
    let sample = try CursorSample(count: 40, &random)
    let all = Query(recordType: "Thing")
    let first = try sample.database.records(matching: all, resultsLimit: 3)
    let cursor = try #require(first.cursor)
    let inFirstZone = try #require(first.records.last?.recordID.zoneID)
    #expect(inFirstZone == CursorSample.zones[0])
    // The zone is gone: what is left of the answer is the other zones'.
    try sample.database.deleteZone(inFirstZone)
    let rest = try sample.database.records(continuingMatchFrom: cursor, resultsLimit: .max)
    let expected = try sample.database.records(matching: all, resultsLimit: .max).records.map(\.recordID)
    #expect(rest.records.map(\.recordID) == expected && rest.cursor == nil)
    // The zone is another one of the same name.
    try sample.database.createZone(inFirstZone)
    expectFailure(.cursorExpired) { try sample.database.records(continuingMatchFrom: cursor) }
    // A place among values outlives both.
    let sorted = Query(recordType: "Thing", sort: [.ascending("x")])
    let sortedCursor = try #require(try sample.database.records(matching: sorted, resultsLimit: 1).cursor)
    try sample.database.deleteZone(CursorSample.zones[1])
    try sample.database.createZone(CursorSample.zones[1])
    _ = try sample.database.records(continuingMatchFrom: sortedCursor)
    // A query of one zone needs it.
    let zone = try #require(CursorSample.zones.first)
    try sample.database.load((0..<3).map { CursorSample.record("z\($0)", in: zone, &random) })
    let scoped = try #require(
      try sample.database.records(matching: all, inZoneWith: zone, resultsLimit: 1).cursor)
    try sample.database.deleteZone(zone)
    expectFailure(.zoneNotFound) { try sample.database.records(continuingMatchFrom: scoped) }
  }

  @Test func nowIsReadOnce() throws {
    let time = Locked(Int64(1_000))
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: time.withLock { $0 }) }
    let database = try Database(schema: try CursorSample.schema(), configuration: configuration)
    try database.load(
      (0..<6).map { index in
        var record = Record(recordType: "Thing", recordName: "r\(index)")
        record["when"] = .timestamp(Timestamp(milliseconds: Int64(index) * 1_000))
        return record
      })
    for sort in [[], [SortKey.ascending("when")]] {
      time.withLock { $0 = 1_000 }
      let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: "when > now()"), sort: sort)
      let page = try database.records(matching: query, resultsLimit: 2)
      time.withLock { $0 = 5_000 }
      let rest = try database.records(continuingMatchFrom: try #require(page.cursor))
      #expect((page.records + rest.records).map(\.recordID.recordName) == ["r2", "r3", "r4", "r5"])
    }
  }

  @Test func keysAndLimitsAreThePagesOwn() throws {
    var random = SplitMix(seed: 6)
    let sample = try CursorSample(count: 20, &random)
    let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: "x >= 0"), sort: [.ascending("x")])
    let cursor = try #require(try sample.database.records(matching: query, desiredKeys: [], resultsLimit: 2).cursor)
    let page = try sample.database.records(continuingMatchFrom: cursor, desiredKeys: ["x"], resultsLimit: .max)
    #expect(page.records.allSatisfy { $0.fieldNames == ["x"] } && page.cursor == nil)
    expectFailure(.invalidQuery) {
      try sample.database.records(continuingMatchFrom: cursor, resultsLimit: 0)
    }
    expectFailure(.invalidQuery) {
      try sample.database.records(continuingMatchFrom: cursor, desiredKeys: ["nope"])
    }
    // The same cursor may be used again, and gives the same.
    let again = try sample.database.records(continuingMatchFrom: cursor, desiredKeys: ["x"], resultsLimit: .max)
    #expect(again.records == page.records)
  }
}
