import Foundation
import Testing

@testable import ZoneQuery

/// Indexes that are built at once, and those that grow at one end.
@Suite struct OrderedIndexBuildTests {
  /// Sorts, builds and takes apart indexes of several sizes, and returns how many entries were compared.
  private func build<Key: IndexKey>(_ parts: [KeyShape.Component], key: (inout SplitMix) -> Key) -> Int {
    let shape = KeyShape(parts)
    var checks = 0
    for size in [
      0, 1, 4, 5, 63, 64, 65, 143, 144, 145, 180, 300, 520, 2_047, 2_048, 4001, TestAmount.isLong ? 200_000 : 11_000,
    ] {
      for fill in [1, 0.9, 0.6] where TestAmount.isFull || size < 2_000 || fill == 1 {
        var random = SplitMix(seed: UInt64(size))
        var entries = ContiguousArray<IndexEntry<Key>>()
        for slot in 0..<size { entries.append(IndexEntry(key: key(&random), slot: UInt32(slot))) }
        let isShuffled = size % 2 == 1
        if isShuffled { entries.reverse() }
        let index = OrderedIndex<Key>(shape: shape)
        let expected = entries.sorted { index.precedes($0, $1, ties: NoTies()) }
        OrderedIndex<Key>.sort(&entries, shape: shape, ties: NoTies())
        #expect(entries == ContiguousArray(expected))
        let heap = PageHeap()
        heap.begin()
        var built = OrderedIndex.build(entries, shape: shape, fill: fill, heap: heap)
        #expect(built.fault(ties: NoTies()) == nil)
        #expect(built.count == size)
        if fill == 1, size > 1000 {
          let least = Double(size * (8 * Key.wordCount + 4))
          #expect(Double(heap.liveBytes) < 1.25 * least, "\(Double(heap.liveBytes) / least)")
        }
        var found = ContiguousArray<IndexEntry<Key>>()
        built.forEachRun(from: built.start, to: built.end) { run in
          for number in 0..<run.count { found.append(IndexEntry(key: run.key(number), slot: run.slot(number))) }
          return true
        }
        #expect(found == entries)
        checks += 2 * size
        let step = TestAmount.isLong ? 1 : 7
        for entry in stride(from: 0, to: size, by: step).map({ entries[($0 * 31) % size] }) {
          built.remove(entry.key, slot: entry.slot, heap: heap, ties: NoTies())
        }
        #expect(built.fault(ties: NoTies()) == nil)
      }
    }
    return checks
  }

  @Test func builds() {
    var checks = build([.number]) { random in Key1(random.next()) }
    checks += build([.number]) { random in Key1(random.next() & 7) }
    // Long runs that the first digits do not tell apart.
    checks += build([.number]) { random in Key1((random.next() & 3) << 62 | random.next() & 0xFFFFF) }
    checks += build([.number, .number]) { random in Key2(random.next() & 3, random.next() >> 40) }
    checks += build([.number, .number, .number]) { random in Key3(5, random.next() & 3, random.next() & 7) }
    checks += build([.number, .number, .number, .number]) { random in
      Key4(random.next() & 63, 1, random.next() & 3, random.next() & 3)
    }
    print("built indexes: \(checks) entries compared")
    #expect(checks > (TestAmount.isFull ? 400_000 : 280_000))
  }

  @Test func sortsLongTexts() {
    let shape = KeyShape([.text, .number])
    for size in [3, 100, 3000] {
      var random = SplitMix(seed: 5)
      var pool = TextPool()
      var entries = ContiguousArray<IndexEntry<Key3>>()
      for slot in 0..<UInt32(size) {
        let text = [UInt8]("a stem of 16 bytes".utf8) + [UInt8](repeating: 0x62, count: random.below(30))
        pool.set([.text(text)], slot: slot)
        let words = KeyEncoding.words(text)
        entries.append(IndexEntry(key: Key3(words.first, words.second, random.next() & 3), slot: slot))
      }
      let index = OrderedIndex<Key3>(shape: shape)
      let expected = entries.sorted { index.precedes($0, $1, ties: pool) }
      OrderedIndex<Key3>.sort(&entries, shape: shape, ties: pool)
      #expect(entries == ContiguousArray(expected))
      let heap = PageHeap()
      heap.begin()
      #expect(OrderedIndex.build(entries, shape: shape, heap: heap).fault(ties: pool) == nil)
    }
  }

  /// Keys that rise or fall leave leaves full, and whatever end an index shrinks at, it stays sound.
  @Test(arguments: [false, true]) func growsAtOneEnd(isFalling: Bool) {
    let size = TestAmount.isLong ? 300_000 : 12_000
    for order in 0..<3 {
      let heap = PageHeap()
      heap.begin()
      var index = OrderedIndex<Key1>(shape: .number)
      for number in 0..<size {
        let key = Key1(UInt64(isFalling ? size - number : number))
        if !index.insert(key, slot: 1, heap: heap, ties: NoTies()) { Issue.record("key \(number) was there") }
        if number & (number - 1) == 0 { #expect(index.fault(ties: NoTies()) == nil) }
      }
      #expect(index.fault(ties: NoTies()) == nil)
      #expect(Double(heap.liveBytes) < 14 * Double(size))
      for number in 0..<size {
        let place = order == 0 ? 0 : order == 1 ? index.count - 1 : (number * 7919) % index.count
        guard let entry = index.entry(at: index.position(rank: place)) else {
          Issue.record("no entry at \(place)")
          return
        }
        let isRemoved = index.remove(entry.key, slot: entry.slot, heap: heap, ties: NoTies())
        if !isRemoved { Issue.record("an entry was not found") }
        if number % (size / 10) == 0 || index.count < 20 { #expect(index.fault(ties: NoTies()) == nil) }
      }
      #expect(index.isEmpty && heap.liveBytes == 0)
    }
  }

  /// Keys that only rise, or only fall, leave full leaves behind them, however many come at once.
  @Test(arguments: [1, 31, 40, 48, 64, 79, 80, 81, 100, 1_000]) func keysThatRiseOrFall(_ together: Int) {
    for rises in [true, false] {
      let heap = PageHeap()
      var index = OrderedIndex<Key1>(shape: .number)
      var (pins, count) = (VersionPins(generation: heap.generation), 0)
      while count < 12_000 {
        heap.begin()
        let numbers = (count..<count + together).map { rises ? $0 : 1_000_000 - $0 }
        let entries = ContiguousArray(
          numbers.sorted().map { IndexEntry(key: Key1(UInt64($0)), slot: UInt32($0)) })
        index.change(removing: [], adding: entries, heap: heap, ties: NoTies())
        count += together
        let next = VersionPins(generation: heap.generation)
        heap.finish(replacing: pins)
        pins = next
      }
      #expect(index.fault(ties: NoTies()) == nil)
      var pages = 0
      unsafe index.forEachPage { _ in pages += 1 }
      #expect(Double(count) / Double(pages * 80) > 0.93, "\(pages) pages for \(count) entries")
    }
  }
}
