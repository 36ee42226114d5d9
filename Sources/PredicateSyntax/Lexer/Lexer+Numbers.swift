extension Lexer {
  /// A number: `12`, `0x1F`, `0o17`, `0b101`, `1.5`, `10.`, `.5`, `9.2e-5`.
  mutating func number() {
    let start = position
    if dateText(from: start) { return }
    if byte() == UInt8(ascii: "0"), let radix = Self.radix(byte(1) | 0x20) {
      position += 2
      return digits(radix: radix, from: start)
    }
    skipDigits()
    var isDecimal = false
    if byte() == UInt8(ascii: "."), byte(1) != UInt8(ascii: ".") {
      isDecimal = true
      position += 1
      skipDigits()
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
      if IdentifierRules.isDigit(byte(1 + sign)) {
        isDecimal = true
        position += 2 + sign
        skipDigits()
      }
    }
    guard numberEnds(from: start) else { return }
    if isDecimal { decimal(from: start) } else { integer(bytes[start..<position], radix: 10, from: start) }
  }

  private static func radix(_ letter: UInt8) -> UInt64? {
    switch letter {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private mutating func skipDigits() {
    while position < bytes.count, IdentifierRules.isDigit(bytes[position]) { position += 1 }
  }

  private mutating func digits(radix: UInt64, from start: Int) {
    let first = position
    while let value = IdentifierRules.hexValue(byte()), UInt64(value) < radix { position += 1 }
    guard numberEnds(from: start) else { return }
    guard position > first else {
      let prefix = String(decoding: bytes[start..<first], as: UTF8.self)
      return refuse(from: start, code: "malformedNumber", "Digits must follow \(prefix).")
    }
    integer(bytes[first..<position], radix: radix, from: start)
  }

  /// Whether what follows a number may; refuses the whole run otherwise.
  private mutating func numberEnds(from start: Int) -> Bool {
    if IdentifierRules.continues(in: bytes, at: position) {
      position = runEnd(from: position)
      let text = excerpt(from: start, to: position)
      refuse(
        from: start, code: "gluedNumber", "A letter or digit cannot follow the number in \(text) directly.",
        hint: "If it is text, put it in quotes; if it is a name, begin it with a letter.")
      return false
    }
    if byte() == UInt8(ascii: "."), byte(1) == UInt8(ascii: ".") || IdentifierRules.isDigit(byte(1)) {
      while byte() == UInt8(ascii: ".") || IdentifierRules.continues(in: bytes, at: position) {
        position += byte() == UInt8(ascii: ".") ? 1 : 0
        position = runEnd(from: position)
      }
      refuse(from: start, code: "malformedNumber", "A number has one decimal point at most.")
      return false
    }
    return true
  }

  private func runEnd(from start: Int) -> Int {
    var index = start
    while IdentifierRules.continues(in: bytes, at: index) {
      index += bytes[index] < 0x80 ? 1 : IdentifierRules.scalar(in: bytes, at: index).length
    }
    return index
  }

  private mutating func integer(_ digits: ArraySlice<UInt8>, radix: UInt64, from start: Int) {
    var value: UInt64 = 0
    for digit in digits {
      let (high, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = high.addingReportingOverflow(UInt64(IdentifierRules.hexValue(digit) ?? 0))
      if overflow || carry || sum > 1 << 63 { return integerTooLarge(from: start, to: position) }
      value = sum
    }
    if value <= UInt64(Int32.max) { return append(.integer, from: start, payload: UInt32(value)) }
    append(.integer, from: start, payload: ~UInt32(truncatingIfNeeded: output.integers.count))
    output.integers.append(value)
  }

  private mutating func integerTooLarge(from start: Int, to end: Int) {
    refuse(
      from: start, code: "integerOutOfRange", Self.integerRange,
      hint: "Write a decimal number, such as 1e19, if its value need not be exact.")
  }

  static let integerRange = "A whole number lies between -9223372036854775808 and 9223372036854775807."

  private mutating func decimal(from start: Int) {
    var text = String(decoding: bytes[start..<position], as: UTF8.self)
    if bytes[start] == UInt8(ascii: ".") { text = "0" + text }
    // The shape has been checked above, so that none of the other spellings `Double` reads gets here.
    guard let value = Double(text), value.isFinite else {
      return refuse(
        from: start, code: "decimalOutOfRange",
        "The number is beyond what a double can hold (about 1.8e308).")
    }
    append(.decimal, from: start, payload: UInt32(truncatingIfNeeded: output.decimals.count))
    output.decimals.append(value)
  }

  func excerpt(from start: Int, to end: Int) -> String {
    SyntaxError.excerpt(bytes, SourceRange(start, end))
  }
}
