import Testing

@testable import ZoneQuery

/// How much requests of CloudKit Web Services may hold, and what is left out of them.
struct WebServicesLimitTests {
  @Test func namesOfFields() throws {
    let database = try Database()
    try database.save(note("a", n: 1))
    func request(_ count: Int) -> String {
      let names = (0..<count).map { $0 == 0 ? #""n""# : #""x\#($0)""# }.joined(separator: ",")
      return #"{"records":[{"recordName":"a"}],"desiredKeys":[\#(names)]}"#
    }
    #expect(try database.webServicesResponse(toLookup: request(1)).contains(#""n""#))
    #expect(try database.webServicesResponse(toLookup: request(4_096)).contains(#""n""#))
    expectFailure(.invalidJSON) { try database.webServicesResponse(toLookup: request(4_097)) }
  }

  @Test func numbersInLongStrings() throws {
    func value(_ text: String, asStrings: Bool) throws -> FieldValue? {
      try Record(
        webServices: JSONReader.read(
          #"{"recordType":"T","recordName":"a","fields":{"x":{"value":"\#(text)","type":"DOUBLE"}}}"#),
        numbersAsStrings: asStrings)["x"]
    }
    let longest = "1." + String(repeating: "0", count: 509) + "5"
    #expect(longest.utf8.count == 512)
    #expect(try value(longest, asStrings: true) == .double(1))
    #expect(try value("-2.5", asStrings: true) == .double(-2.5))
    for (text, asStrings) in [(longest + "0", true), ("1.5", false), ("", true), ("1.5 x", true), ("0x1", true)] {
      #expect(failureCode { try value(text, asStrings: asStrings) } == .invalidJSON, "\(text.prefix(9))")
    }
  }

  @Test func requestsThatMayHoldNothing() throws {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerRequest = 0
    let database = try Database(configuration: configuration)
    try database.save(note("a", n: 1))
    let codes = [
      failureCode { try database.webServicesResponse(toQuery: #"{"query":{"recordType":"T"}}"#) },
      failureCode { try database.webServicesResponse(toDatabaseChanges: "{}") },
      failureCode { try database.webServicesResponse(toLookup: #"{"records":[{"recordName":"a"}]}"#) },
    ]
    #expect(Set(codes).count == 1 && codes[0] != nil, "\(codes)")
    configuration.limits.itemsPerRequest = 1
    let other = try Database(configuration: configuration)
    try other.save(note("a", n: 1))
    #expect(try other.webServicesResponse(toQuery: #"{"query":{"recordType":"T"}}"#).contains(#""a""#))
    #expect(failureCode { try other.webServicesResponse(toDatabaseChanges: "{}") } == nil)
  }

  @Test func zonesOfSubscriptions() throws {
    let zone = ZoneID(zoneName: "Z")
    func zoneID(_ keys: String) throws -> ZoneID? {
      let database = try Database(schema: Schema([RecordType("T", fields: [FieldDefinition("n", .int64)])]))
      try database.createZone(zone)
      _ = try database.webServicesResponse(
        toSubscriptionModify:
          #"{"operations":[{"operationType":"create","subscription":{"subscriptionType":"query","subscriptionID":"s",\#(keys)"firesOn":["create"],"query":{"recordType":"T"}}}]}"#
      )
      guard case .query(let subscription) = try #require(database.subscriptions().first) else { return nil }
      return subscription.zoneID
    }
    #expect(try zoneID("") == nil && zoneID(#""zoneWide":true,"#) == nil)
    #expect(try zoneID(#""zoneWide":false,"#) == .default)
    #expect(try zoneID(#""zoneWide":false,"zoneID":{"zoneName":"Z"},"#) == zone)
    #expect(try zoneID(#""zoneID":{"zoneName":"Z"},"#) == zone)
  }

  /// Of a key that stands twice the message has the beginning, and says where it has no more.
  @Test func longKeys() {
    for (count, isCut) in [(1, false), (39, false), (40, false), (41, true), (400, true)] {
      for letter in ["a", "é"] {
        let key = String(repeating: letter, count: count)
        do throws(JSONError) {
          _ = try JSONReader.read(#"{"\#(key)":1,"\#(key)":2}"#)
          Issue.record("nothing was thrown")
        } catch {
          #expect(error.description.contains("…") == isCut, "\(count)")
          #expect(error.description.contains(String(repeating: letter, count: min(count, 40))))
        }
      }
    }
  }

  @Test func requestsWithoutABody() {
    let without = WebServicesPath.allCases.filter { !$0.hasBody }
    #expect(without == [.zoneList, .subscriptionList, .caller, .currentUser])
  }

  /// What equals nothing else where a missing value is nil; other opposites there are no filters for.
  @Test(arguments: [
    ("NOT n = 1", true), ("NOT n != 1", true), ("NOT n < 1", false), ("NOT n >= 1", false), ("n != 1", true),
    ("n < 1", true),
  ])
  func oppositesWhereMissingIsNil(format: String, isFilter: Bool) throws {
    let type = RecordType("T", fields: [FieldDefinition("n", .int64, [.queryable])])
    let predicate = try QueryPredicate(format: format)
    for (missing, expected) in [(PredicateOptions.MissingFields.excluded, true), (.likeNSPredicate, isFilter)] {
      let filters = WebServicesFilters(
        predicate.root, of: type, now: Timestamp(milliseconds: 0), missingFields: missing)
      #expect(filters.faults.isEmpty == expected)
      guard expected, let filter = filters.filters.first else { continue }
      #expect(filters.filters.count == 1 && filter.value == .int64(1))
      let names = ["NOT n = 1": "NOT_EQUALS", "NOT n != 1": "EQUALS", "NOT n < 1": "GREATER_THAN_OR_EQUALS"]
      if let name = names[format] { #expect(filter.comparator.name == name) }
    }
  }

  /// The carriage return at a line's end is no part of it; it makes no room for more.
  @Test func linesThatAreLongerWithoutTheirReturns() throws {
    let bytes = Array("12345\r\n123456\r\n12345\r\r\n1234\r\r\n1\r".utf8)
    for size in 1...bytes.count {
      var lines = JSONLines(bytes, inChunksOf: size, maximumLineLength: 5)
      var events: [String] = []
      while events.last != "end" {
        do { events.append(try lines.next().map { "\($0.number):\($0.bytes.count)" } ?? "end") } catch {
          if case .lineTooLong(let error) = error { events.append("\(error.line)!") }
        }
      }
      #expect(events == ["1:5", "2!", "3!", "4:5", "5:1", "end"], "\(size)")
    }
  }
}
