import Testing

@testable import ZoneQuery

/// Hints that are followed: what they tell to write is taken, and means the same as what was refused.
struct HintTests {
  /// What is told of a name that is no field, opposite to one that is, and of parts of values.
  @Test(
    arguments: [
      ("city = Oslo", #"If a text is meant, write "Oslo". Its fields are "#),
      ("Oslo = city", #"If a text is meant, write "Oslo". Its fields are "#),
      ("tags CONTAINS sea", #"If a text is meant, write "sea". Its fields are "#),
      ("city IN {Oslo, 'a'}", #"If a text is meant, write "Oslo". Its fields are "#),
      ("city = citi", #"Did you mean 'city'? If a text is meant, write "citi"."#),
      ("age > ten", "If a value is meant, write a number, or pass one as an argument for %@. Its fields are "),
      ("recordName = 'x'", "It is part of `recordID`, which is compared with a record ID: "),
      ("city.length > 5", "Of the whole value you can ask `lowercase:(city)` and `length:(city)`."),
      ("Location.latitude > 5", "How far away it is says `distanceToLocation:fromLocation:(Location, %@)`."),
      ("tags.count > 5", "Of the whole value you can ask `tags.@count`."),
      ("age.half > 5", "Keep what is compared in a field of its own."),
    ])
  func namesOfNoField(format: String, hint: String) throws {
    let predicate = try QueryPredicate(format: format)
    for dialect in [Dialect.cloudKit, .extended] {
      let error = #expect(throws: ZoneQueryError.self) {
        try predicate.check(for: Subject.type, PredicateOptions(dialect: dialect))
      }
      let told = error?.diagnostics.first?.hint ?? ""
      let isOfExtended = hint.hasPrefix("Of the whole") && dialect == .cloudKit
      let expected = isOfExtended ? "Keep what is compared in a field of its own. The extended dialect takes `" : hint
      #expect(told.hasPrefix(expected), "\(told)")
      if dialect == .extended, format.hasPrefix("recordName") {
        let written = try #require(told.split(separator: "`").last { $0.contains("CAST") })
        try QueryPredicate(format: String(written)).check(for: Subject.type, PredicateOptions(dialect: dialect))
      }
    }
  }

  private static let place = "distanceToLocation:fromLocation:(Location, CAST('10,20', 'CLLocation'))"

  /// What is refused, what its hint tells to write, and, where both dialects refuse it, what it would mean.
  private static let rewritings: [(refused: String, written: String, meant: String?)] = [
    ("NOT (city = 'a' OR age = 1)", #"NOT city == "a" AND NOT age == 1"#, nil),
    ("NOT (city != 'a' OR age = 1)", #"city == "a" AND NOT age == 1"#, nil),
    ("NOT (tags CONTAINS 'a' OR (age < 1 OR city BEGINSWITH 'b'))", "", nil),
    ("city = 'a' OR city IN {'b', 'ab'}", #"city IN {"a", "b", "ab"}"#, nil),
    ("city = 'a' OR 'b' = city OR {'c', 'ab'} CONTAINS city", #"city IN {"a", "b", "c", "ab"}"#, nil),
    ("tags CONTAINS 'a' OR 'b' IN tags OR ANY {'ab'} IN tags", #"ANY tags IN {"a", "b", "ab"}"#, nil),
    ("NOT (city != 'a' AND city != 'b')", #"city IN {"a", "b"}"#, nil),
    ("NOT NOT city = 'a'", #"city == "a""#, nil),
    ("NOT NONE tags = 'a'", #"ANY tags == "a""#, nil),
    ("NOT TRUEPREDICATE", "FALSEPREDICATE", nil),
    ("tags = 'a'", #"tags CONTAINS "a""#, "tags CONTAINS 'a'"),
    ("tags != 'a'", #"NOT tags CONTAINS "a""#, "NOT tags CONTAINS 'a'"),
    ("NOT tags != 'a'", #"tags CONTAINS "a""#, "tags CONTAINS 'a'"),
    ("tags BEGINSWITH 'a'", #"ANY tags BEGINSWITH "a""#, "ANY tags BEGINSWITH 'a'"),
    ("tags IN {'a', 'b'}", #"ANY tags IN {"a", "b"}"#, "ANY tags IN {'a', 'b'}"),
    ("'a' CONTAINS tags", #"tags CONTAINS "a""#, "tags CONTAINS 'a'"),
    ("NOT tags IN 'a'", #"NOT tags CONTAINS "a""#, "NOT tags CONTAINS 'a'"),
    ("city = {'a', 'b'}", #"city IN {"a", "b"}"#, "city IN {'a', 'b'}"),
    ("city != {'a', 'b'}", #"NOT city IN {"a", "b"}"#, "NOT city IN {'a', 'b'}"),
    ("NOT city != {'a', 'b'}", #"city IN {"a", "b"}"#, "city IN {'a', 'b'}"),
    ("age IN 1", "age IN {1}", "age = 1"),
    ("NONE city = 'a'", #"NOT city == "a""#, "NOT city = 'a'"),
    ("NONE city IN {'a', 'b'}", #"NOT city IN {"a", "b"}"#, "NOT city IN {'a', 'b'}"),
    ("NONE city BEGINSWITH 'a'", #"NOT city BEGINSWITH "a""#, "NOT city BEGINSWITH 'a'"),
    ("ANY city = 'a'", #"city == "a""#, "city = 'a'"),
    ("ANY {'a', 'b'} IN city", #"city IN {"a", "b"}"#, "city IN {'a', 'b'}"),
    ("NONE {'a', 'b'} IN city", #"NOT city IN {"a", "b"}"#, "NOT city IN {'a', 'b'}"),
    ("ANY {'a', 'b'} = tags", #"ANY tags IN {"a", "b"}"#, "ANY tags IN {'a', 'b'}"),
    ("NONE 'a' IN tags", #"NOT "a" IN tags"#, "NOT 'a' IN tags"),
    ("ANY counts CONTAINS 1", "counts CONTAINS 1", "counts CONTAINS 1"),
    ("ANY tags = {'a', 'b'}", #"ANY tags IN {"a", "b"}"#, "ANY tags IN {'a', 'b'}"),
    (
      "ANY allTokens TOKENMATCHES[cdl] 'a b'", #"ANY tokenize:using:("a b", "Cdl") IN allTokens"#, "self CONTAINS 'a b'"
    ),
    (
      "ALL allTokens TOKENMATCHES[cdl] 'a b'", #"allTokens TOKENMATCHES[cdl] "a b""#,
      "ALL tokenize('a b', 'cdl') IN allTokens"
    ),
    ("ANY self CONTAINS 'a b'", #"SELF CONTAINS "a b""#, "self CONTAINS 'a b'"),
    (
      "ALL self CONTAINS 'a b'", #"ALL tokenize:using:("a b", "Cdl") IN allTokens"#,
      "ALL tokenize('a b', 'cdl') IN allTokens"
    ),
    ("ALL tags != 'a'", #"NOT ANY tags == "a""#, nil),
    ("NOT ALL tags != 'a'", #"ANY tags == "a""#, nil),
    ("ALL {'a', 'b'} != city", #"NOT city IN {"a", "b"}"#, nil),
    ("NOT ALL {'a', 'b'} != city", #"city IN {"a", "b"}"#, nil),
    ("ALL {1, 2} < age", "age > 1 AND age > 2", nil),
    ("NONE {1, 2} < age", "NOT age > 1 AND NOT age > 2", nil),
    ("ANY {1} != age", "age != 1", nil),
    ("NOT \(place) > 500000", "", nil),
    ("NOT \(place) >= 500000", "", nil),
    ("NOT 500000 < \(place)", "", nil),
    ("NOT (city = 'a' OR \(place) > 500000)", "", nil),
    ("NOT age IN {1, nil}", "NOT age IN {1}", nil),
    ("city LIKE 'a*'", #"city BEGINSWITH "a""#, nil),
    ("NOT city LIKE 'ab'", #"NOT city == "ab""#, nil),
    ("ANY tags LIKE 'a*'", #"ANY tags BEGINSWITH "a""#, nil),
  ]

  @Test func hintsAreTakenAndMeanTheSame() throws {
    let records = Self.records(TestAmount.of(240))
    for (refused, written, meant) in Self.rewritings {
      let followed = try #require(try Self.followed(refused, .excluded), "\(refused)")
      if !written.isEmpty { #expect(followed == written, "\(refused)") }
      try Self.expectSame(refused, meant ?? refused, followed, .excluded, records)
    }
  }

  /// Where nothing that is taken means the same, no hint tells to write it.
  @Test func nothingIsOfferedThatMeansAnother() throws {
    for format in [
      "city = 'a' OR age = 1", "city = 'a' OR tags CONTAINS 'a'", "city = 'a' OR NOT city = 'b'",
      "NOT (city = 'a' AND age = 1)", "NOT (age = 1 OR age BETWEEN {1, 2})", "NOT age BETWEEN {1, 2}",
      "city CONTAINS {'a', 'b'}", "tags = {'a', 'b'}", "tags != {'a', 'b'}", "ALL {'a', 'b'} IN city",
      "\(Self.place) > 5", "NOT \(Self.place) < 5", "\(Self.place) = 5", "ALL tags = 'a'", "NOT ALL tags = 'a'",
      "ANY tags != 'a'", "ANY tags CONTAINS 'a'", "ANY {1, 2} < age", "tags < 'a'",
      "NONE allTokens TOKENMATCHES[cdl] 'a b'",
      "NONE self CONTAINS 'a'", "age IN {1, nil}", "city LIKE '*a'", "city LIKE 'a?*'", "city ==[c] 'a'", "city != nil",
      "Location = CAST('1,2', 'CLLocation')", "Location != CAST('1,2', 'CLLocation')", "city = age", "city IN 'abc'",
    ] {
      #expect(try Self.followed(format, .excluded) == nil, "\(format)")
    }
    // Where a missing value is nil, a missing list has no member and no list that has none of something.
    for format in ["ALL tags != 'a'", "NOT ALL tags != 'a'", "NOT \(Self.place) > 5", "NOT age IN {1, nil}"] {
      #expect(try Self.followed(format, .likeNSPredicate) == nil, "\(format)")
    }
  }

  /// Every comparison of a few fields, operators and values, before and behind NOT, and pairs of them.
  @Test func hintsOfAllComparisonsAreTakenAndMeanTheSame() throws {
    let records = Self.records(40)
    var random = SplitMix(seed: 20)
    var formats: [String] = []
    for quantifier in ["", "ANY ", "ALL ", "NONE "] {
      for (field, constants) in [
        ("city", ["'a'", "{'a', 'ab'}", "{}", "{'b'}", "'a*'", "nil"]), ("age", ["1", "{1, 2}", "{2, nil}", "1.5"]),
        ("tags", ["'a'", "{'a', 'b'}", "{}", "nil"]), ("counts", ["1", "{1, 2}"]), (Self.place, ["500000", "{1, 2}"]),
        ("self", ["'a b'"]), ("allTokens", ["'a b'"]),
      ] {
        for relation in [
          "=", "!=", "<", "<=", ">", ">=", "IN", "CONTAINS", "BEGINSWITH", "LIKE", "BETWEEN", "TOKENMATCHES[cdl]",
        ] {
          for constant in constants {
            for (left, right) in [(field, constant), (constant, field)] {
              formats.append("\(quantifier)\(left) \(relation) \(right)")
            }
          }
        }
      }
    }
    for format in formats { formats.append("NOT \(format)") }
    let meaningful = try formats.filter { format in
      let predicate = try QueryPredicate(format: format)
      return (try? predicate.check(for: Subject.type, PredicateOptions(dialect: .extended))) != nil
    }
    for _ in 0..<TestAmount.of(16000) {
      let parts = (0..<2 + random.below(2)).map { _ in meaningful[random.below(meaningful.count)] }
      let joined = "(" + parts.joined(separator: random.below(4) == 0 ? " AND " : " OR ") + ")"
      formats.append(random.below(4) == 0 ? joined : "NOT " + joined)
    }
    var followed = 0
    var compared = 0
    for missing in PredicateOptions.MissingFields.allCases {
      for format in formats {
        guard let text = try Self.followed(format, missing) else { continue }
        followed += 1
        if try Self.expectSame(format, format, text, missing, records) { compared += 1 }
      }
    }
    print("hints: \(followed) followed, \(compared) of them held against what was refused")
    #expect(followed >= 1500 && compared >= TestAmount.of(2_400))
  }

  // MARK: Following

  /// What the hints of CloudKit's dialect tell to write in place of the whole predicate; nil where the predicate is
  /// taken or no hint tells it.
  private static func followed(_ format: String, _ missing: PredicateOptions.MissingFields) throws -> String? {
    do {
      try QueryPredicate(format: format).check(
        for: Subject.type, PredicateOptions(dialect: .cloudKit, missingFields: missing))
      return nil
    } catch {
      guard let fault = error.diagnostics.first, let hint = fault.hint, hint.hasPrefix("Write `") else { return nil }
      // Other hints are told of one part of a compound.
      let isCompound = format.contains(" OR ") || format.contains(" AND ")
      guard !isCompound || ["orNotSupported", "negatedConjunction"].contains(fault.code) else { return nil }
      let text = hint.dropFirst("Write `".count).prefix { $0 != "`" }
      // A form with names for what stands in it is no predicate.
      return ["…", "value", "prefix", "lower"].contains { text.contains($0) } ? nil : String(text)
    }
  }

  /// Expects that CloudKit's dialect takes what a hint tells to write, and that it holds for the records that the
  /// extended dialect finds with what is meant. Whether that dialect takes what is meant.
  @discardableResult
  private static func expectSame(
    _ refused: String, _ meant: String, _ written: String, _ missing: PredicateOptions.MissingFields,
    _ records: [Record]
  ) throws -> Bool {
    let options = PredicateOptions(dialect: .cloudKit, missingFields: missing)
    let extended = PredicateOptions(dialect: .extended, missingFields: missing)
    let matcher: Matcher
    do {
      matcher = try Matcher(QueryPredicate(format: written), for: Subject.type, options: options)
    } catch {
      Issue.record("\(refused): \(written) is refused: \(error)")
      return false
    }
    guard let original = try? Matcher(QueryPredicate(format: meant), for: Subject.type, options: extended) else {
      return false
    }
    for record in records {
      let expected = try original.matches(record)
      #expect(try matcher.matches(record) == expected, "\(refused): \(written) of \(record)")
    }
    return true
  }

  /// Records of few values, of which many lack fields.
  private static func records(_ count: Int) -> [Record] {
    var random = SplitMix(seed: 7)
    func pick(_ count: Int) -> Int { random.below(count) }
    let texts = ["a", "b", "ab", "abc", "c", ""]
    return (0..<count).map { _ in
      var fields: [String: FieldValue] = [:]
      if pick(4) > 0 { fields["city"] = .string(texts[pick(6)]) }
      if pick(4) > 0 { fields["age"] = .int64(Int64(pick(4))) }
      if pick(4) > 0 { fields["tags"] = .stringList((0..<pick(4)).map { _ in texts[pick(6)] }) }
      if pick(4) > 0 { fields["counts"] = .int64List((0..<pick(4)).map { _ in Int64(pick(4)) }) }
      if pick(4) > 0 {
        fields["Location"] = .location(Location(latitude: 10 + Double(pick(8)), longitude: 20))
      }
      if pick(4) > 0 { fields["title"] = .string(["a", "b", "a b", "c"][pick(4)]) }
      return Subject.record(fields)
    }
  }
}
