// Sorting slots, which are numbers below a bound that is known: digit by digit from the least (LSD radix sort, as in Knuth,
// The Art of Computer Programming 3, 5.2.5), since a sort by comparison waits for a wrong guess at every other one.

extension [UInt32] {
  /// Sorts slots that are all below `bound`; `spare` is used on the way.
  ///
  /// Complexity: linear, in two or three passes over the slots.
  mutating func sort(below bound: Int, using spare: inout [UInt32]) {
    let bits = Int.bitWidth - Swift.max(1, bound - 1).leadingZeroBitCount
    // So few are sorted sooner than the digits are counted.
    guard count > 40, bits <= 27 else { return sort() }
    // Counting many values of a digit for few slots costs more than a pass.
    let passes = bits <= 18 && count > 400 ? 2 : 3
    let width = (bits + passes - 1) / passes
    if spare.count < count + 1 << width { spare = [UInt32](repeating: 0, count: 2 * count + 1 << width) }
    for pass in 0..<passes { distribute(to: &spare, shift: UInt32(pass * width), width: width) }
  }

  /// Sorts by one digit, keeping the order of slots that have the same.
  @inline(__always)
  private mutating func distribute(to spare: inout [UInt32], shift: UInt32, width: Int) {
    // Behind the room for the slots: how many have each digit, and then where the next of them goes.
    let (slots, starts) = (count, count)
    var spare = spare.mutableSpan
    var sorted = mutableSpan
    let mask = UInt32(1) << UInt32(width) - 1
    for digit in 0...Int(mask) { spare[starts &+ digit] = 0 }
    var index = 0
    while index < slots {
      spare[starts &+ Int(sorted[index] &>> shift & mask)] &+= 1
      index &+= 1
    }
    var sum: UInt32 = 0
    for digit in 0...Int(mask) {
      let here = spare[starts &+ digit]
      spare[starts &+ digit] = sum
      sum &+= here
    }
    index = 0
    while index < slots {
      let start = starts &+ Int(sorted[index] &>> shift & mask)
      spare[Int(spare[start])] = sorted[index]
      spare[start] &+= 1
      index &+= 1
    }
    index = 0
    while index < slots {
      sorted[index] = spare[index]
      index &+= 1
    }
  }

  /// Leaves each of ascending slots once.
  mutating func removeRepeated() {
    if count < 2 { return }
    var kept = 1
    var index = 1
    while index < count {
      if self[index] != self[kept - 1] {
        self[kept] = self[index]
        kept += 1
      }
      index += 1
    }
    removeLast(count - kept)
  }
}
