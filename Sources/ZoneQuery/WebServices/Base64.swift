/// Base64 as RFC 4648 §4 has it: the standard alphabet, padded, without line breaks. Linear time.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let none: UInt8 = 0xFF
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: none, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// The text of bytes.
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var bits = UInt32(bytes[index]) << 16
      if count > 1 { bits |= UInt32(bytes[index + 1]) << 8 }
      if count > 2 { bits |= UInt32(bytes[index + 2]) }
      text.append(alphabet[Int(bits >> 18)])
      text.append(alphabet[Int(bits >> 12 & 63)])
      text.append(count > 1 ? alphabet[Int(bits >> 6 & 63)] : UInt8(ascii: "="))
      text.append(count > 2 ? alphabet[Int(bits & 63)] : UInt8(ascii: "="))
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Why a text is no Base64.
  enum Fault: Error, Equatable {
    /// The number of characters is no multiple of four.
    case length(Int)
    /// A character stands, so many bytes into the text, where none of the alphabet does.
    case character(Int)
    /// The last character before the padding has bits that no byte takes up.
    case trailingBits

    var message: String {
      switch self {
      case .length(let count): "Base64 comes in fours of characters, padded with =; this text has \(count)"
      case .character(let offset): "the character at offset \(offset) is not of the Base64 alphabet"
      case .trailingBits: "the last character of the Base64 text has bits that belong to no byte"
      }
    }
  }

  /// The bytes of a text.
  static func decode(_ text: String) throws(Fault) -> [UInt8] {
    let letters = Array(text.utf8)
    guard letters.count % 4 == 0 else { throw .length(letters.count) }
    let padding = letters.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    let end = letters.count - padding
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for index in 0..<end {
      let value = values[Int(letters[index])]
      guard value != none else { throw .character(index) }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    guard bits == 0 else { throw .trailingBits }
    return bytes
  }
}
