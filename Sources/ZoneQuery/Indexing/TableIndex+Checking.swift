extension TableIndex {
  /// What is wrong with the index of a table, nil where nothing is: it has just what its rows have, each once.
  ///
  /// Complexity: a search for each entry.
  func fault(_ table: Table) -> String? {
    switch entries {
    case .one(let index): return fault(index, table, NoTies())
    case .two(let index): return fault(index, table, RowTies(table, shape))
    case .three(let index): return fault(index, table, RowTies(table, shape))
    case .four(let index): return fault(index, table, RowTies(table, shape))
    case .postings(let index):
      if !index.check() { return "its postings' structure" }
      var (expected, missing) = (0, 0)
      var terms = TermScratch()
      table.forEachRow { row, slot in
        self.terms(row, &terms)
        expected += terms.terms.count
        for term in terms.terms where index.list(term)?.contains(slot) != true { missing += 1 }
      }
      if missing > 0 { return "\(missing) postings are missing" }
      return expected == index.postings ? nil : "\(index.postings) postings, \(expected) terms"
    }
  }

  private func fault<Key: IndexKey, Ties: KeyTies>(_ index: OrderedIndex<Key>, _ table: Table, _ ties: Ties) -> String?
  {
    if let fault = index.fault(ties: ties) { return fault }
    var (expected, missing, incomplete) = (0, 0, 0)
    table.forEachRow { row, slot in
      let isIncomplete = forEachKey(row, Key.self) { key in
        expected += 1
        if !index.contains(key, slot: slot, ties: ties) { missing += 1 }
      }
      if isIncomplete { incomplete += 1 }
    }
    if missing > 0 { return "\(missing) entries are missing" }
    if incomplete != self.incomplete { return "\(self.incomplete) rows without an entry, \(incomplete) in fact" }
    return expected == index.count ? nil : "\(index.count) entries, \(expected) keys"
  }
}

extension Table {
  /// Calls `body` with each row that holds a record, and its slot.
  func forEachRow(_ body: (IndexedRow, UInt32) -> Void) {
    for number in 0..<groupCount {
      let group = group(number)
      group.live.forEachRow { row in
        body(IndexedRow(group: group, row: row), UInt32(truncatingIfNeeded: number << RowGroup.shift + row))
      }
    }
  }
}
