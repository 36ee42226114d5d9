/// Compound indexes of whose first fields several values are asked: a run of entries for each combination.
///
/// ```
/// index (kind, quantity)
/// kind = "a" AND quantity IN {5, 77}                  (a, 5), (a, 77)
/// kind IN {"a", "b"} AND quantity BETWEEN {3, 5}      (a, 3) to (a, 5), (b, 3) to (b, 5)
/// ```
extension Planner {
  /// The most runs that an index is read in.
  private static var mostRuns: Int { 256 }

  /// Offers the runs of each index, where finding them costs less than the best way so far.
  ///
  /// Complexity: two searches for each run.
  mutating func considerRuns() {
    guard conjuncts.prefix(accesses.count).contains(where: { $0.form?.hasSeveralIntervals == true }) else { return }
    for number in table.indexes.indices {
      let shape = table.indexes[number].shape
      guard shape.kind == .ordered, shape.isCompound else { continue }
      let (values, covered) = values(shape)
      let count = values.reduce(1) { $0 * $1.count }
      // Records that lack a later field are not in the index; the index of one field tells of it alone as well.
      guard count != 1, values.count == shape.components.count || table.indexes[number].incomplete == 0,
        values.count > 1 || table.indexNumber(of: shape.field, .ordered) == nil,
        best.map({ $0.cost > Double(count) * Cost.seek }) ?? true
      else { continue }
      let spans = spans(number, values)
      if spans.isEmpty {
        return offer(Plan(source: .access(.nothing), residual: .empty, entries: 0, rows: 0, cost: Cost.seek))
      }
      offer(
        .spans(index: number, spans), entries: Double(IndexSpan.count(spans)),
        residual: ConjunctSet.all(conjuncts.count).subtracting(covered))
    }
  }

  /// What conjuncts ask of an index's first fields: one value or several of each, then perhaps intervals of the next.
  private func values(_ shape: IndexShape) -> (values: [[ValueInterval]], covered: ConjunctSet) {
    var (values, covered, count) = ([[ValueInterval]](), ConjunctSet.empty, 1)
    for component in shape.components {
      guard !component.isList, values.last?.allSatisfy(\.isPoint) ?? true else { break }
      var (asked, asking): ([ValueInterval]?, [Int]) = (nil, [])
      for number in accesses.indices {
        guard let form = conjuncts[number].form?.intervals, form.field == component.field else { continue }
        asked = asked.map { ValueInterval.common($0, form.intervals) } ?? form.intervals
        asking.append(number)
      }
      guard let asked, count * asked.count <= Self.mostRuns else { break }
      values.append(asked)
      count *= asked.count
      for number in asking { covered.insert(number) }
    }
    return (values, covered)
  }

  /// The entries of each combination, ascending and apart, but for those without any.
  private func spans(_ number: Int, _ values: [[ValueInterval]]) -> [IndexSpan] {
    guard let last = values.last else { return [] }
    let index = table.indexes[number]
    var leads = [SpanBound()]
    for (component, points) in zip(index.shape.components, values.dropLast()) {
      leads = leads.flatMap { lead in
        points.compactMap(\.lower).map { lead.appending($0, component) }
      }
    }
    let ties = RowTies(table, index.shape)
    return leads.flatMap { lead in last.map { index.span(lead, $0, ties: ties) } }.filter { $0.count > 0 }
  }
}

extension Sargable {
  fileprivate var hasSeveralIntervals: Bool { if case .intervals = self { true } else { false } }
}

extension SpanBound {
  fileprivate func appending(_ end: ValueInterval.End, _ component: IndexShape.Component) -> SpanBound {
    var longer = self
    longer.append(end, component)
    return longer
  }
}
