// An unsafe leaf: copies the values of a row, by pointers, into a record of a block (`RecordBlock` says how that lies).
//
// Invariant: as for `RowGroup`. What is held of a row is of a version that the caller holds, and is used before
// `RowPrefetch` lets go of it. Where a row is written to there is room up to an end.

/// A row whose record is to be copied.
@unsafe
struct CopiedRow {
  /// What is copied.
  @unsafe
  struct Columns {
    /// As ``RecordBlock/Fields`` has them; byte slots without those of the users and of lists of locations.
    let numbers: UnsafeBufferPointer<FieldNumber>
    let kinds: UnsafeBufferPointer<ColumnKind>
    let users: UnsafeBufferPointer<Int>
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

  /// How many bytes the record takes, with the rest of its last word: where there is room for so many
  /// ``write(to:_:user:)`` writes it, with the same user.
  func size(_ columns: Columns, user: RecordBlock.KnownUser?) -> Int {
    // The name is the first.
    var size = unsafe columns.wordsEnd &+ CopiedRow.room(group.name(at: cells[0]).count)
    for place in unsafe columns.users.indices {
      guard let cell = unsafe cells[columns.users[place]] else { continue }
      let bytes = unsafe ByteSlot.bytes(at: cell, arena: arena)
      if unsafe user?.isNamed(by: Span(_unsafeBytes: bytes)) != true { unsafe size &+= CopiedRow.room(bytes.count) }
    }
    for place in unsafe columns.byteSlots.indices {
      guard let cell = unsafe cells[columns.byteSlots[place]] else { continue }
      unsafe size &+= CopiedRow.room(ByteSlot.bytes(at: cell, arena: arena).count)
    }
    for place in unsafe columns.locations.indices {
      let index = unsafe columns.locations[place]
      guard let cell = unsafe cells[index] else { continue }
      // Two numbers, or the lengths of all and of the places in front of these.
      unsafe size &+= 16 &+ details(cell, columns, index).count
      if unsafe columns.kinds[index] == .locationList { unsafe size &+= ByteSlot.bytes(at: cell, arena: arena).count }
    }
    return RecordBlock.rounded(size)
  }

  /// How many bytes a value takes beside its word.
  private static func room(_ count: Int) -> Int {
    count <= ByteSlot.inlineLimit ? 0 : count <= ByteSlot.arenaLimit ? count : 8 &+ count
  }

  /// The details of a row's places, which lie behind its cell.
  private func details(_ cell: UnsafeRawPointer, _ columns: Columns, _ index: Int) -> UnsafeRawBufferPointer {
    let kind = unsafe columns.kinds[index]
    guard unsafe group.planes(columns.numbers[index]) > kind.planes else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe ByteSlot.bytes(at: cell + (kind.planes * group.capacity) << 3, arena: arena)
  }

  /// Writes the record. Of the user who is known it says that it is this one.
  ///
  /// - Returns: How many bytes it has; nil where there is no room for it, and what was written of it means nothing.
  @inline(__always)
  func write(
    to room: (start: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer), _ columns: Columns,
    user: RecordBlock.KnownUser?
  ) -> Int? {
    var target = unsafe Target(room, wordsEnd: columns.wordsEnd)
    if unsafe target.next > target.end { return nil }
    let words = unsafe target.start + columns.presenceEnd
    unsafe writeWords(columns, target.start, words)
    if let name = unsafe cells[0] {
      let bytes = unsafe group.name(at: name)
      guard let slot = unsafe target.append(bytes) else { return nil }
      unsafe words.storeBytes(of: slot.word.littleEndian, as: UInt64.self)
    }
    guard unsafe writeUsers(columns, user, &target, words), unsafe writeBytes(columns, &target, words) else {
      return nil
    }
    let isASCII = unsafe target.isASCII
    guard unsafe writeLocations(columns, &target, words) else { return nil }
    let length = unsafe target.place
    unsafe target.start.storeBytes(of: RecordBlock.header(length: length, isASCII: isASCII), as: UInt64.self)
    return length
  }

  /// Writes which fields have a value, and the words of their cells.
  @inline(__always)
  private func writeWords(_ columns: Columns, _ start: UnsafeMutableRawPointer, _ words: UnsafeMutableRawPointer) {
    let count = unsafe columns.kinds.count
    var index = 0
    while index < count {
      var bits: UInt64 = 0
      let presence = unsafe start + (8 &+ (index >> 6) << 3)
      let end = min(index &+ 64, count)
      var bit: UInt64 = 1
      while index < end {
        var word = ByteSlot.absent.littleEndian
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
  }

  /// Writes who saved the record, where that is not the user who is known.
  @inline(__always)
  private func writeUsers(
    _ columns: Columns, _ user: RecordBlock.KnownUser?, _ target: inout Target, _ words: UnsafeMutableRawPointer
  ) -> Bool {
    for place in unsafe columns.users.indices {
      let index = unsafe columns.users[place]
      guard let cell = unsafe cells[index] else { continue }
      let bytes = unsafe ByteSlot.bytes(at: cell, arena: arena)
      var slot = ByteSlot.knownUser
      if unsafe user?.isNamed(by: Span(_unsafeBytes: bytes)) != true {
        guard let copied = unsafe target.append(bytes) else { return false }
        slot = copied
      }
      unsafe (words + index << 3).storeBytes(of: slot.word.littleEndian, as: UInt64.self)
    }
    return true
  }

  /// Writes what else is held by byte slots, and is not in these. What lies in the arena one behind the other, as most of what a
  /// row was given at once does until the arena is written anew, is copied as one.
  @inline(__always)
  private func writeBytes(_ columns: Columns, _ target: inout Target, _ words: UnsafeMutableRawPointer) -> Bool {
    // What is about to be copied, by its places in the arena, and how far these are from its places in the record.
    var (first, end) = (0, 0)
    var shift = unsafe UInt64(truncatingIfNeeded: target.place) &<< 32
    for place in unsafe columns.byteSlots.indices {
      let word = unsafe words + columns.byteSlots[place] << 3
      let slot = unsafe ByteSlot(word: UInt64(littleEndian: word.load(as: UInt64.self)))
      if slot.place == .arena {
        if slot.arenaOffset != end {
          guard unsafe target.append(arena, first, end) else { return false }
          first = slot.arenaOffset
          unsafe shift = UInt64(truncatingIfNeeded: target.place &- first) &<< 32
        }
        end = slot.arenaOffset &+ slot.arenaLength
        unsafe word.storeBytes(of: (slot.word &+ shift).littleEndian, as: UInt64.self)
      } else if slot.place == .page, slot.word != ByteSlot.absent {
        let bytes = unsafe ByteSlot.bytes(at: UnsafeRawPointer(word), arena: arena)
        guard unsafe target.append(arena, first, end), let copied = unsafe target.append(bytes) else { return false }
        unsafe word.storeBytes(of: copied.word.littleEndian, as: UInt64.self)
        (first, end) = (0, 0)
        unsafe shift = UInt64(truncatingIfNeeded: target.place) &<< 32
      }
    }
    return unsafe target.append(arena, first, end)
  }

  @inline(__always)
  private func writeLocations(_ columns: Columns, _ target: inout Target, _ words: UnsafeMutableRawPointer) -> Bool {
    for place in unsafe columns.locations.indices {
      let index = unsafe columns.locations[place]
      guard let cell = unsafe cells[index] else { continue }
      let first = unsafe target.place
      let details = unsafe details(cell, columns, index)
      let slot: ByteSlot
      if unsafe columns.kinds[index] == .location {
        let latitude = unsafe cell.load(as: UInt64.self)
        let longitude = unsafe (cell + group.capacity << 3).load(as: UInt64.self)
        guard unsafe target.append(latitude.littleEndian, longitude.littleEndian) else { return false }
        slot = ByteSlot(arenaOffset: first, length: 16 &+ details.count)
      } else {
        let places = unsafe ByteSlot.bytes(at: cell, arena: arena)
        let count = UInt64(places.count)
        guard unsafe target.append((8 &+ count &+ UInt64(details.count)).littleEndian, count.littleEndian),
          unsafe target.copy(places)
        else { return false }
        slot = ByteSlot(counted: first)
      }
      if details.count > 0 {
        guard unsafe target.copy(details) else { return false }
      }
      unsafe (words + index << 3).storeBytes(of: slot.word.littleEndian, as: UInt64.self)
    }
    return true
  }

  /// Where a record is written.
  @unsafe
  private struct Target {
    let start: UnsafeMutableRawPointer
    let end: UnsafeMutableRawPointer
    /// Where the next value goes.
    var next: UnsafeMutableRawPointer
    /// What was written, one on the other.
    private var seen = SIMD2<UInt64>()

    /// How many bytes are looked at whether they are ASCII, beside those of eight to sixteen; others count as if they were
    /// not. To look at more is a small part of what reading them takes.
    private static var lookedAt: ClosedRange<Int> { 16...2_048 }

    init(_ room: (start: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer), wordsEnd: Int) {
      unsafe (start, end, next) = (room.start, room.end, room.start + wordsEnd)
    }

    /// Whether all that was written is known to be ASCII.
    @inline(__always)
    var isASCII: Bool { unsafe (seen.x | seen.y) & 0x8080_8080_8080_8080 == 0 }

    /// The same, counted from the record's beginning.
    @inline(__always)
    var place: Int { unsafe next - start }

    /// Writes two words.
    @inline(__always)
    mutating func append(_ first: UInt64, _ second: UInt64) -> Bool {
      guard unsafe end - next >= 16 else { return false }
      unsafe next.storeBytes(of: first, as: UInt64.self)
      unsafe (next + 8).storeBytes(of: second, as: UInt64.self)
      unsafe next += 16
      return true
    }

    /// Writes a value, unless it fits into its slot, which is returned; nil where there is no room.
    @inline(__always)
    mutating func append(_ value: UnsafeRawBufferPointer) -> ByteSlot? {
      let first = unsafe place
      if value.count <= ByteSlot.inlineLimit { return unsafe ByteSlot(inline: Span(_unsafeBytes: value)) }
      if value.count <= ByteSlot.arenaLimit {
        return unsafe copy(value) ? ByteSlot(arenaOffset: first, length: value.count) : nil
      }
      guard unsafe end - next >= 8 else { return nil }
      unsafe next.storeBytes(of: UInt64(value.count).littleEndian, as: UInt64.self)
      unsafe next += 8
      return unsafe copy(value) ? ByteSlot(counted: first) : nil
    }

    /// Writes what lies between two places of an arena.
    @inline(__always)
    mutating func append(_ arena: UnsafeRawPointer?, _ first: Int, _ end: Int) -> Bool {
      guard first < end, let arena = unsafe arena else { return true }
      return unsafe copy(UnsafeRawBufferPointer(start: arena + first, count: end &- first))
    }

    /// Writes some bytes, and looks meanwhile whether they are ASCII.
    @inline(__always)
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard let start = bytes.baseAddress else { return true }
      let count = bytes.count
      guard unsafe end - next >= count else { return false }
      if unsafe Target.lookedAt ~= count {
        var place = 0
        while place < count &- 16 {
          unsafe pass(start, place)
          place &+= 16
        }
        // The last may overlap the one before.
        unsafe pass(start, count &- 16)
      } else if 8..<16 ~= count {
        unsafe pass(start, SIMD2(0, count &- 8))
      } else {
        unsafe next.copyMemory(from: start, byteCount: count)
        unsafe seen = SIMD2(repeating: .max)
      }
      unsafe next += count
      return true
    }

    /// Writes sixteen bytes from a place on.
    @inline(__always)
    private mutating func pass(_ start: UnsafeRawPointer, _ place: Int) {
      let words = unsafe (start + place).loadUnaligned(as: SIMD2<UInt64>.self)
      unsafe seen |= words
      unsafe (next + place).storeBytes(of: words, as: SIMD2<UInt64>.self)
    }

    /// Writes eight bytes from each of two places on.
    @inline(__always)
    private mutating func pass(_ start: UnsafeRawPointer, _ places: SIMD2<Int>) {
      let first = unsafe (start + places.x).loadUnaligned(as: UInt64.self)
      let second = unsafe (start + places.y).loadUnaligned(as: UInt64.self)
      unsafe seen |= SIMD2(first, second)
      unsafe (next + places.x).storeBytes(of: first, as: UInt64.self)
      unsafe (next + places.y).storeBytes(of: second, as: UInt64.self)
    }
  }
}
