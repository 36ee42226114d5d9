// An unsafe leaf: where ordered indexes find the bytes of long texts.
//
// Invariant: the components are those of the index that asks, and the slots whose long texts it asks for those of the table's
// live rows, or of the one row that is being written; the bytes stay as long as the version is pinned or its commit runs.

/// The long texts of a table's rows, and their long names, for an index on some of its fields.
struct RowTies: KeyTies {
  @inline(__always)
  static var areBroken: Bool { true }

  private let rows: TableRows
  private let fields: SIMD4<Int32>

  init(_ table: borrowing Table, _ shape: IndexShape) { self.init(table.rows, shape) }

  init(_ rows: TableRows, _ shape: IndexShape) {
    self.rows = rows
    fields = shape.fields
  }

  func text(slot: UInt32, component: Int) -> UnsafeRawBufferPointer {
    let (group, row) = (rows.group(Int(slot) >> RowGroup.shift), Int(slot) & (RowGroup.size - 1))
    let field = Int(fields[component])
    return unsafe field == FieldNumber(.recordID) ? group.name(row) : group.rawBytes(row, field)
  }
}
