/// What is left to be asked of a row by a ``DirectRun``: numbers held against ranges, a member of a list, and posting
/// lists that its slot is to be in.
struct RowTests {
  /// The most rows that are tested without the planner.
  static let budget = 1_024
  private static let most = 2

  private let rows: TableRows
  private var first = NumberTest()
  private var second = NumberTest()
  private var count = 0
  private var member: [UInt8] = []
  private var memberField = 0
  private var lists: [PostingList] = []
  // Arrays are looked at where they hold something alone: a look counts references.
  private var hasMember = false
  private var hasLists = false
  /// The number of the list of a member that the index's word does not tell from all others.
  private var memberList = -1
  /// Whether no row has a term or a number that all are to have.
  private(set) var areHopeless = false

  /// Tests that all rows pass.
  init(_ rows: TableRows) { self.rows = rows }

  /// Takes the tests of a run; false where a value has to be looked at more closely, or there are many tests. `lead` is the
  /// word that a stretch of entries begins with: of a plan that asks for a member, the member's.
  mutating func take(
    _ plan: DirectPlan, _ values: [ArgumentValue?], _ source: TableRow.Source, lead: UInt64?
  ) -> Bool {
    for lookup in plan.probes {
      guard let areThere = lookup.add(to: &lists, source, values) else { return false }
      if !areThere { areHopeless = true }
    }
    for test in plan.tests {
      if test.kind == .member {
        // Lists lead their indexes, so that a plan has one such test.
        guard let lead else { return false }
        if KeyEncoding.isExactMember(lead) { continue }
        // A list of slots is near sooner than the rows' own lists.
        let known = lists.count
        switch test.lookup?.add(to: &lists, source, values) {
        case true?: if lists.count == known + 1 { memberList = known }
        case false?: areHopeless = true
        case nil:
          guard let text = test.operand.text(values) else { return false }
          lists.removeLast(lists.count - known)
          (member, memberField) = (text, test.field)
        }
        continue
      }
      guard count < RowTests.most, let range = test.operand.range(values) else { return false }
      guard let words = range.numbers else {
        areHopeless = true
        continue
      }
      let number = NumberTest(field: test.field, isDouble: test.kind == .double, words)
      if count == 0 { first = number } else { second = number }
      count += 1
    }
    hasMember = !member.isEmpty
    hasLists = !lists.isEmpty
    return true
  }

  /// Takes note of how many entries the word of the member has, each of another row: where no more rows have the member,
  /// they are the same.
  mutating func settleMember(entries: Int) {
    guard memberList >= 0, lists[memberList].count == entries else { return }
    lists.remove(at: memberList)
    memberList = -1
    hasLists = !lists.isEmpty
  }

  var isEmpty: Bool { count == 0 && !hasMember && !hasLists }

  /// Takes the slots out, in whatever order, that are not in the lists; false, and nothing is done, where that is not
  /// sooner than sorting them. Those that are left ascend.
  func keepListed(unsorted slots: inout [UInt32]) -> Bool {
    guard hasLists, let shortest = lists.indices.min(by: { lists[$0].count < lists[$1].count }),
      lists[shortest].keep(unsorted: &slots)
    else { return false }
    for index in lists.indices where index != shortest { lists[index].keep(&slots) }
    return true
  }

  /// Takes the slots out, which ascend, that are not in the lists.
  func keepListed(_ slots: inout [UInt32]) {
    for list in lists { list.keep(&slots) }
  }

  /// Whether there are tests beside the lists.
  var testValues: Bool { count > 0 || hasMember }

  /// How many rows are tested together.
  static let together = 16

  /// Which of some rows pass, a bit each: at most ``together``. What they hold is read together.
  @inline(__always)
  func passing(_ rowCount: Int, _ slot: (Int) -> UInt32) -> UInt32 {
    let passing = passingValues(rowCount, slot)
    return hasLists ? keepListed(passing, slot) : passing
  }

  /// The same but for the lists.
  @inline(__always)
  func passingValues(_ rowCount: Int, _ slot: (Int) -> UInt32) -> UInt32 {
    var passing = UInt32.max >> UInt32(32 - rowCount)
    if count > 0 { passing &= rows.holding(first, rowCount, slot) }
    if count > 1 { passing &= rows.holding(second, rowCount, slot) }
    return hasMember ? keepMember(passing, slot) : passing
  }

  @inline(never)
  private func keepListed(_ rows: UInt32, _ slot: (Int) -> UInt32) -> UInt32 {
    keep(rows) { row in lists.allSatisfy { $0.contains(slot(row)) } }
  }

  @inline(never)
  private func keepMember(_ rows: UInt32, _ slot: (Int) -> UInt32) -> UInt32 {
    keep(rows) { row in
      let slot = Int(slot(row))
      return self.rows.group(slot >> RowGroup.shift).anyBytes(slot & (RowGroup.size - 1), memberField) {
        $0.isSame(as: member.span)
      }
    }
  }

  @inline(__always)
  private func keep(_ rows: UInt32, where passes: (Int) -> Bool) -> UInt32 {
    var (left, kept) = (rows, rows)
    while left != 0 {
      if !passes(left.trailingZeroBitCount) { kept &= ~(left & (0 &- left)) }
      left &= left &- 1
    }
    return kept
  }
}
