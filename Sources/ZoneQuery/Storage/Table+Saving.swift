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
    for field in shape.references {
      forEachCascadingReference(slot, field) { target in
        body(target)
        return true
      }
    }
  }

  /// Adds to counts how many `.deleteSelf` references a record holds to each of their targets.
  func countCascadingReferences(_ slot: Int, to counts: inout [[UInt8]: Int]) {
    for field in shape.references { countCascadingReferences(slot, field, to: &counts) }
  }

  private func countCascadingReferences(_ slot: Int, _ field: FieldNumber, to counts: inout [[UInt8]: Int]) {
    forEachCascadingReference(slot, field) { target in
      let target = [UInt8](copying: target)
      if let count = counts[target] { counts[target] = count + 1 }
      return true
    }
  }

  /// Adds to counts how many `.deleteSelf` references there are to each of their targets.
  func countCascadingReferences(to counts: inout [[UInt8]: Int]) {
    for field in shape.references {
      var slots: Set<Int>? = []
      for target in counts.keys {
        guard let some = slotsReferring(to: target, field) else {
          slots = nil
          break
        }
        slots?.formUnion(some)
      }
      for slot in slots?.sorted() ?? liveSlots { countCascadingReferences(slot, field, to: &counts) }
    }
  }

  /// No fewer than the table's `.deleteSelf` references to the record of an encoded ID; nil where no index tells.
  func mostReferences(to target: [UInt8]) -> Int? {
    var count = 0
    for field in shape.references {
      guard let index = referenceIndex(of: field) else { return nil }
      let records = index.list(.record(target.span))?.count ?? 0
      // A list may hold the same reference many times.
      if records > 0, shape.kinds[field] != .reference { return nil }
      count += records
    }
    return count
  }

  /// The names of the records that hold a `.deleteSelf` reference to the zone's record of a name, by slot.
  ///
  /// Complexity: constant where the type has no references; else linear in the records that refer to it in a field with an
  /// index, or by `.deleteSelf`, and logarithmic in the others; during a bulk load linear in the records.
  func referrers(to recordName: String) -> [String] {
    guard !shape.references.isEmpty else { return [] }
    let target = RecordID(recordName: recordName, zoneID: zoneID).encoded
    var slots: [Int] = []
    for field in shape.references {
      for slot in slotsReferring(to: target, field) ?? liveSlots {
        var refers = false
        forEachCascadingReference(slot, field) { reference in
          refers = reference.isSame(as: target.span)
          return !refers
        }
        if refers { slots.append(slot) }
      }
    }
    if shape.references.count > 1 { slots = Set(slots).sorted() }
    return slots.map { withName($0) { String(copying: $0) } }
  }

  private var liveSlots: [Int] { (0..<slotCount).filter { isLive($0) } }

  /// The records that may refer to another by a field, as an index has them, ascending; nil where none has.
  func slotsReferring(to target: [UInt8], _ field: FieldNumber) -> [Int]? {
    referenceIndex(of: field).map { ($0.list(.record(target.span))?.slots ?? []).map { Int($0) } }
  }

  /// The index on a field with references, or else the cascades, which hold those of all fields without one; nil during a
  /// bulk load, when there is nothing in either.
  private func referenceIndex(of field: FieldNumber) -> PostingIndex? {
    if isBulk { return nil }
    guard let number = indexes.number(of: field) else { return cascades }
    guard case .postings(let index) = indexes[number].entries else { return nil }
    return index
  }

  /// Calls `body` with the encoding of the ID in each `.deleteSelf` reference of a field, until it says to stop.
  func forEachCascadingReference(_ slot: Int, _ field: FieldNumber, _ body: (Span<UInt8>) -> Bool) {
    let group = group(slot >> RowGroup.shift)
    let row = slot & (RowGroup.size - 1)
    guard group.isPresent(row, field) else { return }
    group.withStoredBytes(row, field) { bytes in
      if shape.kinds[field] == .reference {
        // The action, then the encoding of the ID.
        if bytes.count > 0, bytes[0] == 1 { _ = body(bytes.extracting(1..<bytes.count)) }
        return
      }
      var position = 0
      while let member = RunLength.next(in: bytes, &position) {
        let reference = bytes.extracting(member)
        if reference.count > 0, reference[0] == 1, !body(reference.extracting(1..<reference.count)) { return }
      }
    }
  }
}
