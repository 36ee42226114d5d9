// An unsafe leaf: how the pages of an ordered index are laid out.
//
// A page begins with a header of 16 bytes: how many entries (leaf) or children (inner node) it has, how many it has room
// for, and for an inner node how many entries lie below it. Then follow arrays of as many places as there is room for:
// each word of the keys, and the slots. In a leaf they are its entries. In an inner node the i-th is the separator of the
// children i and i + 1, which is the first entry below child i + 1; then follow the children, and how many entries lie
// below the children before each.
//
// A leaf of an index on two numbers ends with a code for each entry (`KeyShape.isCoded`): which of 256 pieces of a span that
// its second word lies in, as do those of all others. The header's last word says how to tell (`WordScale`).
//
// Invariants: places of the first word that are not used hold the greatest word, so that a search may count over them;
// room is one of the steps below, so that pages of 16 places and more are multiples of 16; each entry's code is its second
// word's by the scale of its leaf, whose pieces are no more than twice as wide as they could be, and there are never fewer
// than 16 places for codes.

/// One page of an ordered index, leaf or inner node.
@unsafe
struct OrderedIndexNode<Key: IndexKey> {
  let base: UnsafeMutableRawPointer

  @inline(__always)
  init(_ base: UnsafeMutableRawPointer) { unsafe self.base = base }

  /// The most entries of a leaf: few, since every change copies one, and so many that with keys of one to three words
  /// little of a page is left, but for 96 bytes where there are codes.
  @inline(__always)
  static var leafRoom: Int { 80 }
  /// The most children of an inner node: fewer than a leaf's entries, since every commit copies a path of them.
  @inline(__always)
  static var innerRoom: Int { 64 }

  /// The next step of room for a leaf that holds `count` entries.
  static func leafRoom(for count: Int) -> Int {
    var room = 4
    while room < count { room *= 2 }
    return unsafe room > 64 ? leafRoom : room
  }

  static func innerRoom(for count: Int) -> Int { unsafe count <= 16 ? 16 : innerRoom }

  static func leafBytes(_ room: Int, isCoded: Bool) -> Int {
    16 + room * (8 * Key.wordCount + 4) + (isCoded ? max(room, 16) : 0)
  }
  static func innerBytes(_ room: Int) -> Int { 16 + room * (8 * Key.wordCount + 16) }

  // MARK: Parts

  @inline(__always)
  var count: Int {
    get { unsafe Int(truncatingIfNeeded: base.load(as: UInt32.self)) }
    nonmutating set { unsafe base.storeBytes(of: UInt32(truncatingIfNeeded: newValue), as: UInt32.self) }
  }
  @inline(__always)
  var room: Int { unsafe Int(truncatingIfNeeded: base.load(fromByteOffset: 4, as: UInt32.self)) }
  /// How many entries lie below an inner node.
  @inline(__always)
  var total: Int {
    get { unsafe Int(truncatingIfNeeded: base.load(fromByteOffset: 8, as: UInt32.self)) }
    nonmutating set {
      unsafe base.storeBytes(of: UInt32(truncatingIfNeeded: newValue), toByteOffset: 8, as: UInt32.self)
    }
  }

  @inline(__always)
  func words(_ word: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe (base + (16 &+ word &* 8 &* room)).assumingMemoryBound(to: UInt64.self)
  }
  @inline(__always)
  var slots: UnsafeMutablePointer<UInt32> {
    unsafe (base + (16 &+ Key.wordCount &* 8 &* room)).assumingMemoryBound(to: UInt32.self)
  }
  @inline(__always)
  var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    unsafe (base + (16 &+ (Key.wordCount &* 8 &+ 4) &* room)).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }
  @inline(__always)
  var before: UnsafeMutablePointer<UInt32> {
    unsafe (base + (16 &+ (Key.wordCount &* 8 &+ 12) &* room)).assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  func before(_ child: Int) -> Int { unsafe Int(truncatingIfNeeded: before[child]) }

  /// How many entries lie below a child.
  @inline(__always)
  func size(ofChild child: Int) -> Int {
    unsafe (child + 1 == count ? total : before(child + 1)) - before(child)
  }

  @inline(__always)
  func entry(_ index: Int) -> IndexEntry<Key> {
    var key = Key()
    var word = 0
    while word < Key.wordCount {
      key[word] = unsafe words(word)[index]
      word += 1
    }
    return unsafe IndexEntry(key: key, slot: slots[index])
  }

  @inline(__always)
  func set(_ entry: IndexEntry<Key>, at index: Int) {
    var word = 0
    while word < Key.wordCount {
      unsafe words(word)[index] = entry.key[word]
      word += 1
    }
    unsafe slots[index] = entry.slot
  }

  // MARK: Making and moving

  /// A page with room and nothing in it.
  static func make(room: Int, bytes: Int, in heap: PageHeap) -> OrderedIndexNode {
    let page = unsafe heap.allocate(bytes)
    unsafe page.storeBytes(of: 0, as: UInt32.self)
    unsafe page.storeBytes(of: UInt32(truncatingIfNeeded: room), toByteOffset: 4, as: UInt32.self)
    unsafe page.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
    return unsafe OrderedIndexNode(page)
  }

  static func leaf(room: Int, isCoded: Bool, in heap: PageHeap) -> OrderedIndexNode {
    unsafe make(room: room, bytes: leafBytes(room, isCoded: isCoded), in: heap)
  }

  static func inner(room: Int, in heap: PageHeap) -> OrderedIndexNode {
    unsafe make(room: room, bytes: innerBytes(room), in: heap)
  }

  /// Fills the places of the first word behind those that are used.
  @inline(__always)
  func pad(from used: Int) {
    let words = unsafe words(0)
    let room = unsafe room
    if used < room { unsafe (words + used).update(repeating: .max, count: room &- used) }
  }

  /// Copies entries (or separators) of another page, or moves them within this.
  @inline(__always)
  func copyEntries(from other: OrderedIndexNode, _ start: Int, _ count: Int, to target: Int) {
    guard count > 0 else { return }
    var word = 0
    while word < Key.wordCount {
      unsafe (words(word) + target).update(from: other.words(word) + start, count: count)
      word += 1
    }
    unsafe (slots + target).update(from: other.slots + start, count: count)
  }

  /// Copies children, with the entries before them counted anew by a difference.
  func copyChildren(from other: OrderedIndexNode, _ start: Int, _ count: Int, to target: Int, adding difference: Int) {
    guard count > 0 else { return }
    unsafe (children + target).update(from: other.children + start, count: count)
    let (source, sink) = unsafe (other.before + start, before + target)
    unsafe sink.update(from: source, count: count)
    let step = UInt32(truncatingIfNeeded: difference)
    if step == 0 { return }
    var index = 0
    while index < count {
      unsafe sink[index] &+= step
      index &+= 1
    }
  }

  /// Counts one entry more or, with a difference of -1, less below a child.
  @inline(__always)
  func recount(from child: Int, by difference: Int) {
    let (before, count) = unsafe (before, count)
    let step = UInt32(truncatingIfNeeded: difference)
    var index = child &+ 1
    while index < count {
      unsafe before[index] &+= step
      index &+= 1
    }
    unsafe total = total &+ difference
  }

  /// Makes place for an entry in a page of the running commit that has room.
  @inline(__always)
  func open(_ index: Int, of used: Int) {
    unsafe copyEntries(from: self, index, used &- index, to: index &+ 1)
  }

  /// Takes an entry out of a page of the running commit.
  @inline(__always)
  func close(_ index: Int, of used: Int) {
    unsafe copyEntries(from: self, index &+ 1, used &- index &- 1, to: index)
    unsafe words(0)[used &- 1] = .max
  }
}

// An inner node that is searched and then copied, asked for ahead (`UnsafeRawPointer.prefetch`).

extension OrderedIndexNode {
  /// Asks for the header and the first words of a node that has room for the most children.
  @inline(__always)
  func prefetchWords() { unsafe UnsafeRawPointer(base).prefetch(16 + Self.innerRoom * 8) }

  /// Asks for the rest of a node whose first words were read.
  @inline(__always)
  func prefetchRest() {
    let (room, start) = unsafe (room, 16 + room * 8)
    unsafe UnsafeRawPointer(base + start).prefetch(Self.innerBytes(room) - start)
  }
}

// The codes of a leaf that has them.

extension OrderedIndexNode {
  /// The codes of the entries' second words.
  @inline(__always)
  var codes: UnsafeMutablePointer<UInt8> {
    unsafe (base + (16 &+ (Key.wordCount &* 8 &+ 4) &* room)).assumingMemoryBound(to: UInt8.self)
  }

  /// Asks for the memory of the header and of the codes, in a leaf that has all places.
  @inline(__always)
  func touchCodes() -> UInt64 {
    let codes = unsafe Self.leafBytes(Self.leafRoom, isCoded: false)
    return unsafe UInt64(base.load(as: UInt8.self)) &+ UInt64(base.load(fromByteOffset: codes, as: UInt8.self))
      &+ UInt64(base.load(fromByteOffset: codes &+ Self.leafRoom &- 1, as: UInt8.self))
  }

  @inline(__always)
  var scale: WordScale {
    get { unsafe WordScale(bits: base.load(fromByteOffset: 8, as: UInt64.self)) }
    nonmutating set { unsafe base.storeBytes(of: newValue.bits, toByteOffset: 8, as: UInt64.self) }
  }

  /// Gives all entries a scale and codes anew.
  func encode() {
    let (words, codes, count) = unsafe (words(1), codes, count)
    if count == 0 { return }
    let scale = unsafe finestScale
    unsafe self.scale = scale
    var index = 0
    while index < count {
      unsafe codes[index] = UInt8(truncatingIfNeeded: scale.place(words[index]))
      index &+= 1
    }
  }

  /// Whether entries have codes by the leaf's scale.
  func covers(_ added: UnsafeBufferPointer<IndexEntry<Key>>) -> Bool {
    let scale = unsafe scale
    for number in added.indices where unsafe !scale.covers(added[number].key[1]) { return false }
    return true
  }

  /// Copies codes of another leaf that has the same scale, or moves them within this.
  @inline(__always)
  func copyCodes(from other: OrderedIndexNode, _ start: Int, _ count: Int, to target: Int) {
    if count > 0 { unsafe (codes + target).update(from: other.codes + start, count: count) }
  }

  /// Gives the entry at a place its code by the leaf's scale.
  @inline(__always)
  func encode(_ index: Int) { unsafe codes[index] = UInt8(truncatingIfNeeded: scale.place(words(1)[index])) }

  /// Gives the entry at a place its code, after it was put there among `used` others, which keep theirs.
  func encode(adding index: Int, to used: Int) {
    guard unsafe scale.covers(words(1)[index]) else { return unsafe encode() }
    unsafe copyCodes(from: self, index, used &- index, to: index &+ 1)
    unsafe encode(index)
  }

  /// Takes away the code of an entry, after it was taken out of `used` of the leaf.
  func encode(removing index: Int, from used: Int) {
    unsafe copyCodes(from: self, index &+ 1, used &- index &- 1, to: index)
    unsafe refineCodes()
  }

  /// Gives the entries a finer scale where those that are left allow one.
  func refineCodes() {
    let (codes, count) = unsafe (codes, count)
    var (least, greatest, index): (UInt8, UInt8, Int) = (.max, 0, 0)
    while index < count {
      least = unsafe min(least, codes[index])
      greatest = unsafe max(greatest, codes[index])
      index &+= 1
    }
    if greatest &- least <= 127, unsafe scale.shift > 0 { unsafe encode() }
  }

  /// The finest scale of the second words of one entry or more.
  private var finestScale: WordScale {
    let (words, count) = unsafe (words(1), count)
    // Where all have one first word, the second ones ascend.
    if unsafe self.words(0)[0] == self.words(0)[count &- 1] {
      return unsafe WordScale(least: words[0], greatest: words[count &- 1])
    }
    var (least, greatest, index) = unsafe (words[0], words[0], 1)
    while index < count {
      least = unsafe min(least, words[index])
      greatest = unsafe max(greatest, words[index])
      index &+= 1
    }
    return WordScale(least: least, greatest: greatest)
  }

  /// Whether each entry's code is its word's, by a scale that is no more than a step wider than it could be.
  var areCodesSound: Bool {
    let scale = unsafe scale
    for index in unsafe 0..<count {
      let word = unsafe words(1)[index]
      if unsafe !scale.covers(word) || scale.place(word) != UInt64(codes[index]) { return false }
    }
    return unsafe count == 0 || scale.shift <= finestScale.shift + 1
  }
}

/// How words become codes: by which of 256 pieces of equal width they lie in, from a first word on.
struct WordScale: BitwiseCopyable {
  /// The first word, a multiple of 64, and in its lowest bits the logarithm of the width of a piece.
  let bits: UInt64

  @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  /// The finest scale that covers two words and all between them.
  init(least: UInt64, greatest: UInt64) {
    let first = least & ~63
    bits = first | UInt64(truncatingIfNeeded: max(0, 56 - (greatest - first).leadingZeroBitCount))
  }

  @inline(__always) private var first: UInt64 { bits & ~63 }
  /// The logarithm of the width of a piece.
  @inline(__always) var shift: UInt64 { bits & 63 }

  /// The number of the piece that a word from the first on lies in; above 255 where the scale does not cover it.
  @inline(__always)
  func place(_ word: UInt64) -> UInt64 { (word &- first) &>> shift }

  @inline(__always)
  func covers(_ word: UInt64) -> Bool { word >= first && place(word) <= 255 }

  /// The codes that words between two may have, both ends included; nil where none of them is covered.
  @inline(__always)
  func codes(from lower: UInt64, to upper: UInt64) -> (first: UInt8, last: UInt8)? {
    if upper < first { return nil }
    let start = lower <= first ? 0 : place(lower)
    if start > 255 { return nil }
    return (UInt8(truncatingIfNeeded: start), UInt8(truncatingIfNeeded: min(place(upper), 255)))
  }
}
