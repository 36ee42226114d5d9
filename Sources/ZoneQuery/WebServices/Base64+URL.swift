extension Base64 {
  /// The text of bytes in the alphabet that is safe in URLs (RFC 4648 §5), without padding.
  static func encodeForURL(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for letter in encode(bytes).utf8 where letter != UInt8(ascii: "=") {
      switch letter {
      case UInt8(ascii: "+"): text.append(UInt8(ascii: "-"))
      case UInt8(ascii: "/"): text.append(UInt8(ascii: "_"))
      default: text.append(letter)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text that ``encodeForURL(_:)`` writes; nil where it is none, or stands for more than `limit` bytes.
  static func decodeFromURL(_ text: String, limit: Int) -> [UInt8]? {
    guard text.utf8.count <= limit / 3 * 4 + 4 else { return nil }
    var letters: [UInt8] = []
    letters.reserveCapacity(text.utf8.count + 3)
    for letter in text.utf8 {
      switch letter {
      case UInt8(ascii: "-"): letters.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): letters.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: letters.append(letter)
      }
    }
    while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
    return try? decode(String(decoding: letters, as: UTF8.self))
  }

  /// Why a text may be none that ``decodeFromURL(_:limit:)`` reads.
  static let urlFault =
    "its text is longer than any, or is not in Base64 as URLs take it (A to Z, a to z, 0 to 9, - and _, unpadded)"
}
