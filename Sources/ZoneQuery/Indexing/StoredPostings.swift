// An unsafe leaf: how a posting list is changed.
//
// A list is an entry of 16 bytes (`PostingEntries`) and what it points to:
// - its count (4 bytes) and up to three slots; or
// - its count, how many slots there is room for in the next 4 bytes, and a page of up to 248 ascending slots; or
// - its count, 0, and a header page: a tail of up to 248 slots and the room in it, the number of blocks, that of the slots
//   in them, and one that none of these is above; behind that, in the same page, the blocks: the directory.
//
// Invariants: the blocks' slots ascend from block to block and into the tail; the tail's count is the list's less the
// directory's. A slot greater than all is written behind the tail in place, in a page that older versions share: they
// count fewer. What is taken out of a page shared with others is taken out of a copy, so that a place behind the count was
// never counted in that page.
// Complexity: a greater slot costs constant time, but for the growing of the tail, which copies the directory (16 bytes for
// up to 496 slots or 7936 bits) some eight times in 248 slots, and some 26 times while it is short (`longDirectory`); any
// other copies a block and the directory.

/// Changes posting lists.
enum StoredPostings {
  static let mostInline = 3
  /// From this many slots on a list near together is kept in blocks of 16-bit differences.
  static let mostPlain = 104
  /// Down to this many slots blocks are given up.
  static let fewest = 64

  // MARK: The entry

  @unsafe
  struct Header {
    var tail: UnsafeMutableRawPointer?
    var directoryCount: UInt32
    var closedCount: UInt32
    /// How many slots the tail has room for: told here, as the page's own header is elsewhere in memory.
    var tailCapacity: UInt32
    /// No slot of the directory is above this one.
    var closedLast: UInt32

    /// With room behind it, so that no block lies across two lines of a cache.
    static let bytes = 32

    /// Of no blocks.
    init(tail: UnsafeMutableRawPointer?) {
      unsafe self.tail = unsafe tail
      unsafe (directoryCount, closedCount, tailCapacity, closedLast) = (0, 0, 0, 0)
    }

    mutating func setTail(_ page: UnsafeMutableRawPointer) {
      unsafe tail = unsafe page
      unsafe tailCapacity = unsafe UInt32(PageHeap.capacity(of: page) >> 2)
    }
  }

  @inline(__always)
  static func count(_ entry: UnsafeMutableRawPointer) -> Int { unsafe Int(entry.load(as: UInt32.self)) }

  @inline(__always)
  static func setCount(_ entry: UnsafeMutableRawPointer, _ count: Int) {
    unsafe entry.storeBytes(of: UInt32(count), as: UInt32.self)
  }

  @inline(__always)
  static func inline(_ entry: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt32> {
    unsafe (entry + 4).assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  static func page(_ entry: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe entry.load(fromByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  static func set(
    _ entry: UnsafeMutableRawPointer, count: Int, page: UnsafeMutableRawPointer, isHeader: Bool
  ) {
    unsafe setCount(entry, count)
    unsafe entry.storeBytes(
      of: isHeader ? 0 : UInt32(PageHeap.capacity(of: page) >> 2), toByteOffset: 4, as: UInt32.self)
    unsafe entry.storeBytes(of: page, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  @inline(__always)
  static func hasHeader(_ entry: UnsafeMutableRawPointer) -> Bool {
    unsafe count(entry) > mostInline && entry.load(fromByteOffset: 4, as: UInt32.self) == 0
  }

  @inline(__always)
  static func header(_ page: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    unsafe page.assumingMemoryBound(to: Header.self)
  }

  /// The blocks behind a header.
  @inline(__always)
  static func blocks(_ page: UnsafeMutableRawPointer) -> UnsafeMutablePointer<PostingBlock> {
    unsafe (page + Header.bytes).assumingMemoryBound(to: PostingBlock.self)
  }

  /// How many bytes a header and so many blocks take.
  @inline(__always)
  static func bytes(blocks: Int) -> Int { unsafe Header.bytes + blocks * 16 }

  /// The header page of an entry, made one of the running commit.
  static func writableHeader(_ entry: UnsafeMutableRawPointer, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    var page = unsafe page(entry)
    unsafe heap.writable(&page, used: bytes(blocks: Int(header(page).pointee.directoryCount)))
    unsafe entry.storeBytes(of: page, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
    return unsafe page
  }

  /// The list of an entry, to be read.
  @inline(__always)
  static func list(_ entry: UnsafeMutableRawPointer) -> PostingList {
    let count = unsafe count(entry)
    if count <= mostInline {
      return unsafe PostingList(
        count: count, directory: nil, directoryCount: 0, tail: inline(entry), tailCount: count)
    }
    let page = unsafe page(entry)
    if unsafe !hasHeader(entry) {
      return unsafe PostingList(
        count: count, directory: nil, directoryCount: 0,
        tail: page.assumingMemoryBound(to: UInt32.self), tailCount: count)
    }
    let header = unsafe header(page).pointee
    return unsafe PostingList(
      count: count, directory: blocks(page), directoryCount: Int(header.directoryCount),
      tail: header.tail?.assumingMemoryBound(to: UInt32.self), tailCount: count - Int(header.closedCount))
  }

  // What a change of a list looks at, piece by piece. A piece is asked for with the page's own header, by which the change
  // tells whether the page is to be copied.

  /// Asks for the page of an entry: its slots' last, or the header.
  @inline(__always)
  static func prefetchPage(_ entry: UnsafeMutableRawPointer) {
    let count = unsafe count(entry)
    if count <= mostInline { return }
    let page = unsafe page(entry)
    unsafe PageHeap.prefetch(page, 8)
    if unsafe !hasHeader(entry) { unsafe UnsafeRawPointer(page + (count - 1) * 4).prefetch() }
  }

  /// Asks for the first and last slots of a list with a header, and for its directory: its beginning where a slot is taken
  /// out, as all of it is copied then, else the last block, behind which a slot mostly goes.
  @inline(__always)
  static func prefetchEnd(_ entry: UnsafeMutableRawPointer, isAdded: Bool) {
    if unsafe !hasHeader(entry) { return }
    let page = unsafe UnsafeRawPointer(page(entry))
    let header = unsafe page.load(as: Header.self)
    let end = unsafe bytes(blocks: Int(header.directoryCount))
    if isAdded { unsafe (page + (end - 8)).prefetch() } else { unsafe page.prefetch(min(end, mostAsked)) }
    let tailCount = unsafe count(entry) - Int(header.closedCount)
    if tailCount > 0, let tail = unsafe header.tail {
      unsafe PageHeap.prefetch(tail, 4)
      unsafe UnsafeRawPointer(tail + (tailCount - 1) * 4).prefetch()
    }
  }

  /// How much of what is copied is asked for: the rest comes by itself.
  private static let mostAsked = 1_024

  /// Asks for the slots among which one is to be taken out or put, which are to be copied: all of them.
  @inline(__always)
  static func prefetch(_ slot: UInt32, _ entry: UnsafeMutableRawPointer, isAdded: Bool) {
    let count = unsafe count(entry)
    if count <= mostInline { return }
    let page = unsafe page(entry)
    if unsafe !hasHeader(entry) {
      if isAdded, unsafe page.load(fromByteOffset: (count - 1) * 4, as: UInt32.self) < slot { return }
      return unsafe UnsafeRawPointer(page).prefetch(count * 4)
    }
    let header = unsafe header(page).pointee
    let tailCount = unsafe count - Int(header.closedCount)
    if tailCount > 0, let tail = unsafe header.tail, unsafe tail.load(as: UInt32.self) <= slot {
      if isAdded, unsafe tail.load(fromByteOffset: (tailCount - 1) * 4, as: UInt32.self) < slot { return }
      return unsafe UnsafeRawPointer(tail).prefetch(tailCount * 4)
    }
    if unsafe header.directoryCount == 0 { return }
    if isAdded, tailCount == 0, unsafe slot > header.closedLast { return }
    let blocks = unsafe blocks(page)
    let block = unsafe blocks[block(of: slot, blocks, Int(header.directoryCount))]
    unsafe PageHeap.prefetch(block.page, block.usedBytes)
  }

  // MARK: New lists

  /// Writes a list of ascending slots, one or more, to an entry.
  static func build(_ slots: UnsafePointer<UInt32>, _ count: Int, entry: UnsafeMutableRawPointer, heap: PageHeap) {
    if count <= mostInline {
      unsafe setCount(entry, count)
      unsafe inline(entry).update(from: slots, count: count)
      return
    }
    let isNear = unsafe slots[count - 1] - slots[0] <= 0xFFFF
    if unsafe count <= (isNear ? mostPlain : PostingBlock.mostWide) {
      let page = unsafe heap.allocate(count * 4)
      unsafe page.copyMemory(from: slots, byteCount: count * 4)
      unsafe set(entry, count: count, page: page, isHeader: false)
      return
    }
    let new = unsafe blocks(slots, count, after: -1, heap)
    let page = unsafe heap.allocate(bytes(blocks: new.count))
    unsafe header(page).initialize(to: Header(tail: nil))
    unsafe header(page).pointee.closedCount = UInt32(count)
    unsafe header(page).pointee.closedLast = unsafe slots[count - 1]
    unsafe set(entry, count: count, page: page, isHeader: true)
    unsafe put(new, at: 0..<0, entry, heap)
  }

  // MARK: Inserting

  /// Adds a slot that is not in the list, whose entry is in a page of the running commit.
  static func insert(_ slot: UInt32, entry: UnsafeMutableRawPointer, heap: PageHeap) {
    let count = unsafe count(entry)
    if count < mostInline {
      unsafe put(slot, in: inline(entry), count)
      unsafe setCount(entry, count + 1)
    } else if count == mostInline {
      let page = unsafe heap.allocate(32)
      let slots = unsafe page.assumingMemoryBound(to: UInt32.self)
      unsafe slots.update(from: inline(entry), count: count)
      unsafe put(slot, in: slots, count)
      unsafe set(entry, count: count + 1, page: page, isHeader: false)
    } else if unsafe hasHeader(entry) {
      unsafe insertIntoBlocks(slot, entry, count, heap)
    } else {
      var page = unsafe page(entry)
      let slots = unsafe page.assumingMemoryBound(to: UInt32.self)
      if count < mostPlain, unsafe count < Int(entry.load(fromByteOffset: 4, as: UInt32.self)),
        unsafe slots[count - 1] < slot
      {
        unsafe slots[count] = slot
        unsafe setCount(entry, count + 1)
        return
      }
      let isNear = unsafe max(slots[count - 1], slot) - min(slots[0], slot) <= 0xFFFF
      if unsafe count == PostingBlock.mostWide || count >= mostPlain && isNear {
        let headerPage = unsafe heap.allocate(bytes(blocks: 1))
        unsafe header(headerPage).initialize(to: Header(tail: page))
        unsafe set(entry, count: count, page: headerPage, isHeader: true)
        unsafe close(entry, count, heap)
        unsafe insertIntoBlocks(slot, entry, count, heap)
      } else {
        unsafe insertIntoTail(slot, &page, count, bytes: count * 4 + 4, heap)
        unsafe set(entry, count: count + 1, page: page, isHeader: false)
      }
    }
  }

  /// Puts a slot among ascending ones that have room for it.
  @inline(__always)
  private static func put(_ slot: UInt32, in slots: UnsafeMutablePointer<UInt32>, _ count: Int) {
    var index = count
    while index > 0, unsafe slots[index - 1] > slot {
      unsafe slots[index] = unsafe slots[index - 1]
      index -= 1
    }
    unsafe slots[index] = slot
  }

  /// From so many blocks on a tail grows by doubling.
  private static let longDirectory = 32

  /// Puts a slot into a page of fewer than 248 slots, which becomes one of about so many bytes where it has no room.
  @inline(__always)
  private static func insertIntoTail(
    _ slot: UInt32, _ page: inout UnsafeMutableRawPointer, _ count: Int, bytes: Int, _ heap: PageHeap
  ) {
    let capacity = unsafe PageHeap.capacity(of: page) >> 2
    if count == capacity {
      unsafe heap.move(&page, used: count * 4, bytes: min(PostingBlock.bytes, bytes))
    } else if unsafe page.assumingMemoryBound(to: UInt32.self)[count - 1] > slot {
      unsafe heap.writable(&page, used: count * 4)
    }
    unsafe put(slot, in: page.assumingMemoryBound(to: UInt32.self), count)
  }

  private static func insertIntoBlocks(
    _ slot: UInt32, _ entry: UnsafeMutableRawPointer, _ count: Int, _ heap: PageHeap
  ) {
    defer { unsafe setCount(entry, count + 1) }
    let shared = unsafe header(page(entry))
    let tailCount = unsafe count - Int(shared.pointee.closedCount)
    if tailCount > 0, unsafe tailCount < Int(shared.pointee.tailCapacity), unsafe tailCount < PostingBlock.mostWide,
      let slots = unsafe shared.pointee.tail?.assumingMemoryBound(to: UInt32.self), unsafe slots[tailCount - 1] < slot
    {
      unsafe slots[tailCount] = slot
      return
    }
    if unsafe tailCount == PostingBlock.mostWide {
      unsafe close(entry, tailCount, heap)
      unsafe insertIntoBlocks(slot, entry, count, heap)
      return
    }
    let directoryCount = unsafe Int(shared.pointee.directoryCount)
    if tailCount > 0, var page = unsafe shared.pointee.tail {
      let slots = unsafe page.assumingMemoryBound(to: UInt32.self)
      if unsafe slot > slots[0] || directoryCount == 0 {
        // Where a header is long, it is copied with fewer steps.
        let wider = directoryCount < longDirectory ? tailCount * 4 + 4 : tailCount * 8
        unsafe insertIntoTail(slot, &page, tailCount, bytes: wider, heap)
        if unsafe page != shared.pointee.tail { unsafe header(writableHeader(entry, heap)).pointee.setTail(page) }
        return
      }
    }
    let page = unsafe writableHeader(entry, heap)
    let header = unsafe header(page)
    if unsafe directoryCount == 0 || tailCount == 0 && slot > header.pointee.closedLast {
      unsafe startTail(slot, header, heap)
      return
    }
    unsafe header.pointee.closedCount += 1
    unsafe header.pointee.closedLast = unsafe max(header.pointee.closedLast, slot)
    let index = unsafe block(of: slot, blocks(page), directoryCount)
    unsafe insert(slot, at: index, entry, heap)
  }

  /// Puts a slot into a list that has no tail.
  private static func startTail(_ slot: UInt32, _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap) {
    let page = unsafe heap.allocate(32)
    unsafe page.storeBytes(of: slot, as: UInt32.self)
    unsafe header.pointee.setTail(page)
  }

  /// The block in which a slot is, or would be: the last whose base is not above it, or else the first.
  @inline(__always)
  static func block(of slot: UInt32, _ blocks: UnsafePointer<PostingBlock>, _ count: Int) -> Int {
    var (low, rest) = (0, count)
    while rest > mostCounted {
      let half = rest &>> 1
      low &+= unsafe half & (0 &- SortedRun.bit(blocks[low &+ half].base <= slot))
      rest &-= half
    }
    var (place, before) = (1, 0)
    while place < rest {
      before &+= unsafe SortedRun.bit(blocks[low &+ place].base <= slot)
      place &+= 1
    }
    return low &+ before
  }

  /// Up to so many are counted rather than halved, as values are in a ``SortedRun``.
  private static let mostCounted = 12

  /// Puts a slot into a block of the directory, or beside it; the entry's header is in a page of the running commit.
  private static func insert(
    _ slot: UInt32, at index: Int, _ entry: UnsafeMutableRawPointer, _ heap: PageHeap
  ) {
    let blocks = unsafe blocks(page(entry))
    var block = unsafe blocks[index]
    if unsafe block.covers(slot) {
      unsafe heap.writable(&block.page, used: PostingBlock.bytes)
      let place = unsafe Int(slot - block.base)
      unsafe block.bits[place >> 6] |= 1 << UInt64(place & 63)
      unsafe block.count += 1
      unsafe blocks[index] = unsafe block
    } else if unsafe block.kind == PostingBlock.bitmap {
      unsafe withSlots(1) { slots in
        unsafe slots[0] = slot
        unsafe replace(slot < block.base ? index..<index : index + 1..<index + 1, by: slots, 1, entry, heap)
      }
    } else if unsafe block.kind == PostingBlock.narrow, unsafe block.count < PostingBlock.mostNarrow,
      unsafe slot >= block.base,
      unsafe slot - block.base <= 0xFFFF
    {
      let difference = unsafe UInt16(slot - block.base)
      let place = unsafe SortedRun.lower(block.differences, 0, block.count, difference)
      let old = unsafe block
      if unsafe !heap.isOwn(old.page) || PageHeap.capacity(of: old.page) < (old.count + 1) * 2 {
        unsafe block.page = unsafe heap.allocate((old.count + 1) * 2)
        unsafe block.differences.update(from: old.differences, count: place)
      }
      unsafe (block.differences + place + 1).update(from: old.differences + place, count: old.count - place)
      unsafe block.differences[place] = difference
      unsafe block.count += 1
      if unsafe block.page != old.page { unsafe heap.retire(old.page) }
      unsafe blocks[index] = unsafe block
    } else {
      unsafe withSlots(block.count + 1) { slots in
        unsafe block.decode(to: slots)
        unsafe put(slot, in: slots, block.count)
        unsafe replace(index..<index + 1, by: slots, block.count + 1, entry, heap)
      }
    }
  }

  static func withSlots(_ count: Int, _ body: (UnsafeMutablePointer<UInt32>) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { buffer in
      if let slots = buffer.baseAddress { unsafe body(slots) }
    }
  }
}
