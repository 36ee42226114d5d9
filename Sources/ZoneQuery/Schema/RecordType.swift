/// A record type: its name, its fields in order, and the indexes of fields and system fields.
public struct RecordType: Sendable, Hashable {
  /// What a role may do with the type's records.
  public struct Grant: Sendable, Hashable {
    /// A right.
    public enum Permission: String, Sendable, Hashable, CaseIterable {
      /// To read records.
      case read = "READ"
      /// To create records.
      case create = "CREATE"
      /// To change and delete records.
      case write = "WRITE"
    }

    /// The rights, in the order written.
    public var permissions: [Permission]
    /// The role that has them.
    public var role: String

    /// Creates a grant.
    public init(_ permissions: [Permission], to role: String) {
      self.permissions = permissions
      self.role = role
    }

    /// Whether rights and role are the same, the role by its bytes.
    public static func == (left: Grant, right: Grant) -> Bool {
      left.permissions == right.permissions && sameBytes(left.role, right.role)
    }

    /// Feeds the role.
    public func hash(into hasher: inout Hasher) { hashBytes(role, into: &hasher) }
  }

  /// The type's name.
  public let name: String
  /// The fields, in the order defined, system fields not among them.
  public private(set) var fields: [FieldDefinition] = []
  /// The indexes of the system fields the schema mentions, in the order mentioned.
  public var systemFields: [SystemFieldIndex] = []
  /// What roles may do with the type's records. The engine reads and writes grants; it does not enforce them.
  public var grants: [Grant] = []
  private var positions: [ByteKey: Int] = [:]

  /// A system field's mention in a schema, which adds its indexes.
  public struct SystemFieldIndex: Sendable, Hashable {
    /// The field.
    public var field: SystemField
    /// Its indexes.
    public var indexes: IndexKinds

    /// Creates a mention.
    public init(_ field: SystemField, _ indexes: IndexKinds) {
      self.field = field
      self.indexes = indexes
    }
  }

  /// Creates a record type; of two fields with one name the later counts.
  public init(
    _ name: String, fields: [FieldDefinition] = [], systemFields: [SystemFieldIndex] = [], grants: [Grant] = []
  ) {
    self.name = name
    self.systemFields = systemFields
    self.grants = grants
    for field in fields { define(field) }
  }

  /// Adds a field, or redefines the one of its name in place.
  public mutating func define(_ field: FieldDefinition) {
    let key = ByteKey(field.name)
    if let position = positions[key] {
      fields[position] = field
    } else {
      positions[key] = fields.count
      fields.append(field)
    }
  }

  /// The field of a name, system fields not among them. Complexity: constant on average.
  public func field(_ name: String) -> FieldDefinition? { position(of: name).map { fields[$0] } }

  /// The position of a field in ``fields``.
  func position(of name: String) -> Int? { positions[ByteKey(name)] }

  /// The position of a field that most likely stands at `hint` or soon behind it: for asking for fields in their order.
  func position(of name: String, near hint: Int) -> Int? {
    let near = hint..<max(hint, min(hint + 8, fields.count))
    for position in near where isIdentical(fields[position].name, name) { return position }
    for position in near where sameBytes(fields[position].name, name) { return position }
    return self.position(of: name)
  }

  /// The indexes of a system field: those the schema gives it.
  public func indexes(of field: SystemField) -> IndexKinds {
    systemFields.reduce(into: []) { if $1.field == field { $0.formUnion($1.indexes) } }
  }

  /// Whether name, fields, indexes and grants are the same, in order.
  public static func == (left: RecordType, right: RecordType) -> Bool {
    sameBytes(left.name, right.name) && left.fields == right.fields && left.systemFields == right.systemFields
      && left.grants == right.grants
  }

  /// Feeds the name and the number of fields.
  public func hash(into hasher: inout Hasher) {
    hashBytes(name, into: &hasher)
    hasher.combine(fields.count)
  }
}

/// The indexes a schema gives a field.
public struct IndexKinds: OptionSet, Sendable, Hashable {
  /// One bit a kind.
  public let rawValue: UInt8

  /// Creates the set with the given bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `QUERYABLE`: the field may stand in a filter.
  public static let queryable = IndexKinds(rawValue: 1)
  /// `SORTABLE`: the field may stand in a sort descriptor and in a range filter.
  public static let sortable = IndexKinds(rawValue: 2)
  /// `SEARCHABLE`: the field's words answer token searches.
  public static let searchable = IndexKinds(rawValue: 4)
}

extension IndexKinds: CustomStringConvertible {
  /// The kinds in the schema language's words: `QUERYABLE SORTABLE`; `no index` of none.
  public var description: String {
    let words = SchemaWriter.words(self)
    return words.isEmpty ? "no index" : words.joined(separator: " ")
  }
}

/// One field of a record type.
public struct FieldDefinition: Sendable, Hashable {
  /// How the schema wrote a number whose type it left open.
  public enum NumberSpelling: Sendable, Hashable {
    /// `INT64` or `DOUBLE`, or no number at all.
    case plain
    /// `NUMBER`: stored as `DOUBLE`.
    case number
    /// `NUMBER PREFERRED AS INT64` or `DOUBLE`, stored as that.
    case numberPreferred
  }

  /// The field's name: a letter, then letters, digits and `_`.
  public let name: String
  /// The type of its values.
  public let type: FieldType
  /// Its indexes.
  public var indexes: IndexKinds
  /// Whether its values are encrypted on CloudKit's servers; such a field is never in a predicate or a sort.
  public var isEncrypted: Bool
  /// How the schema's text wrote the type, kept so that the text can be written again.
  public var numberSpelling: NumberSpelling

  /// Creates a field.
  public init(
    _ name: String, _ type: FieldType, _ indexes: IndexKinds = [], isEncrypted: Bool = false,
    numberSpelling: NumberSpelling = .plain
  ) {
    self.name = name
    self.type = type
    self.indexes = indexes
    self.isEncrypted = isEncrypted
    self.numberSpelling = numberSpelling
  }

  /// Whether all parts are the same, the name by its bytes.
  public static func == (left: FieldDefinition, right: FieldDefinition) -> Bool {
    sameBytes(left.name, right.name) && left.type == right.type && left.indexes == right.indexes
      && left.isEncrypted == right.isEncrypted && left.numberSpelling == right.numberSpelling
  }

  /// Feeds name and type.
  public func hash(into hasher: inout Hasher) {
    hashBytes(name, into: &hasher)
    hasher.combine(type)
  }
}
