import Testing

@testable import ZoneQuery

/// What conditions on one field say together: that no record can be meant, or that one of them need not be asked.
@Suite struct TogetherTests {
  private static let names = ["", "sea", "Sea", "seaside", "a name that is longer than an index's words, and ends so"]

  private static func database(
    _ options: PredicateOptions = PredicateOptions(dialect: .extended), count: Int = 600
  ) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = options
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE T (
            name STRING QUERYABLE SORTABLE, city STRING, seats INT64 QUERYABLE, price DOUBLE, start TIMESTAMP QUERYABLE,
            owner REFERENCE QUERYABLE, tags LIST<STRING> QUERYABLE);
          """), configuration: configuration)
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["city", "start"]))
    var samples = SplitMix(seed: 5)
    try database.load(
      (0..<count).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        if samples.below(8) > 0 { record["name"] = .string(names[samples.below(names.count)]) }
        if samples.below(8) > 0 { record["city"] = .string(names[samples.below(names.count)]) }
        if samples.below(8) > 0 { record["seats"] = .int64(Int64(samples.below(5))) }
        if samples.below(8) > 0 { record["price"] = .double([-0.0, 0, 0.5, 1, .infinity][samples.below(5)]) }
        if samples.below(8) > 0 { record["start"] = .timestamp(Timestamp(milliseconds: Int64(samples.below(5)))) }
        if samples.below(8) > 0 {
          record["owner"] = .reference(Reference(RecordID(recordName: "o\(samples.below(4))")))
        }
        record["tags"] = .stringList((0..<samples.below(4)).map { _ in names[samples.below(names.count)] })
        return record
      })
    return database
  }

  private static func prepare(
    _ database: Database, _ format: String, _ arguments: [any PredicateArgument] = [], sort: [SortKey] = []
  ) throws -> PreparedQuery {
    let predicate = try QueryPredicate(format: format, arguments: arguments)
    return try database.prepare(Query(recordType: "T", predicate: predicate, sort: sort), inZoneWith: .default)
  }

  /// Nothing is read where conditions contradict one another, at the first run, and at those that have a plan.
  @Test(
    arguments: [
      "name = 'sea' AND name = 'Sea'",
      "name = 'sea' AND name BEGINSWITH 'Se'",
      "name = 'sea' AND name ENDSWITH 'x'",
      "name CONTAINS 'x' AND name = 'sea'",
      "name = 'sea' AND name LIKE 's?'",
      "name = 'sea' AND NOT name ENDSWITH 'a'",
      "name = 'sea' AND name != 'sea'",
      "city = 'sea' AND city IN {'Sea', 'seaside'}",
      "seats > 3 AND seats < 3",
      "seats = 3 AND tags CONTAINS 'sea' AND seats IN {1, 2}",
      "price = 0.5 AND price >= 1",
      "start < CAST(3, 'NSDate') AND start > CAST(4, 'NSDate')",
      "name = 'sea' AND name = nil",
      "seats > 3 AND name = 'sea' AND seats = nil",
      "seats = 1 AND city = 'sea' AND NOT seats < 2",
      "name ==[c] 'sea' AND name = 'x'",
      "(seats = 1 OR seats = 2) AND seats = 3",
      "name = 'sea' AND name MATCHES 'x.*'",
      "(name ENDSWITH 'x' OR name = 'Sea') AND name = 'sea'",
      "(seats > 3 OR name ENDSWITH 'X') AND name = 'sea' AND seats < 2",
      "NOT (name BEGINSWITH 's' AND seats < 4) AND name = 'sea' AND seats IN {1, 3}",
      "(seats > 3 AND city = 'sea' OR name = 'Sea') AND name BEGINSWITH 'sea' AND seats = 2",
    ])
  func contradictions(format: String) throws {
    let database = try Self.database()
    for sort in [[], [SortKey.ascending("name")]] {
      let prepared: PreparedQuery
      do {
        prepared = try Self.prepare(database, format, sort: sort)
      } catch {
        // No condition of such a kind can be asked for.
        #expect(format.contains("MATCHES"))
        return
      }
      #expect(try prepared.answer(forcing: .scan).ids.isEmpty)
      for _ in 0..<3 {
        #expect(try prepared.records().records.isEmpty)
        var count = 0
        try prepared.forEachRecord { _ in count += 1 }
        #expect(count == 0)
        #expect(try prepared.count() == 0)
      }
      let counters = try prepared.explain(prepared.arguments()).counters
      #expect(counters.rowsExamined == 0 && counters.entriesRead == 0, "\(format)")
    }
  }

  /// A condition that another implies is held against no row.
  @Test func implied() throws {
    let database = try Self.database()
    for format in [
      "seats = 3 AND seats > 2", "seats = 3 AND seats != 2", "name = 'sea' AND name ENDSWITH 'a'",
      "seats = 4 AND seats < 5 AND seats != nil", "name = 'sea' AND NOT name LIKE 'S*'",
      "owner = 'o1' AND owner IN {'o1', 'o2'}", "(city = 'x' OR name ENDSWITH 'a') AND name = 'sea'",
      "NOT (name = 'Sea' AND city = 'sea') AND name = 'sea'",
    ] {
      let arguments: [any PredicateArgument] =
        format.contains("owner") ? ["o1", "o1", "o2"].map { Reference(RecordID(recordName: $0)) } : []
      let format = format.replacing("'o1'", with: "%@").replacing("'o2'", with: "%@")
      let prepared = try Self.prepare(database, format, arguments)
      let counters = try prepared.explain(prepared.arguments(), resultsLimit: .max).counters
      #expect(counters.rowsExamined == 0 && counters.rowsReturned > 50, "\(format)")
      #expect(counters.entriesRead == counters.rowsReturned, "\(format)")
      #expect(Set(try prepared.answer(forcing: .scan).ids).count == counters.rowsReturned, "\(format)")
    }
  }

  /// The values of a run decide for that run alone; one that does not fit is an error, whatever else cannot be.
  @Test func values() throws {
    let database = try Self.database()
    let prepared = try Self.prepare(database, "seats = $a AND seats != $b AND name = 'sea'")
    for (first, second) in [(1, 2), (1, 1), (2, 3), (3, 2), (3, 3), (4, 0)] {
      let arguments: [String: any PredicateArgument] = ["a": first, "b": second]
      let expected = Set(try prepared.answer(forcing: .scan, arguments).ids)
      #expect(expected.isEmpty == (first == second))
      #expect(Set(try prepared.records(arguments, resultsLimit: .max).records.map(\.recordID)) == expected)
      #expect(try prepared.count(arguments) == expected.count)
    }
    // Alternatives that one run decides are asked of rows in the next.
    for format in [
      "(city = 'sea' OR seats > 3) AND seats = $a", "(seats > $b OR name = 'Sea') AND seats = $a AND name = 'sea'",
      "NOT (seats = $b AND name = 'sea') AND name = 'sea' AND seats < $a",
      "(name ENDSWITH 'a' OR seats = $b) AND name = 'sea' AND seats != $a",
    ] {
      for sort in [[], [SortKey.descending("start")]] {
        let query = try Self.prepare(database, format, sort: sort)
        var counts: Set<Int> = []
        for (first, second) in [(4, 2), (4, 1), (1, 2), (1, 0), (3, 3), (4, 9), (0, 2), (2, 1), (2, 2)] {
          let all: [String: any PredicateArgument] = ["a": first, "b": second]
          let arguments = all.filter { query.parameterNames.contains($0.key) }
          let expected = Set(try query.answer(forcing: .scan, arguments).ids)
          for _ in 0..<2 {
            let found = try query.records(arguments, resultsLimit: .max).records.map(\.recordID)
            #expect(Set(found) == expected && found.count == expected.count, "\(format), \(arguments)")
            #expect(try query.count(arguments) == expected.count, "\(format), \(arguments)")
          }
          counts.insert(expected.count)
        }
        #expect(counts.count > 2)
      }
    }
    let never = try Self.prepare(database, "seats = 1 AND seats = 2 AND name = $name")
    for _ in 0..<3 {
      #expect(try never.records(["name": "sea"]).records.isEmpty)
      #expect(throws: ZoneQueryError.self) { try never.records(["name": 7]) }
    }
  }

  /// A term that no record has yet is looked up at each run, by a plan that is kept.
  @Test(arguments: [[], [SortKey.descending("seats")], [.ascending("name")]])
  func termsToCome(sort: [SortKey]) throws {
    let database = try Self.database()
    let fixed = try Self.prepare(database, "tags CONTAINS 'new' AND seats < 3", sort: sort)
    let bound = try Self.prepare(database, "tags CONTAINS $tag AND seats < 3", sort: sort)
    func expect(_ names: [String]) throws {
      for _ in 0..<3 {
        #expect(try fixed.records().records.map(\.recordID.recordName) == names)
        #expect(try bound.records(["tag": "new"]).records.map(\.recordID.recordName) == names)
        var found: [String] = []
        try fixed.forEachRecord { found.append($0.recordID.recordName) }
        #expect(found == names)
        #expect(try fixed.count() == names.count && bound.count(["tag": "new"]) == names.count)
      }
    }
    try expect([])
    #expect(fixed.directAnswers > 0 && bound.directAnswers > 0)
    for (number, seats) in [5, 2, 1, 3].enumerated() {
      var record = Record(recordType: "T", recordName: "n\(number)")
      record["tags"] = .stringList(["new"])
      record["seats"] = .int64(Int64(seats))
      record["name"] = .string("name \(number)")
      try database.save(record)
    }
    try expect(["n1", "n2"])
    _ = try database.deleteRecords(withIDs: (0..<4).map { RecordID(recordName: "n\($0)") })
    try expect([])
  }

  /// Long lists are not held against one another, each against all.
  @Test func longLists() throws {
    let database = try Self.database(count: 100)
    var (parts, arguments): ([String], [any PredicateArgument]) = ([], [])
    for left in 0..<60 {
      parts.append("\(left % 2 == 0 ? "" : "NOT ")(\(left % 3 == 0 ? "seats" : "name") IN %@)")
      let numbers = (0..<8_000).filter { $0 != left + 5 }
      arguments.append(left % 3 == 0 ? numbers : numbers.map { "n\($0)" })
    }
    let query = try Self.prepare(database, parts.joined(separator: " AND "), arguments)
    #expect(try query.records().records.isEmpty)
    #expect(try query.answer(forcing: .scan).ids.isEmpty)
    let names = try Self.prepare(database, "recordID IN %@", [(0..<6_000).map { RecordID(recordName: "r\($0)") }])
    for _ in 0..<3 { #expect(try names.records(resultsLimit: .max).records.count == 100) }
  }

  /// What an explanation counts of a scan whose rows are looked up is what an ordinary run finds.
  @Test func scansThatAreLookedUp() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (text STRING SEARCHABLE);"), configuration: configuration)
    try database.load(
      (0..<10_000).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["text"] = .string((64..<192).contains(number % 256) ? "word" : "other")
        return record
      })
    for (format, limit) in [
      ("self CONTAINS 'word'", 20), ("NOT self CONTAINS 'word'", 1), ("self CONTAINS 'word'", 63),
    ] {
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
      let found = try database.records(matching: query, resultsLimit: limit)
      let explanation = try database.explain(query, resultsLimit: limit)
      #expect(found.records.count == limit && explanation.counters.rowsReturned == limit, "\(format)")
    }
  }

  /// A plan is taken again over the same version alone.
  @Test func savedInBetween() throws {
    let database = try Self.database(count: 3_000)
    let queries = try [
      "price > 0.2 AND seats != 3", "tags CONTAINS 'sea' AND NOT tags CONTAINS 'Sea'", "NOT name ENDSWITH 'a'",
      "name ENDSWITH 'side' OR start < CAST(1, 'NSDate')", "city IN {'sea', 'Sea'} AND price < 1",
    ].flatMap { format in
      try [[], [SortKey.descending("seats")], [.ascending("name")]].map { try Self.prepare(database, format, sort: $0) }
    }
    var (samples, checks) = (SplitMix(seed: 8), 0)
    for round in 0..<TestAmount.of(200) {
      for query in queries {
        let limit = [1, 10, 100, .max][samples.below(4)]
        for _ in 0..<2 {
          let scanned = try query.answer(forcing: .scan).ids
          let found = try query.records(resultsLimit: limit).records.map(\.recordID)
          #expect(found.count == min(limit, scanned.count))
          #expect(query.query.sort.isEmpty ? Set(found).isSubset(of: scanned) : found == Array(scanned.prefix(limit)))
          #expect(try query.count() == scanned.count)
          checks += 3
        }
      }
      let name = "r\(samples.below(3_200))"
      switch round % 4 {
      case 0: _ = try database.deleteRecords(withIDs: [RecordID(recordName: name)])
      case 1: try database.dropIndex(IndexDefinition(recordType: "T", keys: ["city", "start"]))
      case 2: try database.addIndex(IndexDefinition(recordType: "T", keys: ["city", "start"]))
      default: break
      }
      var record = Record(recordType: "T", recordName: name)
      record["name"] = .string(Self.names[samples.below(5)])
      record["seats"] = .int64(Int64(samples.below(5)))
      record["price"] = .double(Double(samples.below(3)))
      record["tags"] = .stringList([Self.names[samples.below(5)]])
      try database.save(record, policy: .replace)
    }
    print("plans taken again: \(checks) answers")
    #expect(checks >= TestAmount.of(18_000))
  }

  /// Drawn conditions on few fields of few values, by the planner and by a scan.
  @Test func drawn() throws {
    var (samples, checks, empty) = (SplitMix(seed: 3), 0, 0)
    var options = PredicateOptions(dialect: .extended)
    for missing in [PredicateOptions.MissingFields.excluded, .likeNSPredicate] {
      for equality in [PredicateOptions.StringEquality.exact, .caseInsensitive] {
        (options.missingFields, options.stringEquality) = (missing, equality)
        let database = try Self.database(options, count: 200)
        for _ in 0..<TestAmount.of(4_000) {
          let field = ["name", "city", "seats", "price", "start"][samples.below(5)]
          var (parts, arguments): ([String], [any PredicateArgument]) = ([], [])
          for _ in 0..<2 + samples.below(3) {
            let (part, values) = Self.condition(field, &samples)
            parts.append(samples.below(4) == 0 ? "NOT (\(part))" : part)
            arguments += values
          }
          if samples.below(4) == 0 { parts[0...1] = ["(\(parts[0]) OR \(parts[1]))"] }
          let query = try Self.prepare(database, parts.joined(separator: " AND "), arguments)
          if try Self.answers(query, &checks) == 0 { empty += 1 }
        }
      }
    }
    print("conditions on one field: \(checks) answers, \(empty) questions that nothing answers")
    #expect(checks >= TestAmount.of(64_000) && empty >= TestAmount.of(2_000))
  }

  /// Drawn alternatives on two fields beside conditions on each.
  @Test func drawnAlternatives() throws {
    var (samples, checks, empty) = (SplitMix(seed: 4), 0, 0)
    var options = PredicateOptions(dialect: .extended)
    for (missing, equality) in [
      (PredicateOptions.MissingFields.excluded, PredicateOptions.StringEquality.exact), (.excluded, .caseInsensitive),
      (.likeNSPredicate, .exact), (.likeNSPredicate, .caseInsensitive),
    ] {
      (options.missingFields, options.stringEquality) = (missing, equality)
      let database = try Self.database(options, count: 200)
      for _ in 0..<TestAmount.of(1_500) {
        let fields = [["name", "seats"], ["city", "start"], ["price", "name"]][samples.below(3)]
        var arguments: [any PredicateArgument] = []
        func drawn(_ field: String) -> String {
          let (part, values) = Self.condition(field, &samples)
          arguments += values
          return samples.below(4) == 0 ? "NOT (\(part))" : part
        }
        func alternatives(_ depth: Int) -> String {
          let parts = (0..<2 + samples.below(2)).map { _ in
            depth > 0 && samples.below(4) == 0 ? alternatives(depth - 1) : drawn(fields[samples.below(2)])
          }
          let joined = "(\(parts.joined(separator: samples.below(3) == 0 ? " AND " : " OR ")))"
          return samples.below(6) == 0 ? "NOT \(joined)" : joined
        }
        var parts = [alternatives(2)]
        for field in fields where samples.below(4) > 0 { parts.append(drawn(field)) }
        let query = try Self.prepare(database, parts.joined(separator: " AND "), arguments)
        if try Self.answers(query, &checks) == 0 { empty += 1 }
      }
    }
    print("alternatives on two fields: \(checks) answers, \(empty) questions that nothing answers")
    #expect(checks >= TestAmount.of(24_000) && empty >= TestAmount.of(1_500))
  }

  /// How many rows a forced scan finds, as the planner and a plan that is kept do.
  private static func answers(_ query: PreparedQuery, _ checks: inout Int) throws -> Int {
    let expected = Set(try query.answer(forcing: .scan).ids)
    for _ in 0..<2 {
      let found = try query.records(resultsLimit: .max).records.map(\.recordID)
      #expect(Set(found) == expected && found.count == expected.count, "\(query.query.predicate)")
      #expect(try query.count() == expected.count, "\(query.query.predicate)")
      checks += 2
    }
    return expected.count
  }

  private static func condition(
    _ field: String, _ samples: inout SplitMix
  ) -> (format: String, arguments: [any PredicateArgument]) {
    var value: any PredicateArgument {
      switch field {
      case "name", "city": names[samples.below(names.count)]
      case "seats": samples.below(5)
      case "price": [-0.0, 0, 0.5, 1, .infinity][samples.below(5)]
      default: Timestamp(milliseconds: Int64(samples.below(5)))
      }
    }
    if field == "name" || field == "city", samples.below(3) == 0 {
      let relations = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==[c]", "BEGINSWITH[c]", "!=[cd]"]
      let text = ["s", "S", "sea", "*a", "so", "s?a"][samples.below(6)]
      return ("\(field) \(relations[samples.below(relations.count)]) %@", [text])
    }
    switch samples.below(9) {
    case 0: return ("\(field) IN {%@, %@}", [value, value])
    case 1: return ("\(field) BETWEEN {%@, %@}", [value, value])
    case 2: return ("\(field) = nil", [])
    case 3: return ("\(field) != nil", [])
    case let number: return ("\(field) \(["=", "!=", "<", "<=", ">"][number - 4]) %@", [value])
    }
  }
}
