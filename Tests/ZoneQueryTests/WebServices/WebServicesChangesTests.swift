import Testing

@testable import ZoneQuery

/// The `changes/zone` and `changes/database` requests of CloudKit Web Services.
struct WebServicesChangesTests {
  private static let notes = ZoneID(zoneName: "notes")
  private static let tasks = ZoneID(zoneName: "tasks")

  private func database(limit: Int = 200) throws -> Database {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerRequest = limit
    let database = try Database(configuration: configuration)
    for zone in [Self.notes, Self.tasks] { try database.createZone(zone) }
    return database
  }

  private func record(_ type: String, _ name: String, _ zone: ZoneID, _ value: Int64 = 1) -> Record {
    var record = Record(recordType: type, recordName: name, zoneID: zone)
    record["v"] = .int64(value)
    record["s"] = .string("text")
    return record
  }

  /// The dictionaries of the response to a request of some zones' changes.
  private func zones(_ database: Database, _ zones: [String], _ rest: String = "") throws -> [JSONValue] {
    let text = #"{"zones": [\#(zones.joined(separator: ", "))]\#(rest)}"#
    return try #require(try JSONReader.read(database.webServicesResponse(toZoneChanges: text))["zones"]?.array)
  }

  private func zone(_ name: String, _ token: String? = nil, _ rest: String = "") -> String {
    let token = token.map { #", "syncToken": "\#($0)""# } ?? ""
    return #"{"zoneID": {"zoneName": "\#(name)"}\#(token)\#(rest)}"#
  }

  private func names(_ zone: JSONValue) -> [String] {
    zone["records"]?.array?.compactMap { $0["recordName"]?.string } ?? []
  }

  @Test func changesOfAZone() throws {
    let database = try database()
    try database.saveAll(["a", "b", "c"].map { record("Note", $0, Self.notes) })
    let first = try zones(database, [zone("notes")])[0]
    #expect(first["zoneID"]?.text == #"{"zoneName":"notes"}"# && first["moreComing"]?.bool == false)
    #expect(names(first) == ["a", "b", "c"])
    // A record is written as a lookup writes it.
    let lookup = try database.webServicesResponse(
      toLookup: #"{"records": [{"recordName": "a"}], "zoneID": {"zoneName": "notes"}}"#)
    #expect(try first["records"]?.array?[0].text == JSONReader.read(lookup)["records"]?.array?[0].text)
    let token = try #require(first["syncToken"]?.string)
    try database.save(record("Note", "b", Self.notes, 2), policy: .replace)
    try database.deleteRecord(withID: RecordID(recordName: "a", zoneID: Self.notes))
    let second = try zones(database, [zone("notes", token)], #", "numbersAsStrings": true"#)[0]
    let items = try #require(second["records"]?.array)
    #expect(items.count == 2 && items[0]["fields"]?["v"]?["value"]?.string == "2")
    #expect(
      items[1].text == #"{"recordName":"a","zoneID":{"zoneName":"notes"},"recordType":"Note","deleted":true}"#)
    #expect(second["syncToken"]?.string != token)
  }

  @Test func whatEachZoneAsksFor() throws {
    let database = try database()
    for zone in [Self.notes, Self.tasks] {
      try database.saveAll((0..<4).map { record($0 % 2 == 0 ? "Note" : "Task", "r\($0)", zone, Int64($0)) })
    }
    let both = try zones(
      database,
      [
        zone("notes", nil, #", "desiredKeys": ["v"], "resultsLimit": 1, "numbersAsStrings": false"#),
        zone("tasks", nil, #", "desiredRecordTypes": ["Note"]"#),
      ], #", "desiredKeys": [], "resultsLimit": 3, "desiredRecordTypes": ["Task"], "numbersAsStrings": true"#)
    #expect(names(both[0]) == ["r1"] && both[0]["moreComing"]?.bool == true)
    #expect(both[0]["records"]?.array?[0]["fields"]?.text == #"{"v":{"value":1,"type":"INT64"}}"#)
    #expect(names(both[1]) == ["r0", "r2"] && both[1]["moreComing"]?.bool == false)
    #expect(both[1]["records"]?.array?[0]["fields"]?.text == "{}")
    // Deletions of other types are passed over.
    let token = try #require(both[1]["syncToken"]?.string)
    for name in ["r1", "r2"] { try database.deleteRecord(withID: RecordID(recordName: name, zoneID: Self.tasks)) }
    #expect(try names(zones(database, [zone("tasks", token, #", "desiredRecordTypes": ["Note"]"#)])[0]) == ["r2"])
    #expect(try names(zones(database, [zone("tasks", token, #", "desiredRecordTypes": []"#)])[0]) == [])
    #expect(try names(zones(database, [zone("tasks", token)])[0]) == ["r1", "r2"])
  }

  /// No more records than one request may have, and all of them in the end.
  @Test func roomForSomeZones() throws {
    let database = try database(limit: 5)
    for zone in [Self.notes, Self.tasks] { try database.saveAll((0..<8).map { record("T", "r\($0)", zone) }) }
    var tokens: [String: String] = [:]
    var found: [String: [String]] = [:]
    var pages = 0
    var waiting = ["notes", "tasks"]
    while !waiting.isEmpty, pages < 10 {
      let answers = try zones(database, waiting.map { zone($0, tokens[$0]) })
      #expect(answers.reduce(0) { $0 + names($1).count } <= 5)
      for (name, answer) in zip(waiting, answers) {
        found[name, default: []] += names(answer)
        tokens[name] = answer["syncToken"]?.string ?? tokens[name]
      }
      waiting = zip(waiting, answers).filter { $0.1["moreComing"]?.bool == true }.map(\.0)
      pages += 1
    }
    #expect(pages == 4)
    for name in ["notes", "tasks"] { #expect(found[name] == (0..<8).map { "r\($0)" }) }
  }

  @Test func zonesOfADatabase() throws {
    let database = try database(limit: 2)
    func ask(_ request: String) throws -> JSONValue {
      try JSONReader.read(database.webServicesResponse(toDatabaseChanges: request))
    }
    let first = try ask("{}")
    #expect(
      first["zones"]?.text == #"[{"zoneID":{"zoneName":"notes"}},{"zoneID":{"zoneName":"tasks"}}]"#
        && first["moreComing"]?.bool == false)
    let token = try #require(first["syncToken"]?.string)
    #expect(try ask(#"{"syncToken": "\#(token)"}"#)["zones"]?.text == "[]")
    try database.save(record("T", "a", Self.tasks))
    try database.deleteZone(Self.notes)
    try database.createZone(ZoneID(zoneName: "more"))
    let second = try ask(#"{"syncToken": "\#(token)"}"#)
    #expect(
      second["zones"]?.text == #"[{"zoneID":{"zoneName":"tasks"}},{"zoneID":{"zoneName":"notes"},"deleted":true}]"#)
    #expect(second["moreComing"]?.bool == true)
    let next = try #require(second["syncToken"]?.string)
    #expect(try ask(#"{"syncToken": "\#(next)"}"#)["zones"]?.text == #"[{"zoneID":{"zoneName":"more"}}]"#)
    #expect(try ask(#"{"resultsLimit": 1}"#)["zones"]?.array?.count == 1)
  }

  @Test func requestsByTheirPaths() throws {
    let database = try database()
    try database.save(record("Note", "a", Self.notes))
    let bodies = [
      "records/query": #"{"query": {"recordType": "Note"}, "zoneWide": true}"#,
      "records/lookup": #"{"records": [{"recordName": "a"}], "zoneID": {"zoneName": "notes"}}"#,
      "records/modify": #"{"operations": []}"#, "zones/list": "",
      "zones/lookup": #"{"zones": [{"zoneName": "notes"}]}"#,
      "zones/modify": #"{"operations": []}"#, "changes/zone": #"{"zones": [{"zoneID": {"zoneName": "notes"}}]}"#,
      "changes/database": "{}", "subscriptions/list": "", "subscriptions/lookup": #"{"subscriptions": []}"#,
      "subscriptions/modify": #"{"operations": []}"#, "users/caller": "", "users/current": "",
    ]
    #expect(bodies.count == WebServicesPath.allCases.count)
    for (path, body) in bodies {
      let response = try database.webServicesResponse(to: path, body: body)
      for before in ["/", "/database/1/iCloud.x/production/private/", "//"] {
        #expect(try database.webServicesResponse(to: "\(before)\(path)?ckAPIToken=a/b", body: body) == response)
      }
      let key = ["records", "subscriptions", "users"].first { path.hasPrefix($0) } ?? "zones"
      if path != "users/current" { #expect(try JSONReader.read(response)[key]?.array != nil) }
    }
    for path in [
      "", "/", "?", "records", "query", "records/find", "records/query/", "x/records//query", "Records/Query",
    ] {
      let isOne = path.hasPrefix("records/query") || path.hasPrefix("x/records")
      let code = failureCode { try database.webServicesResponse(to: path, body: bodies["records/query"] ?? "") }
      #expect(code == (isOne ? nil : .invalidQuery), "\(path)")
    }
  }

  @Test func zonesThatAreMade() throws {
    let database = try Database()
    func modify(_ operations: [(String, String)]) throws -> [JSONValue] {
      let text = operations.map { #"{"operationType": "\#($0.0)", "zone": {"zoneID": {"zoneName": "\#($0.1)"}}}"# }
      let response = try database.webServicesResponse(
        toZoneModify: #"{"operations": [\#(text.joined(separator: ", "))]}"#)
      return try #require(try JSONReader.read(response)["zones"]?.array)
    }
    let made = try modify([("create", "notes"), ("create", "_notes"), ("delete", "none"), ("create", "_defaultZone")])
    #expect(made.map { $0["serverErrorCode"]?.string } == [nil, "BAD_REQUEST", "ZONE_NOT_FOUND", nil])
    #expect(made[0]["zoneID"]?.text == #"{"zoneName":"notes"}"# && made[0]["atomic"]?.bool == true)
    #expect(made[3].text == #"{"zoneID":{"zoneName":"_defaultZone"},"atomic":false}"#)
    // The zone's token is that of its changes from now on.
    let token = try #require(made[0]["syncToken"]?.string)
    try database.save(record("Note", "a", Self.notes))
    #expect(try names(zones(database, [zone("notes", token)])[0]) == ["a"])
    // One that is there stays as it is.
    let again = try modify([("create", "notes"), ("create", "more")])
    #expect(try names(zones(database, [zone("notes", again[0]["syncToken"]?.string)])[0]) == [])
    let list = try #require(try JSONReader.read(database.webServicesResponseToZoneList())["zones"]?.array)
    #expect(list.map { $0["zoneID"]?["zoneName"]?.string } == ["_defaultZone", "more", "notes"])
    #expect(list[2].text == again[0].text)
    let lookup = try database.webServicesResponse(
      toZoneLookup: #"{"zones": [{"zoneName": "more"}, {"zoneName": "gone"}, {"zoneName": "more"}]}"#)
    let found = try #require(try JSONReader.read(lookup)["zones"]?.array)
    #expect(found[0].text == list[1].text && found[2].text == list[1].text)
    #expect(found[1]["serverErrorCode"]?.string == "ZONE_NOT_FOUND")
    let gone = try modify([("delete", "notes"), ("delete", "_defaultZone")])
    #expect(gone[0].text == #"{"zoneID":{"zoneName":"notes"},"deleted":true}"#)
    #expect(gone[1]["serverErrorCode"]?.string == "BAD_REQUEST")
    #expect(database.zoneIDs == [.default, ZoneID(zoneName: "more")])
  }

  @Test func faultsOfZoneRequests() throws {
    let database = try database(limit: 2)
    let zone = #""zone": {"zoneID": {"zoneName": "z"}}"#
    let modifications = [
      (#"{}"#, #"The request: the key "operations" is missing"#),
      (#"{"operations": [{\#(zone)}]}"#, #"The request: operations[0]: the key "operationType" is missing"#),
      (
        #"{"operations": [{"operationType": "make", \#(zone)}]}"#,
        "The request: operations[0].operationType: there is no operation make"
      ),
      (#"{"operations": [{"operationType": "create"}]}"#, #"The request: operations[0]: the key "zone" is missing"#),
      (
        #"{"operations": [{"operationType": "create", "zone": {}}]}"#,
        #"The request: operations[0].zone: the key "zoneID" is missing"#
      ),
      (
        #"{"operations": [{"operationType": "create", \#(zone)}, {"operationType": "delete", \#(zone)}]}"#,
        "The request: operations[1]: an operation before is of the same zone"
      ),
      (#"{"operations": [{}, {}, {}]}"#, "3 operations are more than the 2 that one request takes"),
    ]
    for (text, expected) in modifications {
      do throws(ZoneQueryError) {
        Issue.record("\(try database.webServicesResponse(toZoneModify: text))")
      } catch {
        #expect(error.message.hasPrefix(expected), "\(error.message)")
      }
    }
    for text in ["1", "{}", #"{"zones": [1]}"#, #"{"zones": [{}]}"#, #"{"zones": 1}"#] {
      expectFailure(.invalidJSON) { try database.webServicesResponse(toZoneLookup: text) }
    }
    expectFailure(.limitExceeded) { try database.webServicesResponse(toZoneLookup: #"{"zones": [1, 2, 3]}"#) }
    #expect(database.zoneIDs.count == 3)
  }

  @Test func errorsInTheirPlaces() throws {
    let database = try database()
    try database.save(record("T", "a", Self.notes))
    let token = try #require(try zones(database, [zone("notes")])[0]["syncToken"]?.string)
    let answers = try zones(
      database,
      [
        zone("_defaultZone"), zone("none"), zone("gone", "?"), zone("tasks", token), zone("notes", token),
      ])
    #expect(
      answers.map { $0["serverErrorCode"]?.string } == [
        "BAD_REQUEST", "ZONE_NOT_FOUND", "BAD_REQUEST", "BAD_REQUEST", nil,
      ])
    #expect(answers[1]["zoneID"]?.text == #"{"zoneName":"none"}"#)
    #expect(
      answers[3]["reason"]?.string
        == "syncToken: The change token cannot be used: it is one of the zone 'notes', not of 'tasks' "
        + "(Leave it out to fetch everything.)")
    try database.deleteZone(Self.notes)
    try database.createZone(Self.notes)
    #expect(try zones(database, [zone("notes", token)])[0]["reason"]?.string?.contains("has expired") == true)
  }

  @Test func faults() throws {
    let database = try database(limit: 3)
    func message(_ text: String) -> String {
      do throws(ZoneQueryError) { return try database.webServicesResponse(toZoneChanges: text) } catch {
        return "\(error.code): \(error.message)"
      }
    }
    let faults = [
      (#"{}"#, #"invalidJSON: The request: the key "zones" is missing"#),
      (#"{"zones": [{}]}"#, #"invalidJSON: The request: zones[0]: the key "zoneID" is missing"#),
      (#"{"zones": [1]}"#, #"invalidJSON: The request: zones[0]: expected a dictionary, found a number"#),
      (
        #"{"zones": [{"zoneID": {"zoneName": "notes"}, "resultsLimit": 0}]}"#,
        #"invalidJSON: The request: zones[0].resultsLimit: 0 is not at least 1"#
      ),
      (
        #"{"zones": [{"zoneID": {"zoneName": "notes"}, "desiredRecordTypes": [2]}]}"#,
        #"invalidJSON: The request: zones[0].desiredRecordTypes[0]: expected a string, found a number"#
      ),
      (
        #"{"zones": [{"zoneID": {"zoneName": "notes"}, "reverse": true}]}"#,
        #"invalidJSON: The request: zones[0]: changes come in their own order, the oldest first"#
      ),
      (
        #"{"zones": [], "reverse": true}"#,
        #"invalidJSON: The request: changes come in their own order, the oldest first"#
      ),
      (
        #"{"zones": [{"zoneID": {"zoneName": "notes"}}, {"zoneID": {"zoneName": "notes"}}]}"#,
        #"invalidJSON: The request: zones[1]: an entry before is of the same zone"#
      ),
      (#"{"zones": [{}, {}, {}, {}]}"#, #"limitExceeded: 4 zones are more than the 3 that one request takes"#),
    ]
    for (text, expected) in faults { #expect(message(text).hasPrefix(expected), "\(message(text))") }
    for text in [#"{"syncToken": 1}"#, #"{"syncToken": "x"}"#, "[]", #"{"resultsLimit": -1}"#] {
      let code = failureCode { try database.webServicesResponse(toDatabaseChanges: text) }
      #expect(code == .invalidJSON || code == .invalidChangeToken)
    }
  }
}
