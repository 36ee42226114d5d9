import Testing

@testable import ZoneQuery

/// How places among ascending values and segments of posting lists are found, held against searches from the first on.
@Suite("Posting index, places")
struct PostingIndexSearchTests {
  /// Every length that a run is looked at in another way for, with values that repeat and values that do not, from any
  /// place of it on.
  @Test func `a place among ascending values is the first whose value is not less`() {
    var random = SplitMix(seed: 1)
    var checks = 0
    var faults: [String] = []
    func check<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type, count: Int, spread: Int) {
      var values = (0..<count).map { _ in Value(truncatingIfNeeded: random.below(spread)) }
      if count > 2, random.below(3) == 0 { (values[0], values[1]) = (.min, .max) }
      values.sort()
      let start = random.below(count + 1)
      let asked =
        values.shuffled(using: &random).prefix(4) + [.min, .max, Value(truncatingIfNeeded: random.below(spread))]
      for value in asked + asked.map({ $0 &+ 1 }) {
        checks += 1
        let expected = values[start...].firstIndex { $0 >= value } ?? count
        let (found, less) = unsafe values.withUnsafeBufferPointer { values in
          guard let values = values.baseAddress else { return (0, 0) }
          return unsafe (
            SortedRun.lower(values, start, count, value), SortedRun.below(values + start, count - start, value)
          )
        }
        if found != expected || less != expected - start { faults.append("\(value) among \(count) from \(start) on") }
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

  /// Lists of every kind of segment, and of few and many of them, are asked for the segment of a slot, for slots one by one,
  /// and for slots in no order: near the ends of segments and of what is looked at together, in lists that are spread evenly,
  /// in heaps, and with long gaps.
  @Test func `slots are found in segments of every kind`() throws {
    var random = SplitMix(seed: 2)
    var (checks, kinds, faults): (Int, Set<UInt16>, [String]) = (0, [], [])
    var (marked, probed) = (0, 0)
    let term = Array("everywhere".utf8)
    for (count, reach) in [
      (1, 1_000), (3, 9), (40, 90_000), (47, 60_000), (48, 60_000), (49, 60_000), (248, 1 << 20), (300, 500),
      (496, 60_000),
      (600, 700), (900, 7_000), (1_000, 1_100), (1_024, 30_000), (1_500, 1 << 24), (3_000, 1 << 30), (6_000, 400_000),
      (9_000, 1 << 20), (20_000, 40_000), (30_000, 1 << 31),
    ] {
      for shape in 0..<4 {
        var slots: Set<UInt32> = []
        for _ in 0..<3 * count where slots.count < min(count, reach / 2) {
          let slot = random.below(reach)
          // Evenly; in the lower part mostly; in a hundred heaps; evenly but for a gap in the middle.
          let place =
            switch shape {
            case 0: slot
            case 1: random.below(4) == 0 ? slot : slot / 16
            case 2: slot / 100 * 100 + random.below(max(1, reach / 1_000))
            default: slot * 2 > reach ? slot + 3 * reach : slot
            }
          slots.insert(UInt32(truncatingIfNeeded: place))
        }
        let ascending = slots.sorted()
        let heap = PageHeap()
        heap.begin()
        var index = PostingIndex()
        for slot in ascending { index.insert(term.span, slot: slot, heap: heap) }
        // Some come late, so that segments are less full.
        for slot in ascending where random.below(5) == 0 {
          index.remove(term.span, slot: slot, heap: heap)
          slots.remove(slot)
        }
        guard let list = index.list(term.span) else { continue }
        let left = slots.sorted()
        for number in 0..<list.segmentCount { unsafe kinds.insert(list.segment(number).kind) }
        var asked = (0..<40).map { _ in left[random.below(left.count)] }
        asked += asked.flatMap { [$0 &+ 1, $0 &- 1] } + [0, .max, UInt32(truncatingIfNeeded: reach)]
        for slot in asked {
          checks += 1
          let segment = (0..<list.segmentCount).last { unsafe list.segment($0).base <= slot } ?? 0
          if list.segment(of: slot) != segment { faults.append("segment of \(slot) among \(count), \(shape)") }
          if list.contains(slot) != slots.contains(slot) { faults.append("\(slot) among \(count), \(shape)") }
        }
        for some in [8, 20, 60, 100, 128] {
          var chosen: Set<UInt32> = []
          while chosen.count < some {
            let slot = left[random.below(left.count)]
            chosen.insert(random.below(3) == 0 ? slot : slot &+ UInt32(random.below(some + 4)))
          }
          var kept = chosen.shuffled(using: &random)
          checks += 1
          if left.count > 8 * some { probed += 1 } else { marked += 1 }
          if !list.keep(unsorted: &kept) || kept != chosen.intersection(slots).sorted() {
            faults.append("\(some) in no order among \(count), \(shape)")
          }
        }
        heap.finish(replacing: VersionPins(generation: 0))
      }
    }
    print("segments of posting lists: \(checks) checks, \(probed) times slot by slot, \(marked) times by marks")
    #expect(faults == [] && kinds.count == 3)
    #expect(checks >= 9_000 && probed >= 150 && marked >= 150)
  }
}
