// An unsafe leaf: a run of bytes sought eight places at a time.
//
// Invariant: every load of n bytes starts at an offset from 0 through count - n of its span, whose memory lives as long as
// the span; loads need no alignment.

/// A search for one run of bytes in others, in linear time whatever they are.
///
/// Eight places are looked at together, by two bytes of the run that texts rarely have: where both stand as far apart as in
/// the run, the run is held against the text. Where that was done in vain too often, the rest is gone through byte by byte
/// (Knuth, Morris and Pratt, "Fast pattern matching in strings", SIAM J. Comput. 6(2), 1977).
///
/// The search may be of a text of ASCII with its capitals taken for small letters, for a run that has none.
struct ByteSearch: Sendable {
  private let needle: [UInt8]
  /// For each length of a matched prefix, the length of its longest border.
  private let borders: [Int32]
  /// The places of the two bytes.
  private let first: Int
  private let second: Int

  init(_ needle: [UInt8]) {
    self.needle = needle
    var borders: [Int32] = [0]
    borders.reserveCapacity(needle.count)
    var length = 0
    for index in needle.indices.dropFirst() {
      while length > 0, needle[index] != needle[length] { length = Int(borders[length - 1]) }
      if needle[index] == needle[length] { length += 1 }
      borders.append(Int32(length))
    }
    self.borders = borders
    var (first, second) = (0, needle.count > 1 ? 1 : 0)
    func frequency(_ place: Int) -> UInt8 { ByteSearch.frequencies[Int(needle[place])] }
    if needle.count > 1, frequency(second) < frequency(first) { swap(&first, &second) }
    for place in needle.indices.dropFirst(2) {
      if frequency(place) < frequency(first) {
        (first, second) = (place, first)
      } else if frequency(place) < frequency(second), needle[place] != needle[first] {
        second = place
      }
    }
    (self.first, self.second) = (first, second)
  }

  /// How often texts have each byte, roughly: letters as in European languages, then the bytes that other scripts begin and
  /// go on with.
  private static let frequencies: [UInt8] = {
    var frequencies = [UInt8](repeating: 10, count: 256)
    for (place, letter) in " etaoinsrhldcumfpgwybvkxjqz".utf8.enumerated() {
      frequencies[Int(letter)] = UInt8(250 - 6 * place)
    }
    for letter in UInt8(ascii: "A")...UInt8(ascii: "Z") {
      frequencies[Int(letter)] = frequencies[Int(letter | 0x20)] / 4
    }
    for digit in UInt8(ascii: "0")...UInt8(ascii: "9") { frequencies[Int(digit)] = 70 }
    for mark in ".,-'\"/:_".utf8 { frequencies[Int(mark)] = 80 }
    for byte in 0x80...0xBF { frequencies[byte] = 100 }
    for byte in 0xC3...0xE9 { frequencies[byte] = 120 }
    return frequencies
  }()

  /// The position just past the first occurrence between two positions; nil where there is none, and for an empty run.
  func end(in text: Span<UInt8>, from start: Int, to end: Int, lowers: Bool) -> Int? {
    lowers ? search(text, start, end, lowers: true) : search(text, start, end, lowers: false)
  }

  @inline(__always)
  private func search(_ text: Span<UInt8>, _ start: Int, _ end: Int, lowers: Bool) -> Int? {
    let length = needle.count
    guard length > 0, end - start >= length else { return nil }
    let (bytes, needle) = unsafe (text.bytes, self.needle.span)
    let (firstSought, secondSought) = (SoughtByte(needle[first], lowers), SoughtByte(needle[second], lowers))
    // The run may begin from `position` through `last`.
    let last = end - length
    var (position, work) = (start, 0)
    while position <= last {
      var found: UInt64
      if last - position >= 7 {
        found =
          firstSought.missing(in: bytes, at: position + first)
          | secondSought.missing(in: bytes, at: position + second)
        found = SoughtByte.zeros(found)
      } else if last - start >= 7 {
        // The last eight places, some of which were looked at.
        position = last - 7
        continue
      } else {
        let isFound = firstSought.isByte(text[position + first]) && secondSought.isByte(text[position + second])
        found = isFound ? 0x80 : 0
      }
      while found != 0 {
        let candidate = position + found.trailingZeroBitCount >> 3
        if ASCIICase.stands(needle, in: text, at: candidate, lowers: lowers) { return candidate + length }
        found &= found - 1
        work += 1 + length / 8
      }
      position += last - position >= 7 ? 8 : 1
      if work > 64 + 2 * (position - start) { return goThrough(text, position, end, lowers: lowers) }
    }
    return nil
  }

  @inline(never)
  private func goThrough(_ text: Span<UInt8>, _ start: Int, _ end: Int, lowers: Bool) -> Int? {
    var length = 0
    for index in start..<max(start, end) {
      let byte = lowers ? text[index].asciiLowercased : text[index]
      while length > 0, byte != needle[length] { length = Int(borders[length - 1]) }
      if byte == needle[length] { length += 1 }
      if length == needle.count { return index + 1 }
    }
    return nil
  }
}

/// A byte that is sought in words.
private struct SoughtByte {
  private let word: UInt64
  /// What tells a capital from a small letter, where one is sought and both will do.
  private let letterCase: UInt64

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  @inline(__always)
  init(_ byte: UInt8, _ lowers: Bool) {
    word = UInt64(byte) &* SoughtByte.ones
    letterCase = lowers && 0x61...0x7A ~= byte ? 0x20 &* SoughtByte.ones : 0
  }

  /// A word whose bytes are 0 where the byte stands in the text.
  @inline(__always)
  func missing(in text: RawSpan, at offset: Int) -> UInt64 {
    let bytes = unsafe UInt64(littleEndian: text.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    return (bytes | letterCase) ^ word
  }

  @inline(__always)
  func isByte(_ byte: UInt8) -> Bool { (UInt64(byte) | letterCase & 0xFF) ^ word & 0xFF == 0 }

  /// The highest bit of each byte that is 0, and perhaps of such as are behind one that is.
  @inline(__always)
  static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones &<< 7) }
}

/// Texts of ASCII held against folded ones, their capitals taken for small letters, a word at a time.
enum ASCIICase {
  /// Whether a text is ASCII.
  @inline(__always)
  static func isASCII(_ text: Span<UInt8>) -> Bool {
    let (bytes, count) = unsafe (text.bytes, text.count)
    var (seen, offset) = (UInt64(0), 0)
    while offset &+ 8 <= count {
      seen |= word(bytes, offset)
      offset &+= 8
    }
    while offset < count {
      seen |= UInt64(text[offset])
      offset &+= 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  /// Whether a part stands in a text at an offset.
  @inline(__always)
  static func stands(_ part: Span<UInt8>, in text: Span<UInt8>, at offset: Int, lowers: Bool) -> Bool {
    if !lowers { return ByteOrder.stands(part, in: text, at: offset) }
    guard offset >= 0, offset <= text.count, text.count - offset >= part.count else { return false }
    let (bytes, partBytes) = unsafe (text.bytes, part.bytes)
    var index = 0
    while index &+ 8 <= part.count {
      if lowered(word(bytes, offset &+ index)) != word(partBytes, index) { return false }
      index &+= 8
    }
    while index < part.count {
      if text[offset &+ index].asciiLowercased != part[index] { return false }
      index &+= 1
    }
    return true
  }

  /// Negative, 0 or positive as a text comes before, is, or comes after another.
  static func compare(_ text: Span<UInt8>, _ other: Span<UInt8>, lowers: Bool) -> Int {
    if !lowers { return ByteOrder.compare(text, other) }
    let shared = min(text.count, other.count)
    var index = 0
    while index < shared {
      let byte = text[index].asciiLowercased
      if byte != other[index] { return byte < other[index] ? -1 : 1 }
      index &+= 1
    }
    return text.count - other.count
  }

  /// Eight bytes of ASCII with small letters for capitals.
  @inline(__always)
  private static func lowered(_ word: UInt64) -> UInt64 {
    // The highest bit of each byte from A on, and of each behind Z: no byte carries into the next.
    let isLetter = (word &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(word &+ 0x2525_2525_2525_2525) & 0x8080_8080_8080_8080
    return word | isLetter &>> 2
  }

  @inline(__always)
  private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
  }
}
