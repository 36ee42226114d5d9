#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: spans compared and copied as blocks of bytes.
//
// Invariant: the buffers that spans lend live until the closures return, and nothing keeps them.

extension Array where Element: BitwiseCopyable {
  /// The elements of a span.
  init(copying span: Span<Element>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }
}

extension String {
  /// The longest text, in bytes, that a string has in itself: without memory of its own.
  static var shortLimit: Int { 15 }

  /// The text of UTF-8 that was a Swift string's; it may be said that it is ASCII, which is asked for texts alone that are
  /// longer than short ones.
  @inline(__always)
  init(copying span: Span<UInt8>, isASCII: Bool = false) {
    self = unsafe span.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, 1...String.shortLimit ~= bytes.count else {
        if isASCII, bytes.count > String.shortLimit, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          return unsafe String(copying: UTF8Span(unchecked: Span(_unsafeBytes: bytes), isKnownASCII: true))
        }
        return unsafe String(decoding: bytes, as: UTF8.self)
      }
      // A short string that is filled in takes half to three quarters of what one that is decoded does where it is ASCII, as
      // most are; else a fifth more.
      return unsafe String(unsafeUninitializedCapacity: bytes.count) { room in
        guard let room = room.baseAddress else { return 0 }
        let target = UnsafeMutableRawPointer(room)
        switch bytes.count {
        case 8...: unsafe target.copyEnds(of: start, bytes.count, as: UInt64.self)
        case 4...: unsafe target.copyEnds(of: start, bytes.count, as: UInt32.self)
        case 2...: unsafe target.copyEnds(of: start, bytes.count, as: UInt16.self)
        default: unsafe target.copyEnds(of: start, bytes.count, as: UInt8.self)
        }
        return bytes.count
      }
    }
  }
}

extension UnsafeMutableRawPointer {
  /// Copies bytes as a first and a last word, which may overlap: as many as a word has, up to twice as many.
  @inline(__always)
  fileprivate func copyEnds<Word: BitwiseCopyable>(of start: UnsafeRawPointer, _ count: Int, as type: Word.Type) {
    let behind = count &- MemoryLayout<Word>.size
    let (first, last) = unsafe (start.loadUnaligned(as: type), (start + behind).loadUnaligned(as: type))
    unsafe storeBytes(of: first, as: type)
    unsafe (self + behind).storeBytes(of: last, as: type)
  }
}

extension String {
  /// A number in base 36, as `String(_:radix:)` writes it: short, so that it needs no memory of its own.
  init(base36 number: UInt64) {
    var (rest, count) = (number, 1)
    while rest >= 36 {
      rest /= 36
      count += 1
    }
    unsafe self.init(unsafeUninitializedCapacity: count) { buffer in
      var rest = number
      for index in (0..<count).reversed() {
        let digit = UInt8(truncatingIfNeeded: rest % 36)
        unsafe buffer.initializeElement(
          at: index, to: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        rest /= 36
      }
      return count
    }
  }
}

extension Span where Element == UInt8 {
  /// Negative, 0 or positive as the bytes come before, are, or come after `other`, byte by byte.
  func compare(_ other: Span<UInt8>) -> Int {
    let shared = Swift.min(count, other.count)
    let order = unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
        return unsafe Int(memcmp(left, right, shared))
      }
    }
    return order != 0 ? order : count - other.count
  }

  /// Whether the bytes are the same.
  func isSame(as other: Span<UInt8>) -> Bool { count == other.count && compare(other) == 0 }
}

extension Array where Element == UInt8 {
  /// Adds the bytes of a span.
  mutating func append(contentsOf span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Adds the eight bytes of a word, the lowest first.
  mutating func append(word: UInt64) {
    unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
  }
}

extension Span where Element == UInt8 {
  /// The eight bytes from a place that has them, the lowest first.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset + 8 <= count)
    return unsafe withUnsafeBytes {
      unsafe UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}

extension Span where Element == UInt8 {
  /// The first place, from one on and before another, at which the bytes are not those of `other`; both have bytes up to there.
  func firstDifference(from other: Span<UInt8>, in range: Range<Int>) -> Int {
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let difference = word(at: place) ^ other.word(at: place)
      if difference != 0 { return place + difference.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < range.upperBound, self[place] == other[place] { place += 1 }
    return place
  }
}

/// Calls `body` with the bytes of one span behind those of another.
@inline(__always)
func withJoined<Result>(
  _ first: Span<UInt8>, _ second: Span<UInt8>, _ body: (Span<UInt8>) -> Result
) -> Result {
  unsafe withUnsafeTemporaryAllocation(byteCount: first.count + second.count, alignment: 1) { buffer in
    guard let start = buffer.baseAddress else { return body([UInt8]().span) }
    unsafe first.withUnsafeBytes {
      if let bytes = $0.baseAddress { unsafe start.copyMemory(from: bytes, byteCount: $0.count) }
    }
    unsafe second.withUnsafeBytes {
      if let bytes = $0.baseAddress { unsafe (start + first.count).copyMemory(from: bytes, byteCount: $0.count) }
    }
    return unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(buffer)))
  }
}
