/// What the versions of a table share: its zone, its fields, and how each lies in the groups.
final class TableShape: Sendable {
  let zoneID: ZoneID
  let layout: FieldLayout
  /// The names of the record type's fields.
  let fieldNames: [String]
  /// By field number.
  let kinds: [ColumnKind]
  let types: [FieldType]
  /// The fields of the record type that refer to other records.
  let references: [FieldNumber]
  /// The encoding of a record ID of the zone, up to the name.
  let idPrefix: [UInt8]

  init(zoneID: ZoneID, recordType: RecordType) {
    self.zoneID = zoneID
    layout = FieldLayout(recordType: recordType)
    fieldNames = recordType.fields.map(\.name)
    var kinds = SystemField.allCases.map { ColumnKind($0.type) }
    // The record's name, and the number of the change.
    kinds[FieldNumber(.recordID)] = .name
    kinds[FieldNumber(.changeTag)] = .integer
    self.kinds = kinds + recordType.fields.map { ColumnKind($0.type) }
    types = SystemField.allCases.map(\.type) + recordType.fields.map(\.type)
    references = recordType.fields.indices.filter { recordType.fields[$0].type.scalar == .reference }.map {
      .position($0)
    }
    idPrefix = RecordID(recordName: "", zoneID: zoneID).encoded
  }

  /// The position of a field in the record type. Complexity: linear in the fields, of which each costs little, where the
  /// name is as the schema has it.
  func position(of name: String) -> Int? {
    for position in fieldNames.indices where isIdentical(fieldNames[position], name) { return position }
    return layout.recordType.position(of: name)
  }

  /// Calls `body` with the encoding of the ID of a record of the zone.
  @inline(__always)
  func withEncodedID<Result>(_ name: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
    let prefix = idPrefix
    return withJoined(prefix.span, name, body)
  }
}
