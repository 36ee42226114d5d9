import Testing

@testable import ZoneQuery

struct TableIndexesTests {
  /// What indexes are on is replaced, added and dropped while older versions that have others are held.
  @Test func olderVersionsKeepTheirShapes() throws {
    let zone = Zone(ZoneID(zoneName: "Z"))
    var held: [ZoneSnapshot] = []
    var choice = IndexChoice()
    var checks = 0
    for round in 0..<60 {
      let fields = (0...round).map {
        FieldDefinition("f\($0)", $0 % 3 == 0 ? .string : .int64, [.queryable, .sortable])
      }
      let type = RecordType("T", fields: fields)
      let compound = IndexDefinition(recordType: "T", keys: ["f1", "f2"])
      try zone.commit { state in
        if round > 2, round % 4 == 1, try choice.add(compound, TableFields(type).layout) { state.choose(choice) }
        if round > 2, round % 4 == 3, choice.drop(compound, TableFields(type).layout) { state.choose(choice) }
        for name in 0..<5 {
          var record = Record(recordType: "T", recordName: "r\(name)", zoneID: zone.id)
          for field in fields {
            record[field.name] =
              field.type == .string ? .string("a text that is long enough to be tied \(name)") : .int64(Int64(name))
          }
          _ = state.store(record, as: type)
        }
      }
      if round % 5 == 0 { held.append(zone.pinned()) }
      if held.count > 4 { held.removeFirst() }
      for snapshot in held {
        for source in snapshot.sources {
          let fault = source.table.check()
          #expect(fault == nil, "\(fault ?? "")")
          let names = source.indexes.map(\.shape.name)
          #expect(names == source.table.indexes.shapes.map(\.name))
          #expect(Set(names).count == names.count && names.count >= source.table.layout.recordType.fields.count)
          checks += names.count
        }
      }
    }
    print("shapes of indexes: \(checks) checks")
    #expect(checks > 3_000)
  }

  /// A field may have the name that the index of words has. Both are what they were when the type gains a field, and where
  /// one more index is added.
  @Test func aFieldCalledAsTheIndexOfWords() throws {
    var configuration = Database.Configuration()
    configuration.environment = .development
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE T ( \"___recordID\" REFERENCE QUERYABLE, "
          + "allTokens INT64 QUERYABLE SORTABLE, s STRING QUERYABLE SEARCHABLE );"),
      configuration: configuration)
    func save(_ name: String, _ number: Int64, _ text: String, _ more: [String: FieldValue] = [:]) throws {
      var record = Record(recordType: "T", recordName: name)
      record["allTokens"] = .int64(number)
      record["s"] = .string(text)
      for (key, value) in more { record[key] = value }
      for result in try database.save([record], policy: .replace) { _ = try result.get() }
    }
    func names(_ format: String) throws -> [String] {
      try database.records(matching: Query(recordType: "T", predicate: QueryPredicate(format: format))).records
        .map(\.recordID.recordName).sorted()
    }
    func check(_ expected: [String]) throws {
      #expect(try names("allTokens = 5") == expected)
      #expect(try names("allTokens < 6") == expected)
      #expect(try names("self CONTAINS 'red'") == expected)
    }
    try save("a", 5, "a red house")
    try save("b", 6, "a blue one")
    try check(["a"])
    try save("c", 5, "red again", ["x": .int64(1)])
    try check(["a", "c"])
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["s", "allTokens"]))
    try save("d", 5, "and red", ["y": .string("new")])
    try check(["a", "c", "d"])
    try save("a", 7, "no more")
    try check(["c", "d"])
  }

  /// A list of more members than leaves are looked for ahead of has each in the index, and takes each out again.
  @Test func manyKeysOfOneRow() throws {
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE T ( \"___recordID\" REFERENCE QUERYABLE, n INT64 QUERYABLE, "
          + "tags LIST<STRING> QUERYABLE );"))
    try database.addIndex(IndexDefinition(recordType: "T", keys: ["tags", "n"]))
    func record(_ name: Int, tags: Int, step: Int) -> Record {
      var record = Record(recordType: "T", recordName: "r\(name)")
      record["n"] = .int64(Int64(name + step))
      record["tags"] = .stringList((0..<tags).map { "tag \(($0 * 7 + step) % 5_000)" })
      return record
    }
    _ = try database.load((0..<3_000).map { record($0, tags: $0 % 9, step: $0) })
    var checks = 0
    for (step, tags) in [63, 64, 65, 200, 1_000, 3, 0, 64].enumerated() {
      try database.save(record(7, tags: tags, step: step * 11), policy: .replace)
      for tag in 0..<tags {
        let text = "tag \((tag * 7 + step * 11) % 5_000)"
        let query = Query(
          recordType: "T", predicate: try QueryPredicate(format: "tags CONTAINS %@ AND n = %@", text, 7 + step * 11))
        let found = try database.records(matching: query).records
        #expect(found.contains { $0.recordID.recordName == "r7" }, "\(text)")
        checks += 1
      }
    }
    try database.deleteRecord(withID: RecordID(recordName: "r7"))
    #expect(try database.count(matching: Query(recordType: "T")) == 2_999)
    print("keys of a row: \(checks) checks")
    #expect(checks > 1_400)
  }
}
