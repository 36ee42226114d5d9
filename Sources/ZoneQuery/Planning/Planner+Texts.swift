/// Conditions on a text that no interval describes, answered by an index on it: each text that it has is asked about once,
/// where that is little beside the best way so far.
///
/// ```
/// name ENDSWITH "son" AND name BEGINSWITH "Nel"      of the names that begin so, those that end so
/// city LIKE "*o?", sorted by start                   the records of the cities that are so written
/// ```
extension Planner {
  /// The path of a conjunct by the texts that an index has, of which other conjuncts may ask for an interval.
  ///
  /// Complexity: linear in the texts, and in the leaves of their entries.
  func findTexts(_ number: Int) -> Found? {
    guard conjuncts[number].form == nil, isExhaustive || rowCount >= Planner.fewRows,
      let condition = TextCondition(conjuncts[number].predicate),
      let indexNumber = orderedIndex(beginningWith: condition.field),
      table.indexes[indexNumber].shape.components[0].wordCount == 2
    else { return nil }
    var (covered, asked): (ConjunctSet, ValueInterval?) = (.empty, nil)
    for other in accesses.indices {
      guard case .interval(condition.field, let interval)? = conjuncts[other].form else { continue }
      covered.insert(other)
      asked = asked.map { $0.intersection(interval) } ?? interval
    }
    let index = table.indexes[indexNumber]
    let ties = RowTies(table, index.shape)
    let span = index.span(SpanBound(), asked, ties: ties)
    let texts = StoredTexts(index, ties)
    let count = texts.count(span)
    let held = count * (Cost.storedText + conjuncts[number].cost) + Double(span.count) * Cost.entry
    let taken = counts ? 0 : Double(span.count) * conjuncts[number].share * Cost.scatteredVisit
    // There may be more texts than it is thought, and those that begin alike are looked at several times each.
    let most = Int(min(4 * count + 256, patience / Cost.storedText))
    guard held + taken <= patience, let spans = texts.spans(span, most: most, where: condition.holds) else {
      return nil
    }
    let entries = Double(IndexSpan.count(spans))
    return Found(
      access: spans.isEmpty ? .nothing : .spans(index: indexNumber, spans), entries: entries, isExact: true,
      covered: covered, share: entries / Double(max(1, span.count)))
  }
}
