/// Values as words whose order is the values' order: what ordered indexes compare.
///
/// Numbers are one word, texts two: the first 15 bytes, big-endian and padded with zeros, and a last byte that is the
/// length, or 16 for a longer text. Two texts with unequal words are ordered by them; equal words mean equal texts unless
/// they are long.
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

  /// How many bytes of a text its words hold.
  static let textBytes = 15

  /// The last byte of the words of a text that they do not hold whole.
  static let longText: UInt64 = 16

  /// Whether the second word of a text says that the words do not hold it whole.
  @inline(__always)
  static func isLong(_ second: UInt64) -> Bool { second & 0xFF == longText }

  /// The words of a text.
  static func words(_ bytes: some Collection<UInt8>) -> (first: UInt64, second: UInt64) {
    let (first, second, count) = padded(bytes, with: 0)
    return (first, second | UInt64(truncatingIfNeeded: count))
  }

  /// The words between which, both included, the words of all texts with a prefix lie.
  ///
  /// They are exact, so that all texts between them have the prefix, unless the prefix is longer than 15 bytes: then both
  /// are the words of the long texts with its first 15 bytes.
  static func bounds(
    prefix: some Collection<UInt8>
  ) -> (lower: (first: UInt64, second: UInt64), upper: (first: UInt64, second: UInt64), isExact: Bool) {
    let lower = words(prefix)
    if isLong(lower.second) { return (lower, lower, false) }
    let upper = padded(prefix, with: 0xFF)
    return (lower, (upper.first, upper.second | 0xFF), true)
  }

  /// The first 15 bytes, with a byte in place of those that are not there, and the length, up to 16.
  private static func padded(
    _ bytes: some Collection<UInt8>, with padding: UInt64
  ) -> (first: UInt64, second: UInt64, count: Int) {
    var (first, second): (UInt64, UInt64) = (0, 0)
    var count = 0
    for byte in bytes {
      if count < 8 {
        first = first << 8 | UInt64(byte)
      } else if count < textBytes {
        second = second << 8 | UInt64(byte)
      }
      count += 1
      if count > textBytes { break }
    }
    var index = count
    while index < textBytes {
      if index < 8 { first = first << 8 | padding } else { second = second << 8 | padding }
      index += 1
    }
    return (first, second << 8, count)
  }
}
