extension Lexer {
  /// A quoted text; the reader stands just past its opening quote.
  mutating func string(quote: UInt8, from start: Int) {
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position += 1
      }
      position += 1
    }
    guard position < bytes.count else {
      position = bytes.count
      let sign = quote == UInt8(ascii: "'") ? "'" : "\""
      let escaped = hasEscapes && closingQuoteIsEscaped(quote)
      return refuse(
        from: start, code: "unterminatedString", "The text that begins here has no closing \(sign).",
        hint: escaped
          ? "A backslash stands before the last \(sign); write \\\\ for a backslash itself."
          : "Put \(sign) where the text ends; inside it, write \\\(sign).")
    }
    position += 1
    guard position - start - 2 <= limits.stringLength else {
      return refuse(
        from: start, code: "stringTooLong",
        "The text has \(position - start - 2) bytes; at most \(limits.stringLength) are read.")
    }
    guard hasEscapes else { return append(.string, from: start) }
    guard let text = unescaped(from: start + 1, to: position - 1) else {
      return append(.invalid, from: start)
    }
    append(.string, from: start, payload: UInt32(truncatingIfNeeded: output.strings.count))
    output.strings.append(text)
  }

  private func closingQuoteIsEscaped(_ quote: UInt8) -> Bool {
    guard let last = bytes.last(where: { $0 != 0x20 }), last == quote || last == UInt8(ascii: "\\") else {
      return false
    }
    return true
  }

  /// The text with its escapes replaced; `nil` after reporting each that is wrong.
  private mutating func unescaped(from start: Int, to end: Int) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(end - start)
    var isValid = true
    var index = start
    while index < end {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        index += 1
        continue
      }
      let escape = index
      index += 1
      guard index < end else { break }
      let letter = bytes[index]
      index += 1
      switch letter {
      case UInt8(ascii: "a"): result.append(0x07)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "v"): result.append(0x0B)
      case 0x30...0x37:
        var value = UInt32(letter - 0x30)
        var count = 1
        while count < 3, index < end, bytes[index] >= 0x30, bytes[index] <= 0x37 {
          value = value * 8 + UInt32(bytes[index] - 0x30)
          index += 1
          count += 1
        }
        Self.appendScalar(value, to: &result)
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        if let value = hexadecimal(count: 2, at: &index, end: end) {
          Self.appendScalar(value, to: &result)
        } else {
          isValid = false
          report(
            from: escape, to: index, code: "shortEscape",
            "Two hexadecimal digits must follow \\\(Unicode.Scalar(letter)).")
        }
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        if !unicodeEscape(letter, from: escape, at: &index, end: end, to: &result) { isValid = false }
      default: result.append(letter)
      }
      if output.isCutShort { return nil }
    }
    return isValid ? String(decoding: result, as: UTF8.self) : nil
  }

  private mutating func unicodeEscape(
    _ letter: UInt8, from escape: Int, at index: inout Int, end: Int, to result: inout [UInt8]
  ) -> Bool {
    guard let unit = hexadecimal(count: 4, at: &index, end: end) else {
      report(
        from: escape, to: index, code: "shortEscape",
        "Four hexadecimal digits must follow \\\(Unicode.Scalar(letter)).")
      return false
    }
    if unit & 0xFC00 == 0xD800, index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] | 0x20 == UInt8(ascii: "u")
    {
      var next = index + 2
      if let low = hexadecimal(count: 4, at: &next, end: end), low & 0xFC00 == 0xDC00 {
        index = next
        Self.appendScalar(0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF), to: &result)
        return true
      }
    }
    guard unit & 0xF800 != 0xD800 else {
      report(
        from: escape, to: index, code: "loneSurrogate",
        "This is one half of a surrogate pair, which is no character by itself.",
        hint: "Write both halves, \\uD83D\\uDE00, or the character itself.")
      return false
    }
    Self.appendScalar(unit, to: &result)
    return true
  }

  /// The value of exactly `count` hexadecimal digits, or `nil` with `index` past those there are.
  private func hexadecimal(count: Int, at index: inout Int, end: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard index < end, let digit = IdentifierRules.hexValue(bytes[index]) else { return nil }
      value = value << 4 | digit
      index += 1
    }
    return value
  }

  private static func appendScalar(_ value: UInt32, to result: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value) else { return }
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { result.append(byte) }
  }
}
