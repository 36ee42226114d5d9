import Testing

@testable import PredicateSyntax

/// Hostile texts: each ends at once, in a tree or in the error of a limit.
@Suite struct LimitTests {
  private func codes(_ text: String, limits: SyntaxLimits = SyntaxLimits()) -> [String] {
    do throws(SyntaxError) {
      let tree = try PredicateParser(limits: limits).parse(text).root
      let again = try PredicateParser(limits: limits).parse(tree.predicateFormat).root
      return again == tree ? [] : ["different"]
    } catch {
      return error.description.isEmpty ? [] : error.diagnostics.map(\.code)
    }
  }

  private func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test func nesting() {
    for text in ["(", "[", "{", "NOT ", "!", "a = -", "a = ~", "abs(", "a IN {", "a[", "$v := ", "TERNARY("] {
      let repeated =
        text.hasPrefix("a = ") ? "a = " + many(String(text.suffix(1)), 300_000) : many(text, 60_000)
      #expect(codes(repeated).last == "nestingTooDeep", "\(text)")
    }
    #expect(codes(many("(", 128) + "a = 1" + many(")", 128)) == [])
    #expect(codes(many("(", 129) + "a = 1" + many(")", 129)) == ["nestingTooDeep"])
    #expect(codes(many("NOT ", 120) + "a = 1") == [])
    #expect(codes("a = " + many("-", 250) + "1") == [])
    #expect(codes("a = " + many("-", 120) + "b") == [])
    #expect(codes("a = " + many("b + ", 120) + "b") == [])
    #expect(codes("a = " + many("b + ", 100_000) + "b") == ["nestingTooDeep"])
    #expect(codes("a = b" + many("[0]", 100_000)) == ["nestingTooDeep"])
    #expect(codes(many("(a = 1 OR b = 2 AND ", 120) + "c = 3" + many(")", 120)) == ["nestingTooDeep"])
    #expect(codes(many("(a = 1 AND ", 120) + "c = 3" + many(")", 120)) == [])
  }

  @Test func sizes() {
    #expect(codes("a = '" + many("x", 1 << 20) + "'") == ["textTooLong"])
    #expect(codes("a = '" + many("x", (1 << 20) - 8) + "'") == [])
    #expect(codes("a IN {" + many("1, ", 65_535) + "1}") == [])
    #expect(codes("a IN {" + many("1, ", 65_536) + "1}") == ["listTooLong"])
    #expect(codes(many("a = 1 OR ", 1_000) + "a = 1") == [])
    #expect(codes(many("a = 1 OR ", 10_000) + "a = 1") == ["tooManyNodes"])
    #expect(codes("a = " + many("9", 1_000_000)) == ["integerOutOfRange"])
    #expect(codes("a = 0." + many("9", 1_000_000)) == [])
    #expect(codes(many("a", 500_000) + " = 1") == [])
    #expect(codes("a" + many(".b", 200_000) + " = 1") == [])
    var limits = SyntaxLimits()
    limits.stringLength = 3
    #expect(codes("a = 'abc'", limits: limits) == [])
    #expect(codes("a = 'abcd'", limits: limits) == ["stringTooLong"])
    limits.textLength = .max
    limits.nesting = 0
    #expect(codes("a = 1", limits: limits) == ["nestingTooDeep"])
  }

  @Test func manyMistakesEndTheReading() {
    let size = TestAmount.of(2_500, long: 10_000)
    for text in ["lenght(a),", "size,", "CAST('', 'CLLocation'),", "now(1),", "9223372036854775808,"] {
      let found = codes("a IN {" + many(text, 4 * size) + "1}")
      #expect(found.count == Diagnostic.most, "\(text)")
    }
    #expect(codes("a" + many(".in", 10 * size) + " = 1").count == Diagnostic.most)
    #expect(codes(many(")", 50 * size)).count == Diagnostic.most)
    #expect(codes(many("<+1,+1> +/- 1m (", 5 * size)).count == Diagnostic.most)
    #expect(codes(many("\u{201C} ", 20 * size)).count == Diagnostic.most)
  }

  @Test func longArguments() throws {
    var parser = PredicateParser()
    parser.limits.stringLength = 10
    parser.limits.listElements = 2
    #expect(throws: SyntaxError.self) { try parser.parse("a = %@", arguments: ["12345678901"]) }
    #expect(throws: SyntaxError.self) { try parser.parse("%K = 1", arguments: ["a2345678901"]) }
    #expect(throws: SyntaxError.self) { try parser.parse("a IN %@", arguments: [[1, 2, 3]]) }
    _ = try parser.parse("a IN %@ AND b = %@", arguments: [[1, 2], "1234567890"])
  }

  @Test func constantsCountWhereverTheyStand() throws {
    func code(_ text: String, _ arguments: [(any PredicateArgument)?]) -> String? {
      do throws(SyntaxError) {
        _ = try PredicateParser().parse(text, arguments: arguments)
        return nil
      } catch {
        return error.diagnostics.map(\.code).joined(separator: ",")
      }
    }
    func mentions(_ count: Int) -> String { Array(repeating: "a IN %@", count: count).joined(separator: " OR ") }
    let numbers = Array(0..<65_536)
    #expect(code(mentions(8), Array(repeating: numbers, count: 8)) == nil)
    #expect(code(mentions(9), Array(repeating: numbers, count: 9)) == "tooManyConstants")
    #expect(code(mentions(400), Array(repeating: numbers, count: 400)) == "tooManyConstants")
    let text = many("x", 1 << 20)
    #expect(code(mentions(31), Array(repeating: [text], count: 31)) == nil)
    #expect(code(mentions(32), Array(repeating: [text], count: 32)) == "tooManyConstants")
    // Lists that share their parts end as well.
    var nested = ArgumentValue.list([.literal(.string(text))])
    for _ in 0..<20 { nested = .list([nested, nested]) }
    #expect(code("a IN %@", [nested]) == "tooManyConstants")
    // A text that holds its constants itself is never too much by default.
    let ones = "{" + many("1,", 65_000) + "1}"
    #expect(code(many("a IN \(ones) OR ", 7) + "a IN \(ones)", []) == nil)
    var limits = SyntaxLimits()
    limits.constantBytes = 3 * 64
    #expect(codes("a IN {1, 2, 3}", limits: limits) == [])
    #expect(codes("a IN {1, 2} OR b IN {3, 4}", limits: limits) == ["tooManyConstants"])
    #expect(codes("a IN {1, 2} OR b = 'x'", limits: limits) == ["tooManyConstants"])
  }

  @Test func passedKeysCountWhereverTheyArePassed() throws {
    func codes(_ text: String, _ arguments: [String], limits: SyntaxLimits = SyntaxLimits()) -> [String] {
      do throws(SyntaxError) {
        _ = try PredicateParser(limits: limits).parse(text, arguments: arguments)
        return []
      } catch { return error.diagnostics.map(\.code) }
    }
    var limits = SyntaxLimits()
    limits.constantBytes = 1 << 20
    func uses(_ count: Int, of key: String, joinedBy separator: String) -> [String] {
      let text = Array(repeating: separator == "." ? "%K" : "%K = 1", count: count).joined(separator: separator)
      return codes(separator == "." ? text + " = 1" : text, Array(repeating: key, count: count), limits: limits)
    }
    let (long, path) = (many("a", 1 << 18), many("a.", 1 << 12) + "a")
    for separator in [" AND ", "."] {
      for key in [long, path] {
        #expect(uses(3, of: key, joinedBy: separator) == [])
        #expect(uses(4, of: key, joinedBy: separator) == ["tooManyConstants"])
        #expect(uses(1_300, of: key, joinedBy: separator) == ["tooManyConstants"])
      }
    }
    // The names of one key are too many where each takes 64.
    #expect(codes("%K = 1", [many("a.", 1 << 19) + "a"]) == ["invalidKey"])
    #expect(codes("%K = 1", [many("a.", (1 << 19) - 1) + "a"]) == ["tooManyConstants"])
    // Three names and a constant.
    limits.constantBytes = 4 * 64 + 6
    #expect(codes("%K = 1", ["ab.cd.ef"], limits: limits) == [])
    #expect(codes("%K.%K.%K = 1", ["ab", "cd", "ef"], limits: limits) == [])
    #expect(codes("%K = 1", ["ab.cd.efg"], limits: limits) == ["tooManyConstants"])
    #expect(codes("ab.cd.efg.%K = 1", ["hi"], limits: limits) == [])
    limits.constantBytes = 64
    let parser = PredicateParser(limits: limits)
    let error = #expect(throws: SyntaxError.self) { try parser.parse("a = b.%K", arguments: ["c"]) }
    #expect(error?.diagnostics.first?.range == SourceRange(6, 8))
    #expect(error?.diagnostics.first?.hint == SyntaxLimits.shorterKeys)
  }

  @Test func unicode() {
    #expect(codes("a = '" + many("\u{301}", 300_000) + "'") == [])
    #expect(codes("a" + many("\u{301}", 300_000) + " = 1") == [])
    #expect(codes("a = '\u{0}\u{FEFF}\u{202E}\u{10FFFF}'") == [])
    #expect(codes("\u{FEFF}a = 1") == ["unexpectedCharacter"])
    #expect(codes("a\u{A0}=\u{3000}1\u{2028}") == [])
    #expect(codes("😀 = 1") == ["unexpectedCharacter"])
    #expect(printed("é = 1") == "é == 1")
    #expect(
      printed("a = '\\u0000\\ud83d\\ude00\\x41\\101\\q'").utf8.elementsEqual(#"a == "\u0000😀AAq""#.utf8))
    let composed = printed("a = 'é'")
    let decomposed = printed("a = 'e\u{301}'")
    #expect(!composed.utf8.elementsEqual(decomposed.utf8))
  }

  @Test func doublesAreReadExactly() {
    #expect(printed("a = 9223372036854775807") == "a == 9223372036854775807")
    #expect(printed("a = 9.223372036854775808e18") == "a == 9.223372036854776e+18")
    #expect(printed("a = -9.223372036854775808e18") == "a == -9223372036854775808")
    #expect(printed("a = --9223372036854775808") == "a == 9.223372036854776e+18")
    #expect(printed("a = -0.0") == "a == 0")
    #expect(printed("a = 5e-324") == "a == 5e-324")
    #expect(printed("a = 1e-400") == "a == 0")
    #expect(printed("a = CAST('-infinity', 'NSNumber')") == #"a == CAST("-infinity", "NSNumber")"#)
  }

  @Test func datesAreReadExactly() {
    func date(_ text: String) -> String { printed("a = CAST(\(text), 'NSDate')") }
    #expect(date("0") == #"a == CAST(0.000000, "NSDate")"#)
    #expect(date("1.2345") == #"a == CAST(1.235000, "NSDate")"#)
    #expect(date("-1.2345") == #"a == CAST(-1.234000, "NSDate")"#)
    #expect(date("-1.23450001") == #"a == CAST(-1.235000, "NSDate")"#)
    #expect(date("-0.0004") == #"a == CAST(0.000000, "NSDate")"#)
    #expect(date("9223371058547575.807000") == #"a == CAST(9223371058547575.807000, "NSDate")"#)
    #expect(date("9223371058547575.808000") == "invalidCast@9")
    #expect(date("1e3") == #"a == CAST(1000.000000, "NSDate")"#)
    #expect(date("9223372036854775807") == "invalidCast@9")
    let least = PredicateNode.comparison(
      ComparisonNode(
        nil, .key(KeyNode("a")), .equal, .literal(LiteralNode(.date(milliseconds: .min)))))
    #expect(printed(least.predicateFormat) == least.predicateFormat)
  }
}
