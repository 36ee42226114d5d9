// An unsafe leaf: the invariants of an ordered index, looked at whole. See OrderedIndex.swift.

extension OrderedIndex {
  /// The first invariant that does not hold, for tests. Linear.
  func fault<Ties: KeyTies>(ties: Ties) -> String? {
    guard let root = unsafe root else { return count == 0 && height == 0 ? nil : "entries without a root" }
    var last: Entry?
    if let fault = unsafe fault(
      of: root, level: height, isFirst: true, isLast: true, least: nil, last: &last, ties: ties)
    {
      return fault
    }
    return unsafe size(of: root, level: height) == count ? nil : "the root counts another number of entries"
  }

  /// Whether an entry comes before another.
  func precedes<Ties: KeyTies>(_ entry: Entry, _ other: Entry, ties: Ties) -> Bool {
    for word in 0..<Key.wordCount {
      let (one, two) = (entry.key[word], other.key[word])
      if one != two { return one < two }
      if Ties.areBroken, shape.isLong(word, one) {
        let component = shape.component(word)
        let order = unsafe Node.order(
          ties.text(slot: entry.slot, component: component), ties.text(slot: other.slot, component: component))
        if order != 0 { return order < 0 }
      }
    }
    return entry.slot < other.slot
  }

  private func fault<Ties: KeyTies>(
    of page: UnsafeMutableRawPointer, level: Int, isFirst: Bool, isLast: Bool, least: Entry?, last: inout Entry?,
    ties: Ties
  ) -> String? {
    let node = unsafe Node(page)
    let (count, room) = unsafe (node.count, node.room)
    let isRoot = isFirst && isLast && level == height
    let full = Self.room(level: level)
    if count > room || room > full { return "a node has more than it has room for" }
    if !isRoot, room != full { return "a node that is not the root is small" }
    if !isFirst, !isLast, count < full / 4 { return "a node is less than a quarter full" }
    if count < (isRoot && level > 0 ? 2 : 1) { return "a node has too little" }
    if unsafe PageHeap.capacity(of: page)
      < (level == 0 ? Node.leafBytes(room, isCoded: shape.isCoded) : Node.innerBytes(room))
    {
      return "a page is too small"
    }
    for index in (level == 0 ? count : count - 1)..<room where unsafe node.words(0)[index] != .max {
      return "an unused place does not hold the greatest word"
    }
    if level == 0 {
      if let least, unsafe node.entry(0) != least { return "a separator is not the first entry behind it" }
      for index in 0..<count {
        let entry = unsafe node.entry(index)
        if let last, !precedes(last, entry, ties: ties) { return "entries are out of order" }
        last = entry
      }
      if shape.isCoded, unsafe !node.areCodesSound { return "a code is not its word's, or of too wide a scale" }
      return nil
    }
    var total = 0
    for child in 0..<count {
      if unsafe node.before(child) != total { return "entries are counted wrongly" }
      if let fault = unsafe fault(
        of: node.children[child], level: level - 1, isFirst: isFirst && child == 0,
        isLast: isLast && child == count - 1,
        least: child == 0 ? least : node.entry(child - 1), last: &last, ties: ties)
      {
        return fault
      }
      unsafe total += size(of: node.children[child], level: level - 1)
    }
    return unsafe node.total == total ? nil : "entries are counted wrongly in all"
  }
}
