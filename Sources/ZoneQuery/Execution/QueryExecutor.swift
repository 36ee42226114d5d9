/// Answers a query from the tables of the zones in its scope, by looking at every record.
///
/// Complexity: the program once a record, and for each record that matches the logarithm of the limit.
struct QueryExecutor {
  let program: Program
  let order: SortOrder
  let tables: [Table]

  /// Calls `body` with the rows that match, zone by zone in the tables' own order, until it returns false.
  func forEachRow(_ body: (TableRow) -> Bool) {
    for table in tables {
      let source = TableRow.Source(table)
      for slot in 0..<table.slotCount where table.isLive(slot) {
        let row = TableRow(source: source, slot: slot)
        if program.matches(row), !body(row) { return }
      }
    }
  }

  /// The first rows of the answer, and whether there are more.
  func rows(limit: Int) -> (rows: [TableRow], hasMore: Bool) {
    if order.descriptors.isEmpty {
      var rows: [TableRow] = []
      var hasMore = false
      forEachRow { row in
        hasMore = rows.count == limit
        if !hasMore { rows.append(row) }
        return !hasMore
      }
      return (rows, hasMore)
    }
    var first = FirstMatches(limit: limit, order: order)
    var count = 0
    forEachRow { row in
      first.offer(Match(row: row, values: order.values(row)))
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
