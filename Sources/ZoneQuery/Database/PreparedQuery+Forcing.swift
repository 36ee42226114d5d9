/// The door through which the testing kit takes plans that the planner would not.
extension PreparedQuery {
  /// What a run with a forced plan found.
  package struct ForcedAnswer: Sendable {
    package let ids: [RecordID]
    package let hasMore: Bool
    package let notes: PlanNotes
  }

  /// The IDs of the first records of the answer, by a plan that is forced on every table.
  package func answer(
    forcing plan: ForcedPlan, _ parameters: [String: any PredicateArgument] = [:], resultsLimit: Int = .max
  ) throws(ZoneQueryError) -> ForcedAnswer {
    if let newer = try renewed() { return try newer.answer(forcing: plan, parameters, resultsLimit: resultsLimit) }
    let run = try forced(plan, parameters)
    defer { release(run) }
    run.execution.run(recordType, limit: resultsLimit)
    return ForcedAnswer(
      ids: run.execution.rows.map { ranked in
        let row = run.execution.row(ranked)
        return RecordID(recordName: row.withName { String(copying: $0) }, zoneID: row.zoneID)
      }, hasMore: run.execution.hasMore, notes: run.execution.planNotes)
  }

  /// The number of records that match, counted by a plan that is forced on every table.
  package func count(
    forcing plan: ForcedPlan, _ parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> (count: Int, notes: PlanNotes) {
    if let newer = try renewed() { return try newer.count(forcing: plan, parameters) }
    let run = try forced(plan, parameters)
    defer { release(run) }
    return (run.execution.count(recordType), run.execution.planNotes)
  }

  /// How many records the planner takes to match; by a forced plan, what it would after a look at every index.
  package func estimate(
    forcing plan: ForcedPlan? = nil, _ parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> Double {
    if let newer = try renewed() { return try newer.estimate(forcing: plan, parameters) }
    let run = try forced(plan, parameters)
    defer { release(run) }
    return run.execution.estimate(recordType)
  }

  /// Whether the next run that lends records in place is tried by the plan of an earlier one.
  package var runsDirectly: Bool { direct?.isEmpty == false || soleRecord != nil }

  /// How many answers the kept plans have given.
  package var directAnswers: Int {
    var answers = 0
    for case let pool? in [direct, directPages] {
      var runs: [DirectRun] = []
      while let run = pool.take() { runs.append(run) }
      // The one that was taken first is the next again, and then those that lay on the shelf longest.
      for run in runs.prefix(1) + runs.dropFirst().reversed() {
        answers += run.answers
        pool.put(run)
      }
    }
    return answers
  }

  /// The fields that the kept plan brings near of the rows it finds, a bit each; nil where there is none.
  package var fieldsKnown: UInt64? {
    guard let run = direct?.take() else { return nil }
    defer { direct?.put(run) }
    return run.fieldsRead.known
  }

  private func forced(
    _ plan: ForcedPlan?, _ parameters: [String: any PredicateArgument]
  ) throws(ZoneQueryError) -> Run {
    let run = try open(try arguments(parameters), isTimed: false)
    run.execution.forcedPlan = plan
    run.execution.planNotes = PlanNotes()
    return run
  }

  private func release(_ run: Run) {
    run.execution.forcedPlan = nil
    finish(run)
  }
}

extension QueryExecution {
  /// How many rows the planner takes the predicate to hold for.
  func estimate(_ recordType: RecordType) -> Double {
    open(recordType)
    return sources.reduce(0) { $0 + plan($1.table, limit: .max, sorted: false).0.rows }
  }
}
