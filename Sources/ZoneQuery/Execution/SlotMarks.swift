// An unsafe leaf: bits by pointers.
//
// Invariant: `words` has a bit for every slot below the bound, which is checked for each slot that is marked or asked for.

/// A set of slots, a bit each.
@safe
struct SlotMarks: ~Copyable {
  @unsafe private let words: UnsafeMutablePointer<UInt64>
  private let bound: Int

  /// No slots, of those below `bound`. Complexity: linear, for one word in 64, in the bound.
  init(below bound: Int) {
    self.bound = bound
    let count = bound >> 6 + 1
    unsafe words = .allocate(capacity: count)
    unsafe words.initialize(repeating: 0, count: count)
  }

  /// Marks slots, which are below `bound`. Complexity: linear in the slots and, for one word in 64, in the bound.
  init(_ slots: [UInt32], below bound: Int) {
    self.init(below: bound)
    unsafe slots.withUnsafeBufferPointer { unsafe mark($0) }
  }

  deinit { unsafe words.deallocate() }

  @inline(__always)
  private func mark(_ slots: UnsafeBufferPointer<UInt32>) {
    var index = 0
    while index < slots.count {
      let slot = unsafe slots[index]
      precondition(slot < bound)
      unsafe words[Int(slot >> 6)] |= 1 << UInt64(slot & 63)
      index &+= 1
    }
  }

  /// Marks the slots of a span of an index.
  func mark(_ span: IndexSpan, of index: TableIndex.Entries) { unsafe index.forEachSlots(span) { unsafe mark($0) } }

  /// Appends the marked slots of a span of an index, in the order of the entries.
  func append(_ span: IndexSpan, of index: TableIndex.Entries, to slots: inout [UInt32]) {
    unsafe index.forEachSlots(span) { entries in
      let start = slots.count
      unsafe slots.append(contentsOf: entries)
      keep(&slots, from: start)
    }
  }

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

  /// Takes out the slots, from a position on, that are not marked. Complexity: linear, without a branch that depends on
  /// the marks.
  @inline(__always)
  func keep(_ slots: inout [UInt32], from start: Int = 0) {
    var kept = start
    unsafe slots.withUnsafeMutableBufferPointer { slots in
      var index = start
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

extension Access.Overlapping {
  /// Puts the slots that are in all of some runs, two at least, into `slots`, ascending.
  static func collect(
    _ runs: [Access.Overlapping], _ source: TableRow.Source, into slots: inout [UInt32], using spare: inout [UInt32]
  ) {
    let bound = source.table.slotCount
    guard let first = runs.first else { return }
    assert(runs.count > 1)
    var marks = SlotMarks(below: bound)
    marks.mark(first.span, of: source.indexes[first.index].entries)
    for (number, run) in runs.enumerated().dropFirst() {
      if number > 1 {
        marks = SlotMarks(slots, below: bound)
        slots.removeAll(keepingCapacity: true)
      }
      marks.append(run.span, of: source.indexes[run.index].entries, to: &slots)
    }
    slots.sort(below: bound, using: &spare)
    slots.removeRepeated()
  }
}
