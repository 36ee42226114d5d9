extension ZoneQueryError: CustomStringConvertible {
  /// The message, or every fault of a text with its line, column, the line itself and carets; then the hint.
  public var description: String {
    if let source, !diagnostics.isEmpty {
      return diagnostics.map { DiagnosticFormatter(source).format($0) }.joined(separator: "\n")
    }
    let texts = diagnostics.isEmpty ? [(message, hint)] : diagnostics.map { ($0.message, $0.hint) }
    return texts.map { text, hint in hint.map { "\(text)\nhint: \($0)" } ?? text }.joined(separator: "\n")
  }
}
