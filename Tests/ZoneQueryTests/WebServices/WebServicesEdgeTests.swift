import Testing

@testable import ZoneQuery

/// Requests at the edges of their limits, and values that read as others do not.
struct WebServicesEdgeTests {
  private let zone = ZoneID(zoneName: "Z")

  /// Keys that are canonically equivalent are two.
  @Test func desiredKeysAreToldApartByTheirBytes() throws {
    let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (K INT64);")
    let database = try Database(schema: schema)
    for name in ["a", "b"] {
      var record = Record(recordType: "T", recordName: name)
      record["K"] = 1
      try database.save(record)
    }
    let text = try database.webServicesResponse(
      toLookup: #"{"records":[{"recordName":"a","desiredKeys":["\u212A"]},{"recordName":"b","desiredKeys":["K"]}]}"#)
    let found = try JSONReader.read(text)["records"]?.array
    #expect(found?[0]["fields"]?.object?.isEmpty == true && found?[1]["fields"]?["K"] != nil)
  }

  /// What is no field has no size, and a name of a record's or a user's length.
  @Test(arguments: ["share", "parent"]) func namesOutsideOfFields(key: String) throws {
    let database = try Database()
    let long = String(repeating: "a", count: 256)
    let create = #"{"operationType":"create","record":{"recordName":"a","recordType":"Note","fields":{},"#
    let text = try database.webServicesResponse(
      toModify: #"{"operations":[\#(create)"\#(key)":{"recordName":"\#(long)"}}}]}"#)
    #expect(text.contains("at most 255 characters"))
    let json = #"{"recordType":"T","recordName":"r","modified":{"userRecordName":"\#(long)"}}"#
    let error = #expect(throws: ZoneQueryError.self) {
      try database.load([Record(webServicesJSON: json, schema: nil)])
    }
    #expect(error?.message.contains("at most 255 characters") == true)
    var configuration = Database.Configuration()
    configuration.limits.nameLength = 256
    try Database(configuration: configuration).load([Record(webServicesJSON: json, schema: nil)])
    var record = note("r")
    record.share = Reference(RecordID(recordName: long))
    #expect(throws: ZoneQueryError.self) { try database.load([record]) }
  }

  /// The names of zones that there cannot be are not kept.
  @Test func longNamesOfZones() throws {
    let query = ZoneQuery.Query(recordType: "T", predicate: try QueryPredicate(format: "n = 1"))
    #expect(QueryShape(query, .default) != nil)
    #expect(QueryShape(query, ZoneID(zoneName: String(repeating: "a", count: 5_000))) == nil)
    #expect(QueryShape(query, ZoneID(zoneName: "a", ownerName: String(repeating: "a", count: 5_000))) == nil)
  }

  @Test func zonesOfAChangesRequest() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerRequest = 1
    let database = try Database(configuration: configuration)
    for name in ["A", "B"] { try database.createZone(ZoneID(zoneName: name)) }
    let answer = try JSONReader.read(database.webServicesResponse(toDatabaseChanges: #"{"resultsLimit": 5}"#))
    #expect(answer["zones"]?.array?.count == 1 && answer["moreComing"]?.bool == true)
  }

  @Test func limitsOfARequestAreItsZones() throws {
    let database = try Database()
    try database.createZone(zone)
    for name in ["a", "b"] { try database.save(note(name, zone)) }
    let text = try database.webServicesResponse(
      toZoneChanges: #"{"resultsLimit": 1, "zones": [{"zoneID": {"zoneName": "Z"}}]}"#)
    let answer = try JSONReader.read(text)["zones"]?.array?[0]
    #expect(answer?["records"]?.array?.count == 1 && answer?["moreComing"]?.bool == true)
  }

  @Test func fieldsCalledAsSystemFieldsAre() throws {
    let schema = Schema([RecordType("T", fields: [FieldDefinition("recordName", .string, [.queryable])])])
    let query = try ZoneQuery.Query(
      webServicesJSON:
        #"{"recordType":"T","filterBy":[{"comparator":"EQUALS","fieldName":"recordName","fieldValue":{"value":"x"}}]}"#,
      schema: schema)
    #expect(query.predicate.root.predicateFormat == "recordName == \"x\"")
  }

  @Test func aZoneWithoutRoomKeepsItsToken() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerRequest = 2
    let database = try Database(configuration: configuration)
    for name in ["A", "B"] {
      try database.createZone(ZoneID(zoneName: name))
      for number in 0..<2 { try database.save(note("r\(number)", ZoneID(zoneName: name))) }
    }
    let token = try database.recordZoneChanges(inZoneWith: ZoneID(zoneName: "B"), resultsLimit: 1).changeToken
    let text = try database.webServicesResponse(
      toZoneChanges:
        #"{"zones": [{"zoneID": {"zoneName": "A"}}, {"zoneID": {"zoneName": "B"}, "syncToken": "\#(token)"}]}"#)
    let answer = try JSONReader.read(text)["zones"]?.array?[1]
    #expect(answer?["syncToken"]?.string == token.description && answer?["moreComing"]?.bool == true)
  }

  @Test func textsOfUnknownFieldsStayTexts() throws {
    let schema = Schema([RecordType("T", fields: [FieldDefinition("city", .string, [.queryable])])])
    _ = schema
    let database = try Database()
    var record = note("a")
    record["city"] = "7"
    try database.save(record)
    let text =
      #"{"numbersAsStrings": true, "query": {"recordType": "T", "filterBy": [{"comparator": "EQUALS", "fieldName": "city", "fieldValue": {"value": "7"}}]}}"#
    #expect(try JSONReader.read(database.webServicesResponse(toQuery: text))["records"]?.array?.count == 1)
    // Of a type that nobody knows here a text stays a text.
    let reader = WebServicesQueryReader(nil, WebServicesValueReader(numbersAsStrings: true))
    let query = try reader.query(
      JSONReader.read(
        #"{"recordType": "U", "filterBy": [{"comparator": "EQUALS", "fieldName": "x", "fieldValue": {"value": "7"}}]}"#)
    )
    #expect(query.predicate.root.predicateFormat == "x == \"7\"")
  }

  @Test func emptyAssets() throws {
    let text =
      #"{"recordName":"a","recordType":"T","fields":{"f":{"value":{"fileChecksum":"c","size":0},"type":"ASSETID"}}}"#
    #expect(failureCode { try Record(webServicesJSON: text) } == nil)
  }

  @Test func numbersInStringsAreNoDates() throws {
    let database = try Database()
    var record = note("a")
    record["at"] = .timestamp(Timestamp(milliseconds: 5))
    try database.save(record)
    let text =
      #"{"numbersAsStrings": true, "query": {"recordType": "T", "filterBy": [{"comparator": "EQUALS", "fieldName": "at", "fieldValue": {"value": "5"}}]}}"#
    expectFailure(.invalidJSON) { try database.webServicesResponse(toQuery: text) }
  }

  @Test func zonesOfRecordsInErrors() throws {
    let text = #"{"recordName":"a","recordType":"T","zoneID":{"zoneName":"Z"},"fields":{"x":1}}"#
    do {
      _ = try Record(webServicesJSON: text)
      Issue.record("read")
    } catch {
      #expect(error.recordID == RecordID(recordName: "a", zoneID: zone))
    }
  }

  @Test func syncTokensThatHaveExpired() throws {
    let database = try Database()
    try database.createZone(zone)
    let token = try database.recordZoneChanges(inZoneWith: zone).changeToken
    try database.deleteZone(zone)
    try database.createZone(zone)
    let text = try database.webServicesResponse(
      toZoneChanges: #"{"zones": [{"zoneID": {"zoneName": "Z"}, "syncToken": "\#(token)"}]}"#)
    let reason = try #require(try JSONReader.read(text)["zones"]?.array?[0]["reason"]?.string)
    #expect(reason.hasPrefix("syncToken: ") && reason.hasSuffix("(Leave it out to fetch everything.)"), "\(reason)")
  }
}
