/// A token as the grammar file tells tokens apart.
struct GrammarToken {
  /// What it is in the productions above the tokens: `identifier`, `"AND"`, `"("`; more than one where the file says so.
  var classes: [String]
  var text: String
}

/// Cuts text into tokens by interpreting the productions below `token`, character by character: at each place the
/// longest, and of two of one length a word before an identifier.
struct GrammarScanner: Sendable {
  /// A part of a production, its names looked up.
  private indirect enum Rule: Sendable {
    case text([Unicode.Scalar], isWord: Bool)
    /// A character of a class.
    case character(@Sendable (Unicode.Scalar) -> Bool)
    /// Nothing, where this holds of what follows.
    case condition(@Sendable (Unicode.Scalar?) -> Bool)
    case production(Int)
    case sequence([Rule])
    /// The parts by the characters they may begin with, and those that may begin with any.
    case choice([Unicode.Scalar: [Rule]], others: [Rule])
    case option(Rule)
    case repetition(Rule)
    case exception(Rule, Rule)
    /// A production or a class that is not there.
    case never
  }

  /// The names of the kinds of token.
  let kinds: [String]
  /// The rules of the kinds, and the characters they may begin with; `nil` where these are a class.
  private let tokenRules: [(rule: Rule, firsts: Set<Unicode.Scalar>?)]
  private let rules: [Rule]

  static let conditions: [String: @Sendable (Unicode.Scalar?) -> Bool] = [
    "no name character follows": { !($0.map(isName) ?? false) },
    "neither a name character nor a point follows": { !($0.map(isName) ?? false) && $0 != "." },
  ]

  static let classes: [String: @Sendable (Unicode.Scalar) -> Bool] = [
    "a blank: White_Space": { $0.properties.isWhitespace },
    "beyond ASCII: XID_Start": { !$0.isASCII && $0.properties.isXIDStart },
    "beyond ASCII: XID_Continue": { !$0.isASCII && $0.properties.isXIDContinue },
    "A to Z, a to z": { $0.isASCII && $0.properties.isAlphabetic },
    "any character but ' \" \\": { $0 != "'" && $0 != "\"" && $0 != "\\" },
    "any character but 0 to 7, u, U, x, X": { !"01234567uUxX".unicodeScalars.contains($0) },
  ]

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
  }

  init(_ grammar: EBNFGrammar) {
    kinds = grammar["token"]?.names ?? []
    var rows: [String: Int] = [:]
    for (row, production) in grammar.productions.enumerated() { rows[production.name] = row }
    rules = grammar.productions.map { Self.rule($0.body, grammar, rows) }
    tokenRules = kinds.map { (Self.rule(.name($0), grammar, rows), Self.firsts(.name($0), grammar)) }
  }

  private static func rule(_ node: EBNF, _ grammar: EBNFGrammar, _ rows: [String: Int]) -> Rule {
    switch node {
    case .terminal(let text):
      let isWord = text.utf8.count > 1 && text.utf8.allSatisfy { ($0 >= 0x41 && $0 <= 0x5A) || $0 == 0x2D }
      return .text(Array(text.unicodeScalars), isWord: isWord)
    case .special(let name):
      if let holds = conditions[name] { return .condition(holds) }
      return classes[name].map { .character($0) } ?? .never
    case .name(let name): return rows[name].map { .production($0) } ?? .never
    case .sequence(let parts): return .sequence(parts.map { rule($0, grammar, rows) })
    case .choice(let parts):
      var byFirst: [Unicode.Scalar: [Rule]] = [:]
      var others: [Rule] = []
      for part in parts {
        let read = rule(part, grammar, rows)
        if let firsts = firsts(part, grammar) {
          for first in firsts { byFirst[first, default: []].append(read) }
        } else {
          others.append(read)
        }
      }
      return .choice(byFirst, others: others)
    case .option(let part): return .option(rule(part, grammar, rows))
    case .repetition(let part): return .repetition(rule(part, grammar, rows))
    case .exception(let part, let other): return .exception(rule(part, grammar, rows), rule(other, grammar, rows))
    }
  }

  /// The characters a token may begin with; `nil` where these are a class.
  private static func firsts(_ node: EBNF, _ grammar: EBNFGrammar) -> Set<Unicode.Scalar>? {
    switch node {
    case .terminal(let text):
      guard let first = text.unicodeScalars.first else { return nil }
      let both = String(first).lowercased() + String(first).uppercased()
      return Set(both.unicodeScalars)
    case .name(let name): return grammar[name].flatMap { firsts($0, grammar) }
    case .special, .option, .repetition, .exception: return nil
    case .sequence(let parts): return parts.first.flatMap { firsts($0, grammar) }
    case .choice(let parts):
      var all: Set<Unicode.Scalar> = []
      for part in parts {
        guard let some = firsts(part, grammar) else { return nil }
        all.formUnion(some)
      }
      return all
    }
  }

  /// The tokens of `text` without its blanks; `nil` where something fits no token.
  func tokens(_ text: String) -> [GrammarToken]? {
    let scalars = Array(text.unicodeScalars)
    var tokens: [GrammarToken] = []
    var position = 0
    while position < scalars.count {
      var end = position
      var found: [String] = []
      for kind in kinds.indices {
        let token = tokenRules[kind]
        if let firsts = token.firsts, !firsts.contains(scalars[position]) { continue }
        var ends = Places()
        add(token.rule, position, scalars, to: &ends)
        guard let longest = ends.list.last, longest > position else { continue }
        if longest > end {
          end = longest
          found = [kinds[kind]]
        } else if longest == end {
          found.append(kinds[kind])
        }
      }
      guard end > position else { return nil }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[position..<end])
      position = end
      if found == ["blank"] { continue }
      let spelling = String(view)
      if found.contains("word") {
        found = [spelling.uppercased()]
      } else if found == ["sign"] {
        found = [spelling]
      }
      tokens.append(GrammarToken(classes: found, text: spelling))
    }
    return tokens
  }

  /// Adds to `ends` where a reading of `rule` that begins at `start` may end.
  private func add(_ rule: Rule, _ start: Int, _ scalars: [Unicode.Scalar], to ends: inout Places) {
    switch rule {
    case .text(let wanted, let isWord):
      guard scalars.count - start >= wanted.count else { return }
      for index in 0..<wanted.count where !same(scalars[start + index], wanted[index], isWord: isWord) { return }
      ends.insert(start + wanted.count)
    case .condition(let holds): if holds(start < scalars.count ? scalars[start] : nil) { ends.insert(start) }
    case .character(let holds): if start < scalars.count, holds(scalars[start]) { ends.insert(start + 1) }
    case .production(let row): add(rules[row], start, scalars, to: &ends)
    case .sequence(let parts):
      var places = Places(start)
      for part in parts {
        var next = Places()
        for place in places.list { add(part, place, scalars, to: &next) }
        if next.list.isEmpty { return }
        places = next
      }
      for place in places.list { ends.insert(place) }
    case .choice(let byFirst, let others):
      if start < scalars.count, let parts = byFirst[scalars[start]] {
        for part in parts { add(part, start, scalars, to: &ends) }
      }
      for part in others { add(part, start, scalars, to: &ends) }
    case .option(let part):
      ends.insert(start)
      add(part, start, scalars, to: &ends)
    case .repetition(let part):
      // A reading ends beyond its beginning or there: what is behind has been read from.
      var places = Places(start)
      var index = 0
      while index < places.list.count {
        add(part, places.list[index], scalars, to: &places)
        index += 1
      }
      for place in places.list { ends.insert(place) }
    case .exception(let part, let other):
      var (read, refused) = (Places(), Places())
      add(part, start, scalars, to: &read)
      add(other, start, scalars, to: &refused)
      for place in read.list where !refused.list.contains(place) { ends.insert(place) }
    case .never: return
    }
  }

  /// Words are read in any letter case, single letters as they stand.
  private func same(_ scalar: Unicode.Scalar, _ wanted: Unicode.Scalar, isWord: Bool) -> Bool {
    if scalar == wanted { return true }
    return isWord && wanted != "-" && scalar.value == wanted.value | 0x20
  }
}

/// Places in a text, each once, in order.
private struct Places {
  var list: [Int]

  init(_ places: Int...) { list = places }

  mutating func insert(_ place: Int) {
    var index = list.count
    while index > 0, list[index - 1] > place { index -= 1 }
    if index == 0 || list[index - 1] < place { list.insert(place, at: index) }
  }
}
