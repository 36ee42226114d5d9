/// Answers a query from the tables of the zones in its scope: plans each, runs the plans, and keeps the rows in order.
///
/// An execution belongs to one thread at a time and may be used again; what it allocated it keeps. The tables' snapshots
/// are held by whoever runs it, until the rows were read.
final class QueryExecution {
  let order: SortOrder
  var program: Program
  var conjuncts: [PlannedConjunct] = []
  private var bound: [BoundPredicate]
  private var isBound = false
  private var isPlanned = false
  /// The zone that the conjuncts are planned for.
  private var plannedZone: ZoneID?

  /// The zones it ran over last, as of which change of the database's zones.
  var zones: [Zone] = []
  var zonesVersion = -1

  /// The tables, in the order of their zones.
  private(set) var sources: [TableRow.Source] = []
  /// The answer, in order.
  var rows: ContiguousArray<RankedRow> = []
  /// Whether there are more rows behind those of the answer.
  private(set) var hasMore = false
  /// The index in whose order the rows of a table come, by table; of the others they come in the table's own.
  var walked: [Int: Int] = [:]
  var counters = QueryCounters()
  /// Which plan to take, for tests.
  var forcedPlan: ForcedPlan?
  /// What the run does, where it is explained.
  var trace: QueryTrace?
  /// What plans there were, where one is forced.
  var planNotes = PlanNotes()

  var first = FirstRows(limit: 1)
  var slots: [UInt32] = []
  var residual: [Int] = []

  init(order: SortOrder) {
    self.order = order
    bound = []
    program = Program(conjuncts: [])
  }

  /// Takes the predicate with the values of a run.
  func bind(_ template: PredicateTemplate, _ values: [ArgumentValue?], now: Timestamp) throws(ZoneQueryError) {
    if isBound, !template.isVolatile { return }
    let count = bound.count
    isPlanned = false
    let wasBound = isBound
    isBound = false
    try template.bind(values, now: now, into: &bound)
    if !wasBound || bound.count != count || !replaceConstants(template) { program = Program(conjuncts: bound) }
    isBound = true
  }

  private func replaceConstants(_ template: PredicateTemplate) -> Bool {
    guard template.parts.count == bound.count else { return false }
    for number in bound.indices {
      if case .fixed = template.parts[number] { continue }
      guard case .comparison(let comparison) = bound[number],
        program.replaceConstant(ofConjunct: number, with: comparison)
      else { return false }
    }
    return true
  }

  // MARK: Running

  /// Finds the first rows, or those behind a position.
  func run(
    _ snapshots: [ZoneSnapshot], _ recordType: RecordType, limit: Int, behind position: CursorPosition? = nil
  ) {
    open(snapshots, recordType)
    let wanted = limit == .max ? limit : limit + 1
    first = FirstRows(limit: wanted)
    for number in sources.indices {
      if order.descriptors.isEmpty {
        if rows.count >= wanted { break }
        let found = rows.count
        findUnsorted(number, wanted: wanted, position)
        trace?.finished(rows: rows.count - found, self)
      } else {
        findSorted(number, wanted: wanted, position)
        trace?.finished(rows: sources.count == 1 ? rows.count : nil, self)
      }
    }
    if !order.descriptors.isEmpty, sources.count > 1 {
      first.sort { precedes($0, $1) }
      rows.append(contentsOf: first.rows)
    }
    hasMore = rows.count > limit
    if hasMore { rows.removeLast(rows.count - limit) }
    counters.rowsReturned += rows.count
  }

  /// Counts the rows that the predicate holds for.
  func count(_ snapshots: [ZoneSnapshot], _ recordType: RecordType) -> Int {
    open(snapshots, recordType)
    var count = 0
    for number in sources.indices {
      let found = countRows(number)
      trace?.finished(rows: found, self)
      count += found
    }
    return count
  }

  func open(_ snapshots: [ZoneSnapshot], _ recordType: RecordType) {
    sources.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    hasMore = false
    if !walked.isEmpty { walked = [:] }
    for snapshot in snapshots {
      guard var table = snapshot.state.table(recordType.name) else { continue }
      // A table that has not seen the newest fields of its type takes them over: its records lack them.
      if table.layout.recordType.fields.count < recordType.fields.count { table.adopt(recordType) }
      sources.append(TableRow.Source(table))
    }
    // What indexes can be asked for depends on the zone where the predicate asks for record IDs.
    if sources.count != 1 || !isPlanned || sources.first?.table.zoneID != plannedZone { conjuncts = [] }
    plannedZone = sources.first?.table.zoneID
  }

  /// Lets go of the tables, whose snapshots are about to be.
  func close() { sources.removeAll(keepingCapacity: true) }

  /// The plan of a table, and what takes its place where it turns out too dear.
  func plan(
    _ table: Table, limit: Int, sorted: Bool = true, following: Planner.RowOrder = .any
  ) -> (Plan, otherwise: Plan?) {
    trace?.beginPlanning()
    if conjuncts.isEmpty || sources.count > 1 {
      conjuncts = bound.map { PlannedConjunct($0, zone: table.zoneID) }
      isPlanned = true
      plannedZone = table.zoneID
    }
    var planner = Planner(
      table: table, conjuncts: conjuncts, order: sorted ? order : .none, limit: limit,
      explains: forcedPlan != nil)
    planner.following = following
    planner.counts = !sorted
    var plans = planner.plan()
    if forcedPlan != nil { planNotes.add(planner.considered ?? []) }
    switch forcedPlan {
    case nil: break
    case .scan?: plans = (planner.scan(), nil)
    case .considered(let number)?:
      let considered = planner.considered ?? []
      if !considered.isEmpty { plans = (considered[number % considered.count].plan, nil) }
    }
    trace?.planned(plans.0, isForced: forcedPlan != nil, planner, self)
    return plans
  }

  /// The order that a row without a sort came in, for a cursor.
  func walkedOrder(of ranked: RankedRow) -> ScanPosition.Order {
    guard let number = walked[Int(ranked.table)] else { return .table }
    let table = sources[Int(ranked.table)].table
    let index = table.indexes[number]
    let row = IndexedRow(
      group: table.group(Int(ranked.slot) >> RowGroup.shift), row: Int(ranked.slot) & (RowGroup.size - 1))
    var words: [UInt64] = []
    // The lead of an index that is walked without a sort is no list, so that a row has one key.
    index.forEachKey(row, Key4.self) { key in words = (0..<index.shape.wordCount).map { key[$0] } }
    return .index(name: index.shape.name, key: words)
  }

  /// The numbers of a set's conjuncts.
  func numbers(_ set: ConjunctSet) -> [Int] {
    if set.isEmpty { return [] }
    return program.order.filter { set.contains($0) }
  }

  // MARK: Rows

  func row(_ ranked: RankedRow) -> TableRow {
    sources[Int(ranked.table)].row(Int(ranked.slot))
  }

  func precedes(_ left: RankedRow, _ right: RankedRow) -> Bool {
    left.key == right.key ? order.precedes(row(left), row(right)) : left.key < right.key
  }
}
