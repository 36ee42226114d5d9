import Testing

@testable import ZoneQuery

/// Words of values beside the values' own order.
@Suite struct KeyEncodingTests {
  @Test func numbers() {
    var random = SplitMix(seed: 11)
    var integers: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    var doubles: [Double] = [
      -.infinity, -.greatestFiniteMagnitude, -1, -.leastNormalMagnitude, -.leastNonzeroMagnitude, 0,
      .leastNonzeroMagnitude, 1, .greatestFiniteMagnitude, .infinity,
    ]
    while integers.count < 200 { integers.append(Int64(bitPattern: random.next()) >> Int64(random.below(64))) }
    while doubles.count < 200 {
      let double = Double(bitPattern: random.next())
      if !double.isNaN { doubles.append(double) }
    }
    var checks = 0
    for one in integers {
      #expect(KeyEncoding.int64(KeyEncoding.word(one)) == one)
      for other in integers {
        checks += 1
        if (KeyEncoding.word(one) < KeyEncoding.word(other)) != (one < other) { Issue.record("\(one) and \(other)") }
      }
    }
    for one in doubles {
      #expect(KeyEncoding.double(KeyEncoding.word(one)) == one)
      for other in doubles {
        checks += 1
        let (word, otherWord) = (KeyEncoding.word(one), KeyEncoding.word(other))
        if (word < otherWord) != (one < other) || (word == otherWord) != (one == other) {
          Issue.record("\(one) and \(other)")
        }
      }
    }
    #expect(KeyEncoding.word(-0.0) == KeyEncoding.word(0.0))
    #expect(KeyEncoding.double(KeyEncoding.word(-0.0)).sign == .plus)
    print("words of numbers: \(checks) checks")
    #expect(checks >= 80_000)
  }

  @Test func texts() {
    var random = SplitMix(seed: 12)
    var texts: [[UInt8]] = [[]]
    while texts.count < 300 {
      let stem = [UInt8]("Ceci n’est pas une 3-pipe, Þór".utf8)
      var text =
        random.below(2) == 0
        ? [UInt8](repeating: 0x61, count: random.below(27)) : Array(stem.prefix(random.below(stem.count + 1)))
      for _ in 0..<random.below(4) { text.append([0, 1, 0x20, 0x61, 0x62, 0x7A, 0xBF, 0xFE, 0xFF][random.below(9)]) }
      texts.append(text)
    }
    var checks = 0
    var long = 0
    for one in texts {
      let words = KeyEncoding.words(one)
      let isLong = Self.bits(one).count > 127
      #expect(KeyEncoding.isLong(words.second) == isLong)
      #expect(words.first == Self.word(one, from: 0) && words.second >> 1 == Self.word(one, from: 64) >> 1)
      let whole = KeyEncoding.text(words.first, words.second)
      #expect(isLong ? one.starts(with: whole) && whole.count >= 9 : one == whole)
      let end = KeyEncoding.end(ofPrefix: one.span)
      #expect((end == nil) == (isLong || one.isEmpty))
      if isLong { long += 1 }
      for other in texts {
        checks += 1
        let otherWords = KeyEncoding.words(other)
        if words == otherWords {
          if one != other, !isLong || Self.bits(one).prefix(127) != Self.bits(other).prefix(127) {
            Issue.record("\(one) and \(other) have equal words")
          }
        } else if (words < otherWords) != one.lexicographicallyPrecedes(other) {
          Issue.record("\(one) and \(other)")
        }
        guard let end else { continue }
        let isBetween = words <= otherWords && otherWords < end
        if isBetween != other.starts(with: one) { Issue.record("\(one) before \(other)") }
      }
    }
    print("words of texts: \(checks) checks, \(long) of 300 texts long")
    #expect(checks >= 90_000 && long >= 50)
  }

  /// The codes are in the order of the bytes, none begins another, and each has a bit that is set and one that is not.
  @Test func codes() {
    let codes = (0...255).map { Self.bits([UInt8($0)]) }
    for one in codes.indices {
      #expect((5...14).contains(codes[one].count) && codes[one].contains("1") && codes[one].contains("0"))
      #expect(KeyEncoding.codes[one] & 0xFFFF_0000 & (0xFFFF_FFFF >> UInt32(codes[one].count)) == 0)
      for other in codes.indices where one < other {
        if !(codes[one] < codes[other]) || codes[other].hasPrefix(codes[one]) { Issue.record("\(one) and \(other)") }
      }
    }
  }

  /// The codes of some bytes as a text of zeros and ones.
  private static func bits(_ text: [UInt8]) -> String {
    text.reduce(into: "") { bits, byte in
      let entry = KeyEncoding.codes[Int(byte)]
      let all = String(entry >> 16, radix: 2)
      bits += String(repeating: "0", count: 16 - all.count) + all
      bits.removeLast(16 - Int(entry & 0xFFFF))
    }
  }

  /// 64 of the bits of some bytes' codes, with zeros behind them.
  private static func word(_ text: [UInt8], from first: Int) -> UInt64 {
    let bits = bits(text).dropFirst(first).prefix(64)
    return (UInt64(bits, radix: 2) ?? 0) << UInt64(64 - bits.count)
  }
}
