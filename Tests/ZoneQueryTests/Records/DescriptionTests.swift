import Testing

import ZoneQuery

/// What is printed of values that users print.
struct DescriptionTests {
  private static let schema = Schema([
    RecordType(
      "Event",
      fields: [
        FieldDefinition("city", .string), FieldDefinition("start", .timestamp, [.queryable, .sortable]),
        FieldDefinition("place", .location, .queryable),
      ], systemFields: [RecordType.SystemFieldIndex(.recordID, .queryable)])
  ])

  @Test func queriesAreALine() throws {
    #expect("\(Query(recordType: "Event"))" == "Event")
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "city = %@", "Suva"),
      sort: [.descending("start"), .distance("place", from: Location(latitude: 1, longitude: 2))])
    #expect("\(query)" == #"Event where city == "Suva" sorted by start descending, place by distance from 1.0,2.0"#)
    let text = String(repeating: "a\n", count: 9_999)
    let long = Query(recordType: "Event", predicate: try QueryPredicate(format: "city = %@", text))
    #expect("\(long)".utf8.count < 1_000 && !"\(long)".utf8.contains(UInt8(ascii: "\n")))
  }

  @Test func schemasAreTheirText() throws {
    let schema = Self.schema
    let type = try #require(schema["Event"])
    #expect("\(schema)" == schema.ckdb)
    #expect(try Schema(ckdb: "\(type)") == schema)
    #expect(
      type.fields.map(\.description) == [
        "city STRING", "start TIMESTAMP QUERYABLE SORTABLE", "place LOCATION QUERYABLE",
      ])
    #expect(type.systemFields.map(\.description) == [#""___recordID" REFERENCE QUERYABLE"#])
    #expect("\(IndexKinds([.sortable, .searchable, .queryable]))" == "QUERYABLE SEARCHABLE SORTABLE")
    #expect("\(IndexKinds())" == "no index")
  }

  @Test func missingIndexesSayWhatServes() throws {
    let query = Query(recordType: "Event", predicate: try QueryPredicate(format: "city = 'Suva'"))
    let missing = IndexRequirements(of: query, in: try #require(Self.schema["Event"])).missing
    #expect(
      missing.map(\.description) == [
        "Field 'city' is not marked queryable: a filter needs QUERYABLE; the schema needs: city STRING QUERYABLE"
      ])
  }

  /// All that a database would refuse of a query is told without one.
  @Test func faultsOfAQuery() throws {
    #expect(Query(recordType: "Event").faults(in: Self.schema).isEmpty)
    #expect(Query(recordType: "Evnet").faults(in: Self.schema).map(\.code) == [.unknownRecordType])
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "citty = 'Suva' OR start > 1"),
      sort: [.ascending("city"), .ascending("nowhere")])
    let faults = query.faults(in: Self.schema)
    #expect(faults.map(\.code) == [.invalidPredicate, .invalidQuery])
    #expect(faults[0].diagnostics.count == 3)
    #expect(query.faults(in: Self.schema, options: PredicateOptions(dialect: .extended))[0].diagnostics.count == 2)
  }

  /// What came of a modification, or what made it fail: a deletion here, for whose sake the saves were undone.
  @Test func modificationsAsAWhole() throws {
    let database = try Database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    let done = try database.modify(saving: [note("a", zone), note("b", zone)]).get()
    #expect(done.saved.map(\.recordID.recordName) == ["a", "b"] && done.deleted.isEmpty)
    let failed = try database.modify(
      saving: [note("c", zone)], deleting: [RecordID(recordName: "nobody", zoneID: zone)])
    #expect(failureCode { try failed.saves.get() } == .batchRequestFailed)
    #expect(failureCode { try failed.get() } == .unknownItem)
    let behind = try database.modify(deleting: [
      RecordID(recordName: "a", zoneID: zone), RecordID(recordName: "b", zoneID: zone),
    ]).get()
    #expect(behind.saved.isEmpty && behind.deleted.map(\.recordName) == ["a", "b"])
  }
}
