import Testing

@testable import ZoneQuery

/// The words of a list's members against a set, for lists around the length from which on they are held apart.
@Suite struct MemberWordsTests {
  @Test func eachComesOnceInOrder() {
    var random = SplitMix(seed: 17)
    var checks = 0
    for count in 0...40 {
      for values in [1, 2, 5, 9, 1_000] {
        for _ in 0..<20 {
          var words = MemberWords()
          var expected: Set<UInt64> = []
          for _ in 0..<count {
            let word = UInt64.max - UInt64(random.below(values))
            words.add(word)
            expected.insert(word)
          }
          var found: [UInt64] = []
          words.forEach { found.append($0) }
          #expect(found == expected.sorted())
          checks += 1
        }
      }
    }
    print("words of list members: \(checks) lists")
    #expect(checks >= 4_000)
  }
}
