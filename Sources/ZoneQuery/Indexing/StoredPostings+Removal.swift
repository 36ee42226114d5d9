// An unsafe leaf: how slots are taken out of posting lists; the invariants stand in `StoredPostings`.

extension StoredPostings {
  /// Takes out a slot that is in the list, which has others, and whose entry is in a page of the running commit.
  static func remove(_ slot: UInt32, entry: UnsafeMutableRawPointer, heap: PageHeap) {
    let count = count(entry)
    if count <= mostInline {
      take(slot, from: inline(entry), count)
      setCount(entry, count - 1)
      return
    }
    if !hasHeader(entry) {
      let old = page(entry)
      if count - 1 == mostInline {
        let slots = old.assumingMemoryBound(to: UInt32.self)
        let target = inline(entry)
        var place = 0
        for index in 0..<count where slots[index] != slot {
          target[place] = slots[index]
          place += 1
        }
        setCount(entry, count - 1)
        heap.retire(old)
      } else {
        set(entry, count: count - 1, page: removing(slot, from: old, count, heap), isHeader: false)
      }
      return
    }
    let header = writableHeader(entry, heap)
    let tailCount = count - Int(header.pointee.closedCount)
    if tailCount > 0, let tail = header.pointee.tail, tail.load(as: UInt32.self) <= slot {
      if tailCount == 1 {
        heap.retire(tail)
        header.pointee.tail = nil
      } else {
        header.pointee.tail = removing(slot, from: tail, tailCount, heap)
      }
    } else {
      removeFromBlocks(slot, header, heap)
      header.pointee.closedCount -= 1
    }
    setCount(entry, count - 1)
    if count - 1 <= fewest { flatten(entry, heap) }
  }

  private static func take(_ slot: UInt32, from slots: UnsafeMutablePointer<UInt32>, _ count: Int) {
    var index = PostingBlock.lowerBound(slots, count, slot)
    while index + 1 < count {
      slots[index] = slots[index + 1]
      index += 1
    }
  }

  /// The page without a slot: a copy, unless it is the running commit's own.
  private static func removing(
    _ slot: UInt32, from page: UnsafeMutableRawPointer, _ count: Int, _ heap: PageHeap
  ) -> UnsafeMutableRawPointer {
    let slots = page.assumingMemoryBound(to: UInt32.self)
    if heap.isOwn(page), PageHeap.capacity(of: page) <= max(32, count * 8) {
      take(slot, from: slots, count)
      return page
    }
    let new = heap.allocate((count - 1) * 4)
    let target = new.assumingMemoryBound(to: UInt32.self)
    let place = PostingBlock.lowerBound(slots, count, slot)
    target.update(from: slots, count: place)
    (target + place).update(from: slots + place + 1, count: count - 1 - place)
    heap.retire(page)
    return new
  }

  private static func removeFromBlocks(_ slot: UInt32, _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap) {
    let blocks = writableDirectory(header, heap)
    let directoryCount = Int(header.pointee.directoryCount)
    let index = max(0, firstBlock(blocks, directoryCount, above: slot) - 1)
    var block = blocks[index]
    let old = block
    if block.kind == PostingBlock.bitmap {
      heap.writable(&block.page, used: PostingBlock.bytes)
      let place = Int(slot - block.base)
      block.bits[place >> 6] &= ~(1 << UInt64(place & 63))
      block.count -= 1
      blocks[index] = block
      if block.count <= PostingBlock.mostNarrow / 2 { join(index..<index + 1, header, heap) }
      return
    }
    if block.count == 1 {
      withSlots(1) { slots in replace(index..<index + 1, by: slots, 0, header, heap) }
      return
    }
    let width = block.kind == PostingBlock.wide ? 4 : 2
    let place =
      block.kind == PostingBlock.wide
      ? PostingBlock.lowerBound(block.wideSlots, block.count, slot)
      : PostingBlock.lowerBound(block.differences, block.count, UInt16(truncatingIfNeeded: slot - block.base))
    if !heap.isOwn(old.page) {
      block.page = heap.allocate((block.count - 1) * width)
      block.page.copyMemory(from: old.page, byteCount: place * width)
    }
    (block.page + place * width).copyMemory(
      from: old.page + (place + 1) * width, byteCount: (block.count - 1 - place) * width)
    if block.page != old.page { heap.retire(old.page) }
    block.count -= 1
    blocks[index] = block
    // Small ones join one beside them.
    guard block.count <= PostingBlock.mostWide / 4 else { return }
    for left in [index - 1, index] where left >= 0 && left + 1 < directoryCount {
      let (a, b) = (blocks[left], blocks[left + 1])
      if a.kind != PostingBlock.bitmap, b.kind != PostingBlock.bitmap, a.count + b.count <= PostingBlock.mostWide / 2 {
        join(left..<left + 2, header, heap)
        return
      }
    }
  }

  /// Writes some blocks anew, as one if that holds them.
  private static func join(_ range: Range<Int>, _ header: UnsafeMutablePointer<Header>, _ heap: PageHeap) {
    guard let blocks = header.pointee.blocks else { return }
    let sum = range.reduce(0) { $0 + blocks[$1].count }
    withSlots(sum) { slots in
      var count = 0
      for index in range {
        blocks[index].decode(to: slots + count)
        count += blocks[index].count
      }
      replace(range, by: slots, sum, header, heap)
    }
  }

  /// Gives up the blocks of a list that has become small.
  private static func flatten(_ entry: UnsafeMutableRawPointer, _ heap: PageHeap) {
    let count = count(entry)
    let new = heap.allocate(count * 4)
    let target = new.assumingMemoryBound(to: UInt32.self)
    var place = 0
    let header = header(page(entry)).pointee
    if let blocks = header.blocks {
      for index in 0..<Int(header.directoryCount) {
        blocks[index].decode(to: target + place)
        place += blocks[index].count
      }
    }
    if count > place, let tail = header.tail {
      (target + place).update(from: tail.assumingMemoryBound(to: UInt32.self), count: count - place)
    }
    forEachPage(entry) { heap.retire($0) }
    set(entry, count: count, page: new, isHeader: false)
  }

  /// Calls `body` with every page of a list.
  static func forEachPage(_ entry: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void) {
    if count(entry) <= mostInline { return }
    let page = page(entry)
    if hasHeader(entry) {
      let header = header(page).pointee
      if let blocks = header.blocks {
        for index in 0..<Int(header.directoryCount) { body(blocks[index].page) }
      }
      if let directory = header.directory { body(directory) }
      if let tail = header.tail { body(tail) }
    }
    body(page)
  }

  /// Whether a list keeps its invariants: for tests.
  static func check(_ entry: UnsafeMutableRawPointer) -> Bool {
    let list = list(entry, isExact: true)
    var (sum, last) = (list.tailCount, Int64(-1))
    if list.tailCount < 0 || list.tailCount > PostingBlock.mostWide { return false }
    for index in 0..<list.segmentCount {
      let block = list.segment(index)
      if !block.check() || Int64(block.base) <= last { return false }
      let slots = [UInt32](unsafeUninitializedCapacity: block.count) { buffer, count in
        if let start = buffer.baseAddress { block.decode(to: start) }
        count = block.count
      }
      if Int64(slots[0]) <= last || block.base > slots[0] || slots[slots.count - 1] != block.last { return false }
      last = Int64(block.last)
      if index < list.directoryCount { sum += block.count }
    }
    return sum == list.count && list.count > 0
  }
}
