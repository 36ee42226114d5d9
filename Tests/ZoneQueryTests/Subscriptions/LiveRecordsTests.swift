import Testing

@testable import ZoneQuery

/// Live answers are those that the query gives when it is asked again, and their changes lead from each to the next.
struct LiveRecordsTests {
  private static func applied(_ changes: [LiveRecords.Change], to records: [Record]) -> [Record] {
    var result = records.map(Optional.some)
    for change in changes {
      switch change {
      case .removed(let id, let place):
        #expect(records[place].recordID == id)
        result[place] = nil
      case .moved(let record, let place, _):
        #expect(records[place].recordID == record.recordID)
        result[place] = nil
      case .inserted, .updated: break
      }
    }
    var new = result.compactMap { $0 }
    for change in changes {
      switch change {
      case .removed, .updated: break
      case .inserted(let record, let place), .moved(let record, _, let place): new.insert(record, at: place)
      }
    }
    for case .updated(let record, let place) in changes {
      #expect(new[place].recordID == record.recordID)
      new[place] = record
    }
    return new
  }

  @Test func answersAsTheQueryAskedAgain() async throws {
    var checks = 0
    var updates = 0
    for seed in 0..<(TestAmount.isLong ? 300 : 10) {
      var random = SplitMix(seed: UInt64(seed))
      let database = try StandingSample().database
      for number in 0..<8 { try database.save(StandingSample.record("r\(number)", .default, &random)) }
      let sorts: [[SortKey]] = [
        [], [.ascending("seats")], [.descending("score"), .ascending("city")],
        [.distance("place", from: Location(latitude: 3, longitude: 3))],
      ]
      let query = Query(
        recordType: "Event", predicate: try StandingSample.predicate(&random), sort: sorts[random.below(4)])
      let zone = [nil, ZoneID.default][random.below(2)]
      let limit = [3, 5, 100][random.below(3)]
      let keys: [String]? = random.below(3) == 0 ? ["city"] : nil
      let live = try database.liveRecords(matching: query, inZoneWith: zone, desiredKeys: keys, resultsLimit: limit)
      var iterator = live.makeAsyncIterator()
      var records = try #require(await iterator.next()).records
      let ask = {
        try database.records(matching: query, inZoneWith: zone, desiredKeys: keys, resultsLimit: limit).records
      }
      #expect(try records == ask())
      for step in 0..<40 {
        let custom = random.below(3) == 0
        let id = RecordID(recordName: "r\(random.below(10))", zoneID: custom ? StandingSample.custom : .default)
        if random.below(4) == 0 {
          _ = try database.deleteRecords(withIDs: [id])
        } else {
          try database.save(StandingSample.record(id.recordName, id.zoneID, &random), policy: .replace)
        }
        checks += 1
        let expected = try ask()
        if expected == records { continue }
        let update = try #require(await iterator.next())
        updates += 1
        #expect(update.records == expected, "seed \(seed), step \(step)")
        #expect(Self.applied(update.changes, to: records) == expected, "seed \(seed), step \(step)")
        records = update.records
      }
    }
    print("live records: \(checks) commits, \(updates) updates")
    #expect(checks >= 400 && updates >= 60)
  }

  @Test func differences() {
    var checks = 0
    let seeds = TestAmount.of(2_000)
    for seed in 0..<seeds {
      var random = SplitMix(seed: UInt64(seed))
      func list() -> [Record] {
        var names = Array(0..<8)
        for index in names.indices { names.swapAt(index, random.below(names.count)) }
        return names.prefix(random.below(9)).map { number in
          var record = Record(recordType: "Event", recordName: "r\(number)")
          record["seats"] = .int64(Int64(random.below(2)))
          return record
        }
      }
      let (old, new) = (list(), list())
      let changes = RecordListDifference(from: old, to: new).changes
      #expect(Self.applied(changes, to: old) == new)
      checks += 1
    }
    #expect(checks == seeds)
  }

  @Test func endsWithItsZoneAndItsTask() async throws {
    let database = try StandingSample().database
    let live = try database.liveRecords(matching: Query(recordType: "Event"), inZoneWith: StandingSample.custom)
    var iterator = live.makeAsyncIterator()
    #expect(try await iterator.next()?.records.isEmpty == true)
    try database.deleteZone(StandingSample.custom)
    await #expect(throws: ZoneQueryError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    let other = try database.liveRecords(matching: Query(recordType: "Event"))
    let task = Task {
      var count = 0
      for try await _ in other { count += 1 }
      return count
    }
    while database.standing.isIdle { await Task.yield() }
    task.cancel()
    #expect(try await task.value <= 1)
    #expect(database.standing.isIdle)
  }

  @Test func refusesWhatAQueryRefuses() throws {
    let database = try StandingSample().database
    for limit in [0, -1] {
      #expect(throws: ZoneQueryError.self) {
        try database.liveRecords(matching: Query(recordType: "Event"), resultsLimit: limit)
      }
    }
    #expect(throws: ZoneQueryError.self) { try database.liveRecords(matching: Query(recordType: "None")) }
    #expect(throws: ZoneQueryError.self) {
      try database.liveRecords(matching: Query(recordType: "Event"), desiredKeys: ["nothing"])
    }
  }
}
