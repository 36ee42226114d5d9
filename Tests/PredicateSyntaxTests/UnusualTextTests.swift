import Testing

@testable import PredicateSyntax

/// Texts that people rarely write: what is wrong with them is said at its place, and nothing of them traps.
@Suite struct UnusualTextTests {
  private static let mistakes: [(text: String, code: String, place: String, part: String?)] = [
    ("a > 2016-05-11 00:00:00.123 +0000", "dateInText", "2016-05-11 00:00:00.123 +0000", "argument"),
    ("a > 2016-05-11T00:00:00,5Z AND b = 1", "dateInText", "2016-05-11T00:00:00,5Z", "argument"),
    ("a > 2016-05-11 00:00:00.", "dateInText", "2016-05-11 00:00:00", "argument"),
    ("a > 2016-05-11 00:00:00.x", "dateInText", "2016-05-11 00:00:00", "argument"),
    ("a > 2016-05-11 00:00UTC", "dateInText", "2016-05-11 00:00UTC", "argument"),
    ("a > 2016-05-11 00:00:00.5", "dateInText", "2016-05-11 00:00:00.5", "argument"),
    ("p = <+37.78,-122.40> +/- 5.00m", "locationInText", "<+37.78,-122.40> +/- 5.00m", "argument"),
    ("p = <+37.78,-122.40> +/- 5.00", "locationInText", "<+37.78,-122.40> +/- 5.00", "argument"),
    (
      "p = <+37.78,-122.40> +/- -1.00m (speed 0)", "locationInText", "<+37.78,-122.40> +/- -1.00m (speed 0)", "argument"
    ),
    ("p = <+37.78, -122.40>", "locationInText", "<+37.78, -122.40>", "argument"),
    ("a = 1.2.3", "malformedNumber", "1.2.3", "one decimal point"),
    ("a = 1.2.3x.y", "malformedNumber", "1.2.3x.y", "one decimal point"),
    ("a = 1..2", "malformedNumber", "1..2", "one decimal point"),
    ("a = 1 WHERE b = 2", "notPartOfPredicate", "WHERE", nil), ("a = 1 SELECT b", "notPartOfPredicate", "SELECT", nil),
    ("a = 1 XOR b = 2", "notPartOfPredicate", "XOR", nil),
    ("a = 1 HAVING b", "notPartOfPredicate", "HAVING", "does not group"),
    ("a = 1 GROUP BY b", "notPartOfPredicate", "GROUP", "does not group"),
    ("a = 1 DISTINCT", "notPartOfPredicate", "DISTINCT", "does not group"),
    ("a = 1 ORDER BY b", "notPartOfPredicate", "ORDER", "sort descriptors"),
    ("a = 1 LIMIT 5", "notPartOfPredicate", "LIMIT", "resultsLimit"),
    ("a = 99999999999999999999", "integerOutOfRange", "99999999999999999999", nil),
    ("a = 0xFFFFFFFFFFFFFFFF", "integerOutOfRange", "0xFFFFFFFFFFFFFFFF", nil),
    ("a = 18446744073709551616", "integerOutOfRange", "18446744073709551616", nil),
    ("a = 18446744073709551615", "integerOutOfRange", "18446744073709551615", nil),
    ("a = 9223372036854775808", "integerOutOfRange", "9223372036854775808", nil),
  ]

  /// A text, the first mistake in it, where that is, and part of the hint or message.
  @Test(arguments: Self.mistakes)
  func firstMistake(text: String, code: String, place: String, part: String?) throws {
    let found = try #require(diagnostics(text).first)
    let range = try #require(found.range)
    let excerpt = String(decoding: Array(text.utf8)[range.lowerBound..<range.upperBound], as: UTF8.self)
    #expect(found.code == code && excerpt == place, "\(found.code) \(excerpt)")
    if let part { #expect(("\(found.message) \(found.hint ?? "")").contains(part)) }
  }

  /// Dates too far away to be counted, with as many digits as there may be.
  @Test func datesBeyondAllBounds() {
    for digits in [17, 18, 20, 22, 24, 30, 38, 39, 40, 80, 400] {
      for sign in ["", "-"] {
        for rest in ["", ".5", ".0005"] {
          let text = "a = CAST(\(sign)\(String(repeating: "9", count: digits))\(rest), \"NSDate\")"
          #expect(!diagnostics(text).isEmpty, "\(text)")
        }
      }
    }
    for text in ["1e300", "-1e300", "9.3e15", "-9.3e15", "1e16"] {
      #expect(!diagnostics("a = CAST(\(text), \"NSDate\")").isEmpty, "\(text)")
    }
    for text in ["9.1e15", "-9.1e15", "9000000000000000.5", "0", "-0.0005", "1e0"] {
      #expect(diagnostics("a = CAST(\(text), \"NSDate\")").isEmpty, "\(text)")
    }
  }

  /// Half a millisecond goes up, above zero and below; more and less go to the nearest.
  @Test(arguments: [
    ("0.0004", 0), ("0.0005", 1), ("0.00049999", 0), ("0.00050001", 1), ("-0.0004", 0), ("-0.0005", 0),
    ("-0.00050001", -1), ("-0.0006", -1), ("-0.00049999", 0), ("0.9995", 1_000), ("1.5", 1_500), ("-1.5", -1_500),
    ("12.3456", 12_346), ("-12.3456", -12_346), ("-12.3455", -12_345), ("-12.34550", -12_345), ("3.", 3_000),
  ])
  func finerThanMilliseconds(seconds: String, milliseconds: Int64) throws {
    let read = try PredicateParser().parse("a = CAST(\(seconds), \"NSDate\")").root
    let expected = try PredicateParser().parse(
      "a = %@", arguments: [Literal.date(milliseconds: 978_307_200_000 + milliseconds)]
    ).root
    #expect(read == expected)
  }

  @Test func textsOfPlaces() {
    func isRead(_ text: String) -> Bool { diagnostics("a = CAST(\"\(text)\", \"CLLocation\")").isEmpty }
    let zeros = String(repeating: "0", count: 60)
    for text in ["1,2", "-90,180", "90,-180", "0.\(zeros)1,1.\(zeros)2"] { #expect(isRead(text), "\(text)") }
    for text in [
      "", ",", "1", "1,", ",1", "91,0", "0,181", "-90.5,0", "1,2,3", "x,1", "nan,0", "1.\(zeros)\(zeros)\(zeros)1,2",
    ] {
      #expect(!isRead(text), "\(text)")
    }
  }

  /// The members of a set have an order of their own, whatever order the set has.
  @Test func setsOfEveryKind() throws {
    func text<Value: Hashable & PredicateArgument>(_ values: [Value]) throws -> Set<String> {
      var texts: Set<String> = []
      for capacity in [0, 64, 1_000] {
        for order in [values, values.reversed()] {
          var set = Set<Value>(minimumCapacity: capacity)
          for value in order { set.insert(value) }
          texts.insert(try PredicateParser().parse("a IN %@", arguments: [set]).root.predicateFormat)
        }
      }
      return texts
    }
    #expect(try text((0..<40).map { Double($0) + 0.5 }).count == 1)
    #expect(try text((0..<40).map { Literal.date(milliseconds: $0 * 1_000) }).count == 1)
    #expect(try text((0..<40).map { Literal.location(latitude: Double($0), longitude: 1) }).count == 1)
    #expect(try text((-20..<20).map { $0 }) == ["a IN {\((-20..<20).map { "\($0)" }.joined(separator: ", "))}"])
    #expect(try text(["b", "a", "é", "", "ab"]).count == 1)
  }

  @Test func longNamesOfFunctions() {
    for count in [2, 47, 48, 49, 63, 64, 65, 300] {
      let name = String(repeating: "f", count: count)
      let found = diagnostics("\(name)(a) = 1")
      #expect(found.first?.code == "unknownFunction", "\(count) \(found.first?.code ?? "")")
    }
  }

  /// A line break of one character, CR, at the very end and in between.
  @Test func linesThatEndWithReturns() {
    for (text, line) in [("a = 1 AND\r", 2), ("a = 1\rAND b ==", 2), ("a = 1\r\n\rAND b ==", 3), ("a ==\r\n", 2)] {
      let source = SourceText(text)
      #expect(source.position(at: text.utf8.count).line == line, "\(text.debugDescription)")
    }
  }

  /// What cannot be shown is shown by a picture or its number.
  @Test(arguments: [("\u{7F}", "\u{2421}"), ("\u{1F}", "\u{241F}"), ("\u{1}", "\u{2401}"), ("\u{202E}", "<U+202E>")])
  func charactersThatCannotBeShown(character: String, shown: String) throws {
    let text = "a = \(character) b"
    let formatted = DiagnosticFormatter(SourceText(text)).format(try #require(diagnostics(text).first))
    #expect(formatted.contains(shown) && !formatted.unicodeScalars.contains(character.unicodeScalars.first ?? "x"))
  }
}
