import Testing

@testable import ZoneQuery
@testable import ZoneQueryTesting

/// Small inputs that would ask for much work or memory: they end in an answer or an error soon.
struct HostileWorkTests {
  private func record(_ name: String, _ fields: [String: FieldValue]) -> Record {
    var record = Record(recordType: "Thing", recordName: name)
    for (name, value) in fields { record[name] = value }
    return record
  }

  private func code(_ body: () throws -> Void) -> ZoneQueryError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ZoneQueryError)?.code
    }
  }

  /// A value computed before IN or BETWEEN is computed for each element, and once more at each level.
  @Test func conditionsWithinConditions() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(configuration: configuration)
    try database.save(record("a", ["a": 1, "b": -5, "c": -50, "d": -3]))
    for form in ["IN {b, c, d, 4}", "BETWEEN {b, c}", "BETWEEN {0, 1}", "IN {nil, 7}"] {
      func nested(_ levels: Int, negated: Bool = false) throws -> QueryPredicate {
        var text = "a"
        for _ in 0..<levels { text = "TERNARY(\(negated ? "NOT (\(text) \(form))" : "\(text) \(form)"), 9, 0)" }
        return try QueryPredicate(format: text + " = 77")
      }
      for levels in [1, 4, 7] {
        #expect(try database.records(matching: Query(recordType: "Thing", predicate: nested(levels))).records.isEmpty)
      }
      for levels in [24, 40, 60] {
        for negated in [false, true] where levels < 41 || !negated {
          let predicate = try nested(levels, negated: negated)
          let query = Query(recordType: "Thing", predicate: predicate)
          #expect(code { _ = try database.records(matching: query) } == .invalidPredicate, "\(form) \(levels)")
          #expect(code { _ = try database.prepare(query) } == .invalidPredicate)
          let subscription = QuerySubscription(recordType: "Thing", predicate: predicate, subscriptionID: "s")
          #expect(code { try database.save(.query(subscription)) } == .invalidPredicate)
          #expect(code { _ = try Matcher(predicate, options: configuration.predicateOptions) } == .invalidPredicate)
        }
      }
    }
    // What is constant is held against the value as one.
    var text = "a"
    for _ in 0..<40 { text = "TERNARY(\(text) IN {1, 2, 3}, 1, 0)" }
    let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: text + " = 1"))
    #expect(try database.records(matching: query).records.count == 1)
    // As many parts as a list has elements are no more than it has.
    let list = (0..<20_000).map { "\($0)" }.joined(separator: ", ")
    let wide = try QueryPredicate(format: "a + 1 IN {b, \(list)}")
    #expect(try database.records(matching: Query(recordType: "Thing", predicate: wide)).records.count == 1)
  }

  /// What stands in a list is bound once, however deep lists stand in it, in the dialect that takes them and in the other, which
  /// looks whether the first would.
  @Test func conditionsWithinLists() throws {
    for dialect in [Dialect.extended, .cloudKit] {
      var configuration = Database.Configuration()
      configuration.predicateOptions.dialect = dialect
      let database = try Database(configuration: configuration)
      try database.save(record("a", ["a": 1, "b": -5]))
      for form in ["a IN {%, b}", "a BETWEEN {%, b}", "a IN {b, 7, %}", "NOT a IN {%, % + 1}"] {
        // Where it stands twice, the text grows as fast.
        let levels = form.hasPrefix("NOT") ? 6 : 38
        var text = "a"
        for _ in 0..<levels { text = "TERNARY(\(form.replacing("%", with: text)), 1, 0)" }
        let predicate = try QueryPredicate(format: text + " = 77")
        let query = Query(recordType: "Thing", predicate: predicate)
        let expected: ZoneQueryError.Code? = dialect == .extended ? nil : .invalidPredicate
        #expect(code { _ = try database.records(matching: query) } == expected, "\(form)")
        #expect(code { _ = try database.prepare(query) } == expected)
        #expect(code { _ = try Matcher(predicate, options: configuration.predicateOptions) } == expected)
        let subscription = QuerySubscription(recordType: "Thing", predicate: predicate, subscriptionID: "s")
        #expect(code { try database.save(.query(subscription)) } == expected)
      }
    }
  }

  /// Of many faults the first are told, each with what to write instead.
  @Test func manyUnknownFields() throws {
    let fields = (0..<256).map { FieldDefinition("fieldName\($0)", .int64) }
    let database = try Database(schema: Schema([RecordType("Thing", fields: fields)]))
    let text = (0..<1_300).map { "fieldsName\($0) = \($0)" }.joined(separator: " AND ")
    let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: text))
    do {
      _ = try database.records(matching: query)
      Issue.record("unknown fields were taken")
    } catch {
      #expect(error.diagnostics.count == 20)
      #expect(error.diagnostics.allSatisfy { $0.hint?.contains("fieldName") == true })
    }
  }

  /// Many constants over many small zones: those of record names are other conditions in each.
  @Test func manyConstantsInManyZones() throws {
    let database = try Database()
    let zones = (0..<150).map { ZoneID(zoneName: "z\($0)") }
    for zone in zones {
      try database.createZone(zone)
      var record = Record(recordType: "Thing", recordName: "r", zoneID: zone)
      record["text"] = .string(zone.zoneName)
      record["owner"] = .reference(Reference(RecordID(recordName: "o", zoneID: zone)))
      record["tags"] = .stringList([zone.zoneName, "all"])
      try database.save(record)
    }
    let texts = (0..<60_000).map { "z\($0 * 2)" }
    let references = (0..<20_000).map {
      Reference(RecordID(recordName: "o", zoneID: ZoneID(zoneName: "z\($0 * 2)")))
    }
    let ids = zones.prefix(100).map { RecordID(recordName: "r", zoneID: $0) }
    for (format, argument, count): (String, any PredicateArgument, Int) in [
      ("text IN %@", texts, 75), ("ANY tags IN %@", texts, 75), ("owner IN %@", references, 75),
      ("recordID IN %@", ids.map { Reference($0) }, 100),
    ] {
      for sort in [[], [SortKey.ascending("text")]] {
        let predicate = try QueryPredicate(format: format, argument)
        let query = Query(recordType: "Thing", predicate: predicate, sort: sort)
        #expect(try database.records(matching: query, resultsLimit: .max).records.count == count, "\(format)")
        #expect(try database.count(matching: query) == count, "\(format)")
      }
    }
  }

  @Test func manyWaysToSort() throws {
    let database = try Database()
    let text = String(repeating: "x", count: 900_000)
    let place = FieldValue.location(Location(latitude: 1, longitude: 1))
    for name in ["b", "a", "c"] { try database.save(record(name, ["text": .string(text), "n": 1, "place": place])) }
    // Each says once more what the first said: a cursor holds the text once.
    let keys = (0..<4_000).map { $0 % 2 == 0 ? SortKey.ascending("text") : .descending("text") }
    let query = Query(recordType: "Thing", sort: [.descending("n")] + keys)
    let page = try database.records(matching: query, resultsLimit: 2)
    #expect(page.records.map(\.recordName) == ["a", "b"])
    let cursor = try #require(page.cursor)
    #expect(cursor.data.count < 1_100_000)
    #expect(try database.records(continuingMatchFrom: cursor).records.map(\.recordName) == ["c"])
    func distances(_ count: Int) -> Query {
      Query(
        recordType: "Thing",
        sort: (0..<count).map { .distance("place", from: Location(latitude: Double($0), longitude: 0)) })
    }
    #expect(try database.records(matching: distances(16)).records.count == 3)
    #expect(code { _ = try database.records(matching: distances(17)) } == .invalidQuery)
    let same = [SortKey](repeating: .distance("place", from: Location(latitude: 5, longitude: 5)), count: 100)
    #expect(try database.records(matching: Query(recordType: "Thing", sort: same)).records.count == 3)
  }

  /// Records of which each attempt to save them shows one more to be without its parent.
  @Test func orphansOneByOne() throws {
    func chain(_ length: Int) -> [Record] {
      (0..<length).flatMap { number in
        var (parent, child, other) = (
          record("p\(number)", ["g\(number)": "text"]), record("x\(number)", ["f\(number)": "text"]),
          record("q\(number)", ["f\(number)": 1, "g\(number + 1)": 1])
        )
        if number == 0 { parent["bad name"] = 1 }
        child.parent = Reference(parent.recordID)
        other["n"] = 1
        return [parent, child, other]
      }
    }
    let few = try Database()
    let saved = try few.save(chain(10))
    #expect(saved.contains { if case .success = $0 { true } else { false } })
    let many = try Database()
    let results = try many.save(chain(34))
    #expect(results.count == 102)
    let codes = Set(
      results.compactMap { result -> ZoneQueryError.Code? in
        if case .failure(let error) = result { error.code } else { nil }
      })
    #expect(codes.contains(.limitExceeded))
    #expect(try many.count(recordType: "Thing") == 0)
    // Nothing of it stays, and the database goes on.
    try many.save(record("p0", ["n": 1]))
  }

  @Test func longNamesInErrors() throws {
    let database = try Database()
    let name = String(repeating: "e\u{301}\u{327}", count: 40_000)
    do {
      _ = try database.record(for: RecordID(recordName: name))
      Issue.record("there is one")
    } catch {
      #expect("\(error)".utf8.count < 1_000 && error.message.utf8.count < 1_000)
    }
    var child = record("child", [:])
    child.parent = Reference(RecordID(recordName: name))
    #expect(code { _ = try database.save(child) } != nil)
    var zone = Record(recordType: "Thing", recordName: "other")
    zone["to"] = .reference(Reference(RecordID(recordName: name, zoneID: ZoneID(zoneName: "elsewhere"))))
    do {
      _ = try database.save(zone)
      Issue.record("it was saved")
    } catch {
      #expect("\(error)".utf8.count < 1_000)
    }
  }

  /// A list of parameters, as many as a list takes, and a pattern as long as a text may be: both in linear time.
  @Test func longListsOfParameters() throws {
    let list = (0..<60_000).map { "$p\($0)" }.joined(separator: ", ")
    let type = RecordType("T", fields: [FieldDefinition("text", .string, [.queryable])])
    let predicate = try QueryPredicate(format: "text IN {\(list)}")
    try predicate.check(for: type)
    #expect(throws: ZoneQueryError.self) {
      try QueryPredicate(format: "text LIKE {\(list)}").check(for: type)
    }
    let text = String(repeating: "x", count: 1 << 20)
    let matcher = try Matcher(
      QueryPredicate(format: "text LIKE %@", text), options: PredicateOptions(dialect: .extended))
    #expect(try matcher.matches(record("a", ["text": .string(text)])))
  }

  /// A pattern whose characters are all different takes no more than a few times its own size, and finds what it should.
  @Test func patternsOfManyCharacters() throws {
    let letters = String(String.UnicodeScalarView((0..<4_000).compactMap { Unicode.Scalar(0x4E00 + $0) }))
    let text = "before" + letters.dropFirst() + "xz"
    for (pattern, isFound) in [("*?\(letters.dropFirst(2))?z", true), ("*?\(letters.dropFirst(2))yz", false)] {
      let query = try QueryPredicate(format: "text LIKE %@", pattern)
      let matcher = try Matcher(query, options: PredicateOptions(dialect: .extended))
      #expect(try matcher.matches(record("a", ["text": .string(text)])) == isFound)
    }
    // Characters that stand at few places of a piece, and ones that stand at many, beside a naive search.
    var random = SeededRandom(seed: 3)
    for round in 0..<300 {
      let alphabet: [Character] =
        round % 2 == 0 ? ["a", "b"] : ["a", "b", "c", "d", "\u{4E00}", "\u{1F30A}", "e", "f"]
      let piece = (0..<60 + random.below(140)).map { _ in
        random.below(9) == 0 ? "?" : alphabet[random.below(random.below(3) == 0 ? alphabet.count : 2)]
      }
      var found = piece.map { $0 == "?" ? alphabet[0] : $0 }
      if random.below(3) == 0 { found[random.below(found.count)] = "b" }
      var text = [Character](repeating: alphabet[0], count: random.below(30))
      text += found
      text += [Character](repeating: alphabet[1], count: random.below(30))
      func stands(at start: Int) -> Bool {
        piece.indices.allSatisfy { index in piece[index] == "?" || piece[index] == text[start + index] }
      }
      let isThere = (0...text.count - piece.count).contains(where: stands)
      let query = try QueryPredicate(format: "text LIKE %@", "*?\(String(piece))*")
      let matcher = try Matcher(query, options: PredicateOptions(dialect: .extended))
      let subject = record("a", ["text": .string("x" + String(text))])
      #expect(try matcher.matches(subject) == isThere, "\(String(piece)) in \(String(text))")
    }
  }

  @Test func keysOfNoFields() throws {
    let database = try Database()
    let keys = (0..<60_000).map { "no\($0)" } + ["n"]
    let records = (0..<200).map { record("r\($0)", ["n": .int64(Int64($0)), "other": "text"]) }
    let saved = try database.save(records, desiredKeys: keys)
    #expect(try saved.map { try $0.get() }.allSatisfy { $0.fieldCount == 1 && $0["n"] != nil })
    let found = try database.records(for: records.map(\.recordID), desiredKeys: keys)
    #expect(try found.map { try $0.get() }.allSatisfy { $0.fieldCount == 1 && $0["n"] != nil })
    let json = "[\(keys.map { "\"\($0)\"" }.joined(separator: ","))]"
    #expect(
      code {
        _ = try database.webServicesResponse(toLookup: #"{"records": [{"recordName": "r1"}], "desiredKeys": \#(json)}"#)
      } == .invalidJSON)
  }

  @Test func typesWithoutEnd() throws {
    var configuration = Database.Configuration()
    configuration.environment = .development
    var schema = Schema()
    for number in 0..<SchemaTextOptions().recordTypes - 1 { schema["Type\(number)"] = RecordType("Type\(number)") }
    let database = try Database(schema: schema, configuration: configuration)
    try database.save(Record(recordType: "Last", recordName: "a"))
    #expect(code { try database.save(Record(recordType: "More", recordName: "b")) } == .limitExceeded)
    try database.save(Record(recordType: "Last", recordName: "c"))
  }
}
