import Testing

@testable import PredicateSyntax

/// The grammar files against the sources and the operator table.
@Suite struct GrammarFileTests {
  let predicates: PredicateGrammar

  init() throws { predicates = try #require(PredicateGrammar.shared) }

  @Test func everyNameIsDefinedAndUsed() {
    let grammar = predicates.grammar
    let defined = Set(grammar.productions.map(\.name))
    for production in grammar.productions {
      for name in production.body.names { #expect(defined.contains(name), "\(name) in \(production.name)") }
      #expect(!production.readers.isEmpty, "\(production.name) names no function that reads it")
      for special in production.body.specials {
        #expect(
          GrammarScanner.classes[special] != nil || GrammarScanner.conditions[special] != nil, "\(special)")
      }
    }
    let used = grammar.reachable(from: "predicate").union(grammar.reachable(from: "token"))
    #expect(defined.subtracting(used).isEmpty, "\(defined.subtracting(used)) is used nowhere")
    #expect(grammar.productions.count >= 60)
  }

  /// The functions a type declares: `Parser.group`, with the line that declares each.
  private func functions(in folder: String, of type: String) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for file in RepositoryFiles.names(in: folder, ending: ".swift") where file.hasPrefix(type) {
      let lines = RepositoryFiles.text(folder + "/" + file)?.split(separator: "\n") ?? []
      for (row, line) in lines.enumerated() {
        guard let start = line.range(of: "func ") else { continue }
        let name = line[start.upperBound...].prefix { $0.isLetter || $0.isNumber }
        // The declaration may go on in the lines after its first.
        var declaration = String(line)
        var next = row + 1
        while !declaration.hasSuffix("{"), !declaration.hasSuffix("}"), next < lines.count {
          declaration += " " + lines[next]
          next += 1
        }
        found["\(type).\(name)", default: []].append(declaration)
      }
    }
    return found
  }

  @Test func everyReaderExistsAndEveryFunctionReads() {
    let parser = functions(in: "Sources/PredicateSyntax/Parser", of: "Parser")
    let lexer = functions(in: "Sources/PredicateSyntax/Lexer", of: "Lexer")
    let rules = functions(in: "Sources/PredicateSyntax/Lexer", of: "IdentifierRules")
    let all = Set(parser.keys).union(lexer.keys).union(rules.keys)
    let readers = Set(predicates.grammar.productions.flatMap(\.readers))
    let helpers = Set(predicates.grammar.entries("helper").flatMap { $0 })
    for name in readers.union(helpers) { #expect(all.contains(name), "there is no function \(name)") }
    #expect(readers.isDisjoint(with: helpers))
    #expect(parser.count > 50 && lexer.count > 25)
    let reading =
      Array(parser.filter { $0.value.contains { $0.contains("throws(Abandoned)") } }.keys)
      + Array(lexer.filter { $0.value.contains { $0.contains("mutating func") } }.keys)
    for name in reading {
      #expect(readers.contains(name) || helpers.contains(name), "\(name) reads no production")
    }
  }

  /// What the parser refuses for its limits the grammar's file names: no sentence of a test is as long.
  @Test func limitsAreNamed() throws {
    for code in ["textTooLong", "stringTooLong", "nestingTooDeep", "tooManyNodes", "listTooLong", "tooManyConstants"] {
      #expect(predicates.afterPass.contains(code), "\(code) is not among the refusals after the grammar")
    }
  }

  @Test func schemaReadersExist() throws {
    let text = try #require(RepositoryFiles.text("Grammar/Schema.ebnf"))
    let grammar = try EBNFGrammar(text)
    let defined = Set(grammar.productions.map(\.name))
    for production in grammar.productions {
      for name in production.body.names { #expect(defined.contains(name), "\(name) in \(production.name)") }
    }
    #expect(grammar.productions.count > 10)
    let folder = "Sources/ZoneQuery/Schema"
    let sources = RepositoryFiles.names(in: folder, ending: ".swift").compactMap { name in
      RepositoryFiles.text(folder + "/" + name).map { (name, $0) }
    }
    for reader in Set(grammar.productions.flatMap(\.readers)) {
      let parts = reader.split(separator: ".")
      guard parts.count == 2 else {
        Issue.record("\(reader) is no function of a type")
        continue
      }
      let isThere = sources.contains { name, text in
        name.hasPrefix(parts[0]) && (text.contains("func \(parts[1])(") || text.contains("var \(parts[1]):"))
      }
      #expect(isThere, "there is no function \(reader)")
    }
  }

  // MARK: The operator table

  private func terminals(_ production: String) -> Set<String> {
    Set(predicates.grammar[production]?.terminals ?? [])
  }

  @Test func terminalsAreThoseOfTheTable() {
    let relations = OperatorTable.comparisons.filter { $0.comparison.rawValue.first?.isLetter != true }
    #expect(terminals("relation") == Set(relations.flatMap(\.spellings)))
    let words = OperatorTable.comparisons.filter { $0.comparison.rawValue.first?.isLetter == true }
    #expect(terminals("word-operator") == Set(words.filter(\.takesOptions).flatMap(\.spellings)))
    #expect(terminals("operator") == Set(words.filter { !$0.takesOptions }.flatMap(\.spellings)))
    #expect(terminals("or") == Set(OperatorTable.facts(of: .or).spellings))
    #expect(terminals("and") == Set(OperatorTable.facts(of: .and).spellings))
    #expect(terminals("not") == Set(OperatorTable.facts(of: .not).spellings))
    #expect(terminals("comparison") == Set(OperatorTable.aggregates.map(\.word.rawValue)))
    #expect(terminals("unary") == Set(OperatorTable.unary.map(\.operation.rawValue)))
    let letters = OperatorTable.options.map { String($0.letter) }
    #expect(terminals("option-letter") == Set(letters + letters.map { $0.uppercased() }))
    #expect(terminals("word") == Set(OperatorTable.words.map(\.spelling)))
    #expect(terminals("soft-word") == Set(OperatorTable.words.filter { !$0.role.isOperator }.map(\.spelling)))
    let indexes = OperatorTable.words.filter { if case .index = $0.role { true } else { false } }
    #expect(terminals("index") == Set(indexes.map(\.spelling) + ["[", "]"]))
    let constants = OperatorTable.words.filter {
      switch $0.role {
      case .constant, .selfReference: true
      default: false
      }
    }
    #expect(terminals("constant") == Set(constants.map(\.spelling)))
    let constantPredicates = OperatorTable.words.filter { if case .predicate = $0.role { true } else { false } }
    #expect(terminals("primary") == Set(constantPredicates.map(\.spelling)))
    let forms = OperatorTable.words.filter { $0.role == .form }
    let written = ["subquery", "ternary", "cast", "custom-function"].flatMap { terminals($0) }
    #expect(Set(written) == Set(forms.map(\.spelling) + ["(", ")", ","]))
    #expect(predicates.selectors == OperatorTable.functions.map(\.selector))
  }

  /// The productions of binary operators, loosest first, are the table's levels of precedence.
  @Test func precedenceIsThatOfTheTable() {
    let levels = ["bit-or", "bit-xor", "bit-and", "shift", "sum", "product", "power"]
    for (row, name) in levels.enumerated() {
      let expected = OperatorTable.arithmetic.filter { $0.precedence == row + 1 }.map(\.operation.rawValue)
      #expect(terminals(name) == Set(expected), "\(name)")
      let tighter = row + 1 < levels.count ? levels[row + 1] : "unary"
      #expect(Set(predicates.grammar[name]?.names ?? []) == [tighter], "\(name)")
    }
    #expect(OperatorTable.unary.allSatisfy { $0.precedence == levels.count + 1 })
    #expect(OperatorTable.logical.map(\.precedence) == [2, 1, 3])
  }

  @Test func everySignIsASign() {
    let signs = terminals("sign")
    let syntax = predicates.grammar.reachable(from: "predicate", stopping: Set(predicates.scanner.kinds))
    for name in syntax {
      for terminal in predicates.grammar[name]?.terminals ?? [] {
        let isWord = OperatorTable.reservedWord(terminal) != nil
        #expect(isWord || signs.contains(terminal), "\(terminal) in \(name)")
      }
    }
  }

  @Test func theLexerCutsAsTheGrammarDoes() {
    let scanner = predicates.scanner
    let samples = [
      "a.b=1", "a<=b", "a=<b", "x<-1", "1.5.a", "0x1F.a", "a==[c].5", "UTI-EQUALS x", "NOT0 and nOt", "$#in:=@count",
      "'a\\'b' \"\\u0041\"", "%@ %lld %Lf %K", "1e5, .5e-3, 10. 0b10", "a&&b||!c", "a**b<<c>>d", "é名前 e\u{301}",
      "#in\u{A0}=\u{2028}1", "a <-1,-2>> 3",
    ]
    for sample in samples {
      let expected = scanner.tokens(sample)?.map(\.text)
      let source = SourceText(sample)
      let found = Lexer.tokenize(source).tokens.dropLast().map { token in
        String(decoding: source.bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
      }
      #expect(expected == found, "\(sample)")
    }
    for sample in ["1a", "1.a", "%lud", "%k", "%", "?", "'a", "'\\u12'", "'\\ud800'", "0x", "0b12", "#", "a#", "1..a"] {
      #expect(scanner.tokens(sample) == nil, "\(sample)")
    }
  }
}

extension Substring {
  /// Where an ASCII text first occurs.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
