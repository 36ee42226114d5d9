/// What is often put into predicates and belongs to no token, told apart so that the hint can be exact.
extension Lexer {
  mutating func unexpected(_ scalar: Unicode.Scalar, from start: Int) {
    switch scalar {
    case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201A}", "\u{00AB}", "\u{00BB}":
      smartQuote(scalar, from: start)
    case "?":
      refuse(
        from: start, code: "unexpectedCharacter", "There are no ? placeholders in the predicate language.",
        hint: "Put values in with %@, or name a parameter $name; a choice is TERNARY(condition, a, b).")
    case ";":
      refuse(
        from: start, code: "unexpectedCharacter", "A semicolon has no meaning in a predicate.",
        hint: isWithinBrackets ? "Elements and arguments are separated by commas." : "Remove it.")
    case "`":
      refuse(
        from: start, code: "unexpectedCharacter", "Names are not quoted.",
        hint: "A name that is a reserved word is written with # before it.")
    case "\\":
      refuse(
        from: start, code: "unexpectedCharacter", "A backslash has no meaning outside quotes.")
    case "\u{2260}", "\u{2264}", "\u{2265}":
      let meant = scalar == "\u{2260}" ? "!=" : scalar == "\u{2264}" ? "<=" : ">="
      refuse(
        from: start, code: "unexpectedCharacter", "\(scalar) is no operator of the predicate language.",
        hint: "Write \(meant).")
    default:
      let name = "U+" + Self.hexadecimal(scalar.value)
      let shown = DiagnosticFormatter.isVisible(scalar) ? "\(scalar) (\(name))" : name
      refuse(
        from: start, code: "unexpectedCharacter", "\(shown) has no meaning outside quotes.")
    }
  }

  static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// Takes the text up to the next typographic quote as one mistake.
  private mutating func smartQuote(_ scalar: Unicode.Scalar, from start: Int) {
    var index = position
    var closed = false
    while index < bytes.count {
      let (next, length) = IdentifierRules.scalar(in: bytes, at: index)
      index += length
      switch next {
      case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{00BB}": closed = true
      default: continue
      }
      break
    }
    if closed { position = index }
    refuse(
      from: start, code: "smartQuote", "\(scalar) does not quote text.",
      hint: "Use the straight quotes ' or \", or pass the text as an argument with %@.")
  }

  /// Whether a printed date begins here (`2016-05-11 00:00:00 +0000`, `2016-05-11T00:00:00Z`), which is no
  /// arithmetic because of its colons; refuses it whole.
  mutating func dateText(from start: Int) -> Bool {
    guard start + 10 <= bytes.count, bytes[start + 4] == UInt8(ascii: "-"), matches("dddd-dd-dd", at: start)
    else { return false }
    guard matches("dd:dd", at: start + 11) else {
      if output.warnings.count < Diagnostic.most {
        output.warnings.append(
          Diagnostic(
            stage: .lexer, code: "dateAsArithmetic",
            message: "This reads as two subtractions, not as a date.",
            range: SourceRange(start, start + 10), hint: "Pass a date as an argument with %@."))
      }
      return false
    }
    guard bytes[start + 10] == 0x20 || bytes[start + 10] | 0x20 == UInt8(ascii: "t") else { return false }
    position = start + 16
    if matches(":dd", at: position) { position += 3 }
    if byte() == UInt8(ascii: ".") || byte() == UInt8(ascii: ",") {
      var end = position + 1
      while end < bytes.count, IdentifierRules.isDigit(bytes[end]) { end += 1 }
      if end > position + 1 { position = end }
    }
    let zone = byte() == 0x20 ? position + 1 : position
    for pattern in ["+dddd", "-dddd", "+dd:dd", "-dd:dd", "Z", "z", "UTC"] where matches(pattern, at: zone) {
      position = zone + pattern.utf8.count
      break
    }
    refuse(
      from: start, code: "dateInText", "A date cannot be written into a predicate this way.",
      hint: "Pass the date as an argument with %@.")
    return true
  }

  /// Whether a printed location begins here (`<+37.78,-122.40> +/- 5.00m …`); refuses it whole.
  mutating func locationText(from start: Int) -> Bool {
    var index = start + 1
    guard skipSignedDecimal(&index), index < bytes.count, bytes[index] == UInt8(ascii: ",") else {
      return false
    }
    index += 1
    if index < bytes.count, bytes[index] == 0x20 { index += 1 }
    guard skipSignedDecimal(&index), index < bytes.count, bytes[index] == UInt8(ascii: ">") else {
      return false
    }
    // `TERNARY(a <-1,-2>> 3, 4)`
    if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") { return false }
    position = index + 1
    if matches(" +/- ", at: position) {
      position += 5
      while byte() == UInt8(ascii: ".") || byte() == UInt8(ascii: "-") || IdentifierRules.isDigit(byte()) {
        position += 1
      }
      if byte() == UInt8(ascii: "m") { position += 1 }
      if matches(" (", at: position), let close = bytes[position...].firstIndex(of: UInt8(ascii: ")")) {
        position = close + 1
      }
    }
    refuse(
      from: start, code: "locationInText", "A location cannot be written into a predicate this way.",
      hint: "Pass the location as an argument with %@.")
    return true
  }

  private func skipSignedDecimal(_ index: inout Int) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") else {
      return false
    }
    index += 1
    let first = index
    while index < bytes.count, bytes[index] == UInt8(ascii: ".") || IdentifierRules.isDigit(bytes[index]) {
      index += 1
    }
    return index > first
  }

  /// Whether the bytes at `start` look like `pattern`, where `d` stands for any digit.
  private func matches(_ pattern: String, at start: Int) -> Bool {
    var index = start
    for wanted in pattern.utf8 {
      guard index < bytes.count else { return false }
      let byte = bytes[index]
      if wanted == UInt8(ascii: "d") ? !IdentifierRules.isDigit(byte) : byte != wanted { return false }
      index += 1
    }
    return true
  }
}
