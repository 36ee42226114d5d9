/// Where a row stands in a query's order, as far as two words can tell: by the first sort descriptor.
///
/// | value | high | low |
/// | --- | --- | --- |
/// | missing (ascending) | 0 | 0 |
/// | number, moment | 1 | the value's word |
/// | text | the first word | the second word; of an empty text, whose words are 0, 1 |
/// | distance; without a location | 1; 2 | the distance's word; 0 |
/// | distance, where chords tell some apart | how many are certainly nearer | the distance's word; 0 where it stands alone |
///
/// Descending, all bits are turned over. Rows with equal keys are told apart by ``SortOrder/precedes(_:_:)``, or, where
/// there are many, by further keys (``RowSorter``): texts longer than the words hold, further descriptors, and the record's
/// name.
struct RankKey: Sendable, Equatable {
  var high: UInt64
  var low: UInt64

  @inline(__always)
  static func < (left: RankKey, right: RankKey) -> Bool {
    left.high < right.high || left.high == right.high && left.low < right.low
  }

  var turned: RankKey { RankKey(high: ~high, low: ~low) }
}

extension RankKey {
  /// The distance that a sort by distance has it for, in metres; nil where it is that of a row without a place. Not to be
  /// asked of the keys of rows that chords tell apart, beside which nothing else is offered.
  var distance: Double? { high == 1 ? KeyEncoding.double(low) : nil }

  /// The key of a value that has these words in an index; of a number the second says nothing.
  @inline(__always)
  init(_ word: UInt64, _ second: UInt64, isText: Bool, isDescending: Bool) {
    self.init(high: isText ? word : 1, low: isText ? word == 0 ? 1 : second : word)
    if isDescending { self = turned }
  }
}

/// A row of an answer in the making.
struct RankedRow: Sendable {
  var key: RankKey
  var slot: UInt32
  /// The number of the row's table among those of the query.
  var table: UInt32
}

/// A row of an answer as it is kept until it is read: a slot alone where there is one table and the order is known.
protocol FoundRow {
  init(key: RankKey, slot: UInt32, table: UInt32)

  /// Adds the rows of some entries of an index.
  static func append<Key: IndexKey>(
    _ range: Range<Int>, of entries: IndexRun<Key>, table: UInt32, to rows: inout [Self], key: (Int) -> RankKey)

  var slot: UInt32 { get set }
}

extension RankedRow: FoundRow {
  @inline(__always)
  static func append<Key: IndexKey>(
    _ range: Range<Int>, of entries: IndexRun<Key>, table: UInt32, to rows: inout [RankedRow], key: (Int) -> RankKey
  ) {
    for entry in range { rows.append(RankedRow(key: key(entry), slot: entries.slot(entry), table: table)) }
  }
}

extension UInt32: FoundRow {
  init(key: RankKey, slot: UInt32, table: UInt32) { self = slot }

  @inline(__always)
  static func append<Key: IndexKey>(
    _ range: Range<Int>, of entries: IndexRun<Key>, table: UInt32, to rows: inout [UInt32], key: (Int) -> RankKey
  ) {
    entries.append(range, to: &rows)
  }

  var slot: UInt32 {
    get { self }
    set { self = newValue }
  }
}

/// The first so many of the rows offered, in a query's order, whatever the number offered.
///
/// A binary heap with the last of those kept at its root. Complexity: logarithmic in the limit for each row kept,
/// constant for one that comes after all kept. Until more rows came than are wanted it is an array; its room grows
/// with the rows, never with the limit.
struct FirstRows {
  private(set) var rows: [RankedRow] = []
  private var isHeap = false
  private(set) var limit: Int
  /// In a sort by distance, which rows are not to be looked at more closely.
  private var distances: DistanceBounds?

  init(limit: Int, capacity: Int = 0) {
    self.limit = limit
    if capacity > 0 { rows.reserveCapacity(capacity) }
  }

  /// The key that a row has to come before to be kept; nil while every row is.
  @inline(__always)
  var threshold: RankKey? { isHeap ? rows[0].key : nil }

  /// Begins anew.
  mutating func removeAll(limit: Int, distances: DistanceBounds?) {
    rows.removeAll(keepingCapacity: true)
    isHeap = false
    self.limit = limit
    self.distances = distances
  }

  /// Whether, in a sort by distance, a row with a place is certainly not to be kept.
  @inline(__always)
  mutating func passesOver(latitude: Double, longitude: Double) -> Bool {
    let last = threshold
    return distances?.passesOver(latitude: latitude, longitude: longitude, last: last) == true
  }

  @inline(__always)
  mutating func offer(_ row: RankedRow, _ precedes: (RankedRow, RankedRow) -> Bool) {
    if isHeap {
      if rows[0].key < row.key { return }
      replaceLast(row, precedes)
    } else {
      rows.append(row)
      if rows.count >= limit { makeHeap(precedes) }
    }
  }

  private mutating func replaceLast(_ row: RankedRow, _ precedes: (RankedRow, RankedRow) -> Bool) {
    guard precedes(row, rows[0]) else { return }
    rows[0] = row
    siftDown(0, precedes)
  }

  private mutating func makeHeap(_ precedes: (RankedRow, RankedRow) -> Bool) {
    isHeap = true
    var parent = rows.count / 2
    while parent > 0 {
      parent -= 1
      siftDown(parent, precedes)
    }
  }

  private mutating func siftDown(_ start: Int, _ precedes: (RankedRow, RankedRow) -> Bool) {
    var parent = start
    while true {
      var last = parent
      let child = 2 * parent + 1
      if child < rows.count, precedes(rows[last], rows[child]) { last = child }
      if child + 1 < rows.count, precedes(rows[last], rows[child + 1]) { last = child + 1 }
      if last == parent { return }
      rows.swapAt(parent, last)
      parent = last
    }
  }

  /// Puts the rows kept into order.
  mutating func sort(_ order: SortOrder, row: (RankedRow) -> TableRow) {
    RowSorter(order: order).sort(&rows, row: row)
    isHeap = false
  }
}
