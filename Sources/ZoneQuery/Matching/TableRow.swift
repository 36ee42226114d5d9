// An unsafe leaf: points to its source without holding it.

/// A record read in place from the columns of a table, whose fields have the numbers of the table's layout.
///
/// Copying a row counts no references: it is to be used while the sources are held that it came from, and the snapshot
/// of theirs.
@safe
struct TableRow: ProgramRow {
  /// The table, shared by all rows of a scan.
  final class Source: Sendable {
    let table: Table
    let shape: TableShape
    let fields: TableFields
    let rows: TableRows
    let indexes: [TableIndex]
    /// Tells the zone from every other there was under its name.
    let generation: Int64
    private let names: NameIndex

    init(_ table: Table, generation: Int64 = 0) {
      self.table = table
      self.generation = generation
      shape = table.shape
      fields = shape.fields
      rows = table.rows
      indexes = table.indexes.all
      names = table.names
    }

    /// The slot of a record, as ``Table/slot(of:)`` gives it, without counting references of the table's.
    /// What is returned beside it says nothing: ``TableRows/slot(of:in:approaching:)``.
    @inline(__always)
    func slot(of recordName: String, approaching fields: UInt64) -> (slot: Int, approached: UInt64)? {
      rows.slot(of: recordName, in: names, approaching: fields)
    }
  }

  @unsafe private let reference: Unmanaged<Source>
  @inline(__always) var source: Source { unsafe reference._withUnsafeGuaranteedRef { $0 } }
  let group: RowGroup
  let row: Int
  let slot: Int

  /// A row of the group of a number.
  init(_ source: Source, _ group: RowGroup, number: Int, row: Int) {
    unsafe reference = Unmanaged.passUnretained(source)
    self.group = group
    self.row = row
    slot = number << RowGroup.shift + row
  }

  var zoneID: ZoneID { source.shape.zoneID }

  /// The record, with the fields in `fields` or all.
  func record(fields: [FieldNumber]?) -> Record { source.table.record(slot, fields: fields) }

  func withName<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    group.withName(row, body)
  }

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
    group.withBytes(row, field) { bytes in
      field == FieldNumber(.recordID) ? source.shape.withEncodedID(bytes, body) : body(bytes)
    }
  }
  func anyInteger(_ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    group.anyInteger(row, field, where: predicate)
  }
  func anyDouble(_ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    group.anyDouble(row, field, where: predicate)
  }
  func anyDegrees(_ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool {
    group.anyDegrees(row, field, where: predicate)
  }
  func anyBytes(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    group.anyBytes(row, field, where: predicate)
  }
  func anyText(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    group.anyText(row, field, where: predicate)
  }
}

extension ZoneSnapshot {
  /// Calls `body` with a table, which the snapshot holds meanwhile, so that no reference is counted.
  @inline(__always)
  func withSource<Result>(_ number: Int, _ body: (TableRow.Source) -> Result) -> Result {
    defer { withExtendedLifetime(self) {} }
    return unsafe Unmanaged.passUnretained(sources[number])._withUnsafeGuaranteedRef { body($0) }
  }
}
