import Testing
import ZoneQuery

/// What the extended dialect takes beyond CloudKit's.
struct ExtendedFormsTests {
  let extended = PredicateOptions(dialect: .extended)

  private func expect(
    _ format: String, _ fields: [String: FieldValue], is holds: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    Subject.expect(format, fields, is: holds, extended, sourceLocation: sourceLocation)
  }

  @Test func logic() {
    let fields: [String: FieldValue] = ["name": "a", "age": 3]
    for (format, holds) in [
      ("name = 'b' OR age = 3", true), ("name = 'b' OR age = 4", false), ("NOT (name = 'a' AND age = 3)", false),
      ("NOT (name = 'b' OR age = 4)", true), ("NOT NOT name = 'a'", true), ("NOT TRUEPREDICATE", false),
      ("NOT age BETWEEN {1, 2}", true), ("name = 'x' AND age = 3 OR name = 'a'", true),
      ("NOT (name = 'a' OR depth = 1)", false), ("NOT (name = 'b' OR depth = 1)", false),
    ] {
      expect(format, fields, is: holds)
    }
  }

  @Test func nils() {
    for (format, holds) in [
      ("name = nil", true), ("name == NULL", true), ("name != nil", false), ("NOT (name = nil)", false),
      ("nil != name", false), ("age != nil", true), ("age = nil", false), ("age IN {1, nil}", false),
      ("name IN {'a', nil}", true), ("NOT (name IN {'a', nil})", false), ("NOT (age IN {1, nil})", true),
      ("tags = nil", true), ("ANY {nil, 3} = age", true), ("ANY {nil, 4} = age", false),
      ("ANY {nil, 'b'} = name", true), ("ALL {nil, 4} != age", true), ("ALL {nil, 3} != age", false),
    ] {
      expect(format, ["age": 3], is: holds)
    }
    Subject.expectRefused("ANY {nil, 'a'} IN tags", "nilOperand", at: "{nil, 'a'}", [.extended])
    Subject.expectRefused(
      "ANY {nil, 4} < age", "nilOperand", at: "{nil, 4}", message: "nil is compared with = and != only", [.extended])
  }

  /// What stands behind a backslash is ordinary whatever is ignored, and a character of the folded text stands for `?`.
  @Test func patternsThatFold() {
    let marked = "e\u{301}tude?"
    for (format, text, holds) in [
      ("name LIKE '\\\\e\\\\\u{301}*'", marked, true), ("name LIKE[d] '\\\\e\\\\\u{301}*'", marked, true),
      ("name LIKE[cd] '\\\\E\\\\\u{301}*'", marked, true), ("name LIKE[d] '\\\\e\\\\\u{301}*'", "e*", true),
      ("name LIKE[d] '\\\\e\\\\\u{301}*'", "a*", false), ("name LIKE[d] '*\\\\?'", marked, true),
      ("name LIKE[d] '*\\\\*'", marked, false), ("name LIKE[cd] 'a\\\\*\u{301}'", "A*", true),
      ("name LIKE[cd] 'a\\\\*\u{301}'", "Ab", false), ("name LIKE[c] 'A\\\\\\\\b'", "a\\b", true),
      ("name LIKE[c] 'a\\\\'", "A\\", true), ("name LIKE 'Stra?e'", "Straße", true),
      ("name LIKE[c] 'Stra??e'", "Straße", true), ("name LIKE[c] 'STRA\\\\ße'", "strasse", true),
    ] {
      expect(format, ["name": .string(text)], is: holds)
    }
  }

  /// `ANY list = field` is `list CONTAINS field`.
  @Test func membersThatAreFields() {
    let fields: [String: FieldValue] = [
      "name": "b", "age": 3, "tags": .stringList(["a", "b"]), "counts": .int64List([1, 4]),
    ]
    for (format, holds) in [
      ("ANY tags = name", true), ("tags CONTAINS name", true), ("NONE tags = name", false), ("ANY counts = age", false),
      ("ANY counts = age + 1", true), ("NOT (ANY counts = age)", true), ("ANY tags ==[c] uppercase(name)", true),
      ("ANY tags = uppercase(name)", false),
    ] {
      expect(format, fields, is: holds)
    }
    expect("ANY tags = name", ["name": "a"], is: false)
    Subject.expectRefused("ANY name = tags", "quantifierOperand", at: "ANY name = tags", [.extended])
    Subject.expectRefused("ANY counts < age", "quantifierOperand", at: "ANY counts < age", [.extended])
  }

  @Test func partsOfTexts() {
    let fields: [String: FieldValue] = ["name": "Grüße aus Zürich", "tags": .stringList(["Sea", "night"])]
    for (format, holds) in [
      ("name ENDSWITH 'ich'", true), ("name ENDSWITH ''", false), ("name CONTAINS 'aus'", true),
      ("name CONTAINS 'AUS'", false), ("name CONTAINS ''", false), ("'Zür' IN name", true),
      ("name CONTAINS[c] 'GRÜSSE'", true),
      ("name CONTAINS[cd] 'grusse aus zurich'", true), ("name CONTAINS[d] 'Grusse'", false),
      ("name CONTAINS[d] 'Zurich'", true), ("name BEGINSWITH[c] 'grü'", true), ("name ENDSWITH[cd] 'ZURICH'", true),
      ("name ==[cd] 'GRUSSE AUS ZURICH'", true), ("name !=[c] 'grüsse aus zürich'", false),
      ("name LIKE '*aus*'", true), ("name LIKE 'Gr??e*'", true), ("name LIKE 'aus'", false),
      ("name LIKE[c] 'gr*ZÜRICH'", true),
      ("name LIKE 'Grüße aus Zürich'", true), ("name LIKE '*'", true), ("name LIKE ''", false),
      ("NOT name LIKE 'x*'", true),
      ("ANY tags CONTAINS 'igh'", true), ("ANY tags ENDSWITH 'x'", false), ("ANY tags ==[c] 'SEA'", true),
      ("tags CONTAINS[c] 'sea'", true), ("ANY tags LIKE 'n*t'", true), ("name IN[c] {'x', 'GRÜSSE AUS ZÜRICH'}", true),
      ("name <[c] 'H'", true), ("name BETWEEN {'A', 'a'}", true), ("name IN 'Die Grüße aus Zürich!'", true),
    ] {
      expect(format, fields, is: holds)
    }
    expect(#"name LIKE 'a\\*b'"#, ["name": "a*b"], is: true)
    expect(#"name LIKE 'a\\*b'"#, ["name": "axb"], is: false)
    expect(#"name LIKE 'a\\?b'"#, ["name": "a?b"], is: true)
    expect("name LIKE 'a?c'", ["name": "a\u{1F600}c"], is: true)
  }

  @Test func quantifiers() {
    let fields: [String: FieldValue] = ["counts": .int64List([1, 5, 9]), "tags": .stringList([])]
    for (format, holds) in [
      ("ANY counts < 2", true), ("ANY counts > 9", false), ("ALL counts > 0", true), ("ALL counts > 1", false),
      ("ANY counts != 1", true), ("ALL counts != 2", true), ("ALL counts != 5", false), ("NONE counts > 9", true),
      ("ANY counts BETWEEN {2, 4}", false), ("ALL counts IN {1, 5, 9, 10}", true), ("ALL counts IN {1}", false),
      ("ALL tags = 'x'", true), ("ANY tags != 'x'", false), ("NOT ALL counts > 1", true),
      ("ANY {4, 6} < counts", false),
    ] where !format.hasSuffix("< counts") {
      expect(format, fields, is: holds)
    }
    expect("ALL {1, 2} < age", ["age": 3], is: true)
    expect("ALL {1, 4} < age", ["age": 3], is: false)
    expect("ANY {1, 4} > age", ["age": 3], is: true)
    expect("ALL {} = age", ["age": 3], is: true)
    expect("ALL counts > 0", [:], is: false)
    expect("NOT ALL counts > 0", [:], is: false)
  }

  @Test func distancesOutside() {
    let here = Location(latitude: 10, longitude: 10)
    let fields: [String: FieldValue] = ["Location": .location(here)]
    for (format, holds) in [
      ("distanceToLocation:fromLocation:(Location, %@) > 5", false),
      ("distanceToLocation:fromLocation:(Location, %@) >= 0", true),
      ("NOT distanceToLocation:fromLocation:(Location, %@) < 5", false),
      ("5 < distanceToLocation:fromLocation:(Location, %@)", false), ("Location = %@", true), ("Location != %@", false),
      ("distanceToLocation:fromLocation:(Location, %@) + 10 > 5", true),
      ("distanceToLocation:fromLocation:(Location, %@) BETWEEN {0, 1}", true),
    ] {
      Subject.expect(format, [here], fields, is: holds, extended)
      Subject.expect(format, [here], [:], is: false, extended)
    }
  }

  @Test func fieldAgainstField() {
    let fields: [String: FieldValue] = [
      "age": 3, "depth": 5, "price": 3.0, "name": "abc", "city": "ab", "counts": .int64List([3]),
      "tags": .stringList(["abc"]),
    ]
    for (format, holds) in [
      ("age < depth", true), ("age = price", true), ("age != depth", true), ("name > city", true),
      ("name CONTAINS city", true),
      ("name BEGINSWITH city", true), ("city IN name", true), ("age IN counts", true), ("counts CONTAINS depth", false),
      ("name IN tags", true), ("tags CONTAINS name", true), ("NOT (age < depth)", false), ("age < end", false),
      ("'abcd' BEGINSWITH name", true), ("'abd' BEGINSWITH name", false), ("'xabc' ENDSWITH name", true),
    ] where format != "age < end" {
      expect(format, fields, is: holds)
    }
    expect("start < end", ["start": .timestamp(Timestamp(milliseconds: 1))], is: false)
    expect("NOT (start < end)", ["start": .timestamp(Timestamp(milliseconds: 1))], is: false)
    let likeNil = PredicateOptions(dialect: .extended, missingFields: .likeNSPredicate)
    Subject.expect("start = end", [:], is: true, likeNil)
    Subject.expect("start != end", [:], is: false, likeNil)
    Subject.expect("start != end", ["start": .timestamp(Timestamp(milliseconds: 1))], is: true, likeNil)
  }

  @Test func computedValues() {
    let fields: [String: FieldValue] = [
      "age": 7, "depth": 2, "price": 2.5, "name": "Straße", "counts": .int64List([4, 1, 1]),
      "ratios": .doubleList([0.5, 1.5]), "tags": .stringList(["a", "b"]),
      "start": .timestamp(Timestamp(milliseconds: 5)),
    ]
    for (format, holds) in [
      ("age + depth = 9", true), ("age - depth * 2 = 3", true), ("(age - depth) * 2 = 10", true),
      ("age / depth = 3.5", true),
      ("age / 7 = 1", true), ("age ** 2 = 49", true), ("depth ** -1 = 0.5", true), ("age & 3 = 3", true),
      ("age | 8 = 15", true),
      ("age ^ 1 = 6", true), ("~age = -8", true), ("age << 2 = 28", true), ("age >> 1 = 3", true), ("-age = -7", true),
      ("age / 0 = 1", false), ("NOT (age / 0 = 1)", false), ("abs(depth - age) = 5", true),
      ("sqrt(depth + 2) = 2", true),
      ("floor(price) = 2", true), ("ceiling(price) = 3", true), ("trunc(price) = 2", true), ("ln(exp(1)) = 1", true),
      ("log(100) = depth", true), ("modulus:by:(age, 4) = 3", true), ("raise:toPower:(depth, 3) = 8", true),
      ("add:to:(age, 1) = 8", true), ("from:subtract:(age, 1) = 6", true), ("multiply:by:(age, 2) = 14", true),
      ("divide:by:(age, 2) = 3.5", true), ("bitwiseAnd:with:(age, 3) = 3", true),
      ("bitwiseOr:with:(age, 8) = 15", true),
      ("bitwiseXor:with:(age, 1) = 6", true), ("leftshift:by:(age, 1) = 14", true),
      ("rightshift:by:(age, 1) = 3", true),
      ("onesComplement:(age) = -8", true), ("length(name) = 6", true), ("uppercase(name) = 'STRASSE'", true),
      ("lowercase(name) BEGINSWITH 'straß'", true), ("count(tags) = 2", true), ("tags.@count = 2", true),
      ("tags[SIZE] = 2", true),
      ("tags[0] = 'a'", true), ("tags[FIRST] = 'a'", true), ("tags[LAST] = 'b'", true), ("tags[5] = 'a'", false),
      ("tags[-1] = 'b'", false), ("sum(counts) = 6", true), ("min(counts) = 1", true), ("max(counts) = 4", true),
      ("average(counts) = 2", true), ("median(counts) = 1", true), ("mode(counts) = 1", true),
      ("sum(ratios) = 2", true),
      ("stddev(ratios) = 0.5", true), ("TERNARY(age > 5, 'old', 'young') = 'old'", true), ("1 = 1", true),
      ("1 > 2", false),
      ("age IN {depth + 5, 1}", true), ("age IN {depth, 1}", false), ("NOT (age IN {depth, 1})", true),
      ("age BETWEEN {depth, age}", true), ("NOT age BETWEEN {depth, age}", false), ("age BETWEEN {age + 1, 99}", false),
      ("min(tags) = 'a'", true), ("max(tags) = 'b'", true), ("min(counts) + max(counts) = 5", true),
      ("age BETWEEN {depth, depth + 9}", true),
      ("uppercase(name) IN {'STRASSE', 'x'}", true),
      ("age + depth > price", true), ("max({1, 2, 3}) = 3", true), ("age = 3 + 4", true), ("start < now()", true),
      ("counts[0] + 1 = 5", true), ("uppercase(name) != 'x'", true), ("age / 0 = nil", true), ("nil = age / 0", true),
      ("nil != abs(age)", true), ("nil = abs(age)", false), ("age + 1 != nil", true),
    ] {
      expect(format, fields, is: holds)
    }
    expect("age + 1 = 2", [:], is: false)
    expect("NOT (age + 1 = 2)", [:], is: false)
    expect("age * age > 0", ["age": .int64(Int64.max)], is: true)
    expect("-age = 9223372036854775808.0", ["age": .int64(Int64.min)], is: true)
  }

  @Test func negatedTokenSearch() {
    let fields: [String: FieldValue] = ["title": "maps"]
    expect("NOT (self CONTAINS 'sea')", fields, is: true)
    expect("NOT (self CONTAINS 'maps')", fields, is: false)
    expect("NOT (self CONTAINS 'maps')", [:], is: false)
    expect("NOT (self CONTAINS 'the')", fields, is: true)
    expect("NONE tokenize('sea', 'cdl') IN allTokens", fields, is: true)
  }

  @Test func notANumberInATreeIsRefused() throws {
    for relation in [ComparisonOperator.equal, .less, .greaterOrEqual] {
      let node = ComparisonNode(nil, .key(KeyNode("age")), relation, .literal(LiteralNode(.double(.nan))))
      #expect(throws: ZoneQueryError.self) { try Matcher(QueryPredicate(.comparison(node)), for: Subject.type) }
    }
  }

  @Test func recordNames() {
    expect("recordID = 'thing'", [:], is: true)
    expect("recordID IN {'x', 'thing'}", [:], is: true)
    expect("recordID != 'thing'", [:], is: false)
  }

  /// A computed text is found among many as it is among few, whatever is ignored.
  @Test(arguments: ["", "[c]", "[d]", "[cd]"]) func computedTextsAmongMany(options: String) throws {
    var checks = 0
    for name in ["ÉTÉ", "été", "ete", "Zoo", "", "m7", "M7", "straße", "none"] {
      var record = Record(recordType: "T", recordName: "r")
      record["name"] = .string(name)
      for constants in [["été", "zoo"], ["ETE", "m7", "STRASSE"], ["", "Zoo"], []] {
        let fillers = (0..<40).map { "filler \($0)" }
        func answer(_ texts: [String]) throws -> Bool {
          let predicate = try QueryPredicate(format: "lowercase:(name) IN\(options) %@", texts)
          return try Matcher(predicate, options: PredicateOptions(dialect: .extended)).matches(record)
        }
        let alone = try constants.contains { try answer([$0]) }
        #expect(try answer(constants + fillers) == alone && answer(fillers + constants) == alone, "\(name)")
        checks += 1
      }
    }
    #expect(checks == 36)
  }

  /// Trees that no text has are held to the same rules.
  @Test func optionsOfBetween() throws {
    let bounds = ListNode(["a", "b"].map { .literal(LiteralNode(.string($0))) })
    let node = ComparisonNode(nil, .key(KeyNode("name")), .between, options: .caseInsensitive, .list(bounds))
    let error = #expect(throws: ZoneQueryError.self) {
      _ = try Matcher(
        QueryPredicate(.comparison(node)), for: Subject.type, options: PredicateOptions(dialect: .extended))
    }
    #expect(error?.diagnostics.map(\.code) == ["optionsNotAllowed"])
  }

  @Test func typesMustAgree() {
    for (format, code, place) in [
      ("age + name = 1", "typeMismatch", "name"), ("uppercase(age) = 'A'", "typeMismatch", "age"),
      ("name < age", "typeMismatch", "<"), ("sum(tags) = 1", "typeMismatch", "tags"),
      ("age[0] = 1", "typeMismatch", "age"),
      ("TERNARY(age = 1, 'a', 2) = 2", "typeMismatch", "TERNARY(age = 1, 'a', 2)"), ("age < nil", "nilOperand", "<"),
      ("owner < owner", "typeMismatch", "<"), ("nil < length:(name)", "nilOperand", "<"),
      ("nil LIKE name", "nilOperand", "LIKE"), ("nil BEGINSWITH name", "nilOperand", "BEGINSWITH"),
      ("nil IN lowercase:(name)", "nilOperand", "IN"), ("nil BETWEEN {age + 1, 5}", "nilOperand", "BETWEEN"),
    ] {
      Subject.expectRefused(format, code, at: place, [.extended])
    }
  }
}
