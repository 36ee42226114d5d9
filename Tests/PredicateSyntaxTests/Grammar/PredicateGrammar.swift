import Testing

@testable import PredicateSyntax

/// `Grammar/PredicateFormat.ebnf` and the machines that interpret it, read once.
struct PredicateGrammar: Sendable {
  let text: String
  let grammar: EBNFGrammar
  let scanner: GrammarScanner
  let recogniser: EarleyRecogniser
  /// The functions' selectors, as the file lists them.
  let selectors: [String]
  /// The codes of the pass after the grammar.
  let afterPass: Set<String>

  static let shared: PredicateGrammar? = {
    guard let text = RepositoryFiles.text("Grammar/PredicateFormat.ebnf") else { return nil }
    return try? PredicateGrammar(text)
  }()

  init(_ text: String) throws {
    self.text = text
    grammar = try EBNFGrammar(text)
    scanner = GrammarScanner(grammar)
    recogniser = EarleyRecogniser(grammar, root: "predicate", terminals: Set(scanner.kinds))
    selectors = grammar.entries("functions").flatMap { $0 }
    afterPass = Set(grammar.entries("after").compactMap(\.first))
  }

  /// Values for the conversions among `tokens`: text for `%@`, a key for `%K`, numbers for the others.
  func arguments(for tokens: [GrammarToken]) -> [ArgumentValue] {
    tokens.compactMap { token in
      switch token.classes {
      case ["object-conversion"]: .literal(.string("text"))
      case ["key-conversion"]: .literal(.string("a.b"))
      case ["integer-conversion"]: .literal(.integer(7))
      case ["float-conversion"]: .literal(.double(1.5))
      default: nil
      }
    }
  }

  /// What grammar and parser say of one text, where they disagree.
  func disagreement(_ text: String, values: [ArgumentValue]? = nil) -> (message: String?, isAccepted: Bool) {
    let tokens = scanner.tokens(text)
    let isSentence = tokens.map { recogniser.accepts($0.map(\.classes)) } ?? false
    var codes: [String] = []
    do throws(SyntaxError) {
      let read = try PredicateParser().parse(text, values: values ?? arguments(for: tokens ?? []))
      if isSentence, read.root.predicateFormat.isEmpty { codes = ["empty"] }
    } catch {
      codes = error.diagnostics.map(\.code)
    }
    guard isSentence, let tokens else {
      return (codes.isEmpty ? "the parser reads what the grammar refuses" : nil, false)
    }
    let expected = GrammarAfterPass.check(tokens, selectors: selectors)
    if let syntax = codes.first(where: { !afterPass.contains($0) }) {
      return ("the parser says \(syntax), the grammar accepts", true)
    }
    if !expected.isEmpty, codes.isEmpty { return ("\(expected) was not told", true) }
    let known = codes.filter { GrammarAfterPass.codes.contains($0) }
    if expected.isEmpty, let code = known.first { return ("the parser says \(code), which is not so", true) }
    return (nil, true)
  }
}
