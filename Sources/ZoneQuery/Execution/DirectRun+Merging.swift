/// Several stretches of an index, one for each value of its first field, whose rows come in the order of the next.
///
/// ```
/// index (author, date)
/// author IN $following, the newest first       of each author the newest, until all others are older
/// ```
extension DirectRun {
  /// The stretches of the values that a run gives, each once; nil where the planner is to be asked.
  func stretches(
    _ type: FieldType.Scalar, _ parameter: Int, _ lookup: DirectPlan.Lookup?, _ source: TableRow.Source,
    _ values: [ArgumentValue?]
  ) -> [Plan.Stretch]? {
    guard case .list(let members)? = values[parameter], !members.isEmpty else { return nil }
    let (index, component) = (source.indexes[plan.number], plan.shape.components[0])
    var ends: [ValueInterval.End] = []
    var areExact = true
    for member in members {
      guard case .literal(let literal) = member, let end = component.end(literal, &areExact) else { return nil }
      ends.append(end)
    }
    ends.sort { $0.isBefore($1) }
    let ties = RowTies(source.rows, plan.shape)
    var (stretches, entries): ([Plan.Stretch], Int) = ([], 0)
    for (number, end) in ends.enumerated() where number == 0 || ends[number - 1] != end {
      var lead = SpanBound()
      lead.append(end, component)
      let span = index.span(lead, nil, ties: ties)
      if span.count > 0 { stretches.append(Plan.Stretch(lead: lead, span: span)) }
      entries += span.count
    }
    if areExact { return stretches }
    // Where no more rows have the values than entries have their words, these are the same.
    guard let lists = lookup?.lists(source, values), lists.reduce(0, { $0 + $1.count }) == entries else { return nil }
    return stretches
  }

  /// Finds the first rows of some stretches; false where the planner is to be asked.
  func merge(
    _ stretches: [Plan.Stretch], _ source: TableRow.Source, _ tests: RowTests, _ anchor: SortAnchor?,
    _ found: inout [UInt32]
  ) -> Bool {
    if stretches.isEmpty { return true }
    return switch source.indexes[plan.number].entries {
    case .one: false
    case .two(let index): merge(stretches, index, source, tests, anchor, &found)
    case .three(let index): merge(stretches, index, source, tests, anchor, &found)
    case .four(let index): merge(stretches, index, source, tests, anchor, &found)
    case .postings: false
    }
  }

  private func merge<Key: IndexKey>(
    _ stretches: [Plan.Stretch], _ index: OrderedIndex<Key>, _ source: TableRow.Source, _ tests: RowTests,
    _ anchor: SortAnchor?, _ found: inout [UInt32]
  ) -> Bool {
    var walk = Plan.Walk(
      index: plan.number, lead: stretches[0].lead, span: stretches[0].span, others: Array(stretches.dropFirst()),
      hasRepeats: plan.shape.components[0].isList, isDescending: plan.isDescending, sorted: plan.sorted)
    let wanted = plan.taken
    let sorted = SortedWalk(order, number: 0, plan.shape, from: 1, sorted: plan.sorted, wanted: wanted)
    // What is filtered goes on for a little, and the planner is asked after that.
    walk.budget = tests.isEmpty ? .max : min(64 + 16 * min(wanted, 1_000), RowTests.budget)
    let (order, areOpen) = (self.order, tests.isEmpty)
    // No row of the index lacks the field.
    let place = anchor.flatMap { $0.key == order.missingKey ? nil : $0 }
    return keepFirst(source, &found) { kept, precedes in
      var (visited, seen) = (0, Set<UInt32>())
      for stretch in walk.stretches {
        visited += sorted.offer(
          index, place.map { source.table.narrowed(stretch, to: $0) } ?? stretch.span,
          descending: walk.isDescending, budget: walk.budget - visited, to: &kept,
          where: { entries, entry, key in
            let slot = entries.slot(entry)
            if !areOpen, tests.passing(1, { _ in slot }) == 0 { return false }
            if let anchor {
              if key < anchor.key { return false }
              if key == anchor.key, !order.isBehind(source.row(Int(slot)), anchor.position) { return false }
            }
            return !walk.hasRepeats || seen.insert(slot).inserted
          },
          isBehind: { order.isBehind(source.row(Int($0)), source.row(Int($1.slot)), first: plan.sorted) },
          precedes: precedes)
        if visited >= walk.budget { return false }
      }
      return true
    }
  }
}

extension IndexShape.Component {
  /// The place before a value of a run; nil where it has to be looked at more closely. Words that stand for several values
  /// are not exact.
  fileprivate func end(_ literal: Literal, _ areExact: inout Bool) -> ValueInterval.End? {
    if !isList, type != .reference {
      if type != .string { return literal.word(type).map { ValueInterval.End(first: $0, isAfter: false) } }
      return literal.bytes(.string).map { ValueInterval.End($0, isAfter: false) }
    }
    let word: UInt64
    switch type {
    case .string, .reference:
      guard let bytes = literal.bytes(type) else { return nil }
      let found = KeyEncoding.memberWord(bytes, type)
      (word, areExact) = (found.word, areExact && found.isExact)
    default:
      guard let number = literal.word(type) else { return nil }
      word = number
    }
    return ValueInterval.End(first: word, isAfter: false)
  }
}
