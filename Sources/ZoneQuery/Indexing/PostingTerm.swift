// An unsafe leaf: reads terms of at least eight or four bytes by words, within their bounds, and lends the bytes of the two
// words that stand for a term while these live.

/// A term of a posting index as the two words that it is looked up by.
///
/// Terms of up to 15 bytes are held whole: the first seven bytes big-endian with the length behind them, then the other
/// eight. Longer ones, such as the IDs of records that are referred to, are told by 120 bits of ``SipHash`` under a key that
/// is drawn: of a thousand million terms some two have the same bits with a likelihood of 10⁻¹⁸, and no one without the key
/// can look for such. So the words stand for one term, and who finds records by it needs no look at their own bytes.
///
/// Order is by the first seven bytes, then by length, then by the other word; so terms of one length, such as numbers, are in
/// their order; those of long terms are in none.
struct PostingTerm: Equatable, Sendable {
  let head: UInt64
  let tail: UInt64

  private static let key = SipHash.Key.random()

  init(head: UInt64, tail: UInt64) {
    self.head = head
    self.tail = tail
  }

  @inline(__always)
  init(_ bytes: Span<UInt8>) {
    let count = bytes.count
    if count >= PostingTerm.longLength {
      let words = SipHash.words(of: bytes, key: PostingTerm.key)
      (head, tail) = (words.first & ~0xFF | UInt64(PostingTerm.longLength), words.second)
      return
    }
    var (first, second): (UInt64, UInt64) = (0, 0)
    unsafe bytes.withUnsafeBytes { bytes in
      if count >= 8 {
        first = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) >> 8
        // The last eight bytes, less those before the eighth.
        let last = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
        second = last &<< UInt64(truncatingIfNeeded: (15 &- count) &* 8)
      } else if count >= 4 {
        // Two fours that may overlap.
        let start = unsafe UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
        let end = unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        first = UInt64(start) &<< 24 | UInt64(end) &<< UInt64(truncatingIfNeeded: (7 &- count) &* 8)
      } else {
        for index in 0..<count {
          unsafe first |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: (6 &- index) &* 8)
        }
      }
    }
    (head, tail) = (first << 8 | UInt64(truncatingIfNeeded: count), second)
  }

  /// The term of the eight bytes of a word, the greatest first.
  init(word: UInt64) {
    head = word & ~0xFF | 8
    tail = word << 56
  }

  /// What stands for the length of a term that is not held whole.
  private static let longLength = 16

  /// Whether the words tell it by a hash.
  var isLong: Bool { head & 0xFF >= UInt64(PostingTerm.longLength) }

  /// Whether a term is so long that its words tell it by a hash.
  static func isLong(_ bytes: Span<UInt8>) -> Bool { bytes.count >= longLength }

  /// Calls `body` with the bytes of a term that is held whole.
  func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    let words = SIMD2((head & ~0xFF | tail >> 56).bigEndian, (tail << 8).bigEndian)
    return unsafe withUnsafeBytes(of: words) { bytes in
      let count = min(Int(head & 0xFF), PostingTerm.longLength - 1)
      return unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<count])))
    }
  }

  var hasTail: Bool { head & 0xFF > 7 }

  static func < (left: PostingTerm, right: PostingTerm) -> Bool {
    left.head != right.head ? left.head < right.head : left.tail < right.tail
  }
}
