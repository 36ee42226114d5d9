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

  /// A hash table without collisions: each word's key stands in the slot that its hash names; `free` is no word's key.
  private let slots: [UInt64]
  private let multiplier: UInt64

  private init() {
    let keys = Self.all.map { $0.utf8.reduce(0) { Self.key($0, followedBy: $1) } }
    var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    var slots: [UInt64]
    repeat {
      multiplier &+= 2
      slots = [UInt64](repeating: Self.free, count: 256)
      for key in keys { slots[Self.slot(of: key, multiplier)] = key }
    } while slots.count(where: { $0 != Self.free }) < keys.count
    self.slots = slots
    self.multiplier = multiplier
  }

  /// Whether the folded token `bytes` is a stop word. Complexity: constant.
  func contain(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count <= Self.longest else { return false }
    var key: UInt64 = 0
    for index in bytes.indices { key = Self.key(key, followedBy: bytes[index]) }
    return contain(key: key)
  }

  /// Whether the folded token with this key is a stop word. Complexity: constant.
  ///
  /// A token longer than eight bytes has the key of its last eight, which is no stop word's: those are shorter,
  /// and no token holds a zero byte, as U+0000 is a segment of its own.
  @inline(__always)
  func contain(key: UInt64) -> Bool { slots[Self.slot(of: key, multiplier)] == key }

  /// The key of a token that starts with the token of `key` and goes on with `byte`. The empty token's is 0.
  @inline(__always)
  static func key(_ key: UInt64, followedBy byte: UInt8) -> UInt64 { key &<< 8 | UInt64(byte) }

  private static let free = UInt64.max

  @inline(__always)
  private static func slot(of key: UInt64, _ multiplier: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* multiplier) &>> 56)
  }
}
