/// Puts rows into a query's full order.
///
/// Rows are compared by two words each, their ``RankKey``; those that have one key get another, of what tells them apart next:
/// the bytes behind those that are the same in all of them, the next descriptor's value, at last the record's name. So each row is
/// looked at once for each key, and not again for each row that it is compared with.
///
/// Complexity: n log n comparisons of two words for each key, and their texts' bytes once; what eight keys do not tell apart is
/// compared by its values.
struct RowSorter {
  let order: SortOrder

  /// What the rows of one key are compared by.
  private struct Level {
    /// The sort descriptor; behind the last, the record's name.
    var descriptor = 0
    /// How many of the text's bytes the keys before told.
    var offset = 0
    /// How many keys there were before.
    var depth = 0
  }

  /// So many keys are made of a row at most: of many descriptors more cost more than comparing.
  private static let mostLevels = 8
  /// Of so few rows a key each costs more than comparing them does.
  static let few = 6

  /// Sorts rows by their keys, which are those of the first descriptor, and by all that follows; `row` returns a row's values.
  func sort(_ rows: inout [RankedRow], row: (RankedRow) -> TableRow) {
    rows.sort { $0.key < $1.key }
    settleTies(&rows, Level(), row)
  }

  /// Sorts rows that come from an index in the order of the first descriptors and have the same words there.
  func sortTied(_ rows: inout [RankedRow], first count: Int, row: (RankedRow) -> TableRow) {
    // Numbers are the same where their words are.
    let numbers = order.types.prefix(count).prefix { $0 != .string && $0 != .reference && $0 != .location }
    let level = Level(descriptor: numbers.count)
    rank(&rows, level, row)
    rows.sort { $0.key < $1.key }
    settleTies(&rows, level, row)
  }

  /// Sorts each run of rows of one key, which a level's are.
  private func settleTies(_ rows: inout [RankedRow], _ level: Level, _ row: (RankedRow) -> TableRow) {
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].key == rows[start].key { end += 1 }
      if end - start > 1 { settle(&rows, start..<end, level, row) }
      start = end
    }
  }

  private func settle(
    _ rows: inout [RankedRow], _ range: Range<Int>, _ level: Level, _ row: (RankedRow) -> TableRow
  ) {
    var tied = Array(rows[range])
    if tied.count > Self.few, let next = next(behind: level, tied, row) {
      rank(&tied, next, row)
      tied.sort { $0.key < $1.key }
      settleTies(&tied, next, row)
    } else {
      tied.sort { order.precedes(row($0), row($1)) }
    }
    for (place, row) in zip(range, tied) { (rows[place].slot, rows[place].table) = (row.slot, row.table) }
  }

  /// What rows that have a level's key in common are compared by; nil where their values have to be.
  private func next(behind level: Level, _ rows: [RankedRow], _ row: (RankedRow) -> TableRow) -> Level? {
    let isName = level.descriptor == order.descriptors.count
    let key = rows[0].key
    let own = isName || !order.descriptors[level.descriptor].isDescending ? key : key.turned
    let depth = level.depth + 1
    if depth == Self.mostLevels { return nil }
    let behind = isName ? nil : Level(descriptor: level.descriptor + 1, depth: depth)
    switch isName ? .string : order.descriptors[level.descriptor].type {
    case .location: return nil
    case .int64, .timestamp, .double: return behind
    // The first keys of references say nothing.
    case .reference where level.depth == 0 && key == order.tiedKey:
      return Level(descriptor: level.descriptor, depth: depth)
    default:
      // Of no text, an empty one, and one that the words hold whole there is no more.
      if own.high == 0 || !KeyEncoding.isLong(own.low) { return behind }
      guard let offset = firstDifference(rows, level, row) else { return behind }
      return Level(descriptor: level.descriptor, offset: offset, depth: depth)
    }
  }

  /// The first byte that is not the same in the texts of all rows; nil where the texts are the same.
  private func firstDifference(_ rows: [RankedRow], _ level: Level, _ row: (RankedRow) -> TableRow) -> Int? {
    withText(row(rows[0]), level) { first in
      var (common, areSame) = (first.count, true)
      for other in rows.dropFirst() {
        withText(row(other), level) { text in
          let end = min(common, text.count)
          common = text.firstDifference(from: first, in: min(level.offset, end)..<end)
          if common < end || text.count != first.count { areSame = false }
        }
      }
      return areSame ? nil : common
    }
  }

  private func withText<Result>(_ row: TableRow, _ level: Level, _ body: (Span<UInt8>) -> Result) -> Result {
    level.descriptor == order.descriptors.count
      ? row.withName(body) : row.withBytes(order.descriptors[level.descriptor].field, body)
  }

  /// Gives each row the key of a level.
  private func rank(_ rows: inout [RankedRow], _ level: Level, _ row: (RankedRow) -> TableRow) {
    for place in rows.indices { rows[place].key = key(row(rows[place]), level) }
  }

  private func key(_ row: TableRow, _ level: Level) -> RankKey {
    if level.descriptor == order.descriptors.count {
      return withText(row, level) { RankKey(text: $0, from: level.offset) }
    }
    let descriptor = order.descriptors[level.descriptor]
    var key = RankKey(high: descriptor.origin == nil ? 0 : 2, low: 0)
    if row.isPresent(descriptor.field) {
      switch descriptor.type {
      case .int64, .timestamp: key = RankKey(high: 1, low: KeyEncoding.word(row.integer(descriptor.field)))
      case .double: key = RankKey(high: 1, low: KeyEncoding.word(row.double(descriptor.field)))
      case .location:
        if case .double(let distance) = order.value(row, descriptor) {
          key = RankKey(high: 1, low: KeyEncoding.word(distance))
        }
      default: key = withText(row, level) { RankKey(text: $0, from: level.offset) }
      }
    }
    return descriptor.isDescending ? key.turned : key
  }
}

extension RankKey {
  /// The key of a text from one of its bytes on.
  fileprivate init(text: Span<UInt8>, from offset: Int) {
    let words = KeyEncoding.words(text.extracting(offset...))
    self.init(words.first, words.second, isText: true, isDescending: false)
  }
}
