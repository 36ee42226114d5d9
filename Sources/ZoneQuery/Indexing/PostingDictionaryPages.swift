// An unsafe leaf: the pages of a posting index's dictionary, which `PostingDictionary` tells of.
//
// Invariants: a leaf is the number of its entries (4 bytes), how many have a second word (4), the mask of these (8), the
// first words (8 each), the second words, the numbers (4 each). A node is the number of its children (8 bytes), the
// first words of the least terms, the second words, the children (8 each). The arrays lie without gaps, so a page of
// another number of entries is a new page; `count` never exceeds `most`, so no offset leaves the page.

/// The least index whose word is not below `word`.
@inline(__always)
private func lowerBound(_ words: UnsafePointer<UInt64>, _ count: Int, _ word: UInt64) -> Int {
  var base = 0
  var rest = count
  while rest > 1 {
    let half = rest >> 1
    // A branch here would be mistaken every other time.
    let isBelow = Int(truncatingIfNeeded: unsafeBitCast(words[base + half - 1] < word, to: UInt8.self))
    base += half & (0 &- isBelow)
    rest -= half
  }
  if rest == 1, words[base] < word { base += 1 }
  return base
}

/// A page of terms and numbers.
@unsafe
struct PostingLeaf {
  let page: UnsafeMutableRawPointer
  let count: Int
  let tailCount: Int
  let mask: UInt64

  static let most = 60
  private static let start = 16

  @inline(__always)
  init(page: UnsafeMutableRawPointer) {
    self.page = page
    count = Int(page.load(as: UInt32.self))
    tailCount = Int(page.load(fromByteOffset: 4, as: UInt32.self))
    mask = page.load(fromByteOffset: 8, as: UInt64.self)
  }

  /// A new page for so many entries, its arrays to be written.
  init(count: Int, mask: UInt64, _ heap: PageHeap) {
    tailCount = mask.nonzeroBitCount
    page = heap.allocate(PostingLeaf.start + count * 12 + tailCount * 8)
    page.storeBytes(of: UInt32(count), as: UInt32.self)
    page.storeBytes(of: UInt32(tailCount), toByteOffset: 4, as: UInt32.self)
    page.storeBytes(of: mask, toByteOffset: 8, as: UInt64.self)
    self.count = count
    self.mask = mask
  }

  var bytes: Int { PostingLeaf.start + count * 12 + tailCount * 8 }

  @inline(__always)
  var heads: UnsafeMutablePointer<UInt64> { (page + PostingLeaf.start).assumingMemoryBound(to: UInt64.self) }
  @inline(__always)
  var tails: UnsafeMutablePointer<UInt64> { heads + count }
  @inline(__always)
  var numbers: UnsafeMutablePointer<UInt32> {
    (page + PostingLeaf.start + (count + tailCount) * 8).assumingMemoryBound(to: UInt32.self)
  }

  /// How many of the entries before `index` have a second word.
  @inline(__always)
  private func tails(before index: Int) -> Int { (mask & ((1 << UInt64(index)) - 1)).nonzeroBitCount }

  func term(_ index: Int) -> PostingTerm {
    PostingTerm(head: heads[index], tail: mask >> UInt64(index) & 1 == 1 ? tails[tails(before: index)] : 0)
  }

  /// Where a term stands, or would.
  @inline(__always)
  func place(of term: PostingTerm) -> (index: Int, isFound: Bool) {
    var index = lowerBound(heads, count, term.head)
    guard index < count, heads[index] == term.head else { return (index, false) }
    guard term.hasTail else { return (index, true) }
    // Terms of the same first word are of one length, so all have a second one.
    var tail = tails(before: index)
    while index < count, heads[index] == term.head {
      if tails[tail] >= term.tail { return (index, tails[tail] == term.tail) }
      index += 1
      tail += 1
    }
    return (index, false)
  }

  // MARK: New pages

  static func single(_ term: PostingTerm, _ number: UInt32, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let leaf = PostingLeaf(count: 1, mask: term.hasTail ? 1 : 0, heap)
    leaf.heads[0] = term.head
    if term.hasTail { leaf.tails[0] = term.tail }
    leaf.numbers[0] = number
    return leaf.page
  }

  static func page(_ entries: ArraySlice<(term: PostingTerm, number: UInt32)>, _ heap: PageHeap)
    -> UnsafeMutableRawPointer
  {
    var mask: UInt64 = 0
    var index: UInt64 = 0
    for entry in entries {
      mask |= entry.term.hasTail ? 1 << index : 0
      index += 1
    }
    let leaf = PostingLeaf(count: entries.count, mask: mask, heap)
    var (place, tail) = (0, 0)
    for entry in entries {
      leaf.heads[place] = entry.term.head
      leaf.numbers[place] = entry.number
      if entry.term.hasTail {
        leaf.tails[tail] = entry.term.tail
        tail += 1
      }
      place += 1
    }
    return leaf.page
  }

  private func copy(_ range: Range<Int>, to new: PostingLeaf, at index: Int) {
    let (first, last) = (tails(before: range.lowerBound), tails(before: range.upperBound))
    let tail = new.tails(before: index)
    (new.heads + index).update(from: heads + range.lowerBound, count: range.count)
    (new.tails + tail).update(from: tails + first, count: last - first)
    (new.numbers + index).update(from: numbers + range.lowerBound, count: range.count)
  }

  func slice(_ range: Range<Int>, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = PostingLeaf(
      count: range.count, mask: mask >> UInt64(range.lowerBound) & ((1 << UInt64(range.count)) - 1), heap)
    copy(range, to: new, at: 0)
    return new.page
  }

  func joined(_ other: PostingLeaf, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = PostingLeaf(count: count + other.count, mask: mask | other.mask << UInt64(count), heap)
    copy(0..<count, to: new, at: 0)
    other.copy(0..<other.count, to: new, at: count)
    return new.page
  }

  func inserting(_ term: PostingTerm, _ number: UInt32, at index: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let below = mask & ((1 << UInt64(index)) - 1)
    let bit: UInt64 = term.hasTail ? 1 << UInt64(index) : 0
    let new = PostingLeaf(count: count + 1, mask: below | bit | (mask ^ below) << 1, heap)
    copy(0..<index, to: new, at: 0)
    copy(index..<count, to: new, at: index + 1)
    new.heads[index] = term.head
    if term.hasTail { new.tails[new.tails(before: index)] = term.tail }
    new.numbers[index] = number
    return new.page
  }

  func removing(at index: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let below = mask & ((1 << UInt64(index)) - 1)
    let new = PostingLeaf(count: count - 1, mask: below | (mask >> UInt64(index + 1)) << UInt64(index), heap)
    copy(0..<index, to: new, at: 0)
    copy(index + 1..<count, to: new, at: index)
    return new.page
  }
}

/// A page of children and the least terms in them.
@unsafe
struct PostingNode {
  let page: UnsafeMutableRawPointer
  let count: Int

  static let most = 50
  private static let start = 8

  @inline(__always)
  init(page: UnsafeMutableRawPointer) {
    self.page = page
    count = page.load(as: Int.self)
  }

  /// A new page for so many children, its arrays to be written.
  init(count: Int, _ heap: PageHeap) {
    page = heap.allocate(PostingNode.start + 24 * count)
    page.storeBytes(of: count, as: Int.self)
    self.count = count
  }

  @inline(__always)
  var heads: UnsafeMutablePointer<UInt64> { (page + PostingNode.start).assumingMemoryBound(to: UInt64.self) }
  @inline(__always)
  var tails: UnsafeMutablePointer<UInt64> { heads + count }
  @inline(__always)
  var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    (page + PostingNode.start + 16 * count).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  func term(_ index: Int) -> PostingTerm { PostingTerm(head: heads[index], tail: tails[index]) }

  /// The child that a term is in, or would be.
  @inline(__always)
  func child(of term: PostingTerm) -> Int {
    var index = 1 + lowerBound(heads + 1, count - 1, term.head)
    while index < count, heads[index] == term.head, tails[index] <= term.tail { index += 1 }
    return index - 1
  }

  static func setChild(
    _ index: Int, of page: inout UnsafeMutableRawPointer, to child: UnsafeMutableRawPointer, _ heap: PageHeap
  ) {
    let node = PostingNode(page: page)
    if node.children[index] == child { return }
    heap.writable(&page, used: start + 24 * node.count)
    PostingNode(page: page).children[index] = child
  }

  // MARK: New pages

  static func pair(
    _ left: UnsafeMutableRawPointer, _ separator: PostingTerm, _ right: UnsafeMutableRawPointer, _ heap: PageHeap
  ) -> UnsafeMutableRawPointer {
    let new = PostingNode(count: 2, heap)
    new.set(0, PostingTerm(head: 0, tail: 0), left)
    new.set(1, separator, right)
    return new.page
  }

  func set(_ index: Int, _ term: PostingTerm, _ child: UnsafeMutableRawPointer) {
    heads[index] = term.head
    tails[index] = term.tail
    children[index] = child
  }

  private func copy(_ range: Range<Int>, to new: PostingNode, at index: Int) {
    (new.heads + index).update(from: heads + range.lowerBound, count: range.count)
    (new.tails + index).update(from: tails + range.lowerBound, count: range.count)
    (new.children + index).update(from: children + range.lowerBound, count: range.count)
  }

  func slice(_ range: Range<Int>, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = PostingNode(count: range.count, heap)
    copy(range, to: new, at: 0)
    return new.page
  }

  func joined(_ other: PostingNode, separator: PostingTerm, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = PostingNode(count: count + other.count, heap)
    copy(0..<count, to: new, at: 0)
    other.copy(0..<other.count, to: new, at: count)
    new.set(count, separator, other.children[0])
    return new.page
  }

  func inserting(
    _ term: PostingTerm, _ child: UnsafeMutableRawPointer, at index: Int, _ heap: PageHeap
  ) -> UnsafeMutableRawPointer {
    let new = PostingNode(count: count + 1, heap)
    copy(0..<index, to: new, at: 0)
    copy(index..<count, to: new, at: index + 1)
    new.set(index, term, child)
    return new.page
  }

  func removing(at index: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = PostingNode(count: count - 1, heap)
    copy(0..<index, to: new, at: 0)
    copy(index + 1..<count, to: new, at: index)
    return new.page
  }
}
