/// The fields of a record type as its tables have them, which the tables of many zones share.
final class TableFields: Sendable {
  let layout: FieldLayout
  /// The number of the record type.
  let recordType: UInt64
  /// As ``TableShape`` has them.
  fileprivate let names: FieldNames
  fileprivate let kinds: [ColumnKind]
  fileprivate let types: [FieldType]
  fileprivate let references: [FieldNumber]
  fileprivate let byteFields: [FieldNumber]
  fileprivate let mostFixedBytes: Int
  /// All of them, as records are copied whole.
  let whole: RecordBlock.Fields

  init(_ recordType: RecordType) {
    layout = FieldLayout(recordType: recordType)
    self.recordType = TableFields.number(of: recordType)
    names = FieldNames(recordType)
    var kinds = SystemField.allCases.map { ColumnKind($0.type) }
    // The record's name, and the number of the change.
    kinds[FieldNumber(.recordID)] = .name
    kinds[FieldNumber(.changeTag)] = .integer
    self.kinds = kinds + recordType.fields.map { ColumnKind($0.type) }
    types = SystemField.allCases.map(\.type) + recordType.fields.map(\.type)
    references = recordType.fields.indices.filter { recordType.fields[$0].type.scalar == .reference }.map {
      .position($0)
    }
    byteFields = recordType.fields.indices.map { .position($0) }.filter { [kinds = self.kinds] in kinds[$0].holdsBytes }
    // No number or moment counts as much as that beside its field's name, nor a place without details; one with them does.
    mostFixedBytes = recordType.fields.reduce(0) { $0 + $1.name.utf8.count + 64 }
    whole = RecordBlock.Fields(self.kinds)
  }

  private static let hash = ByteHash.random()

  /// What tells types of other names apart while the process runs; never 0.
  static func number(of recordType: RecordType) -> UInt64 { withUTF8(of: recordType.name) { hash.hash($0) } | 1 }
}

/// What the versions of a table share: its zone, its fields, and how each lies in the groups.
final class TableShape: Sendable {
  let zoneID: ZoneID
  /// Tables with the same ones have the same fields; others may have them, too.
  let fields: TableFields
  let layout: FieldLayout
  /// The names of the record type's fields.
  var fieldNames: [String] { names.names }
  private let names: FieldNames
  /// By field number.
  let kinds: [ColumnKind]
  let types: [FieldType]
  /// The fields of the record type that refer to other records.
  let references: [FieldNumber]
  /// Those whose values are held by byte slots.
  let byteFields: [FieldNumber]
  /// No less than the fields count for the size of a record, but for what lies in byte slots.
  let mostFixedBytes: Int
  /// The encoding of a record ID of the zone, up to the name.
  let idPrefix: [UInt8]

  init(zoneID: ZoneID, _ fields: TableFields) {
    self.zoneID = zoneID
    self.fields = fields
    layout = fields.layout
    (names, kinds, types, references) = (fields.names, fields.kinds, fields.types, fields.references)
    (byteFields, mostFixedBytes) = (fields.byteFields, fields.mostFixedBytes)
    idPrefix = RecordID(recordName: "", zoneID: zoneID).encoded
  }

  /// A field of the record type: its position, and its type.
  func field(_ name: String) -> (position: Int, type: FieldType)? { names.field(name) }

  /// Its position, and whether it is of a type; nil also where a field has the name, but as a string of other words.
  @inline(__always)
  func fieldByWords(_ name: String, _ type: FieldType) -> (position: Int, isOfType: Bool)? {
    names.fieldByWords(name, type)
  }

  /// Calls `body` with the encoding of the ID of a record of the zone.
  @inline(__always)
  func withEncodedID<Result>(_ name: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
    let prefix = idPrefix
    return withJoined(prefix.span, name, body)
  }
}
