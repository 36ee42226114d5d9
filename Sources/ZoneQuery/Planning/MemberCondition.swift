/// What is asked of a list's members, other than to be one of some values, held against each member that an index knows
/// instead of against each row's.
///
/// ```
/// ANY tags BEGINSWITH "out"       the lists of "outdoor" and "outside", of all tags there are
/// tags CONTAINS[c] "sea"          those of "sea" and "SEA"
/// ANY ratings > 4                 those of 4.5 and 5
/// ```
struct MemberCondition {
  private enum Kind {
    case text(TextMatcher)
    case texts(Program.TextSet)
    case textRange(Program.TextRange)
    case integers(ClosedRange<Int64>)
    case doubles(ClosedRange<Double>)
  }

  private let kind: Kind
  /// What holding a member against it costs, in nanoseconds.
  let cost: Double

  /// Nil where a test tells members by their type alone, or where it is no test of what a list's index has.
  init?(_ test: ValueTest) {
    switch test {
    case .text(let text): kind = .text(TextMatcher(text))
    case .textSet(let texts, let folding): kind = .texts(Program.TextSet(texts: texts, folding: folding))
    case .textRange(let lower, let upper, let folding):
      kind = .textRange(Program.TextRange(lower: lower, upper: upper, folding: folding))
    case .integers(let range): kind = .integers(range)
    case .doubles(let range): kind = .doubles(range)
    case .none, .every, .integerSet, .doubleSet, .referenceSet, .recordNameSet, .location, .distance: return nil
    }
    switch kind {
    case .text, .texts, .textRange: cost = Cost.member
    case .integers, .doubles: cost = Cost.numberMember
    }
  }

  /// Whether there is such a test.
  static func isAsked(by test: ValueTest) -> Bool {
    switch test {
    case .text, .textSet, .textRange, .integers, .doubles: true
    case .none, .every, .integerSet, .doubleSet, .referenceSet, .recordNameSet, .location, .distance: false
    }
  }

  /// The lists of all members that pass. What an index does not hold of a long text is looked at where it lies, in the first of
  /// the rows that have it, whose long members are all held against the condition then: a term's words tell it from all others.
  ///
  /// Complexity: linear in the members that the index knows, and in those of the rows that are looked at, each once.
  func lists(_ index: PostingIndex, _ field: FieldNumber, _ table: Table) -> [PostingList] {
    var (seen, passing): (Set<UInt32>, Set<PostingTerm>) = ([], [])
    return index.lists { term, list in
      if !term.isLong { return term.withBytes(holds) }
      guard let slot = list()?.first else { return false }
      if seen.insert(slot).inserted {
        _ = table.anyBytes(Int(slot), field) { member in
          if PostingTerm.isLong(member), holds(member) { passing.insert(PostingTerm(member)) }
          return false
        }
      }
      return passing.contains(term)
    }
  }

  /// Whether a member passes, by the bytes of its term.
  private func holds(_ member: Span<UInt8>) -> Bool {
    switch kind {
    case .text(let matcher): matcher.matches(member)
    case .texts(let set): set.contains(member)
    case .textRange(let range): range.contains(member)
    case .integers(let range): range.contains(KeyEncoding.int64(MemberCondition.word(member)))
    case .doubles(let range): range.contains(KeyEncoding.double(MemberCondition.word(member)))
    }
  }

  /// The word of a number's term.
  private static func word(_ term: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for index in term.indices { word = word << 8 | UInt64(term[index]) }
    return word
  }
}
