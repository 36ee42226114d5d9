// An unsafe leaf: reads terms of at least eight or four bytes by words, within their bounds.

/// A term of a posting index as the two words that it is looked up by.
///
/// Terms of up to 15 bytes are held whole: the first seven bytes big-endian with the length behind them, then the other
/// eight. Of longer ones the first seven bytes are held and a seeded hash of all, so that no one can choose two that
/// collide; who finds records by such a term looks at the records' own bytes. The ID of a record that is referred to, which
/// begins as those of all records of its zone do, is told by two words of a keyed hash alone (``record(_:)``).
///
/// Invariant: two terms of up to 15 bytes have equal words only if they are the same bytes. Order is by the first seven
/// bytes, then by length up to 16, then by the other word; so terms of one length, such as numbers, are in their order.
struct PostingTerm: Equatable, Sendable {
  let head: UInt64
  let tail: UInt64

  private static let hash = ByteHash.random()

  init(head: UInt64, tail: UInt64) {
    self.head = head
    self.tail = tail
  }

  @inline(__always)
  init(_ bytes: Span<UInt8>) {
    let count = bytes.count
    var (first, second): (UInt64, UInt64) = (0, 0)
    unsafe bytes.withUnsafeBytes { bytes in
      if count >= 8 {
        first = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) >> 8
        if count < PostingTerm.longLength {
          // The last eight bytes, less those before the eighth.
          let last = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
          second = last &<< UInt64(truncatingIfNeeded: (15 &- count) &* 8)
        }
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
    head = first << 8 | UInt64(truncatingIfNeeded: min(count, PostingTerm.longLength))
    tail = count < PostingTerm.longLength ? second : PostingTerm.hash.hash(bytes)
  }

  /// The term of the eight bytes of a word, the greatest first.
  init(word: UInt64) {
    head = word & ~0xFF | 8
    tail = word << 56
  }

  /// The term of a record's ID, by its encoding: 120 bits of ``SipHash`` under a key that is drawn. They stand for one ID
  /// alone: of a thousand million some two have the same with a likelihood of 10⁻¹⁸, and no one without the key can look
  /// for such.
  @inline(__always)
  static func record(_ encoding: Span<UInt8>) -> PostingTerm {
    let words = SipHash.words(of: encoding, key: recordKey)
    return PostingTerm(head: words.first & ~0xFF | recordLength, tail: words.second)
  }

  private static let recordKey = SipHash.Key.random()

  /// What stands for the length of a term that is not held whole.
  static let longLength = 16
  /// What stands for the length of a record's ID.
  private static let recordLength: UInt64 = 17

  var length: Int { Int(head & 0xFF) }
  /// Whether the words tell the term from all others.
  var isExact: Bool { length != PostingTerm.longLength }
  var hasTail: Bool { length > 7 }

  static func < (left: PostingTerm, right: PostingTerm) -> Bool {
    left.head != right.head ? left.head < right.head : left.tail < right.tail
  }

  /// The bytes with zeros behind them, then the length: in the order of the terms' bytes, where both are held whole.
  var bytes: UInt128 { UInt128(head >> 8) << 72 | UInt128(tail) << 8 | UInt128(head & 0xFF) }
}

/// Terms between two, or with one beginning, as far as the words of a term tell.
///
/// Terms that are held whole are decided exactly; longer ones that share the first seven bytes of a bound are let
/// through, and their records must be looked at.
struct PostingTermRange: Sendable {
  private struct Bound {
    /// As `PostingTerm.bytes`, of the first 15 bytes.
    var bytes: UInt128
    var isIncluded: Bool

    var start: UInt64 { UInt64(bytes >> 72) }
    /// Whether a long term with the same seven first bytes may lie on either side.
    var isLongerThanStart: Bool { bytes & 0xFF > 7 }
  }

  private var lower: Bound?
  private var upper: Bound?
  private var prefix: (bytes: UInt128, count: Int)?

  /// Every term.
  init() {}

  /// The terms that begin with these bytes.
  init(prefix bytes: Span<UInt8>) {
    lower = Bound(bytes: Self.beginning(bytes), isIncluded: true)
    prefix = (Self.beginning(bytes), bytes.count)
  }

  /// Leaves out the terms below a bound, or up to it.
  mutating func begin(at bytes: Span<UInt8>, isIncluded: Bool) {
    lower = Bound(bytes: Self.beginning(bytes), isIncluded: isIncluded)
  }

  /// Leaves out the terms above a bound, or from it on.
  mutating func end(at bytes: Span<UInt8>, isIncluded: Bool) {
    upper = Bound(bytes: Self.beginning(bytes), isIncluded: isIncluded)
  }

  private static func beginning(_ bytes: Span<UInt8>) -> UInt128 {
    var result: UInt128 = 0
    for index in 0..<15 { result = result << 8 | (index < bytes.count ? UInt128(bytes[index]) : 0) }
    return result << 8 | UInt128(min(bytes.count, PostingTerm.longLength))
  }

  /// The least words that a term of the range may have.
  var first: PostingTerm { PostingTerm(head: (lower?.start ?? 0) << 8, tail: 0) }

  /// Whether all terms from these words on lie behind the range.
  func isBehind(_ term: PostingTerm) -> Bool {
    let start = term.head >> 8
    if let upper, start > upper.start { return true }
    guard let prefix else { return false }
    let count = min(prefix.count, 7)
    let shift = UInt64(7 - count) * 8
    return start >> shift > UInt64(prefix.bytes >> 72) >> shift
  }

  /// Whether a term may lie in the range; for a term held whole, whether it does.
  func contains(_ term: PostingTerm) -> Bool {
    let start = term.head >> 8
    guard term.isExact else {
      if let lower, start < lower.start { return false }
      if let upper, start > upper.start || start == upper.start && !upper.isLongerThanStart { return false }
      if let prefix {
        let shift = UInt64(7 - min(prefix.count, 7)) * 8
        return start >> shift == UInt64(prefix.bytes >> 72) >> shift
      }
      return true
    }
    let bytes = term.bytes
    if let lower, bytes < lower.bytes || bytes == lower.bytes && !lower.isIncluded { return false }
    if let upper, bytes > upper.bytes || bytes == upper.bytes && !upper.isIncluded { return false }
    if let prefix {
      guard prefix.count <= term.length else { return false }
      return prefix.count == 0 || (bytes ^ prefix.bytes) >> UInt128(128 - 8 * prefix.count) == 0
    }
    return true
  }
}
