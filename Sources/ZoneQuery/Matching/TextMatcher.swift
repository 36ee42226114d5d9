/// A text test made ready: what depends on the operand alone is worked out once. An object, so that asking counts no more than
/// one reference.
///
/// Complexity: linear in the text.
final class TextMatcher: Sendable {
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
    switch relation {
    case .substring: search?.end(in: text, from: 0, to: text.count, lowers: lowers) != nil
    case .pattern: pattern?.matches(text, lowers: lowers) ?? false
    default: compares(text, operand, lowers: lowers)
    }
  }

  /// Whether no text takes longer than its comparison with the operand.
  var isQuick: Bool { folding.isEmpty && relation != .substring && relation != .pattern }

  private func compares(_ text: Span<UInt8>, _ operand: [UInt8], lowers: Bool) -> Bool {
    func stands(at offset: Int) -> Bool { ASCIICase.stands(operand.span, in: text, at: offset, lowers: lowers) }
    func order() -> Int { ASCIICase.compare(text, operand.span, lowers: lowers) }
    return switch relation {
    case .equal: text.count == operand.count && stands(at: 0)
    case .less: order() < 0
    case .lessOrEqual: order() <= 0
    case .greater: order() > 0
    case .greaterOrEqual: order() >= 0
    case .prefix: !operand.isEmpty && stands(at: 0)
    case .suffix: !operand.isEmpty && stands(at: text.count - operand.count)
    case .substring, .pattern: false
    }
  }
}

extension Span where Element == UInt8 {
  /// Negative, 0 or positive as the bytes come before, are, or come after `other`, byte by byte.
  func compare(_ other: [UInt8]) -> Int { ByteOrder.compare(self, other.span) }
}
