import Testing

@testable import ZoneQuery

/// Conditions that ignore case or marks, answered by the spellings that an index has.
@Suite struct FoldedConditionTests {
  private static let names = [
    "Oslo", "OSLO", "oslo", "Osló", "Straße", "STRASSE", "strasse", "straſſe", "Kelvin", "\u{212A}elvin", "KELVIN",
    "e\u{301}",
    "é", "É", "e", "", "Malmö", "MALMO", "malmo\u{308}", "서울", "\u{1109}\u{1165}울", "İstanbul", "istanbul",
    "i\u{307}stanbul",
    "A name that is longer than an index's words", "A NAME THAT IS LONGER THAN AN INDEX'S WORDS",
    "a name that is longer than an index's words", "A name that is longer than an index's words, and more",
  ]

  private static func record(_ number: Int, _ zone: ZoneID, _ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "Town", recordID: RecordID(recordName: "t\(number)", zoneID: zone))
    func name() -> String { names[samples.below(names.count)] }
    for key in ["name", "other", "lacking"] where samples.below(key == "lacking" ? 2 : 12) > 0 {
      record[key] = .string(name())
    }
    record["kind"] = .int64(Int64(samples.below(5)))
    record["date"] = .timestamp(Timestamp(milliseconds: Int64(samples.below(40))))
    record["unindexed"] = .string(name())
    record["tags"] = .stringList((0..<samples.below(3)).map { _ in name() })
    return record
  }

  private static let questions: [(format: String, sort: [SortKey])] = [
    ("name ==[c] $name", []), ("name ==[d] $name", []), ("name ==[cd] $name", []), ("name !=[c] $name", []),
    ("name IN[c] $names", []), ("NOT name IN[cd] $names", []), ("name BEGINSWITH[c] $start", []),
    ("NOT name BEGINSWITH[cd] $start", []), ("name BEGINSWITH[d] $start AND kind = $kind", []),
    ("name ==[c] $name", [.ascending("date")]), ("name ==[c] $name", [.descending("date"), .ascending("kind")]),
    ("name IN[cd] $names AND kind < 3", [.ascending("date")]),
    ("name ==[c] $name AND date > $date", [.descending("date")]),
    ("name ==[c] $name AND name != $other", []), ("name ==[c] $name OR other ==[c] $other", [.ascending("kind")]),
    ("(name ==[c] $name AND kind = 1) OR other ==[cd] $other", []),
    ("other ==[cd] $name AND name BEGINSWITH[c] $start", []),
    ("other BEGINSWITH[c] $start", [.ascending("other")]), ("other BEGINSWITH[c] $start", [.descending("name")]),
    ("lacking ==[c] $name", [.ascending("date")]), ("lacking ==[c] $name AND other ==[c] $name", []),
    ("unindexed ==[c] $name", [.ascending("date")]), ("kind = $kind AND name ==[c] $name", []),
    ("name ==[c] 'OSLO'", []), ("name ==[cd] 'malmo' AND date > $date", [.ascending("date")]),
    ("name BEGINSWITH[c] 'strass'", []), ("name = $name", []), ("name IN $names", [.ascending("date")]),
    ("name != $name AND other = $other", []), ("tags CONTAINS $name", []), ("ANY tags IN $names", [.ascending("date")]),
    ("ALL $names IN tags", []), ("NOT (tags CONTAINS $name)", []),
    ("tags CONTAINS[cd] $name AND kind < 3", [.descending("date")]),
    ("tags CONTAINS[c] $name OR name ==[c] $other", [.ascending("kind")]),
    ("tags CONTAINS $name AND tags CONTAINS[d] $other", []),
    ("NOT (ANY tags IN $names) AND kind = $kind", []), ("tags CONTAINS $name AND (ANY tags IN $names)", []),
    ("name CONTAINS[c] $start", []),
    ("name ==[c] $name AND other !=[c] $other", [.ascending("date")]),
  ]

  private static func arguments(_ names: [String], _ samples: inout SplitMix) -> [String: any PredicateArgument] {
    var arguments: [String: any PredicateArgument] = [:]
    func name() -> String { Self.names[samples.below(Self.names.count)] }
    for key in names {
      arguments[key] =
        switch key {
        case "names": (0...samples.below(4)).map { _ in name() }
        case "start": String(String.UnicodeScalarView(name().unicodeScalars.prefix(1 + samples.below(5))))
        case "date": Timestamp(milliseconds: Int64(samples.below(40)))
        case "kind": samples.below(6)
        default: name()
        }
    }
    return arguments
  }

  /// Answers, pages and counts are those of scans, of one zone and of two, while records change.
  @Test(arguments: [PredicateOptions.StringEquality.exact, .caseInsensitive]) func answers(
    equality: PredicateOptions.StringEquality
  ) throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended, stringEquality: equality)
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Town (
            name STRING QUERYABLE, other STRING QUERYABLE SORTABLE, kind INT64 QUERYABLE, date TIMESTAMP, tags LIST<STRING> QUERYABLE,
            lacking STRING, unindexed STRING);
          """), configuration: configuration)
    let zones = [ZoneID.default, ZoneID(zoneName: "Other")]
    try database.createZone(zones[1])
    for keys in [["name", "date"], ["name", "kind"], ["lacking", "date"], ["kind", "name"], ["other", "name"]] {
      try database.addIndex(IndexDefinition(recordType: "Town", keys: keys))
    }
    var samples = SplitMix(seed: 17)
    for zone in zones {
      for number in 0..<180 { try database.save(Self.record(number, zone, &samples), policy: .replace) }
    }
    var (checks, direct, kinds) = (0, 0, Set<String>())
    for zone in [zones[0], nil] {
      for (format, sort) in Self.questions {
        let query = Query(recordType: "Town", predicate: try QueryPredicate(format: format), sort: sort)
        let queries = try [4, Int.max].map { ($0, try database.prepare(query, inZoneWith: zone)) }
        for _ in 0..<TestAmount.of(12) {
          let arguments = Self.arguments(queries[0].1.parameterNames, &samples)
          let text = "\(format) \(sort) \(arguments)"
          let scan = try queries[0].1.answer(forcing: .scan, arguments)
          for (limit, prepared) in queries {
            let answers = prepared.directAnswers
            let pages = try prepared.ids(arguments, pagesOf: limit)
            if sort.isEmpty {
              #expect(pages.count == scan.ids.count && Set(pages) == Set(scan.ids), "\(text) \(limit)")
            } else {
              #expect(pages == scan.ids, "\(text) \(limit)")
            }
            let first = try prepared.records(arguments, resultsLimit: limit).records.map(\.recordID)
            #expect(first == Array(pages.prefix(limit)), "\(text) \(limit)")
            direct += max(0, prepared.directAnswers - answers)
          }
          #expect(try queries[0].1.count(arguments) == scan.ids.count, "\(text)")
          let forced = try queries[0].1.answer(forcing: .considered(checks), arguments)
          #expect(Set(forced.ids) == Set(scan.ids), "\(text)")
          kinds.formUnion(forced.notes.kinds)
          checks += 6
        }
        for _ in 0..<3 {
          try database.save(Self.record(samples.below(200), zones[0], &samples), policy: .replace)
        }
      }
    }
    print("folded conditions: \(checks) answers, \(direct) by an earlier plan, \(kinds.sorted())")
    #expect(direct > TestAmount.of(700))
    #expect(checks >= TestAmount.of(4_300))
  }

  /// The rows that are looked at are those of the answer.
  @Test func counters() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended, stringEquality: .caseInsensitive)
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Town (name STRING QUERYABLE, date TIMESTAMP QUERYABLE SORTABLE, more STRING);
          """), configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "Town", keys: ["name", "date"]))
    try database.load(
      (0..<5_000).map { number in
        var record = Record(recordType: "Town", recordID: RecordID(recordName: "t\(number)"))
        record["name"] = .string(["Town", "TOWN", "town", "Village"][number % 4] + " \(number / 4 % 250)")
        record["date"] = .timestamp(Timestamp(milliseconds: Int64(number)))
        record["more"] = record["name"]
        return record
      })
    func counters(_ format: String, _ sort: [SortKey] = [], limit: Int = .max) throws -> QueryCounters {
      let query = Query(recordType: "Town", predicate: try QueryPredicate(format: format), sort: sort)
      return try database.explain(query, resultsLimit: limit).counters
    }
    for (format, sort, limit, rows) in [
      ("name = 'tOwN 7'", [], Int.max, 15), ("name IN {'tOwN 7', 'VILLAGE 9', 'x'}", [], Int.max, 20),
      ("name BEGINSWITH[c] 'tOwN 24'", [], Int.max, 165), ("name = 'tOwN 7'", [SortKey.descending("date")], 4, 4),
      ("name ==[cd] 'villagé 12' AND date > CAST(-978307198, 'NSDate')", [.ascending("date")], 2, 2),
    ] as [(String, [SortKey], Int, Int)] {
      let counters = try counters(format, sort, limit: limit)
      #expect(counters.rowsReturned == rows, "\(format)")
      // Of a few, all are put into order.
      #expect(counters.rowsExamined <= max(rows, 15), "\(format) \(counters)")
    }
    #expect(try counters("more = 'tOwN 7'").rowsExamined == 5_000)
    let query = Query(recordType: "Town", predicate: try QueryPredicate(format: "name = 'tOwN 7'"))
    let explanation = "\(try database.explain(query))"
    #expect(explanation.contains("name IN \"TOWN 7\", \"Town 7\", \"town 7\""), "\(explanation)")
  }

  /// Members are found by the lists of those that fold to what is asked for, short and long.
  @Test func members() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended, stringEquality: .caseInsensitive)
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Town (tags LIST<STRING> QUERYABLE, more LIST<STRING>, kind INT64 QUERYABLE);"),
      configuration: configuration)
    let tags = ["sea", "Sea", "SEA", "hill", "a tag of a long name", "A Tag of a long name", "Straße", "STRASSE"]
    try database.load(
      (0..<2_000).map { number in
        var record = Record(recordType: "Town", recordID: RecordID(recordName: "t\(number)"))
        record["tags"] = .stringList([tags[number % 8], "tag \(number % 100)", tags[(number + number / 8) % 8]])
        record["more"] = record["tags"]
        record["kind"] = .int64(Int64(number))
        return record
      })
    for (format, most) in [
      ("tags CONTAINS 'sEA'", 0), ("ANY tags IN {'hill', 'Strasse'}", 0),
      ("tags CONTAINS 'a tag OF a long name'", 0),
      ("NOT (tags CONTAINS 'sEA')", 0), ("tags CONTAINS 'SEAS'", 0), ("more CONTAINS 'sEA'", 2_000),
      ("ALL {'sEa', 'HILL'} IN tags", 2_000), ("tags CONTAINS 'sEA' AND tags CONTAINS 'TAG 9'", 20),
    ] {
      let query = Query(recordType: "Town", predicate: try QueryPredicate(format: format))
      let prepared = try database.prepare(query)
      let scan = try prepared.answer(forcing: .scan)
      let explanation = try database.explain(query, resultsLimit: .max)
      #expect(try prepared.records(resultsLimit: .max).records.map(\.recordID) == scan.ids, "\(format)")
      #expect(try database.count(matching: query) == scan.ids.count, "\(format)")
      #expect(explanation.counters.rowsExamined <= most, "\(format) \(explanation)")
    }
    // What is found without them is not looked for among all members.
    let one = Query(
      recordType: "Town", predicate: try QueryPredicate(format: "kind = 4 AND tags CONTAINS 'A TAG OF A LONG NAME'"))
    let explanation = try database.explain(one)
    #expect(explanation.counters.rowsReturned == 1 && "\(explanation)".contains("(kind)"), "\(explanation)")
  }

  /// A record may have many long members: each is looked at once.
  @Test func manyLongMembers() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended, stringEquality: .caseInsensitive)
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Town (tags LIST<STRING> QUERYABLE);"),
      configuration: configuration)
    try database.load(
      (0..<6_000).map { number in
        var record = Record(recordType: "Town", recordID: RecordID(recordName: "t\(number)"))
        record["tags"] = .stringList(
          number % 3_000 > 0 ? ["x \(number)"] : (0..<4_000).map { "A Tag of a long name \($0 + number)" })
        return record
      })
    for (text, count) in [
      ("a tag of a LONG name 7", 1), ("a tag of a long name 3500", 2), ("a tag of a long name", 0), ("X 7", 1),
      ("x", 0),
    ] {
      let query = Query(recordType: "Town", predicate: try QueryPredicate(format: "tags CONTAINS %@", text))
      #expect(try database.count(matching: query) == count, "\(text)")
      #expect(try database.records(matching: query).records.count == count, "\(text)")
    }
  }

  /// A page goes on among the spellings alone, whatever has become of them meanwhile.
  @Test func pagesBesideNewSpellings() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Town (name STRING, date TIMESTAMP);"),
      configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "Town", keys: ["name", "date"]))
    func town(_ number: Int, _ name: String) -> Record {
      var record = Record(recordType: "Town", recordID: RecordID(recordName: "t\(number)"))
      record["name"] = .string(name)
      record["date"] = .timestamp(Timestamp(milliseconds: Int64(number)))
      return record
    }
    try database.load((0..<4_000).map { town($0, "Town \($0 / 40)") })
    let query = Query(recordType: "Town", predicate: try QueryPredicate(format: "name ==[c] 'TOWN 12'"))
    let page = try database.records(matching: query, resultsLimit: 5)
    let cursor = try #require(page.cursor)
    try database.save(town(9_000, "TOWN 12"))
    let next = try database.records(continuingMatchFrom: cursor, resultsLimit: 100)
    #expect(Set((page.records + next.records).map(\.recordID)).count == 40 && next.records.count == 35)
    for number in 480..<520 { try database.deleteRecord(withID: RecordID(recordName: "t\(number)")) }
    #expect(try database.records(continuingMatchFrom: cursor, resultsLimit: 100).records.isEmpty)
  }

  /// Other conditions on members are told by those that an index knows, of texts and of numbers.
  @Test func someMembers() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Town (
            tags LIST<STRING> QUERYABLE, counts LIST<INT64> QUERYABLE, ratios LIST<DOUBLE> QUERYABLE,
            days LIST<TIMESTAMP> QUERYABLE, kind INT64);
          """), configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "Town", keys: ["tags", "kind"]))
    var samples = SplitMix(seed: 23)
    func save(_ number: Int) throws {
      var record = Record(recordType: "Town", recordID: RecordID(recordName: "t\(number)"))
      let values = (0..<samples.below(4)).map { _ in samples.below(40) - 20 }
      if samples.below(9) > 0 {
        record["tags"] = .stringList(values.map { "tag " + Self.names[($0 + 20) % Self.names.count] })
      }
      record["counts"] = .int64List(values.map { Int64($0) })
      record["ratios"] = .doubleList(values.map { Double($0) / 4 })
      record["days"] = .timestampList(values.map { Timestamp(milliseconds: Int64($0)) })
      record["kind"] = .int64(Int64(number % 7))
      try database.save(record, policy: .replace)
    }
    for number in 0..<160 { try save(number) }
    var (checks, untouched, most) = (0, 0, 0)
    for format in [
      "ANY tags BEGINSWITH 'tag O'", "ANY tags CONTAINS[c] 'MALM'", "ANY tags LIKE 'tag ?slo*'",
      "ANY tags ENDSWITH[d] 'e'",
      "ANY tags > 'tag o'", "ANY tags BETWEEN {'tag K', 'tag P'}", "NOT (ANY tags BEGINSWITH 'tag o')",
      "ANY counts > 17",
      "ANY counts BETWEEN {-3, 1}", "ANY ratios <= -4.5", "ANY ratios > 4.74999", "ANY days < $day",
      "NOT (ANY counts >= 15)",
      "ANY counts > 18 AND ANY tags BEGINSWITH[c] 'TAG K'", "ANY counts > 100",
      "ANY tags BEGINSWITH 'x' OR ANY counts > 18",
      "ALL counts > 0", "ANY tags CONTAINS 'longer than an index' AND kind < 3",
    ] {
      for sort in [[], [SortKey.descending("kind")]] {
        let query = Query(recordType: "Town", predicate: try QueryPredicate(format: format), sort: sort)
        let prepared = try database.prepare(query)
        let values: [String: any PredicateArgument] =
          format.contains("$day") ? ["day": Timestamp(milliseconds: -15)] : [:]
        let scan = try prepared.answer(forcing: .scan, values)
        #expect(try prepared.records(values, resultsLimit: .max).records.map(\.recordID) == scan.ids, "\(format)")
        #expect(try prepared.ids(values, pagesOf: 5).count == scan.ids.count, "\(format)")
        #expect(try prepared.count(values) == scan.ids.count, "\(format)")
        most = 1
        var number = 0
        while number < most {
          let forced = try prepared.answer(forcing: .considered(number), values)
          #expect(Set(forced.ids) == Set(scan.ids), "\(format) \(number)")
          (most, number, checks) = (forced.notes.most, number + 1, checks + 1)
        }
        let counters = try prepared.explain(try prepared.arguments(values), resultsLimit: .max).counters
        untouched += counters.rowsExamined == 0 ? 1 : 0
        checks += 3
      }
      for _ in 0..<3 { try save(samples.below(170)) }
    }
    print("conditions on members: \(checks) answers, \(untouched) without a look at a row")
    #expect(checks >= 150 && untouched >= 12)
  }

  /// Where too many searches would tell the spellings, all rows are looked at.
  @Test func tooManySearches() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Town (name STRING QUERYABLE);"), configuration: configuration)
    try database.load(
      (0..<1 << 10).map { number in
        var record = Record(recordType: "Town", recordID: RecordID(recordName: "t\(number)"))
        record["name"] = .string(String((0..<10).map { number >> $0 & 1 == 0 ? "a" : "A" }))
        return record
      })
    let query = Query(recordType: "Town", predicate: try QueryPredicate(format: "name ==[c] 'aaaaaaaaaa'"))
    #expect(try database.explain(query).counters.rowsReturned == 100)
    let all = try database.explain(query, resultsLimit: .max).counters
    #expect(all.rowsReturned == 1_024 && all.rowsExamined == 1_024)
    // What is said of many spellings stays short.
    for format in ["name BEGINSWITH[c] 'aaaaa'", "name !=[c] 'AAAAAAAAAA'", "name IN[c] {'aaaaaaaaaa', 'b'}"] {
      let query = Query(recordType: "Town", predicate: try QueryPredicate(format: format))
      #expect("\(try database.explain(query, resultsLimit: .max))".utf8.count < 3_000, "\(format)")
    }
    // Of a long constant no more is gone through than stored texts share with it.
    let long = String(repeating: "a", count: 200_000)
    for format in ["name ==[c] $text", "name BEGINSWITH[cd] $text", "name ==[c] 'Aaaaaaaaaa' OR name ==[c] $text"] {
      let query = try database.prepare(Query(recordType: "Town", predicate: try QueryPredicate(format: format)))
      for _ in 0..<3 { #expect(try query.count(["text": long]) == (format.contains("OR") ? 1_024 : 0), "\(format)") }
    }
  }
}
