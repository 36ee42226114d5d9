// An unsafe leaf: walking over an ordered index. See OrderedIndex.swift for the invariants.
//
// A position names a leaf by its path from the root, not by pointers to the nodes above: the next leaf is found from the
// root again, over nodes that the walk has just passed.

/// Entries of one leaf that follow each other, in the direction of the walk.
@safe
struct IndexRun<Key: IndexKey> {
  @unsafe private let leaf: UnsafeMutableRawPointer
  private let start: Int
  private let isDescending: Bool
  let count: Int

  @inline(__always)
  init(leaf: UnsafeMutableRawPointer, start: Int, count: Int, isDescending: Bool) {
    unsafe self.leaf = leaf
    (self.start, self.count, self.isDescending) = (start, count, isDescending)
  }

  @inline(__always)
  private func place(_ index: Int) -> Int { isDescending ? start &+ count &- 1 &- index : start &+ index }

  /// The slot of the `index`-th entry that the walk comes to.
  @inline(__always)
  func slot(_ index: Int) -> UInt32 { unsafe OrderedIndexNode<Key>(leaf).slots[place(index)] }

  /// The key of the `index`-th entry that the walk comes to.
  @inline(__always)
  func key(_ index: Int) -> Key { unsafe OrderedIndexNode<Key>(leaf).entry(place(index)).key }

  /// One word of the key of the `index`-th entry that the walk comes to.
  @inline(__always)
  func word(_ word: Int, _ index: Int) -> UInt64 { unsafe OrderedIndexNode<Key>(leaf).words(word)[place(index)] }

  /// How many entries from the `first`-th on, at most so many, each have other words than the one before them.
  @inline(__always)
  func distinctCount(from first: Int, most: Int, _ word: Int, words count: Int) -> Int {
    if most <= 1 { return max(0, most) }
    // Mostly all differ in the first of the words: no branch depends on an answer until that is known.
    let values = unsafe UnsafePointer(OrderedIndexNode<Key>(leaf).words(word))
    let (low, high) = (min(place(first), place(first &+ most &- 1)), max(place(first), place(first &+ most &- 1)))
    var (equals, index) = (0, low)
    while index < high {
      unsafe equals &+= SortedRun.bit(values[index] == values[index &+ 1])
      index &+= 1
    }
    if equals == 0 { return most }
    var entry = first &+ 1
    while entry < first &+ most, !isEqual(entry, entry &- 1, word, words: count) { entry &+= 1 }
    return entry &- first
  }

  @inline(__always)
  private func isEqual(_ entry: Int, _ other: Int, _ first: Int, words count: Int) -> Bool {
    var word = first
    while word < first &+ count {
      if self.word(word, entry) != self.word(word, other) { return false }
      word &+= 1
    }
    return true
  }

  /// Adds the slots of some entries, in the order of the walk.
  @inline(__always)
  func append(_ entries: Range<Int>, to slots: inout [UInt32]) {
    let values = unsafe UnsafePointer(OrderedIndexNode<Key>(leaf).slots)
    let start = slots.count
    if !isDescending {
      return unsafe slots.append(
        contentsOf: UnsafeBufferPointer(start: values + place(entries.lowerBound), count: entries.count))
    }
    slots.append(contentsOf: repeatElement(0, count: entries.count))
    let first = place(entries.lowerBound)
    unsafe slots.withUnsafeMutableBufferPointer { slots in
      var index = 0
      while index < entries.count {
        unsafe slots[start &+ index] = values[first &- index]
        index &+= 1
      }
    }
  }

  /// All slots of the run in ascending order of the entries, whatever the direction.
  @inline(__always)
  var slots: UnsafePointer<UInt32> { unsafe UnsafePointer(OrderedIndexNode<Key>(leaf).slots + start) }

  /// One word of all keys of the run in ascending order of the entries, whatever the direction.
  @inline(__always)
  func words(_ word: Int) -> UnsafePointer<UInt64> {
    unsafe UnsafePointer(OrderedIndexNode<Key>(leaf).words(word) + start)
  }
}

extension OrderedIndex {
  /// Walks over the entries between two places of this version, leaf by leaf, until `body` returns false.
  ///
  /// - Returns: false if `body` did.
  @inline(__always)
  @discardableResult
  func forEachRun(
    from lower: IndexPosition, to upper: IndexPosition, descending: Bool = false, _ body: (IndexRun<Key>) -> Bool
  ) -> Bool {
    var rest = upper.rank &- lower.rank
    guard rest > 0 else { return true }
    let start = descending ? upper : lower
    guard var page = unsafe start.leaf else { return true }
    var leaves = Leaves(path: start.path)
    if descending {
      var end = start.index
      while true {
        let count = min(end, rest)
        if count > 0 {
          if unsafe !body(IndexRun(leaf: page, start: end &- count, count: count, isDescending: true)) { return false }
          rest &-= count
        }
        guard rest > 0, let previous = unsafe leaf(beside: &leaves, forward: false) else { return true }
        unsafe page = previous
        end = unsafe Node(page).count
      }
    }
    var index = start.index
    while true {
      let count = unsafe min(Node(page).count &- index, rest)
      if count > 0 {
        if unsafe !body(IndexRun(leaf: page, start: index, count: count, isDescending: false)) { return false }
        rest &-= count
      }
      guard rest > 0, let next = unsafe leaf(beside: &leaves, forward: true) else { return true }
      unsafe page = next
      index = 0
    }
  }

  /// Where a walk is: a path, and the node above its leaf once it was looked for.
  @safe
  struct Leaves {
    var path: UInt64
    @unsafe var parent: UnsafeMutableRawPointer?

    @inline(__always)
    init(path: UInt64) {
      self.path = path
      unsafe parent = nil
    }
  }

  /// The leaf behind or before the one where a walk is.
  @inline(__always)
  func leaf(beside leaves: inout Leaves, forward: Bool) -> UnsafeMutableRawPointer? {
    if let parent = unsafe leaves.parent {
      let node = unsafe Node(parent)
      let child = Int(truncatingIfNeeded: leaves.path & 0xFF)
      if unsafe forward ? child &+ 1 < node.count : child > 0 {
        leaves.path = forward ? leaves.path &+ 1 : leaves.path &- 1
        return unsafe node.children[forward ? child &+ 1 : child &- 1]
      }
    }
    return unsafe distantLeaf(beside: &leaves, forward: forward)
  }

  /// The leaf so many behind the one where a walk is, where it is below the same node and the walk knows that.
  @inline(__always)
  func leaf(ahead distance: Int, of leaves: Leaves) -> UnsafeMutableRawPointer? {
    guard let parent = unsafe leaves.parent else { return nil }
    let node = unsafe Node(parent)
    let child = Int(truncatingIfNeeded: leaves.path & 0xFF) &+ distance
    return unsafe child < node.count ? node.children[child] : nil
  }

  @inline(never)
  func distantLeaf(beside leaves: inout Leaves, forward: Bool) -> UnsafeMutableRawPointer? {
    guard let page = unsafe leaf(beside: &leaves.path, forward: forward), var parent = unsafe root else { return nil }
    var level = height - 1
    while level > 0 {
      let child = Int(truncatingIfNeeded: leaves.path >> UInt64(truncatingIfNeeded: 8 * level) & 0xFF)
      unsafe parent = Node(parent).children[child]
      level -= 1
    }
    unsafe leaves.parent = parent
    return unsafe page
  }

  /// The leaf behind or before the one that a path leads to.
  private func leaf(beside path: inout UInt64, forward: Bool) -> UnsafeMutableRawPointer? {
    guard var page = unsafe root else { return nil }
    // The lowest node in which there is a child further on.
    var (turn, turnLevel) = unsafe (page, -1)
    var level = height - 1
    while level >= 0 {
      let node = unsafe Node(page)
      let child = Int(truncatingIfNeeded: path >> UInt64(truncatingIfNeeded: 8 * level) & 0xFF)
      if unsafe forward ? child + 1 < node.count : child > 0 { unsafe (turn, turnLevel) = (page, level) }
      unsafe page = node.children[child]
      level -= 1
    }
    if turnLevel < 0 { return nil }
    let shift = UInt64(truncatingIfNeeded: 8 * turnLevel)
    path = (path >> shift &+ (forward ? 1 : ~0)) << shift
    unsafe page = Node(turn).children[Int(truncatingIfNeeded: path >> shift & 0xFF)]
    level = turnLevel - 1
    while level >= 0 {
      let node = unsafe Node(page)
      let child = unsafe forward ? 0 : node.count - 1
      path |= UInt64(truncatingIfNeeded: child) << UInt64(truncatingIfNeeded: 8 * level)
      unsafe page = node.children[child]
      level -= 1
    }
    return unsafe page
  }

  /// The entry behind a place.
  func entry(at position: IndexPosition) -> Entry? {
    guard position.rank < count, var page = unsafe position.leaf else { return nil }
    if unsafe position.index < Node(page).count { return unsafe Node(page).entry(position.index) }
    var path = position.path
    guard let next = unsafe leaf(beside: &path, forward: true) else { return nil }
    unsafe page = next
    return unsafe Node(page).entry(0)
  }

  /// Copies the slots between two places of this version, which must find room; returns how many there are.
  @discardableResult
  func collectSlots(
    from lower: IndexPosition, to upper: IndexPosition, descending: Bool = false,
    into buffer: UnsafeMutableBufferPointer<UInt32>
  ) -> Int {
    guard var sink = buffer.baseAddress else { return 0 }
    var room = buffer.count
    forEachRun(from: lower, to: upper, descending: descending) { run in
      let count = min(run.count, room)
      if descending {
        var index = 0
        while index < count {
          unsafe sink[index] = run.slot(index)
          index &+= 1
        }
      } else {
        unsafe sink.update(from: run.slots, count: count)
      }
      unsafe sink += count
      room &-= count
      return room > 0
    }
    return buffer.count - room
  }
}
