/// Where the rows of a version of a table lie: what reading them takes, without any reference count.
struct TableRows {
  let groups: PageDirectory
  let slotCount: Int

  /// The rows of a group; slot s is row s & 255 of group s >> 8.
  @inline(__always)
  func group(_ number: Int) -> RowGroup {
    precondition(number < groups.count)
    let rows = min(RowGroup.size, slotCount - number << RowGroup.shift)
    guard let page = unsafe groups[number] else { preconditionFailure("a group without a page") }
    return unsafe RowGroup(UnsafeRawPointer(page), rowCount: rows)
  }

  /// Reads the beginnings of some fields' values in some rows: in a loop that does nothing else, memory that is not in the
  /// cache is waited for together, where reading one record after the other waits for each value.
  ///
  /// `slot` gives the slot of a row by its number; `fields` has a bit for each of the first 64 fields. What is returned
  /// says nothing: it is there so that the reading is not optimised away.
  @inline(__always)
  func approach(_ numbers: Range<Int>, fields: UInt64, _ slot: (Int) -> UInt32) -> UInt64 {
    var sum: UInt64 = 0
    var number = numbers.lowerBound
    while number < numbers.upperBound {
      let slot = Int(slot(number))
      let group = group(slot >> RowGroup.shift)
      var rest = fields
      while rest != 0 {
        sum &+= group.firstByte(slot & (RowGroup.size - 1), rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
      number &+= 1
    }
    return sum
  }
}
