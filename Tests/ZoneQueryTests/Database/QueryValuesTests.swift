import Testing

@testable import ZoneQuery

/// The values of a prepared query's parameters, large and faulty ones: it answers as the same query without parameters does.
struct QueryValuesTests {
  private static let type = RecordType(
    "T",
    fields: [
      FieldDefinition("n", .int64, [.queryable, .sortable]), FieldDefinition("x", .double, [.queryable, .sortable]),
      FieldDefinition("s", .string, [.queryable, .sortable]), FieldDefinition("l", .list(.string), [.queryable]),
      FieldDefinition("place", .location, [.queryable]), FieldDefinition("r", .reference, [.queryable]),
      FieldDefinition("t", .string, [.searchable]),
    ])
  private static let longText = String(repeating: "long ", count: 1_000)

  private func database(_ options: PredicateOptions = PredicateOptions()) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = options
    let database = try Database(schema: Schema([Self.type]), configuration: configuration)
    try database.saveAll(
      (0..<400).map { number in
        var record = note("r\(number)", n: Int64(number))
        record["x"] = .double(Double(number) / 2)
        record["s"] = .string(number % 50 == 0 ? "\(Self.longText)\(number)" : "text \(number)")
        record["l"] = .stringList(["m\(number % 7)", "\(Self.longText)\(number % 5)"])
        record["place"] = .location(Location(latitude: Double(number % 90), longitude: 10))
        record["r"] = .reference(Reference(RecordID(recordName: "r\(number % 11)")))
        record["t"] = .string("word\(number % 9) other")
        return record
      })
    return database
  }

  private static var forms: [(format: String, values: [any PredicateArgument])] {
    let numbers: [[Int]] = [[], [1], Array(0..<255), Array(0..<256), Array(0..<257), Array(0..<390)]
    let texts: [[String]] = [
      [], ["text 1"], ["TEXT 1", "M2"], ["\(longText)50", "text 3"], (0..<300).map { "text \($0)" },
      ["\(longText)3", "m2"],
    ]
    let ids = ["r1", "r10", "r399", "none", "", "a\0b", "ä", "_r1", "a/b"].map { RecordID(recordName: $0) }
    let places = [(0.0, 10.0), (90, 180), (91, 0), (0, 181), (-90.5, 0)].map {
      Location(latitude: $0.0, longitude: $0.1)
    }
    let single: [any PredicateArgument] = [
      3, 3.5, -1, "text 3", "TEXT 3", "\(longText)100", Double.infinity, Double.nan, ids[0], places[0], true,
    ]
    return [
      ("n IN %@", numbers), ("x IN %@", numbers), ("s IN %@", texts), ("ANY l IN %@", texts),
      ("recordID = %@", ids + [Reference(ids[0]), "r1", 5]),
      ("recordID IN %@", [[ids[0], ids[2]], [ids[4]], [ids[5]]]),
      ("recordID = %@ AND n >= 0", ids + [5]), ("recordID = %@ AND n < 0", ids), ("r = %@ AND n > 5", ids),
      ("r = %@", ids), ("distanceToLocation:fromLocation:(place, %@) < 500000", places),
      ("distanceToLocation:fromLocation:(place, CAST('0,10', 'CLLocation')) <= %@", single), ("n = %@", single),
      ("x < %@", single), ("s = %@", single), ("s > %@", single), ("n BETWEEN {3, %@}", single),
      ("x BETWEEN {%@, 20}", single), ("s BETWEEN {'text', %@}", single),
      ("ALL tokenize(%@, 'Cdl') IN allTokens", ["word1 other", "word1 word2", "", "the", longText, 5]),
      ("self CONTAINS %@", ["word1 other", "word1 word2", "", "the", 5]),
      ("l CONTAINS %@", ["m1", "M1", "\(longText)1", 5]),
      ("s BEGINSWITH %@", ["text 1", "TEXT 1", "", longText, 5]),
    ]
  }

  @Test(arguments: [PredicateOptions.StringEquality.exact, .caseInsensitive])
  func asTheSameConstants(equality: PredicateOptions.StringEquality) throws {
    let database = try database(PredicateOptions(stringEquality: equality))
    for (format, values) in Self.forms {
      let query = Query(
        recordType: "T", predicate: try QueryPredicate(format: format.replacing("%@", with: "$v")))
      let prepared = try database.prepare(query)
      for round in 0..<3 {
        for (place, value) in values.enumerated() {
          func outcome(_ body: () throws -> [String]) -> String {
            do { return try body().sorted().joined(separator: ",") } catch {
              return error is ZoneQueryError ? "refused" : "another"
            }
          }
          let expected = outcome {
            let predicate = try QueryPredicate(format: format, value)
            return try database.records(matching: Query(recordType: "T", predicate: predicate), resultsLimit: 500)
              .records.map(\.recordID.recordName)
          }
          let found = outcome {
            try prepared.records(["v": value], resultsLimit: 500).records.map(\.recordID.recordName)
          }
          #expect(found == expected, "\(format), value \(place), round \(round)")
          let lent = outcome {
            var names: [String] = []
            _ = try prepared.forEachRecord(["v": value]) { names.append($0.recordID.recordName) }
            return names
          }
          #expect(lent == expected, "\(format), value \(place), round \(round), lent")
        }
      }
    }
  }

  /// A name that no record can have is refused, wherever it stands, with a parameter and without.
  @Test(arguments: ["recordID = %@", "r = %@", "recordID IN {%@, 'r1'}", "r IN {%@}", "recordID != %@"])
  func namesThatNoRecordHas(format: String) throws {
    let database = try database()
    for name in ["a\0b", ""] {
      let id = RecordID(recordName: name)
      let known = format.replacing("'r1'", with: "CAST('r1', 'CKReference')")
      #expect(
        failureCode {
          try database.count(
            matching: Query(recordType: "T", predicate: try QueryPredicate(format: known, id)))
        } != nil, "\(format) \(name.utf8.count)")
      let prepared = try database.prepare(
        Query(recordType: "T", predicate: try QueryPredicate(format: known.replacing("%@", with: "$v"))))
      for _ in 0..<3 { #expect(failureCode { try prepared.count(["v": id]) } != nil, "\(format) \(name.utf8.count)") }
    }
  }

  @Test func namesOfRecords() {
    #expect(RecordID.nameFault("~a b!", limit: 255) == nil)
    for name in ["a\u{7F}", "a\u{1F}", "é", ""] { #expect(RecordID.nameFault(name, limit: 255) != nil) }
  }
}
