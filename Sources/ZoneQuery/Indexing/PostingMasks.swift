// An unsafe leaf: reads a posting list group by group. Its invariants are those of `PostingList`; groups and masks are
// written to arrays with a place for each group up to the last slot's, or for each slot if these are fewer.

/// The slots of a list as masks of groups of 256 slots, in ascending order.
///
/// Complexity: constant for a group, and for each slot that does not lie in a bitmap.
@safe
struct PostingMasks {
  private let list: PostingList
  private let segments: Int
  private var segment = 0
  @unsafe private var page: UnsafeMutableRawPointer?
  private var base: UInt32 = 0
  private var count = 0
  private var kind = unsafe PostingBlock.wide
  /// The next slot in an array, or the next group in a bitmap.
  private var place = 0

  init(_ list: PostingList) {
    self.list = list
    segments = list.segmentCount
    unsafe page = nil
    if segments > 0 { enter(0) }
  }

  private mutating func enter(_ index: Int) {
    segment = index
    place = 0
    if index >= segments { return }
    let block = unsafe list.segment(index)
    unsafe page = unsafe block.page
    base = unsafe block.base
    count = unsafe block.kind == PostingBlock.bitmap ? PostingBlock.groups : block.count
    kind = unsafe block.kind
  }

  /// The group of the next slot, to which the reader moves.
  @inline(__always)
  private mutating func peek() -> UInt32? {
    while segment < segments, let page = unsafe page {
      switch kind {
      case unsafe PostingBlock.wide:
        if place < count { return unsafe page.load(fromByteOffset: place &* 4, as: UInt32.self) >> 8 }
      case unsafe PostingBlock.narrow:
        if place < count { return unsafe (base &+ UInt32(page.load(fromByteOffset: place &* 2, as: UInt16.self))) >> 8 }
      default:
        while place < count {
          let mask = unsafe page.loadUnaligned(fromByteOffset: place &* 32, as: SIMD4<UInt64>.self)
          if !mask.isEmpty { return base >> 8 &+ UInt32(truncatingIfNeeded: place) }
          place &+= 1
        }
      }
      enter(segment + 1)
    }
    return nil
  }

  /// Adds to a mask what the segment, which begins with the group, has of it.
  @inline(__always)
  private mutating func take(_ group: UInt32, _ mask: inout SIMD4<UInt64>) {
    guard let page = unsafe page else { return }
    var place = place
    switch kind {
    case unsafe PostingBlock.wide:
      let slots = unsafe page.assumingMemoryBound(to: UInt32.self)
      var words = GroupWords()
      while place < count, unsafe slots[place] >> 8 == group {
        unsafe words.insert(slots[place])
        place &+= 1
      }
      mask |= words.mask
    case unsafe PostingBlock.narrow:
      let differences = unsafe page.assumingMemoryBound(to: UInt16.self)
      var words = GroupWords()
      while place < count {
        let slot = unsafe base &+ UInt32(differences[place])
        if slot >> 8 != group { break }
        words.insert(slot)
        place &+= 1
      }
      mask |= words.mask
    default:
      unsafe mask |= page.loadUnaligned(fromByteOffset: place &* 32, as: SIMD4<UInt64>.self)
      place &+= 1
    }
    self.place = place
  }

  /// The next group with a slot in it.
  @inline(__always)
  mutating func next() -> (group: UInt32, mask: SIMD4<UInt64>)? {
    guard let group = peek() else { return nil }
    var mask = SIMD4<UInt64>.zero
    take(group, &mask)
    // A group may lie in several segments, and that after a bitmap may begin before all of its groups are through.
    while peek() == group { take(group, &mask) }
    return (group, mask)
  }

  /// The slots of a group, which must not be below one that was read.
  @inline(__always)
  mutating func mask(of group: UInt32) -> SIMD4<UInt64> {
    var mask = SIMD4<UInt64>.zero
    seek(group)
    while peek() == group { take(group, &mask) }
    return mask
  }

  /// Moves to the first slot of a group, or behind it; never back.
  @inline(__always)
  mutating func seek(_ group: UInt32) {
    let slot = group << 8
    if segment >= segments { return }
    let target = list.segment(of: slot, from: segment)
    if target > segment { enter(target) }
    guard let page = unsafe page else { return }
    switch kind {
    case unsafe PostingBlock.wide:
      place = unsafe PostingMasks.gallop(page.assumingMemoryBound(to: UInt32.self), place, count, slot)
    case unsafe PostingBlock.narrow:
      if slot <= base { return }
      if slot - base > 0xFFFF {
        place = count
      } else {
        let difference = UInt16(truncatingIfNeeded: slot &- base)
        place = unsafe PostingMasks.gallop(page.assumingMemoryBound(to: UInt16.self), place, count, difference)
      }
    default:
      let first = base >> 8
      if group > first { place = max(place, min(count, Int(group &- first))) }
    }
  }

  /// The least place from `start` on whose value is not below `value`.
  @inline(__always)
  static func gallop<Value: FixedWidthInteger>(
    _ values: UnsafeMutablePointer<Value>, _ start: Int, _ count: Int, _ value: Value
  ) -> Int {
    var low = start
    if unsafe low >= count || values[low] >= value { return low }
    var step = 1
    while low + step < count, unsafe values[low + step] < value {
      low += step
      step <<= 1
    }
    // Those up to `low` are below.
    let end = min(low + step, count)
    return unsafe low + 1 + SortedRun.lower(values + low + 1, 0, end - low - 1, value)
  }
}

/// The bits of a group as they are gathered one by one: in four variables, as a vector would be written to memory and
/// read again for each.
struct GroupWords {
  private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  @inline(__always)
  mutating func insert(_ slot: UInt32) {
    let bit = 1 &<< UInt64(slot & 63)
    let word = slot &>> 6 & 3
    a |= word == 0 ? bit : 0
    b |= word == 1 ? bit : 0
    c |= word == 2 ? bit : 0
    d |= word == 3 ? bit : 0
  }

  var mask: SIMD4<UInt64> { SIMD4(a, b, c, d) }
}

extension PostingList {
  /// The groups that have any slots, in ascending order, and their masks.
  ///
  /// - Complexity: linear in the groups, and in the slots that do not lie in bitmaps.
  var groupMasks: (groups: [UInt32], masks: [SIMD4<UInt64>]) {
    guard let last else { return ([], []) }
    var masks = [SIMD4<UInt64>](repeating: .zero, count: min(count, Int(last >> 8) + 1))
    let groups = unsafe [UInt32](unsafeUninitializedCapacity: masks.count) { groups, used in
      unsafe masks.withUnsafeMutableBytes { words in
        guard let groups = groups.baseAddress, let words = words.baseAddress else { return }
        used = unsafe writeMasks(groups, words.assumingMemoryBound(to: UInt64.self))
      }
    }
    masks.removeLast(masks.count - groups.count)
    return (groups, masks)
  }

  /// Writes groups and, to words that are zero, their masks; returns how many groups there are.
  private func writeMasks(_ groups: UnsafeMutablePointer<UInt32>, _ words: UnsafeMutablePointer<UInt64>) -> Int {
    var place = -1
    var group = UInt32.max
    for index in 0..<segmentCount {
      let block = unsafe segment(index)
      switch unsafe block.kind {
      case unsafe PostingBlock.wide:
        var at = 0
        while unsafe at < block.count {
          unsafe PostingList.add(block.wideSlots[at], &group, &place, groups, words)
          at &+= 1
        }
      case unsafe PostingBlock.narrow:
        let differences = unsafe block.differences
        var at = 0
        while unsafe at < block.count {
          unsafe PostingList.add(block.base &+ UInt32(differences[at]), &group, &place, groups, words)
          at &+= 1
        }
      default:
        for number in unsafe 0..<PostingBlock.groups {
          let mask = unsafe block.page.loadUnaligned(fromByteOffset: number &* 32, as: SIMD4<UInt64>.self)
          if mask.isEmpty { continue }
          let next = unsafe block.base >> 8 &+ UInt32(truncatingIfNeeded: number)
          if next != group { place &+= 1 }
          group = next
          unsafe groups[place] = group
          let target = unsafe words + place &* 4
          unsafe target[0] |= mask.x
          unsafe target[1] |= mask.y
          unsafe target[2] |= mask.z
          unsafe target[3] |= mask.w
        }
      }
    }
    return place + 1
  }

  /// Sets the bit of a slot in its group's mask, the last or a new one, without asking which.
  @inline(__always)
  private static func add(
    _ slot: UInt32, _ group: inout UInt32, _ place: inout Int, _ groups: UnsafeMutablePointer<UInt32>,
    _ words: UnsafeMutablePointer<UInt64>
  ) {
    let next = slot &>> 8
    place &+= SortedRun.bit(next != group)
    group = next
    unsafe groups[place] = next
    unsafe words[place &* 4 &+ Int(slot &>> 6 & 3)] |= 1 &<< UInt64(slot & 63)
  }
}

extension SIMD4<UInt64> {
  /// Whether no bit is set: the vectors' own comparison goes through memory, lane by lane.
  @inline(__always)
  var isEmpty: Bool { x | y | z | w == 0 }
}
