// What saving and deleting ask of the records that are stored.

/// What becomes of the fields of a stored record that the one saved over it lacks.
enum OtherFields {
  case gone
  /// They stay, but for those at some positions of the record type.
  case kept(but: [Int32])

  /// Whether any may go.
  var mayGo: Bool { if case .kept(let lost) = self { !lost.isEmpty } else { true } }
}

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

  /// The names of the records that hold a `.deleteSelf` reference to the zone's record of a name, by slot.
  ///
  /// Complexity: constant where the type has no references; linear in the records that refer to it where an index is on
  /// each field that may, else linear in the records.
  func referrers(to recordName: String) -> [String] {
    guard !shape.references.isEmpty else { return [] }
    let target = RecordID(recordName: recordName, zoneID: zoneID).encoded
    var slots: [Int] = []
    for field in shape.references {
      let candidates = slotsReferring(to: target, field) ?? (0..<slotCount).filter { isLive($0) }
      for slot in candidates {
        var refers = false
        forEachReference(slot, field) { reference in
          if reference[0] == 1, reference.extracting(1..<reference.count).isSame(as: target.span) { refers = true }
        }
        if refers { slots.append(slot) }
      }
    }
    if shape.references.count > 1 { slots = Set(slots).sorted() }
    return slots.map { withName($0) { String(copying: $0) } }
  }

  /// The records that may refer to another by a field, as its index has them; nil where it has none.
  private func slotsReferring(to target: [UInt8], _ field: FieldNumber) -> [Int]? {
    let kind: IndexShape.Kind = shape.kinds[field] == .reference ? .references : .members
    guard !isBulk, let number = indexNumber(of: field, kind), case .postings(let index) = indexes[number].entries else {
      return nil
    }
    return (index.list(target.span)?.slots ?? []).map { Int($0) }
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
