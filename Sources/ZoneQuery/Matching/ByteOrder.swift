// An unsafe leaf: bytes compared a word at a time.
//
// Invariant: every load of n bytes starts at an offset from 0 through count - n of its span, whose memory lives as long
// as the span; loads need no alignment.

/// The order of texts by their bytes, and whether they are equal. Complexity: linear in the shorter text, a step for
/// every eight bytes.
enum ByteOrder {
  /// Negative, 0 or positive as `left` comes before, is, or comes after `right`.
  @inline(__always)
  static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    let (leftBytes, rightBytes) = unsafe (left.bytes, right.bytes)
    let shared = min(left.count, right.count)
    if shared >= 8 {
      var offset = 0
      while offset < shared - 8 {
        let order = words(leftBytes, rightBytes, offset)
        if order != 0 { return order }
        offset += 8
      }
      // The last eight, some of which may have been seen and are equal.
      let order = words(leftBytes, rightBytes, shared - 8)
      return order != 0 ? order : left.count - right.count
    }
    let (first, second) = (head(leftBytes, shared), head(rightBytes, shared))
    if first != second { return first < second ? -1 : 1 }
    return left.count - right.count
  }

  /// Whether the texts are the same bytes.
  @inline(__always)
  static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    return unsafe areEqual(left.bytes, 0, right.bytes, count)
  }

  /// Whether the text's bytes from an offset on begin with `part`.
  @inline(__always)
  static func stands(_ part: Span<UInt8>, in text: Span<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= text.count, text.count - offset >= part.count else { return false }
    return unsafe areEqual(text.bytes, offset, part.bytes, part.count)
  }

  @inline(__always)
  private static func areEqual(_ left: RawSpan, _ start: Int, _ right: RawSpan, _ count: Int) -> Bool {
    if count >= 8 {
      var offset = 0
      while offset < count - 8 {
        if word(left, start + offset) != word(right, offset) { return false }
        offset += 8
      }
      return word(left, start + count - 8) == word(right, count - 8)
    }
    if count >= 4 {
      return half(left, start) == half(right, 0) && half(left, start + count - 4) == half(right, count - 4)
    }
    var offset = 0
    while offset < count {
      if byte(left, start + offset) != byte(right, offset) { return false }
      offset += 1
    }
    return true
  }

  @inline(__always)
  private static func words(_ left: RawSpan, _ right: RawSpan, _ offset: Int) -> Int {
    let (first, second) = (word(left, offset), word(right, offset))
    if first == second { return 0 }
    return first.bigEndian < second.bigEndian ? -1 : 1
  }

  /// The first `count` bytes, fewer than eight, as one number of that order.
  @inline(__always)
  private static func head(_ bytes: RawSpan, _ count: Int) -> UInt64 {
    if count >= 4 {
      let first = UInt64(half(bytes, 0).bigEndian)
      let last = UInt64(half(bytes, count - 4).bigEndian)
      // They overlap, which changes nothing: the overlap is equal where the first halves are.
      return first &<< 32 | last
    }
    var (number, offset) = (UInt64(0), 0)
    while offset < count {
      number = number &<< 8 | UInt64(byte(bytes, offset))
      offset += 1
    }
    return number
  }

  @inline(__always)
  private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func half(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self)
  }

  @inline(__always)
  private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
  }
}
