/// A scalar read from UTF-8, and where the next one starts.
///
/// Text that is no UTF-8 is read without error, each byte that fits nowhere as U+FFFD: what comes of it is
/// unspecified, but always a scalar at or below U+10FFFF and an end behind the start and within the text.
struct DecodedScalar {
  let value: UInt32
  let end: Int

  /// Reads the scalar that starts at `start`, which lies within `bytes`.
  @inline(__always)
  init(in bytes: Span<UInt8>, at start: Int) {
    let first = bytes[start]
    if first < 0x80 {
      value = UInt32(first)
      end = start &+ 1
      return
    }
    let left = bytes.count &- start
    if first < 0xE0, first >= 0xC2, left >= 2, bytes[start &+ 1] & 0xC0 == 0x80 {
      value = UInt32(first & 0x1F) &<< 6 | UInt32(bytes[start &+ 1] & 0x3F)
      end = start &+ 2
    } else if first & 0xF0 == 0xE0, left >= 3,
      bytes[start &+ 1] & 0xC0 == 0x80, bytes[start &+ 2] & 0xC0 == 0x80
    {
      value =
        UInt32(first & 0x0F) &<< 12 | UInt32(bytes[start &+ 1] & 0x3F) &<< 6
        | UInt32(bytes[start &+ 2] & 0x3F)
      end = start &+ 3
    } else if first & 0xF8 == 0xF0, left >= 4, bytes[start &+ 1] & 0xC0 == 0x80,
      bytes[start &+ 2] & 0xC0 == 0x80, bytes[start &+ 3] & 0xC0 == 0x80
    {
      let decoded =
        UInt32(first & 0x07) &<< 18 | UInt32(bytes[start &+ 1] & 0x3F) &<< 12
        | UInt32(bytes[start &+ 2] & 0x3F) &<< 6 | UInt32(bytes[start &+ 3] & 0x3F)
      value = decoded <= 0x10FFFF ? decoded : 0xFFFD
      end = start &+ 4
    } else {
      value = 0xFFFD
      end = start &+ 1
    }
  }
}

extension [UInt8] {
  /// Appends `scalar`, which is neither a surrogate nor above U+FFFF and takes three bytes, as UTF-8.
  mutating func appendThreeBytes(_ scalar: UInt32) {
    append(0xE0 | UInt8(truncatingIfNeeded: scalar &>> 12) & 0x0F)
    append(0x80 | UInt8(truncatingIfNeeded: scalar &>> 6) & 0x3F)
    append(0x80 | UInt8(truncatingIfNeeded: scalar) & 0x3F)
  }
}
