import Testing

@testable import PredicateSyntax

@Suite struct EditDistanceTests {
  /// The distance by its definition, without a bound.
  private func plain(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    guard let first = left.first, let other = right.first else { return left.count + right.count }
    let (behind, beyond) = (left.dropFirst(), right.dropFirst())
    if first == other { return plain(behind, beyond) }
    var least = min(plain(behind, beyond), plain(behind, right), plain(left, beyond))
    if behind.first == other, beyond.first == first {
      least = min(least, plain(behind.dropFirst(), beyond.dropFirst()))
    }
    return 1 + least
  }

  @Test func agreesWithItsDefinition() {
    var random = SeededGenerator(seed: 1_974)
    var checks = 0
    for _ in 0..<600 {
      let (left, right) = (0..<2).reduce(into: ([UInt8](), [UInt8]())) { words, _ in
        words = (words.1, (0..<random.below(6)).map { _ in UInt8(97 + random.below(3)) })
      }
      let distance = plain(left[...], right[...])
      for most in 0...8 {
        #expect(EditDistance.between(left, right, most: most) == (distance <= most ? distance : nil))
        checks += 1
      }
    }
    // Neighbours that changed places are one slip.
    #expect(EditDistance.between(Array("nmae".utf8), Array("name".utf8), most: 1) == 1)
    print("edit distances: \(checks) checks")
    #expect(checks >= 5_000)
  }
}
