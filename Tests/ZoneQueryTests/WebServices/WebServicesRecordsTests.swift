import Testing

@testable import ZoneQuery

/// Answers of CloudKit's, read.
struct WebServicesRecordsTests {
  /// As CloudKit writes it, with keys that are none of ours.
  private static let query = """
    {
      "records" : [ {
        "recordName" : "a", "recordType" : "T", "pluginFields" : { }, "recordChangeTag" : "kx1", "deleted" : false,
        "fields" : { "n" : { "value" : 5, "type" : "INT64" }, "at" : { "value" : 1638605897637, "type" : "TIMESTAMP" } },
        "created" : { "timestamp" : 1638605897637, "userRecordName" : "_4ab8", "deviceID" : "2" },
        "modified" : { "timestamp" : 1638605897638, "userRecordName" : "_5bc9", "deviceID" : "2" },
        "zoneID" : { "zoneName" : "_defaultZone", "ownerRecordName" : "_4ab8", "zoneType" : "DEFAULT_ZONE" }
      }, {
        "recordName" : "b", "recordType" : "T", "fields" : { },
        "zoneID" : { "zoneName" : "notes", "ownerRecordName" : "_4ab8", "zoneType" : "REGULAR_CUSTOM_ZONE" }
      }, {
        "recordName" : "c", "reason" : "Record not found", "serverErrorCode" : "NOT_FOUND", "uuid" : "9-9", "retryAfter" : 3
      }, { "recordName" : "d", "recordType" : "T", "deleted" : true } ],
      "continuationMarker" : "abc"
    }
    """

  @Test func aQuerysAnswer() throws {
    let response = try WebServicesRecords(webServicesJSON: Self.query, userRecordName: "_4ab8")
    #expect(response.continuationMarker == "abc")
    let notes = ZoneID(zoneName: "notes")
    #expect(response.records.map(\.recordID) == [RecordID(recordName: "a"), RecordID(recordName: "b", zoneID: notes)])
    #expect(response.deletedRecordIDs == [RecordID(recordName: "d")])
    let error = try #require(response.errors.first)
    #expect(response.errors.count == 1 && error.serverErrorCode == "NOT_FOUND" && error.retryAfter == 3)
    #expect(error.recordID == RecordID(recordName: "c") && error.uuid == "9-9" && error.zoneID == nil)
    #expect(error.description == "c: NOT_FOUND: Record not found")
    // It is stored as it is, dates, users, tag and all.
    let database = try Database()
    try database.createZone(notes)
    #expect(try database.load(response.records) == 2)
    let stored = try database.record(for: RecordID(recordName: "a"))
    #expect(stored["n"] == 5 && stored["at"] == .timestamp(Timestamp(milliseconds: 1_638_605_897_637)))
    #expect(stored.creatorUserRecordID?.recordName == "_4ab8" && stored.changeTag == "kx1")
    #expect(stored.lastModifiedUserRecordID?.recordName == "_5bc9")
    #expect(stored.modificationDate == Timestamp(milliseconds: 1_638_605_897_638))
  }

  @Test func zonesByTheirOwners() throws {
    func zone(_ name: String, _ owner: String?, user: String? = nil) throws -> ZoneID {
      let owner = owner.map { #", "ownerRecordName": "\#($0)""# } ?? ""
      return try Record(
        webServicesJSON: #"{"recordType": "T", "recordName": "a", "zoneID": {"zoneName": "\#(name)"\#(owner)}}"#,
        userRecordName: user
      ).recordID.zoneID
    }
    for user in [nil, "_me"] {
      for owner in [nil, "_defaultOwner", "__defaultOwner__", "_me", "_other"] {
        #expect(try zone("_defaultZone", owner, user: user) == .default)
        let isOwn = owner == nil || owner == "_defaultOwner" || owner == "__defaultOwner__" || owner == user
        #expect(
          try zone("notes", owner, user: user)
            == (isOwn ? ZoneID(zoneName: "notes") : ZoneID(zoneName: "notes", ownerName: owner ?? "")))
      }
    }
    // Names are told apart by their bytes.
    #expect(try zone("notes", "e\u{301}", user: "é").ownerName.utf8.elementsEqual("e\u{301}".utf8))
    let payload = """
      {"aps": {}, "ck": {"ce": 2, "cid": "iCloud.x", "qry": {"rid": "a", "fo": 1, "dbs": 1, "sid": "s",
      "zid": "_defaultZone", "zoid": "_defaultOwner"}}}
      """
    guard case .query(let told) = try SubscriptionNotification(pushPayloadJSON: payload) else {
      Issue.record("no query notification")
      return
    }
    #expect(told.recordID == RecordID(recordName: "a"))
    // A payload names the zones of a user by them, those of the notification and of references alike.
    let reference = #"{"value": {"recordName": "b", "zoneID": {"zoneName": "notes", "ownerRecordName": "_me"}}}"#
    let named = payload.replacing("_defaultZone", with: "notes").replacing("_defaultOwner", with: "_me")
      .replacing(#""sid""#, with: #""af": {"r": \#(reference)}, "sid""#)
    for (user, owner) in [("_me", ZoneID.currentUserName), (nil, "_me"), ("_you", "_me")] {
      guard case .query(let told) = try SubscriptionNotification(pushPayloadJSON: named, userRecordName: user) else {
        continue
      }
      let zone = ZoneID(zoneName: "notes", ownerName: owner)
      #expect(told.recordID == RecordID(recordName: "a", zoneID: zone))
      #expect(
        told.recordFields["r"] == .reference(Reference(RecordID(recordName: "b", zoneID: zone))))
    }
    let zonePayload = #"{"ck": {"fet": {"dbs": 2, "sid": "s", "zid": "notes", "zoid": "_me"}}}"#
    let zoneNotification = ZoneNotification(
      subscriptionID: "s", zoneID: ZoneID(zoneName: "notes"), databaseScope: .private)
    #expect(
      try SubscriptionNotification(pushPayloadJSON: zonePayload, userRecordName: "_me") == .zone(zoneNotification))
    for (value, isPruned) in [("1", true), ("true", true), ("0", false), ("false", false), ("null", false)] {
      let pruned = payload.replacing(#""cid""#, with: #""p": \#(value), "cid""#)
      guard case .query(let told) = try SubscriptionNotification(pushPayloadJSON: pruned) else { continue }
      #expect(told.isPruned == isPruned, "\(value)")
    }
  }

  /// Types that CloudKit's answers name and no schema does.
  @Test func typesOfAnswers() throws {
    let type = RecordType("T", fields: [FieldDefinition("list", .list(.string)), FieldDefinition("one", .int64)])
    func value(_ field: String, _ schema: Bool = false) throws -> FieldValue? {
      try Record(
        webServicesJSON: #"{"recordType": "T", "recordName": "a", "fields": {"list": \#(field)}}"#,
        schema: schema ? Schema([type]) : nil)["list"]
    }
    #expect(try value(#"{"value": "aGk=", "type": "ENCRYPTED_BYTES"}"#) == .bytes(Array("hi".utf8)))
    #expect(try value(#"{"value": ["a"], "type": "ENCRYPTED_STRING_LIST"}"#) == .stringList(["a"]))
    #expect(try value(#"{"value": 5, "type": "ENCRYPTED_INT64"}"#) == 5)
    for name in ["ENCRYPTED_REFERENCE", "ENCRYPTED_", "ENCRYPTED", "UNKNOWN"] {
      expectFailure(.invalidJSON) { try value(#"{"value": 5, "type": "\#(name)"}"#) }
    }
    #expect(try value(#"{"value": [], "type": "UNKNOWN_LIST"}"#) == nil)
    #expect(try value(#"{"value": [], "type": "UNKNOWN_LIST"}"#, true) == .stringList([]))
    #expect(try value(#"{"value": ["a"], "type": "UNKNOWN_LIST"}"#) == .stringList(["a"]))
    expectFailure(.invalidJSON) { try value(#"{"value": [], "type": "STRINGS_LIST"}"#) }
    let reference = #"{"value": {"recordName": "b", "action": "VALIDATE"}, "type": "REFERENCE"}"#
    #expect(try value(reference) == .reference(Reference(RecordID(recordName: "b"), action: .validate)))
  }

  /// Who asks a database names their zones with or without their name.
  @Test func requestsNameOwnZones() throws {
    var configuration = Database.Configuration()
    configuration.userRecordName = "_me"
    let database = try Database(configuration: configuration)
    let notes = ZoneID(zoneName: "notes")
    let zone = #"{"zoneName": "notes", "ownerRecordName": "_me"}"#
    let made = try database.webServicesResponse(
      toZoneModify: #"{"operations": [{"operationType": "create", "zone": {"zoneID": \#(zone)}}]}"#)
    #expect(
      made.hasPrefix(#"{"zones":[{"zoneID":{"zoneName":"notes"},"syncToken""#) && database.zoneIDs.contains(notes))
    let record = #"{"recordType": "T", "recordName": "a", "fields": {"n": {"value": 1}}}"#
    _ = try database.webServicesResponse(
      toModify: #"{"zoneID": \#(zone), "operations": [{"operationType": "create", "record": \#(record)}]}"#)
    #expect(try database.record(for: RecordID(recordName: "a", zoneID: notes))["n"] == 1)
    let bodies = [
      "records/query": #"{"zoneID": \#(zone), "query": {"recordType": "T"}}"#,
      "records/lookup": #"{"records": [{"recordName": "a", "zoneID": \#(zone)}]}"#,
      "zones/lookup": #"{"zones": [\#(zone)]}"#, "changes/zone": #"{"zones": [{"zoneID": \#(zone)}]}"#,
      "subscriptions/modify": """
      {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "s", "subscriptionType": "zone",
      "zoneID": \(zone)}}]}
      """,
    ]
    for (path, body) in bodies {
      for acting in [database, try database.acting(as: "_other")] {
        let response = try acting.webServicesResponse(to: path, body: body)
        #expect(
          !response.contains("serverErrorCode") && response.contains(#""zoneName":"notes""#), "\(path): \(response)")
      }
      // Another's zone is none that there is.
      let response = try? database.webServicesResponse(to: path, body: body.replacing("_me", with: "_other"))
      #expect(response?.contains("ZONE_NOT_FOUND") ?? true, "\(path)")
    }
  }

  @Test func zonesThatChanged() throws {
    let text = """
      {"zones": [
        {"zoneID": {"zoneName": "A", "ownerRecordName": "_me"}, "syncToken": "x", "moreComing": true, "records": [
          {"recordName": "a", "recordType": "T", "fields": {}}, {"recordName": "b", "deleted": true}]},
        {"zoneID": {"zoneName": "B"}, "serverErrorCode": "ZONE_NOT_FOUND", "reason": "Zone does not exist"},
        {"zoneID": {"zoneName": "C", "ownerRecordName": "_you"}, "records": [
          {"recordName": "c", "recordType": "T", "fields": {"n": {"value": 1}}}]}]}
      """
    let response = try WebServicesRecords(webServicesJSON: text, userRecordName: "_me")
    let zones = [ZoneID(zoneName: "A"), ZoneID(zoneName: "C", ownerName: "_you")]
    #expect(response.records.map(\.recordID.zoneID) == zones && response.continuationMarker == nil)
    #expect(response.deletedRecordIDs == [RecordID(recordName: "b", zoneID: zones[0])])
    #expect(response.errors.map(\.description) == ["B: ZONE_NOT_FOUND: Zone does not exist"])
    #expect(response.errors.first?.zoneID == ZoneID(zoneName: "B"))
    #expect(response.zones.map(\.zoneID) == zones && response.zones.map(\.moreComing) == [true, false])
    #expect(response.zones.map(\.syncToken) == ["x", nil])
  }

  /// What a database answers reads as what it has.
  @Test func ownAnswersReadBack() throws {
    var (random, checks) = (SplitMix(seed: 404), 0)
    let zone = ZoneID(zoneName: "Z")
    let database = try Database()
    try database.createZone(zone)
    for number in 0..<60 {
      try database.save(note("r\(number)", number % 2 == 0 ? zone : .default, n: Int64(random.below(20))))
    }
    try database.deleteRecord(withID: RecordID(recordName: "r0", zoneID: zone))
    var marker: String?
    var names: [String] = []
    repeat {
      let more = marker.map { #", "continuationMarker": "\#($0)""# } ?? ""
      let text = try database.webServicesResponse(
        toQuery: #"{"zoneWide": true, "resultsLimit": 7, "query": {"recordType": "T"}\#(more)}"#)
      let response = try WebServicesRecords(webServicesJSON: text, schema: database.schema)
      for record in response.records {
        #expect(try record == database.record(for: record.recordID))
        checks += 1
      }
      names += response.records.map(\.recordName)
      marker = response.continuationMarker
    } while marker != nil
    #expect(Set(names).count == 59 && checks == 59)
    let changes = try WebServicesRecords(
      webServicesJSON: database.webServicesResponse(toZoneChanges: #"{"zones": [{"zoneID": {"zoneName": "Z"}}]}"#))
    #expect(changes.records.count == 29 && changes.errors.isEmpty)
    let lookup = try WebServicesRecords(
      webServicesJSON: database.webServicesResponse(
        toLookup: #"{"records": [{"recordName": "r1"}, {"recordName": "gone"}]}"#))
    #expect(lookup.records.count == 1 && lookup.errors.first?.serverErrorCode == "NOT_FOUND")
  }

  /// Changed bytes end in records or in an error that has words.
  @Test func changedAnswersEndInRecordsOrAnError() {
    var random = SplitMix(seed: 77)
    let count = TestAmount.of(8_000)
    var read = 0
    for _ in 0..<count {
      var bytes = Array(Self.query.utf8)
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random.below(40))], at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + random.below(60)))
        }
      }
      do throws(ZoneQueryError) {
        let response = try WebServicesRecords(webServicesJSON: String(decoding: bytes, as: UTF8.self))
        #expect(response.records.count + response.errors.count + response.deletedRecordIDs.count <= 8)
        read += 1
      } catch {
        #expect(!error.message.isEmpty && (error.code == .invalidJSON || error.code == .requestRefused))
      }
    }
    #expect(read > count / 100 && read < count)
    print("changed answers: \(count), \(read) of them read")
  }

  @Test func whatIsNoAnswer() throws {
    let cases: [(text: String, code: ZoneQueryError.Code, message: String)] = [
      (
        #"{"uuid": "x", "serverErrorCode": "THROTTLED", "reason": "slow down"}"#, .requestRefused,
        "THROTTLED: slow down"
      ),
      ("{", .invalidJSON, "line 1, column 2"),
      ("[5]", .invalidJSON, "[0]: expected a record dictionary"),
      ("5", .invalidJSON, "The response: expected a response dictionary, found a number"),
      ("{}", .invalidJSON, #"the key "records" is missing"#),
      (#"{"records": {}}"#, .invalidJSON, "records: expected an array of record dictionaries, found an object"),
      (#"{"records": [{"recordName": "a"}]}"#, .invalidJSON, #"The record 'a': the key "recordType" is missing"#),
      (#"{"records": [{"deleted": true}]}"#, .invalidJSON, #"records[0]: the key "recordName" is missing"#),
      (#"{"zones": [{"moreComing": 5}]}"#, .invalidJSON, "zones[0].moreComing: expected a boolean"),
      (#"{"subscriptions": []}"#, .invalidJSON, #"the key "records" is missing"#),
      (#"{"records": [{"serverErrorCode": 5}]}"#, .invalidJSON, "records[0]: serverErrorCode: expected a string"),
      (#"{"records": [], "continuationMarker": 5}"#, .invalidJSON, "continuationMarker: expected a string"),
      (#"{"zones": [{"zoneID": 5}]}"#, .invalidJSON, "zones[0].zoneID: expected a zone dictionary"),
      (#"{"zones": [{"records": 5}]}"#, .invalidJSON, "zones[0].records: expected an array of record dictionaries"),
      (#"{"serverErrorCode": "X", "retryAfter": true, "reason": 5, "uuid": []}"#, .requestRefused, "answered X"),
    ]
    for (text, code, message) in cases {
      do throws(ZoneQueryError) {
        _ = try WebServicesRecords(webServicesJSON: text)
        Issue.record("\(text) was read")
      } catch {
        #expect(error.code == code && error.message.contains(message), "\(text): \(error.message)")
      }
    }
    #expect(try WebServicesRecords(webServicesJSON: #"{"records": []}"#).records.isEmpty)
    let refusals: [(code: String, status: Int)] = [
      ("THROTTLED", 429), ("AUTHENTICATION_REQUIRED", 421), ("TRY_AGAIN_LATER", 503), ("SOMETHING_NEW", 400),
    ]
    for (code, status) in refusals {
      do throws(ZoneQueryError) {
        let text = #"{"serverErrorCode": "\#(code)", "retryAfter": "30", "uuid": "u1"}"#
        _ = try WebServicesRecords(webServicesJSON: text)
      } catch {
        #expect(error.serverErrorCode == code && error.httpStatus == status)
        #expect(error.refusal?.retryAfter == 30 && error.refusal?.uuid == "u1")
      }
    }
  }

  /// Users' records lie in the default zone: a filter on them need not say so, and is not asked in the zone of the request.
  @Test func filtersOnUsersInEveryZone() throws {
    let database = try Database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    let alice = try database.acting(as: "_alice")
    try alice.save(note("a", zone, n: 1))
    try database.save(note("b", zone, n: 1))
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    for name in ["createdUserRecordName", "modifiedUserRecordName"] {
      for value in [#"{"recordName": "_alice"}"#, #"{"recordName": "_alice", "zoneID": {"zoneName": "_defaultZone"}}"#]
      {
        let filter = """
          {"comparator": "EQUALS", "systemFieldName": "\(name)", "fieldValue": {"value": \(value), "type": "REFERENCE"}}
          """
        let query = #"{"recordType": "T", "filterBy": [\#(filter)]}"#
        let response = try WebServicesRecords(
          webServicesJSON: database.webServicesResponse(
            toQuery: #"{"zoneID": {"zoneName": "Z"}, "query": \#(query)}"#))
        #expect(
          response.records.contains { $0.recordName == "a" } && response.records.allSatisfy { $0.recordName != "b" })
        let read = try Query(webServicesJSON: query, zoneID: zone)
        let written = try read.webServicesJSON(zoneID: zone)
        #expect(try Query(webServicesJSON: written, zoneID: zone) == read && !written.contains("zoneID"))
        let subscription = try Subscription(
          webServicesJSON: #"{"subscriptionID": "s", "zoneID": {"zoneName": "Z"}, "query": \#(query)}"#)
        try database.save(subscription)
        try alice.save(note("c", zone, n: 2), policy: .replace)
        #expect(heard.take().count == 1)
        #expect(
          try Subscription(webServicesJSON: subscription.webServicesJSON(schema: database.schema)) == subscription)
      }
    }
    observer.cancel()
  }
}
