/// Runs a ``DirectPlan`` over one zone again and again.
///
/// A run belongs to one thread at a time. It says nothing about a query that it cannot answer as the planner would: where
/// the indexes are others, where a value has to be looked at more closely, or where there is much to read.
final class DirectRun {
  let plan: DirectPlan
  let order: SortOrder
  /// Apart from the plan, which is handed on whole.
  private let template: PredicateTemplate
  let place: TablePlace
  private var slots: [UInt32] = []
  private var spare: [UInt32] = []
  private var first = FirstRows(limit: 1)
  /// The plan's conditions, then those that a run's values are bound to.
  private var bound: [BoundPredicate]
  /// The same, made ready; nil where there are none, and where the values of the run before did not fit, or there was none.
  private var conditions: RowConditions?
  /// How many slots it keeps room for from one run to the next.
  private let mostKept: Int
  /// The fields that answers were read of in place.
  var fieldsRead = FieldsRead()
  /// Keeps reads that are made for the sake of the cache.
  var touched: UInt64 = 0
  /// How long the run may take that is made now. Where it is over, what was found is no answer.
  var timeLimit = TimeLimit()
  /// Whether runs have a time at all: those that have none do not look.
  let isTimed: Bool
  var isOutOfTime: Bool { isTimed && (timeLimit.isOver || conditions?.timeLimit.isOver == true) }
  /// For how many runs in a row the planner was asked.
  private var declined = 0
  /// How many answers it found, for tests.
  private(set) var answers = 0

  init(
    _ plan: DirectPlan, _ order: SortOrder, _ template: PredicateTemplate, _ place: TablePlace, mostKept: Int,
    isTimed: Bool
  ) {
    (self.plan, self.order, self.template, self.place, self.mostKept) = (plan, order, template, place, mostKept)
    self.isTimed = isTimed
    bound = plan.conditions
    if plan.volatileConditions.isEmpty, plan.source.isScan || !bound.isEmpty { conditions = RowConditions(bound) }
  }

  /// Whether a run that finds nothing to say of a query leaves it to another plan to be kept: where several in a row were.
  var isWorthKeeping: Bool { declined < 4 }

  /// Says that a run begins, and how long it may take.
  @inline(never)
  func begin(within duration: Duration?) {
    timeLimit = TimeLimit(duration)
    conditions?.timeLimit = timeLimit
  }

  /// Whether the table's indexes are those that the plan was made for, and the one it asks has all records that it may ask
  /// for.
  @inline(__always)
  func fits(_ source: TableRow.Source) -> Bool {
    guard source.table.indexes.directory === plan.indexes else { return false }
    switch plan.source {
    // Records that lack a later field, or the only one, are not in the index.
    case .stretch:
      if plan.fieldsAsked < plan.shape.components.count, source.indexes[plan.number].incomplete > 0 { return false }
      return !plan.points.isEmpty || !plan.ranges.isEmpty || source.indexes[plan.number].count >= source.table.count
    case .stretches, .among: return source.indexes[plan.number].incomplete == 0
    default: return true
    }
  }

  /// The number of rows; nil where the planner is to be asked.
  func count(_ source: TableRow.Source, _ values: [ArgumentValue?]) -> Int? {
    if let count = countEntries(source, values) { return count }
    guard case (var slots, _)? = find(source, values, behind: nil) else { return nil }
    defer { giveBack(&slots) }
    return slots.count
  }

  /// The number of rows, where it is that of an index's entries.
  private func countEntries(_ source: TableRow.Source, _ values: [ArgumentValue?]) -> Int? {
    guard VariableMentions.areSmall(values) else { return nil }
    switch plan.source {
    case .stretch where plan.entryTests.isEmpty && plan.conditions.isEmpty && plan.volatileConditions.isEmpty:
      var bounds = DirectPlan.Bounds()
      guard plan.fill(&bounds, values) else { return nil }
      let entries = entries(of: bounds, source, values)
      if plan.isFiltered {
        var tests = RowTests(source.rows)
        guard tests.take(plan, nil, values, source, lead: bounds.lower.word0), !tests.areHopeless else { return nil }
        if plan.points.count == 1, plan.ranges.isEmpty { tests.settleMember(entries: entries) }
        if !tests.isEmpty { return nil }
      }
      return entries
    case .lists where !plan.isFiltered && plan.lists.count == 1:
      var lists: [PostingList] = []
      guard let areThere = plan.lists[0].add(to: &lists, source, values) else { return nil }
      return areThere ? lists.count == 1 ? lists[0].count : nil : 0
    case .among(let asked) where !plan.isFiltered:
      return spans(asked, source, values).map { IndexSpan.count($0) }
    default: return nil
    }
  }

  private func entries(
    of bounds: DirectPlan.Bounds, _ source: TableRow.Source, _ values: [ArgumentValue?]
  ) -> Int {
    let ties = RowTies(source.rows, plan.shape)
    return switch source.indexes[plan.number].entries {
    case .one(let index): index.span(bounds, values, ties).count
    case .two(let index): index.span(bounds, values, ties).count
    case .three(let index): index.span(bounds, values, ties).count
    case .four(let index): index.span(bounds, values, ties).count
    case .postings: 0
    }
  }

  /// Takes out the slots of the first rows, or of those behind a place in the query's sort, to be given back by
  /// ``giveBack(_:)``, and whether there are more; nil where the planner is to be asked.
  func find(
    _ source: TableRow.Source, _ values: [ArgumentValue?], behind anchor: SortAnchor?
  ) -> (slots: [UInt32], hasMore: Bool)? {
    var found: [UInt32] = []
    swap(&found, &slots)
    guard find(source, values, anchor, &found), !isOutOfTime else {
      giveBack(&found)
      declined += 1
      return nil
    }
    declined = 0
    answers &+= 1
    let hasMore = found.count > plan.limit
    if hasMore { found.removeLast(found.count - plan.limit) }
    return (found, hasMore)
  }

  func giveBack(_ found: inout [UInt32]) {
    found.removeAll(keepingCapacity: true)
    swap(&found, &slots)
    if mostKept < .max { keepLittle() }
  }

  @inline(never)
  private func keepLittle() {
    if slots.capacity > mostKept { slots = [] }
    if spare.capacity > mostKept { spare = [] }
    if first.rows.capacity > mostKept { first = FirstRows(limit: 1) }
  }

  private func find(
    _ source: TableRow.Source, _ values: [ArgumentValue?], _ anchor: SortAnchor?, _ found: inout [UInt32]
  ) -> Bool {
    // Places are known in the query's order alone.
    if anchor != nil, order.descriptors.isEmpty { return false }
    // Large ones may be more than the predicate can hold.
    guard VariableMentions.areSmall(values) else { return false }
    // Every value is looked at before an answer is known to be empty: one that does not fit is an error.
    if !plan.volatileConditions.isEmpty, !bindConditions(values) { return false }
    var tests = RowTests(source.rows)
    if case .stretch = plan.source {
      var bounds = DirectPlan.Bounds()
      guard plan.fill(&bounds, values), let filter = plan.entryFilter(values) else { return false }
      if plan.isFiltered, !tests.take(plan, conditions, values, source, lead: bounds.lower.word0) { return false }
      if tests.areHopeless || filter.isHopeless { return true }
      let isFound =
        switch source.indexes[plan.number].entries {
        case .one(let index): find(index, source, bounds, values, filter, &tests, anchor, &found)
        case .two(let index): find(index, source, bounds, values, filter, &tests, anchor, &found)
        case .three(let index): find(index, source, bounds, values, filter, &tests, anchor, &found)
        case .four(let index): find(index, source, bounds, values, filter, &tests, anchor, &found)
        case .postings: false
        }
      if isFound, plan.isRanked { rank(&found, source, anchor) }
      return isFound
    }
    if plan.isFiltered, !tests.take(plan, conditions, values, source, lead: nil) { return false }
    if case .stretches(let asked, let lookup, let isTested, let most) = plan.source {
      guard let stretches = stretches(asked, lookup, isTested: isTested, most: most, source, values) else {
        return false
      }
      return tests.areHopeless || merge(stretches, source, tests, anchor, &found)
    }
    guard collect(source, values, tests, into: &found) else { return false }
    if tests.areHopeless { found.removeAll(keepingCapacity: true) }
    if found.count > plan.mostRanked || !tests.isEmpty && found.count > RowTests.budget { return false }
    tests.keepListed(&found)
    keepPassing(tests, &found)
    if plan.isRanked { rank(&found, source, anchor) }
    return true
  }

  /// Binds the values of a run to the conditions that ask for some; false where one does not fit.
  @inline(never)
  private func bindConditions(_ values: [ArgumentValue?]) -> Bool {
    var run = PredicateTemplate.Run(values: values, now: Timestamp(milliseconds: 0))
    var isReady = conditions != nil
    for (number, part) in plan.volatileConditions.enumerated() {
      guard let condition = try? template.bind(part, &run) else {
        // Some may have the new values, and others not.
        conditions = nil
        return false
      }
      let place = plan.conditions.count + number
      if place == bound.count { bound.append(condition) } else { bound[place] = condition }
      isReady = isReady && conditions?.replaceConstant(of: place, with: condition) == true
    }
    if !isReady {
      conditions = RowConditions(bound)
      if isTimed { conditions?.timeLimit = timeLimit }
    }
    return true
  }

  /// Puts the slots into the query's order, and keeps as many as are wanted, of those behind a place.
  @inline(never)
  private func rank(_ slots: inout [UInt32], _ source: TableRow.Source, _ anchor: SortAnchor?) {
    let ranker = Ranker(order, source, 0)
    swap(&slots, &spare)
    slots.removeAll(keepingCapacity: true)
    let given = spare
    _ = keepFirst(source, &slots, DistanceBounds(order, behind: anchor)) { kept, precedes in
      for slot in given {
        let (group, row) = ranker.place(slot)
        if ranker.passesOver(group, row, &kept) { continue }
        let key = ranker.key(group, row)
        if let threshold = kept.threshold, threshold < key { continue }
        if let anchor, !ranker.isBehind(key, slot, anchor) { continue }
        kept.offer(RankedRow(key: key, slot: slot, table: 0), precedes)
      }
      return true
    }
  }

  /// Appends the slots of the first of those rows that `offer` offers, in order; false where it returns that.
  func keepFirst(
    _ source: TableRow.Source, _ slots: inout [UInt32], _ distances: DistanceBounds? = nil,
    _ offer: (inout FirstRows, (RankedRow, RankedRow) -> Bool) -> Bool
  ) -> Bool {
    let order = order
    func precedes(_ left: RankedRow, _ right: RankedRow) -> Bool {
      left.key == right.key
        ? order.precedes(source.row(Int(left.slot)), source.row(Int(right.slot))) : left.key < right.key
    }
    var kept = FirstRows(limit: 1)
    swap(&kept, &first)
    defer { swap(&kept, &first) }
    kept.removeAll(limit: plan.limit == .max ? plan.limit : plan.limit + 1, distances: distances)
    guard offer(&kept, precedes) else { return false }
    kept.sort(order) { source.row(Int($0.slot)) }
    for row in kept.rows { slots.append(row.slot) }
    return true
  }

  /// Keeps the first of the slots whose values pass, as many as are wanted; the slots ascend.
  private func keepPassing(_ tests: RowTests, _ slots: inout [UInt32]) {
    guard tests.testValues else { return }
    let wanted = plan.taken
    var (position, kept) = (0, 0)
    while position < slots.count, kept < wanted {
      let count = min(RowTests.together, slots.count - position)
      var passing = tests.passingValues(count) { slots[position + $0] }
      while passing != 0 {
        slots[kept] = slots[position + passing.trailingZeroBitCount]
        kept += 1
        passing &= passing - 1
      }
      position += count
    }
    slots.removeLast(slots.count - min(kept, wanted))
  }

  // MARK: Slots of several places

  /// Collects the slots that the source offers, each once and ascending; false where the planner is to be asked.
  private func collect(
    _ source: TableRow.Source, _ values: [ArgumentValue?], _ tests: RowTests, into slots: inout [UInt32]
  ) -> Bool {
    switch plan.source {
    case .stretch, .stretches: return false
    case .nothing: break
    case .scan:
      return conditions?.scan(source, wanted: plan.taken, most: plan.mostCollected, into: &slots) ?? false
    case .among(let asked):
      guard let spans = spans(asked, source, values), IndexSpan.count(spans) <= plan.mostCollected else {
        return false
      }
      for span in spans { source.indexes[plan.number].entries.collect(span, into: &slots) }
      slots.sort(below: source.table.slotCount, using: &spare)
    case .record(let parameter):
      guard case .literal(let literal)? = values[parameter], literal.fault == nil,
        case .reference(let name, let zoneName, let ownerName) = literal,
        RecordID(recordName: name, zoneName: zoneName, ownerName: ownerName).encodingFault == nil
      else { return false }
      if place.isZone(zoneName, ownerName), let found = source.slot(of: name, approaching: 0) {
        slots.append(UInt32(truncatingIfNeeded: found.slot))
      }
    case .lists:
      var (lists, isEmpty): ([PostingList], Bool) = ([], false)
      for lookup in plan.lists {
        guard let areThere = lookup.add(to: &lists, source, values) else { return false }
        if !areThere { isEmpty = true }
      }
      if isEmpty { return true }
      if lists.count == 1, lists[0].count > PostingList.chunk, plan.taken < .max, !tests.isEmpty {
        return collectFirst(of: lists[0], tests, into: &slots)
      }
      let most = tests.isEmpty ? plan.mostRanked : min(plan.mostRanked, RowTests.budget)
      if lists.allSatisfy({ $0.count > most }) { return false }
      if lists.count == 1 {
        lists[0].append(to: &slots, first: tests.isEmpty ? plan.taken : .max)
      } else {
        PostingList.intersection(lists, into: &slots)
      }
    case .anyList(let lookup):
      guard let lists = lookup.lists(source, values) else { return false }
      let count = lists.reduce(0) { $0 + $1.count }
      if count > (tests.isEmpty ? plan.mostCollected : min(plan.mostCollected, RowTests.budget)) { return false }
      if count > RowTests.budget {
        GroupMasks.union(lists).append(to: &slots)
      } else {
        for list in lists { list.append(to: &slots) }
        slots.sort(below: source.table.slotCount, using: &spare)
        slots.removeRepeated()
      }
    case .overlap(let stretches, let planned):
      var runs: [Access.Overlapping] = []
      for stretch in stretches {
        guard case .one(let index) = source.indexes[stretch.number].entries, let range = stretch.range.range(values)
        else { return false }
        runs.append(Access.Overlapping(index: stretch.number, span: index.span(range)))
      }
      runs.sort { $0.span.count < $1.span.count }
      let (least, entries) = (runs[0].span.count, runs.reduce(0) { $0 + $1.span.count })
      // Of stretches of other sizes the planner may look at the rows of the shortest.
      guard least >= 64, entries <= 16 * least, entries <= 2 * planned else { return false }
      Access.Overlapping.collect(runs, source, into: &slots, using: &spare)
    case .circle(let form):
      guard case .value(let field, .distance(let circle))? = form.bind(values, template.options)?.condition else {
        return false
      }
      let test = GeodesicRadiusTest(circle)
      let spans = source.indexes[plan.number].entries.cover(of: circle)
      if IndexSpan.count(spans) > plan.mostCollected { return false }
      for span in spans {
        source.indexes[plan.number].entries.collect(span, into: &slots)
      }
      if !tests.isEmpty, slots.count > RowTests.budget { return false }
      var kept = 0
      for position in slots.indices where source.row(Int(slots[position])).passes(test, field) {
        slots[kept] = slots[position]
        kept += 1
      }
      slots.removeLast(slots.count - kept)
      slots.sort(below: source.table.slotCount, using: &spare)
    }
    return true
  }

  /// Collects the first of a list's slots that pass, looking at some at a time; false where too many do not.
  private func collectFirst(of list: PostingList, _ tests: RowTests, into slots: inout [UInt32]) -> Bool {
    var (some, examined): ([UInt32], Int) = ([], 0)
    swap(&some, &spare)
    defer { swap(&some, &spare) }
    list.forEachFilling(of: &some) { some in
      if examined >= RowTests.budget { return false }
      examined += some.count
      tests.keepListed(&some)
      keepPassing(tests, &some)
      slots.append(contentsOf: some.prefix(plan.taken - slots.count))
      return slots.count < plan.taken
    }
    return slots.count >= plan.taken || examined == list.count
  }

  /// The entries of each of some values, ascending and apart; nil where one has to be looked at more closely.
  private func spans(
    _ asked: DirectPlan.Values, _ source: TableRow.Source, _ values: [ArgumentValue?]
  ) -> [IndexSpan]? {
    let ties = RowTies(source.rows, plan.shape)
    switch asked {
    case .members(let parameter):
      guard case .list(let members)? = values[parameter], !members.isEmpty,
        let ends = plan.shape.components[0].ends(members)
      else { return nil }
      return ends.map { end in
        var lead = SpanBound()
        lead.append(end, plan.shape.components[0])
        return source.indexes[plan.number].span(lead, nil, ties: ties)
      }
    case .spellings(let spellings):
      return stored(spellings, source, values)?.map { interval in
        source.indexes[plan.number].span(SpanBound(), interval, ties: ties)
      }
    }
  }

  /// How the index has the texts that are asked for, ascending and apart; nil where that takes many searches.
  func stored(
    _ spellings: DirectPlan.Spellings, _ source: TableRow.Source, _ values: [ArgumentValue?]
  ) -> [ValueInterval]? {
    guard let texts = spellings.texts(values) else { return nil }
    var stored = StoredSpellings(
      source.indexes[plan.number], RowTies(source.rows, plan.shape), most: Planner.fewSearches)
    return stored.intervals(of: texts)
  }

  // MARK: A stretch of an index

  private func find<Key: IndexKey>(
    _ index: OrderedIndex<Key>, _ source: TableRow.Source, _ bounds: DirectPlan.Bounds, _ values: [ArgumentValue?],
    _ filter: EntryFilter, _ tests: inout RowTests, _ anchor: SortAnchor?, _ found: inout [UInt32]
  ) -> Bool {
    let ties = RowTies(source.rows, plan.shape)
    var span = index.span(bounds, values, ties)
    if plan.points.count == 1, plan.ranges.isEmpty { tests.settleMember(entries: span.count) }
    // Closures copy a variable at each use.
    let (tests, areRowsOpen, isOpen) = (tests, tests.isEmpty, tests.isEmpty && filter.isEmpty)
    let isTimed = isTimed
    /// Which of some entries pass, a bit each.
    @inline(__always)
    func passing(_ run: IndexRun<Key>, _ first: Int, _ count: Int) -> UInt32 {
      let passing = filter.isEmpty ? UInt32.max >> UInt32(32 - count) : run.passing(filter, first, count)
      return areRowsOpen || passing == 0 ? passing : passing & tests.passing(count) { run.slot(first + $0) }
    }
    if plan.sorted > 0, let anchor, !narrow(&span, index, source, bounds, behind: anchor) { return false }
    let wanted = plan.taken
    let count = span.count
    if count == 0 { return true }
    if count > plan.mostRanked { return false }
    // A scan may be better where a good part of the records is asked for.
    if count > 1_024, wanted > 1_024, count > source.table.count / 6 { return false }
    if plan.sorted > 0 {
      let walk = SortedWalk(
        order, number: 0, plan.shape, from: plan.points.count, sorted: plan.sorted, wanted: wanted)
      if isOpen {
        var start = anchor.map { PageStart($0, order, sorted: plan.sorted) }
        _ = walk.take(
          index, from: span.lower, to: span.upper, descending: plan.isDescending, into: &found,
          stops: { isTimed && timeLimit.check() }, takesAll: { start?.isPassed ?? true },
          where: { start?.admits($0.slot($1), $2, source) ?? true },
          settle: { order.settle(&$0, from: $1, first: plan.sorted, source) },
          precedes: { order.precedes($0, $1, source) },
          areTied: { order.areTied($0, $1, first: plan.sorted, source) })
        return true
      }
      // A walk that filters goes on for a little, and the planner is asked after that.
      let budget = min(64 + 16 * min(wanted, 1_000), RowTests.budget) * (areRowsOpen ? 4 : 1)
      var admits: ((UInt32, RankKey) -> Bool)?
      if let anchor {
        var start = PageStart(anchor, order, sorted: plan.sorted)
        admits = { start.admits($0, $1, source) }
      }
      return walk.takePassing(
        index, from: span.lower, to: span.upper, descending: plan.isDescending, budget: budget, into: &found,
        stops: { isTimed && timeLimit.check() }, passing: passing, where: admits,
        settle: { order.settle(&$0, from: $1, first: plan.sorted, source) },
        precedes: { order.precedes($0, $1, source) },
        areTied: { order.areTied($0, $1, first: plan.sorted, source) })
    }
    if plan.isWalk || span.isPoint {
      if isOpen, count <= wanted {
        source.indexes[plan.number].entries.collect(span, into: &found)
        return true
      }
      if isOpen {
        index.forEachRun(from: span.lower, to: span.upper) { run in
          run.append(0..<run.count, to: &found)
          return found.count < wanted
        }
        return true
      }
      if areRowsOpen {
        return index.collect(
          from: span.lower, to: span.upper, passing: filter, wanted: wanted, mostEntries: plan.mostEntries,
          into: &found)
      }
      if count > RowTests.budget, wanted > RowTests.budget { return false }
      var examined = 0
      index.forEachRun(from: span.lower, to: span.upper) { run in
        var entry = 0
        while entry < run.count {
          if examined >= RowTests.budget { return false }
          let count = min(RowTests.together, run.count - entry)
          examined += count
          var passing = passing(run, entry, count)
          while passing != 0 {
            found.append(run.slot(entry + passing.trailingZeroBitCount))
            if found.count >= wanted { return false }
            passing &= passing - 1
          }
          entry += count
        }
        return true
      }
      return examined == count || found.count >= wanted
    }
    guard count <= (areRowsOpen && !filter.isEmpty ? plan.mostEntries : RowTests.budget) else { return false }
    // The rows come as they stand in the table.
    source.indexes[plan.number].entries.collect(span, passing: filter, into: &found)
    if !tests.keepListed(unsorted: &found) {
      found.sort(below: source.table.slotCount, using: &spare)
      tests.keepListed(&found)
    }
    keepPassing(tests, &found)
    return true
  }

  /// Leaves those entries out that are before the end of the page before; false where the planner is to be asked.
  private func narrow<Key: IndexKey>(
    _ span: inout IndexSpan, _ index: OrderedIndex<Key>, _ source: TableRow.Source, _ bounds: DirectPlan.Bounds,
    behind anchor: SortAnchor
  ) -> Bool {
    if bounds.hasLongPoint { return false }
    let components = plan.shape.components
    var bound = SpanBound(bounds.lower, components[..<plan.points.count])
    for value in anchor.position.values.prefix(plan.sorted) {
      guard bound.fields < components.count, let end = source.table.end(value, components[bound.fields]) else {
        return false
      }
      bound.append(end, components[bound.fields])
    }
    bound.isAfter = plan.isDescending
    let ties = RowTies(source.rows, plan.shape)
    let place = bound.withBound(Key.self) { index.seek($0, ties: ties) }
    span.begin(at: place, isDescending: plan.isDescending)
    return true
  }
}

extension OrderedIndex<Key1> {
  /// The entries whose numbers lie in a range.
  fileprivate func span(_ range: KeyRange) -> IndexSpan {
    let places = seek(
      Bound(
        key: Key1(range.lower.first), words: range.hasLower ? 1 : 0, isAfter: range.hasLower && range.lower.isAfter),
      Bound(
        key: Key1(range.upper.first), words: range.hasUpper ? 1 : 0, isAfter: !range.hasUpper || range.upper.isAfter),
      ties: NoTies())
    return IndexSpan(lower: places.lower, upper: places.upper, isPoint: range.isPoint)
  }
}

extension OrderedIndex {
  /// The entries between the bounds of a run.
  @inline(__always)
  fileprivate func span(_ bounds: DirectPlan.Bounds, _ values: [ArgumentValue?], _ ties: RowTies) -> IndexSpan {
    bounds.withTexts(values) { span(bounds, $0, ties) }
  }

  @inline(__always)
  private func span(_ bounds: DirectPlan.Bounds, _ texts: LentTexts, _ ties: RowTies) -> IndexSpan {
    let lower = Bound(
      key: Key(bounds.lower), words: min(bounds.lowerCount, Key.wordCount), isAfter: bounds.lowerIsAfter, texts: texts)
    if bounds.lowerCount == bounds.upperCount, bounds.lower == bounds.upper, !bounds.lowerIsAfter, bounds.upperIsAfter,
      bounds.lowerCount > 0
    {
      let places = places(lower, ties: ties)
      return IndexSpan(lower: places.lower, upper: places.upper, isPoint: bounds.isPoint)
    }
    let upper = Bound(
      key: Key(bounds.upper), words: min(bounds.upperCount, Key.wordCount), isAfter: bounds.upperIsAfter, texts: texts)
    let places = seek(lower, upper, ties: ties)
    return IndexSpan(lower: places.lower, upper: places.upper, isPoint: bounds.isPoint)
  }
}
