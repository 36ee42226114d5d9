// An unsafe leaf: an array of page pointers in pages.
//
// Invariant: `root` points to a page of pointers to leaf pages; leaf n holds the pointers 64 n ..< 64 n + 64 of those
// that `count` counts. Both kinds of page grow from a few pointers. Pointers behind `count` belong to no published
// version, so that an append writes them in place.
// Proof of Sendable: a root is a value; what it points to changes as the page heap says.

/// An array of pointers to pages, whose copies share what they do not change. It does not look at what they point to: a
/// pointer may say something more in its lowest bits, as ``RowGroup/names`` does.
///
/// Complexity: a pointer is two steps away; changing one copies 64 pointers and a pointer for each 64 there are, once a
/// commit.
@safe
struct PageDirectory: @unchecked Sendable {
  private static var shift: Int { 6 }
  private static var leafCount: Int { 1 << shift }

  @unsafe private var root: UnsafeMutableRawPointer?
  private(set) var count = 0

  init() { unsafe root = nil }

  /// The pointer at a place before `count`.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutableRawPointer? {
    guard let root = unsafe root else { return nil }
    let leaf = unsafe root.load(fromByteOffset: (index >> Self.shift) << 3, as: UnsafeMutableRawPointer.self)
    return unsafe leaf.load(
      fromByteOffset: (index & (Self.leafCount - 1)) << 3, as: UnsafeMutableRawPointer?.self)
  }

  private var leaves: Int { (count + Self.leafCount - 1) >> Self.shift }

  /// Puts a pointer in place of the one at `index`.
  mutating func set(_ index: Int, _ page: UnsafeMutableRawPointer?, heap: PageHeap) {
    guard var root = unsafe root else { return }
    unsafe heap.writable(&root, used: leaves << 3)
    let number = index >> Self.shift
    var leaf = unsafe root.load(fromByteOffset: number << 3, as: UnsafeMutableRawPointer.self)
    unsafe heap.writable(&leaf, used: min(Self.leafCount, count - number << Self.shift) << 3)
    unsafe leaf.storeBytes(
      of: page, toByteOffset: (index & (Self.leafCount - 1)) << 3, as: UnsafeMutableRawPointer?.self)
    unsafe root.storeBytes(of: leaf, toByteOffset: number << 3, as: UnsafeMutableRawPointer.self)
    unsafe self.root = root
  }

  /// Adds a pointer behind the others.
  mutating func append(_ page: UnsafeMutableRawPointer?, heap: PageHeap) {
    let (number, place) = (count >> Self.shift, count & (Self.leafCount - 1))
    var leaf: UnsafeMutableRawPointer
    if place == 0 {
      unsafe leaf = heap.allocate(0)
      unsafe putLeaf(leaf, number, isNew: true, heap: heap)
    } else {
      guard let root = unsafe root else { return }
      unsafe leaf = root.load(fromByteOffset: number << 3, as: UnsafeMutableRawPointer.self)
      if unsafe place << 3 == PageHeap.capacity(of: leaf) {
        unsafe heap.move(&leaf, used: place << 3, bytes: place << 4)
        unsafe putLeaf(leaf, number, isNew: false, heap: heap)
      }
    }
    unsafe leaf.storeBytes(of: page, toByteOffset: place << 3, as: UnsafeMutableRawPointer?.self)
    count += 1
  }

  private mutating func putLeaf(_ leaf: UnsafeMutableRawPointer, _ number: Int, isNew: Bool, heap: PageHeap) {
    var root = unsafe root ?? heap.allocate(0)
    if isNew {
      if unsafe number << 3 == PageHeap.capacity(of: root) {
        unsafe heap.move(&root, used: number << 3, bytes: (number + number >> 1) << 3)
      }
    } else {
      unsafe heap.writable(&root, used: leaves << 3)
    }
    unsafe root.storeBytes(of: leaf, toByteOffset: number << 3, as: UnsafeMutableRawPointer.self)
    unsafe self.root = root
  }

  /// Calls `body` with the directory's own pages: for checks.
  func forEachOwnPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    guard let root = unsafe root else { return }
    unsafe body(root)
    for number in 0..<leaves {
      unsafe body(root.load(fromByteOffset: number << 3, as: UnsafeMutableRawPointer.self))
    }
  }
}
