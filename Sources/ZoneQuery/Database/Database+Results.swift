extension Sequence {
  /// The values of a batch's results in their order, where all are there.
  ///
  /// ```swift
  /// let saved = try database.save(records).get()
  /// ```
  ///
  /// - Throws: The first failure; of a custom zone's batch the one that made the others fail, where it is among these, rather
  ///   than theirs (`batchRequestFailed`).
  ///
  /// Complexity: linear in the number of results.
  public func get<Value>() throws(ZoneQueryError) -> [Value] where Element == Result<Value, ZoneQueryError> {
    var values: [Value] = []
    var failure: ZoneQueryError?
    for result in self {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error):
        if error.code != .batchRequestFailed { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return values
  }
}
