/// SipHash-2-4 with an output of 128 bits: a keyed tag that no one without the key can make for other bytes.
///
/// Source: J.-P. Aumasson and D. J. Bernstein, *SipHash: a fast short-input PRF*, INDOCRYPT 2012, with the authors'
/// later variant of 128 bits. Two rounds a word, four at the end of each half. Complexity: linear in the bytes.
struct SipHash {
  /// A key of 16 bytes, as two little-endian words.
  struct Key: Sendable, Equatable {
    private let low: UInt64
    private let high: UInt64

    static let length = 16

    /// The key of bytes; nil where they are not 16.
    init?(_ bytes: [UInt8]) {
      guard bytes.count == Key.length else { return nil }
      low = bytes.span.word(at: 0)
      high = bytes.span.word(at: 8)
    }

    /// A key that no one can guess.
    static func random() -> Key {
      var generator = SystemRandomNumberGenerator()
      return Key(generator.next(), generator.next())
    }

    private init(_ low: UInt64, _ high: UInt64) {
      self.low = low
      self.high = high
    }

    fileprivate var state: SipHash {
      SipHash(
        v0: low ^ 0x736F_6D65_7073_6575, v1: high ^ 0x646F_7261_6E64_6F6D ^ 0xEE, v2: low ^ 0x6C79_6765_6E65_7261,
        v3: high ^ 0x7465_6462_7974_6573)
    }
  }

  private var v0, v1, v2, v3: UInt64

  /// The tag of bytes, 16 bytes long.
  static func tag(of bytes: [UInt8], key: Key) -> [UInt8] {
    let words = words(of: bytes.span, key: key)
    return [words.first, words.second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// The tag of bytes, as two little-endian words.
  static func words(of bytes: Span<UInt8>, key: Key) -> (first: UInt64, second: UInt64) {
    var state = key.state
    var offset = 0
    while bytes.count - offset >= 8 {
      state.absorb(bytes.word(at: offset))
      offset += 8
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    var shift: UInt64 = 0
    while offset < bytes.count {
      last |= UInt64(bytes[offset]) << shift
      shift += 8
      offset += 1
    }
    state.absorb(last)
    state.v2 ^= 0xEE
    let first = state.finish()
    state.v1 ^= 0xDD
    return (first, state.finish())
  }

  /// Whether two tags are the same, in a time that does not tell where they differ.
  static func areSame(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (a, b) in zip(left, right) { difference |= a ^ b }
    return difference == 0
  }

  private mutating func absorb(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func finish() -> UInt64 {
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1 << 13 | v1 >> 51
    v1 ^= v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = v3 << 16 | v3 >> 48
    v3 ^= v2
    v0 &+= v3
    v3 = v3 << 21 | v3 >> 43
    v3 ^= v0
    v2 &+= v1
    v1 = v1 << 17 | v1 >> 47
    v1 ^= v2
    v2 = v2 << 32 | v2 >> 32
  }
}

extension SipHash.Key: CustomReflectable, CustomStringConvertible {
  /// Says nothing of it: what holds a key may be shown.
  var customMirror: Mirror { Mirror(self, children: []) }
  var description: String { "a key" }
}
