#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// An unsafe leaf: the memory of an open-addressing table.
//
// Invariants: there are `mask + 1` slots of two words, a power of two, fewer than five eighths of them taken; a free
// slot has the key 0. A key lies at or behind the slot its low bits name, with no free slot between. Places given out by
// `find` and `insert` lie within the memory and hold until the next `insert` or `remove`.
// Proof of Sendable: a table belongs to one index and is touched under that index's lock alone, or is never changed.

/// A hash table of 64-bit keys, already hashed and not 0, and a 64-bit value for each (linear probing, removal by
/// shifting back: Knuth, TAOCP 3, 6.4, algorithms L and R).
///
/// Complexity: constant on average, and amortised where it grows.
@safe
final class KeyTable: @unchecked Sendable {
  @unsafe private var slots: UnsafeMutablePointer<UInt64>
  private var mask: Int
  private(set) var count = 0

  init(minimumCapacity: Int = 0) {
    var capacity = 16
    while capacity * 5 / 8 < minimumCapacity { capacity *= 2 }
    mask = capacity - 1
    unsafe slots = Self.memory(capacity)
  }

  deinit { unsafe free(slots) }

  private static func memory(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
    // Memory that is not to be had ends the process here, as everywhere in Swift.
    guard let memory = unsafe calloc(capacity, 16) else { fatalError("out of memory") }
    return unsafe memory.bindMemory(to: UInt64.self, capacity: capacity * 2)
  }

  /// The bytes the table has taken.
  var reservedBytes: Int { (mask + 1) * 16 }

  /// The table as readers see it, until it is changed.
  var view: View { unsafe View(slots: slots, mask: mask) }

  /// A look into a table that nobody changes meanwhile.
  @safe
  struct View {
    @unsafe fileprivate let slots: UnsafeMutablePointer<UInt64>
    fileprivate let mask: Int

    /// The value of a key, 0 where it is not in the table.
    @inline(__always)
    func value(_ key: UInt64) -> UInt64 {
      var slot = Int(truncatingIfNeeded: key) & mask
      while true {
        let found = unsafe slots[2 &* slot]
        if found == key { return unsafe slots[2 &* slot &+ 1] }
        if found == 0 { return 0 }
        slot = (slot &+ 1) & mask
      }
    }

    /// Asks for the line of memory where a key would lie, and gives a part of it, so that it is not optimised away.
    @inline(__always)
    func touch(_ key: UInt64) -> UInt64 { unsafe slots[2 &* (Int(truncatingIfNeeded: key) & mask)] }
  }

  /// Where a key lies; -1 where it is not in the table.
  func find(_ key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: key) & mask
    while unsafe slots[2 &* slot] != 0 {
      if unsafe slots[2 &* slot] == key { return slot }
      slot = (slot &+ 1) & mask
    }
    return -1
  }

  /// Where a key lies, now if not before; a new one's value is 0.
  func insert(_ key: UInt64) -> Int {
    if (count + 1) * 8 > (mask + 1) * 5 { grow() }
    var slot = Int(truncatingIfNeeded: key) & mask
    while unsafe slots[2 &* slot] != 0 {
      if unsafe slots[2 &* slot] == key { return slot }
      slot = (slot &+ 1) & mask
    }
    unsafe slots[2 &* slot] = key
    count += 1
    return slot
  }

  /// The value at the place of a key.
  subscript(slot: Int) -> UInt64 {
    get { unsafe slots[2 &* slot &+ 1] }
    set { unsafe slots[2 &* slot &+ 1] = newValue }
  }

  /// Takes out the key at a place.
  func remove(at place: Int) {
    var hole = place
    var slot = (place + 1) & mask
    while unsafe slots[2 &* slot] != 0 {
      let home = Int(truncatingIfNeeded: unsafe slots[2 &* slot]) & mask
      // It may move back where the hole is not before its own slot.
      if (slot &- home) & mask >= (slot &- hole) & mask {
        unsafe slots[2 &* hole] = slots[2 &* slot]
        unsafe slots[2 &* hole &+ 1] = slots[2 &* slot &+ 1]
        hole = slot
      }
      slot = (slot &+ 1) & mask
    }
    unsafe slots[2 &* hole] = 0
    unsafe slots[2 &* hole &+ 1] = 0
    count -= 1
  }

  private func grow() {
    let (old, oldMask) = unsafe (slots, mask)
    mask = oldMask * 2 + 1
    unsafe slots = Self.memory(mask + 1)
    for slot in 0...oldMask where unsafe old[2 * slot] != 0 {
      let key = unsafe old[2 * slot]
      var free = Int(truncatingIfNeeded: key) & mask
      while unsafe slots[2 &* free] != 0 { free = (free &+ 1) & mask }
      unsafe slots[2 &* free] = key
      unsafe slots[2 &* free &+ 1] = old[2 * slot + 1]
    }
    unsafe free(old)
  }
}
