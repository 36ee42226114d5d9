import Testing

@testable import ZoneQuery

/// What is said of comparisons whose parameters have no values yet: they are refused where no value is taken, and only there.
struct ParameterCheckTests {
  /// Values of every kind that an argument may be. (The empty text, in which nothing is found, stands beside anything.)
  private static let values: [ArgumentValue] = {
    let singles: [any PredicateArgument] = [
      "after", "Cdl", 3, 2.5, Timestamp(milliseconds: 5), Location(latitude: 1, longitude: 2),
      RecordID(recordName: "b"),
    ]
    let lists: [any PredicateArgument] = [
      [String](), ["a"], ["b", "c"], [1], [2, 3], [1, 2, 3], [0.5, 1.5], [Timestamp(milliseconds: 1)],
      [Timestamp(milliseconds: 1), Timestamp(milliseconds: 2)], [Location(latitude: 1, longitude: 2)],
      [RecordID(recordName: "b"), RecordID(recordName: "c")], [["a"]], [ArgumentValue.literal(.null)],
    ]
    return (singles + lists).map(\.predicateArgument) + [.literal(.null)]
  }()

  private func isChecked(_ predicate: QueryPredicate, _ options: PredicateOptions) -> Bool {
    do throws(ZoneQueryError) {
      try predicate.check(for: Subject.type, options)
      return true
    } catch {
      return false
    }
  }

  private func isTaken(
    _ predicate: QueryPredicate, _ parameters: [String: any PredicateArgument], _ options: PredicateOptions
  ) -> Bool {
    (try? Matcher(predicate, for: Subject.type, options: options, parameters: parameters)) != nil
  }

  @Test func refusedWhereNoValueIsTaken() throws {
    let operators = [
      "=", "!=", "<", ">=", "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "==[c]", "CONTAINS[cd]",
      "TOKENMATCHES[cdl]",
    ]
    let fields = Subject.type.fields.map(\.name) + ["recordID", "parent", "creationDate", "allTokens", "self", "nope"]
    var (comparisons, checks, taken) = (0, 0, 0)
    for dialect in [Dialect.cloudKit, .extended] {
      let options = PredicateOptions(dialect: dialect)
      for field in fields {
        for relation in operators {
          for form in [
            "F R $p", "NOT F R $p", "ANY F R $p", "NONE F R $p", "ALL F R $p", "$p R F", "F R {$p}", "ANY $p R F",
          ] {
            let format = form.replacing("F", with: field).replacing("R", with: relation)
            guard let predicate = try? QueryPredicate(format: format) else { continue }
            comparisons += 1
            guard TestAmount.isFull || comparisons % 5 == 0 else { continue }
            let expected = Self.values.contains { isTaken(predicate, ["p": $0], options) }
            #expect(isChecked(predicate, options) == expected, "\(format) (\(dialect))")
            checks += 1
            taken += expected ? 1 : 0
          }
        }
      }
    }
    print("parameters: \(checks) comparisons, \(taken) taken")
    #expect(comparisons > 4_000 && checks > TestAmount.of(4_000) && taken > TestAmount.of(500))
  }

  @Test func severalParameters() throws {
    for format in [
      "age BETWEEN {$p, $q}", "name BETWEEN {$p, 'z'}", "name IN {$p, $q, 'a'}", "blob IN {$p, $q}", "age IN {$p, 'a'}",
      "distanceToLocation:fromLocation:(Location, $p) < $q", "distanceToLocation:fromLocation:(name, $p) < $q",
      "distanceToLocation:fromLocation:(Location, $p) > $q", "$p = $q", "ANY {$p, $q} IN tags", "ALL {$p, $q} IN name",
      "ALL tokenize($p, 'Cdl') IN allTokens", "tokenize($p, $q) IN allTokens", "ALL tokenize($p, $q) IN allTokens",
      "ANY tokenize('a b', $q) IN allTokens", "name IN {$p, nil}",
      "name IN {$p, nope}",
    ] {
      let predicate = try QueryPredicate(format: format)
      for dialect in [Dialect.cloudKit, .extended] {
        let options = PredicateOptions(dialect: dialect)
        let expected = Self.values.contains { one in
          Self.values.contains { isTaken(predicate, ["p": one, "q": $0], options) }
        }
        #expect(isChecked(predicate, options) == expected, "\(format) (\(dialect))")
      }
    }
    // Of more than two not all kinds are tried, unless they are elements of one list.
    for (format, isTaken) in [
      ("name IN {$a, $b, $c}", true), ("blob IN {$a, $b, $c}", false), ("name = TERNARY(age = $a, $b, $c)", true),
    ] {
      #expect(
        isChecked(try QueryPredicate(format: format), PredicateOptions(dialect: .extended)) == isTaken, "\(format)")
    }
  }

  /// What is said of a long list is what is said of a short one of the same kinds of elements, and at the same place.
  @Test func longLists() throws {
    let kinds: [(Int) -> String] = [
      { "\($0)" }, { "\($0).5" }, { "'\($0)'" }, { $0 % 2 == 0 ? "\($0)" : "'\($0)'" }, { $0 == 18 ? "nil" : "\($0)" },
      { $0 == 18 ? "0.5" : "\($0)" }, { "CAST(\($0), 'NSDate')" }, { "CAST('\($0)', 'CKReference')" },
      { "CAST('\($0 % 9),0', 'CLLocation')" }, { $0 == 18 ? "depth" : "\($0)" }, { $0 == 18 ? "nope" : "\($0)" },
      { $0 == 18 ? "{1}" : "'\($0)'" }, { _ in "age" }, { $0 == 18 ? "age + 1" : "\($0)" },
      { $0 == 18 ? "CAST('_\(String(repeating: "x", count: 300))', 'CKReference')" : "CAST('\($0)', 'CKReference')" },
    ]
    func faults(_ format: String, _ options: PredicateOptions) -> [Diagnostic]? {
      guard let predicate = try? QueryPredicate(format: format) else { return nil }
      do throws(ZoneQueryError) {
        try predicate.check(for: Subject.type, options)
        return []
      } catch { return error.diagnostics }
    }
    var (drawn, checks, refused) = (0, 0, 0)
    for form in ["F IN L", "NOT F IN L", "ANY F IN L", "ANY L IN F", "ALL L = F", "F BETWEEN L", "F = L", "$a IN L"] {
      for field in ["name", "age", "tags", "Location", "owner", "recordID", "creationDate", "nope"] {
        for (number, kind) in kinds.enumerated() {
          for dialect in [Dialect.cloudKit, .extended] {
            drawn += 1
            guard TestAmount.isFull || drawn % 7 == 0 else { continue }
            func told(_ numbers: [Int]) -> (first: [String], codes: Set<String>, count: Int)? {
              let elements = numbers.map(kind) + (drawn % 21 == 0 ? ["$a", "$b"] : ["$a"])
              let list = "{\(elements.joined(separator: ","))}"
              let format = form.replacing("L", with: list).replacing("F", with: field)
              guard let faults = faults(format, PredicateOptions(dialect: dialect)) else { return nil }
              // The first fault, and how the text begins where it lies, beside the codes of all.
              let place = faults.first?.range.map { String(format.dropFirst($0.lowerBound).prefix(3)) }
              return (faults.prefix(1).map(\.message) + [place ?? ""], Set(faults.map(\.code)), faults.count)
            }
            // Of so few elements none is left out.
            guard let short = told([0, 1, 18]), let long = told(Array(0..<400)) else { continue }
            #expect(short.first == long.first, "\(form) \(field) \(number) \(dialect)")
            // Of more faults than are told some may be of other kinds.
            #expect(
              long.count == Diagnostic.most ? long.codes.isSubset(of: short.codes) : short.codes == long.codes,
              "\(form) \(field) \(number) \(dialect)")
            checks += 1
            refused += short.count > 0 ? 1 : 0
          }
        }
      }
    }
    print("long lists: \(checks), \(refused) refused")
    #expect(checks > TestAmount.of(1_200) && refused > checks / 2 && refused < checks)
  }

  /// A list as long as one may be is tried with two parameters of all kinds without being read for each.
  @Test func longestList() throws {
    let list = (0..<65_000).map { "\($0)" }.joined(separator: ",")
    let format = "name IN {\(list),$a,$b}"
    let predicate = try QueryPredicate(format: format)
    let error = #expect(throws: ZoneQueryError.self) { try predicate.check(for: Subject.type) }
    #expect(error?.diagnostics.map(\.code) == ["mixedList"])
    #expect(error?.diagnostics.first?.range == SourceRange(8, format.utf8.count))
    try QueryPredicate(format: "age IN {\(list),$a,$b}").check(for: Subject.type)
  }

  /// Of a comparison that takes no value its own fault is told, not one of a value that nobody gave.
  @Test func faultsAreTheComparisons() throws {
    for (format, code, place) in [
      ("name LIKE $p", "operatorNotSupported", "LIKE"), ("tags IN $p", "listField", "tags"),
      ("age BEGINSWITH $p", "operatorType", "BEGINSWITH"),
      ("owner < $p", "operatorType", "<"), ("tags = $p", "listField", "tags"), ("ANY name = $p", "notList", "name"),
      ("NOT age BETWEEN $p", "negatedBetween", "age BETWEEN $p"), ("name IN {$p, nil}", "nilOperand", "{$p, nil}"),
      ("age BETWEEN {$p}", "betweenBounds", "{$p}"), ("name IN {$p, nope}", "unknownField", "nope"),
    ] {
      let predicate = try QueryPredicate(format: format)
      let error = #expect(throws: ZoneQueryError.self) { try predicate.check(for: Subject.type) }
      let diagnostic = try #require(error?.diagnostics.first)
      #expect(error?.diagnostics.count == 1 && diagnostic.code == code, "\(format): \(diagnostic)")
      let range = try #require(diagnostic.range)
      #expect(String(decoding: Array(format.utf8)[range.lowerBound..<range.upperBound], as: UTF8.self) == place)
      // A query is refused before it is run.
      let database = try Database(schema: Schema([Subject.type]))
      expectFailure(.invalidPredicate) { try database.prepare(Query(recordType: "Thing", predicate: predicate)) }
    }
    // Whoever runs it has to give the values.
    let predicate = try QueryPredicate(format: "age = $limit")
    let error = #expect(throws: ZoneQueryError.self) { try Matcher(predicate, for: Subject.type) }
    #expect(error?.diagnostics.map(\.code) == ["unboundParameter"])
  }
}
