import Testing
import ZoneQuery

@Suite("JSON reader")
struct JSONReaderTests {
  /// Texts and the compact text of what they mean.
  static let valid: [(String, String)] = [
    ("null", "null"), ("true", "true"), ("false", "false"), (" null ", "null"), ("\t\r\n null\n", "null"),
    ("0", "0"), ("-0", "-0"), ("1", "1"), ("-1", "-1"), ("10", "10"), ("100", "100"), ("-123456", "-123456"),
    ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775808", "9223372036854776000"), ("-9223372036854775809", "-9223372036854776000"),
    ("18446744073709551615", "18446744073709552000"), ("18446744073709551616", "18446744073709552000"),
    ("99999999999999999999", "100000000000000000000"), ("0.0", "0.0"), ("-0.0", "-0.0"), ("0e0", "0.0"),
    ("0e99999999999999999999", "0.0"), ("-0E-5", "-0.0"), ("1.0", "1.0"), ("3.14", "3.14"), ("1e2", "100.0"),
    ("1E2", "100.0"), ("1e+2", "100.0"), ("1e-2", "0.01"), ("1.5e3", "1500.0"), ("0.1", "0.1"),
    ("0.30000000000000004", "0.30000000000000004"), ("1e22", "1e+22"), ("1e23", "1e+23"),
    ("8.98846567431158e307", "8.98846567431158e+307"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ("1.7976931348623158e308", "1.7976931348623157e+308"), ("5e-324", "5e-324"), ("3e-324", "5e-324"),
    ("2e-324", "0.0"), ("1e-400", "0.0"), ("-1e-400", "-0.0"),
    ("2.2250738585072011e-308", "2.225073858507201e-308"),
    ("2.2250738585072014e-308", "2.2250738585072014e-308"), ("9007199254740993.0", "9007199254740992.0"),
    ("9007199254740993", "9007199254740993"), ("1e0000000000000000000000000000001", "10.0"),
    ("0.000000000000000000000000000000000001e36", "1.0"),
    ("123456789012345678901234567890e-29", "1.2345678901234567"),
    ("7.2057594037927933e16", "7.205759403792794e+16"), ("1.00000000000000011102230246251565", "1.0"),
    ("1.00000000000000011102230246251566", "1.0000000000000002"),
    (#""""#, #""""#), (#""a""#, #""a""#), (#"" ""#, #"" ""#), (#""é""#, #""é""#), (#""東京""#, #""東京""#),
    (#""😀""#, #""😀""#), (#""\"""#, #""\"""#), (#""\\""#, #""\\""#), (#""\/""#, #""/""#),
    (#""\b\f\n\r\t""#, #""\u0008\u000C\u000A\u000D\u0009""#), (#""\u0041""#, #""A""#),
    (#""\u00e9""#, #""é""#),
    (#""\u00E9\u00e9""#, #""éé""#), (#""\u6771\u4eac""#, #""東京""#), (#""\uD83D\uDE00""#, #""😀""#),
    (#""\ud83d\ude00x""#, #""😀x""#), (#""\uDBFF\uDFFF""#, "\"\u{10FFFF}\""),
    (#""\uD800\uDC00""#, "\"\u{10000}\""),
    (#""\u0000""#, #""\u0000""#), (#""a\u0000b""#, #""a\u0000b""#), (#""\uFFFF""#, "\"\u{FFFF}\""),
    (#""\uFEFF""#, "\"\u{FEFF}\""), ("\"\u{FEFF}\"", "\"\u{FEFF}\""), ("\"\u{7F}\"", "\"\u{7F}\""),
    ("\"\u{2028}\u{2029}\"", "\"\u{2028}\u{2029}\""), (#""\\u0041""#, #""\\u0041""#),
    (#""abc\"def""#, #""abc\"def""#),
    (#""東\n京""#, #""東\u000A京""#), ("\"e\u{301}\"", "\"e\u{301}\""),
    ("[]", "[]"), ("[ ]", "[]"), ("[\n]", "[]"), ("[1]", "[1]"), ("[1,2]", "[1,2]"), ("[ 1 , 2 ]", "[1,2]"),
    ("[[]]", "[[]]"), ("[[],[]]", "[[],[]]"), ("[null,true,\"a\",{}]", "[null,true,\"a\",{}]"),
    ("[1,2.0]", "[1,2.0]"),
    ("{}", "{}"), ("{ }", "{}"), (#"{"a":1}"#, #"{"a":1}"#), (#" { "a" : 1 } "#, #"{"a":1}"#),
    (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#), (#"{"":0}"#, #"{"":0}"#),
    (#"{"a":{"a":{"a":[]}}}"#, #"{"a":{"a":{"a":[]}}}"#),
    (#"{"A":1,"a":2}"#, #"{"A":1,"a":2}"#),
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
    (#"{"a\u0000":1,"a":2}"#, #"{"a\u0000":1,"a":2}"#),
  ]

  /// Texts that are no JSON, the column of what is wrong, and words of the message.
  static let invalid: [(String, Int, String)] = [
    ("", 1, "expected a value, found the end of the text"), ("   ", 4, "expected a value, found the end"),
    ("nul", 4, "expected 'null', found the end"), ("nulL", 4, "expected 'null', found 'L'"),
    ("nullx", 5, "expected nothing after the value, found 'x'"), ("Null", 1, "found 'N' (JSON has no NaN"),
    ("True", 1, "expected a value, found 'T'"), ("tru", 4, "'true'"), ("fals", 5, "'false'"),
    ("flase", 2, "'false'"),
    ("undefined", 1, "found 'u'"), ("NaN", 1, "no NaN"), ("-NaN", 2, "digit after '-'"),
    ("Infinity", 1, "no infinity"),
    ("-Infinity", 2, "digit after '-'"), ("inf", 1, "a value"), ("+1", 1, "has no sign"),
    (".5", 1, "found '.'"),
    ("-.5", 2, "digit after '-'"), ("5.", 3, "digit after '.'"), ("5.e1", 3, "digit after '.', found 'e'"),
    ("1e", 3, "digit in the exponent"), ("1e+", 4, "digit in the exponent"),
    ("1e-", 4, "digit in the exponent"),
    ("1e1.5", 4, "nothing after the value"), ("1.2.3", 4, "nothing after the value"),
    ("--1", 2, "digit after '-'"),
    ("-", 2, "digit after '-'"), ("- 1", 2, "found a space"), ("01", 1, "needless 0"),
    ("-01", 2, "needless 0"),
    ("00", 1, "needless 0"), ("00.5", 1, "needless 0"), ("0x10", 2, "nothing after"),
    ("1_000", 2, "nothing after"),
    ("1,000", 2, "nothing after"), ("1e400", 1, "number out of range"), ("-1e400", 1, "number out of range"),
    ("1.7976931348623159e308", 1, "number out of range"),
    ("[1,1e99999999999999999999]", 4, "number out of range"),
    ("１", 1, "expected a value, found the byte 0xEF"), ("1 2", 3, "nothing after the value"),
    ("1L", 2, "found 'L'"),
    ("\"", 2, "expected '\"' to end the string"), ("\"abc", 5, "began 4 bytes before"),
    ("\"abc\\", 6, "an escape after"),
    ("\"abc\\\"", 7, "to end the string"), ("'a'", 1, "double quotes"), ("a", 1, "found 'a'"),
    ("\"\n\"", 2, "U+000A"),
    ("\"a\tb\"", 3, "U+0009"), ("\"\u{0}\"", 2, "U+0000"), ("\"\u{1F}\"", 2, "\\u001F"),
    ("\"\\n\u{1F}\"", 4, "U+001F"),
    (#""\x41""#, 3, "one of \" \\ / b f n r t u"), (#""\a""#, 3, "found 'a'"), (#""\'""#, 3, "found '''"),
    (#""\U0041""#, 3, "found 'U'"), (#""\0""#, 3, "found '0'"), (#""\é""#, 3, "found the byte 0xC3"),
    (#""\u""#, 4, "four hexadecimal digits"), (#""\u00""#, 6, "four hexadecimal digits"),
    (#""\u004""#, 7, "four hex"),
    (#""\u00G1""#, 6, "found 'G'"), (#""\u+041""#, 4, "found '+'"), (#""\u 041""#, 4, "found a space"),
    (#""\uD800""#, 2, "after a high surrogate"), (#""\uD800x""#, 2, "after a high surrogate"),
    (#""\uD800\n""#, 2, "after a high surrogate"), (#""\uD800\u0041""#, 2, "after a high surrogate"),
    (#""\uD800\uD800\uDC00""#, 2, "after a high surrogate"), (#""\uDC00""#, 2, "low surrogate without"),
    (#""ab\uDFFF""#, 4, "low surrogate without"), (#""\uDE00\uD83D""#, 2, "low surrogate without"),
    (#""\uD83D\uDE0""#, 13, "four hexadecimal digits"), (#""\uD83D\"#, 2, "after a high surrogate"),
    ("[", 2, "expected a value"), ("]", 1, "expected a value"), ("[1", 3, "',' or ']'"),
    ("[1,", 4, "expected a value"),
    ("[1,]", 4, "expected a value, found ']'"), ("[,1]", 2, "found ','"), ("[,]", 2, "found ','"),
    ("[1 2]", 4, "',' or ']'"),
    ("[1,,2]", 4, "found ','"), ("[1}", 3, "found '}'"), ("[[1]", 5, "',' or ']'"),
    ("[1]]", 4, "nothing after"),
    ("[1];", 4, "found ';'"), ("[/*a*/1]", 2, "no comments"), ("[1] // a", 5, "no comments"),
    ("# a", 1, "no comments"),
    ("[\"a\"", 5, "',' or ']'"), ("[1:2]", 3, "found ':'"), ("[\u{A0}1]", 2, "found the byte 0xC2"),
    ("[\u{B}1]", 2, "found the byte 0x0B"), ("[\u{C}1]", 2, "found the byte 0x0C"),
    ("\u{0}", 1, "found the byte 0x00"),
    ("{", 2, "a key or '}'"), ("}", 1, "expected a value"), ("{\"a\"", 5, "':' after a key"),
    ("{\"a\":", 6, "a value"),
    ("{\"a\":1", 7, "',' or '}'"), ("{\"a\":1,", 8, "a key after ','"),
    ("{\"a\":1,}", 8, "a key after ',', found '}'"),
    ("{,}", 2, "a key or '}', found ','"), ("{a:1}", 2, "a key or '}', found 'a'"),
    ("{'a':1}", 2, "double quotes"),
    ("{1:1}", 2, "found '1'"), ("{null:1}", 2, "found 'n'"),
    ("{\"a\" 1}", 6, "expected ':' after a key, found '1'"),
    ("{\"a\",1}", 5, "found ','"), ("{\"a\"=1}", 5, "found '='"), ("{\"a\"::1}", 6, "found ':'"),
    ("{\"a\"}", 5, "found '}'"),
    ("{\"a\":1 \"b\":2}", 8, "',' or '}'"), ("{\"a\":1]", 7, "found ']'"), ("{\"a\":1}}", 8, "nothing after"),
    ("{\"a\":1,\"a\":2}", 8, "the key \"a\" occurs twice"),
    (#"{"a":1,"\u0061":2}"#, 8, "the key \"a\" occurs twice"),
    (#"{"":1,"b":0,"":2}"#, 13, "the key \"\" occurs twice"), (#"{"a\n":1,"a\u000a":2}"#, 10, #""a\u000A""#),
    ("\u{FEFF}1", 1, "byte order mark"), (" \u{FEFF}1", 2, "found the byte 0xEF"),
    ("1\u{FEFF}", 2, "nothing after"),
    ("\"東京\" x", 6, "found 'x'"), ("[\"e\u{301}\", ?]", 8, "found '?'"),
  ]

  /// Strings whose bytes are no UTF-8, and where.
  static let invalidBytes: [([UInt8], Int)] = [
    ([0x80], 0), ([0xBF], 0), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xC2], 0), ([0xC2, 0x41], 0),
    ([0x41, 0xC3], 1),
    ([0xE0, 0x80, 0x80], 0), ([0xE0, 0x9F, 0xBF], 0), ([0xE2, 0x82], 0), ([0xE2, 0x28, 0xA1], 0),
    ([0xED, 0xA0, 0x80], 0), ([0xED, 0xBF, 0xBF], 0), ([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], 0),
    ([0xF0, 0x80, 0x80, 0x80], 0), ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF0, 0x9F, 0x98], 0),
    ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xF8, 0x88, 0x80, 0x80, 0x80], 0),
    ([0xFE], 0),
    ([0xFF], 0), ([0xC3, 0xA9, 0xFF], 2), ([0xE6, 0x9D, 0xB1, 0xE4, 0xBA], 3),
    ([0xF0, 0x9F, 0x98, 0x80, 0x80], 4),
    ([0x5C, 0x6E, 0xC0, 0xAF], 2), ([0xC3, 0x5C, 0x6E], 0),
    ([0xE2, 0x82, 0x5C, 0x75, 0x30, 0x30, 0x34, 0x31], 0),
  ]

  @Test("takes what RFC 8259 takes")
  func takesValidTexts() throws {
    for (text, expected) in Self.valid {
      let value = try JSONReader.read(text)
      #expect(Array(value.text.utf8) == Array(expected.utf8), "\(text)")
      #expect(try JSONReader.read(value.text).text == value.text)
    }
    print("JSON texts taken: \(Self.valid.count)")
    #expect(Self.valid.count >= 90)
  }

  @Test("refuses everything else, naming the place and what was expected")
  func refusesInvalidTexts() {
    for (text, column, words) in Self.invalid {
      #expect(throws: JSONError.self, "\(text)") { try JSONReader.read(text) }
      do {
        _ = try JSONReader.read(text)
      } catch {
        #expect(error.line == 1, "\(text)")
        #expect(error.column == column, "\(text): \(error)")
        #expect(error.message.contains(words), "\(text): \(error)")
      }
    }
    print("JSON texts refused: \(Self.invalid.count)")
    #expect(Self.invalid.count >= 120)
  }

  @Test("refuses bytes that are no UTF-8, at the first of them")
  func refusesInvalidUTF8() {
    for (content, place) in Self.invalidBytes {
      do {
        _ = try JSONReader.read([0x22] + content + [0x22])
        Issue.record("taken: \(content)")
      } catch {
        #expect(error.offset == place + 1, "\(content): \(error)")
        #expect(error.message.contains("UTF-8"), "\(content): \(error)")
      }
    }
  }

  @Test("names line, column and offset over several lines")
  func namesThePlace() {
    let text = "{\r\n  \"name\": \"東京\",\n  \"tags\": [1, 2\n  é]\n}"
    do {
      _ = try JSONReader.read(text)
      Issue.record("taken")
    } catch {
      #expect(
        error.description == "line 4, column 3: expected ',' or ']' after an element of an array, "
          + "found the byte 0xC3")
      #expect(error.offset == 41)
    }
  }

  @Test("keeps whole numbers exact and apart from doubles")
  func keepsNumbersApart() throws {
    func number(_ text: String) throws -> JSONNumber { try #require(try JSONReader.read(text).number) }
    #expect(try number("3").integer == 3)
    #expect(try number("3.0").integer == nil)
    #expect(try number("3.0").exactInteger == 3)
    #expect(try number("0.3e1").exactInteger == 3)
    #expect(try number("3.5").exactInteger == nil)
    // Whether a number is whole is told by its digits, not by its nearest double.
    for text in [
      "4503599627370496.25", "1e-400", "0.99999999999999999999", "1.0000000000000000001", "-1.0000000000000000001",
      "12345678901234567890e-18", "0.00000000000000000000000000001e0", "1e-1000000000000000000000",
    ] {
      #expect(try number(text).exactInteger == nil, "\(text)")
      #expect(try number(text).double == Double(text), "\(text)")
      #expect(try JSONReader.read(text) == JSONReader.read(text))
    }
    for (text, value) in [
      ("1.0000000000000000000000", 1), ("120000000000000000000000e-22", 12), ("-5.00e0", -5), ("0.00e-400", 0),
      ("0.0000000000000000000000012e24", nil), ("0.0000000000000000000000012e25", 12), ("2500e-2", 25), ("25e-1", nil),
    ] as [(String, Int64?)] {
      #expect(try number(text).exactInteger == value, "\(text)")
    }
    #expect(try number("0." + String(repeating: "0", count: 2_000_000) + "7e2000001").exactInteger == 7)
    #expect(try number("3.0").isWhole == false)
    #expect(try number("3e0").isWhole == false)
    #expect(try number("-9223372036854775808").integer == .min)
    #expect(try number("9223372036854775807").integer == .max)
    let beyond = try number("9223372036854775808")
    #expect(beyond.integer == nil && beyond.exactInteger == nil && beyond.isWhole)
    #expect(beyond.double == 9_223_372_036_854_775_808)
    #expect(try number("-0").integer == 0)
    #expect(try number("-0").double.sign == .minus)
    #expect(try number("9007199254740993").double == 9_007_199_254_740_992)
    #expect(JSONNumber(wholeBeyondInt64: 5) == nil)
    #expect(JSONNumber(.nan) == nil && JSONNumber(.infinity) == nil && JSONNumber(-.infinity) == nil)
  }

  @Test("reads doubles as the standard library does, to the bit")
  func readsDoublesExactly() throws {
    var generator = JSONTestGenerator(seed: 11)
    var checks = 0
    for _ in 0..<TestAmount.of(20_000) {
      var text = generator.below(2) == 0 ? "-" : ""
      text += "\(1 + generator.below(9))"
      for _ in 0..<generator.below(24) { text += "\(generator.below(10))" }
      text += "."
      for _ in 0...generator.below(24) { text += "\(generator.below(10))" }
      if generator.below(2) == 0 { text += "e\(generator.below(generator.below(3) == 0 ? 600 : 60) - 30)" }
      guard let expected = Double(text) else { continue }
      let read = try? JSONReader.read(text).number
      #expect(read?.double.bitPattern == (expected.isFinite ? expected.bitPattern : nil), "\(text)")
      checks += 1
    }
    print("JSON doubles compared: \(checks)")
    #expect(checks >= TestAmount.of(20_000))
  }

  @Test("finds members by the bytes of their keys, in order")
  func findsMembers() throws {
    let value = try JSONReader.read("{\"b\":1,\"a\":[true],\"\u{E9}\":2,\"e\u{301}\":3}")
    #expect(value["a"]?.array == [true])
    #expect(value["b"]?.number?.integer == 1)
    #expect(value["\u{E9}"] == 2)
    #expect(value["e\u{301}"] == 3)
    #expect(value["c"] == nil)
    #expect(value["a"]?["b"] == nil)
    #expect(value.object?.members.map(\.key) == ["b", "a", "\u{E9}", "e\u{301}"])
    var object = try #require(value.object)
    object["b"] = "x"
    object["c"] = nil
    object["d"] = .null
    object["a"] = nil
    #expect(JSONValue.object(object).text == "{\"b\":\"x\",\"\u{E9}\":2,\"e\u{301}\":3,\"d\":null}")
  }

  @Test("holds to its limits of depth and size")
  func holdsToLimits() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONReader.read(nested(64)) }
    do {
      _ = try JSONReader.read(nested(65))
      Issue.record("taken")
    } catch {
      #expect(error.description == "line 1, column 65: arrays and objects nest more than 64 levels deep")
    }
    let widest = JSONReader.Limits(maximumDepth: .max)
    #expect(throws: Never.self) { try JSONReader.read(nested(128), limits: widest) }
    #expect(throws: JSONError.self) { try JSONReader.read(nested(129), limits: widest) }
    #expect(throws: Never.self) { try JSONReader.read("1", limits: .init(maximumDepth: 0)) }
    #expect(throws: JSONError.self) { try JSONReader.read("[]", limits: .init(maximumDepth: 0)) }
    #expect(throws: JSONError.self) { try JSONReader.read("[]", limits: .init(maximumDepth: -1)) }
    for opening in ["[", "{\"a\":", "[{\"a\":"] {
      let text = Array(String(repeating: opening, count: 1_000_000).utf8)
      #expect(throws: JSONError.self) { try JSONReader.read(text) }
    }
    #expect(throws: Never.self) { try JSONReader.read("[1]", limits: .init(maximumBytes: 3)) }
    do {
      _ = try JSONReader.read("[1] ", limits: .init(maximumBytes: 3))
      Issue.record("taken")
    } catch {
      #expect(error.message == "the text has 4 bytes; 3 are allowed")
    }
  }
}
