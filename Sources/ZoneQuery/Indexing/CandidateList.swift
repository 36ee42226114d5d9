// An unsafe leaf: scans buckets by pointers.
//
// Invariants: `blocks` has room for `capacity` numbers, of which `count` are set, to places of blocks by `collect` and to
// the blocks by `resolve`; room is made for every entry of the buckets before they are scanned. Neither table nor arena
// changes during a call.
// Proof of Sendable: a list belongs to one index and is touched under that index's lock alone.

/// The blocks of the subscriptions that wait under one of a record's keys and that its codes do not turn away.
@safe
final class CandidateList: @unchecked Sendable {
  @unsafe private var blocks: UnsafeMutablePointer<Int>
  private var capacity = 1_024
  private(set) var count = 0
  /// How many entries were looked at since `removeAll`.
  private(set) var lastScannedCount = 0
  private var buckets: [UInt64] = []
  /// Keeps reads that are made for the sake of the cache.
  private var touched: UInt64 = 0

  init() { unsafe blocks = .allocate(capacity: capacity) }

  deinit { unsafe blocks.deallocate() }

  @inline(__always)
  subscript(index: Int) -> Int { unsafe blocks[index] }

  func removeAll() { (count, lastScannedCount) = (0, 0) }

  /// Adds the blocks under some keys. Complexity: linear in the keys and the entries under them.
  func collect(_ keys: [UInt64], from table: KeyTable.View, _ words: Words, codes: [UInt16]) {
    // Taken out while it is written to: looking each time whether others write to it would cost more.
    var buckets: [UInt64] = []
    swap(&buckets, &self.buckets)
    buckets.removeAll(keepingCapacity: true)
    // The lines of memory are asked for one after the other without waiting.
    var sum: UInt64 = 0
    for key in keys { sum ^= table.touch(key) }
    var entries = 0
    for key in keys {
      let value = table.value(key)
      if value != 0 {
        buckets.append(value)
        entries &+= EntryBuckets.count(value)
      }
    }
    for value in buckets {
      // Each line of eight entries.
      var place = Int(value & 0xFFFF_FFFF)
      let end = place &+ EntryBuckets.count(value)
      while place < end {
        sum ^= words[place]
        place &+= 8
      }
    }
    if count + entries > capacity { grow(to: count + entries) }
    let found = unsafe blocks
    var end = count
    unsafe codes.withUnsafeBufferPointer { codes in
      guard let codes = codes.baseAddress else { return }
      for value in buckets { unsafe end &+= EntryBuckets.scan(value, words, codes, found + end) }
    }
    count = end
    lastScannedCount &+= entries
    touched = sum
    swap(&buckets, &self.buckets)
  }

  /// Ends collecting: the blocks are known from here on, and the lines of memory where they begin are asked for.
  func resolve(_ words: Words) {
    var index = 0
    while index < count {
      unsafe blocks[index] = EntryBuckets.block(at: blocks[index], words)
      index &+= 1
    }
    var sum: UInt64 = 0
    index = 0
    while index < count {
      let place = unsafe blocks[index]
      // A short block may end before: the arena has so many words behind the last one.
      sum ^= words[place] ^ words[place &+ 7]
      index &+= 1
    }
    touched = sum
  }

  private func grow(to wanted: Int) {
    let larger = UnsafeMutablePointer<Int>.allocate(capacity: wanted * 2)
    unsafe larger.update(from: blocks, count: count)
    unsafe blocks.deallocate()
    unsafe blocks = larger
    capacity = wanted * 2
  }
}
