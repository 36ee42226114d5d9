import Testing

@testable import ZoneQuery

/// Sorted queries for several values of an index's first field: of each the first, until all others come behind.
@Suite struct SeveralStretchesTests {
  private static func author(_ number: Int, _ zone: ZoneID = .default) -> Reference {
    Reference(RecordID(recordName: "author of a long name \(number)", zoneID: zone))
  }

  private static let tags = ["a", "b", "a tag of a long name", "a tag of a long name, and more", "sea", ""]
  private static let zones = [ZoneID.default, ZoneID(zoneName: "Other")]

  private static func post(_ number: Int, _ zone: ZoneID, _ samples: inout SplitMix, lacks: Bool) -> Record {
    var record = Record(recordType: "Post", recordID: RecordID(recordName: "p\(number)", zoneID: zone))
    func set(_ key: String, _ value: FieldValue) {
      if !lacks || samples.below(8) > 0 { record[key] = value }
    }
    set("author", .reference(author(samples.below(9), zone)))
    set("kind", .int64(Int64(samples.below(6))))
    set("score", .double(Double(samples.below(5)) / 2))
    set("day", .timestamp(Timestamp(milliseconds: Int64(samples.below(5)))))
    set("city", .string(tags[samples.below(tags.count)]))
    set("tags", .stringList((0..<samples.below(4)).map { _ in tags[samples.below(tags.count)] }))
    record["date"] = .timestamp(Timestamp(milliseconds: Int64(samples.below(60))))
    record["title"] = .string("a title of a long name \(samples.below(20))")
    return record
  }

  private static let questions: [(format: String, sort: [SortKey])] = [
    ("author IN $authors", [.descending("date")]),
    ("author IN $authors", [.ascending("date"), .descending("kind")]),
    ("author IN $authors AND kind < 3", [.descending("date")]),
    ("author IN $authors AND date > $date", [.ascending("date")]),
    ("author IN $authors AND kind IN $kinds", [.descending("date"), .ascending("title")]),
    ("kind IN $kinds", [.ascending("title"), .descending("date")]),
    ("kind IN $kinds AND title > $title", [.descending("title")]),
    ("kind IN $kinds AND city = $tag", [.descending("title")]),
    ("score IN $scores", [.descending("date")]),
    ("day IN $days AND kind != $kind", [.ascending("date")]),
    ("city IN $tags", [.descending("date")]),
    ("city IN $tags AND date BETWEEN {$date, $end}", [.ascending("date"), .ascending("kind")]),
    ("ANY tags IN $tags", [.descending("date")]),
    ("ANY tags IN $tags AND kind > $kind", [.ascending("date")]),
    ("ANY tags IN $tags AND tags CONTAINS $tag", [.ascending("date"), .ascending("title")]),
    ("kind = $kind AND (score = 0 OR score = 1.5)", [.ascending("day")]),
    ("kind = 2 AND score IN {0.5, 2}", [.descending("day"), .descending("title")]),
  ]

  private static func arguments(_ names: [String], _ samples: inout SplitMix) -> [String: any PredicateArgument] {
    var arguments: [String: any PredicateArgument] = [:]
    func some<Value>(_ value: (Int) -> Value, of count: Int) -> [Value] {
      (0...samples.below(5)).map { _ in value(samples.below(count)) }
    }
    for name in names {
      arguments[name] =
        switch name {
        case "authors": some({ author($0 % 9, zones[$0 / 9]) }, of: 18)
        case "kinds": some({ $0 }, of: 8)
        case "scores": some({ Double($0) / 2 }, of: 6)
        case "days": some({ Timestamp(milliseconds: Int64($0)) }, of: 6)
        case "tags": some({ tags[$0] }, of: tags.count)
        case "tag": tags[samples.below(tags.count)]
        case "title": "a title of a long name \(samples.below(20))"
        case "date", "end": Timestamp(milliseconds: Int64(samples.below(60)))
        default: samples.below(6)
        }
    }
    return arguments
  }

  /// The answers of queries that run again and again, page by page, are those of scans: over one zone and over two, where
  /// records lack fields and where none does, with posting lists and without.
  @Test(arguments: [(" QUERYABLE", false), ("", false), (" QUERYABLE", true)]) func answers(index: String, lacks: Bool)
    throws
  {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Post (
            author REFERENCE\(index), kind INT64 QUERYABLE, score DOUBLE\(index), day TIMESTAMP, city STRING\(index),
            tags LIST<STRING>\(index), date TIMESTAMP QUERYABLE SORTABLE, title STRING);
          """), configuration: configuration)
    try database.createZone(Self.zones[1])
    for keys in [
      ["author", "date"], ["kind", "title"], ["score", "date"], ["day", "date"], ["city", "date", "kind"],
      ["tags", "date"], ["kind", "score", "day"],
    ] {
      try database.addIndex(IndexDefinition(recordType: "Post", keys: keys))
    }
    var samples = SplitMix(seed: 71)
    for zone in Self.zones {
      for number in 0..<150 {
        try database.save(Self.post(number, zone, &samples, lacks: lacks), policy: .replace)
      }
    }
    var (checks, direct, kinds) = (0, 0, Set<String>())
    for zone in [Self.zones[0], nil] {
      for (format, sort) in Self.questions {
        let limits = [3, 20, Int.max]
        let query = Query(recordType: "Post", predicate: try QueryPredicate(format: format), sort: sort)
        let queries = try limits.map { _ in try database.prepare(query, inZoneWith: zone) }
        for _ in 0..<TestAmount.of(8) {
          let arguments = Self.arguments(queries[0].parameterNames, &samples)
          let scan = try queries[0].answer(forcing: .scan, arguments)
          for (limit, prepared) in zip(limits, queries) {
            let answers = prepared.directAnswers
            let found = try prepared.ids(arguments, pagesOf: limit)
            #expect(found == scan.ids, "\(format) \(sort) \(arguments) \(limit)")
            #expect(
              try prepared.records(arguments, resultsLimit: limit).records.map(\.recordID)
                == Array(scan.ids.prefix(limit)))
            direct += max(0, prepared.directAnswers - answers)
            checks += 2
          }
          let forced = try queries[0].answer(forcing: .considered(checks), arguments, resultsLimit: 4)
          #expect(forced.ids == Array(scan.ids.prefix(4)), "\(format) \(sort) \(arguments)")
          kinds.formUnion(forced.notes.kinds)
        }
        try database.save(Self.post(samples.below(170), Self.zones[0], &samples, lacks: lacks), policy: .replace)
      }
    }
    print("several stretches: \(checks) answers, \(direct) by an earlier plan")
    #expect(checks >= TestAmount.of(1_600))
    #expect(lacks || direct > TestAmount.of(400))
    #expect(lacks || kinds.contains("walk of several"), "\(kinds)")
  }

  /// Of many posts of each author few are read.
  @Test func littleIsRead() throws {
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Post (author REFERENCE QUERYABLE, kind INT64, date INT64 QUERYABLE SORTABLE);")
    )
    try database.addIndex(IndexDefinition(recordType: "Post", keys: ["author", "date"]))
    try database.load(
      (0..<9_000).map { number in
        var record = Record(recordType: "Post", recordName: "p\(number)")
        record["author"] = .reference(Self.author(number % 30))
        record["kind"] = .int64(Int64(number / 30 % 2))
        record["date"] = .int64(Int64(number))
        return record
      })
    for (format, most) in [("author IN $authors", 60), ("author IN $authors AND kind = 0", 120)] {
      let prepared = try database.prepare(
        Query(recordType: "Post", predicate: try QueryPredicate(format: format), sort: [.descending("date")]))
      let authors: [String: any PredicateArgument] = ["authors": (0..<5).map { Self.author($0) }]
      for _ in 0..<3 {
        let explanation = try prepared.explain(authors, resultsLimit: 10)
        #expect(explanation.counters.entriesRead <= most, "\(explanation)")
        #expect(explanation.description.contains("5 ranges"), "\(explanation)")
      }
    }
  }
}
