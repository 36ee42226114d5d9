import FoundationEssentials
import Testing
import ZoneQuery

/// The words of every refusal, as users read them: place, code, message and hint, kept in `Refusals.txt`.
struct RefusalTextTests {
  private static let path = String(#filePath.dropLast("RefusalTextTests.swift".count)) + "Refusals.txt"

  @Test func refusalsReadAsTheyAreWrittenDown() throws {
    let text = try String(contentsOf: URL(filePath: Self.path), encoding: .utf8)
    let comments = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("> ") }
    let formats = text.split(separator: "\n").filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
    var lines = comments.map(String.init)
    for format in formats {
      lines.append("> " + format)
      for dialect in Dialect.allCases { lines += try Self.told(format, dialect) }
      lines.append("")
    }
    let actual = lines.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["ZONEQUERY_REGENERATE"] != nil {
      try actual.write(to: URL(filePath: Self.path), atomically: true, encoding: .utf8)
    }
    #expect(actual == text)
    print("refusals: \(formats.count) predicates")
    #expect(formats.count >= 120)
  }

  /// What one dialect says of a predicate.
  private static func told(_ format: String, _ dialect: Dialect) throws -> [String] {
    let predicate = try QueryPredicate(format: format)
    do {
      try predicate.check(for: Subject.type, PredicateOptions(dialect: dialect))
      return ["\(dialect.rawValue): taken"]
    } catch {
      return error.diagnostics.map { fault in
        let source = error.source ?? SourceText("")
        let place = "\(fault.column(in: source) ?? 0)+\(fault.length(in: source) ?? 0)"
        return "\(dialect.rawValue) \(place) \(fault.code): \(fault.message)"
          + (fault.hint.map { "\n  hint: \($0)" } ?? "")
      }
    }
  }
}
