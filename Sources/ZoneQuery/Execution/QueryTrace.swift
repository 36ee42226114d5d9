/// What a run does, stage by stage and table by table. A run has one where it is explained; no other reads the clock.
final class QueryTrace {
  /// What a stage took and gave.
  struct Stage {
    var rows: Int?
    var entries = 0
    var examined = 0
    var nanoseconds: Int64 = 0
  }

  /// The run over one table.
  struct TableRun {
    let table: Table
    let conjuncts: [PlannedConjunct]
    /// The order in which conjuncts are tried.
    let attempts: [Int]
    let chosen: Plan
    let considered: [Plan]
    let isForced: Bool
    /// The plan that gave the answer: another than the chosen one where a budget was spent.
    var ran: Plan
    var walk: Stage?
    var access: Stage?
    var probing: Stage?
    var filtering: Stage?
    /// All stages together.
    var whole = Stage()
    var isBudgetSpent = false
  }

  /// Whether stages are told apart; else a table's run is the ordinary one, in one loop.
  let tellsStages: Bool
  private let clock = ContinuousClock()
  private let finish: (TableRun) -> Void
  private var current: TableRun?
  private var begun: ContinuousClock.Instant
  private var begunCounters = QueryCounters()
  private(set) var planning: Int64 = 0
  /// What explaining took, which is no part of the query.
  private(set) var explaining: Int64 = 0

  /// A trace that hands over each table's run.
  init(tellsStages: Bool = true, finish: @escaping (TableRun) -> Void) {
    (self.tellsStages, self.finish) = (tellsStages, finish)
    begun = clock.now
  }

  /// The time now.
  var now: ContinuousClock.Instant { clock.now }

  /// The nanoseconds since a time.
  func since(_ start: ContinuousClock.Instant) -> Int64 {
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// A table is about to be planned.
  func beginPlanning() { begun = clock.now }

  /// A table was planned; where there was no choice, nothing else was considered.
  func planned(_ plan: Plan, isForced: Bool, isChosen: Bool, _ planner: Planner, _ execution: QueryExecution) {
    planning += since(begun)
    let start = clock.now
    current = TableRun(
      table: planner.table, conjuncts: planner.conjuncts, attempts: execution.program.order, chosen: plan,
      considered: isChosen && tellsStages ? planner.allPaths() : [plan], isForced: isForced, ran: plan)
    explaining += since(start)
    begunCounters = execution.counters
    begun = clock.now
  }

  /// A walk's budget was spent, and another plan is taken.
  func budgetSpent(_ plan: Plan, _ execution: QueryExecution) {
    current?.walk = Stage(
      entries: execution.counters.entriesRead - begunCounters.entriesRead,
      examined: execution.counters.rowsExamined - begunCounters.rowsExamined, nanoseconds: since(begun))
    current?.isBudgetSpent = true
    current?.ran = plan
  }

  /// The slots that an access offers were collected, or those that a scan finds.
  func collected(_ stage: Stage) { current?.access = stage }

  /// The slots were looked up and filtered.
  func filtered(probing: Stage?, filtering: Stage?) {
    current?.probing = probing
    current?.filtering = filtering
  }

  /// A table's rows were all found; so many are known to have been.
  func finished(rows: Int?, _ execution: QueryExecution) {
    guard var run = current else { return }
    run.whole = Stage(
      rows: rows, entries: execution.counters.entriesRead - begunCounters.entriesRead,
      examined: execution.counters.rowsExamined - begunCounters.rowsExamined, nanoseconds: since(begun))
    current = nil
    let start = clock.now
    finish(run)
    explaining += since(start)
  }
}
