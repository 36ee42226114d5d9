/// Which kinds of keys are in use, by field and level, so that a record asks only for those.
struct AccessUses {
  private var counts: [[Int32]] = []
  private(set) var levels: [UInt64] = []
  /// The groups of field and kind that are in use, ascending.
  private(set) var active: [UInt32] = []

  mutating func add(_ use: AccessUse) {
    let group = use.group
    while counts.count <= group {
      counts.append([])
      levels.append(0)
    }
    if counts[group].isEmpty { counts[group] = [Int32](repeating: 0, count: AccessUse.levelCount) }
    counts[group][use.level] += 1
    if counts[group][use.level] == 1 {
      if levels[group] == 0 {
        let index = active.firstIndex { $0 > group } ?? active.count
        active.insert(UInt32(group), at: index)
      }
      levels[group] |= 1 << UInt64(use.level)
    }
  }

  mutating func remove(_ use: AccessUse) {
    let group = use.group
    counts[group][use.level] -= 1
    if counts[group][use.level] == 0 {
      levels[group] &= ~(1 << UInt64(use.level))
      if levels[group] == 0 { active.removeAll { $0 == UInt32(group) } }
    }
  }
}
