import PredicateSyntax
import Testing

/// Trees are equal where all that their texts say is, wherever it stands.
struct TreeEqualityTests {
  /// Texts that no two of say the same.
  private static let texts = [
    "a = 1", "b = 1", "a = 2", "a != 1", "1 = a", "a = '1'", "a = 1.5", "a = 2.5", "a = nil", "a.b = 1", "a.c = 1",
    "a.b.c = 1", "a = $b", "a = $c", #"a = CAST(1, "NSDate")"#, #"a = CAST(2, "NSDate")"#,
    #"a = CAST("1,2", "CLLocation")"#, #"a = CAST("1,3", "CLLocation")"#, #"a = CAST("2,2", "CLLocation")"#,
    #"a = CAST("r", "CKReference")"#, #"a = CAST("s", "CKReference")"#, #"a = CAST("z/r", "CKReference")"#,
    #"a = CAST("y/r", "CKReference")"#, #"a = CAST(b, "NSDate")"#, #"a = CAST(c, "NSDate")"#,
    #"a = CAST(b, "NSNumber")"#, "a = FUNCTION(b, 'f')", "a = FUNCTION(b, 'g')", "a = FUNCTION(c, 'f')",
    "a = FUNCTION(b, 'f', 1)", "a = FUNCTION(b, 'f', 2)", "a[1] = 1", "a[2] = 1", "a[1].b = 1", "a[1].c = 1",
    "a[2].c = 1", "a IN {1}", "a IN {2}", "a IN {1, 2}", "a BETWEEN {1, 2}", "a BETWEEN {2, 1}", "ANY a = 1",
    "ALL a = 1", "NOT a = 1", "a = 1 AND b = 1", "a = 1 OR b = 1", "b = 1 AND a = 1", "a = abs(b)", "a = abs(c)",
    "a = floor(b)", "a = b + 1", "a = b - 1", "a = 1 + b", "TRUEPREDICATE", "FALSEPREDICATE", "a BEGINSWITH 'x'",
    "a BEGINSWITH[c] 'x'", "a BEGINSWITH[d] 'x'", "a = TERNARY(b = 1, 1, 2)", "a = TERNARY(b = 1, 2, 1)",
    "a = TERNARY(c = 1, 1, 2)", "self CONTAINS 'x'",
  ]

  @Test func treesOfTexts() throws {
    let trees = try Self.texts.map { try PredicateParser().parse($0).root }
    for (place, tree) in trees.enumerated() {
      for (other, copy) in trees.enumerated() {
        #expect((tree == copy) == (place == other), "\(Self.texts[place]) \(Self.texts[other])")
      }
      // Elsewhere, with other blanks.
      let again = try PredicateParser().parse("   " + Self.texts[place] + " ").root
      #expect(tree == again && tree.hashValue == again.hashValue)
    }
  }

  @Test func references() {
    let base = Literal.reference(recordName: "r", zoneName: "z", ownerName: "o")
    #expect(base == .reference(recordName: "r", zoneName: "z", ownerName: "o"))
    for other in [("s", "z", "o"), ("r", "y", "o"), ("r", "z", "p")] {
      #expect(base != .reference(recordName: other.0, zoneName: other.1, ownerName: other.2))
    }
    #expect(base != .reference(recordName: "r", zoneName: "z", ownerName: nil))
    #expect(base != .reference(recordName: "r", zoneName: nil, ownerName: nil))
  }
}
