// An unsafe leaf: reads where values begin, by pointers.
//
// Invariant: as for `RowGroup`. A place of `Ahead` is one of a row of the version that the caller holds, and is read in the
// same call of `with`.

/// Brings rows near that are read whole, one after the other. While a row is read, the values of the one after the next
/// are asked for, and the longer values of the next, whose places are near by then.
///
/// Nothing waits for what is asked for, where ``TableRows/approach(_:fields:isWhole:_:)`` waits for that of some rows
/// together: sooner where reading a row takes about as long as its memory, as copying does.
@unsafe
struct RowPrefetch {
  /// How far ahead of the row that is read values are asked for; of the rows between, longer ones.
  private static var distance: Int { 2 }
  /// How many fields of a row with longer values are asked for.
  private static var mostBytes: Int { 32 }
  /// How much of a longer value is asked for: the rest of what is longer still comes by itself while it is copied.
  private static var mostOfValue: Int { 1_024 }

  private let rows: TableRows
  private let fields: UInt64
  /// Of each of the rows whose values were asked for, by their numbers modulo the distance.
  private let ahead: UnsafeMutablePointer<Ahead>
  /// The cells of each that a byte slot lies in, as many as its `count` says.
  private let cells: UnsafeMutablePointer<UnsafeRawPointer>

  @unsafe
  private struct Ahead {
    var arena: UnsafeRawPointer?
    var count = 0
  }

  /// Calls `body` with what brings rows near, of which a bit in `fields` stands for each of the first 64 fields.
  @inline(__always)
  static func with(_ rows: TableRows, _ fields: UInt64, _ body: (RowPrefetch) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: Ahead.self, capacity: distance) { ahead in
      unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: distance * mostBytes) { cells in
        guard let ahead = ahead.baseAddress, let cells = cells.baseAddress else { return }
        unsafe body(RowPrefetch(rows: rows, fields: fields, ahead: ahead, cells: cells))
      }
    }
  }

  /// Brings the first of some rows near, and waits for them. What is returned says nothing.
  @inline(__always)
  func begin(_ count: Int, _ slot: (Int) -> UInt32) -> UInt64 {
    unsafe rows.approach(0..<min(count, RowPrefetch.distance), fields: fields, isWhole: true, slot)
  }

  /// Asks for what comes behind a row that is read next: to be called for each of `count` rows in turn.
  @inline(__always)
  func ask(behind number: Int, of count: Int, _ slot: (Int) -> UInt32) {
    let far = unsafe number + RowPrefetch.distance
    if far < count { unsafe askForValues(far, Int(slot(far))) }
    let near = number + 1
    if near < count, unsafe near >= RowPrefetch.distance { unsafe askForBytes(near) }
  }

  @inline(__always)
  private func askForValues(_ number: Int, _ slot: Int) {
    let (group, row) = unsafe (rows.group(slot >> RowGroup.shift), slot & (RowGroup.size - 1))
    let place = unsafe number & (RowPrefetch.distance - 1)
    let cells = unsafe self.cells + place * RowPrefetch.mostBytes
    var count = 0
    let (name, bytes) = unsafe rows.nameCell(slot)
    if let name = unsafe name { unsafe name.prefetch(bytes) }
    var rest = unsafe fields & ~(1 << UInt64(FieldNumber(.recordID)))
    while rest != 0, unsafe count < RowPrefetch.mostBytes {
      let field = rest.trailingZeroBitCount
      rest &= rest &- 1
      guard let cell = unsafe group.presentCell(row, field) else { continue }
      unsafe cell.prefetch()
      let kind = group.kind(field)
      if kind == .location { unsafe (cell + group.capacity << 3).prefetch() }
      if kind.holdsBytes {
        unsafe cells[count] = unsafe cell
        count &+= 1
      }
    }
    unsafe ahead[place] = unsafe Ahead(arena: UnsafeRawPointer(group.arena), count: count)
  }

  @inline(__always)
  private func askForBytes(_ number: Int) {
    let place = unsafe number & (RowPrefetch.distance - 1)
    guard let arena = unsafe ahead[place].arena else { return }
    let cells = unsafe self.cells + place * RowPrefetch.mostBytes
    var index = 0
    while unsafe index < ahead[place].count {
      let bytes = unsafe ByteSlot(word: UInt64(littleEndian: cells[index].load(as: UInt64.self)))
      if bytes.place == .arena {
        unsafe (arena + bytes.arenaOffset).prefetch(min(bytes.arenaLength, RowPrefetch.mostOfValue))
      }
      index &+= 1
    }
  }
}
