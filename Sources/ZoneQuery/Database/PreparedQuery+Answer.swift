// An unsafe leaf: what is said of an answer points to the query and its values.
//
// Invariant: who calls ``PreparedQuery/Answer/with(_:_:now:walked:walkedIndex:_:)`` holds both meanwhile, and no one
// keeps the answer beyond the call.

extension PreparedQuery {
  /// What a cursor behind a record of an answer has to say. It counts no references to query and values, since one is
  /// made for each run.
  @safe
  struct Answer {
    @unsafe private let prepared: Unmanaged<PreparedQuery>
    @unsafe private let arguments: UnsafeBufferPointer<ArgumentValue?>
    /// The moment of the run, where it played a part.
    private let now: Timestamp?
    /// The index in whose order the rows of a table come, by table; of the others they come in the table's own.
    private let walked: [Int: Int]?
    /// The same of the only table.
    private let walkedIndex: Int?

    private init(
      _ prepared: Unmanaged<PreparedQuery>, _ arguments: UnsafeBufferPointer<ArgumentValue?>, _ now: Timestamp?,
      _ walked: [Int: Int]?, _ walkedIndex: Int?
    ) {
      unsafe (self.prepared, self.arguments) = (prepared, arguments)
      (self.now, self.walked, self.walkedIndex) = (now, walked, walkedIndex)
    }

    /// Calls `body` with an answer to a query with some values.
    @inline(__always)
    static func with<Result>(
      _ prepared: PreparedQuery, _ arguments: [ArgumentValue?], now: Timestamp? = nil, walked: [Int: Int]? = nil,
      walkedIndex: Int? = nil, _ body: (borrowing Answer) throws(ZoneQueryError) -> Result
    ) throws(ZoneQueryError) -> Result {
      defer { withExtendedLifetime(prepared) {} }
      return try unsafe arguments.withUnsafeBufferPointer { arguments throws(ZoneQueryError) in
        try unsafe body(Answer(Unmanaged.passUnretained(prepared), arguments, now, walked, walkedIndex))
      }
    }

    func cursor(behind row: TableRow, _ table: Int) throws(ZoneQueryError) -> QueryCursor {
      let prepared = unsafe prepared.takeUnretainedValue()
      let arguments = unsafe Array(arguments)
      let content = CursorContent(
        recordType: prepared.query.recordType, predicate: try prepared.cursorPredicate(arguments),
        options: prepared.template.options, sort: prepared.query.sort, zoneID: prepared.zoneID,
        now: now ?? prepared.database.configuration.clock(),
        position: prepared.database.position(of: row, prepared.order, walked: walkedIndex ?? walked?[table]))
      return try QueryCursor(
        content, key: prepared.database.cursorKey,
        origin: QueryCursor.Origin(query: prepared.identity, arguments: arguments))
    }
  }
}
