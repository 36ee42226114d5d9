/// Answers a query from the tables of the zones in its scope, by looking at every record.
///
/// Complexity: the program once a record, and for each record that matches the logarithm of the limit.
struct QueryExecutor {
  let program: Program
  let order: SortOrder
  var tables: [Table] = []
  /// The epoch of each table's store.
  var epochs: [StoreEpoch] = []

  /// Calls `body` with the rows that match, zone by zone in the tables' own order, until it returns false; from behind
  /// a place of that order where one is given.
  func forEachRow(behind place: ScanPosition? = nil, _ body: (TableRow) -> Bool) {
    for table in tables {
      var first = 0
      if let place {
        let order = table.zoneID.compare(place.zoneID)
        if order < 0 || order == 0 && place.slot >= table.slotCount { continue }
        if order == 0 { first = place.slot + 1 }
      }
      let source = TableRow.Source(table)
      for slot in first..<table.slotCount where table.isLive(slot) {
        let row = TableRow(source: source, slot: slot)
        if program.matches(row), !body(row) { return }
      }
    }
  }

  /// The first rows of the answer, or those behind a place of its order, and whether there are more.
  func rows(limit: Int, behind position: CursorPosition? = nil) -> (rows: [TableRow], hasMore: Bool) {
    if order.descriptors.isEmpty {
      var place: ScanPosition?
      if case .unsorted(let position)? = position { place = position }
      var rows: [TableRow] = []
      var hasMore = false
      forEachRow(behind: place) { row in
        hasMore = rows.count == limit
        if !hasMore { rows.append(row) }
        return !hasMore
      }
      return (rows, hasMore)
    }
    var place: SortPosition?
    if case .sorted(let position)? = position { place = position }
    var first = FirstMatches(limit: limit, order: order)
    var count = 0
    forEachRow { row in
      let match = Match(row: row, values: order.values(row))
      if let place, !order.isBehind(match, place) { return true }
      first.offer(match)
      count += 1
      return true
    }
    return (first.sorted.map(\.row), count > limit)
  }

  func count() -> Int {
    var count = 0
    forEachRow { _ in
      count += 1
      return true
    }
    return count
  }
}
