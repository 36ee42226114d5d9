/// Which kinds of keys are in use, by field and level, so that a record asks only for those.
struct AccessUses {
  /// For each group, and each level in it, how many there are.
  private var counts: [Int32] = []
  private(set) var levels: [UInt64] = []
  /// The groups of field and kind that are in use, ascending.
  private(set) var active: [UInt32] = []

  mutating func add(_ use: AccessUse) {
    let group = use.group
    while levels.count <= group {
      counts += repeatElement(0, count: AccessUse.levelCount)
      levels.append(0)
    }
    let place = group * AccessUse.levelCount + use.level
    counts[place] += 1
    if counts[place] == 1 {
      if levels[group] == 0 {
        let index = active.firstIndex { $0 > group } ?? active.count
        active.insert(UInt32(group), at: index)
      }
      levels[group] |= 1 << UInt64(use.level)
    }
  }

  mutating func remove(_ use: AccessUse) {
    let group = use.group
    let place = group * AccessUse.levelCount + use.level
    counts[place] -= 1
    if counts[place] == 0 {
      levels[group] &= ~(1 << UInt64(use.level))
      if levels[group] == 0 { active.removeAll { $0 == UInt32(group) } }
    }
  }
}
