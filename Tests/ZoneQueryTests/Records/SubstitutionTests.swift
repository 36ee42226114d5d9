import Testing

import ZoneQuery

/// Values in the places of a predicate's parameters.
struct SubstitutionTests {
  @Test func valuesTakeThePlacesOfParameters() throws {
    let template = try QueryPredicate(
      format: "city = $city AND start > $day AND NOT (tags IN $tags) AND length BETWEEN {$least, 2 * $least}")
    #expect(template.parameterNames == ["city", "day", "tags", "least"])
    #expect(template.fieldNames == ["city", "start", "tags", "length"])
    let some = try template.withSubstitutionVariables(["city": "Seoul", "tags": ["a", "b"], "unknown": 1])
    #expect(some.parameterNames == ["day", "least"])
    #expect(some.fieldNames == template.fieldNames)
    let all = try some.withSubstitutionVariables(["day": Timestamp(milliseconds: 0), "least": 3])
    #expect(all.parameterNames.isEmpty)
    let written = try QueryPredicate(
      format: "city = %@ AND start > %@ AND NOT (tags IN %@) AND length BETWEEN {3, 2 * 3}", "Seoul",
      Timestamp(milliseconds: 0), ["a", "b"])
    #expect(all == written)
    #expect(all.description == written.description)
    #expect(try template.withSubstitutionVariables([:]) == template)
    // Names are the same where their bytes are.
    let accents = try QueryPredicate(format: "city = $é").withSubstitutionVariables(["e\u{301}": "Suva"])
    #expect(accents.parameterNames.count == 1)
    #expect(try QueryPredicate.true.withSubstitutionVariables(["city": 1]) == .true)
  }

  /// A subscription, which holds no parameters, is made of a template; faults point to where the parameter stands.
  @Test func subscriptionsAreMadeOfTemplates() throws {
    let schema = Schema([
      RecordType("T", fields: [FieldDefinition("n", .int64, .queryable), FieldDefinition("s", .string, .queryable)])
    ])
    let database = try Database(schema: schema)
    let template = try QueryPredicate(format: "n = $n AND s = $s")
    #expect(throws: ZoneQueryError.self) {
      try database.save(QuerySubscription(recordType: "T", predicate: template))
    }
    let filled = try template.withSubstitutionVariables(["n": 5, "s": "é"])
    try database.save(QuerySubscription(recordType: "T", predicate: filled))
    let matcher = try Matcher(filled, for: schema["T"])
    var record = Record(recordType: "T", recordName: "r")
    (record["n"], record["s"]) = (5, "é")
    #expect(try matcher.matches(record))
    record["s"] = "e\u{301}"
    #expect(try !matcher.matches(record))

    let wrong = try template.withSubstitutionVariables(["n": "five", "s": "x"])
    let faults = Query(recordType: "T", predicate: wrong).faults(in: schema)
    let diagnostic = try #require(faults.first?.diagnostics.first)
    #expect(faults.count == 1 && faults[0].source.flatMap(diagnostic.column) == 5)
  }

  @Test func whatNoPredicateHoldsIsRefused() throws {
    let template = try QueryPredicate(format: "a = $a AND b IN $b AND c = $a")
    #expect {
      try template.withSubstitutionVariables(["a": Double.nan, "b": [[1], [2]]])
    } throws: { error in
      guard let error = error as? ZoneQueryError else { return false }
      return error.code == .invalidPredicate
        && error.diagnostics.map(\.code) == Array(repeating: "parameterValue", count: 3)
        && error.diagnostics.compactMap { error.source.flatMap($0.column) } == [5, 17, 28]
    }
    // Of many values in many places the predicate would be too large to hold; nothing of it is made.
    let many = try QueryPredicate(format: Array(repeating: "a IN $a", count: 1_000).joined(separator: " OR "))
    #expect(failureCode { try many.withSubstitutionVariables(["a": Array(0..<100_000)]) } == .invalidPredicate)
  }
}
