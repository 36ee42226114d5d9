import Testing

@testable import ZoneQuery

/// What the documentation says of calls that no other suite is about.
struct SmallPromisesTests {
  private static let type = RecordType(
    "T",
    fields: [
      FieldDefinition("n", .int64), FieldDefinition("name", .string), FieldDefinition("place", .location),
      FieldDefinition("names", .list(.string)), FieldDefinition("owner", .reference),
    ])

  private static func database(_ change: (inout Database.Configuration) -> Void = { _ in }) throws -> Database {
    var configuration = Database.Configuration()
    change(&configuration)
    return try Database(schema: Schema([type]), configuration: configuration)
  }

  /// Values that are given to tasks are those of parameters too.
  private struct SavedSearch: Sendable {
    let parameters: [String: any PredicateArgument]
  }

  @Test func fieldsByName() async throws {
    let database = try Self.database()
    var record = Record(recordType: "T", recordName: "r")
    record["place"] = .location(Location(latitude: -18.5, longitude: 178.25))
    record["names"] = .stringList(["a", "", "ü"])
    record["owner"] = .reference(Reference(RecordID(recordName: "o")))
    let saved = try database.save(record)
    #expect(saved != record && saved.hasSameFields(as: record) && record.hasSameFields(as: saved))
    var other = saved
    other["n"] = 1
    #expect(!other.hasSameFields(as: record))
    let search = SavedSearch(parameters: ["owner": Reference(RecordID(recordName: "o"))])
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "owner = $owner"))
    var seen = 0
    try database.prepare(query).forEachRecord(search.parameters) { record in
      seen += 1
      #expect(record.isPresent("place") && !record.isPresent("name") && !record.isPresent("unknown"))
      #expect(record.degrees("place").map { [$0.latitude, $0.longitude] } == [-18.5, 178.25])
      #expect(record.degrees("names") == nil && record.degrees("unknown") == nil)
      var texts: [String] = []
      record.forEachText("names") { texts.append(String(copying: $0)) }
      record.forEachText("name") { texts.append(String(copying: $0)) }
      record.forEachText("unknown") { texts.append(String(copying: $0)) }
      #expect(texts == ["a", "", "ü"])
    }
    #expect(seen == 1)
  }

  /// A live query's faults are told where it is made, which takes no time of queries.
  @Test func liveQueriesAreNotTimed() throws {
    let database = try Self.database { $0.limits.queryDuration = .zero }
    try database.save(Record(recordType: "T", recordName: "r"))
    let query = Query(recordType: "T", predicate: try QueryPredicate(format: "n > $n"))
    #expect(failureCode { try database.records(matching: query, parameters: ["n": 1]) } == .limitExceeded)
    #expect(failureCode { _ = try database.liveRecords(matching: query, parameters: ["n": 1]) } == nil)
    #expect(failureCode { _ = try database.liveRecords(matching: query) } == .invalidPredicate)
    let wrong = ["n": "one"]
    #expect(failureCode { _ = try database.liveRecords(matching: query, parameters: wrong) } == .invalidPredicate)
    for (zone, keys, limit, code) in [
      (nil, ["x"], 1, .invalidQuery), (nil, nil, 0, .invalidQuery), (nil, nil, -1, .invalidQuery),
      (ZoneID(zoneName: "none"), nil, 1, .zoneNotFound),
    ] as [(ZoneID?, [String]?, Int, ZoneQueryError.Code)] {
      let found = failureCode {
        _ = try database.liveRecords(
          matching: query, inZoneWith: zone, desiredKeys: keys, resultsLimit: limit, parameters: ["n": 1])
      }
      #expect(found == code)
    }
  }

  @Test func subscriptionsOfEachKind() throws {
    let database = try Self.database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    let query = QuerySubscription(recordType: "T", predicate: .true, subscriptionID: "q", firesOn: [.creation])
    try database.save(query)
    try database.save(ZoneSubscription(zoneID: zone, subscriptionID: "z"))
    try database.save(DatabaseSubscription(subscriptionID: "d"))
    #expect(Set(database.subscriptions().map(\.subscriptionID)) == ["q", "z", "d"])
    // An index of its own takes no subscription to another type.
    let index = SubscriptionIndex()
    let failure = #expect(throws: ZoneQueryError.self) { try index.add(query, for: RecordType("U")) }
    #expect(failure?.code == .invalidSubscription && failure?.message.contains("'T', not to 'U'") == true)
    _ = try index.add(query, for: Self.type)
    #expect(index.count == 1)
  }

  /// Where no name is given one is made, another each time; what asks for the same is a duplicate all the same.
  @Test func subscriptionsNameThemselves() throws {
    let database = try Self.database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    try database.save(QuerySubscription(recordType: "T"))
    try database.save(ZoneSubscription(zoneID: zone))
    try database.save(DatabaseSubscription())
    #expect(Set(database.subscriptions().map(\.subscriptionID)).count == 3)
    #expect(failureCode { try database.save(QuerySubscription(recordType: "T")) } == .duplicateSubscription)
  }

  @Test func systemFieldsAreSuggested() throws {
    let failure = #expect(throws: ZoneQueryError.self) {
      try Self.database().addIndex(IndexDefinition(recordType: "T", keys: ["creationdate"]))
    }
    #expect(failure?.description.contains("creationDate") == true)
  }
}
