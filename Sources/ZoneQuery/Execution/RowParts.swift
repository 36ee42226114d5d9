/// The rows of a table in the parts that are held against conditions together: small ones where few rows are wanted, as
/// what stands behind these is looked at for nothing.
struct RowParts {
  struct Part {
    let group: Int
    let view: RowGroup
    let rows: SIMD4<UInt64>
  }

  private let rows: TableRows
  private var slot: Int
  private var isFirst = true

  init(_ rows: TableRows, from slot: Int = 0) { (self.rows, self.slot) = (rows, slot) }

  /// How many rows a part has at most where so many are wanted, the first one and those behind it.
  static func rowsTogether(wanted: Int, isFirst: Bool) -> Int {
    isFirst && wanted < 8 ? 16 : wanted < 64 ? 64 : RowGroup.size
  }

  /// The next part, whose rows are those that are live; nil behind the last, and where no more are wanted.
  @inline(__always)
  mutating func next(wanted: Int) -> Part? {
    let (group, row) = (slot >> RowGroup.shift, slot & (RowGroup.size - 1))
    guard wanted > 0, group < rows.groups.count else { return nil }
    // Parts end with a word of the group's set, or with it.
    let together = Self.rowsTogether(wanted: wanted, isFirst: isFirst)
    let end = min(row + together, row | (max(together, 64) - 1) + 1)
    isFirst = false
    slot = group << RowGroup.shift + end
    let view = rows.group(group)
    return Part(group: group, view: view, rows: view.live.rows(from: row, to: end))
  }
}

extension SIMD4<UInt64> {
  /// Those of a set's rows that are not before one, and before another.
  @inline(__always)
  fileprivate func rows(from first: Int, to end: Int) -> SIMD4<UInt64> {
    if end - first == RowGroup.size { return self }
    var (part, word) = (SIMD4<UInt64>(), first >> 6)
    while word << 6 < end {
      part[word] = self[word] & ~0 << UInt64(Swift.max(0, first - word << 6))
      if end < word << 6 + 64 { part[word] &= ~(~0 << UInt64(end & 63)) }
      word += 1
    }
    return part
  }
}
