// An unsafe leaf: taking from an ordered index. See OrderedIndex.swift for the invariants.

extension OrderedIndex {
  /// Takes an entry out; false, and nothing changes, if it is not there. `leaf` is the start of the leaf it belongs to, where
  /// that is known.
  @discardableResult
  mutating func remove<Ties: KeyTies>(
    _ key: Key, slot: UInt32, in leaf: IndexPosition? = nil, heap: PageHeap, ties: Ties
  ) -> Bool {
    guard var page = unsafe root else { return false }
    let (place, isFound) = place(of: Entry(key: key, slot: slot), in: leaf, ties: ties)
    if !isFound { return false }
    unsafe remove(from: &page, level: height, at: place, heap: heap)
    count -= 1
    while height > 0, unsafe Node(page).count == 1 {
      let only = unsafe Node(page).children[0]
      unsafe heap.retire(page)
      unsafe page = only
      height -= 1
    }
    if count == 0 {
      unsafe heap.retire(page)
      unsafe root = nil
      height = 0
    } else {
      unsafe root = page
    }
    return true
  }

  private func remove(
    from page: inout UnsafeMutableRawPointer, level: Int, at place: IndexPosition, heap: PageHeap
  ) {
    if level == 0 { return unsafe remove(fromLeaf: &page, at: place.index, heap: heap) }
    unsafe makeWritable(&page, heap: heap)
    let node = unsafe Node(page)
    let child = place.child(level - 1)
    unsafe remove(from: &node.children[child], level: level - 1, at: place, heap: heap)
    unsafe node.recount(from: child, by: -1)
    let rest = unsafe Node(node.children[child]).count
    // The entry was the first below the child where the path to it keeps to the left.
    let isFirst = place.index == 0 && place.path & ((1 << UInt64(truncatingIfNeeded: 8 * (level - 1))) - 1) == 0
    if isFirst, child > 0, rest > 0 {
      unsafe node.set(first(below: node.children[child], level: level - 1), at: child - 1)
    }
    if rest < Self.room(level: level - 1) / 4 {
      unsafe refill(child, of: node, level: level, heap: heap)
    }
  }

  private func remove(fromLeaf page: inout UnsafeMutableRawPointer, at index: Int, heap: PageHeap) {
    let leaf = unsafe Node(page)
    let (count, room) = unsafe (leaf.count, leaf.room)
    // A leaf that is no root never has fewer places, since only a root is left with so few entries.
    let isSparse = height == 0 && room > 4 && count <= room / 4
    if !isSparse {
      unsafe heap.writable(&page, used: Node.leafBytes(room, isCoded: shape.isCoded))
      let leaf = unsafe Node(page)
      unsafe leaf.close(index, of: count)
      unsafe leaf.count = count - 1
      if shape.isCoded { unsafe leaf.encode(removing: index, from: count) }
      return
    }
    let new = unsafe Node.leaf(room: Node.leafRoom(for: 2 * count), isCoded: shape.isCoded, in: heap)
    unsafe new.copyEntries(from: leaf, 0, index, to: 0)
    unsafe new.copyEntries(from: leaf, index + 1, count - index - 1, to: index)
    unsafe new.count = count - 1
    unsafe new.pad(from: count - 1)
    if shape.isCoded { unsafe new.encode() }
    unsafe heap.retire(page)
    unsafe page = new.base
  }

  private func first(below page: UnsafeMutableRawPointer, level: Int) -> Entry {
    var page = unsafe page
    for _ in 0..<level { unsafe page = Node(page).children[0] }
    return unsafe Node(page).entry(0)
  }

  /// Joins a child that has too little with its neighbour, or takes from that.
  private func refill(_ child: Int, of node: Node, level: Int, heap: PageHeap) {
    let count = unsafe node.count
    let page = unsafe node.children[child]
    if unsafe Node(page).count == 0 {
      unsafe heap.retire(page)
      unsafe drop(child, separator: max(child - 1, 0), of: node)
      return
    }
    if count == 1 { return }
    let left = child == count - 1 ? child - 1 : child
    let pages = unsafe (Node(node.children[left]), Node(node.children[left + 1]))
    let separator = unsafe node.entry(left)
    let sum = unsafe pages.0.count + pages.1.count
    let room = Self.room(level: level - 1)
    // Nodes joined are not so full that they are soon split again, and nodes that share have more than half.
    let first = sum <= room * 3 / 4 ? sum : sum / 2
    let (low, _) = unsafe part(of: pages, separator, 0, first, level: level, heap: heap)
    unsafe node.children[left] = low.base
    if first == sum {
      unsafe drop(left + 1, separator: left, of: node)
    } else {
      let (high, entry) = unsafe part(of: pages, separator, first, sum, level: level, heap: heap)
      unsafe node.children[left + 1] = high.base
      unsafe node.set(entry, at: left)
      unsafe node.before[left + 1] = UInt32(
        truncatingIfNeeded: node.before(left) + size(of: low.base, level: level - 1))
    }
    unsafe heap.retire(pages.0.base)
    unsafe heap.retire(pages.1.base)
  }

  /// Takes a child and a separator out of a node of the running commit.
  private func drop(_ child: Int, separator: Int, of node: Node) {
    let count = unsafe node.count
    if count > 1 { unsafe node.close(separator, of: count - 1) }
    unsafe node.copyChildren(from: node, child + 1, count - child - 1, to: child, adding: 0)
    unsafe node.count = count - 1
  }

  /// A new node with a part of the entries or children of two neighbours, and the first entry below it unless it begins
  /// where they do.
  private func part(
    of pages: (Node, Node), _ separator: Entry, _ start: Int, _ end: Int, level: Int, heap: PageHeap
  ) -> (Node, Entry) {
    let split = unsafe pages.0.count
    let fromLeft = max(min(split, end) - start, 0)
    let rightStart = max(start - split, 0)
    let fromRight = end - start - fromLeft
    if level == 1 {
      let new = unsafe Node.leaf(room: Node.leafRoom, isCoded: shape.isCoded, in: heap)
      unsafe new.copyEntries(from: pages.0, start, fromLeft, to: 0)
      unsafe new.copyEntries(from: pages.1, rightStart, fromRight, to: fromLeft)
      unsafe new.count = end - start
      unsafe new.pad(from: end - start)
      if shape.isCoded { unsafe new.encode() }
      return unsafe (new, new.entry(0))
    }
    let new = unsafe Node.inner(room: Node.innerRoom, in: heap)
    let leftTotal = unsafe pages.0.total
    // Entries below the two nodes before the part, and before its end.
    func below(_ child: Int) -> Int {
      if child < split { return unsafe pages.0.before(child) }
      if unsafe child - split < pages.1.count { return unsafe leftTotal + pages.1.before(child - split) }
      return unsafe leftTotal + pages.1.total
    }
    /// The separator before a child of the two nodes.
    func separatorBefore(_ child: Int) -> Entry {
      if child == split { return separator }
      return unsafe child < split ? pages.0.entry(child - 1) : pages.1.entry(child - split - 1)
    }
    let base = below(start)
    unsafe new.copyChildren(from: pages.0, start, fromLeft, to: 0, adding: -base)
    unsafe new.copyChildren(from: pages.1, rightStart, fromRight, to: fromLeft, adding: leftTotal - base)
    for child in start + 1..<max(end, start + 1) { unsafe new.set(separatorBefore(child), at: child - start - 1) }
    unsafe new.count = end - start
    unsafe new.total = below(end) - base
    unsafe new.pad(from: end - start - 1)
    return unsafe (new, start == 0 ? separator : separatorBefore(start))
  }
}
