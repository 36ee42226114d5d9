import Testing

@testable import ZoneQuery

/// Marked slots are kept and others not, and all of them given once in order, against a set.
struct SlotMarksTests {
  @Test func againstASet() {
    var random = SplitMix(seed: 11)
    var checks = 0
    for _ in 0..<400 {
      let bound = 1 + random.below(random.below(2) == 0 ? 200 : 5_000)
      let marked = (0..<random.below(300)).map { _ in UInt32(random.below(bound)) }
      let slots = (0..<random.below(300)).map { _ in UInt32(random.below(bound)) }
      var kept = slots
      SlotMarks(marked, below: bound).keep(&kept)
      let set = Set(marked)
      #expect(kept == slots.filter(set.contains))
      var all: [UInt32] = []
      SlotMarks(marked, below: bound).append(to: &all)
      #expect(all == set.sorted())
      checks += slots.count + all.count
    }
    print("marked slots: \(checks) checked")
    #expect(checks >= 40_000)
  }
}
