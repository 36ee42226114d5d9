/// What an identifier is: a letter or `_`, then letters, digits, marks and `_`. Letters beyond ASCII are those
/// Unicode lets identifiers begin with (`XID_Start`), what follows them is `XID_Continue`.
package enum IdentifierRules {
  /// Whether an ASCII byte may begin an identifier.
  @inline(__always)
  static func isStart(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (lower >= 0x61 && lower <= 0x7A) || byte == 0x5F
  }

  /// Whether an ASCII byte may stand within an identifier.
  @inline(__always)
  static func isContinuation(_ byte: UInt8) -> Bool { isStart(byte) || isDigit(byte) }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  /// The scalar that begins at `index`, and its length. `bytes` is valid UTF-8 and `index` the first byte of a
  /// scalar, as in every Swift string; anything else gives U+FFFD of length 1.
  static func scalar(in bytes: [UInt8], at index: Int) -> (scalar: Unicode.Scalar, length: Int) {
    let lead = bytes[index]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC0, index + length <= bytes.count else { return ("\u{FFFD}", 1) }
    var value = UInt32(lead) & (length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F)
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    guard let scalar = Unicode.Scalar(value) else { return ("\u{FFFD}", 1) }
    return (scalar, length)
  }

  /// The end of the identifier that begins at `start`, or `start` if none does.
  static func end(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        guard index == start ? isStart(byte) : isContinuation(byte) else { return index }
        index += 1
      } else {
        let (scalar, length) = scalar(in: bytes, at: index)
        guard index == start ? scalar.properties.isXIDStart : scalar.properties.isXIDContinue else {
          return index
        }
        index += length
      }
    }
    return index
  }

  /// Whether an identifier may go on at `index`.
  static func continues(in bytes: [UInt8], at index: Int) -> Bool {
    guard index < bytes.count else { return false }
    if bytes[index] < 0x80 { return isContinuation(bytes[index]) }
    return scalar(in: bytes, at: index).scalar.properties.isXIDContinue
  }

  /// Whether `bytes[start..<end]` is a component of a key: an identifier, which `@` may precede.
  static func isComponent(_ bytes: [UInt8], from start: Int, to end: Int) -> Bool {
    guard start < end else { return false }
    let first = bytes[start] == UInt8(ascii: "@") ? start + 1 : start
    guard first < end else { return false }
    return self.end(in: bytes, from: first) == end
  }
}
