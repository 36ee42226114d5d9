/// A piece of text between two word boundaries, and what token search makes of it.
public struct ExplainedSegment: Sendable {
  /// What token search makes of a segment.
  public enum Outcome: Sendable {
    /// The segment is a token: this one, folded.
    case token(String)
    /// The segment, folded to this, is a stop word and so no token.
    case stopWord(String)
    /// The segment is no token, since it holds neither a letter nor a digit nor an ideograph.
    case noLetterOrDigit
  }

  /// The segment as it stands in the text.
  public let source: String
  /// Where the segment stands, in bytes of the text's UTF-8.
  public let utf8Range: Range<Int>
  /// What became of the segment.
  public let outcome: Outcome
}
