// An unsafe leaf: sorting the entries of an index that is to be built.
//
// Long runs are sorted by one word at a time (Knuth, The Art of Computer Programming 3, 5.2.5), with digits of 11 bits, or
// 8 where there are few: first by the two digits behind what all words share, which tell most words apart. What they do not
// is sorted by comparison where it is short; a long run by all digits, least significant first, of which those that all
// words share are passed over, and runs of equal words then by the next word. Long texts are sorted by comparison.
//
// Complexity: linear in the entries for numbers, O(n log n) for short runs and long texts.

extension OrderedIndex {
  /// Sorts entries as an index of the shape orders them.
  static func sort<Ties: KeyTies>(_ entries: inout ContiguousArray<Entry>, shape: KeyShape, ties: Ties) {
    let count = entries.count
    if count < 2 { return }
    unsafe entries.withUnsafeMutableBufferPointer { entries in
      guard let first = entries.baseAddress else { return }
      if count < radixLeast {
        unsafe sort(entries, by: 0, shape: shape, ties: ties)
        return
      }
      unsafe withUnsafeTemporaryAllocation(of: Entry.self, capacity: count) { spare in
        guard let spare = spare.baseAddress else { return }
        let digits = unsafe sortByFirstDigits(first, spare, count)
        unsafe forEachRun(first, count, by: { $0.key[0] &>> digits }) { run, length in
          if length < runLeast {
            unsafe sort(UnsafeMutableBufferPointer(start: run, count: length), by: 0, shape: shape, ties: ties)
          } else {
            unsafe sortSlots(run, spare, length)
            unsafe sort(run, spare, length, by: 0, shape: shape, ties: ties)
          }
        }
      }
    }
  }

  /// Runs that are shorter are sorted by comparison.
  private static var radixLeast: Int { 64 }
  /// So are shorter ones of those that the first digits leave: where there is one, there may be many.
  private static var runLeast: Int { 32 }
  /// Runs that are shorter are sorted by small digits, of which there are fewer to count.
  private static var wideLeast: Int { 2_048 }

  /// Brings entries into the order of their slots, which sorting by words leaves as it is among equal keys.
  private static func sortSlots(
    _ entries: UnsafeMutablePointer<Entry>, _ spare: UnsafeMutablePointer<Entry>, _ count: Int
  ) {
    var index = 1
    while index < count, unsafe entries[index - 1].slot <= entries[index].slot { index &+= 1 }
    if index < count { unsafe radix(entries, spare, count) { entry in UInt64(entry.slot) } }
  }

  /// Sorts entries with equal words before a word, which lie in the order of their slots.
  private static func sort<Ties: KeyTies>(
    _ entries: UnsafeMutablePointer<Entry>, _ spare: UnsafeMutablePointer<Entry>, _ count: Int, by word: Int,
    shape: KeyShape, ties: Ties
  ) {
    unsafe radix(entries, spare, count) { entry in entry.key[word] }
    if word + 1 == Key.wordCount, !(Ties.areBroken && shape.isTied(word)) { return }
    unsafe forEachRun(entries, count, by: { $0.key[word] }) { run, length in
      if unsafe length < radixLeast || Ties.areBroken && shape.isLong(word, run[0].key[word]) {
        unsafe sort(UnsafeMutableBufferPointer(start: run, count: length), by: word, shape: shape, ties: ties)
      } else if word + 1 < Key.wordCount {
        unsafe sort(run, spare, length, by: word + 1, shape: shape, ties: ties)
      }
    }
  }

  /// Calls `body` with each run of two entries and more that have the same number.
  @inline(__always)
  private static func forEachRun(
    _ entries: UnsafeMutablePointer<Entry>, _ count: Int, by number: (Entry) -> UInt64,
    _ body: (UnsafeMutablePointer<Entry>, Int) -> Void
  ) {
    var start = 0
    while start < count {
      let value = unsafe number(entries[start])
      var end = start &+ 1
      while end < count, unsafe number(entries[end]) == value { end &+= 1 }
      if end &- start > 1 { unsafe body(entries + start, end &- start) }
      start = end
    }
  }

  /// Sorts by comparison entries with equal words before a word.
  private static func sort<Ties: KeyTies>(
    _ entries: UnsafeMutableBufferPointer<Entry>, by word: Int, shape: KeyShape, ties: Ties
  ) {
    var entries = unsafe entries
    unsafe entries.sort { left, right in
      var position = word
      while position < Key.wordCount {
        let (one, other) = (left.key[position], right.key[position])
        if one != other { return one < other }
        if Ties.areBroken, shape.isLong(position, one) {
          let component = shape.component(position)
          let order = unsafe Node.order(
            ties.text(slot: left.slot, component: component), ties.text(slot: right.slot, component: component))
          if order != 0 { return order < 0 }
        }
        position &+= 1
      }
      return left.slot < right.slot
    }
  }

  /// Sorts entries by the two digits of their first words behind what all of these share.
  ///
  /// - Returns: How many bits there are behind these digits.
  private static func sortByFirstDigits(
    _ entries: UnsafeMutablePointer<Entry>, _ spare: UnsafeMutablePointer<Entry>, _ count: Int
  ) -> UInt64 {
    let bits = digitBits(count)
    let varying = unsafe varyingBits(entries, count) { entry in entry.key[0] }
    let end = UInt64(truncatingIfNeeded: 64 - varying.leadingZeroBitCount)
    if end == 0 { return 0 }
    let shift = end > 2 * bits ? end - 2 * bits : 0
    unsafe radix(entries, spare, count, bits, varying >> shift) { entry in entry.key[0] &>> shift }
    return shift
  }

  private static func digitBits(_ count: Int) -> UInt64 { count < wideLeast ? 8 : 11 }

  /// The bits in which the numbers of some entries are not all the same.
  @inline(__always)
  private static func varyingBits(
    _ entries: UnsafeMutablePointer<Entry>, _ count: Int, by number: (Entry) -> UInt64
  ) -> UInt64 {
    var (common, any) = (UInt64.max, UInt64(0))
    var index = 0
    while index < count {
      let value = unsafe number(entries[index])
      common &= value
      any |= value
      index &+= 1
    }
    return common ^ any
  }

  /// Sorts entries by a number, leaving those with equal ones in their order.
  @inline(__always)
  private static func radix(
    _ entries: UnsafeMutablePointer<Entry>, _ spare: UnsafeMutablePointer<Entry>, _ count: Int,
    by number: (Entry) -> UInt64
  ) {
    let varying = unsafe varyingBits(entries, count, by: number)
    unsafe radix(entries, spare, count, digitBits(count), varying, by: number)
  }

  /// The same, by digits of so many bits, of which those in which the numbers vary are known.
  @inline(__always)
  private static func radix(
    _ entries: UnsafeMutablePointer<Entry>, _ spare: UnsafeMutablePointer<Entry>, _ count: Int, _ bits: UInt64,
    _ varying: UInt64, by number: (Entry) -> UInt64
  ) {
    let mask: UInt64 = 1 &<< bits &- 1
    var (source, sink) = unsafe (entries, spare)
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 &<< Int(bits)) { places in
      var shift: UInt64 = 0
      while shift < 64 {
        if varying >> shift & mask != 0 {
          unsafe places.initialize(repeating: 0)
          var index = 0
          while index < count {
            unsafe places[Int(truncatingIfNeeded: number(source[index]) &>> shift & mask)] &+= 1
            index &+= 1
          }
          var sum = 0
          for digit in 0...Int(mask) {
            let number = unsafe places[digit]
            unsafe places[digit] = sum
            sum &+= number
          }
          index = 0
          while index < count {
            let entry = unsafe source[index]
            let digit = Int(truncatingIfNeeded: number(entry) &>> shift & mask)
            unsafe sink[places[digit]] = entry
            unsafe places[digit] &+= 1
            index &+= 1
          }
          unsafe swap(&source, &sink)
        }
        shift += bits
      }
    }
    if unsafe source != entries { unsafe entries.update(from: source, count: count) }
  }
}
