/// A query bound to a schema, and what its runs leave to later ones: all of a ``PreparedQuery`` but the database.
final class BoundQuery: Sendable {
  let query: Query
  let zoneID: ZoneID?
  let recordType: RecordType
  let template: PredicateTemplate
  let order: SortOrder
  /// What cursors know the query by.
  let identity = Identity()
  /// The parameter that names the one record asked for, where that is all the predicate says.
  let soleRecord: Int?
  // What a run leaves to later ones; none where there is one alone.
  let idle: Pool<QueryExecution>?
  let named: Pool<NamedRun>?
  let direct: Pool<DirectRun>?
  let directPages: Pool<DirectRun>?
  let directCounts: Pool<DirectRun>?

  /// Tells a query from all others.
  final class Identity: Sendable {}

  init(_ query: Query, _ zoneID: ZoneID?, in database: Database, runsAgain: Bool) throws(ZoneQueryError) {
    (idle, named) = runsAgain ? (Pool(), Pool()) : (nil, nil)
    (direct, directPages, directCounts) = runsAgain ? (Pool(), Pool(), Pool()) : (nil, nil, nil)
    self.query = query
    self.zoneID = zoneID
    recordType = try database.recordType(of: query, zoneID)
    template = try PredicateTemplate(
      query.predicate, recordType: recordType, options: database.configuration.predicateOptions)
    soleRecord = template.soleRecord
    order = try SortOrder(query.sort, recordType)
    if database.configuration.indexPolicy == .required { try IndexRequirements(of: query, in: recordType).check() }
  }
}
