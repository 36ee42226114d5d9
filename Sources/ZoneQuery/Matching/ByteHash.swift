// An unsafe leaf: reads bytes in words of eight.
//
// Invariant: every load lies within the span, whose memory outlives the call.

/// A seeded hash of bytes and words (multiply and fold, as in Wang Yi's wyhash): fast, and since nobody outside knows the
/// seed, nobody can choose values that collide. Collisions cost time alone: whoever looks something up by it compares
/// the bytes, or asks the program.
struct ByteHash: Sendable {
  let seed: UInt64

  init(seed: UInt64) { self.seed = seed | 1 }

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
      var state = seed &+ UInt64(buffer.count)
      var place = 0
      while place &+ 8 <= buffer.count {
        let word = unsafe buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        state = Self.fold(state ^ word, 0x9E37_79B9_7F4A_7C15)
        place &+= 8
      }
      var rest: UInt64 = 0
      while place < buffer.count {
        rest = rest &<< 8 | UInt64(unsafe buffer[place])
        place &+= 1
      }
      return Self.fold(Self.fold(state ^ rest, 0xD6E8_FEB8_6659_FD93) ^ seed, 0xA076_1D64_78BD_642F)
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
