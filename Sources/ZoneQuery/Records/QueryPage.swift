/// Some records of a query's answer.
public struct QueryPage: Sendable {
  /// The records, in the query's order.
  public let records: [Record]
  /// Where the answer goes on; nil where these records are its last.
  public let cursor: QueryCursor?

  /// Whether the answer goes on behind these records.
  public var hasMore: Bool { cursor != nil }
}
