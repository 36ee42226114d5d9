import PredicateSyntax
import Testing
import ZoneQuery
import ZoneQueryTesting

/// Predicates that stay as they are, held against closures: what a user of the kit sees, so nothing is imported for
/// testing.
struct PredicateCheckTests {
  private func check(
    _ sample: PredicateSample, _ closure: @escaping PredicateSample.Closure
  ) throws -> PredicateCheck {
    try PredicateCheck(
      QueryPredicate(format: sample.format), for: PredicateSample.type, options: sample.options,
      parameters: sample.parameters, now: PredicateSample.now, matches: closure)
  }

  @Test func rightClosuresAgree() throws {
    var shares: [Int] = []
    let records = TestAmount.of(240, long: 4_000)
    for sample in PredicateSample.all {
      let report = try check(sample, sample.right).run(records: records, seed: 1)
      #expect(report.verdict == .agree, "\(sample): \(report)")
      #expect(report.matched + report.unmatched == records)
      shares.append(report.matched * 100 / records)
      #expect((10...90).contains(shares.last ?? 0), "\(sample): \(report)")
    }
    print("\(records) records near each of \(shares.count) predicates, of 100 these match: \(shares.sorted())")
    #expect(shares.count >= 44)
  }

  @Test func wrongClosuresAreFound() throws {
    var counts: [Int] = []
    var closures = 0
    for sample in PredicateSample.all {
      for (number, closure) in sample.wrong.enumerated() {
        closures += 1
        guard TestAmount.isFull || closures % 4 == 0 else { continue }
        let report = try check(sample, closure).run(records: 3_000, seed: 2)
        #expect(report.verdict == .differ, "\(sample), closure \(number): \(report)")
        guard let difference = report.difference else { continue }
        counts.append(report.matched + report.unmatched)
        #expect(difference.testCase.records.count == 1, "\(difference)")
        #expect(difference.testCase.records.allSatisfy { $0.fieldCount <= 2 }, "\(difference)")
      }
    }
    print("\(counts.count) wrong closures found, within so many records: \(counts.sorted())")
    #expect(closures >= 67 && counts.count >= (TestAmount.isFull ? 67 : 16))
  }

  private func check(
    _ format: String, _ closure: @escaping @Sendable (Record) throws -> Bool
  ) throws -> PredicateCheck {
    try PredicateCheck(QueryPredicate(format: format), for: PredicateSample.type, matches: closure)
  }

  @Test func vacuousChecksAreToldOf() throws {
    let never = try check("seats < 3 AND seats > 10") { _ in false }.run(records: 50, seed: 1)
    #expect(never.verdict == .neverMatched && never.isVacuous && never.matched == 0 && never.unmatched == 50)
    let always = try check("TRUEPREDICATE") { _ in true }.run(records: 50, seed: 1)
    #expect(always.verdict == .alwaysMatched && always.isVacuous && always.matched == 50 && always.unmatched == 0)
    let nothing = try check("seats < 3") { $0.int64("seats") ?? 3 < 3 }.run(records: 0, seed: 1)
    #expect(nothing.verdict == .neverMatched && nothing.difference == nil)
    #expect(always.description == "alwaysMatched: 50 records matched, 0 did not, seed 1")
  }

  @Test func theSameSeedGivesTheSameReport() throws {
    let wrong = try check("city = 'Suva' AND seats < 7") { ($0.string("city") ?? "").count == 4 }
    let reports = [5, 5, 6].map { wrong.run(records: 400, seed: $0).description }
    #expect(reports[0] == reports[1] && reports[0] != reports[2])
  }

  @Test func whatAClosureThrowsIsADifference() throws {
    struct Failure: Error {}
    let throwing = try check("seats = 7") { record in
      if record["city"] != nil { throw Failure() }
      return record.int64("seats") == 7
    }
    let report = throwing.run(records: 100, seed: 1)
    #expect(report.verdict == .differ && report.difference?.message.contains("the closure throws") == true)
    #expect(report.difference?.testCase.records.map(\.fieldNames) == [["city"]], "\(report)")
  }

  /// The predicate stays, the record becomes small, and the test that is printed names the check.
  @Test func aDifferenceIsMadeSmall() throws {
    let format = "city BEGINSWITH 'Su' AND seats >= 1000 AND tags CONTAINS 'maps'"
    let wrong = try check(format) { record in
      record.string("city")?.utf8.starts(with: "Su".utf8) == true && record.int64("seats") ?? 0 > 1000
        && record.stringList("tags")?.contains("maps") == true
    }
    let report = wrong.run(records: 1_000, seed: 1)
    let difference = try #require(report.difference)
    #expect(difference.testCase.predicate == wrong.predicate.root)
    let record = try #require(difference.testCase.records.first)
    #expect(difference.testCase.records.count == 1 && record.fieldCount == 3, "\(report)")
    #expect(record.string("city") == "Su" && record.int64("seats") == 1000 && record.stringList("tags") == ["maps"])
    #expect(difference.message.hasSuffix("the closure says that it does not"))
    #expect(report.description.contains("yourOracle  // the one named \"predicate-check\""))
    // As the printed test has it.
    #expect(throws: OracleFailure.self) { try wrong.check(OracleSubject(difference.testCase)) }
  }

  @Test func aQueryOfASchema() throws {
    let schema = Schema([PredicateSample.type])
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "city = $city"), sort: [.ascending("nothing")])
    let values: [String: any PredicateArgument] = ["city": "Suva", "other": 3]
    let right = try PredicateCheck(query, in: schema, parameters: values) { record in
      record.string("city")?.utf8.elementsEqual("Suva".utf8) == true
    }
    #expect(right.run(records: 100, seed: 1).verdict == .agree)
    for (type, code) in [("Concert", ZoneQueryError.Code.unknownRecordType), ("Event", .invalidPredicate)] {
      let error = #expect(throws: ZoneQueryError.self) {
        try PredicateCheck(Query(recordType: type, predicate: query.predicate), in: schema) { _ in true }
      }
      #expect(error?.code == code)
    }
  }

  /// Whatever the predicate, records near it can be stored, and the engine agrees with itself about them; more
  /// predicates have some that match and some that do not than among records drawn anyhow.
  @Test func drawnPredicates() throws {
    var random = SeededRandom(seed: 3)
    var (checks, records, near, anyhow) = (0, 0, 0, 0)
    for round in 0..<TestAmount.of(120, long: 400) {
      let type = SchemaGenerator().recordType("Thing", &random)
      let others = RecordGenerator(recordType: type).records(30, &random)
      var generator = PredicateGenerator(recordType: type, records: others)
      let options = PredicateOptions(
        dialect: round.isMultiple(of: 2) ? .cloudKit : .extended,
        missingFields: round.isMultiple(of: 3) ? .likeNSPredicate : .excluded)
      generator.dialect = options.dialect
      for _ in 0..<4 {
        let predicate = QueryPredicate(generator.predicate(&random))
        let matcher = try Matcher(predicate, for: type, options: options, now: PredicateSample.now)
        let check = try PredicateCheck(predicate, for: type, options: options, now: PredicateSample.now) { record in
          try matcher.matches(record)
        }
        let report = check.run(records: 30, seed: random.next())
        #expect(report.verdict != .differ, "\(report)")
        checks += 1
        records += report.matched + report.unmatched
        if report.verdict == .agree { near += 1 }
        let matched = try others.filter { try matcher.matches($0) }.count
        if matched > 0, matched < others.count { anyhow += 1 }
      }
    }
    print(
      "\(records) records near \(checks) drawn predicates, \(near) of them met and missed, by any records \(anyhow)")
    #expect(records >= TestAmount.of(120) * 120)
    // Most of the others are met by none or by all: IN {}, a field that equals two constants, NOT FALSEPREDICATE.
    #expect(near > anyhow && near * 10 > checks * 7)
  }
}
