// An unsafe leaf: what a posting index knows of each of its lists, by the lists' numbers.
//
// A tree of pages by the number's digits: leaves of 16 entries of 16 bytes, nodes of 64 pages. Words that came first, the
// frequent ones, have small numbers and lie together, so that the words of a record share pages and a commit copies few.
//
// Invariants: numbers below `used` have an entry. An entry that no list uses has the count 0 and, in its second word,
// the number of the next such entry plus one; `firstFree` begins this chain. The last page of a level is as large as
// its entries need; a page is reached from `root` alone and written to after `PageHeap.writable`, but for the places
// behind `used`. Complexity: constant for the 32 bits of a number; a change copies one page a level, 256 or 512 bytes.

/// The entries of the lists of a posting index.
@safe
struct PostingEntries {
  @unsafe private var root: UnsafeMutableRawPointer?
  /// The levels of nodes above the leaves.
  private var levels = 0
  private(set) var used = 0
  private var firstFree: UInt32 = 0

  static let entrySize = 16
  private static let leafBits = 4
  private static let nodeBits = 6

  init() { root = nil }

  @inline(__always)
  private static func shift(_ level: Int) -> Int { leafBits + nodeBits * (level - 1) }

  @inline(__always)
  private static func child(
    _ page: UnsafeMutableRawPointer, _ index: Int
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    page.assumingMemoryBound(to: UnsafeMutableRawPointer.self) + index
  }

  /// The entry of a number, to be read.
  @inline(__always)
  func entry(_ number: Int) -> UnsafeMutableRawPointer? {
    guard var page = root else { return nil }
    var level = levels
    while level > 0 {
      page = PostingEntries.child(page, number >> PostingEntries.shift(level) & 63).pointee
      level -= 1
    }
    return page + (number & 15) * PostingEntries.entrySize
  }

  /// The entry of a number, in pages of the running commit.
  @inline(__always)
  mutating func writable(_ number: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer? {
    guard var page = root else { return nil }
    var level = levels
    heap.writable(&page, used: bytes(level, number))
    root = page
    while level > 0 {
      let place = PostingEntries.child(page, number >> PostingEntries.shift(level) & 63)
      level -= 1
      heap.writable(&place.pointee, used: bytes(level, number))
      page = place.pointee
    }
    return page + (number & 15) * PostingEntries.entrySize
  }

  /// How many bytes are used of the page of a level that a number is in.
  @inline(__always)
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
      if let entry = entry(number) { firstFree = entry.load(fromByteOffset: 4, as: UInt32.self) }
      return number
    }
    let number = used
    guard var page = root else {
      root = heap.allocate(32)
      used = 1
      return 0
    }
    if number == 16 << (PostingEntries.nodeBits * levels) {
      let node = heap.allocate(32)
      PostingEntries.child(node, 0).pointee = page
      page = node
      levels += 1
    }
    makePlace(for: number, page: &page, level: levels, heap)
    root = page
    used = number + 1
    return number
  }

  /// A number for a new list of ascending slots.
  mutating func add(_ slots: Span<UInt32>, _ heap: PageHeap) -> Int {
    let number = add(heap)
    if let entry = writable(number, heap) {
      slots.withUnsafeBufferPointer { buffer in
        if let start = buffer.baseAddress { StoredPostings.build(start, buffer.count, entry: entry, heap: heap) }
      }
    }
    return number
  }

  private func makePlace(for number: Int, page: inout UnsafeMutableRawPointer, level: Int, _ heap: PageHeap) {
    // What other versions share is written to only where they do not look.
    if level == 0 {
      let index = number & 15
      if index >= PageHeap.capacity(of: page) >> 4 { heap.move(&page, used: index * 16, bytes: min(index * 32, 256)) }
      return
    }
    let shift = PostingEntries.shift(level)
    let index = number >> shift & 63
    if number & ((1 << shift) - 1) > 0 {
      var child = PostingEntries.child(page, index).pointee
      makePlace(for: number, page: &child, level: level - 1, heap)
      if child == PostingEntries.child(page, index).pointee { return }
      heap.writable(&page, used: (index + 1) * 8)
      PostingEntries.child(page, index).pointee = child
      return
    }
    if index >= PageHeap.capacity(of: page) >> 3 {
      heap.move(&page, used: index * 8, bytes: min(index * 16, 512))
    }
    var child = heap.allocate(32)
    for below in 1..<level {
      let node = heap.allocate(32)
      PostingEntries.child(node, 0).pointee = child
      child = node
      _ = below
    }
    PostingEntries.child(page, index).pointee = child
  }

  /// Gives back the number of a list that is no more.
  mutating func free(_ number: Int, _ heap: PageHeap) {
    guard let entry = writable(number, heap) else { return }
    entry.storeBytes(of: 0, as: UInt32.self)
    entry.storeBytes(of: firstFree, toByteOffset: 4, as: UInt32.self)
    firstFree = UInt32(number + 1)
  }

  /// Whether every entry without a list is in the chain, and no other: for tests.
  func check() -> Bool {
    var unused = 0
    for number in 0..<used where entry(number)?.load(as: UInt32.self) == 0 { unused += 1 }
    var next = firstFree
    while next > 0, unused > 0 {
      guard Int(next) <= used, let entry = entry(Int(next) - 1), entry.load(as: UInt32.self) == 0 else { return false }
      next = entry.load(fromByteOffset: 4, as: UInt32.self)
      unused -= 1
    }
    return next == 0 && unused == 0
  }

  /// Calls `body` with every page.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    func visit(_ page: UnsafeMutableRawPointer, _ level: Int, _ first: Int) {
      if level > 0 {
        for index in 0..<bytes(level, first) / 8 {
          visit(PostingEntries.child(page, index).pointee, level - 1, first + index << PostingEntries.shift(level))
        }
      }
      body(page)
    }
    if let root { visit(root, levels, 0) }
  }
}
