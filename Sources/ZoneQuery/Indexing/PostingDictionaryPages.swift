// An unsafe leaf: the pages of a posting index's dictionary, which `PostingDictionary` tells of.
//
// Invariants: a leaf is the number of its entries (4 bytes), how many have a second word (4), the mask of these (8), the
// first words (8 each), the second words, the numbers (4 each). A node is the number of its children (8 bytes), the
// first words of the least terms, the second words, the children (8 each). The arrays lie without gaps, so a page of
// another number of entries is a new page; `count` never exceeds `most`, so no offset leaves the page.

/// The least index whose word is not below `word`.
///
/// Every eighth word is counted, then the eight that end with the first of these that is not below: loads that do not wait
/// for each other, where a binary search would wait for three or four pieces of memory in turn.
@inline(__always)
private func lowerBound(_ words: UnsafePointer<UInt64>, _ count: Int, _ word: UInt64) -> Int {
  @inline(__always)
  func isBelow(_ index: Int) -> Int { unsafe SortedRun.bit(words[index] < word) }
  var (base, index) = (0, 7)
  if count < 8 {
    index = 0
    while index < count {
      base &+= isBelow(index)
      index &+= 1
    }
    return base
  }
  while index < count {
    base &+= isBelow(index) &* 8
    index &+= 8
  }
  // Those before are below, wherever the eight begin.
  base = min(base, count &- 8)
  var result = base
  index = 0
  while index < 8 {
    result &+= isBelow(base &+ index)
    index &+= 1
  }
  return result
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
    unsafe self.page = unsafe page
    unsafe count = unsafe Int(page.load(as: UInt32.self))
    unsafe tailCount = unsafe Int(page.load(fromByteOffset: 4, as: UInt32.self))
    unsafe mask = unsafe page.load(fromByteOffset: 8, as: UInt64.self)
  }

  /// A new page for so many entries, its arrays to be written.
  init(count: Int, mask: UInt64, _ heap: PageHeap) {
    unsafe tailCount = mask.nonzeroBitCount
    unsafe page = unsafe heap.allocate(PostingLeaf.start + count * 12 + tailCount * 8)
    unsafe page.storeBytes(of: UInt32(count), as: UInt32.self)
    unsafe page.storeBytes(of: UInt32(tailCount), toByteOffset: 4, as: UInt32.self)
    unsafe page.storeBytes(of: mask, toByteOffset: 8, as: UInt64.self)
    unsafe self.count = count
    unsafe self.mask = mask
  }

  var bytes: Int { unsafe PostingLeaf.start + count * 12 + tailCount * 8 }

  @inline(__always)
  var heads: UnsafeMutablePointer<UInt64> { unsafe (page + PostingLeaf.start).assumingMemoryBound(to: UInt64.self) }
  @inline(__always)
  var tails: UnsafeMutablePointer<UInt64> { unsafe heads + count }
  @inline(__always)
  var numbers: UnsafeMutablePointer<UInt32> {
    unsafe (page + PostingLeaf.start + (count + tailCount) * 8).assumingMemoryBound(to: UInt32.self)
  }

  /// Asks for what is mostly read of a leaf, as most nearly are full and few terms are long: the first words, which all are
  /// read of, and about so much behind them as the numbers take. How many there are, and how many second words lie between,
  /// would have to be waited for.
  @inline(__always)
  static func prefetch(_ page: UnsafeMutableRawPointer) {
    unsafe UnsafeRawPointer(page).prefetch(start + most * 12)
  }

  /// How many of the entries before `index` have a second word.
  @inline(__always)
  private func tails(before index: Int) -> Int {
    unsafe (mask & ((1 &<< UInt64(truncatingIfNeeded: index)) &- 1)).nonzeroBitCount
  }

  func term(_ index: Int) -> PostingTerm {
    unsafe PostingTerm(head: heads[index], tail: mask >> UInt64(index) & 1 == 1 ? tails[tails(before: index)] : 0)
  }

  /// Where a term stands, or would.
  @inline(__always)
  func place(of term: PostingTerm) -> (index: Int, isFound: Bool) {
    var index = unsafe lowerBound(heads, count, term.head)
    guard unsafe index < count, unsafe heads[index] == term.head else { return (index, false) }
    guard term.hasTail else { return (index, true) }
    // Terms of the same first word are of one length, so all have a second one.
    var tail = unsafe tails(before: index)
    while unsafe index < count, unsafe heads[index] == term.head {
      if unsafe tails[tail] >= term.tail { return unsafe (index, tails[tail] == term.tail) }
      index += 1
      tail += 1
    }
    return (index, false)
  }

  // MARK: New pages

  static func single(_ term: PostingTerm, _ number: UInt32, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let leaf = unsafe PostingLeaf(count: 1, mask: term.hasTail ? 1 : 0, heap)
    unsafe leaf.heads[0] = term.head
    if term.hasTail { unsafe leaf.tails[0] = term.tail }
    unsafe leaf.numbers[0] = number
    return unsafe leaf.page
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
    let leaf = unsafe PostingLeaf(count: entries.count, mask: mask, heap)
    var (place, tail) = (0, 0)
    for entry in entries {
      unsafe leaf.heads[place] = entry.term.head
      unsafe leaf.numbers[place] = entry.number
      if entry.term.hasTail {
        unsafe leaf.tails[tail] = entry.term.tail
        tail += 1
      }
      place += 1
    }
    return unsafe leaf.page
  }

  private func copy(_ range: Range<Int>, to new: PostingLeaf, at index: Int) {
    let (first, last) = unsafe (tails(before: range.lowerBound), tails(before: range.upperBound))
    let tail = unsafe new.tails(before: index)
    unsafe (new.heads + index).update(from: heads + range.lowerBound, count: range.count)
    unsafe (new.tails + tail).update(from: tails + first, count: last - first)
    unsafe (new.numbers + index).update(from: numbers + range.lowerBound, count: range.count)
  }

  func slice(_ range: Range<Int>, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = unsafe PostingLeaf(
      count: range.count, mask: mask >> UInt64(range.lowerBound) & ((1 << UInt64(range.count)) - 1), heap)
    unsafe copy(range, to: new, at: 0)
    return unsafe new.page
  }

  func joined(_ other: PostingLeaf, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = unsafe PostingLeaf(count: count + other.count, mask: mask | other.mask << UInt64(count), heap)
    unsafe copy(0..<count, to: new, at: 0)
    unsafe other.copy(0..<other.count, to: new, at: count)
    return unsafe new.page
  }

  func inserting(_ term: PostingTerm, _ number: UInt32, at index: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let below = unsafe mask & ((1 << UInt64(index)) - 1)
    let bit: UInt64 = term.hasTail ? 1 << UInt64(index) : 0
    let new = unsafe PostingLeaf(count: count + 1, mask: below | bit | (mask ^ below) << 1, heap)
    unsafe copy(0..<index, to: new, at: 0)
    unsafe copy(index..<count, to: new, at: index + 1)
    unsafe new.heads[index] = term.head
    if term.hasTail { unsafe new.tails[new.tails(before: index)] = term.tail }
    unsafe new.numbers[index] = number
    return unsafe new.page
  }

  func removing(at index: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let below = unsafe mask & ((1 << UInt64(index)) - 1)
    let new = unsafe PostingLeaf(count: count - 1, mask: below | (mask >> UInt64(index + 1)) << UInt64(index), heap)
    unsafe copy(0..<index, to: new, at: 0)
    unsafe copy(index + 1..<count, to: new, at: index)
    return unsafe new.page
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
    unsafe self.page = unsafe page
    unsafe count = unsafe page.load(as: Int.self)
  }

  /// A new page for so many children, its arrays to be written.
  init(count: Int, _ heap: PageHeap) {
    unsafe page = unsafe heap.allocate(PostingNode.start + 24 * count)
    unsafe page.storeBytes(of: count, as: Int.self)
    unsafe self.count = count
  }

  @inline(__always)
  var heads: UnsafeMutablePointer<UInt64> { unsafe (page + PostingNode.start).assumingMemoryBound(to: UInt64.self) }
  @inline(__always)
  var tails: UnsafeMutablePointer<UInt64> { unsafe heads + count }
  @inline(__always)
  var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
    unsafe (page + PostingNode.start + 16 * count).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
  }

  func term(_ index: Int) -> PostingTerm { unsafe PostingTerm(head: heads[index], tail: tails[index]) }

  /// The child that a term is in, or would be.
  @inline(__always)
  func child(of term: PostingTerm) -> Int {
    var index = unsafe 1 &+ lowerBound(heads + 1, count &- 1, term.head)
    while unsafe index < count, unsafe heads[index] == term.head, unsafe tails[index] <= term.tail { index &+= 1 }
    return index &- 1
  }

  static func setChild(
    _ index: Int, of page: inout UnsafeMutableRawPointer, to child: UnsafeMutableRawPointer, _ heap: PageHeap
  ) {
    let node = unsafe PostingNode(page: page)
    if unsafe node.children[index] == child { return }
    unsafe heap.writable(&page, used: start + 24 * node.count)
    unsafe PostingNode(page: page).children[index] = unsafe child
  }

  // MARK: New pages

  static func pair(
    _ left: UnsafeMutableRawPointer, _ separator: PostingTerm, _ right: UnsafeMutableRawPointer, _ heap: PageHeap
  ) -> UnsafeMutableRawPointer {
    let new = unsafe PostingNode(count: 2, heap)
    unsafe new.set(0, PostingTerm(head: 0, tail: 0), left)
    unsafe new.set(1, separator, right)
    return unsafe new.page
  }

  func set(_ index: Int, _ term: PostingTerm, _ child: UnsafeMutableRawPointer) {
    unsafe heads[index] = term.head
    unsafe tails[index] = term.tail
    unsafe children[index] = unsafe child
  }

  private func copy(_ range: Range<Int>, to new: PostingNode, at index: Int) {
    unsafe (new.heads + index).update(from: heads + range.lowerBound, count: range.count)
    unsafe (new.tails + index).update(from: tails + range.lowerBound, count: range.count)
    unsafe (new.children + index).update(from: children + range.lowerBound, count: range.count)
  }

  func slice(_ range: Range<Int>, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = unsafe PostingNode(count: range.count, heap)
    unsafe copy(range, to: new, at: 0)
    return unsafe new.page
  }

  func joined(_ other: PostingNode, separator: PostingTerm, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = unsafe PostingNode(count: count + other.count, heap)
    unsafe copy(0..<count, to: new, at: 0)
    unsafe other.copy(0..<other.count, to: new, at: count)
    unsafe new.set(count, separator, other.children[0])
    return unsafe new.page
  }

  func inserting(
    _ term: PostingTerm, _ child: UnsafeMutableRawPointer, at index: Int, _ heap: PageHeap
  ) -> UnsafeMutableRawPointer {
    let new = unsafe PostingNode(count: count + 1, heap)
    unsafe copy(0..<index, to: new, at: 0)
    unsafe copy(index..<count, to: new, at: index + 1)
    unsafe new.set(index, term, child)
    return unsafe new.page
  }

  func removing(at index: Int, _ heap: PageHeap) -> UnsafeMutableRawPointer {
    let new = unsafe PostingNode(count: count - 1, heap)
    unsafe copy(0..<index, to: new, at: 0)
    unsafe copy(index + 1..<count, to: new, at: index)
    return unsafe new.page
  }
}
