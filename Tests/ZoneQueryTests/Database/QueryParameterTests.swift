import Testing

@testable import ZoneQuery

struct QueryParameterTests {
  private static func database(_ dialect: Dialect = .cloudKit) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = dialect
    let database = try Database(schema: try CursorSample.schema(), configuration: configuration)
    try database.load(
      (0..<12).map { index in
        var record = Record(recordType: "Thing", recordName: "r\(index)")
        record["x"] = .int64(Int64(index % 6))
        record["text"] = .string(index % 2 == 0 ? "even" : "odd")
        record["place"] = .location(Location(latitude: Double(index), longitude: 0))
        record["when"] = .timestamp(Timestamp(milliseconds: Int64(index)))
        return record
      })
    return database
  }

  @Test func valuesTakeThePlacesOfParameters() throws {
    let database = try Self.database()
    let place = Location(latitude: 0, longitude: 0)
    let forms: [(String, [String: any PredicateArgument], String)] = [
      ("text = $t", ["t": "even"], "text = 'even'"),
      ("x > $low AND x <= $high", ["low": 1, "high": 4], "x > 1 AND x <= 4"),
      ("x IN $list", ["list": [1, 2, 9]], "x IN {1, 2, 9}"), ("x IN {$a, 2}", ["a": 5], "x IN {5, 2}"),
      ("x BETWEEN {$a, $b}", ["a": 2, "b": 4], "x BETWEEN {2, 4}"),
      ("NOT (text = $t)", ["t": "odd"], "NOT (text = 'odd')"),
      (
        "distanceToLocation:fromLocation:(place, $p) < $r", ["p": place, "r": 500_000.0],
        "distanceToLocation:fromLocation:(place, CAST('0,0', 'CLLocation')) < 500000"
      ),
      ("when >= $w", ["w": Timestamp(milliseconds: 7)], "when >= CAST(-978307199.993, 'NSDate')"),
      ("ALL tokenize($words, 'Cdl') IN allTokens", ["words": "Odd"], "ALL tokenize('Odd', 'Cdl') IN allTokens"),
      ("recordID = $id", ["id": RecordID(recordName: "r3")], "recordID = CAST('r3', 'CKReference')"),
    ]
    var checks = 0
    for (format, values, plain) in forms {
      for sort in [[], [SortKey.descending("x")]] {
        let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format), sort: sort)
        let expected = try database.records(
          matching: Query(recordType: "Thing", predicate: try QueryPredicate(format: plain), sort: sort))
        #expect(!expected.records.isEmpty)
        #expect(try database.count(matching: query, parameters: values) == expected.records.count)
        var page = try database.records(matching: query, resultsLimit: 1, parameters: values)
        var found = page.records
        while let cursor = page.cursor {
          page = try database.records(continuingMatchFrom: cursor, resultsLimit: 1)
          found += page.records
        }
        #expect(found == expected.records, "\(format)")
        checks += 1
      }
    }
    #expect(checks == 20)
  }

  /// What is put in counts wherever it is put in, whichever way the predicate takes it.
  @Test func valuesThatAreTooMuch() throws {
    let database = try Self.database(.extended)
    let texts = (0..<65_536).map { "text \($0)" }
    let long = String(repeating: "word ", count: 100_000)
    let forms: [(comparison: String, joined: String, value: any PredicateArgument)] = [
      ("text IN $v", " OR ", texts), ("text IN $v", " AND ", texts), ("NOT (text IN $v)", " AND ", texts),
      ("text = $v", " AND ", long), ("text BEGINSWITH $v", " AND ", long), ("self CONTAINS $v", " AND ", long),
      ("text IN {$v, 'a'}", " AND ", long), ("uppercase(text) = $v", " AND ", long),
    ]
    func expectTooMuch(_ format: String, _ body: () throws -> Void) {
      do {
        try body()
        Issue.record("\(format.prefix(30)) was taken")
      } catch {
        #expect((error as? ZoneQueryError)?.diagnostics.first?.code == "tooManyConstants", "\(format.prefix(30))")
      }
    }
    var checks = 0
    for (number, (comparison, joined, value)) in forms.enumerated() where TestAmount.isFull || number % 3 == 0 {
      let format = Array(repeating: comparison, count: 400).joined(separator: joined)
      let predicate = try QueryPredicate(format: format)
      let query = Query(recordType: "Thing", predicate: predicate)
      let prepared = try database.prepare(query)
      expectTooMuch(format) { _ = try database.records(matching: query, parameters: ["v": value]) }
      expectTooMuch(format) { _ = try prepared.count(["v": value]) }
      expectTooMuch(format) { _ = try prepared.explain(["v": value]) }
      expectTooMuch(format) {
        _ = try Matcher(predicate, options: .init(dialect: .extended), parameters: ["v": value])
      }
      // With a small value all is well, and the cursor of that is no door for the large one.
      if let cursor = try prepared.records(["v": "even"], resultsLimit: 1).cursor {
        expectTooMuch(format) { _ = try prepared.records(["v": value], after: cursor) }
        checks += 1
      }
      checks += 4
    }
    // An earlier run's plan asks nobody, and takes no more either.
    let (many, longer) = (Array(repeating: long, count: 70), String(repeating: long, count: 70))
    let runs: [(format: String, small: [String: any PredicateArgument], large: [String: any PredicateArgument])] = [
      ("text IN $v", ["v": ["even"]], ["v": many]), ("text = $t", ["t": "even"], ["t": longer]),
      ("text = $t AND x IN $v", ["t": "even", "v": [2]], ["t": "even", "v": many]),
    ]
    for (format, small, large) in runs {
      let prepared = try database.prepare(Query(recordType: "Thing", predicate: try QueryPredicate(format: format)))
      for _ in 0..<3 { _ = try prepared.records(small) }
      expectTooMuch(format) { _ = try prepared.records(large) }
      checks += 1
    }
    // What the predicate holds itself counts as well.
    let numbers = Array(0..<65_536)
    for count in [3, 4] {
      let own = Array(repeating: "x IN %@", count: 5) + Array(repeating: "x IN $v", count: count)
      let predicate = try QueryPredicate(
        format: own.joined(separator: " OR "), arguments: Array(repeating: numbers, count: 5))
      let prepared = try database.prepare(Query(recordType: "Thing", predicate: predicate))
      if count == 3 {
        #expect(try prepared.count(["v": numbers]) == 12)
      } else {
        expectTooMuch("own") { _ = try prepared.count(["v": numbers]) }
        expectTooMuch("own") {
          _ = try Matcher(predicate, options: .init(dialect: .extended), parameters: ["v": numbers])
        }
      }
      checks += 1
    }
    // Once, a long list is welcome.
    let once = Query(recordType: "Thing", predicate: try QueryPredicate(format: "text IN $v"))
    #expect(try database.count(matching: once, parameters: ["v": texts + ["odd"]]) == 6)
    #expect(checks >= (TestAmount.isFull ? 32 : 12))
  }

  @Test func valuesMadeOnce() throws {
    let database = try Self.database()
    let prepared = try database.prepare(
      Query(recordType: "Thing", predicate: try QueryPredicate(format: "text = $t AND x < $most")))
    let (text, most) = (try prepared.parameter("t"), try prepared.parameter("most"))
    var arguments = prepared.arguments()
    for (value, limit) in [("even", 4), ("odd", 2), ("none", 6)] {
      let made = value.predicateArgument
      arguments[value: text] = made
      arguments[value: most] = .literal(.integer(Int64(limit)))
      #expect(arguments[value: text] == made)
      let expected = try prepared.count(["t": value, "most": limit])
      #expect(try prepared.count(arguments) == expected)
    }
    arguments[value: text] = nil
    #expect(throws: ZoneQueryError.self) { try prepared.count(arguments) }
    // A place of another query's is told of by the run, whatever is set after it.
    let other = try database.prepare(Query(recordType: "Thing", predicate: try QueryPredicate(format: "x < $most")))
    var none = other.arguments()
    for _ in 0..<3 {
      none[value: text] = "even".predicateArgument
      #expect(none[value: text] == nil)
      none[try other.parameter("most")] = 4
      let failure = #expect(throws: ZoneQueryError.self) { try other.count(none) }
      #expect(failure?.code == .invalidQuery)
      #expect(failure?.message.contains("A parameter of a query with other parameters was given a value") == true)
    }
  }

  @Test func computedValues() throws {
    let database = try Self.database(.extended)
    for (format, plain) in [
      ("x + $n > -$m", "x + 1 > -(-4)"), ("TERNARY(text = $t, x, $n) = 1", "TERNARY(text = 'odd', x, 1) = 1"),
      ("x = $list[$i]", "x = {3, 4}[0]"), ("text = nil OR x = $n", "text = nil OR x = 1"),
    ] {
      let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format), sort: [.ascending("x")])
      let expected = try database.records(
        matching: Query(recordType: "Thing", predicate: try QueryPredicate(format: plain), sort: [.ascending("x")]))
      let page = try database.records(
        matching: query, resultsLimit: 1, parameters: ["n": 1, "m": -4, "t": "odd", "list": [3, 4], "i": 0])
      let rest = try database.records(continuingMatchFrom: try #require(page.cursor))
      #expect(page.records + rest.records == expected.records, "\(format)")
    }
  }

  @Test func faultsOfParameters() throws {
    let database = try Self.database()
    func text(_ format: String, _ values: [String: any PredicateArgument]) throws -> String {
      let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format))
      do {
        _ = try database.records(matching: query, parameters: values)
        return "taken"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      try text("text = $t", [:]) == """
        1:8: The parameter $t has no value.
          text = $t
                 ^^
        hint: Give it one, by its name without the $, where the predicate is matched or the query is asked; the predicate of a subscription has its values in it.
        """)
    #expect(try text("text = $t", ["t": 3]).hasPrefix("1:8: "))
    #expect(try text("x = $n", ["n": Double.nan]).contains("$n cannot be used"))
    for format in ["x = $n", "x >= $n", "x != $n", "y > $n", "y BETWEEN {1, $n}", "y IN {$n, 1}"] {
      #expect(
        try text(format, ["n": Literal.double(.nan)]).contains("$n cannot be used: NaN is no number"), "\(format)")
    }
    #expect(try text("y IN $n", ["n": [Literal.double(1.5), .double(.nan)]]).contains("$n cannot be used: NaN"))
    #expect(try text("x IN $n", ["n": [[1]]]).contains("$n holds a list within a list"))
    #expect(try text("x IN $n", ["n": [Double.nan, 1]]).contains("NaN is no number"))
    #expect(try text("x = $n", ["n": 1, "surplus": 2]) == "taken")
    // A value is a value, and never read as a part of the language.
    let hostile = "x' OR TRUEPREDICATE OR text = '"
    let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: "text = $t"))
    #expect(try database.count(matching: query, parameters: ["t": hostile]) == 0)
  }

  /// As many parameters as a list takes are each found by their name, and an error names a few of them.
  @Test func manyParameters() throws {
    let database = try Self.database()
    let names = (0..<60_000).map { "p\($0)" }
    let list = names.map { "$" + $0 }.joined(separator: ", ")
    let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: "x IN {\(list)}"))
    let prepared = try database.prepare(query)
    var values: [String: any PredicateArgument] = [:]
    for (number, name) in names.enumerated() { values[name] = 4 + number }
    #expect(try prepared.records(values).records.count == 4)
    #expect(try database.count(matching: query, parameters: values) == 4)
    for (number, name) in [(0, "p0"), (8, "p8"), (59_999, "p59999")] {
      #expect(try prepared.parameter(name).position == number)
    }
    let few = names.prefix(24).map { "$" + $0 }.joined(separator: ", ")
    let unknown = #expect(throws: ZoneQueryError.self) { try prepared.parameter("p60000") }
    #expect(unknown?.hint == "it has \(few) and 59976 more")
    let other = try database.prepare(Query(recordType: "Thing", predicate: try QueryPredicate(format: "x = $p0")))
    let foreign = #expect(throws: ZoneQueryError.self) { try prepared.count(other.arguments()) }
    #expect(foreign?.message.hasSuffix("than this one's \(few) and 59976 more") == true)
  }

  /// NaN is refused by a query that was run before with other values too.
  @Test func notANumberAfterNumbers() throws {
    let database = try Self.database()
    for format in ["y > $n", "x > $n", "y BETWEEN {$n, 9}", "y = $n AND x > 1", "y IN {$n}"] {
      for sort in [[], [SortKey.ascending("y")]] {
        let prepared = try database.prepare(
          Query(recordType: "Thing", predicate: try QueryPredicate(format: format), sort: sort))
        var arguments = prepared.arguments()
        let number = try prepared.parameter("n")
        for value in [1.5, 2, Double.nan, 3, .nan] {
          arguments[value: number] = .literal(.double(value))
          for run in [
            { _ = try prepared.records(["n": Literal.double(value)]) },
            { try prepared.forEachRecord(arguments) { _ in } },
            { _ = try prepared.count(arguments) },
          ] {
            if value.isNaN { #expect(throws: ZoneQueryError.self) { try run() } } else { try run() }
          }
        }
      }
    }
  }
}
