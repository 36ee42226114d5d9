// An unsafe leaf: adding to an ordered index. See OrderedIndex.swift for the invariants.

/// A node that a split has made, to be put behind the one that was split.
@unsafe
struct OrderedIndexSplit<Key: IndexKey> {
  /// The first entry below the new node.
  var separator: IndexEntry<Key>
  var page: UnsafeMutableRawPointer
}

extension OrderedIndex {
  typealias Split = OrderedIndexSplit<Key>

  /// Adds an entry; false, and nothing changes, if it is there already. `leaf` is the start of the leaf it belongs to, where
  /// that is known.
  @discardableResult
  mutating func insert<Ties: KeyTies>(
    _ key: Key, slot: UInt32, in leaf: IndexPosition? = nil, heap: PageHeap, ties: Ties
  ) -> Bool {
    let entry = Entry(key: key, slot: slot)
    guard var page = unsafe root else {
      let leaf = unsafe Node.leaf(room: Node.leafRoom(for: 1), isCoded: shape.isCoded, in: heap)
      unsafe leaf.set(entry, at: 0)
      unsafe leaf.count = 1
      unsafe leaf.pad(from: 1)
      if shape.isCoded { unsafe leaf.encode() }
      unsafe root = leaf.base
      count = 1
      return true
    }
    let (place, isFound) = place(of: entry, in: leaf, ties: ties)
    if isFound { return false }
    if let split = unsafe insert(entry, into: &page, level: height, at: place, heap: heap) {
      let node = unsafe Node.inner(room: Node.innerRoom(for: 2), in: heap)
      let left = unsafe size(of: page, level: height)
      unsafe node.set(split.separator, at: 0)
      unsafe node.pad(from: 1)
      unsafe node.children[0] = page
      unsafe node.children[1] = split.page
      unsafe node.before[0] = 0
      unsafe node.before[1] = UInt32(truncatingIfNeeded: left)
      unsafe node.count = 2
      unsafe node.total = count + 1
      unsafe root = node.base
      height += 1
    } else {
      unsafe root = page
    }
    count += 1
    return true
  }

  /// How many entries lie below a page.
  @inline(__always)
  func size(of page: UnsafeMutableRawPointer, level: Int) -> Int {
    unsafe level == 0 ? Node(page).count : Node(page).total
  }

  private func insert(
    _ entry: Entry, into page: inout UnsafeMutableRawPointer, level: Int, at place: IndexPosition, heap: PageHeap
  ) -> Split? {
    if level == 0 { return unsafe insert(entry, intoLeaf: &page, at: place, heap: heap) }
    unsafe makeWritable(&page, heap: heap)
    let node = unsafe Node(page)
    let child = place.child(level - 1)
    let split = unsafe insert(entry, into: &node.children[child], level: level - 1, at: place, heap: heap)
    unsafe node.recount(from: child, by: 1)
    guard let split = unsafe split else { return nil }
    return unsafe insert(split, behind: child, into: &page, level: level, at: place, heap: heap)
  }

  /// Makes an inner node one that the running commit may write to.
  @inline(__always)
  func makeWritable(_ page: inout UnsafeMutableRawPointer, heap: PageHeap) {
    // Whole: so much is copied by one call, in less time than what is used of its parts by one each.
    unsafe heap.writable(&page, used: Node.innerBytes(Node(page).room))
  }

  private func insert(
    _ entry: Entry, intoLeaf page: inout UnsafeMutableRawPointer, at place: IndexPosition, heap: PageHeap
  ) -> Split? {
    let leaf = unsafe Node(page)
    let (count, room, index) = unsafe (leaf.count, leaf.room, place.index)
    if count < room {
      unsafe heap.writable(&page, used: Node.leafBytes(room, isCoded: shape.isCoded))
      let leaf = unsafe Node(page)
      unsafe leaf.open(index, of: count)
      unsafe leaf.set(entry, at: index)
      unsafe leaf.count = count + 1
      if shape.isCoded { unsafe leaf.encode(adding: index, to: count) }
      return nil
    }
    if count < Self.room(level: 0) {
      let new = unsafe Node.leaf(room: Node.leafRoom(for: count + 1), isCoded: shape.isCoded, in: heap)
      unsafe new.copyEntries(from: leaf, 0, index, to: 0)
      unsafe new.set(entry, at: index)
      unsafe new.copyEntries(from: leaf, index, count - index, to: index + 1)
      unsafe new.count = count + 1
      unsafe new.pad(from: count + 1)
      if shape.isCoded { unsafe new.encode() }
      unsafe heap.retire(page)
      unsafe page = new.base
      return nil
    }
    let new = unsafe Node.leaf(room: Node.leafRoom, isCoded: shape.isCoded, in: heap)
    if place.rank == self.count || place.rank == 0 {
      // Keys that only rise, or only fall, leave full leaves behind them.
      unsafe new.set(entry, at: 0)
      unsafe new.count = 1
      unsafe new.pad(from: 1)
      if shape.isCoded { unsafe new.encode() }
      if place.rank != 0 { return unsafe Split(separator: entry, page: new.base) }
      let right = unsafe page
      unsafe page = new.base
      return unsafe Split(separator: leaf.entry(0), page: right)
    }
    let middle = count / 2
    unsafe new.copyEntries(from: leaf, middle, count - middle, to: 0)
    unsafe new.count = count - middle
    unsafe new.pad(from: count - middle)
    if shape.isCoded {
      unsafe new.scale = leaf.scale
      unsafe new.copyCodes(from: leaf, middle, count - middle, to: 0)
    }
    unsafe heap.writable(&page, used: Node.leafBytes(room, isCoded: shape.isCoded))
    let left = unsafe Node(page)
    unsafe left.count = middle
    unsafe left.pad(from: middle)
    let (target, targetIndex) = unsafe index <= middle ? (left, index) : (new, index - middle)
    let used = unsafe target.count
    unsafe target.open(targetIndex, of: used)
    unsafe target.set(entry, at: targetIndex)
    unsafe target.count = used + 1
    if shape.isCoded {
      unsafe target.encode(adding: targetIndex, to: used)
      unsafe left.refineCodes()
      unsafe new.refineCodes()
    }
    return unsafe Split(separator: new.entry(0), page: new.base)
  }

  /// Puts a child behind the one that it was split from, into a page of the running commit.
  private func insert(
    _ split: Split, behind child: Int, into page: inout UnsafeMutableRawPointer, level: Int, at place: IndexPosition,
    heap: PageHeap
  ) -> Split? {
    var node = unsafe Node(page)
    let count = unsafe node.count
    let smaller = unsafe size(of: node.children[child], level: level - 1)
    if unsafe count == node.room {
      if count == Self.room(level: level) {
        return unsafe divide(&page, adding: split, behind: child, smaller, level: level, at: place, heap: heap)
      }
      let new = unsafe Node.inner(room: Node.innerRoom(for: count + 1), in: heap)
      unsafe new.copyEntries(from: node, 0, count - 1, to: 0)
      unsafe new.copyChildren(from: node, 0, count, to: 0, adding: 0)
      unsafe new.pad(from: count - 1)
      unsafe (new.count, new.total) = (count, node.total)
      unsafe heap.retire(page)
      unsafe page = new.base
      unsafe node = new
    }
    unsafe add(split, behind: child, smaller, to: node)
    return nil
  }

  /// Puts a child behind another that has `smaller` entries, into a node of the running commit with room.
  private func add(_ split: Split, behind child: Int, _ smaller: Int, to node: Node) {
    let count = unsafe node.count
    unsafe node.open(child, of: count - 1)
    unsafe node.set(split.separator, at: child)
    unsafe node.copyChildren(from: node, child + 1, count - child - 1, to: child + 2, adding: 0)
    unsafe node.children[child + 1] = split.page
    unsafe node.before[child + 1] = UInt32(truncatingIfNeeded: node.before(child) + smaller)
    unsafe node.count = count + 1
  }

  private func divide(
    _ page: inout UnsafeMutableRawPointer, adding split: Split, behind child: Int, _ smaller: Int, level: Int,
    at place: IndexPosition, heap: PageHeap
  ) -> Split {
    let node = unsafe Node(page)
    let count = unsafe node.count
    let new = unsafe Node.inner(room: Node.innerRoom, in: heap)
    unsafe new.before[0] = 0
    if place.rank == self.count, child == count - 1 {
      unsafe new.children[0] = split.page
      unsafe new.count = 1
      unsafe new.total = size(of: split.page, level: level - 1)
      unsafe new.pad(from: 0)
      unsafe node.total -= new.total
      return unsafe Split(separator: split.separator, page: new.base)
    }
    if place.rank == 0, child == 0 {
      unsafe new.children[0] = node.children[0]
      unsafe new.count = 1
      unsafe new.total = smaller
      unsafe new.pad(from: 0)
      unsafe node.children[0] = split.page
      unsafe node.recount(from: 0, by: -smaller)
      unsafe page = new.base
      return unsafe Split(separator: split.separator, page: node.base)
    }
    let middle = count / 2
    let below = unsafe node.before(middle)
    let separator = unsafe node.entry(middle - 1)
    unsafe new.copyEntries(from: node, middle, count - middle - 1, to: 0)
    unsafe new.copyChildren(from: node, middle, count - middle, to: 0, adding: -below)
    unsafe new.pad(from: count - middle - 1)
    unsafe (new.count, new.total) = (count - middle, node.total - below)
    unsafe (node.count, node.total) = (middle, below)
    unsafe node.pad(from: middle - 1)
    if child < middle {
      unsafe add(split, behind: child, smaller, to: node)
    } else {
      unsafe add(split, behind: child - middle, smaller, to: new)
    }
    return unsafe Split(separator: separator, page: new.base)
  }
}
