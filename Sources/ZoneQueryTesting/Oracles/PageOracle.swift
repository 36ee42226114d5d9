internal import PredicateSyntax
internal import ZoneQuery

/// Pages, each asked for with the cursor of the one before, are together the whole answer in its order; a cursor says the
/// same before and after it was written down.
struct PageOracle: Oracle {
  let name = "pages"
  let summary =
    "Pages through cursors, kept or archived and read back, give the whole answer, each record once, in a sort's order."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    let predicate = subject.testCase.predicate
    let order = NaiveOrder.random(for: subject.testCase, &random)
    var checks = 0
    for keys in [[], order.keys] {
      let query = subject.query(predicate, sort: keys)
      let whole = try subject.page(query, in: subject.database).records.map(\.recordID)
      let limit = random.below(whole.count + 2) + 1
      var page = try subject.page(query, in: subject.database, limit: limit)
      var found = page.records.map(\.recordID)
      while let cursor = page.cursor {
        let pages = try [cursor, Self.read(cursor, isText: random.chance(1, of: 2))].map {
          cursor throws(OracleFailure) in
          try subject.answer("a cursor of the query \(query.predicate)") { () throws(ZoneQueryError) in
            try subject.database.records(continuingMatchFrom: cursor, resultsLimit: limit)
          }
        }
        page = pages[0]
        try expect(
          page.records == pages[1].records && page.cursor == pages[1].cursor,
          "the page behind \(found.count) records is another one where the cursor was archived")
        try expect(!page.records.isEmpty && found.count < whole.count, "a page behind \(found.count) records is empty")
        found += page.records.map(\.recordID)
        checks += 1
      }
      // Without a sort the limit may settle which plan gives the order.
      let isSame = keys.isEmpty ? found.count == whole.count && Set(found) == Set(whole) : found == whole
      try expect(isSame, "pages of \(limit) are \(found), the whole is \(whole)")
      checks += 1
    }
    return checks
  }

  private static func read(_ cursor: QueryCursor, isText: Bool) throws(OracleFailure) -> QueryCursor {
    let read = isText ? QueryCursor(cursor.description) : try? QueryCursor(data: cursor.data)
    guard let read else { throw OracleFailure("the cursor \(cursor) cannot be read") }
    return read
  }
}
