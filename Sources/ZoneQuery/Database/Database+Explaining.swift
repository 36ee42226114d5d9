extension Database {
  /// Answers a query and says how: the plan, what was estimated and what came out, and what else was considered.
  ///
  /// - Parameters:
  ///   - query: The record type, the predicate and the order.
  ///   - zoneID: The zone to look in; every zone of the database where nil, which the shared database refuses.
  ///   - parameters: The values of `$name` parameters of the predicate.
  ///   - resultsLimit: The most records found, at least 1; 100 where it is left out.
  ///   - measuringPaths: Whether the query is answered by each of the paths too, the one that was taken among them, so that
  ///     ``QueryExplanation/Path/measured`` says what they take.
  /// - Returns: How the query was answered; the records themselves are not kept.
  /// - Throws: What ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)`` throws.
  ///
  /// ```swift
  /// let explanation = try database.explain(query, resultsLimit: 50, measuringPaths: true)
  /// for path in explanation.tables.first?.paths ?? [] { print(path.detail, path.cost, path.measured?.nanoseconds ?? 0) }
  /// // index walk (city, start) descending: city = "Seoul" 1265.0 1479
  /// // index range (city): city = "Seoul" → top rows 8422.0 9120
  /// // …
  /// ```
  ///
  /// Differs from CloudKit, which has none.
  ///
  /// Complexity: as the query; the clock is read for each step and for every 256 rows that go through one. Where paths
  /// are measured, twice as the query by each, up to a look at every record and every entry of an index.
  public func explain(
    _ query: Query, inZoneWith zoneID: ZoneID? = nil, parameters: [String: any PredicateArgument] = [:],
    resultsLimit: Int = 100, measuringPaths: Bool = false
  ) throws(ZoneQueryError) -> QueryExplanation {
    let prepared = try PreparedQuery(self, query, zoneID)
    return try prepared.explain(
      prepared.arguments(known: parameters), resultsLimit: resultsLimit, measuringPaths: measuringPaths)
  }

  /// Counts what matches a query and says how: counting may take another way than finding.
  ///
  /// - Throws: What ``count(matching:inZoneWith:parameters:)`` throws.
  ///
  /// Differs from CloudKit, which has none.
  ///
  /// Complexity: as ``explain(_:inZoneWith:parameters:resultsLimit:measuringPaths:)``.
  public func explainCount(
    _ query: Query, inZoneWith zoneID: ZoneID? = nil, parameters: [String: any PredicateArgument] = [:],
    measuringPaths: Bool = false
  ) throws(ZoneQueryError) -> QueryExplanation {
    let prepared = try PreparedQuery(self, query, zoneID)
    return try prepared.explainCount(prepared.arguments(known: parameters), measuringPaths: measuringPaths)
  }
}

extension PreparedQuery {
  /// Runs the query and says how it was answered.
  ///
  /// - Parameters:
  ///   - parameters: A value for each parameter.
  ///   - resultsLimit: The most records; all where it is left out.
  ///   - measuringPaths: Whether the query is answered by each of the paths that were not taken too.
  /// - Returns: How the query was answered.
  /// - Throws: `invalidPredicate` where a parameter has no value or one that does not fit, `invalidQuery` for the limit
  ///   and for a name that is no parameter's, and `zoneNotFound`.
  public func explain(
    _ parameters: [String: any PredicateArgument] = [:], resultsLimit: Int = .max, measuringPaths: Bool = false
  ) throws(ZoneQueryError) -> QueryExplanation {
    try explain(try arguments(parameters), resultsLimit: resultsLimit, measuringPaths: measuringPaths)
  }

  /// Runs the query and says how it was answered; with a cursor, how the page behind it was.
  ///
  /// - Throws: As with values by name; `invalidQuery` also for arguments of a query with other parameters, `invalidCursor` and
  ///   `cursorExpired` for the cursor.
  public func explain(
    _ arguments: QueryArguments, resultsLimit: Int = .max, after cursor: QueryCursor? = nil,
    measuringPaths: Bool = false
  ) throws(ZoneQueryError) -> QueryExplanation {
    try explain(arguments, resultsLimit: resultsLimit, after: cursor, isCount: false, measuringPaths: measuringPaths)
  }

  /// Counts the records that match and says how: counting may take another way than finding.
  ///
  /// - Throws: `invalidPredicate` where a parameter has no value or one that does not fit, `invalidQuery` for arguments of a
  ///   query with other parameters, `zoneNotFound`.
  public func explainCount(
    _ arguments: QueryArguments, measuringPaths: Bool = false
  ) throws(ZoneQueryError) -> QueryExplanation {
    try explain(arguments, resultsLimit: .max, isCount: true, measuringPaths: measuringPaths)
  }

  func explain(
    _ arguments: QueryArguments, resultsLimit: Int, after cursor: QueryCursor? = nil, isCount: Bool,
    forcedPlan: ForcedPlan? = nil, measuringPaths: Bool = false
  ) throws(ZoneQueryError) -> QueryExplanation {
    if let newer = try renewed() {
      return try newer.explain(
        arguments, resultsLimit: resultsLimit, after: cursor, isCount: isCount, forcedPlan: forcedPlan,
        measuringPaths: measuringPaths)
    }
    try check(arguments)
    try Database.check(resultsLimit: resultsLimit)
    var content: CursorContent?
    if let cursor { content = try self.content(of: cursor, arguments) }
    let execution = QueryExecution(order: order, template: template)
    execution.zones = try database.zones(zoneID)
    execution.pin()
    defer { execution.close() }
    execution.forcedPlan = forcedPlan
    try execution.bind(arguments.values) { content?.now ?? database.configuration.clock() }
    if let position = content?.position {
      try database.check(position, order, execution.snapshots, recordType)
    }
    let predicate = predicate(arguments.values)
    let conditions = conditions(predicate)
    let layout = FieldLayout(recordType: recordType)
    let limit = resultsLimit == .max || isCount ? nil : resultsLimit
    let tree = { [order, query] (run: QueryTrace.TableRun) in
      let text = PlanText(
        layout: layout, conditions: conditions, sort: query.sort, table: run.table, conjuncts: run.conjuncts)
      return PlanTree(run: run, text: text, order: order, limit: limit, isCount: isCount)
    }
    var count = 0
    func answer() {
      if isCount {
        count = execution.count(recordType)
      } else {
        execution.run(recordType, limit: resultsLimit, behind: content?.position)
      }
    }
    var groups = PlanGroups()
    let trace = QueryTrace { run in groups.add(tree(run)) }
    execution.trace = trace
    let start = trace.now
    answer()
    var explanation = QueryExplanation(
      recordType: query.recordType, predicate: predicate.root.predicateFormat, resultsLimit: limit)
    explanation.nanoseconds = trace.since(start) - trace.explaining
    explanation.planningNanoseconds = trace.planning
    explanation.counters = execution.counters
    explanation.hasMore = execution.hasMore
    explanation.zonesPassedOver = execution.passedOver
    var rows = Array(repeating: 0, count: groups.tables.count)
    for row in execution.rows {
      if let group = groups.groups[execution.sources[Int(row.table)].table.zoneID] { rows[group] += 1 }
    }
    if isCount {
      explanation.counters.rowsReturned = count
      rows = groups.tables.map { $0.plan.children.first?.actualRows ?? 0 }
    }
    groups.finish(rows: rows, limit: limit)
    let recordCount = execution.sources.reduce(0) { $0 + $1.table.count }
    if measuringPaths { groups.measurePaths(execution, tree: tree, answer: answer) }
    explanation.tables = groups.tables.enumerated()
      .sorted { ($1.element.zoneCount, $0.offset) < ($0.element.zoneCount, $1.offset) }.map(\.element)
    if explanation.tables.contains(where: { $0.plan.contains(.columnScan) })
      || recordCount > 0 && explanation.counters.rowsExamined >= recordCount
    {
      explanation.missingIndexes = missingIndexes(execution.conjuncts, layout)
    }
    return explanation
  }

  /// The indexes that the schema lacks and a plan could use: of fields that conditions ask in a form that indexes answer,
  /// or that are sorted by.
  private func missingIndexes(_ conjuncts: [PlannedConjunct], _ layout: FieldLayout) -> [MissingIndex] {
    var (fields, tokens): (Set<ByteKey>, Bool) = ([], false)
    func note(_ form: Sargable) {
      switch form {
      case .interval(let field, _), .intervals(let field, _), .folded(let field, _), .members(let field, _, _),
        .someMembers(let field, _), .references(let field, _), .circle(let field, _):
        fields.insert(ByteKey(SystemField(rawValue: field)?.schemaName ?? layout.name(of: field)))
      case .either(let parts), .narrowest(let parts): for part in parts { note(part) }
      case .rest(let form, _): note(form)
      case .tokens: tokens = true
      case .nothing, .names: break
      }
    }
    for conjunct in conjuncts { if let form = conjunct.form { note(form) } }
    return IndexRequirements(of: query, in: recordType).missing.filter { index in
      switch index.purpose {
      case .tokenSearch: return tokens
      case .everyRecord: return false
      case .sort, .distanceSort: break
      case .filter, .range, .distance: if !fields.contains(ByteKey(index.field)) { return false }
      }
      // One of the two is the same index as the other.
      let has = recordType.field(index.field)?.indexes ?? []
      return has.isDisjoint(with: [.queryable, .sortable])
    }
  }

  /// The text of each of the parts that the predicate was bound in.
  private func conditions(_ predicate: QueryPredicate) -> [String] {
    let nodes = if case .and(let compound) = predicate.root { compound.parts } else { [predicate.root] }
    let texts = nodes.map { SyntaxError.excerpt($0.predicateFormat, most: 200) }
    return template.writtenParts.map { $0 < texts.count ? texts[$0] : "" }
  }
}

extension QueryExplanation.Node {
  /// Whether a step of the plan is of a kind.
  fileprivate func contains(_ operation: QueryExplanation.Operation) -> Bool {
    self.operation == operation || children.contains { $0.contains(operation) }
  }
}
