import ZoneQuery

/// Schemas that the schema language can express, the same for the same seed.
struct SchemaTestGenerator {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func below(_ bound: Int) -> Int { random.below(max(1, bound)) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func schema() -> Schema {
    var schema = Schema()
    for index in 0..<below(4) where below(3) == 0 {
      schema.roles.append("role\(index)" + pick(["", "-x", " é", "\""]))
    }
    for index in 0..<below(5) {
      let name = name(index)
      schema[name] = recordType(name)
    }
    return schema
  }

  private mutating func recordType(_ name: String) -> RecordType {
    var type = RecordType(name)
    for field in SystemField.allCases where field.schemaName != nil && below(2) == 0 {
      type.systemFields.append(RecordType.SystemFieldIndex(field, indexes(field.type)))
    }
    for index in 0..<below(9) { type.define(field(self.name(index))) }
    for _ in 0..<below(4) {
      var permissions = RecordType.Grant.Permission.allCases
      if below(2) == 0 { permissions.reverse() }
      let role = pick(["_creator", "_world", "_icloud", "editor", "GRANT", "a b"])
      type.grants.append(RecordType.Grant(Array(permissions.prefix(1 + below(3))), to: role))
    }
    return type
  }

  private mutating func field(_ name: String) -> FieldDefinition {
    let scalar = pick(FieldType.Scalar.allCases)
    let type = below(3) == 0 ? FieldType.list(scalar) : FieldType(scalar)
    if scalar != .asset, scalar != .reference, below(5) == 0 { return FieldDefinition(name, type, isEncrypted: true) }
    var spelling = FieldDefinition.NumberSpelling.plain
    if scalar == .double { spelling = pick([.plain, .number, .numberPreferred]) }
    if scalar == .int64 { spelling = pick([.plain, .numberPreferred]) }
    return FieldDefinition(name, type, indexes(type), numberSpelling: spelling)
  }

  private mutating func indexes(_ type: FieldType) -> IndexKinds {
    var indexes: IndexKinds = []
    if type.scalar != .bytes, type.scalar != .asset, below(2) == 0 { indexes.insert(.queryable) }
    if type.scalar == .string, below(2) == 0 { indexes.insert(.searchable) }
    let isOrdered = type.scalar != .bytes && type.scalar != .asset && type.scalar != .location
    if !type.isList, isOrdered, below(2) == 0 { indexes.insert(.sortable) }
    return indexes
  }

  private mutating func name(_ index: Int) -> String {
    let stem = pick([
      "name", "Type", "x", "GRANT", "grant", "STRING", "location", "_hidden", "__two", "9lives", "été", "e\u{301}",
      "a b", "say \"so\"", "a,b)", "--", "//x", "/*", "日本", "a.b", "RECORD", "QUERYABLE", "'", "\\",
      "long_" + longTail(),
    ])
    return below(3) == 0 ? stem : stem + "\(index)"
  }

  private mutating func longTail() -> String { String(repeating: "n", count: below(120)) }
}
