// An unsafe leaf: changing many entries of an ordered index at once. See OrderedIndex.swift for the invariants.

/// A page, and what its parent has to know of it.
@unsafe
struct OrderedIndexPart<Key: IndexKey>: BitwiseCopyable {
  var page: UnsafeMutableRawPointer
  /// The first entry below the page; of the first page of its level it says nothing.
  var first: IndexEntry<Key>
  /// How many entries lie below the page.
  var size: Int
  /// How many entries or children a page has that was changed.
  var count: Int = .max
}

extension OrderedIndex {
  typealias Part = OrderedIndexPart<Key>

  /// Takes entries out, all of which are there, and adds others, none of which stays there: one that is taken out may be
  /// among them. Both are sorted. Each page that changes is copied, and one that becomes small joined with one beside it.
  ///
  /// Complexity: O(m log n) for m entries, with each page that they lie in touched once or twice.
  mutating func change<Ties: KeyTies>(
    removing removed: ContiguousArray<Entry>, adding added: ContiguousArray<Entry>, heap: PageHeap, ties: Ties
  ) {
    if removed.isEmpty, added.isEmpty { return }
    guard let root = unsafe root else {
      self = .build(added, shape: shape, heap: heap)
      return
    }
    // Keys that only rise, or only fall, leave full nodes behind them.
    var growth = OrderedIndexGrowth.within
    if removed.isEmpty, let first = added.first, let last = added.last {
      if place(of: first, ties: ties).position.rank == count {
        growth = .rising
      } else if place(of: last, ties: ties).position.rank == 0 {
        growth = .falling
      }
    }
    unsafe removed.withUnsafeBufferPointer { removed in
      unsafe added.withUnsafeBufferPointer { added in
        var merger = unsafe OrderedIndexMerger(index: self, heap: heap, ties: ties, growth: growth)
        // What is first is of no use of the root.
        let whole = unsafe Part(page: root, first: Entry(key: Key(), slot: 0), size: count)
        unsafe merger.change(whole, level: height, removed, added)
        unsafe (self.root, height, count) = merger.top()
      }
    }
  }
}

/// Where all entries of a change lie.
private enum OrderedIndexGrowth {
  case within
  /// Behind all that there are.
  case rising
  /// Before all.
  case falling
}

/// A change of many entries of one index.
@unsafe
private struct OrderedIndexMerger<Key: IndexKey, Ties: KeyTies> {
  typealias Node = OrderedIndexNode<Key>
  typealias Entry = IndexEntry<Key>
  typealias Part = OrderedIndexPart<Key>
  typealias Some = UnsafeBufferPointer<Entry>

  let index: OrderedIndex<Key>
  let heap: PageHeap
  let ties: Ties
  let growth: OrderedIndexGrowth
  /// The pages that took the places of those that were changed last.
  private var parts: [Part] = unsafe []

  init(index: OrderedIndex<Key>, heap: PageHeap, ties: Ties, growth: OrderedIndexGrowth) {
    unsafe (self.index, self.heap, self.ties, self.growth) = (index, heap, ties, growth)
  }

  private var shape: KeyShape { unsafe index.shape }

  /// So many separators are looked at one by one before all are.
  private var nearChildren: Int { 6 }

  /// The root over the pages that took the place of the old one, the levels below it, and how many entries there are.
  mutating func top() -> (root: UnsafeMutableRawPointer?, height: Int, count: Int) {
    var height = unsafe index.height
    while unsafe parts.count > 1 {
      height += 1
      let children = unsafe parts
      unsafe parts.removeAll()
      unsafe Self.append(nodesOf: children, growth, isTop: true, to: &parts, heap)
    }
    guard var root = unsafe parts.first else { return (nil, 0, 0) }
    while height > 0, unsafe Node(root.page).count == 1 {
      let child = unsafe Node(root.page).children[0]
      unsafe heap.retire(root.page)
      unsafe root.page = child
      height -= 1
    }
    return unsafe (root.page, height, root.size)
  }

  /// Changes the entries below a page, which gives way to those that are appended to the parts: none, where no entry is left.
  mutating func change(_ part: Part, level: Int, _ removed: Some, _ added: Some) {
    if level == 0 { return unsafe changeLeaf(part, removed, added) }
    let node = unsafe Node(part.page)
    let count = unsafe node.count
    let start = unsafe parts.count
    unsafe withUnsafeTemporaryAllocation(
      of: (child: Int, end: Int).self, capacity: min(count, removed.count + added.count)
    ) { touched in
      var (touches, removals, additions) = (0, 0, 0)
      var isAlike = true
      /// The child that the next of some entries lies in, or comes to lie in, from that of the entry before it on; behind all
      /// where there is none.
      func place(of next: Int, _ entries: Some, from start: Int) -> Int {
        if next == entries.count { return count }
        let entry = unsafe entries[next]
        // Mostly it is that child or one close behind.
        var child = start
        while unsafe child < start &+ nearChildren {
          if child == count &- 1 { return child }
          guard let isBehind = unsafe node.isBehind(entry, child, shape: shape, ties: ties) else { break }
          if isBehind { return child }
          child &+= 1
        }
        let place = unsafe node.place(entry, count &- 1, shape: shape, ties: ties)
        return place.index &+ (place.isFound ? 1 : 0)
      }
      var next = unsafe (place(of: 0, removed, from: 0), place(of: 0, added, from: 0))
      while next != (count, count) {
        let target = min(next.0, next.1)
        let first = (removals, additions)
        while next.0 == target {
          removals += 1
          unsafe next.0 = place(of: removals, removed, from: target)
        }
        while next.1 == target {
          additions += 1
          unsafe next.1 = place(of: additions, added, from: target)
        }
        if level == 1, next != (count, count) {
          unsafe PageHeap.prefetch(
            node.children[min(next.0, next.1)], Node.leafBytes(Node.leafRoom, isCoded: shape.isCoded))
        }
        let known = unsafe parts.count
        unsafe change(
          child(target, of: node, part), level: level - 1,
          Some(rebasing: removed[first.0..<removals]), Some(rebasing: added[first.1..<additions]))
        unsafe touched[touches] = unsafe (target, parts.count)
        touches += 1
        unsafe isAlike = isAlike && parts.count == known + 1 && parts[known].count >= least(level - 1)
      }
      if isAlike {
        unsafe replace(part, start, UnsafeBufferPointer(rebasing: touched[..<touches]))
        return
      }
      var children: [Part] = unsafe []
      unsafe children.reserveCapacity(count + parts.count - start)
      var (kept, place) = (0, start)
      for touch in 0..<touches {
        let (target, end) = unsafe touched[touch]
        for number in kept..<target { unsafe children.append(child(number, of: node, part)) }
        unsafe children += parts[place..<end]
        (kept, place) = (target + 1, end)
      }
      for number in kept..<count { unsafe children.append(child(number, of: node, part)) }
      unsafe parts.removeLast(parts.count - start)
      // Growing, only the first or the last page of a level can be small, which it may.
      if unsafe growth == .within { unsafe fill(&children, level: level - 1) }
      unsafe Self.append(nodesOf: children, growth, isTop: level == index.height, to: &parts, heap)
      unsafe heap.retire(part.page)
    }
  }

  /// A child of a page that is not changed, or not yet.
  private func child(_ number: Int, of node: Node, _ part: Part) -> Part {
    unsafe Part(
      page: node.children[number], first: number == 0 ? part.first : node.entry(number - 1),
      size: node.size(ofChild: number))
  }

  /// The fewest entries or children of a page of a level that stands between others.
  private func least(_ level: Int) -> Int { OrderedIndex<Key>.room(level: level) / 4 }

  /// Copies a page whose changed children each gave way to one: the parts from `start` on, whose place it takes.
  private mutating func replace(
    _ part: Part, _ start: Int, _ touched: UnsafeBufferPointer<(child: Int, end: Int)>
  ) {
    var new = unsafe part
    unsafe index.makeWritable(&new.page, heap: heap)
    let node = unsafe Node(new.page)
    let count = unsafe node.count
    var (touch, difference) = (0, 0)
    for child in unsafe touched[0].child..<count {
      let before = unsafe node.before(child)
      if difference != 0 { unsafe node.before[child] = UInt32(truncatingIfNeeded: before + difference) }
      guard unsafe touch < touched.count && touched[touch].child == child else { continue }
      let changed = unsafe parts[start + touch]
      // What is before the next child is as it was.
      unsafe difference += changed.size - ((child + 1 < count ? node.before(child + 1) : node.total) - before)
      unsafe node.children[child] = changed.page
      if child > 0 { unsafe node.set(changed.first, at: child - 1) } else { unsafe new.first = changed.first }
      touch += 1
    }
    unsafe node.total += difference
    unsafe (new.size, new.count) = (node.total, count)
    unsafe parts.removeLast(parts.count - start)
    unsafe parts.append(new)
  }

  private mutating func changeLeaf(_ part: Part, _ removed: Some, _ added: Some) {
    let leaf = unsafe Node(part.page)
    let used = unsafe leaf.count
    /// The places of what is taken out, a bit each.
    var gone: UInt128 = 0
    for number in removed.indices {
      let place = unsafe leaf.place(removed[number], used, shape: shape, ties: ties)
      assert(place.isFound)
      if place.isFound { gone |= 1 << UInt128(place.index) }
    }
    let total = used - gone.nonzeroBitCount + added.count
    if unsafe total > Node.leafRoom {
      unsafe withUnsafeTemporaryAllocation(of: Entry.self, capacity: total) { merged in
        unsafe merge(leaf, used, gone, added) { from, count, to in
          for number in 0..<count { unsafe merged.initializeElement(at: to + number, to: leaf.entry(from + number)) }
        } put: { entry, place in
          unsafe merged.initializeElement(at: place, to: entry)
        }
        unsafe Self.append(leavesOf: Some(merged), growth, shape, to: &parts, heap)
      }
    } else if total > 0 {
      let new = unsafe Node.leaf(
        room: max(leaf.room, Node.leafRoom(for: total)), isCoded: shape.isCoded, in: heap)
      // Codes are taken over with the entries where the scale has some for all.
      let isScaled = unsafe shape.isCoded && leaf.covers(added)
      if isScaled { unsafe new.scale = leaf.scale }
      unsafe merge(leaf, used, gone, added) { from, count, to in
        unsafe new.copyEntries(from: leaf, from, count, to: to)
        if isScaled { unsafe new.copyCodes(from: leaf, from, count, to: to) }
      } put: { entry, place in
        unsafe new.set(entry, at: place)
        if isScaled { unsafe new.encode(place) }
      }
      unsafe new.count = total
      unsafe new.pad(from: total)
      if isScaled { unsafe new.refineCodes() } else if unsafe shape.isCoded { unsafe new.encode() }
      unsafe parts.append(Part(page: new.base, first: new.entry(0), size: total, count: total))
    }
    unsafe heap.retire(part.page)
  }

  /// Calls `copy` with runs of a leaf's entries that stay, and `put` with those that are added, and the places of both.
  @inline(__always)
  private func merge(
    _ leaf: Node, _ used: Int, _ gone: UInt128, _ added: Some, copy: (_ from: Int, _ count: Int, _ to: Int) -> Void,
    put: (Entry, Int) -> Void
  ) {
    var (from, to) = (0, 0)
    func keep(until end: Int) {
      while from < end {
        let run = min((gone >> UInt128(from)).trailingZeroBitCount, end - from)
        copy(from, run, to)
        to += run
        // Behind the run is the end, or what is gone.
        from += run + 1
      }
      from = end
    }
    for number in added.indices {
      let entry = unsafe added[number]
      unsafe keep(until: leaf.place(entry, used, shape: shape, ties: ties).index)
      put(entry, to)
      to += 1
    }
    keep(until: used)
  }

  /// Appends the leaves that have some entries.
  private static func append(
    leavesOf entries: Some, _ growth: OrderedIndexGrowth, _ shape: KeyShape, to parts: inout [Part], _ heap: PageHeap
  ) {
    for range in unsafe shares(of: entries.count, room: Node.leafRoom, growth) {
      let leaf = unsafe OrderedIndex<Key>.packed(
        Some(rebasing: entries[range]), room: Node.leafRoom, isCoded: shape.isCoded, heap: heap)
      unsafe parts.append(
        Part(page: leaf.base, first: entries[range.lowerBound], size: range.count, count: range.count))
    }
  }

  /// Appends the nodes that have some children; where these are all below the root, one alone has room as a root has.
  private static func append(
    nodesOf children: [Part], _ growth: OrderedIndexGrowth, isTop: Bool, to parts: inout [Part], _ heap: PageHeap
  ) {
    let count = unsafe children.count
    for range in unsafe shares(of: count, room: Node.innerRoom, growth) {
      let room = unsafe isTop && range.count == count ? Node.innerRoom(for: count) : Node.innerRoom
      unsafe parts.append(OrderedIndex<Key>.node(of: children[range], room: room, heap: heap))
    }
  }

  /// What each of the fewest pages of a level has: as much as another, or, of keys that rise or fall, all but the last or the
  /// first as much as it has room for.
  private static func shares(of count: Int, room: Int, _ growth: OrderedIndexGrowth) -> [Range<Int>] {
    let pages = (count + room - 1) / room
    let free = pages * room - count
    func end(_ page: Int) -> Int {
      switch growth {
      case .within: page * count / pages
      case .rising: min(page * room, count)
      case .falling: max(page * room - free, 0)
      }
    }
    return (0..<pages).map { end($0)..<end($0 + 1) }
  }

  /// Joins pages of a level, side by side below one node, that have become small with one beside them.
  private func fill(_ pages: inout [Part], level: Int) {
    var number = 0
    while unsafe number < pages.count, unsafe pages.count > 1 {
      if unsafe pages[number].count >= least(level) {
        number += 1
        continue
      }
      let left = max(number - 1, 0)
      let joined = unsafe join(pages[left], pages[left + 1], level: level)
      unsafe pages.replaceSubrange(left...left + 1, with: joined)
      number = left
    }
  }

  /// The page, or the two that have as much as each other, with what two side by side have.
  private func join(_ one: Part, _ other: Part, level: Int) -> [Part] {
    let (left, right) = unsafe (Node(one.page), Node(other.page))
    let (count, otherCount) = unsafe (left.count, right.count)
    var parts: [Part] = unsafe []
    if level == 0 {
      unsafe withUnsafeTemporaryAllocation(of: Entry.self, capacity: count + otherCount) { entries in
        for place in 0..<count { unsafe entries.initializeElement(at: place, to: left.entry(place)) }
        for place in 0..<otherCount { unsafe entries.initializeElement(at: count + place, to: right.entry(place)) }
        unsafe Self.append(leavesOf: Some(entries), .within, shape, to: &parts, heap)
      }
    } else {
      var children = unsafe (0..<count).map { unsafe child($0, of: left, one) }
      unsafe children += (0..<otherCount).map { unsafe child($0, of: right, other) }
      // One that was alone had none beside it to be joined with.
      for place in [count - 1, count] { unsafe children[place].count = Node(children[place].page).count }
      unsafe fill(&children, level: level - 1)
      unsafe Self.append(nodesOf: children, .within, isTop: false, to: &parts, heap)
    }
    unsafe heap.retire(one.page)
    unsafe heap.retire(other.page)
    return unsafe parts
  }
}

extension OrderedIndex {
  /// A node that has some children.
  static func node(of children: ArraySlice<Part>, room: Int, heap: PageHeap) -> Part {
    let node = unsafe Node.inner(room: room, in: heap)
    var (number, total) = (0, 0)
    for place in unsafe children.indices {
      let child = unsafe children[place]
      if number > 0 { unsafe node.set(child.first, at: number - 1) }
      unsafe node.children[number] = child.page
      unsafe node.before[number] = UInt32(truncatingIfNeeded: total)
      unsafe total += child.size
      number += 1
    }
    unsafe (node.count, node.total) = (number, total)
    unsafe node.pad(from: number - 1)
    return unsafe Part(page: node.base, first: children[children.startIndex].first, size: total, count: number)
  }
}
