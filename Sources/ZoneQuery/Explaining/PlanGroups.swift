/// The plans of all tables of a query, those of one shape together.
struct PlanGroups {
  private(set) var tables: [QueryExplanation.Tables] = []
  private var positions: [ByteKey: Int] = [:]
  /// The group of each zone's table that was run.
  private(set) var groups: [ZoneID: Int] = [:]

  /// Adds a table that was run. Complexity: that of its plan's description.
  mutating func add(_ tree: PlanTree) {
    var entry = QueryExplanation.Tables(
      firstZone: tree.run.table.zoneID, zoneCount: 1, recordCount: tree.run.table.count, plan: tree.answer,
      abandoned: tree.abandoned, paths: [])
    entry.paths = Self.paths(tree)
    let shape = ByteKey(entry.plan.shape + (entry.abandoned?.shape ?? ""))
    guard let position = positions[shape] else {
      positions[shape] = tables.count
      groups[entry.firstZone] = tables.count
      tables.append(entry)
      return
    }
    groups[entry.firstZone] = position
    tables[position].add(entry)
  }

  /// Says how many rows of the answer came from each group, and why its plan was taken.
  mutating func finish(rows: [Int], limit: Int?) {
    for position in tables.indices {
      tables[position].plan.actualRows = rows[position]
      if let limit, let estimate = tables[position].plan.estimatedRows {
        tables[position].plan.estimatedRows = min(estimate, Double(limit))
      }
      tables[position].explain()
    }
  }

  /// Answers the query by each of the paths, twice, and notes what that took.
  ///
  /// - Parameters:
  ///   - execution: The execution that the groups are of, its snapshots still held.
  ///   - tree: Puts a table's plans into words.
  ///   - answer: Answers the query.
  ///
  /// Complexity: twice the query by each path, an index walk without a budget.
  mutating func measurePaths(
    _ execution: QueryExecution, tree: @escaping (QueryTrace.TableRun) -> PlanTree, answer: () -> Void
  ) {
    let groups = groups
    var measured: Set<ByteKey> = []
    for detail in tables.flatMap(\.paths).map(\.detail) where measured.insert(ByteKey(detail)).inserted {
      let choice = PathChoice(detail, tree: tree)
      execution.choice = choice
      for _ in 0..<2 {
        var taken: [Int: QueryExplanation.Measurement] = [:]
        execution.trace = QueryTrace(tellsStages: false) { run in
          guard choice.isTaken, let group = groups[run.table.zoneID] else { return }
          taken[group, default: QueryExplanation.Measurement()].add(run.whole)
        }
        answer()
        for (group, measurement) in taken { tables[group].note(measurement, of: detail) }
      }
    }
    (execution.choice, execution.trace) = (nil, nil)
  }

  private static func paths(_ tree: PlanTree) -> [QueryExplanation.Path] {
    var paths: [QueryExplanation.Path] = []
    let chosen = path(tree.run.chosen, tree, isChosen: true)
    paths.append(chosen)
    for plan in tree.run.considered {
      let path = path(plan, tree, isChosen: false)
      if let same = paths.firstIndex(where: { sameBytes($0.detail, path.detail) }) {
        if !paths[same].isChosen, path.cost < paths[same].cost { paths[same] = path }
      } else {
        paths.append(path)
      }
    }
    return paths
  }

  private static func path(_ plan: Plan, _ tree: PlanTree, isChosen: Bool) -> QueryExplanation.Path {
    QueryExplanation.Path(
      detail: tree.line(plan), indexes: tree.indexes(plan), cost: plan.cost, estimatedRows: plan.rows,
      isChosen: isChosen,
      reason: isChosen && tree.run.isForced ? "forced" : "", zoneCount: 1)
  }
}

extension QueryExplanation.Tables {
  /// Adds the figures of tables with plans of the same shape.
  fileprivate mutating func add(_ other: QueryExplanation.Tables) {
    zoneCount += other.zoneCount
    recordCount += other.recordCount
    plan.add(other.plan)
    if let more = other.abandoned { abandoned?.add(more) }
    for path in other.paths {
      if let same = paths.firstIndex(where: { sameBytes($0.detail, path.detail) && $0.isChosen == path.isChosen }) {
        paths[same].cost += path.cost
        paths[same].estimatedRows += path.estimatedRows
        paths[same].zoneCount += path.zoneCount
      } else {
        paths.append(path)
      }
    }
  }

  /// Notes what a path took; of several times, the shortest.
  fileprivate mutating func note(_ measurement: QueryExplanation.Measurement, of detail: String) {
    for path in paths.indices where sameBytes(paths[path].detail, detail) {
      if let before = paths[path].measured, before.nanoseconds <= measurement.nanoseconds { continue }
      paths[path].measured = measurement
    }
  }

  /// Sorts the paths by what they cost, and says of each what came of it.
  fileprivate mutating func explain() {
    guard let chosen = paths.first(where: \.isChosen) else { return }
    // Those of one cost stay as they were considered.
    paths = paths.enumerated().sorted {
      if $0.element.isChosen != $1.element.isChosen { return $0.element.isChosen }
      return ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset)
    }.map(\.element)
    for index in paths.indices where paths[index].reason.isEmpty {
      paths[index].reason = paths[index].isChosen ? "chosen" : Self.reason(paths[index], beside: chosen)
    }
  }

  private static func reason(_ path: QueryExplanation.Path, beside chosen: QueryExplanation.Path) -> String {
    if path.zoneCount != chosen.zoneCount { return "considered in \(path.zoneCount) of \(chosen.zoneCount) zones" }
    if path.cost < chosen.cost { return "not looked at: the one chosen was cheap already" }
    if path.cost == chosen.cost { return "costs the same, and came later" }
    if chosen.cost < 1 { return "the one chosen costs nothing" }
    if path.cost < chosen.cost * 1.05 { return "costs hardly more" }
    return "\(FigureText.factor(path.cost / chosen.cost)) times the cost"
  }
}

extension QueryExplanation.Node {
  /// What plans of one shape have in common: steps and details, without figures.
  fileprivate var shape: String {
    "\(operation.rawValue) \(detail) (\(children.map(\.shape).joined(separator: ";")))"
  }

  fileprivate mutating func add(_ other: QueryExplanation.Node) {
    estimatedRows = estimatedRows.flatMap { own in other.estimatedRows.map { own + $0 } }
    actualRows = actualRows.flatMap { own in other.actualRows.map { own + $0 } }
    entriesRead += other.entriesRead
    rowsExamined += other.rowsExamined
    if let more = other.ranges { ranges = (ranges ?? 0) + more }
    if let more = other.budget { budget = (budget ?? 0) + more }
    nanoseconds = nanoseconds.flatMap { own in other.nanoseconds.map { own + $0 } }
    for index in children.indices where index < other.children.count { children[index].add(other.children[index]) }
  }
}

extension QueryExplanation.Measurement {
  fileprivate mutating func add(_ stage: QueryTrace.Stage) {
    entriesRead += stage.entries
    rowsExamined += stage.examined
    nanoseconds += stage.nanoseconds
  }
}
