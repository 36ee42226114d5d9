/// A number as sign, whole significand and power of two: what `Int64` and `Double` have in common, without rounding.
struct ExactNumber {
  private let isNegative: Bool
  /// Zero, or with its highest bit set.
  private let significand: UInt128
  private let exponent: Int

  init(_ value: Int64) { self.init(value < 0, UInt128(value.magnitude), 0) }

  /// The number; infinities lie beyond every finite one.
  init(_ value: Double) {
    if value.isInfinite {
      self.init(value < 0, 1, 5000)
    } else if value == 0 {
      self.init(false, 0, 0)
    } else {
      let exponent = Int(value.exponent) - 52
      // Scaled so that the last bit of the significand stands for 1.
      let whole = value.isNormal ? value.significand * 0x1p52 : value.magnitude * 0x1p537 * 0x1p537
      self.init(value < 0, UInt128(whole), value.isNormal ? exponent : -1074)
    }
  }

  private init(_ isNegative: Bool, _ significand: UInt128, _ exponent: Int) {
    let shift = significand == 0 ? 0 : significand.leadingZeroBitCount
    self.isNegative = significand != 0 && isNegative
    self.significand = significand << UInt128(shift)
    self.exponent = significand == 0 ? Int.min : exponent - shift
  }

  /// −1, 0 or 1: whether `left` is less than, equal to or greater than `right`.
  static func order(_ left: ExactNumber, _ right: ExactNumber) -> Int {
    if left.isNegative != right.isNegative { return left.isNegative ? -1 : 1 }
    let magnitudes =
      left.exponent != right.exponent
      ? (left.exponent < right.exponent ? -1 : 1)
      : left.significand == right.significand ? 0 : left.significand < right.significand ? -1 : 1
    return left.isNegative ? -magnitudes : magnitudes
  }
}
