@testable import ZoneQuery

extension OrderedIndexDrill {
  /// Asks for a place, and for a range with a prefix, and compares the answers.
  mutating func probe() {
    var given = random.below(3) == 0 || model.entries.isEmpty ? values() : near()
    given.removeLast(random.below(given.count + 1))
    let isAfter = random.below(2) == 0
    let rank = model.count { entry in
      let order = entry.order(given)
      return order < 0 || isAfter && order == 0
    }
    let place = withBound(given, isAfter: isAfter) { index.seek($0, ties: pool) }
    expect(place.rank == rank, "a rank is \(place.rank), not \(rank)")
    expectEntry(at: place)
    probeBoth(given)
    let other = index.position(rank: random.below(model.entries.count + 1))
    expectEntry(at: other)
    if random.below(8) == 0 { probePrefix(given) }
    let (low, high) = place.rank < other.rank ? (place, other) : (other, place)
    let length = min(high.rank - low.rank, 12)
    expectSlots(from: low, to: index.position(rank: low.rank + length))
    // A bound given by its key and one given by its rank are two names of a place between leaves.
    expectSlots(from: index.position(rank: high.rank - length), to: high)
  }

  /// Asks for two places together, which are those that each bound gives alone: for one key, and for two.
  private mutating func probeBoth(_ given: [ModelValue]) {
    var last = random.below(2) == 0 || model.entries.isEmpty ? values() : near()
    last.removeLast(random.below(last.count + 1))
    func ranks(_ values: [ModelValue]) -> (before: Int, after: Int) {
      (model.count { $0.order(values) < 0 }, model.count { $0.order(values) <= 0 })
    }
    let (first, second) = (ranks(given), ranks(last))
    let places = withBound(given, isAfter: false) { index.places($0, ties: pool) }
    expect(places.lower.rank == first.before && places.upper.rank == first.after, "the places of a key are wrong")
    expectEntry(at: places.upper)
    let isAfter = random.below(2) == 0
    let both = withBound(given, isAfter: isAfter) { lower in
      withBound(last, isAfter: true) { index.seek(lower, $0, ties: pool) }
    }
    expect(both.lower.rank == (isAfter ? first.after : first.before), "the lower of two places is wrong")
    expect(both.upper.rank == second.after, "the upper of two places is wrong")
    expectEntry(at: both.lower)
    expectEntry(at: both.upper)
  }

  private mutating func near() -> [ModelValue] { model.entries[random.below(model.entries.count)].values }

  private func withBound<Result>(
    _ values: [ModelValue], isAfter: Bool, _ body: (IndexBound<Key>) -> Result
  ) -> Result {
    let texts = values.compactMap { value -> [UInt8]? in if case .text(let text) = value { text } else { nil } }
    return LentTexts.lend(texts.first, texts.dropFirst().first) { texts in
      body(IndexBound(key: key(values), words: words(values.count), isAfter: isAfter, texts: texts))
    }
  }

  private mutating func expectEntry(at place: IndexPosition) {
    let entry = index.entry(at: place)
    let expected = place.rank < model.entries.count ? model.entries[place.rank] : nil
    expect(entry?.slot == expected?.slot && entry?.key == expected.map { key($0.values) }, "a place has a wrong entry")
  }

  private mutating func expectSlots(from low: IndexPosition, to high: IndexPosition) {
    let slots = model.entries[low.rank..<high.rank].map(\.slot)
    let isDescending = random.below(2) == 0
    let copied = unsafe [UInt32](unsafeUninitializedCapacity: slots.count) { buffer, count in
      count = unsafe index.collectSlots(from: low, to: high, descending: isDescending, into: buffer)
    }
    expect(copied == (isDescending ? slots.reversed() : slots), "a range has wrong slots")
  }

  /// Compares the range of texts with a prefix, behind the values before.
  private mutating func probePrefix(_ values: [ModelValue]) {
    guard let last = values.last, case .text(let text) = last else { return }
    let prefix = Array(text.prefix(random.below(text.count + 1)))
    let leading = Array(values.dropLast())
    let matches = model.entries.filter { entry in
      guard entry.order(leading) == 0, case .text(let other) = entry.values[values.count - 1] else { return false }
      return other.starts(with: prefix)
    }
    let low = withBound(leading + [.text(prefix)], isAfter: false) { index.rank($0, ties: pool) }
    if let first = matches.first { expect(model.entries[low] == first, "a prefix begins at a wrong place") }
    let end = KeyEncoding.end(ofPrefix: prefix.span)
    expect(
      (end == nil) == (prefix.isEmpty || KeyEncoding.isLong(KeyEncoding.words(prefix).second)), "an end is missing")
    guard let end else { return }
    let high = withBound(values, isAfter: false) { bound in
      var bound = bound
      (bound.key[bound.words - 2], bound.key[bound.words - 1]) = end
      return index.rank(bound, ties: pool)
    }
    expect(high - low == matches.count, "a prefix has \(high - low) entries, not \(matches.count)")
  }

  /// Compares a whole version, in both directions.
  mutating func compare(_ index: OrderedIndex<Key>, _ model: IndexModel) {
    for isDescending in [false, true] {
      var found: [(Key, UInt32)] = []
      var isStraight = true
      index.forEachRun(from: index.start, to: index.end, descending: isDescending) { run in
        for number in 0..<run.count { found.append((run.key(number), run.slot(number))) }
        let edge = isDescending ? run.count - 1 : 0
        isStraight = unsafe isStraight && run.slots[0] == run.slot(edge) && run.words(0)[0] == run.word(0, edge)
        return true
      }
      expect(isStraight, "a run's arrays differ from its entries")
      expect(found.count == model.entries.count, "a walk has \(found.count) entries, not \(model.entries.count)")
      if found.count != model.entries.count { continue }
      let entries = isDescending ? model.entries.reversed() : model.entries
      var isEqual = true
      for (one, other) in zip(found, entries) { isEqual = isEqual && one.0 == key(other.values) && one.1 == other.slot }
      expect(isEqual, "a walk has wrong entries")
    }
  }
}
