// An unsafe leaf: hands out where the chunks of a group lie, while the caller holds the version.

/// A group of a table, as a program reads it that answers for all its rows at once.
struct RowBlockView: RowBlock {
  private let source: TableRow.Source
  private let group: RowGroup
  private let number: Int

  init(_ source: TableRow.Source, _ group: RowGroup, _ number: Int) {
    self.source = source
    self.group = group
    self.number = number
  }

  /// Rows behind those that the version has may be written to at the same time.
  var rowCapacity: Int { min(group.capacity, source.rows.rowCount(number)) }
  func presence(_ field: FieldNumber) -> SIMD4<UInt64> { group.presence(field) }
  func isConstant(_ field: FieldNumber) -> Bool { group.isConstant(field) }
  func fixedValues(_ field: FieldNumber) -> UnsafeRawPointer? {
    group.isConstant(field) ? nil : unsafe group.chunk(field)
  }

  func locations(_ field: FieldNumber) -> (latitudes: UnsafeRawPointer, longitudes: UnsafeRawPointer)? {
    guard let chunk = unsafe group.chunk(field) else { return nil }
    return unsafe (chunk, chunk + group.capacity << 3)
  }

  /// Of some rows those whose number has a word (``KeyEncoding``) between two, both included.
  func rows(_ rows: SIMD4<UInt64>, of field: FieldNumber, isDouble: Bool, from lower: UInt64, through upper: UInt64)
    -> SIMD4<UInt64>
  {
    let present = rows & presence(field)
    // One value for all is left to whoever looks at the rows.
    guard let values = unsafe fixedValues(field) else { return present }
    if isDouble {
      return unsafe present
        & ColumnKernels.doubles(
          values, rows: rowCapacity, wanted: present, from: KeyEncoding.double(lower),
          through: KeyEncoding.double(upper))
    }
    return unsafe present
      & ColumnKernels.integers(
        values, rows: rowCapacity, wanted: present, from: KeyEncoding.int64(lower), through: KeyEncoding.int64(upper))
  }

  func row(_ row: Int) -> TableRow { TableRow(source, group, number: number, row: row) }
}

extension TableRow.Source {
  /// The row of a slot.
  @inline(__always)
  func row(_ slot: Int) -> TableRow {
    let number = slot >> RowGroup.shift
    return TableRow(self, rows.group(number), number: number, row: slot & (RowGroup.size - 1))
  }
}

extension TableRow {
  var layout: FieldLayout { source.shape.layout }

  func value(_ field: FieldNumber) -> FieldValue? { source.table.value(slot, field) }
}

/// A set of the rows of a group.
extension SIMD4<UInt64> {
  /// Calls `body` with each row of the set, in order.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Void) {
    var word = 0
    while word < 4 {
      var left = self[word]
      while left != 0 {
        body(64 * word + left.trailingZeroBitCount)
        left &= left &- 1
      }
      word += 1
    }
  }

  /// How many of a group's rows are held against conditions together where so many are wanted.
  static func rowsTogether(wanted: Int) -> Int { wanted < 64 ? 64 : RowGroup.size }

  /// The rows of a group's words from one on that are held against conditions together, and goes on behind them: all of them,
  /// but a word's alone where so few are wanted that these may be enough.
  func part(from word: inout Int, wanted: Int) -> SIMD4<UInt64> {
    var part = SIMD4<UInt64>()
    let end = word + SIMD4<UInt64>.rowsTogether(wanted: wanted) / 64
    while word < Swift.min(end, 4) {
      part[word] = self[word]
      word += 1
    }
    return part
  }

  /// Takes out the rows before one.
  mutating func removeRows(before row: Int) {
    for word in 0..<4 {
      let first = 64 * word
      if row >= first + 64 {
        self[word] = 0
      } else if row > first {
        self[word] &= ~0 << UInt64(row - first)
      }
    }
  }
}
