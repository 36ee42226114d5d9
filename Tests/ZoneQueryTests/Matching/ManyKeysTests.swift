import Testing

@testable import ZoneQuery

/// Matchers without a record type whose predicates name many keys.
@Suite struct ManyKeysTests {
  /// A value that has a number under some of many keys.
  private struct Numbered: KeyedFields {
    let keys: Range<Int>

    func fieldValue(forKey key: String) -> FieldValue? {
      guard let number = Int(key.dropFirst()), keys.contains(number) else { return nil }
      return .int64(Int64(number))
    }
  }

  private func comparison(_ number: Int) -> PredicateNode {
    .comparison(
      ComparisonNode(nil, .key(KeyNode("k\(number)")), .equal, .literal(LiteralNode(.integer(Int64(number))))))
  }

  /// Each comparison of a new shape finds its key without a look at the others.
  @Test func shapesOfManyKeys() throws {
    let count = 40_000
    let all = QueryPredicate(.all(of: (0..<count).map(comparison)))
    let any = QueryPredicate(.any(of: (0..<count).map(comparison)))
    let options = PredicateOptions(dialect: .extended)
    let (allMatcher, anyMatcher) = (try Matcher(all, options: options), try Matcher(any, options: options))
    for (keys, hasAll, hasAny) in [
      (0..<count, true, true), (1..<count, false, true), (count - 1..<count, false, true),
      (count..<count, false, false),
    ] {
      #expect(try allMatcher.matches(Numbered(keys: keys)) == hasAll, "\(keys)")
      #expect(try anyMatcher.matches(Numbered(keys: keys)) == hasAny, "\(keys)")
    }
  }
}
