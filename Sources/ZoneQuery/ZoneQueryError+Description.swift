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
    if message.contains("'\(shown)'") || message.contains("'\(SyntaxError.excerpt(recordID.recordName))'") {
      return message
    }
    return "record '\(shown)': \(message)"
  }
}
