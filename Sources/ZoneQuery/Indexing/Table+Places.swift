extension Table {
  /// The entries of a walk, or those of its first stretch, that may be behind the end of the page before.
  func span(of walk: Plan.Walk, behind anchor: SortAnchor?, _ order: SortOrder) -> IndexSpan {
    guard let anchor else { return walk.span }
    if anchor.key != order.missingKey { return narrowed(walk, to: anchor) }
    var span = walk.span
    if walk.isDescending { span.lower = span.upper }
    return span
  }

  /// The part of a walk that is not before the end of the page before.
  private func narrowed(_ walk: Plan.Walk, to anchor: SortAnchor) -> IndexSpan {
    let index = indexes[walk.index]
    var bound = walk.lead
    for value in anchor.position.values.prefix(max(1, walk.sorted)) {
      guard bound.fields < index.shape.components.count, let end = ValueInterval.End(value) else { break }
      bound.append(end, index.shape.components[bound.fields])
    }
    if bound.fields == walk.lead.fields { return walk.span }
    var (span, lead) = (walk.span, walk.lead)
    let ties = RowTies(self, index.shape)
    if walk.isDescending {
      bound.isAfter = true
      let rest = index.span(from: lead, to: bound, isPoint: false, ties: ties)
      span.begin(at: rest.upper, isDescending: true)
    } else {
      lead.isAfter = true
      let rest = index.span(from: bound, to: lead, isPoint: false, ties: ties)
      span.begin(at: rest.lower, isDescending: false)
    }
    return span
  }
}

extension ValueInterval.End {
  /// Before all entries with a value; nil for a missing one.
  init?(_ value: SortValue) {
    switch value {
    case .integer(let number): self.init(first: KeyEncoding.word(number), isAfter: false)
    case .double(let number): self.init(first: KeyEncoding.word(number), isAfter: false)
    case .bytes(let text): self.init(text, isAfter: false)
    case .missing: return nil
    }
  }

  /// Before all entries with a value of a component; nil for a missing one.
  init?(_ value: SortValue, _ component: IndexShape.Component) {
    if component.type == .reference, case .bytes(let encoding) = value {
      self.init(first: KeyEncoding.recordWord(encoding.span), isAfter: false)
    } else {
      self.init(value)
    }
  }
}
