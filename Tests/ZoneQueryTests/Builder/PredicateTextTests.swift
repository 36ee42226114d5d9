import Testing
import ZoneQuery

@Suite("Interpolated predicates")
struct PredicateTextTests {
  let date = Timestamp(milliseconds: 725_760_000_000)

  private func fault(
    _ text: PredicateText, _ code: String, line: Int, column: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let predicate = try QueryPredicate(text)
      Issue.record("read as \(predicate)", sourceLocation: sourceLocation)
    } catch {
      guard let first = error.diagnostics.first, let source = error.source else {
        Issue.record("no diagnostic: \(error)", sourceLocation: sourceLocation)
        return
      }
      #expect(error.stage == .syntax && first.code == code, "\(error)", sourceLocation: sourceLocation)
      #expect(first.line(in: source) == line, "\(error)", sourceLocation: sourceLocation)
      #expect(first.column(in: source) == column, "\(error)", sourceLocation: sourceLocation)
    }
  }

  /// Letters beside a field are no part of its name.
  @Test func fieldsStandAlone() throws {
    #expect(try QueryPredicate("\(Field("city")) == 1").root.predicateFormat == "city == 1")
    for text in ["ven\(Field("ue")) == 1", "\(Field("ven"))ue == 1", "$\(Field("city")) == 1"] as [PredicateText] {
      #expect(throws: ZoneQueryError.self) { try QueryPredicate(text) }
    }
  }

  @Test func valuesAreBound() throws {
    let (city, name, cities) = ("Seoul", "capacity", ["a", "b"])
    let maybe: Int? = nil
    let pairs: [(PredicateText, String, [(any PredicateArgument)?])] = [
      ("city == 'x'", "city == 'x'", []),
      ("city == \(city) AND start > \(date)", "city == %@ AND start > %@", [city, date]),
      ("\(key: name) > \(100)", "capacity > 100", []),
      ("\(key: "in") = \(true)", "#in = 1", []),
      ("a.\(key: "b") = 1", "a.b = 1", []),
      ("city IN \(cities)", "city IN {'a', 'b'}", []),
      ("city IN {\("a"), \("b")}", "city IN {'a', 'b'}", []),
      ("age = \(maybe)", "age = nil", []),
      ("price < \(2.5) && NOT a=\(1)", "price < 2.5 AND NOT a = 1", []),
      ("name = \"100%\" AND note = '%@' AND a = \(1)", "name = '100%' AND note = '%@' AND a = 1", []),
      (#"name = 'a\'%' AND b = \#(2)"#, #"name = "a'%" AND b = 2"#, []),
      (
        "distanceToLocation:fromLocation:(place, \(Location(latitude: 1, longitude: 2))) < \(5)",
        "distanceToLocation:fromLocation:(place, CAST('1,2', 'CLLocation')) < 5", []
      ),
      ("ALL tokenize(\("a b"), 'Cdl') IN allTokens", "ALL tokenize('a b', 'Cdl') IN allTokens", []),
      ("a = 1 AND \(Field("b") == 2 || Field("c") == 3)", "a = 1 AND (b = 2 OR c = 3)", []),
      ("NOT \(Field("b") == "x % ' \" OR \n")", #"NOT b = "x % ' \" OR \n""#, []),
      ("\(Field("b") == 2) AND \(Field("c") == 3 && Field("d") == 4)", "b = 2 AND c = 3 AND d = 4", []),
      ("\(Field("b") + 1) * 2 > \(Field("c"))", "(b + 1) * 2 > c", []),
      ("\(Field.parameter("city")) = city", "$city = city", []),
    ]
    for (text, format, arguments) in pairs {
      #expect(try QueryPredicate(text) == QueryPredicate(format: format, arguments: arguments), "\(format)")
    }
    #expect(pairs.count >= 18)
  }

  @Test func hostileValuesStayConstants() throws {
    for hostile in ["' OR TRUEPREDICATE OR '", "\" OR 1=1", "%@", "%K", "\\", "$x", "a AND b", "\u{0}", ")", "{0}"] {
      let predicate = try QueryPredicate("city == \(hostile)")
      #expect(predicate == (Field("city") == hostile))
    }
    for hostile in ["a OR b", "1", "a b", "", "a'", "TRUE PREDICATE"] {
      fault("\(key: hostile) == 1", "invalidKey", line: 1, column: 1)
    }
  }

  @Test func mistakesHaveTheirPlace() {
    fault("a == \(1) AND b == %@", "conversionInText", line: 1, column: 18)
    fault("a == \(1) %% 2", "conversionInText", line: 1, column: 9)
    fault("%K == \(1)", "conversionInText", line: 1, column: 1)
    fault("a == 1\nAND b == '\("x")'", "interpolationInQuotes", line: 2, column: 11)
    fault("a == \"x\("x")\"", "interpolationInQuotes", line: 1, column: 8)
    fault(#"a == 'x\\#("x")'"#, "interpolationInQuotes", line: 1, column: 9)
    fault("a == '\(Field("x"))'", "interpolationInQuotes", line: 1, column: 7)
    fault("a === \(1)", "unknownOperator", line: 1, column: 3)
    fault("a == \(1)b", "gluedConversion", line: 1, column: 6)
    fault("a == \(Double.nan)", "unsupportedArgument", line: 1, column: 6)
    fault("a == \(1) AND", "missingOperand", line: 1, column: 12)
    fault("", "emptyPredicate", line: 1, column: 1)
  }

  @Test func faultsOfPartsAreTold() {
    do {
      let predicate = try QueryPredicate("a = 1 AND \(Field("b c") == 2) AND \(Field("d e")) = 1")
      Issue.record("read as \(predicate)")
    } catch {
      #expect(error.diagnostics.map(\.code) == ["invalidKey", "invalidKey"])
    }
  }
}
