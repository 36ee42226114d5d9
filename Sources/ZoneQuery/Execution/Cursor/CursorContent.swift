/// What a cursor holds: the query as asked, and where its last page ended. Desired keys and limits are the next page's
/// own.
struct CursorContent: Sendable {
  var recordType: String
  /// The predicate in its canonical text, its parameters replaced by their values.
  var predicate: String
  var sort: [SortKey]
  /// The zone looked in; every zone where nil.
  var zoneID: ZoneID?
  /// What `now()` was when the first page was asked for.
  var now: Timestamp
  var position: CursorPosition
}

extension CursorContent {
  /// The query, for the page that follows.
  func query() throws(ZoneQueryError) -> Query {
    // The text was printed from a predicate that had been accepted, and the tag proves it; what limits that predicate
    // was read within is not known here.
    var limits = SyntaxLimits()
    limits.textLength = .max
    limits.stringLength = .max
    limits.nesting = .max
    limits.nodes = .max
    limits.listElements = .max
    do throws(SyntaxError) {
      let parsed = try PredicateParser(limits: limits).parse(predicate)
      return Query(recordType: recordType, predicate: QueryPredicate(parsed), sort: sort)
    } catch {
      throw QueryCursor.invalid("its predicate cannot be read")
    }
  }
}
