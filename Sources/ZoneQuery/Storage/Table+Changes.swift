// Which records of a table were saved when: what change tokens go on from.
//
// An ordered index on the numbers of the records' change tags, in tables of zones that track changes. As the cascades, it is
// none of the indexes that queries see; it changes with each row, is emptied when a bulk load begins, and built at its end.

/// A record of a table, by the number of its change tag.
struct TableChange: Sendable, Equatable {
  var number: UInt64
  var slot: UInt32
}

extension Table {
  // MARK: Following a row

  /// Adds a new row, whose tag has a number.
  mutating func insertChange(_ slot: Int, _ number: Int64, _ heap: PageHeap) {
    if isBulk { return }
    changes?.insert(Table.changeKey(number), slot: UInt32(truncatingIfNeeded: slot), heap: heap, ties: NoTies())
  }

  /// Takes out a row that is about to have another tag, or to go.
  mutating func removeChange(_ slot: Int, _ heap: PageHeap) {
    if isBulk || changes == nil { return }
    let number = integer(slot, FieldNumber(.changeTag))
    changes?.remove(Table.changeKey(number), slot: UInt32(truncatingIfNeeded: slot), heap: heap, ties: NoTies())
  }

  /// Numbers of tags are not negative, so that their words have their order.
  private static func changeKey(_ number: Int64) -> Key1 { Key1(UInt64(bitPattern: number)) }

  /// Builds the order of all rows anew; there is nothing in it.
  mutating func buildChanges(_ heap: PageHeap) {
    guard let index = changes else { return }
    changes = .build(sortedChanges, shape: index.shape, heap: heap)
  }

  private var sortedChanges: ContiguousArray<IndexEntry<Key1>> {
    var entries: ContiguousArray<IndexEntry<Key1>> = []
    entries.reserveCapacity(count)
    forEachRow { row, slot in
      entries.append(IndexEntry(key: Table.changeKey(row.integer(FieldNumber(.changeTag))), slot: slot))
    }
    OrderedIndex<Key1>.sort(&entries, shape: .number, ties: NoTies())
    return entries
  }

  // MARK: Reading

  /// The record whose tag has the least number. Complexity: logarithmic.
  var firstChange: TableChange? {
    var first: TableChange?
    changes?.forEachChange {
      first = $0
      return false
    }
    return first
  }

  // MARK: Checking

  /// What is wrong with it, nil where nothing is: it has each row once, under its number.
  var changesFault: String? {
    guard let changes else { return nil }
    if let fault = changes.fault(ties: NoTies()) { return "its changes: \(fault)" }
    if isBulk { return changes.isEmpty ? nil : "there are changes in a bulk load" }
    var known: ContiguousArray<IndexEntry<Key1>> = []
    changes.forEachChange {
      known.append(IndexEntry(key: Key1($0.number), slot: $0.slot))
      return true
    }
    return known == sortedChanges ? nil : "its changes are not those of its rows"
  }
}

extension OrderedIndex<Key1> {
  /// Calls `body` with the records whose numbers are above one and no more than another, in their order, until it returns
  /// false; behind `place`, where one of the number is given that was the last.
  func forEachChange(
    above lower: UInt64, through upper: UInt64, behind place: TableChange? = nil, _ body: (TableChange) -> Bool
  ) {
    guard lower < upper else { return }
    let end = seek(.after(Key1(upper)))
    var start = seek(.after(Key1(lower)))
    if let place, place.number > lower {
      start = self.place(of: IndexEntry(key: Key1(place.number), slot: place.slot), ties: NoTies()).position
    }
    forEachRun(from: start, to: end) { run in
      for index in 0..<run.count {
        let change = TableChange(number: run.key(index).word0, slot: run.slot(index))
        if change != place, !body(change) { return false }
      }
      return true
    }
  }

  /// All records, in the order of their numbers.
  func forEachChange(_ body: (TableChange) -> Bool) { forEachChange(above: 0, through: .max, body) }
}
