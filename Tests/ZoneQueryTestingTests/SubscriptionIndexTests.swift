import Foundation
import PredicateSyntax
import Testing

@testable import ZoneQuery
@testable import ZoneQueryTesting

/// The index finds exactly the subscriptions that a plain scan finds, that a matcher of its own says yes of, and that the
/// naive evaluator says yes of, while subscriptions come and go and statistics change.
struct SubscriptionIndexTests {
  static let isLong = TestAmount.isLong

  private struct Tally {
    var pairs = 0
    var naive = 0
    var scanned = 0
    var found = 0
    var updates = 0
    var differences: [String] = []
  }

  /// One population: a type, records, and predicates whose answers are known beforehand.
  private struct Population {
    let type: RecordType
    let options: PredicateOptions
    let records: [Record]
    var predicates: [QueryPredicate] = []
    /// For each predicate, what a matcher says of each record.
    var answers: [[Bool]] = []

    init(_ random: inout SeededRandom, records count: Int, predicates wanted: Int, _ tally: inout Tally) throws {
      options = PredicateOptions(
        dialect: random.chance(1, of: 2) ? .cloudKit : .extended,
        missingFields: random.chance(3, of: 4) ? .excluded : .likeNSPredicate,
        stringEquality: random.chance(3, of: 4) ? .exact : .caseInsensitive)
      type = SchemaGenerator().recordType("Thing", &random)
      records = RecordGenerator(recordType: type).records(count, &random)
      var generator = PredicateGenerator(recordType: type, records: records)
      generator.dialect = options.dialect
      let now = Timestamp(milliseconds: 1_000_000_000_000)
      let evaluator = NaiveEvaluator(recordType: type, options: options, now: now)
      for _ in 0..<wanted {
        let predicate = QueryPredicate(generator.predicate(&random))
        let matcher = try Matcher(predicate, for: type, options: options, now: now)
        let answer = try records.map { try matcher.matches($0) }
        for (record, isMatch) in zip(records, answer) {
          let truth = evaluator.truth(of: predicate.root, for: record)
          if truth == .undecided { continue }
          tally.naive += 1
          if (truth == .yes) != isMatch {
            tally.differences.append("naive \(truth) of \(predicate) for \(record.fields)")
          }
        }
        predicates.append(predicate)
        answers.append(answer)
      }
    }
  }

  private struct Standing {
    var handle: SubscriptionIndex.Handle
    var predicate: Int
    var events: SubscriptionIndex.Events
    var zone: ZoneID?

    func covers(_ zone: ZoneID) -> Bool { self.zone == nil || self.zone == zone }
  }

  /// Subscribes, unsubscribes and changes records at random, and compares every answer.
  private func run(_ population: Population, steps: Int, _ random: inout SeededRandom, _ tally: inout Tally) throws {
    var seeds = random
    let index = SubscriptionIndex(options: population.options, seed: seeds.next())
    let now = Timestamp(milliseconds: 1_000_000_000_000)
    var standing: [Standing] = []
    func expected(_ record: Int, _ events: SubscriptionIndex.Events) -> Set<SubscriptionIndex.Handle> {
      let zone = population.records[record].recordID.zoneID
      return Set(
        standing.filter {
          !$0.events.isDisjoint(with: events) && $0.covers(zone) && population.answers[$0.predicate][record]
        }.map(\.handle))
    }
    func compare(_ what: String, _ found: [SubscriptionIndex.Handle], _ expected: Set<SubscriptionIndex.Handle>) {
      tally.pairs += standing.count
      tally.found += found.count
      if found.count != expected.count || Set(found) != expected {
        let odd = standing.filter { Set(found).symmetricDifference(expected).contains($0.handle) }
        tally.differences.append(
          "\(what): found \(found.count), expected \(expected.count), "
            + odd.prefix(3).map { population.predicates[$0.predicate].description }.joined(separator: "; "))
      }
    }
    if random.chance(1, of: 3) { index.learn(from: population.records, recordType: population.type) }
    for _ in 0..<steps {
      let record = random.below(population.records.count)
      switch random.below(standing.count < 40 ? 24 : 16) {
      case 0 where !standing.isEmpty:
        for _ in 0..<random.below(standing.count / 2 + 1) {
          let place = random.below(standing.count)
          if !index.remove(standing[place].handle) { tally.differences.append("not removed") }
          if index.remove(standing[place].handle) { tally.differences.append("removed twice") }
          standing.swapAt(place, standing.count - 1)
          standing.removeLast()
        }
      case 1 where random.chance(1, of: 8): index.learn(from: population.records, recordType: population.type)
      case 2..<5:
        compare("deleted", index.matches(deleted: population.records[record]), expected(record, .deletion))
      case 5..<8:
        let zone = population.records[record].recordID.zoneID
        let other =
          random.pick(population.records.indices.filter { population.records[$0].recordID.zoneID == zone }) ?? record
        let changes = index.matches(updated: population.records[other], to: population.records[record])
        let after = expected(record, .update)
        let before = expected(other, .update)
        compare("entered", changes.entered, after.subtracting(before))
        compare("stayed", changes.stayed, after.intersection(before))
        compare("left", changes.left, expected(other, .leaving).subtracting(expected(record, .leaving)))
        tally.updates += 1
      case 8..<14:
        compare("created", index.matches(created: population.records[record]), expected(record, .creation))
        let differs = index.withTable(named: population.type.name) { table in
          table.encode(population.records[record])
          let zone = population.records[record].recordID.zoneID
          return table.match(zone: zone) != table.scan(zone: zone).sorted()
        }
        if differs == true { tally.differences.append("index and scan differ") }
        tally.scanned += standing.count
      default:
        for _ in 0..<(1 + random.below(12)) {
          let predicate = random.below(population.predicates.count)
          let some = SubscriptionIndex.Events(rawValue: UInt8(1 + random.below(15)))
          let events = random.chance(1, of: 3) ? some : .all
          let zone = random.chance(1, of: 5) ? population.records[record].recordID.zoneID : nil
          let handle = try index.add(
            population.predicates[predicate], for: population.type, events: events, zone: zone, now: now)
          standing.append(Standing(handle: handle, predicate: predicate, events: events, zone: zone))
        }
      }
      if index.count != standing.count { tally.differences.append("counts differ") }
    }
  }

  @Test func indexIsScanIsEvaluation() throws {
    var tally = Tally()
    let wanted = TestAmount.of(300_000, long: 120_000_000)
    var random = SeededRandom(seed: 8)
    var populations = 0
    while tally.pairs < wanted {
      let population = try Population(
        &random, records: Self.isLong ? 48 : 16, predicates: Self.isLong ? 400 : 60, &tally)
      try run(population, steps: Self.isLong ? 4_000 : 250, &random, &tally)
      populations += 1
      if !tally.differences.isEmpty { break }
    }
    print(
      "subscription index: \(tally.pairs) pairs in \(populations) populations, \(tally.found) found, \(tally.scanned) "
        + "scanned, \(tally.updates) updates, \(tally.naive) by the naive evaluator, \(tally.differences.count) differences"
    )
    for difference in tally.differences.prefix(5) { print(difference) }
    #expect(tally.differences.isEmpty)
    #expect(
      tally.pairs >= wanted && tally.found > wanted / 50 && tally.naive > TestAmount.of(5_000)
        && tally.updates > TestAmount.of(500))
  }
}
