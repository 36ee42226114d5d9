extension Lexer {
  /// A conversion, the reader standing just past its `%`.
  mutating func conversion(from start: Int) {
    let first = byte()
    if first == UInt8(ascii: "%") {
      position += 1
      return refuse(
        from: start, code: "doubledPercent", "%% has no meaning outside quotes.",
        hint: "Inside quotes a single % is plain text. The remainder of a division is modulus:by:(a, b).")
    }
    let modifier = skipLengthModifier()
    guard let kind = Self.conversionKind(byte(), modifier: modifier) else {
      return unknownConversion(from: start)
    }
    position += 1
    if IdentifierRules.continues(in: bytes, at: position) {
      while IdentifierRules.continues(in: bytes, at: position) {
        position += bytes[position] < 0x80 ? 1 : IdentifierRules.scalar(in: bytes, at: position).length
      }
      let text = excerpt(from: start, to: position)
      refuse(
        from: start, code: "gluedConversion", "Something follows the conversion in \(text) directly.",
        hint: "Put a blank between the conversion and what follows it.")
      countConversion()
      return
    }
    if let last = output.tokens.last, Int(last.end) == start,
      last.kind == .identifier || last.kind == .integer
    {
      let text = excerpt(from: Int(last.start), to: position)
      refuse(
        from: start, code: "gluedConversion", "The conversion in \(text) follows a name or number directly.",
        hint: "For the remainder of a division write modulus:by:(a, b).")
      countConversion()
      return
    }
    append(kind, from: start, payload: UInt32(truncatingIfNeeded: output.conversions))
    countConversion()
  }

  private mutating func countConversion() { output.conversions += 1 }

  private enum LengthModifier {
    case none, integer, either
  }

  private mutating func skipLengthModifier() -> LengthModifier {
    switch byte() {
    case UInt8(ascii: "h"), UInt8(ascii: "l"):
      let isLong = byte() == UInt8(ascii: "l")
      let isDoubled = byte(1) == byte()
      position += isDoubled ? 2 : 1
      return isLong && !isDoubled ? .either : .integer
    case UInt8(ascii: "q"), UInt8(ascii: "z"), UInt8(ascii: "t"), UInt8(ascii: "j"):
      position += 1
      return .integer
    case UInt8(ascii: "L"):
      position += 1
      return .either
    default: return .none
    }
  }

  private static func conversionKind(_ letter: UInt8, modifier: LengthModifier) -> Token.Kind? {
    switch letter {
    case UInt8(ascii: "@"): modifier == .none ? .objectConversion : nil
    case UInt8(ascii: "K"): modifier == .none ? .keyConversion : nil
    case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "U"),
      UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "o"), UInt8(ascii: "O"), UInt8(ascii: "c"),
      UInt8(ascii: "C"):
      .integerConversion
    case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "g"),
      UInt8(ascii: "G"), UInt8(ascii: "a"), UInt8(ascii: "A"):
      modifier == .integer ? nil : .floatConversion
    default: nil
    }
  }

  private mutating func unknownConversion(from start: Int) {
    let letter = byte()
    let message: String
    let hint: String
    var code = "unknownConversion"
    switch letter {
    case UInt8(ascii: "k"):
      position += 1
      (message, hint) = ("There is no conversion %k.", "A key is put in with %K.")
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      position += 1
      (message, hint) = ("C strings are not taken as arguments.", "Pass a String with %@.")
    case UInt8(ascii: ".") where Self.isFormatted(bytes, from: position),
      UInt8(ascii: "0")...UInt8(ascii: "9") where Self.isFormatted(bytes, from: position):
      while byte() == UInt8(ascii: ".") || IdentifierRules.isDigit(byte()) { position += 1 }
      while IdentifierRules.isContinuation(byte()) { position += 1 }
      (message, hint) = (
        "Conversions take no width and no precision.", "A number is put in by value: write %d or %f."
      )
    case UInt8(ascii: "0")...UInt8(ascii: "9") where Self.isNumbered(bytes, from: position):
      while byte() != UInt8(ascii: "$") { position += 1 }
      position += 1
      let letters = position
      let modifier = skipLengthModifier()
      let isConversion = Self.conversionKind(byte(), modifier: modifier) != nil
      if isConversion || byte() == UInt8(ascii: "@") { position += 1 }
      let isOne = isConversion && !IdentifierRules.isContinuation(byte())
      while IdentifierRules.isContinuation(byte()) { position += 1 }
      (message, hint) = (
        "Conversions are not numbered.",
        "Write %\(isOne ? excerpt(from: letters, to: position) : "@"): each conversion takes the next argument."
      )
    case let letter where IdentifierRules.isStart(letter) || position > start + 1:
      if letter == UInt8(ascii: "@") { position += 1 }
      while IdentifierRules.isContinuation(byte()) { position += 1 }
      let text = excerpt(from: start, to: position)
      (message, hint) = (
        "There is no conversion \(text).",
        "Values are put in with %@, keys with %K, numbers also with %d and %f. The remainder of a division "
          + "is modulus:by:(a, b)."
      )
    default:
      code = "modulus"
      (message, hint) = (
        "There is no operator %.", "Write modulus:by:(a, b) for the remainder of a division."
      )
    }
    refuse(from: start, code: code, message, hint: hint)
  }

  /// Whether digits from `start` on end in a `$`: `1$d`.
  private static func isNumbered(_ bytes: [UInt8], from start: Int) -> Bool {
    bytes[start...].first { !IdentifierRules.isDigit($0) } == UInt8(ascii: "$")
  }

  /// Whether digits and points from `start` on end in the letter of a number's conversion: `.2f`, `5d`.
  private static func isFormatted(_ bytes: [UInt8], from start: Int) -> Bool {
    var index = start
    while index < bytes.count, bytes[index] == UInt8(ascii: ".") || IdentifierRules.isDigit(bytes[index]) {
      index += 1
    }
    return index < bytes.count && IdentifierRules.isStart(bytes[index])
  }
}
