/// What answering queries took, in steps that depend on the records and the query alone.
public struct QueryCounters: Sendable, Hashable {
  /// Entries read from indexes, postings included.
  public package(set) var entriesRead = 0
  /// Rows whose values were looked at, by a column scan or one by one.
  public package(set) var rowsExamined = 0
  /// Rows of the answers.
  public package(set) var rowsReturned = 0

  /// Nothing yet.
  public init() {}
}
