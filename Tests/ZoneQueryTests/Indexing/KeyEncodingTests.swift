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
      var text = [UInt8](repeating: 0x61, count: random.below(18))
      for _ in 0..<random.below(4) { text.append([0, 1, 0x61, 0x62, 0xFF][random.below(5)]) }
      texts.append(text)
    }
    var checks = 0
    for one in texts {
      let words = KeyEncoding.words(one)
      #expect(KeyEncoding.isLong(words.second) == (one.count > 15))
      let bounds = KeyEncoding.bounds(prefix: one)
      #expect(bounds.isExact == (one.count <= 15))
      for other in texts {
        checks += 1
        let otherWords = KeyEncoding.words(other)
        if words == otherWords {
          if one != other, one.count <= 15 || other.count <= 15 || one.prefix(15) != other.prefix(15) {
            Issue.record("\(one) and \(other) have equal words")
          }
        } else if (words < otherWords) != one.lexicographicallyPrecedes(other) {
          Issue.record("\(one) and \(other)")
        }
        let isBetween = bounds.lower <= otherWords && otherWords <= bounds.upper
        let isPrefix = other.starts(with: one)
        if bounds.isExact ? isBetween != isPrefix : isPrefix && !isBetween { Issue.record("\(one) before \(other)") }
      }
    }
    print("words of texts: \(checks) checks")
    #expect(checks >= 90_000)
  }
}
