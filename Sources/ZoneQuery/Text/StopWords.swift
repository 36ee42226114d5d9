/// The words that token search leaves out: CloudKit's documented list.
package enum StopWords {
  /// The list, as documented.
  package static let all: [String] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
  ]

  static let longest = 5

  /// Whether the folded token `bytes` is a stop word. Complexity: constant.
  @inline(__always)
  static func contain(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count <= longest else { return false }
    let key = key(of: bytes)
    var slot = slot(of: key)
    while slots[slot] != 0 {
      if slots[slot] == key { return true }
      slot = (slot &+ 1) & mask
    }
    return false
  }

  /// A hash table of four slots a word, each holding a word's bytes as a number; 0 is free.
  private static let slots: [UInt64] = {
    var slots = [UInt64](repeating: 0, count: mask + 1)
    for word in all {
      let key = key(of: Array(word.utf8).span)
      var slot = slot(of: key)
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = key
    }
    return slots
  }()

  private static let mask = 127

  @inline(__always)
  private static func key(of bytes: Span<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    for index in bytes.indices { key = key &<< 8 | UInt64(bytes[index]) }
    return key
  }

  @inline(__always)
  private static func slot(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 57)
  }
}
