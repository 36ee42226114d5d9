/// A token of schema text.
struct SchemaToken: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// Characters that stand together: a word of the language, a name, or neither.
    case word(SchemaWord?)
    /// What stands between quotation marks, which the range covers too.
    case quoted
    /// One of `( ) , ; < >`.
    case mark(UInt8)
    /// The end of the text.
    case end
  }

  let kind: Kind
  let range: SourceRange
}

/// Splits schema text into tokens, passing over blanks and comments.
///
/// Works on bytes, in linear time. Everything that stands together without a blank or a mark becomes one word, so that
/// a name like `cloudkit.share` is refused as one name and not as three mistakes.
struct SchemaLexer {
  /// The code of a comment that does not end; no diagnostic follows one.
  static let unterminatedComment = "unterminatedComment"

  private let bytes: [UInt8]
  private var position = 0
  private(set) var tokens: [SchemaToken] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads all tokens; the last is the end of the text.
  mutating func run() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      skipBlanks()
      guard position < bytes.count else { break }
      let start = position
      switch bytes[position] {
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "<"),
        UInt8(ascii: ">"):
        position += 1
        append(.mark(bytes[start]), from: start)
      case UInt8(ascii: "\""): quoted()
      case UInt8(ascii: "'"), UInt8(ascii: "`"): wronglyQuoted(by: bytes[position])
      case let byte where Self.isInWord(byte): word()
      default:
        position += 1
        if diagnostics.count < Diagnostic.most {
          let message = "The character \(SyntaxError.excerpt(bytes, SourceRange(start, position))) has no meaning here."
          report("unexpectedCharacter", from: start, message, hint: nil)
        }
      }
    }
    append(.end, from: position)
  }

  private mutating func append(_ kind: SchemaToken.Kind, from start: Int) {
    tokens.append(SchemaToken(kind: kind, range: SourceRange(start, position)))
  }

  /// Passes over blanks and comments.
  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x09...0x0D, 0x20: position += 1
      case UInt8(ascii: "/"), UInt8(ascii: "-"):
        guard comment() else { return }
      default: return
      }
    }
  }

  /// Passes over the comment that begins here, if one does.
  private mutating func comment() -> Bool {
    guard position + 1 < bytes.count else { return false }
    let start = position
    switch (bytes[position], bytes[position + 1]) {
    case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "-"), UInt8(ascii: "-")):
      while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
      return true
    case (UInt8(ascii: "/"), UInt8(ascii: "*")):
      position += 2
      while position + 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
          position += 2
          return true
        }
        position += 1
      }
      position = bytes.count
      diagnostics.append(
        Diagnostic(
          stage: .lexer, code: Self.unterminatedComment, message: "The comment that begins here does not end.",
          range: SourceRange(start, start + 2), hint: "End it with */."))
      return true
    default: return false
    }
  }

  /// Reads a quoted name. It ends on its line; `""` in it is one quotation mark.
  private mutating func quoted() {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
      if bytes[position] == UInt8(ascii: "\"") {
        position += 1
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
          append(.quoted, from: start)
          return
        }
      }
      position += 1
    }
    report(
      "unterminatedName", from: start, "The name that begins with this quotation mark does not end on its line.",
      hint: "End it with \".")
    // What follows can be judged only as if the name ended before the next blank or mark.
    position = start + 1
    while position < bytes.count, Self.isInWord(bytes[position]) { position += 1 }
    append(.word(nil), from: start)
  }

  /// Reads what other languages would quote, up to the same mark on the line.
  private mutating func wronglyQuoted(by mark: UInt8) {
    let start = position
    position += 1
    while position < bytes.count, Self.isInWord(bytes[position]) { position += 1 }
    if position < bytes.count, bytes[position] == mark { position += 1 }
    report("wrongQuotationMark", from: start, "Names are quoted with \".", hint: nil)
    append(.word(nil), from: start)
  }

  private mutating func word() {
    let start = position
    position += 1
    while position < bytes.count, Self.isInWord(bytes[position]) {
      // A comment may follow a word without a blank between.
      if bytes[position] == UInt8(ascii: "-"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "-") {
        break
      }
      position += 1
    }
    append(.word(SchemaWord(bytes[start..<position])), from: start)
  }

  /// Whether a byte can stand in a word: that of a name, or one that people put into names in error.
  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "@"): true
    default: false
    }
  }

  private mutating func report(_ code: String, from start: Int, _ message: String, hint: String?) {
    guard diagnostics.count < Diagnostic.most else { return }
    diagnostics.append(
      Diagnostic(stage: .lexer, code: code, message: message, range: SourceRange(start, position), hint: hint))
  }
}
