internal import ZoneQuery

/// Writes the engine's errors for people.
enum EngineMessage {
  /// The error, behind the place it was found at: a file and line, or the option the text came from.
  ///
  /// Faults of a text come with their own line and column, the line of the text and carets under what is meant.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - place: Where it was found.
  ///   - record: The record it is about, where the error does not say so itself.
  ///   - subject: A beginning of the message that the place makes needless.
  /// - Returns: The text, of one or more lines.
  static func text(
    _ error: ZoneQueryError, at place: String, record: RecordID? = nil, dropping subject: String = ""
  ) -> String {
    if let source = error.source, !error.diagnostics.isEmpty {
      return text(error.diagnostics, of: source, at: place)
    }
    if !error.diagnostics.isEmpty {
      return error.diagnostics.map { "\(place): \($0.message)" + hint($0.hint) }.joined(separator: "\n")
    }
    return "\(place): \(message(error, record: record, dropping: subject))" + hint(error.hint)
  }

  /// The error's message alone, without a beginning that its place makes needless.
  static func message(_ error: ZoneQueryError, record: RecordID? = nil, dropping subject: String = "") -> String {
    let message = self.subject(error, record)
    return message.utf8.starts(with: subject.utf8)
      ? String(decoding: message.utf8.dropFirst(subject.utf8.count), as: UTF8.self) : message
  }

  /// Faults of a text, each with its place.
  static func text(_ diagnostics: [Diagnostic], of source: SourceText, at place: String) -> String {
    let formatter = DiagnosticFormatter(source)
    return diagnostics.map { diagnostic in
      let diagnostic = commandLine.contains(place) ? ofOption(diagnostic, source) : diagnostic
      return "\(place):\(diagnostic.range == nil ? " " : "")\(formatter.format(diagnostic))"
    }.joined(separator: "\n")
  }

  /// Where the formats of a command line stand.
  private static let commandLine = ["--where", "FORMAT"]

  /// A fault of a command line's format: of values that it lacks the hint says by which option they are given.
  private static func ofOption(_ diagnostic: Diagnostic, _ source: SourceText) -> Diagnostic {
    var diagnostic = diagnostic
    if diagnostic.code == "missingArgument" {
      diagnostic.hint = #"values are given as a list: --arguments '["Seoul", 4]'"#
    } else if diagnostic.code == "unboundParameter", let range = diagnostic.range {
      let name = source.bytes[range.lowerBound..<range.upperBound].dropFirst()
      let shown = Printable.excerpt(String(decoding: name, as: UTF8.self))
      diagnostic.hint = #"values are given by their names: --arguments '{"\#(shown)": …}'"#
    }
    return diagnostic
  }

  static func hint(_ hint: String?) -> String { hint.map { "\nhint: \($0)" } ?? "" }

  /// The message with the record's name before it, once.
  private static func subject(_ error: ZoneQueryError, _ record: RecordID?) -> String {
    guard let name = (error.recordID ?? record)?.recordName else { return error.message }
    let shown = Printable.excerpt(name)
    let subject = "The record '\(shown)': "
    if error.message.utf8.starts(with: subject.utf8) {
      return "record \(shown): \(String(decoding: error.message.utf8.dropFirst(subject.utf8.count), as: UTF8.self))"
    }
    return "record \(shown): \(error.message)"
  }
}
