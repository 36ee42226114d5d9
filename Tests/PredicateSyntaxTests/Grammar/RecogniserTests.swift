import Testing

@testable import PredicateSyntax

/// The grammar file, interpreted, against the parser written by hand.
@Suite struct RecogniserTests {
  let predicates: PredicateGrammar

  init() throws { predicates = try #require(PredicateGrammar.shared) }

  /// Any grammar will do: an ambiguous one, one with empty productions, one that recurs on both sides.
  @Test func recognisesAnyGrammar() throws {
    let balanced = try EBNFGrammar(#"s = [ s, "a", s, "b" ] ; "#)
    let recogniser = EarleyRecogniser(balanced, root: "s", terminals: [])
    func accepts(_ text: String) -> Bool { recogniser.accepts(text.map { [String($0)] }) }
    for text in ["", "ab", "aabb", "abab", "aababb"] { #expect(accepts(text), "\(text)") }
    for text in ["a", "b", "ba", "aab", "abba", "abx"] { #expect(!accepts(text), "\(text)") }
    let ambiguous = try EBNFGrammar(#"e = e, "+", e | "n" | x ; x = { [ "n" ] }, "n" ; "#)
    let sums = EarleyRecogniser(ambiguous, root: "e", terminals: [])
    #expect(sums.accepts("n+nn+n".map { [String($0)] }))
    #expect(!sums.accepts("n+".map { [String($0)] }))
    let palindrome = try EBNFGrammar(#"p = "a", p, "a" | "b", p, "b" | "a" | "b" ;"#)
    let mirror = EarleyRecogniser(palindrome, root: "p", terminals: [])
    #expect(mirror.accepts("abbabba".map { [String($0)] }))
    #expect(!mirror.accepts("abbaba".map { [String($0)] }))
  }

  @Test func sentencesOfTheGrammarParse() {
    var generator = SentenceGenerator(predicates.grammar, selectors: predicates.selectors, seed: 20_161)
    let parser = PredicateParser()
    var checks = 0
    var refused = 0
    var failures = 0
    for round in 0..<TestAmount.of(4_000, long: 60_000) {
      let text = generator.sentence(depth: 14 + round % 30)
      guard text.utf8.count < 1_500, let tokens = predicates.scanner.tokens(text) else {
        if text.utf8.count < 1_500 { failures += 1 }
        continue
      }
      checks += 1
      do {
        let read = try parser.parse(text, values: predicates.arguments(for: tokens))
        let again = try parser.parse(read.root.predicateFormat)
        if again.root == read.root { continue }
        Issue.record("\(text)\nprints as \(read.root.predicateFormat)")
      } catch {
        if error.diagnostics.allSatisfy({ predicates.afterPass.contains($0.code) }) {
          refused += 1
          continue
        }
        if failures < 5 { Issue.record("\(text)\n\(error)") }
      }
      failures += 1
    }
    print("sentences of the grammar: \(checks) checks, \(refused) of them refused after it")
    #expect(checks >= TestAmount.of(3_500, long: 50_000))
    #expect(refused < checks / 8)
    #expect(failures == 0)
  }

  static let pieces = [
    "(", ")", "[", "]", "{", "}", ",", ".", ":", ":=", "=", "==", "!=", "<", ">", "<<", "-", "~", "**", "&", "&&", "|",
    "||", "!", "NOT", "AND", "OR", "IN", "ANY", "BETWEEN", "CONTAINS", "SELF", "nil", "TRUEPREDICATE", "FIRST", "SIZE",
    "SUBQUERY", "CAST", "TERNARY", "FUNCTION", "a", "b.c", "#in", "@count", "$x", "1", "0x1F", "1.5", ".5", "1.", "'x'",
    "\"y\"", "'", "\\", "%", "%@", "%K", "%d", "%ld", "sum", "now()", "[c]", "[cd]", "[cc]", "(a)", "{1, 2}", "in", "é",
    "9223372036854775808", "UTI-EQUALS", "?", "#", "-9223372036854775808", "union", "tokenize:using:(a, 'cdl')", "e5",
    "(a = 1)", "a = 1", "0b2", "[0]", "[LAST]", "$v := 1", "1..2", "NOT IN", "(1, 2)", "\u{A0}",
  ]

  /// Changes sentences by tokens and by characters.
  private func mutated(_ text: String, _ generator: inout SentenceGenerator) -> String {
    var result = text
    for _ in 0..<(generator.random.below(4) == 0 ? 2 : 1) {
      if generator.random.below(3) > 0, let tokens = predicates.scanner.tokens(result), !tokens.isEmpty {
        var texts = tokens.map(\.text)
        let place = generator.random.below(texts.count)
        switch generator.random.below(5) {
        case 0: texts.remove(at: place)
        case 1: texts.insert(generator.random.pick(Self.pieces), at: place)
        case 2: texts[place] = generator.random.pick(Self.pieces)
        case 3: texts.swapAt(place, generator.random.below(texts.count))
        default: texts[place] = texts[generator.random.below(texts.count)]
        }
        result = generator.joined(texts)
      } else {
        var scalars = Array(result.unicodeScalars)
        let place = generator.random.below(scalars.count + 1)
        switch generator.random.below(3) {
        case 0 where place < scalars.count: scalars.remove(at: place)
        case 1 where place < scalars.count: scalars[place] = Unicode.Scalar(UInt8(32 + generator.random.below(95)))
        default: scalars.insert(contentsOf: generator.random.pick(Self.pieces).unicodeScalars, at: place)
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        result = String(view)
      }
    }
    return result
  }

  @Test func grammarAndParserAgreeOnMutatedSentences() {
    var generator = SentenceGenerator(predicates.grammar, selectors: predicates.selectors, seed: 511)
    let seeds = CorpusFile.all.flatMap(\.cases).map(\.input).filter { $0.utf8.count < 200 }
    let wanted = TestAmount.of(5_000, long: 200_000)
    var checks = 0
    var accepted = 0
    var failures = 0
    while checks < wanted {
      let isSeed = !seeds.isEmpty && generator.random.below(3) == 0
      let text = mutated(
        isSeed ? generator.random.pick(seeds) : generator.sentence(depth: 14 + checks % 16), &generator)
      if text.utf8.count > 400 { continue }
      let (message, isAccepted) = predicates.disagreement(text)
      checks += 1
      if isAccepted { accepted += 1 }
      if let message {
        failures += 1
        if failures <= 12 { Issue.record("\(message): \(text)") }
      }
    }
    print("grammar against parser: \(checks) checks, \(accepted) of them sentences, \(failures) disagreements")
    #expect(checks >= wanted)
    #expect(accepted > checks / 8)
    #expect(failures == 0)
  }

  @Test func grammarAndParserAgreeOnTheCorpus() {
    var checks = 0
    for file in CorpusFile.all {
      for item in file.cases {
        let (message, _) = predicates.disagreement(item.input, values: item.arguments)
        if let message { Issue.record("\(file.name): \(message): \(item.input)") }
        checks += 1
      }
    }
    print("grammar against parser on the corpus: \(checks) checks")
    #expect(checks >= 650)
  }
}
