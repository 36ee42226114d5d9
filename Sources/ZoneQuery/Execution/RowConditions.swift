/// The conditions of a ``DirectRun`` that have no other form than a program, and all of a scan.
///
/// An object, since a program that is handed on as a value counts the references of all its constants, for each row. Its
/// methods that are called here are mutating, though they change nothing: for others the property would be copied.
final class RowConditions {
  private var program: Program
  /// How long the run may take that asks.
  var timeLimit = TimeLimit()

  init(_ conditions: [BoundPredicate]) { program = Program(conjuncts: conditions) }

  /// Puts another constant into the condition of a number; false, and nothing changed, where it is of another form.
  func replaceConstant(of number: Int, with condition: BoundPredicate) -> Bool {
    guard case .comparison(let comparison) = condition else { return false }
    return program.replaceConstant(ofConjunct: number, with: comparison)
  }

  /// Which of some rows pass, a bit each.
  func passing(_ rows: UInt32, of slots: RowTests.Slots, _ source: TableRow.Source) -> UInt32 {
    timeLimit.check() ? 0 : program.passing(rows, of: slots, source)
  }

  /// Adds the slots of the rows that pass, as they stand in the table, until there are enough; false where more are to be
  /// looked at once so many were.
  func scan(_ source: TableRow.Source, wanted: Int, most: Int, into slots: inout [UInt32]) -> Bool {
    program.scan(source, wanted: wanted, most: most, within: &timeLimit, into: &slots)
  }
}

extension Program {
  @inline(never)
  fileprivate mutating func passing(_ rows: UInt32, of slots: RowTests.Slots, _ source: TableRow.Source) -> UInt32 {
    var passing = rows
    for number in order where passing != 0 {
      bringNear(slots.of(passing), passing.nonzeroBitCount, for: number, source.rows)
      var left = passing
      while left != 0 {
        let row = left.trailingZeroBitCount
        left &= left &- 1
        if !matches(source.row(Int(slots[row])), conjunct: number) { passing &= ~(1 << UInt32(row)) }
      }
    }
    return passing
  }

  /// Brings near what a conjunct reads of some rows that lie apart, as the first and the last of them tell: of those that
  /// follow close upon one another the processor brings the next near by itself, and of words and computed values too much is
  /// read.
  private func bringNear(_ slots: RowTests.Slots, _ count: Int, for number: Int, _ rows: TableRows) {
    guard count > 2, (Int(slots[count - 1]) - Int(slots[0])).magnitude > UInt(count * 16) else { return }
    var fields: UInt64 = 0
    for index in Int(conjuncts[number].start)..<Int(conjuncts[number].end) {
      let instruction = instructions[index]
      if instruction.operation == .tokens || instruction.operation == .computed { continue }
      if instruction.field < 64 { fields |= 1 << UInt64(instruction.field) }
    }
    if fields != 0 { rows.bringNear(0..<count, fields: fields) { slots[$0] } }
  }

  @inline(never)
  fileprivate mutating func scan(
    _ source: TableRow.Source, wanted: Int, most: Int, within limit: inout TimeLimit, into slots: inout [UInt32]
  ) -> Bool {
    var (parts, examined) = (RowParts(source.rows), 0)
    while let part = parts.next(wanted: wanted - slots.count) {
      if examined >= most || limit.check() { return false }
      examined += part.rows.countOfRows
      let block = RowBlockView(source, part.view, part.group)
      mask(block, part.rows, conjuncts: order, within: &limit).forEachRow { row in
        if slots.count < wanted { slots.append(UInt32(truncatingIfNeeded: part.group << RowGroup.shift + row)) }
      }
    }
    return true
  }
}

extension RowTests.Slots {
  /// Those whose bits are set, in their order.
  fileprivate func of(_ rows: UInt32) -> RowTests.Slots {
    var (left, slots, count) = (rows, RowTests.Slots(), 0)
    while left != 0 {
      slots[count] = self[left.trailingZeroBitCount]
      left &= left &- 1
      count += 1
    }
    return slots
  }
}
