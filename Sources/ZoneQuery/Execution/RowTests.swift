/// What is left to be asked of a row by a ``DirectRun``: numbers held against ranges, a member of a list, and posting
/// lists that its slot is to be in.
struct RowTests {
  /// The most rows that are tested without the planner.
  static let budget = 1_024
  private static let most = 2

  private let rows: TableRows
  private var fields = SIMD2<Int32>.zero
  private var areDouble = SIMD2<UInt8>.zero
  private var first = KeyRange(word: 0, through: 0)
  private var second = KeyRange(word: 0, through: 0)
  private var count = 0
  private var member: [UInt8] = []
  private var memberField = 0
  private var lists: [PostingList] = []
  /// The number of the list of a member that the index's word does not tell from all others.
  private var memberList = -1
  /// Whether no row has a term that all are to have.
  private(set) var areHopeless = false

  /// Nil where a value has to be looked at more closely, or there are many tests.
  @inline(__always)
  init?(_ plan: DirectPlan, _ values: [ArgumentValue?], _ source: TableRow.Source) {
    rows = source.rows
    for lookup in plan.probes {
      guard let areThere = lookup.add(to: &lists, source, values, plan.options) else { return nil }
      if !areThere { areHopeless = true }
    }
    for test in plan.tests {
      if test.kind == .member {
        guard let range = test.operand.range(values) else { return nil }
        if KeyEncoding.isExactMember(range.lower.first) { continue }
        // A list of slots is near sooner than the rows' own lists.
        let known = lists.count
        switch test.lookup?.add(to: &lists, source, values, plan.options) {
        case true?: if lists.count == known + 1 { memberList = known }
        case false?: areHopeless = true
        case nil:
          guard let text = test.operand.text(values) else { return nil }
          lists.removeLast(lists.count - known)
          (member, memberField) = (text, test.field)
        }
        continue
      }
      guard count < RowTests.most, let range = test.operand.range(values) else { return nil }
      fields[count] = Int32(truncatingIfNeeded: test.field)
      areDouble[count] = test.kind == .double ? 1 : 0
      if count == 0 { first = range } else { second = range }
      count += 1
    }
  }

  /// Takes note of how many entries the word of the member has, each of another row: where no more rows have the member,
  /// they are the same.
  mutating func settleMember(entries: Int) {
    guard memberList >= 0, lists[memberList].count == entries else { return }
    lists.remove(at: memberList)
    memberList = -1
  }

  var isEmpty: Bool { count == 0 && member.isEmpty && lists.isEmpty }

  @inline(__always)
  func pass(_ slot: UInt32) -> Bool {
    var list = 0
    while list < lists.count {
      if !lists[list].contains(slot) { return false }
      list += 1
    }
    return passesValues(slot)
  }

  /// Takes the slots out, which ascend, that are not in the lists.
  func keepListed(_ slots: inout [UInt32]) {
    for list in lists { list.keep(&slots) }
  }

  /// Whether there are tests beside the lists.
  var testValues: Bool { count > 0 || !member.isEmpty }

  @inline(__always)
  func passesValues(_ slot: UInt32) -> Bool {
    let group = rows.group(Int(slot) >> RowGroup.shift)
    let row = Int(slot) & (RowGroup.size - 1)
    return (count < 1 || passes(group, row, fields[0], areDouble[0], first))
      && (count < 2 || passes(group, row, fields[1], areDouble[1], second))
      && (member.isEmpty || holdsMember(group, row))
  }

  @inline(never)
  private func holdsMember(_ group: RowGroup, _ row: Int) -> Bool {
    let member = member
    return group.anyBytes(row, memberField) { $0.isSame(as: member.span) }
  }

  @inline(__always)
  private func passes(_ group: RowGroup, _ row: Int, _ field: Int32, _ isDouble: UInt8, _ range: KeyRange) -> Bool {
    guard group.isPresent(row, Int(field)) else { return false }
    return range.contains(
      isDouble == 1 ? KeyEncoding.word(group.double(row, Int(field))) : KeyEncoding.word(group.integer(row, Int(field)))
    )
  }
}
