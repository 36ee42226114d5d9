import Testing

@testable import ZoneQuery

struct MinimumHeapTests {
  /// Counts how often any two are compared.
  private struct Counted: Comparable, Sendable {
    static let comparisons = Locked(0)
    let number: Int

    static func < (left: Counted, right: Counted) -> Bool {
      comparisons.withLock { $0 += 1 }
      return left.number < right.number
    }
  }

  /// The least comes first, and each step takes a logarithm of comparisons.
  @Test func theLeastComesFirst() {
    var random = SplitMix(seed: 1)
    var sorted = (0..<500).map { _ in random.below(1_000) }.sorted()
    var heap = MinimumHeap(ascending: sorted.map(Counted.init))
    for step in 0..<3_000 {
      let before = Counted.comparisons.withLock { $0 }
      if random.below(2) == 0 {
        let number = random.below(1_000)
        heap.insert(Counted(number: number))
        sorted.insert(number, at: sorted.firstIndex { $0 >= number } ?? sorted.count)
      } else {
        let least = sorted.isEmpty ? nil : sorted.removeFirst()
        #expect(heap.minimum?.number == least && heap.removeMinimum()?.number == least, "step \(step)")
      }
      let comparisons = Counted.comparisons.withLock { $0 } - before
      #expect(comparisons <= 2 * (Int.bitWidth - sorted.count.leadingZeroBitCount + 1))
    }
    while let least = heap.removeMinimum() { #expect(least.number == sorted.removeFirst()) }
    #expect(sorted.isEmpty && heap.minimum == nil && heap.removeMinimum() == nil)
  }
}
