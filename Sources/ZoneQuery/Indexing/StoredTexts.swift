// An unsafe leaf: reads the long texts of an index's entries where their rows lie.
//
// Invariant: the table is one of a version that the caller holds, and the index one of its own.

/// The texts that an ordered index has of its first field, each once.
struct StoredTexts {
  private let index: TableIndex
  private let ties: RowTies

  /// The index's first field is one of texts.
  init(_ index: TableIndex, _ ties: RowTies) { (self.index, self.ties) = (index, ties) }

  /// How many texts a run of entries is taken to have: of some entries, spread over it, it is told how many differ from the
  /// one before.
  ///
  /// Complexity: constant but for the depth of the index.
  func count(_ span: IndexSpan) -> Double {
    switch index.entries {
    case .one, .postings: 0
    case .two(let index): count(span, index)
    case .three(let index): count(span, index)
    case .four(let index): count(span, index)
    }
  }

  /// The runs of those entries whose text passes, ascending and apart; nil where more texts would be looked at than may be, and
  /// where `holds` returns it.
  ///
  /// Complexity: linear in the leaves of the entries, and in the texts, each of which is asked about once; of long ones that
  /// begin alike so that the index's words do not tell them apart, each is looked for with a logarithmic number of looks.
  func spans(_ span: IndexSpan, most: Int, where holds: (Span<UInt8>) -> Bool?) -> [IndexSpan]? {
    switch index.entries {
    case .one, .postings: nil
    case .two(let index): spans(span, index, most, holds)
    case .three(let index): spans(span, index, most, holds)
    case .four(let index): spans(span, index, most, holds)
    }
  }

  /// In how many places entries are looked at, and how many in each.
  private static let (places, samples) = (16, 32)

  private func count<Key: IndexKey>(_ span: IndexSpan, _ index: OrderedIndex<Key>) -> Double {
    let step = max(StoredTexts.samples, span.count / StoredTexts.places)
    var (pairs, changes, rank) = (0, 0, span.lower.rank)
    while rank < span.upper.rank {
      index.forEachRun(from: index.position(rank: rank), to: span.upper) { run in
        let entries = min(run.count, StoredTexts.samples)
        for entry in 1..<max(1, entries) where run.text(entry) != run.text(entry - 1) { changes += 1 }
        pairs += max(0, entries - 1)
        return false
      }
      rank += step
    }
    return pairs == 0 ? Double(span.count) : 1 + Double(changes) / Double(pairs) * Double(span.count - 1)
  }

  private func spans<Key: IndexKey>(
    _ span: IndexSpan, _ index: OrderedIndex<Key>, _ most: Int, _ holds: (Span<UInt8>) -> Bool?
  ) -> [IndexSpan]? {
    var found = PassingTexts(index, ties, most: most)
    // The entry before the one that is come to.
    var (rank, before) = (span.lower.rank, UInt32(0))
    let isWhole = index.forEachRun(from: span.lower, to: span.upper) { run in
      defer { (rank, before) = (rank + run.count, run.slot(run.count - 1)) }
      // Entries ascend: all are alike where the first and the last are.
      var entry = found.group == run.text(run.count - 1) ? run.count : 0
      while entry < run.count {
        if found.group != run.text(entry) {
          let last = entry == 0 ? before : run.slot(entry - 1)
          guard found.closeGroup(at: rank + entry, last: last, holds) else { return false }
          found.openGroup(run.text(entry), at: rank + entry, run.slot(entry))
        }
        entry += 1
      }
      return true
    }
    guard isWhole, found.closeGroup(at: rank, last: before, holds) else { return nil }
    return found.spans
  }
}

/// A text's words, as far as they hold it.
private struct TextWords: Equatable {
  let (first, second): (UInt64, UInt64)
}

extension IndexRun {
  /// The words of the first field's text of the `index`-th entry.
  @inline(__always)
  fileprivate func text(_ index: Int) -> TextWords { TextWords(first: word(0, index), second: word(1, index)) }
}

/// The runs of entries whose text passes, as a walk comes to them.
///
/// Entries with equal words are a group: they have one text, unless it is long.
private struct PassingTexts<Key: IndexKey> {
  private let index: OrderedIndex<Key>
  private let ties: RowTies
  /// How many more texts may be looked at.
  private var left: Int
  private(set) var group: TextWords?
  /// Where the group begins, and the slot of its first entry.
  private var start = 0
  private var firstSlot: UInt32 = 0
  private var ranges: [(lower: Int, upper: Int, isPoint: Bool)] = []
  private var text: [UInt8] = []

  init(_ index: OrderedIndex<Key>, _ ties: RowTies, most: Int) {
    (self.index, self.ties, left) = (index, ties, most)
  }

  var spans: [IndexSpan] {
    ranges.map {
      IndexSpan(
        lower: index.position(rank: $0.lower), upper: index.position(rank: $0.upper),
        isPoint: $0.isPoint && Key.wordCount == 2)
    }
  }

  mutating func openGroup(_ words: TextWords, at rank: Int, _ slot: UInt32) {
    (group, start, firstSlot) = (words, rank, slot)
  }

  /// Takes the group, which ends before a place with the entry of a slot, if there is one; false where too many texts were
  /// looked at, or no more are to be.
  mutating func closeGroup(at end: Int, last: UInt32, _ holds: (Span<UInt8>) -> Bool?) -> Bool {
    guard let group else { return true }
    text.removeAll(keepingCapacity: true)
    if !KeyEncoding.isLong(group.second) {
      KeyEncoding.append(group.first, group.second, to: &text)
      return take(start, end, holds)
    }
    unsafe text.append(contentsOf: ties.text(slot: firstSlot, component: 0))
    if end - start == 1 || isText(of: last) { return take(start, end, holds) }
    // Several texts that begin alike: each ends where the next begins.
    while true {
      var (low, high) = (start + 1, end)
      while low < high {
        let middle = (low + high) / 2
        guard left > 0, let entry = index.entry(at: index.position(rank: middle)) else { return false }
        left -= 1
        if isText(of: entry.slot) { low = middle + 1 } else { high = middle }
      }
      guard take(start, low, holds) else { return false }
      if low == end { return true }
      guard let entry = index.entry(at: index.position(rank: low)) else { return false }
      start = low
      text.removeAll(keepingCapacity: true)
      unsafe text.append(contentsOf: ties.text(slot: entry.slot, component: 0))
    }
  }

  private func isText(of slot: UInt32) -> Bool {
    let other = unsafe ties.text(slot: slot, component: 0)
    return unsafe other.count == text.count && other.elementsEqual(text)
  }

  /// Takes the entries of one text.
  private mutating func take(_ lower: Int, _ upper: Int, _ holds: (Span<UInt8>) -> Bool?) -> Bool {
    left -= 1
    guard left >= 0, let passes = holds(text.span) else { return false }
    if !passes { return true }
    if let last = ranges.last, last.upper == lower {
      ranges[ranges.count - 1] = (last.lower, upper, false)
    } else {
      ranges.append((lower, upper, true))
    }
    return true
  }
}
