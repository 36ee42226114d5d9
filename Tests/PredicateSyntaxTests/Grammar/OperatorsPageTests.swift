import Testing

@testable import PredicateSyntax

/// `Grammar/Operators.md` against the operator table.
@Suite struct OperatorsPageTests {
  static let path = "Grammar/Operators.md"

  /// The lines between `<!-- table: name -->` and the next `<!-- end -->`.
  private func table(_ name: String, in text: String) -> [String] {
    let lines = CorpusFile.lines(text)
    guard let start = lines.firstIndex(of: "<!-- table: \(name) -->"),
      let end = lines[start...].firstIndex(of: "<!-- end -->")
    else { return [] }
    return Array(lines[(start + 1)..<end])
  }

  private func cells(_ line: String) -> [String] {
    line.split(separator: "|").map { cell in
      var text = cell
      while text.first == " " { text.removeFirst() }
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }

  private func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "–" }

  private func mark(_ dialects: Set<Dialect>, _ dialect: Dialect) -> String { dialects.contains(dialect) ? "yes" : "–" }

  private func rows(_ head: String, _ rows: [String]) -> [String] {
    let columns = head.split(separator: "|").count
    return ["| \(head) |", "|" + String(repeating: " --- |", count: columns)] + rows.map { "| \($0) |" }
  }

  private func both(_ dialects: Set<Dialect>) -> String {
    "\(mark(dialects, .cloudKit)) | \(mark(dialects, .extended))"
  }

  /// What the operator table makes of each table of the page that is drawn from it alone.
  private var drawn: [String: [String]] {
    [
      "comparisons": rows(
        "operator | also written | mirror | complement | options | `.cloudKit` | `.extended`",
        OperatorTable.comparisons.map { facts in
          let others = facts.spellings.dropFirst().map { "`\($0)`" }.joined(separator: " ")
          return "\(code(facts.comparison.rawValue)) | \(others.isEmpty ? "–" : others)"
            + " | \(code(facts.mirrored?.rawValue)) | \(code(facts.complement?.rawValue))"
            + " | \(facts.takesOptions ? "yes" : "–") | \(both(facts.dialects))"
        }),
      "quantifiers": rows(
        "word | read as | `.cloudKit` | `.extended`",
        OperatorTable.aggregates.map { facts in
          let meaning = facts.isNegated ? "NOT \(facts.quantifier.rawValue)" : facts.quantifier.rawValue
          return "\(code(facts.word.rawValue)) | \(code(meaning)) | \(both(facts.dialects))"
        }),
      "logical": rows(
        "operator | also written | binds | `.cloudKit` | `.extended`",
        OperatorTable.logical.map { facts in
          "\(code(facts.spellings[0])) | \(code(facts.spellings[1])) | \(facts.precedence) | \(both(facts.dialects))"
        }),
      "arithmetic": rows(
        "operator | binds | `.cloudKit` | `.extended`",
        OperatorTable.arithmetic.map { facts in
          let sign = facts.operation.rawValue.split(separator: "|", omittingEmptySubsequences: false)
          return "`\(sign.joined(separator: "\\|"))` | \(facts.precedence) | \(both(facts.dialects))"
        }
          + OperatorTable.unary.map { facts in
            "`\(facts.operation.rawValue)a` | \(facts.precedence) | \(both(facts.dialects))"
          }),
      "functions": rows(
        "function | short | arguments | `.cloudKit` | `.extended` | why not",
        OperatorTable.functions.map { facts in
          "\(code(facts.selector)) | \(code(facts.shortName)) | \(facts.argumentCount.lowerBound)"
            + " | \(both(facts.dialects)) | \(facts.refusal ?? "–")"
        }),
    ]
  }

  /// With `ZONEQUERY_REGENERATE=1` the tables are drawn anew.
  @Test func tablesAreThoseOfTheTable() throws {
    var text = try #require(RepositoryFiles.text(Self.path))
    if RepositoryFiles.isSet("ZONEQUERY_REGENERATE") {
      var lines = CorpusFile.lines(text)
      for (name, rows) in drawn {
        guard let start = lines.firstIndex(of: "<!-- table: \(name) -->"),
          let end = lines[start...].firstIndex(of: "<!-- end -->")
        else { continue }
        lines.replaceSubrange((start + 1)..<end, with: rows)
      }
      text = lines.joined(separator: "\n")
      #expect(RepositoryFiles.write(text, to: Self.path))
    }
    for (name, rows) in drawn { #expect(table(name, in: text) == rows, "\(name)") }
  }

  static let types: Set<String> = [
    "STRING", "INT64", "DOUBLE", "TIMESTAMP", "REFERENCE", "LOCATION", "LIST", "allTokens",
  ]

  /// Every comparison has its types in the dialects that take it, and in no other.
  @Test func typesAreGivenWhereADialectTakesTheOperator() throws {
    let text = try #require(RepositoryFiles.text(Self.path))
    let rows = table("types", in: text).dropFirst(2).map(cells)
    #expect(rows.map { $0.first } == OperatorTable.comparisons.map { "`\($0.comparison.rawValue)`" })
    for (row, facts) in zip(rows, OperatorTable.comparisons) {
      guard row.count == 4 else {
        Issue.record("\(row)")
        continue
      }
      for (column, dialect) in [(1, Dialect.cloudKit), (2, .extended)] {
        let given = Set(row[column].split(separator: " ").map(String.init))
        #expect((given == ["–"]) == !facts.dialects.contains(dialect), "\(row)")
        #expect(given == ["–"] || given.isSubset(of: Self.types), "\(row)")
      }
      #expect(["QUERYABLE", "QUERYABLE or SORTABLE", "SEARCHABLE", "–"].contains(row[3]), "\(row)")
      let cloudKit = Set(row[1].split(separator: " "))
      #expect(row[1] == "–" || cloudKit.isSubset(of: row[2].split(separator: " ")), "\(row)")
    }
    // An operator and its mirror or complement take the same fields, IN and CONTAINS apart.
    for facts in OperatorTable.comparisons where facts.comparison != .in && facts.comparison != .contains {
      for other in [facts.mirrored, facts.complement] {
        guard let other, let row = rows.first(where: { $0[0] == "`\(facts.comparison.rawValue)`" }),
          let otherRow = rows.first(where: { $0[0] == "`\(other.rawValue)`" })
        else { continue }
        #expect(row.dropFirst() == otherRow.dropFirst(), "\(row[0])")
      }
    }
  }
}
