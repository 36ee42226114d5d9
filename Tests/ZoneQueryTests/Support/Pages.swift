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
