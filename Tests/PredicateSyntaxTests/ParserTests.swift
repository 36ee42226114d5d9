import Testing

@testable import PredicateSyntax

/// What a text reads as, printed back.
func printed(_ text: String, _ arguments: (any PredicateArgument)?...) -> String {
  do {
    return try PredicateParser().parse(text, arguments: arguments).root.predicateFormat
  } catch {
    return error.diagnostics.map { "\($0.code)@\($0.range.map { "\($0.lowerBound)" } ?? "-")" }
      .joined(separator: " ")
  }
}

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
}
