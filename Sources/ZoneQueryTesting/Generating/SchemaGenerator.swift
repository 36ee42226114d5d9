public import ZoneQuery

/// Draws record types: fields of any type under names that ask for trouble, with any legal indexes.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let type = SchemaGenerator().recordType("Thing", &random)
/// ```
public struct SchemaGenerator: Sendable {
  /// The types fields may have.
  public var fieldTypes: [FieldType]
  /// The most fields a type has.
  public var maximumFields = 10

  /// Creates a generator of fields of all types.
  public init() {
    fieldTypes = FieldType.Scalar.allCases.flatMap { [FieldType($0), FieldType.list($0)] }
  }

  /// A record type of a name.
  public func recordType(_ name: String, _ random: inout SeededRandom) -> RecordType {
    var type = RecordType(name)
    for field in SystemField.allCases where field.schemaName != nil && field != .changeTag && random.chance(1, of: 3) {
      type.systemFields.append(
        RecordType.SystemFieldIndex(field, random.chance(1, of: 2) ? .queryable : [.queryable, .sortable]))
    }
    let common: [FieldType] = [.string, .int64, .double, .timestamp, .reference, .location, .list(.string)]
    for index in 0..<max(0, min(maximumFields, 2 + random.below(max(1, maximumFields - 1)))) {
      let isCommon = random.chance(3, of: 5)
      guard
        let fieldType = isCommon
          ? random.pick(common.filter(fieldTypes.contains)) ?? random.pick(fieldTypes) : random.pick(fieldTypes)
      else { continue }
      type.define(field(index, fieldType, &random))
    }
    return type
  }

  /// A schema of one to three types, `Thing` the first of them.
  public func schema(_ random: inout SeededRandom) -> Schema {
    Schema((0...random.below(3)).map { recordType($0 == 0 ? "Thing" : "Other\($0)", &random) })
  }

  private func field(_ index: Int, _ type: FieldType, _ random: inout SeededRandom) -> FieldDefinition {
    // Words of the language are names like any other behind a #.
    let stems = [
      "name", "in", "size", "first", "not", "any", "sum", "now", "x", "Location", "nil", "self_", "end", "a1_",
    ]
    let stem = random.pick(stems) ?? "x"
    let name = random.chance(1, of: 4) ? stem : "\(stem)\(index)"
    let isCiphered = type.scalar != .asset && type.scalar != .reference && random.chance(1, of: 24)
    if isCiphered { return FieldDefinition(name, type, isEncrypted: true) }
    var indexes: IndexKinds = []
    if type.scalar != .bytes, type.scalar != .asset {
      if random.chance(3, of: 4) { indexes.insert(.queryable) }
      if type.scalar == .string, random.chance(1, of: 2) { indexes.insert(.searchable) }
      if !type.isList, type.scalar != .location, random.chance(1, of: 2) { indexes.insert(.sortable) }
    }
    var spelling = FieldDefinition.NumberSpelling.plain
    if type.scalar == .double { spelling = random.one(of: .plain, .number, .numberPreferred) }
    if type.scalar == .int64 { spelling = random.one(of: .plain, .numberPreferred) }
    return FieldDefinition(name, type, indexes, numberSpelling: spelling)
  }
}
