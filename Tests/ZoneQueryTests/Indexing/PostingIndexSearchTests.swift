import Testing

@testable import ZoneQuery

/// How places among ascending values and segments of posting lists are found, held against searches from the first on.
@Suite("Posting index, places")
struct PostingIndexSearchTests {
  /// Every length that a run is looked at in another way for, with values that repeat and values that do not. What lies before
  /// a run and behind it would be counted the wrong way round.
  @Test func `a place among ascending values is the first whose value is not less`() {
    var random = SplitMix(seed: 1)
    var checks = 0
    var faults: [String] = []
    func check<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type, count: Int, spread: Int) {
      var run = (0..<count).map { _ in Value(truncatingIfNeeded: random.below(spread)) }
      if count > 2, random.below(3) == 0 { (run[0], run[1]) = (.min, .max) }
      run.sort()
      let start = random.below(20)
      let values = Array(repeating: Value.max, count: start) + run + Array(repeating: Value.min, count: 20)
      let asked =
        run.shuffled(using: &random).prefix(4) + [.min, .max, Value(truncatingIfNeeded: random.below(spread))]
      for value in asked + asked.map({ $0 &+ 1 }) {
        checks += 1
        let expected = run.firstIndex { $0 >= value } ?? count
        let (found, less) = unsafe values.withUnsafeBufferPointer { values in
          guard let values = values.baseAddress else { return (0, 0) }
          return unsafe (
            SortedRun.lower(values, start, start + count, value), SortedRun.below(values + start, count, value)
          )
        }
        if found != start + expected || less != expected { faults.append("\(value) among \(count) from \(start) on") }
      }
    }
    for count in Array(0...80) + [
      255, 256, 257, 495, 496, 497, 511, 512, 513, 527, 528, 600, 1_023, 1_024, 1_025, 5_000,
    ] {
      for spread in [3, 40, 60_000, 1 << 40] {
        check(UInt16.self, count: count, spread: spread)
        check(UInt32.self, count: count, spread: spread)
        check(UInt64.self, count: count, spread: spread)
      }
    }
    print("places among ascending values: \(checks) checks")
    #expect(faults == [] && checks >= 10_000)
  }

  /// How the slots of a list lie.
  private enum Spread: CaseIterable {
    /// Evenly; in the lower part mostly; in a hundred heaps; evenly but for a gap in the middle.
    case even, low, heaps, gap

    func slot(below reach: Int, _ random: inout SplitMix) -> UInt32 {
      let place = random.below(reach)
      let apart = max(1, reach / 100)
      let slot =
        switch self {
        case .even: place
        case .low: random.below(4) == 0 ? place : place / 16
        case .heaps: place / apart * apart + random.below(max(1, apart / 10))
        case .gap: place * 2 > reach ? place + 3 * reach : place
        }
      return UInt32(truncatingIfNeeded: slot)
    }
  }

  /// Lists of every kind of segment, and of few and many of them, are asked for the segment of a slot, for slots one by one,
  /// and for slots in no order: those that are there, those beside them, and those about both ends of segments.
  @Test func `slots are found in segments of every kind`() throws {
    var random = SplitMix(seed: 2)
    var faults: [String] = []
    var (checks, marked, probed) = (0, 0, 0)
    // Kinds of blocks of a directory, by how slots in no order are looked for; how many slots and blocks there were.
    var (markedKinds, probedKinds, counts, directories): (Set<UInt16>, Set<UInt16>, Set<Int>, Set<Int>) = (
      [], [], [], []
    )
    let term = Array("everywhere".utf8)
    let heap = PageHeap()
    func verify(_ list: PostingList, _ slots: Set<UInt32>, _ name: String) {
      let left = slots.sorted()
      directories.insert(list.directoryCount)
      let blocks = (0..<list.directoryCount).map { number in
        let block = unsafe list.segment(number)
        return unsafe (kind: block.kind, count: block.count)
      }
      counts.formUnion(blocks.map(\.count))
      var asked = (0..<40).map { _ in left[random.below(left.count)] }
      for _ in 0..<min(10, list.segmentCount) {
        let segment = unsafe list.segment(random.below(list.segmentCount))
        unsafe asked += [segment.base, segment.last]
      }
      asked += asked.flatMap { [$0 &+ 1, $0 &- 1] } + [0, .max]
      let bases = (0..<list.segmentCount).map { unsafe list.segment($0).base }
      if zip(bases, bases.dropFirst()).contains(where: { $0 >= $1 }) { faults.append("the segments' order, \(name)") }
      for slot in asked {
        checks += 1
        // The last segment that begins no later.
        var (segment, end) = (0, bases.count)
        while end - segment > 1 {
          let middle = (segment + end) / 2
          if bases[middle] <= slot { segment = middle } else { end = middle }
        }
        if list.segment(of: slot) != segment { faults.append("segment of \(slot), \(name)") }
        if list.contains(slot) != slots.contains(slot) { faults.append("\(slot), \(name)") }
      }
      for some in [8, 20, 60, 100, 128] {
        var chosen: Set<UInt32> = [0]
        while chosen.count < some {
          let slot = random.below(4) == 0 ? asked[random.below(asked.count)] : left[random.below(left.count)]
          chosen.insert(random.below(3) == 0 ? slot : slot &+ UInt32(random.below(some + 4)))
        }
        var kept = chosen.sorted().shuffled(using: &random)
        checks += 1
        let isProbed = left.count > 8 * some
        if isProbed { probed += 1 } else { marked += 1 }
        if isProbed { probedKinds.formUnion(blocks.map(\.kind)) } else { markedKinds.formUnion(blocks.map(\.kind)) }
        if !list.keep(unsorted: &kept) || kept != chosen.intersection(slots).sorted() {
          faults.append("\(some) in no order, \(name)")
        }
      }
    }
    for (count, reach) in [
      (1, 1_000), (3, 9), (40, 90_000), (300, 50_000), (600, 700), (600, 1 << 24), (900, 4_000), (1_000, 1_100),
      (1_024, 30_000), (1_500, 1 << 24), (3_000, 1 << 30), (6_000, 400_000), (9_000, 1 << 20), (20_000, 40_000),
      (30_000, 1 << 31),
    ] {
      for spread in Spread.allCases {
        var slots: Set<UInt32> = []
        for _ in 0..<8 * count where slots.count < count { slots.insert(spread.slot(below: reach, &random)) }
        heap.begin()
        var index = PostingIndex()
        for slot in slots.sorted() { index.insert(term.span, slot: slot, heap: heap) }
        let name = "\(count) below \(reach), \(spread)"
        if let list = index.list(term.span) { verify(list, slots, name) }
        // Some go, so that segments are less full.
        for slot in slots.sorted() where slots.count > 1 && random.below(5) == 0 {
          index.remove(term.span, slot: slot, heap: heap)
          slots.remove(slot)
        }
        if let list = index.list(term.span) { verify(list, slots, "\(name), some taken out") }
        index.removeAll(heap: heap)
        heap.finish(replacing: VersionPins(generation: 0))
      }
    }
    // A list that grows by one segment after the other, and then a block of it that becomes shorter than what is looked at
    // together.
    var slots: Set<UInt32> = []
    heap.begin()
    var index = PostingIndex()
    var segments = 0
    for number in 0..<16_000 {
      let slot = UInt32(number * 40 + random.below(40))
      slots.insert(slot)
      index.insert(term.span, slot: slot, heap: heap)
      if let list = index.list(term.span), list.directoryCount != segments {
        segments = list.directoryCount
        verify(list, slots, "of \(segments) blocks")
      }
    }
    let seen = unsafe PostingBlock.seen
    for slot in slots.sorted().dropFirst(1_000).prefix(860) {
      index.remove(term.span, slot: slot, heap: heap)
      slots.remove(slot)
      if let list = index.list(term.span),
        (0..<list.directoryCount).contains(where: { unsafe abs(list.segment($0).count - seen) < 2 })
      {
        verify(list, slots, "a block that is emptied")
      }
    }
    heap.finish(replacing: VersionPins(generation: 0))
    print(
      "segments of posting lists: \(checks) checks, \(probed) times slot by slot, \(marked) times by marks, "
        + "directories of \(directories.count) sizes")
    #expect(faults == [])
    #expect(checks >= 20_000 && probed >= 500 && marked >= 200)
    let kinds = unsafe Set([PostingBlock.wide, PostingBlock.narrow, PostingBlock.bitmap])
    #expect(probedKinds == kinds && markedKinds == kinds)
    #expect(directories.contains { $0 == 12 } && directories.contains { $0 == 13 } && directories.contains { $0 > 24 })
    #expect(counts.isSuperset(of: [seen - 1, seen, seen + 1]))
  }
}
