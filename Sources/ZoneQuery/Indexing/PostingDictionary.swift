// An unsafe leaf: the terms of a posting index, on the zone's page heap.
//
// A B+tree with pages of the size that their entries need, so that a small zone's few leaves are as full as a large
// zone's many. A leaf holds up to 60 entries as arrays: the terms' first words, the other words of those that have one
// (the bits of `mask`), and a number each. An inner node holds up to 50 children with the least term of each but the
// first, which has none.
//
// Invariants: entries are in ascending order of their terms. A separator is not above any term of its child and above
// all before it; that of a node's first child is not looked at. No leaf or node is empty, all leaves are at one depth.
// Pages are reached from `root` alone, and written to after `PageHeap.writable` or newly allocated.
// Complexity: finding is logarithmic; changing copies one page a level, up to 1.3 KB each.
// Proof of Sendable: what a published root reaches is not written to; see `PageHeap`, whose readers pin their version.
// Source: D. Comer, The Ubiquitous B-Tree, ACM Computing Surveys 11 (1979).

/// The terms of a posting index, each with a number.
@safe
struct PostingDictionary: @unchecked Sendable {
  @unsafe private(set) var root: UnsafeMutableRawPointer?
  /// The levels of inner nodes above the leaves.
  private(set) var depth = 0
  private(set) var count = 0

  init() { unsafe root = nil }

  /// A dictionary of ascending terms, in pages not quite full.
  init(ascending entries: [(term: PostingTerm, number: UInt32)], heap: PageHeap) {
    unsafe root = nil
    count = entries.count
    if entries.isEmpty { return }
    var pages = unsafe PostingDictionary.parts(entries.count, most: PostingLeaf.most * 7 / 8).map { range in
      unsafe (term: entries[range.lowerBound].term, page: PostingLeaf.page(entries[range], heap))
    }
    while unsafe pages.count > 1 {
      unsafe pages = unsafe PostingDictionary.parts(pages.count, most: PostingNode.most * 7 / 8).map { range in
        let node = unsafe PostingNode(count: range.count, heap)
        for index in range { unsafe node.set(index - range.lowerBound, pages[index].term, pages[index].page) }
        return unsafe (term: pages[range.lowerBound].term, page: node.page)
      }
      depth += 1
    }
    unsafe root = unsafe pages[0].page
  }

  /// Ranges of at most so many, all of nearly one size.
  private static func parts(_ count: Int, most: Int) -> [Range<Int>] {
    let parts = (count + most - 1) / most
    return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
  }

  // MARK: Finding

  private func leaf(of term: PostingTerm) -> PostingLeaf? {
    guard var page = unsafe root else { return nil }
    var level = depth
    while level > 0 {
      let node = unsafe PostingNode(page: page)
      unsafe page = unsafe node.children[node.child(of: term)]
      level -= 1
    }
    return unsafe PostingLeaf(page: page)
  }

  /// Where the number of a term is read.
  func number(of term: PostingTerm) -> UnsafePointer<UInt32>? {
    guard let leaf = unsafe leaf(of: term) else { return nil }
    let (index, isFound) = unsafe leaf.place(of: term)
    return unsafe isFound ? UnsafePointer(leaf.numbers + index) : nil
  }

  /// Writes the numbers of terms, `none` for those that are not there, and calls `found` with each. The leaves are rarely
  /// near: each is asked for while others are looked for and looked at.
  func writeNumbers(
    of terms: [PostingTerm], to numbers: UnsafeMutableBufferPointer<UInt32>, none: UInt32, found: (UInt32) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: terms.count) { pages in
      for step in 0..<terms.count + PostingDictionary.leavesAhead {
        if step < terms.count {
          let page = unsafe leaf(of: terms[step])?.page
          unsafe pages[step] = unsafe page
          if let page = unsafe page { unsafe PostingLeaf.prefetch(page) }
        }
        let place = step - PostingDictionary.leavesAhead
        if place < 0 { continue }
        unsafe numbers[place] = none
        guard let page = unsafe pages[place] else { continue }
        let leaf = unsafe PostingLeaf(page: page)
        let (index, isFound) = unsafe leaf.place(of: terms[place])
        if isFound {
          unsafe numbers[place] = leaf.numbers[index]
          unsafe found(leaf.numbers[index])
        }
      }
    }
  }

  /// How many leaves are asked for before the first is looked at.
  private static let leavesAhead = 4

  /// Calls `body` with each term and its number, in the dictionary's order.
  func forEachTerm(_ body: (PostingTerm, UnsafePointer<UInt32>) -> Void) {
    if let root = unsafe root { unsafe forEachTerm(page: root, level: depth, body) }
  }

  private func forEachTerm(
    page: UnsafeMutableRawPointer, level: Int, _ body: (PostingTerm, UnsafePointer<UInt32>) -> Void
  ) {
    if level > 0 {
      let node = unsafe PostingNode(page: page)
      for index in unsafe 0..<node.count { unsafe forEachTerm(page: node.children[index], level: level - 1, body) }
      return
    }
    let leaf = unsafe PostingLeaf(page: page)
    for index in unsafe 0..<leaf.count { unsafe body(leaf.term(index), UnsafePointer(leaf.numbers + index)) }
  }

  // MARK: Changing

  /// Changes the number of a term that is in the dictionary.
  mutating func setNumber(of term: PostingTerm, to number: UInt32, heap: PageHeap) {
    guard var page = unsafe root else { return }
    unsafe setNumber(of: term, to: number, page: &page, level: depth, heap)
    unsafe root = unsafe page
  }

  private func setNumber(
    of term: PostingTerm, to number: UInt32, page: inout UnsafeMutableRawPointer, level: Int, _ heap: PageHeap
  ) {
    if level > 0 {
      let index = unsafe PostingNode(page: page).child(of: term)
      var child = unsafe PostingNode(page: page).children[index]
      unsafe setNumber(of: term, to: number, page: &child, level: level - 1, heap)
      unsafe PostingNode.setChild(index, of: &page, to: child, heap)
    } else {
      unsafe heap.writable(&page, used: PostingLeaf(page: page).bytes)
      let leaf = unsafe PostingLeaf(page: page)
      unsafe leaf.numbers[leaf.place(of: term).index] = number
    }
  }

  /// Adds a term that is not in the dictionary.
  mutating func insert(_ term: PostingTerm, number: UInt32, heap: PageHeap) {
    count += 1
    guard var page = unsafe root else {
      unsafe root = unsafe PostingLeaf.single(term, number, heap)
      return
    }
    if let right = unsafe insert(term, number, page: &page, level: depth, heap) {
      unsafe page = unsafe PostingNode.pair(page, right.term, right.page, heap)
      depth += 1
    }
    unsafe root = unsafe page
  }

  /// Adds a term below a page; returns the right half where it was split.
  private func insert(
    _ term: PostingTerm, _ number: UInt32, page: inout UnsafeMutableRawPointer, level: Int, _ heap: PageHeap
  ) -> (term: PostingTerm, page: UnsafeMutableRawPointer)? {
    if level == 0 {
      let leaf = unsafe PostingLeaf(page: page)
      let index = unsafe leaf.place(of: term).index
      if unsafe leaf.count < PostingLeaf.most {
        unsafe page = unsafe leaf.inserting(term, number, at: index, heap)
        unsafe heap.retire(leaf.page)
        return nil
      }
      let middle = unsafe leaf.count / 2
      let (left, right) = unsafe (leaf.slice(0..<middle, heap), leaf.slice(middle..<leaf.count, heap))
      unsafe heap.retire(page)
      unsafe page = unsafe left
      var other = unsafe right
      if index <= middle {
        unsafe page = unsafe PostingLeaf(page: left).inserting(term, number, at: index, heap)
        unsafe heap.retire(left)
      } else {
        unsafe other = unsafe PostingLeaf(page: right).inserting(term, number, at: index - middle, heap)
        unsafe heap.retire(right)
      }
      return unsafe (PostingLeaf(page: other).term(0), other)
    }
    let node = unsafe PostingNode(page: page)
    let index = unsafe node.child(of: term)
    var child = unsafe node.children[index]
    let split = unsafe insert(term, number, page: &child, level: level - 1, heap)
    unsafe PostingNode.setChild(index, of: &page, to: child, heap)
    guard let split = unsafe split else { return nil }
    let grown = unsafe PostingNode(page: page).inserting(split.term, split.page, at: index + 1, heap)
    unsafe heap.retire(page)
    unsafe page = unsafe grown
    let wide = unsafe PostingNode(page: grown)
    guard unsafe wide.count > PostingNode.most else { return nil }
    let middle = unsafe wide.count / 2
    let separator = unsafe wide.term(middle)
    let right = unsafe wide.slice(middle..<wide.count, heap)
    unsafe page = unsafe wide.slice(0..<middle, heap)
    unsafe heap.retire(grown)
    return unsafe (separator, right)
  }

  /// Removes a term that is in the dictionary.
  mutating func remove(_ term: PostingTerm, heap: PageHeap) {
    guard var page = unsafe root else { return }
    count -= 1
    if unsafe remove(term, page: &page, level: depth, heap) {
      unsafe root = nil
      depth = 0
      return
    }
    while depth > 0, unsafe PostingNode(page: page).count == 1 {
      let child = unsafe PostingNode(page: page).children[0]
      unsafe heap.retire(page)
      unsafe page = unsafe child
      depth -= 1
    }
    unsafe root = unsafe page
  }

  /// Removes a term below a page; returns whether nothing is left of it, and the page is retired.
  private func remove(
    _ term: PostingTerm, page: inout UnsafeMutableRawPointer, level: Int, _ heap: PageHeap
  ) -> Bool {
    if level == 0 {
      let leaf = unsafe PostingLeaf(page: page)
      if unsafe leaf.count > 1 { unsafe page = unsafe leaf.removing(at: leaf.place(of: term).index, heap) }
      unsafe heap.retire(leaf.page)
      return unsafe leaf.count == 1
    }
    let node = unsafe PostingNode(page: page)
    let index = unsafe node.child(of: term)
    var child = unsafe node.children[index]
    if unsafe remove(term, page: &child, level: level - 1, heap) {
      if unsafe node.count > 1 { unsafe page = unsafe node.removing(at: index, heap) }
      unsafe heap.retire(node.page)
      return unsafe node.count == 1
    }
    unsafe PostingNode.setChild(index, of: &page, to: child, heap)
    unsafe merge(index, of: &page, level: level, heap)
    return false
  }

  /// Joins a child that has become small with one beside it, where both are no more than a full one's better half.
  private func merge(_ index: Int, of page: inout UnsafeMutableRawPointer, level: Int, _ heap: PageHeap) {
    let node = unsafe PostingNode(page: page)
    guard unsafe node.count > 1 else { return }
    let left = max(index - 1, 0)
    let (first, second) = unsafe (node.children[left], node.children[left + 1])
    let joined: UnsafeMutableRawPointer
    if level == 1 {
      let (a, b) = unsafe (PostingLeaf(page: first), PostingLeaf(page: second))
      guard unsafe min(a.count, b.count) <= PostingLeaf.most / 4, unsafe a.count + b.count <= PostingLeaf.most * 2 / 3
      else { return }
      unsafe joined = unsafe a.joined(b, heap)
    } else {
      let (a, b) = unsafe (PostingNode(page: first), PostingNode(page: second))
      guard unsafe min(a.count, b.count) <= PostingNode.most / 4, unsafe a.count + b.count <= PostingNode.most * 2 / 3
      else { return }
      unsafe joined = unsafe a.joined(b, separator: node.term(left + 1), heap)
    }
    unsafe heap.retire(first)
    unsafe heap.retire(second)
    unsafe PostingNode.setChild(left, of: &page, to: joined, heap)
    let changed = unsafe PostingNode(page: page)
    unsafe page = unsafe changed.removing(at: left + 1, heap)
    unsafe heap.retire(changed.page)
  }

  // MARK: The whole

  /// Calls `body` with every page and how many of its bytes are used.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    func visit(_ page: UnsafeMutableRawPointer, _ level: Int) {
      if level > 0 {
        let node = unsafe PostingNode(page: page)
        for index in unsafe 0..<node.count { unsafe visit(node.children[index], level - 1) }
      }
      unsafe body(page)
    }
    if let root = unsafe root { unsafe visit(root, depth) }
  }

  /// Whether the tree keeps its invariants: for tests.
  func check() -> Bool {
    guard let root = unsafe root else { return count == 0 && depth == 0 }
    var last: PostingTerm?
    var entries = 0
    func visit(_ page: UnsafeMutableRawPointer, _ level: Int, _ least: PostingTerm?) -> Bool {
      if level == 0 {
        let leaf = unsafe PostingLeaf(page: page)
        guard unsafe leaf.count > 0, unsafe leaf.count <= PostingLeaf.most,
          unsafe leaf.tailCount == leaf.mask.nonzeroBitCount
        else {
          return false
        }
        for index in unsafe 0..<leaf.count {
          let term = unsafe leaf.term(index)
          if let last, !(last < term) { return false }
          if let least, term < least { return false }
          last = term
          entries += 1
        }
        return true
      }
      let node = unsafe PostingNode(page: page)
      guard unsafe node.count > 0, unsafe node.count <= PostingNode.most else { return false }
      for index in unsafe 0..<node.count {
        if index > 0, let last, unsafe !(last < node.term(index)) { return false }
        if unsafe !visit(node.children[index], level - 1, index > 0 ? node.term(index) : least) { return false }
      }
      return true
    }
    return unsafe visit(root, depth, nil) && entries == count
  }
}
