// An unsafe leaf: the slots that are in all of some lists. Its invariants are those of `PostingList`.
//
// The shortest list leads: its slots are decoded a chunk at a time, and each other list, by length, keeps those it has.
// In bitmaps these are probed, in arrays sought by eight values at a time, going forward only. Where the next list is not
// much longer, seeking would jump by a few values that no branch prediction knows: there the slots of the first are marked
// as bits, and all of the next are held against these.
// Source: S. Ding, A. König, Fast set intersection in memory, PVLDB 4 (2011), for skipping by blocks.

/// Keeps of ascending slots those that are in a list.
@safe
struct PostingFilter {
  private let list: PostingList
  private let segments: Int
  private var segment = 0
  /// Where the search in the segment goes on.
  private var place = 0

  init(_ list: PostingList) {
    self.list = list
    segments = list.segmentCount
  }

  /// Moves the slots that are in the list to the front; returns how many. They must not be below earlier ones.
  mutating func keep(_ slots: UnsafeMutablePointer<UInt32>, _ count: Int) -> Int {
    if segments == 0 { return 0 }
    var kept = 0
    var index = 0
    while index < count {
      let target = unsafe list.segment(of: slots[index], from: segment)
      if target != segment {
        segment = target
        place = 0
      }
      // The slots up to the next segment.
      var end = count
      if segment + 1 < segments {
        let next = unsafe list.segment(segment + 1).base
        if unsafe slots[count - 1] >= next { end = unsafe PostingMasks.gallop(slots, index, count, next) }
      }
      let block = unsafe list.segment(segment)
      switch unsafe block.kind {
      case unsafe PostingBlock.wide: unsafe keepWide(block, slots, &index, end, &kept)
      case unsafe PostingBlock.narrow: unsafe keepNarrow(block, slots, &index, end, &kept)
      default:
        let bits = unsafe block.bits
        while index < end, unsafe slots[index] < block.base { index &+= 1 }
        while index < end {
          let slot = unsafe slots[index]
          let place = unsafe Int(truncatingIfNeeded: slot &- block.base)
          if unsafe place >= Int(PostingBlock.slots) {
            index = end
            break
          }
          unsafe slots[kept] = slot
          unsafe kept &+= Int(truncatingIfNeeded: bits[place >> 6] &>> UInt64(truncatingIfNeeded: place) & 1)
          index &+= 1
        }
      }
    }
    return kept
  }

  @inline(__always)
  private mutating func keepWide(
    _ block: PostingBlock, _ slots: UnsafeMutablePointer<UInt32>, _ index: inout Int, _ end: Int, _ kept: inout Int
  ) {
    let values = unsafe block.wideSlots
    let count = unsafe block.count
    var at = place
    while index < end, at < count {
      let slot = unsafe slots[index]
      while at &+ 8 <= count, unsafe values[at &+ 7] < slot { at &+= 8 }
      while at < count, unsafe values[at] < slot { at &+= 1 }
      if at < count, unsafe values[at] == slot {
        unsafe slots[kept] = slot
        kept &+= 1
      }
      index &+= 1
    }
    place = at
    index = end
  }

  @inline(__always)
  private mutating func keepNarrow(
    _ block: PostingBlock, _ slots: UnsafeMutablePointer<UInt32>, _ index: inout Int, _ end: Int, _ kept: inout Int
  ) {
    let values = unsafe block.differences
    let count = unsafe block.count
    let base = unsafe block.base
    let lanes: UInt64 = 0x0001_0001_0001_0001
    var (at, from, found) = (place, index, kept)
    while from < end, unsafe slots[from] < base { from &+= 1 }
    while from < end {
      let slot = unsafe slots[from]
      if slot &- base > 0xFFFF { break }
      let value = UInt16(truncatingIfNeeded: slot &- base)
      while at &+ 32 <= count, unsafe values[at &+ 31] < value { at &+= 32 }
      while at &+ 8 <= count, unsafe values[at &+ 7] < value { at &+= 8 }
      unsafe slots[found] = slot
      if at &+ 8 <= count {
        // Four at a time: a lane is zero where the values are the same, and borrows from its highest bit.
        let four = UInt64(value) &* lanes
        let low = unsafe UnsafeMutableRawPointer(values + at).loadUnaligned(as: UInt64.self) ^ four
        let high = unsafe UnsafeMutableRawPointer(values + (at &+ 4)).loadUnaligned(as: UInt64.self) ^ four
        let zeros = ((low &- lanes) & ~low | (high &- lanes) & ~high) & (lanes &<< 15)
        found &+= SortedRun.bit(zeros != 0)
      } else {
        var rest = at
        while rest < count, unsafe values[rest] < value { rest &+= 1 }
        if rest == count { break }
        unsafe found &+= values[rest] == value ? 1 : 0
      }
      from &+= 1
    }
    place = at
    kept = found
    index = end
  }
}

extension PostingList {
  /// Appends the slots that are in all of some lists, in order.
  ///
  /// Complexity: linear in the shortest list, and in what lies between its slots in blocks of arrays in the others.
  static func intersection(_ lists: [PostingList], into result: inout [UInt32]) {
    let sorted = lists.sorted { $0.count < $1.count }
    guard let first = sorted.first, first.count > 0 else { return }
    let isMarked = sorted.count > 1 && first.isWorthMarking(for: sorted[1])
    var filters = sorted.dropFirst(isMarked ? 2 : 1).map { PostingFilter($0) }
    func take(_ chunk: UnsafeMutableBufferPointer<UInt32>) -> Bool {
      guard let slots = chunk.baseAddress else { return true }
      var count = chunk.count
      for index in filters.indices where count > 0 { count = unsafe filters[index].keep(slots, count) }
      unsafe result.append(contentsOf: UnsafeBufferPointer(start: slots, count: count))
      return true
    }
    if isMarked {
      unsafe first.withMarks { marks in unsafe sorted[1].forEachChunk(in: marks, take) }
    } else {
      unsafe first.forEachChunk(take)
    }
  }

  /// Whether another list, which is not shorter, is to be held against this one's bits.
  private func isWorthMarking(for other: PostingList) -> Bool {
    guard other.count <= 8 * count, let last else { return false }
    // Clearing the bits takes its time too; and what is a bitmap is probed at once.
    let isBitmap = unsafe other.segment(0).kind == PostingBlock.bitmap
    return Int(last) >> 6 < 32 * count && !isBitmap
  }

  /// Calls `body` with a bit for each slot of the list, in as many words as its last takes.
  private func withMarks(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Void) {
    guard let last else { return }
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Int(last >> 6) + 1) { words in
      guard let bits = words.baseAddress else { return }
      unsafe words.initialize(repeating: 0)
      unsafe forEachChunk { chunk in
        var index = 0
        while index < chunk.count {
          let slot = unsafe chunk[index]
          unsafe bits[Int(slot &>> 6)] |= 1 &<< UInt64(slot & 63)
          index &+= 1
        }
        return true
      }
      unsafe body(words)
    }
  }

  /// Calls `body` with the slots whose bits are set, some at a time and in order, until it returns false: no branch
  /// depends on the bits.
  private func forEachChunk(
    in words: UnsafeMutableBufferPointer<UInt64>, _ body: (UnsafeMutableBufferPointer<UInt32>) -> Bool
  ) {
    guard let bits = words.baseAddress else { return }
    unsafe forEachChunk { chunk in
      guard let slots = chunk.baseAddress, let lowest = unsafe chunk.first else { return true }
      if Int(lowest &>> 6) >= words.count { return false }
      let end = unsafe SortedRun.lower(slots, 0, chunk.count, UInt32(truncatingIfNeeded: words.count &<< 6))
      var (index, kept) = (0, 0)
      while index < end {
        let slot = unsafe slots[index]
        unsafe slots[kept] = slot
        unsafe kept &+= Int(truncatingIfNeeded: bits[Int(slot &>> 6)] &>> UInt64(slot & 63) & 1)
        index &+= 1
      }
      return unsafe kept == 0 || body(UnsafeMutableBufferPointer(start: slots, count: kept))
    }
  }

  /// Keeps of different slots, in whatever order, those that are in the list, and puts them in order; false, and nothing
  /// is done, where sorting them first is sooner.
  func keep(unsorted slots: inout [UInt32]) -> Bool {
    guard 8...128 ~= slots.count else { return false }
    if count > 8 * slots.count { keepProbed(&slots) } else { keepMarked(&slots) }
    if slots.count > 1 { slots.sort() }
    return true
  }

  /// Looks each slot up by itself.
  private func keepProbed(_ slots: inout [UInt32]) {
    let count = slots.count
    let kept = unsafe slots.withUnsafeMutableBufferPointer { slots in
      guard let slots = slots.baseAddress else { return 0 }
      var (index, kept) = (0, 0)
      while index < count {
        let slot = unsafe slots[index]
        unsafe slots[kept] = slot
        kept &+= SortedRun.bit(probe(slot))
        index &+= 1
      }
      return kept
    }
    slots.removeLast(count - kept)
  }

  /// Whether a slot is in the list. It is looked for where it would be if the slots of its block were spread evenly.
  @inline(__always)
  private func probe(_ slot: UInt32) -> Bool {
    let block = unsafe segment(segment(of: slot))
    let count = unsafe block.count
    let seen = unsafe PostingBlock.seen
    guard unsafe block.kind == PostingBlock.narrow, count >= seen else { return unsafe block.contains(slot) }
    let values = unsafe block.differences
    guard unsafe slot >= block.base else { return false }
    let difference = unsafe slot &- block.base
    let last = unsafe UInt32(values[count &- 1])
    if difference > last { return false }
    let value = UInt16(truncatingIfNeeded: difference)
    let guess = Int(difference &* UInt32(truncatingIfNeeded: count) / (last &+ 1))
    let first = unsafe values + min(max(guess, seen / 2) &- seen / 2, count &- seen)
    if unsafe PostingBlock.holds(value, first) { return true }
    guard unsafe first[0] <= value, unsafe value <= first[seen &- 1] else { return unsafe block.contains(slot) }
    return false
  }

  /// Marks each slot by a bit that others may have too. The slots of the list that meet a mark are looked for: hardly any
  /// but those that are there. A bitmap is asked for each slot.
  private func keepMarked(_ slots: inout [UInt32]) {
    let words = 128
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { marks in
      // What is kept, and behind it what of an array meets a mark.
      let room = unsafe slots.count + PostingBlock.mostNarrow
      unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { room in
        guard let bits = marks.baseAddress, let kept = room.baseAddress else { return }
        unsafe marks.initialize(repeating: 0)
        var index = 0
        while index < slots.count {
          unsafe bits[Int(slots[index] &>> 6) & (words - 1)] |= 1 &<< UInt64(slots[index] & 63)
          index &+= 1
        }
        let met = unsafe kept + slots.count
        var count = 0
        @inline(__always)
        func keepMet(of slotCount: Int, _ slotAt: (Int) -> UInt32) {
          var (index, metCount) = (0, 0)
          while index < slotCount {
            let slot = slotAt(index)
            unsafe met[metCount] = slot
            let word = unsafe bits[Int(slot &>> 6) & (words - 1)]
            metCount &+= Int(truncatingIfNeeded: word &>> UInt64(slot & 63) & 1)
            index &+= 1
          }
          for index in 0..<metCount where unsafe slots.contains(met[index]) {
            unsafe kept[count] = unsafe met[index]
            count += 1
          }
        }
        for index in 0..<segmentCount {
          let block = unsafe segment(index)
          switch unsafe block.kind {
          case unsafe PostingBlock.wide:
            let values = unsafe block.wideSlots
            unsafe keepMet(of: block.count) { unsafe values[$0] }
          case unsafe PostingBlock.narrow:
            let (base, values) = unsafe (block.base, block.differences)
            unsafe keepMet(of: block.count) { unsafe base &+ UInt32(values[$0]) }
          default:
            for slot in slots where unsafe block.contains(slot) {
              unsafe kept[count] = slot
              count += 1
            }
          }
        }
        for index in 0..<count { slots[index] = unsafe kept[index] }
        slots.removeLast(slots.count - count)
      }
    }
  }

  /// Keeps of ascending slots those that are in the list.
  func keep(_ slots: inout [UInt32]) {
    var filter = PostingFilter(self)
    let count = slots.count
    let kept = unsafe slots.withUnsafeMutableBufferPointer { slots in
      guard let start = slots.baseAddress else { return 0 }
      return unsafe filter.keep(start, count)
    }
    slots.removeLast(count - kept)
  }
}
