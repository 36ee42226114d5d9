internal import Synchronization

/// A query that was read, checked and bound once, to be run many times with other values for its `$name` parameters.
///
/// ```swift
/// let prepared = try database.prepare(
///   Query(recordType: "Event", predicate: try QueryPredicate(format: "city = $city"), sort: [.descending("start")]))
/// let name = try prepared.field("name")
/// try prepared.forEachRecord(["city": "Seoul"], resultsLimit: 50) { record in
///   record.withUTF8(name) { print($0.count) }
/// }
/// ```
///
/// It sees the database as it is at each run, fields that its record type has got since included. A run is planned from
/// the indexes as they are then, unless the plan of an earlier run still does. Any number of threads may run one prepared
/// query.
///
/// Differs from CloudKit, which has none.
public final class PreparedQuery: Sendable {
  /// The query as it was given.
  public var query: Query { bound.query }
  /// The zone it looks in; every zone where nil.
  public var zoneID: ZoneID? { bound.zoneID }
  let database: Database
  let bound: BoundQuery
  // What each run asks for stands here: to go by way of another object would count a reference to it.
  let soleRecord: Int?
  private let named: Pool<NamedRun>?
  let direct: Pool<DirectRun>?
  let directPages: Pool<DirectRun>?
  private let directCounts: Pool<DirectRun>?
  /// The version of the schema as of which the record type is the query's.
  private let schemaVersion: Atomic<Int>
  /// The query bound to the record type with more fields, and the version of the schema that has them; none is kept where
  /// the query is made for one run.
  private let newest: Locked<(version: Int, query: PreparedQuery)?>?

  convenience init(
    _ database: Database, _ query: Query, _ zoneID: ZoneID?, runs: BoundQuery.Runs = .once
  ) throws(ZoneQueryError) {
    let version = database.schemaVersion
    self.init(
      database, try BoundQuery(query, zoneID, in: database, runs: runs), schemaVersion: version, isKept: runs == .many)
  }

  /// A query that was bound to the schema of a database as it is, for one run.
  convenience init(_ database: Database, _ bound: BoundQuery) {
    self.init(database, bound, schemaVersion: 0, isKept: false)
  }

  private init(_ database: Database, _ bound: BoundQuery, schemaVersion: Int, isKept: Bool) {
    self.database = database
    self.bound = bound
    self.schemaVersion = Atomic(schemaVersion)
    newest = isKept ? Locked(nil) : nil
    soleRecord = bound.soleRecord
    (named, direct) = (bound.named, bound.direct)
    (directPages, directCounts) = (bound.directPages, bound.directCounts)
  }

  var recordType: RecordType { bound.recordType }
  var template: PredicateTemplate { bound.template }
  var order: SortOrder { bound.order }
  /// What cursors know the query by.
  var identity: BoundQuery.Identity { bound.identity }

  /// The query bound to the record type as it is now, where that has got fields since; nil where this one is.
  @inline(__always)
  func renewed() throws(ZoneQueryError) -> PreparedQuery? {
    let version = database.schemaVersion
    return version == schemaVersion.load(ordering: .relaxed) ? nil : try renewed(asOf: version)
  }

  @inline(never)
  private func renewed(asOf version: Int) throws(ZoneQueryError) -> PreparedQuery? {
    // A query that is made for one run is bound to the schema as it is.
    guard let newest else { return nil }
    return try newest.withLock { newest throws(ZoneQueryError) -> PreparedQuery? in
      if let newest, newest.version >= version { return newest.query }
      let last = newest?.query ?? self
      if last.bound.isOfNow(database) {
        if newest == nil { schemaVersion.store(version, ordering: .relaxed) }
        newest?.version = version
        return newest?.query
      }
      let made = try PreparedQuery(database, query, zoneID, runs: .many)
      newest = (version, made)
      return made
    }
  }

  // MARK: Parameters and fields

  /// The names of the parameters, in the order they are first mentioned.
  public var parameterNames: [String] { template.parameters }

  /// The values of a run, to be set by position: what a loop that runs the query often uses in place of a dictionary.
  ///
  /// ```swift
  /// var arguments = prepared.arguments()
  /// let city = try prepared.parameter("city")
  /// for name in names {
  ///   arguments[city] = name
  ///   try prepared.forEachRecord(arguments) { record in print(record.recordID) }
  /// }
  /// ```
  public func arguments() -> QueryArguments {
    QueryArguments(Array(repeating: nil, count: template.parameters.count), of: template)
  }

  /// Arguments are those of this query's parameters.
  @inline(__always)
  func check(_ arguments: QueryArguments) throws(ZoneQueryError) {
    if arguments.parametersHash == template.parametersHash, arguments.values.count == template.parameters.count {
      return
    }
    let names = template.parameterList
    throw ZoneQueryError(
      .query, .invalidQuery,
      arguments.hasForeign
        ? "A parameter of a query with other parameters was given a value; this one's are \(names.isEmpty ? "none" : names)"
        : names.isEmpty
          ? "These are arguments of another query; this one has no parameters"
          : "These are arguments of a query with other parameters than this one's \(names)",
      hint: "Take those that this query makes: arguments().")
  }

  /// The place of a parameter among the arguments.
  ///
  /// - Throws: `invalidQuery` where the predicate has no such parameter.
  public func parameter(_ name: String) throws(ZoneQueryError) -> QueryParameter {
    guard let position = template.position(of: name) else {
      let known = template.parameterList
      let written = name.utf8.first == UInt8(ascii: "$") ? "; names are given without the $" : ""
      throw ZoneQueryError(
        .query, .invalidQuery, "The predicate has no parameter $\(SyntaxError.excerpt(name))",
        hint: known.isEmpty ? "it has none" : "it has \(known)\(written)")
    }
    return QueryParameter(position: position, parametersHash: template.parametersHash)
  }

  /// A field of the record type, to be read in place.
  ///
  /// - Throws: `invalidQuery` where the type has no such field.
  public func field(_ name: String) throws(ZoneQueryError) -> RecordField {
    if let newer = try renewed() { return try newer.field(name) }
    return try RecordField(name, of: recordType)
  }

  func arguments(_ parameters: [String: any PredicateArgument]) throws(ZoneQueryError) -> QueryArguments {
    var arguments = arguments()
    for (name, value) in parameters { arguments[try parameter(name)] = value }
    return arguments
  }

  /// The values of those parameters that the predicate has.
  func arguments(known parameters: [String: any PredicateArgument]) -> QueryArguments {
    var arguments = arguments()
    for (name, value) in parameters {
      if let position = template.position(of: name) {
        arguments[QueryParameter(position: position, parametersHash: template.parametersHash)] = value
      }
    }
    return arguments
  }

  // MARK: Running

  /// Calls `body` with the first records of the answer, in order, read in place.
  ///
  /// - Parameters:
  ///   - parameters: A value for each parameter.
  ///   - resultsLimit: The most records; all where it is left out.
  ///   - cursor: Where to go on; from the beginning where nil.
  ///   - body: Called with each record.
  /// - Returns: Whether there are more records behind the last.
  /// - Throws: `invalidPredicate` where a parameter has no value or one that does not fit, `invalidQuery` for the limit and
  ///   for a name that is no parameter's (which `Database.records(matching:)` passes over),
  ///   `zoneNotFound`, `invalidCursor`, `cursorExpired`, `limitExceeded` where it takes longer than
  ///   ``Database/Limits/queryDuration``, and what `body` throws, which is a ``ZoneQueryError`` too: an
  ///   error of another type is to be caught in `body`, and kept in a variable of the caller's. A `body` that itself calls
  ///   what throws says so: `{ record throws(ZoneQueryError) in last = try record.cursor() }`. One that is to end the
  ///   search takes a second parameter.
  ///
  /// Complexity: as the plan that ``Database/explain(_:inZoneWith:parameters:resultsLimit:measuringPaths:)`` shows.
  @discardableResult
  public func forEachRecord(
    _ parameters: [String: any PredicateArgument] = [:], resultsLimit: Int = .max, after cursor: QueryCursor? = nil,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    if let instrumentation = database.configuration.instrumentation {
      return try lend(
        { () throws(ZoneQueryError) in try arguments(parameters) }, resultsLimit, after: cursor, body, instrumentation)
    }
    return try lendApart(try arguments(parameters), resultsLimit, after: cursor, body)
  }

  /// Calls `body` with the first records of the answer, in order, read in place.
  ///
  /// - Throws: As with values by name, and `invalidQuery` for arguments of a query whose parameters have other names or
  ///   another order.
  @discardableResult
  public func forEachRecord(
    _ arguments: QueryArguments, resultsLimit: Int = .max, after cursor: QueryCursor? = nil,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    if let instrumentation = database.configuration.instrumentation {
      return try lend({ arguments }, resultsLimit, after: cursor, body, instrumentation)
    }
    return try lend(arguments, resultsLimit, after: cursor, body)
  }

  func event(_ operation: DatabaseEvent.Operation) -> DatabaseEvent {
    DatabaseEvent(operation, query, zoneID: zoneID)
  }

  /// Calls `body` with the first records of the answer, and tells of it.
  private func lend(
    _ arguments: () throws(ZoneQueryError) -> QueryArguments, _ limit: Int, after cursor: QueryCursor?,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void, _ instrumentation: Instrumentation
  ) throws(ZoneQueryError) -> Bool {
    try instrumentation.observe({ event(.query).by(database.user.recordName) }) { outcome throws(ZoneQueryError) in
      try lendApart(try arguments(), limit, after: cursor) { record throws(ZoneQueryError) in
        outcome.returned += 1
        try body(record)
      }
    }
  }

  /// Calls `body` with the first records of the answer. The shortest way to a record leads through here, so that a call to
  /// it would be seen in what a record takes.
  @inline(__always)
  private func lend(
    _ arguments: QueryArguments, _ limit: Int, after cursor: QueryCursor?,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    if let newer = try renewed() { return try newer.lendApart(arguments, limit, after: cursor, body) }
    try check(arguments)
    if let cursor { return try forEachRecord(arguments, limit, behind: cursor, body) }
    if let hasMore = try forEachRecordDirectly(arguments, limit, body) { return hasMore }
    let run = try start(arguments, limit: limit, now: nil, behind: nil)
    return try forEachRecord(run, limit, keepsPlan: true, body)
  }

  /// The same, as a call: for the longer ways, so that the shortest stays short.
  @inline(never)
  func lendApart(
    _ arguments: QueryArguments, _ limit: Int, after cursor: QueryCursor?,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    try lend(arguments, limit, after: cursor, body)
  }

  /// Calls `body` with the records behind those of a page.
  private func forEachRecord(
    _ arguments: QueryArguments, _ limit: Int, behind cursor: QueryCursor,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    let content = try content(of: cursor, arguments)
    var isSorted = false
    if case .sorted(let position) = content.position, order.fits(position) {
      isSorted = true
      let anchor = order.anchor(position)
      if let hasMore = try forEachRecordDirectly(arguments, limit, behind: anchor, now: content.now, body) {
        return hasMore
      }
    }
    let run = try start(arguments, limit: limit, now: content.now, behind: content.position)
    return try forEachRecord(run, limit, keepsPlan: isSorted, body)
  }

  /// Calls `body` with the records of a run, and ends it; `keepsPlan` says whether later runs may take its plan, where
  /// there is none that they may take.
  private func forEachRecord(
    _ run: Run, _ limit: Int, keepsPlan: Bool, _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool {
    defer { finish(run) }
    if keepsPlan {
      if soleRecord == nil {
        direct?.keepPlan(of: run.execution, limit: limit)
      } else if let named, named.isEmpty, let place = run.execution.place {
        named.put(NamedRun(place))
      }
    }
    var fields = run.execution.fieldsRead
    defer { run.execution.fieldsRead = fields }
    if let first = run.execution.sources.first {
      try run.withAnswer { answer throws(ZoneQueryError) in
        try RecordView.lend(
          run.execution.rows, of: first, among: run.execution.sources, answer, fields: &fields, body)
      }
    }
    return run.execution.hasMore
  }

  /// Answers by the plan of an earlier run, from the beginning or behind a place in the sort; nil where there is none that
  /// fits.
  private func forEachRecordDirectly(
    _ arguments: QueryArguments, _ limit: Int, behind anchor: SortAnchor? = nil, now: Timestamp? = nil,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool? {
    if anchor == nil, let soleRecord { return try forRecord(named: soleRecord, arguments, limit, body) }
    return try findDirectly(direct, arguments, limit, behind: anchor, now: now) {
      (run, source, slots, hasMore, answer) throws(ZoneQueryError) in
      var fields = run.fieldsRead
      defer { run.fieldsRead = fields }
      try RecordView.lend(slots, of: source, answer, fields: &fields, body)
      return hasMore
    }
  }

  /// Calls `body` with the slots that the plan of an earlier run finds, from the beginning or behind a place in the sort,
  /// and whether there are more; nil where there is no plan that fits.
  @inline(__always)
  private func findDirectly<Result>(
    _ pool: Pool<DirectRun>?, _ arguments: QueryArguments, _ limit: Int, behind anchor: SortAnchor?, now: Timestamp?,
    _ body: (DirectRun, TableRow.Source, [UInt32], Bool, borrowing Answer) throws(ZoneQueryError) -> Result
  ) throws(ZoneQueryError) -> Result? {
    // Typed errors do not go through the pool, which lends by way of `Unmanaged`.
    var failure: ZoneQueryError?
    let result = pool?.lend(database.zonesVersion, where: { $0.plan.limit == limit }) { (run, source) -> Result? in
      if run.isTimed { run.begin(within: database.queryDuration) }
      guard case (var slots, let hasMore)? = run.find(source, arguments.values, behind: anchor) else {
        if run.isOutOfTime { failure = run.timeLimit.error }
        return nil
      }
      defer { run.giveBack(&slots) }
      do throws(ZoneQueryError) {
        return try Answer.with(
          self, arguments.values, now: now, walkedIndex: run.plan.isWalk ? run.plan.number : nil
        ) { answer throws(ZoneQueryError) in try body(run, source, slots, hasMore, answer) }
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    return result
  }

  /// Answers with the record of an ID, found by its name; nil where there is none, or the table is not known.
  private func forRecord(
    named parameter: Int, _ arguments: QueryArguments, _ limit: Int,
    _ body: (borrowing RecordView) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> Bool? {
    if limit < 1 { return nil }
    var failure: ZoneQueryError?
    let hasMore = named?.lend(database.zonesVersion) { (run, source) -> Bool? in
      var fields = run.fieldsRead
      guard case .literal(.reference(let name, let zoneName, let ownerName))? = arguments.values[parameter],
        run.isZone(zoneName, ownerName), let found = source.slot(of: name, approaching: fields.known)
      else { return nil }
      do throws(ZoneQueryError) {
        try Answer.with(self, arguments.values) { answer throws(ZoneQueryError) in
          try RecordView.lend(found, of: source, answer, fields: &fields, body)
        }
      } catch {
        failure = error
      }
      run.fieldsRead = fields
      return false
    }
    if let failure { throw failure }
    return hasMore
  }

  /// The first records of the answer, as values: a hundred where no limit is given, as of a database, where `forEachRecord`
  /// lends all.
  ///
  /// - Returns: The records, in the query's order, and a cursor where there are more.
  /// - Throws: As `forEachRecord`, and `invalidQuery` for a desired key that is no field.
  public func records(
    _ parameters: [String: any PredicateArgument] = [:], desiredKeys: [String]? = nil, resultsLimit: Int = 100,
    after cursor: QueryCursor? = nil
  ) throws(ZoneQueryError) -> QueryPage {
    try page(desiredKeys, resultsLimit, after: cursor) { current throws(ZoneQueryError) in
      try current.arguments(parameters)
    }
  }

  func page(
    _ arguments: QueryArguments, _ desiredKeys: [String]?, _ resultsLimit: Int, after cursor: QueryCursor? = nil
  ) throws(ZoneQueryError) -> QueryPage {
    if let cursor { return try page(arguments, desiredKeys, resultsLimit, from: try content(of: cursor, arguments)) }
    let fields = try fields(desiredKeys)
    if let page = try pageDirectly(arguments, fields, resultsLimit) { return page }
    let run = try start(arguments, limit: resultsLimit, now: nil, behind: nil)
    directPages?.keepPlan(of: run.execution, limit: resultsLimit)
    return try page(run, fields)
  }

  /// A page by the plan of an earlier run; nil where there is none that fits.
  private func pageDirectly(
    _ arguments: QueryArguments, _ fields: [FieldNumber]?, _ limit: Int, behind anchor: SortAnchor? = nil,
    now: Timestamp? = nil
  ) throws(ZoneQueryError) -> QueryPage? {
    try findDirectly(directPages, arguments, limit, behind: anchor, now: now) {
      (run, source, slots, hasMore, answer) throws(ZoneQueryError) in
      var following: QueryCursor?
      if hasMore, let last = slots.last { following = try answer.cursor(behind: source.row(Int(last)), 0) }
      return QueryPage(records: source.records(slots, fields: fields, touched: &run.touched), cursor: following)
    }
  }

  /// The records behind those of a page whose cursor, one of this query with these values, was read.
  func page(
    _ arguments: QueryArguments, _ desiredKeys: [String]?, _ resultsLimit: Int, from content: CursorContent
  ) throws(ZoneQueryError) -> QueryPage {
    let fields = try fields(desiredKeys)
    if case .sorted(let position) = content.position, order.fits(position),
      let page = try pageDirectly(arguments, fields, resultsLimit, behind: order.anchor(position), now: content.now)
    {
      return page
    }
    return try page(try start(arguments, limit: resultsLimit, now: content.now, behind: content.position), fields)
  }

  /// The first records of the answer as of a moment that the caller keeps, however long it takes: for what the database does
  /// with them itself.
  func records(
    _ arguments: QueryArguments, _ desiredKeys: [String]?, _ resultsLimit: Int, now: Timestamp
  ) throws(ZoneQueryError) -> [Record] {
    let fields = try fields(desiredKeys)
    let run = try start(arguments, limit: resultsLimit, now: now, behind: nil, isTimed: false)
    defer { finish(run) }
    return run.execution.records(fields: fields)
  }

  private func fields(_ desiredKeys: [String]?) throws(ZoneQueryError) -> [FieldNumber]? {
    try desiredKeys.map { (keys: [String]) throws(ZoneQueryError) in try Database.fields(keys, of: recordType) }
  }

  private func page(_ run: Run, _ fields: [FieldNumber]?) throws(ZoneQueryError) -> QueryPage {
    defer { finish(run) }
    var following: QueryCursor?
    if run.execution.hasMore, let last = run.execution.rows.last {
      following = try run.withAnswer { answer throws(ZoneQueryError) in
        try answer.cursor(behind: run.execution.row(last), Int(last.table))
      }
    }
    return QueryPage(
      records: run.execution.records(fields: fields), cursor: following)
  }

  /// The number of records that match.
  ///
  /// - Throws: `invalidPredicate` where a parameter has no value or one that does not fit, `invalidQuery` for a name that is
  ///   no parameter's, `zoneNotFound` where its zone is no more, and `limitExceeded` where it takes longer than
  ///   ``Database/Limits/queryDuration``.
  public func count(_ parameters: [String: any PredicateArgument] = [:]) throws(ZoneQueryError) -> Int {
    try database.telling(event(.count)) { outcome throws(ZoneQueryError) in
      outcome.returned = try matchCount(try arguments(parameters))
      return outcome.returned
    }
  }

  /// The number of records that match.
  ///
  /// - Throws: As with values by name, and `invalidQuery` for arguments of a query whose parameters have other names or
  ///   another order.
  public func count(_ arguments: QueryArguments) throws(ZoneQueryError) -> Int {
    try database.telling(event(.count)) { outcome throws(ZoneQueryError) in
      outcome.returned = try matchCount(arguments)
      return outcome.returned
    }
  }

  /// The number of records that match, which nobody is told of.
  func matchCount(_ arguments: QueryArguments) throws(ZoneQueryError) -> Int {
    if let newer = try renewed() { return try newer.matchCount(arguments) }
    try check(arguments)
    if let count = try countDirectly(arguments) { return count }
    let run = try open(arguments)
    defer { finish(run) }
    let count = run.execution.count(recordType)
    if run.execution.timeLimit.check() { throw run.execution.timeLimit.error }
    directCounts?.keepPlan(of: run.execution, limit: .max, counts: true)
    return count
  }

  private func countDirectly(_ arguments: QueryArguments) throws(ZoneQueryError) -> Int? {
    var failure: ZoneQueryError?
    let count = directCounts?.lend(database.zonesVersion) { (run, source) -> Int? in
      if run.isTimed { run.begin(within: database.queryDuration) }
      let count = run.count(source, arguments.values)
      if count == nil, run.isOutOfTime { failure = run.timeLimit.error }
      return count
    }
    if let failure { throw failure }
    return count
  }

  // MARK: Runs

  /// One run of the query, and what it reads.
  struct Run {
    let prepared: PreparedQuery
    let execution: QueryExecution

    /// Calls `body` with what the answer's cursors have to say.
    func withAnswer<Result>(
      _ body: (borrowing Answer) throws(ZoneQueryError) -> Result
    ) throws(ZoneQueryError) -> Result {
      try Answer.with(prepared, execution.arguments, now: execution.now, walked: execution.walked, body)
    }
  }

  /// The predicate with the values of a run in the places of its parameters.
  func predicate(_ arguments: [ArgumentValue?]) -> QueryPredicate {
    query.predicate.replacing(template.parameters, by: arguments)
  }

  /// The same as cursors have it.
  ///
  /// - Throws: `limitExceeded` where it nests too deep for one.
  func cursorPredicate(_ arguments: [ArgumentValue?]) throws(ZoneQueryError) -> CursorPredicate {
    CursorPredicate(
      query.predicate, bytes: try bound.predicateBytes(), mentions: template.mentions.reduce(0, +), template.parameters,
      arguments)
  }

  /// Takes an execution, the zones' states to run it on and the values of the run; the moment of the run is the clock's
  /// where none is given.
  func open(
    _ arguments: QueryArguments, now: Timestamp? = nil, isTimed: Bool = true
  ) throws(ZoneQueryError) -> Run {
    let execution = bound.idle?.take() ?? QueryExecution(order: order, template: template, mostKept: bound.mostKept)
    do throws(ZoneQueryError) {
      let version = database.zonesVersion
      if execution.zonesVersion != version {
        execution.zones = try database.zones(zoneID)
        execution.zonesVersion = version
      }
      execution.pin()
      try execution.bind(arguments.values) { now ?? database.configuration.clock() }
      if let now { execution.now = now }
      execution.timeLimit = TimeLimit(isTimed ? database.queryDuration : nil)
    } catch {
      keep(execution)
      throw error
    }
    return Run(prepared: self, execution: execution)
  }

  /// What a cursor says, which is this query's and was made with these values.
  func content(of cursor: QueryCursor, _ arguments: QueryArguments) throws(ZoneQueryError) -> CursorContent {
    let content = try database.content(of: cursor)
    if cursor.isFrom(identity, arguments.values) { return content }
    try template.checkSize(of: arguments.values)
    guard sameBytes(content.recordType, query.recordType), content.sort == query.sort, content.zoneID == zoneID,
      sameBytes(content.predicate.text, predicate(arguments.values).root.predicateFormat)
    else {
      // A value that is missing or does not fit is told by its name.
      var conjuncts: [BoundPredicate] = []
      try template.bind(arguments.values, now: content.now, into: &conjuncts)
      throw QueryCursor.invalid(
        "it is another query's, or was made with other values",
        hint: "go on with the query and the values that made it, or by records(continuingMatchFrom:)")
    }
    return content
  }

  /// Finds the rows of a run behind those of a page.
  func start(
    _ arguments: QueryArguments, limit: Int, now: Timestamp?, behind position: CursorPosition?, isTimed: Bool = true
  ) throws(ZoneQueryError) -> Run {
    try Database.check(resultsLimit: limit)
    let run = try open(arguments, now: now, isTimed: isTimed)
    do throws(ZoneQueryError) {
      if let position { try database.check(position, order, run.execution.snapshots, recordType) }
    } catch {
      finish(run)
      throw error
    }
    run.execution.run(recordType, limit: limit, behind: position)
    if run.execution.timeLimit.check() { throw outOfTime(run) }
    return run
  }

  /// Ends a run whose time is over.
  @inline(never)
  private func outOfTime(_ run: Run) -> ZoneQueryError {
    defer { finish(run) }
    return run.execution.timeLimit.error
  }

  /// Ends a run: until here its rows are read in place, and the last use of a variable would end its life.
  func finish(_ run: Run) { keep(run.execution) }

  private func keep(_ execution: QueryExecution) {
    execution.close(zonesVersion: database.zonesVersion)
    bound.idle?.put(execution)
  }
}
