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
    let conjunct = conjuncts[number]
    guard conjunct.form == nil, !conjunct.isImplied, isExhaustive || rowCount >= Planner.fewRows,
      let field = TextCondition.field(of: conjunct.predicate),
      let indexNumber = orderedIndex(beginningWith: field),
      table.indexes[indexNumber].shape.components[0].wordCount == 2
    else { return nil }
    let index = table.indexes[indexNumber]
    let ties = RowTies(table, index.shape)
    var (covered, asking): (ConjunctSet, [Int]) = (.empty, [])
    let interval = interval(on: index.shape.components[0], &covered, &asking)
    let span = index.span(SpanBound(), interval, ties: ties)
    let texts = StoredTexts(index, ties)
    let count = texts.count(span)
    // Nothing is known of how many pass, so that none of several parts is taken to save others.
    let cost = Cost.storedText + TextCondition.greatestCost(conjunct.predicate)
    let held = count * cost + Double(span.count) * Cost.entry
    let taken = counts ? 0 : Double(span.count) * conjunct.share * Cost.scatteredVisit
    // There may be more texts than it is thought, and those that begin alike are looked at several times each.
    let most = Int(min(4 * count + 256, patience / Cost.storedText))
    guard held + taken <= patience else { return nil }
    let condition = TextCondition(conjunct.predicate)
    var (timeLimit, asked) = (timeLimit, 0)
    let spans = texts.spans(span, most: most) { text in
      asked += 1
      if asked % TimeLimit.rows == 0, timeLimit.check() { return nil }
      return condition.holds(text)
    }
    guard let spans else { return nil }
    let entries = Double(IndexSpan.count(spans))
    return Found(
      access: spans.isEmpty ? .nothing : .spans(index: indexNumber, spans), entries: entries, isExact: true,
      covered: covered, share: entries / Double(max(1, span.count)))
  }
}
