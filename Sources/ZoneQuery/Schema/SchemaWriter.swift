/// Writes a schema as text, laid out as CloudKit's own tools do: names in a column, types behind them, the indexes in
/// alphabetical order.
struct SchemaWriter {
  /// Longer names get a single blank behind them, so that one of them does not push every type to its right.
  private static let widestName = 48

  private var text = "DEFINE SCHEMA\n"

  /// The text of a schema. Complexity: linear in its length.
  static func text(of schema: Schema) -> String {
    var writer = SchemaWriter()
    if !schema.roles.isEmpty { writer.text += "\n" }
    for role in schema.roles { writer.text += "    CREATE ROLE \(name(role));\n" }
    for type in schema.recordTypes { writer.write(type) }
    return writer.text
  }

  private mutating func write(_ type: RecordType) {
    var rows: [(name: String, rest: String)] = []
    for mention in type.systemFields {
      guard let schemaName = mention.field.schemaName else { continue }
      rows.append((Self.name(schemaName), Self.indexed(mention.field.type.description, mention.indexes)))
    }
    for field in type.fields {
      rows.append((Self.name(field.name), Self.indexed(Self.type(of: field), Self.useful(field))))
    }
    let lengths = rows.lazy.map { $0.name.utf8.count }.filter { $0 <= Self.widestName }
    let width = (lengths.max() ?? 0) + 1

    var items = rows.map { row in
      row.name + String(repeating: " ", count: max(1, width - row.name.utf8.count)) + row.rest
    }
    for grant in type.grants where !grant.permissions.isEmpty {
      let rights = grant.permissions.map(\.rawValue).joined(separator: ", ")
      items.append("GRANT \(rights) TO \(Self.name(grant.role))")
    }
    text += "\n    RECORD TYPE \(Self.name(type.name)) (\n"
    if !items.isEmpty { text += "        " + items.joined(separator: ",\n        ") + "\n" }
    text += "    );\n"
  }

  /// The line of a field with other indexes than it has.
  static func item(_ field: FieldDefinition, _ indexes: IndexKinds) -> String {
    "\(name(field.name)) \(indexed(type(of: field), indexes))"
  }

  /// The line of a system field with some indexes.
  static func item(_ field: SystemField, _ indexes: IndexKinds) -> String {
    "\(name(field.schemaName ?? field.key)) \(indexed(field.type.description, indexes))"
  }

  private static func type(of field: FieldDefinition) -> String {
    var scalar = field.type.scalar.rawValue
    if field.isEncrypted {
      scalar = "ENCRYPTED " + scalar
    } else {
      switch field.numberSpelling {
      case .plain: break
      case .number: scalar = "NUMBER"
      case .numberPreferred: scalar = "NUMBER PREFERRED AS " + scalar
      }
    }
    return field.type.isList ? "LIST<\(scalar)>" : scalar
  }

  /// The indexes of a field that can serve a query, which the reader takes alone.
  private static func useful(_ field: FieldDefinition) -> IndexKinds {
    var useful: IndexKinds = []
    for index in [IndexKinds.queryable, .searchable, .sortable] where field.indexes.contains(index) {
      if SchemaReader.fault(of: index, field.type, isEncrypted: field.isEncrypted) == nil { useful.formUnion(index) }
    }
    return useful
  }

  /// A type with the indexes behind it.
  private static func indexed(_ type: String, _ indexes: IndexKinds) -> String {
    ([type] + words(indexes)).joined(separator: " ")
  }

  /// The words for kinds of indexes, in alphabetical order.
  static func words(_ indexes: IndexKinds) -> [String] {
    let words: [(IndexKinds, String)] = [
      (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
    ]
    return words.filter { indexes.contains($0.0) }.map(\.1)
  }

  /// A name as it stands in text: quoted where the reader demands it.
  static func name(_ name: String) -> String {
    let bytes = Array(name.utf8)
    if SchemaReader.isPlainName(bytes[...]) { return name }
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in bytes {
      quoted.append(byte)
      if byte == UInt8(ascii: "\"") { quoted.append(byte) }
    }
    quoted.append(UInt8(ascii: "\""))
    return String(decoding: quoted, as: UTF8.self)
  }
}

extension FieldDefinition: CustomStringConvertible {
  /// The field's line in a schema's text: `start TIMESTAMP QUERYABLE SORTABLE`.
  public var description: String { SchemaWriter.item(self, indexes) }
}

extension RecordType.SystemFieldIndex: CustomStringConvertible {
  /// The field's line in a schema's text: `"___recordID" REFERENCE QUERYABLE`.
  public var description: String { SchemaWriter.item(field, indexes) }
}

extension Schema: CustomStringConvertible {
  /// The schema's text: ``ckdb``.
  public var description: String { ckdb }
}

extension RecordType: CustomStringConvertible {
  /// The text of a schema of the type alone.
  public var description: String { Schema([self]).ckdb }
}

extension RecordType {
  /// The name as it stands in a schema's text.
  package var nameInText: String { SchemaWriter.name(name) }
}
