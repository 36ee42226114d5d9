import PredicateSyntax
import Testing

@testable import ZoneQuery

/// Holds the answers of prepared queries that run again and again, by the plan of an earlier run where there is one,
/// against a scan, as the records and indexes change in between.
@Suite struct DirectRunTests {
  private struct Asked {
    var format: String
    var sort: [SortKey] = []
    var limit = Int.max
  }

  private static let questions: [Asked] = [
    Asked(format: "recordID = $id"),
    Asked(format: "name = $name"),
    Asked(format: "name = $name", sort: [.ascending("seats")], limit: 7),
    Asked(format: "name BEGINSWITH $name"),
    Asked(format: "name >= $name", sort: [.ascending("name")], limit: 9),
    Asked(format: "name < $name", sort: [.descending("name"), .ascending("start")], limit: 9),
    Asked(format: "city = $city", sort: [.descending("start")], limit: 5),
    Asked(format: "city = $city AND start > $start"),
    Asked(format: "city = $city AND start > $start", sort: [.ascending("start")], limit: 3),
    Asked(format: "city = 'Rome' AND start BETWEEN {$start, $end}", limit: 4),
    Asked(format: "start > $start", sort: [.ascending("start")], limit: 6),
    Asked(format: "start > $start", sort: [.ascending("price")], limit: 6),
    Asked(format: "start <= $start AND seats >= $seats", sort: [.descending("price")], limit: 6),
    Asked(format: "seats = $seats", sort: [.ascending("seats")], limit: 10),
    Asked(format: "price BETWEEN {$low, $high}"),
    Asked(format: "price < $low", limit: 8),
    Asked(format: "seats > $seats AND seats < 40"),
    Asked(format: "tags CONTAINS $tag", sort: [.descending("start")], limit: 5),
    Asked(format: "tags CONTAINS $tag AND start < $start", sort: [.descending("start")], limit: 5),
    Asked(format: "start >= $start AND start < $end", limit: 5),
  ]

  @Test func directRunsAnswerAsScans() throws {
    let schema = try Schema(
      ckdb: """
        DEFINE SCHEMA
          RECORD TYPE Other (a INT64);
          RECORD TYPE Event (
            "___recordID" REFERENCE QUERYABLE, name STRING QUERYABLE SORTABLE, city STRING QUERYABLE SORTABLE,
            start TIMESTAMP QUERYABLE SORTABLE, seats INT64 QUERYABLE SORTABLE, price DOUBLE QUERYABLE SORTABLE,
            tags LIST<STRING> QUERYABLE);
        """)
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(schema: schema, configuration: configuration)
    let compound = [["city", "start"], ["tags", "start"], ["name", "seats"]].map {
      IndexDefinition(recordType: "Event", keys: $0)
    }
    for index in compound { try database.addIndex(index) }
    var samples = SplitMix(seed: 83)
    let prepared = try Self.questions.map { asked in
      try database.prepare(
        Query(recordType: "Event", predicate: try QueryPredicate(format: asked.format), sort: asked.sort),
        inZoneWith: .default)
    }
    var (checks, direct, pages) = (0, 0, 0)
    for round in 0..<40 {
      // Changes between the runs: records, and now and then an index.
      for _ in 0..<12 { try database.save(Self.record(&samples), policy: .allKeys) }
      if round > 5 { _ = try database.deleteRecords(withIDs: [RecordID(recordName: "r\(round)")]) }
      if round % 9 == 4 { try database.dropIndex(compound[round % 3]) }
      if round % 9 == 7 { try database.addIndex(compound[(round - 3) % 3]) }
      for (asked, query) in zip(Self.questions, prepared) {
        for _ in 0..<3 {
          let values = Self.values(query, &samples)
          if query.runsDirectly { direct += 1 }
          var found: [RecordID] = []
          var cursor: QueryCursor?
          let hasMore = try query.forEachRecord(values, resultsLimit: asked.limit) { (record) throws(ZoneQueryError) in
            found.append(record.recordID)
            if found.count == 2 { cursor = try record.cursor() }
          }
          let expected = try query.answer(forcing: .scan, values, resultsLimit: asked.limit)
          if !asked.sort.isEmpty {
            #expect(found == expected.ids, "\(asked.format), \(values)")
          } else if asked.limit == .max {
            #expect(Set(found) == Set(expected.ids), "\(asked.format), \(values)")
          }
          #expect(found.count == expected.ids.count && hasMore == expected.hasMore, "\(asked.format), \(values)")
          #expect(try query.count(values) == query.count(forcing: .scan, values).count, "\(asked.format), \(values)")
          checks += 3
          if let cursor {
            var rest: [RecordID] = []
            try query.forEachRecord(values, after: cursor) { rest.append($0.recordID) }
            let whole = try query.answer(forcing: .scan, values).ids
            #expect(Set(found.prefix(2) + rest) == Set(whole) && rest.count + 2 == whole.count, "\(asked.format)")
            (checks, pages) = (checks + 1, pages + 1)
          }
        }
      }
    }
    print("direct runs: \(checks) checks, \(direct) runs by an earlier plan, \(pages) cursors")
    #expect(checks > 7_000 && direct > 1_500 && pages > 500)
  }

  private static func record(_ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "Event", recordName: "r\(samples.below(200))")
    func set(_ field: String, _ value: FieldValue) { record[field] = samples.below(12) == 0 ? nil : value }
    set("name", .string(names[samples.below(names.count)]))
    set("city", .string(["Rome", "Oslo", "Lima"][samples.below(3)]))
    set("start", .timestamp(Timestamp(milliseconds: Int64(samples.below(60)))))
    set("seats", .int64(Int64(samples.below(50)) - 5))
    set("price", .double(Double(samples.below(40)) / 4 - 2))
    set("tags", .stringList((0..<samples.below(4)).map { _ in tags[samples.below(tags.count)] }))
    return record
  }

  private static let names = [
    "a", "ab", "abc", "eight888", "nine99999", "exactly fifteen", "exactly fifteen and more",
    "exactly fifteen and less", "é", "",
  ]
  private static let tags = ["x", "seven77", "eight888", "eight889"]

  private static func values(_ query: PreparedQuery, _ samples: inout SplitMix) -> [String: any PredicateArgument] {
    var values: [String: any PredicateArgument] = [:]
    for name in query.parameterNames {
      values[name] =
        switch name {
        case "id": RecordID(recordName: "r\(samples.below(200))")
        case "name": names[samples.below(names.count - 1)]
        case "city": ["Rome", "Oslo", "Lima", "Bern"][samples.below(4)]
        case "tag": tags[samples.below(tags.count)]
        case "start", "end": Literal.date(milliseconds: Int64(samples.below(60)))
        case "seats": samples.below(2) == 0 ? samples.below(50) - 5 : Double(samples.below(50)) + 0.5
        default: samples.below(2) == 0 ? samples.below(10) : Double(samples.below(40)) / 4 - 2
        }
    }
    return values
  }
}

extension SplitMix {
  fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
