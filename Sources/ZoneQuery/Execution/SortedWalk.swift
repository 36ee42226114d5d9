/// Takes rows as they stand in an index, those with equal keys in the query's full order, until there are enough.
///
/// It holds no references, so that making one counts none.
struct SortedWalk {
  /// The number of the table among those of the query.
  let number: UInt32
  /// The component of the index that the query sorts by first.
  let component: IndexShape.Component
  /// How many words of a key, from this component's on, the query sorts by.
  let words: Int
  let wanted: Int
  /// The second words of the texts among them, a bit each: the last bit of such a word says whether the text is long.
  private let textWords: UInt8
  /// Whether what is greater comes first: looked up once.
  private let isDescending: Bool
  /// The key of every row, where the rows of other tables are not ordered by the words: names are, zone by zone.
  private let commonKey: RankKey
  private let hasCommonKey: Bool

  /// A walk along so many descriptors of the query's, by an index's components from a position on.
  init(_ order: SortOrder, number: UInt32, _ shape: IndexShape, from position: Int, sorted: Int, wanted: Int) {
    (self.number, self.wanted) = (number, wanted)
    component = shape.components[position]
    isDescending = order.descriptors[0].isDescending
    hasCommonKey = component.isRecordName
    commonKey = hasCommonKey ? order.tiedKey : .none
    var (words, textWords): (Int, UInt8) = (0, 0)
    for next in position..<min(position + max(1, sorted), shape.components.count) {
      words += shape.components[next].wordCount
      if shape.components[next].wordCount == 2 { textWords |= 2 << UInt8(shape.components[next].word) }
    }
    (self.words, self.textWords) = (words, textWords)
  }

  /// Adds the rows between two places that pass, at least so many as are wanted if there are; more where the last of
  /// them has equals.
  ///
  /// `stops` says, between some entries and others, whether the walk is to end; `takesAll` whether all rows pass from here on,
  /// and `passes` whether that of an entry does. `settle` puts the rows
  /// from a position on, whose keys are equal, in order; `precedes` tells of two slots whether the first's comes before, and
  /// `areTied` whether both have the same values where long texts are among them, of which a key tells the beginning alone.
  ///
  /// - Returns: How many entries were visited, and whether the budget was spent before there were enough rows.
  @inline(__always)
  func take<Key: IndexKey, Row: FoundRow>(
    _ index: OrderedIndex<Key>, from lower: IndexPosition, to upper: IndexPosition, descending: Bool,
    budget: Int = .max, into rows: inout [Row], stops: () -> Bool, takesAll: () -> Bool,
    where passes: (IndexRun<Key>, Int, RankKey) -> Bool,
    settle: (inout [Row], Int) -> Void, precedes: (UInt32, UInt32) -> Bool, areTied: (UInt32, UInt32) -> Bool
  ) -> (visited: Int, isSpent: Bool) {
    var start = rows.count
    /// Of more equals than are wanted the last that is, as far as is known.
    var last: UInt32?
    /// The key of the rows from `start` on.
    var equal = Key()
    var (visited, isSpent) = (0, false)
    index.forEachRun(from: lower, to: upper, descending: descending) { entries in
      if stops() { return false }
      var entry = 0
      while entry < entries.count {
        if rows.count - start <= 1, takesAll() {
          let most = min(entries.count - entry, wanted - rows.count, budget - visited)
          let count = distinctCount(entries, from: entry, most: most, behind: rows.count > start ? equal : nil)
          if count > 0 {
            Row.append(entry..<entry + count, of: entries, table: number, to: &rows) { rankKey(entries, $0) }
            entry += count
            (visited, start) = (visited + count, rows.count - 1)
            equal = entries.key(entry - 1)
            if entry == entries.count { break }
          }
        }
        let key = rankKey(entries, entry)
        let slot = entries.slot(entry)
        entry += 1
        if rows.count > start, !isTied(entries.key(entry - 1), slot, equal, rows[start].slot, areTied) {
          if rows.count - start > 1 { settle(&rows, start) }
          start = rows.count
          if start >= wanted { return false }
        }
        if visited >= budget {
          isSpent = true
          return false
        }
        visited += 1
        if !passes(entries, entry - 1, key) { continue }
        if rows.count == start { equal = entries.key(entry - 1) }
        if let last, !precedes(slot, last) { continue }
        rows.append(Row(key: key, slot: slot, table: number))
        if areMany(rows.count, start) { last = keepFirst(&rows, start, settle) }
      }
      return true
    }
    if !isSpent, rows.count - start > 1 { settle(&rows, start) }
    return (visited, isSpent)
  }

  /// The same where some entries at a time are asked about: `passing` says which pass, a bit each, and `passes`, where
  /// there is one, is asked of these alone.
  ///
  /// - Returns: Whether there were enough rows with all their equals, or no more, before so many entries were visited.
  @inline(__always)
  func takePassing<Key: IndexKey, Row: FoundRow>(
    _ index: OrderedIndex<Key>, from lower: IndexPosition, to upper: IndexPosition, descending: Bool, budget: Int,
    into rows: inout [Row], stops: () -> Bool, passing: (IndexRun<Key>, Int, Int) -> UInt32,
    where passes: ((UInt32, RankKey) -> Bool)?,
    settle: (inout [Row], Int) -> Void, precedes: (UInt32, UInt32) -> Bool, areTied: (UInt32, UInt32) -> Bool
  ) -> Bool {
    var start = rows.count
    /// Of more equals than are wanted the last that is, as far as is known.
    var last: UInt32?
    /// The key of the rows from `start` on.
    var equal = Key()
    var (visited, isSpent) = (0, false)
    index.forEachRun(from: lower, to: upper, descending: descending) { entries in
      if stops() { return false }
      var first = 0
      while first < entries.count {
        // Once there are enough rows, the next entry tells whether the last may have equals.
        if rows.count >= wanted, rows.count > start,
          !isTied(entries.key(first), entries.slot(first), equal, rows[start].slot, areTied)
        {
          return false
        }
        if visited >= budget {
          isSpent = true
          return false
        }
        let count = min(RowTests.together, entries.count - first)
        var passed = passing(entries, first, count)
        while passed != 0 {
          let entry = first + passed.trailingZeroBitCount
          passed &= passed - 1
          let key = entries.key(entry)
          if rows.count > start, !isTied(key, entries.slot(entry), equal, rows[start].slot, areTied) {
            if rows.count - start > 1 { settle(&rows, start) }
            start = rows.count
            if start >= wanted { return false }
          }
          if let passes, !passes(entries.slot(entry), rankKey(entries, entry)) { continue }
          equal = key
          if let last, !precedes(entries.slot(entry), last) { continue }
          rows.append(Row(key: rankKey(entries, entry), slot: entries.slot(entry), table: number))
          if areMany(rows.count, start) { last = keepFirst(&rows, start, settle) }
        }
        (first, visited) = (first + count, visited + count)
      }
      return true
    }
    if !isSpent, rows.count - start > 1 { settle(&rows, start) }
    return !isSpent
  }

  /// Offers the rows of a stretch to those kept, until the rest of it comes behind all that are wanted.
  ///
  /// `passes` says whether the row of an entry is to be offered, `isBehind` whether the row of a slot comes, by the values
  /// that the index is in the order of, behind another, and `precedes` whether a row comes before another.
  ///
  /// - Returns: How many entries were visited: as many as the budget where that was spent.
  @inline(__always)
  func offer<Key: IndexKey>(
    _ index: OrderedIndex<Key>, _ span: IndexSpan, descending: Bool, budget: Int, to first: inout FirstRows,
    stops: () -> Bool, where passes: (IndexRun<Key>, Int, RankKey) -> Bool, isBehind: (UInt32, RankedRow) -> Bool,
    precedes: (RankedRow, RankedRow) -> Bool
  ) -> Int {
    var visited = 0
    index.forEachRun(from: span.lower, to: span.upper, descending: descending) { entries in
      if stops() { return false }
      var entry = 0
      while entry < entries.count {
        let (key, slot) = (rankKey(entries, entry), entries.slot(entry))
        if let threshold = first.threshold {
          if threshold < key { return false }
          // Of long texts the key tells the beginning alone, and of names nothing.
          if threshold == key, hasCommonKey || hasLongText(entries.key(entry)), isBehind(slot, first.rows[0]) {
            return false
          }
        }
        if visited >= budget { return false }
        visited += 1
        if passes(entries, entry, key) {
          first.offer(RankedRow(key: key, slot: slot, table: number), precedes)
        }
        entry += 1
      }
      return true
    }
    return visited
  }

  /// Offers the rows of all stretches of a walk that are behind the end of the page before, each once.
  ///
  /// - Returns: As for one stretch.
  @inline(__always)
  func offerStretches<Key: IndexKey>(
    of walk: Plan.Walk, _ index: OrderedIndex<Key>, _ order: SortOrder, _ source: TableRow.Source,
    behind place: SortAnchor?, budget: Int, to first: inout FirstRows, stops: () -> Bool,
    where passes: (IndexRun<Key>, Int) -> Bool, isBehind: (UInt32, RankedRow) -> Bool,
    precedes: (RankedRow, RankedRow) -> Bool
  ) -> Int {
    var (visited, seen) = (0, Set<UInt32>())
    for stretch in walk.stretches {
      visited += offer(
        index, source.table.span(of: stretch, behind: place, order), descending: walk.isDescending,
        budget: budget - visited, to: &first, stops: stops,
        where: { entries, entry, key in
          guard passes(entries, entry) else { return false }
          let slot = entries.slot(entry)
          if let place {
            if key < place.key { return false }
            if key == place.key, !order.isBehind(source.row(Int(slot)), place.position) { return false }
          }
          return !walk.hasRepeats || seen.insert(slot).inserted
        }, isBehind: isBehind, precedes: precedes)
      if visited >= budget { break }
    }
    return visited
  }

  /// Whether there are so many rows with equal keys, from `start` on, that those are to go that are not wanted.
  @inline(__always)
  private func areMany(_ count: Int, _ start: Int) -> Bool {
    count - start > 2 * min(wanted - start, 1 << 40) + 64
  }

  /// Of many equals, keeps those that come first, and returns the slot of the last of these: behind it none is wanted.
  @inline(never)
  private func keepFirst<Row: FoundRow>(
    _ rows: inout [Row], _ start: Int, _ settle: (inout [Row], Int) -> Void
  ) -> UInt32? {
    settle(&rows, start)
    rows.removeLast(rows.count - wanted)
    return rows.last?.slot
  }

  @inline(__always)
  private func rankKey<Key: IndexKey>(_ entries: IndexRun<Key>, _ entry: Int) -> RankKey {
    if hasCommonKey { return commonKey }
    let isText = component.wordCount == 2
    return RankKey(
      entries.word(component.word, entry), isText ? entries.word(component.word + 1, entry) : 0, isText: isText,
      isDescending: isDescending)
  }

  /// How many entries from one on, at most so many, each have another key than the one before.
  @inline(__always)
  private func distinctCount<Key: IndexKey>(
    _ entries: IndexRun<Key>, from first: Int, most: Int, behind previous: Key?
  ) -> Int {
    if most <= 0 { return 0 }
    if let previous, isEqual(entries.key(first), previous) { return 0 }
    return entries.distinctCount(from: first, most: most, component.word, words: words)
  }

  /// Whether an entry's slot has the values that the query sorts by of another's, whose key is given as well.
  @inline(__always)
  private func isTied<Key: IndexKey>(
    _ key: Key, _ slot: UInt32, _ other: Key, _ otherSlot: UInt32, _ areTied: (UInt32, UInt32) -> Bool
  ) -> Bool {
    isEqual(key, other) && (!hasLongText(key) || areTied(slot, otherSlot))
  }

  /// Whether a key, of what the query sorts by, tells the beginning of a text alone.
  @inline(__always)
  private func hasLongText<Key: IndexKey>(_ key: Key) -> Bool {
    if textWords == 0 { return false }
    var word = component.word
    while word < component.word + words {
      if textWords >> UInt8(truncatingIfNeeded: word) & 1 == 1, KeyEncoding.isLong(key[word]) { return true }
      word += 1
    }
    return false
  }

  @inline(__always)
  private func isEqual<Key: IndexKey>(_ left: Key, _ right: Key) -> Bool {
    var word = component.word
    while word < component.word + words {
      if left[word] != right[word] { return false }
      word += 1
    }
    return true
  }
}

extension SortOrder {
  /// Puts rows of one table with equal keys by the first descriptors, from a position on, into the full order.
  @inline(never)
  func settle<Row: FoundRow>(_ rows: inout [Row], from start: Int, first count: Int, _ source: TableRow.Source) {
    if rows.count - start <= RowSorter.few { return rows[start...].sort { precedes($0.slot, $1.slot, source) } }
    var tied = rows[start...].map { RankedRow(key: .none, slot: $0.slot, table: 0) }
    RowSorter(order: self).sortTied(&tied, first: count) { source.row(Int($0.slot)) }
    for (place, row) in zip(rows.indices[start...], tied) { rows[place].slot = row.slot }
  }

  /// Whether two rows of a table that have the same key by the first descriptors have the same texts, too.
  @inline(never)
  func areTied(_ left: UInt32, _ right: UInt32, first count: Int, _ source: TableRow.Source) -> Bool {
    let (left, right) = (source.row(Int(left)), source.row(Int(right)))
    return descriptors.prefix(max(1, count)).allSatisfy { descriptor in
      descriptor.type != .string && descriptor.type != .reference
        || left.withBytes(descriptor.field) { left in right.withBytes(descriptor.field) { left.compare($0) == 0 } }
    }
  }

  /// Whether a row has other values by the first descriptors than another, and such as come behind.
  @inline(never)
  func isBehind(_ row: TableRow, _ other: TableRow, first count: Int) -> Bool {
    for descriptor in descriptors.prefix(max(1, count)) {
      let order = compare(value(row, descriptor), value(other, descriptor), descriptor)
      if order != 0 { return order > 0 }
    }
    return false
  }

  /// Whether one row of a table comes before another that has the same key.
  @inline(never)
  func precedes(_ left: UInt32, _ right: UInt32, _ source: TableRow.Source) -> Bool {
    if !isOfOneNumber { return precedes(source.row(Int(left)), source.row(Int(right))) }
    let rows = source.rows
    return rows.withName(Int(left)) { name in rows.withName(Int(right)) { name.compare($0) < 0 } }
  }
}

/// Tells which rows are behind the end of the page before, where they come in an index's order.
struct PageStart {
  private let anchor: SortAnchor
  private let order: SortOrder
  /// How many of the query's sort descriptors the index's order satisfies.
  private let sorted: Int
  /// The name of its record, where rows with equal keys differ in their names alone.
  private let name: [UInt8]?
  /// Whether a row was behind: what an index puts behind that needs no further look.
  private(set) var isPassed = false

  init(_ anchor: SortAnchor, _ order: SortOrder, sorted: Int) {
    (self.anchor, self.order, self.sorted) = (anchor, order, sorted)
    name = order.isOfOneNumber ? Array(anchor.position.recordName.utf8) : nil
  }

  @inline(__always)
  mutating func admits(_ slot: UInt32, _ key: RankKey, _ source: TableRow.Source) -> Bool {
    isPassed || admitsFirst(slot, key, source)
  }

  @inline(never)
  private mutating func admitsFirst(_ slot: UInt32, _ key: RankKey, _ source: TableRow.Source) -> Bool {
    if key < anchor.key { return false }
    if let name, key == anchor.key {
      let difference = source.rows.withName(Int(slot)) { $0.compare(name.span) }
      if difference != 0 { return difference > 0 }
    }
    let row = source.row(Int(slot))
    let difference = key == anchor.key ? order.compare(row, anchor.position, first: sorted) : 1
    if difference == 0 { return order.isBehind(row, anchor.position, from: sorted) }
    isPassed = difference > 0
    return isPassed
  }
}
