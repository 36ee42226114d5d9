/// A range of UTF-8 offsets into the text of a predicate, from its first byte to just past its last.
public struct SourceRange: Sendable, Hashable {
  /// The offset of the first byte.
  public var lowerBound: Int
  /// The offset just past the last byte; equal to `lowerBound` where nothing is covered (the end of the text).
  public var upperBound: Int

  /// Creates the range of the bytes from `lowerBound` up to, not including, `upperBound`.
  public init(_ lowerBound: Int, _ upperBound: Int) {
    self.lowerBound = lowerBound
    self.upperBound = max(lowerBound, upperBound)
  }

  /// The smallest range that covers both.
  public func union(_ other: SourceRange) -> SourceRange {
    SourceRange(min(lowerBound, other.lowerBound), max(upperBound, other.upperBound))
  }
}

/// The place a node of the tree was read from, if it was read from text.
///
/// Spans take no part in the equality of trees: any two are equal and hash alike, so that a tree built in
/// Swift, one read from text and one read back from printed text compare by what they mean.
public struct SourceSpan: Sendable, Hashable {
  // Texts are shorter than 2³¹ bytes, and there are several spans in each node.
  private var start = UInt32.max
  private var end = UInt32.max

  /// The bytes the node covers; `nil` for a node that no text was read for. Offsets beyond 2³² − 2 are cut to that.
  public var range: SourceRange? {
    get { start == .max ? nil : SourceRange(Int(start), Int(end)) }
    set { self = SourceSpan(newValue) }
  }

  /// Creates the span of a node read from `range`, or of one built in code.
  public init(_ range: SourceRange? = nil) {
    guard let range else { return }
    start = min(UInt32(clamping: range.lowerBound), .max - 1)
    end = min(UInt32(clamping: range.upperBound), .max - 1)
  }

  /// The span of a node that no text was read for.
  public static let none = SourceSpan()

  /// Always true; see the type's discussion.
  public static func == (left: SourceSpan, right: SourceSpan) -> Bool { true }

  /// Feeds nothing, in keeping with `==`.
  public func hash(into hasher: inout Hasher) {}
}
