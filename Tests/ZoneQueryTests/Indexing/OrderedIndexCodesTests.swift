import Testing

@testable import ZoneQuery

/// The codes of leaves whose entries come and go at the ends of what they lie between, so that scales change. What is checked
/// is that each entry has its code, by a scale that is no more than a step wider than it could be.
@Suite struct OrderedIndexCodesTests {
  private typealias Entry = IndexEntry<Key2>

  /// How far second words lie apart: by their number.
  private static let spreads: [@Sendable (UInt64) -> UInt64] = [
    { $0 }, { $0 * 1_000 }, { $0 << 40 }, { $0 * $0 * $0 }, { (1 << min($0, 60)) + $0 },
    { $0 &* 0x9E37_79B9_7F4A_7C15 },
  ]

  @Test func scalesFollow() {
    var checks = 0
    for (number, spread) in Self.spreads.enumerated() {
      // One leaf, one that is split, and many; of one first word, of which second words ascend, and of several.
      for size in [1, 2, 40, 80, 81, 300] {
        for firstWords: UInt64 in [1, 3, 1_000] {
          let entries = (0..<UInt64(size)).map {
            Entry(key: Key2($0 * 7 % firstWords, spread($0)), slot: UInt32($0))
          }
          for order in Self.orders(of: entries, seed: UInt64(number * 1_000 + size)) {
            checks += check(order.coming, going: order.going)
          }
        }
      }
    }
    print("codes of leaves: \(checks) checks")
    #expect(checks >= (TestAmount.isFull ? 100_000 : 50_000))
  }

  /// Orders in which entries come and go: from one end, from the other, from both, anyhow.
  private static func orders(of entries: [Entry], seed: UInt64) -> [(coming: [Entry], going: [Entry])] {
    var random = SplitMix(seed: seed)
    let ends = entries.indices.map { entries[$0 % 2 == 0 ? $0 / 2 : entries.count - 1 - $0 / 2] }
    var shuffled = entries
    for index in shuffled.indices { shuffled.swapAt(index, random.below(shuffled.count)) }
    return [
      (entries, entries), (entries, entries.reversed()), (entries.reversed(), ends), (ends, ends.reversed()),
      (shuffled, ends), (shuffled, shuffled.reversed()),
    ]
  }

  /// Puts entries into an index and takes them out, each in a commit of its own or in one of some; how often it was checked.
  private func check(_ coming: [Entry], going: [Entry]) -> Int {
    let heap = PageHeap()
    var index = OrderedIndex<Key2>(shape: KeyShape([.number, .number]))
    var checks = 0
    func change(_ entries: [Entry], _ change: (Entry, inout OrderedIndex<Key2>) -> Void) {
      var pins = VersionPins(generation: 0)
      for (number, entry) in entries.enumerated() {
        if number % 3 == 0 { heap.begin() }
        change(entry, &index)
        // Of many entries, in the short form, behind each fourth.
        if entries.count < 100 || TestAmount.takes(number) {
          let fault = index.fault(ties: NoTies())
          checks += 1
          if let fault { Issue.record("\(fault) behind \(number + 1) of \(entries.count)") }
        }
        if number % 3 == 2 || number == entries.count - 1 {
          heap.finish(replacing: pins)
          pins = VersionPins(generation: heap.generation)
        }
      }
    }
    change(coming) { $1.insert($0.key, slot: $0.slot, heap: heap, ties: NoTies()) }
    change(going) { $1.remove($0.key, slot: $0.slot, heap: heap, ties: NoTies()) }
    #expect(index.isEmpty)
    return checks
  }

  /// Single changes and such of many at once in turn: stretches of entries come and go, by their places between the first and
  /// the last, of which those at the ends lie far out.
  @Test func scalesFollowManyAtOnce() {
    var checks = 0
    for (number, spread) in Self.spreads.enumerated() {
      for firstWords: UInt64 in [1, 3] {
        let entries = (0..<90 as Range<UInt64>).map { Entry(key: Key2($0 % firstWords, spread($0)), slot: UInt32($0)) }
        for seed in 0..<UInt64(TestAmount.of(40)) {
          checks += checkTogether(entries, seed: UInt64(number) << 32 | firstWords << 16 | seed)
        }
      }
    }
    print("codes of leaves that are changed by many entries at once: \(checks) checks")
    #expect(checks >= TestAmount.of(18_000))
  }

  private func checkTogether(_ entries: [Entry], seed: UInt64) -> Int {
    var random = SplitMix(seed: seed)
    let heap = PageHeap()
    var index = OrderedIndex<Key2>(shape: KeyShape([.number, .number]))
    var isIn = entries.map { _ in false }
    /// The entries of a stretch that are in the index, or are not.
    func take(_ most: Int, _ areIn: Bool, _ random: inout SplitMix) -> ContiguousArray<Entry> {
      let start = random.below(entries.count)
      var taken: ContiguousArray<Entry> = []
      for place in start..<min(start + 1 + random.below(most), entries.count) where isIn[place] == areIn {
        taken.append(entries[place])
      }
      return ContiguousArray(taken.sorted { index.precedes($0, $1, ties: NoTies()) })
    }
    for step in 0..<40 {
      heap.begin()
      let most = step % 2 == 0 ? 1 : entries.count
      let what = random.below(3)
      let gone = what == 0 ? [] : take(most, true, &random)
      let new = what == 1 ? [] : take(most, false, &random)
      if most > 1 {
        index.change(removing: gone, adding: new, heap: heap, ties: NoTies())
      } else {
        for entry in gone { index.remove(entry.key, slot: entry.slot, heap: heap, ties: NoTies()) }
        for entry in new { index.insert(entry.key, slot: entry.slot, heap: heap, ties: NoTies()) }
      }
      for entry in gone { isIn[Int(entry.slot)] = false }
      for entry in new { isIn[Int(entry.slot)] = true }
      heap.finish(replacing: VersionPins(generation: 0))
      if let fault = index.fault(ties: NoTies()) { Issue.record("\(fault) behind \(step) of seed \(seed)") }
      #expect(index.count == isIn.count { $0 })
    }
    return 40
  }

  /// An entry at an end goes, which may leave a scale as it is, and then many at once, of which none need lie at an end of it.
  @Test func scalesFollowBehindAnEnd() {
    var checks = 0
    for spread in Self.spreads {
      for size in [40, 70] as [UInt64] {
        let entries = ContiguousArray(
          (0..<size).map { Entry(key: Key2(7, spread($0)), slot: UInt32($0)) }
            .sorted { $0.key[1] < $1.key[1] })
        for first in [0, entries.count - 1] {
          let rest = ContiguousArray(entries.indices.filter { $0 != first }.map { entries[$0] })
          for count in 1..<rest.count {
            for gone in [rest.prefix(count), rest.suffix(count)] {
              let heap = PageHeap()
              heap.begin()
              var index = OrderedIndex.build(entries, shape: KeyShape([.number, .number]), heap: heap)
              index.remove(entries[first].key, slot: entries[first].slot, heap: heap, ties: NoTies())
              index.change(removing: ContiguousArray(gone), adding: [], heap: heap, ties: NoTies())
              #expect(index.fault(ties: NoTies()) == nil && index.count == rest.count - count)
              heap.finish(replacing: VersionPins(generation: 0))
              checks += 1
            }
          }
        }
      }
    }
    print("codes of leaves behind an end: \(checks) checks")
    #expect(checks >= 2_500)
  }
}
