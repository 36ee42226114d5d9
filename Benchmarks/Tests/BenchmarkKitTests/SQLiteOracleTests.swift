import PredicateSyntax
import Testing
import ZoneQuery
import ZoneQueryTesting

@testable import BenchmarkKit

/// SQLite as a second engine for drawn predicates.
@Suite struct SQLiteOracleTests {
  @Test func enginesAgree() {
    let oracle = SQLiteOracle()
    var fuzzer = AgreementCommand.fuzzer(seed: 3, oracle)
    let report = fuzzer.run(checks: 20_000)
    #expect(report == nil, "\(report.map(\.description) ?? "")")
    print("SQLite: \(fuzzer.summary), \(oracle.said.count) of \(fuzzer.predicates) predicates said in SQL")
    #expect(fuzzer.checks >= 20_000 && oracle.said.count > fuzzer.predicates / 2)
  }

  /// What each form says in SQL, and of which records it holds: one of "b" and 2, one of "abc" and no number, one empty.
  @Test func formsAndMissingFields() throws {
    let type = try #require(
      try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (s STRING, n INT64, l LIST<STRING>);").recordTypes.first)
    var records = ["x", "y", "z"].map { Record(recordType: "T", recordName: $0) }
    (records[0]["s"], records[0]["n"], records[0]["l"]) = ("b", 2, .stringList(["b", "c"]))
    (records[1]["s"], records[1]["l"]) = ("abc", .stringList([]))
    let cases: [(format: String, excluded: String, likeNSPredicate: String)] = [
      ("s = 'b'", "x", "x"), ("NOT s = 'b'", "y", "yz"), ("n != 3", "x", "xyz"), ("NOT n != 3", "", ""),
      ("3 > n", "x", "x"), ("n BETWEEN {2, 2.5}", "x", "x"), ("NOT n BETWEEN {3, 4}", "x", "xyz"),
      ("s BEGINSWITH 'ab' OR n = 2", "xy", "xy"), ("NOT (s BEGINSWITH 'ab' AND n = 2)", "x", "xyz"),
      ("s IN {}", "", ""), ("NOT s IN {}", "xy", "xyz"), ("n = nil", "yz", "yz"), ("l CONTAINS 'c'", "x", "x"),
      ("NOT l CONTAINS 'c'", "y", "yz"), ("ALL {'b', 'c'} IN l", "x", "x"), ("ALL l > 'a'", "xy", "xy"),
      ("ANY l ENDSWITH 'c'", "x", "x"), ("s CONTAINS 'b'", "xy", "xy"), ("NOT s BEGINSWITH ''", "xy", "xyz"),
    ]
    for (format, excluded, likeNSPredicate) in cases {
      let predicate = try QueryPredicate(format: format)
      for (missingFields, expected) in [
        (PredicateOptions.MissingFields.excluded, excluded), (.likeNSPredicate, likeNSPredicate),
      ] {
        let testCase = FuzzCase(
          recordType: type, records: records, predicate: predicate.root,
          options: PredicateOptions(dialect: .extended, missingFields: missingFields))
        var translation = SQLTranslation(testCase)
        let expression = try translation.expression(predicate.root)
        let found = try SQLiteRecords(records, of: type).found(expression, translation.values)
        let names = records.filter { found.contains(SQLiteRecords.text($0.recordID)) }.map(\.recordID.recordName)
        #expect(names.joined() == expected, "\(format), \(missingFields): \(expression)")
        #expect(try SQLiteOracle().check(OracleSubject(testCase)) == 4, "\(format)")
      }
    }
    for format in ["s LIKE 'a*'", "s ==[c] 'B'", "ANY tokenize('b', 'Cdl') IN allTokens", "n + 1 = 3"] {
      var translation = SQLTranslation(
        FuzzCase(recordType: type, records: [], predicate: .true, options: PredicateOptions(dialect: .extended)))
      let root = try QueryPredicate(format: format).root
      #expect(throws: SQLTranslation.Untranslatable.self) { try translation.expression(root) }
    }
  }

  /// A difference is found: the database has lost a record.
  @Test func differenceIsTold() throws {
    let type = try #require(
      try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (n INT64 QUERYABLE);").recordTypes.first)
    var record = Record(recordType: "T", recordName: "x")
    record["n"] = 2
    let subject = try OracleSubject(
      FuzzCase(recordType: type, records: [record], predicate: try QueryPredicate(format: "n = 2").root))
    try subject.database.deleteRecord(withID: record.recordID)
    #expect {
      try SQLiteOracle().check(subject)
    } throws: { error in
      "\(error)".contains("SQLite finds x, ZoneQuery does not")
    }
  }

  @Test func commandLine() {
    #expect(AgreementCommand.run(["--help"]) == 0)
    for arguments in [["--seconds"], ["--seconds", "0"], ["--seed", "x"], ["--nope", "1"]] {
      #expect(AgreementCommand.run(arguments) == 64)
    }
    #expect(AgreementCommand.run(["--seconds", "0.01", "--seed", "1", "--floor", "1000000000"]) == 1)
    #expect(AgreementCommand.run(["--seconds", "0.05", "--seed", "1", "--floor", "10"]) == 0)
  }
}
