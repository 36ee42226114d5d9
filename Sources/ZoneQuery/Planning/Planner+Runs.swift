/// Compound indexes of whose first fields several values are asked: a run of entries for each combination.
///
/// ```
/// index (kind, quantity)
/// kind = "a" AND quantity IN {5, 77}                  (a, 5), (a, 77)
/// kind IN {"a", "b"} AND quantity BETWEEN {3, 5}      (a, 3) to (a, 5), (b, 3) to (b, 5)
/// kind IN {"a", "b"}, sorted by quantity              (a), (b): the first of each, until the others come behind
/// ```
extension Planner {
  /// The most runs that an index is read in.
  static var mostRuns: Int { 256 }

  /// What conjuncts ask of an index's first fields.
  private struct Asked {
    /// One value or several of each, then perhaps intervals of the next.
    var values: [[ValueInterval]] = []
    /// The conjuncts that ask for them.
    var asking: [Int] = []
    var covered = ConjunctSet.empty
    /// The conjunct that asks for values of the first field which may have an entry's word in common with others, and whether
    /// each of them has another word than the rest.
    var doubtful: Int?
    var isToldApart = true

    /// How many runs there are.
    var count: Int { values.reduce(1) { $0 * $1.count } }
  }

  /// Offers the runs of each index, where finding them costs less than the best way so far.
  ///
  /// Complexity: two searches for each run.
  mutating func considerRuns() {
    guard conjuncts.prefix(accesses.count).contains(where: { $0.form?.hasSeveralValues == true }) else { return }
    for number in table.indexes.indices {
      let shape = table.indexes[number].shape
      guard shape.kind == .ordered, shape.isCompound else { continue }
      var asked = asked(shape)
      let position = sortedPosition(shape, asked)
      // The index of one field tells of it alone as well, and a list's members have a row several times.
      let isAccess =
        !shape.components[0].isList
        && (asked.values.count > 1 || table.indexNumber(of: shape.field, .ordered) == nil && asked.doubtful == nil)
      // Records that lack a later field are not in the index.
      guard asked.count != 1, asked.values.count == shape.components.count || table.indexes[number].incomplete == 0,
        isAccess || position != nil, best.map({ $0.cost > Double(asked.count) * Cost.seek }) ?? true
      else { continue }
      let runs = runs(number, asked, leads: position ?? asked.values.count - 1)
      guard let first = runs.first else {
        return offer(Plan(source: .access(.nothing), residual: .empty, entries: 0, rows: 0, cost: Cost.seek))
      }
      let entries = runs.reduce(0) { $0 + $1.span.count }
      if let doubtful = asked.doubtful, asked.isToldApart, asked.values.count == 1, holds(doubtful, entries: entries) {
        asked.covered.insert(doubtful)
      }
      let residual = all.subtracting(asked.covered)
      var estimated = residual
      if let doubtful = asked.doubtful { estimated.remove(doubtful) }
      if isAccess {
        offer(.spans(index: number, runs.map(\.span)), entries: Double(entries), residual: residual, estimated)
      }
      if let position {
        var walk = Plan.Walk(index: number, lead: first.lead, span: first.span, sorted: 0)
        (walk.others, walk.hasRepeats) = (Array(runs.dropFirst()), shape.components[0].isList)
        let several = asked.values.count == 1 && position == 1 ? asked.asking.first : nil
        let path = several.map { Plan.Path(index: number, points: [], interval: [], several: $0) }
        offerWalk(walk, asked.asking.count == 1 ? path : nil, residual, estimated, sortedFrom: position)
      }
    }
  }

  /// What conjuncts ask of an index's first fields.
  private func asked(_ shape: IndexShape) -> Asked {
    var all = Asked()
    for (position, component) in shape.components.enumerated() {
      guard all.values.last?.allSatisfy(\.isPoint) ?? true else { break }
      var (asked, asking, covered): ([ValueInterval]?, [Int], ConjunctSet) = (nil, [], all.covered)
      for number in accesses.indices {
        guard let form = conjuncts[number].form, let values = form.values(of: component) else { continue }
        // Words that may stand for several values are asked for once, of the first field.
        if form.isOfWords, position > 0 || asked != nil { continue }
        if form.areWordsExact(component) {
          covered.insert(number)
        } else {
          (all.doubtful, all.isToldApart) = (number, form.termCount == values.count)
        }
        asking.append(number)
        asked = asked.map { ValueInterval.common($0, values) } ?? values
        // Each member of a list that is asked for has entries of its own.
        if form.isOfWords { break }
      }
      guard let asked, all.count * asked.count <= Self.mostRuns else { break }
      all.values.append(asked)
      (all.asking, all.covered) = (all.asking + asking, covered)
    }
    return all
  }

  /// The place in the index of the field that the query sorts by first, where the entries of each run are in its order.
  private func sortedPosition(_ shape: IndexShape, _ asked: Asked) -> Int? {
    guard let descriptor = order.descriptors.first, descriptor.origin == nil, !asked.values.isEmpty else { return nil }
    let last = asked.values.count - 1
    let position = asked.values[last].allSatisfy(\.isPoint) ? last + 1 : last
    guard position > 0, position < shape.components.count, shape.components[position].field == descriptor.field,
      shape.components[position].isInOrder
    else { return nil }
    return position
  }

  /// The entries of each combination of values of so many fields, ascending and apart, but for those without any.
  private func runs(_ number: Int, _ asked: Asked, leads count: Int) -> [Plan.Stretch] {
    let index = table.indexes[number]
    var leads = [SpanBound()]
    for (component, points) in zip(index.shape.components, asked.values.prefix(count)) {
      leads = leads.flatMap { lead in
        points.compactMap(\.lower).map { lead.appending($0, component) }
      }
    }
    let ties = RowTies(table, index.shape)
    let last: [ValueInterval?] = count < asked.values.count ? asked.values[count] : [nil]
    return leads.flatMap { lead in
      last.map { Plan.Stretch(lead: lead, span: index.span(lead, $0, ties: ties)) }
    }.filter { $0.span.count > 0 }
  }
}

extension Sargable {
  fileprivate var hasSeveralValues: Bool {
    switch self {
    case .intervals: true
    case .members(_, let terms, let requiresAll): terms.count > 1 && !requiresAll
    case .references(_, let encodings): encodings.count > 1
    default: false
    }
  }

  /// The values of a component that the form describes, ascending and apart; nil where it is of another field.
  fileprivate func values(of component: IndexShape.Component) -> [ValueInterval]? {
    switch self {
    case .members(component.field, let terms, requiresAll: false) where component.isList,
      .members(component.field, let terms, requiresAll: true) where component.isList && terms.count == 1,
      .references(component.field, let terms) where !component.isList:
      if terms.count > Planner.mostRuns { return nil }
      let words = Set(terms.map { KeyEncoding.memberWord($0, component.type).word })
      return words.sorted().map { ValueInterval(word: $0, through: $0) }
    default:
      guard !component.isList, let form = intervals, form.field == component.field else { return nil }
      return form.intervals
    }
  }

  /// Whether it describes members of lists or references, each of which has one word.
  fileprivate var isOfWords: Bool {
    switch self {
    case .members, .references: true
    default: false
    }
  }

  /// How many members or references it asks for.
  fileprivate var termCount: Int? {
    switch self {
    case .members(_, let terms, _), .references(_, let terms): terms.count
    default: nil
    }
  }

  /// Whether its words tell its values from all others.
  fileprivate func areWordsExact(_ component: IndexShape.Component) -> Bool {
    switch self {
    case .members(_, let terms, _), .references(_, let terms):
      terms.allSatisfy { KeyEncoding.memberWord($0, component.type).isExact }
    default: true
    }
  }
}

extension SpanBound {
  fileprivate func appending(_ end: ValueInterval.End, _ component: IndexShape.Component) -> SpanBound {
    var longer = self
    longer.append(end, component)
    return longer
  }
}
