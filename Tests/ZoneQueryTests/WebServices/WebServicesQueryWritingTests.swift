import Testing

@testable import ZoneQuery

/// Queries as CloudKit Web Services' query dictionaries.
struct WebServicesQueryWritingTests {
  private static let schema = WebServicesQueryTests.schema
  private static let now = Timestamp(milliseconds: 1_788_000_000_000)

  /// The filters of a format as one text, without the dictionary around them.
  private func filters(_ format: String, schema: Schema?) throws -> String {
    let query = Query(recordType: "Event", predicate: try QueryPredicate(format: format))
    let json = try query.webServicesJSON(schema: schema, now: Self.now)
    let (start, end) = (#"{"recordType":"Event","filterBy":["#, "]}")
    guard json.hasPrefix(start), json.hasSuffix(end) else { return json }
    return String(json.dropFirst(start.count).dropLast(end.count))
  }

  private static func filter(_ comparator: String, _ field: String, _ value: String, _ type: String) -> String {
    #"{"comparator":"\#(comparator)",\#(field.isEmpty ? "" : #""fieldName":"\#(field)","#)"fieldValue":{"value":\#(value),"type":"\#(type)"}}"#
  }

  private static func system(_ comparator: String, _ field: String, _ value: String, _ type: String) -> String {
    filter(comparator, field, value, type).replacing(#""fieldName""#, with: #""systemFieldName""#)
  }

  /// Formats, and the filters that each becomes with the schema and without.
  private static let forms: [(format: String, filters: String)] = [
    ("city = 'Suva'", filter("EQUALS", "city", #""Suva""#, "STRING")),
    ("'Suva' == city", filter("EQUALS", "city", #""Suva""#, "STRING")),
    ("NOT city = 'Suva'", filter("NOT_EQUALS", "city", #""Suva""#, "STRING")),
    ("city <> 'Suva'", filter("NOT_EQUALS", "city", #""Suva""#, "STRING")),
    ("NOT city != 'Suva'", filter("EQUALS", "city", #""Suva""#, "STRING")),
    ("capacity < 5", filter("LESS_THAN", "capacity", "5", "INT64")),
    ("5 < capacity", filter("GREATER_THAN", "capacity", "5", "INT64")),
    ("NOT (capacity < 5)", filter("GREATER_THAN_OR_EQUALS", "capacity", "5", "INT64")),
    ("NOT (capacity >= 5)", filter("LESS_THAN", "capacity", "5", "INT64")),
    ("NOT (capacity > 5)", filter("LESS_THAN_OR_EQUALS", "capacity", "5", "INT64")),
    ("NOT (capacity <= 5)", filter("GREATER_THAN", "capacity", "5", "INT64")),
    ("NOT (5 <= capacity)", filter("LESS_THAN", "capacity", "5", "INT64")),
    ("capacity > -9223372036854775808", filter("GREATER_THAN", "capacity", "-9223372036854775808", "INT64")),
    ("capacity > 2.5", filter("GREATER_THAN", "capacity", "2.5", "DOUBLE")),
    (
      "capacity BETWEEN {1, 9}",
      filter("GREATER_THAN_OR_EQUALS", "capacity", "1", "INT64") + ","
        + filter("LESS_THAN_OR_EQUALS", "capacity", "9", "INT64")
    ),
    ("start > now()", filter("GREATER_THAN", "start", "1788000000000", "TIMESTAMP")),
    ("start <= CAST(1.5, 'NSDate')", filter("LESS_THAN_OR_EQUALS", "start", "978307201500", "TIMESTAMP")),
    ("city IN {'a', 'b'}", filter("IN", "city", #"["a","b"]"#, "STRING_LIST")),
    ("{'a', 'b'} CONTAINS city", filter("IN", "city", #"["a","b"]"#, "STRING_LIST")),
    ("ANY {'a', 'b'} = city", filter("IN", "city", #"["a","b"]"#, "STRING_LIST")),
    ("NOT (city IN {'a'})", filter("NOT_IN", "city", #"["a"]"#, "STRING_LIST")),
    ("NONE {'a'} = city", filter("NOT_IN", "city", #"["a"]"#, "STRING_LIST")),
    ("capacity IN {1, 2.5}", filter("IN", "capacity", "[1.0,2.5]", "DOUBLE_LIST")),
    ("city BEGINSWITH 'S'", filter("BEGINS_WITH", "city", #""S""#, "STRING")),
    ("NOT city BEGINSWITH 'S'", filter("NOT_BEGINS_WITH", "city", #""S""#, "STRING")),
    ("tags CONTAINS 'a'", filter("LIST_CONTAINS", "tags", #""a""#, "STRING")),
    ("'a' IN tags", filter("LIST_CONTAINS", "tags", #""a""#, "STRING")),
    ("ANY tags = 'a'", filter("LIST_CONTAINS", "tags", #""a""#, "STRING")),
    ("SOME 'a' = tags", filter("LIST_CONTAINS", "tags", #""a""#, "STRING")),
    ("NOT ('a' IN tags)", filter("NOT_LIST_CONTAINS", "tags", #""a""#, "STRING")),
    ("NONE tags = 'a'", filter("NOT_LIST_CONTAINS", "tags", #""a""#, "STRING")),
    ("ANY sizes IN {1, 2}", filter("LIST_CONTAINS_ANY", "sizes", "[1,2]", "INT64_LIST")),
    ("ANY {1, 2} IN sizes", filter("LIST_CONTAINS_ANY", "sizes", "[1,2]", "INT64_LIST")),
    ("NONE sizes IN {1}", filter("NOT_LIST_CONTAINS_ANY", "sizes", "[1]", "INT64_LIST")),
    ("ALL {'a', 'b'} IN tags", filter("LIST_CONTAINS_ALL", "tags", #"["a","b"]"#, "STRING_LIST")),
    ("NOT (ALL {'a'} IN tags)", filter("NOT_LIST_CONTAINS_ALL", "tags", #"["a"]"#, "STRING_LIST")),
    ("ANY tags BEGINSWITH 'a'", filter("LIST_MEMBER_BEGINS_WITH", "tags", #""a""#, "STRING")),
    ("NONE tags BEGINSWITH 'a'", filter("NOT_LIST_MEMBER_BEGINS_WITH", "tags", #""a""#, "STRING")),
    (
      "distanceToLocation:fromLocation:(place, CAST('-18.5,178.25', 'CLLocation')) < 1000",
      #"{"comparator":"NEAR","fieldName":"place","fieldValue":{"value":{"latitude":-18.5,"longitude":178.25},"type":"LOCATION"},"distance":1000.0}"#
    ),
    (
      "1.5 >= distanceToLocation:fromLocation:(CAST('0,0', 'CLLocation'), place)",
      #"{"comparator":"NEAR","fieldName":"place","fieldValue":{"value":{"latitude":0.0,"longitude":0.0},"type":"LOCATION"},"distance":1.5000000000000002}"#
    ),
    (
      "ALL tokenize('after session', 'Cdl') IN allTokens",
      filter("CONTAINS_ALL_TOKENS", "", #""after session""#, "STRING")
    ),
    ("allTokens TOKENMATCHES[cdl] 'after'", filter("CONTAINS_ALL_TOKENS", "", #""after""#, "STRING")),
    ("ANY tokenize('after', 'Cdl') IN allTokens", filter("CONTAINS_ANY_TOKENS", "", #""after""#, "STRING")),
    ("self CONTAINS 'after session'", filter("CONTAINS_ANY_TOKENS", "", #""after session""#, "STRING")),
    (
      "host = CAST('trips/a', 'CKReference')",
      filter("EQUALS", "host", #"{"recordName":"a","zoneID":{"zoneName":"trips"},"action":"NONE"}"#, "REFERENCE")
    ),
    (
      "recordID IN {CAST('a', 'CKReference')}",
      system("IN", "recordName", #"[{"recordName":"a","action":"NONE"}]"#, "REFERENCE_LIST")
    ),
    ("___createTime < CAST(0, 'NSDate')", system("LESS_THAN", "createdTimestamp", "978307200000", "TIMESTAMP")),
    (
      "modificationDate < CAST(0, 'NSDate')",
      system("LESS_THAN", "modifiedTimestamp", "978307200000", "TIMESTAMP")
    ),
    (
      "creatorUserRecordID = CAST('u', 'CKReference')",
      system("EQUALS", "createdUserRecordName", #"{"recordName":"u","action":"NONE"}"#, "REFERENCE")
    ),
    (
      "lastModifiedUserRecordID = CAST('u', 'CKReference') AND TRUEPREDICATE AND parent = CAST('p', 'CKReference')",
      system("EQUALS", "modifiedUserRecordName", #"{"recordName":"u","action":"NONE"}"#, "REFERENCE") + ","
        + system("EQUALS", "parent", #"{"recordName":"p","action":"NONE"}"#, "REFERENCE")
    ),
  ]

  @Test func conditionsAreFilters() throws {
    var comparators: Set<String> = []
    for (format, expected) in Self.forms {
      for schema in [Self.schema, nil] {
        let written = try filters(format, schema: schema)
        #expect(written == expected, "\(format)")
        let query = try Query(
          webServicesJSON: #"{"recordType": "Event", "filterBy": [\#(written)]}"#, schema: Self.schema)
        // What is written anew is what was written.
        #expect(try query.webServicesJSON(schema: schema) == #"{"recordType":"Event","filterBy":[\#(written)]}"#)
      }
      for comparator in WebServicesComparator.all where expected.contains(#""\#(comparator.name)""#) {
        comparators.insert(comparator.name)
      }
    }
    #expect(comparators.count == WebServicesComparator.all.count)
  }

  @Test func aSchemaTellsTypes() throws {
    for (format, filter) in [
      ("price = 3", Self.filter("EQUALS", "price", "3.0", "DOUBLE")),
      ("price = 9007199254740993", Self.filter("EQUALS", "price", "9007199254740993", "INT64")),
      ("price IN {1, 2}", Self.filter("IN", "price", "[1.0,2.0]", "DOUBLE_LIST")),
      ("price IN {1, 9007199254740993}", Self.filter("IN", "price", "[1,9007199254740993]", "INT64_LIST")),
      ("price IN {}", Self.filter("IN", "price", "[]", "DOUBLE_LIST")),
      ("ALL {} IN tags", Self.filter("LIST_CONTAINS_ALL", "tags", "[]", "STRING_LIST")),
      ("recordID IN {}", Self.system("IN", "recordName", "[]", "REFERENCE_LIST")),
    ] {
      #expect(try filters(format, schema: Self.schema) == filter)
    }
    #expect(try filters("price = 3", schema: nil) == Self.filter("EQUALS", "price", "3", "INT64"))
    #expect(
      try filters("recordID IN {}", schema: nil) == Self.system("IN", "recordName", "[]", "REFERENCE_LIST"))
  }

  @Test func wholeQueries() throws {
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "host = $host AND capacity > $least"),
      sort: [
        .descending("start"), .ascending("creationDate"),
        .distance("place", from: Location(latitude: 1.5, longitude: 2)),
      ])
    let host = RecordID(recordName: "h", zoneID: ZoneID(zoneName: "trips"))
    let json = try query.webServicesJSON(
      zoneID: host.zoneID, parameters: ["host": Reference(host), "least": 5, "surplus": "is passed over"])
    #expect(
      json
        == #"{"recordType":"Event","filterBy":[{"comparator":"EQUALS","fieldName":"host","fieldValue":{"value":{"recordName":"h","action":"NONE"},"type":"REFERENCE"}},{"comparator":"GREATER_THAN","fieldName":"capacity","fieldValue":{"value":5,"type":"INT64"}}],"sortBy":[{"fieldName":"start","ascending":false},{"systemFieldName":"createdTimestamp","ascending":true},{"fieldName":"place","relativeLocation":{"latitude":1.5,"longitude":2.0}}]}"#
    )
    let read = try Query(webServicesJSON: json, zoneID: host.zoneID)
    #expect(read.sort == query.sort)
    #expect(read.predicate.description == #"host == CAST("trips/h", "CKReference") AND capacity > 5"#)
    #expect(try Query(recordType: "Event").webServicesJSON() == #"{"recordType":"Event"}"#)
  }

  /// What has no filters, with the code of the first fault and where it stands.
  @Test func whatHasNoFilters() throws {
    let cases: [(format: String, schema: Schema?, code: String, column: Int)] = [
      ("city = 'a' OR city = 'b'", nil, "orNotSupported", 12), ("city == nil", nil, "nilOperand", 9),
      ("city LIKE 'a*'", nil, "operatorNotSupported", 6), ("city = 'a' AND FALSEPREDICATE", nil, "noFilter", 16),
      ("city IN {}", nil, "noFilter", 9), ("city = $name", nil, "unboundParameter", 8),
      ("city = 'a' AND city IN {'a', $name}", nil, "unboundParameter", 30),
      ("citi = 'a'", Self.schema, "unknownField", 1),
      ("city = 5", Self.schema, "typeMismatch", 8),
      ("capacity IN {9007199254740993, 0.5}", nil, "noFilter", 13),
      ("distanceToLocation:fromLocation:(place, CAST('0,0', 'CLLocation')) > 5", nil, "distanceOutside", 68),
    ]
    for (format, schema, code, column) in cases {
      do {
        let written = try filters(format, schema: schema)
        Issue.record("\(format): \(written)")
      } catch let error as ZoneQueryError {
        let diagnostic = try #require(error.diagnostics.first)
        let source = try #require(error.source)
        #expect(error.code == .invalidPredicate && diagnostic.column(in: source) == column, "\(error)")
        #expect(diagnostic.code == code, "\(error)")
      }
    }
    // Neither what is left out nor another dialect may change what is asked.
    for (format, schema, hint) in [
      ("price IN {9223372036854775807, 42, 0.5}", Self.schema, "Leave out the whole numbers that no DOUBLE can hold"),
      ("capacity IN {9007199254740993, 0.5}", Self.schema, "Leave out the fractions"),
      ("amount IN {9007199254740993, 0.5}", nil, "Beside an INT64 leave out the fractions, beside a DOUBLE"),
      ("ALL {9223372036854775807, 0.5} IN amounts", nil, "No list holds all of them."),
      ("city = 'a' OR price = 1", Self.schema, "Run one query for each alternative and merge the records by ID."),
      ("city MATCHES 'a'", Self.schema, "Use BEGINSWITH."), ("tags < 'a'", Self.schema, ""),
    ] {
      let error = #expect(throws: ZoneQueryError.self) { try filters(format, schema: schema) }
      let found = error?.diagnostics.first?.hint ?? ""
      #expect(hint.isEmpty ? found.isEmpty : found.hasPrefix(hint), "\(format): \(found)")
      #expect(!found.contains("extended"), "\(format): \(found)")
    }
    let placed = Query(recordType: "Event", sort: [.ascending("place")])
    let unsorted = #expect(throws: ZoneQueryError.self) { try placed.webServicesJSON(schema: Self.schema) }
    #expect(unsorted?.webServicesJSON.contains("cannot be sorted by without a relativeLocation") == true)
    let infinite = Query(recordType: "Event", predicate: try QueryPredicate(format: "price < %@", Double.infinity))
    expectFailure(.invalidPredicate) { try infinite.webServicesJSON(schema: Self.schema) }
    let unknown = Query(recordType: "Events", predicate: .true)
    expectFailure(.unknownRecordType) { try unknown.webServicesJSON(schema: Self.schema) }
    let sorted = Query(recordType: "Event", sort: [.ascending("tags")])
    expectFailure(.invalidQuery) { try sorted.webServicesJSON(schema: Self.schema) }
    let far = Query(recordType: "Event", sort: [.distance("place", from: Location(latitude: .infinity, longitude: 0))])
    expectFailure(.invalidQuery) { try far.webServicesJSON() }
    #expect(throws: ZoneQueryError.self) {
      try Query(recordType: "Event", predicate: try QueryPredicate(format: "city = $c")).webServicesJSON(
        schema: Self.schema, parameters: ["c": [["a"]]])
    }
  }
}
