import Testing

@testable import ZoneQuery

/// The `records/query` and `records/lookup` requests of CloudKit Web Services.
struct WebServicesQueryTests {
  static let schema = try? Schema(
    ckdb: """
      DEFINE SCHEMA
        RECORD TYPE Event (
          "___recordID" REFERENCE QUERYABLE, "___createTime" TIMESTAMP QUERYABLE SORTABLE,
          city STRING QUERYABLE SORTABLE, title STRING SEARCHABLE, capacity INT64 QUERYABLE SORTABLE,
          price DOUBLE QUERYABLE SORTABLE, start TIMESTAMP QUERYABLE SORTABLE, tags LIST<STRING> QUERYABLE,
          sizes LIST<INT64> QUERYABLE, place LOCATION QUERYABLE, host REFERENCE QUERYABLE
        );
      """)

  private func query(_ json: String, schema: Schema? = Self.schema) throws -> Query {
    try Query(webServicesJSON: json, schema: schema)
  }

  private func predicate(_ filter: String, schema: Schema? = Self.schema) throws -> QueryPredicate {
    try query(#"{"recordType": "Event", "filterBy": [{\#(filter)}]}"#, schema: schema).predicate
  }

  // MARK: Filters

  /// Each comparator, its filter's other keys, and the native form.
  private static let forms: [(comparator: String, rest: String, format: String)] = [
    ("EQUALS", #""fieldName": "city", "fieldValue": {"value": "Suva"}"#, "city = 'Suva'"),
    ("EQUALS", #""fieldName": "price", "fieldValue": {"value": 3}"#, "price = 3.0"),
    ("NOT_EQUALS", #""fieldName": "capacity", "fieldValue": {"value": 3.0}"#, "capacity != 3"),
    ("LESS_THAN", #""fieldName": "start", "fieldValue": {"value": 978307201500}"#, "start < CAST(1.5, 'NSDate')"),
    ("LESS_THAN_OR_EQUALS", #""fieldName": "price", "fieldValue": {"value": 2.5}"#, "price <= 2.5"),
    (
      "GREATER_THAN", #""systemFieldName": "createdTimestamp", "fieldValue": {"value": 978307200000}"#,
      "creationDate > CAST(0, 'NSDate')"
    ),
    (
      "GREATER_THAN_OR_EQUALS", #""systemFieldName": "modifiedTimestamp", "fieldValue": {"value": 978307200000}"#,
      "modificationDate >= CAST(0, 'NSDate')"
    ),
    (
      "EQUALS", #""systemFieldName": "recordName", "fieldValue": {"value": {"recordName": "a"}}"#,
      "recordID = CAST('a', 'CKReference')"
    ),
    (
      "EQUALS",
      #""fieldName": "host", "fieldValue": {"value": {"recordName": "a", "action": "NONE"}, "type": "REFERENCE"}"#,
      "host = CAST('a', 'CKReference')"
    ),
    (
      "NEAR",
      #""fieldName": "place", "fieldValue": {"value": {"latitude": -18.5, "longitude": 178.25}}, "distance": 1000"#,
      "distanceToLocation:fromLocation:(place, CAST('-18.5,178.25', 'CLLocation')) < 1000.0"
    ),
    (
      "CONTAINS_ALL_TOKENS", #""fieldValue": {"value": "after session"}"#,
      "ALL tokenize('after session', 'Cdl') IN allTokens"
    ),
    (
      "CONTAINS_ANY_TOKENS", #""fieldName": "allTokens", "fieldValue": {"value": "after session"}"#,
      "ANY tokenize('after session', 'Cdl') IN allTokens"
    ),
    (
      "IN", #""fieldName": "city", "fieldValue": {"value": ["Suva", "Seoul"], "type": "STRING_LIST"}"#,
      "city IN {'Suva', 'Seoul'}"
    ),
    (
      "NOT_IN", #""fieldName": "price", "fieldValue": {"value": [1, 2], "type": "INT64_LIST"}"#, "NOT (price IN {1, 2})"
    ),
    ("BEGINS_WITH", #""fieldName": "city", "fieldValue": {"value": "S"}"#, "city BEGINSWITH 'S'"),
    ("NOT_BEGINS_WITH", #""fieldName": "city", "fieldValue": {"value": "S"}"#, "NOT (city BEGINSWITH 'S')"),
    ("LIST_CONTAINS", #""fieldName": "tags", "fieldValue": {"value": "a"}"#, "tags CONTAINS 'a'"),
    ("NOT_LIST_CONTAINS", #""fieldName": "sizes", "fieldValue": {"value": 3}"#, "NOT (sizes CONTAINS 3)"),
    ("LIST_CONTAINS_ANY", #""fieldName": "tags", "fieldValue": {"value": ["a", "b"]}"#, "ANY tags IN {'a', 'b'}"),
    (
      "NOT_LIST_CONTAINS_ANY", #""fieldName": "sizes", "fieldValue": {"value": [1]}"#, "NOT (ANY sizes IN {1})"
    ),
    ("LIST_CONTAINS_ALL", #""fieldName": "tags", "fieldValue": {"value": ["a", "b"]}"#, "ALL {'a', 'b'} IN tags"),
    (
      "NOT_LIST_CONTAINS_ALL", #""fieldName": "tags", "fieldValue": {"value": ["a"]}"#, "NOT (ALL {'a'} IN tags)"
    ),
    ("LIST_MEMBER_BEGINS_WITH", #""fieldName": "tags", "fieldValue": {"value": "a"}"#, "ANY tags BEGINSWITH 'a'"),
    (
      "NOT_LIST_MEMBER_BEGINS_WITH", #""fieldName": "tags", "fieldValue": {"value": "a"}"#,
      "NOT (ANY tags BEGINSWITH 'a')"
    ),
  ]

  @Test func filtersAreTheirNativeForms() throws {
    let database = try Database(schema: Self.schema)
    for (comparator, rest, format) in Self.forms {
      let found = try predicate(#""comparator": "\#(comparator)", \#(rest)"#)
      let native = try QueryPredicate(format: format)
      #expect(found == native, "\(found)")
      // CloudKit's own dialect takes each.
      #expect(throws: Never.self) { try database.prepare(Query(recordType: "Event", predicate: found)) }
    }
    #expect(Set(Self.forms.map(\.comparator)) == Set(WebServicesComparator.all.map(\.name)))
  }

  /// Numbers are compared as they are written: nothing is rounded to the field's type.
  @Test func numbersAreExact() throws {
    let database = try database([
      event("a", [("price", .double(0x1p53)), ("city", "3"), ("capacity", 4), ("sizes", .int64List([1, 2]))]),
      event("b", [("price", 1.5), ("capacity", 5), ("sizes", .int64List([]))]),
    ])
    for (comparator, field, value, format) in [
      ("EQUALS", "price", "9007199254740993", "price = 9007199254740993"),
      ("LESS_THAN", "price", "9007199254740993", "price < 9007199254740993"),
      ("GREATER_THAN_OR_EQUALS", "price", "9007199254740993", "price >= 9007199254740993"),
      ("EQUALS", "price", "9007199254740992", "price = 9007199254740992"),
      ("EQUALS", "price", "1e400", ""), ("LESS_THAN", "capacity", "10000000000000000000", ""),
      ("LESS_THAN", "capacity", "1e19", "capacity < 1e19"), ("EQUALS", "price", "true", "price = 1"),
      ("EQUALS", "price", #""9007199254740993""#, "price = 9007199254740993"),
      ("LESS_THAN", "capacity", #""4.5""#, "capacity < 4.5"),
      ("LIST_CONTAINS_ANY", "sizes", #"["1.5", 2, "1"]"#, "ANY sizes IN {1.5, 2, 1}"),
      ("EQUALS", "city", #""3""#, "city = '3'"),
      ("GREATER_THAN", "capacity", "4.5", "capacity > 4.5"), ("NOT_EQUALS", "capacity", "4.5", "capacity != 4.5"),
      ("EQUALS", "capacity", "4.0", "capacity = 4"),
      ("LIST_CONTAINS_ANY", "sizes", "[1.5, 2]", "ANY sizes IN {1.5, 2}"),
      ("NOT_LIST_CONTAINS", "sizes", "1.5", "NOT (sizes CONTAINS 1.5)"),
      ("LIST_CONTAINS_ALL", "sizes", "[]", ""), ("EQUALS", "capacity", "true", "capacity = 1"),
    ] {
      let request =
        #"{"numbersAsStrings": \#(value.contains("\"")), "query": {"recordType": "Event", "filterBy": [{"comparator": "\#(comparator)", "fieldName": "\#(field)", "fieldValue": {"value": \#(value)}}]}}"#
      if format.isEmpty, value != "[]" {
        #expect(throws: ZoneQueryError.self, "\(value)") { try database.webServicesResponse(toQuery: request) }
        continue
      }
      let native = try QueryPredicate(format: format.isEmpty ? "ALL {} IN sizes" : format)
      let expected = try database.records(matching: Query(recordType: "Event", predicate: native)).records
      #expect(
        try Set(names(database.webServicesResponse(toQuery: request))) == Set(expected.map(\.recordName)), "\(request)")
    }
  }

  @Test func queriesHaveFiltersAndSorts() throws {
    let whole = try query(
      #"""
      {"recordType": "Event",
       "filterBy": [{"fieldName": "city", "comparator": "EQUALS", "fieldValue": {"value": "Suva", "type": "STRING"}},
                    {"fieldName": "capacity", "comparator": "LESS_THAN", "fieldValue": {"value": 9}}],
       "sortBy": [{"fieldName": "start", "ascending": false}, {"systemFieldName": "createdTimestamp"},
                  {"fieldName": "place", "relativeLocation": {"latitude": 1, "longitude": 2}}]}
      """#)
    #expect(try whole.predicate == QueryPredicate(format: "city = 'Suva' AND capacity < 9"))
    #expect(
      whole.sort == [
        .descending("start"), .ascending("creationDate"),
        .distance("place", from: Location(latitude: 1, longitude: 2)),
      ])
    let all = try query(#"{"recordType": "Event", "filterBy": null, "sortBy": []}"#)
    #expect(all == Query(recordType: "Event"))
    // Without a schema a value is what it shows, or what it says it is.
    #expect(
      try predicate(#""fieldName": "x", "comparator": "EQUALS", "fieldValue": {"value": 3}"#, schema: nil)
        == QueryPredicate(format: "x = 3"))
    #expect(
      try predicate(
        #""fieldName": "x", "comparator": "EQUALS", "fieldValue": {"value": 0, "type": "TIMESTAMP"}"#, schema: nil)
        == QueryPredicate(format: "x = CAST(-978307200, 'NSDate')"))
    let place = #"{"value": {"latitude": 1, "longitude": 2}, "type": "LOCATION"}"#
    #expect(
      try query(#"{"recordType": "T", "sortBy": [{"fieldName": "p", "relativeLocation": \#(place)}]}"#).sort
        == [.distance("p", from: Location(latitude: 1, longitude: 2))])
  }

  @Test(
    "A fault is told with its path, and what to write",
    arguments: [
      ("[]", "The query: expected a query dictionary, found an array.", nil),
      ("{}", #"The query: the key "recordType" is missing."#, nil),
      (
        #"{"recordType": "Event", "filterBy": {}}"#,
        "The query: filterBy: expected an array of filters, found an object.", nil
      ),
      (
        #"{"recordType": "Event", "filterBy": [1]}"#, "The query: filterBy[0]: expected a dictionary, found a number.",
        nil
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUAL"}]}"#,
        "The query: filterBy[0].comparator: there is no comparator EQUAL.", "Write EQUALS."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldValue": {"value": 1}}]}"#,
        #"The query: filterBy[0]: the key "fieldName" is missing."#,
        #"System fields are written "systemFieldName": "recordName"."#
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "recordName", "fieldValue": {"value": "a"}}]}"#,
        "The query: filterBy[0].fieldName: 'recordName' is the name of a system field.",
        #"Write "systemFieldName": "recordName"."#
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "systemFieldName": "createdTimstamp"}]}"#,
        "The query: filterBy[0].systemFieldName: there is no system field createdTimstamp.", "Write createdTimestamp."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "a", "systemFieldName": "parent"}]}"#,
        #"The query: filterBy[0]: the dictionary has both "fieldName" and "systemFieldName"."#, "Leave one out."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "city"}]}"#,
        #"The query: filterBy[0]: the key "fieldValue" is missing."#, nil
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "city", "fieldValue": {"value": null}}]}"#,
        "The query: filterBy[0].fieldValue.value: a filter compares with a value, and null is none.", nil
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "IN", "fieldName": "city", "fieldValue": {"value": ["a"]}}]}"#,
        #"The query: filterBy[0].fieldValue: the key "type" is missing, which a list of IN names."#,
        #"Write "type": "STRING_LIST"."#
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "IN", "fieldName": "city", "fieldValue": {"value": "a", "type": "STRING"}}]}"#,
        "The query: filterBy[0].fieldValue: IN takes a list, found STRING.",
        #"Write "type": "STRING_LIST" and an array."#
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "LIST_CONTAINS", "fieldName": "tags", "fieldValue": {"value": ["a"], "type": "STRING_LIST"}}]}"#,
        "The query: filterBy[0].fieldValue: LIST_CONTAINS takes one value, found STRING_LIST.",
        #"Write "type": "STRING" and one value."#
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "NEAR", "fieldName": "place", "fieldValue": {"value": {"latitude": 1, "longitude": 2}}}]}"#,
        #"The query: filterBy[0]: the key "distance" is missing."#, "It is in metres."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "city", "fieldValue": {"value": "a"}, "distance": 3}]}"#,
        "The query: filterBy[0].distance: EQUALS takes no distance, as NEAR does.", nil
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "CONTAINS_ALL_TOKENS", "fieldName": "title", "fieldValue": {"value": "a"}}]}"#,
        "The query: filterBy[0]: CONTAINS_ALL_TOKENS searches all searchable fields, and 'title' alone cannot be searched.",
        "Leave fieldName out."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "two words", "fieldValue": {"value": "a"}}]}"#,
        "The query: filterBy[0].fieldName: 'two words' is no key.",
        "A key is a letter or _, then letters, digits and _; several are joined by points."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "x", "fieldValue": {"value": "AA==", "type": "BYTES"}}]}"#,
        "The query: filterBy[0].fieldValue: BYTES cannot be compared, so no predicate takes them.", nil
      ),
      (
        #"{"recordType": "Event", "sortBy": [{"fieldName": "place", "ascending": false, "relativeLocation": {"latitude": 1, "longitude": 2}}]}"#,
        "The query: sortBy[0].ascending: by their distance from a location records come the nearest first.",
        #"Leave "ascending" out."#
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "NOT_BEGINS_WITH", "fieldName": "tags", "fieldValue": {"value": "a"}}]}"#,
        "The query: filterBy[0]: NOT_BEGINS_WITH compares one value, and 'tags' is STRING_LIST.",
        "Write NOT_LIST_MEMBER_BEGINS_WITH."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "LIST_CONTAINS_ANY", "fieldName": "city", "fieldValue": {"value": ["a"]}}]}"#,
        "The query: filterBy[0]: LIST_CONTAINS_ANY looks into a list, and 'city' is STRING.", "Write IN."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "sizes", "fieldValue": {"value": 3}}]}"#,
        "The query: filterBy[0]: EQUALS compares one value, and 'sizes' is INT64_LIST.", "Write LIST_CONTAINS."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "NOT_LIST_CONTAINS", "fieldName": "city", "fieldValue": {"value": "a"}}]}"#,
        "The query: filterBy[0]: NOT_LIST_CONTAINS looks into a list, and 'city' is STRING.", "Write NOT_EQUALS."
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "LIST_CONTAINS_ALL", "systemFieldName": "recordName", "fieldValue": {"value": ["a"]}}]}"#,
        "The query: filterBy[0]: LIST_CONTAINS_ALL looks into a list, and 'recordName' is REFERENCE.", nil
      ),
      (
        #"{"recordType": "Event", "sortBy": [{"fieldName": "recordName"}]}"#,
        "The query: sortBy[0].fieldName: 'recordName' is the name of a system field.",
        #"Write "systemFieldName": "recordName"."#
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "IN", "fieldName": "capacity", "fieldValue": {"value": [1], "type": 5}}]}"#,
        "The query: filterBy[0].fieldValue.type: expected a string, found a number.", nil
      ),
      (
        #"{"recordType": "Event", "filterBy": [{"comparator": "EQUALS", "fieldName": "price", "fieldValue": {"value": 10000000000000000000}}]}"#,
        "The query: filterBy[0].fieldValue.value: the number is beyond the range of INT64.",
        "Write it with a fraction (1e19, 1.0) where a DOUBLE is meant."
      ),
      (
        #"{"recordType": "Event", "sortBy": [{"fieldName": "start", "ascending": 1}]}"#,
        "The query: sortBy[0].ascending: expected a boolean, found a number.", nil
      ),
    ] as [(String, String, String?)])
  func faults(json: String, message: String, hint: String?) throws {
    let error = try #require(throws: ZoneQueryError.self) { try query(json) }
    #expect(error.message == message)
    #expect(error.hint == hint)
    #expect(error.stage == .webServices && error.code == .invalidJSON)
    #expect(error.serverErrorCode == "BAD_REQUEST" && error.httpStatus == 400)
  }

  // MARK: Responses

  private func database(_ records: [Record] = []) throws -> Database {
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: 1_700_000_000_000) }
    let database = try Database(schema: Self.schema, configuration: configuration)
    try database.load(records)
    return database
  }

  private func event(_ name: String, zone: String? = nil, _ fields: [(String, FieldValue)]) -> Record {
    var record = Record(
      recordType: "Event", recordName: name, zoneID: zone.map { ZoneID(zoneName: $0) } ?? .default)
    for (name, value) in fields { record[name] = value }
    return record
  }

  /// A text with what differs from run to run taken out of it.
  private func stable(_ json: String) throws -> String {
    func stable(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let elements): return .array(elements.map(stable))
      case .object(let object):
        let members = object.members.filter {
          !["created", "modified", "recordChangeTag", "uuid", "continuationMarker"].contains($0.key)
        }
        return .object(JSONObject(members.map { ($0.key, stable($0.value)) }))
      default: return value
      }
    }
    return stable(try JSONReader.read(json)).text
  }

  @Test func responsesHaveRecordsAndMarkers() throws {
    let database = try database([
      event("a", [("city", "Suva"), ("capacity", 3), ("price", 2.0)]), event("b", [("city", "Suva")]),
      event("c", [("city", "Seoul")]), event("d", zone: "Z", [("city", "Suva")]),
      event("e", [("city", "Lima"), ("price", .double(.infinity))]),
    ])
    let suva = #"{"comparator": "EQUALS", "fieldName": "city", "fieldValue": {"value": "Suva"}}"#
    let byName = #""sortBy": [{"systemFieldName": "createdTimestamp"}]"#
    func answer(_ rest: String, filter: String = suva) throws -> String {
      try database.webServicesResponse(
        toQuery: #"{"query": {"recordType": "Event", "filterBy": [\#(filter)], \#(byName)} \#(rest)}"#)
    }
    #expect(
      try stable(answer(#", "resultsLimit": 1, "numbersAsStrings": true"#))
        == #"{"records":[{"recordName":"a","recordType":"Event","fields":{"city":{"value":"Suva","type":"STRING"},"capacity":{"value":"3","type":"INT64"},"price":{"value":"2.0","type":"DOUBLE"}}}]}"#
    )
    #expect(
      try stable(answer(#", "desiredKeys": []"#))
        == #"{"records":[{"recordName":"a","recordType":"Event","fields":{}},{"recordName":"b","recordType":"Event","fields":{}}]}"#
    )
    #expect(
      try stable(answer(#", "desiredKeys": ["city"], "zoneID": {"zoneName": "Z"}, "zoneWide": true"#))
        == #"{"records":[{"recordName":"d","recordType":"Event","zoneID":{"zoneName":"Z"},"fields":{"city":{"value":"Suva","type":"STRING"}}}]}"#
    )
    #expect(try names(answer(#", "zoneWide": true"#)) == ["a", "b", "d"])
    #expect(try JSONReader.read(answer(""))["continuationMarker"] == nil)
    let lima = suva.replacing("Suva", with: "Lima")
    #expect(
      try stable(answer("", filter: lima))
        == #"{"records":[{"recordName":"e","reason":"The record 'e': fields.price.value: JSON cannot carry the number inf.","serverErrorCode":"BAD_REQUEST"}]}"#
    )
    // A marker goes on with its own query, in its own zones.
    let marker = try #require(try JSONReader.read(answer(#", "resultsLimit": 1"#))["continuationMarker"]?.string)
    #expect(try names(answer(#", "continuationMarker": "\#(marker)""#)) == ["b"])
    for other in [
      (#", "continuationMarker": "\#(marker)""#, lima),
      (#", "continuationMarker": "\#(marker)", "zoneWide": true"#, suva),
      (#", "continuationMarker": "\#(marker.dropLast(4))""#, suva), (#", "continuationMarker": "?""#, suva),
    ] {
      let error = try #require(throws: ZoneQueryError.self) { try answer(other.0, filter: other.1) }
      #expect(error.code == .invalidCursor && error.serverErrorCode == "BAD_REQUEST")
      #expect(error.webServicesJSON.contains("continuationMarker: ") && error.webServicesJSON.contains("(Send it with"))
    }
    #expect(
      try #require(throws: ZoneQueryError.self) { try answer(#", "resultsLimit": 0"#) }.message
        == "The request: resultsLimit: 0 is not at least 1.")
    #expect(
      try #require(throws: ZoneQueryError.self) { try answer(#", "resultsLimit": 1.5"#) }.message
        == "The request: resultsLimit: 1.5 is no number of records: a whole one up to 9223372036854775807, in digits.")
    #expect(
      try #require(throws: ZoneQueryError.self) { try answer("", filter: suva.replacing("city", with: "town")) }
        .webServicesJSON.hasPrefix(#"{"reason":"Did not find field: 'town' in type: 'Event'"#))
    #expect(
      try #require(throws: ZoneQueryError.self) { try answer(#", "zoneID": {"zoneName": "No"}"#) }.httpStatus == 404)
    #expect(throws: ZoneQueryError.self) { try database.webServicesResponse(toQuery: "{") }
    #expect(throws: ZoneQueryError.self) { try database.webServicesResponse(toQuery: "{}") }
  }

  @Test func lookupsTellWhatIsNotThere() throws {
    let database = try database([
      event("a", [("city", "Suva"), ("capacity", 3)]), event("b", zone: "Z", [("city", "Lima"), ("capacity", 4)]),
    ])
    let request = #"""
      {"records": [{"recordName": "a"}, {"recordName": "b", "zoneID": {"zoneName": "Z"}, "desiredKeys": ["capacity"]},
                   {"recordName": "b"}, {"recordName": "c", "zoneID": {"zoneName": "No"}}], "desiredKeys": ["city"]}
      """#
    #expect(
      try stable(database.webServicesResponse(toLookup: request))
        == #"{"records":[{"recordName":"a","recordType":"Event","fields":{"city":{"value":"Suva","type":"STRING"}}},"#
        + #"{"recordName":"b","recordType":"Event","zoneID":{"zoneName":"Z"},"fields":{"capacity":{"value":4,"type":"INT64"}}},"#
        + #"{"recordName":"b","reason":"There is no record 'b'","serverErrorCode":"NOT_FOUND"},"#
        + #"{"recordName":"c","zoneID":{"zoneName":"No"},"reason":"There is no zone 'No'","serverErrorCode":"ZONE_NOT_FOUND"}]}"#
    )
    #expect(try database.webServicesResponse(toLookup: #"{"records": []}"#) == #"{"records":[]}"#)
    let many = Array(repeating: #"{"recordName": "a"}"#, count: 201).joined(separator: ",")
    let error = try #require(throws: ZoneQueryError.self) {
      try database.webServicesResponse(toLookup: #"{"records": [\#(many)]}"#)
    }
    #expect(error.code == .limitExceeded)
    for bad in ["{}", #"{"records": [{}]}"#, #"{"records": 3}"#, #"{"records": [], "desiredKeys": [1]}"#] {
      #expect(throws: ZoneQueryError.self) { try database.webServicesResponse(toLookup: bad) }
    }
  }

  @Test func errorsHaveTheirCodes() throws {
    let database = try database()
    let saved = try database.save(event("a", [("city", "Suva")]))
    var stale = saved
    stale["city"] = "Lima"
    try database.save(stale)
    func code(_ body: () throws -> some Any) throws -> String {
      let error = try #require(throws: ZoneQueryError.self) { _ = try body() }
      let json = try JSONReader.read(error.webServicesJSON)
      #expect(json["serverErrorCode"]?.string == error.serverErrorCode && json["uuid"]?.string?.utf8.count == 36)
      return "\(error.serverErrorCode) \(error.httpStatus)"
    }
    #expect(try code { try database.save(stale) } == "CONFLICT 409")
    #expect(try code { try database.save(event("a", [])) } == "EXISTS 409")
    #expect(try code { try database.record(for: RecordID(recordName: "b")) } == "NOT_FOUND 404")
    #expect(
      try code { try database.record(for: RecordID(recordName: "b", zoneID: ZoneID(zoneName: "No"))) }
        == "ZONE_NOT_FOUND 404")
    var child = event("child", [])
    child.parent = Reference(RecordID(recordName: "gone"))
    #expect(try code { try database.save(child) } == "VALIDATING_REFERENCE_ERROR 412")
    try database.createZone(ZoneID(zoneName: "Z"))
    let batch = [event("x", zone: "Z", []), event("x", zone: "Z", [])]
    #expect(try code { try database.save(batch)[0].get() } == "ATOMIC_ERROR 400")
  }

  private func names(_ response: String) throws -> [String] {
    try #require(try JSONReader.read(response)["records"]?.array).map { $0["recordName"]?.string ?? "" }
  }

  // MARK: Against a naive loop

  /// A filter, and what it asks of a record.
  private typealias Case = (json: String, holds: (Record) -> Bool)

  private func drawn(_ random: inout SplitMix) -> Case {
    let cities = ["Suva", "Seoul", "Lima", "Su"]
    func filter(_ comparator: String, _ rest: String) -> String { #"{"comparator": "\#(comparator)", \#(rest)}"# }
    let not = random.below(2) == 0
    let prefix = not ? "NOT_" : ""
    switch random.below(7) {
    case 0:
      let city = cities[random.below(4)]
      return (
        filter(not ? "NOT_EQUALS" : "EQUALS", #""fieldName": "city", "fieldValue": {"value": "\#(city)"}"#),
        { $0.string("city").map { ($0 == city) != not } ?? false }
      )
    case 1:
      let bound = Int64(random.below(10))
      let name = ["LESS_THAN", "LESS_THAN_OR_EQUALS", "GREATER_THAN", "GREATER_THAN_OR_EQUALS"][random.below(4)]
      let accepted: [Int64] = (0..<10).filter { (value: Int64) -> Bool in
        switch name {
        case "LESS_THAN": value < bound
        case "LESS_THAN_OR_EQUALS": value <= bound
        case "GREATER_THAN": value > bound
        default: value >= bound
        }
      }
      return (
        filter(name, #""fieldName": "capacity", "fieldValue": {"value": \#(bound), "type": "INT64"}"#),
        { $0.int64("capacity").map(accepted.contains) ?? false }
      )
    case 2:
      let some = [random.below(10), random.below(10)]
      return (
        filter(prefix + "IN", #""fieldName": "capacity", "fieldValue": {"value": \#(some), "type": "INT64_LIST"}"#),
        { $0.int64("capacity").map { some.contains(Int($0)) != not } ?? false }
      )
    case 3:
      let start = cities[random.below(4)].prefix(1 + random.below(3))
      return (
        filter(prefix + "BEGINS_WITH", #""fieldName": "city", "fieldValue": {"value": "\#(start)"}"#),
        { $0.string("city").map { $0.hasPrefix(start) != not } ?? false }
      )
    case 4:
      let size = Int64(random.below(6))
      return (
        filter(prefix + "LIST_CONTAINS", #""fieldName": "sizes", "fieldValue": {"value": \#(size)}"#),
        { $0.int64List("sizes").map { $0.contains(size) != not } ?? false }
      )
    case 5:
      let some: [Int64] = [Int64(random.below(6)), Int64(random.below(6))]
      let all = random.below(2) == 0
      return (
        filter(
          prefix + (all ? "LIST_CONTAINS_ALL" : "LIST_CONTAINS_ANY"),
          #""fieldName": "sizes", "fieldValue": {"value": \#(some)}"#),
        {
          $0.int64List("sizes").map { sizes in
            (all ? some.allSatisfy(sizes.contains) : some.contains(where: sizes.contains)) != not
          } ?? false
        }
      )
    default:
      let start = ["a", "b", "ab"][random.below(3)]
      return (
        filter(prefix + "LIST_MEMBER_BEGINS_WITH", #""fieldName": "tags", "fieldValue": {"value": "\#(start)"}"#),
        { $0.stringList("tags").map { $0.contains { $0.hasPrefix(start) } != not } ?? false }
      )
    }
  }

  @Test func answersAreThoseOfANaiveLoop() throws {
    var random = SplitMix(seed: 11)
    let records = (0..<300).map { index in
      var fields: [(String, FieldValue)] = []
      if random.below(8) > 0 { fields.append(("city", .string(["Suva", "Seoul", "Lima"][random.below(3)]))) }
      if random.below(8) > 0 { fields.append(("capacity", .int64(Int64(random.below(10))))) }
      if random.below(8) > 0 {
        fields.append(("sizes", .int64List((0..<random.below(4)).map { _ in Int64(random.below(6)) })))
      }
      if random.below(8) > 0 {
        fields.append(("tags", .stringList((0..<random.below(3)).map { _ in ["a", "ab", "b", "c"][random.below(4)] })))
      }
      return event("r\(index)", zone: random.below(3) == 0 ? "Z" : nil, fields)
    }
    let database = try database(records)
    var (checks, found) = (0, 0)
    for _ in 0..<TestAmount.of(2_000) {
      let cases = (0..<random.below(4)).map { _ in drawn(&random) }
      let scope = random.below(3)
      let filters = cases.map(\.json).joined(separator: ", ")
      let zone = ["", #", "zoneWide": true"#, #", "zoneID": {"zoneName": "Z"}"#][scope]
      let request =
        #"{"query": {"recordType": "Event", "filterBy": [\#(filters)], "sortBy": [{"fieldName": "capacity"}]} \#(zone)"#
      let limit = [40, 200, 300][random.below(3)]
      var names: [String] = []
      var marker: String?
      repeat {
        let more = marker.map { #", "continuationMarker": "\#($0)""# } ?? ""
        let response = try database.webServicesResponse(
          toQuery: request + #", "resultsLimit": \#(limit), "desiredKeys": []\#(more)}"#)
        let page = try self.names(response)
        #expect(page.count <= min(limit, 200))
        names += page
        marker = try JSONReader.read(response)["continuationMarker"]?.string
      } while marker != nil
      let expected = records.filter { record in
        (scope == 1 || record.zoneID.isDefault == (scope == 0)) && cases.allSatisfy { $0.holds(record) }
      }
      #expect(names.count == expected.count && Set(names) == Set(expected.map(\.recordName)), "\(request)")
      (checks, found) = (checks + 1, found + names.count)
    }
    print("Web Services queries: \(checks) answered as a naive loop does, \(found) records")
    #expect(checks >= TestAmount.of(2_000) && found > TestAmount.of(20_000))
  }

  @Test func changedRequestsEndInAnAnswerOrAnError() throws {
    let database = try database((0..<20).map { event("r\($0)", [("city", "Suva"), ("capacity", .int64(Int64($0)))]) })
    var random = SplitMix(seed: 12)
    var (checks, answers) = (0, 0)
    let requests = Self.forms.map { comparator, rest, _ in
      #"{"query": {"recordType": "Event", "filterBy": [{"comparator": "\#(comparator)", \#(rest)}], "#
        + #""sortBy": [{"fieldName": "city", "ascending": true}]}, "resultsLimit": 3, "desiredKeys": ["city"]}"#
    }
    for request in requests {
      for _ in 0..<TestAmount.of(300) {
        var bytes = Array(request.utf8)
        for _ in 0...random.below(2) {
          let place = random.below(bytes.count)
          switch random.below(3) {
          case 0: bytes[place] = UInt8(random.below(0x80))
          case 1: bytes.remove(at: place)
          default: bytes.insert(UInt8(random.below(0x80)), at: place)
          }
        }
        do throws(ZoneQueryError) {
          _ = try database.webServicesResponse(toQuery: String(decoding: bytes, as: UTF8.self))
          answers += 1
        } catch {
          #expect(!error.message.isEmpty && (try? JSONReader.read(error.webServicesJSON)) != nil)
        }
        checks += 1
      }
    }
    print("changed Web Services queries: \(checks), of which \(answers) were answered")
    #expect(checks >= TestAmount.of(7_000) && answers > 0 && answers < checks)
  }
}
