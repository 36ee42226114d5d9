// An unsafe leaf: how a posting list is changed.
//
// A list is an entry of 16 bytes (`PostingEntries`) and what it points to:
// - its count (4 bytes) and up to three slots; or
// - its count, 0 in the next 4 bytes, and a page of up to 248 ascending slots, the tail; or
// - its count, 1, and a header page: a directory of blocks, a tail, the directory's count and that of the slots in it.
//
// Invariants: the blocks' slots ascend from block to block and into the tail; the tail's count is the list's less the
// directory's. A slot greater than all is written behind the tail in place, in a page that older versions share: they
// count fewer. The same goes for a block put behind the directory. What is taken out of a page shared with others is
// taken out of a copy, so that a place behind the count was never counted in that page.
// Complexity: a greater slot costs constant time, amortised over the growing of the tail; any other copies a block and
// the directory (16 bytes for up to 496 slots or 7936 bits).

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
    var directory: UnsafeMutableRawPointer?
    var tail: UnsafeMutableRawPointer?
    var directoryCount: UInt32
    var closedCount: UInt32

    static let bytes = 24

    var blocks: UnsafeMutablePointer<PostingBlock>? { directory?.assumingMemoryBound(to: PostingBlock.self) }
  }

  @inline(__always)
  static func count(_ entry: UnsafeMutableRawPointer) -> Int { Int(entry.load(as: UInt32.self)) }

  @inline(__always)
  static func setCount(_ entry: UnsafeMutableRawPointer, _ count: Int) {
    entry.storeBytes(of: UInt32(count), as: UInt32.self)
  }

  @inline(__always)
  static func inline(_ entry: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt32> {
    (entry + 4).assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  static func page(_ entry: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    entry.load(fromByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  static func set(
    _ entry: UnsafeMutableRawPointer, count: Int, page: UnsafeMutableRawPointer, isHeader: Bool
  ) {
    setCount(entry, count)
    entry.storeBytes(of: isHeader ? 1 : 0, toByteOffset: 4, as: UInt32.self)
    entry.storeBytes(of: page, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  @inline(__always)
  static func hasHeader(_ entry: UnsafeMutableRawPointer) -> Bool {
    count(entry) > mostInline && entry.load(fromByteOffset: 4, as: UInt32.self) == 1
  }

  @inline(__always)
  static func header(_ page: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    page.assumingMemoryBound(to: Header.self)
  }

  /// The header of an entry, in a page of the running commit.
  static func writableHeader(
    _ entry: UnsafeMutableRawPointer, _ heap: PageHeap
  ) -> UnsafeMutablePointer<Header> {
    var page = page(entry)
    heap.writable(&page, used: Header.bytes)
    entry.storeBytes(of: page, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
    return header(page)
  }

  /// The list of an entry, to be read.
  @inline(__always)
  static func list(_ entry: UnsafeMutableRawPointer, isExact: Bool) -> PostingList {
    let count = count(entry)
    if count <= mostInline {
      return PostingList(
        count: count, isExact: isExact, directory: nil, directoryCount: 0, tail: inline(entry), tailCount: count)
    }
    let page = page(entry)
    if !hasHeader(entry) {
      return PostingList(
        count: count, isExact: isExact, directory: nil, directoryCount: 0,
        tail: page.assumingMemoryBound(to: UInt32.self), tailCount: count)
    }
    let header = header(page).pointee
    return PostingList(
      count: count, isExact: isExact, directory: header.blocks, directoryCount: Int(header.directoryCount),
      tail: header.tail?.assumingMemoryBound(to: UInt32.self), tailCount: count - Int(header.closedCount))
  }

  // MARK: New lists

  /// Writes a list of ascending slots, one or more, to an entry.
  static func build(_ slots: UnsafePointer<UInt32>, _ count: Int, entry: UnsafeMutableRawPointer, heap: PageHeap) {
    if count <= mostInline {
      setCount(entry, count)
      inline(entry).update(from: slots, count: count)
      return
    }
    let isNear = slots[count - 1] - slots[0] <= 0xFFFF
    if count <= (isNear ? mostPlain : PostingBlock.mostWide) {
      let page = heap.allocate(count * 4)
      page.copyMemory(from: slots, byteCount: count * 4)
      set(entry, count: count, page: page, isHeader: false)
      return
    }
    let page = heap.allocate(Header.bytes)
    header(page).initialize(to: Header(directory: nil, tail: nil, directoryCount: 0, closedCount: UInt32(count)))
    push(slots, count, header(page), heap)
    set(entry, count: count, page: page, isHeader: true)
  }

  // MARK: Inserting

  /// Adds a slot that is not in the list, whose entry is in a page of the running commit.
  static func insert(_ slot: UInt32, entry: UnsafeMutableRawPointer, heap: PageHeap) {
    let count = count(entry)
    if count < mostInline {
      put(slot, in: inline(entry), count)
      setCount(entry, count + 1)
    } else if count == mostInline {
      let page = heap.allocate(32)
      let slots = page.assumingMemoryBound(to: UInt32.self)
      slots.update(from: inline(entry), count: count)
      put(slot, in: slots, count)
      set(entry, count: count + 1, page: page, isHeader: false)
    } else if hasHeader(entry) {
      insertIntoBlocks(slot, entry, count, heap)
    } else {
      var page = page(entry)
      let slots = page.assumingMemoryBound(to: UInt32.self)
      let isNear = max(slots[count - 1], slot) - min(slots[0], slot) <= 0xFFFF
      if count == PostingBlock.mostWide || count >= mostPlain && isNear {
        let headerPage = heap.allocate(Header.bytes)
        header(headerPage).initialize(to: Header(directory: nil, tail: page, directoryCount: 0, closedCount: 0))
        set(entry, count: count, page: headerPage, isHeader: true)
        close(header(headerPage), count, heap)
        insertIntoBlocks(slot, entry, count, heap)
      } else {
        insertIntoTail(slot, &page, count, heap)
        set(entry, count: count + 1, page: page, isHeader: false)
      }
    }
  }

  /// Puts a slot among ascending ones that have room for it.
  @inline(__always)
  private static func put(_ slot: UInt32, in slots: UnsafeMutablePointer<UInt32>, _ count: Int) {
    var index = count
    while index > 0, slots[index - 1] > slot {
      slots[index] = slots[index - 1]
      index -= 1
    }
    slots[index] = slot
  }

  /// Puts a slot into a page of fewer than 248 slots.
  @inline(__always)
  private static func insertIntoTail(
    _ slot: UInt32, _ page: inout UnsafeMutableRawPointer, _ count: Int, _ heap: PageHeap
  ) {
    let capacity = PageHeap.capacity(of: page) >> 2
    if count == capacity {
      heap.move(&page, used: count * 4, bytes: min(PostingBlock.bytes, count * 4 + 4))
    } else if page.assumingMemoryBound(to: UInt32.self)[count - 1] > slot {
      heap.writable(&page, used: count * 4)
    }
    put(slot, in: page.assumingMemoryBound(to: UInt32.self), count)
  }

  private static func insertIntoBlocks(
    _ slot: UInt32, _ entry: UnsafeMutableRawPointer, _ count: Int, _ heap: PageHeap
  ) {
    defer { setCount(entry, count + 1) }
    let shared = header(page(entry))
    let tailCount = count - Int(shared.pointee.closedCount)
    if tailCount == PostingBlock.mostWide {
      let header = writableHeader(entry, heap)
      close(header, tailCount, heap)
      insertIntoBlocks(slot, entry, count, heap)
      return
    }
    if tailCount > 0, var page = shared.pointee.tail {
      let slots = page.assumingMemoryBound(to: UInt32.self)
      if slot > slots[0] || shared.pointee.directoryCount == 0 {
        insertIntoTail(slot, &page, tailCount, heap)
        if page != shared.pointee.tail { writableHeader(entry, heap).pointee.tail = page }
        return
      }
    }
    guard let blocks = shared.pointee.blocks, shared.pointee.directoryCount > 0 else {
      startTail(slot, writableHeader(entry, heap), heap)
      return
    }
    let directoryCount = Int(shared.pointee.directoryCount)
    if tailCount == 0, slot > blocks[directoryCount - 1].last {
      startTail(slot, writableHeader(entry, heap), heap)
      return
    }
    let header = writableHeader(entry, heap)
    let index = max(0, firstBlock(blocks, directoryCount, above: slot) - 1)
    insert(slot, at: index, header, heap)
    header.pointee.closedCount += 1
  }

  private static func startTail(_ slot: UInt32, _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap) {
    let page = heap.allocate(32)
    page.storeBytes(of: slot, as: UInt32.self)
    if let old = header.pointee.tail { heap.retire(old) }
    header.pointee.tail = page
  }

  /// The first block whose base is above a slot.
  static func firstBlock(
    _ blocks: UnsafePointer<PostingBlock>, _ count: Int, above slot: UInt32
  ) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) >> 1
      if blocks[middle].base <= slot { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts a slot into a block of the directory, or beside it.
  private static func insert(
    _ slot: UInt32, at index: Int, _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap
  ) {
    let blocks = writableDirectory(header, heap)
    var block = blocks[index]
    if block.covers(slot) {
      heap.writable(&block.page, used: PostingBlock.bytes)
      let place = Int(slot - block.base)
      block.bits[place >> 6] |= 1 << UInt64(place & 63)
      block.count += 1
      blocks[index] = block
    } else if block.kind == PostingBlock.bitmap {
      withSlots(1) { slots in
        slots[0] = slot
        replace(slot < block.base ? index..<index : index + 1..<index + 1, by: slots, 1, header, heap)
      }
    } else if block.kind == PostingBlock.narrow, block.count < PostingBlock.mostNarrow, slot >= block.base,
      slot - block.base <= 0xFFFF
    {
      let difference = UInt16(slot - block.base)
      let place = PostingBlock.lowerBound(block.differences, block.count, difference)
      let old = block
      if !heap.isOwn(old.page) || PageHeap.capacity(of: old.page) < (old.count + 1) * 2 {
        block.page = heap.allocate((old.count + 1) * 2)
        block.differences.update(from: old.differences, count: place)
      }
      (block.differences + place + 1).update(from: old.differences + place, count: old.count - place)
      block.differences[place] = difference
      block.count += 1
      if block.page != old.page { heap.retire(old.page) }
      blocks[index] = block
    } else {
      withSlots(block.count + 1) { slots in
        block.decode(to: slots)
        put(slot, in: slots, block.count)
        replace(index..<index + 1, by: slots, block.count + 1, header, heap)
      }
    }
  }

  static func withSlots(_ count: Int, _ body: (UnsafeMutablePointer<UInt32>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { buffer in
      if let slots = buffer.baseAddress { body(slots) }
    }
  }

  // MARK: The directory

  /// The directory of a header, in a page of the running commit.
  static func writableDirectory(
    _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap
  ) -> UnsafeMutablePointer<PostingBlock> {
    var page = header.pointee.directory ?? heap.allocate(32)
    heap.writable(&page, used: Int(header.pointee.directoryCount) * 16)
    header.pointee.directory = page
    return page.assumingMemoryBound(to: PostingBlock.self)
  }

  /// Puts blocks of slots in the place of some blocks, whose pages are retired.
  static func replace(
    _ range: Range<Int>, by slots: UnsafePointer<UInt32>, _ count: Int, _ header: UnsafeMutablePointer<Header>,
    _ heap: PageHeap
  ) {
    let old = writableDirectory(header, heap)
    let before = range.lowerBound > 0 ? Int64(old[range.lowerBound - 1].last) : -1
    let new = blocks(slots, count, after: before, heap)
    for index in range { heap.retire(old[index].page) }
    let directoryCount = Int(header.pointee.directoryCount)
    let newCount = directoryCount - range.count + new.count
    if var page = header.pointee.directory, newCount * 16 > PageHeap.capacity(of: page) {
      heap.move(&page, used: directoryCount * 16, bytes: newCount * 20)
      header.pointee.directory = page
    }
    guard let blocks = header.pointee.blocks else { return }
    (blocks + range.lowerBound + new.count).update(
      from: blocks + range.upperBound, count: directoryCount - range.upperBound)
    for index in new.indices { blocks[range.lowerBound + index] = new[index] }
    header.pointee.directoryCount = UInt32(newCount)
  }

  /// Makes blocks of slots, which are all above the slot `last` before them.
  private static func blocks(
    _ slots: UnsafePointer<UInt32>, _ count: Int, after last: Int64, _ heap: PageHeap
  ) -> [PostingBlock] {
    var blocks: [PostingBlock] = []
    var last = last
    var start = 0
    while start < count {
      let (rest, first) = (count - start, slots[start])
      let base = first & ~255
      var length = min(rest, PostingBlock.mostNarrow)
      if rest > length, slots[start + length] - base < PostingBlock.slots {
        // More than an array holds lie as near as a bitmap has places. It must not reach back over the block before.
        let end = UInt64(base) + (Int64(base) > last ? UInt64(PostingBlock.slots) : 256)
        let room = min(rest, Int(PostingBlock.slots))
        length = PostingBlock.lowerBound(slots + start, room, UInt32(clamping: end))
      } else {
        if slots[start + length - 1] - first > 0xFFFF {
          let near = PostingBlock.lowerBound(slots + start, length, UInt32(clamping: UInt64(first) + 0x10000))
          length = near >= PostingBlock.mostWide / 2 ? near : min(rest, PostingBlock.mostWide)
        }
        // Two halves, rather than a whole and a little.
        if rest > length, rest < 2 * length { length = (rest + 1) / 2 }
      }
      blocks.append(PostingBlock.block(slots + start, length, heap))
      start += length
      last = Int64(slots[start - 1])
    }
    return blocks
  }

  /// Puts the slots of a tail behind the directory's, and leaves no tail.
  private static func close(_ header: UnsafeMutablePointer<Header>, _ tailCount: Int, _ heap: PageHeap) {
    guard let page = header.pointee.tail else { return }
    var slots = page.assumingMemoryBound(to: UInt32.self)
    var count = tailCount
    header.pointee.closedCount += UInt32(tailCount)
    let directoryCount = Int(header.pointee.directoryCount)
    if directoryCount > 0, let last = header.pointee.blocks?[directoryCount - 1] {
      let absorbed = absorb(slots, count, last, at: directoryCount - 1, header, heap)
      slots += absorbed
      count -= absorbed
    }
    if count > 0 { push(slots, count, header, heap) }
    heap.retire(page)
    header.pointee.tail = nil
  }

  /// Puts as many slots as it can into the last block; returns how many.
  private static func absorb(
    _ slots: UnsafePointer<UInt32>, _ count: Int, _ last: PostingBlock, at index: Int,
    _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap
  ) -> Int {
    var block = last
    let sum = block.count + count
    if block.kind == PostingBlock.bitmap {
      let bound = UInt32(clamping: UInt64(block.base) + UInt64(PostingBlock.slots))
      let near = PostingBlock.lowerBound(slots, count, bound)
      if near == 0 { return 0 }
      heap.writable(&block.page, used: PostingBlock.bytes)
      block.set(slots, near)
      block.count += near
      writableDirectory(header, heap)[index] = block
      return near
    }
    let isNear = slots[count - 1] - block.base <= 0xFFFF
    if block.kind == PostingBlock.narrow, sum <= PostingBlock.mostNarrow, isNear {
      heap.move(&block.page, used: block.count * 2, bytes: sum * 2)
      var index = 0
      while index < count {
        block.differences[block.count + index] = UInt16(truncatingIfNeeded: slots[index] &- block.base)
        index += 1
      }
      block.count = sum
      writableDirectory(header, heap)[Int(header.pointee.directoryCount) - 1] = block
      return count
    }
    // More than an array holds: a bitmap, if they are near enough.
    guard block.kind == PostingBlock.narrow, sum > PostingBlock.mostNarrow else { return 0 }
    let bound = UInt32(clamping: UInt64(block.base & ~255) + UInt64(PostingBlock.slots))
    let near = PostingBlock.lowerBound(slots, count, bound)
    guard block.count + near > PostingBlock.mostNarrow else { return 0 }
    withSlots(block.count + near) { all in
      block.decode(to: all)
      (all + block.count).update(from: slots, count: near)
      replace(index..<index + 1, by: all, block.count + near, header, heap)
    }
    return near
  }

  /// Puts blocks behind the directory's: in place, where nobody looks yet.
  private static func push(
    _ slots: UnsafePointer<UInt32>, _ count: Int, _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap
  ) {
    let directoryCount = Int(header.pointee.directoryCount)
    var before: Int64 = -1
    if directoryCount > 0, let last = header.pointee.blocks?[directoryCount - 1].last { before = Int64(last) }
    let new = blocks(slots, count, after: before, heap)
    let bytes = (directoryCount + new.count) * 16
    if var page = header.pointee.directory {
      if bytes > PageHeap.capacity(of: page) { heap.move(&page, used: directoryCount * 16, bytes: bytes * 5 / 4) }
      header.pointee.directory = page
    } else {
      header.pointee.directory = heap.allocate(bytes)
    }
    guard let blocks = header.pointee.blocks else { return }
    for index in new.indices { blocks[directoryCount + index] = new[index] }
    header.pointee.directoryCount = UInt32(directoryCount + new.count)
  }
}
