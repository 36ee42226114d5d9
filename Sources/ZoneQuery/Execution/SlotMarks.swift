// An unsafe leaf: bits by pointers.
//
// Invariant: `words` has a bit for every slot below the bound, which is checked for each slot that is marked or asked for.

/// A set of slots, a bit each.
@safe
struct SlotMarks: ~Copyable {
  @unsafe private let words: UnsafeMutablePointer<UInt64>
  private let bound: Int

  /// Marks slots, which are below `bound`. Complexity: linear in the slots and, for one word in 64, in the bound.
  init(_ slots: [UInt32], below bound: Int) {
    self.bound = bound
    let count = bound >> 6 + 1
    unsafe words = .allocate(capacity: count)
    unsafe words.initialize(repeating: 0, count: count)
    for slot in slots {
      precondition(slot < bound)
      unsafe words[Int(slot >> 6)] |= 1 << UInt64(slot & 63)
    }
  }

  deinit { unsafe words.deallocate() }

  /// Appends the marked slots, ascending, each once. Complexity: linear in them and, for one word in 64, in the bound.
  func append(to slots: inout [UInt32]) {
    for index in 0...bound >> 6 {
      var word = unsafe words[index]
      while word != 0 {
        slots.append(UInt32(truncatingIfNeeded: index << 6 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
  }

  /// Takes out the slots that are not marked. Complexity: linear, without a branch that depends on the marks.
  func keep(_ slots: inout [UInt32]) {
    var kept = 0
    unsafe slots.withUnsafeMutableBufferPointer { slots in
      var index = 0
      while index < slots.count {
        let slot = unsafe slots[index]
        precondition(slot < bound)
        unsafe slots[kept] = slot
        kept &+= Int(truncatingIfNeeded: unsafe words[Int(slot >> 6)] >> UInt64(slot & 63) & 1)
        index &+= 1
      }
    }
    slots.removeLast(slots.count - kept)
  }
}
