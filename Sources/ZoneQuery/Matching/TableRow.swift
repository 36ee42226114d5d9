/// A record read in place from the columns of a table, whose fields have the numbers of the table's layout.
struct TableRow: ProgramRow {
  /// The table, shared by all rows of a scan.
  final class Source: Sendable {
    let table: Table
    init(_ table: Table) { self.table = table }
  }

  let source: Source
  let slot: Int

  func isPresent(_ field: FieldNumber) -> Bool { source.table.isPresent(slot, field) }
  func integer(_ field: FieldNumber) -> Int64 { source.table.integer(slot, field) }
  func double(_ field: FieldNumber) -> Double { source.table.double(slot, field) }
  func degrees(_ field: FieldNumber) -> (latitude: Double, longitude: Double) { source.table.degrees(slot, field) }
  func passes(_ test: GeodesicRadiusTest, _ field: FieldNumber) -> Bool {
    let position = source.table.position(slot, field)
    return test.matches(x: position.x, y: position.y, z: position.z) { source.table.degrees(slot, field) }
  }
  func withBytes<Result>(_ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    source.table.withBytes(slot, field, body)
  }
  func anyInteger(_ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    source.table.anyInteger(slot, field, where: predicate)
  }
  func anyDouble(_ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    source.table.anyDouble(slot, field, where: predicate)
  }
  func anyDegrees(_ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool {
    source.table.anyDegrees(slot, field, where: predicate)
  }
  func anyBytes(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    source.table.anyBytes(slot, field, where: predicate)
  }
  func anyText(_ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    source.table.layout.type(of: field).isList
      ? anyBytes(field, where: predicate) : withBytes(field, predicate)
  }
}
