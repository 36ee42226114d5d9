// An unsafe leaf: how slots are taken out of posting lists; the invariants stand in `StoredPostings`.

extension StoredPostings {
  /// Takes out a slot that is in the list, which has others, and whose entry is in a page of the running commit.
  static func remove(_ slot: UInt32, entry: UnsafeMutableRawPointer, heap: PageHeap) {
    let count = unsafe count(entry)
    if count <= mostInline {
      unsafe take(slot, from: inline(entry), count)
      unsafe setCount(entry, count - 1)
      return
    }
    if unsafe !hasHeader(entry) {
      let old = unsafe page(entry)
      if count - 1 == mostInline {
        let slots = unsafe old.assumingMemoryBound(to: UInt32.self)
        let target = unsafe inline(entry)
        var place = 0
        for index in 0..<count where unsafe slots[index] != slot {
          unsafe target[place] = unsafe slots[index]
          place += 1
        }
        unsafe setCount(entry, count - 1)
        unsafe heap.retire(old)
      } else {
        unsafe set(entry, count: count - 1, page: removing(slot, from: old, count, heap), isHeader: false)
      }
      return
    }
    let header = unsafe header(writableHeader(entry, heap))
    let tailCount = unsafe count - Int(header.pointee.closedCount)
    if tailCount > 0, let tail = unsafe header.pointee.tail, unsafe tail.load(as: UInt32.self) <= slot {
      if tailCount == 1 {
        unsafe heap.retire(tail)
        unsafe header.pointee.tail = nil
      } else {
        unsafe header.pointee.setTail(removing(slot, from: tail, tailCount, heap))
      }
    } else {
      unsafe header.pointee.closedCount -= 1
      unsafe removeFromBlocks(slot, entry, heap)
    }
    unsafe setCount(entry, count - 1)
    if count - 1 <= fewest { unsafe flatten(entry, heap) }
  }

  private static func take(_ slot: UInt32, from slots: UnsafeMutablePointer<UInt32>, _ count: Int) {
    var index = unsafe SortedRun.lower(slots, 0, count, slot)
    while index + 1 < count {
      unsafe slots[index] = unsafe slots[index + 1]
      index += 1
    }
  }

  /// The page without a slot: a copy, unless it is the running commit's own.
  private static func removing(
    _ slot: UInt32, from page: UnsafeMutableRawPointer, _ count: Int, _ heap: PageHeap
  ) -> UnsafeMutableRawPointer {
    let slots = unsafe page.assumingMemoryBound(to: UInt32.self)
    if unsafe heap.isOwn(page), unsafe PageHeap.capacity(of: page) <= max(32, count * 8) {
      unsafe take(slot, from: slots, count)
      return unsafe page
    }
    let new = unsafe heap.allocate((count - 1) * 4)
    let target = unsafe new.assumingMemoryBound(to: UInt32.self)
    let place = unsafe SortedRun.lower(slots, 0, count, slot)
    unsafe target.update(from: slots, count: place)
    unsafe (target + place).update(from: slots + place + 1, count: count - 1 - place)
    unsafe heap.retire(page)
    return unsafe new
  }

  /// Takes a slot out of a block; the entry's header is in a page of the running commit.
  private static func removeFromBlocks(_ slot: UInt32, _ entry: UnsafeMutableRawPointer, _ heap: PageHeap) {
    let page = unsafe page(entry)
    let blocks = unsafe blocks(page)
    let directoryCount = unsafe Int(header(page).pointee.directoryCount)
    let index = unsafe block(of: slot, blocks, directoryCount)
    var block = unsafe blocks[index]
    let old = unsafe block
    if unsafe block.kind == PostingBlock.bitmap {
      unsafe heap.writable(&block.page, used: PostingBlock.bytes)
      let place = unsafe Int(slot - block.base)
      unsafe block.bits[place >> 6] &= ~(1 << UInt64(place & 63))
      unsafe block.count -= 1
      unsafe blocks[index] = unsafe block
      if unsafe block.count <= PostingBlock.mostNarrow / 2 { unsafe join(index..<index + 1, entry, heap) }
      return
    }
    if unsafe block.count == 1 {
      unsafe heap.retire(block.page)
      unsafe put([], at: index..<index + 1, entry, heap)
      return
    }
    let width = unsafe block.kind == PostingBlock.wide ? 4 : 2
    let place =
      unsafe block.kind == PostingBlock.wide
      ? SortedRun.lower(block.wideSlots, 0, block.count, slot)
      : SortedRun.lower(block.differences, 0, block.count, UInt16(truncatingIfNeeded: slot - block.base))
    if unsafe !heap.isOwn(old.page) {
      unsafe block.page = unsafe heap.allocate((block.count - 1) * width)
      unsafe block.page.copyMemory(from: old.page, byteCount: place * width)
    }
    unsafe (block.page + place * width).copyMemory(
      from: old.page + (place + 1) * width, byteCount: (block.count - 1 - place) * width)
    if unsafe block.page != old.page { unsafe heap.retire(old.page) }
    unsafe block.count -= 1
    unsafe blocks[index] = unsafe block
    // Small ones join one beside them.
    guard unsafe block.count <= PostingBlock.mostWide / 4 else { return }
    for left in [index - 1, index] where left >= 0 && left + 1 < directoryCount {
      let (a, b) = unsafe (blocks[left], blocks[left + 1])
      if unsafe a.kind != PostingBlock.bitmap, unsafe b.kind != PostingBlock.bitmap,
        unsafe a.count + b.count <= PostingBlock.mostWide / 2
      {
        unsafe join(left..<left + 2, entry, heap)
        return
      }
    }
  }

  /// Writes some blocks anew, as one if that holds them.
  private static func join(_ range: Range<Int>, _ entry: UnsafeMutableRawPointer, _ heap: PageHeap) {
    let blocks = unsafe blocks(page(entry))
    let sum = range.reduce(0) { unsafe $0 + blocks[$1].count }
    unsafe withSlots(sum) { slots in
      var count = 0
      for index in range {
        unsafe blocks[index].decode(to: slots + count)
        unsafe count += blocks[index].count
      }
      unsafe replace(range, by: slots, sum, entry, heap)
    }
  }

  /// Gives up the blocks of a list that has become small.
  private static func flatten(_ entry: UnsafeMutableRawPointer, _ heap: PageHeap) {
    let count = unsafe count(entry)
    let new = unsafe heap.allocate(count * 4)
    let target = unsafe new.assumingMemoryBound(to: UInt32.self)
    var place = 0
    let page = unsafe page(entry)
    let header = unsafe header(page).pointee
    let blocks = unsafe blocks(page)
    for index in unsafe 0..<Int(header.directoryCount) {
      unsafe blocks[index].decode(to: target + place)
      unsafe place += blocks[index].count
    }
    if count > place, let tail = unsafe header.tail {
      unsafe (target + place).update(from: tail.assumingMemoryBound(to: UInt32.self), count: count - place)
    }
    unsafe forEachPage(entry) { unsafe heap.retire($0) }
    unsafe set(entry, count: count, page: new, isHeader: false)
  }

  /// Calls `body` with every page of a list.
  static func forEachPage(_ entry: UnsafeMutableRawPointer, _ body: (UnsafeMutableRawPointer) -> Void) {
    if unsafe count(entry) <= mostInline { return }
    let page = unsafe page(entry)
    if unsafe hasHeader(entry) {
      let header = unsafe header(page).pointee
      let blocks = unsafe blocks(page)
      for index in unsafe 0..<Int(header.directoryCount) { unsafe body(blocks[index].page) }
      if let tail = unsafe header.tail { unsafe body(tail) }
    }
    unsafe body(page)
  }

  /// Whether a list keeps its invariants: for tests.
  static func check(_ entry: UnsafeMutableRawPointer) -> Bool {
    let list = unsafe list(entry)
    if unsafe hasHeader(entry) {
      let page = unsafe page(entry)
      let header = unsafe header(page).pointee
      if unsafe bytes(blocks: Int(header.directoryCount)) > PageHeap.capacity(of: page) { return false }
      if unsafe (header.tail == nil) != (list.tailCount == 0) { return false }
      if let tail = unsafe header.tail, unsafe Int(header.tailCapacity) * 4 > PageHeap.capacity(of: tail) {
        return false
      }
    }
    var (sum, last) = (list.tailCount, Int64(-1))
    if unsafe list.tailCount < 0 || list.tailCount > PostingBlock.mostWide { return false }
    for index in 0..<list.segmentCount {
      let block = unsafe list.segment(index)
      if unsafe !block.check() || Int64(block.base) <= last { return false }
      let slots = unsafe [UInt32](unsafeUninitializedCapacity: block.count) { buffer, count in
        if let start = buffer.baseAddress { unsafe block.decode(to: start) }
        count = unsafe block.count
      }
      if unsafe Int64(slots[0]) <= last || block.base > slots[0] || slots[slots.count - 1] != block.last {
        return false
      }
      last = unsafe Int64(block.last)
      if index < list.directoryCount {
        unsafe sum += block.count
        if unsafe last > Int64(header(page(entry)).pointee.closedLast) { return false }
      }
    }
    return sum == list.count && list.count > 0
  }
}
