/// Writes diagnostics for people: place and message, the line of the text, carets under what is meant, the hint.
///
///     1:12: There is no operator === in the predicate language.
///       name = 'x' === 1
///                  ^^^
///     hint: Write ==.
///
/// Columns and carets count Unicode scalars, so that carets may stand off below wide characters.
public struct DiagnosticFormatter: Sendable {
  /// The text the ranges refer to.
  public let source: SourceText
  /// How many columns of a long line are shown.
  public var width: Int

  /// Creates the formatter of the diagnostics of `source`.
  public init(_ source: SourceText, width: Int = 100) {
    self.source = source
    self.width = width
  }

  /// The text of one diagnostic, without a line's end after it. Complexity: linear in the text before its place.
  public func format(_ diagnostic: Diagnostic) -> String {
    var result = ""
    if let range = diagnostic.range {
      let position = source.position(at: range.lowerBound)
      result += "\(position.line):\(position.column): \(diagnostic.message)\n"
      result += excerpt(range)
    } else {
      result += diagnostic.message
    }
    if let hint = diagnostic.hint { result += "\nhint: \(hint)" }
    return result
  }

  private func excerpt(_ range: SourceRange) -> String {
    let window = max(width, 20)
    let line = source.lineRange(holding: range.lowerBound)
    let bytes = source.bytes
    let place = min(max(range.lowerBound, line.lowerBound), line.upperBound)

    // The window begins at most a third of its width before the place, as what stands there is shown.
    var start = place
    var columns = 0
    while start > line.lowerBound {
      var before = start - 1
      while before > line.lowerBound, bytes[before] & 0xC0 == 0x80 { before -= 1 }
      columns += Self.shown(IdentifierRules.scalar(in: bytes, at: before).0).unicodeScalars.count
      if columns > window / 3 { break }
      start = before
    }
    let isCutBefore = start > line.lowerBound

    var text = isCutBefore ? "…" : ""
    var carets = isCutBefore ? " " : ""
    var index = start
    var shown = 0
    var marked = 0
    while index < line.upperBound, shown < window {
      let (scalar, length) = IdentifierRules.scalar(in: bytes, at: index)
      let piece = Self.shown(scalar)
      text += piece
      let pieceWidth = piece.unicodeScalars.count
      let isMarked = index >= range.lowerBound && index < range.upperBound
      if isMarked { marked += pieceWidth }
      if isMarked || index < range.lowerBound {
        carets += String(repeating: isMarked ? "^" : " ", count: pieceWidth)
      }
      shown += pieceWidth
      index += length
    }
    if index < line.upperBound { text += "…" }
    if marked == 0 { carets += "^" }
    return "  \(text)\n  \(carets)"
  }

  /// Whether a scalar can be shown as it is, without moving the cursor or the direction of the text.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20, scalar.value < 0x7F { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
    default: true
    }
  }

  /// A scalar, or what stands for it where it cannot be shown.
  package static func shown(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return " " }
    if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) { return String(picture) }
    if scalar.value == 0x7F { return "\u{2421}" }
    if isVisible(scalar) { return String(scalar) }
    return "<U+\(Lexer.hexadecimal(scalar.value))>"
  }
}
