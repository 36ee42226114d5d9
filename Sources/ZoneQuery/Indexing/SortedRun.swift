// An unsafe leaf: finds places among ascending values.
//
// Invariant: the caller can read the values from the start to the end that it gives, and they ascend; nothing else is read.

/// Where a value is, or would be, among ascending ones.
///
/// Values are counted rather than halved to: of a half the compiler makes a branch, however it is written, and which way it
/// goes a processor guesses wrongly every other time, which takes as long as to compare some thirty values. No value that is
/// read depends on another, but for the part that is chosen: so memory that is far is waited for twice, not for each half.
enum SortedRun {
  /// The values of a part: of each part the last is compared, then all of one.
  private static var part: Int { 1 << shift }
  private static let shift = 4
  /// Longer runs are halved first.
  private static let most = 512

  /// 1 for true.
  @inline(__always)
  static func bit(_ isTrue: Bool) -> Int {
    unsafe Int(truncatingIfNeeded: unsafeBitCast(isTrue, to: UInt8.self))
  }

  /// The first index of an ascending run whose value is not less than `value`.
  ///
  /// Complexity: a sixteenth of the run's length and sixteen more, up to 512 values; logarithmic beyond.
  @inline(__always)
  static func lower<Value: FixedWidthInteger>(
    _ values: UnsafePointer<Value>, _ start: Int, _ end: Int, _ value: Value
  ) -> Int {
    var (low, length) = (start, end &- start)
    if length < part { return unsafe low &+ below(values + low, length, value) }
    while length > most {
      let half = length &>> 1
      unsafe low &+= half & (0 &- bit(values[low &+ half &- 1] < value))
      length &-= half
    }
    let parts = length &>> shift
    let last = unsafe values + (low &+ (part &- 1))
    var (before, number) = (0, 0)
    while number < parts {
      unsafe before &+= bit(last[number &* part] < value)
      number &+= 1
    }
    low = min(low &+ before &* part, low &+ length &- part)
    return unsafe low &+ below(values + low, part, value)
  }

  /// How many of the first values are less than another.
  @inline(__always)
  static func below<Value: FixedWidthInteger>(_ values: UnsafePointer<Value>, _ count: Int, _ value: Value) -> Int {
    var (less, index) = (0, 0)
    while index < count {
      less &+= unsafe bit(values[index] < value)
      index &+= 1
    }
    return less
  }
}
