/// A row as indexes read it.
struct IndexedRow {
  let group: RowGroup
  let row: Int

  @inline(__always)
  func isPresent(_ field: FieldNumber) -> Bool { group.isPresent(row, field) }
  @inline(__always)
  func integer(_ field: FieldNumber) -> Int64 { group.integer(row, field) }
  @inline(__always)
  func double(_ field: FieldNumber) -> Double { group.double(row, field) }
  @inline(__always)
  func degrees(_ field: FieldNumber) -> (latitude: Double, longitude: Double) { group.degrees(row, field) }
  @inline(__always)
  func withBytes<Result>(_ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    group.withBytes(row, field, body)
  }
  func anyInteger(_ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    group.anyInteger(row, field, where: predicate)
  }
  func anyDouble(_ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    group.anyDouble(row, field, where: predicate)
  }
  func anyBytes(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    group.anyBytes(row, field, where: predicate)
  }
  func anyText(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    group.anyText(row, field, where: predicate)
  }

  /// Whether a list has any member.
  func anyMember(_ field: FieldNumber) -> Bool {
    anyInteger(field) { _ in true } || anyBytes(field) { _ in true }
  }
}

extension PostingTerm: Hashable {
  func hash(into hasher: inout Hasher) {
    hasher.combine(head)
    hasher.combine(tail)
  }
}
