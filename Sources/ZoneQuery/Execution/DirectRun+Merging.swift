/// Several stretches of an index, one for each value of its first field, whose rows come in the order of the next.
///
/// ```
/// index (author, date)
/// author IN $following, the newest first       of each author the newest, until all others are older
/// ```
extension DirectRun {
  /// The stretches of the values that a run gives, each once; nil where the planner is to be asked.
  func stretches(
    _ asked: DirectPlan.Values, _ lookup: DirectPlan.Lookup?, isTested: Bool, most: Int, _ source: TableRow.Source,
    _ values: [ArgumentValue?]
  ) -> [Plan.Stretch]? {
    let component = plan.shape.components[0]
    let (members, ends): ([ArgumentValue], [ValueInterval.End])
    switch asked {
    case .members(let parameter):
      guard case .list(let given)? = values[parameter], !given.isEmpty, let places = component.ends(given) else {
        return nil
      }
      (members, ends) = (given, places)
    case .spellings(let spellings):
      guard let stored = stored(spellings, source, values) else { return nil }
      // Texts in their order tell themselves apart.
      (members, ends) = ([], stored.compactMap(\.lower))
    }
    if ends.count > most { return nil }
    let ties = RowTies(source.rows, plan.shape)
    var (stretches, entries): ([Plan.Stretch], Int) = ([], 0)
    for end in ends {
      var lead = SpanBound()
      lead.append(end, component)
      let span = source.indexes[plan.number].span(lead, nil, ties: ties)
      if span.count > 0 { stretches.append(Plan.Stretch(lead: lead, span: span)) }
      entries += span.count
    }
    if isTested || !component.isOfWords || ends.allSatisfy({ KeyEncoding.isExactMember($0.first) }) { return stretches }
    // Of values that have a word each, all rows with a value have an entry with its word: where there are no more entries
    // than rows with the values, no entry is of another value.
    guard let terms = component.terms(members), terms.count == ends.count, lookup?.count(terms, source) == entries
    else {
      return nil
    }
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
    // What is filtered goes on for a little, and the planner is asked after that.
    if !tests.isEmpty { walk.budget = min(64 + 16 * min(plan.taken, 1_000), RowTests.budget) }
    let (order, areOpen) = (self.order, tests.isEmpty)
    let sorted = SortedWalk(order, number: 0, plan.shape, from: 1, sorted: plan.sorted, wanted: plan.taken)
    return keepFirst(source, &found) { kept, precedes in
      let visited = sorted.offerStretches(
        of: walk, index, order, source, behind: anchor, budget: walk.budget, to: &kept,
        stops: { isTimed && timeLimit.check() },
        where: { entries, entry in areOpen || tests.passing(1) { _ in entries.slot(entry) } != 0 },
        isBehind: { order.isBehind(source.row(Int($0)), source.row(Int($1.slot)), first: plan.sorted) },
        precedes: precedes)
      return visited < walk.budget
    }
  }
}

extension IndexShape.Component {
  /// Whether entries have a word that stands for a member of a list or a record, and may stand for several.
  fileprivate var isOfWords: Bool { type == .reference || isList && type == .string }

  /// The places before some values, each once and ascending; nil where one has to be looked at more closely.
  func ends(_ members: [ArgumentValue]) -> [ValueInterval.End]? {
    var ends: [ValueInterval.End] = []
    ends.reserveCapacity(members.count)
    for member in members {
      guard case .literal(let literal) = member, let end = end(literal) else { return nil }
      ends.append(end)
    }
    ends.sort { $0.isBefore($1) }
    return ends.indices.filter { $0 == 0 || ends[$0 - 1] != ends[$0] }.map { ends[$0] }
  }

  private func end(_ literal: Literal) -> ValueInterval.End? {
    switch type {
    case .string, .reference:
      guard let bytes = literal.bytes(type) else { return nil }
      if !isOfWords { return ValueInterval.End(bytes, isAfter: false) }
      return ValueInterval.End(first: KeyEncoding.memberWord(bytes, type).word, isAfter: false)
    default: return literal.word(type).map { ValueInterval.End(first: $0, isAfter: false) }
    }
  }

  /// The terms of some texts or references, each once; nil where there are others.
  fileprivate func terms(_ members: [ArgumentValue]) -> [[UInt8]]? {
    var terms: [[UInt8]] = []
    for member in members {
      guard case .literal(let literal) = member, let bytes = literal.bytes(type) else { return nil }
      terms.append(bytes)
    }
    return ValueTest.sorted(terms)
  }
}
