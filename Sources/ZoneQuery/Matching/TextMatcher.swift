/// A text test made ready: what depends on the operand alone is worked out once.
///
/// Complexity: linear in the text.
struct TextMatcher: Sendable {
  let relation: TextTest.Relation
  let operand: [UInt8]
  let folding: TextFolding
  private let search: ByteSearch?
  /// Nil for the other relations, and for a pattern computed from the record that is too long: it matches nothing.
  private let pattern: LikePattern?

  init(_ test: TextTest) {
    relation = test.relation
    operand = test.operand
    folding = test.folding
    search = test.relation == .substring ? ByteSearch(test.operand) : nil
    pattern = test.relation == .pattern ? LikePattern(test.operand) : nil
  }

  @inline(never)
  func matches(_ text: Span<UInt8>) -> Bool {
    if folding.isEmpty { return matches(text, lowers: false) }
    // Of ASCII nothing is folded but capitals.
    if ASCIICase.isASCII(text) { return matches(text, lowers: folding.contains(.case)) }
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count + 8)
    folding.folding?.fold(text, into: &folded)
    return matches(folded.span, lowers: false)
  }

  /// Whether a folded text matches, or, by `lowers`, one of ASCII whose capitals are yet to be taken for small letters.
  private func matches(_ text: Span<UInt8>, lowers: Bool) -> Bool {
    let operand = operand.span
    return switch relation {
    case .equal: text.count == operand.count && ASCIICase.stands(operand, in: text, at: 0, lowers: lowers)
    case .less: ASCIICase.compare(text, operand, lowers: lowers) < 0
    case .lessOrEqual: ASCIICase.compare(text, operand, lowers: lowers) <= 0
    case .greater: ASCIICase.compare(text, operand, lowers: lowers) > 0
    case .greaterOrEqual: ASCIICase.compare(text, operand, lowers: lowers) >= 0
    case .prefix: !operand.isEmpty && ASCIICase.stands(operand, in: text, at: 0, lowers: lowers)
    case .suffix:
      !operand.isEmpty && ASCIICase.stands(operand, in: text, at: text.count - operand.count, lowers: lowers)
    case .substring: search?.end(in: text, from: 0, to: text.count, lowers: lowers) != nil
    case .pattern: pattern?.matches(text, lowers: lowers) ?? false
    }
  }
}

extension Span where Element == UInt8 {
  /// Negative, 0 or positive as the bytes come before, are, or come after `other`, byte by byte.
  func compare(_ other: [UInt8]) -> Int { ByteOrder.compare(self, other.span) }
}
