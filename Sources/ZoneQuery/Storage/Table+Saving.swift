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
  // MARK: References

  /// How many `.deleteSelf` references a record holds.
  func cascadingReferences(_ slot: Int) -> Int {
    var count = 0
    forEachCascadingReference(slot) { _ in count += 1 }
    return count
  }

  /// Calls `body` with the encoding of the ID in each `.deleteSelf` reference a record holds.
  func forEachCascadingReference(_ slot: Int, _ body: (Span<UInt8>) -> Void) {
    for field in shape.references { forEachCascadingReference(slot, field, body) }
  }

  /// Adds to counts how many `.deleteSelf` references a record holds to each of their targets.
  func countCascadingReferences(_ slot: Int, to counts: inout [[UInt8]: Int]) {
    forEachCascadingReference(slot) { target in
      let target = [UInt8](copying: target)
      if let count = counts[target] { counts[target] = count + 1 }
    }
  }

  /// Adds to counts how many `.deleteSelf` references there are to each of their targets.
  ///
  /// Complexity: linear in the records that hold such references; during a bulk load in all records.
  func countCascadingReferences(to counts: inout [[UInt8]: Int]) {
    if shape.references.isEmpty { return }
    let slots = isBulk ? liveSlots : Set(counts.keys.flatMap { slotsReferring(to: $0) }).sorted()
    for slot in slots { countCascadingReferences(slot, to: &counts) }
  }

  /// How many records hold a `.deleteSelf` reference to the record of an encoded ID; nil during a bulk load. Complexity:
  /// logarithmic.
  func recordsReferring(to target: [UInt8]) -> Int? {
    if shape.references.isEmpty { return 0 }
    return isBulk ? nil : cascades.list(target.span)?.count ?? 0
  }

  /// The names of the records that hold a `.deleteSelf` reference to the zone's record of a name, by slot.
  ///
  /// Complexity: linear in these; during a bulk load in all records, where the type has references.
  func referrers(to recordName: String) -> [String] {
    if shape.references.isEmpty { return [] }
    let target = RecordID(recordName: recordName, zoneID: zoneID).encoded
    let slots = isBulk ? liveSlots.filter { refersByCascade($0, to: target) } : slotsReferring(to: target)
    return slots.map { withName($0) { String(copying: $0) } }
  }

  private var liveSlots: [Int] { (0..<slotCount).filter { isLive($0) } }

  /// Whether a record holds a `.deleteSelf` reference to another.
  private func refersByCascade(_ slot: Int, to target: [UInt8]) -> Bool {
    var refers = false
    forEachCascadingReference(slot) { refers = refers || $0.isSame(as: target.span) }
    return refers
  }

  /// The records that hold a `.deleteSelf` reference to another, ascending; none during a bulk load.
  func slotsReferring(to target: [UInt8]) -> [Int] {
    (cascades.list(target.span)?.slots ?? []).map { Int($0) }
  }

  private func forEachCascadingReference(_ slot: Int, _ field: FieldNumber, _ body: (Span<UInt8>) -> Void) {
    let group = group(slot >> RowGroup.shift)
    let row = slot & (RowGroup.size - 1)
    guard group.isPresent(row, field) else { return }
    group.withStoredBytes(row, field) { bytes in
      if shape.kinds[field] == .reference {
        // The action, then the encoding of the ID.
        if bytes.count > 0, bytes[0] == 1 { body(bytes.extracting(1..<bytes.count)) }
        return
      }
      var position = 0
      while let member = RunLength.next(in: bytes, &position) {
        let reference = bytes.extracting(member)
        if reference.count > 0, reference[0] == 1 { body(reference.extracting(1..<reference.count)) }
      }
    }
  }
}
