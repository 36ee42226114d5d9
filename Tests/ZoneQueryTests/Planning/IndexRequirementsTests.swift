import Testing

@testable import ZoneQuery

struct IndexRequirementsTests {
  private static let ckdb = """
    DEFINE SCHEMA
      RECORD TYPE Event (
        "___createTime" TIMESTAMP SORTABLE,
        plain STRING, asked STRING QUERYABLE, sorted STRING SORTABLE, found STRING SEARCHABLE,
        both INT64 QUERYABLE SORTABLE, number DOUBLE, whole INT64, tags LIST<STRING>, place LOCATION,
        owner REFERENCE, wide NUMBER, secret ENCRYPTED STRING, blob BYTES);
      RECORD TYPE Bare (name STRING, place LOCATION);
      RECORD TYPE Listed ("___recordID" REFERENCE QUERYABLE, name STRING);
      RECORD TYPE Silent ("___recordID" REFERENCE QUERYABLE, size INT64);
    """

  private func missing(
    _ format: String, _ sort: [SortKey] = [], of type: String = "Event"
  ) throws -> [String] {
    let recordType = try #require(try Schema(ckdb: Self.ckdb)[type])
    let query = Query(recordType: type, predicate: try QueryPredicate(format: format), sort: sort)
    return IndexRequirements(of: query, in: recordType).missing.map {
      "\($0.message) | \($0.item ?? "-")\($0.replacesItem ? "" : " (new)") | \($0.reason)"
    }
  }

  /// A query, its sort, and the indexes that are missing.
  private static let golden: [(String, [SortKey], [String])] = [
    ("asked = 'a'", [], []),
    ("plain = 'a'", [], ["Field 'plain' is not marked queryable | plain STRING QUERYABLE | a filter needs QUERYABLE"]),
    (
      "NOT (plain = 'a')", [],
      ["Field 'plain' is not marked queryable | plain STRING QUERYABLE | a filter needs QUERYABLE"]
    ),
    (
      "sorted = 'a'", [],
      ["Field 'sorted' is not marked queryable | sorted STRING QUERYABLE SORTABLE | a filter needs QUERYABLE"]
    ),
    (
      "sorted != 'a'", [],
      ["Field 'sorted' is not marked queryable | sorted STRING QUERYABLE SORTABLE | a filter needs QUERYABLE"]
    ),
    (
      "sorted BEGINSWITH 'a'", [],
      ["Field 'sorted' is not marked queryable | sorted STRING QUERYABLE SORTABLE | a filter needs QUERYABLE"]
    ),
    (
      "sorted IN {'a'}", [],
      ["Field 'sorted' is not marked queryable | sorted STRING QUERYABLE SORTABLE | a filter needs QUERYABLE"]
    ),
    ("sorted > 'a'", [], []), ("asked > 'a'", [], []), ("'a' < sorted", [], []), ("sorted BETWEEN {'a', 'b'}", [], []),
    ("sorted >= $low", [], []), ("sorted BETWEEN {$low, 'z'}", [], []), ("NOT (sorted > 'a')", [], []),
    ("both > 3 AND both = 4", [.descending("both")], []),
    (
      "number > 3", [],
      ["Field 'number' is not marked queryable | number DOUBLE QUERYABLE | a range filter needs QUERYABLE or SORTABLE"]
    ),
    (
      "number > 3 AND number < 5", [],
      ["Field 'number' is not marked queryable | number DOUBLE QUERYABLE | a range filter needs QUERYABLE or SORTABLE"]
    ),
    (
      "number > 3 AND number = 5", [],
      ["Field 'number' is not marked queryable | number DOUBLE QUERYABLE | a filter needs QUERYABLE"]
    ),
    (
      "number > 3", [.ascending("number")],
      ["Field 'number' is not marked sortable | number DOUBLE SORTABLE | a sort needs SORTABLE"]
    ),
    (
      "number = 3", [.ascending("number")],
      [
        "Field 'number' is not marked queryable | number DOUBLE QUERYABLE SORTABLE | a filter needs QUERYABLE",
        "Field 'number' is not marked sortable | number DOUBLE QUERYABLE SORTABLE | a sort needs SORTABLE",
      ]
    ),
    (
      "whole IN {1, 2}", [],
      ["Field 'whole' is not marked queryable | whole INT64 QUERYABLE | a filter needs QUERYABLE"]
    ),
    (
      "whole BETWEEN {1, 2}", [],
      ["Field 'whole' is not marked queryable | whole INT64 QUERYABLE | a range filter needs QUERYABLE or SORTABLE"]
    ),
    ("wide = 1", [], ["Field 'wide' is not marked queryable | wide NUMBER QUERYABLE | a filter needs QUERYABLE"]),
    (
      "tags CONTAINS 'a'", [],
      ["Field 'tags' is not marked queryable | tags LIST<STRING> QUERYABLE | a filter needs QUERYABLE"]
    ),
    (
      "ANY tags BEGINSWITH 'a'", [],
      ["Field 'tags' is not marked queryable | tags LIST<STRING> QUERYABLE | a filter needs QUERYABLE"]
    ),
    (
      "NONE tags IN {'a'}", [],
      ["Field 'tags' is not marked queryable | tags LIST<STRING> QUERYABLE | a filter needs QUERYABLE"]
    ),
    (
      "ALL {'a'} IN tags", [],
      ["Field 'tags' is not marked queryable | tags LIST<STRING> QUERYABLE | a filter needs QUERYABLE"]
    ),
    ("ANY {'a', 'b'} = asked", [], []),
    (
      "owner = CAST('r', 'CKReference')", [],
      ["Field 'owner' is not marked queryable | owner REFERENCE QUERYABLE | a filter needs QUERYABLE"]
    ),
    (
      "distanceToLocation:fromLocation:(place, CAST('1,2', 'CLLocation')) < 5", [],
      ["Field 'place' is not marked queryable | place LOCATION QUERYABLE | a filter by distance needs QUERYABLE"]
    ),
    (
      "asked = 'a'", [.distance("place", from: Location(latitude: 0, longitude: 0))],
      ["Field 'place' is not marked queryable | place LOCATION QUERYABLE | a sort by distance needs QUERYABLE"]
    ),
    (
      "asked = 'a'", [.descending("asked"), .ascending("plain")],
      [
        "Field 'asked' is not marked sortable | asked STRING QUERYABLE SORTABLE | a sort needs SORTABLE",
        "Field 'plain' is not marked sortable | plain STRING SORTABLE | a sort needs SORTABLE",
      ]
    ),
    (
      "TRUEPREDICATE", [],
      [
        "Field '___recordID' is not marked queryable | \"___recordID\" REFERENCE QUERYABLE (new) | a query without a filter needs QUERYABLE on the record ID"
      ]
    ),
    (
      "FALSEPREDICATE", [.ascending("both")],
      [
        "Field '___recordID' is not marked queryable | \"___recordID\" REFERENCE QUERYABLE (new) | a query without a filter needs QUERYABLE on the record ID"
      ]
    ),
    (
      "recordID = CAST('r', 'CKReference')", [],
      [
        "Field '___recordID' is not marked queryable | \"___recordID\" REFERENCE QUERYABLE (new) | a filter needs QUERYABLE"
      ]
    ),
    ("creationDate > now()", [.descending("creationDate")], []),
    (
      "creationDate = now()", [],
      [
        "Field '___createTime' is not marked queryable | \"___createTime\" TIMESTAMP QUERYABLE SORTABLE | a filter needs QUERYABLE"
      ]
    ),
    (
      "___modTime > now()", [.ascending("modificationDate")],
      ["Field '___modTime' is not marked sortable | \"___modTime\" TIMESTAMP SORTABLE (new) | a sort needs SORTABLE"]
    ),
    ("parent = CAST('r', 'CKReference') AND share = CAST('r', 'CKReference')", [], []),
    ("allTokens TOKENMATCHES[cdl] 'a'", [], []), ("self CONTAINS 'a'", [.ascending("both")], []),
    (
      "plain = 'a' AND ALL tokenize('b', 'Cdl') IN allTokens", [],
      ["Field 'plain' is not marked queryable | plain STRING QUERYABLE | a filter needs QUERYABLE"]
    ),
    // What binding refuses is passed over.
    ("nope = 1 AND secret = 'a' AND blob = 1", [.ascending("nope")], []),
    // What the extended dialect adds reads every value: no index in the field's order is of use.
    (
      "whole + 1 > 3 OR sorted > plain", [],
      [
        "Field 'whole' is not marked queryable | whole INT64 QUERYABLE | a filter needs QUERYABLE",
        "Field 'sorted' is not marked queryable | sorted STRING QUERYABLE SORTABLE | a filter needs QUERYABLE",
        "Field 'plain' is not marked queryable | plain STRING QUERYABLE | a filter needs QUERYABLE",
      ]
    ),
    (
      "TERNARY(plain = 'a', number, 2) = 1 AND tags.@count > 2", [],
      [
        "Field 'plain' is not marked queryable | plain STRING QUERYABLE | a filter needs QUERYABLE",
        "Field 'number' is not marked queryable | number DOUBLE QUERYABLE | a filter needs QUERYABLE",
        "Field 'tags' is not marked queryable | tags LIST<STRING> QUERYABLE | a filter needs QUERYABLE",
      ]
    ),
  ]

  @Test func everyMissingIndex() throws {
    for (format, sort, expected) in Self.golden {
      #expect(try missing(format, sort) == expected, "\(format) \(sort)")
    }
    print("index requirements: \(Self.golden.count) queries")
    #expect(Self.golden.count >= 45)
  }

  @Test func wordsNeedASearchableField() throws {
    #expect(
      try missing("self CONTAINS 'a'", of: "Bare") == [
        "Field 'name' is not marked searchable | name STRING SEARCHABLE | a search for words needs a SEARCHABLE field"
      ])
    #expect(
      try missing("self CONTAINS 'a' AND name = 'b'", [.ascending("name")], of: "Bare") == [
        "Field 'name' is not marked queryable | name STRING QUERYABLE SEARCHABLE SORTABLE | a filter needs QUERYABLE",
        "Field 'name' is not marked searchable | name STRING QUERYABLE SEARCHABLE SORTABLE | a search for words needs a SEARCHABLE field",
        "Field 'name' is not marked sortable | name STRING QUERYABLE SEARCHABLE SORTABLE | a sort needs SORTABLE",
      ])
    #expect(
      try missing("self CONTAINS 'a'", of: "Silent") == [
        "Type 'Silent' has no field that could be marked searchable | - (new) | a search for words needs a SEARCHABLE field"
      ])
  }

  private func refusal(
    _ format: String, _ sort: [SortKey] = [], of type: String = "Event", policy: Database.IndexPolicy = .required
  ) throws -> String? {
    var configuration = Database.Configuration()
    configuration.indexPolicy = policy
    let database = try Database(schema: try Schema(ckdb: Self.ckdb), configuration: configuration)
    let query = Query(recordType: type, predicate: try QueryPredicate(format: format), sort: sort)
    do throws(ZoneQueryError) {
      let page = try database.records(matching: query)
      let count = try database.count(matching: query)
      #expect(page.records.isEmpty && count == 0)
      return nil
    } catch {
      return "\(error.code): \(error)"
    }
  }

  @Test func thePolicyGivesCloudKitsErrors() throws {
    #expect(try refusal("asked = 'a'", [.ascending("both")]) == nil)
    #expect(try refusal("TRUEPREDICATE", of: "Listed") == nil)
    #expect(
      try refusal("asked = 'a' AND plain = 'b'", [.ascending("asked")]) == """
        missingIndex: 1:17: Field 'plain' is not marked queryable
          asked = 'a' AND plain = 'b'
                          ^^^^^
        hint: A filter needs QUERYABLE. Write `plain STRING QUERYABLE` in the schema of record type Event.
        Field 'asked' is not marked sortable
        hint: A sort needs SORTABLE. Write `asked STRING QUERYABLE SORTABLE` in the schema of record type Event.
        """)
    #expect(
      try refusal("TRUEPREDICATE") == """
        missingIndex: Field '___recordID' is not marked queryable
        hint: A query without a filter needs QUERYABLE on the record ID. Write `"___recordID" REFERENCE QUERYABLE` in \
        the schema of record type Event.
        """)
    #expect(
      try refusal("name = 'a'", [.ascending("name")], of: "Bare") == """
        missingIndex: Type is not marked indexable: Bare
        hint: Write `name STRING QUERYABLE SORTABLE` in the schema of record type Bare.
        """)
    #expect(
      try refusal("self CONTAINS 'a'", of: "Bare") == """
        missingIndex: Type is not marked indexable: Bare
        hint: Write `name STRING SEARCHABLE` in the schema of record type Bare.
        """)
    #expect(try refusal("self CONTAINS 'a' AND nope = 1", of: "Bare")?.hasPrefix("invalidPredicate") == true)
    #expect(try refusal("self CONTAINS 'a'", [.ascending("nope")], of: "Bare")?.hasPrefix("missingIndex") == false)
    #expect(try refusal("self CONTAINS 'a'", of: "Bare", policy: .scanAllowed)?.hasPrefix("invalidPredicate") == true)
    #expect(
      try refusal("asked = 'a'", [.distance("place", from: Location(latitude: 0, longitude: 0))]) == """
        missingIndex: Field 'place' is not marked queryable
        hint: A sort by distance needs QUERYABLE. Write `place LOCATION QUERYABLE` in the schema of record type Event.
        """)
    // What is wrong without any index is said first, in either policy.
    for policy in Database.IndexPolicy.allCases {
      #expect(try refusal("nope = 1", policy: policy)?.contains("Did not find field: 'nope' in type: 'Event'") == true)
      #expect(try refusal("x = 1", of: "Users", policy: policy) == "invalidQuery: Can't query system types")
    }
    for (format, sort, _) in Self.golden where format.utf8.count < 24 && !format.contains("$") {
      #expect(try refusal(format, sort, policy: .scanAllowed) == nil, "\(format)")
    }
  }

  /// What development learns serves every filter and sort that its types take.
  @Test func developmentHasEveryIndex() throws {
    var configuration = Database.Configuration()
    configuration.indexPolicy = .required
    let database = try Database(configuration: configuration)
    var record = Record(recordType: "Event", recordName: "a")
    record["city"] = "Seoul"
    record["seats"] = 3
    record["place"] = .location(Location(latitude: 1, longitude: 2))
    try database.save(record)
    let query = Query(
      recordType: "Event",
      predicate: try QueryPredicate(format: "city = 'Seoul' AND seats > 2 AND self CONTAINS 'seoul'"),
      sort: [
        .ascending("city"), .distance("place", from: Location(latitude: 0, longitude: 0)), .ascending("creationDate"),
      ])
    #expect(try database.records(matching: query).records.count == 1)
    #expect(try database.records(matching: Query(recordType: "Event")).records.count == 1)
  }
}
