/// What a record is encoded from.
protocol RecordSource {
  /// Puts a field of a layout into an encoding, where there is such a field.
  func encode(_ field: FieldNumber, of layout: FieldLayout, into encoding: inout RecordEncoding)
}

/// A record whose values are asked for by name.
struct KeyedSource<Fields: KeyedFields>: RecordSource {
  let fields: Fields

  init(_ fields: Fields) { self.fields = fields }

  func encode(_ field: FieldNumber, of layout: FieldLayout, into encoding: inout RecordEncoding) {
    guard let value = fields.fieldValue(forKey: layout.name(of: field)) else { return }
    let type = layout.type(of: field)
    if value.type == type {
      encoding.encode(value, field)
    } else if let value = value.converted(to: type) {
      encoding.encode(value, field)
    }
  }
}

/// A record in a slot of a table; to be used while the table is.
///
/// The layout it is encoded by is the table's, or has more fields behind the table's.
struct StoredRecord: RecordSource {
  let table: Table
  let slot: Int

  var recordType: RecordType { table.layout.recordType }
  var zoneID: ZoneID { table.zoneID }

  var recordID: RecordID { RecordID(recordName: table.withName(slot) { String(copying: $0) }, zoneID: table.zoneID) }

  /// The record as a value, with all its fields.
  var record: Record { table.record(slot) }

  /// The record as a value, with some of its fields.
  func record(withFields names: Set<ByteKey>) -> Record {
    table.record(slot, fields: names.compactMap { table.layout.number(of: $0.text) }.sorted())
  }

  func encode(_ field: FieldNumber, of layout: FieldLayout, into encoding: inout RecordEncoding) {
    // A change tag is no field of predicates.
    guard field < table.layout.count, field != FieldNumber(.changeTag) else { return }
    encoding.encode(field, layout.type(of: field), of: table, slot)
  }
}
