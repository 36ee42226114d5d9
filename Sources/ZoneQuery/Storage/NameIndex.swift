/// The slots of records by their names: a hash table with open addressing and linear probing.
///
/// Invariant: a record's slot stands at the first free place on or after its home, with no free place between; a
/// removal moves later ones back, so there are no tombstones. An entry is a 32-bit fingerprint of the name's hash and
/// the slot plus one; 0 is free. The hash is Swift's seeded SipHash over the bytes, so that no one can choose names
/// that collide. Complexity: constant on average; at most three quarters of the places are taken.
struct NameIndex: Sendable {
  private var entries = Paged<UInt64>(repeating: 0, count: 8)
  private(set) var count = 0

  init() {}

  private var mask: Int { entries.count - 1 }

  static func hash(_ name: Span<UInt8>) -> UInt64 {
    var hasher = Hasher()
    var word: UInt64 = 0
    for index in name.indices {
      word = word << 8 | UInt64(name[index])
      if index & 7 == 7 {
        hasher.combine(word)
        word = 0
      }
    }
    hasher.combine(word)
    hasher.combine(name.count)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private static func fingerprint(_ hash: UInt64) -> UInt64 { hash & 0xFFFF_FFFF_0000_0000 }

  /// The slot of a name with this hash for which `isName` says yes.
  func slot(_ hash: UInt64, where isName: (Int) -> Bool) -> Int? {
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = entries[place]
      if entry == 0 { return nil }
      if NameIndex.fingerprint(entry) == NameIndex.fingerprint(hash) {
        let slot = Int(entry & 0xFFFF_FFFF) - 1
        if isName(slot) { return slot }
      }
      place = (place + 1) & mask
    }
  }

  /// Adds a slot whose name is not in the index; `hashOf` gives the hashes of those that are.
  mutating func insert(_ hash: UInt64, _ slot: Int, hashOf: (Int) -> UInt64) {
    if (count + 1) * 4 > entries.count * 3 { grow(hashOf) }
    put(hash, slot)
    count += 1
  }

  private mutating func put(_ hash: UInt64, _ slot: Int) {
    var place = Int(truncatingIfNeeded: hash) & mask
    while entries[place] != 0 { place = (place + 1) & mask }
    entries[place] = NameIndex.fingerprint(hash) | UInt64(slot + 1)
  }

  private mutating func grow(_ hashOf: (Int) -> UInt64) {
    let old = entries
    entries = Paged(repeating: 0, count: old.count * 2)
    for place in 0..<old.count where old[place] != 0 {
      let slot = Int(old[place] & 0xFFFF_FFFF) - 1
      put(hashOf(slot), slot)
    }
  }

  /// Removes a slot that is in the index.
  mutating func remove(_ hash: UInt64, _ slot: Int, hashOf: (Int) -> UInt64) {
    var hole = Int(truncatingIfNeeded: hash) & mask
    while entries[hole] & 0xFFFF_FFFF != UInt64(slot + 1) {
      if entries[hole] == 0 { return }
      hole = (hole + 1) & mask
    }
    entries[hole] = 0
    count -= 1
    var place = (hole + 1) & mask
    while entries[place] != 0 {
      let home = Int(truncatingIfNeeded: hashOf(Int(entries[place] & 0xFFFF_FFFF) - 1)) & mask
      // The entry may fill the hole unless its home lies behind the hole.
      if (place - home) & mask >= (place - hole) & mask {
        entries[hole] = entries[place]
        entries[place] = 0
        hole = place
      }
      place = (place + 1) & mask
    }
  }
}
