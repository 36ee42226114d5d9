// An unsafe leaf: the eight bytes that stand for a value of any length.
//
// Invariant: the lowest byte is the tag. 0...7: the length of a value whose bytes are the next. 8: the next three bytes
// are the length, the upper four where it begins in the group's arena. 9: what is above four bits is the address of a
// page of its own, which begins with the length in eight bytes. A slot is kept with its lowest byte first.
//
// Records that were copied have the same slots, but for those of pages, and of the user whom a block knows (`RecordBlock`).

/// Eight bytes that hold a short value or tell where a longer one lies.
@usableFromInline
struct ByteSlot: Equatable {
  static let inlineLimit = 7
  /// The greatest length of a value in an arena.
  static let arenaLimit = 2048

  @usableFromInline let word: UInt64

  @inlinable
  init(word: UInt64) { self.word = word }

  /// A value of up to seven bytes.
  init(inline bytes: Span<UInt8>) {
    var word = UInt64(bytes.count)
    for index in bytes.indices { word |= UInt64(bytes[index]) << UInt64(8 * index + 8) }
    self.word = word
  }

  init(arenaOffset: Int, length: Int) { word = UInt64(arenaOffset) << 32 | UInt64(length) << 8 | 8 }

  init(page: UnsafeMutableRawPointer) { word = UInt64(UInt(bitPattern: page)) << 4 | 9 }

  enum Place { case inline, arena, page }

  @inlinable @inline(__always) var tag: UInt64 { word & 0xFF }
  @inline(__always) var place: Place { tag < 8 ? .inline : tag == 8 ? .arena : .page }
  @inlinable @inline(__always) var arenaOffset: Int { Int(truncatingIfNeeded: word >> 32) }
  /// The length of a value in the arena.
  @inlinable @inline(__always) var arenaLength: Int { Int(truncatingIfNeeded: word >> 8 & 0xFF_FFFF) }
  @inlinable @inline(__always) var page: UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: UInt((word >> 8) << 4))
  }

  /// The bytes of the slot that lies at `cell`.
  @inlinable
  @inline(__always)
  static func bytes(at cell: UnsafeRawPointer, arena: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
    let slot = unsafe ByteSlot(word: UInt64(littleEndian: cell.load(as: UInt64.self)))
    if slot.tag < 8 { return unsafe UnsafeRawBufferPointer(start: cell + 1, count: Int(truncatingIfNeeded: slot.tag)) }
    if slot.tag == 8, let arena = unsafe arena {
      return unsafe UnsafeRawBufferPointer(start: arena + slot.arenaOffset, count: slot.arenaLength)
    }
    guard let page = unsafe slot.page else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeRawBufferPointer(start: page + 8, count: page.load(as: Int.self))
  }
}
