import Testing

@testable import ZoneQuery

/// Conditions on texts that no interval describes, answered by the texts that an index has.
@Suite struct StoredTextsTests {
  private static let long = "a name that is longer than the words of an index, and begins as others do: "

  /// Short texts, long ones that differ in what their words hold, and long ones that begin alike.
  private static let texts =
    ["", "a", "sea", "Sea", "s\u{E9}a", "seaside", "south", "\u{1F30A}"] + (0..<20).map { "city \($0)" }
    + (0..<8).map { "\($0) is the number of a name that is longer than the words of an index" }
    + (0..<8).map { "\(long)\($0)" } + ["\(long)1 and more", "\(long)sea"]

  private static func database(
    _ options: PredicateOptions = PredicateOptions(dialect: .extended), count: Int
  ) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = options
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE T (
            name STRING QUERYABLE SORTABLE, city STRING, seats INT64 QUERYABLE SORTABLE, start TIMESTAMP QUERYABLE);
          """), configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["city", "start"]))
    var samples = SplitMix(seed: 31)
    try database.load((0..<count).map { record("r\($0)", &samples) })
    return database
  }

  private static func record(_ name: String, _ samples: inout SplitMix) -> Record {
    var record = Record(recordType: "T", recordName: name)
    if samples.below(9) > 0 { record["name"] = .string(texts[samples.below(texts.count)]) }
    // Every row that has a city has a start, so that the index has all cities.
    if samples.below(9) > 0 {
      record["city"] = .string(texts[samples.below(texts.count)])
      record["start"] = .timestamp(Timestamp(milliseconds: Int64(samples.below(500))))
    }
    record["seats"] = .int64(Int64(samples.below(40)))
    return record
  }

  /// A condition on a field that asks for no interval, or a combination of some.
  private static func condition(_ field: String, _ samples: inout SplitMix, _ arguments: inout [any PredicateArgument])
    -> String
  {
    let text = texts[samples.below(texts.count)]
    let piece = String(text.dropFirst(samples.below(max(1, text.count))).prefix(1 + samples.below(6)))
    switch samples.below(8) {
    case 0:
      arguments.append(piece)
      return "\(field) CONTAINS %@"
    case 1:
      arguments.append(String(text.suffix(1 + samples.below(4))))
      return "\(field) ENDSWITH[c] %@"
    case 2:
      arguments.append("*\(text.suffix(2))")
      return "\(field) LIKE %@"
    case 3:
      arguments.append("\(text.prefix(2))*\(text.suffix(1))")
      return "\(field) LIKE[cd] %@"
    case 4:
      arguments.append(String(text.suffix(2)))
      return "NOT \(field) ENDSWITH %@"
    case 5:
      arguments.append([text, texts[samples.below(texts.count)]])
      return "NOT \(field) IN %@"
    case 6: return "(\(condition(field, &samples, &arguments)) OR \(condition(field, &samples, &arguments)))"
    default: return "NOT (\(condition(field, &samples, &arguments)) AND \(condition(field, &samples, &arguments)))"
    }
  }

  /// Drawn conditions, alone and beside intervals and other fields, in several orders, by the planner, by each plan that there
  /// is, and by a scan, over records that change.
  @Test func drawn() throws {
    var (samples, checks, byTexts, kinds) = (SplitMix(seed: 32), 0, 0, Set<String>())
    for missing in [PredicateOptions.MissingFields.excluded, .likeNSPredicate] {
      var options = PredicateOptions(dialect: .extended)
      options.missingFields = missing
      let database = try Self.database(options, count: 2_400)
      for round in 0..<TestAmount.of(600) {
        let field = ["name", "city"][samples.below(2)]
        var arguments: [any PredicateArgument] = []
        var parts = [Self.condition(field, &samples, &arguments)]
        if samples.below(2) == 0 {
          parts.append("\(field) BEGINSWITH %@")
          arguments.append(["s", "c", "city 1", "a name", Self.long, "x"][samples.below(6)])
        }
        if samples.below(4) == 0 { parts.append("\(field) < 't'") }
        if samples.below(4) == 0 { parts.append("seats > 30") }
        if samples.below(4) == 0 { parts.append(Self.condition("name", &samples, &arguments)) }
        let sort = [[], [SortKey.ascending("name")], [.descending("seats")], [.ascending("start")]][samples.below(4)]
        let predicate = try QueryPredicate(format: parts.joined(separator: " AND "), arguments: arguments)
        let query = Query(recordType: "T", predicate: predicate, sort: sort)
        let prepared = try database.prepare(query, inZoneWith: .default)
        let limit = [1, 10, .max][samples.below(3)]
        let scanned = try prepared.answer(forcing: .scan, resultsLimit: .max).ids
        let expected = sort.isEmpty ? nil : Array(scanned.prefix(limit))
        func check(_ found: [RecordID]) {
          #expect(found.count == min(limit, scanned.count), "\(query), \(limit)")
          #expect(expected.map { $0 == found } ?? Set(found).isSubset(of: scanned), "\(query), \(limit)")
          checks += 1
        }
        for _ in 0..<2 {
          var found: [RecordID] = []
          try prepared.forEachRecord(resultsLimit: limit) { found.append($0.recordID) }
          check(found)
          #expect(try prepared.count() == scanned.count, "\(query)")
        }
        for number in 0..<8 {
          let answer = try prepared.answer(forcing: .considered(number), resultsLimit: limit)
          check(answer.ids)
          kinds.formUnion(answer.notes.kinds)
          if number + 1 >= answer.notes.most { break }
        }
        let explanation = try database.explain(query, inZoneWith: .default, resultsLimit: limit)
        if "\(explanation)".contains("each text") { byTexts += 1 }
        if round % 8 == 0 {
          try database.save(Self.record("r\(samples.below(2_500))", &samples), policy: .replace)
          _ = try database.deleteRecords(withIDs: [RecordID(recordName: "r\(samples.below(2_500))")])
        }
      }
    }
    print("texts of an index: \(checks) answers, \(byTexts) questions by all texts, \(kinds.sorted())")
    #expect(checks >= TestAmount.of(6_500) && byTexts >= TestAmount.of(280))
  }

  /// What is read is the entries that pass, and no row, where the index has all that is asked.
  @Test func figures() throws {
    let database = try Self.database(count: 20_000)
    for (format, lead) in [
      ("name ENDSWITH 'ea'", "(name): each text name ENDSWITH \"ea\""),
      ("name CONTAINS[cd] 'SEA'", "(name): each text name CONTAINS[cd] \"SEA\""),
      ("name LIKE 'city ?'", "(name): each text name LIKE \"city ?\""),
      (
        "name ENDSWITH '1' AND name BEGINSWITH 'a name'",
        "(name): name >= \"a name\" and < \"a namf\", each text name ENDSWITH \"1\""
      ),
      ("city ENDSWITH 'ea' OR city CONTAINS 'th'", "(city, start): each text"),
      ("city LIKE '*side' AND city > 's'", "(city, start): city > \"s\", each text city LIKE \"*side\""),
    ] {
      let query = Query(
        recordType: "T", predicate: try QueryPredicate(format: format), sort: [.descending("seats")])
      let expected = try database.prepare(query, inZoneWith: .default).answer(forcing: .scan).ids.count
      let explanation = try database.explain(query, inZoneWith: .default, resultsLimit: 5_000)
      #expect("\(explanation)".contains(lead), "\(explanation)")
      #expect(explanation.counters.entriesRead == expected && expected > 100, "\(format)")
      #expect(explanation.counters.rowsExamined <= expected, "\(format)")
      #expect(try database.prepare(query, inZoneWith: .default).count() == expected)
    }
    // Where the first rows are enough, or nearly all pass, none is asked about.
    for (format, sort, limit) in [
      ("name ENDSWITH '1'", [], 10), ("NOT name ENDSWITH '1'", [SortKey.descending("seats")], 10),
    ] {
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort)
      let explanation = try database.explain(query, inZoneWith: .default, resultsLimit: limit)
      let text = "\(explanation)"
      let plan = text.firstRange(of: "paths").map { text[..<$0.lowerBound] } ?? text[...]
      #expect(!plan.contains("each text"), "\(explanation)")
    }
  }

  /// Long texts that begin alike, of which some have many records and others few, before other texts, whichever record was
  /// first.
  @Test func fewAmongMany() throws {
    var (samples, checks, byTexts) = (SplitMix(seed: 33), 0, 0)
    for round in 0..<TestAmount.of(60) {
      let database = try Self.database(count: 0)
      let counts = (0..<2 + samples.below(4)).map { _ in [1, 2, 5, 79, 80, 81, 150, 400][samples.below(8)] }
      var names: [String] = []
      for (text, count) in counts.enumerated() {
        names += Array(repeating: "\(Self.long)\(text)", count: count)
      }
      names += (0..<samples.below(300)).map { _ in ["z", "b", "\(Self.long.prefix(40))!"][samples.below(3)] }
      if round % 2 == 0 { names.shuffle(using: &samples) }
      try database.load(
        names.enumerated().map { number, name in
          var record = Record(recordType: "T", recordName: "r\(number)")
          (record["name"], record["seats"]) = (.string(name), .int64(Int64(number % 7)))
          return record
        })
      // The first place may have no record, or one without a name.
      if round % 3 == 0 { _ = try database.deleteRecords(withIDs: [RecordID(recordName: "r0")]) }
      if round % 3 == 1 { try database.save(Record(recordType: "T", recordName: "r0"), policy: .replace) }
      for text in 0...counts.count {
        for format in ["name ENDSWITH '\(text)'", "name ENDSWITH '\(text)' AND name BEGINSWITH 'a name'"] {
          let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
          let prepared = try database.prepare(query, inZoneWith: .default)
          let expected = Set(try prepared.answer(forcing: .scan).ids)
          let found = try prepared.records(resultsLimit: .max).records.map(\.recordID)
          #expect(Set(found) == expected && found.count == expected.count, "\(counts), \(text)")
          #expect(try prepared.count() == expected.count)
          for number in 0..<8 {
            let answer = try prepared.answer(forcing: .considered(number))
            #expect(Set(answer.ids) == expected && answer.ids.count == expected.count, "\(counts), \(text)")
            if answer.notes.kinds.contains("span") || answer.notes.kinds.contains("spans") { byTexts += 1 }
            checks += 1
            if number + 1 >= answer.notes.most { break }
          }
        }
      }
    }
    print("long texts that begin alike: \(checks) answers, \(byTexts) by the texts of the index")
    #expect(checks >= TestAmount.of(1_300) && byTexts >= TestAmount.of(800))
  }

  /// Texts that all begin alike, and are all different, are given up soon: the rows are looked at in their place.
  @Test func textsThatBeginAlike() throws {
    let database = try Self.database(count: 0)
    try database.load(
      (0..<5_000).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["name"] = .string("\(Self.long)\(number)")
        record["seats"] = .int64(Int64(number % 7))
        return record
      })
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "name ENDSWITH '77'"), sort: [.ascending("seats")])
    let prepared = try database.prepare(query, inZoneWith: .default)
    for _ in 0..<3 {
      #expect(try prepared.records(resultsLimit: 100).records.map(\.recordID) == prepared.answer(forcing: .scan).ids)
      #expect(try prepared.count() == 50)
    }
    #expect(!"\(try database.explain(query, inZoneWith: .default))".contains("each text"))
  }

  /// A query whose values change from run to run is asked anew at each.
  @Test func values() throws {
    let database = try Self.database(count: 3_000)
    for format in ["name ENDSWITH $text", "name CONTAINS $text AND name BEGINSWITH 's'", "NOT name IN $list"] {
      for sort in [[], [SortKey.descending("seats")]] {
        let query = Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort)
        let prepared = try database.prepare(query, inZoneWith: .default)
        for text in ["ea", "1", "", "side", "x", "sea"] {
          let values: [String: any PredicateArgument] = format.contains("list") ? ["list": [text]] : ["text": text]
          let expected = try prepared.answer(forcing: .scan, values).ids
          for _ in 0..<3 {
            let found = try prepared.records(values, resultsLimit: .max).records.map(\.recordID)
            #expect(sort.isEmpty ? Set(found) == Set(expected) && found.count == expected.count : found == expected)
            #expect(try prepared.count(values) == expected.count)
          }
        }
      }
    }
  }
}
