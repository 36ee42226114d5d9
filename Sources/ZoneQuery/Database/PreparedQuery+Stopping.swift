// Searches that the caller ends, and pages of prepared values.

extension PreparedQuery {
  /// Calls `body` with the records of the answer, in order, read in place, until it says to stop.
  ///
  /// ```swift
  /// var found: String?
  /// try prepared.forEachRecord(["city": "Seoul"]) { record, stop in
  ///   found = record.string(name)
  ///   stop = found?.hasPrefix("A") == true      // no more records are asked for
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - parameters: A value for each parameter.
  ///   - resultsLimit: The most records; all where it is left out. The answer is found up to there before the first is read:
  ///     a limit costs less than stopping.
  ///   - cursor: Where to go on; from the beginning where nil.
  ///   - body: Called with each record, and with a flag that it sets to end the search.
  /// - Returns: Whether there are more records behind the last, or `body` stopped.
  /// - Throws: As the one that cannot be stopped.
  @discardableResult
  public func forEachRecord(
    _ parameters: [String: any PredicateArgument] = [:], resultsLimit: Int = .max, after cursor: QueryCursor? = nil,
    _ body: (borrowing RecordView, inout Bool) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    try lend({ () throws(ZoneQueryError) in try arguments(parameters) }, resultsLimit, after: cursor, until: body)
  }

  /// Calls `body` with the records of the answer, in order, read in place, until it says to stop.
  ///
  /// - Throws: As with values by name, and `invalidQuery` for arguments of a query whose parameters have other names or
  ///   another order.
  @discardableResult
  public func forEachRecord(
    _ arguments: QueryArguments, resultsLimit: Int = .max, after cursor: QueryCursor? = nil,
    _ body: (borrowing RecordView, inout Bool) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    try lend({ arguments }, resultsLimit, after: cursor, until: body)
  }

  private func lend(
    _ arguments: () throws(ZoneQueryError) -> QueryArguments, _ limit: Int, after cursor: QueryCursor?,
    until body: (borrowing RecordView, inout Bool) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    try database.telling(event(.query)) { outcome throws(ZoneQueryError) in
      var hasStopped = false
      do throws(ZoneQueryError) {
        return try lendApart(try arguments(), limit, after: cursor) { record throws(ZoneQueryError) in
          outcome.returned += 1
          var stop = false
          try body(record, &stop)
          if stop {
            hasStopped = true
            throw PreparedQuery.stop
          }
        }
      } catch {
        if hasStopped { return true }
        throw error
      }
    }
  }

  /// What ends a search from within; nobody is shown it.
  private static let stop = ZoneQueryError(.query, .invalidQuery, "The search was stopped")

  /// The first records of the answer, as values.
  ///
  /// - Returns: The records, in the query's order, and a cursor where there are more.
  /// - Throws: As with values by name, and `invalidQuery` for arguments of a query whose parameters have other names or
  ///   another order.
  public func records(
    _ arguments: QueryArguments, desiredKeys: [String]? = nil, resultsLimit: Int = 100, after cursor: QueryCursor? = nil
  ) throws(ZoneQueryError) -> QueryPage {
    try page(desiredKeys, resultsLimit, after: cursor) { current throws(ZoneQueryError) in
      try current.check(arguments)
      return arguments
    }
  }

  /// A page of the query as the schema is now, whose values `arguments` makes for it, and tells of it.
  func page(
    _ desiredKeys: [String]?, _ limit: Int, after cursor: QueryCursor?,
    _ arguments: (PreparedQuery) throws(ZoneQueryError) -> QueryArguments
  ) throws(ZoneQueryError) -> QueryPage {
    try database.telling(event(.query)) { outcome throws(ZoneQueryError) in
      let current = try renewed() ?? self
      let page = try current.page(try arguments(current), desiredKeys, limit, after: cursor)
      outcome.returned = page.records.count
      return page
    }
  }
}
