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
