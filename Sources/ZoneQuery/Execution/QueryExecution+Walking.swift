extension QueryExecution {
  // MARK: Without a sort

  /// Appends the rows of an index's entries, in their order, until there are enough.
  func walkUnsorted(
    _ number: Int, _ walk: Plan.Walk, _ filter: RowFilter, wanted: Int, _ place: ScanPosition?
  ) {
    walked[number] = walk.index
    let source = sources[number]
    switch source.indexes[walk.index].entries {
    case .one(let index): walkUnsorted(index, number, walk, filter, wanted: wanted, place)
    case .two(let index): walkUnsorted(index, number, walk, filter, wanted: wanted, place)
    case .three(let index): walkUnsorted(index, number, walk, filter, wanted: wanted, place)
    case .four(let index): walkUnsorted(index, number, walk, filter, wanted: wanted, place)
    case .postings: break
    }
  }

  private func walkUnsorted<Key: IndexKey>(
    _ index: OrderedIndex<Key>, _ number: Int, _ walk: Plan.Walk, _ filter: RowFilter, wanted: Int,
    _ place: ScanPosition?
  ) {
    var span = walk.span
    // How many entries have the values of the page's last row, whose slots ascend, and the slot of that.
    var (equals, last): (Int, UInt32) = (0, 0)
    if let place, case .index(_, let values) = place.order {
      let source = sources[number]
      let shape = source.table.indexes[walk.index].shape
      // All of the row's values: the walk may have other first ones by now, where how texts are stored has changed.
      var bound = SpanBound()
      for (component, value) in zip(shape.components, values) {
        guard let end = source.table.end(value, component) else { break }
        bound.append(end, component)
      }
      let ties = RowTies(source.rows, shape)
      span.begin(at: bound.withBound(Key.self) { index.seek($0, ties: ties) }, isDescending: false)
      bound.isAfter = true
      equals = bound.withBound(Key.self) { index.seek($0, ties: ties) }.rank - span.lower.rank
      last = UInt32(clamping: place.slot)
    }
    let table = UInt32(truncatingIfNeeded: number)
    let program = program
    var (rows, read, examined) = (takeRows(), 0, 0)
    defer {
      giveBack(&rows, examined: examined)
      counters.entriesRead += read
    }
    let isOpen = filter.isEmpty
    let entryFilter = walk.filter
    index.forEachRun(from: span.lower, to: span.upper) { run in
      if timeLimit.check() { return false }
      var entry = 0
      while entry < run.count {
        let slot = run.slot(entry)
        entry += 1
        if equals > 0 {
          equals -= 1
          if slot <= last { continue }
        }
        read += 1
        if !run.passes(entryFilter, entry - 1) { continue }
        if !isOpen {
          examined += 1
          if examined % TimeLimit.rows == 0, timeLimit.check() { return false }
          if !filter.passes(slot, program) { continue }
        }
        rows.append(RankedRow(key: .none, slot: slot, table: table))
        if rows.count >= wanted { return false }
      }
      return true
    }
  }

  // MARK: With a sort

  /// Finds the first rows in an index's order; false where the budget was spent before there were enough.
  func walkSorted(
    _ number: Int, _ walk: Plan.Walk, _ filter: RowFilter, wanted: Int, _ place: SortAnchor?
  ) -> Bool {
    let source = sources[number]
    // Rows without the field come first ascending, last descending.
    let (before, behind) = (walk.addsMissing && !walk.isDescending, walk.addsMissing && walk.isDescending)
    if before, place.map({ $0.key == order.missingKey }) ?? true {
      addMissing(number, filter, wanted: wanted, place)
      if !hasSeveral, rows.count >= wanted { return true }
    }
    let isDone =
      switch source.indexes[walk.index].entries {
      case .one(let index): walkSorted(index, number, walk, filter, wanted: wanted, place)
      case .two(let index): walkSorted(index, number, walk, filter, wanted: wanted, place)
      case .three(let index): walkSorted(index, number, walk, filter, wanted: wanted, place)
      case .four(let index): walkSorted(index, number, walk, filter, wanted: wanted, place)
      case .postings: false
      }
    if !isDone { return false }
    if behind, hasSeveral || rows.count < wanted { addMissing(number, filter, wanted: wanted, place) }
    return true
  }

  private func walkSorted<Key: IndexKey>(
    _ index: OrderedIndex<Key>, _ number: Int, _ walk: Plan.Walk, _ filter: RowFilter, wanted: Int,
    _ place: SortAnchor?
  ) -> Bool {
    let source = sources[number]
    if hasSeveral || !walk.others.isEmpty { return offerStretches(index, number, walk, filter, place) }
    let span = source.table.span(of: walk, behind: place, order)
    let (program, entryFilter) = (program, walk.filter)
    var (visited, examined) = (0, 0)
    defer {
      counters.entriesRead += visited
      counters.rowsExamined += examined
    }
    let isOpen = filter.isEmpty
    let isExact = isOpen && entryFilter.isEmpty && place == nil
    var start = place.map { PageStart($0, order, sorted: walk.sorted) }
    let sorted = SortedWalk(
      order, number: UInt32(truncatingIfNeeded: number), source.table.indexes[walk.index].shape,
      from: walk.lead.fields, sorted: walk.sorted, wanted: wanted)
    var rows = takeRows()
    let isSpent: Bool
    (visited, isSpent) = sorted.take(
      index, from: span.lower, to: span.upper, descending: walk.isDescending,
      budget: isExact ? .max : walk.budget, into: &rows, stops: { timeLimit.check() },
      takesAll: { isOpen && entryFilter.isEmpty && start?.isPassed ?? true },
      where: { run, entry, key in
        if !run.passes(entryFilter, entry) { return false }
        let slot = run.slot(entry)
        if !isOpen {
          examined += 1
          if examined % TimeLimit.rows == 0, timeLimit.check() { return false }
          if timeLimit.isOver || !filter.passes(slot, program) { return false }
        }
        return start?.admits(slot, key, source) ?? true
      }, settle: { order.settle(&$0, from: $1, first: walk.sorted, source) },
      precedes: { order.precedes($0, $1, source) },
      areTied: { order.areTied($0, $1, first: walk.sorted, source) })
    giveBack(&rows, examined: 0)
    return !isSpent
  }

  /// Offers the rows of a walk's stretches, of each until the rest of it comes behind all that are wanted; false where the
  /// budget was spent before.
  private func offerStretches<Key: IndexKey>(
    _ index: OrderedIndex<Key>, _ number: Int, _ walk: Plan.Walk, _ filter: RowFilter, _ place: SortAnchor?
  ) -> Bool {
    let source = sources[number]
    let (program, entryFilter) = (program, walk.filter)
    var (visited, examined) = (0, 0)
    defer {
      counters.entriesRead += visited
      counters.rowsExamined += examined
    }
    var first = takeFirst()
    defer { self.first = first }
    // Of one table among several little is to be read.
    let budget = hasSeveral || filter.isEmpty && entryFilter.isEmpty ? Int.max : walk.budget
    let sorted = SortedWalk(
      order, number: UInt32(truncatingIfNeeded: number), source.table.indexes[walk.index].shape,
      from: walk.lead.fields, sorted: walk.sorted, wanted: first.limit)
    visited = sorted.offerStretches(
      of: walk, index, order, source, behind: place, budget: budget, to: &first, stops: { timeLimit.check() },
      where: { entries, entry in
        if !entries.passes(entryFilter, entry) { return false }
        if filter.isEmpty { return true }
        examined += 1
        if examined % TimeLimit.rows == 0, timeLimit.check() { return false }
        return !timeLimit.isOver && filter.passes(entries.slot(entry), program)
      },
      isBehind: { slot, last in
        order.isBehind(source.row(Int(slot)), sources[Int(last.table)].row(Int(last.slot)), first: walk.sorted)
      }, precedes: { precedes($0, $1) })
    if visited < budget { return true }
    first.removeAll(limit: first.limit, distances: nil)
    return false
  }

  /// Finds the rows without the first sort descriptor's field, unless other tables have enough that come before them.
  private func addMissing(_ number: Int, _ filter: RowFilter, wanted: Int, _ place: SortAnchor?) {
    if let threshold = first.threshold, threshold < order.missingKey { return }
    let source = sources[number]
    let ranker = Ranker(order, source, UInt32(truncatingIfNeeded: number))
    let (field, program) = (order.descriptors[0].field, program)
    for group in 0..<source.table.groupCount {
      if timeLimit.check() { break }
      let view = source.rows.group(group)
      let missing = view.live & ~view.presence(field)
      if missing.isEmptySet { continue }
      counters.rowsExamined += missing.countOfRows
      var examined = 0
      missing.forEachRow { row in
        examined += 1
        if examined % TimeLimit.rows == 0 { _ = timeLimit.check() }
        let slot = UInt32(truncatingIfNeeded: group << RowGroup.shift + row)
        if !timeLimit.isOver, filter.passes(slot, program) { offer(slot, ranker, place, &first) }
      }
    }
    if hasSeveral { return }
    sortFirst()
    rows.append(contentsOf: first.rows.prefix(max(0, wanted - rows.count)))
    first.removeAll(limit: first.limit, distances: nil)
  }
}
