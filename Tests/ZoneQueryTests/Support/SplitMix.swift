/// A small generator of pseudo-random numbers (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014), the same for a seed on every machine.
struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 on, below another, which is above 0.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
