/// Distinct tokens in order of first appearance, all in one buffer.
///
/// Invariant: token `n` is `bytes[ends[n - 1]..<ends[n]]`; each token has its number, counted from 1, in one
/// slot of `slots`, at or behind the one its hash names, with no free slot between; or `slots` is empty and the
/// tokens are few enough to be compared one by one. The hash is seeded for each process, so that nobody can
/// choose tokens that collide.
///
/// Complexity: an insertion is linear in the token, on average.
struct DistinctTokens {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var slots: [Int] = []

  private static let fewest = 8
  private static let hash = ByteHash.random()

  /// Adds `token` where it is new, and tells whether it was.
  @discardableResult
  mutating func insert(_ token: Span<UInt8>) -> Bool {
    if slots.isEmpty {
      for number in ends.indices where isToken(number, equalTo: token) { return false }
      append(token)
      if ends.count > Self.fewest { rehash(into: 8 * Self.fewest) }
      return true
    }
    var slot = place(of: token, in: slots.count)
    while slots[slot] != 0 {
      if isToken(slots[slot] - 1, equalTo: token) { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    append(token)
    slots[slot] = ends.count
    if 2 * ends.count > slots.count { rehash(into: 4 * slots.count) }
    return true
  }

  /// The tokens, each given to `transform` as its bytes.
  func map<Result>(_ transform: (ArraySlice<UInt8>) -> Result) -> [Result] {
    ends.indices.map { transform(bytes[range(of: $0)]) }
  }

  private func range(of number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  private func isToken(_ number: Int, equalTo token: Span<UInt8>) -> Bool {
    let range = range(of: number)
    guard range.count == token.count else { return false }
    for index in token.indices where bytes[range.lowerBound &+ index] != token[index] { return false }
    return true
  }

  /// The slot, of `count`, that the hash of a token names.
  private func place(of token: Span<UInt8>, in count: Int) -> Int {
    Int(truncatingIfNeeded: Self.hash.hash(token)) & (count - 1)
  }

  private mutating func append(_ token: Span<UInt8>) {
    for index in token.indices { bytes.append(token[index]) }
    ends.append(bytes.count)
  }

  private mutating func rehash(into count: Int) {
    slots = [Int](repeating: 0, count: count)
    for number in ends.indices {
      var slot = place(of: bytes.span.extracting(range(of: number)), in: count)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = number + 1
    }
  }
}
