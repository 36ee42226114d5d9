// An unsafe leaf: what a posting index knows of each of its lists, by the lists' numbers.
//
// A tree of pages by the number's digits: leaves of 16 entries of 16 bytes, nodes of 64 pages. Words that came first, the
// frequent ones, have small numbers and lie together, so that the words of a record share pages and a commit copies few.
//
// Invariants: numbers below `used` have an entry. An entry that no list uses has the count 0 and, in its second word,
// the number of the next such entry plus one; `firstFree` begins this chain. The last page of a level is as large as
// its entries need; a page is reached from `root` alone and written to after `PageHeap.writable`, but for the places
// behind `used`. Proof of Sendable: what a published root reaches below `used` is not written to; see `PageHeap`, whose
// readers pin their version. Complexity: constant for the 32 bits of a number; a change copies one page a level, 256 or 512 bytes.

/// The entries of the lists of a posting index.
@safe
struct PostingEntries: @unchecked Sendable {
  @unsafe private var root: UnsafeMutableRawPointer?
  /// The levels of nodes above the leaves.
  private var levels = 0
  private(set) var used = 0
  private var firstFree: UInt32 = 0

  static let entrySize = 16
  private static let leafBits = 4
  private static let nodeBits = 6

  init() { unsafe root = nil }

  @inline(__always)
  private static func shift(_ level: Int) -> Int { leafBits + nodeBits * (level - 1) }

  @inline(__always)
  private static func child(
    _ page: UnsafeMutableRawPointer, _ index: Int
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    unsafe page.assumingMemoryBound(to: UnsafeMutableRawPointer.self) + index
  }

  /// The entry of a number, to be read.
  @inline(__always)
  func entry(_ number: Int) -> UnsafeMutableRawPointer? {
    guard var page = unsafe root else { return nil }
    var shift = PostingEntries.leafBits &+ PostingEntries.nodeBits &* levels
    while shift > PostingEntries.leafBits {
      shift &-= PostingEntries.nodeBits
      unsafe page = unsafe PostingEntries.child(page, number &>> shift & 63).pointee
    }
    return unsafe page + (number & 15) &* PostingEntries.entrySize
  }

  /// Asks for the page that the entry of a number is in, which is to be copied.
  @inline(__always)
  func prefetch(_ number: Int) {
    guard let entry = unsafe entry(number) else { return }
    let page = unsafe entry - (number & 15) &* PostingEntries.entrySize
    unsafe PageHeap.prefetch(page, 16 * PostingEntries.entrySize)
  }

  /// The entry of a number, in pages of the running commit.
  @inline(__always)
  mutating func writable(_ number: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer? {
    guard var page = unsafe root else { return nil }
    if unsafe !heap.isOwn(page) {
      unsafe own(&page, levels, number, heap)
      unsafe root = unsafe page
    }
    var level = levels
    var shift = PostingEntries.leafBits &+ PostingEntries.nodeBits &* levels
    while level > 0 {
      level &-= 1
      shift &-= PostingEntries.nodeBits
      let place = unsafe PostingEntries.child(page, number &>> shift & 63)
      if unsafe !heap.isOwn(place.pointee) { unsafe own(&place.pointee, level, number, heap) }
      unsafe page = unsafe place.pointee
    }
    return unsafe page + (number & 15) &* PostingEntries.entrySize
  }

  /// Puts a copy in place of the page of a level that a number is in.
  private func own(_ page: inout UnsafeMutableRawPointer, _ level: Int, _ number: Int, _ heap: PageHeap) {
    unsafe heap.writable(&page, used: bytes(level, number))
  }

  /// How many bytes are used of the page of a level that a number is in.
  private func bytes(_ level: Int, _ number: Int) -> Int {
    if level == 0 { return min(used - number & ~15, 16) * PostingEntries.entrySize }
    let shift = PostingEntries.shift(level)
    let first = number & ~((1 << (shift + PostingEntries.nodeBits)) - 1)
    return min((used - first + (1 << shift) - 1) >> shift, 64) * 8
  }

  /// A number for a new list, its entry to be written.
  mutating func add(_ heap: PageHeap) -> Int {
    if firstFree > 0 {
      let number = Int(firstFree) - 1
      if let entry = unsafe entry(number) { firstFree = unsafe entry.load(fromByteOffset: 4, as: UInt32.self) }
      return number
    }
    let number = used
    guard var page = unsafe root else {
      unsafe root = unsafe heap.allocate(32)
      used = 1
      return 0
    }
    if number == 16 << (PostingEntries.nodeBits * levels) {
      let node = unsafe heap.allocate(32)
      unsafe PostingEntries.child(node, 0).pointee = unsafe page
      unsafe page = unsafe node
      levels += 1
    }
    unsafe makePlace(for: number, page: &page, level: levels, heap)
    unsafe root = unsafe page
    used = number + 1
    return number
  }

  /// A number for a new list of ascending slots.
  mutating func add(_ slots: Span<UInt32>, _ heap: PageHeap) -> Int {
    let number = add(heap)
    if let entry = unsafe writable(number, heap) {
      unsafe slots.withUnsafeBufferPointer { buffer in
        if let start = buffer.baseAddress { unsafe StoredPostings.build(start, buffer.count, entry: entry, heap: heap) }
      }
    }
    return number
  }

  /// The same for one slot, or for two.
  mutating func add(_ slots: SIMD2<UInt32>, count: Int, _ heap: PageHeap) -> Int {
    var slots = slots
    return unsafe withUnsafeBytes(of: &slots) { bytes in
      add(unsafe Span<UInt32>(_unsafeBytes: bytes).extracting(0..<count), heap)
    }
  }

  private func makePlace(for number: Int, page: inout UnsafeMutableRawPointer, level: Int, _ heap: PageHeap) {
    // What other versions share is written to only where they do not look.
    if level == 0 {
      let index = number & 15
      if unsafe index >= PageHeap.capacity(of: page) >> 4 {
        unsafe heap.move(&page, used: index * 16, bytes: min(index * 32, 256))
      }
      return
    }
    let shift = PostingEntries.shift(level)
    let index = number >> shift & 63
    if number & ((1 << shift) - 1) > 0 {
      var child = unsafe PostingEntries.child(page, index).pointee
      unsafe makePlace(for: number, page: &child, level: level - 1, heap)
      if unsafe child == PostingEntries.child(page, index).pointee { return }
      unsafe heap.writable(&page, used: (index + 1) * 8)
      unsafe PostingEntries.child(page, index).pointee = unsafe child
      return
    }
    if unsafe index >= PageHeap.capacity(of: page) >> 3 {
      unsafe heap.move(&page, used: index * 8, bytes: min(index * 16, 512))
    }
    var child = unsafe heap.allocate(32)
    for below in 1..<level {
      let node = unsafe heap.allocate(32)
      unsafe PostingEntries.child(node, 0).pointee = unsafe child
      unsafe child = unsafe node
      _ = below
    }
    unsafe PostingEntries.child(page, index).pointee = unsafe child
  }

  /// Gives back the number of a list that is no more.
  mutating func free(_ number: Int, _ heap: PageHeap) {
    guard let entry = unsafe writable(number, heap) else { return }
    unsafe entry.storeBytes(of: 0, as: UInt32.self)
    unsafe entry.storeBytes(of: firstFree, toByteOffset: 4, as: UInt32.self)
    firstFree = UInt32(number + 1)
  }

  /// Whether every entry without a list is in the chain, and no other: for tests.
  func check() -> Bool {
    var unused = 0
    for number in 0..<used where unsafe entry(number)?.load(as: UInt32.self) == 0 { unused += 1 }
    var next = firstFree
    while next > 0, unused > 0 {
      guard Int(next) <= used, let entry = unsafe entry(Int(next) - 1), unsafe entry.load(as: UInt32.self) == 0 else {
        return false
      }
      next = unsafe entry.load(fromByteOffset: 4, as: UInt32.self)
      unused -= 1
    }
    return next == 0 && unused == 0
  }

  /// Calls `body` with every page.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    func visit(_ page: UnsafeMutableRawPointer, _ level: Int, _ first: Int) {
      if level > 0 {
        for index in 0..<bytes(level, first) / 8 {
          unsafe visit(
            PostingEntries.child(page, index).pointee, level - 1, first + index << PostingEntries.shift(level))
        }
      }
      unsafe body(page)
    }
    if let root = unsafe root { unsafe visit(root, levels, 0) }
  }
}
