/// What a comparison of strings ignores: the options `[c]`, `[d]` and `[cd]`.
///
/// Two strings are equal but for what is ignored where their foldings are the same bytes, and a string holds
/// another where its folding holds the other's. Folding twice is folding once.
///
/// - `[c]` is full case folding (CaseFolding.txt, statuses C and F) and nothing else: `ß` is `ss`, `İ` is `i̇`,
///   `ı` stays, and `é` written as one character stays another string than `é` written as two.
/// - `[d]` is canonical decomposition without combining marks (general category M: accents, vowel signs,
///   enclosing marks, variation selectors). Characters with a stroke (ø, ł, đ) have no mark. Hangul stays in
///   syllables, however it was written, so that 설 does not begin with 서.
/// - `[cd]` is both: decomposed, case folded, without marks. `ᾳ` folds to `αι` as its capital form does.
///
/// Text is UTF-8; what comes of other bytes is unspecified, but neither traps nor takes longer.
package enum Folding: UInt8, Sendable, Hashable {
  /// `[c]`: case is ignored, marks are not.
  case caseAlone
  /// `[d]`: marks are ignored, case is not.
  case marksAlone
  /// `[cd]`: both are ignored.
  case caseAndMarks

  /// The folding for the two options, nil where neither is given.
  package init?(ignoringCase: Bool, ignoringMarks: Bool) {
    switch (ignoringCase, ignoringMarks) {
    case (false, false): return nil
    case (true, false): self = .caseAlone
    case (false, true): self = .marksAlone
    case (true, true): self = .caseAndMarks
    }
  }

  /// The folding of `bytes`. Complexity: linear.
  package func folded(_ bytes: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    fold(bytes.span, into: &folded)
    return folded
  }

  /// Appends the folding of `bytes` to `folded`, so that a caller may keep one buffer for many strings.
  ///
  /// Complexity: linear. Nothing is allocated beyond `folded`'s growth.
  package func fold(_ bytes: Span<UInt8>, into folded: inout [UInt8]) {
    table.fold(bytes, into: &folded)
  }

  /// Whether the foldings of both are equal.
  ///
  /// Complexity: linear. Nothing is allocated unless the strings differ where one of them is not ASCII.
  package func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    let ignoresCase = self != .marksAlone
    let shorter = min(left.count, right.count)
    var position = 0
    while position < shorter {
      let (leftByte, rightByte) = (left[position], right[position])
      if leftByte != rightByte {
        if leftByte | rightByte >= 0x80 { break }
        // No other letter folds to this one's folding but its own case.
        guard ignoresCase, leftByte.asciiLowercased == rightByte.asciiLowercased else { return false }
      }
      position &+= 1
    }
    if position == left.count, position == right.count { return true }
    // What is behind the first difference decides: but for Hangul, a string's folding is its scalars' foldings
    // put together, and Hangul is composed from equal jamo alone. Where one side is inside a scalar, so is
    // the other: they share its first byte.
    while position > 0, position < left.count, left[position] & 0xC0 == 0x80 { position &-= 1 }
    var (leftRest, rightRest): ([UInt8], [UInt8]) = ([], [])
    fold(left.extracting(position..<left.count), into: &leftRest)
    fold(right.extracting(position..<right.count), into: &rightRest)
    return leftRest == rightRest
  }

  private var table: FoldingTable {
    switch self {
    case .caseAlone: .caseAlone
    case .marksAlone: .marksAlone
    case .caseAndMarks: .caseAndMarks
    }
  }
}
