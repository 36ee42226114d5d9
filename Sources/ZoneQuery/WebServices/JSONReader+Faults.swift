extension JSONReader {
  /// What stopped the reader; its message is made only once it reaches the caller.
  struct Fault: Error {
    enum Kind {
      case expected(String)
      case byteOrderMark
      case tooDeep
      case duplicateKey(String)
      case unterminatedString(Int)
      case controlCharacter(UInt8)
      case loneHighSurrogate
      case loneLowSurrogate
      case invalidUTF8(UInt8)
      case leadingZero
      case numberOutOfRange
    }

    let kind: Kind
    let index: Int

    init(_ kind: Kind, _ index: Int) {
      self.kind = kind
      self.index = index
    }
  }

  /// The sentence that tells the caller what was expected and what was found.
  func message(of fault: Fault) -> String {
    switch fault.kind {
    case .expected(let what): "expected \(what), found \(found(at: fault.index))"
    case .byteOrderMark: "a byte order mark (EF BB BF) may not precede JSON text; expected a value"
    case .tooDeep: "arrays and objects nest more than \(maximumDepth) levels deep"
    case .duplicateKey(let key):
      "the key \(Self.quoted(key)) occurs twice in one object; expected another key"
    case .unterminatedString(let opening):
      "expected '\"' to end the string that began \(end - opening) byte\(end - opening == 1 ? "" : "s") before, found the "
        + "end of the text"
    case .controlCharacter(let byte):
      "the control character U+\(Self.hexadecimal(byte, digits: 4)) in a string; expected it as "
        + "\\u\(Self.hexadecimal(byte, digits: 4))"
    case .loneHighSurrogate: "expected an escape from \\uDC00 to \\uDFFF after a high surrogate"
    case .loneLowSurrogate:
      "a low surrogate without a high surrogate before it; expected a Unicode scalar"
    case .invalidUTF8(let byte):
      "the byte 0x\(Self.hexadecimal(byte, digits: 2)) begins no valid UTF-8; expected text"
    case .leadingZero:
      "a number may not begin with a needless 0; expected '.', an exponent or no digit after it"
    case .numberOutOfRange: "number out of range; expected one that a double can hold"
    }
  }

  private func found(at index: Int) -> String {
    guard index < end else { return "the end of the text" }
    let byte = bytes[index]
    switch byte {
    case 0x21...0x7E: break
    case 0x20: return "a space"
    default: return "the byte 0x\(Self.hexadecimal(byte, digits: 2))"
    }
    let hint =
      switch byte {
      case UInt8(ascii: "'"): " (strings stand in double quotes)"
      case UInt8(ascii: "/"), UInt8(ascii: "#"): " (JSON has no comments)"
      case UInt8(ascii: "N"), UInt8(ascii: "I"): " (JSON has no NaN and no infinity)"
      case UInt8(ascii: "+"): " (a positive number has no sign)"
      default: ""
      }
    return "'\(Character(Unicode.Scalar(byte)))'\(hint)"
  }

  /// The beginning of a key, written as JSON, and so that nothing of it acts on a terminal.
  private static func quoted(_ key: String) -> String {
    var beginning = ""
    beginning.unicodeScalars.append(contentsOf: key.unicodeScalars.prefix(40))
    let isWhole = beginning.utf8.count == key.utf8.count
    return JSONValue.string(beginning).text.unicodeScalars.map(DiagnosticFormatter.shown).joined()
      + (isWhole ? "" : "…")
  }

  private static func hexadecimal(_ byte: UInt8, digits: Int) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
