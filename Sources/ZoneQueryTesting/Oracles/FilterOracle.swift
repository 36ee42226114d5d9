internal import PredicateSyntax
internal import ZoneQuery

/// A predicate finds what the filters of CloudKit Web Services find that it becomes.
struct FilterOracle: Oracle {
  let name = "filters"
  let summary =
    "A predicate's CloudKit Web Services filters read as a predicate that finds the same, where there are any."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let testCase = subject.testCase
    // A negated comparison becomes the opposite one, which is something else where a missing value is nil.
    if testCase.options.missingFields == .likeNSPredicate { return 0 }
    let query = subject.query(testCase.predicate)
    let schema = Schema([testCase.recordType])
    let plain = try subject.found(testCase.predicate)
    var checks = 0
    for known in [schema, nil] {
      // What the schema refuses may have filters without it, which mean something else: a list where there is a text.
      guard let json = try json(of: query, known, subject) else { return checks }
      for reading in [schema, nil] {
        let read = try subject.answer("the filters \(json)") { () throws(ZoneQueryError) in
          try Query(webServicesJSON: json, schema: reading)
        }
        let found = try subject.found(read.predicate.root)
        try expect(sameTexts(found, plain), "\(plain) became \(found) by \(json)")
        checks += 1
      }
    }
    return checks
  }

  /// The query's dictionary; nil where it has none, which is so of what CloudKit's dialect refuses and of little else.
  private func json(
    of query: Query, _ schema: Schema?, _ subject: OracleSubject
  ) throws(OracleFailure) -> String? {
    do throws(ZoneQueryError) {
      return try query.webServicesJSON(schema: schema, now: subject.testCase.now)
    } catch {
      let isRefused = subject.testCase.options.dialect == .extended
      let isInexpressible =
        error.stage == .webServices && error.diagnostics.allSatisfy { sameBytes($0.code, "noFilter") }
      // With the schema there are filters wherever there are without: it only tells more types.
      if schema != nil, isInexpressible, !isRefused {
        let bare = try? query.webServicesJSON(now: subject.testCase.now)
        try expect(bare == nil, "with the schema there are no filters for \(query.predicate): \(error)")
      }
      try expect(isRefused || isInexpressible, "there are no filters for \(query.predicate): \(error)")
      return nil
    }
  }
}
