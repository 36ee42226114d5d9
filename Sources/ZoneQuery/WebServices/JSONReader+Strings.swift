extension JSONReader {
  /// Reads the string whose opening quote is the next byte.
  mutating func string() throws(Fault) -> String {
    let opening = position
    position += 1
    let start = position
    var all: UInt8 = 0
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let content = bytes[start..<position]
        position += 1
        if all < 0x80 { return String(decoding: content, as: UTF8.self) }
        guard let text = String(validating: content, as: UTF8.self) else {
          throw invalidUTF8(in: content)
        }
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, opening: opening) }
      if byte < 0x20 { throw Fault(.controlCharacter(byte), position) }
      all |= byte
      position += 1
    }
    throw Fault(.unterminatedString(opening), end)
  }

  /// Reads on in a string that has a backslash at `position`.
  private mutating func escapedString(from start: Int, opening: Int) throws(Fault) -> String {
    var content = Array(bytes[start..<position])
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        guard let text = String(validating: content, as: UTF8.self) else {
          // An escape always stands for a whole scalar, so the bytes are wrong exactly where the text is.
          throw invalidUTF8(in: bytes[start..<position])
        }
        position += 1
        return text
      }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &content)
        continue
      }
      if byte < 0x20 { throw Fault(.controlCharacter(byte), position) }
      content.append(byte)
      position += 1
    }
    throw Fault(.unterminatedString(opening), end)
  }

  private mutating func escape(into content: inout [UInt8]) throws(Fault) {
    let backslash = position
    position += 1
    guard position < end else { throw Fault(.expected("an escape after '\\'"), position) }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      var scalar = try fourHexadecimalDigits()
      if scalar & 0xFC00 == 0xDC00 { throw Fault(.loneLowSurrogate, backslash) }
      if scalar & 0xFC00 == 0xD800 {
        guard at(UInt8(ascii: "\\")), position + 1 < end, bytes[position + 1] == UInt8(ascii: "u") else {
          throw Fault(.loneHighSurrogate, backslash)
        }
        position += 2
        let low = try fourHexadecimalDigits()
        guard low & 0xFC00 == 0xDC00 else { throw Fault(.loneHighSurrogate, backslash) }
        scalar = 0x1_0000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
      }
      append(scalar, to: &content)
    default: throw Fault(.expected("one of \" \\ / b f n r t u after '\\'"), position - 1)
    }
  }

  private mutating func fourHexadecimalDigits() throws(Fault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < end else { throw Fault(.expected("four hexadecimal digits after '\\u'"), position) }
      let digit: UInt8
      switch bytes[position] {
      case let byte where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
      case let byte where byte >= 0x41 && byte <= 0x46: digit = byte - 0x41 + 10
      case let byte where byte >= 0x61 && byte <= 0x66: digit = byte - 0x61 + 10
      default: throw Fault(.expected("four hexadecimal digits after '\\u'"), position)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Appends a scalar that is no surrogate as UTF-8.
  private func append(_ scalar: UInt32, to content: inout [UInt8]) {
    func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar >> shift) & 0x3F) }
    switch scalar {
    case ..<0x80:
      content.append(UInt8(truncatingIfNeeded: scalar))
    case ..<0x800:
      content.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      content.append(continuation(0))
    case ..<0x1_0000:
      content.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      content.append(continuation(6))
      content.append(continuation(0))
    default:
      content.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
      content.append(continuation(12))
      content.append(continuation(6))
      content.append(continuation(0))
    }
  }

  /// The first place where `content`, known to be no UTF-8, breaks the rules of RFC 3629.
  private func invalidUTF8(in content: ArraySlice<UInt8>) -> Fault {
    var index = content.startIndex
    while index < content.endIndex {
      let lead = content[index]
      let length: Int
      var low: UInt8 = 0x80
      var high: UInt8 = 0xBF
      switch lead {
      case 0x00...0x7F: length = 1
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF:
        length = 3
        if lead == 0xE0 { low = 0xA0 }
        if lead == 0xED { high = 0x9F }
      case 0xF0...0xF4:
        length = 4
        if lead == 0xF0 { low = 0x90 }
        if lead == 0xF4 { high = 0x8F }
      default: return Fault(.invalidUTF8(lead), index)
      }
      for step in 1..<max(length, 1) {
        guard index + step < content.endIndex else { return Fault(.invalidUTF8(lead), index) }
        let byte = content[index + step]
        guard byte >= low, byte <= high else { return Fault(.invalidUTF8(lead), index) }
        low = 0x80
        high = 0xBF
      }
      index += length
    }
    return Fault(.invalidUTF8(content.last ?? 0), content.endIndex)
  }
}
