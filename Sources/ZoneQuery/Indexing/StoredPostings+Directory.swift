// An unsafe leaf: the blocks of a long posting list; the invariants stand in `StoredPostings`.

extension StoredPostings {
  /// The directory of a header, in a page of the running commit.
  static func writableDirectory(
    _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap
  ) -> UnsafeMutablePointer<PostingBlock> {
    var page = unsafe header.pointee.directory ?? heap.allocate(32)
    unsafe heap.writable(&page, used: Int(header.pointee.directoryCount) * 16)
    unsafe header.pointee.directory = unsafe page
    return unsafe page.assumingMemoryBound(to: PostingBlock.self)
  }

  /// Puts blocks of slots in the place of some blocks, whose pages are retired.
  static func replace(
    _ range: Range<Int>, by slots: UnsafePointer<UInt32>, _ count: Int, _ header: UnsafeMutablePointer<Header>,
    _ heap: PageHeap
  ) {
    let old = unsafe writableDirectory(header, heap)
    let before = unsafe range.lowerBound > 0 ? Int64(old[range.lowerBound - 1].last) : -1
    let new = unsafe blocks(slots, count, after: before, heap)
    for index in range { unsafe heap.retire(old[index].page) }
    let directoryCount = unsafe Int(header.pointee.directoryCount)
    let newCount = unsafe directoryCount - range.count + new.count
    if var page = unsafe header.pointee.directory, unsafe newCount * 16 > PageHeap.capacity(of: page) {
      unsafe heap.move(&page, used: directoryCount * 16, bytes: newCount * 20)
      unsafe header.pointee.directory = unsafe page
    }
    guard let blocks = unsafe header.pointee.blocks else { return }
    unsafe (blocks + range.lowerBound + new.count).update(
      from: blocks + range.upperBound, count: directoryCount - range.upperBound)
    for index in unsafe new.indices { unsafe blocks[range.lowerBound + index] = unsafe new[index] }
    unsafe header.pointee.directoryCount = UInt32(newCount)
  }

  /// Makes blocks of slots, which are all above the slot `last` before them.
  private static func blocks(
    _ slots: UnsafePointer<UInt32>, _ count: Int, after last: Int64, _ heap: PageHeap
  ) -> [PostingBlock] {
    var blocks: [PostingBlock] = unsafe []
    var last = last
    var start = 0
    while start < count {
      let (rest, first) = unsafe (count - start, slots[start])
      let base = first & ~255
      var length = unsafe min(rest, PostingBlock.mostNarrow)
      if rest > length, unsafe slots[start + length] - base < PostingBlock.slots {
        // More than an array holds lie as near as a bitmap has places. It must not reach back over the block before.
        let end = unsafe UInt64(base) + (Int64(base) > last ? UInt64(PostingBlock.slots) : 256)
        let room = unsafe min(rest, Int(PostingBlock.slots))
        length = unsafe PostingBlock.lowerBound(slots + start, room, UInt32(clamping: end))
      } else {
        if unsafe slots[start + length - 1] - first > 0xFFFF {
          let near = unsafe PostingBlock.lowerBound(slots + start, length, UInt32(clamping: UInt64(first) + 0x10000))
          length = unsafe near >= PostingBlock.mostWide / 2 ? near : min(rest, PostingBlock.mostWide)
        }
        // Two halves, rather than a whole and a little.
        if rest > length, rest < 2 * length { length = (rest + 1) / 2 }
      }
      unsafe blocks.append(PostingBlock.block(slots + start, length, heap))
      start += length
      last = unsafe Int64(slots[start - 1])
    }
    return unsafe blocks
  }

  /// Puts the slots of a tail behind the directory's, and leaves no tail.
  static func close(_ header: UnsafeMutablePointer<Header>, _ tailCount: Int, _ heap: PageHeap) {
    guard let page = unsafe header.pointee.tail else { return }
    var slots = unsafe page.assumingMemoryBound(to: UInt32.self)
    var count = tailCount
    unsafe header.pointee.closedCount += UInt32(tailCount)
    unsafe header.pointee.closedLast = unsafe slots[tailCount - 1]
    let directoryCount = unsafe Int(header.pointee.directoryCount)
    if directoryCount > 0, let last = unsafe header.pointee.blocks?[directoryCount - 1] {
      let absorbed = unsafe absorb(slots, count, last, at: directoryCount - 1, header, heap)
      unsafe slots += absorbed
      count -= absorbed
    }
    if count > 0 { unsafe push(slots, count, header, heap) }
    unsafe heap.retire(page)
    unsafe header.pointee.tail = nil
  }

  /// Puts as many slots as it can into the last block; returns how many.
  private static func absorb(
    _ slots: UnsafePointer<UInt32>, _ count: Int, _ last: PostingBlock, at index: Int,
    _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap
  ) -> Int {
    var block = unsafe last
    let sum = unsafe block.count + count
    if unsafe block.kind == PostingBlock.bitmap {
      let bound = unsafe UInt32(clamping: UInt64(block.base) + UInt64(PostingBlock.slots))
      let near = unsafe PostingBlock.lowerBound(slots, count, bound)
      if near == 0 { return 0 }
      unsafe heap.writable(&block.page, used: PostingBlock.bytes)
      unsafe block.set(slots, near)
      unsafe block.count += near
      unsafe writableDirectory(header, heap)[index] = unsafe block
      return near
    }
    let isNear = unsafe slots[count - 1] - block.base <= 0xFFFF
    if unsafe block.kind == PostingBlock.narrow, unsafe sum <= PostingBlock.mostNarrow, isNear {
      unsafe heap.move(&block.page, used: block.count * 2, bytes: sum * 2)
      var index = 0
      while index < count {
        unsafe block.differences[block.count + index] = unsafe UInt16(truncatingIfNeeded: slots[index] &- block.base)
        index += 1
      }
      unsafe block.count = sum
      unsafe writableDirectory(header, heap)[Int(header.pointee.directoryCount) - 1] = unsafe block
      return count
    }
    // More than an array holds: a bitmap, if they are near enough.
    guard unsafe block.kind == PostingBlock.narrow, unsafe sum > PostingBlock.mostNarrow else { return 0 }
    let bound = unsafe UInt32(clamping: UInt64(block.base & ~255) + UInt64(PostingBlock.slots))
    let near = unsafe PostingBlock.lowerBound(slots, count, bound)
    guard unsafe block.count + near > PostingBlock.mostNarrow else { return 0 }
    unsafe withSlots(block.count + near) { all in
      unsafe block.decode(to: all)
      unsafe (all + block.count).update(from: slots, count: near)
      unsafe replace(index..<index + 1, by: all, block.count + near, header, heap)
    }
    return near
  }

  /// Puts blocks behind the directory's: in place, where nobody looks yet.
  static func push(
    _ slots: UnsafePointer<UInt32>, _ count: Int, _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap
  ) {
    let directoryCount = unsafe Int(header.pointee.directoryCount)
    var before: Int64 = -1
    if directoryCount > 0, let last = unsafe header.pointee.blocks?[directoryCount - 1].last { before = Int64(last) }
    let new = unsafe blocks(slots, count, after: before, heap)
    let bytes = unsafe (directoryCount + new.count) * 16
    if var page = unsafe header.pointee.directory {
      if unsafe bytes > PageHeap.capacity(of: page) {
        unsafe heap.move(&page, used: directoryCount * 16, bytes: bytes * 5 / 4)
      }
      unsafe header.pointee.directory = unsafe page
    } else {
      unsafe header.pointee.directory = unsafe heap.allocate(bytes)
    }
    guard let blocks = unsafe header.pointee.blocks else { return }
    for index in unsafe new.indices { unsafe blocks[directoryCount + index] = unsafe new[index] }
    unsafe header.pointee.directoryCount = unsafe UInt32(directoryCount + new.count)
  }
}
