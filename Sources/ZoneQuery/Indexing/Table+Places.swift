extension Table {
  /// The part of a walk that is not before the end of the page before.
  func narrowed(_ walk: Plan.Walk, to anchor: SortAnchor) -> IndexSpan {
    let index = indexes[walk.index]
    let end: ValueInterval.End
    switch anchor.position.values.first {
    case .integer(let number)?: end = ValueInterval.End(first: KeyEncoding.word(number), isAfter: walk.isDescending)
    case .double(let number)?: end = ValueInterval.End(first: KeyEncoding.word(number), isAfter: walk.isDescending)
    case .bytes(let text)?: end = ValueInterval.End(text, isAfter: walk.isDescending)
    case .missing?, nil: return walk.span
    }
    var span = walk.span
    let interval =
      walk.isDescending
      ? ValueInterval(lower: nil, upper: end, isPoint: false) : ValueInterval(lower: end, upper: nil, isPoint: false)
    let rest = index.span(walk.lead, interval, ties: RowTies(self, index.shape))
    if walk.isDescending {
      if rest.upper.rank < span.upper.rank { span.upper = rest.upper }
    } else if rest.lower.rank > span.lower.rank {
      span.lower = rest.lower
    }
    return span
  }
}
