/// A token as the grammar file tells tokens apart.
struct GrammarToken {
  /// What it is in the productions above the tokens: `identifier`, `"AND"`, `"("`; more than one where the file says so.
  var classes: [String]
  var text: String
}

/// Cuts text into tokens by interpreting the productions below `token`, character by character and with no regard to
/// speed: at each place the longest, and of two of one length a word before an identifier.
struct GrammarScanner: Sendable {
  private let grammar: EBNFGrammar
  /// The names of the kinds of token.
  let kinds: [String]
  private let firsts: [String: Set<Unicode.Scalar>?]

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
    self.grammar = grammar
    kinds = grammar["token"]?.names ?? []
    var firsts: [String: Set<Unicode.Scalar>?] = [:]
    for kind in kinds { firsts[kind] = Self.firsts(.name(kind), grammar) }
    self.firsts = firsts
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
      for kind in kinds {
        if let firsts = firsts[kind] ?? nil, !firsts.contains(scalars[position]) { continue }
        guard let longest = ends(.name(kind), position, scalars).max(), longest > position else { continue }
        if longest > end {
          end = longest
          found = [kind]
        } else if longest == end {
          found.append(kind)
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

  /// Where a reading of `node` that begins at `start` may end.
  private func ends(_ node: EBNF, _ start: Int, _ scalars: [Unicode.Scalar]) -> [Int] {
    switch node {
    case .terminal(let text):
      var index = start
      let isWord = text.utf8.count > 1 && text.utf8.allSatisfy { ($0 >= 0x41 && $0 <= 0x5A) || $0 == 0x2D }
      for wanted in text.unicodeScalars {
        guard index < scalars.count, same(scalars[index], wanted, isWord: isWord) else { return [] }
        index += 1
      }
      return [index]
    case .special(let name):
      if let holds = Self.conditions[name] {
        return holds(start < scalars.count ? scalars[start] : nil) ? [start] : []
      }
      guard start < scalars.count, let holds = Self.classes[name], holds(scalars[start]) else { return [] }
      return [start + 1]
    case .name(let name): return grammar[name].map { ends($0, start, scalars) } ?? []
    case .sequence(let parts):
      var places = [start]
      for part in parts {
        var next: [Int] = []
        for place in places {
          for end in ends(part, place, scalars) where !next.contains(end) { next.append(end) }
        }
        if next.isEmpty { return [] }
        places = next
      }
      return places
    case .choice(let parts):
      var all: [Int] = []
      for part in parts {
        for end in ends(part, start, scalars) where !all.contains(end) { all.append(end) }
      }
      return all
    case .option(let part):
      return [start] + ends(part, start, scalars).filter { $0 != start }
    case .repetition(let part):
      var all: Set<Int> = [start]
      var work = [start]
      while let place = work.popLast() {
        for end in ends(part, place, scalars) where all.insert(end).inserted { work.append(end) }
      }
      return all.sorted()
    case .exception(let part, let other):
      let refused = ends(other, start, scalars)
      return ends(part, start, scalars).filter { !refused.contains($0) }
    }
  }

  /// Words are read in any letter case, single letters as they stand.
  private func same(_ scalar: Unicode.Scalar, _ wanted: Unicode.Scalar, isWord: Bool) -> Bool {
    if scalar == wanted { return true }
    return isWord && wanted != "-" && scalar.value == wanted.value | 0x20
  }
}
