import Testing

@testable import PredicateSyntax

/// The diagnostics of a text, none if it is a predicate.
func diagnostics(_ text: String, _ arguments: [(any PredicateArgument)?] = []) -> [Diagnostic] {
  do throws(SyntaxError) {
    _ = try PredicateParser().parse(text, arguments: arguments)
    return []
  } catch {
    return error.diagnostics
  }
}

/// A text that is no predicate, the first mistake in it, where that is, and part of the hint.
struct Mistake: Sendable, CustomTestStringConvertible {
  var text: String
  var code: String
  var place: String
  var hint: String?

  init(_ text: String, _ code: String, _ place: String, _ hint: String? = nil) {
    self.text = text
    self.code = code
    self.place = place
    self.hint = hint
  }

  var testDescription: String { text }
}

@Suite struct DiagnosticTests {
  static let mistakes: [Mistake] = [
    Mistake("x NOT IN {1}", "infixNot", "NOT IN", "NOT (x IN …)"),
    Mistake("x NOT CONTAINS 'a'", "infixNot", "NOT CONTAINS", "NOT (x CONTAINS …)"),
    Mistake("a.b not beginswith 'a'", "infixNot", "not beginswith", "NOT (a.b BEGINSWITH …)"),
    Mistake("x IS NULL", "isNull", "IS NULL", "x == nil"),
    Mistake("x is not nil AND y = 1", "isNull", "is not nil", "x != nil"),
    Mistake("x IS 5", "isOperator", "IS", "x == …"),
    Mistake("a === 1", "unknownOperator", "===", "Write ==."),
    Mistake("a !== 1", "unknownOperator", "!==", "Write !=."),
    Mistake("a IN (1, 2)", "parenthesizedList", "(", "{1, 2}"),
    Mistake("a IN ()", "parenthesizedList", "(", "IN {}"),
    Mistake("a IN [1, 2]", "bracketedList", "[", "IN {1, 2}"),
    Mistake("a BETWEEN [1, 2]", "bracketedList", "[", "BETWEEN {1, 2}"),
    Mistake("a == ['x', 'y']", "bracketedList", "[", "IN {'x', 'y'}"),
    Mistake("a != [1]", "bracketedList", "[", "NOT … IN {1}"),
    Mistake("a CONTAINS [1]", "bracketedList", "[", "CONTAINS 1."),
    Mistake("a CONTAINS [1, 2]", "bracketedList", "[", "joined by AND"),
    Mistake("a > [1, 2]", "bracketedList", "[", "> and one value"),
    Mistake("a = (1, 2)", "parenthesizedList", "(", "IN {1, 2}"),
    Mistake("a =[] 'x'", "unknownOption", "[", "Write == without brackets"),
    Mistake("a BETWEEN 1 AND 2", "betweenAnd", "2", "BETWEEN {lower, upper}"),
    Mistake("a % 2 == 0", "modulus", "%", "modulus:by:"),
    Mistake("a %2 == 0", "modulus", "%", "modulus:by:"),
    Mistake("size > 3", "reservedWord", "size", "#size"),
    Mistake("in = 1", "reservedWord", "in", "#in"),
    Mistake("a.in = 1", "reservedWord", "in", "#in"),
    Mistake("any = 3", "reservedWord", "any", "#any"),
    Mistake("not = 1", "reservedWord", "not", "#not"),
    Mistake("first BEGINSWITH 'a'", "reservedWord", "first", "#first"),
    Mistake("a = union", "reservedWord", "union", "#union"),
    Mistake("TRUE", "missingComparison", "TRUE", "TRUEPREDICATE"),
    Mistake("NO", "missingComparison", "NO", "FALSEPREDICATE"),
    Mistake("1", "missingComparison", "1", "TRUEPREDICATE"),
    Mistake("flag", "missingComparison", "flag", "flag == 1"),
    Mistake("a = 1 AND flag", "missingComparison", "flag", "flag == 1"),
    Mistake("age * 25", "missingComparison", "age * 25", "age * 25 == …"),
    Mistake("(a = 1", "unclosedBracket", "(", ")"),
    Mistake("a = 1)", "unmatchedBracket", ")", "("),
    Mistake("a IN {1, 2)", "mismatchedBracket", ")", "}"),
    Mistake("a = 'x", "unterminatedString", "'x", "'"),
    Mistake("a = 'x\\'", "unterminatedString", "'x\\'", "backslash"),
    Mistake("a = 'x\\", "unterminatedString", "'x\\", nil),
    Mistake("(a = 'x)", "unterminatedString", "'x)", "'"),
    Mistake(
      "ALL tokenize(after session, 'Cdl') IN allTokens", "missingQuotes", "after session", "\"after session\""
    ),
    Mistake("name = John Smith", "missingQuotes", "John Smith", "\"John Smith\""),
    Mistake("start > 2016-05-11 00:00:00 +0000", "dateInText", "2016-05-11 00:00:00 +0000", "%@"),
    Mistake("start > 2016-05-11T00:00:00Z AND b", "dateInText", "2016-05-11T00:00:00Z", "%@"),
    Mistake(
      "distanceToLocation:fromLocation:(L, <+37.78583400,-122.40641700> +/- 5.00m (speed -1.00 mps)) < 10",
      "locationInText", "<+37.78583400,-122.40641700> +/- 5.00m (speed -1.00 mps)", "%@"),
    Mistake("self isKindOfClass: x", "customSelector", "isKindOfClass", nil),
    Mistake("a IN {1, 2,}", "trailingComma", ",", "Remove"),
    Mistake("sum(a,) = 1", "trailingComma", ",", "Remove"),
    Mistake(",", "missingOperand", ",", nil),
    Mistake("/* note */ a = 1", "missingOperand", "/", "no comments"),
    Mistake("a = 1 // note", "missingOperand", "/", "no comments"),
    Mistake("a = 1 /* note", "missingOperand", "*", "no comments"),
    Mistake("a = / 1", "missingOperand", "/", nil),
    Mistake("a = 'it''s'", "quoteInText", "'s'", "\\'"),
    Mistake("()", "emptyParentheses", "(", "TRUEPREDICATE"),
    Mistake("", "emptyPredicate", "", "TRUEPREDICATE"),
    Mistake("  ", "emptyPredicate", "", "TRUEPREDICATE"),
    Mistake("a = 1 & b = 2", "singleSign", "&", "&&"),
    Mistake("a = 1 | b = 2", "singleSign", "|", "||"),
    Mistake("a BETWEEN {1, 2} & b = 2", "singleSign", "&", "&&"),
    Mistake("1 < x < 3", "chainedComparison", "<", "1 < x AND x < …"),
    Mistake("a = 1 LIMIT 5", "notPartOfPredicate", "LIMIT", "resultsLimit"),
    Mistake("a = b ORDER BY name", "notPartOfPredicate", "ORDER", "sort descriptors"),
    Mistake("a = \u{2018}x\u{2019}", "smartQuote", "\u{2018}x\u{2019}", "straight"),
    Mistake("a = \u{201C}x y\u{201D} AND b = 1", "smartQuote", "\u{201C}x y\u{201D}", "straight"),
    Mistake("a ≥ 3", "unexpectedCharacter", "≥", ">="),
    Mistake("a = ?", "unexpectedCharacter", "?", "%@"),
    Mistake("a = 1;", "unexpectedCharacter", ";", "Remove"),
    Mistake("`a` = 1", "unexpectedCharacter", "`", "#"),
    Mistake("a = 03a", "gluedNumber", "03a", nil),
    Mistake("a = 1..0", "malformedNumber", "1..0", nil),
    Mistake("a = 1.2.3", "malformedNumber", "1.2.3", nil),
    Mistake("a = 0x", "malformedNumber", "0x", nil),
    Mistake("a = 0b12", "gluedNumber", "0b12", nil),
    Mistake("a = 1_000", "gluedNumber", "1_000", nil),
    Mistake("a = +1", "missingOperand", "+", "Remove"),
    Mistake("a = １", "unexpectedCharacter", "１", nil),
    Mistake("a = 0x1p3", "gluedNumber", "0x1p3", nil),
    Mistake("a = 1e999", "decimalOutOfRange", "1e999", nil),
    Mistake("a = 9223372036854775808", "integerOutOfRange", "9223372036854775808", "1e19"),
    Mistake("a = -9223372036854775809", "integerOutOfRange", "9223372036854775809", "1e19"),
    Mistake("a = 0xFFFFFFFFFFFFFFFF", "integerOutOfRange", "0xFFFFFFFFFFFFFFFF", nil),
    Mistake("a = '\\ud83d'", "loneSurrogate", "\\ud83d", "\\uD83D"),
    Mistake("a = '\\udc00x'", "loneSurrogate", "\\udc00", nil),
    Mistake("a = '\\u12'", "shortEscape", "\\u12", nil),
    Mistake("a = '\\x1'", "shortEscape", "\\x1", nil),
    Mistake("a = %k", "unknownConversion", "%k", "%K"),
    Mistake("a = %s", "unknownConversion", "%s", "%@"),
    Mistake("a = %%", "doubledPercent", "%%", "modulus:by:"),
    Mistake("a = %lud", "gluedConversion", "%lud", "blank"),
    Mistake("a = %@x", "gluedConversion", "%@x", "blank"),
    Mistake("a = %.2f", "unknownConversion", "%.2f", "%f"),
    Mistake("a%d = 1", "gluedConversion", "%d", "modulus"),
    Mistake("soundex(a) = 1", "unknownFunction", "soundex", nil),
    Mistake("lenght(a) = 1", "unknownFunction", "lenght", "length"),
    Mistake("SUM(a) = 1", "unknownFunction", "SUM", "sum"),
    Mistake(
      "distanceToLocation:fromlocation:(a, b) < 1", "unknownFunction", "distanceToLocation:fromlocation:",
      "distanceToLocation:fromLocation:"),
    Mistake("sum(a, b) = 1", "argumentCount", "sum", "{1, 2}"),
    Mistake("now(1) = 1", "argumentCount", "now", nil),
    Mistake("a ==[cc] 'x'", "repeatedOption", "c", nil),
    Mistake("a ==[x] 'x'", "unknownOption", "x", "[cd]"),
    Mistake("a BETWEEN[c] {1, 2}", "optionsNotAllowed", "[c]", nil),
    Mistake("a UTI-CONFORMS-TO 'x'", "unsupportedOperator", "UTI-CONFORMS-TO", nil),
    Mistake("a = ANY b", "misplacedQuantifier", "ANY", "ANY key == value"),
    Mistake("a = TRUEPREDICATE b", "misplacedPredicate", "TRUEPREDICATE", "TRUE"),
    Mistake("a = 1, b = 2", "unexpectedToken", ",", "AND"),
    Mistake("a = 1 b = 2", "unexpectedToken", "b", "AND"),
    Mistake("a = 1 AND", "missingOperand", "", nil),
    Mistake("AND a = 1", "missingOperand", "AND", nil),
    Mistake("a.5 = 1", "missingComponent", "5", "list[0]"),
    Mistake("a[] = 1", "missingIndex", "[", "FIRST"),
    Mistake("$ = 1", "missingName", "$", "$name"),
    Mistake("a = CAST('north', 'CLLocation')", "invalidCast", "'north'", nil),
    Mistake("a = CAST('91,0', 'CLLocation')", "invalidCast", "'91,0'", nil),
    Mistake("a = CAST('', 'CKReference')", "invalidCast", "''", nil),
    Mistake("a = CAST(1e30, 'NSDate')", "invalidCast", "1e30", nil),
    Mistake("a = CAST(1, b)", "missingString", "b", nil),
    Mistake("SUBQUERY(a, b, c = 1) = 1", "missingVariable", "b", "$x"),
  ]

  @Test(arguments: mistakes) func firstMistake(_ mistake: Mistake) throws {
    let found = diagnostics(mistake.text)
    let first = try #require(found.first, "\(mistake.text) was read")
    let bytes = Array(mistake.text.utf8)
    let range = try #require(first.range)
    let place = String(decoding: bytes[range.lowerBound..<range.upperBound], as: UTF8.self)
    #expect(first.code == mistake.code, "\(mistake.text): \(first)")
    #expect(place == mistake.place, "\(mistake.text): \(first)")
    if let hint = mistake.hint {
      #expect(first.hint?.contains(hint) == true, "\(mistake.text): \(first.hint ?? "no hint")")
    }
  }

  @Test func severalMistakesAreTold() {
    let found = diagnostics("flag AND x NOT IN {1} AND lenght(a) = 1 AND 3 OR size = 2 OR a = 03a")
    #expect(
      found.map(\.code) == [
        "missingComparison", "infixNot", "unknownFunction", "missingComparison", "reservedWord",
        "gluedNumber",
      ])
  }

  @Test func mistakesWithinGroupsLeaveTheRestReadable() {
    #expect(
      diagnostics("(a = AND b = 2) AND (c IS NULL OR d) AND e = 1").map(\.code) == [
        "missingOperand", "isNull", "missingComparison",
      ])
  }

  @Test func noMoreThanTwentyMistakes() {
    #expect(diagnostics(String(repeating: "a AND ", count: 1000) + "a").count == Diagnostic.most)
    #expect(diagnostics(String(repeating: "; ", count: 1000)).count == Diagnostic.most)
  }

  @Test func formatting() {
    let error = SyntaxError(
      diagnostics("name = 'é' AND\r\nsize\t> 3"), source: SourceText("name = 'é' AND\r\nsize\t> 3"))
    #expect(
      error.description
        == "2:1: size is a reserved word and no key by itself.\n  size > 3\n  ^^^^\n"
        + "hint: Write #size for the key of that name.")
  }

  @Test func formattingOfLongLines() {
    let text =
      String(repeating: "a = 1 AND ", count: 50) + "size = 3" + String(repeating: " AND b = 2", count: 50)
    let found = diagnostics(text)
    let lines = DiagnosticFormatter(SourceText(text), width: 40).format(found[0]).utf8.split(separator: 10)
    #expect(lines.count == 4)
    let shown = Array(String(Substring(lines[1])).unicodeScalars)
    let carets = Array(String(Substring(lines[2])).unicodeScalars)
    #expect(shown.count <= 44)
    let marked = carets.indices.filter { carets[$0] == "^" }
    #expect(String(String.UnicodeScalarView(marked.map { shown[$0] })) == "size")
  }

  @Test func controlCharactersAreShown() {
    let text = "\u{1}\u{202E} = 1"
    let shown = DiagnosticFormatter(SourceText(text)).format(diagnostics(text)[0])
    #expect(!shown.unicodeScalars.contains("\u{1}"))
    #expect(!shown.unicodeScalars.contains("\u{202E}"))
    #expect(shown.utf8.elementsEqual("1:1: U+0001 has no meaning outside quotes.\n  ␁<U+202E> = 1\n  ^".utf8))
  }

  @Test func placesInLines() {
    let source = SourceText("a\nbé\r\nc\rd")
    #expect(source.position(at: 0) == SourcePosition(line: 1, column: 1))
    #expect(source.position(at: 1) == SourcePosition(line: 1, column: 2))
    #expect(source.position(at: 2) == SourcePosition(line: 2, column: 1))
    #expect(source.position(at: 5) == SourcePosition(line: 2, column: 3))
    #expect(source.position(at: 6) == SourcePosition(line: 2, column: 4))
    #expect(source.position(at: 7) == SourcePosition(line: 3, column: 1))
    #expect(source.position(at: 9) == SourcePosition(line: 4, column: 1))
    #expect(source.position(at: 99) == SourcePosition(line: 4, column: 2))
    let diagnostic = Diagnostic(stage: .parser, code: "x", message: "x", range: SourceRange(3, 5))
    #expect(diagnostic.line(in: source) == 2)
    #expect(diagnostic.column(in: source) == 2)
    #expect(diagnostic.length(in: source) == 1)
  }
}
