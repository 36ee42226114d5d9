/// Runs a ``DirectPlan`` over one zone again and again.
///
/// A run belongs to one thread at a time. It says nothing about a query that it cannot answer as the planner would: where
/// the indexes are others, where a value has to be looked at more closely, or where there is much to read.
final class DirectRun {
  let plan: DirectPlan
  private let order: SortOrder
  let place: TablePlace
  private var rows: ContiguousArray<RankedRow> = []
  private var slots: [UInt32] = []
  /// The fields that answers were read of in place, a bit each.
  var fieldsRead: UInt64 = 0

  init(_ plan: DirectPlan, _ order: SortOrder, _ place: TablePlace) {
    (self.plan, self.order, self.place) = (plan, order, place)
  }

  /// The table to read, in a state of the zone; nil where it or its index is another than the plan was made for.
  @inline(__always)
  func source(_ snapshot: ZoneSnapshot) -> TableRow.Source? {
    guard let source = place.source(snapshot) else { return nil }
    guard plan.number < source.indexes.count, source.indexes[plan.number].shape === plan.shape else { return nil }
    // Records that lack a later field, or the only one, are not in the index.
    let fields = plan.points.count + (plan.ranges.isEmpty ? 0 : 1)
    if fields < plan.shape.components.count, source.indexes[plan.number].incomplete > 0 { return nil }
    if fields == 0, source.indexes[plan.number].count < source.table.count { return nil }
    return source
  }

  /// The number of rows; nil where the planner is to be asked.
  func count(_ source: TableRow.Source, _ values: [ArgumentValue?]) -> Int? {
    guard let bounds = plan.bounds(values) else { return nil }
    let ties = RowTies(source.rows, plan.shape)
    switch source.indexes[plan.number].entries {
    case .one(let index): return index.span(bounds, ties).count
    case .two(let index): return index.span(bounds, ties).count
    case .three(let index): return index.span(bounds, ties).count
    case .four(let index): return index.span(bounds, ties).count
    case .postings: return nil
    }
  }

  /// Takes out the first rows, to be given back by ``giveBack(_:)``, and whether there are more; nil where the planner is
  /// to be asked.
  func find(
    _ source: TableRow.Source, _ values: [ArgumentValue?]
  ) -> (rows: ContiguousArray<RankedRow>, hasMore: Bool)? {
    guard let bounds = plan.bounds(values) else { return nil }
    var found: ContiguousArray<RankedRow> = []
    swap(&found, &rows)
    let isFound =
      switch source.indexes[plan.number].entries {
      case .one(let index): find(index, source, bounds, values, &found)
      case .two(let index): find(index, source, bounds, values, &found)
      case .three(let index): find(index, source, bounds, values, &found)
      case .four(let index): find(index, source, bounds, values, &found)
      case .postings: false
      }
    guard isFound else {
      giveBack(&found)
      return nil
    }
    let hasMore = found.count > plan.limit
    while found.count > plan.limit { found.removeLast() }
    return (found, hasMore)
  }

  func giveBack(_ found: inout ContiguousArray<RankedRow>) {
    found.removeAll(keepingCapacity: true)
    swap(&found, &rows)
  }

  private func find<Key: IndexKey>(
    _ index: OrderedIndex<Key>, _ source: TableRow.Source, _ bounds: DirectPlan.Bounds, _ values: [ArgumentValue?],
    _ found: inout ContiguousArray<RankedRow>
  ) -> Bool {
    let span = index.span(bounds, RowTies(source.rows, plan.shape))
    let wanted = plan.limit == .max ? plan.limit : plan.limit + 1
    let count = span.count
    if count == 0 { return true }
    // A scan may be better where a good part of the records is asked for.
    if count > 1_024, wanted > 1_024, count > source.table.count / 6 { return false }
    guard let tests = RowTests(plan.tests, values, source) else { return false }
    if plan.sorted > 0 {
      let walk = SortedWalk(
        order, source, number: 0, plan.shape, from: plan.points.count, sorted: plan.sorted, wanted: wanted)
      if tests.isEmpty {
        _ = walk.take(
          index, from: span.lower, to: span.upper, descending: plan.isDescending, into: &found
        ) { _, _ in true }
        return true
      }
      // A walk that filters goes on for a little, and the planner is asked after that.
      let budget = min(64 + 16 * min(wanted, 1_000), RowTests.budget)
      return !walk.take(
        index, from: span.lower, to: span.upper, descending: plan.isDescending, budget: budget, into: &found
      ) { slot, _ in tests.pass(slot) }.isSpent
    }
    if plan.isWalk || span.isPoint, tests.isEmpty || count <= RowTests.budget {
      let isOpen = tests.isEmpty
      index.forEachRun(from: span.lower, to: span.upper) { run in
        var entry = 0
        while entry < run.count {
          let slot = run.slot(entry)
          entry += 1
          if !isOpen, !tests.pass(slot) { continue }
          found.append(RankedRow(key: .none, slot: slot, table: 0))
          if found.count >= wanted { return false }
        }
        return true
      }
      return true
    }
    guard count <= RowTests.budget else { return false }
    // The rows come as they stand in the table.
    source.indexes[plan.number].collect(span, into: &slots)
    slots.sort()
    var position = 0
    while position < slots.count, found.count < wanted {
      if tests.isEmpty || tests.pass(slots[position]) {
        found.append(RankedRow(key: .none, slot: slots[position], table: 0))
      }
      position += 1
    }
    slots.removeAll(keepingCapacity: true)
    return true
  }
}

extension OrderedIndex {
  /// The entries between the bounds of a run.
  @inline(__always)
  fileprivate func span(_ bounds: DirectPlan.Bounds, _ ties: RowTies) -> IndexSpan {
    let lower = Bound(
      key: key(bounds.lower), words: min(bounds.lowerCount, Key.wordCount), isAfter: bounds.lowerIsAfter,
      text: bounds.lowerTexts.first, secondText: bounds.lowerTexts.second)
    if bounds.lowerCount == bounds.upperCount, bounds.lower == bounds.upper, !bounds.lowerIsAfter, bounds.upperIsAfter,
      bounds.lowerCount > 0
    {
      let places = places(lower, ties: ties)
      return IndexSpan(lower: places.lower, upper: places.upper, isPoint: bounds.isPoint)
    }
    let upper = Bound(
      key: key(bounds.upper), words: min(bounds.upperCount, Key.wordCount), isAfter: bounds.upperIsAfter,
      text: bounds.upperTexts.first, secondText: bounds.upperTexts.second)
    return IndexSpan(lower: seek(lower, ties: ties), upper: seek(upper, ties: ties), isPoint: bounds.isPoint)
  }

  @inline(__always)
  private func key(_ words: SIMD4<UInt64>) -> Key {
    var key = Key()
    var word = 0
    while word < Key.wordCount {
      key[word] = words[word]
      word += 1
    }
    return key
  }
}

/// What is left to be asked of a row: numbers held against ranges, and a member of a list.
private struct RowTests {
  /// The most rows that are tested without the planner.
  static let budget = 1_024
  private static let most = 2

  private let rows: TableRows
  private var fields = SIMD2<Int32>.zero
  private var areDouble = SIMD2<UInt8>.zero
  private var first = KeyRange(word: 0, through: 0)
  private var second = KeyRange(word: 0, through: 0)
  private var count = 0
  private var member: [UInt8] = []
  private var memberField = 0

  /// Nil where a value has to be looked at more closely, or there are many tests.
  @inline(__always)
  init?(_ tests: [DirectPlan.Test], _ values: [ArgumentValue?], _ source: TableRow.Source) {
    rows = source.rows
    for test in tests {
      if test.kind == .member {
        guard let text = test.operand.text(values) else { return nil }
        if text.count > 7 { (member, memberField) = (text, test.field) }
        continue
      }
      guard count < RowTests.most, let range = test.operand.range(values) else { return nil }
      fields[count] = Int32(truncatingIfNeeded: test.field)
      areDouble[count] = test.kind == .double ? 1 : 0
      if count == 0 { first = range } else { second = range }
      count += 1
    }
  }

  var isEmpty: Bool { count == 0 && member.isEmpty }

  @inline(__always)
  func pass(_ slot: UInt32) -> Bool {
    let group = rows.group(Int(slot) >> RowGroup.shift)
    let row = Int(slot) & (RowGroup.size - 1)
    return (count < 1 || passes(group, row, fields[0], areDouble[0], first))
      && (count < 2 || passes(group, row, fields[1], areDouble[1], second))
      && (member.isEmpty || group.anyBytes(row, memberField) { $0.isSame(as: member.span) })
  }

  @inline(__always)
  private func passes(_ group: RowGroup, _ row: Int, _ field: Int32, _ isDouble: UInt8, _ range: KeyRange) -> Bool {
    guard group.isPresent(row, Int(field)) else { return false }
    return range.contains(
      isDouble == 1 ? KeyEncoding.word(group.double(row, Int(field))) : KeyEncoding.word(group.integer(row, Int(field)))
    )
  }
}
