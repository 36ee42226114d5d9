// An unsafe leaf: an ordered index of a zone's records.
//
// A B+tree whose pages are copied on write (Bayer and McCreight 1972; paths copied as in Driscoll, Sarnak, Sleator and
// Tarjan 1989), with arrays of words for nodes, and with the entries below each child counted, so that the rank of a
// place, and with it the exact size of a range, costs one descent.
//
// Invariants:
// - Entries are ordered by the words of the key from first to last; where a word ends a text that is ordered by its bytes,
//   and the words are equal and say that the texts are long, by these bytes before the next word; last by slot.
// - All leaves are at the same depth. A separator is equal to the first entry below the child that it stands before, so
//   that the bytes of its text are always those of a record that is in the index.
// - But for the root, and the first and last node of a level, a node is at least a quarter full; only a leaf that is the
//   root has fewer places than it could. A root that is no leaf has two children.
// - Pages are changed by the writer of the heap alone, and only where the running commit allocated them.
// Proof of Sendable: an index is a pointer to pages that nothing changes once their version is published.

/// The entries (key, slot) of one index of a table, in order: a version is a copy.
///
/// Complexity: inserting, removing, seeking and ranking are O(log n) with one page a level touched; walking is linear.
@safe
struct OrderedIndex<Key: IndexKey>: @unchecked Sendable {
  typealias Node = OrderedIndexNode<Key>
  typealias Entry = IndexEntry<Key>
  typealias Bound = IndexBound<Key>

  @unsafe var root: UnsafeMutableRawPointer?
  /// How many levels of inner nodes there are.
  var height = 0
  /// How many entries there are.
  var count = 0
  let shape: KeyShape

  /// An index without entries, which takes no page.
  init(shape: KeyShape) { self.shape = shape }

  /// How many entries or children a node of a level may have.
  @inline(__always)
  static func room(level: Int) -> Int { unsafe level == 0 ? Node.leafRoom : Node.innerRoom }

  var isEmpty: Bool { count == 0 }

  /// Says that the running commit's version does without all of the index's pages.
  mutating func removeAll(heap: PageHeap) {
    if let root = unsafe root { unsafe retire(root, level: height, heap: heap) }
    unsafe root = nil
    (height, count) = (0, 0)
  }

  /// Calls `body` with every page.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    if let root = unsafe root { unsafe forEachPage(root, level: height, body) }
  }

  private func forEachPage(_ page: UnsafeMutableRawPointer, level: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    if level > 0 {
      let node = unsafe Node(page)
      for child in unsafe 0..<node.count { unsafe forEachPage(node.children[child], level: level - 1, body) }
    }
    unsafe body(page)
  }

  private func retire(_ page: UnsafeMutableRawPointer, level: Int, heap: PageHeap) {
    if level > 0 {
      let node = unsafe Node(page)
      for child in unsafe 0..<node.count { unsafe retire(node.children[child], level: level - 1, heap: heap) }
    }
    unsafe heap.retire(page)
  }
}

/// A place in one version of an index: between two entries, or before the first or behind the last.
///
/// Proof of Sendable: it is a value; the leaf it points to is one that nothing changes once its version is published, and
/// is read while that version is pinned.
@safe
struct IndexPosition: @unchecked Sendable {
  /// How many entries lie before it.
  let rank: Int
  /// The leaf, and how many of its entries lie before the place: all, where the next entry is in the next leaf.
  @unsafe let leaf: UnsafeMutableRawPointer?
  let index: Int
  /// The number of the child taken in each level, a byte each, the lowest level first.
  let path: UInt64

  /// The only place of an index without entries.
  static var empty: IndexPosition { unsafe IndexPosition(rank: 0, leaf: nil, index: 0, path: 0) }

  @inline(__always)
  init(rank: Int, leaf: UnsafeMutableRawPointer?, index: Int, path: UInt64) {
    self.rank = rank
    unsafe self.leaf = leaf
    self.index = index
    self.path = path
  }

  /// The child taken from the inner nodes of a level, of which the lowest is 0.
  @inline(__always)
  func child(_ level: Int) -> Int { Int(truncatingIfNeeded: path >> UInt64(truncatingIfNeeded: 8 * level) & 0xFF) }
}
