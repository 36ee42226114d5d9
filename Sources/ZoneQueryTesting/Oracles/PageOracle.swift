internal import PredicateSyntax
internal import ZoneQuery

/// Pages, each asked for with the cursor of the one before, are together the whole answer in its order; a cursor is the
/// same after it was written down.
struct PageOracle: Oracle {
  let name = "pages"
  let summary =
    "Pages through cursors, archived and read back, give the whole answer, each record once, in a sort's order."

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
        let isText = random.chance(1, of: 2)
        page = try subject.answer("a cursor of the query \(query.predicate)") { () throws(ZoneQueryError) in
          let read = isText ? QueryCursor(cursor.description) : try QueryCursor(data: cursor.data)
          return try subject.database.records(continuingMatchFrom: read ?? cursor, resultsLimit: limit)
        }
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
}
