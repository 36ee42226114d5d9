@testable import PredicateSyntax

/// Makes sentences of the predicate grammar by choosing among its alternatives.
struct SentenceGenerator {
  let grammar: EBNFGrammar
  let selectors: [String]
  var random: SeededGenerator
  private var heights: [String: Int] = [:]

  init(_ grammar: EBNFGrammar, selectors: [String], seed: UInt64) {
    self.grammar = grammar
    self.selectors = selectors
    random = SeededGenerator(seed: seed)
    for production in grammar.productions { heights[production.name] = 1 << 20 }
    var changes = true
    while changes {
      changes = false
      for production in grammar.productions {
        let height = height(production.body) + 1
        if height < heights[production.name] ?? 0 {
          heights[production.name] = height
          changes = true
        }
      }
    }
  }

  /// How deep the flattest sentence of a part is.
  private func height(_ node: EBNF) -> Int {
    switch node {
    case .terminal, .special, .option, .repetition: 0
    case .name(let name): heights[name] ?? 0
    case .sequence(let parts): parts.map { height($0) }.max() ?? 0
    case .choice(let parts): parts.map { height($0) }.min() ?? 0
    case .exception(let part, _): height(part)
    }
  }

  /// A sentence whose derivation is not much deeper than `depth` productions.
  mutating func sentence(depth: Int) -> String {
    var tokens: [String] = []
    append(.name("predicate"), depth, &tokens)
    return joined(tokens)
  }

  /// Puts tokens together, with blanks wherever two would run into one.
  mutating func joined(_ tokens: [String]) -> String {
    var text = ""
    for token in tokens {
      let isOpen = ["(", "[", "{", ","].contains(token) || token == ")" || token == "]" || token == "}"
      if !isOpen || random.below(2) == 0 { text += random.pick([" ", " ", " ", "  ", "\t", "\n"]) }
      text += token
    }
    return text
  }

  private mutating func append(_ node: EBNF, _ depth: Int, _ tokens: inout [String]) {
    switch node {
    case .terminal(let text): tokens.append(random.below(4) == 0 ? text.lowercased() : text)
    case .special: break
    case .name("call"): call(depth, &tokens)
    case .name(let name):
      if let text = token(name) {
        tokens.append(text)
      } else if let body = grammar[name] {
        append(body, depth - 1, &tokens)
      }
    case .sequence(let parts): for part in parts { append(part, depth, &tokens) }
    case .choice(let parts):
      let fitting = parts.filter { height($0) <= depth }
      if let part = fitting.isEmpty ? parts.min(by: { height($0) < height($1) }) : random.pick(fitting) {
        append(part, depth, &tokens)
      }
    case .option(let part):
      if height(part) <= depth, random.below(2) == 0 { append(part, depth, &tokens) }
    case .repetition(let part):
      var count = 0
      while count < 3, height(part) <= depth, random.below(5) == 0 {
        append(part, depth, &tokens)
        count += 1
      }
    case .exception(let part, _): append(part, depth, &tokens)
    }
  }

  /// A call of a function there is, mostly with as many arguments as it takes.
  private mutating func call(_ depth: Int, _ tokens: inout [String]) {
    let selector = random.pick(selectors)
    var name = selector
    if random.below(3) == 0, selector != "from:subtract:" { name = String(selector.prefix { $0 != ":" }) }
    tokens.append(name)
    tokens.append("(")
    let count = selector.count { $0 == ":" } + (random.below(40) == 0 ? 1 : 0)
    for index in 0..<count {
      if index > 0 { tokens.append(",") }
      append(.name("expression"), depth - 2, &tokens)
    }
    tokens.append(")")
  }

  /// A token of the given kind; `nil` where the name is a production above the tokens.
  private mutating func token(_ name: String) -> String? {
    switch name {
    case "identifier": return identifier()
    case "escaped-identifier": return "#" + random.pick(["in", "AND", "size", "a", "SELF", "first", "é"])
    case "at-identifier": return "@" + random.pick(["count", "sum", "in", "avg"])
    case "variable": return random.pick(["$x", "$y", "$#in", "$name", "$_1"])
    case "option-letters": return random.pick(["c", "d", "cd", "cdl", "n", "Cd", "dcnl", "l"])
    case "object-conversion": return "%@"
    case "key-conversion": return "%K"
    case "integer", "decimal", "string", "integer-conversion", "float-conversion":
      var text: [String] = []
      for _ in 0..<20 {
        text = []
        characters(.name(name), &text)
        // Exponents of three digits are mostly beyond a double.
        if name != "decimal" || text.count < 12 { break }
      }
      return text.joined()
    default: return nil
    }
  }

  private mutating func identifier() -> String {
    let text = random.pick(["a", "b", "name", "start", "x1", "_y", "ORE", "NOT0", "c", "cd", "名前", "é", "UTI", "e5"])
    return text
  }

  /// Characters of a token, from the productions below it.
  private mutating func characters(_ node: EBNF, _ text: inout [String]) {
    switch node {
    case .terminal(let part): text.append(part)
    case .special("any character but ' \" \\"):
      text.append(random.pick(["a", "b", " ", "%", "@", "é", "$", "(", "AND", "\n", "e\u{301}", "😀", "{0}"]))
    case .special("any character but 0 to 7, u, U, x, X"):
      text.append(random.pick(["n", "t", "\\", "'", "\"", "q", "9", "b", "é", "?"]))
    case .special: break
    case .name(let name): if let body = grammar[name] { characters(body, &text) }
    case .sequence(let parts): for part in parts { characters(part, &text) }
    case .choice(let parts): characters(random.pick(parts), &text)
    case .option(let part): if random.below(2) == 0 { characters(part, &text) }
    case .repetition(let part):
      var count = 0
      while count < 8, random.below(3) > 0 {
        characters(part, &text)
        count += 1
      }
    case .exception(let part, _): characters(part, &text)
    }
  }
}
