/// Numbers that look random and are the same for a seed on every machine: SplitMix64 (Steele, Lea, Flood 2014).
struct RandomSource {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number from 0 up to, not including, `bound`; 0 where that is 0.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(max(bound, 0))).high)
  }

  /// A number of the range.
  mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// A fraction from 0 up to, not including, 1.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A UUID of version 4, in capitals.
  mutating func uuid() -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    var text: [UInt8] = []
    for position in 0..<32 {
      if position == 8 || position == 12 || position == 16 || position == 20 { text.append(UInt8(ascii: "-")) }
      let half = position < 16 ? high : low
      let nibble = Int(truncatingIfNeeded: half >> UInt64(60 - 4 * (position % 16))) & 15
      text.append(digits[nibble])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Ranks of which the first is drawn most often, the second half as often, the third a third as often: Zipf's law.
struct ZipfDistribution {
  /// The sums of the weights up to each rank. Made by division and addition alone, which every machine rounds alike.
  private let sums: [Double]

  init(count: Int) {
    var sum = 0.0
    sums = (1...max(count, 1)).map { rank in
      sum += 1 / Double(rank)
      return sum
    }
  }

  /// A rank, from 0.
  func draw(_ random: inout RandomSource) -> Int {
    let target = random.fraction() * (sums.last ?? 0)
    var low = 0
    var high = sums.count - 1
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > target { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Words of ASCII letters, the shortest for the most frequent ranks, none of them a stop word.
enum Vocabulary {
  private static let onsets = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "st"]
  private static let vowels = ["a", "e", "i", "o", "u"]

  /// The word of a rank: syllables as the digits of the rank, so that no two ranks share a word. Two syllables at
  /// least, of which no stop word is made.
  static func word(_ rank: Int) -> String {
    let base = onsets.count * vowels.count
    var word = ""
    var rest = max(rank, 0) + base
    while rest > 0 {
      let syllable = rest % base
      word = onsets[syllable / vowels.count] + vowels[syllable % vowels.count] + word
      rest /= base
    }
    return word
  }

  /// A word with a capital.
  static func name(_ rank: Int) -> String {
    let word = word(rank)
    return word.prefix(1).uppercased() + word.dropFirst()
  }
}
