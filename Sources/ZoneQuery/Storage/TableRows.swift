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

  /// The most rows that ``approach(_:fields:_:)`` takes at a time.
  static var approachLimit: Int { 32 }

  /// Reads the beginnings of some fields' values in some rows: in a loop that does nothing else, memory that is not in the
  /// cache is waited for together, where reading one record after the other waits for each value.
  ///
  /// `slot` gives the slot of a row by its number, of which there are at most ``approachLimit``; `fields` has a bit for
  /// each of the first 64 fields. What is returned says nothing: it is there so that the reading is not optimised away.
  @inline(__always)
  func approach(_ numbers: Range<Int>, fields: UInt64, _ slot: (Int) -> UInt32) -> UInt64 {
    var sum: UInt64 = 0
    var rest = fields
    if fields & 1 == 1 {
      sum = approachNames(numbers, slot)
      rest &= rest &- 1
    }
    if rest == 0 { return sum }
    var number = numbers.lowerBound
    while number < numbers.upperBound {
      let slot = Int(slot(number))
      let group = group(slot >> RowGroup.shift)
      var rest = rest
      while rest != 0 {
        sum &+= group.firstByte(slot & (RowGroup.size - 1), rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
      number &+= 1
    }
    return sum
  }

  /// The same of the names, which all answers are read by: first where they lie, and then all of them, so that as many as
  /// can be are waited for together.
  @inline(__always)
  private func approachNames(_ numbers: Range<Int>, _ slot: (Int) -> UInt32) -> UInt64 {
    precondition(numbers.count <= Self.approachLimit)
    var cells = unsafe InlineArray<32, UnsafeRawBufferPointer>(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
    var count = 0
    for number in numbers {
      let slot = Int(slot(number))
      unsafe cells[count] = group(slot >> RowGroup.shift).nameWords(slot & (RowGroup.size - 1))
      count &+= 1
    }
    var sum: UInt64 = 0
    var index = 0
    while index < count {
      // Most cells lie in two lines of the cache.
      let cell = unsafe cells[index]
      if let first = unsafe cell.first, let last = unsafe cell.last { sum &+= UInt64(first) &+ UInt64(last) }
      index &+= 1
    }
    return sum
  }
}
