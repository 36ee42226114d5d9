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
    #expect(checks >= 100_000)
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
        let fault = index.fault(ties: NoTies())
        checks += 1
        if let fault { Issue.record("\(fault) behind \(number + 1) of \(entries.count)") }
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
}
