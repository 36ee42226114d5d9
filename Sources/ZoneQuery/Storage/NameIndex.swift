// An unsafe leaf: the record-name hash, in pages.
//
// Invariant: of n buckets with 2ᴸ ≤ n < 2ᴸ⁺¹ an entry stands in the one of its hash's last L + 1 bits, or of its last L
// where that bucket does not exist yet. A bucket without entries has no page; one with some has a page that begins with
// their number. An entry is 32 bits of the name's hash and the slot. The hash is of a seed drawn by the process
// (`ByteHash`), so that no one can choose names that collide.
// Source: linear hashing (Litwin, VLDB 1980): the table grows by one bucket at a time, split in turn, so that no
// insertion waits for all others to be moved.

/// The slots of records by their names.
///
/// Complexity: constant on average, 12 entries a bucket; a change copies a bucket and two pages of the directory, once a
/// commit.
struct NameIndex: Sendable {
  private static var entriesPerBucket: Int { 12 }

  private var buckets = PageDirectory()
  private(set) var count = 0

  init() {}

  private static let hash = ByteHash.random()

  static func hash(_ name: Span<UInt8>) -> UInt32 { UInt32(truncatingIfNeeded: hash.hash(name)) }

  @inline(__always)
  private func bucket(_ hash: UInt32) -> Int {
    let level = UInt32(Int.bitWidth - 1 - buckets.count.leadingZeroBitCount)
    let wide = Int(hash & (2 << level - 1))
    return wide < buckets.count ? wide : wide & (1 << Int(level) - 1)
  }

  /// The slot of a name with this hash for which `isName` says yes.
  @inline(__always)
  func slot(_ hash: UInt32, where isName: (Int) -> Bool) -> Int? {
    guard buckets.count > 0, let page = unsafe buckets[bucket(hash)] else { return nil }
    let count = unsafe page.load(as: Int.self)
    var index = 1
    while index <= count {
      let entry = unsafe page.load(fromByteOffset: index << 3, as: UInt64.self)
      if UInt32(truncatingIfNeeded: entry >> 32) == hash {
        let slot = Int(UInt32(truncatingIfNeeded: entry))
        if isName(slot) { return slot }
      }
      index += 1
    }
    return nil
  }

  /// Adds a slot whose name is not in the index.
  mutating func insert(_ hash: UInt32, _ slot: Int, heap: PageHeap) {
    if buckets.count == 0 {
      unsafe buckets.append(nil, heap: heap)
    } else if count == buckets.count * Self.entriesPerBucket {
      split(heap)
    }
    let number = bucket(hash)
    let entry = UInt64(hash) << 32 | UInt64(UInt32(slot))
    if let old = unsafe buckets[number] {
      var page = unsafe old
      let count = unsafe page.load(as: Int.self)
      let used = (count + 1) << 3
      if unsafe used == PageHeap.capacity(of: page) {
        unsafe heap.move(&page, used: used, bytes: used + 8)
      } else {
        unsafe heap.writable(&page, used: used)
      }
      unsafe page.storeBytes(of: entry, toByteOffset: used, as: UInt64.self)
      unsafe page.storeBytes(of: count + 1, as: Int.self)
      if unsafe page != old { unsafe buckets.set(number, page, heap: heap) }
    } else {
      unsafe buckets.set(number, NameIndex.makeBucket([entry], heap), heap: heap)
    }
    count += 1
  }

  private static func makeBucket(_ entries: [UInt64], _ heap: PageHeap) -> UnsafeMutableRawPointer? {
    if entries.isEmpty { return nil }
    let page = unsafe heap.allocate((entries.count + 1) << 3)
    unsafe page.storeBytes(of: entries.count, as: Int.self)
    for (index, entry) in entries.enumerated() {
      unsafe page.storeBytes(of: entry, toByteOffset: (index + 1) << 3, as: UInt64.self)
    }
    return unsafe page
  }

  private mutating func split(_ heap: PageHeap) {
    let level = Int.bitWidth - 1 - buckets.count.leadingZeroBitCount
    let source = buckets.count - 1 << level
    var (staying, leaving): ([UInt64], [UInt64]) = ([], [])
    if let page = unsafe buckets[source] {
      for index in 1...(unsafe page.load(as: Int.self)) {
        let entry = unsafe page.load(fromByteOffset: index << 3, as: UInt64.self)
        if entry >> UInt64(32 + level) & 1 == 1 { leaving.append(entry) } else { staying.append(entry) }
      }
      if !leaving.isEmpty {
        unsafe heap.retire(page)
        unsafe buckets.set(source, NameIndex.makeBucket(staying, heap), heap: heap)
      }
    }
    unsafe buckets.append(NameIndex.makeBucket(leaving, heap), heap: heap)
  }

  /// Removes a slot that is in the index.
  mutating func remove(_ hash: UInt32, _ slot: Int, heap: PageHeap) {
    guard buckets.count > 0, let old = unsafe buckets[bucket(hash)] else { return }
    let number = bucket(hash)
    let entries = unsafe old.load(as: Int.self)
    let wanted = UInt64(hash) << 32 | UInt64(UInt32(slot))
    for index in 1...entries where unsafe old.load(fromByteOffset: index << 3, as: UInt64.self) == wanted {
      count -= 1
      if entries == 1 {
        unsafe heap.retire(old)
        unsafe buckets.set(number, nil, heap: heap)
        return
      }
      var page = unsafe old
      let last = unsafe old.load(fromByteOffset: entries << 3, as: UInt64.self)
      if unsafe (entries + 1) << 4 <= PageHeap.capacity(of: page) {
        unsafe heap.move(&page, used: entries << 3, bytes: entries << 3)
      } else {
        unsafe heap.writable(&page, used: entries << 3)
      }
      if index < entries { unsafe page.storeBytes(of: last, toByteOffset: index << 3, as: UInt64.self) }
      unsafe page.storeBytes(of: entries - 1, as: Int.self)
      if unsafe page != old { unsafe buckets.set(number, page, heap: heap) }
      return
    }
  }

  /// Calls `body` with every page: for checks.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    unsafe buckets.forEachOwnPage(body)
    for number in 0..<buckets.count {
      if let page = unsafe buckets[number] { unsafe body(page) }
    }
  }

  /// What is wrong, if anything is, `nameHash` giving the hash of a slot's name: for checks.
  func fault(nameHash: (Int) -> UInt32?) -> String? {
    var entries = 0
    for number in 0..<buckets.count {
      guard let page = unsafe buckets[number] else { continue }
      let count = unsafe page.load(as: Int.self)
      if count < 1 { return "bucket \(number) has a page and no entry" }
      for index in 1...count {
        let entry = unsafe page.load(fromByteOffset: index << 3, as: UInt64.self)
        let (hash, slot) = (UInt32(entry >> 32), Int(UInt32(truncatingIfNeeded: entry)))
        if bucket(hash) != number { return "slot \(slot) stands in the wrong bucket" }
        if nameHash(slot) != hash { return "slot \(slot) stands under another name" }
      }
      entries += count
    }
    return entries == count ? nil : "\(entries) entries, \(count) counted"
  }
}
