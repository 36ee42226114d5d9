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
    Asked(format: "name IN $names"),
    Asked(format: "name IN $names AND seats > $seats", limit: 6),
    Asked(format: "tags CONTAINS $tag"),
    Asked(format: "tags CONTAINS $tag AND tags CONTAINS 'x' AND seats < $seats"),
    Asked(format: "ALL tokenize($words, 'Cdl') IN allTokens", limit: 12),
    Asked(format: "ALL tokenize($words, 'Cdl') IN allTokens AND seats >= $seats"),
    Asked(format: "ALL tokenize($words, 'Cdl') IN allTokens AND city = $city AND start > $start"),
    Asked(format: "ALL tokenize($words, 'Cdl') IN allTokens AND city = $city", sort: [.descending("start")], limit: 4),
    Asked(format: "distanceToLocation:fromLocation:(place, $here) < $metres"),
    Asked(format: "city = $city", sort: [.ascending("title")], limit: 5),
    Asked(format: "seats IN $numbers", sort: [.ascending("price")], limit: 6),
    Asked(format: "name IN $names AND start IN $moments", sort: [.descending("name"), .ascending("seats")], limit: 3),
    Asked(format: "ANY tags IN $some"),
    Asked(format: "ANY tags IN $some AND seats > $seats", sort: [.descending("start")], limit: 4),
    Asked(format: "$tag IN tags", sort: [.ascending("name"), .descending("price")], limit: 5),
    Asked(format: "ANY tags = $tag AND name != $name"),
    Asked(format: "self CONTAINS $words", sort: [.descending("start")], limit: 5),
    Asked(format: "recordID = $id AND seats >= $seats", sort: [.ascending("price")], limit: 2),
    Asked(format: "creationDate > $start AND city = $city", sort: [.ascending("name")], limit: 3),
    Asked(format: "creatorUserRecordID = $user AND seats = $seats"),
    Asked(format: "NOT (tags CONTAINS $tag) AND name = $name"),
    Asked(format: "name = $name AND NOT (seats IN $numbers)", sort: [.descending("creationDate")], limit: 4),
    Asked(format: "name = $name AND title CONTAINS $tag"),
    Asked(format: "name = $name AND seats + 1 > $seats", sort: [.ascending("city"), .ascending("seats")], limit: 4),
    Asked(format: "name = $name AND (seats = $seats OR city = $city)"),
    Asked(format: "distanceToLocation:fromLocation:(place, $here) <= $metres AND price > $low", limit: 6),
  ]

  @Test func directRunsAnswerAsScans() throws {
    let schema = try Schema(
      ckdb: """
        DEFINE SCHEMA
          RECORD TYPE Other (a INT64);
          RECORD TYPE Event (
            "___recordID" REFERENCE QUERYABLE, name STRING QUERYABLE SORTABLE, city STRING QUERYABLE SORTABLE,
            start TIMESTAMP QUERYABLE SORTABLE, seats INT64 QUERYABLE SORTABLE, price DOUBLE QUERYABLE SORTABLE,
            tags LIST<STRING> QUERYABLE, title STRING SEARCHABLE, place LOCATION QUERYABLE);
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
    var (checks, direct, directValues, pages, directPages) = (0, 0, 0, 0, 0)
    var (directly, pagedDirectly): (Set<String>, Set<String>) = ([], [])
    // An index goes in the fifth round and comes again in the eighth.
    for round in 0..<TestAmount.of(40) {
      // Changes between the runs: records, and now and then an index.
      for _ in 0..<12 { try database.save(Self.record(&samples), policy: .replace) }
      if round > 5 { _ = try database.deleteRecords(withIDs: [RecordID(recordName: "r\(round)")]) }
      if round % 9 == 4 { try database.dropIndex(compound[round / 9 % 3]) }
      if round % 9 == 7 { try database.addIndex(compound[round / 9 % 3]) }
      for (asked, query) in zip(Self.questions, prepared) {
        for _ in 0..<3 {
          let values = Self.values(query, &samples)
          if query.runsDirectly {
            direct += 1
            directly.insert(asked.format)
          }
          var found: [RecordID] = []
          var cursor: QueryCursor?
          let hasMore = try query.forEachRecord(values, resultsLimit: asked.limit) { (record) throws(ZoneQueryError) in
            found.append(record.recordID)
            if found.count == 2 { cursor = try record.cursor() }
          }
          let expected = try query.answer(forcing: .scan, values, resultsLimit: asked.limit)
          // Of an answer in no order that ends at a limit, any records of the whole will do.
          let isWhole = !asked.sort.isEmpty || asked.limit == .max
          let all = isWhole ? expected.ids : try query.answer(forcing: .scan, values).ids
          func check(_ ids: [RecordID]) {
            if !asked.sort.isEmpty {
              #expect(ids == all, "\(asked.format), \(values)")
            } else {
              #expect(Set(ids).count == ids.count && Set(ids).isSubset(of: all), "\(asked.format), \(values)")
            }
          }
          check(found)
          #expect(found.count == expected.ids.count && hasMore == expected.hasMore, "\(asked.format), \(values)")
          #expect(try query.count(values) == query.count(forcing: .scan, values).count, "\(asked.format), \(values)")
          // Pages as values have a plan of their own.
          let answers = query.directAnswers
          let page = try query.records(values, resultsLimit: asked.limit)
          directValues += max(0, query.directAnswers - answers)
          let ids = page.records.map(\.recordID)
          check(ids)
          #expect(ids.count == expected.ids.count && (page.cursor != nil) == expected.hasMore, "\(asked.format)")
          checks += 5
          if let cursor {
            let whole = try query.answer(forcing: .scan, values).ids
            // Pages of the same limit, which the plan of the first may give too; then all the rest.
            if !asked.sort.isEmpty {
              let answers = query.directAnswers
              for _ in 0..<2 {
                var page: [RecordID] = []
                let goesOn = try query.forEachRecord(values, resultsLimit: asked.limit, after: cursor) {
                  page.append($0.recordID)
                }
                #expect(page == Array(whole.dropFirst(2).prefix(asked.limit)), "\(asked.format), \(values)")
                #expect(goesOn == (whole.count - 2 > asked.limit), "\(asked.format), \(values)")
                checks += 2
              }
              directPages += max(0, query.directAnswers - answers)
              if query.directAnswers > answers { pagedDirectly.insert("\(asked.format) \(asked.sort)") }
            }
            var rest: [RecordID] = []
            try query.forEachRecord(values, after: cursor) { rest.append($0.recordID) }
            #expect(Set(found.prefix(2) + rest) == Set(whole) && rest.count + 2 == whole.count, "\(asked.format)")
            (checks, pages) = (checks + 1, pages + 1)
          }
        }
      }
    }
    print("direct runs: \(checks) checks, \(direct) runs by an earlier plan, \(directValues) as values")
    print("direct runs: \(pages) cursors, \(directPages) pages by an earlier plan of \(pagedDirectly.count) questions")
    #expect(checks > TestAmount.of(10_000) && direct > TestAmount.of(2_000) && directValues > TestAmount.of(1_000))
    #expect(pages > TestAmount.of(500) && directPages > TestAmount.of(300))
    #expect(pagedDirectly.count >= 5, "\(pagedDirectly)")
    #expect(directly.count >= Set(Self.questions.map(\.format)).count - 4)
  }

  /// The nearest by a plan of circles are those of a scan: of records that lie together, in rings and at one place, and
  /// where another field of a place is asked for than is sorted by.
  @Test func nearest() throws {
    let schema = try Schema(
      ckdb: """
        DEFINE SCHEMA
          RECORD TYPE Event (place LOCATION QUERYABLE, other LOCATION QUERYABLE, seats INT64 QUERYABLE);
        """)
    let database = try Database(schema: schema)
    var samples = SplitMix(seed: 7)
    let centres = [(51.5, -0.1), (0.0, 180.0), (89.999, 30.0), (-33.9, 18.4)]
    for number in 0..<3_000 {
      let (latitude, longitude) = centres[number % centres.count]
      // Rings of places at almost one distance, clusters, and places that many share.
      let angle = Double(samples.below(360)) * .pi / 180
      let metres = [200.0, 3_000, 3_000.001, 40_000 * Double(samples.below(1_000)) / 1_000, 0][samples.below(5)]
      let north = metres / 111_320 * CMathematics.cosine(angle)
      let east = metres / 111_320 * CMathematics.sine(angle) / max(0.01, CMathematics.cosine(latitude * .pi / 180))
      var record = Record(recordType: "Event", recordName: "r\(number)")
      let place = (min(90, latitude + north), (longitude + east).remainder(dividingBy: 360))
      record["place"] = .location(Location(latitude: place.0, longitude: place.1))
      record["other"] = .location(Location(latitude: place.0, longitude: (place.1 + 1).remainder(dividingBy: 360)))
      record["seats"] = .int64(Int64(samples.below(10)))
      try database.save(record)
    }
    var checks = 0
    for (place, (latitude, longitude)) in centres.enumerated() {
      let here = Location(latitude: latitude, longitude: longitude)
      for (form, format) in [
        "distanceToLocation:fromLocation:(place, $here) < $metres",
        "distanceToLocation:fromLocation:(place, $here) <= $metres AND seats < 4",
        "distanceToLocation:fromLocation:(other, $here) < $metres",
      ].enumerated() {
        let prepared = try database.prepare(
          Query(
            recordType: "Event", predicate: try QueryPredicate(format: format),
            sort: [.distance("place", from: here)]))
        for (size, metres) in [250.0, 3_000.0005, 50_000, 300_000].enumerated() {
          for (number, limit) in [1, 2, 7, 20, 149, 600].enumerated()
          where TestAmount.takes(place + form + size + number) {
            let values: [String: any PredicateArgument] = ["here": here, "metres": metres]
            var found: [RecordID] = []
            try prepared.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
            let expected = try prepared.answer(forcing: .scan, values, resultsLimit: limit)
            #expect(found == expected.ids, "\(format), \(here), \(metres), \(limit)")
            checks += 1
          }
        }
      }
    }
    #expect(checks == TestAmount.taken(288))
  }

  /// Circles of no size or hardly any, about which many records lie at one place, are answered, and soon.
  @Test func nearestInSmallCircles() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 1_000
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (place LOCATION QUERYABLE);"),
      configuration: configuration)
    var records: [Record] = []
    for number in 0..<900 {
      var record = Record(recordType: "Event", recordName: "r\(number)")
      // At the centre, a few millimetres beside it, and far from it.
      record["place"] = .location(
        [
          Location(latitude: 37.5, longitude: 127), Location(latitude: 37.500_000_03, longitude: 127),
          Location(latitude: 10 + Double(number) / 100, longitude: 20),
        ][number % 3])
      records.append(record)
    }
    for result in try database.save(records) { _ = try result.get() }
    var checks = 0
    for (place, (latitude, longitude)) in [(37.5, 127.0), (37.500_000_01, 127.0), (0, 0)].enumerated() {
      let here = Location(latitude: latitude, longitude: longitude)
      let prepared = try database.prepare(
        Query(
          recordType: "Event",
          predicate: try QueryPredicate(format: "distanceToLocation:fromLocation:(place, $here) < $metres"),
          sort: [.distance("place", from: here)]))
      for (size, metres) in [
        0, .leastNonzeroMagnitude, .leastNormalMagnitude / 1_024, 1e-300, 1e-9, 1e-3, 0.002, 0.01, 1, 50, 1e7, 1e300,
      ].enumerated() {
        for (number, limit) in [1, 2, 299, 300, 301, 700].enumerated() where TestAmount.takes(place + size + number) {
          let values: [String: any PredicateArgument] = ["here": here, "metres": metres]
          let planned = try prepared.explain(values, resultsLimit: limit).counters.entriesRead
          let expected = try prepared.answer(forcing: .scan, values, resultsLimit: limit)
          var found: [RecordID] = []
          try prepared.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
          #expect(found == expected.ids, "\(here), \(metres), \(limit)")
          #expect(planned <= 4 * 900, "\(here), \(metres), \(limit)")
          checks += 2
        }
      }
    }
    print("nearest in small circles: \(checks) checks")
    #expect(checks == TestAmount.taken(432))
  }

  /// A cursor goes on with the values it was made with, to the last byte, in any prepared query of the same text.
  @Test func cursorsOfOtherValues() throws {
    let schema = try Schema(
      ckdb: "DEFINE SCHEMA RECORD TYPE Event (name STRING QUERYABLE SORTABLE, price DOUBLE QUERYABLE SORTABLE);")
    let database = try Database(schema: schema)
    for number in 0..<40 {
      var record = Record(recordType: "Event", recordName: "r\(number)")
      record["name"] = .string("x\(number % 10)")
      record["price"] = .double(Double(number))
      try database.save(record)
    }
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "name >= $name AND price >= $price"),
      sort: [.ascending("name")])
    let prepared = try database.prepare(query)
    var checks = 0
    func values(_ name: String, _ price: Double) throws -> QueryArguments {
      try prepared.arguments(["name": name, "price": price])
    }
    let given: [(String, Double)] = [("caf\u{E9}", 0), ("cafe\u{301}", 0), ("caf\u{E9}", 0.5), ("x3", 0)]
    for made in given.indices {
      var cursor: QueryCursor?
      let madeWith = try values(given[made].0, given[made].1)
      for _ in 0..<2 {
        try prepared.forEachRecord(madeWith, resultsLimit: 5) { (record) throws(ZoneQueryError) in
          cursor = try record.cursor()
        }
      }
      let known = try #require(cursor)
      let whole = try prepared.answer(forcing: .scan, ["name": given[made].0, "price": given[made].1]).ids
      let expected = Array(whole.dropFirst(5).prefix(5))
      #expect(expected.count == 5)
      for used in given.indices {
        let usedWith = try values(given[used].0, given[used].1)
        for cursor in [known, try QueryCursor(data: known.data)] {
          for prepared in [prepared, try database.prepare(query)] {
            if made == used {
              var page: [RecordID] = []
              try prepared.forEachRecord(usedWith, resultsLimit: 5, after: cursor) { page.append($0.recordID) }
              #expect(page == expected)
            } else {
              expectFailure(.invalidCursor) {
                try prepared.forEachRecord(usedWith, resultsLimit: 5, after: cursor) { _ in }
              }
            }
            checks += 1
          }
        }
      }
    }
    #expect(checks == 64)
  }

  /// Of a long list no more is read than it takes to find as many rows as are wanted, page by page, by an earlier plan or
  /// not; where hardly any passes, the planner says how to go on.
  @Test func longLists() throws {
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Event (tags LIST<STRING> QUERYABLE, seats INT64, name STRING);"))
    try database.load(
      (0..<6_000).map { number in
        var record = Record(recordType: "Event", recordName: "r\(number)")
        record["tags"] = .stringList(number % 6 == 0 ? ["x", "y"] : ["x"])
        record["seats"] = .int64(Int64(number % 50))
        record["name"] = .string("n\(number)")
        return record
      })
    var checks = 0
    for format in [
      "tags CONTAINS $tag AND seats >= $seats", "tags CONTAINS $tag AND seats >= $seats AND name != $name",
    ] {
      let prepared = try database.prepare(
        Query(recordType: "Event", predicate: try QueryPredicate(format: format)), inZoneWith: .default)
      for (tag, seats) in [("x", 10), ("x", 10), ("y", 30), ("x", 49), ("none", 0), ("x", 50), ("x", -1)] {
        var values: [String: any PredicateArgument] = ["tag": tag, "seats": seats]
        if prepared.parameterNames.contains("name") { values["name"] = "n7" }
        let all = try prepared.answer(forcing: .scan, values)
        for limit in [7, 600] {
          let explanation = try prepared.explain(values, resultsLimit: limit)
          #expect(explanation.counters.rowsReturned == min(limit, all.ids.count))
          for _ in 0..<3 {
            var (found, cursor, hasMore): ([RecordID], QueryCursor?, Bool) = ([], nil, true)
            while hasMore {
              let after = cursor
              hasMore = try prepared.forEachRecord(values, resultsLimit: limit, after: after) {
                view throws(ZoneQueryError) in
                found.append(view.recordID)
                cursor = try view.cursor()
              }
              if limit == 7, found.count > 70 { break }
            }
            if limit == 7 {
              #expect(found.count == min(all.ids.count, 77) && Set(found).isSubset(of: all.ids))
            } else {
              #expect(found == all.ids)
            }
            checks += 2
          }
        }
      }
    }
    #expect(checks == 168)
  }

  /// A value that is missing or does not fit is an error, even where another one leaves nothing to be found.
  @Test func valuesThatDoNotFit() throws {
    let schema = try Schema(
      ckdb: """
        DEFINE SCHEMA
          RECORD TYPE Event (
            city STRING QUERYABLE SORTABLE, start TIMESTAMP QUERYABLE SORTABLE, tags LIST<STRING> QUERYABLE,
            title STRING SEARCHABLE);
        """)
    let database = try Database(schema: schema)
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["city", "start"]))
    for number in 0..<600 {
      var record = Record(recordType: "Event", recordName: "r\(number)")
      record["city"] = .string("c\(number % 60)")
      record["start"] = .timestamp(Timestamp(milliseconds: Int64(number)))
      record["tags"] = .stringList(["t\(number % 40)", "u"])
      record["title"] = .string("map \(number % 7)")
      try database.save(record)
    }
    var (checks, direct) = (0, 0)
    for (format, known, unknown) in [
      ("ALL tokenize($a, 'Cdl') IN allTokens AND city = $b AND start > $c", "map", "river"),
      ("tags CONTAINS $a AND city = $b AND start > $c", "u", "none"),
      ("tags CONTAINS $a AND tags CONTAINS $b", "t3", "none"),
    ] {
      let prepared = try database.prepare(
        Query(recordType: "Event", predicate: try QueryPredicate(format: format)), inZoneWith: .default)
      let usesTime = prepared.parameterNames.contains("c")
      let moment = Literal.date(milliseconds: 5)
      func values(_ first: String, _ second: (any PredicateArgument)?, _ third: (any PredicateArgument)?)
        -> [String: any PredicateArgument]
      {
        var values: [String: any PredicateArgument] = ["a": first, "b": second ?? 0]
        if usesTime { values["c"] = third ?? "no moment" }
        return values
      }
      for _ in 0..<3 { try prepared.forEachRecord(values(known, usesTime ? "c3" : "u", moment)) { _ in } }
      if prepared.runsDirectly { direct += 1 }
      for first in [known, unknown] {
        #expect(throws: ZoneQueryError.self) { try prepared.forEachRecord(values(first, nil, moment)) { _ in } }
        if usesTime {
          #expect(throws: ZoneQueryError.self) { try prepared.forEachRecord(values(first, "c3", nil)) { _ in } }
        }
        checks += 2
      }
      var found = 0
      try prepared.forEachRecord(values(unknown, usesTime ? "c3" : "u", moment)) { _ in found += 1 }
      #expect(found == 0)
    }
    #expect(checks == 12 && direct == 3)
  }

  /// What is read in place without a look at the layout.
  @Test func fieldNumbers() {
    #expect(FieldNumber(.recordID) == 0 && FieldNumber(.changeTag) == RecordView.changeTag)
  }

  /// Slots are sorted as `sort()` does, whatever their number and bound.
  @Test func slotOrder() {
    var samples = SplitMix(seed: 17)
    var (checks, spare): (Int, [UInt32]) = (0, [])
    for bound in [1, 2, 300, 1 << 18, 1 << 18 + 1, 1 << 27, 1 << 31] {
      for count in [0, 1, 40, 41, 399, 401, 3_000] {
        let slots = (0..<count).map { _ in UInt32(samples.below(bound)) }
        var sorted = slots
        sorted.sort(below: bound, using: &spare)
        #expect(sorted == slots.sorted())
        sorted.removeRepeated()
        #expect(sorted == Set(slots).sorted())
        checks += 2
      }
    }
    #expect(checks == 98)
  }

  private static func record(_ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "Event", recordName: "r\(samples.below(200))")
    func set(_ field: String, _ value: FieldValue) { record[field] = samples.below(12) == 0 ? nil : value }
    set("name", .string(names[samples.below(names.count)]))
    set("city", .string(["Rome", "Oslo", "Lima"][samples.below(3)]))
    set("start", .timestamp(Timestamp(milliseconds: Int64(samples.below(60)))))
    set("seats", .int64(Int64(samples.below(50)) - 5))
    set("price", .double(Double(samples.below(40)) / 4 - 2))
    set("title", .string("\(words[samples.below(words.count)]) \(words[samples.below(words.count)])"))
    set(
      "place",
      .location(Location(latitude: Double(samples.below(9)) / 100, longitude: 179.96 - Double(samples.below(9)) / 100)))
    set("tags", .stringList((0..<samples.below(4)).map { _ in tags[samples.below(tags.count)] }))
    return record
  }

  private static let words = ["map", "maps and more", "river", "the river map", "lake", "Übung"]

  private static let searches =
    words + ["map Map river", "the of", "", "river unknown", String(repeating: "map ", count: 20) + "river"]

  /// Of "the quick brown fox jum" an index holds all, of longer ones the beginning.
  private static let names = [
    "a", "ab", "abc", "eight888", "nine99999", "exactly fifteen", "exactly fifteen and more",
    "the quick brown fox jum", "the quick brown fox jump", "the quick brown fox jumps", "é", "",
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
        case "some": (0...samples.below(2)).map { _ in tags[samples.below(tags.count)] }
        case "numbers": (0...samples.below(5)).map { _ in samples.below(50) - 5 }
        case "moments": (0...samples.below(40)).map { _ in Timestamp(milliseconds: Int64(samples.below(60))) }
        case "user": RecordID(recordName: samples.below(4) == 0 ? "nobody" : ZoneID.currentUserName)
        case "names": (0...samples.below(5)).map { _ in names[samples.below(names.count)] }
        case "words": searches[samples.below(searches.count)]
        case "here": Location(latitude: Double(samples.below(9)) / 100, longitude: 179.95)
        case "metres": Double(samples.below(12_000))
        case "start", "end": Literal.date(milliseconds: Int64(samples.below(60)))
        case "seats": samples.below(2) == 0 ? samples.below(50) - 5 : Double(samples.below(50)) + 0.5
        default: samples.below(2) == 0 ? samples.below(10) : Double(samples.below(40)) / 4 - 2
        }
    }
    return values
  }
}
