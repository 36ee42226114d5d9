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

/// A place in a text as people count it.
public struct SourcePosition: Sendable, Hashable {
  /// The line, from 1. A line ends with `\n`, `\r\n` or `\r`.
  public var line: Int
  /// The column, from 1, counted in Unicode scalars (not bytes, and not what Swift calls characters).
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourceText {
  /// The line and column of the byte at `offset`; offsets outside the text count as its ends.
  ///
  ///     SourceText("a = 1\nAND b").position(at: 10)   // line 2, column 5
  ///
  /// Complexity: linear in `offset`.
  public func position(at offset: Int) -> SourcePosition {
    let start = lineStart(before: offset)
    var line = 1
    var index = 0
    while index < start {
      if endsLine(at: index) { line += 1 }
      index += 1
    }
    return SourcePosition(line: line, column: 1 + scalarCount(from: start, to: offset))
  }

  /// The number of Unicode scalars that begin in the bytes from `start` up to `end`.
  package func scalarCount(from start: Int, to end: Int) -> Int {
    var count = 0
    var index = max(start, 0)
    let limit = min(end, bytes.count)
    while index < limit {
      if bytes[index] & 0xC0 != 0x80 { count += 1 }
      index += 1
    }
    return count
  }

  /// The bytes of the line that holds `offset`, without what ends it.
  package func lineRange(holding offset: Int) -> SourceRange {
    let start = lineStart(before: offset)
    var end = start
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    return SourceRange(start, end)
  }

  private func lineStart(before offset: Int) -> Int {
    var index = min(max(offset, 0), bytes.count)
    // A place between `\r` and `\n` belongs to the line these two end.
    if index < bytes.count, index > 0, bytes[index] == 0x0A, bytes[index - 1] == 0x0D { index -= 1 }
    while index > 0, !endsLine(at: index - 1) { index -= 1 }
    return index
  }

  /// Whether the byte is the last of a line's end.
  private func endsLine(at index: Int) -> Bool {
    switch bytes[index] {
    case 0x0A: true
    case 0x0D: index + 1 >= bytes.count || bytes[index + 1] != 0x0A
    default: false
    }
  }
}
