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
}
