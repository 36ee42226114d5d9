// An unsafe leaf: 256 rows of a table, read in place.
//
// A group's header page:
//
//    0  row capacity of the chunks (32 bits), number of columns (32)
//    8  the arena's page, or null
//   16  bytes used in the arena (32), bytes of these that no slot refers to (32)
//   24  the next group with free rows, by number and plus one, or 0 (32); whether the group is in that list (32)
//   32  a bit for each live row (four words)
//   64  for each column, by field number, 16 bytes: the chunk's page or null; its planes (8), the column's kind (8),
//       which rows of it may share bytes in the arena (8), 255 where every row has a cell and 0 where all share one
//       (8); where in the header the bits of the rows that have a value are read (32). The first is of the names, and its
//       planes are how many words a name has
//    …  for each column a bit for each row that has a value (four words). They are read where some live row has none;
//       of the others, most of them, the bits of the live rows are, which whoever reads a row has at hand
//
// A chunk is a page of planes, each of eight bytes a row (``ColumnKind``); a column without a value in the group has
// none, and one whose rows have one value, as who saved them, has a single cell until another comes. The arena holds the
// longer values (``ByteSlot``); equal values of neighbours may share their bytes.
//
// Names are what every answer is read by, so they lie by themselves, as close as they can: so many words a row that the
// longest fits, up to eight. The first byte is the length, the name's bytes are the next; where it is 255, the second
// word is the byte slot of a longer name.
//
// Invariants: a row with a value is live and before the capacity; a column that the header does not have yet has no
// values; a column's bits are read from those of the live rows just where its own are the same; used − garbage is the sum
// of the lengths of the different arena slots of each plane. A published header is never written to; of what it points
// to, nothing that its bits speak of.

/// A view of one group of 256 rows. It is as long-lived as the pin of the version it was taken from.
///
/// What a row lacks is not there to be read: of a row without a value (``isPresent(_:_:)``, ``presence(_:)``) the
/// chunk's bytes mean nothing, and rows that the version does not have may be written to at the same time.
///
/// Its readers of single values can be inlined by whoever uses the library.
@safe
@usableFromInline
struct RowGroup {
  static let shift = 8
  @inlinable static var size: Int { 256 }

  @usableFromInline
  enum Offset {
    @inlinable static var columns: Int { 4 }
    @inlinable static var arena: Int { 8 }
    static let arenaUsed = 16
    static let arenaGarbage = 20
    static let nextFree = 24
    static let isListed = 28
    static let live = 32
    @inlinable static var firstColumn: Int { 64 }
    @inlinable static var column: Int { 16 }
    @inlinable static var planes: Int { 8 }
    @inlinable static var kind: Int { 9 }
    static let mayShare = 10
    @inlinable static var rowMask: Int { 11 }
    @inlinable static var presence: Int { 12 }
    /// The bytes of a column's bits.
    static let bits = 32
  }

  /// How many bytes the header of a group with so many columns takes.
  static func headerSize(columns: Int) -> Int { ownPresence(columns, of: columns) }

  /// Where a header tells of a column.
  @inlinable
  @inline(__always)
  static func columnOffset(_ field: Int) -> Int { Offset.firstColumn &+ Offset.column &* field }

  /// Where a column has its own bits in a header of so many.
  static func ownPresence(_ field: FieldNumber, of columns: Int) -> Int {
    columnOffset(columns) + Offset.bits * field
  }

  @usableFromInline @unsafe let base: UnsafeRawPointer

  @inline(__always)
  init(_ base: UnsafeRawPointer) { unsafe self.base = unsafe base }

  @inlinable
  @inline(__always)
  func field32(_ offset: Int) -> Int {
    Int(truncatingIfNeeded: unsafe base.load(fromByteOffset: offset, as: UInt32.self))
  }

  /// How many rows its chunks hold: no row from there on is live.
  @inlinable @inline(__always) var capacity: Int { field32(0) }
  @inlinable @inline(__always) var columnCount: Int { field32(Offset.columns) }
  var arenaUsed: Int { field32(Offset.arenaUsed) }
  var arenaGarbage: Int { field32(Offset.arenaGarbage) }
  @inlinable @inline(__always) var arena: UnsafeMutableRawPointer? {
    unsafe base.load(fromByteOffset: Offset.arena, as: UnsafeMutableRawPointer?.self)
  }

  /// The rows that hold a record, a bit each.
  @inline(__always) var live: SIMD4<UInt64> {
    unsafe base.loadUnaligned(fromByteOffset: Offset.live, as: SIMD4<UInt64>.self)
  }

  var liveCount: Int {
    let live = live
    return live[0].nonzeroBitCount + live[1].nonzeroBitCount + live[2].nonzeroBitCount + live[3].nonzeroBitCount
  }

  @inline(__always)
  func isLive(_ row: Int) -> Bool { hasBit(row, Offset.live) }

  /// Whether a row's bit is set among those at a place of the header.
  @inlinable
  @inline(__always)
  func hasBit(_ row: Int, _ offset: Int) -> Bool {
    let word = unsafe base.load(fromByteOffset: offset + (row >> 6) << 3, as: UInt64.self)
    return word >> UInt64(truncatingIfNeeded: row & 63) & 1 == 1
  }

  @inlinable
  @inline(__always)
  func column(_ field: Int) -> UnsafeRawPointer {
    unsafe base + RowGroup.columnOffset(field)
  }

  /// Where the bits of the rows that have a value of a field are read.
  @inlinable
  @inline(__always)
  func presenceOffset(_ field: Int) -> Int {
    Int(truncatingIfNeeded: unsafe column(field).load(fromByteOffset: Offset.presence, as: UInt32.self))
  }

  /// The rows that have a value of a field, a bit each; all live rows for the record ID.
  @inline(__always)
  func presence(_ field: FieldNumber) -> SIMD4<UInt64> {
    guard field < columnCount else { return .zero }
    return unsafe base.loadUnaligned(fromByteOffset: presenceOffset(field), as: SIMD4<UInt64>.self)
  }

  @inline(__always)
  func isPresent(_ row: Int, _ field: FieldNumber) -> Bool {
    field < columnCount && hasBit(row, presenceOffset(field))
  }

  /// The values of a field, eight bytes a row, as its ``ColumnKind`` says, plane behind plane; null where no row has
  /// one.
  @inline(__always)
  func chunk(_ field: FieldNumber) -> UnsafeRawPointer? {
    guard field < columnCount else { return nil }
    return unsafe column(field).load(as: UnsafeRawPointer?.self)
  }

  func planes(_ field: FieldNumber) -> Int {
    Int(unsafe column(field).load(fromByteOffset: Offset.planes, as: UInt8.self))
  }

  /// The kind of a column that the header has.
  @inline(__always)
  func kind(_ field: FieldNumber) -> ColumnKind {
    ColumnKind(rawValue: unsafe column(field).load(fromByteOffset: Offset.kind, as: UInt8.self)) ?? .bytes
  }

  @inline(__always)
  private func cell(_ row: Int, _ field: FieldNumber, plane: Int = 0) -> UnsafeRawPointer? {
    guard let chunk = unsafe chunk(field) else { return nil }
    assert(row < capacity && kind(field) != .name)
    return unsafe chunk + (plane * capacity + row & rowMask(field)) << 3
  }

  /// What tells the cell of a row from its number.
  @inlinable
  @inline(__always)
  func rowMask(_ field: Int) -> Int { Int(unsafe column(field).load(fromByteOffset: Offset.rowMask, as: UInt8.self)) }

  /// Whether all rows of a column that have a value have one, in a single cell.
  func isConstant(_ field: FieldNumber) -> Bool {
    guard field < columnCount, rowMask(field) == 0 else { return false }
    return unsafe chunk(field) != nil
  }

  /// The eight bytes of a row that has a value.
  @inline(__always)
  func word(_ row: Int, _ field: FieldNumber, plane: Int = 0) -> UInt64 {
    guard let cell = unsafe cell(row, field, plane: plane) else { return 0 }
    return unsafe cell.load(as: UInt64.self)
  }

  // MARK: Values of rows that have one

  @inline(__always)
  func integer(_ row: Int, _ field: FieldNumber) -> Int64 { Int64(bitPattern: word(row, field)) }

  @inline(__always)
  func double(_ row: Int, _ field: FieldNumber) -> Double { Double(bitPattern: word(row, field)) }

  @inline(__always)
  func degrees(_ row: Int, _ field: FieldNumber) -> (latitude: Double, longitude: Double) {
    (Double(bitPattern: word(row, field)), Double(bitPattern: word(row, field, plane: 1)))
  }

  /// The eight bytes, in place, of a row's value; null where it has none.
  @inlinable
  @inline(__always)
  func presentCell(_ row: Int, _ field: Int) -> UnsafeRawPointer? { unsafe presentCell(row, field, of: columnCount) }

  /// The same, of so many columns as the header has.
  @inlinable
  @inline(__always)
  func presentCell(_ row: Int, _ field: Int, of columns: Int) -> UnsafeRawPointer? {
    guard field < columns, let chunk = unsafe column(field).load(as: UnsafeRawPointer?.self),
      hasBit(row, presenceOffset(field))
    else { return nil }
    return unsafe chunk + (row & rowMask(field)) << 3
  }

  /// The same; null too where the field's column is of another kind than `kind`, a ``ColumnKind`` as its number.
  @inlinable
  @inline(__always)
  func presentCell(_ row: Int, _ field: Int, kind: UInt8) -> UnsafeRawPointer? {
    guard field < columnCount, unsafe column(field).load(fromByteOffset: Offset.kind, as: UInt8.self) == kind else {
      return nil
    }
    return unsafe presentCell(row, field)
  }

  /// The bytes of a row's value that is held by a byte slot, in place; null where it has none, or its column is of
  /// another kind.
  @inlinable
  @inline(__always)
  func presentBytes(_ row: Int, _ field: Int, kind: UInt8) -> UnsafeRawBufferPointer? {
    guard let cell = unsafe presentCell(row, field, kind: kind) else { return nil }
    return unsafe ByteSlot.bytes(at: cell, arena: UnsafeRawPointer(arena))
  }

  // MARK: Names

  /// The most words of a name in its cell, length included.
  static let mostNameWords = 8
  /// What stands for the length of a name that does not fit.
  @inlinable static var longName: UInt8 { .max }

  /// Where a live row's name lies; null where the row is not live.
  @inlinable
  @inline(__always)
  func nameCell(_ row: Int) -> UnsafeRawPointer? {
    let column = unsafe column(0)
    guard hasBit(row, presenceOffset(0)), let chunk = unsafe column.load(as: UnsafeRawPointer?.self) else { return nil }
    let words = Int(unsafe column.load(fromByteOffset: Offset.planes, as: UInt8.self))
    return unsafe chunk + row &* words << 3
  }

  /// The chunk of the names and, in the lowest bits of its place, how many words each has: pages begin at multiples of 16
  /// bytes, and there are up to eight words. Null where no row has a name.
  @inline(__always)
  var names: UnsafeMutableRawPointer? {
    guard let chunk = unsafe chunk(FieldNumber(.recordID)) else { return nil }
    return unsafe UnsafeMutableRawPointer(mutating: chunk) + planes(FieldNumber(.recordID))
  }

  /// The name of a row's record, in place; nothing where the row is not live.
  @inline(__always)
  func name(_ row: Int) -> UnsafeRawBufferPointer { unsafe name(at: nameCell(row)) }

  /// The name that lies in a cell, which ``nameCell(_:)`` or ``TableRows/nameCell(_:)`` gave.
  @inlinable
  @inline(__always)
  func name(at cell: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
    guard let cell = unsafe cell else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    let length = unsafe cell.load(as: UInt8.self)
    if length == RowGroup.longName { return unsafe ByteSlot.bytes(at: cell + 8, arena: UnsafeRawPointer(arena)) }
    return unsafe UnsafeRawBufferPointer(start: cell + 1, count: Int(length))
  }

  /// Calls `body` with the name of a row's record, in place.
  @inline(__always)
  func withName<Result>(_ row: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    unsafe body(Span(_unsafeBytes: name(row)))
  }

  /// The byte slot of a longer name; nil where a name is in its cell.
  func longNameSlot(_ row: Int) -> ByteSlot? {
    guard let cell = unsafe nameCell(row), unsafe cell.load(as: UInt8.self) == RowGroup.longName else { return nil }
    return unsafe ByteSlot(word: UInt64(littleEndian: cell.load(fromByteOffset: 8, as: UInt64.self)))
  }

  /// Calls `body` with the bytes that a byte slot stands for, in place.
  @inline(__always)
  func withStoredBytes<Result>(
    _ row: Int, _ field: FieldNumber, plane: Int = 0, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    guard let cell = unsafe cell(row, field, plane: plane) else { return body([UInt8]().span) }
    return unsafe body(Span(_unsafeBytes: ByteSlot.bytes(at: cell, arena: UnsafeRawPointer(arena))))
  }

  /// The bytes of a value of a text, in place; they stay as long as the version is pinned.
  @unsafe
  func rawBytes(_ row: Int, _ field: FieldNumber) -> UnsafeRawBufferPointer {
    guard let cell = unsafe cell(row, field) else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe ByteSlot.bytes(at: cell, arena: UnsafeRawPointer(arena))
  }

  /// The UTF-8 of a text, the encoding of a reference, the record's name for the field of its ID; nothing where the row
  /// has no value.
  @inline(__always)
  func withBytes<Result>(_ row: Int, _ field: FieldNumber, _ body: (Span<UInt8>) -> Result) -> Result {
    if field == FieldNumber(.recordID) { return withName(row, body) }
    guard isPresent(row, field) else { return body([UInt8]().span) }
    return withStoredBytes(row, field) { bytes in
      kind(field) == .reference && bytes.count > 0 ? body(bytes.extracting(1..<bytes.count)) : body(bytes)
    }
  }

  func anyInteger(_ row: Int, _ field: FieldNumber, where predicate: (Int64) -> Bool) -> Bool {
    guard isPresent(row, field), kind(field) == .list else { return false }
    return withStoredBytes(row, field) { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        if predicate(Int64(bitPattern: bytes.word(at: offset))) { return true }
        offset += 8
      }
      return false
    }
  }

  func anyDouble(_ row: Int, _ field: FieldNumber, where predicate: (Double) -> Bool) -> Bool {
    anyInteger(row, field) { predicate(Double(bitPattern: UInt64(bitPattern: $0))) }
  }

  func anyDegrees(_ row: Int, _ field: FieldNumber, where predicate: (Double, Double) -> Bool) -> Bool {
    guard isPresent(row, field), kind(field) == .locationList else { return false }
    return withStoredBytes(row, field) { bytes in
      var offset = 0
      while offset + 16 <= bytes.count {
        let latitude = Double(bitPattern: bytes.word(at: offset))
        if predicate(latitude, Double(bitPattern: bytes.word(at: offset + 8))) { return true }
        offset += 16
      }
      return false
    }
  }

  func anyBytes(_ row: Int, _ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    guard isPresent(row, field) else { return false }
    let kind = kind(field)
    guard kind == .list || kind == .referenceList else { return false }
    return withStoredBytes(row, field) { bytes in
      var position = 0
      while let member = RunLength.next(in: bytes, &position) {
        let start = kind == .referenceList ? member.lowerBound + 1 : member.lowerBound
        if predicate(bytes.extracting(start..<member.upperBound)) { return true }
      }
      return false
    }
  }

  func anyText(_ row: Int, _ field: FieldNumber, where predicate: (Span<UInt8>) -> Bool) -> Bool {
    guard isPresent(row, field) else { return false }
    return kind(field).isList ? anyBytes(row, field, where: predicate) : withBytes(row, field, predicate)
  }
}
