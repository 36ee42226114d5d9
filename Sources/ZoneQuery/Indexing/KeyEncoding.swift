/// Values as words whose order is the values' order: what ordered indexes compare.
///
/// Numbers are one word, texts two: the ``codes`` of their bytes, laid end to end and padded with zeros, as far as 127
/// bits hold them, and a last bit that is set in a text that they do not hold whole, a long one. Two texts with unequal
/// words are ordered by them; equal words mean equal texts unless they are long. For the order of the codes is that of the
/// bytes, none begins with another, and each has a bit that is set, which tells it from the padding.
enum KeyEncoding {
  // MARK: Numbers

  @inline(__always)
  static func word(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }

  @inline(__always)
  static func int64(_ word: UInt64) -> Int64 { Int64(bitPattern: word ^ (1 << 63)) }

  /// The word of a number that is not NaN; the two zeros have one.
  @inline(__always)
  static func word(_ value: Double) -> UInt64 {
    // Adding zero makes the negative zero positive and leaves every other number as it is.
    let bits = (value + 0).bitPattern
    return bits ^ (UInt64(bitPattern: Int64(bitPattern: bits) >> 63) | (1 << 63))
  }

  @inline(__always)
  static func double(_ word: UInt64) -> Double {
    Double(bitPattern: word ^ (~UInt64(bitPattern: Int64(bitPattern: word) >> 63) | (1 << 63)))
  }

  // MARK: Texts

  /// Whether the second word of a text says that the words do not hold it whole.
  @inline(__always)
  static func isLong(_ second: UInt64) -> Bool { second & 1 == 1 }

  /// The words of a text.
  static func words(_ text: [UInt8]) -> (first: UInt64, second: UInt64) { words(text.span) }

  /// The words of a text. Complexity: constant; of Latin letters some 20 bytes are looked at, of any at most 26.
  static func words(_ text: Span<UInt8>) -> (first: UInt64, second: UInt64) {
    let coded = coded(text)
    return (coded.first, coded.bits > textBits ? coded.second | 1 : coded.second)
  }

  /// The words before which all texts with a prefix end; nil where the prefix is empty or long.
  static func end(ofPrefix prefix: Span<UInt8>) -> (first: UInt64, second: UInt64)? {
    let (first, second, bits) = coded(prefix)
    if bits == 0 || bits > textBits { return nil }
    // The last code raised by one: there is room, since no code has set bits alone.
    if bits <= 64 { return (first + 1 << (64 - bits), 0) }
    let (raised, isCarried) = second.addingReportingOverflow(1 << (128 - bits))
    return (isCarried ? first + 1 : first, raised)
  }

  /// The text of two words; of a long one the bytes that they hold whole.
  static func text(_ first: UInt64, _ second: UInt64) -> [UInt8] {
    var text: [UInt8] = []
    append(first, second, to: &text)
    return text
  }

  /// Appends the text of two words; of a long one the bytes that they hold whole.
  static func append(_ first: UInt64, _ second: UInt64, to text: inout [UInt8]) {
    var (high, low, left) = (first, second, textBits)
    while true {
      // The last byte whose code is not behind the bits.
      var byte = byBits[Int(truncatingIfNeeded: high >> 56)]
      while byte < .max, code(byte + 1) <= high { byte += 1 }
      let length = length(byte)
      if length > left || code(byte) >> (64 - length) != high >> (64 - length) { return }
      text.append(byte)
      (high, low, left) = (high << length | low >> (64 - length), low << length, left - length)
    }
  }

  /// The last byte whose code is not behind eight bits with zeros behind them.
  private static let byBits: [UInt8] = (0..<256).map { bits in
    UInt8((0..<256).last { code(UInt8($0)) <= UInt64(bits) << 56 } ?? 0)
  }

  private static let textBits: UInt64 = 127

  /// The code of a byte from the highest bit on.
  @inline(__always)
  private static func code(_ byte: UInt8) -> UInt64 { UInt64(codes[Int(byte)] & 0xFFFF_0000) << 32 }

  /// How many bits the code of a byte has: 5 to 14.
  @inline(__always)
  private static func length(_ byte: UInt8) -> UInt64 { UInt64(codes[Int(byte)] & 0xFFFF) }

  /// The codes of a text's bytes in 128 bits, and how many they are; more than 127 where the text is long.
  @inline(__always)
  private static func coded(_ text: Span<UInt8>) -> (first: UInt64, second: UInt64, bits: UInt64) {
    var (first, second, bits): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var index = 0
    var (last, lastBits): (UInt64, UInt64) = (0, 0)
    while index < text.count, bits < 64 {
      (last, lastBits) = (code(text[index]), bits)
      first |= last &>> bits
      bits &+= length(text[index])
      index &+= 1
    }
    // What of the last code lies behind the first word.
    second = last << (64 &- lastBits)
    while index < text.count, bits <= textBits {
      second |= code(text[index]) &>> (bits &- 64)
      bits &+= length(text[index])
      index &+= 1
    }
    return (first, second, bits)
  }
}
