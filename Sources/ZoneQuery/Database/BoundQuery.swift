internal import Synchronization

/// A query bound to a schema, and what its runs leave to later ones: all of a ``PreparedQuery`` but the database.
final class BoundQuery: Sendable {
  let query: Query
  let zoneID: ZoneID?
  let recordType: RecordType
  let template: PredicateTemplate
  let order: SortOrder
  /// How many rows or slots a run keeps room for, whatever it needs.
  let mostKept: Int
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

  /// How many bytes the predicate's text has, parameters by their names.
  ///
  /// - Throws: `limitExceeded` where it nests deeper than cursors are read.
  func predicateBytes() throws(ZoneQueryError) -> Int {
    let known = knownBytes.load(ordering: .relaxed)
    if known > 0 { return known }
    let root = query.predicate.root
    if query.predicate.knownSize == nil, TreeSize(of: root) == nil {
      throw ZoneQueryError(
        .query, .limitExceeded,
        "The query's predicate nests more than \(TreeSize.limits.nesting) deep, which is too deep for a cursor",
        hint: "ask for all records in one page")
    }
    let count = root.predicateFormat.utf8.count
    knownBytes.store(count, ordering: .relaxed)
    return count
  }

  /// 0 until somebody asked.
  private let knownBytes = Atomic<Int>(0)

  /// Whether the query is bound to the schema as it is: a type only ever gains fields.
  func isOfNow(_ database: Database) -> Bool {
    let version = database.schemaVersion
    if schemaVersion.load(ordering: .relaxed) == version { return true }
    guard database.schema[query.recordType]?.fields.count == recordType.fields.count else { return false }
    schemaVersion.store(version, ordering: .relaxed)
    return true
  }

  /// The version of the schema as of which the record type is the query's.
  private let schemaVersion: Atomic<Int>

  /// Tells a query from all others.
  final class Identity: Sendable {}

  /// Which runs there will be of a query.
  enum Runs {
    /// One alone.
    case once
    /// Any, of one prepared query.
    case many
    /// Any, of whoever asks: the order of records without a sort must not depend on what others asked before.
    case ofAnybody
  }

  init(_ query: Query, _ zoneID: ZoneID?, in database: Database, runs: Runs) throws(ZoneQueryError) {
    // Of queries that somebody prepared there are as many as somebody wants; of the others no more than little is kept.
    mostKept = runs == .ofAnybody ? 1_024 : .max
    // What anybody asks is answered by pages and counts; records are lent by prepared queries alone.
    (named, direct) = runs == .many ? (Pool(), Pool()) : (nil, nil)
    directPages = runs == .many || runs == .ofAnybody && !query.sort.isEmpty ? Pool() : nil
    (idle, directCounts) = runs == .once ? (nil, nil) : (Pool(), Pool())
    self.query = query
    self.zoneID = zoneID
    // Asked for before the type, so that it is never newer than that.
    schemaVersion = Atomic(database.schemaVersion)
    let recordType = try database.recordType(of: query, zoneID)
    self.recordType = recordType
    (template, order) = try database.checkingIndexes(of: query, in: recordType) { () throws(ZoneQueryError) in
      let order = try SortOrder(query.sort, recordType)
      let template = try PredicateTemplate(
        query.predicate, recordType: recordType, options: database.configuration.predicateOptions)
      return (template, order)
    }
    soleRecord = template.soleRecord
    if runs == .many { database.prepared.add(self) }
  }

  /// Lets go of all that runs left to later ones.
  func letGo() {
    idle?.removeAll()
    named?.removeAll()
    direct?.removeAll()
    directPages?.removeAll()
    directCounts?.removeAll()
  }
}
