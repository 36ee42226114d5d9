// An unsafe leaf: sorting the entries of an index that is to be built.
//
// Long runs are sorted by one word at a time, least significant digit first (Knuth, The Art of Computer Programming 3,
// 5.2.5), with digits of 11 bits, or 8 where there are few, of which those that all words share are passed over; runs of
// equal words then by the next word. Short runs, and long texts, are sorted by comparison.
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
        unsafe sortSlots(first, spare, count)
        unsafe sort(first, spare, count, by: 0, shape: shape, ties: ties)
      }
    }
  }

  /// Runs that are shorter are sorted by comparison.
  private static var radixLeast: Int { 64 }
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
    var start = 0
    while start < count {
      let value = unsafe entries[start].key[word]
      var end = start + 1
      while end < count, unsafe entries[end].key[word] == value { end &+= 1 }
      let length = end - start
      if length > 1 {
        let run = unsafe entries + start
        if length < radixLeast || Ties.areBroken && shape.isLong(word, value) {
          unsafe sort(UnsafeMutableBufferPointer(start: run, count: length), by: word, shape: shape, ties: ties)
        } else if word + 1 < Key.wordCount {
          unsafe sort(run, spare, length, by: word + 1, shape: shape, ties: ties)
        }
      }
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

  /// Sorts entries by a number, leaving those with equal ones in their order.
  @inline(__always)
  private static func radix(
    _ entries: UnsafeMutablePointer<Entry>, _ spare: UnsafeMutablePointer<Entry>, _ count: Int,
    by number: (Entry) -> UInt64
  ) {
    var (common, any) = (UInt64.max, UInt64(0))
    var index = 0
    while index < count {
      let value = unsafe number(entries[index])
      common &= value
      any |= value
      index &+= 1
    }
    let varying = common ^ any
    let bits: UInt64 = count < wideLeast ? 8 : 11
    let mask: UInt64 = 1 &<< bits &- 1
    var (source, sink) = unsafe (entries, spare)
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 &<< Int(bits)) { places in
      var shift: UInt64 = 0
      while shift < 64 {
        if varying >> shift & mask != 0 {
          unsafe places.initialize(repeating: 0)
          index = 0
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
