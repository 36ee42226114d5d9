// An unsafe leaf: reads a posting list group by group. Its invariants are those of `PostingList`.

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
  private var kind = PostingBlock.wide
  /// The next slot in an array, or the next group in a bitmap.
  private var place = 0

  init(_ list: PostingList) {
    self.list = list
    segments = list.segmentCount
    page = nil
    if segments > 0 { enter(0) }
  }

  private mutating func enter(_ index: Int) {
    segment = index
    place = 0
    if index >= segments { return }
    let block = list.segment(index)
    page = block.page
    base = block.base
    count = block.kind == PostingBlock.bitmap ? PostingBlock.groups : block.count
    kind = block.kind
  }

  /// The group of the next slot, to which the reader moves.
  @inline(__always)
  private mutating func peek() -> UInt32? {
    while segment < segments, let page {
      switch kind {
      case PostingBlock.wide:
        if place < count { return page.load(fromByteOffset: place &* 4, as: UInt32.self) >> 8 }
      case PostingBlock.narrow:
        if place < count { return (base &+ UInt32(page.load(fromByteOffset: place &* 2, as: UInt16.self))) >> 8 }
      default:
        while place < count {
          let mask = page.loadUnaligned(fromByteOffset: place &* 32, as: SIMD4<UInt64>.self)
          if mask != .zero { return base >> 8 &+ UInt32(truncatingIfNeeded: place) }
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
    guard let page else { return }
    var place = place
    switch kind {
    case PostingBlock.wide:
      let slots = page.assumingMemoryBound(to: UInt32.self)
      while place < count, slots[place] >> 8 == group {
        mask[Int(slots[place] >> 6 & 3)] |= 1 << UInt64(slots[place] & 63)
        place &+= 1
      }
    case PostingBlock.narrow:
      let differences = page.assumingMemoryBound(to: UInt16.self)
      while place < count {
        let slot = base &+ UInt32(differences[place])
        if slot >> 8 != group { break }
        mask[Int(slot >> 6 & 3)] |= 1 << UInt64(slot & 63)
        place &+= 1
      }
    default:
      mask |= page.loadUnaligned(fromByteOffset: place &* 32, as: SIMD4<UInt64>.self)
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
    guard let page else { return }
    switch kind {
    case PostingBlock.wide: place = PostingMasks.gallop(page.assumingMemoryBound(to: UInt32.self), place, count, slot)
    case PostingBlock.narrow:
      if slot <= base { return }
      if slot - base > 0xFFFF {
        place = count
      } else {
        let difference = UInt16(truncatingIfNeeded: slot &- base)
        place = PostingMasks.gallop(page.assumingMemoryBound(to: UInt16.self), place, count, difference)
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
    if low >= count || values[low] >= value { return low }
    var step = 1
    while low + step < count, values[low + step] < value {
      low += step
      step <<= 1
    }
    // Those up to `low` are below.
    let end = min(low + step, count)
    return low + 1 + PostingBlock.lowerBound(values + low + 1, end - low - 1, value)
  }
}
