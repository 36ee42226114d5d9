// How an index follows the changes of its table.
//
// The entries of ordered indexes are taken out before their row is written over, since their order may rest on its texts;
// the terms of postings are compared before and after, so that what stays is not touched.

extension TableIndex {
  /// Takes out what a row has in an ordered index, before it changes.
  mutating func removeKeys(_ row: IndexedRow, slot: UInt32, rows: TableRows, heap: PageHeap) {
    switch entries {
    case .one(var index):
      entries = .postings(PostingIndex())
      countIncomplete(forEachKey(row, Key1.self) { index.remove($0, slot: slot, heap: heap, ties: NoTies()) }, -1)
      entries = .one(index)
    case .two(var index):
      entries = .postings(PostingIndex())
      let ties = RowTies(rows, shape)
      countIncomplete(forEachKey(row, Key2.self) { index.remove($0, slot: slot, heap: heap, ties: ties) }, -1)
      entries = .two(index)
    case .three(var index):
      entries = .postings(PostingIndex())
      let ties = RowTies(rows, shape)
      countIncomplete(forEachKey(row, Key3.self) { index.remove($0, slot: slot, heap: heap, ties: ties) }, -1)
      entries = .three(index)
    case .four(var index):
      entries = .postings(PostingIndex())
      let ties = RowTies(rows, shape)
      countIncomplete(forEachKey(row, Key4.self) { index.remove($0, slot: slot, heap: heap, ties: ties) }, -1)
      entries = .four(index)
    case .postings: break
    }
  }

  /// Adds a row to an ordered index, as it is now.
  mutating func insertKeys(_ row: IndexedRow, slot: UInt32, rows: TableRows, heap: PageHeap) {
    switch entries {
    case .one(var index):
      entries = .postings(PostingIndex())
      countIncomplete(forEachKey(row, Key1.self) { index.insert($0, slot: slot, heap: heap, ties: NoTies()) }, 1)
      entries = .one(index)
    case .two(var index):
      entries = .postings(PostingIndex())
      let ties = RowTies(rows, shape)
      countIncomplete(forEachKey(row, Key2.self) { index.insert($0, slot: slot, heap: heap, ties: ties) }, 1)
      entries = .two(index)
    case .three(var index):
      entries = .postings(PostingIndex())
      let ties = RowTies(rows, shape)
      countIncomplete(forEachKey(row, Key3.self) { index.insert($0, slot: slot, heap: heap, ties: ties) }, 1)
      entries = .three(index)
    case .four(var index):
      entries = .postings(PostingIndex())
      let ties = RowTies(rows, shape)
      countIncomplete(forEachKey(row, Key4.self) { index.insert($0, slot: slot, heap: heap, ties: ties) }, 1)
      entries = .four(index)
    case .postings: break
    }
  }

  private mutating func countIncomplete(_ isIncomplete: Bool, _ step: Int) {
    if isIncomplete { incomplete += step }
  }

  /// Whether its entries are the slots that have a term.
  var isOfPostings: Bool { if case .postings = entries { true } else { false } }

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
    for term in old.terms where !new.contains(term) { index.remove(term, slot: slot, heap: heap) }
    for term in new.terms where !old.contains(term) { index.insert(term, slot: slot, heap: heap) }
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

  // MARK: Building

  /// Fills an empty index with all rows of a table, by sorting.
  mutating func build(_ table: Table, heap: PageHeap) {
    switch entries {
    case .one(let index): entries = .one(built(index, table, heap, NoTies()))
    case .two(let index): entries = .two(built(index, table, heap, RowTies(table, shape)))
    case .three(let index): entries = .three(built(index, table, heap, RowTies(table, shape)))
    case .four(let index): entries = .four(built(index, table, heap, RowTies(table, shape)))
    case .postings:
      var builder = PostingIndexBuilder(postings: table.count)
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
