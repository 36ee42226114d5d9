// An unsafe leaf: a piece of a posting list, of up to 992 bytes, which takes a page of 1,024 and its header.
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
    unsafe self.page = unsafe page
    unsafe self.base = base
    unsafe storedCount = UInt16(truncatingIfNeeded: count)
    unsafe storedKind = kind
  }

  @inline(__always)
  var count: Int {
    get { unsafe Int(storedCount) }
    set { unsafe storedCount = UInt16(truncatingIfNeeded: newValue) }
  }
  @inline(__always)
  var kind: UInt16 { unsafe storedKind }

  @inline(__always)
  var wideSlots: UnsafeMutablePointer<UInt32> { unsafe page.assumingMemoryBound(to: UInt32.self) }
  @inline(__always)
  var differences: UnsafeMutablePointer<UInt16> { unsafe page.assumingMemoryBound(to: UInt16.self) }
  @inline(__always)
  var bits: UnsafeMutablePointer<UInt64> { unsafe page.assumingMemoryBound(to: UInt64.self) }

  var usedBytes: Int {
    switch unsafe kind {
    case unsafe PostingBlock.wide: unsafe count * 4
    case unsafe PostingBlock.narrow: unsafe count * 2
    default: unsafe PostingBlock.bytes
    }
  }

  /// The greatest slot.
  var last: UInt32 {
    switch unsafe kind {
    case unsafe PostingBlock.wide: return unsafe wideSlots[count - 1]
    case unsafe PostingBlock.narrow: return unsafe base + UInt32(differences[count - 1])
    default:
      var word = unsafe PostingBlock.words - 1
      while word > 0, unsafe bits[word] == 0 { word -= 1 }
      return unsafe base + UInt32(word * 64 + 63 - bits[word].leadingZeroBitCount)
    }
  }

  /// Whether the block is a bitmap that has a place for a slot.
  @inline(__always)
  func covers(_ slot: UInt32) -> Bool {
    unsafe kind == PostingBlock.bitmap && slot >= base && slot - base < PostingBlock.slots
  }

  func contains(_ slot: UInt32) -> Bool {
    switch unsafe kind {
    case unsafe PostingBlock.wide:
      let index = unsafe SortedRun.lower(wideSlots, 0, count, slot)
      return unsafe index < count && wideSlots[index] == slot
    case unsafe PostingBlock.narrow:
      guard unsafe slot >= base, unsafe slot - base <= 0xFFFF else { return false }
      let difference = unsafe UInt16(slot - base)
      let index = unsafe SortedRun.lower(differences, 0, count, difference)
      return unsafe index < count && differences[index] == difference
    default:
      guard unsafe covers(slot) else { return false }
      let place = unsafe Int(slot - base)
      return unsafe bits[place >> 6] >> UInt64(place & 63) & 1 == 1
    }
  }

  /// How many values are looked at together: where a full block's are spread by chance, hardly two of a hundred lie farther
  /// from where they would be if they were spread evenly, and three in its middle.
  static let seen = 48

  /// Whether one of the first ``seen`` values is `value`.
  @inline(__always)
  static func holds(_ value: UInt16, _ values: UnsafePointer<UInt16>) -> Bool {
    let eight = SIMD8(repeating: value)
    let start = unsafe UnsafeRawPointer(values)
    @inline(__always)
    func areSame(_ place: Int) -> SIMDMask<SIMD8<Int16>> {
      unsafe start.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt16>.self) .== eight
    }
    let first = areSame(0) .| areSame(16) .| areSame(32)
    let last = areSame(48) .| areSame(64) .| areSame(80)
    let same = unsafe unsafeBitCast(first .| last, to: SIMD2<UInt64>.self)
    return same[0] | same[1] != 0
  }

  /// Writes the slots of the block to `target`, which has places for `count`.
  @inline(__always)
  func decode(to target: UnsafeMutablePointer<UInt32>) {
    switch unsafe kind {
    case unsafe PostingBlock.wide: unsafe target.update(from: wideSlots, count: count)
    case unsafe PostingBlock.narrow:
      let differences = unsafe differences
      var index = 0
      while unsafe index < count {
        unsafe target[index] = unsafe base &+ UInt32(differences[index])
        index &+= 1
      }
    default: _ = unsafe PostingBlock.decode(bits, words: 0..<PostingBlock.words, base: base, to: target)
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
      var word = unsafe bits[index]
      let first = base &+ UInt32(truncatingIfNeeded: index &* 64)
      while word != 0 {
        unsafe target[count] = first &+ UInt32(truncatingIfNeeded: word.trailingZeroBitCount)
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
    unsafe decode(UnsafePointer(bits), words: words, base: base, to: target)
  }

  // MARK: New blocks

  /// A block of slots of the kind that is smallest: more than an array holds lie as near as a bitmap has places, and
  /// more than `mostWide` within 16 bits.
  static func block(_ slots: UnsafePointer<UInt32>, _ count: Int, _ heap: PageHeap) -> PostingBlock {
    let (first, last) = unsafe (slots[0], slots[count - 1])
    if unsafe count > mostNarrow {
      let base = first & ~255
      let page = unsafe heap.allocate(bytes)
      let block = unsafe PostingBlock(page: page, base: base, count: count, kind: bitmap)
      unsafe block.bits.update(repeating: 0, count: words)
      unsafe block.set(slots, count)
      return unsafe block
    }
    if last - first <= 0xFFFF {
      let page = unsafe heap.allocate(count * 2)
      let block = unsafe PostingBlock(page: page, base: first, count: count, kind: narrow)
      var index = 0
      while index < count {
        unsafe block.differences[index] = unsafe UInt16(truncatingIfNeeded: slots[index] &- first)
        index &+= 1
      }
      return unsafe block
    }
    let page = unsafe heap.allocate(count * 4)
    unsafe page.copyMemory(from: slots, byteCount: count * 4)
    return unsafe PostingBlock(page: page, base: first, count: count, kind: wide)
  }

  /// Sets the bits of slots that a bitmap covers.
  func set(_ slots: UnsafePointer<UInt32>, _ count: Int) {
    let bits = unsafe bits
    var index = 0
    while index < count {
      let place = unsafe Int(slots[index] &- base)
      unsafe bits[place >> 6] |= 1 << UInt64(truncatingIfNeeded: place & 63)
      index &+= 1
    }
  }

  func check() -> Bool {
    guard unsafe count > 0 else { return false }
    switch unsafe kind {
    case unsafe PostingBlock.wide:
      return unsafe count <= PostingBlock.mostWide && base <= wideSlots[0]
        && (1..<count).allSatisfy { unsafe wideSlots[$0 - 1] < wideSlots[$0] }
    case unsafe PostingBlock.narrow:
      return unsafe count <= PostingBlock.mostNarrow
        && (1..<count).allSatisfy { unsafe differences[$0 - 1] < differences[$0] }
    default:
      return unsafe base & 255 == 0
        && count == (0..<PostingBlock.words).reduce(0) { unsafe $0 + bits[$1].nonzeroBitCount }
    }
  }
}
