/// The words that token search leaves out: CloudKit's documented list.
package struct StopWords: Sendable {
  /// The list, as documented.
  package static let all: [String] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
  ]

  static let longest = 5

  static let shared = StopWords()

  /// A hash table of about four slots a word, each holding a word's key; 0 is free.
  private let slots: [UInt64]

  private init() {
    var slots = [UInt64](repeating: 0, count: Self.mask + 1)
    for word in Self.all {
      let key = word.utf8.reduce(0) { Self.key($0, followedBy: $1) }
      var slot = Self.slot(of: key)
      while slots[slot] != 0 { slot = (slot + 1) & Self.mask }
      slots[slot] = key
    }
    self.slots = slots
  }

  /// Whether the folded token `bytes` is a stop word. Complexity: constant.
  func contain(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count <= Self.longest else { return false }
    var key: UInt64 = 0
    for index in bytes.indices { key = Self.key(key, followedBy: bytes[index]) }
    return contain(key: key)
  }

  /// Whether the folded token of at most `longest` bytes with this key is a stop word. Complexity: constant.
  @inline(__always)
  func contain(key: UInt64) -> Bool {
    var slot = Self.slot(of: key)
    while slots[slot] != 0 {
      if slots[slot] == key { return true }
      slot = (slot &+ 1) & Self.mask
    }
    return false
  }

  /// The key of a token that starts with the token of `key` and goes on with `byte`. The empty token's is 0.
  @inline(__always)
  static func key(_ key: UInt64, followedBy byte: UInt8) -> UInt64 { key &<< 8 | UInt64(byte) }

  private static let mask = 127

  @inline(__always)
  private static func slot(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 57)
  }
}
