/// What is asked of a list's members, other than to be one of some values, held against each member that an index knows
/// instead of against each row's.
///
/// ```
/// ANY tags BEGINSWITH "out"       the lists of "outdoor" and "outside", of all tags there are
/// tags CONTAINS[c] "sea"          those of "sea" and "SEA"
/// ANY ratings > 4                 those of 4.5 and 5
/// ```
struct MemberCondition {
  /// The condition on one value, which each member is held against.
  private let program: Program
  private let instruction: Program.Instruction

  /// What holding a member against a test costs, in nanoseconds; nil where a test tells members by their type alone, or is none
  /// of what a list's index has.
  static func cost(of test: ValueTest) -> Double? {
    switch test {
    case .text(let text): text.folding.isEmpty ? Cost.member : Cost.foldedMember
    case .textSet(_, let folding), .textRange(_, _, let folding): folding.isEmpty ? Cost.member : Cost.foldedMember
    case .integers, .doubles: Cost.numberMember
    case .none, .every, .integerSet, .doubleSet, .referenceSet, .recordNameSet, .location, .distance: nil
    }
  }

  init(_ field: FieldNumber, _ test: ValueTest) {
    program = Program(
      .comparison(BoundComparison(condition: .value(field, test), isNegated: false, whenMissing: false)))
    instruction = program.instruction(at: 0)
  }

  /// The lists of all members that pass. What an index does not hold of a long text is looked at where it lies, in the first of
  /// the rows that have it, whose long members are all held against the condition then: a term's words tell it from all others.
  ///
  /// Complexity: linear in the members that the index knows, and in those of the rows that are looked at, each once.
  func lists(
    _ index: PostingIndex, _ field: FieldNumber, _ table: Table, within limit: inout TimeLimit
  ) -> [PostingList] {
    var (seen, passing): (Set<UInt32>, Set<PostingTerm>) = ([], [])
    var asked = 0
    return index.lists { term, list in
      asked += 1
      if limit.isOver || asked % TimeLimit.rows == 0 && limit.check() { return false }
      if !term.isLong { return term.withBytes { holds($0) } }
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
  func holds(_ member: Span<UInt8>) -> Bool {
    let (operation, constant) = (instruction.operation, Int(instruction.constant))
    switch operation {
    case .integers: return program.passes(operation, constant, KeyEncoding.int64(MemberCondition.word(member)))
    case .doubles: return program.passes(operation, constant, KeyEncoding.double(MemberCondition.word(member)))
    default: return program.passes(operation, constant, member)
    }
  }

  /// The word of a number's term.
  private static func word(_ term: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for index in term.indices { word = word << 8 | UInt64(term[index]) }
    return word
  }
}
