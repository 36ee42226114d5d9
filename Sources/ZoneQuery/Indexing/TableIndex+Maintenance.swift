// How an index follows the changes of its table.
//
// The entries of ordered indexes are taken out before their row is written over, since their order may rest on its texts, or,
// where many records are saved at once and it does not, later;
// the terms of postings are compared before and after, so that what stays is not touched.

/// An entry that is about to be put into an ordered index of a table, or taken out.
struct IndexChange {
  /// The number of the index.
  var index: Int
  /// The key's words.
  var key: Key4
  /// How far the way to the leaf of the entry is known: a first step, then to the start of the leaf, while nothing else of the
  /// index is changed. Of changes behind the first ``Table/mostLeavesNear`` of a row nothing is.
  var way: IndexPosition
}

extension TableIndex {
  /// Appends the changes that put a row as it is now into an ordered index, or take it out, and counts it where it has no
  /// entry; `step`, 1 or -1, says which. `number` is the index's own.
  mutating func prepare(
    _ row: IndexedRow, slot: UInt32, number: Int, rows: TableRows, step: Int, _ changes: inout [IndexChange]
  ) {
    switch entries {
    case .one(let index): prepare(row, of: index, slot, number, NoTies(), step, &changes)
    case .two(let index): prepare(row, of: index, slot, number, RowTies(rows, shape), step, &changes)
    case .three(let index): prepare(row, of: index, slot, number, RowTies(rows, shape), step, &changes)
    case .four(let index): prepare(row, of: index, slot, number, RowTies(rows, shape), step, &changes)
    case .postings: break
    }
  }

  private mutating func prepare<Key: IndexKey, Ties: KeyTies>(
    _ row: IndexedRow, of index: OrderedIndex<Key>, _ slot: UInt32, _ number: Int, _ ties: Ties, _ step: Int,
    _ changes: inout [IndexChange]
  ) {
    let isIncomplete = forEachKey(row, Key.self) { key in
      let isNear = changes.count < Table.mostLeavesNear
      changes.append(
        IndexChange(
          index: number, key: Key4(key),
          way: isNear ? index.firstStep(to: IndexEntry(key: key, slot: slot), ties: ties) : .empty))
    }
    if isIncomplete { incomplete += step }
  }

  /// Goes the rest of the way to the leaf of a change, behind the first step.
  func findLeaf(of change: inout IndexChange, slot: UInt32, rows: TableRows) {
    switch entries {
    case .one(let index):
      change.way = index.leaf(of: IndexEntry(key: Key1(change.key), slot: slot), behind: change.way, ties: NoTies())
    case .two(let index):
      change.way = index.leaf(
        of: IndexEntry(key: Key2(change.key), slot: slot), behind: change.way, ties: RowTies(rows, shape))
    case .three(let index):
      change.way = index.leaf(
        of: IndexEntry(key: Key3(change.key), slot: slot), behind: change.way, ties: RowTies(rows, shape))
    case .four(let index):
      change.way = index.leaf(
        of: IndexEntry(key: change.key, slot: slot), behind: change.way, ties: RowTies(rows, shape))
    case .postings: break
    }
  }

  /// Takes an entry out of an ordered index, before its row changes; `leaf` is the change's, where nothing else has changed.
  mutating func remove(_ change: IndexChange, in leaf: IndexPosition?, slot: UInt32, rows: TableRows, heap: PageHeap) {
    switch entries {
    case .one(var index):
      entries = .postings(PostingIndex())
      index.remove(Key1(change.key), slot: slot, in: leaf, heap: heap, ties: NoTies())
      entries = .one(index)
    case .two(var index):
      entries = .postings(PostingIndex())
      index.remove(Key2(change.key), slot: slot, in: leaf, heap: heap, ties: RowTies(rows, shape))
      entries = .two(index)
    case .three(var index):
      entries = .postings(PostingIndex())
      index.remove(Key3(change.key), slot: slot, in: leaf, heap: heap, ties: RowTies(rows, shape))
      entries = .three(index)
    case .four(var index):
      entries = .postings(PostingIndex())
      index.remove(change.key, slot: slot, in: leaf, heap: heap, ties: RowTies(rows, shape))
      entries = .four(index)
    case .postings: break
    }
  }

  /// Puts an entry of a row as it is now into an ordered index; `leaf` is the change's, where nothing else has changed.
  mutating func insert(_ change: IndexChange, in leaf: IndexPosition?, slot: UInt32, rows: TableRows, heap: PageHeap) {
    switch entries {
    case .one(var index):
      entries = .postings(PostingIndex())
      index.insert(Key1(change.key), slot: slot, in: leaf, heap: heap, ties: NoTies())
      entries = .one(index)
    case .two(var index):
      entries = .postings(PostingIndex())
      index.insert(Key2(change.key), slot: slot, in: leaf, heap: heap, ties: RowTies(rows, shape))
      entries = .two(index)
    case .three(var index):
      entries = .postings(PostingIndex())
      index.insert(Key3(change.key), slot: slot, in: leaf, heap: heap, ties: RowTies(rows, shape))
      entries = .three(index)
    case .four(var index):
      entries = .postings(PostingIndex())
      index.insert(change.key, slot: slot, in: leaf, heap: heap, ties: RowTies(rows, shape))
      entries = .four(index)
    case .postings: break
    }
  }

  /// Makes the changes that wait for the index, whose number is given.
  mutating func change(_ waiting: WaitingChanges, number: Int, of table: TableRows, heap: PageHeap) {
    switch entries {
    case .one(var index):
      entries = .postings(PostingIndex())
      change(waiting, number, of: table, &index, NoTies(), heap)
      entries = .one(index)
    case .two(var index):
      entries = .postings(PostingIndex())
      change(waiting, number, of: table, &index, RowTies(table, shape), heap)
      entries = .two(index)
    case .three(var index):
      entries = .postings(PostingIndex())
      change(waiting, number, of: table, &index, RowTies(table, shape), heap)
      entries = .three(index)
    case .four(var index):
      entries = .postings(PostingIndex())
      change(waiting, number, of: table, &index, RowTies(table, shape), heap)
      entries = .four(index)
    case .postings(var index):
      var added: PostingIndex.Pairs = []
      var terms = TermScratch()
      // The terms of changed rows are changed at once.
      waiting.forEachRow(of: table, changedOn: nil) { row, slot in
        self.terms(row, &terms)
        for term in terms.terms { added.append(IndexEntry(key: Key2(term.head, term.tail), slot: slot)) }
      }
      entries = .one(OrderedIndex(shape: .number))
      index.remove(waiting.removedTerms[number], heap: heap)
      index.insert(added, heap: heap)
      entries = .postings(index)
    }
  }

  private mutating func change<Key: IndexKey, Ties: KeyTies>(
    _ waiting: WaitingChanges, _ number: Int, of table: TableRows, _ index: inout OrderedIndex<Key>, _ ties: Ties,
    _ heap: PageHeap
  ) {
    var added: ContiguousArray<IndexEntry<Key>> = []
    waiting.forEachRow(of: table, changedOn: shape) { row, slot in
      if forEachKey(row, Key.self, { added.append(IndexEntry(key: $0, slot: slot)) }) { incomplete += 1 }
    }
    var removed = ContiguousArray(
      waiting.removedKeys[number].lazy.map { IndexEntry(key: Key($0.key), slot: $0.slot) })
    OrderedIndex<Key>.sort(&removed, shape: index.shape, ties: ties)
    OrderedIndex<Key>.sort(&added, shape: index.shape, ties: ties)
    index.change(removing: removed, adding: added, heap: heap, ties: ties)
  }

  /// Has the keys of a row, before it changes, wait to be taken out of an ordered index whose number is given; those with
  /// long texts are taken out at once.
  mutating func remove(
    _ row: IndexedRow, slot: UInt32, number: Int, rows: TableRows, _ waiting: inout WaitingChanges, heap: PageHeap
  ) {
    var long: [Key4] = []
    func take<Key: IndexKey>(_ index: OrderedIndex<Key>) {
      let isIncomplete = forEachKey(row, Key.self) { key in
        if index.shape.hasLong(Key4(key)) {
          long.append(Key4(key))
        } else {
          waiting.remove(Key4(key), slot, from: number)
        }
      }
      if isIncomplete { incomplete -= 1 }
    }
    switch entries {
    case .one(let index): take(index)
    case .two(let index): take(index)
    case .three(let index): take(index)
    case .four(let index): take(index)
    case .postings: break
    }
    for key in long {
      remove(IndexChange(index: number, key: key, way: .empty), in: nil, slot: slot, rows: rows, heap: heap)
    }
  }

  /// Takes a row out of the postings of all its terms.
  mutating func remove(_ terms: TermScratch, slot: UInt32, heap: PageHeap) {
    guard case .postings(var index) = entries else { return }
    entries = .one(OrderedIndex(shape: .number))
    index.remove(all: terms.terms, slot: slot, heap: heap)
    entries = .postings(index)
  }

  /// Adds a new row to the postings of all its terms.
  mutating func insert(_ terms: TermScratch, slot: UInt32, heap: PageHeap) {
    guard case .postings(var index) = entries else { return }
    entries = .one(OrderedIndex(shape: .number))
    index.insert(all: terms.terms, slot: slot, heap: heap)
    entries = .postings(index)
  }

  /// Takes a row out of the postings of the terms it has no more, and into those of the terms it has now.
  mutating func replaceTerms(_ old: TermScratch, _ new: TermScratch, slot: UInt32, heap: PageHeap) {
    guard case .postings(var index) = entries else { return }
    entries = .one(OrderedIndex(shape: .number))
    index.remove(all: old.terms(notIn: new), slot: slot, heap: heap)
    index.insert(all: new.terms(notIn: old), slot: slot, heap: heap)
    entries = .postings(index)
  }

  /// Takes all entries out.
  mutating func removeAll(heap: PageHeap) {
    switch entries {
    case .one(var index):
      index.removeAll(heap: heap)
      entries = .one(index)
    case .two(var index):
      index.removeAll(heap: heap)
      entries = .two(index)
    case .three(var index):
      index.removeAll(heap: heap)
      entries = .three(index)
    case .four(var index):
      index.removeAll(heap: heap)
      entries = .four(index)
    case .postings(var index):
      index.removeAll(heap: heap)
      entries = .postings(index)
    }
    incomplete = 0
  }

  /// The bytes of its pages. Complexity: linear in them.
  var byteCount: Int {
    var sum = 0
    func add(_ page: UnsafeMutableRawPointer) { unsafe sum += PageHeap.size(of: page) }
    switch entries {
    case .one(let index): unsafe index.forEachPage(add)
    case .two(let index): unsafe index.forEachPage(add)
    case .three(let index): unsafe index.forEachPage(add)
    case .four(let index): unsafe index.forEachPage(add)
    case .postings(let index): unsafe index.forEachPage(add)
    }
    return sum
  }

  // MARK: Building

  /// Fills an empty index with all rows of a table, by sorting.
  mutating func build(_ table: Table, heap: PageHeap) {
    switch entries {
    case .one(let index): entries = .one(built(index, table, heap, NoTies()))
    case .two(let index): entries = .two(built(index, table, heap, RowTies(table, shape)))
    case .three(let index): entries = .three(built(index, table, heap, RowTies(table, shape)))
    case .four(let index): entries = .four(built(index, table, heap, RowTies(table, shape)))
    case .postings:
      var builder = PostingIndexBuilder(slots: table.count)
      var tokens = TokenScratch()
      table.forEachRow { row, slot in
        forEachTerm(row, &tokens) { builder.add($0, slot: slot) }
      }
      entries = .postings(builder.finish(heap: heap))
    }
  }

  private mutating func built<Key: IndexKey, Ties: KeyTies>(
    _ index: OrderedIndex<Key>, _ table: Table, _ heap: PageHeap, _ ties: Ties
  ) -> OrderedIndex<Key> {
    var entries: ContiguousArray<IndexEntry<Key>> = []
    entries.reserveCapacity(table.count)
    var incomplete = 0
    table.forEachRow { row, slot in
      if forEachKey(row, Key.self, { entries.append(IndexEntry(key: $0, slot: slot)) }) { incomplete += 1 }
    }
    self.incomplete = incomplete
    OrderedIndex<Key>.sort(&entries, shape: index.shape, ties: ties)
    return OrderedIndex<Key>.build(entries, shape: index.shape, heap: heap)
  }
}
