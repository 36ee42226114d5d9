/// A set of slots as masks of the groups of 256 slots that have any: what set operations on lists, ranges and rows meet
/// in.
///
/// Invariant: `groups` ascends, and no mask is empty. Complexity: the operations are linear in the groups of both sides
/// and in the slots of a list that do not lie in bitmaps; `formIntersection` with a list seeks in it.
struct GroupMasks: Sendable {
  private(set) var groups: [UInt32] = []
  private(set) var masks: [SIMD4<UInt64>] = []

  /// The set of no slots.
  init() {}

  /// The slots of a list.
  init(_ list: PostingList) {
    (groups, masks) = list.groupMasks
  }

  /// Slots in ascending order.
  init(ascending slots: Span<UInt32>) {
    var index = 0
    while index < slots.count {
      let group = slots[index] >> 8
      var words = GroupWords()
      while index < slots.count, slots[index] >> 8 == group {
        words.insert(slots[index])
        index += 1
      }
      append(group, words.mask)
    }
  }

  /// Adds the slots of a group behind all others.
  @inline(__always)
  mutating func append(_ group: UInt32, _ mask: SIMD4<UInt64>) {
    if mask.isEmpty { return }
    groups.append(group)
    masks.append(mask)
  }

  // MARK: Asking

  var isEmpty: Bool { groups.isEmpty }

  /// How many slots there are.
  var count: Int {
    var sum = 0
    for mask in masks {
      sum &+= mask.x.nonzeroBitCount &+ mask.y.nonzeroBitCount &+ mask.z.nonzeroBitCount &+ mask.w.nonzeroBitCount
    }
    return sum
  }

  /// The least bit of a mask that has any.
  static func lowest(_ mask: SIMD4<UInt64>) -> UInt32 {
    var word = 0
    while word < 3, mask[word] == 0 { word += 1 }
    return UInt32(word * 64 + mask[word].trailingZeroBitCount)
  }

  /// Calls `body` with each slot in order, until it returns false.
  @inline(__always)
  func forEachSlot(_ body: (UInt32) -> Bool) {
    for index in groups.indices {
      let first = groups[index] << 8
      let mask = masks[index]
      for word in 0..<4 {
        var bits = mask[word]
        while bits != 0 {
          if !body(first | UInt32(word * 64 + bits.trailingZeroBitCount)) { return }
          bits &= bits &- 1
        }
      }
    }
  }

  /// The slots in order.
  var slots: [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(count)
    forEachSlot {
      result.append($0)
      return true
    }
    return result
  }

  // MARK: Set operations

  /// Keeps the slots that are in a list too.
  mutating func formIntersection(_ list: PostingList) {
    var reader = PostingMasks(list)
    keep { group, mask in mask & reader.mask(of: group) }
  }

  /// Leaves out the slots that are in a list.
  mutating func subtract(_ list: PostingList) {
    var reader = PostingMasks(list)
    keep { group, mask in mask & ~reader.mask(of: group) }
  }

  mutating func formIntersection(_ other: GroupMasks) {
    var place = 0
    keep { group, mask in
      while place < other.groups.count, other.groups[place] < group { place += 1 }
      return place < other.groups.count && other.groups[place] == group ? mask & other.masks[place] : .zero
    }
  }

  mutating func subtract(_ other: GroupMasks) {
    var place = 0
    keep { group, mask in
      while place < other.groups.count, other.groups[place] < group { place += 1 }
      return place < other.groups.count && other.groups[place] == group ? mask & ~other.masks[place] : mask
    }
  }

  /// Puts what `change` makes of each group's slots in their place.
  @inline(__always)
  mutating func keep(_ change: (UInt32, SIMD4<UInt64>) -> SIMD4<UInt64>) {
    var kept = 0
    for index in groups.indices {
      let group = groups[index]
      let mask = change(group, masks[index])
      if mask.isEmpty { continue }
      groups[kept] = group
      masks[kept] = mask
      kept += 1
    }
    groups.removeLast(groups.count - kept)
    masks.removeLast(masks.count - kept)
  }

  mutating func formUnion(_ other: GroupMasks) {
    if isEmpty {
      self = other
      return
    }
    var result = GroupMasks()
    result.groups.reserveCapacity(groups.count + other.groups.count)
    result.masks.reserveCapacity(groups.count + other.groups.count)
    var (left, right) = (0, 0)
    while left < groups.count || right < other.groups.count {
      let a = left < groups.count ? groups[left] : .max
      let b = right < other.groups.count ? other.groups[right] : .max
      var mask = SIMD4<UInt64>.zero
      if a <= b {
        mask |= masks[left]
        left += 1
      }
      if b <= a {
        mask |= other.masks[right]
        right += 1
      }
      result.append(min(a, b), mask)
    }
    self = result
  }

  /// The slots that are in any of some lists.
  ///
  /// Complexity: linear in the lists' slots and groups, times the logarithm of their number.
  static func union(_ lists: [PostingList]) -> GroupMasks {
    var sets = lists.map { GroupMasks($0) }
    while sets.count > 1 {
      var joined: [GroupMasks] = []
      for index in stride(from: 0, to: sets.count, by: 2) {
        var set = sets[index]
        if index + 1 < sets.count { set.formUnion(sets[index + 1]) }
        joined.append(set)
      }
      sets = joined
    }
    return sets.first ?? GroupMasks()
  }

  /// The slots that are in all of some lists, the shortest leading.
  static func intersection(_ lists: [PostingList]) -> GroupMasks {
    let sorted = lists.sorted { $0.count < $1.count }
    guard let first = sorted.first, let last = first.last else { return GroupMasks() }
    // Where bitmaps pay, by group; else by slot.
    guard sorted.count == 1 || first.count >> 4 > Int(last >> 8) else {
      var slots: [UInt32] = []
      PostingList.intersection(sorted, into: &slots)
      return GroupMasks(ascending: slots.span)
    }
    var set = GroupMasks(first)
    for list in sorted.dropFirst() where !set.isEmpty { set.formIntersection(list) }
    return set
  }
}

extension GroupMasks {
  /// Appends the slots in order.
  func append(to slots: inout [UInt32]) {
    forEachSlot {
      slots.append($0)
      return true
    }
  }
}
