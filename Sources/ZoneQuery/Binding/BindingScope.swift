/// Where the binder looks names up.
enum BindingScope: Sendable {
  /// The fields of a record type; a name or a type that does not fit is an error.
  case recordType(RecordType)
  /// The fields a keyed value shows, by the order of its keys; a name it lacks and a type that does not fit
  /// behave as missing.
  case shape(FieldShape)
  /// No fields are known: only what can be said without them is checked. The system fields are, where the values to
  /// come are records.
  case open(ofRecords: Bool)
}

/// The types of the values that one record, or other keyed value, has under some keys.
struct FieldShape: Sendable, Hashable {
  /// The keys, each once; a key's position is its field number.
  var keys: [ByteKey]
  /// The type of the value under each key; nil where there is none.
  var types: [FieldType?]
  /// The numbers of the fields whose words a token search sees.
  var searchable: [FieldNumber]
  /// The number of each key, which says no more than the keys do.
  var numbers: [ByteKey: FieldNumber]

  static func == (left: FieldShape, right: FieldShape) -> Bool {
    left.types == right.types && left.searchable == right.searchable && left.keys == right.keys
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
    hasher.combine(types)
    hasher.combine(searchable)
  }
}

/// A field as the binder found it.
struct FieldHandle {
  enum Knowledge {
    case known(FieldType)
    /// The scope is open.
    case unknown
    /// The keyed value has no such key.
    case absent
  }

  var number: FieldNumber
  var name: String
  var knowledge: Knowledge
  var span: SourceSpan
}

extension FieldNumber {
  /// The number of a system field.
  init(_ field: SystemField) { self = field.rawValue }

  /// The number of a type's field by its position.
  static func position(_ position: Int) -> FieldNumber { position + SystemField.allCases.count }
}

/// The fields a schema gives a record type, by number: the system fields first.
struct FieldLayout: Sendable, Hashable {
  let recordType: RecordType

  static let systemCount = SystemField.allCases.count

  var count: Int { FieldLayout.systemCount + recordType.fields.count }

  func type(of field: FieldNumber) -> FieldType {
    if let system = SystemField(rawValue: field) { return system.type }
    return recordType.fields[field - FieldLayout.systemCount].type
  }

  func name(of field: FieldNumber) -> String {
    if let system = SystemField(rawValue: field) { return system.key }
    return recordType.fields[field - FieldLayout.systemCount].name
  }

  /// The numbers of the fields whose words a token search sees, ascending.
  var searchable: [FieldNumber] {
    recordType.fields.indices.filter {
      recordType.fields[$0].indexes.contains(.searchable) && recordType.fields[$0].type.scalar == .string
        && !recordType.fields[$0].isEncrypted
    }.map { .position($0) }
  }
}
