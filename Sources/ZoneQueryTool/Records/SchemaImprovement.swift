internal import ZoneQuery

/// A schema with the indexes that queries lack in it.
struct SchemaImprovement {
  private let original: Schema
  private var improved: Schema

  init(_ schema: Schema) {
    original = schema
    improved = schema
  }

  /// Adds what queries lack. A range, which two kinds of index serve, takes the one that another query needs.
  mutating func serve(_ queries: [Query]) {
    for isRangePass in [false, true] {
      for query in queries {
        guard let type = improved[query.recordType] else { continue }
        for index in IndexRequirements(of: query, in: type).missing where isRangePass || index.purpose != .range {
          add(index, to: query.recordType)
        }
      }
    }
  }

  private mutating func add(_ index: MissingIndex, to name: String) {
    guard var type = improved[name] else { return }
    if var field = type.field(index.field) {
      field.indexes.formUnion(index.kind)
      type.define(field)
    } else if let system = SystemField(schemaName: index.field) {
      let position = type.systemFields.firstIndex { $0.field == system }
      if let position {
        type.systemFields[position].indexes.formUnion(index.kind)
      } else {
        type.systemFields.append(RecordType.SystemFieldIndex(system, index.kind))
      }
    }
    improved[name] = type
  }

  /// The lines that differ, by record type, ready to be put into a schema; each with the line it takes the place of.
  var lines: [String] {
    var lines: [String] = []
    for type in improved.recordTypes {
      guard let before = original[type.name], before != type else { continue }
      var rows: [(item: String, comment: String)] = []
      for mention in type.systemFields {
        let old = before.systemFields.first { $0.field == mention.field }
        if old != mention { rows.append(("\(mention)", old.map { "was \($0)" } ?? "new")) }
      }
      for field in type.fields {
        if let old = before.field(field.name), old != field { rows.append(("\(field)", "was \(old)")) }
      }
      let width = rows.map(\.item.utf8.count).max() ?? 0
      lines.append("RECORD TYPE \(type.nameInText)")
      for row in rows {
        let blanks = String(repeating: " ", count: width - row.item.utf8.count)
        lines.append("    \(row.item),\(blanks)  // \(row.comment)")
      }
    }
    return lines
  }
}
