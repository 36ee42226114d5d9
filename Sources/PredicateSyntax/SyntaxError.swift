/// One thing that is wrong with a predicate: what, where, and what would be accepted instead.
public struct Diagnostic: Sendable, Hashable {
  /// The stage that found it.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Characters that form no token.
    case lexer
    /// Tokens that form no predicate.
    case parser
    /// Arguments that do not fit their conversions.
    case arguments
    /// A predicate that the dialect, the schema or the types refuse.
    case binder
  }

  /// The stage that found it.
  public var stage: Stage
  /// A stable, short name of what is wrong, such as `unterminatedString`: for programs, and for tests.
  public var code: String
  /// One sentence that says what is wrong.
  public var message: String
  /// The bytes of the text it is about; `nil` where the predicate was not read from text.
  public var range: SourceRange?
  /// What would be accepted instead, if that can be said.
  public var hint: String?

  /// Creates a diagnostic.
  public init(
    stage: Stage, code: String, message: String, range: SourceRange?, hint: String? = nil
  ) {
    self.stage = stage
    self.code = code
    self.message = message
    self.range = range
    self.hint = hint
  }
}

/// The reason a text is no predicate.
public struct SyntaxError: Error, Sendable, Hashable {
  /// What is wrong: one or more, in the order of the text; the first is always right, later ones assume a repair.
  public let diagnostics: [Diagnostic]
  /// The text the ranges refer to.
  public let source: SourceText

  /// Creates an error; `diagnostics` holds at least one.
  package init(_ diagnostics: [Diagnostic], source: SourceText) {
    self.diagnostics = diagnostics
    self.source = source
  }
}

extension Diagnostic: CustomStringConvertible {
  /// What is wrong, and what would be accepted: `There is no operator === in the predicate language. Write ==.` The place is
  /// shown where the text is known: ``SyntaxError/description``, ``DiagnosticFormatter``.
  public var description: String { [message, hint].compactMap { $0 }.joined(separator: " ") }
}

extension Diagnostic {
  /// How many diagnostics one text gives at most.
  package static let most = 20

  /// The line it is about in `source`, from 1; `nil` where it has no place.
  public func line(in source: SourceText) -> Int? {
    range.map { source.position(at: $0.lowerBound).line }
  }

  /// The column it begins at in `source`, from 1 and in Unicode scalars; `nil` where it has no place.
  public func column(in source: SourceText) -> Int? {
    range.map { source.position(at: $0.lowerBound).column }
  }

  /// How many Unicode scalars of `source` it is about; `nil` where it has no place.
  public func length(in source: SourceText) -> Int? {
    range.map { source.scalarCount(from: $0.lowerBound, to: $0.upperBound) }
  }
}

extension SyntaxError: CustomStringConvertible {
  /// Every diagnostic with its line of the text, carets under its place and its hint.
  public var description: String {
    let formatter = DiagnosticFormatter(source)
    return diagnostics.map(formatter.format).joined(separator: "\n")
  }

  /// A piece of a text, short enough for a message, with nothing in it that a terminal would act on.
  package static func excerpt(_ bytes: [UInt8], _ range: SourceRange) -> String {
    let start = min(max(range.lowerBound, 0), bytes.count)
    return excerpt(bytes[start..<min(max(range.upperBound, start), bytes.count)], most: 40)
  }

  /// The beginning of a text from outside, no more bytes than that of it, with nothing in it that a terminal would act on.
  package static func excerpt(_ text: String, most: Int = 64) -> String {
    excerpt(Array(text.utf8.prefix(most + 1))[...], most: most)
  }

  private static func excerpt(_ bytes: ArraySlice<UInt8>, most: Int) -> String {
    var end = bytes.endIndex
    if bytes.count > most {
      // Scalars stay whole.
      end = bytes.startIndex + most
      while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    var text = ""
    for scalar in String(decoding: bytes[..<end], as: UTF8.self).unicodeScalars {
      text += DiagnosticFormatter.shown(scalar)
    }
    return end < bytes.endIndex ? text + "…" : text
  }
}
