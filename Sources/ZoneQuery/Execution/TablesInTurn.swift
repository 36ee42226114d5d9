/// The tables of several zones in the order in which a sort goes through them: first the one whose first row may come
/// before all others'. A table is not gone to once as many rows as are wanted come before any that it can have.
///
/// A binary heap of the tables by the least key that a row of theirs can have. Where a quarter of them was gone to and there
/// are not enough rows, few match: the rest come as they lie, which costs less, but for those that are too far behind.
///
/// Complexity: linear in the tables, and logarithmic for each that is gone to.
struct TablesInTurn {
  /// By the tables' numbers; nil for those that have no row, or were gone to.
  private var keys: [RankKey?] = []
  private var heap: [UInt32] = []
  /// How many tables have been gone to.
  private var visited = 0
  /// Where those that come as they lie are looked for; nil while the heap says which is next.
  private var position: Int?

  /// No tables yet, of which there will be so many; `isOrdered` where they are to come by their keys.
  init(capacity: Int, isOrdered: Bool) {
    keys.reserveCapacity(capacity)
    position = isOrdered ? nil : 0
  }

  /// Adds the next table by the least key that a row of it can have; nil where no row of it can be among the answer's.
  mutating func append(_ key: RankKey?) {
    if position == nil, key != nil { heap.append(UInt32(truncatingIfNeeded: keys.count)) }
    keys.append(key)
  }

  /// Says that all tables were added.
  mutating func begin() {
    var parent = heap.count / 2
    while parent > 0 {
      parent -= 1
      siftDown(parent)
    }
  }

  /// The number of the table to go to next; nil where no other can have a row that does not come behind `last`.
  mutating func next(before last: RankKey?) -> Int? {
    guard let position else {
      guard let first = heap.first.map(Int.init), let key = keys[first] else { return nil }
      if let last, last < key { return nil }
      keys[first] = nil
      visited += 1
      if visited * 4 > keys.count {
        self.position = 0
      } else {
        let end = heap.removeLast()
        if !heap.isEmpty {
          heap[0] = end
          siftDown(0)
        }
      }
      return first
    }
    for number in position..<keys.count {
      guard let key = keys[number] else { continue }
      if let last, last < key { continue }
      keys[number] = nil
      self.position = number + 1
      return number
    }
    self.position = keys.count
    return nil
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in 2 * parent + 1..<min(2 * parent + 3, max(2 * parent + 1, heap.count)) where isBefore(child, least) {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func isBefore(_ place: Int, _ other: Int) -> Bool {
    guard let key = keys[Int(heap[place])], let otherKey = keys[Int(heap[other])] else { return false }
    return key < otherKey
  }
}
