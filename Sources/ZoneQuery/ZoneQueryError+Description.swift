extension ZoneQueryError: CustomStringConvertible {
  /// The message, behind the ID of the record it is about where it does not name that; or every fault of a text with its
  /// line, column, the line itself and carets; then the hint.
  public var description: String {
    if let source, !diagnostics.isEmpty {
      return diagnostics.map { DiagnosticFormatter(source).format($0) }.joined(separator: "\n")
    }
    let texts = diagnostics.isEmpty ? [(messageOfRecord, hint)] : diagnostics.map { ($0.message, $0.hint) }
    return texts.map { text, hint in hint.map { "\(text)\nhint: \($0)" } ?? text }.joined(separator: "\n")
  }

  /// The message, behind the ID of the record it is about where it does not name that.
  var messageOfRecord: String {
    guard let recordID else { return message }
    let shown = SyntaxError.excerpt("\(recordID)")
    // By bytes: Swift's own search takes quadratic time over runs of combining marks.
    let names = [shown, SyntaxError.excerpt(recordID.recordName)]
    if names.contains(where: { message.hasPart("'\($0)'") }) { return message }
    return "record '\(shown)': \(message)"
  }
}

extension String {
  /// Whether a text is a part of this one, byte by byte. Complexity: the product of the lengths at most, of which the part's
  /// is that of an excerpt.
  fileprivate func hasPart(_ part: String) -> Bool {
    let (bytes, part) = (Array(utf8), Array(part.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: part) }
  }
}
