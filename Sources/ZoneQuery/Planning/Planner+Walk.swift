extension Planner {
  /// The share of a walk's first entries that pass, where they are enough, and one of several alternatives holds for all of
  /// them or for none; nil where there is no such alternative.
  ///
  /// ```
  /// (start > now OR tags CONTAINS "pinned") AND seats > 3
  /// by start descending     the first entries are behind now: every other condition is asked of them alone
  /// by start ascending      of the first entries those pass that are pinned
  /// ```
  ///
  /// Complexity: two searches for each alternative that an index answers.
  func shareOfFirst(_ walk: Plan.Walk, _ estimated: ConjunctSet) -> Double? {
    let index = table.indexes[walk.index]
    guard walk.others.isEmpty, walk.lead.fields < index.shape.components.count,
      case let component = index.shape.components[walk.lead.fields], component.isInOrder
    else { return nil }
    for number in conjuncts.indices where estimated.contains(number) {
      guard case .either(let forms)? = conjuncts[number].form, forms.count <= Planner.mostAlternatives else { continue }
      for (position, form) in forms.enumerated() {
        guard case .interval(component.field, let interval) = form else { continue }
        let span = index.span(walk.lead, interval, ties: RowTies(table, index.shape))
        let before = walk.isDescending ? walk.span.upper.rank - span.upper.rank : span.lower.rank - walk.span.lower.rank
        var share = walk.share
        for other in conjuncts.indices where other != number && estimated.contains(other) { share *= self.share(other) }
        if before > 0 {
          var failing = 1.0
          for (other, form) in forms.enumerated() where other != position {
            guard let found = find(form) else { return nil }
            failing *= 1 - min(1, found.entries / rowCount)
          }
          share *= 1 - failing
        }
        if Double(limit) <= share * Double(before > 0 ? before : span.count + before) { return share }
      }
    }
    return nil
  }

  /// Of so many alternatives each is looked at.
  private static var mostAlternatives: Int { 8 }
}
