/// Some records of a query's answer, from its beginning.
public struct QueryPage: Sendable {
  /// The records, in the query's order.
  public let records: [Record]
  /// Whether the answer goes on behind these records.
  public let hasMore: Bool
}
