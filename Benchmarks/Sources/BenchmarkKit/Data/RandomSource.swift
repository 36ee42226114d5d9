/// Numbers that look random and depend on a seed alone: SplitMix64 (Steele, Lea and Flood, 2014).
struct RandomSource {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The numbers of one purpose for one record, whatever was drawn for others before.
  init(seed: UInt64, index: Int, purpose: UInt64) {
    var source = RandomSource(seed: seed &+ purpose &* 0xD6E8_FEB8_6659_FD93)
    state = source.next() ^ (UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15)
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to below `bound`, which is at least 1.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number of a range.
  mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// A number from 0 to below 1, one of 2⁵³.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number around 0 with deviation 1, between ±3.5: four uniform ones added, so that no logarithm, whose last bit
  /// differs from library to library, takes part.
  mutating func bell() -> Double {
    (unit() + unit() + unit() + unit() - 2) * 1.732_050_807_568_877_2
  }
}

/// A shuffling of 0 ..< 2ᵇ that needs no memory: each number has its own place, far from its neighbours'.
struct Permutation {
  let bits: Int
  private let key: UInt64
  private var mask: UInt64 { (1 << UInt64(bits)) - 1 }

  init(bits: Int, seed: UInt64) {
    self.bits = bits
    var source = RandomSource(seed: seed)
    key = source.next()
  }

  /// The place of a number. Every step can be undone, so no two numbers share a place.
  func callAsFunction(_ number: Int) -> Int {
    var value = UInt64(truncatingIfNeeded: number) & mask
    let shift = UInt64((bits + 1) / 2)
    for round in 0..<3 {
      value = (value &* ((key >> UInt64(round)) | 1)) & mask
      value ^= value >> shift
      value = (value &+ (key >> UInt64(16 + round))) & mask
    }
    return Int(value)
  }
}
