/// A stored record, asked about before another takes its place: what that takes over, and what it is to differ in.
///
/// It is to be used until anything is written to its group of rows, by the same commit too, whose own pages may be used again
/// at once. (A ``StoredRecord`` is one of a published version, or of a commit's end.)
struct StoredRow {
  let shape: TableShape
  let group: RowGroup
  let row: Int

  /// Calls `body` with each field that some positions of the record type lack and the record has.
  private func forEachOther(but positions: [Int32], _ body: (FieldNumber) -> Void) {
    var given = FieldSet()
    for position in positions where position >= 0 { given.insert(.position(Int(position))) }
    for field in FieldLayout.systemCount..<shape.layout.count
    where !given.contains(field) && group.isPresent(row, field) {
      body(field)
    }
  }

  /// Adds to a record the stored one's fields that it lacks: those named, or all.
  func addOthers(to record: inout Record, but positions: [Int32], keys: [String]?) {
    let keys = keys.map { Set($0.map(ByteKey.init)) }
    forEachOther(but: positions) { field in
      let name = shape.layout.name(of: field)
      if let keys, !keys.contains(ByteKey(name)) { return }
      if let value = shape.value(group, row, field) { record.append(value, to: name) }
    }
  }

  /// Adds to a record the stored one's references that it lacks.
  func addOtherReferences(to record: inout Record, but positions: [Int32]) {
    for field in shape.references where !positions.contains(Int32(field - FieldLayout.systemCount)) {
      if let value = shape.value(group, row, field) { record.append(value, to: shape.layout.name(of: field)) }
    }
  }

  /// The bytes that the record's other fields count, as ``RecordFit/size`` has it.
  func bytes(but positions: [Int32]) -> Int {
    var sum = 0
    forEachOther(but: positions) { field in
      sum += shape.layout.name(of: field).utf8.count + (shape.value(group, row, field)?.size ?? 0)
    }
    return sum
  }

  /// No less than all its fields count, without a look at the values.
  var mostBytes: Int {
    var stored = 0
    for field in shape.byteFields where group.isPresent(row, field) {
      stored += group.withStoredBytes(row, field) { $0.count }
    }
    // A member of a list has a byte for its length at least, and counts four.
    return shape.mostFixedBytes + stored * 4
  }

  /// Whether the record has a change tag.
  func hasChangeTag(_ tag: String?) -> Bool {
    sameBytes(ZoneState.changeTag(group.integer(row, FieldNumber(.changeTag))), tag)
  }

  /// The user that a field names, which most likely is a known one.
  func user(_ field: SystemField, known: RecordID) -> RecordID? {
    if group.holds(row, FieldNumber(field), known) { return known }
    return reference(field)?.recordID
  }

  func timestamp(_ field: SystemField) -> Timestamp? { group.timestamp(row, field) }

  func reference(_ field: SystemField) -> Reference? {
    if case .reference(let reference)? = shape.value(group, row, FieldNumber(field)) { reference } else { nil }
  }
}

extension Table {
  /// The record in a slot.
  func stored(_ slot: Int) -> StoredRow {
    let (group, row) = place(slot)
    return StoredRow(shape: shape, group: group, row: row)
  }
}
