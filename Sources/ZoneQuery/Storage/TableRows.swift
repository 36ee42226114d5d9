// An unsafe leaf: reads where values begin, by pointers.
//
// Invariant: as for `RowGroup`. What is collected of a row is used within the same call, while the caller holds the version.

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
  private static var approachLimit: Int { 32 }

  /// How many rows are worth approaching together, by the number of fields: the first are to be near still when they are
  /// read.
  static func together(_ fieldCount: Int) -> Int { fieldCount < 2 ? approachLimit : fieldCount < 3 ? 16 : 8 }

  /// Reads the beginnings of some fields' values in some rows: memory that is not in the cache is waited for together,
  /// where reading one record after the other waits for each value. Where the values lie comes first, so that what waits
  /// does nothing else.
  ///
  /// `slot` gives the slot of a row by its number, of which there are at most ``approachLimit``; `fields` has a bit for
  /// each of the first 64 fields. What is returned says nothing: it is there so that the reading is not optimised away.
  @inline(__always)
  func approach(_ numbers: Range<Int>, fields: UInt64, _ slot: (Int) -> UInt32) -> UInt64 {
    precondition(numbers.count <= Self.approachLimit)
    return fields == 1 ? approachNames(numbers, slot) : approachValues(numbers, fields, slot)
  }

  /// The same of the names, which all answers are read by.
  @inline(__always)
  private func approachNames(_ numbers: Range<Int>, _ slot: (Int) -> UInt32) -> UInt64 {
    unsafe withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: Self.approachLimit) { names in
      var count = 0
      for number in numbers {
        let slot = Int(slot(number))
        unsafe names[count] = group(slot >> RowGroup.shift).nameWords(slot & (RowGroup.size - 1))
        count &+= 1
      }
      var sum: UInt64 = 0
      for index in 0..<count {
        // Most lie in two lines of the cache.
        let name = unsafe names[index]
        if let first = unsafe name.first, let last = unsafe name.last { sum &+= UInt64(first) &+ UInt64(last) }
      }
      return sum
    }
  }

  @inline(__always)
  private func approachValues(_ numbers: Range<Int>, _ fields: UInt64, _ slot: (Int) -> UInt32) -> UInt64 {
    // As many as lie on the stack: a kilobyte.
    let most = 128
    return unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: most) { cells in
      unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: most) { arenas in
        var sum: UInt64 = 0
        var count = 0
        for number in numbers {
          let slot = Int(slot(number))
          let (group, row) = (group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
          var rest = fields
          while rest != 0, count < most {
            let field = rest.trailingZeroBitCount
            rest &= rest &- 1
            if field == FieldNumber(.recordID) {
              guard let name = unsafe group.nameWords(row).baseAddress else { continue }
              unsafe (cells[count], arenas[count]) = unsafe (name, nil)
            } else if let cell = unsafe group.presentCell(row, field) {
              unsafe cells[count] = unsafe cell
              unsafe arenas[count] = group.kind(field).holdsBytes ? unsafe UnsafeRawPointer(group.arena) : nil
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
            sum &+= unsafe UInt64(arena.load(fromByteOffset: bytes.arenaOffset, as: UInt8.self))
          }
        }
        return sum
      }
    }
  }
}
