import Testing

@testable import ZoneQuery

/// What lists of intervals have in common and what lies in any of them, against sets of small numbers.
struct IntervalSetTests {
  private static let numbers: Range<UInt64> = 0..<24

  private static func interval(_ samples: inout SplitMix) -> ValueInterval {
    let first = UInt64(samples.below(24))
    switch samples.below(8) {
    case 0: return ValueInterval(word: 0, through: first)
    case 1: return ValueInterval(word: first, through: .max)
    case 2, 3: return ValueInterval(word: first, through: first)
    default: return ValueInterval(word: first, through: first + UInt64(samples.below(5)))
    }
  }

  private static func members(_ intervals: [ValueInterval]) -> [UInt64] {
    numbers.filter { number in
      let place = ValueInterval.End(first: number, isAfter: false)
      return intervals.contains { interval in
        !(interval.lower.map { place.isBefore($0) } ?? false) && interval.upper.map { place.isBefore($0) } ?? true
      }
    }
  }

  private static func areApart(_ intervals: [ValueInterval]) -> Bool {
    zip(intervals, intervals.dropFirst()).allSatisfy { left, right in
      if let upper = left.upper, let lower = right.lower { upper.isBefore(lower) } else { false }
    }
  }

  @Test func commonAndUnion() {
    var samples = SplitMix(seed: 5)
    var checks = 0
    for _ in 0..<2_000 {
      let lists = (0..<2).map { _ in (0..<samples.below(5)).map { _ in Self.interval(&samples) } }
      let unions = lists.map { ValueInterval.union($0) }
      let common = ValueInterval.common(unions[0], unions[1])
      let members = lists.map(Self.members)
      for (union, members) in zip(unions, members) {
        #expect(Self.members(union) == members && Self.areApart(union))
      }
      #expect(Self.members(common) == members[0].filter(members[1].contains) && Self.areApart(common))
      for interval in unions[0] + common {
        #expect(!interval.isEmpty && (!interval.isPoint || Self.members([interval]).count == 1))
      }
      checks += 3
    }
    print("intervals: \(checks) checks")
    #expect(checks == 6_000)
  }
}
