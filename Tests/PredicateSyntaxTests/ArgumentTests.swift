import Testing

@testable import PredicateSyntax

@Suite struct ArgumentTests {
  @Test func values() {
    #expect(printed("%@ = %@", "a", "b") == #""a" == "b""#)
    #expect(printed("%K = %@ AND start > %@", "city", "Seoul", 5) == #"city == "Seoul" AND start > 5"#)
    #expect(printed("a = %@ AND b = %@ AND c = %@", true, 2.0, nil) == "a == 1 AND b == 2 AND c == nil")
    #expect(
      printed("a IN %@ AND b IN %@", [1, 2], Set(["b", "a", "c"])) == #"a IN {1, 2} AND b IN {"a", "b", "c"}"#
    )
    #expect(
      printed("a IN %@", Set([3, -1, 2, .min, .max]))
        == "a IN {-9223372036854775808, -1, 2, 3, 9223372036854775807}")
    #expect(printed("a = %@", Optional<Int>.none) == "a == nil")
    #expect(printed("a = %@", Optional<Int>.some(3)) == "a == 3")
    #expect(printed("a = %@", Substring("x")) == #"a == "x""#)
    #expect(printed("a = %@ AND b = %@", Float(0.5), UInt64(7)) == "a == 0.5 AND b == 7")
    #expect(printed("a IN %@", [[1], []]) == "a IN {{1}, {}}")
    #expect(printed("a = '%@ %K $v'") == #"a == "%@ %K $v""#)
    #expect(printed("a = %@", Literal.double(3)) == "a == 3")
    #expect(
      printed("a = %@", Literal.date(milliseconds: 978_307_200_001)) == #"a == CAST(0.001000, "NSDate")"#)
    #expect(
      printed("a = %@", ArgumentValue.literal(.double(.infinity))) == #"a == CAST("infinity", "NSNumber")"#)
  }

  /// Sets of lists that share their parts, and so stand for more than can be written down, end in an error.
  @Test func setsOfLists() {
    #expect(printed("a IN %@", Set([[2, 1], [1], [1, 2]])) == "a IN {{1}, {1, 2}, {2, 1}}")
    // Whatever separates texts can be in one.
    for capacity in 0..<200 {
      var set: Set<[String]> = []
      set.reserveCapacity(capacity)
      for list in [["a\0\u{1}\"b"], ["a", "b"], ["a\0"], ["a"], ["a", ""]] { set.insert(list) }
      #expect(
        printed("a IN %@", set)
          == #"a IN {{"a"}, {"a", ""}, {"a", "b"}, {"a\u0000"}, {"a\u0000\u0001\"b"}}"#)
    }
    var doubled = ArgumentValue.list([.literal(.integer(1))])
    var deep = doubled
    for _ in 0..<40 { doubled = .list([doubled, doubled]) }
    for _ in 0..<5_000 { deep = .list([deep]) }
    for value in [doubled, deep] {
      // The set itself would hash what it holds, all of it.
      guard case .unsupported(let reason) = Set([Opaque(value: value)]).predicateArgument else {
        Issue.record("the set was taken")
        continue
      }
      #expect(reason.contains("than a predicate may"))
    }
    #expect(Set([Opaque(value: .unsupported("no"))]).predicateArgument == .list([.unsupported("no")]))
  }

  private struct Opaque: PredicateArgument, Hashable {
    let value: ArgumentValue
    var predicateArgument: ArgumentValue { value }
    static func == (left: Opaque, right: Opaque) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  @Test func keys() {
    #expect(printed("%K = 1", "a.b") == "a.b == 1")
    #expect(printed("%K.%K = 1 AND x.%K = 2", "a.b", "c", "d") == "a.b.c == 1 AND x.d == 2")
    #expect(printed("%K[0] = 1", "size") == "#size[0] == 1")
    #expect(printed("%K = 1", "g.@count") == "g.@count == 1")
    for name in ["a-b", "first name", "", ".", "a.", ".a", "a..b", "@", "1a", "#in", "a[0]", "a\u{0}"] {
      #expect(printed("%K = 1", name) == "invalidKey@0", "\(name)")
    }
    #expect(printed("%K = 1", 5) == "keyArgument@0")
    #expect(printed("%K = 1", nil) == "keyArgument@0")
  }

  @Test func everyNumberConversion() {
    for modifier in ["", "hh", "h", "l", "ll", "q", "L", "z", "t", "j"] {
      for letter in "dDiuUxXoOcC" {
        #expect(printed("a = %\(modifier)\(letter)", 65) == "a == 65")
      }
    }
    for modifier in ["", "l", "L"] {
      for letter in "fFeEgGaA" {
        #expect(printed("a = %\(modifier)\(letter)", 1.5) == "a == 1.5")
      }
    }
    #expect(printed("a = %hhf", 1.5) == "unknownConversion@4")
    #expect(printed("a = %l@", 1.5) == "unknownConversion@4")
    #expect(printed("a = %d", 3.0) == "a == 3")
    #expect(printed("a = %f", 3) == "a == 3")
  }

  @Test func mistakes() {
    #expect(printed("a = %@") == "missingArgument@4")
    #expect(printed("a = %@ AND b = %@ AND c = %d", 1) == "missingArgument@15 missingArgument@26")
    #expect(printed("%K = 1") == "missingArgument@0")
    #expect(printed("a = %d", "x") == "argumentType@4")
    #expect(printed("a = %d", 1.5) == "argumentType@4")
    #expect(printed("a = %f", "x") == "argumentType@4")
    #expect(printed("a = %d", nil) == "argumentType@4")
    #expect(printed("a = %d", [1]) == "argumentType@4")
    #expect(printed("a = %@", Double.nan) == "unsupportedArgument@4")
    #expect(printed("a = %f", Double.nan) == "unsupportedArgument@4")
    #expect(printed("a = %@", Literal.double(.nan)) == "unsupportedArgument@4")
    #expect(printed("a = %@", UInt64.max) == "unsupportedArgument@4")
    #expect(printed("a = %@", Literal.location(latitude: 91, longitude: 0)) == "unsupportedArgument@4")
    #expect(printed("a IN %@", [1.0, .nan]) == "unsupportedArgument@5")
    #expect(diagnostics("a = %@").first?.stage == .arguments)
  }

  @Test func surplusArgumentsAreAWarning() throws {
    let parsed = try PredicateParser().parse("a = %@", arguments: [1, 2, 3])
    #expect(parsed.warnings.map(\.code) == ["surplusArguments"])
    #expect(try PredicateParser().parse("a = %@", arguments: [1]).warnings.isEmpty)
    let date = try PredicateParser().parse("a > 2016-05-11")
    #expect(date.warnings.map(\.code) == ["dateAsArithmetic"])
  }

  @Test func nestedListsAreLimited() {
    var value = ArgumentValue.literal(.integer(1))
    for _ in 0..<100 { value = .list([value]) }
    #expect(diagnostics("a IN %@", [value]).isEmpty)
    for _ in 0..<10_000 { value = .list([value]) }
    #expect(diagnostics("a IN %@", [value]).map(\.code) == ["nestingTooDeep"])
  }
}
