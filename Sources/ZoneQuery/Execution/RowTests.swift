/// What is left to be asked of a row by a ``DirectRun``: numbers held against ranges, a member of a list, texts and
/// references, other conditions, and posting lists that its slot is to be in.
struct RowTests {
  /// The most rows that are tested without the planner.
  static let budget = 1_024
  /// The most numbers that are held against ranges.
  static let most = 2

  private let rows: TableRows
  private var first = NumberTest()
  private var second = NumberTest()
  private var count = 0
  private var member: [UInt8] = []
  private var memberField = 0
  private var lists: [PostingList] = []
  private var bytes: [(relation: PredicateTemplate.Relation, value: [UInt8])] = []
  private var conditions: RowConditions?
  /// The table, where there are conditions.
  private var source: TableRow.Source?
  // Arrays are looked at where they hold something alone: a look counts references.
  private var hasMember = false
  private var hasLists = false
  private var hasOthers = false
  /// The number of the list of a member that the index's word does not tell from all others.
  private var memberList = -1
  /// Whether no row has a term or a number that all are to have.
  private(set) var areHopeless = false

  /// Tests that all rows pass.
  init(_ rows: TableRows) { self.rows = rows }

  /// Takes the tests of a run, and other conditions; false where a value has to be looked at more closely, or there are many
  /// tests. `lead` is the word that a stretch of entries begins with: of a plan that asks for a member, the member's.
  mutating func take(
    _ plan: DirectPlan, _ conditions: RowConditions?, _ values: [ArgumentValue?], _ source: TableRow.Source,
    lead: UInt64?
  ) -> Bool {
    for lookup in plan.probes {
      guard let areThere = lookup.add(to: &lists, source, values) else { return false }
      if !areThere { areHopeless = true }
    }
    for test in plan.tests {
      switch test {
      case .member(let field, let parameter, let lookup):
        guard take(field, parameter, lookup, source, values, lead: lead) else { return false }
      case .number(let field, let isDouble, let operand):
        guard count < RowTests.most, let range = operand.range(values) else { return false }
        guard let words = range.numbers else {
          areHopeless = true
          continue
        }
        let number = NumberTest(field: field, isDouble: isDouble, words)
        if count == 0 { first = number } else { second = number }
        count += 1
      case .bytes(let relation):
        guard let value = relation.bytes(values) else { return false }
        bytes.append((relation, value))
      }
    }
    if let conditions { (self.conditions, self.source) = (conditions, source) }
    hasOthers = !bytes.isEmpty || conditions != nil
    hasMember = !member.isEmpty
    hasLists = !lists.isEmpty
    return true
  }

  /// Takes the test of a member, or of a record that is referred to; false where the value has to be looked at more closely.
  private mutating func take(
    _ field: FieldNumber, _ parameter: Int, _ lookup: DirectPlan.Lookup?, _ source: TableRow.Source,
    _ values: [ArgumentValue?], lead: UInt64?
  ) -> Bool {
    // Lists and references lead their indexes, so that a plan has one such test.
    guard let lead else { return false }
    if KeyEncoding.isExactMember(lead) { return true }
    // A list of slots is near sooner than the rows' own lists.
    let known = lists.count
    switch lookup?.add(to: &lists, source, values) {
    case true?: memberList = known
    case false?: areHopeless = true
    case nil:
      guard case .literal(let literal)? = values[parameter],
        let bytes = literal.bytes(.string) ?? literal.bytes(.reference)
      else { return false }
      (member, memberField) = (bytes, field)
    }
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

  var isEmpty: Bool { !testValues && !hasLists }

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
  var testValues: Bool { count > 0 || hasMember || hasOthers }

  /// How many rows are tested together.
  static let together = Slots.scalarCount
  /// The slots of such rows.
  typealias Slots = SIMD16<UInt32>

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
    if hasMember { passing = keepMember(passing, slot) }
    return hasOthers ? keepOthers(passing, slot) : passing
  }

  @inline(never)
  private func keepOthers(_ rows: UInt32, _ slot: (Int) -> UInt32) -> UInt32 {
    var passing = rows
    if !bytes.isEmpty {
      passing = keep(rows) { row in
        let slot = Int(slot(row))
        let (group, row) = (self.rows.group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
        return bytes.allSatisfy { $0.relation.holds($0.value, group, row) }
      }
    }
    guard passing != 0, let conditions, let source else { return passing }
    var slots = Slots()
    for row in 0..<32 - passing.leadingZeroBitCount { slots[row] = slot(row) }
    return conditions.passing(passing, of: slots, source)
  }

  @inline(never)
  private func keepListed(_ rows: UInt32, _ slot: (Int) -> UInt32) -> UInt32 {
    keep(rows) { row in lists.allSatisfy { $0.contains(slot(row)) } }
  }

  @inline(never)
  private func keepMember(_ rows: UInt32, _ slot: (Int) -> UInt32) -> UInt32 {
    keep(rows) { row in
      let slot = Int(slot(row))
      return self.rows.group(slot >> RowGroup.shift).anyText(slot & (RowGroup.size - 1), memberField) {
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

extension PredicateTemplate.Relation {
  /// Whether a row's text or reference is in the relation to the bytes of a value.
  fileprivate func holds(_ value: [UInt8], _ group: RowGroup, _ row: Int) -> Bool {
    guard group.isPresent(row, field) else { return false }
    return group.withBytes(row, field) { bytes in
      switch comparison {
      case .notEqual: !bytes.isSame(as: value.span)
      case .beginsWith: bytes.count >= value.count && bytes.extracting(0..<value.count).isSame(as: value.span)
      default: bytes.isSame(as: value.span)
      }
    }
  }
}
