import Testing

@testable import PredicateSyntax

@Suite struct OperatorTableTests {
  @Test func tablesAreComplete() {
    #expect(OperatorTable.comparisons.map(\.comparison) == ComparisonOperator.allCases)
    #expect(OperatorTable.arithmetic.map(\.operation) == ArithmeticOperator.allCases)
    #expect(OperatorTable.unary.map(\.operation) == UnaryOperator.allCases)
    #expect(OperatorTable.logical.map(\.operation) == LogicalOperator.allCases)
    #expect(OperatorTable.aggregates.map(\.word) == QuantifierWord.allCases)
    #expect(OperatorTable.functions.map(\.function) == BuiltinFunction.allCases)
    #expect(OperatorTable.words.map(\.word) == ReservedWord.allCases)
    for comparison in ComparisonOperator.allCases {
      #expect(OperatorTable.facts(of: comparison).comparison == comparison)
    }
    for operation in ArithmeticOperator.allCases {
      #expect(OperatorTable.facts(of: operation).operation == operation)
    }
    for operation in UnaryOperator.allCases {
      #expect(OperatorTable.facts(of: operation).operation == operation)
    }
    for word in QuantifierWord.allCases { #expect(OperatorTable.facts(of: word).word == word) }
    for operation in LogicalOperator.allCases {
      #expect(OperatorTable.facts(of: operation).operation == operation)
    }
    for function in BuiltinFunction.allCases {
      #expect(OperatorTable.facts(of: function).function == function)
    }
  }

  @Test func mirrorsAndComplementsAreSymmetric() {
    for facts in OperatorTable.comparisons {
      if let mirrored = facts.mirrored {
        #expect(OperatorTable.facts(of: mirrored).mirrored == facts.comparison)
      }
      if let complement = facts.complement {
        #expect(OperatorTable.facts(of: complement).complement == facts.comparison)
      }
      #expect((facts.refusal == nil) == !facts.dialects.isEmpty)
    }
    for facts in OperatorTable.functions { #expect((facts.refusal == nil) == !facts.dialects.isEmpty) }
  }

  @Test func everySpellingIsRead() {
    for facts in OperatorTable.comparisons {
      for spelling in facts.spellings + facts.spellings.map({ $0.lowercased() }) {
        #expect(printed("a \(spelling) b") == "a \(facts.comparison.rawValue) b")
      }
    }
    for facts in OperatorTable.arithmetic {
      #expect(printed("a \(facts.operation.rawValue) b == 1") == "a \(facts.operation.rawValue) b == 1")
    }
    for facts in OperatorTable.functions {
      let count = facts.argumentCount.lowerBound
      let arguments = ["a", "b", "c"].prefix(count).joined(separator: ", ")
      let expected = "\(facts.selector)(\(arguments)) == 1"
      #expect(printed("\(facts.selector)(\(arguments)) = 1") == expected)
      #expect(printed("\(facts.shortName ?? facts.selector)(\(arguments)) = 1") == expected)
      if facts.selector.hasSuffix(":") {
        #expect(printed("\(facts.selector.dropLast())(\(arguments)) = 1") == expected)
      }
    }
    #expect(printed("a = 1 aNd b = 2 && c = 3") == "a == 1 AND b == 2 AND c == 3")
    #expect(printed("a = 1 oR b = 2||c = 3") == "a == 1 OR b == 2 OR c == 3")
    #expect(printed("nOt a = 1 or !b = 2") == "NOT a == 1 OR NOT b == 2")
  }

  @Test func everyReservedWordIsEscaped() {
    for facts in OperatorTable.words {
      #expect(OperatorTable.reservedWord(facts.spelling) == facts.word)
      #expect(OperatorTable.reservedWord(facts.spelling.lowercased()) == facts.word)
      #expect(OperatorTable.reservedWord(facts.spelling + "x") == nil)
      #expect(OperatorTable.reservedWord(String(facts.spelling.dropLast())) != facts.word)
      if facts.spelling.contains("-") { continue }
      let text = "#\(facts.spelling) == $#\(facts.spelling)"
      #expect(printed(text) == text)
      #expect(printed("a.#\(facts.spelling) == 1") == "a.#\(facts.spelling) == 1")
      let soft = printed("a.\(facts.spelling) == 1")
      #expect(soft == (facts.role.isOperator ? "reservedWord@2" : "a.#\(facts.spelling) == 1"))
      #expect(diagnostics("\(facts.spelling)x == 1").isEmpty)
    }
  }

  @Test func precedence() {
    let order: [(String, String)] = [
      ("-a ** b * c", "((-a ** b) * c)"), ("a * b + c", "((a * b) + c)"), ("a + b << c", "((a + b) << c)"),
      ("a << b & c", "((a << b) & c)"), ("a & b ^ c", "((a & b) ^ c)"), ("a ^ b | c", "((a ^ b) | c)"),
      ("a ** b ** c", "((a ** b) ** c)"), ("a - b - c", "((a - b) - c)"), ("a / b * c", "((a / b) * c)"),
    ]
    for (left, right) in order { #expect(printed("\(left) == 1") == printed("\(right) == 1")) }
    #expect(printed("NOT a = 1 AND b = 2") == "NOT a == 1 AND b == 2")
    #expect(printed("a = 1 OR b = 2 AND c = 3") == "a == 1 OR (b == 2 AND c == 3)")
  }
}
