// An unsafe leaf: building an ordered index from many entries. See OrderedIndex.swift for the invariants.

extension OrderedIndex {
  /// An index of entries that are sorted and of which no two are equal, with leaves and nodes filled to a fraction.
  ///
  /// Complexity: linear.
  static func build(
    _ entries: ContiguousArray<Entry>, shape: KeyShape, fill: Double = 1, heap: PageHeap
  ) -> OrderedIndex {
    var index = OrderedIndex(shape: shape)
    if entries.isEmpty { return index }
    index.count = entries.count
    unsafe entries.withUnsafeBufferPointer { entries in
      if unsafe entries.count <= Node.leafRoom {
        let leaf = unsafe packed(
          entries, room: Node.leafRoom(for: entries.count), isCoded: shape.isCoded, heap: heap)
        unsafe index.root = leaf.base
        return
      }
      var parts = unsafe [Part]()
      for range in unsafe Self.parts(of: entries.count, room: Node.leafRoom, fill: fill) {
        let leaf = unsafe packed(
          UnsafeBufferPointer(rebasing: entries[range]), room: Node.leafRoom, isCoded: shape.isCoded, heap: heap)
        unsafe parts.append(Part(page: leaf.base, first: entries[range.lowerBound], size: range.count))
      }
      while unsafe parts.count > 1 {
        let isRoot = unsafe parts.count <= Node.innerRoom
        let ranges = unsafe isRoot ? [0..<parts.count] : Self.parts(of: parts.count, room: Node.innerRoom, fill: fill)
        unsafe parts = ranges.map { range in
          unsafe node(
            of: parts[range], room: isRoot ? Node.innerRoom(for: range.count) : Node.innerRoom, heap: heap)
        }
        index.height += 1
      }
      unsafe index.root = parts[0].page
    }
    return index
  }

  static func packed(
    _ entries: UnsafeBufferPointer<Entry>, room: Int, isCoded: Bool, heap: PageHeap
  ) -> Node {
    let leaf = unsafe Node.leaf(room: room, isCoded: isCoded, in: heap)
    let count = entries.count
    var word = 0
    while word < Key.wordCount {
      let words = unsafe leaf.words(word)
      var index = 0
      while index < count {
        unsafe words[index] = entries[index].key[word]
        index &+= 1
      }
      word += 1
    }
    var index = 0
    while index < count {
      unsafe leaf.slots[index] = entries[index].slot
      index &+= 1
    }
    unsafe leaf.count = count
    unsafe leaf.pad(from: count)
    if isCoded { unsafe leaf.encode() }
    return unsafe leaf
  }

  /// The parts that nodes of a level are made of: as full as wished, the last two evenly.
  private static func parts(of count: Int, room: Int, fill: Double) -> [Range<Int>] {
    let wish = fill > 0.5 ? Int(min(fill, 1) * Double(room)) : room / 2
    var (parts, start) = ([Range<Int>](), 0)
    while count - start > 2 * wish {
      parts.append(start..<start + wish)
      start += wish
    }
    if count - start > wish {
      // The last leaf need not be a quarter full, but two half ones take new keys better than a full one does.
      let isFew = count - start - wish < room / 4
      let end = isFew ? start + (count - start) / 2 : start + wish
      parts.append(start..<end)
      start = end
    }
    parts.append(start..<count)
    return parts
  }
}
