/// The right side of a production.
indirect enum EBNF: Sendable, Equatable {
  case terminal(String)
  case name(String)
  /// What stands between question marks.
  case special(String)
  case sequence([EBNF])
  case choice([EBNF])
  case option(EBNF)
  case repetition(EBNF)
  case exception(EBNF, EBNF)

  /// Every node, from the outermost on.
  var all: [EBNF] {
    switch self {
    case .terminal, .name, .special: [self]
    case .sequence(let parts), .choice(let parts): [self] + parts.flatMap(\.all)
    case .option(let part), .repetition(let part): [self] + part.all
    case .exception(let part, let other): [self] + part.all + other.all
    }
  }

  var terminals: [String] {
    all.compactMap { node in
      if case .terminal(let text) = node { return text }
      return nil
    }
  }

  var names: [String] {
    all.compactMap { node in
      if case .name(let text) = node { return text }
      return nil
    }
  }

  var specials: [String] {
    all.compactMap { node in
      if case .special(let text) = node { return text }
      return nil
    }
  }
}

/// A grammar file in the notation of ISO/IEC 14977, its comments kept.
struct EBNFGrammar: Sendable {
  struct Production: Sendable {
    let name: String
    let body: EBNF
    /// The functions that read it, as the comment before it says: `Parser.group`.
    let readers: [String]
  }

  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var productions: [Production] = []
  /// The text of every comment.
  private(set) var comments: [String] = []
  private var index: [String: Int] = [:]

  subscript(name: String) -> EBNF? { index[name].map { productions[$0].body } }

  /// The words after `label:` on the lines of the comments that begin with it.
  func entries(_ label: String) -> [[String]] {
    comments.flatMap { comment in
      comment.split(separator: "\n").compactMap { line -> [String]? in
        let words = line.split(separator: " ").map(String.init)
        return words.first == label + ":" ? Array(words.dropFirst()) : nil
      }
    }
  }

  init(_ text: String) throws {
    var reader = EBNFReader(text)
    try reader.read()
    productions = reader.productions
    comments = reader.comments
    for (row, production) in productions.enumerated() {
      if index[production.name] != nil { throw Mistake(description: "\(production.name) is there twice") }
      index[production.name] = row
    }
  }

  /// The productions that can be reached from `root`, itself included; names in `stopping` are not followed.
  func reachable(from root: String, stopping: Set<String> = []) -> Set<String> {
    var seen: Set<String> = [root]
    var work = [root]
    while let name = work.popLast() {
      for next in self[name]?.names ?? [] where !stopping.contains(next) && seen.insert(next).inserted {
        work.append(next)
      }
    }
    return seen
  }
}

/// Reads the notation: `name = a, "b" | [ c ], { d }, ( e ), ? f ? - g ;` and `(* comments *)`.
private struct EBNFReader {
  var productions: [EBNFGrammar.Production] = []
  var comments: [String] = []
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var pendingReaders: [String] = []

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func read() throws {
    try skip()
    while position < scalars.count {
      let name = try identifier()
      try expect("=")
      let body = try choice()
      let readers = pendingReaders
      pendingReaders = []
      try expect(";")
      productions.append(EBNFGrammar.Production(name: name, body: body, readers: readers))
    }
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func fail(_ message: String) -> EBNFGrammar.Mistake {
    let line = scalars[..<min(position, scalars.count)].count { $0 == "\n" } + 1
    return EBNFGrammar.Mistake(description: "line \(line): \(message)")
  }

  /// Skips blanks and comments, which may nest.
  private mutating func skip() throws {
    while let scalar = next {
      if scalar.properties.isWhitespace {
        position += 1
      } else if scalar == "(", position + 1 < scalars.count, scalars[position + 1] == "*" {
        try comment()
      } else {
        return
      }
    }
  }

  private mutating func comment() throws {
    let start = position
    var depth = 0
    repeat {
      guard position + 1 < scalars.count else { throw fail("a comment is not closed") }
      switch (scalars[position], scalars[position + 1]) {
      case ("(", "*"):
        depth += 1
        position += 2
      case ("*", ")"):
        depth -= 1
        position += 2
      default: position += 1
      }
    } while depth > 0
    let text = text(start + 2, position - 2)
    comments.append(text)
    let words = text.split { $0 == " " || $0 == "," || $0 == "\n" }.map(String.init)
    if words.first == "reader:" { pendingReaders += words.dropFirst() }
  }

  private func text(_ start: Int, _ end: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<end])
    return String(text)
  }

  private mutating func expect(_ sign: Unicode.Scalar) throws {
    guard next == sign else { throw fail("\(sign) is missing") }
    position += 1
    // The readers of the next production must not be taken for this one's.
    if sign == ";" { pendingReaders = [] }
    try skip()
  }

  private mutating func take(_ sign: Unicode.Scalar) throws -> Bool {
    guard next == sign else { return false }
    try expect(sign)
    return true
  }

  private mutating func identifier() throws -> String {
    let start = position
    while let scalar = next, scalar.properties.isAlphabetic || scalar == "-" || scalar.properties.numericType != nil {
      position += 1
    }
    guard position > start else { throw fail("a name is missing") }
    // A minus sign after a name and a blank is an exception, not part of the name.
    let name = text(start, position)
    try skip()
    return name
  }

  private mutating func choice() throws -> EBNF {
    var parts = [try sequence()]
    while try take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws -> EBNF {
    var parts = [try exception()]
    while try take(",") { parts.append(try exception()) }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func exception() throws -> EBNF {
    let part = try primary()
    return try take("-") ? .exception(part, try primary()) : part
  }

  private mutating func primary() throws -> EBNF {
    guard let scalar = next else { throw fail("the file ends in a production") }
    switch scalar {
    case "\"", "'": return .terminal(try quoted(scalar))
    case "?": return .special(try quoted("?"))
    case "(":
      try expect("(")
      let inner = try choice()
      try expect(")")
      return inner
    case "[":
      try expect("[")
      let inner = try choice()
      try expect("]")
      return .option(inner)
    case "{":
      try expect("{")
      let inner = try choice()
      try expect("}")
      return .repetition(inner)
    default: return .name(try identifier())
    }
  }

  private mutating func quoted(_ quote: Unicode.Scalar) throws -> String {
    position += 1
    let start = position
    while let scalar = next, scalar != quote { position += 1 }
    guard next == quote else { throw fail("\(quote) is not closed") }
    let content = text(start, position)
    position += 1
    try skip()
    return content.split(separator: " ", omittingEmptySubsequences: false).isEmpty || quote != "?"
      ? content : content.trimmed
  }
}

extension String {
  /// Without the blanks at both ends.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
