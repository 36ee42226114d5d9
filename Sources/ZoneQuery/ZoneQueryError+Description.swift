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
    let bytes = Array(message.utf8)
    for name in [shown, SyntaxError.excerpt(recordID.recordName)] {
      let search = ByteSearch(Array("'\(name)'".utf8))
      if search.end(in: bytes.span, from: 0, to: bytes.count, lowers: false) != nil { return message }
    }
    return "record '\(shown)': \(message)"
  }
}
