// An unsafe leaf: reads codes and writes found blocks by pointers.
//
// A bucket is a piece of the arena with entries of two words:
//
//   63…48 slot of filter 2   47…32 slot of filter 1   31…0 block
//   63…48 width 2   47…32 low 2   31…16 width 1   15…0 low 1
//
// Invariants: the table's value for a key is size class << 58 | count << 32 | place of its bucket; no bucket is empty.
// An entry's slots are numbers of codes. `found` has room for every entry of the buckets scanned.

/// Which subscriptions wait under a key: buckets of small entries, each of which may turn a record away by two intervals
/// of codes before its program is looked at.
///
/// Complexity: adding and removing are amortised constant; a scan is linear in its bucket, two comparisons an entry
/// without a branch.
struct EntryBuckets {
  struct Entry {
    var block: UInt32
    var slots: (UInt16, UInt16)
    var lows: (UInt16, UInt16)
    var widths: (UInt16, UInt16)
  }

  let table = KeyTable()
  private let arena: WordArena

  init(arena: WordArena) { self.arena = arena }

  /// The entries of a size class: 1, 2, 3, 4, 6, 8, 12 …
  private static func capacity(_ sizeClass: UInt64) -> Int {
    if sizeClass == 0 { return 1 }
    return sizeClass & 1 == 1 ? 2 << Int(sizeClass / 2) : 3 << Int(sizeClass / 2 - 1)
  }

  /// Adds an entry and gives its position in its bucket; −1 where there is no room left.
  func add(_ entry: Entry, key: UInt64) -> Int {
    let place = table.insert(key)
    let value = table[place]
    let count = Int(value >> 32 & 0x3FF_FFFF)
    var sizeClass = value >> 58
    var bucket = Int(value & 0xFFFF_FFFF)
    if count == 0 || count == Self.capacity(sizeClass) {
      let larger = count == 0 ? 0 : sizeClass + 1
      let moved = count < 0x3FF_FFFF ? arena.allocate(2 * Self.capacity(larger)) : 0
      if moved == 0 {
        if count == 0 { table.remove(at: place) }
        return -1
      }
      let words = arena.words
      for index in 0..<2 * count { words[moved + index] = words[bucket + index] }
      if count > 0 { arena.free(bucket, 2 * Self.capacity(sizeClass)) }
      (bucket, sizeClass) = (moved, larger)
    }
    let words = arena.words
    words[bucket + 2 * count] =
      UInt64(entry.slots.1) << 48 | UInt64(entry.slots.0) << 32 | UInt64(entry.block)
    words[bucket + 2 * count + 1] =
      UInt64(entry.widths.1) << 48 | UInt64(entry.lows.1) << 32 | UInt64(entry.widths.0) << 16 | UInt64(entry.lows.0)
    table[place] = sizeClass << 58 | UInt64(count + 1) << 32 | UInt64(bucket)
    return count
  }

  /// Removes the entry at a position; the block of the one that takes its place, and that one's old position.
  func remove(key: UInt64, position: Int) -> (block: Int, position: Int)? {
    let place = table.find(key)
    let value = table[place]
    let last = Int(value >> 32 & 0x3FF_FFFF) - 1
    let sizeClass = value >> 58
    let bucket = Int(value & 0xFFFF_FFFF)
    let words = arena.words
    var moved: (block: Int, position: Int)?
    if position != last {
      words[bucket + 2 * position] = words[bucket + 2 * last]
      words[bucket + 2 * position + 1] = words[bucket + 2 * last + 1]
      moved = (Int(words[bucket + 2 * position] & 0xFFFF_FFFF), last)
    }
    if last == 0 {
      arena.free(bucket, 2 * Self.capacity(sizeClass))
      table.remove(at: place)
    } else if sizeClass > 3, last <= Self.capacity(sizeClass - 3) {
      // Far enough below the size it has, so that it does not go to and fro.
      let smaller = arena.allocate(2 * Self.capacity(sizeClass - 2))
      if smaller == 0 {
        table[place] = sizeClass << 58 | UInt64(last) << 32 | UInt64(bucket)
      } else {
        let words = arena.words
        for index in 0..<2 * last { words[smaller + index] = words[bucket + index] }
        arena.free(bucket, 2 * Self.capacity(sizeClass))
        table[place] = (sizeClass - 2) << 58 | UInt64(last) << 32 | UInt64(smaller)
      }
    } else {
      table[place] = sizeClass << 58 | UInt64(last) << 32 | UInt64(bucket)
    }
    return moved
  }

  /// Writes the blocks of a bucket's entries that the codes do not turn away; how many.
  @inline(__always)
  static func scan(
    _ value: UInt64, _ words: Words, _ codes: UnsafePointer<UInt16>, _ found: UnsafeMutablePointer<UInt32>
  ) -> Int {
    var entry = unsafe UnsafePointer(words.base + Int(value & 0xFFFF_FFFF))
    let end = unsafe entry + 2 &* Int(value >> 32 & 0x3FF_FFFF)
    var count = 0
    while unsafe entry < end {
      let (head, tests) = unsafe (entry[0], entry[1])
      let first = unsafe codes[Int(head >> 32 & 0xFFFF)] &- UInt16(truncatingIfNeeded: tests)
      let second = unsafe codes[Int(head >> 48)] &- UInt16(truncatingIfNeeded: tests >> 32)
      let passesFirst = first <= UInt16(truncatingIfNeeded: tests >> 16)
      let passesSecond = second <= UInt16(truncatingIfNeeded: tests >> 48)
      unsafe found[count] = UInt32(truncatingIfNeeded: head)
      count &+= Int(unsafe unsafeBitCast(passesFirst, to: UInt8.self) & unsafeBitCast(passesSecond, to: UInt8.self))
      unsafe entry += 2
    }
    return count
  }

  /// How many entries a table's value stands for.
  @inline(__always)
  static func count(_ value: UInt64) -> Int { Int(value >> 32 & 0x3FF_FFFF) }
}
