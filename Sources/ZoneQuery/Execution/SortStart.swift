/// Where the rows of a sort lie in an index: one on its first field, or on fields that conditions ask for one value of and
/// this one behind them.
struct SortStart {
  private let order: SortOrder
  private let field: FieldNumber
  private let isDescending: Bool
  private let isText: Bool
  /// The words that the values of the answer's rows lie between, as far as words tell: nil where there is no such end.
  private var (lower, upper): (Words?, Words?) = (nil, nil)
  /// Whether rows that lack the field may be among the answer's.
  private var admitsMissing = true
  /// Whether no row can be.
  private var isNothing = false
  private var lead: Lead?

  /// The two words of a text in an index; of a number the second says nothing.
  private struct Words {
    let first: UInt64
    let second: UInt64

    static func < (left: Words, right: Words) -> Bool {
      left.first < right.first || left.first == right.first && left.second < right.second
    }

    func end(isAfter: Bool) -> ValueInterval.End {
      ValueInterval.End(first: first, second: second, isAfter: isAfter)
    }
  }

  /// An index on several fields, and the place of the values that conditions ask for of those before the sort's.
  private struct Lead {
    let shape: IndexShape
    let number: Int
    let bound: SpanBound
    /// The sort's field in the index.
    var component: IndexShape.Component { shape.components[bound.fields] }
  }

  /// Where the rows lie that conditions may hold for and that are not before the end of the page before; nil for a sort
  /// that no index on its first field goes by. `source` is one of the tables, to whose indexes the others' are mostly alike.
  init?(
    _ order: SortOrder, _ conditions: [BoundPredicate], behind anchor: SortAnchor?, like source: TableRow.Source
  ) {
    guard let first = order.descriptors.first, first.origin == nil, first.type != .reference else { return nil }
    (self.order, field, isDescending, isText) = (order, first.field, first.isDescending, first.type == .string)
    if let anchor, let end = anchor.position.values.first.flatMap({ ValueInterval.End($0) }) {
      // Rows without the field come first ascending, last descending.
      if isDescending { narrow(nil, end) } else { narrow(end, nil) }
      if !isDescending { admitsMissing = false }
    } else if anchor != nil, isDescending {
      // Only rows without the field are left; one of the least value is let through.
      upper = Words(first: 0, second: 0)
    }
    var points: [FieldNumber: ValueInterval.End] = [:]
    for condition in conditions {
      // What depends on the zone, record IDs and references, is not sorted by here.
      switch Sargable(condition, zone: source.shape.zoneID) {
      case .nothing?: isNothing = true
      case .interval(field, let interval)?: narrow(to: [interval])
      case .intervals(field, let intervals)?: narrow(to: intervals)
      case .interval(let other, let interval)? where interval.isPoint: points[other] = interval.lower
      default: break
      }
    }
    if !points.isEmpty { lead = findLead(source, points) }
  }

  /// Leaves out what lies in none of some intervals, which are sorted, and rows without a value.
  private mutating func narrow(to intervals: [ValueInterval]) {
    admitsMissing = false
    if intervals.isEmpty { isNothing = true }
    narrow(intervals.first?.lower, intervals.last?.upper)
  }

  private mutating func narrow(_ from: ValueInterval.End?, _ to: ValueInterval.End?) {
    if let from {
      let words = Words(first: from.first, second: from.second)
      lower = lower.map { $0 < words ? words : $0 } ?? words
    }
    if let to {
      let words = Words(first: to.first, second: to.second)
      upper = upper.map { words < $0 ? words : $0 } ?? words
    }
  }

  /// The index that begins with the most fields of which conditions ask for one value.
  private func findLead(_ source: TableRow.Source, _ points: [FieldNumber: ValueInterval.End]) -> Lead? {
    var found: Lead?
    for (number, index) in source.indexes.enumerated() where index.shape.kind == .ordered {
      let components = index.shape.components
      if components[0].isList { continue }
      var bound = SpanBound()
      while bound.fields < components.count, let end = points[components[bound.fields].field] {
        bound.append(end, components[bound.fields])
      }
      guard bound.fields < components.count, components[bound.fields].field == field,
        bound.fields > found?.bound.fields ?? 0
      else { continue }
      found = Lead(shape: index.shape, number: number, bound: bound)
    }
    return found
  }

  // MARK: Tables

  /// Reads what the first keys of some tables are found by: memory that is rarely near is waited for together. What is
  /// returned says nothing.
  func approach(_ sources: ArraySlice<TableRow.Source>) -> UInt64 {
    var sum = 0
    for source in sources { sum &+= entries(source)?.count ?? 0 }
    var touched = UInt64(truncatingIfNeeded: sum)
    for source in sources { touched &+= entries(source)?.touchRoot() ?? 0 }
    return touched
  }

  /// The entries of the index that is asked.
  private func entries(_ source: TableRow.Source) -> TableIndex.Entries? {
    (number(source, lead) ?? source.table.indexes.number(of: field)).map { source.indexes[$0].entries }
  }

  /// The number of the index on several fields, where the table has it and every row that conditions may hold for is in it.
  private func number(_ source: TableRow.Source, _ lead: Lead?) -> Int? {
    guard let lead, lead.number < source.indexes.count, source.indexes[lead.number].shape === lead.shape,
      source.indexes[lead.number].incomplete == 0
    else { return nil }
    return lead.number
  }

  /// The least key that a row of a table can have which is among the answer's; nil where it has no such row.
  func firstKey(_ source: TableRow.Source) -> RankKey? {
    let rowCount = source.table.count
    if rowCount == 0 || isNothing { return nil }
    if let lead, let number = number(source, lead) { return firstKey(source.indexes[number], lead, source.rows) }
    switch entries(source) {
    case .one(let index)?: return firstKey(index, rowCount)
    case .two(let index)?: return firstKey(index, rowCount)
    // Without an index nothing is known.
    default: return RankKey.none
    }
  }

  private func firstKey(_ index: TableIndex, _ lead: Lead, _ rows: TableRows) -> RankKey? {
    let interval = ValueInterval(
      lower: lower?.end(isAfter: false), upper: upper?.end(isAfter: true), isPoint: false)
    let span = index.span(lead.bound, interval, ties: RowTies(rows, lead.shape))
    let (first, second) = (lead.component.word, lead.component.word + lead.component.wordCount - 1)
    return index.entries.firstKey(of: span, descending: isDescending).map {
      order.key($0[first], $0[second], isText: isText)
    }
  }

  @inline(__always)
  private func firstKey<Key: IndexKey>(_ index: OrderedIndex<Key>, _ rowCount: Int) -> RankKey? {
    let isMissing = admitsMissing && index.count < rowCount
    if isMissing, !isDescending { return order.missingKey }
    let (near, far) = isDescending ? (upper, lower) : (lower, upper)
    let place = index.seek(
      IndexBound(
        key: near.map { Key(Key4($0.first, $0.second)) } ?? Key(), words: near == nil ? 0 : Key.wordCount,
        isAfter: isDescending))
    if let key = index.firstKey(at: place, descending: isDescending) {
      let words = Words(first: key[0], second: isText ? key[Key.wordCount - 1] : 0)
      let isBeyond = far.map { isDescending ? words < $0 : $0 < words } ?? false
      if !isBeyond { return order.key(words.first, words.second, isText: isText) }
    }
    return isMissing ? order.missingKey : nil
  }
}

extension TableIndex.Entries {
  /// The words of the first key that a walk over a span comes to.
  fileprivate func firstKey(of span: IndexSpan, descending: Bool) -> Key4? {
    if span.count == 0 { return nil }
    let place = descending ? span.upper : span.lower
    return switch self {
    case .one(let index): index.firstKey(at: place, descending: descending).map { Key4($0) }
    case .two(let index): index.firstKey(at: place, descending: descending).map { Key4($0) }
    case .three(let index): index.firstKey(at: place, descending: descending).map { Key4($0) }
    case .four(let index): index.firstKey(at: place, descending: descending)
    case .postings: nil
    }
  }
}

extension OrderedIndex {
  /// The key of the entry behind a place or, descending, before it.
  fileprivate func firstKey(at place: IndexPosition, descending: Bool) -> Key? {
    if !descending { return entry(at: place)?.key }
    var found: Key?
    forEachRun(from: .empty, to: place, descending: true) { run in
      found = run.key(0)
      return false
    }
    return found
  }
}
