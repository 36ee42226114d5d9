// An unsafe leaf: where ordered indexes find the bytes of long texts.
//
// Invariant: the components are those of the index that asks, and its slots those of the table's live rows, or of the one
// row that is being written; the bytes stay as long as the version is pinned or its commit runs.

/// The long texts of a table's rows, for an index on some of its fields.
struct RowTies: KeyTies {
  @inline(__always)
  static var areBroken: Bool { true }

  private let table: Table
  private let components: [IndexShape.Component]

  init(_ table: Table, _ shape: IndexShape) {
    self.table = table
    components = shape.components
  }

  func text(slot: UInt32, component: Int) -> UnsafeRawBufferPointer {
    unsafe table.group(Int(slot) >> RowGroup.shift).rawBytes(
      Int(slot) & (RowGroup.size - 1), components[component].field)
  }
}
