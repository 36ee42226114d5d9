import Testing

@testable import ZoneQuery

extension Database {
  /// The names of all records of an answer, page by page.
  func names(matching query: Query, pagesOf count: Int) throws -> [String] {
    var page = try records(matching: query, resultsLimit: count)
    var names = page.records.map(\.recordID.recordName)
    while let cursor = page.cursor {
      page = try records(continuingMatchFrom: cursor, resultsLimit: count)
      names += page.records.map(\.recordID.recordName)
    }
    return names
  }
}

extension PreparedQuery {
  /// The IDs of all records of an answer, read in place page by page.
  func ids(_ arguments: [String: any PredicateArgument], pagesOf count: Int) throws -> [RecordID] {
    var (found, cursor, hasMore): ([RecordID], QueryCursor?, Bool) = ([], nil, true)
    while hasMore {
      let (after, known) = (cursor, found.count)
      hasMore = try forEachRecord(arguments, resultsLimit: count, after: after) { view throws(ZoneQueryError) in
        found.append(view.recordID)
        if found.count - known == count { cursor = try view.cursor() }
      }
      // Pages end, and all but the last are whole.
      try #require(!hasMore || found.count == known + count && found.count < 10_000)
    }
    return found
  }
}
