/// Answers a query from the tables of the zones in its scope: plans each, runs the plans, and keeps the rows in order.
///
/// An execution belongs to one thread at a time and may be used again; of what it allocated it keeps what its last runs
/// needed. It holds the tables' snapshots from ``pin()`` to ``close()``, before which its rows are to be read.
final class QueryExecution {
  let order: SortOrder
  let template: PredicateTemplate
  /// How many rows or slots it keeps room for from one run to the next.
  let mostKept: Int
  var program: Program
  var conjuncts: [PlannedConjunct] = []
  private var bound: [BoundPredicate]
  private var isBound = false
  private var isPlanned = false
  /// Whether the predicate asks for record IDs.
  private var asksForRecords = false
  /// The zone that the conjuncts are planned for.
  private var plannedZone: ZoneID?

  /// The values of the run's parameters, and its moment where it was asked for.
  private(set) var arguments: [ArgumentValue?] = []
  var now: Timestamp?
  /// The plan made last.
  private(set) var chosen: Plan?
  /// The plan that a later run takes again, if it asks for the same.
  private var kept: (asked: PlanKey, plan: Plan, otherwise: Plan?)?
  /// Whether that may have a form that later runs can take at once.
  private var keptIsDirect = true

  /// The zones it ran over last, as of which change of the database's zones.
  var zones: [Zone] = []
  var zonesVersion = -1
  /// The zones' states that it runs on.
  private(set) var snapshots: [ZoneSnapshot] = []

  /// The tables, in the order in which they are gone through; of a sort over several those alone that were gone to.
  private(set) var sources: ContiguousArray<TableRow.Source> = []
  /// The most records of a table that is called small.
  private(set) var smallTable = 0
  /// Whether there is more than one table to go through.
  private(set) var hasSeveral = false
  /// How many tables were not gone to, since no row of theirs can be among the answer's.
  private(set) var passedOver = 0
  /// The fields of the table of the run before, which are all of the type, and its number in its zone.
  private var knownFields: TableFields?
  private var knownTable = 0
  /// The answer, in order.
  var rows: [RankedRow] = []
  /// Whether there are more rows behind those of the answer.
  private(set) var hasMore = false
  /// The index in whose order the rows of a table come, by table; of the others they come in the table's own.
  var walked: [Int: Int] = [:]
  var counters = QueryCounters()
  /// How long the run may take.
  var timeLimit = TimeLimit()
  /// How many rows the runs before the last looked at.
  private var examinedBefore = 0
  /// The fields that answers were read of in place.
  var fieldsRead = FieldsRead()
  /// Keeps reads that are made for the sake of the cache.
  var touched: UInt64 = 0
  /// Of so many zones or tables what is read first is read together.
  static let togetherCount = 16
  /// Which plan to take, for tests.
  var forcedPlan: ForcedPlan?
  /// What the run does, where it is explained.
  var trace: QueryTrace?
  /// Which path to take, where an explanation measures it.
  var choice: PathChoice?
  /// What plans there were, where one is forced.
  var planNotes = PlanNotes()

  var first = FirstRows(limit: 1)
  var slots: [UInt32] = []
  var spareSlots: [UInt32] = []
  var residual: [Int] = []

  init(order: SortOrder, template: PredicateTemplate, mostKept: Int = .max) {
    self.order = order
    self.template = template
    self.mostKept = mostKept
    bound = []
    program = Program(conjuncts: [])
  }

  /// Takes the states of the zones.
  func pin() {
    for number in zones.indices {
      if number % Self.togetherCount == 0, zones.count > 1 {
        var sum = 0
        for zone in zones[number..<min(number + Self.togetherCount, zones.count)] { sum ^= zone.approach }
        touched = UInt64(bitPattern: Int64(sum))
      }
      snapshots.append(zones[number].pinned())
    }
  }

  // MARK: Binding

  /// Takes the values of a run.
  func bind(_ values: [ArgumentValue?], _ now: () -> Timestamp) throws(ZoneQueryError) {
    arguments = values
    self.now = nil
    if isBound, !template.isVolatile { return }
    let moment = template.asksForNow ? now() : Timestamp(milliseconds: 0)
    if template.asksForNow { self.now = moment }
    let count = bound.count
    isPlanned = false
    let wasBound = isBound
    isBound = false
    try template.bind(values, now: moment, into: &bound)
    if !wasBound || bound.count != count || !replaceConstants() { program = Program(conjuncts: bound) }
    isBound = true
  }

  private func replaceConstants() -> Bool {
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
  func run(_ recordType: RecordType, limit: Int, behind position: CursorPosition? = nil) {
    open(recordType)
    let wanted = limit == .max ? limit : limit + 1
    var place: SortAnchor?
    if case .sorted(let given)? = position { place = order.anchor(given) }
    // A forced plan measures all distances: what chords tell is held against it.
    first.removeAll(limit: wanted, distances: forcedPlan == nil ? DistanceBounds(order, behind: place) : nil)
    if order.descriptors.isEmpty {
      for number in sources.indices where rows.count < wanted {
        if timeLimit.check() { break }
        let found = rows.count
        findUnsorted(number, wanted: wanted, position)
        trace?.finished(rows: rows.count - found, self)
      }
    } else if hasSeveral {
      findInTurn(wanted: wanted, place)
    } else if !sources.isEmpty, !timeLimit.check() {
      findSorted(0, wanted: wanted, place)
      trace?.finished(rows: rows.count, self)
    }
    hasMore = rows.count > limit
    if hasMore { rows.removeLast(rows.count - limit) }
    counters.rowsReturned += rows.count
  }

  /// Counts the rows that the predicate holds for.
  func count(_ recordType: RecordType) -> Int {
    open(recordType)
    var count = 0
    for number in sources.indices {
      if timeLimit.check() { break }
      let found = countRows(number)
      trace?.finished(rows: found, self)
      count += found
    }
    return count
  }

  func open(_ recordType: RecordType) {
    sources.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    hasMore = false
    if !walked.isEmpty { walked = [:] }
    examinedBefore = counters.rowsExamined
    for number in snapshots.indices {
      if number % Self.togetherCount == 0, snapshots.count > 1 {
        var sum = 0
        for snapshot in snapshots[number..<min(number + Self.togetherCount, snapshots.count)]
        where knownTable < snapshot.sources.count {
          sum &+= snapshot.sources[knownTable].rows.slotCount
        }
        touched = UInt64(sum)
      }
      let snapshot = snapshots[number]
      if knownTable < snapshot.sources.count, snapshot.sources[knownTable].fields === knownFields {
        sources.append(snapshot.sources[knownTable])
      } else if let source = source(snapshot, recordType) {
        sources.append(source)
      }
    }
    (hasSeveral, passedOver) = (sources.count > 1, 0)
    if hasSeveral { smallTable = Self.mostSmall(bound, sources[0].shape.zoneID) }
  }

  /// Finds the first rows of all tables in the query's order: of those tables first whose rows may come first, until no
  /// other has a row to add.
  private func findInTurn(wanted: Int, _ place: SortAnchor?) {
    let all = sources
    var tables = tablesInTurn(place)
    sources = []
    let together = min(Self.togetherCount, wanted)
    while !timeLimit.check() {
      let start = sources.count
      while sources.count - start < together, let number = tables.next(before: first.threshold) {
        sources.append(all[number])
        // Small ones are gone through together; behind others, fewer may be left to go to.
        if !isSmall(all[number].rows) { break }
      }
      if sources.count == start { break }
      // An explanation tells of each table.
      if trace == nil { rankSmallTables(start..<sources.count, place) }
      for number in start..<sources.count where trace != nil || !isSmall(sources[number].rows) {
        findSorted(number, wanted: wanted, place)
        trace?.finished(rows: nil, self)
      }
    }
    passedOver = all.count - sources.count
    sortFirst()
    rows.append(contentsOf: first.rows)
  }

  /// The tables as a sort goes through them.
  private func tablesInTurn(_ place: SortAnchor?) -> TablesInTurn {
    // A forced plan is not to rest on indexes that it does not use.
    let start =
      first.limit == .max || forcedPlan != nil
      ? nil : SortStart(order, bound, behind: place, like: sources[0])
    var tables = TablesInTurn(capacity: sources.count, isOrdered: start != nil)
    for number in sources.indices {
      guard let start else {
        tables.append(RankKey.none)
        continue
      }
      if number % Self.togetherCount == 0 {
        touched = start.approach(sources[number..<min(number + Self.togetherCount, sources.count)])
      }
      tables.append(start.firstKey(sources[number]))
    }
    tables.begin()
    return tables
  }

  private func source(_ snapshot: ZoneSnapshot, _ recordType: RecordType) -> TableRow.Source? {
    func isSought(_ number: Int) -> Bool {
      number < snapshot.sources.count
        && sameBytes(snapshot.sources[number].shape.layout.recordType.name, recordType.name)
    }
    guard let number = isSought(knownTable) ? knownTable : snapshot.sources.indices.first(where: isSought) else {
      return nil
    }
    let source = snapshot.sources[number]
    // A table that has not seen the newest fields of its type takes them over: its records lack them.
    if source.shape.layout.recordType.fields.count < recordType.fields.count {
      var table = source.table
      table.adopt(newest(recordType))
      return TableRow.Source(table, generation: source.generation)
    }
    knownTable = number
    knownFields = source.fields
    return source
  }

  /// The fields of the query's type for tables that have not seen them all.
  private func newest(_ recordType: RecordType) -> TableFields {
    if let newestFields, newestFields.layout.recordType == recordType { return newestFields }
    let fields = TableFields(recordType)
    newestFields = fields
    return fields
  }

  private var newestFields: TableFields?

  /// Where a later run finds the table again, if it is the only one.
  var place: TablePlace? {
    guard sources.count == 1, zones.count == 1, sources[0].fields === knownFields else { return nil }
    return TablePlace(zone: zones[0], zonesVersion: zonesVersion, number: knownTable, shape: sources[0].shape)
  }

  /// Lets go of the tables and of their snapshots, and of the zones, where the database's are others by now.
  func close(zonesVersion version: Int? = nil) {
    sources.removeAll(keepingCapacity: true)
    snapshots.removeAll(keepingCapacity: true)
    (arguments, chosen) = ([], nil)
    if let version, version != zonesVersion { (zones, zonesVersion) = ([], -1) }
    if let kept, max(kept.plan.places, kept.otherwise?.places ?? 0) > min(mostKept, QueryExecution.alwaysKept) {
      self.kept = nil
    }
    needed = max(needed, rows.count, slots.count)
    runs += 1
    if mostKept < .max { return keep(mostKept) }
    if runs < QueryExecution.runsLookedAt { return }
    keep(max(QueryExecution.alwaysKept, needed * 8))
    (needed, runs) = (0, 0)
  }

  /// The most rows or slots that one of the last runs ended with, and how many runs these are.
  private var (needed, runs) = (0, 0)
  /// Of so many runs none may have needed an eighth of the room that is kept for it to go.
  private static var runsLookedAt: Int { 16 }
  /// Room for so many rows is kept in any case.
  private static var alwaysKept: Int { 4_096 }

  /// Lets go of room for more rows or slots than so many.
  @inline(never)
  private func keep(_ most: Int) {
    if rows.capacity > most { rows = [] }
    if slots.capacity > most { slots = [] }
    if spareSlots.capacity > most { spareSlots = [] }
    if first.rows.capacity > most { first = FirstRows(limit: 1) }
    if sources.capacity > most { sources = [] }
    if snapshots.capacity > most { snapshots = [] }
  }

  /// The plan of a table, and what takes its place where it turns out too dear.
  func plan(
    _ table: Table, limit: Int, sorted: Bool = true, following: Planner.RowOrder = .any,
    distances: ClosedRange<Double>? = nil
  ) -> (Plan, otherwise: Plan?) {
    let asked = following == .any ? planKey(limit, isSorted: sorted, distances) : nil
    if let asked, let kept, kept.asked == asked {
      chosen = kept.plan
      return (kept.plan, kept.otherwise)
    }
    trace?.beginPlanning()
    // What indexes can be asked for depends on the zone where the predicate asks for record IDs.
    if !isPlanned || asksForRecords && table.zoneID != plannedZone {
      if !isPlanned { asksForRecords = bound.contains { $0.comparesValue(of: FieldNumber(.recordID)) } }
      conjuncts = bound.map { PlannedConjunct($0, zone: table.zoneID) }
      PlannedConjunct.compare(&conjuncts, zone: table.zoneID) { template.isFixed($0) }
      isPlanned = true
      plannedZone = table.zoneID
    }
    var planner = Planner(
      table: table, conjuncts: conjuncts, order: sorted ? order : .none, limit: limit,
      explains: forcedPlan != nil)
    planner.isExhaustive = forcedPlan != nil
    planner.timeLimit = timeLimit
    planner.following = following
    planner.counts = !sorted
    planner.distances = distances
    let isChosen = !sorted || !isSmall(table.rows)
    var plans = isChosen ? planner.plan() : (planner.scan(), nil)
    if forcedPlan != nil { planNotes.add(planner.considered ?? []) }
    switch forcedPlan {
    case nil: break
    // Nothing but the rows is to tell.
    case .scan?: plans = (planner.scan(mayProbe: false), nil)
    case .considered(let number)?:
      let considered = planner.considered ?? []
      if !considered.isEmpty { plans = (considered[number % considered.count], nil) }
    }
    if let choice, let plan = choice.plan(planner, isChosen: isChosen, own: plans.0, attempts: program.order) {
      plans = (plan, nil)
    }
    trace?.planned(plans.0, isForced: forcedPlan != nil, isChosen: isChosen, planner, self)
    chosen = plans.0
    // One that was made in haste is none to keep.
    if let asked, !timeLimit.check() { (kept, keptIsDirect) = ((asked, plans.0, plans.1), true) }
    return plans
  }

  /// What a plan is made for. Its entries and lists are those of one version of a table, and are not looked at where another
  /// is the newest.
  private struct PlanKey: Equatable {
    let zone: Int64
    let version: UInt64
    let table: Int
    let fields: ObjectIdentifier
    let limit: Int
    let isSorted: Bool
    let distances: ClosedRange<Double>?
  }

  /// Nil where the values of a run take part, where there are several tables, and where somebody looks on.
  private func planKey(_ limit: Int, isSorted: Bool, _ distances: ClosedRange<Double>?) -> PlanKey? {
    guard !template.isVolatile, let place, snapshots.count == 1, trace == nil, choice == nil, forcedPlan == nil else {
      return nil
    }
    return PlanKey(
      zone: sources[0].generation, version: snapshots[0].pins.generation, table: place.number,
      fields: ObjectIdentifier(sources[0].fields), limit: limit, isSorted: isSorted, distances: distances)
  }

  /// The form of the plan, where it is one that later runs can take at once.
  func directRun(limit: Int, counts: Bool) -> DirectRun? {
    guard let place, !template.asksForNow, let chosen, keptIsDirect else { return nil }
    guard
      let plan = DirectPlan(
        chosen, sources[0].table, template, conjuncts, counts ? .none : order, limit: limit, counts: counts)
    else {
      keptIsDirect = kept == nil
      return nil
    }
    // A scan that would have to give up is not begun, nor is a stretch of which so many rows are looked at.
    if plan.source.isScan, (hasMore ? Int(rows.last?.slot ?? 0) : sources[0].rows.slotCount) >= plan.mostCollected {
      return nil
    }
    if case .stretch = plan.source, counters.rowsExamined - examinedBefore > RowTests.budget { return nil }
    return DirectRun(plan, order, template, place, mostKept: mostKept, isTimed: timeLimit.isSet)
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

  /// The rows found, as values, with the fields of some numbers or all.
  func records(fields: [FieldNumber]?) -> [Record] {
    guard let first = rows.first else { return [] }
    if sources.count == 1 { return sources[0].records(rows, fields: fields, touched: &touched) }
    var records: [Record] = []
    records.reserveCapacity(rows.count)
    var table = Int(first.table)
    var reader = RecordReader(sources[table].table, fields: fields)
    var position = 0
    while position < rows.count {
      if Int(rows[position].table) != table {
        table = Int(rows[position].table)
        reader = RecordReader(sources[table].table, fields: fields)
      }
      // Rows of one table that follow one another share blocks.
      var end = position + 1
      while end < rows.count, Int(rows[end].table) == table { end += 1 }
      reader.append(rows, position..<end, to: &records)
      touched ^= reader.touched
      position = end
    }
    return records
  }

  /// Puts the rows kept into order.
  func sortFirst() {
    let sources = sources
    first.sort(order) { sources[Int($0.table)].row(Int($0.slot)) }
  }

  func precedes(_ left: RankedRow, _ right: RankedRow) -> Bool {
    left.key == right.key ? order.precedes(row(left), row(right)) : left.key < right.key
  }
}

/// A table of a zone, as of a change of the database's zones.
struct TablePlace: Sendable {
  let zone: Zone
  let zonesVersion: Int
  /// The table's number in the zone, and its shape.
  let number: Int
  let shape: TableShape

  /// Whether names, or those of the default zone where they are left out, are the zone's.
  func isZone(_ zoneName: String?, _ ownerName: String?) -> Bool {
    sameBytes(zoneName ?? ZoneID.defaultZoneName, zone.id.zoneName)
      && sameBytes(ownerName ?? ZoneID.currentUserName, zone.id.ownerName)
  }

  /// Calls `body` with the table in a state of the zone; nil where another is there, or it has other fields.
  @inline(__always)
  func withSource<Result>(_ snapshot: ZoneSnapshot, _ body: (TableRow.Source) -> Result?) -> Result? {
    guard number < snapshot.sources.count, snapshot.sources[number].shape === shape else { return nil }
    return snapshot.withSource(number, body)
  }
}

/// Finds the record that a query names again and again, each time by another name. A run belongs to one thread at a time.
final class NamedRun {
  let place: TablePlace
  private let isDefaultZone: Bool
  /// The fields that answers were read of in place.
  var fieldsRead = FieldsRead()

  init(_ place: TablePlace) {
    self.place = place
    isDefaultZone = place.zone.id == .default
  }

  /// Whether names, or those of the default zone where they are left out, are the zone's.
  @inline(__always)
  func isZone(_ zoneName: String?, _ ownerName: String?) -> Bool {
    zoneName == nil && ownerName == nil ? isDefaultZone : place.isZone(zoneName, ownerName)
  }
}
