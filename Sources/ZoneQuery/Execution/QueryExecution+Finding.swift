extension QueryExecution {
  // MARK: Without a sort

  /// Appends the rows of a table, in its own order or an index's, until there are enough.
  func findUnsorted(_ number: Int, wanted: Int, _ position: CursorPosition?) {
    let source = sources[number]
    var place: ScanPosition?
    if case .unsorted(let given)? = position {
      let order = source.table.zoneID.compare(given.zoneID)
      // The pages before went through the zones before.
      if order < 0 { return }
      if order == 0 { place = given }
    }
    // Pages go on in the order of those before.
    let following: Planner.RowOrder =
      switch place?.order {
      case nil: .any
      case .table?: .slots
      case .index(let name, _)?: .index(name)
      }
    let (plan, _) = plan(source.table, limit: wanted == .max ? wanted : wanted - rows.count, following: following)
    residual = numbers(plan.residual)
    let filter = RowFilter(source, residual: residual, probes: plan.probes)
    let start = place.map { UInt32(clamping: $0.slot + 1) } ?? 0
    if findStaged(number, plan, filter, from: start, wanted: wanted - rows.count, inOrder: true) {
      for slot in slots { rows.append(RankedRow(key: .none, slot: slot, table: UInt32(truncatingIfNeeded: number))) }
      return
    }
    switch plan.source {
    case .scan: scan(number, filter, from: Int(start), wanted: wanted)
    case .access(.lists(_, let lists, _)) where lists.count == 1:
      append(number, lists[0], filter, from: start, wanted: wanted)
    case .access(let access):
      collect(access, source, inOrder: true)
      append(number, filter, from: start, wanted: wanted)
    case .walk(let walk): walkUnsorted(number, walk, filter, wanted: wanted, place)
    }
  }

  /// Appends of a list's rows those that pass, some at a time, until there are enough.
  private func append(_ number: Int, _ list: PostingList, _ filter: RowFilter, from start: UInt32, wanted: Int) {
    var some: [UInt32] = []
    swap(&some, &slots)
    list.forEachFilling(of: &some) { some in
      swap(&some, &slots)
      defer { swap(&some, &slots) }
      counters.entriesRead += slots.count
      append(number, filter, from: start, wanted: wanted)
      return rows.count < wanted && !timeLimit.check()
    }
    swap(&some, &slots)
  }

  /// Appends of the slots collected those that pass.
  private func append(_ number: Int, _ filter: RowFilter, from start: UInt32, wanted: Int) {
    let table = UInt32(truncatingIfNeeded: number)
    let (slots, program) = (slots, program)
    var (rows, examined) = (takeRows(), 0)
    defer { giveBack(&rows, examined: examined) }
    var index = 0
    if start > 0 {
      while index < slots.count, slots[index] < start { index += 1 }
    }
    if filter.isEmpty {
      let end = min(slots.count, index + min(slots.count, wanted - rows.count))
      rows.reserveCapacity(rows.count + max(0, end - index))
      while index < end {
        rows.append(RankedRow(key: .none, slot: slots[index], table: table))
        index += 1
      }
      return
    }
    while index < slots.count, rows.count < wanted {
      examined += 1
      if examined % TimeLimit.rows == 0, timeLimit.check() { break }
      if filter.passes(slots[index], program) {
        rows.append(RankedRow(key: .none, slot: slots[index], table: table))
      }
      index += 1
    }
  }

  private func scan(_ number: Int, _ filter: RowFilter, from start: Int, wanted: Int) {
    let source = sources[number]
    let (program, residual) = (program, residual)
    var (rows, examined) = (takeRows(), 0)
    defer { giveBack(&rows, examined: examined) }
    var parts = RowParts(source.rows, from: start)
    while let part = parts.next(wanted: wanted - rows.count), !timeLimit.check() {
      examined += part.rows.countOfRows
      let mask = program.mask(
        RowBlockView(source, part.view, part.group), part.rows, conjuncts: residual, within: &timeLimit)
      mask.forEachRow { row in
        let slot = UInt32(truncatingIfNeeded: part.group << RowGroup.shift + row)
        if rows.count < wanted, filter.passesProbes(slot) {
          rows.append(RankedRow(key: .none, slot: slot, table: UInt32(truncatingIfNeeded: number)))
        }
      }
    }
  }

  // MARK: With a sort

  /// Offers the rows of a table in the query's order: where it is the only one, straight to the answer.
  func findSorted(_ number: Int, wanted: Int, _ place: SortAnchor?) {
    let (plan, otherwise) = plan(
      sources[number].table, limit: wanted, distances: distancesWanted(behind: place))
    if case .walk(let walk) = plan.source {
      residual = numbers(plan.residual)
      let filter = RowFilter(sources[number], residual: residual, probes: plan.probes)
      if walkSorted(number, walk, filter, wanted: wanted, place) { return walk.others.isEmpty ? () : takeRanked() }
      // The budget is spent.
      trace?.budgetSpent(otherwise ?? plan, self)
      if !hasSeveral { rows.removeAll(keepingCapacity: true) }
      rank(number, otherwise ?? plan, place)
    } else {
      rank(number, plan, place)
    }
    takeRanked()
  }

  /// Takes the rows kept to the answer, where there is no other table whose rows may come between.
  private func takeRanked() {
    if hasSeveral { return }
    sortFirst()
    rows.append(contentsOf: first.rows)
  }

  /// Holds all rows that a plan finds against those kept so far.
  private func rank(_ number: Int, _ plan: Plan, _ place: SortAnchor?) {
    let source = sources[number]
    // What a walk answers by where it goes, the rows of a whole table are held against.
    residual = plan.isWalk ? program.order : numbers(plan.residual)
    let filter = RowFilter(source, residual: residual, probes: plan.probes)
    let ranker = Ranker(order, source, UInt32(truncatingIfNeeded: number))
    if rankNearest(number, plan, ranker, filter, place) { return }
    if findStaged(number, plan, filter, wanted: .max, inOrder: false) {
      for slot in slots { offer(slot, ranker, place, &first) }
      return
    }
    let program = program
    var kept = takeFirst()
    defer { first = kept }
    switch plan.source {
    case .scan, .walk: counters.rowsExamined += rankAll(program, ranker, filter, place, &kept)
    case .access(let access):
      collect(access, source, inOrder: false)
      counters.rowsExamined += slots.count
      let slots = slots
      for (number, slot) in slots.enumerated() {
        if number % TimeLimit.rows == 0, timeLimit.check() { break }
        if filter.passes(slot, program) { offer(slot, ranker, place, &kept) }
      }
    }
  }

  /// Offers all rows of a table for which the whole predicate holds.
  func rankAll(_ number: Int, _ ranker: Ranker, _ place: SortAnchor?) {
    let filter = RowFilter(sources[number], residual: program.order, probes: [])
    let program = program
    var kept = takeFirst()
    counters.rowsExamined += rankAll(program, ranker, filter, place, &kept)
    first = kept
  }

  /// Offers all rows of a table that pass; returns how many were looked at.
  private func rankAll(
    _ program: borrowing Program, _ ranker: Ranker, _ filter: RowFilter, _ place: SortAnchor?, _ kept: inout FirstRows
  ) -> Int {
    let source = ranker.source
    var examined = 0
    for group in 0..<source.rows.groups.count {
      if timeLimit.check() { break }
      let view = source.rows.group(group)
      let live = view.live
      examined += live.countOfRows
      let block = RowBlockView(source, view, group)
      let candidates = kept.threshold.map { ranker.rows(live, of: block, upTo: $0) } ?? live
      if candidates.isEmptySet { continue }
      let mask = program.mask(block, candidates, conjuncts: filter.residual, within: &timeLimit)
      if mask.isEmptySet { continue }
      offer(group, view, mask, ranker, filter, place, &kept)
    }
    return examined
  }

  /// The most records of a table that is called small: fewer where conditions that an index may answer cost much, as
  /// words in texts do.
  static func mostSmall(_ conditions: [BoundPredicate], _ zone: ZoneID) -> Int {
    var cost = 0.0
    for condition in conditions where Sargable(condition, zone: zone) != nil { cost += Cost.holding(condition) }
    return cost < 100 ? 128 : Int(max(2, 8_000 / cost))
  }

  /// Whether a table among several is gone through, for a sort, without a choice, which would cost more.
  func isSmall(_ rows: TableRows) -> Bool {
    hasSeveral && !order.descriptors.isEmpty && rows.slotCount <= smallTable && forcedPlan == nil
  }

  /// The fields that are read of each row for a sort, of the first 64.
  private var rankedFields: UInt64 {
    var fields: UInt64 = 0
    for instruction in program.instructions where instruction.field < 64 { fields |= 1 << UInt64(instruction.field) }
    for descriptor in order.descriptors where descriptor.field < 64 { fields |= 1 << UInt64(descriptor.field) }
    return fields
  }

  /// Offers the rows of the small ones among some tables.
  func rankSmallTables(_ numbers: Range<Int>, _ place: SortAnchor?) {
    let (program, residual) = (program, program.order)
    var kept = takeFirst()
    defer { first = kept }
    var examined = 0
    let (sources, fields) = (sources, rankedFields)
    // What some tables have is read together, as in a table what some rows have.
    var sum: UInt64 = 0
    for source in sources[numbers] {
      let rows = source.rows
      if rows.slotCount > 0, isSmall(rows) { sum &+= rows.approach(0..<1, fields: fields) { _ in 0 } }
    }
    touched = sum
    for number in numbers {
      guard isSmall(sources[number].rows) else { continue }
      let ranker = Ranker(order, sources[number], UInt32(truncatingIfNeeded: number))
      let filter = RowFilter(sources[number], residual: residual, probes: [])
      examined += rankAll(program, ranker, filter, place, &kept)
    }
    counters.rowsExamined += examined
  }

  /// Offers the rows of a group, most of which are passed over by their first word alone.
  private func offer(
    _ group: Int, _ view: RowGroup, _ mask: SIMD4<UInt64>, _ ranker: Ranker, _ filter: RowFilter, _ place: SortAnchor?,
    _ first: inout FirstRows
  ) {
    mask.forEachRow { row in
      let slot = UInt32(truncatingIfNeeded: group << RowGroup.shift + row)
      guard filter.passesProbes(slot) else { return }
      offer(slot, view, row, ranker, place, &first)
    }
  }

  @inline(__always)
  func offer(_ slot: UInt32, _ ranker: Ranker, _ place: SortAnchor?, _ first: inout FirstRows) {
    let (group, row) = ranker.place(slot)
    offer(slot, group, row, ranker, place, &first)
  }

  @inline(__always)
  private func offer(
    _ slot: UInt32, _ group: RowGroup, _ row: Int, _ ranker: Ranker, _ place: SortAnchor?, _ first: inout FirstRows
  ) {
    if ranker.passesOver(group, row, &first) { return }
    let key = ranker.key(group, row)
    if let threshold = first.threshold, threshold < key { return }
    if let place, !ranker.isBehind(key, slot, place) { return }
    first.offer(RankedRow(key: key, slot: slot, table: ranker.number)) { precedes($0, $1) }
  }

  // MARK: The answer

  /// Takes the first rows found so far out, to be put back: not looked at through the object, they cost less.
  func takeFirst() -> FirstRows {
    var taken = FirstRows(limit: 1)
    swap(&taken, &first)
    return taken
  }

  /// Takes the rows out to add to them, and puts them back: not looked at through the object, they cost less.
  func takeRows() -> [RankedRow] {
    var taken: [RankedRow] = []
    swap(&taken, &rows)
    return taken
  }

  func giveBack(_ taken: inout [RankedRow], examined: Int) {
    swap(&taken, &rows)
    counters.rowsExamined += examined
  }

  // MARK: Counting

  /// Counts the rows of a table that the predicate holds for.
  func countRows(_ number: Int) -> Int {
    let source = sources[number]
    let (plan, _) = plan(source.table, limit: Int.max, sorted: false)
    residual = numbers(plan.residual)
    let filter = RowFilter(source, residual: residual, probes: plan.probes)
    let (program, residual) = (program, residual)
    switch plan.source {
    case .scan:
      if conjuncts.isEmpty { return source.table.count }
      var count = 0
      for group in 0..<source.table.groupCount {
        if timeLimit.check() { break }
        let view = source.rows.group(group)
        let live = view.live
        counters.rowsExamined += live.countOfRows
        let mask = program.mask(RowBlockView(source, view, group), live, conjuncts: residual, within: &timeLimit)
        if plan.probes.isEmpty {
          count += mask.countOfRows
        } else {
          mask.forEachRow { row in
            if filter.passesProbes(UInt32(truncatingIfNeeded: group << RowGroup.shift + row)) { count += 1 }
          }
        }
      }
      return count
    case .walk(let walk):
      if filter.isEmpty, walk.filter.isEmpty, !walk.addsMissing { return walk.span.count }
      slots.removeAll(keepingCapacity: true)
      counters.entriesRead += walk.span.count
      source.indexes[walk.index].entries.collect(walk.span, passing: walk.filter, into: &slots)
    case .access(let access):
      if filter.isEmpty, let known = access.exactCount { return known }
      if filter.isEmpty, case .rest(let rest) = access {
        counters.entriesRead += access.entries
        return rest.masks(source).count
      }
      collect(access, source, inOrder: false)
    }
    if filter.isEmpty { return slots.count }
    let slots = slots
    counters.rowsExamined += slots.count
    var count = 0
    for (number, slot) in slots.enumerated() {
      if number % TimeLimit.rows == 0, timeLimit.check() { break }
      if filter.passes(slot, program) { count += 1 }
    }
    return count
  }
}

extension RowFilter {
  /// Whether a row that passed the conjuncts passes the lists.
  @inline(__always)
  func passesProbes(_ slot: UInt32) -> Bool { probes.isEmpty || probes.allSatisfy { $0.passes(slot, source) } }
}

extension Access {
  /// How many rows there are, where the statistics say it.
  var exactCount: Int? {
    switch self {
    case .nothing: 0
    case .slots(let slots): slots.count
    case .spans(_, let spans): IndexSpan.count(spans)
    case .lists(_, let lists, _): lists.count == 1 ? lists[0].count : nil
    case .circle, .union, .overlap, .tested, .rest: nil
    }
  }
}
