// What saving and deleting ask of the records that are stored.

extension Table {
  /// The position in the record type of each field that some positions lack and a record has.
  private func forEachOther(_ slot: Int, but positions: [Int32], _ body: (FieldNumber) -> Void) {
    var given = FieldSet()
    for position in positions where position >= 0 { given.insert(.position(Int(position))) }
    for field in FieldLayout.systemCount..<layout.count where !given.contains(field) && isPresent(slot, field) {
      body(field)
    }
  }

  /// Adds to a record the stored one's fields that it lacks: those named, or all.
  func addOthers(to record: inout Record, _ slot: Int, but positions: [Int32], keys: [String]?) {
    let keys = keys.map { Set($0.map(ByteKey.init)) }
    forEachOther(slot, but: positions) { field in
      let name = layout.name(of: field)
      if let keys, !keys.contains(ByteKey(name)) { return }
      if let value = value(slot, field) { record.append(value, to: name) }
    }
  }

  /// Adds to a record the stored one's references that it lacks.
  func addOtherReferences(to record: inout Record, _ slot: Int, but positions: [Int32]) {
    for field in shape.references where !positions.contains(Int32(field - FieldLayout.systemCount)) {
      if let value = value(slot, field) { record.append(value, to: layout.name(of: field)) }
    }
  }

  /// The bytes that a record's other fields count, as ``RecordFit/size`` has it.
  func bytes(_ slot: Int, but positions: [Int32]) -> Int {
    var sum = 0
    forEachOther(slot, but: positions) { field in
      sum += layout.name(of: field).utf8.count + (value(slot, field)?.size ?? 0)
    }
    return sum
  }

  /// No less than that, without a look at the values.
  func mostBytes(_ slot: Int, but positions: [Int32]) -> Int {
    let group = group(slot >> RowGroup.shift)
    let row = slot & (RowGroup.size - 1)
    var sum = 0
    forEachOther(slot, but: positions) { field in
      // A member of a list has a byte for its length at least, and counts four.
      sum += layout.name(of: field).utf8.count + 64
      if shape.kinds[field].holdsBytes { sum += group.withStoredBytes(row, field) { $0.count } * 4 }
    }
    return sum
  }

  /// Whether a slot's record has a change tag.
  func hasChangeTag(_ slot: Int, _ tag: String?) -> Bool {
    sameBytes(ZoneState.changeTag(integer(slot, FieldNumber(.changeTag))), tag)
  }

  // MARK: References

  /// How many `.deleteSelf` references a record holds.
  func cascadingReferences(_ slot: Int) -> Int {
    var count = 0
    for field in shape.references {
      forEachReference(slot, field) { reference in
        if reference[0] == 1 { count += 1 }
      }
    }
    return count
  }

  /// The names of the records that hold a `.deleteSelf` reference to a record of a name.
  ///
  /// Complexity: constant where the type has no references, else linear in the records.
  func referrers(to recordName: String) -> [String] {
    guard !shape.references.isEmpty else { return [] }
    let target = Array(recordName.utf8)
    var names: [String] = []
    for slot in 0..<slotCount where isLive(slot) {
      var refers = false
      for field in shape.references {
        forEachReference(slot, field) { reference in
          let id = reference.extracting(1..<reference.count)
          if reference[0] == 1, let start = id.recordNameStart,
            id.extracting(start..<id.count).isSame(as: target.span)
          {
            refers = true
          }
        }
      }
      if refers { names.append(withName(slot) { String(copying: $0) }) }
    }
    return names
  }

  /// Calls `body` with each reference of a field: the action, then the encoding of the ID.
  private func forEachReference(_ slot: Int, _ field: FieldNumber, _ body: (Span<UInt8>) -> Void) {
    let group = group(slot >> RowGroup.shift)
    let row = slot & (RowGroup.size - 1)
    guard group.isPresent(row, field) else { return }
    group.withStoredBytes(row, field) { bytes in
      if shape.kinds[field] == .reference {
        if bytes.count > 0 { body(bytes) }
        return
      }
      var position = 0
      while let member = RunLength.next(in: bytes, &position) {
        if member.count > 0 { body(bytes.extracting(member)) }
      }
    }
  }
}
