extension Planner {
  /// A conjunct's path of its own.
  struct Found {
    var access: Access
    var entries: Double
    /// Whether the conjunct holds for every row that it offers.
    var isExact: Bool
    /// Others that hold for every row that it offers, since it was looked for among theirs.
    var covered = ConjunctSet.empty
    /// The share of rows that the conjunct holds for, where that is another than they are of the table's.
    var share: Double?
  }

  /// The path of a form through the index it fits. Forms nest as predicates do: what goes down their levels takes little
  /// of the stack.
  func find(_ form: Sargable) -> Found? {
    switch form {
    case .either(let forms): isWorthAsking(forms.count) ? find(anyOf: forms) : nil
    case .rest(let form, let fields): find(allBut: form, fields)
    case .narrowest(let forms): find(narrowestOf: forms)
    default: find(alone: form)
    }
  }

  /// The path of a form that holds no others.
  @inline(never)
  private func find(alone form: Sargable) -> Found? {
    switch form {
    case .nothing: return Found(access: .nothing, entries: 0, isExact: true)
    case .interval(let field, let interval):
      guard let number = orderedIndex(beginningWith: field) else { return nil }
      let span = table.indexes[number].span(SpanBound(), interval, ties: RowTies(table, table.indexes[number].shape))
      return Found(access: .spans(index: number, [span]), entries: Double(span.count), isExact: true)
    case .intervals(let field, let intervals):
      guard isWorthAsking(intervals.count), let number = orderedIndex(beginningWith: field) else { return nil }
      let ties = RowTies(table, table.indexes[number].shape)
      var spans: [IndexSpan] = []
      spans.reserveCapacity(intervals.count)
      for interval in intervals {
        let span = table.indexes[number].span(SpanBound(), interval, ties: ties)
        if span.count > 0 { spans.append(span) }
      }
      let entries = IndexSpan.count(spans)
      return Found(
        access: spans.isEmpty ? .nothing : .spans(index: number, spans), entries: Double(entries), isExact: true)
    // The planner asks for stored texts instead.
    case .folded: return nil
    case .someMembers(let field, let asked):
      guard let number = table.indexNumber(of: field, .members), let cost = MemberCondition.cost(of: asked),
        case .postings(let index) = table.indexes[number].entries, Double(index.termCount) * cost <= patience
      else { return nil }
      var limit = timeLimit
      let lists = MemberCondition(field, asked).lists(index, field, table, within: &limit)
      // Where there is no time left, no other way is tried either.
      return limit.isOver ? nil : found(lists, number, requiresAll: false)
    case .members(let field, let terms, let requiresAll):
      guard isWorthAsking(terms.count), let number = table.indexNumber(of: field, .members) else { return nil }
      return find(terms, number, requiresAll: requiresAll)
    case .references(let field, let encodings):
      guard isWorthAsking(encodings.count), let number = table.indexNumber(of: field, .references) else { return nil }
      return find(encodings, number, requiresAll: false)
    case .tokens(let tokens, let requiresAll):
      guard let number = table.tokenIndex else { return nil }
      return find(tokens, number, requiresAll: requiresAll)
    case .names(let names):
      guard isWorthAsking(names.count) else { return nil }
      var slots: [UInt32] = []
      for name in names {
        if let slot = table.slot(of: name.span) { slots.append(UInt32(truncatingIfNeeded: slot)) }
      }
      slots.sort()
      return Found(access: slots.isEmpty ? .nothing : .slots(slots), entries: Double(slots.count), isExact: true)
    case .circle(let field, let circle):
      guard let number = table.indexNumber(of: field, .location) else { return nil }
      let spans = table.indexes[number].entries.cover(of: circle)
      let entries = IndexSpan.count(spans)
      return Found(
        access: spans.isEmpty ? .nothing : .circle(index: number, spans, circle), entries: Double(entries),
        isExact: true)
    case .either, .rest, .narrowest: return nil
    }
  }

  /// Whether so many searches may be less than a look at all rows: what is asked of many small tables is mostly more.
  private func isWorthAsking(_ searches: Int) -> Bool { searches <= max(Planner.fewSearches, 4 * table.count) }

  /// The ordered index of a field alone, or else one that begins with it and has every row that has the field.
  func orderedIndex(beginningWith field: FieldNumber) -> Int? {
    if let number = table.indexNumber(of: field, .ordered) { return number }
    return table.indexes.indices.first { number in
      let shape = table.indexes[number].shape
      return shape.kind == .ordered && shape.components[0].field == field && !shape.components[0].isList
        && shape.components[0].isInOrder && table.indexes[number].incomplete == 0
    }
  }

  /// Any of several forms.
  @inline(never)
  private func find(anyOf forms: [Sargable]) -> Found? {
    var parts: [Access] = []
    var (entries, isExact) = (0.0, true)
    for form in forms {
      guard let found = find(form) else { return nil }
      if case .nothing = found.access { continue }
      parts.append(found.access)
      entries += found.entries
      isExact = isExact && found.isExact
    }
    return Found(access: parts.isEmpty ? .nothing : .union(parts), entries: entries, isExact: isExact)
  }

  /// All rows but those of a form.
  @inline(never)
  private func find(allBut form: Sargable, _ fields: [FieldNumber]?) -> Found? {
    guard let found = find(form), found.isExact else { return nil }
    var rest = Access.Rest(lists: [], requiresAll: false, fields: fields)
    if case .lists(let index, let lists, let requiresAll) = found.access {
      (rest.index, rest.lists, rest.requiresAll) = (index, lists, requiresAll)
    }
    return Found(access: .rest(rest), entries: rowCount * share(rest), isExact: true)
  }

  /// The one of several forms that offers the fewest rows.
  @inline(never)
  private func find(narrowestOf forms: [Sargable]) -> Found? {
    var narrowest: Found?
    for form in forms {
      guard let found = find(form) else { continue }
      if narrowest.map({ found.entries < $0.entries }) ?? true { narrowest = found }
    }
    narrowest?.isExact = false
    return narrowest
  }

  /// The share of rows that lists leave, as if these were independent.
  private func share(_ rest: Access.Rest) -> Double {
    let shares = rest.lists.map { min(1, Double($0.count) / rowCount) }
    return rest.requiresAll && !shares.isEmpty
      ? 1 - shares.reduce(1) { $0 * $1 } : shares.reduce(1) { $0 * (1 - $1) }
  }

  private func find(_ terms: [[UInt8]], _ number: Int, requiresAll: Bool) -> Found {
    guard case .postings(let index) = table.indexes[number].entries else {
      return Found(access: .nothing, entries: 0, isExact: true)
    }
    var lists: [PostingList] = []
    for term in terms {
      if let list = index.list(term.span) {
        lists.append(list)
      } else if requiresAll {
        return Found(access: .nothing, entries: 0, isExact: true)
      }
    }
    return found(lists, number, requiresAll: requiresAll)
  }

  private func found(_ lists: [PostingList], _ number: Int, requiresAll: Bool) -> Found {
    if lists.isEmpty { return Found(access: .nothing, entries: 0, isExact: true) }
    let access = Access.lists(index: number, lists.sorted { $0.count < $1.count }, requiresAll: requiresAll)
    return Found(access: access, entries: Double(access.entries), isExact: true)
  }

  /// Each conjunct's own path, the others held against what it gives; and all posting lists together. Those found `later` may be
  /// offered alone, and what comes of them together with the others.
  mutating func considerAccesses(_ later: ConjunctSet? = nil) {
    var (joined, together): ([PostingList], ConjunctSet) = ([], .empty)
    var joinedIndex = 0
    for number in accesses.indices {
      guard let found = accesses[number] else { continue }
      var residual = all
      residual.remove(number)
      residual = residual.subtracting(found.covered)
      // Of what it offers it holds for most, where not for all.
      let estimated = residual
      if !found.isExact { residual.insert(number) }
      if case .nothing = found.access {
        // A later run may find rows, and holds them against the rest then.
        var nothing = Plan.nothing
        (nothing.residual, nothing.asked) = (residual, number)
        return offer(nothing)
      }
      var path: Plan.Path?
      if case .spans(let index, let spans) = found.access, spans.count == 1, case .interval? = conjuncts[number].form {
        path = Plan.Path(index: index, points: [], interval: [number])
      }
      // Of an index of several fields ``considerOrdered(withPointsOnly:)`` and ``considerRuns()`` know more to ask, but of
      // all its texts.
      if later?.contains(number) != false, conjuncts[number].form == nil || !isOfSeveralFields(found.access) {
        offer(found.access, entries: found.entries, residual: residual, estimated, path, asked: number)
      }
      if case .lists(let index, let lists, let requiresAll) = found.access, found.isExact,
        requiresAll || lists.count == 1
      {
        joined += lists
        joinedIndex = index
        together.insert(number)
      }
    }
    considerOverlap()
    if joined.count > 1, together != coveredTogether {
      joined.sort { $0.count < $1.count }
      offer(
        .lists(index: joinedIndex, joined, requiresAll: true), entries: Double(joined[0].count),
        residual: all.subtracting(together))
    }
  }

  func isOfSeveralFields(_ access: Access) -> Bool {
    if case .spans(let index, _) = access { table.indexes[index].shape.isCompound } else { false }
  }

  /// What the two shortest runs of different indexes have in common.
  private mutating func considerOverlap() {
    var runs: [(number: Int, run: Access.Overlapping)] = []
    for number in accesses.indices {
      guard let found = accesses[number], found.isExact, case .spans(let index, let spans) = found.access,
        spans.count == 1, spans[0].count > 64, Double(spans[0].count) < rowCount / 2
      else { continue }
      runs.append((number, Access.Overlapping(index: index, span: spans[0])))
    }
    runs.sort { $0.run.span.count < $1.run.span.count }
    guard runs.count > 1, runs[0].run.index != runs[1].run.index else { return }
    var residual = all
    for (number, _) in runs.prefix(2) { residual.remove(number) }
    let access = Access.overlap([runs[0].run, runs[1].run])
    let rows = rowCount * share(runs[0].number) * share(runs[1].number) * share(of: residual)
    let found = rowCount * share(runs[0].number) * share(runs[1].number)
    let probes = probes(&residual)
    var cost = 2 * Cost.seek + Double(access.entries) * Cost.mark + rowCount / 64
    let held = found * shareLooked(at: rows)
    if !residual.isEmpty { cost += held * (Cost.visit + holding(residual)) }
    cost += held * Double(probes.count) * Cost.probe
    offer(
      Plan(
        source: .access(access), residual: residual, probes: probes, entries: Double(access.entries), rows: rows,
        cost: cost + sorting(rows)))
  }

  /// The conjunct, alone, that is answered by all lists at once.
  private var coveredTogether: ConjunctSet {
    var set = ConjunctSet.empty
    for number in accesses.indices {
      if case .lists(_, let lists, _)? = accesses[number]?.access, lists.count > 1 { set.insert(number) }
    }
    return set
  }
}
