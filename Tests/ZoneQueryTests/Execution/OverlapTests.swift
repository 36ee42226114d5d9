import Testing

@testable import ZoneQuery

/// What two stretches of two indexes have in common, planned and by the plan of an earlier run, against a scan and a loop.
@Suite struct OverlapTests {
  @Test func stretchesInCommon() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 5_000
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Event (start TIMESTAMP QUERYABLE, price DOUBLE QUERYABLE, seats INT64);
          """), configuration: configuration)
    var samples = SplitMix(seed: 31)
    var held: [(start: Int, price: Double, seats: Int)?] = []
    func record(_ number: Int) -> Record {
      var record = Record(recordType: "Event", recordName: "r\(number)")
      // Values repeat, and some are missing.
      let value = (start: samples.below(900), price: Double(samples.below(700)) / 4, seats: samples.below(5))
      record["start"] = .timestamp(Timestamp(milliseconds: Int64(value.start)))
      if samples.below(20) > 0 { record["price"] = .double(value.price) }
      record["seats"] = .int64(Int64(value.seats))
      let known = record["price"] == nil ? nil : value
      if number < held.count { held[number] = known } else { held.append(known) }
      return record
    }
    for start in [0, 4_000, 8_000] {
      for result in try database.save((start..<start + 4_000).map(record)) { _ = try result.get() }
    }
    let queries = try ["", " AND seats > $seats"].map {
      try database.prepare(
        Query(
          recordType: "Event",
          predicate: try QueryPredicate(format: "start BETWEEN {$first, $last} AND price BETWEEN {$low, $high}" + $0)),
        inZoneWith: .default)
    }
    var (checks, direct) = (0, 0)
    let rounds = TestAmount.of(120)
    for round in 0..<rounds {
      if round % 10 == 9 { for number in 0..<50 { try database.save(record(number * 79), policy: .replace) } }
      let first = samples.below(800)
      let last = first + (round % 5 == 0 ? samples.below(500) - 5 : 20 + samples.below(60))
      let low = Double(samples.below(140))
      let high = low + Double(round % 7 == 0 ? samples.below(80) - 2 : 4 + samples.below(12))
      for (number, query) in queries.enumerated() {
        var values: [String: any PredicateArgument] = [
          "first": Literal.date(milliseconds: Int64(first)), "last": Literal.date(milliseconds: Int64(last)),
          "low": low, "high": high,
        ]
        if number == 1 { values["seats"] = 2 }
        let expected = held.indices.filter { index in
          guard let value = held[index] else { return false }
          return value.start >= first && value.start <= last && value.price >= low && value.price <= high
            && (number == 0 || value.seats > 2)
        }
        let answers = query.directAnswers
        var found: [String] = []
        try query.forEachRecord(values) { found.append($0.recordID.recordName) }
        direct += query.directAnswers - answers
        #expect(found.count == Set(found).count, "\(first)–\(last), \(low)–\(high)")
        #expect(Set(found) == Set(expected.map { "r\($0)" }), "\(first)–\(last), \(low)–\(high)")
        #expect(Set(try query.answer(forcing: .scan, values).ids.map(\.recordName)) == Set(found))
        checks += 3
      }
    }
    print("stretches in common: \(checks) checks, \(direct) answers by an earlier plan")
    #expect(checks >= 6 * rounds && direct >= TestAmount.of(40))
  }
  /// Where an index that an earlier plan reads is dropped or made again, the plan goes, and another is kept.
  @Test(arguments: ["start", "price"]) func indexMadeAgain(_ key: String) throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 12_000
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Event (start INT64 QUERYABLE, price INT64 QUERYABLE);"),
      configuration: configuration)
    let records = (0..<12_000).map { number in
      var record = Record(recordType: "Event", recordName: "r\(number)")
      record["start"] = .int64(Int64(number * 7 % 1_000))
      record["price"] = .int64(Int64(number * 11 % 997))
      return record
    }
    for result in try database.save(records) { _ = try result.get() }
    let query = try database.prepare(
      Query(
        recordType: "Event",
        predicate: try QueryPredicate(format: "start BETWEEN {$first, $last} AND price BETWEEN {$first, $most}")),
      inZoneWith: .default)
    let values: [String: any PredicateArgument] = ["first": 100, "last": 140, "most": 145]
    func count() throws -> Int {
      var count = 0
      try query.forEachRecord(values, resultsLimit: 100) { _ in count += 1 }
      return count
    }
    let expected = (0..<12_000).count { (100...140).contains($0 * 7 % 1_000) && (100...145).contains($0 * 11 % 997) }
    for _ in 0..<3 { #expect(try count() == expected) }
    #expect(query.directAnswers == 2)
    let index = IndexDefinition(recordType: "Event", keys: [key])
    try database.dropIndex(index)
    for _ in 0..<3 { #expect(try count() == expected) }
    try database.addIndex(index)
    #expect(try count() == expected)
    let before = query.directAnswers
    for _ in 0..<3 { #expect(try count() == expected) }
    #expect(query.directAnswers == before + 3)
  }
}
