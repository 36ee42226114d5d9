// An unsafe leaf: tests of one column's values for many rows at once.
//
// Invariant: `values` points to `rows` values of 8 bytes, `rows` being at most 256, which nobody writes to while a kernel
// runs; a kernel reads nothing else. Values of rows that lack the field may be anything: their
// bits are worked out like any other, and the caller drops them.
//
// Each kernel answers for 256 rows with a bit each, row r in bit r % 64 of word r / 64. Words in which nobody wants a
// row are left 0, and so is what lies beyond `rows`.
//
// The baseline of x86-64 compares no 64-bit integers and Swift has no name for the instruction that gathers sign bits.
// So a test works out a pair of words whose top bits are the answer, and the kernel shifts them into two lanes, which
// in the end hold the even and the odd rows; spreading their bits (Morton's order; H. S. Warren, "Hacker's Delight",
// 2nd edition, 7-2) and adding them up puts the rows in order. Pairs are what this baseline's registers hold: with
// vectors of eight the compiler spills, and takes twice the time. There is no branch in the loop and no conditional
// addition, which would keep it from being vectorised (`Tests/Checks/kernels.py` looks at the instructions).

/// What a kernel asks of two rows at once. The top bits of the answer count.
private protocol ColumnTest {
  func holds(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64>
}

enum ColumnKernels {
  /// Rows whose `Int64` lies within the bounds.
  @inline(never)
  static func integers(
    _ values: UnsafeRawPointer, rows: Int, wanted: SIMD4<UInt64>, from lower: Int64, through upper: Int64
  ) -> SIMD4<UInt64> {
    guard lower <= upper else { return SIMD4() }
    let width = UInt64(bitPattern: upper) &- UInt64(bitPattern: lower)
    let test = IntegerRange(lower: SIMD2(repeating: UInt64(bitPattern: lower)), width: SIMD2(repeating: width))
    return unsafe words(values, rows, wanted, test)
  }

  /// Rows whose `Int64` is one of the values. Complexity: linear in their number.
  @inline(never)
  static func integers(
    _ values: UnsafeRawPointer, rows: Int, wanted: SIMD4<UInt64>, among set: [Int64]
  ) -> SIMD4<UInt64> {
    var result = SIMD4<UInt64>()
    var index = 0
    while index < set.count {
      let sought = UInt64(bitPattern: set[index])
      // An odd one out is sought twice.
      let other = index + 1 < set.count ? UInt64(bitPattern: set[index + 1]) : sought
      let test = IntegerPair(one: SIMD2(repeating: sought), other: SIMD2(repeating: other))
      unsafe result |= words(values, rows, wanted, test)
      index += 2
    }
    return result
  }

  /// Rows whose `Double` lies within the bounds, both included.
  @inline(never)
  static func doubles(
    _ values: UnsafeRawPointer, rows: Int, wanted: SIMD4<UInt64>, from lower: Double, through upper: Double
  ) -> SIMD4<UInt64> {
    let test = DoubleRange(lower: SIMD2(repeating: lower), upper: SIMD2(repeating: upper))
    return unsafe words(values, rows, wanted, test)
  }

  /// Rows whose longitude is no farther from `center` than `halfWidth`, the short way round; and rows whose longitude
  /// is beyond ±180, of which nothing is said here.
  @inline(never)
  static func longitudes(
    _ values: UnsafeRawPointer, rows: Int, wanted: SIMD4<UInt64>, near center: Double, halfWidth: Double
  ) -> SIMD4<UInt64> {
    let test = LongitudeBand(center: SIMD2(repeating: center), halfWidth: SIMD2(repeating: halfWidth))
    return unsafe words(values, rows, wanted, test)
  }

  // MARK: Tests

  private struct IntegerRange: ColumnTest {
    let lower: SIMD2<UInt64>
    let width: SIMD2<UInt64>

    /// Whether `offset` is at most `width`, that is, `width - offset` does not borrow.
    @inline(__always)
    func holds(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
      let offset = pair &- lower
      return ~((~width & offset) | (~(width ^ offset) & (width &- offset)))
    }
  }

  private struct IntegerPair: ColumnTest {
    let one: SIMD2<UInt64>
    let other: SIMD2<UInt64>

    /// Whether a difference is nought: no other number has a clear top bit both in itself and in its negative.
    @inline(__always)
    func holds(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
      let (first, second) = (pair ^ one, pair ^ other)
      return ~((first | (0 &- first)) & (second | (0 &- second)))
    }
  }

  private struct DoubleRange: ColumnTest {
    let lower: SIMD2<Double>
    let upper: SIMD2<Double>

    @inline(__always)
    func holds(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
      let numbers = unsafe unsafeBitCast(pair, to: SIMD2<Double>.self)
      let isAbove = unsafe unsafeBitCast(numbers .>= lower, to: SIMD2<UInt64>.self)
      let isBelow = unsafe unsafeBitCast(numbers .<= upper, to: SIMD2<UInt64>.self)
      return isAbove & isBelow
    }
  }

  private struct LongitudeBand: ColumnTest {
    let center: SIMD2<Double>
    let halfWidth: SIMD2<Double>

    @inline(__always)
    func holds(_ pair: SIMD2<UInt64>) -> SIMD2<UInt64> {
      let numbers = unsafe unsafeBitCast(pair, to: SIMD2<Double>.self)
      let straight = magnitude(numbers - center)
      let around = magnitude(straight - SIMD2(repeating: 360))
      let isNear = unsafe unsafeBitCast(straight .<= halfWidth, to: SIMD2<UInt64>.self)
      let isNearAround = unsafe unsafeBitCast(around .<= halfWidth, to: SIMD2<UInt64>.self)
      let isBeyond = unsafe unsafeBitCast(magnitude(numbers) .> SIMD2(repeating: 180), to: SIMD2<UInt64>.self)
      return isNear | isNearAround | isBeyond
    }

    @inline(__always)
    private func magnitude(_ numbers: SIMD2<Double>) -> SIMD2<Double> {
      let bits = unsafe unsafeBitCast(numbers, to: SIMD2<UInt64>.self)
      return unsafe unsafeBitCast(bits & SIMD2(repeating: UInt64(Int64.max)), to: SIMD2<Double>.self)
    }
  }

  // MARK: Loops

  @inline(__always)
  private static func words(
    _ values: UnsafeRawPointer, _ rows: Int, _ wanted: SIMD4<UInt64>, _ test: some ColumnTest
  ) -> SIMD4<UInt64> {
    SIMD4(
      wanted[0] == 0 ? 0 : unsafe word(values, rows, test),
      wanted[1] == 0 || rows <= 64 ? 0 : unsafe word(values + 512, rows &- 64, test),
      wanted[2] == 0 || rows <= 128 ? 0 : unsafe word(values + 1024, rows &- 128, test),
      wanted[3] == 0 || rows <= 192 ? 0 : unsafe word(values + 1536, rows &- 192, test))
  }

  @inline(__always)
  private static func word(_ values: UnsafeRawPointer, _ rows: Int, _ test: some ColumnTest) -> UInt64 {
    rows >= 64 ? unsafe sixtyFour(values, test) : unsafe few(values, rows, test)
  }

  @inline(__always)
  private static func sixtyFour(_ values: UnsafeRawPointer, _ test: some ColumnTest) -> UInt64 {
    // Two halves, so that the shifts of one need not wait for those of the other.
    let top = SIMD2<UInt64>(repeating: 1 << 63)
    var (low, high) = (SIMD2<UInt64>(), SIMD2<UInt64>())
    var step = 0
    while step < 16 {
      let first = unsafe values.loadUnaligned(fromByteOffset: 16 * step, as: SIMD2<UInt64>.self)
      let second = unsafe values.loadUnaligned(fromByteOffset: 256 + 16 * step, as: SIMD2<UInt64>.self)
      low = (low &>> 1) | (test.holds(first) & top)
      high = (high &>> 1) | (test.holds(second) & top)
      step += 1
    }
    let lanes = (low &>> 48) | ((high &>> 48) &<< 16)
    return spread(lanes[0]) | spread(lanes[1]) &<< 1
  }

  /// The same for up to 63 rows, of which an odd one out stands for itself and the one behind it, which is not read.
  @inline(__always)
  private static func few(_ values: UnsafeRawPointer, _ rows: Int, _ test: some ColumnTest) -> UInt64 {
    let top = SIMD2<UInt64>(repeating: 1 << 63)
    var lanes = SIMD2<UInt64>()
    var step = 0
    while step < rows / 2 {
      let pair = unsafe values.loadUnaligned(fromByteOffset: 16 * step, as: SIMD2<UInt64>.self)
      lanes = (lanes &>> 1) | (test.holds(pair) & top)
      step += 1
    }
    if rows & 1 == 1 {
      let last = unsafe values.loadUnaligned(fromByteOffset: 16 * step, as: UInt64.self)
      lanes = (lanes &>> 1) | (test.holds(SIMD2(repeating: last)) & top)
      step += 1
    }
    let shift = UInt64(64 - step)
    let bits = spread(lanes[0] &>> shift) | spread(lanes[1] &>> shift) &<< 1
    return rows & 1 == 1 ? bits & (1 << UInt64(rows) - 1) : bits
  }

  /// The 32 low bits with a 0 after each.
  @inline(__always)
  private static func spread(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits | bits &<< 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits &<< 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits &<< 2) & 0x3333_3333_3333_3333
    return (bits | bits &<< 1) & 0x5555_5555_5555_5555
  }
}
