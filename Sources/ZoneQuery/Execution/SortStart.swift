/// Where the rows of a sort begin in an index on its first field.
struct SortStart {
  private let order: SortOrder
  private let field: FieldNumber
  private let isDescending: Bool
  private let isText: Bool
  /// No row of the answer has a value whose first word in an index comes before this one, as the sort goes; nil where it
  /// begins with the first of all.
  private var word: UInt64?
  /// Whether rows that lack the field may be among the answer's.
  private var admitsMissing = true

  /// Where the rows begin that conditions may hold for and that are not before the end of the page before; nil for a sort
  /// that no index on its first field goes by.
  init?(_ order: SortOrder, _ conditions: [BoundPredicate], behind anchor: SortAnchor?, zone: ZoneID) {
    guard let first = order.descriptors.first, first.origin == nil, first.type != .reference else { return nil }
    (self.order, field, isDescending, isText) = (order, first.field, first.isDescending, first.type == .string)
    if let anchor, let end = anchor.position.values.first.flatMap({ ValueInterval.End($0) }) {
      narrow(to: end)
      // Rows without the field come first ascending, last descending.
      if !isDescending { admitsMissing = false }
    } else if anchor != nil, isDescending {
      // Only rows without the field are left.
      word = 0
    }
    for condition in conditions {
      let intervals: [ValueInterval]
      switch Sargable(condition, zone: zone) {
      case .interval(field, let interval)?: intervals = [interval]
      case .intervals(field, let several)?: intervals = several
      default: continue
      }
      admitsMissing = false
      // They are sorted.
      if let end = isDescending ? intervals.last?.upper : intervals.first?.lower { narrow(to: end) }
    }
  }

  private mutating func narrow(to end: ValueInterval.End) {
    word = word.map { isDescending ? min($0, end.first) : max($0, end.first) } ?? end.first
  }

  /// Reads what the first keys of some tables are found by: memory that is rarely near is waited for together. What is
  /// returned says nothing.
  func approach(_ sources: ArraySlice<TableRow.Source>) -> UInt64 {
    var sum = 0
    for source in sources { sum &+= entries(source)?.count ?? 0 }
    var touched = UInt64(truncatingIfNeeded: sum)
    for source in sources { touched &+= entries(source)?.touchRoot() ?? 0 }
    return touched
  }

  /// The entries of the index on the field that is sorted by.
  private func entries(_ source: TableRow.Source) -> TableIndex.Entries? {
    source.table.indexes.number(of: field).map { source.entries[$0] }
  }

  /// The least key that a row of a table can have which is among the answer's; nil where it has no such row.
  func firstKey(_ source: TableRow.Source) -> RankKey? {
    let rowCount = source.table.count
    if rowCount == 0 { return nil }
    // Without an index nothing is known.
    switch entries(source) {
    case .one(let index)?: return firstKey(index, rowCount)
    case .two(let index)?: return firstKey(index, rowCount)
    default: return RankKey.none
    }
  }

  @inline(__always)
  private func firstKey<Key: IndexKey>(_ index: OrderedIndex<Key>, _ rowCount: Int) -> RankKey? {
    let isMissing = admitsMissing && index.count < rowCount
    if isMissing, !isDescending { return order.missingKey }
    if let key = index.firstKey(from: word, descending: isDescending) {
      return order.key(key[0], isText ? key[Key.wordCount - 1] : 0, isText: isText)
    }
    return isMissing ? order.missingKey : nil
  }
}

extension OrderedIndex {
  /// The key of the first entry that a walk comes to: from one end, or from the entries with a first word on.
  fileprivate func firstKey(from word: UInt64?, descending: Bool) -> Key? {
    var key = Key()
    key[0] = word ?? 0
    let place = seek(Bound(key: key, words: word == nil ? 0 : 1, isAfter: descending))
    if !descending { return entry(at: place)?.key }
    var found: Key?
    forEachRun(from: .empty, to: place, descending: true) { run in
      found = run.key(0)
      return false
    }
    return found
  }
}
