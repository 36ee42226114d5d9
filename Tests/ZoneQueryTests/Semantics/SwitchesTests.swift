import Testing

@testable import ZoneQuery

/// The switches of predicates where values are computed and where words are searched, and numbers at the ends of their types.
struct SwitchesTests {
  private static func options(
    _ missing: PredicateOptions.MissingFields = .excluded, _ equality: PredicateOptions.StringEquality = .exact
  ) -> PredicateOptions {
    PredicateOptions(dialect: .extended, missingFields: missing, stringEquality: equality)
  }

  private static let texts: [String: FieldValue] = [
    "name": "Oslo", "city": "OSLO", "tags": .stringList(["oslo", "x"]),
  ]

  /// What holds where letter case counts, and where it does not.
  @Test(arguments: [
    ("name = city", false, true), ("name != city", true, false), ("lowercase(name) = 'OSLO'", false, true),
    ("lowercase(name) != 'OSLO'", true, false), ("uppercase(name) IN {'oslo', 'y'}", false, true),
    ("lowercase(city) IN tags", true, true), ("uppercase(city) IN tags", false, true),
    ("tags[0] = city", false, true), ("name IN tags", false, true), ("name = 'oslo'", false, true),
    ("name IN {'oslo'}", false, true), ("tags CONTAINS 'OSLO'", false, true),
    // Order, beginnings and parts stay exact.
    ("name < city", false, false), ("name > city", true, true), ("lowercase(name) BEGINSWITH 'OS'", false, false),
    ("lowercase(name) ENDSWITH 'LO'", false, false), ("lowercase(name) CONTAINS 'SL'", false, false),
    ("lowercase(name) BETWEEN {'OSLA', 'OSLZ'}", false, false), ("name BEGINSWITH city", false, false),
    ("name BEGINSWITH[c] city", true, true), ("lowercase(name) ==[c] 'OSLO'", true, true),
  ])
  func equalityOfComputedTexts(format: String, exact: Bool, insensitive: Bool) throws {
    let predicate = try QueryPredicate(format: format)
    #expect(try Subject.truth(predicate, Self.texts, Self.options()) == exact)
    #expect(try Subject.truth(predicate, Self.texts, Self.options(.excluded, .caseInsensitive)) == insensitive)
  }

  /// Words of a record that has none: searched in vain, unless it is asked for those without them.
  @Test(arguments: [
    "ALL tokenize('hello', 'Cdl') IN allTokens", "ANY tokenize('hello', 'Cdl') IN allTokens",
    "allTokens TOKENMATCHES[cdl] 'hello'", "self CONTAINS 'hello'",
  ])
  func wordsOfRecordsWithout(format: String) throws {
    for missing in [PredicateOptions.MissingFields.excluded, .likeNSPredicate] {
      let (predicate, opposite) = (
        try QueryPredicate(format: format), try QueryPredicate(format: "NOT (\(format))")
      )
      #expect(try !Subject.truth(predicate, ["age": 1], Self.options(missing)))
      #expect(try Subject.truth(opposite, ["age": 1], Self.options(missing)) == (missing == .likeNSPredicate))
      #expect(try Subject.truth(predicate, ["title": "Hello"], Self.options(missing)))
      #expect(try !Subject.truth(opposite, ["title": "Hello"], Self.options(missing)))
      #expect(try Subject.truth(opposite, ["title": "other"], Self.options(missing)))
    }
  }

  @Test(arguments: [
    ("age > 9223372036854775807", FieldValue.int64(.max), false),
    ("age >= 9223372036854775807", .int64(.max), true), ("age < 9.223372036854775808e18", .int64(.max), true),
    ("age > 9.223372036854775808e18", .int64(.max), false), ("age < -9223372036854775808", .int64(.min), false),
    ("age <= -9.223372036854775808e18", .int64(.min), true), ("age > -9.3e18", .int64(.min), true),
    ("age = 9.223372036854775808e18", .int64(.max), false), ("age != 9.223372036854775808e18", .int64(.max), true),
    ("price > CAST('infinity', 'NSNumber')", .double(.infinity), false),
    ("price >= CAST('infinity', 'NSNumber')", .double(.infinity), true),
    ("price < CAST('-infinity', 'NSNumber')", .double(-.infinity), false),
    ("price <= CAST('-infinity', 'NSNumber')", .double(-.infinity), true),
    ("price < CAST('infinity', 'NSNumber')", .double(.greatestFiniteMagnitude), true),
    ("price > 9007199254740993", .double(9_007_199_254_740_992), false),
    ("price >= 9007199254740993", .double(9_007_199_254_740_992), false),
    ("price < 9007199254740993", .double(9_007_199_254_740_992), true),
    ("price > 9007199254740993", .double(9_007_199_254_740_994), true),
    ("price < -9007199254740993", .double(-9_007_199_254_740_992), false),
    ("price < -9007199254740993", .double(-9_007_199_254_740_994), true),
    ("price = 9007199254740993", .double(9_007_199_254_740_992), false),
    ("price BETWEEN {9007199254740993, 9007199254740995}", .double(9_007_199_254_740_994), true),
    ("price BETWEEN {9007199254740995, 9007199254740995}", .double(9_007_199_254_740_996), false),
  ])
  func numbersAtTheEnds(format: String, value: FieldValue, expected: Bool) throws {
    let key = format.hasPrefix("age") ? "age" : "price"
    let truth = try Subject.truth(QueryPredicate(format: format), [key: value], Self.options())
    #expect(truth == expected)
  }

  /// Of a pattern with ? a part between two * is bounded, others are not.
  @Test func longPatterns() throws {
    let most = LikePattern.longestOpenPiece
    func pattern(_ count: Int) -> String { "*" + String(repeating: "a", count: count - 1) + "?*" }
    let text = "x" + String(repeating: "a", count: most)
    let long = String(repeating: "a", count: 3 * most)
    for format in [
      "name LIKE %@", "lowercase(name) LIKE %@", "NOT (name LIKE[cd] %@)", "NOT (lowercase(name) LIKE %@)",
    ] {
      func predicate(_ pattern: String) throws -> QueryPredicate { try QueryPredicate(format: format, pattern) }
      let isNegated = format.hasPrefix("NOT")
      #expect(try Subject.truth(predicate(pattern(most)), ["name": .string(text)], Self.options()) != isNegated)
      for type in [Subject.type, nil] {
        #expect(
          failureCode { try Matcher(predicate(pattern(most + 1)), for: type, options: Self.options()) }
            == .invalidPredicate, "\(format)")
      }
      #expect(
        try Subject.truth(predicate("*\(long)*"), ["name": .string("b" + long)], Self.options()) != isNegated)
    }
  }

  /// What is marked SEARCHABLE and holds no words, or none that may be read, is not searched.
  @Test func fieldsWithoutWords() throws {
    let type = RecordType(
      "T",
      fields: [
        FieldDefinition("n", .int64, [.searchable]), FieldDefinition("s", .string, [.searchable], isEncrypted: true),
      ])
    let predicate = try QueryPredicate(format: "self CONTAINS 'hello'")
    #expect(failureCode { try Matcher(predicate, for: type) } == .invalidPredicate)
    var searchable = type
    searchable.define(FieldDefinition("t", .string, [.searchable]))
    let database = try Database(schema: Schema([searchable]))
    for (name, field) in [("a", "s"), ("b", "t")] {
      var record = note(name, n: 1)
      record[field] = "hello"
      try database.save(record)
    }
    let found = try database.records(matching: Query(recordType: "T", predicate: predicate)).records
    #expect(found.map(\.recordID.recordName) == ["b"])
  }
}
