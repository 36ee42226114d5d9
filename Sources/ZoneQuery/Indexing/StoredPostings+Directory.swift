// An unsafe leaf: the blocks of a long posting list; the invariants stand in `StoredPostings`.

extension StoredPostings {
  /// Puts blocks of slots in the place of some blocks, whose pages are retired; the entry's header is in a page of the
  /// running commit.
  static func replace(
    _ range: Range<Int>, by slots: UnsafePointer<UInt32>, _ count: Int, _ entry: UnsafeMutableRawPointer,
    _ heap: PageHeap
  ) {
    let old = unsafe blocks(page(entry))
    let before = unsafe range.lowerBound > 0 ? Int64(old[range.lowerBound - 1].last) : -1
    let new = unsafe blocks(slots, count, after: before, heap)
    for index in range { unsafe heap.retire(old[index].page) }
    unsafe put(new, at: range, entry, heap)
  }

  /// Puts blocks in the place of some, in a header page of the running commit, which becomes another where it has no room,
  /// or much more than it needs.
  static func put(_ new: [PostingBlock], at range: Range<Int>, _ entry: UnsafeMutableRawPointer, _ heap: PageHeap) {
    var page = unsafe page(entry)
    let directoryCount = unsafe Int(header(page).pointee.directoryCount)
    let newCount = unsafe directoryCount - range.count + new.count
    if unsafe bytes(blocks: newCount) > PageHeap.capacity(of: page) {
      unsafe heap.move(&page, used: bytes(blocks: directoryCount), bytes: bytes(blocks: newCount * 5 / 4))
    }
    let blocks = unsafe blocks(page)
    unsafe (blocks + range.lowerBound + new.count).update(
      from: blocks + range.upperBound, count: directoryCount - range.upperBound)
    for index in unsafe new.indices { unsafe blocks[range.lowerBound + index] = unsafe new[index] }
    unsafe header(page).pointee.directoryCount = UInt32(newCount)
    if unsafe bytes(blocks: newCount) * 4 < PageHeap.capacity(of: page) {
      unsafe heap.move(&page, used: bytes(blocks: newCount), bytes: bytes(blocks: newCount * 5 / 4))
    }
    unsafe entry.storeBytes(of: page, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  /// Makes blocks of slots, which are all above the slot `last` before them.
  static func blocks(
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
        length = unsafe SortedRun.lower(slots + start, 0, room, UInt32(clamping: end))
      } else {
        if unsafe slots[start + length - 1] - first > 0xFFFF {
          let near = unsafe SortedRun.lower(slots + start, 0, length, UInt32(clamping: UInt64(first) + 0x10000))
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
  static func close(_ entry: UnsafeMutableRawPointer, _ tailCount: Int, _ heap: PageHeap) {
    let page = unsafe writableHeader(entry, heap)
    guard let tail = unsafe header(page).pointee.tail else { return }
    var slots = unsafe tail.assumingMemoryBound(to: UInt32.self)
    var count = tailCount
    unsafe header(page).pointee.tail = nil
    unsafe header(page).pointee.closedCount += UInt32(tailCount)
    unsafe header(page).pointee.closedLast = unsafe slots[tailCount - 1]
    let directoryCount = unsafe Int(header(page).pointee.directoryCount)
    if directoryCount > 0 {
      let absorbed = unsafe absorb(slots, count, at: directoryCount - 1, entry, heap)
      unsafe slots += absorbed
      count -= absorbed
    }
    if count > 0 {
      // What was absorbed may have moved the header, and made a block more.
      let end = unsafe Int(header(StoredPostings.page(entry)).pointee.directoryCount)
      unsafe replace(end..<end, by: slots, count, entry, heap)
    }
    unsafe heap.retire(tail)
  }

  /// Puts as many slots as it can into the last block; returns how many.
  private static func absorb(
    _ slots: UnsafePointer<UInt32>, _ count: Int, at index: Int, _ entry: UnsafeMutableRawPointer, _ heap: PageHeap
  ) -> Int {
    let blocks = unsafe blocks(page(entry))
    var block = unsafe blocks[index]
    let sum = unsafe block.count + count
    if unsafe block.kind == PostingBlock.bitmap {
      let bound = unsafe UInt32(clamping: UInt64(block.base) + UInt64(PostingBlock.slots))
      let near = unsafe SortedRun.lower(slots, 0, count, bound)
      if near == 0 { return 0 }
      unsafe heap.writable(&block.page, used: PostingBlock.bytes)
      unsafe block.set(slots, near)
      unsafe block.count += near
      unsafe blocks[index] = unsafe block
      return near
    }
    let isNear = unsafe slots[count - 1] - block.base <= 0xFFFF
    if unsafe block.kind == PostingBlock.narrow, unsafe sum <= PostingBlock.mostNarrow, isNear {
      unsafe heap.move(&block.page, used: block.count * 2, bytes: sum * 2)
      var place = 0
      while place < count {
        unsafe block.differences[block.count + place] = unsafe UInt16(truncatingIfNeeded: slots[place] &- block.base)
        place += 1
      }
      unsafe block.count = sum
      unsafe blocks[index] = unsafe block
      return count
    }
    // More than an array holds: a bitmap, if they are near enough.
    guard unsafe block.kind == PostingBlock.narrow, unsafe sum > PostingBlock.mostNarrow else { return 0 }
    let bound = unsafe UInt32(clamping: UInt64(block.base & ~255) + UInt64(PostingBlock.slots))
    let near = unsafe SortedRun.lower(slots, 0, count, bound)
    guard unsafe block.count + near > PostingBlock.mostNarrow else { return 0 }
    unsafe withSlots(block.count + near) { all in
      unsafe block.decode(to: all)
      unsafe (all + block.count).update(from: slots, count: near)
      unsafe replace(index..<index + 1, by: all, block.count + near, entry, heap)
    }
    return near
  }
}
