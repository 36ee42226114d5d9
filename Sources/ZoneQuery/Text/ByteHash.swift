// An unsafe leaf: reads bytes in words of eight and of four.
//
// Invariant: every load lies within the span, whose memory outlives the call.

/// A seeded hash of bytes and words (multiply and fold, as in Wang Yi's wyhash): fast, and since nobody outside knows the
/// seed, from which what bytes are multiplied by comes as well, nobody can choose values that collide. Collisions cost time
/// alone: whoever looks something up by it compares the bytes, or asks the program.
struct ByteHash: Sendable {
  let seed: UInt64
  /// What the words of bytes are multiplied by.
  private let factor: UInt64

  init(seed: UInt64) {
    self.seed = seed | 1
    let drawn = Self.fold(seed ^ 0xE703_7ED1_A0B4_28DB, 0xA076_1D64_78BD_642F) | 1
    // A factor of few ones, or of few zeros, would mix little: hardly any seed gives such.
    factor = (16...48).contains(drawn.nonzeroBitCount) ? drawn : 0x9E37_79B9_7F4A_7C15
  }

  /// A hash of a seed that is drawn: for what lives no longer than the process.
  static func random() -> ByteHash { ByteHash(seed: .random(in: 0 ... .max)) }

  @inline(__always)
  static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  @inline(__always)
  func hash(_ word: UInt64, _ other: UInt64 = 0) -> UInt64 {
    Self.fold(Self.fold(word ^ seed, 0x9E37_79B9_7F4A_7C15) ^ other, 0xD6E8_FEB8_6659_FD93)
  }

  func hash(_ bytes: Span<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in
      let count = buffer.count
      var state = seed
      var rest: UInt64 = 0
      if count >= 8 {
        var place = 0
        while place &+ 8 < count {
          let word = unsafe buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          state = Self.fold(state ^ word, factor)
          place &+= 8
        }
        // The last eight bytes, whichever of them were taken already.
        rest = unsafe buffer.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      } else if count >= 4 {
        // Two fours that may overlap.
        let start = unsafe buffer.loadUnaligned(as: UInt32.self)
        let end = unsafe buffer.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
        rest = UInt64(start) &<< 32 | UInt64(end)
      } else {
        for place in 0..<count { rest = rest &<< 8 | UInt64(unsafe buffer[place]) }
      }
      // How many there are comes in behind the factor: beside the words it could be made up for by other bytes.
      return Self.fold(Self.fold(state ^ rest, factor) ^ (seed &+ UInt64(count)), 0xA076_1D64_78BD_642F)
    }
  }
}

extension Span where Element == UInt8 {
  /// The first eight bytes as a number whose order is the bytes' order, padded behind.
  func leadingWord(padding: UInt8 = 0) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<8 { word = word &<< 8 | UInt64(index < count ? self[index] : padding) }
    return word
  }
}
