import Testing

@testable import ZoneQuery

/// Schemas are equal where each of their parts is; setting and removing types keeps the others findable.
struct SchemaEqualityTests {
  private let type = RecordType(
    "T", fields: [FieldDefinition("a", .int64, [.queryable]), FieldDefinition("b", .string)],
    systemFields: [RecordType.SystemFieldIndex(.recordID, [.queryable])],
    grants: [RecordType.Grant([.read], to: "_world")])

  @Test func fields() {
    expectEachPartCounts(
      FieldDefinition("a", .int64, [.queryable]),
      [
        { $0 = FieldDefinition("b", .int64, [.queryable]) }, { $0 = FieldDefinition("a", .double, [.queryable]) },
        { $0 = FieldDefinition("a", .list(.int64), [.queryable]) }, { $0.indexes = [.queryable, .sortable] },
        { $0.isEncrypted = true }, { $0.numberSpelling = .number }, { $0.numberSpelling = .numberPreferred },
      ])
  }

  @Test func grants() {
    expectEachPartCounts(
      RecordType.Grant([.read, .write], to: "r"),
      [{ $0.permissions = [.read] }, { $0.permissions = [.write, .read] }, { $0.role = "s" }])
  }

  @Test func types() {
    let (name, fields) = (RecordType("U", fields: type.fields), type.fields)
    expectEachPartCounts(
      type,
      [
        { $0 = RecordType("U", fields: fields, systemFields: $0.systemFields, grants: $0.grants) },
        { $0.define(FieldDefinition("a", .int64, [.sortable])) }, { $0.define(FieldDefinition("c", .int64)) },
        { $0.systemFields = [] }, { $0.systemFields[0].indexes = [.sortable] },
        { $0.systemFields[0].field = .changeTag },
        { $0.grants = [] }, { $0 = name },
      ])
  }

  @Test func schemas() {
    var base = Schema([type, RecordType("U")])
    base.roles = ["r"]
    expectEachPartCounts(
      base,
      [
        { $0["T"] = nil }, { $0["V"] = RecordType("V") }, { $0.roles = [] }, { $0.roles = ["s"] },
        { $0["T"]?.grants = [] },
        {
          $0["U"] = nil
          $0["W"] = RecordType("W")
        },
      ])
    // Types come in any order, roles do not.
    var turned = Schema([RecordType("U"), type])
    turned.roles = ["r"]
    #expect(base == turned && base.hashValue == turned.hashValue)
    base.roles = ["r", "s"]
    turned.roles = ["s", "r"]
    #expect(base != turned)
  }

  @Test func aTypeIsSetUnderItsOwnName() {
    var schema = Schema([RecordType("T")])
    schema["T"] = RecordType("U", fields: [FieldDefinition("a", .int64)])
    #expect(schema.recordTypes.map(\.name) == ["T", "U"])
    #expect(schema["T"]?.fields.isEmpty == true && schema["U"]?.field("a") != nil)
  }

  @Test func aTypeThatIsRemovedLeavesTheOthers() {
    var schema = Schema(["A", "B", "C", "D"].map { RecordType($0) })
    schema["B"] = nil
    #expect(schema["B"] == nil && schema.recordTypes.map(\.name) == ["A", "C", "D"])
    for name in ["A", "C", "D"] { #expect(schema[name]?.name == name) }
    schema["B"] = nil
    #expect(schema.recordTypes.count == 3)
    schema["D"] = RecordType("D", grants: [RecordType.Grant([.read], to: "_world")])
    schema["B"] = RecordType("B")
    #expect(schema.recordTypes.map(\.name) == ["A", "C", "D", "B"] && schema["D"]?.grants.count == 1)
  }
}
