import Foundation
import Testing

@testable import ZoneQuery

/// What an audit of all clauses found, so that it stays mended.
@Suite struct AuditTests {
  private static let type = RecordType(
    "T",
    fields: [
      FieldDefinition("x", .int64), FieldDefinition("d", .double), FieldDefinition("s", .string),
      FieldDefinition("li", .list(.int64)), FieldDefinition("ls", .list(.string)), FieldDefinition("l", .location),
    ])
  private static let options = PredicateOptions(dialect: .extended)

  private static func database() throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = options
    var schema = Schema()
    schema[type.name] = type
    let database = try Database(schema: schema, configuration: configuration)
    for number in 0..<6 {
      var record = Record(recordType: "T", recordName: "r\(number)")
      record["x"] = .int64(Int64(number))
      record["d"] = .double(Double(number) / 2)
      if number > 0 { record["li"] = .int64List([Int64(number), 2]) }
      record["ls"] = .stringList(["a\(number)"])
      try database.save(record)
    }
    return database
  }

  /// A computed value is looked for in lists that are not known yet: a parameter's, and a record's without a schema.
  @Test func computedValuesInUnknownLists() throws {
    let database = try Self.database()
    let list: [String: any PredicateArgument] = ["a": [2, 4]]
    for (format, expected) in [
      ("x + 1 IN $a", 2), ("abs(x) IN $a", 2), ("li[0] IN $a", 2), ("max(li) IN $a", 3), ("$a CONTAINS x + 1", 2),
      ("NOT (abs(x) IN $a)", 4), ("x + 1 IN li", 1), ("li.@count IN li", 5),
    ] {
      let predicate = try QueryPredicate(format: format)
      let query = Query(recordType: "T", predicate: predicate)
      let values = format.contains("$a") ? list : [:]
      #expect(try database.count(matching: query, parameters: values) == expected, "\(format)")
      #expect(try database.prepare(query).count(values) == expected, "\(format)")
      let typed = try Matcher(predicate, for: Self.type, options: Self.options, parameters: values)
      let untyped = try Matcher(predicate, options: Self.options, parameters: values)
      let records = try database.records(matching: Query(recordType: "T")).records
      #expect(try records.count { try typed.matches($0) } == expected, "\(format)")
      #expect(try records.count { try untyped.matches($0) } == expected, "\(format)")
    }
    try QueryPredicate(format: "i + 1 IN li OR length(s) IN li OR -d IN ld").check(Self.options)
    #expect(throws: ZoneQueryError.self) { try QueryPredicate(format: "li IN x + 1").check(Self.options) }
  }

  /// A whole number is the same as a parameter's value, however its constant is written, on each page too.
  @Test func wholeNumbersAsParameters() throws {
    let database = try Self.database()
    let records = try database.records(matching: Query(recordType: "T")).records
    let index = SubscriptionIndex(options: Self.options)
    var checks = 0
    for (format, isList, expected) in [
      ("x IN $a", true, 1), ("NOT (x IN $a)", true, 5), ("$a CONTAINS x", true, 1), ("ALL $a IN li", true, 5),
      ("NOT (ALL $a IN li)", true, 0), ("d IN $a", true, 1), ("ANY li IN $a", true, 5), ("x + 0 IN $a", true, 1),
      ("x = $a", false, 1), ("x != $a", false, 5), ("x >= $a", false, 4), ("d = $a", false, 1), ("d < $a", false, 4),
      ("li CONTAINS $a", false, 5), ("NOT (li CONTAINS $a)", false, 0), ("x BETWEEN {$a, 3}", false, 2),
      ("x IN {$a, 4}", false, 2), ("li[$a - 1] = 2", false, 5), ("li[$a - 2] = 3", false, 1), ("x & $a = 2", false, 2),
      ("modulus:by:(x, $a) = 0", false, 3), ("x > d + $a", false, 1), ("$a = 2", false, 6),
    ] {
      let predicate = try QueryPredicate(format: format)
      for sort in [[SortKey.ascending("x")], []] {
        let query = Query(recordType: "T", predicate: predicate, sort: sort)
        let prepared = try database.prepare(query)
        var answers: [[String]] = []
        for literal in [Literal.integer(2), .double(2), .integer(2), .double(2)] {
          let values: [String: any PredicateArgument] = isList ? ["a": [literal]] : ["a": literal]
          #expect(try database.count(matching: query, parameters: values) == expected, "\(format)")
          #expect(try prepared.count(values) == expected, "\(format)")
          var page = try database.records(matching: query, resultsLimit: 2, parameters: values)
          var found = page.records
          while let cursor = page.cursor {
            page = try database.records(continuingMatchFrom: cursor, resultsLimit: 2)
            found += page.records
          }
          answers.append(found.map(\.recordID.recordName))
          answers.append(try prepared.records(values).records.map(\.recordID.recordName))
          for type in [Self.type, nil] {
            let matcher = try Matcher(predicate, for: type, options: Self.options, parameters: values)
            #expect(try records.count { try matcher.matches($0) } == expected, "\(format)")
          }
          let handle = try index.add(predicate, for: Self.type, parameters: values)
          #expect(records.count { index.matches(created: $0).contains(handle) } == expected, "\(format)")
          index.remove(handle)
          checks += 1
        }
        #expect(Set(answers).count == 1 && answers[0].count == expected, "\(format)")
      }
    }
    #expect(checks == 184)
  }

  /// A list that holds fields is compared by each of them, so that one which is missing leaves the others to decide.
  @Test func listsOfFieldsThatAreMissing() throws {
    var record = Record(recordType: "T", recordName: "r")
    record["x"] = .int64(9)
    for (format, excluded, likeNSPredicate) in [
      ("x BETWEEN {d, 10}", false, false), ("NOT (x BETWEEN {d, 10})", false, true),
      ("x BETWEEN {d, 5}", false, false), ("NOT (x BETWEEN {d, 5})", true, true),
      ("NOT (x BETWEEN {10, d})", true, true), ("NOT (d BETWEEN {x, 10})", false, true),
      ("x IN {d, 9}", true, true), ("NOT (x IN {d, 9})", false, false), ("x IN {d, 8}", false, false),
      ("NOT (x IN {d, 8})", false, true),
    ] {
      for missingFields in PredicateOptions.MissingFields.allCases {
        var configuration = Database.Configuration()
        configuration.predicateOptions = PredicateOptions(dialect: .extended, missingFields: missingFields)
        let database = try Database(schema: Schema([Self.type]), configuration: configuration)
        try database.save(record)
        let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
        let matcher = try Matcher(query.predicate, for: Self.type, options: configuration.predicateOptions)
        let expected = missingFields == .excluded ? excluded : likeNSPredicate
        #expect(try database.count(matching: query) == (expected ? 1 : 0), "\(format) \(missingFields)")
        #expect(try matcher.matches(record) == expected, "\(format) \(missingFields)")
      }
    }
  }

  /// nil among constants is what a value that is missing equals, of computed values as of fields, wherever it stands.
  @Test func computedValuesAndNil() throws {
    for missingFields in PredicateOptions.MissingFields.allCases {
      var configuration = Database.Configuration()
      configuration.predicateOptions = PredicateOptions(dialect: .extended, missingFields: missingFields)
      let database = try Database(schema: Schema([Self.type]), configuration: configuration)
      for number in 0..<6 {
        var record = Record(recordType: "T", recordName: "r\(number)")
        if number != 2 { record["x"] = .int64(Int64(number)) }
        record["d"] = .double(4)
        record["li"] = .int64List(number < 3 ? [] : [7])
        record["ls"] = .stringList(number < 3 ? ["q"] : [])
        try database.save(record)
      }
      for (format, expected) in [
        ("x IN {nil, 3}", ["r2", "r3"]), ("(x + 0) IN {nil, 3}", ["r2", "r3"]), ("(x + 0) IN {3, nil}", ["r2", "r3"]),
        ("(x + 0) IN {nil}", ["r2"]), ("{nil, 3} CONTAINS (x + 0)", ["r2", "r3"]),
        ("(x + 0) IN {nil, d}", ["r2", "r4"]),
        ("{nil, d} CONTAINS x", ["r2", "r4"]), ("{3, d} CONTAINS x", ["r3", "r4"]),
        ("NOT ((x + 0) IN {nil, 3})", ["r0", "r1", "r4", "r5"]), ("ls[FIRST] IN {nil, 'q'}", (0..<6).map { "r\($0)" }),
        ("li[0] IN {nil, 8}", ["r0", "r1", "r2"]), ("nil IN {nil}", (0..<6).map { "r\($0)" }), ("nil IN {3}", []),
        ("nil IN {}", []), ("NOT (nil IN {1, 2})", (0..<6).map { "r\($0)" }),
        ("NOT (nil = 1 OR nil = 2)", (0..<6).map { "r\($0)" }),
      ] as [(String, [String])] {
        let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
        let found = try database.records(matching: query).records.map(\.recordID.recordName)
        #expect(found.sorted() == expected, "\(format)")
        let matcher = try Matcher(query.predicate, for: Self.type, options: configuration.predicateOptions)
        let records = try database.records(matching: Query(recordType: "T")).records
        #expect(
          try records.filter { try matcher.matches($0) }.map(\.recordID.recordName).sorted() == expected, "\(format)")
      }
    }
    for format in ["(x + 0) IN {nil, 'x'}", "(x + 0) IN {1, 'x'}", "uppercase(s) IN {nil, 5}", "li[0] IN {'a'}"] {
      let predicate = try QueryPredicate(format: format)
      #expect(throws: ZoneQueryError.self, "\(format)") {
        try Matcher(predicate, for: Self.type, options: Self.options)
      }
    }
  }

  /// A value that a page behind a cursor lacks, or that does not fit, is told as on the first page.
  @Test func valuesBehindACursor() throws {
    let database = try Self.database()
    let query = try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: "x >= $x"), sort: [.ascending("x")]))
    let page = try query.records(["x": 1], resultsLimit: 2)
    for values in [[:], ["x": "one"], ["x": Double.nan]] as [[String: any PredicateArgument]] {
      let first = #expect(throws: ZoneQueryError.self) { _ = try query.records(values, resultsLimit: 2) }
      let next = #expect(throws: ZoneQueryError.self) {
        _ = try query.records(values, resultsLimit: 2, after: page.cursor)
      }
      #expect(first?.code == .invalidPredicate && first == next, "\(values)")
    }
    let other = #expect(throws: ZoneQueryError.self) {
      _ = try query.records(["x": 2], resultsLimit: 2, after: page.cursor)
    }
    #expect(other?.code == .invalidCursor)
  }

  @Test func listsAndNilAsParameters() throws {
    let database = try Self.database()
    for (format, expected) in [("li = $a", 1), ("li != $a", 5), ("$a = li", 1), ("NOT (li = $a)", 5)] {
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
      let null = ["a": ArgumentValue.literal(.null)]
      #expect(try database.count(matching: query, parameters: null) == expected, "\(format)")
      #expect(try database.prepare(query).count(null) == expected, "\(format)")
      #expect(throws: ZoneQueryError.self) { try database.count(matching: query, parameters: ["a": 3]) }
    }
    #expect(throws: ZoneQueryError.self) {
      try database.prepare(Query(recordType: "T", predicate: try QueryPredicate(format: "li < $a")))
    }
    // Lists have one type, given as they may.
    let mixed = ArgumentValue.list([.literal(.integer(1)), .literal(.string("w"))])
    for format in ["x IN $a", "$a.@count = x", "sum($a) = x", "ls CONTAINS $a[1]"] {
      let predicate = try QueryPredicate(format: format)
      #expect(throws: ZoneQueryError.self, "\(format)") {
        try database.count(matching: Query(recordType: "T", predicate: predicate), parameters: ["a": mixed])
      }
      #expect(throws: ZoneQueryError.self, "\(format)") {
        try Matcher(predicate, options: Self.options, parameters: ["a": mixed])
      }
    }
  }

  /// A list in a list of fields is no value.
  @Test func listsWithinLists() throws {
    for format in ["x IN {d, {2}}", "x IN {x + 1, {}}", "x BETWEEN {d, {2}}", "x IN {1, {2}}"] {
      let predicate = try QueryPredicate(format: format)
      for scope in [Self.type, nil] {
        let error = #expect(throws: ZoneQueryError.self, "\(format)") { try predicate.check(for: scope, Self.options) }
        #expect(error?.message == "A list holds single values only.", "\(error?.message ?? "")")
      }
    }
    let database = try Self.database()
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "x IN {d, $a}"))
    #expect(try database.count(matching: query, parameters: ["a": 4]) == 2)
    #expect(throws: ZoneQueryError.self) { try database.count(matching: query, parameters: ["a": [4]]) }
  }

  /// A value that no record can hold is none.
  @Test func valuesThatAreNone() throws {
    for format in ["d IN {1, 2}", "d = 1", "d != 1", "NOT (d > 1)", "d < 1"] {
      for type in [Self.type, nil] {
        let matcher = try Matcher(try QueryPredicate(format: format), for: type, options: Self.options)
        #expect(try !matcher.matches(["d": FieldValue.double(.nan)]), "\(format)")
      }
    }
    let nowhere = FieldValue.location(Location(latitude: 100, longitude: 1e9))
    for format in [
      "distanceToLocation:fromLocation:(l, CAST('0,0', 'CLLocation')) >= 5", "l != CAST('0,0', 'CLLocation')",
    ] {
      let matcher = try Matcher(try QueryPredicate(format: format), for: Self.type, options: Self.options)
      #expect(try !matcher.matches(["l": nowhere]), "\(format)")
    }
    // Without a schema a choice between two types is no value either, and no error.
    let choice = try Matcher(try QueryPredicate(format: "TERNARY(x = 1, x, li) = 1"), options: Self.options)
    #expect(try !choice.matches(["x": FieldValue.int64(1), "li": FieldValue.int64List([1])]))
    #expect(throws: ZoneQueryError.self) {
      try QueryPredicate(format: "TERNARY(x = 1, x, li) = 1").check(for: Self.type, Self.options)
    }
  }

  @Test func momentsAreRounded() throws {
    for (seconds, milliseconds) in [
      (0.00049999, 978_307_200_000), (0.0005, 978_307_200_001), (-0.00049999, 978_307_200_000),
      (1e9, 1_978_307_200_000),
    ] as [(Double, Int64)] {
      #expect(Timestamp(Date(timeIntervalSinceReferenceDate: seconds)).milliseconds == milliseconds)
      let written = try QueryPredicate(format: "t = CAST(\(seconds), 'NSDate')")
      let passed = try QueryPredicate(format: "t = %@", Date(timeIntervalSinceReferenceDate: seconds))
      for moment in [milliseconds - 1, milliseconds, milliseconds + 1] {
        let row = ["t": FieldValue.timestamp(Timestamp(milliseconds: moment))]
        #expect(try Matcher(written).matches(row) == (moment == milliseconds), "\(seconds)")
        #expect(try Matcher(passed).matches(row) == (moment == milliseconds), "\(seconds)")
      }
    }
    var random = SplitMix(seed: 1)
    for _ in 0..<2_000 {
      let moment = Timestamp(milliseconds: Int64(bitPattern: random.next()) >> (12 + random.below(40)))
      #expect(Timestamp(moment.date) == moment)
    }
    #expect(Timestamp(Date(timeIntervalSince1970: 1e300)).milliseconds == .max)
    #expect(Timestamp(Date(timeIntervalSince1970: -1e300)).milliseconds == .min)
    #expect(throws: ZoneQueryError.self) {
      try QueryPredicate(format: "t = %@", Date(timeIntervalSinceReferenceDate: .nan))
    }
  }

  @Test func referencesOfLoadedRecords() throws {
    let other = ZoneID(zoneName: "Other")
    let database = try Database()
    for key in ["r", "parent"] {
      var record = Record(recordType: "T", recordName: "a")
      let reference = Reference(RecordID(recordName: "b", zoneID: other))
      if key == "r" { record["r"] = .referenceList([reference]) } else { record.parent = reference }
      let error = #expect(throws: ZoneQueryError.self) { try database.load([record]) }
      #expect(error?.code == .referenceViolation && error?.recordID == record.recordID)
    }
    #expect(database.schema["T"] == nil)
    // What is wrong with a zone says of which record's.
    let strange = Record(recordType: "T", recordName: "s", zoneID: ZoneID(zoneName: "x/y"))
    let error = #expect(throws: ZoneQueryError.self) {
      try database.load([Record(recordType: "T", recordName: "a"), strange])
    }
    #expect(error?.recordID == strange.recordID)
  }

  @Test func namesOfUsersAndOwners() throws {
    for name in ["", "é", "a\u{0}b", String(repeating: "u", count: 256)] {
      var configuration = Database.Configuration()
      configuration.userRecordName = name
      let error = #expect(throws: ZoneQueryError.self) { try Database(configuration: configuration) }
      #expect(error?.code == .invalidConfiguration)
    }
    var configuration = Database.Configuration()
    configuration.scope = .shared
    let database = try Database(configuration: configuration)
    for owner in ["", "a\u{0}b"] {
      let error = #expect(throws: ZoneQueryError.self) {
        try database.createZone(ZoneID(zoneName: "Z", ownerName: owner))
      }
      #expect(error?.code == .invalidZone)
    }
  }

  /// What comes from outside is shown in errors without what a terminal would act on, and scalars stay whole.
  @Test func errorsShowForeignTexts() throws {
    let database = try Database(schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (x INT64 QUERYABLE SORTABLE);"))
    let strange = "\u{1B}[31m\u{202E}x" + String(repeating: "界", count: 80)
    let queries = [
      Query(recordType: strange), Query(recordType: "T", sort: [.ascending(strange)]),
      Query(recordType: "T", predicate: Field(strange) == 1),
    ]
    for query in queries {
      let error = #expect(throws: ZoneQueryError.self) { try database.records(matching: query) }
      let text = try #require(error).description
      #expect(text.unicodeScalars.allSatisfy { $0 != "\u{1B}" && $0 != "\u{202E}" && $0 != "\u{FFFD}" }, "\(text)")
      #expect(text.contains("<U+202E>x界") && text.utf8.count < 1_000, "\(text)")
    }
  }

  /// A cursor's predicate means what it meant, or the cursor is refused.
  @Test func cursorsKeepTheirSwitches() throws {
    let key = Array("0123456789abcdef".utf8)
    func database(_ options: PredicateOptions) throws -> Database {
      var configuration = Database.Configuration()
      (configuration.cursorKey, configuration.predicateOptions) = (key, options)
      let database = try Database(configuration: configuration)
      for number in 0..<5 {
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["n"] = .int64(Int64(number))
        if number != 3 { record["s"] = .string(number == 1 ? "X" : "y") }
        try database.save(record)
      }
      return database
    }
    let all = [Dialect.cloudKit, .extended].flatMap { dialect in
      PredicateOptions.MissingFields.allCases.flatMap { missing in
        PredicateOptions.StringEquality.allCases.map {
          PredicateOptions(dialect: dialect, missingFields: missing, stringEquality: $0)
        }
      }
    }
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "s != 'x'"), sort: [.ascending("n")])
    var checks = 0
    for options in all {
      let page = try database(options).records(matching: query, resultsLimit: 1)
      let cursor = try QueryCursor(data: try #require(page.cursor).data)
      for others in all {
        let there = try database(others)
        if others == options {
          let whole = try there.records(matching: query).records.dropFirst().map(\.recordID)
          #expect(try there.records(continuingMatchFrom: cursor).records.map(\.recordID) == Array(whole))
        } else {
          let error = #expect(throws: ZoneQueryError.self) { try there.records(continuingMatchFrom: cursor) }
          #expect(error?.code == .invalidCursor && error?.message.contains(" where it was made, and is ") == true)
        }
        checks += 1
      }
    }
    #expect(checks == 64)
  }

  @Test func wholeNumbersOfJSON() throws {
    func value(_ text: String) throws -> FieldValue? {
      try Record(
        webServicesJSON: #"{"recordName":"a","recordType":"T","fields":{"x":{"value":\#(text),"type":"INT64"}}}"#)["x"]
    }
    #expect(try value("9007199254740993") == .int64(9_007_199_254_740_993))
    #expect(try value("9007199254740991.0") == .int64(9_007_199_254_740_991) && value("3e2") == .int64(300))
    for text in ["9007199254740993.0", "9.007199254740994e15", "1.5", "9223372036854775808"] {
      #expect(throws: ZoneQueryError.self, "\(text)") { try value(text) }
    }
  }

  @Test func eventsWithoutMeaning() {
    #expect(QuerySubscription.Events(rawValue: 17) == .creation && QuerySubscription.Events(rawValue: .max) == .all)
  }

  @Test func warnings() throws {
    #expect(try QueryPredicate(format: "s = '%@'", "Suva").warnings.map(\.code) == ["surplusArguments"])
    #expect(try QueryPredicate(format: "s = %@", "Suva").warnings.isEmpty)
    #expect(try QueryPredicate(format: "s = %@", "x", 3) == QueryPredicate(format: "s = 'x'"))
  }

  /// No mark is asked for that a schema cannot have.
  @Test func requirementsThatASchemaTakes() throws {
    let type = RecordType(
      "T",
      fields: [
        FieldDefinition("q", .string), FieldDefinition("ls", .list(.string)), FieldDefinition("l", .location),
        FieldDefinition("ll", .list(.location)),
      ])
    func missing(_ sort: [SortKey]) throws -> [String] {
      IndexRequirements(
        of: Query(recordType: "T", predicate: try QueryPredicate(format: "q = 'x'"), sort: sort), in: type
      ).missing.map { $0.item ?? "" }
    }
    let place = Location(latitude: 0, longitude: 0)
    #expect(try missing([.ascending("ls")]) == ["q STRING QUERYABLE"])
    #expect(try missing([.ascending("l")]) == ["q STRING QUERYABLE"])
    #expect(try missing([.distance("ll", from: place)]) == ["q STRING QUERYABLE"])
    #expect(try missing([.distance("l", from: place)]) == ["q STRING QUERYABLE", "l LOCATION QUERYABLE"])
  }
}
