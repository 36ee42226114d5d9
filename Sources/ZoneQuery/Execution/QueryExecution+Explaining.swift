extension QueryExecution {
  /// Finds a plan's rows one stage after the other, each timed, where the run is explained: what the stages leave is in
  /// `slots`, those before a place left out. False where it is not explained, and for walks, whose stages cannot be told
  /// apart.
  ///
  /// The rows, their order and the counters are those of an ordinary run, which has the stages in one loop; but of one posting
  /// list, which that reads in parts until there are enough rows, all is read.
  func findStaged(
    _ number: Int, _ plan: Plan, _ filter: RowFilter, from first: UInt32 = 0, wanted: Int, inOrder: Bool
  ) -> Bool {
    guard let trace, trace.tellsStages else { return false }
    switch plan.source {
    case .walk: return false
    case .scan: scanStaged(number, filter, from: Int(first), wanted: wanted, trace)
    case .access(let access):
      let before = counters
      let start = trace.now
      collect(access, sources[number], inOrder: inOrder)
      trace.collected(
        QueryTrace.Stage(
          rows: slots.count, entries: counters.entriesRead - before.entriesRead,
          examined: counters.rowsExamined - before.rowsExamined, nanoseconds: trace.since(start)))
      if first > 0 { slots.removeAll { $0 < first } }
      if filter.isEmpty {
        // Putting rows into order looks at them.
        if !inOrder { counters.rowsExamined += slots.count }
        if slots.count > wanted { slots.removeLast(slots.count - wanted) }
      } else {
        filterStaged(number, filter, wanted: wanted, trace)
      }
    }
    return true
  }

  /// Rows that go through the stages together.
  private static let rowsAtOnce = 256

  private func filterStaged(_ number: Int, _ filter: RowFilter, wanted: Int, _ trace: QueryTrace) {
    let conditions = RowFilter(sources[number], residual: residual, probes: [])
    var (probing, filtering) = (QueryTrace.Stage(rows: 0), QueryTrace.Stage(rows: 0))
    let found = slots
    slots.removeAll(keepingCapacity: true)
    var next = 0
    var examined = 0
    while next < found.count, slots.count < wanted {
      let end = min(found.count, next + Self.rowsAtOnce)
      let start = trace.now
      let probed = (next..<end).filter { filter.passesProbes(found[$0]) }
      probing.rows = (probing.rows ?? 0) + probed.count
      probing.nanoseconds += trace.since(start)
      let filterStart = trace.now
      examined = end
      var tried = 0
      while tried < probed.count, slots.count < wanted {
        let slot = found[probed[tried]]
        if conditions.passes(slot, program) { slots.append(slot) }
        if slots.count == wanted { examined = probed[tried] + 1 }
        tried += 1
      }
      filtering.nanoseconds += trace.since(filterStart)
      next = end
    }
    filtering.rows = slots.count
    filtering.examined = examined
    counters.rowsExamined += examined
    if filter.probes.isEmpty { return trace.filtered(probing: nil, filtering: filtering) }
    if residual.isEmpty {
      probing.rows = slots.count
      probing.examined = examined
      probing.nanoseconds += filtering.nanoseconds
      return trace.filtered(probing: probing, filtering: nil)
    }
    trace.filtered(probing: probing, filtering: filtering)
  }

  private func scanStaged(_ number: Int, _ filter: RowFilter, from start: Int, wanted: Int, _ trace: QueryTrace) {
    let source = sources[number]
    var (scanning, probing) = (QueryTrace.Stage(rows: 0), QueryTrace.Stage(rows: 0))
    slots.removeAll(keepingCapacity: true)
    var parts = RowParts(source.rows, from: start)
    while let part = parts.next(wanted: wanted - slots.count) {
      let (begun, first) = (trace.now, slots.count)
      scanning.examined += part.rows.countOfRows
      let mask = program.mask(RowBlockView(source, part.view, part.group), part.rows, conjuncts: residual)
      mask.forEachRow { row in slots.append(UInt32(truncatingIfNeeded: part.group << RowGroup.shift + row)) }
      scanning.rows = (scanning.rows ?? 0) + slots.count - first
      scanning.nanoseconds += trace.since(begun)
      if filter.probes.isEmpty { continue }
      let probingStart = trace.now
      let passed = slots[first...].filter { filter.passesProbes($0) }
      slots.replaceSubrange(first..., with: passed)
      probing.rows = (probing.rows ?? 0) + passed.count
      probing.nanoseconds += trace.since(probingStart)
    }
    if slots.count > wanted { slots.removeLast(slots.count - wanted) }
    counters.rowsExamined += scanning.examined
    trace.collected(scanning)
    trace.filtered(probing: filter.probes.isEmpty ? nil : probing, filtering: nil)
  }
}
