/// Reads text as tokens, in one pass over its bytes.
///
/// Brackets are paired on the way: the payload of an opening one is the index of the one that closes it, so
/// that the parser can tell a group from an expression without reading twice, and text that nests too deep ends
/// before anything is built for it.
package struct Lexer: ~Copyable {
  let bytes: [UInt8]
  let limits: SyntaxLimits
  let words: ReservedWordIndex
  var output = TokenStream()
  var position = 0
  private var open: [Int] = []
  private var bracketDiagnostics: [Diagnostic] = []
  var isWithinBrackets: Bool { !open.isEmpty }

  package init(_ source: SourceText, limits: SyntaxLimits = SyntaxLimits()) {
    bytes = source.bytes
    self.limits = limits
    words = OperatorTable.wordIndex
  }

  /// The tokens of `source`. Complexity: linear in its length.
  package static func tokenize(_ source: SourceText, limits: SyntaxLimits = SyntaxLimits()) -> TokenStream {
    var lexer = Lexer(source, limits: limits)
    lexer.run()
    return lexer.takeOutput()
  }

  /// Hands the tokens over rather than sharing them, which would count references for nothing.
  private mutating func takeOutput() -> TokenStream {
    var taken = TokenStream()
    swap(&taken, &output)
    return taken
  }

  private mutating func run() {
    guard bytes.count <= min(limits.textLength, Int(Int32.max)) else {
      output.diagnostics.append(
        Diagnostic(
          stage: .lexer, code: "textTooLong",
          message: "The text has \(bytes.count) bytes; at most \(limits.textLength) are read.",
          range: SourceRange(0, 0), hint: "Pass long values as arguments with %@."))
      output.isCutShort = true
      append(.end, from: 0)
      return
    }
    output.tokens.reserveCapacity(min(16 + bytes.count / 8, 4096))
    while position < bytes.count, !output.isCutShort { next() }
    reportOpenBrackets()
    let start = position
    append(.end, from: start)
  }

  /// Appends a token that ends where the reader stands.
  func token(_ kind: Token.Kind, from start: Int, payload: UInt32, word: ReservedWord) -> Token {
    Token(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position), payload: payload,
      kind: kind, word: word)
  }

  @inline(__always)
  mutating func append(
    _ kind: Token.Kind, from start: Int, payload: UInt32 = Token.noPayload, word: ReservedWord = .and
  ) {
    output.tokens.append(token(kind, from: start, payload: payload, word: word))
  }

  @inline(__always)
  func byte(_ offset: Int = 0) -> UInt8 {
    let index = position + offset
    return index < bytes.count ? bytes[index] : 0
  }

  /// Reports what stands between `start` and the reader, and puts an invalid token there.
  mutating func refuse(
    from start: Int, code: String, _ message: String, hint: String? = nil
  ) {
    report(from: start, to: position, code: code, message, hint: hint)
    append(.invalid, from: start)
  }

  mutating func report(from start: Int, to end: Int, code: String, _ message: String, hint: String? = nil) {
    output.diagnostics.append(
      Diagnostic(
        stage: .lexer, code: code, message: message, range: SourceRange(start, end), hint: hint))
    if output.diagnostics.count >= Diagnostic.most { output.isCutShort = true }
  }

  private mutating func next() {
    let start = position
    let byte = bytes[start]
    if byte >= 0x80 { return beyondASCII() }
    if IdentifierRules.isStart(byte) { return identifier() }
    if IdentifierRules.isDigit(byte) { return number() }
    position += 1
    switch byte {
    case 0x09...0x0D, 0x20: break
    case UInt8(ascii: "'"), UInt8(ascii: "\""): string(quote: byte, from: start)
    case UInt8(ascii: "%"): conversion(from: start)
    case UInt8(ascii: "("): opening(.leftParenthesis, from: start)
    case UInt8(ascii: "["): opening(.leftBracket, from: start)
    case UInt8(ascii: "{"): opening(.leftBrace, from: start)
    case UInt8(ascii: ")"): closing(.rightParenthesis, of: .leftParenthesis, from: start)
    case UInt8(ascii: "]"): closing(.rightBracket, of: .leftBracket, from: start)
    case UInt8(ascii: "}"): closing(.rightBrace, of: .leftBrace, from: start)
    case UInt8(ascii: ","): append(.comma, from: start)
    case UInt8(ascii: "."): point(from: start)
    case UInt8(ascii: "+"): append(.plus, from: start)
    case UInt8(ascii: "-"): append(.minus, from: start)
    case UInt8(ascii: "/"): append(.slash, from: start)
    case UInt8(ascii: "^"): append(.caret, from: start)
    case UInt8(ascii: "~"): append(.tilde, from: start)
    case UInt8(ascii: "*"): either(UInt8(ascii: "*"), .power, else: .star, from: start)
    case UInt8(ascii: "&"): either(UInt8(ascii: "&"), .doubleAmpersand, else: .ampersand, from: start)
    case UInt8(ascii: "|"): either(UInt8(ascii: "|"), .doubleBar, else: .bar, from: start)
    case UInt8(ascii: ":"): either(UInt8(ascii: "="), .assign, else: .colon, from: start)
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"):
      relation(byte, from: start)
    case UInt8(ascii: "#"): prefixed(.escapedIdentifier, from: start)
    case UInt8(ascii: "@"): prefixed(.atIdentifier, from: start)
    case UInt8(ascii: "$"): prefixed(.variable, from: start)
    default: unexpected(Unicode.Scalar(byte), from: start)
    }
  }

  private mutating func either(
    _ second: UInt8, _ long: Token.Kind, else short: Token.Kind, from start: Int
  ) {
    if byte() == second {
      position += 1
      append(long, from: start)
    } else {
      append(short, from: start)
    }
  }

  private mutating func identifier() {
    let start = position
    var end = start + 1
    while end < bytes.count, IdentifierRules.isContinuation(bytes[end]) { end += 1 }
    if end < bytes.count, bytes[end] >= 0x80 { end = IdentifierRules.end(in: bytes, from: start) }
    position = end
    if end - start == 3, byte() == UInt8(ascii: "-"), let word = dashedWord(from: start) {
      return append(.word, from: start, word: word)
    }
    if let word = words.word(in: bytes, from: start, to: end) {
      append(.word, from: start, word: word)
    } else {
      append(.identifier, from: start)
    }
  }

  /// The words `UTI-CONFORMS-TO` and `UTI-EQUALS`, which hold dashes; moves past the one that stands here.
  private mutating func dashedWord(from start: Int) -> ReservedWord? {
    for word in [ReservedWord.utiConformsTo, .utiEquals] {
      let end = start + word.spelling.utf8.count
      guard end <= bytes.count, words.word(in: bytes, from: start, to: end) == word else { continue }
      if IdentifierRules.continues(in: bytes, at: end) { continue }
      position = end
      return word
    }
    return nil
  }

  private mutating func beyondASCII() {
    let start = position
    let (scalar, length) = IdentifierRules.scalar(in: bytes, at: start)
    if scalar.properties.isXIDStart {
      position = IdentifierRules.end(in: bytes, from: start)
      return append(.identifier, from: start)
    }
    position += length
    if scalar.properties.isWhitespace { return }
    unexpected(scalar, from: start)
  }

  /// `#name`, `@name`, `$name`, `$#name`; the payload is where the name begins.
  private mutating func prefixed(_ kind: Token.Kind, from start: Int) {
    if kind == .variable, byte() == UInt8(ascii: "#") { position += 1 }
    let name = position
    position = IdentifierRules.end(in: bytes, from: name)
    if position > name { return append(kind, from: start, payload: UInt32(truncatingIfNeeded: name)) }
    let sign = String(decoding: bytes[start..<name], as: UTF8.self)
    refuse(
      from: start, code: "missingName", "A name must follow \(sign) directly.",
      hint: kind == .variable
        ? "A variable is written $name."
        : byte() == UInt8(ascii: "\"") ? "Text is written in quotes alone, without @." : nil)
  }

  private mutating func relation(_ first: UInt8, from start: Int) {
    let second = byte()
    let equals = UInt8(ascii: "=")
    if first == UInt8(ascii: "<"), locationText(from: start) { return }
    let kind: Token.Kind
    switch (first, second) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")), (UInt8(ascii: "!"), UInt8(ascii: "=")):
      position += 1
      kind = first == equals ? .equal : .notEqual
      if byte() == equals {
        position += 1
        let found = String(decoding: bytes[start..<position], as: UTF8.self)
        let meant = kind == .equal ? "==" : "!="
        report(
          from: start, to: position, code: "unknownOperator",
          "There is no operator \(found) in the predicate language.", hint: "Write \(meant).")
      }
      return append(kind, from: start)
    case (UInt8(ascii: "="), UInt8(ascii: "<")): kind = .lessOrEqual
    case (UInt8(ascii: "="), UInt8(ascii: ">")): kind = .greaterOrEqual
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): kind = .lessOrEqual
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): kind = .notEqual
    case (UInt8(ascii: "<"), UInt8(ascii: "<")): kind = .shiftLeft
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): kind = .greaterOrEqual
    case (UInt8(ascii: ">"), UInt8(ascii: ">")): kind = .shiftRight
    default:
      let single: Token.Kind =
        switch first {
        case UInt8(ascii: "="): .equal
        case UInt8(ascii: "<"): .less
        case UInt8(ascii: ">"): .greater
        default: .exclamation
        }
      return append(single, from: start)
    }
    position += 1
    append(kind, from: start)
  }

  private mutating func point(from start: Int) {
    if IdentifierRules.isDigit(byte()), !followsOperand {
      position = start
      return number()
    }
    append(.point, from: start)
  }

  /// Whether the last token ends an operand; the bracket after an operator's options ends none.
  private var followsOperand: Bool {
    guard let last = output.tokens.last else { return false }
    guard last.kind == .rightBracket, last.payload != Token.noPayload, last.payload > 0 else {
      return last.endsOperand
    }
    return output.tokens[Int(last.payload) - 1].endsOperand
  }

  // MARK: Brackets

  private mutating func opening(_ kind: Token.Kind, from start: Int) {
    guard open.count < limits.nesting else {
      report(
        from: start, to: position, code: "nestingTooDeep",
        "Brackets nest more than \(limits.nesting) deep here.")
      output.isCutShort = true
      return
    }
    open.append(output.tokens.count)
    append(kind, from: start)
  }

  private mutating func closing(_ kind: Token.Kind, of opener: Token.Kind, from start: Int) {
    guard let index = open.popLast() else {
      guard bracketDiagnostics.count < Diagnostic.most else { return append(kind, from: start) }
      let text = Self.bracket(kind)
      noteBracket(
        from: start, to: position, code: "unmatchedBracket", "Nothing opens this \(text).",
        hint: "Remove it, or put \(Self.bracket(opener)) before what it closes.")
      return append(kind, from: start)
    }
    output.tokens[index].payload = UInt32(truncatingIfNeeded: output.tokens.count)
    let opened = output.tokens[index].kind
    if opened != opener, bracketDiagnostics.count < Diagnostic.most {
      noteBracket(
        from: start, to: position, code: "mismatchedBracket",
        "\(Self.bracket(kind)) does not close \(Self.bracket(opened)).",
        hint: "Write \(Self.bracket(Self.partner(opened))) here.")
    }
    append(kind, from: start, payload: UInt32(truncatingIfNeeded: index))
  }

  private mutating func noteBracket(
    from start: Int, to end: Int, code: String, _ message: String, hint: String
  ) {
    guard bracketDiagnostics.count < Diagnostic.most else { return }
    bracketDiagnostics.append(
      Diagnostic(stage: .parser, code: code, message: message, range: SourceRange(start, end), hint: hint))
  }

  /// What is wrong with brackets is told only where everything else is right: a quote that is never closed
  /// hides the brackets behind it.
  private mutating func reportOpenBrackets() {
    guard output.diagnostics.isEmpty else { return }
    for index in open {
      let token = output.tokens[index]
      noteBracket(
        from: Int(token.start), to: Int(token.end), code: "unclosedBracket",
        "This \(Self.bracket(token.kind)) is never closed.",
        hint: "Put \(Self.bracket(Self.partner(token.kind))) where it ends.")
    }
    output.diagnostics = bracketDiagnostics
  }

  private static func partner(_ kind: Token.Kind) -> Token.Kind {
    switch kind {
    case .leftParenthesis: .rightParenthesis
    case .leftBracket: .rightBracket
    default: .rightBrace
    }
  }

  private static func bracket(_ kind: Token.Kind) -> String {
    switch kind {
    case .leftParenthesis: "("
    case .leftBracket: "["
    case .leftBrace: "{"
    case .rightParenthesis: ")"
    case .rightBracket: "]"
    default: "}"
    }
  }
}
