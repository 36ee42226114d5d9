// An unsafe leaf: a piece of a posting list, of up to 992 bytes: a page of 1 KB with its header.
//
// Invariants: a block's slots ascend. `wide`: up to 248 slots. `narrow`: up to 496 differences from `base`, of 16 bits.
// `bitmap`: the bits of the 7936 slots from `base` on, a multiple of 256, of which `count` are set. `base` is not above
// the first slot. The places of a page behind `count` are looked at by nobody.
// Source: S. Chambi, D. Lemire, O. Kaser, R. Godin, Better bitmap performance with Roaring bitmaps, Software: Practice
// and Experience 46 (2016): arrays and bitmaps meet where they are of one size.

/// A piece of a posting list.
@unsafe
struct PostingBlock {
  var page: UnsafeMutableRawPointer
  var base: UInt32
  private var storedCount: UInt16
  private var storedKind: UInt16

  static let wide: UInt16 = 0
  static let narrow: UInt16 = 1
  static let bitmap: UInt16 = 2

  static let bytes = 992
  static let mostWide = 248
  static let mostNarrow = 496
  /// The slots and the groups of 256 slots that a bitmap covers.
  static let slots: UInt32 = 7936
  static let groups = 31
  /// The words of a bitmap.
  static let words = 124

  @inline(__always)
  init(page: UnsafeMutableRawPointer, base: UInt32, count: Int, kind: UInt16) {
    self.page = page
    self.base = base
    storedCount = UInt16(truncatingIfNeeded: count)
    storedKind = kind
  }

  @inline(__always)
  var count: Int {
    get { Int(storedCount) }
    set { storedCount = UInt16(truncatingIfNeeded: newValue) }
  }
  @inline(__always)
  var kind: UInt16 { storedKind }

  @inline(__always)
  var wideSlots: UnsafeMutablePointer<UInt32> { page.assumingMemoryBound(to: UInt32.self) }
  @inline(__always)
  var differences: UnsafeMutablePointer<UInt16> { page.assumingMemoryBound(to: UInt16.self) }
  @inline(__always)
  var bits: UnsafeMutablePointer<UInt64> { page.assumingMemoryBound(to: UInt64.self) }

  var usedBytes: Int {
    switch kind {
    case PostingBlock.wide: count * 4
    case PostingBlock.narrow: count * 2
    default: PostingBlock.bytes
    }
  }

  /// The greatest slot.
  var last: UInt32 {
    switch kind {
    case PostingBlock.wide: return wideSlots[count - 1]
    case PostingBlock.narrow: return base + UInt32(differences[count - 1])
    default:
      var word = PostingBlock.words - 1
      while word > 0, bits[word] == 0 { word -= 1 }
      return base + UInt32(word * 64 + 63 - bits[word].leadingZeroBitCount)
    }
  }

  /// Whether the block is a bitmap that has a place for a slot.
  @inline(__always)
  func covers(_ slot: UInt32) -> Bool {
    kind == PostingBlock.bitmap && slot >= base && slot - base < PostingBlock.slots
  }

  func contains(_ slot: UInt32) -> Bool {
    switch kind {
    case PostingBlock.wide:
      let index = PostingBlock.lowerBound(wideSlots, count, slot)
      return index < count && wideSlots[index] == slot
    case PostingBlock.narrow:
      guard slot >= base, slot - base <= 0xFFFF else { return false }
      let difference = UInt16(slot - base)
      let index = PostingBlock.lowerBound(differences, count, difference)
      return index < count && differences[index] == difference
    default:
      guard covers(slot) else { return false }
      let place = Int(slot - base)
      return bits[place >> 6] >> UInt64(place & 63) & 1 == 1
    }
  }

  /// The least index whose value is not below `value`.
  @inline(__always)
  static func lowerBound<Value: FixedWidthInteger>(_ values: UnsafePointer<Value>, _ count: Int, _ value: Value) -> Int
  {
    var base = 0
    var rest = count
    while rest > 1 {
      let half = rest >> 1
      let isBelow = Int(truncatingIfNeeded: unsafeBitCast(values[base + half - 1] < value, to: UInt8.self))
      base += half & (0 &- isBelow)
      rest -= half
    }
    if rest == 1, values[base] < value { base += 1 }
    return base
  }

  @inline(__always)
  static func lowerBound<Value: FixedWidthInteger>(
    _ values: UnsafeMutablePointer<Value>, _ count: Int, _ value: Value
  ) -> Int {
    lowerBound(UnsafePointer(values), count, value)
  }

  /// Writes the slots of the block to `target`, which has places for `count`.
  @inline(__always)
  func decode(to target: UnsafeMutablePointer<UInt32>) {
    switch kind {
    case PostingBlock.wide: target.update(from: wideSlots, count: count)
    case PostingBlock.narrow:
      let differences = differences
      var index = 0
      while index < count {
        target[index] = base &+ UInt32(differences[index])
        index &+= 1
      }
    default: _ = PostingBlock.decode(bits, words: 0..<PostingBlock.words, base: base, to: target)
    }
  }

  /// Writes the slots of some words of a bitmap to `target`; returns how many.
  @inline(__always)
  static func decode(
    _ bits: UnsafePointer<UInt64>, words: Range<Int>, base: UInt32, to target: UnsafeMutablePointer<UInt32>
  ) -> Int {
    var count = 0
    var index = words.lowerBound
    while index < words.upperBound {
      var word = bits[index]
      let first = base &+ UInt32(truncatingIfNeeded: index &* 64)
      while word != 0 {
        target[count] = first &+ UInt32(truncatingIfNeeded: word.trailingZeroBitCount)
        count &+= 1
        word &= word &- 1
      }
      index &+= 1
    }
    return count
  }

  @inline(__always)
  static func decode(
    _ bits: UnsafeMutablePointer<UInt64>, words: Range<Int>, base: UInt32, to target: UnsafeMutablePointer<UInt32>
  ) -> Int {
    decode(UnsafePointer(bits), words: words, base: base, to: target)
  }

  // MARK: New blocks

  /// A block of slots of the kind that is smallest: more than an array holds lie as near as a bitmap has places, and
  /// more than `mostWide` within 16 bits.
  static func block(_ slots: UnsafePointer<UInt32>, _ count: Int, _ heap: PageHeap) -> PostingBlock {
    let (first, last) = (slots[0], slots[count - 1])
    if count > mostNarrow {
      let base = first & ~255
      let page = heap.allocate(bytes)
      let block = PostingBlock(page: page, base: base, count: count, kind: bitmap)
      block.bits.update(repeating: 0, count: words)
      block.set(slots, count)
      return block
    }
    if last - first <= 0xFFFF {
      let page = heap.allocate(count * 2)
      let block = PostingBlock(page: page, base: first, count: count, kind: narrow)
      var index = 0
      while index < count {
        block.differences[index] = UInt16(truncatingIfNeeded: slots[index] &- first)
        index &+= 1
      }
      return block
    }
    let page = heap.allocate(count * 4)
    page.copyMemory(from: slots, byteCount: count * 4)
    return PostingBlock(page: page, base: first, count: count, kind: wide)
  }

  /// Sets the bits of slots that a bitmap covers.
  func set(_ slots: UnsafePointer<UInt32>, _ count: Int) {
    let bits = bits
    var index = 0
    while index < count {
      let place = Int(slots[index] &- base)
      bits[place >> 6] |= 1 << UInt64(truncatingIfNeeded: place & 63)
      index &+= 1
    }
  }

  func check() -> Bool {
    guard count > 0 else { return false }
    switch kind {
    case PostingBlock.wide:
      return count <= PostingBlock.mostWide && base <= wideSlots[0]
        && (1..<count).allSatisfy { wideSlots[$0 - 1] < wideSlots[$0] }
    case PostingBlock.narrow:
      return count <= PostingBlock.mostNarrow && (1..<count).allSatisfy { differences[$0 - 1] < differences[$0] }
    default:
      return base & 255 == 0 && count == (0..<PostingBlock.words).reduce(0) { $0 + bits[$1].nonzeroBitCount }
    }
  }
}
