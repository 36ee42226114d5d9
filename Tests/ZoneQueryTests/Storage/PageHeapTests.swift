import Testing

@testable import ZoneQuery

/// The page heap against a model: versions are lists of pages with a stamp that fills each.
struct PageHeapTests {
  @unsafe private struct Version {
    var pages: [(page: UnsafeMutableRawPointer, stamp: UInt8, size: Int)] = unsafe []
    var pins: VersionPins
  }

  private func fill(_ page: UnsafeMutableRawPointer, _ stamp: UInt8, _ size: Int) {
    unsafe page.initializeMemory(as: UInt8.self, repeating: stamp, count: size)
  }

  private func isIntact(_ version: Version) -> Bool {
    for index in unsafe version.pages.indices {
      let entry = unsafe version.pages[index]
      for offset in unsafe [0, entry.size / 2, entry.size - 1] {
        if unsafe entry.page.load(fromByteOffset: offset, as: UInt8.self) != entry.stamp { return false }
      }
    }
    return true
  }

  @Test func pagesStayWhilePinned() {
    var random = SplitMix(seed: 1)
    let heap = PageHeap()
    var newest = unsafe Version(pins: VersionPins(generation: 0))
    var readers: [Version] = unsafe []
    var checks = 0
    for step in 0..<(TestAmount.isLong ? 60_000 : 6000) {
      heap.begin()
      var next = unsafe newest
      for _ in 0..<random.next() % 6 {
        let stamp = UInt8(truncatingIfNeeded: random.next())
        let index = unsafe next.pages.isEmpty ? 0 : Int(random.next() % UInt64(next.pages.count))
        switch random.next() % 5 {
        case 0, 1:
          let size = 1 + Int(random.next() % 5000)
          let page = unsafe heap.allocate(size)
          unsafe fill(page, stamp, size)
          unsafe next.pages.append((page, stamp, size))
        case 2 where unsafe !next.pages.isEmpty:
          unsafe heap.retire(next.pages.remove(at: index).page)
        case 3 where unsafe !next.pages.isEmpty:
          unsafe heap.writable(&next.pages[index].page, used: next.pages[index].size)
          unsafe fill(next.pages[index].page, stamp, next.pages[index].size)
          unsafe next.pages[index].stamp = stamp
        case 4 where unsafe !next.pages.isEmpty && next.pages.count > 60:
          unsafe heap.retire(next.pages.remove(at: index).page)
        default: break
        }
      }
      if random.next() % 4 == 0 {
        heap.rollback()
      } else {
        if random.next() % 3 == 0 {
          unsafe newest.pins.pin()
          unsafe readers.append(newest)
        }
        unsafe next.pins = VersionPins(generation: heap.generation)
        heap.finish(replacing: unsafe newest.pins)
        unsafe newest = unsafe next
      }
      if unsafe readers.count > Int(random.next() % 12) {
        let reader = unsafe readers.remove(at: Int(random.next() % UInt64(readers.count)))
        let intact = unsafe isIntact(reader)
        #expect(intact)
        unsafe reader.pins.unpin()
      }
      if step % 16 == 0 {
        let intact = unsafe isIntact(newest) && readers.allSatisfy { unsafe isIntact($0) }
        #expect(intact && heap.check())
        let bytes = unsafe newest.pages.reduce(0) { unsafe $0 + PageHeap.size(of: $1.page) }
        #expect(bytes == heap.liveBytes)
        checks += unsafe 2 + readers.count
      }
    }
    for index in unsafe readers.indices { unsafe readers[index].pins.unpin() }
    heap.begin()
    let last = unsafe newest.pins
    heap.finish(replacing: last)
    #expect(heap.heldBytes == 0 && heap.check())
    print("page heap: \(checks) checks")
    #expect(checks >= 1000)
  }

  /// A reader that stays keeps the pages of its version and no more, however many commits pass.
  @Test func aReaderKeepsItsVersionAlone() {
    let heap = PageHeap()
    heap.begin()
    var pages: [UnsafeMutableRawPointer] = unsafe (0..<64).map { _ in unsafe heap.allocate(1000) }
    var pins = VersionPins(generation: heap.generation)
    heap.finish(replacing: VersionPins(generation: 0))
    let held = pins
    held.pin()
    let size = heap.liveBytes
    var greatest = 0
    for step in 0..<10_000 {
      heap.begin()
      unsafe heap.writable(&pages[step % 64], used: 1000)
      unsafe heap.writable(&pages[step * 7 % 64], used: 1000)
      let next = VersionPins(generation: heap.generation)
      // Others come and go.
      let visitor = step % 3 == 0 ? pins : nil
      visitor?.pin()
      heap.finish(replacing: pins)
      visitor?.unpin()
      pins = next
      greatest = max(greatest, heap.heldBytes)
      #expect(heap.liveBytes == size)
      if step % 100 == 0 { #expect(heap.check()) }
    }
    // Its own pages, and what the visitors of the last commit had.
    #expect(greatest <= size + 8 * 1200)
    #expect(heap.freeBytes <= 300_000)
    held.unpin()
    heap.begin()
    heap.finish(replacing: pins)
    #expect(heap.heldBytes == 0 && heap.check())
  }

  /// Pages of sizes that are no longer needed do not keep out those that are: commits that copy the same pages again and
  /// again ask for none before long, and what waits stays bounded.
  @Test(arguments: [0, 1, 7]) func idlePagesMakeRoom(rest: Int) {
    let heap = PageHeap()
    var pins = VersionPins(generation: 0)
    func commit(_ body: () -> Void) {
      heap.begin()
      body()
      let next = VersionPins(generation: heap.generation)
      heap.finish(replacing: pins)
      pins = next
    }
    var pages: [UnsafeMutableRawPointer] = unsafe []
    var others: [UnsafeMutableRawPointer] = unsafe []
    commit {
      for size in 0..<100 { unsafe pages.append(heap.allocate(200 + 40 * size)) }
      for size in 0..<2000 { unsafe others.append(heap.allocate(100 + size % 4 * 700)) }
    }
    let most = max(1 << 18, heap.liveBytes / 8) + 5000
    commit { for index in unsafe others.indices { unsafe heap.retire(others[index]) } }
    #expect(heap.freeBytes <= most && heap.freeBytes > 1 << 18)
    var blocks = 0
    for step in 0..<400 {
      if step == 300 { blocks = heap.blocks }
      commit {
        // Every page in turn, and some in every commit.
        for index in unsafe pages.indices where index % 8 <= rest || index % 16 == step % 16 {
          unsafe heap.writable(&pages[index], used: 100)
        }
      }
      #expect(heap.freeBytes <= most && heap.check())
    }
    #expect(heap.blocks == blocks)
  }

  /// Where the heaps of a database keep much in all, those that are written to later keep little, and those that were
  /// there before shrink when they are.
  @Test func manyHeapsKeepLittle() {
    let reusable = ReusableMemory(most: 1 << 20)
    /// Commits that allocate some pages and do without those of the commit before.
    func commits(_ heap: PageHeap, _ pins: inout VersionPins, _ count: Int) {
      var pages: [UnsafeMutableRawPointer] = unsafe []
      for step in 0...count {
        heap.begin()
        for index in unsafe pages.indices { unsafe heap.retire(pages[index]) }
        unsafe pages = unsafe step == count ? [] : (0..<200).map { unsafe heap.allocate(64 + 16 * ($0 % 64)) }
        let next = VersionPins(generation: heap.generation)
        heap.finish(replacing: pins)
        pins = next
        #expect(heap.check())
      }
    }
    var heaps: [(heap: PageHeap, pins: VersionPins)] = []
    for _ in 0..<40 {
      var (heap, pins) = (PageHeap(reusable), VersionPins(generation: 0))
      commits(heap, &pins, 3)
      heaps.append((heap, pins))
    }
    #expect(reusable.isMuch)
    #expect(heaps[0].heap.freeBytes > 100_000 && heaps[39].heap.freeBytes < 20_000)
    let sum = heaps.reduce(0) { $0 + $1.heap.freeBytes }
    #expect(sum < 1 << 20 + 300_000 + 40 * 20_000, "\(sum)")
    commits(heaps[0].heap, &heaps[0].pins, 120)
    #expect(heaps[0].heap.freeBytes < 20_000, "\(heaps[0].heap.freeBytes)")
    heaps.removeAll()
    #expect(!reusable.isMuch)
  }

  @Test func pagesHoldWhatIsAskedFor() {
    for bytes in [0, 1, 31, 32, 33, 40, 41, 64, 65, 2047, 2048, 2049, 100_000] {
      let capacity = PageHeap.capacity(for: bytes)
      #expect(capacity >= bytes && (bytes <= 32 || capacity <= bytes * 5 / 4 + 8))
      #expect(PageHeap.capacity(for: capacity) == capacity)
    }
    #expect(PageHeap.capacity(for: 2048) == 2048)
    var last = 0
    for bytes in 1...70_000 {
      let capacity = PageHeap.capacity(for: bytes)
      let isKept = PageHeap.capacity(for: capacity) == capacity
      let waste = capacity - bytes
      if capacity < max(last, bytes) || !isKept || bytes > 4096 && waste > bytes / 16 || PageHeap.step(bytes) < bytes {
        Issue.record("\(bytes) bytes in \(capacity)")
        break
      }
      last = capacity
    }
  }
}
