/// A text test made ready: what depends on the operand alone is worked out once.
///
/// Complexity: linear in the text.
struct TextMatcher: Sendable {
  let relation: TextTest.Relation
  let operand: [UInt8]
  let folding: TextFolding
  private let search: RunSearch<UInt8>?
  /// Nil for the other relations, and for a pattern computed from the record that is too long: it matches nothing.
  private let pattern: LikePattern?

  init(_ test: TextTest) {
    relation = test.relation
    operand = test.operand
    folding = test.folding
    search = test.relation == .substring ? RunSearch(test.operand) : nil
    pattern = test.relation == .pattern ? LikePattern(test.operand) : nil
  }

  @inline(never)
  func matches(_ text: Span<UInt8>) -> Bool {
    if folding.isEmpty { return matchesFolded(text) }
    return matchesFolded(folding.fold(Array(copying: text)).span)
  }

  private func matchesFolded(_ text: Span<UInt8>) -> Bool {
    switch relation {
    case .equal: ByteOrder.areEqual(text, operand.span)
    case .less: text.compare(operand) < 0
    case .lessOrEqual: text.compare(operand) <= 0
    case .greater: text.compare(operand) > 0
    case .greaterOrEqual: text.compare(operand) >= 0
    case .prefix: !operand.isEmpty && text.hasPrefix(operand)
    case .suffix: !operand.isEmpty && text.hasSuffix(operand)
    case .substring: search?.end(in: text, from: 0, to: text.count) != nil
    case .pattern: pattern?.matches(text) ?? false
    }
  }
}

extension Span where Element == UInt8 {
  /// Negative, 0 or positive as the bytes come before, are, or come after `other`, byte by byte.
  func compare(_ other: [UInt8]) -> Int { ByteOrder.compare(self, other.span) }

  func hasPrefix(_ prefix: [UInt8]) -> Bool { ByteOrder.stands(prefix.span, in: self, at: 0) }

  func hasSuffix(_ suffix: [UInt8]) -> Bool { ByteOrder.stands(suffix.span, in: self, at: count - suffix.count) }
}

/// A search for one run of elements in others, in linear time whatever they are (Knuth, Morris and Pratt, "Fast pattern
/// matching in strings", SIAM J. Comput. 6(2), 1977).
struct RunSearch<Element: Equatable & Sendable>: Sendable {
  private let needle: [Element]
  /// For each length of a matched prefix, the length of its longest border.
  private let borders: [Int32]

  init(_ needle: [Element]) {
    self.needle = needle
    var borders: [Int32] = [0]
    borders.reserveCapacity(needle.count)
    var length = 0
    for index in needle.indices.dropFirst() {
      while length > 0, needle[index] != needle[length] { length = Int(borders[length - 1]) }
      if needle[index] == needle[length] { length += 1 }
      borders.append(Int32(length))
    }
    self.borders = borders
  }

  /// The position just past the first occurrence between two positions; nil where there is none, and for an empty run.
  func end(in text: Span<Element>, from start: Int, to end: Int) -> Int? {
    guard !needle.isEmpty, end - start >= needle.count else { return nil }
    var length = 0
    for index in start..<end {
      let element = text[index]
      while length > 0, element != needle[length] { length = Int(borders[length - 1]) }
      if element == needle[length] { length += 1 }
      if length == needle.count { return index + 1 }
    }
    return nil
  }
}
