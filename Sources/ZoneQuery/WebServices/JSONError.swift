/// Why a text is not the JSON that was asked for: what was expected, what was found, and where.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in one sentence; it quotes at most a few dozen characters of the text.
  package var message: String
  /// How many bytes of the text lie before the place.
  package var offset: Int
  /// The line, from 1. Lines end at a line feed.
  package var line: Int
  /// The column in Unicode scalars, from 1.
  package var column: Int

  /// Creates an error at a place that is known.
  package init(message: String, offset: Int, line: Int, column: Int) {
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Creates an error about the byte at `index` of `text`. Complexity: linear in the text before it.
  init(message: String, at index: Int, of text: ArraySlice<UInt8>) {
    let end = min(max(index, text.startIndex), text.endIndex)
    var line = 1
    var column = 1
    for byte in text[text.startIndex..<end] {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(message: message, offset: end - text.startIndex, line: line, column: column)
  }

  /// `line 2, column 7: expected ':' after a key, found '}'`.
  package var description: String { "line \(line), column \(column): \(message)" }
}
