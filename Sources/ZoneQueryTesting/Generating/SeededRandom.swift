/// Pseudo-random numbers that are the same for a seed on every machine.
///
/// The generator is xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018), its
/// state filled by SplitMix64 (Steele, Lea and Flood, 2014).
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// random.below(10)   // the same number every time
/// ```
public struct SeededRandom: RandomNumberGenerator, Sendable, Hashable {
  private var state: (UInt64, UInt64, UInt64, UInt64)
  private var tape: ArraySlice<UInt8> = []

  /// Creates the generator of a seed; any seed is a good one.
  public init(seed: UInt64) {
    var seeder = seed
    func draw() -> UInt64 {
      seeder &+= 0x9E37_79B9_7F4A_7C15
      var bits = seeder
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    state = (draw(), draw(), draw(), draw())
  }

  /// Creates a generator whose first choices are read off bytes, two each, so that a coverage-guided fuzzer that
  /// changes a byte changes a choice; those behind the last byte are of a fixed seed.
  public init(choices: [UInt8]) {
    self.init(seed: 0)
    tape = choices[...]
  }

  /// The next 64 bits. Complexity: constant.
  public mutating func next() -> UInt64 {
    if let low = tape.popFirst() { return UInt64(low) | UInt64(tape.popFirst() ?? 0) << 8 }
    func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }
    let result = rotated(state.1 &* 5, 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotated(state.3, 45)
    return result
  }

  /// A number from 0 up to, not including, `bound`; 0 where `bound` is not positive.
  public mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int(truncatingIfNeeded: next() % UInt64(bound))
  }

  /// True in `part` of `whole` cases.
  public mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

  /// A number from 0 up to, not including, 1.
  public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// One of some elements; nil where there is none.
  public mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  /// One of the elements given.
  mutating func one<Element>(of first: Element, _ others: Element...) -> Element {
    let index = below(others.count + 1)
    return index == 0 ? first : others[index - 1]
  }

  /// The elements in a random order.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for index in result.indices.reversed() { result.swapAt(index, below(index + 1)) }
    return result
  }

  /// Whether both will give the same numbers.
  public static func == (left: SeededRandom, right: SeededRandom) -> Bool {
    left.state == right.state && left.tape == right.tape
  }

  /// Feeds the state.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(state.0)
    hasher.combine(state.1)
  }
}
