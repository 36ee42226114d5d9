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
    /// How the table's zone is ordered against that of a record whose ID the page ended with, where that is another.
    var zones = 0
    for value in anchor.position.values.prefix(max(1, walk.sorted)) {
      guard bound.fields < index.shape.components.count else { break }
      let component = index.shape.components[bound.fields]
      guard let end = end(value, component) else {
        if case .bytes(let encoding) = value { zones = zoneOrder(encoding) }
        break
      }
      bound.append(end, component)
    }
    if bound.fields == walk.lead.fields, zones == 0 { return walk.span }
    var (span, lead) = (walk.span, walk.lead)
    let ties = RowTies(self, index.shape)
    if walk.isDescending {
      bound.isAfter = zones <= 0
      let rest = index.span(from: lead, to: bound, isPoint: false, ties: ties)
      span.begin(at: rest.upper, isDescending: true)
    } else {
      bound.isAfter = zones < 0
      lead.isAfter = true
      let rest = index.span(from: bound, to: lead, isPoint: false, ties: ties)
      span.begin(at: rest.lower, isDescending: false)
    }
    return span
  }

  /// How the table's zone is ordered against another, that of an encoded ID.
  private func zoneOrder(_ encoding: [UInt8]) -> Int {
    let prefix = shape.idPrefix
    return prefix.span.compare(encoding.span)
  }

  /// Before all entries with a value of an index's component; nil for a missing one, and for the ID of another zone's record
  /// where the component is of names.
  func end(_ value: SortValue, _ component: IndexShape.Component) -> ValueInterval.End? {
    guard case .bytes(let encoding) = value, component.type == .reference else { return ValueInterval.End(value) }
    if !component.isRecordName {
      return ValueInterval.End(first: KeyEncoding.recordWord(encoding.span), isAfter: false)
    }
    guard encoding.starts(with: shape.idPrefix) else { return nil }
    return ValueInterval.End(Array(encoding.dropFirst(shape.idPrefix.count)), isAfter: false)
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
}
