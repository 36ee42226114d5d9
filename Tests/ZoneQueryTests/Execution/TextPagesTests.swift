import Testing

@testable import ZoneQuery

/// Pages of queries without a sort that go along an index of texts, whose keys tell the beginnings of long texts alone.
@Suite struct TextPagesTests {
  private static let beginnings = ["a name that is long ", "a name that is long enough to be told by more ", "a", ""]

  private static func record(_ number: Int, _ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "T", recordName: "r\(number)")
    let name = beginnings[samples.below(beginnings.count)] + ["", "b", "é", "z z", "zz"][samples.below(5)]
    if samples.below(20) > 0 { record["name"] = .string(name) }
    record["title"] = .string("the same long title of all \(samples.below(3))")
    record["kind"] = .int64(Int64(samples.below(4)))
    return record
  }

  private static func database(_ keys: [[String]]) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE T (name STRING, title STRING, kind INT64);"), configuration: configuration)
    for keys in keys { try database.addIndex(IndexDefinition(recordType: "T", keys: keys)) }
    return database
  }

  /// Every record that does not change comes once, whatever comes and goes between the pages.
  @Test func recordsComeOnce() throws {
    var (checks, walks) = (0, 0)
    for (format, keys) in [
      ("name BEGINSWITH 'a' AND kind > 0", [["name"]]),
      ("name >= 'a name that is long b' AND name < 'a name that is long zz' AND kind != 2", [["name"]]),
      ("title BEGINSWITH 'the same long title of a' AND name != 'a'", [["title", "name"]]),
      ("title = 'the same long title of all 1' AND name > 'a' AND kind > 0", [["title", "name"]]),
      ("kind = 1 AND name BEGINSWITH 'a name'", [["kind", "name"]]),
    ] {
      let database = try Self.database(keys)
      var samples = SplitMix(seed: 17)
      for number in 0..<600 { try database.save(Self.record(number, &samples), policy: .replace) }
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
      let prepared = try database.prepare(query, inZoneWith: .default)
      for limit in TestAmount.isFull ? [1, 2, 7, 40] : [2, 7] {
        let before = Set(try prepared.answer(forcing: .scan).ids)
        var changed: Set<RecordID> = []
        var found: [RecordID] = []
        var page = try database.records(matching: query, inZoneWith: .default, resultsLimit: limit)
        found += page.records.map(\.recordID)
        if try prepared.explain(resultsLimit: limit).description.contains("index walk") { walks += 1 }
        var text: String?
        while let cursor = page.cursor {
          if samples.below(3) == 0 {
            let record = Self.record(samples.below(620), &samples)
            changed.insert(record.recordID)
            if samples.below(2) == 0 {
              try database.save(record, policy: .replace)
            } else if before.contains(record.recordID) {
              _ = try database.deleteRecords(withIDs: [record.recordID])
            }
          }
          // As the process has it, and as it comes back from elsewhere.
          let next = samples.below(2) == 0 ? cursor : try QueryCursor(text: cursor.description)
          page = try database.records(continuingMatchFrom: next, resultsLimit: limit)
          found += page.records.map(\.recordID)
          #expect(cursor.description != text)
          text = cursor.description
        }
        let untouched = found.filter { !changed.contains($0) }
        #expect(Set(untouched).count == untouched.count, "\(format) \(limit)")
        #expect(Set(untouched) == before.subtracting(changed), "\(format) \(limit)")
        // Of nothing that changes, by earlier plans.
        let after = try prepared.answer(forcing: .scan).ids
        for _ in 0..<2 {
          var (all, place, hasMore): ([RecordID], QueryCursor?, Bool) = ([], nil, true)
          while hasMore {
            let from = place
            hasMore = try prepared.forEachRecord(resultsLimit: limit, after: from) { view throws(ZoneQueryError) in
              all.append(view.recordID)
              place = try view.cursor()
            }
          }
          #expect(all.count == after.count && Set(all) == Set(after), "\(format) \(limit)")
        }
        checks += 4
      }
    }
    print("pages along texts: \(checks) checks, \(walks) walks")
    #expect(checks == (TestAmount.isFull ? 80 : 40) && walks >= (TestAmount.isFull ? 12 : 6))
  }

  /// The first of many are found without reading all.
  @Test func littleIsRead() throws {
    let database = try Self.database([["name"]])
    try database.load(
      (0..<4_000).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["name"] = .string("a name that is long \(number % 2_000)")
        record["kind"] = .int64(Int64(number % 2))
        return record
      })
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "name BEGINSWITH 'a name' AND kind = 1"))
    let explanation = try database.explain(query, resultsLimit: 10)
    #expect(explanation.counters.entriesRead < 100, "\(explanation)")
    #expect(try database.names(matching: query, pagesOf: 300).count == 2_000)
  }
}
