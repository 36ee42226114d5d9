// An unsafe leaf: reads where values begin, by pointers.
//
// Invariant: as for `RowGroup`. What is held of a row is of a version that the caller holds, and is read in the same call of
// `with`, before the row two behind it is the next.

/// Where the values of rows lie that are read whole, one after the other, and what brings them near: before a row is read,
/// the values of the one after the next are asked for, and the longer values of the next, whose cells are near by then.
///
/// What is asked for comes while another row is read, where ``TableRows/approach(_:fields:isWhole:_:)`` waits for the values
/// of some rows together, and meanwhile nothing is done.
@unsafe
struct RowPrefetch {
  /// How far ahead of the row that is read cells are asked for; of the rows between, longer values.
  private static var distance: Int { 2 }
  /// How many rows are held: those ahead and the one that is read, and one more, so that their number is a power of two.
  private static var held: Int { 4 }
  /// How much of a longer value is asked for: the rest of what is longer still comes by itself while it is copied.
  private static var mostOfValue: Int { 1_024 }

  /// Whether rows whose values are read in place are sooner read so than approached together: it takes some rows until what
  /// is asked for is there, and from eight fields on those ahead are as much as a processor waits for at a time.
  static func isWorthwhile(_ rows: Int, fields: Int) -> Bool { rows >= 16 && fields >= 8 }

  private let rows: TableRows
  /// The fields that are read, ascending, and their kinds.
  private let fields: UnsafeBufferPointer<FieldNumber>
  private let kinds: UnsafeBufferPointer<ColumnKind>
  /// The places of those among the fields that are held by byte slots.
  private let byteSlots: UnsafeBufferPointer<Int>
  /// The groups of the rows held, by their numbers modulo so many.
  private let groups: UnsafeMutablePointer<RowGroup>
  /// The cells of each of these, by the places of the fields.
  private let cells: UnsafeMutablePointer<UnsafeRawPointer?>

  /// Calls `body` with what brings near the values of some fields, whose kinds are given beside, and which of them are held by
  /// byte slots, by their places.
  @inline(__always)
  static func with<Failure: Error>(
    _ rows: TableRows, _ fields: UnsafeBufferPointer<FieldNumber>, _ kinds: UnsafeBufferPointer<ColumnKind>,
    _ byteSlots: UnsafeBufferPointer<Int>, _ body: (RowPrefetch) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafeTemporaryAllocation(of: RowGroup.self, capacity: held) { groups throws(Failure) in
      try unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: max(1, held * fields.count)) {
        cells throws(Failure) in
        guard let groups = groups.baseAddress, let cells = cells.baseAddress else { return }
        try unsafe body(
          RowPrefetch(rows: rows, fields: fields, kinds: kinds, byteSlots: byteSlots, groups: groups, cells: cells))
      }
    }
  }

  /// The same, of the fields of a table that have a bit each.
  @inline(__always)
  static func with<Failure: Error>(
    _ rows: TableRows, _ bits: UInt64, _ kinds: [ColumnKind], _ body: (RowPrefetch) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 128) { numbers throws(Failure) in
      try unsafe withUnsafeTemporaryAllocation(of: ColumnKind.self, capacity: 64) { places throws(Failure) in
        var (rest, count, slots) = (bits, 0, 64)
        while rest != 0, rest.trailingZeroBitCount < kinds.count {
          let field = rest.trailingZeroBitCount
          rest &= rest &- 1
          unsafe (numbers[count], places[count]) = (field, kinds[field])
          if kinds[field].holdsBytes {
            unsafe numbers[slots] = count
            slots += 1
          }
          count += 1
        }
        try unsafe with(
          rows, UnsafeBufferPointer(rebasing: numbers[..<count]), UnsafeBufferPointer(rebasing: places[..<count]),
          UnsafeBufferPointer(rebasing: numbers[64..<slots]), body)
      }
    }
  }

  /// Brings near the values of the first of some rows, and waits for those of the first 64 fields; longer ones of further
  /// fields come as they are read. What is returned says nothing.
  @inline(__always)
  func begin(_ numbers: Range<Int>, _ slot: (Int) -> UInt32) -> UInt64 {
    let first = unsafe numbers.prefix(RowPrefetch.distance)
    var bits: UInt64 = 0
    for place in unsafe fields.indices where unsafe fields[place] < 64 { unsafe bits |= 1 << UInt64(fields[place]) }
    let touched = unsafe rows.approach(first, fields: bits, isWhole: true, slot)
    for number in first { unsafe askForCells(number, Int(slot(number))) }
    return touched
  }

  /// The row that is read next, after what comes behind it was asked for: the group, and by the places of the fields the
  /// cell of each, null where the row has no value. To be called for each of the rows in turn, for one also again; what is
  /// returned holds until it is called for the row two behind.
  @inline(__always)
  @discardableResult
  func next(
    _ number: Int, of numbers: Range<Int>, _ slot: (Int) -> UInt32
  ) -> (group: RowGroup, cells: UnsafePointer<UnsafeRawPointer?>) {
    let far = unsafe number &+ RowPrefetch.distance
    if far < numbers.upperBound { unsafe askForCells(far, Int(slot(far))) }
    let near = number &+ 1
    if near < numbers.upperBound, unsafe near &- numbers.lowerBound >= RowPrefetch.distance {
      unsafe askForBytes(near)
    }
    return unsafe (groups[number & (RowPrefetch.held - 1)], UnsafePointer(cells(number)))
  }

  @inline(__always)
  private func cells(_ number: Int) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    unsafe cells + (number & (RowPrefetch.held - 1)) &* fields.count
  }

  @inline(__always)
  private func askForCells(_ number: Int, _ slot: Int) {
    let (group, row) = unsafe (rows.group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
    unsafe groups[number & (RowPrefetch.held - 1)] = group
    let cells = unsafe cells(number)
    let count = unsafe fields.count
    // Fields ascend, so the name is the first.
    var place = 0
    if count > 0, unsafe fields[0] == FieldNumber(.recordID) {
      let (name, bytes) = unsafe rows.nameCell(slot)
      unsafe cells[0] = name
      if let name = unsafe name { unsafe name.prefetch(bytes) }
      place = 1
    }
    let columns = group.columnCount
    while place < count {
      let cell = unsafe group.presentCell(row, fields[place], of: columns)
      unsafe cells[place] = cell
      if let cell = unsafe cell {
        unsafe cell.prefetch()
        // The longitude lies elsewhere.
        if unsafe kinds[place] == .location { unsafe (cell + group.capacity << 3).prefetch() }
      }
      place &+= 1
    }
  }

  @inline(__always)
  private func askForBytes(_ number: Int) {
    guard let arena = unsafe groups[number & (RowPrefetch.held - 1)].arena else { return }
    let cells = unsafe cells(number)
    for index in unsafe byteSlots.indices {
      guard let cell = unsafe cells[byteSlots[index]] else { continue }
      let bytes = unsafe ByteSlot(word: UInt64(littleEndian: cell.load(as: UInt64.self)))
      if bytes.place == .arena {
        unsafe UnsafeRawPointer(arena + bytes.arenaOffset).prefetch(min(bytes.arenaLength, RowPrefetch.mostOfValue))
      }
    }
  }
}
