/// Makes text from files and arguments fit to be shown: nothing in it that a terminal would act on.
enum Printable {
  /// The text with control characters, and those that change the direction of what follows, shown by name. Line
  /// feeds are kept where `keepingLines`.
  static func text(_ text: String, keepingLines: Bool = false) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || keepingLines && $0 == 0x0A }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { append(scalar, keepingLines, to: &result) }
    return String(result)
  }

  /// The beginning of a text, for messages.
  static func excerpt(_ text: String) -> String {
    let prefix = String(text.unicodeScalars.prefix(60))
    return Printable.text(prefix) + (prefix.utf8.count < text.utf8.count ? "…" : "")
  }

  private static func append(
    _ scalar: Unicode.Scalar, _ keepingLines: Bool, to result: inout String.UnicodeScalarView
  ) {
    switch scalar.value {
    case 0x0A where keepingLines: result.append(scalar)
    case 0x20..<0x7F: result.append(scalar)
    case 0..<0x20:
      if let picture = Unicode.Scalar(0x2400 + scalar.value) { result.append(picture) }
    case 0x7F: result.append("\u{2421}")
    // These two join or part letters, as Persian and emoji need it, and move nothing.
    case 0x200C, 0x200D: result.append(scalar)
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result.append(contentsOf: "<U+\(String(scalar.value, radix: 16, uppercase: true))>".unicodeScalars)
      default: result.append(scalar)
      }
    }
  }
}
