import Testing

@testable import ZoneQuery

/// Plans that prepared queries keep, where the values of later runs are such that they do not fit.
@Suite struct KeptPlanTests {
  private static func database(
    _ fields: String, _ indexes: [[String]] = [], count: Int, _ values: (Int) -> [String: FieldValue]
  ) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (\(fields));"), configuration: configuration)
    for keys in indexes { try database.addIndex(IndexDefinition(recordType: "T", keys: keys)) }
    try database.load(
      (0..<count).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        for (key, value) in values(number) { record[key] = value }
        return record
      })
    return database
  }

  private static func prepare(_ database: Database, _ format: String, _ sort: [SortKey] = []) throws -> PreparedQuery {
    try database.prepare(
      Query(recordType: "T", predicate: try QueryPredicate(format: format), sort: sort), inZoneWith: .default)
  }

  private static func ids(
    _ prepared: PreparedQuery, _ arguments: [String: any PredicateArgument], _ limit: Int = .max
  ) throws -> [RecordID] {
    var found: [RecordID] = []
    try prepared.forEachRecord(arguments, resultsLimit: limit) { found.append($0.recordID) }
    return found
  }

  /// A condition that is several comparisons with the values of one run, and one with those of the next, has nothing left
  /// of the former.
  @Test(
    arguments: [
      "name = $name AND ALL $list != seats", "name = $name AND NOT (ANY $list >= seats)",
      "name = $name AND ALL $list < seats", "name = $name AND seats IN $list",
    ])
  func conditionsOfOtherForms(format: String) throws {
    let database = try Self.database("name STRING QUERYABLE, seats INT64", count: 2_000) {
      ["name": .string("n\($0 % 100)"), "seats": .int64(Int64($0 / 100))]
    }
    let prepared = try Self.prepare(database, format)
    for list in [[1], [2], [1, 2], [15], [3], [1, 2, 3], [4, 5], [0]] {
      let arguments: [String: any PredicateArgument] = ["name": "n7", "list": list]
      let scan = try prepared.answer(forcing: .scan, arguments).ids
      #expect(try Self.ids(prepared, arguments) == scan, "\(list)")
      #expect(try prepared.count(arguments) == scan.count, "\(list)")
    }
    #expect(prepared.directAnswers > 0)
  }

  /// Texts of lists that an index has one word for: those that are asked for and others, the same one twice, several of one
  /// record, by the planner and by a plan of earlier values.
  @Test func membersOfOneWord() throws {
    let alike = ["tag number 1891630", "tag number 40990705", "tag number 53911945"]
    let words = alike.map { KeyEncoding.memberWord(Array($0.utf8), .string).word }
    #expect(Set(words).count == 1)
    let tags = [[alike[0], alike[1]], [alike[2]], ["a"], ["b"], ["c"], [alike[0]]]
    let database = try Self.database(
      "tags LIST<STRING> QUERYABLE, date INT64 QUERYABLE SORTABLE", [["tags", "date"]], count: 1_200
    ) { ["tags": .stringList(tags[$0 % 6]), "date": .int64(Int64($0))] }
    var checks = 0
    for first in [["a", "b"], [alike[0], "a"]] {
      for asked in [
        ["a", "c"], [alike[0], alike[0]], [alike[2], alike[2]], [alike[0], alike[1], "a"], [alike[0], "a"],
        [alike[0], alike[1], alike[2]], [alike[0], alike[1], alike[1], "b"],
      ] {
        let prepared = try Self.prepare(database, "ANY tags IN $tags", [.descending("date")])
        for tags in [asked, first, first, asked] {
          let scan = try prepared.answer(forcing: .scan, ["tags": tags], resultsLimit: 6).ids
          #expect(try Self.ids(prepared, ["tags": tags], 6) == scan, "\(tags)")
          let query = Query(
            recordType: "T", predicate: try QueryPredicate(format: "ANY tags IN %@", tags),
            sort: [.descending("date")])
          #expect(try database.records(matching: query, resultsLimit: 6).records.map(\.recordID) == scan, "\(tags)")
          checks += 2
        }
      }
    }
    #expect(checks == 112)
  }

  /// A plan that was made for few rows leaves values of which there are many to the planner, which may choose another.
  @Test func manyRows() throws {
    let database = try Self.database(
      "seats INT64 QUERYABLE, price INT64 QUERYABLE SORTABLE, place LOCATION QUERYABLE, tags LIST<STRING> QUERYABLE",
      count: 20_000
    ) { number in
      [
        "seats": .int64(number < 1_000 ? Int64(number) : 5_000 + Int64(number % 10)), "price": .int64(Int64(number)),
        "place": .location(Location(latitude: Double(number % 170) - 85, longitude: Double(number % 350) - 175)),
        "tags": .stringList([number < 10 ? "few" : "many"]),
      ]
    }
    let here = Location(latitude: 0, longitude: 0)
    let cases: [(format: String, few: [String: any PredicateArgument], many: [String: any PredicateArgument])] = [
      ("seats IN $numbers", ["numbers": [1, 2, 3]], ["numbers": Array(5_000..<5_010)]),
      (
        "distanceToLocation:fromLocation:(place, $here) < $metres", ["here": here, "metres": 10_000.0],
        ["here": here, "metres": 19_000_000.0]
      ), ("ANY tags IN $tags", ["tags": ["few", "none"]], ["tags": ["few", "many"]]),
    ]
    for (format, few, many) in cases {
      for sort in [[SortKey.ascending("price")], []] {
        let prepared = try Self.prepare(database, format, sort)
        for _ in 0..<3 { _ = try Self.ids(prepared, few, 10) }
        #expect(prepared.directAnswers == 2, "\(format)")
        let found = try Self.ids(prepared, many, 10)
        #expect(prepared.directAnswers == 2, "\(format)")
        let scan = try prepared.answer(forcing: .scan, many).ids
        #expect(sort.isEmpty ? found.count == 10 && Set(found).isSubset(of: scan) : found == Array(scan.prefix(10)))
        // What is kept in its place does for these values, or the first again for the others.
        for _ in 0..<8 { _ = try Self.ids(prepared, many, 10) }
        #expect(try Self.ids(prepared, few, 10).count == min(10, prepared.answer(forcing: .scan, few).ids.count))
      }
      let counted = try Self.prepare(database, format)
      for arguments in [few, few, many, many, few] {
        #expect(try counted.count(arguments) == counted.count(forcing: .scan, arguments).count, "\(format)")
      }
    }
  }

  /// Plans that are kept can answer: where a list is looked into for several members, and where a reference has no index of
  /// its own.
  @Test func plansThatAnswer() throws {
    let database = try Self.database(
      "city STRING QUERYABLE, tags LIST<STRING> QUERYABLE, author REFERENCE, date INT64 QUERYABLE SORTABLE",
      [["author", "date"]], count: 4_000
    ) { number in
      [
        "city": .string("c\(number % 200)"), "tags": .stringList(["t\(number % 3)", "u\(number % 40)"]),
        "author": .reference(Reference(RecordID(recordName: "author \(number % 64)"))), "date": .int64(Int64(number)),
      ]
    }
    let authors = (0..<3).map { Reference(RecordID(recordName: "author \($0)")) }
    let cases: [(format: String, sort: [SortKey], arguments: [String: any PredicateArgument])] = [
      ("city = $city AND ANY tags IN $tags", [], ["city": "c7", "tags": ["u7", "u8"]]),
      ("author IN $authors", [.descending("date")], ["authors": authors]),
    ]
    for (format, sort, arguments) in cases {
      let prepared = try Self.prepare(database, format, sort)
      let scan = try prepared.answer(forcing: .scan, arguments, resultsLimit: 10).ids
      for _ in 0..<10 { #expect(try Self.ids(prepared, arguments, 10) == scan, "\(format)") }
      #expect(prepared.directAnswers == 9, "\(format)")
    }
  }

  /// Of many more values than a plan was made for, the planner says how they are best found.
  @Test func manyStretches() throws {
    let database = try Self.database(
      "kind INT64 QUERYABLE, date INT64 QUERYABLE SORTABLE", [["kind", "date"]], count: 10_000
    ) { ["kind": .int64(Int64($0 % 250)), "date": .int64(Int64($0))] }
    let prepared = try Self.prepare(database, "kind IN $kinds", [.descending("date")])
    for (count, isDirect) in [(2, false), (2, true), (16, true), (17, false), (250, false), (3, true)] {
      let answers = prepared.directAnswers
      let arguments: [String: any PredicateArgument] = ["kinds": Array(0..<count)]
      let scan = try prepared.answer(forcing: .scan, arguments, resultsLimit: 300).ids
      #expect(try Self.ids(prepared, arguments, 300) == scan)
      #expect(prepared.directAnswers - answers == (isDirect ? 1 : 0), "\(count)")
    }
  }

  /// Plans are kept for each limit that is asked for, of the last seventeen.
  @Test func limitsByTurns() throws {
    let database = try Self.database("kind INT64 QUERYABLE, date INT64 QUERYABLE SORTABLE", count: 2_000) {
      ["kind": .int64(Int64($0 % 50)), "date": .int64(Int64($0))]
    }
    for sort in [[SortKey.descending("date")], []] {
      let prepared = try Self.prepare(database, "kind = $kind", sort)
      /// Whether a run is answered by a kept plan.
      func isDirect(_ limit: Int) throws -> Bool {
        let (before, arguments) = (prepared.directAnswers, ["kind": limit % 10])
        let found = try Self.ids(prepared, arguments, limit)
        let isDirect = prepared.directAnswers > before
        #expect(try found == prepared.answer(forcing: .scan, arguments, resultsLimit: limit).ids, "\(limit)")
        return isDirect
      }
      for limit in 1...17 { #expect(try !isDirect(limit), "\(limit)") }
      for limit in 1...17 { #expect(try isDirect(limit), "\(limit)") }
      for (limit, isKept) in [(3, true), (90, false), (3, true), (90, true), (.max, false), (90, true), (.max, true)] {
        #expect(try isDirect(limit) == isKept, "\(limit)")
      }
      for limit in 21...40 { #expect(try !isDirect(limit), "\(limit)") }
      for (limit, isKept) in [(40, true), (24, true), (23, false), (1, false)] {
        #expect(try isDirect(limit) == isKept, "\(limit)")
      }
    }
  }
}
