// An unsafe leaf: reads codes and writes found blocks by pointers.
//
// A bucket is a piece of the arena: a word for each entry there is room for, and behind them, two to a word, their blocks.
//
//   63…56 slot of filter 2   55…48 slot of filter 1   47…36 width 2   35…24 low 2   23…12 width 1   11…0 low 1
//
// Invariants: the table's value for a key is size class << 58 | count << 32 | place of its bucket; no bucket is empty.
// An entry's slots are numbers of codes. `found` has room for every entry of the buckets scanned.

/// Which subscriptions wait under a key: buckets of small entries, each of which may turn a record away by two intervals
/// of codes before its program is looked at.
///
/// Complexity: adding and removing are amortised constant; a scan is linear in its bucket, two comparisons an entry
/// without a branch.
struct EntryBuckets {
  /// An interval of a slot's codes, of 12 bits.
  struct Filter {
    var slot: UInt8 = 0
    var low: UInt16 = 0
    var width: UInt16 = codeLimit
  }

  /// The largest code: a filter of this width turns nobody away.
  static let codeLimit: UInt16 = 0xFFF
  /// The bits that a code of 16 has more.
  static let codeShift: UInt16 = 4
  /// The largest slot that a filter may look at.
  static let slotLimit = 0xFF

  let table = KeyTable()
  private let arena: WordArena

  init(arena: WordArena) { self.arena = arena }

  /// The entries of a size class: 1, 2, 3, 4, 6, 8, 12 …
  @inline(__always)
  private static func capacity(_ sizeClass: UInt64) -> Int {
    if sizeClass == 0 { return 1 }
    return sizeClass & 1 == 1 ? 2 << Int(sizeClass / 2) : 3 << Int(sizeClass / 2 - 1)
  }

  /// The words of a bucket with room for so many entries.
  private static func size(_ capacity: Int) -> Int { capacity + (capacity + 1) / 2 }

  /// Where the blocks of a bucket lie.
  @inline(__always)
  private static func blocks(_ words: Words, _ bucket: Int, _ capacity: Int) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(words.base + bucket + capacity)
  }

  private static func copy(_ entry: Int, of bucket: Int, _ capacity: Int, to other: (Int, Int, Int), _ words: Words) {
    let (target, place, room) = other
    words[target + place] = words[bucket + entry]
    let block = unsafe blocks(words, bucket, capacity).load(fromByteOffset: 4 * entry, as: UInt32.self)
    unsafe blocks(words, target, room).storeBytes(of: block, toByteOffset: 4 * place, as: UInt32.self)
  }

  /// A piece of the arena with the entries of a bucket, which is given back; 0 where there is no room.
  private func move(_ bucket: Int, _ capacity: Int, _ count: Int, toCapacity other: Int) -> Int {
    let moved = arena.allocate(Self.size(other))
    if moved == 0 { return 0 }
    let words = arena.words
    for index in 0..<count { Self.copy(index, of: bucket, capacity, to: (moved, index, other), words) }
    if count > 0 { arena.free(bucket, Self.size(capacity)) }
    return moved
  }

  /// Adds an entry and gives its position in its bucket; −1 where there is no room left.
  func add(_ block: UInt32, _ first: Filter, _ second: Filter, key: UInt64) -> Int {
    let place = table.insert(key)
    let value = table[place]
    let count = Self.count(value)
    var sizeClass = value >> 58
    var bucket = Int(value & 0xFFFF_FFFF)
    if count == 0 || count == Self.capacity(sizeClass) {
      let larger = count == 0 ? 0 : sizeClass + 1
      let moved =
        count < 0x3FF_FFFF ? move(bucket, Self.capacity(sizeClass), count, toCapacity: Self.capacity(larger)) : 0
      if moved == 0 {
        if count == 0 { table.remove(at: place) }
        return -1
      }
      (bucket, sizeClass) = (moved, larger)
    }
    let words = arena.words
    let slots = UInt64(second.slot) << 56 | UInt64(first.slot) << 48
    let codes = UInt64(second.width) << 36 | UInt64(second.low) << 24 | UInt64(first.width) << 12 | UInt64(first.low)
    words[bucket + count] = slots | codes
    unsafe Self.blocks(words, bucket, Self.capacity(sizeClass))
      .storeBytes(of: block, toByteOffset: 4 * count, as: UInt32.self)
    table[place] = sizeClass << 58 | UInt64(count + 1) << 32 | UInt64(bucket)
    return count
  }

  /// Removes the entry at a position; the block of the one that takes its place, and that one's old position.
  func remove(key: UInt64, position: Int) -> (block: Int, position: Int)? {
    let place = table.find(key)
    let value = table[place]
    let last = Self.count(value) - 1
    var sizeClass = value >> 58
    var bucket = Int(value & 0xFFFF_FFFF)
    let capacity = Self.capacity(sizeClass)
    var moved: (block: Int, position: Int)?
    if position != last {
      let words = arena.words
      Self.copy(last, of: bucket, capacity, to: (bucket, position, capacity), words)
      let block = unsafe Self.blocks(words, bucket, capacity).load(fromByteOffset: 4 * position, as: UInt32.self)
      moved = (Int(block), last)
    }
    if last == 0 {
      arena.free(bucket, Self.size(capacity))
      table.remove(at: place)
      return moved
    }
    if sizeClass > 3, last <= Self.capacity(sizeClass - 3) {
      // Far enough below the size it has, so that it does not go to and fro.
      let smaller = move(bucket, capacity, last, toCapacity: Self.capacity(sizeClass - 2))
      if smaller != 0 { (bucket, sizeClass) = (smaller, sizeClass - 2) }
    }
    table[place] = sizeClass << 58 | UInt64(last) << 32 | UInt64(bucket)
    return moved
  }

  /// Writes where the blocks of a bucket's entries lie that the codes do not turn away, for ``block(at:_:)``; how many.
  @inline(__always)
  static func scan(
    _ value: UInt64, _ words: Words, _ codes: UnsafePointer<UInt16>, _ found: UnsafeMutablePointer<Int>
  ) -> Int {
    let bucket = Int(value & 0xFFFF_FFFF)
    let entries = unsafe UnsafePointer(words.base + bucket)
    let count = Self.count(value)
    let blocks = (bucket &+ capacity(value >> 58)) &* 2
    var passed = 0
    var index = 0
    while index < count {
      let entry = unsafe entries[index]
      let first = unsafe UInt64(codes[Int(entry >> 48 & 0xFF)]) &- (entry & 0xFFF)
      let second = unsafe UInt64(codes[Int(entry >> 56)]) &- (entry >> 24 & 0xFFF)
      let passesFirst = first <= entry >> 12 & 0xFFF
      let passesSecond = second <= entry >> 36 & 0xFFF
      unsafe found[passed] = blocks &+ index
      passed &+= Int(unsafe unsafeBitCast(passesFirst, to: UInt8.self) & unsafeBitCast(passesSecond, to: UInt8.self))
      index &+= 1
    }
    return passed
  }

  /// The block at a place that a scan wrote.
  @inline(__always)
  static func block(at place: Int, _ words: Words) -> Int {
    unsafe Int(UnsafeRawPointer(words.base).load(fromByteOffset: 4 &* place, as: UInt32.self))
  }

  /// How many entries a table's value stands for.
  @inline(__always)
  static func count(_ value: UInt64) -> Int { Int(value >> 32 & 0x3FF_FFFF) }
}
