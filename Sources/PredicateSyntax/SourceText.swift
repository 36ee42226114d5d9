/// The text of a predicate, as bytes, and the way from a byte to its line and column.
public struct SourceText: Sendable, Hashable {
  /// The text.
  public let text: String
  /// The same text as UTF-8.
  package let bytes: [UInt8]

  /// Creates the source of `text`. Complexity: linear in its length.
  public init(_ text: String) {
    self.text = text
    self.bytes = Array(text.utf8)
  }

  /// Whether both are the same bytes.
  public static func == (left: SourceText, right: SourceText) -> Bool { left.bytes == right.bytes }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
