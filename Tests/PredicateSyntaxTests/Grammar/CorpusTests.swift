import Testing

@testable import PredicateSyntax

/// `Grammar/Corpus`: texts with the tree or the diagnostics they must give.
@Suite struct CorpusTests {
  /// With `ZONEQUERY_REGENERATE=1` the expectations are written anew, for a person to review, and nothing is checked.
  @Test func everyCaseIsAsExpected() {
    let regenerates = RepositoryFiles.isSet("ZONEQUERY_REGENERATE")
    var valid = 0
    var invalid = 0
    var inputs: Set<[UInt8]> = []
    for file in CorpusFile.all {
      for line in file.mistakes { Issue.record("\(file.name): \(line)") }
      if regenerates {
        #expect(RepositoryFiles.write(file.regenerated, to: file.name))
      }
      for item in file.cases {
        let outcome = CorpusFile.outcome(item)
        #expect(
          outcome.isValid == file.isValid, "\(file.name): \(item.input)\n\(outcome.lines.joined(separator: "\n"))")
        if outcome.isValid { valid += 1 } else { invalid += 1 }
        let key = Array(item.head.filter { $0.hasPrefix("?") || $0.hasPrefix("@") }.joined(separator: "\n").utf8)
        #expect(inputs.insert(key).inserted, "\(file.name): twice: \(item.input)")
        guard !regenerates else { continue }
        let found = outcome.lines.joined(separator: "\n")
        let expected = item.expected.joined(separator: "\n")
        #expect(sameBytes(found, expected), "\(file.name): \(item.input)\nexpected\n\(expected)\nfound\n\(found)")
      }
    }
    print("corpus: \(valid) valid and \(invalid) invalid texts")
    #expect(valid >= 400)
    #expect(invalid >= 250)
  }

  /// What is printed reads back as the same tree and prints as the same text.
  @Test func everyValidCaseReadsBack() throws {
    var checks = 0
    for file in CorpusFile.all where file.isValid {
      for item in file.cases {
        let read = try PredicateParser().parse(item.input, values: item.arguments).root
        let text = read.predicateFormat
        let again = try PredicateParser().parse(text).root
        #expect(again == read && again.hashValue == read.hashValue, "\(item.input)")
        #expect(sameBytes(again.predicateFormat, text), "\(item.input)")
        checks += 1
      }
    }
    print("corpus read back: \(checks) checks")
    #expect(checks >= 400)
  }
}
