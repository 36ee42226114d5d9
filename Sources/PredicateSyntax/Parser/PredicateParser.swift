/// A predicate that was read, with the text it was read from.
public struct ParsedPredicate: Sendable {
  /// The tree.
  public let root: PredicateNode
  /// The text the tree's spans refer to.
  public let source: SourceText
  /// What may be a mistake but is no error, such as more arguments than conversions.
  public let warnings: [Diagnostic]
}

/// Reads predicate format strings.
///
///     let parsed = try PredicateParser().parse("%K = %@ AND start > %@", arguments: ["city", "Seoul", 5])
///     parsed.root.predicateFormat   // city == "Seoul" AND start > 5
///
/// The whole language is read whatever a dialect evaluates of it. One pass and no backtracking: time and memory
/// are linear in the text, and ``limits`` bounds both.
public struct PredicateParser: Sendable {
  /// What a text may use up.
  public var limits: SyntaxLimits

  /// Creates a parser.
  public init(limits: SyntaxLimits = SyntaxLimits()) {
    self.limits = limits
  }

  /// Reads `format`, putting in `arguments` for its conversions from left to right.
  ///
  /// As with `NSPredicate`, surplus arguments are ignored; they give a warning. Missing ones are an error, where
  /// `NSPredicate` reads beyond them.
  ///
  /// - Throws: every mistake one pass can honestly tell, the first certainly right.
  public func parse(
    _ format: String, arguments: [(any PredicateArgument)?] = []
  ) throws(SyntaxError) -> ParsedPredicate {
    try parse(format, .swift(arguments))
  }

  /// Reads `format`, putting in values that are in the language's own form already.
  package func parse(_ format: String, values: [ArgumentValue]) throws(SyntaxError) -> ParsedPredicate {
    try parse(format, .values(values))
  }

  private func parse(_ format: String, _ arguments: ParserArguments) throws(SyntaxError) -> ParsedPredicate {
    let source = SourceText(format)
    let stream = Lexer.tokenize(source, limits: limits)
    var parser = Parser(bytes: source.bytes, stream: stream, arguments: arguments, limits: limits)
    guard let root = parser.run() else {
      throw SyntaxError(parser.sortedDiagnostics(), source: source)
    }
    return ParsedPredicate(root: root, source: source, warnings: parser.warnings)
  }
}
