// An unsafe leaf: copies the values of a row, by pointers, into a record of a block (`RecordBlock` says how that lies).
//
// Invariant: as for `RowGroup`. What is held of a row is of a version that the caller holds, and is used before
// `RowPrefetch` lets go of it. Where a row is written to there is room up to an end, and behind that for a word, which a short
// value may reach into.

/// A row whose record is to be copied.
@unsafe
struct CopiedRow {
  /// What is copied.
  @unsafe
  struct Columns {
    /// As ``RecordBlock/Fields`` has them.
    let numbers: UnsafeBufferPointer<FieldNumber>
    let kinds: UnsafeBufferPointer<ColumnKind>
    let byteSlots: UnsafeBufferPointer<Int>
    let locations: UnsafeBufferPointer<Int>
    let presenceEnd: Int
    let wordsEnd: Int
  }

  private let group: RowGroup
  /// By the indexes of the fields the cell of each; null where the row has no value.
  let cells: UnsafePointer<UnsafeRawPointer?>
  let arena: UnsafeRawPointer?

  @inline(__always)
  init(_ row: (group: RowGroup, cells: UnsafePointer<UnsafeRawPointer?>)) {
    unsafe (group, cells) = row
    unsafe arena = UnsafeRawPointer(group.arena)
  }

  /// How many bytes the record takes, with the rest of its last word: where there is room for so many ``write(to:_:)`` writes it.
  func size(_ columns: Columns) -> Int {
    // The name is the first.
    var size = unsafe columns.wordsEnd &+ group.name(at: cells[0]).count
    for place in unsafe columns.byteSlots.indices {
      guard let cell = unsafe cells[columns.byteSlots[place]] else { continue }
      unsafe size &+= ByteSlot.bytes(at: cell, arena: arena).count
    }
    for place in unsafe columns.locations.indices {
      let index = unsafe columns.locations[place]
      guard let cell = unsafe cells[index] else { continue }
      let places = unsafe columns.kinds[index] == .location ? 16 : 8 &+ ByteSlot.bytes(at: cell, arena: arena).count
      unsafe size &+= places &+ details(cell, columns, index).count
    }
    return RecordBlock.rounded(size)
  }

  /// The details of a row's places, which lie behind its cell.
  private func details(_ cell: UnsafeRawPointer, _ columns: Columns, _ index: Int) -> UnsafeRawBufferPointer {
    let kind = unsafe columns.kinds[index]
    guard unsafe group.planes(columns.numbers[index]) > kind.planes else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe ByteSlot.bytes(at: cell + (kind.planes * group.capacity) << 3, arena: arena)
  }

  /// Writes the record.
  ///
  /// - Returns: How many bytes it has; nil where there is no room for it, and what was written of it means nothing.
  @inline(__always)
  func write(
    to room: (start: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer), _ columns: Columns
  ) -> Int? {
    var target = unsafe Target(start: room.start, end: room.end, next: room.start + columns.wordsEnd)
    if unsafe target.next > target.end { return nil }
    let words = unsafe target.start + columns.presenceEnd
    let count = unsafe columns.kinds.count
    var index = 0
    while index < count {
      // The word of what is held by bytes is another one, which follows.
      var bits: UInt64 = 0
      let presence = unsafe target.start + (8 &+ (index >> 6) << 3)
      let end = min(index &+ 64, count)
      var bit: UInt64 = 1
      while index < end {
        var word: UInt64 = 0
        if let cell = unsafe cells[index] {
          bits |= bit
          word = unsafe cell.load(as: UInt64.self)
        }
        unsafe (words + index << 3).storeBytes(of: word, as: UInt64.self)
        bit &<<= 1
        index &+= 1
      }
      unsafe presence.storeBytes(of: bits, as: UInt64.self)
    }
    if let name = unsafe cells[0] {
      let first = unsafe target.next
      guard unsafe target.append(name, { unsafe group.name(at: name) }) else { return nil }
      unsafe words.storeBytes(of: target.word(from: first), as: UInt64.self)
    }
    for place in unsafe columns.byteSlots.indices {
      let index = unsafe columns.byteSlots[place]
      guard let cell = unsafe cells[index] else { continue }
      let first = unsafe target.next
      guard unsafe target.append(cell, { unsafe ByteSlot.bytes(at: cell, arena: arena) }) else { return nil }
      unsafe (words + index << 3).storeBytes(of: target.word(from: first), as: UInt64.self)
    }
    for place in unsafe columns.locations.indices {
      let index = unsafe columns.locations[place]
      guard let cell = unsafe cells[index] else { continue }
      let first = unsafe target.next
      if unsafe columns.kinds[index] == .location {
        guard unsafe target.append(cell.load(as: UInt64.self)),
          unsafe target.append((cell + group.capacity << 3).load(as: UInt64.self))
        else { return nil }
      } else {
        let places = unsafe ByteSlot.bytes(at: cell, arena: arena)
        guard unsafe target.append(UInt64(places.count).littleEndian), unsafe target.append(places) else { return nil }
      }
      guard unsafe target.append(details(cell, columns, index)) else { return nil }
      unsafe (words + index << 3).storeBytes(of: target.word(from: first), as: UInt64.self)
    }
    let length = unsafe target.next - target.start
    unsafe target.start.storeBytes(of: UInt64(length), as: UInt64.self)
    return length
  }

  /// Where a record is written.
  @unsafe
  private struct Target {
    let start: UnsafeMutableRawPointer
    let end: UnsafeMutableRawPointer
    /// Where the next value goes.
    var next: UnsafeMutableRawPointer

    /// The word of a value that was just written, from `first` on.
    @inline(__always)
    func word(from first: UnsafeMutableRawPointer) -> UInt64 {
      unsafe UInt64(UInt(bitPattern: first - start)) << 32 | UInt64(UInt(bitPattern: next - first))
    }

    @inline(__always)
    mutating func append(_ word: UInt64) -> Bool {
      guard unsafe end - next >= 8 else { return false }
      unsafe next.storeBytes(of: word, as: UInt64.self)
      unsafe next += 8
      return true
    }

    /// Writes the bytes of a cell, whose first byte is their number where they are in it: up to seven of them at once, and
    /// behind them some that the next value is written over.
    @inline(__always)
    mutating func append(_ cell: UnsafeRawPointer, _ bytes: () -> UnsafeRawBufferPointer) -> Bool {
      let length = Int(unsafe cell.load(as: UInt8.self))
      if length > ByteSlot.inlineLimit { return unsafe append(bytes()) }
      guard unsafe end - next >= length else { return false }
      let word = unsafe UInt64(littleEndian: cell.load(as: UInt64.self)) >> 8
      unsafe next.storeBytes(of: word.littleEndian, as: UInt64.self)
      unsafe next += length
      return true
    }

    /// Writes some bytes: without a call where a call takes longer.
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard let start = bytes.baseAddress else { return true }
      let count = bytes.count
      guard unsafe end - next >= count else { return false }
      switch count {
      case 8...16: unsafe next.copyEnds(of: start, count, as: UInt64.self)
      case 17...32: unsafe next.copyEnds(of: start, count, as: SIMD2<UInt64>.self)
      case 33...64: unsafe next.copyEnds(of: start, count, as: SIMD4<UInt64>.self)
      default: unsafe next.copyMemory(from: start, byteCount: count)
      }
      unsafe next += count
      return true
    }
  }
}
