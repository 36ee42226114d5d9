/// The distinct tokens of one record, looked up by hash and bytes.
///
/// Invariant: token `n` is `bytes[ends[n - 1]..<ends[n]]` with hash `hashes[n]`; each token's number, counted from 1, is
/// in one slot of `slots`, at or behind the one its hash names, with no free slot between. Complexity: an insertion and
/// a look-up are linear in the token, on average.
struct TokenSet {
  private(set) var hashes: [UInt64] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var slots: [UInt32] = []

  mutating func removeAll() {
    if hashes.isEmpty { return }
    hashes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  mutating func insert(_ token: Span<UInt8>, hash: UInt64) {
    if 2 * (hashes.count + 1) > slots.count { rehash(into: max(64, 4 * slots.count)) }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if isToken(Int(slots[slot]) - 1, token, hash) { return }
      slot = (slot + 1) & (slots.count - 1)
    }
    for index in token.indices { bytes.append(token[index]) }
    ends.append(bytes.count)
    hashes.append(hash)
    slots[slot] = UInt32(truncatingIfNeeded: hashes.count)
  }

  func contains(_ token: Span<UInt8>, hash: UInt64) -> Bool {
    if slots.isEmpty { return false }
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if isToken(Int(slots[slot]) - 1, token, hash) { return true }
      slot = (slot + 1) & (slots.count - 1)
    }
    return false
  }

  private func isToken(_ number: Int, _ token: Span<UInt8>, _ hash: UInt64) -> Bool {
    guard hashes[number] == hash else { return false }
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == token.count else { return false }
    for index in token.indices where bytes[start &+ index] != token[index] { return false }
    return true
  }

  private mutating func rehash(into count: Int) {
    slots = [UInt32](repeating: 0, count: count)
    for number in hashes.indices {
      var slot = Int(truncatingIfNeeded: hashes[number]) & (count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
  }
}
