import Foundation
import PredicateSyntax
import Testing

@testable import ZoneQuery
@testable import ZoneQueryTesting

/// What the index says of a change is what a scan of all subscriptions says, and what queries of a database say that are
/// asked before and after it. Values are drawn at boundaries; subscriptions come and go between the changes.
struct SubscriptionAgreementTests {
  private struct Tally {
    var pairs = 0
    var changes = 0
    var fired = 0
    var queries = 0
    var added = 0
    var removed = 0
    var differences: [String] = []
  }

  private struct Standing {
    var handle: SubscriptionIndex.Handle
    var predicate: Int
    var events: SubscriptionIndex.Events
    var zone: ZoneID?
  }

  /// One type, one database and one index over many rounds of changes.
  private struct World {
    let type: RecordType
    let database: Database
    let index: SubscriptionIndex
    let now = Timestamp(milliseconds: 1_000_000_000_000)
    let ids: [RecordID]
    var predicates: [QueryPredicate] = []
    var standing: [Standing] = []

    init(_ random: inout SeededRandom, records count: Int, predicates wanted: Int) throws {
      var configuration = Database.Configuration()
      configuration.predicateOptions = PredicateOptions(
        dialect: random.chance(1, of: 2) ? .cloudKit : .extended,
        missingFields: random.chance(3, of: 4) ? .excluded : .likeNSPredicate,
        stringEquality: random.chance(3, of: 4) ? .exact : .caseInsensitive)
      configuration.clock = { [now] in now }
      type = SchemaGenerator().recordType("Thing", &random)
      database = try Database(schema: Schema([type]), configuration: configuration)
      var seeds = random
      index = SubscriptionIndex(options: configuration.predicateOptions, seed: seeds.next())
      let records = RecordGenerator(recordType: type).records(count, &random)
      ids = records.map(\.recordID)
      var generator = PredicateGenerator(recordType: type, records: records)
      generator.dialect = configuration.predicateOptions.dialect
      for _ in 0..<wanted { predicates.append(QueryPredicate(generator.predicate(&random))) }
      try database.load(records)
    }

    /// Every record by its ID.
    func images() throws -> [RecordID: Record] {
      let all = try database.records(matching: Query(recordType: type.name), resultsLimit: .max).records
      return Dictionary(uniqueKeysWithValues: all.map { ($0.recordID, $0) })
    }

    /// What each predicate's query finds.
    func answers(_ tally: inout Tally) throws -> [Set<RecordID>] {
      tally.queries += predicates.count
      return try predicates.map { predicate in
        let query = Query(recordType: type.name, predicate: predicate)
        let page = try database.records(matching: query, desiredKeys: [], resultsLimit: .max)
        return Set(page.records.map(\.recordID))
      }
    }

    mutating func subscribe(_ random: inout SeededRandom, _ tally: inout Tally) throws {
      for _ in 0..<random.below(predicates.count) {
        let predicate = random.below(predicates.count)
        let some = SubscriptionIndex.Events(rawValue: UInt8(1 + random.below(15)))
        let events = random.chance(1, of: 3) ? some : .all
        let zone = random.chance(1, of: 5) ? random.pick(ids)?.zoneID : nil
        let handle = try index.add(predicates[predicate], for: type, events: events, zone: zone, now: now)
        standing.append(Standing(handle: handle, predicate: predicate, events: events, zone: zone))
        tally.added += 1
      }
      let wanted = random.chance(1, of: 12) ? 0 : 5 * predicates.count
      while standing.count > wanted {
        let gone = standing.remove(at: random.below(standing.count))
        if !index.remove(gone.handle) { tally.differences.append("not removed") }
        tally.removed += 1
      }
    }

    /// Changes most of the records: new values, gone, or there again.
    func change(_ random: inout SeededRandom) throws {
      let drawn = RecordGenerator(recordType: type).records(ids.count, &random)
      var saved: [Record] = []
      var gone: [RecordID] = []
      for id in ids {
        if random.chance(1, of: 8) { continue }
        if random.chance(1, of: 8) {
          gone.append(id)
          continue
        }
        guard let values = random.pick(drawn.filter { $0.recordID.zoneID == id.zoneID }) else { continue }
        var record = Record(recordType: type.name, recordID: id)
        for (name, value) in values.fields { record[name] = value }
        record.creationDate = values.creationDate
        record.modificationDate = values.modificationDate
        record.creatorUserRecordID = values.creatorUserRecordID
        record.lastModifiedUserRecordID = values.lastModifiedUserRecordID
        saved.append(record)
      }
      try database.load(saved)
      // One after the other: what refers to a record may keep it, or go with it.
      for id in gone { _ = try? database.deleteRecord(withID: id) }
    }

    /// One round: subscriptions come and go, records change, and everybody is asked.
    mutating func round(_ random: inout SeededRandom, _ tally: inout Tally) throws {
      try subscribe(&random, &tally)
      let (before, asked) = (try images(), try answers(&tally))
      try change(&random)
      let (after, askedAgain) = (try images(), try answers(&tally))
      for id in ids where before[id] != after[id] {
        tally.changes += 1
        tally.pairs += standing.count
        let matched = asked.map { $0.contains(id) }
        let matching = askedAgain.map { $0.contains(id) }
        func expected(
          _ events: SubscriptionIndex.Events, _ isRight: (_ matched: Bool, _ matches: Bool) -> Bool
        ) -> Set<SubscriptionIndex.Handle> {
          Set(
            standing.filter {
              !$0.events.isDisjoint(with: events) && ($0.zone == nil || $0.zone == id.zoneID)
                && isRight(matched[$0.predicate], matching[$0.predicate])
            }.map(\.handle))
        }
        func compare(
          _ what: String, _ found: [SubscriptionIndex.Handle], _ scanned: Set<UInt64>,
          _ expected: Set<SubscriptionIndex.Handle>
        ) {
          tally.fired += found.count
          if found.count == expected.count, Set(found) == expected, Set(found.map(\.value)) == scanned { return }
          let odd = standing.filter { Set(found).symmetricDifference(expected).contains($0.handle) }
          tally.differences.append(
            "\(what): found \(found.count), scanned \(scanned.count), expected \(expected.count): "
              + odd.prefix(3).map { predicates[$0.predicate].description }.joined(separator: "; "))
        }
        switch (before[id], after[id]) {
        case (nil, nil): break
        case (nil, let new?):
          compare("created", index.matches(created: new), scan(new, .creation), expected(.creation) { $1 })
        case (let old?, nil):
          compare("deleted", index.matches(deleted: old), scan(old, .deletion), expected(.deletion) { was, _ in was })
        case (let old?, let new?):
          let changes = index.matches(updated: old, to: new)
          let (was, now) = (scan(old, .update), scan(new, .update))
          compare("entered", changes.entered, now.subtracting(was), expected(.update) { !$0 && $1 })
          compare("stayed", changes.stayed, now.intersection(was), expected(.update) { $0 && $1 })
          let left = scan(old, .leaving).subtracting(scan(new, .leaving))
          compare("left", changes.left, left, expected(.leaving) { $0 && !$1 })
        }
      }
      if index.count != standing.count { tally.differences.append("counts differ") }
    }

    private func scan(_ record: Record, _ events: SubscriptionIndex.Events) -> Set<UInt64> {
      index.withTable(named: type.name) { table in
        table.encode(record)
        return Set(table.scan(zone: record.recordID.zoneID, events: events))
      } ?? []
    }
  }

  @Test func indexIsScanIsQueries() throws {
    let isLong = TestAmount.isLong
    let wanted = TestAmount.of(50_000, long: 100_000_000)
    var tally = Tally()
    var random = SeededRandom(seed: 21)
    var worlds = 0
    while tally.pairs < wanted, tally.differences.isEmpty {
      var world = try World(&random, records: isLong ? 120 : 30, predicates: isLong ? 400 : TestAmount.isFull ? 40 : 20)
      worlds += 1
      for _ in 0..<(isLong ? 60 : 12) where tally.differences.isEmpty { try world.round(&random, &tally) }
    }
    print(
      "subscriptions and queries: \(tally.pairs) pairs, \(tally.changes) changes in \(worlds) databases, "
        + "\(tally.fired) fired, \(tally.queries) queries, \(tally.added) added, \(tally.removed) removed, "
        + "\(tally.differences.count) differences")
    for difference in tally.differences.prefix(5) { print(difference) }
    #expect(tally.differences.isEmpty)
    #expect(
      tally.pairs >= wanted && tally.fired > wanted / 50 && tally.added > TestAmount.of(200)
        && tally.removed > TestAmount.of(20))
  }
}
