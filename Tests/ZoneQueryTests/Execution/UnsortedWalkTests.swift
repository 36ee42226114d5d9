import Testing

@testable import ZoneQuery

/// Queries without a sort whose rows come in an index's order, page by page, where a text that is asked for lies before
/// what the index orders by.
@Suite struct UnsortedWalkTests {
  /// Long texts with one beginning, so that the index's words are the same for all, and short ones.
  private static let cities = [
    "a city of a long name", "a city of a long name, and more", "a city of a long nam", "Rome", "Oslo", "",
  ]

  @Test func pagesBehindTexts() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 1_000
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Event (city STRING QUERYABLE, start INT64 QUERYABLE, seats INT64 QUERYABLE);
          """), configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["city", "start"]))
    var samples = SplitMix(seed: 5)
    var held: [String: (city: String, start: Int, seats: Int)] = [:]
    func save(_ name: String) throws {
      let value = (
        city: Self.cities[samples.below(Self.cities.count)], start: samples.below(40), seats: samples.below(3)
      )
      held[name] = value
      var record = Record(recordType: "Event", recordName: name)
      record["city"] = .string(value.city)
      record["start"] = .int64(Int64(value.start))
      record["seats"] = .int64(Int64(value.seats))
      try database.save(record, policy: .replace)
    }
    for number in 0..<900 { try save("r\(number)") }
    let queries = try ["city = $city AND start > $start", "city = $city AND start > $start AND seats != 1"].map {
      try database.prepare(Query(recordType: "Event", predicate: try QueryPredicate(format: $0)))
    }
    var (checks, walks) = (0, 0)
    for round in 0..<40 {
      let (city, start) = (Self.cities[round % Self.cities.count], samples.below(30))
      for (number, query) in queries.enumerated() {
        let values: [String: any PredicateArgument] = ["city": city, "start": start]
        let explanation = try query.explain(try query.arguments(values), resultsLimit: 7)
        if explanation.description.contains("index walk (city, start)") { walks += 1 }
        let before = held
        // What changes on the way may come or not; all else comes once.
        var changed: Set<String> = []
        var found: [String] = []
        var cursor: QueryCursor?
        repeat {
          let page = try query.records(values, resultsLimit: 7, after: cursor)
          found += page.records.map(\.recordID.recordName)
          cursor = page.cursor
          if let last = page.records.last?.recordID.recordName, samples.below(3) == 0 {
            // The record that the next page lies behind goes, or moves.
            changed.insert(last)
            if samples.below(2) == 0 {
              try database.deleteRecord(withID: RecordID(recordName: last))
              held[last] = nil
            } else {
              try save(last)
            }
          }
        } while cursor != nil
        let expected = before.filter {
          sameBytes($0.value.city, city) && $0.value.start > start && (number == 0 || $0.value.seats != 1)
        }
        .keys
        #expect(Set(found).subtracting(changed) == Set(expected).subtracting(changed), "\(city), \(start)")
        #expect(found.count { !changed.contains($0) } == Set(found).subtracting(changed).count, "\(city), \(start)")
        checks += 2
        for name in changed where held[name] == nil { try save(name) }
      }
    }
    print("unsorted walks behind texts: \(checks) checks, \(walks) walks")
    #expect(checks >= 160 && walks >= 60)
  }

  /// The order of an index that begins with a reference is that of words which stand for records.
  @Test func pagesBehindReferences() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (host REFERENCE, start INT64, seats INT64);"),
      configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["host", "start"]))
    var samples = SplitMix(seed: 6)
    for number in 0..<300 {
      var record = Record(recordType: "Event", recordName: "r\(number)")
      let host = "host \(samples.below(12))" + (number % 2 == 0 ? "" : " with a long name")
      record["host"] = .reference(Reference(RecordID(recordName: host)))
      record["start"] = .int64(Int64(samples.below(4)))
      record["seats"] = .int64(Int64(samples.below(3)))
      try database.save(record, policy: .replace)
    }
    var (pages, walks) = (0, 0)
    for format in ["host != nil", "NOT host IN {nil} AND seats != 1"] {
      let query = try database.prepare(Query(recordType: "Event", predicate: try QueryPredicate(format: format)))
      let expected = try query.answer(forcing: .scan).ids
      for limit in [1, 7, 50] {
        let arguments = query.arguments()
        if try query.explain(arguments, resultsLimit: limit).description.contains("index walk") { walks += 1 }
        var (found, cursor): ([RecordID], QueryCursor?) = ([], nil)
        repeat {
          let page = try query.records(resultsLimit: limit, after: cursor)
          found += page.records.map(\.recordID)
          cursor = page.cursor
          pages += 1
        } while cursor != nil && found.count <= expected.count
        #expect(found.count == expected.count && Set(found) == Set(expected), "\(format) \(limit)")
      }
    }
    print("unsorted walks behind references: \(pages) pages, \(walks) walks")
    #expect(pages >= 500 && walks == 6)
  }
}
