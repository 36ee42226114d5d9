import Testing

@testable import PredicateSyntax

@Suite struct ParserTests {
  static let samples: [(String, String)] = [
    ("name = 'x'", #"name == "x""#),
    ("a=1&&b<>2", "a == 1 AND b != 2"),
    ("a = 1 OR b = 2 AND NOT c = 3", "a == 1 OR (b == 2 AND NOT c == 3)"),
    ("(a = 1 AND b = 2) AND c =< 3", "a == 1 AND b == 2 AND c <= 3"),
    ("a = 1 AND (b = 2 AND c => 3)", "a == 1 AND b == 2 AND c >= 3"),
    ("NOT (a = 1 AND b = 2)", "NOT (a == 1 AND b == 2)"),
    ("! a == 1", "NOT a == 1"),
    ("NONE a == 1", "NOT ANY a == 1"),
    ("SOME a == 1", "ANY a == 1"),
    ("(SELF.g)[0] == 2", "g[0] == 2"),
    ("(n + 1) * 2 == 6", "(n + 1) * 2 == 6"),
    ("((a)) == 1", "a == 1"),
    ("((a) == 1)", "a == 1"),
    ("1 << 3 > 1", "1 << 3 > 1"),
    ("2 & 1 == 0", "2 & 1 == 0"),
    ("a + b * c ** d - 2 == 1", "(a + (b * (c ** d))) - 2 == 1"),
    ("x == -9223372036854775808", "x == -9223372036854775808"),
    ("x == 9007199254740993", "x == 9007199254740993"),
    ("x == 10. AND y == 9.2e-5 AND z == .5", "x == 10 AND y == 9.2e-05 AND z == 0.5"),
    ("x == 0x1F AND y == 0o17 AND z == 0b101", "x == 31 AND y == 15 AND z == 5"),
    ("x BETWEEN {1, 3}", "x BETWEEN {1, 3}"),
    ("name BEGINSWITH[cd] 'a'", #"name BEGINSWITH[cd] "a""#),
    ("name ==[DC] 'a'", #"name ==[cd] "a""#),
    ("self CONTAINS 'x y'", #"SELF CONTAINS "x y""#),
    (
      "ALL tokenize(\"after session\", 'Cdl') IN allTokens",
      #"ALL tokenize:using:("after session", "Cdl") IN allTokens"#
    ),
    ("allTokens TOKENMATCHES[cdl] 'a b'", #"allTokens TOKENMATCHES[cdl] "a b""#),
    (
      "distanceToLocation:fromLocation(Location, CAST('1,2', 'CLLocation')) < 100",
      #"distanceToLocation:fromLocation:(Location, CAST("1.0,2.0", "CLLocation")) < 100"#
    ),
    ("start < CAST(725760000.000000, \"NSDate\")", #"start < CAST(725760000.000000, "NSDate")"#),
    ("r == CAST('z/n', 'CKReference')", #"r == CAST("z/n", "CKReference")"#),
    ("a.size == 1", "a.#size == 1"),
    ("#in.@count == 1", "#in.@count == 1"),
    ("g.@max.#self == $#in", "g.@max.#self == $#in"),
    ("name = {0}", "name == {0}"),
    ("x IN {}", "x IN {}"),
    ("x IN {{1}, a + 2, 'b'}", #"x IN {{1}, a + 2, "b"}"#),
    ("TRUEPREDICATE", "TRUEPREDICATE"),
    (
      "SUBQUERY(c, $x, $x.a == 1 AND $x.b == 2).@count > 0",
      "SUBQUERY(c, $x, $x.a == 1 AND $x.b == 2).@count > 0"
    ),
    ("TERNARY(a == 1, b, c) == 2", "TERNARY(a == 1, b, c) == 2"),
    ("FUNCTION(a, 'sel:', 1, 2) == 3", #"FUNCTION(a, "sel:" , 1, 2) == 3"#),
    ("FUNCTION(a, 'sel') == 3", #"FUNCTION(a, "sel") == 3"#),
    ("$v := 2 == 2", "$v := 2 == 2"),
    ("a[FIRST] == a[LAST] AND a[SIZE] > a[1 + 1]", "a[FIRST] == a[LAST] AND a[SIZE] > a[1 + 1]"),
    ("-a == ~b", "-a == ~b"),
    ("--1 == - 2", "1 == -2"),
    ("name='x'AND b=1", #"name == "x" AND b == 1"#),
    (
      "NOT0 = 1 AND inside = 2 AND ORE = 3 AND truepredicates = 4",
      "NOT0 == 1 AND inside == 2 AND ORE == 3 AND truepredicates == 4"
    ),
    ("a = 'a\"b' AND c = 'it\\'s 100%@'", #"a == "a\"b" AND c == "it's 100%@""#),
    ("名前 = 'x'", #"名前 == "x""#),
    ("a == nil AND b == NULL AND c == YES", "a == nil AND b == nil AND c == 1"),
  ]

  @Test(arguments: samples) func reads(_ text: String, _ expected: String) {
    #expect(printed(text) == expected)
    #expect(printed(expected) == expected)
  }

  static let places: [(String, String)] = [
    ("x IN .5 AND .25 < y", "x IN 0.5 AND 0.25 < y"),
    ("x BETWEEN {.5, 1}", "x BETWEEN {0.5, 1}"),
    ("a IN[c] {'x'}", #"a IN[c] {"x"}"#),
    ("NOT(a=1)", "NOT a == 1"),
    ("(((a = 1 OR b = 2) OR c = 3) OR d = 4)", "a == 1 OR b == 2 OR c == 3 OR d == 4"),
    ("nil.b = TRUE.c", "nil.b == (1).c"),
    ("SELF.a.b = SELF", "a.b == SELF"),
    ("(SELF).SELF = 1", "#SELF == 1"),
    ("a.@count = 1 AND @K = 2 AND a.@avg.b = 3", "a.@count == 1 AND @K == 2 AND a.@avg.b == 3"),
    ("a[0].b.c[LAST].d = 1", "a[0].b.c[LAST].d == 1"),
    ("(a + b).c.d = -(1)", "(a + b).c.d == -1"),
    ("-1[0] = 1", "-(1)[0] == 1"),
    ("a <-1 AND b>-2", "a < -1 AND b > -2"),
    ("a == 1 && b == 2 || !c == 3", "(a == 1 AND b == 2) OR NOT c == 3"),
    ("a=1&&b=2||c=3", "(a == 1 AND b == 2) OR c == 3"),
    ("now() > a AND random() > 1 AND randomn:(5) = 2", "now() > a AND random() > 1 AND randomn:(5) == 2"),
    (
      "CAST(a, 'NSString') = CAST('1', 'NSDecimalNumber')",
      #"CAST(a, "NSString") == CAST("1", "NSDecimalNumber")"#
    ),
    ("a = CAST('_defaultZone/r', 'CKReference')", #"a == CAST("r", "CKReference")"#),
    ("a = CAST('_defaultZone/r/s', 'CKReference')", #"a == CAST("_defaultZone/r/s", "CKReference")"#),
    ("a = CAST('o%2Fp/z/r/s', 'CKOwnedReference')", #"a == CAST("o%2Fp/z/r/s", "CKOwnedReference")"#),
    ("a = CAST('//r', 'CKOwnedReference')", #"a == CAST("r", "CKReference")"#),
    ("self CONTAINS[cd] 'a AND b'", #"SELF CONTAINS[cd] "a AND b""#),
    ("a = \"x\ny\"", #"a == "x\ny""#),
    ("a = 007 AND b = 0", "a == 7 AND b == 0"),
    ("a = 1E3 AND b = 1.5e-3", "a == 1000 AND b == 0.0015"),
    (
      "TERNARY((a + 1) * 2 = 4 OR NOT b = 1, {1}, x.size) = 1",
      "TERNARY((a + 1) * 2 == 4 OR NOT b == 1, {1}, x.#size) == 1"
    ),
  ]

  @Test(arguments: places) func readsTheUnusual(_ text: String, _ expected: String) {
    #expect(printed(text).utf8.elementsEqual(expected.utf8), "\(printed(text))")
    #expect(printed(expected).utf8.elementsEqual(expected.utf8))
  }

  @Test func spansCoverTheirText() throws {
    let text = "NOT (venue.city ==[c] 'Seoul') AND  sum:( list ) >= 5 + $x"
    func piece(_ span: SourceSpan) -> String {
      guard let range = span.range else { return "" }
      return String(decoding: Array(text.utf8)[range.lowerBound..<range.upperBound], as: UTF8.self)
    }
    guard case .and(let and) = try PredicateParser().parse(text).root, case .not(let not) = and.parts[0],
      case .comparison(let city) = not.operand, case .comparison(let sum) = and.parts[1],
      case .function(let function) = sum.left, case .binary(let binary) = sum.right
    else {
      Issue.record("the tree has another shape")
      return
    }
    #expect(piece(and.span) == text)
    #expect(and.operatorSpans.map(piece) == ["AND"])
    #expect(piece(not.span) == "NOT (venue.city ==[c] 'Seoul')")
    #expect(piece(city.span) == "venue.city ==[c] 'Seoul'")
    #expect(piece(city.operatorSpan) == "==[c]")
    #expect(piece(city.left.span) == "venue.city")
    #expect(piece(city.right.span) == "'Seoul'")
    #expect(piece(function.nameSpan) == "sum:")
    #expect(piece(function.span) == "sum:( list )")
    #expect(piece(binary.span) == "5 + $x")
    #expect(piece(binary.right.span) == "$x")
  }

  @Test func treesOfOneMeaningAreEqual() throws {
    func tree(_ text: String) throws -> PredicateNode { try PredicateParser().parse(text).root }
    #expect(try tree("a=1 && (b=2 && c=3)") == tree("a == 1 AND b == 2 AND c == 3"))
    #expect(try tree("NONE a = 1") == tree("NOT SOME a == 1"))
    #expect(try tree("count(a) = 1") == tree("count:(a) == 1"))
    #expect(try tree("a = 'é'") != tree("a = 'e\u{301}'"))
    #expect(
      try tree("a = 1")
        == .comparison(
          ComparisonNode(nil, .key(KeyNode("a")), .equal, .literal(LiteralNode(.double(1))))))
    #expect(KeyNode(path: "a.b")?.components == ["a", "b"])
    #expect(KeyNode(path: "a b") == nil)
  }

  @Test func treeDump() throws {
    let tree = try PredicateParser().parse("NOT a = 1 AND ANY b.c IN[c] {x + 2, sum(y)}").root
    #expect(
      tree.treeDescription == """
        and
          not
            comparison ==
              key a
              literal 1
          comparison ANY IN[c]
            key b.c
            list of 2
              binary +
                key x
                literal 2
              function sum:
                key y

        """)
  }
}
