// An unsafe leaf: reads where values begin, by pointers.
//
// Invariant: as for `RowGroup`. What is collected of a row is used within the same call, while the caller holds the version.

/// Where the rows of a version of a table lie: what reading them takes, without any reference count.
struct TableRows {
  let groups: PageDirectory
  /// The names of each group (``RowGroup/names``), beside each other: found without a look at the group's header, which is
  /// rarely near.
  let names: PageDirectory
  let slotCount: Int

  /// How many rows of a group the version has: no more are read.
  func rowCount(_ group: Int) -> Int { min(RowGroup.size, slotCount - group << RowGroup.shift) }

  /// The rows of a group; slot s is row s & 255 of group s >> 8.
  @inline(__always)
  func group(_ number: Int) -> RowGroup {
    precondition(number < groups.count)
    guard let page = unsafe groups[number] else { preconditionFailure("a group without a page") }
    return unsafe RowGroup(UnsafeRawPointer(page))
  }

  /// Where the name of a row lies, and how many bytes there are for it. Those of a row that is not live mean nothing: they may
  /// be brought near, and are not to be read as a name.
  @inline(__always)
  func nameCell(_ slot: Int) -> (cell: UnsafeRawPointer?, bytes: Int) {
    let number = slot >> RowGroup.shift
    precondition(number < names.count)
    guard let names = unsafe names[number] else { return (nil, 0) }
    let words = Int(truncatingIfNeeded: UInt(bitPattern: names) & 15)
    let row = slot & (RowGroup.size - 1)
    return unsafe (UnsafeRawPointer(names) - words + (row &* words) &<< 3, words &<< 3)
  }

  /// Calls `body` with the name of a live row's record, in place.
  @inline(__always)
  func withName<Result>(_ slot: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let (cell, _) = unsafe nameCell(slot)
    return unsafe body(Span(_unsafeBytes: group(slot >> RowGroup.shift).name(at: cell)))
  }

  /// The slot of the record with a name, of which `index` has those of all rows. Where there is more than one of the
  /// `fields` that will be read, they are approached together with the name that is compared; what is returned beside
  /// the slot says nothing.
  func slot(
    of recordName: String, in index: NameIndex, approaching fields: UInt64
  ) -> (slot: Int, approached: UInt64)? {
    withUTF8(of: recordName) { slot(of: $0, NameIndex.hash($0), in: index, approaching: fields) }
  }

  /// The same for a name whose hash is known.
  func slot(
    of recordName: Span<UInt8>, _ hash: UInt32, in index: NameIndex, approaching fields: UInt64
  ) -> (slot: Int, approached: UInt64)? {
    var approached: UInt64 = 0
    let areMany = fields & (fields &- 1) != 0
    let slot = index.slot(hash) { slot in
      if areMany { approached &+= approach(slot, fields) }
      return withName(slot) { $0.isSame(as: recordName) }
    }
    return slot.map { ($0, approached) }
  }

  /// Where a row lies, and its name, which all answers are read by.
  @unsafe
  struct Located {
    let group: RowGroup
    /// As ``TableRows/nameCell(_:)`` gives it.
    let name: UnsafeRawPointer?
    let nameBytes: Int

    @inline(__always)
    init(_ slot: Int, _ rows: TableRows, named: Bool = true) {
      unsafe group = rows.group(slot >> RowGroup.shift)
      unsafe (name, nameBytes) = named ? rows.nameCell(slot) : (nil, 0)
    }
  }

  /// The most rows that are approached at a time.
  static var approachLimit: Int { 32 }

  /// How many rows are worth approaching together, by the number of fields: the first are to be near still when they are
  /// read, and there is to be room for the values of all, of which one may lie in two planes.
  static func together(_ fieldCount: Int) -> Int {
    fieldCount < 2 ? approachLimit : max(1, min(fieldCount < 3 ? 16 : 8, mostCells / (fieldCount + 1)))
  }

  /// The most values that are approached at a time: as many as what is held of them has room on the stack.
  private static var mostCells: Int { 128 }

  /// Reads the beginnings of some fields' values in some rows: memory that is not in the cache is waited for together,
  /// where reading one record after the other waits for each value. Where the values lie comes first, so that what waits
  /// does nothing else.
  ///
  /// `slot` gives the slot of a row by its number, of which there are at most ``approachLimit``; `fields` has a bit for
  /// each of the first 64 fields; where the rows lie is put into `located`, and where their names do unless these are not
  /// wanted (`named`), as they are where they are among the fields. Where they are `isWhole`, longer values are read to their
  /// end, a byte of each line of the cache. What is returned says nothing: it is there so that the reading is not optimised
  /// away.
  @inline(__always)
  func approach(
    _ numbers: Range<Int>, fields: UInt64, into located: UnsafeMutableBufferPointer<Located>, isWhole: Bool = false,
    named: Bool = true, _ slot: (Int) -> UInt32
  ) -> UInt64 {
    precondition(numbers.count <= Self.approachLimit)
    var count = 0
    for number in numbers {
      unsafe located[count] = Located(Int(slot(number)), self, named: named)
      count &+= 1
    }
    if fields != 1 { return unsafe approachValues(numbers, fields, located, isWhole: isWhole, slot) }
    var sum: UInt64 = 0
    for index in 0..<count {
      // Most names lie in two lines of the cache.
      guard let name = unsafe located[index].name else { continue }
      let last = unsafe name.load(fromByteOffset: located[index].nameBytes &- 1, as: UInt8.self)
      unsafe sum &+= UInt64(name.load(as: UInt8.self)) &+ UInt64(last)
    }
    return sum
  }

  /// The same for one row.
  @inline(never)
  private func approach(_ slot: Int, _ fields: UInt64) -> UInt64 {
    // No more than there are, where all are asked for.
    let fields = fields & .max >> UInt64(64 - min(group(slot >> RowGroup.shift).columnCount, 64))
    return approach(0..<1, fields: fields) { _ in UInt32(truncatingIfNeeded: slot) }
  }

  /// The same without saying where the rows lie.
  func approach(_ numbers: Range<Int>, fields: UInt64, isWhole: Bool = false, _ slot: (Int) -> UInt32) -> UInt64 {
    unsafe withUnsafeTemporaryAllocation(of: Located.self, capacity: Self.approachLimit) {
      unsafe approach(numbers, fields: fields, into: $0, isWhole: isWhole, named: fields & 1 != 0, slot)
    }
  }

  @inline(__always)
  private func approachValues(
    _ numbers: Range<Int>, _ fields: UInt64, _ located: UnsafeMutableBufferPointer<Located>, isWhole: Bool,
    _ slot: (Int) -> UInt32
  ) -> UInt64 {
    let most = Self.mostCells
    return unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: most) { cells in
      unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: most) { arenas in
        var sum: UInt64 = 0
        var count = 0
        for number in numbers {
          let place = unsafe located[number &- numbers.lowerBound]
          let (group, row) = unsafe (place.group, Int(slot(number)) & (RowGroup.size - 1))
          var rest = fields
          while rest != 0, count < most {
            let field = rest.trailingZeroBitCount
            rest &= rest &- 1
            if field == FieldNumber(.recordID) {
              guard let name = unsafe place.name else { continue }
              unsafe (cells[count], arenas[count]) = unsafe (name, nil)
            } else if let cell = unsafe group.presentCell(row, field) {
              let kind = group.kind(field)
              if kind == .location, count < most - 1 {
                // The longitude lies elsewhere.
                unsafe (cells[count], arenas[count]) = unsafe (cell + group.capacity << 3, nil)
                count &+= 1
              }
              unsafe cells[count] = unsafe cell
              unsafe arenas[count] = kind.holdsBytes ? unsafe UnsafeRawPointer(group.arena) : nil
            } else {
              continue
            }
            count &+= 1
          }
        }
        for index in 0..<count { sum &+= unsafe cells[index].load(as: UInt64.self) }
        for index in 0..<count {
          guard let arena = unsafe arenas[index] else { continue }
          let bytes = unsafe ByteSlot(word: UInt64(littleEndian: cells[index].load(as: UInt64.self)))
          if bytes.place == .arena {
            sum &+= unsafe PageHeap.touch(arena + bytes.arenaOffset, isWhole ? bytes.arenaLength : 1)
          }
        }
        return sum
      }
    }
  }

  /// Which of some rows have a number between two, a bit each: at most 32. No branch depends on what they hold, so that
  /// memory that is not in the cache is waited for together.
  @inline(__always)
  func holding(_ test: NumberTest, _ count: Int, _ slot: (Int) -> UInt32) -> UInt32 {
    var (holding, number) = (UInt32(0), 0)
    while number < count {
      let slot = Int(slot(number))
      let (group, row) = (group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
      // A row that lacks the field has some word that means nothing.
      let word = group.word(row, test.field)
      let isHeld = test.holds(test.isDouble ? KeyEncoding.word(Double(bitPattern: word)) : word ^ 1 << 63)
      let isThere = group.isPresent(row, test.field)
      unsafe holding |=
        UInt32(unsafeBitCast(isHeld, to: UInt8.self) & unsafeBitCast(isThere, to: UInt8.self))
        &<< UInt32(truncatingIfNeeded: number)
      number &+= 1
    }
    return holding
  }
}

/// What a row's number is held against: two words (``KeyEncoding``) that it is to lie between, both included.
struct NumberTest: BitwiseCopyable {
  var field: FieldNumber = 0
  var isDouble = false
  private var first: UInt64 = 0
  private var distance: UInt64 = 0

  init() {}

  init(field: FieldNumber, isDouble: Bool, _ words: ClosedRange<UInt64>) {
    (self.field, self.isDouble) = (field, isDouble)
    (first, distance) = (words.lowerBound, words.upperBound - words.lowerBound)
  }

  @inline(__always)
  func holds(_ word: UInt64) -> Bool { word &- first <= distance }
}
