// An unsafe leaf: writing to the rows of a group (``RowGroup`` tells how they lie).
//
// Invariants: `base` is a header page of the running commit. Rows from `sealedRows` on are in no published version, nor
// are the arena's bytes behind those used, so that both are written in place in pages that versions share; anything
// else is copied first. A value is released before its row's bit is cleared and before its cell is written.

/// The hand of the running commit in one group.
///
/// Complexity: setting a value copies the column's chunk, once a commit, unless the row is new or the value the one
/// there is; releasing a longer value looks whether another row of the column shares it. An arena grows by a quarter,
/// or is written anew without what nothing refers to where that is a quarter of it.
@safe
struct GroupEditor {
  @unsafe let base: UnsafeMutableRawPointer
  /// The rows given to records, the one about to be stored included.
  let rows: Int
  let sealedRows: Int
  let heap: PageHeap

  private typealias Offset = RowGroup.Offset

  /// Which rows of a column may share bytes in the arena.
  private enum Sharing: UInt8 {
    /// None.
    case never
    /// Rows that are among the same sixteen, so that no more are looked at.
    case near
    /// Any: there was one cell for all.
    case anywhere

    static var rows: Int { 16 }

    /// That of rows which had one cell.
    init(_ holders: SIMD4<UInt64>) {
      let words = (0..<4).filter { holders[$0] != 0 }
      guard let number = words.first else {
        self = .never
        return
      }
      let word = holders[number]
      let (first, last) = (word.trailingZeroBitCount, 63 - word.leadingZeroBitCount)
      if words.count > 1 || first / Sharing.rows != last / Sharing.rows {
        self = .anywhere
      } else {
        self = first == last ? .never : .near
      }
    }
  }

  private func sharing(_ field: FieldNumber) -> Sharing {
    Sharing(rawValue: unsafe column(field).load(fromByteOffset: Offset.mayShare, as: UInt8.self)) ?? .anywhere
  }

  private func setSharing(_ field: FieldNumber, _ sharing: Sharing) {
    unsafe column(field).storeBytes(of: sharing.rawValue, toByteOffset: Offset.mayShare, as: UInt8.self)
  }

  init(_ base: UnsafeMutableRawPointer, rows: Int, sealedRows: Int, heap: PageHeap) {
    unsafe self.base = unsafe base
    self.rows = rows
    self.sealedRows = sealedRows
    self.heap = heap
  }

  var group: RowGroup { unsafe RowGroup(UnsafeRawPointer(base)) }

  // MARK: Headers

  /// The header of a group without rows.
  static func makeHeader(_ kinds: [ColumnKind], heap: PageHeap) -> UnsafeMutableRawPointer {
    let page = unsafe heap.allocate(RowGroup.headerSize(columns: kinds.count))
    unsafe page.initializeMemory(as: UInt8.self, repeating: 0, count: Offset.firstColumn)
    unsafe addColumns(kinds, to: page)
    return unsafe page
  }

  /// Adds the columns that a header does not have yet, in front of the bits of those it has.
  static func addColumns(_ kinds: [ColumnKind], to page: UnsafeMutableRawPointer) {
    let known = Int(unsafe page.load(fromByteOffset: Offset.columns, as: UInt32.self))
    let (first, end) = (RowGroup.ownPresence(0, of: known), RowGroup.ownPresence(0, of: kinds.count))
    unsafe (page + end).copyMemory(from: page + first, byteCount: Offset.bits * known)
    unsafe (page + first).initializeMemory(as: UInt8.self, repeating: 0, count: end - first)
    unsafe (page + end + Offset.bits * known).initializeMemory(
      as: UInt8.self, repeating: 0, count: Offset.bits * (kinds.count - known))
    for field in known..<kinds.count {
      let column = RowGroup.columnOffset(field)
      unsafe page.storeBytes(of: kinds[field].rawValue, toByteOffset: column + Offset.kind, as: UInt8.self)
      unsafe page.storeBytes(of: 255, toByteOffset: column + Offset.rowMask, as: UInt8.self)
    }
    unsafe page.storeBytes(of: UInt32(kinds.count), toByteOffset: Offset.columns, as: UInt32.self)
    for field in kinds.indices { unsafe choosePresence(field, of: kinds.count, in: page) }
  }

  /// Says where a column's bits are read: where the live rows' are, if they are the same.
  @inline(__always)
  private static func choosePresence(_ field: FieldNumber, of columns: Int, in page: UnsafeMutableRawPointer) {
    let own = RowGroup.ownPresence(field, of: columns)
    let bits = unsafe page.loadUnaligned(fromByteOffset: own, as: SIMD4<UInt64>.self)
    let isFull = unsafe bits == page.loadUnaligned(fromByteOffset: Offset.live, as: SIMD4<UInt64>.self)
    unsafe page.storeBytes(
      of: UInt32(isFull ? Offset.live : own), toByteOffset: RowGroup.columnOffset(field) + Offset.presence,
      as: UInt32.self)
  }

  private func choosePresence(_ field: FieldNumber) {
    unsafe GroupEditor.choosePresence(field, of: group.columnCount, in: base)
  }

  private func put(_ value: Int, _ offset: Int) {
    unsafe base.storeBytes(of: UInt32(value), toByteOffset: offset, as: UInt32.self)
  }

  private func setArena(_ page: UnsafeMutableRawPointer?, used: Int, garbage: Int) {
    unsafe base.storeBytes(of: page, toByteOffset: Offset.arena, as: UnsafeMutableRawPointer?.self)
    put(used, Offset.arenaUsed)
    put(garbage, Offset.arenaGarbage)
  }

  private func column(_ field: FieldNumber) -> UnsafeMutableRawPointer {
    unsafe base + RowGroup.columnOffset(field)
  }

  private func setBit(_ row: Int, _ offset: Int, to isSet: Bool) {
    let offset = offset + (row >> 6) << 3
    let word = unsafe base.load(fromByteOffset: offset, as: UInt64.self)
    let bit: UInt64 = 1 << UInt64(row & 63)
    unsafe base.storeBytes(of: isSet ? word | bit : word & ~bit, toByteOffset: offset, as: UInt64.self)
  }

  // MARK: Rows

  var nextFree: Int {
    get { Int(unsafe base.load(fromByteOffset: Offset.nextFree, as: UInt32.self)) }
    nonmutating set { put(newValue, Offset.nextFree) }
  }

  var isListed: Bool {
    get { unsafe base.load(fromByteOffset: Offset.isListed, as: UInt32.self) != 0 }
    nonmutating set { put(newValue ? 1 : 0, Offset.isListed) }
  }

  /// The first row given to a record that is dead by now.
  var firstDeadRow: Int? {
    let live = group.live
    for word in 0..<4 where live[word] != .max {
      let row = word << 6 + (~live[word]).trailingZeroBitCount
      return row < rows ? row : nil
    }
    return nil
  }

  private static let capacities = [4, 8, 12, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256]

  /// Makes a row ready for a record; `atOnce` where more are to come and the table is not small.
  func open(_ row: Int, atOnce: Bool) {
    if row >= group.capacity {
      let wanted = atOnce ? RowGroup.size : Self.capacities.first { $0 > row } ?? RowGroup.size
      grow(to: wanted)
    }
    setLive(row, true)
  }

  private func setLive(_ row: Int, _ isLive: Bool) {
    setBit(row, Offset.live, to: isLive)
    for field in 0..<group.columnCount { choosePresence(field) }
  }

  private func grow(to capacity: Int) {
    let old = group.capacity
    for field in 0..<group.columnCount {
      guard let chunk = unsafe group.chunk(field), !group.isConstant(field) else { continue }
      let planes = group.planes(field)
      let new = unsafe heap.allocate(capacity * planes << 3)
      if group.kind(field) == .name {
        unsafe new.copyMemory(from: chunk, byteCount: old * planes << 3)
      } else {
        for plane in 0..<planes {
          unsafe (new + (plane * capacity) << 3).copyMemory(from: chunk + (plane * old) << 3, byteCount: old << 3)
        }
      }
      unsafe heap.retire(UnsafeMutableRawPointer(mutating: chunk))
      unsafe column(field).storeBytes(of: new, as: UnsafeMutableRawPointer?.self)
    }
    put(capacity, 0)
  }

  /// Ends the life of a row's record.
  func close(_ row: Int) {
    for field in 0..<group.columnCount { letGo(row, field) }
    setLive(row, false)
    if group.liveCount == 0 {
      if let arena = unsafe group.arena { unsafe heap.retire(arena) }
      unsafe setArena(nil, used: 0, garbage: 0)
      put(0, 0)
    } else if group.arenaUsed > Self.tidyArena, group.arenaGarbage > group.arenaUsed / 4 * 3 {
      _ = unsafe compact(0)
    }
  }

  /// An arena of so many bytes is not looked at for garbage where records go.
  private static var tidyArena: Int { 2_048 }

  /// Gives back what the arena of a full group holds ready.
  func trim() {
    guard var arena = unsafe group.arena else { return }
    let (used, garbage) = (group.arenaUsed, group.arenaGarbage)
    if unsafe PageHeap.capacity(for: used) < PageHeap.capacity(of: arena) {
      unsafe heap.move(&arena, used: used, bytes: used)
      unsafe setArena(arena, used: used, garbage: garbage)
    }
  }

  // MARK: Values

  /// Gives a row its value of a field, which is of the field's type, or none. `scratch` is used on the way.
  func set(_ row: Int, _ field: FieldNumber, _ value: FieldValue?, _ scratch: inout [UInt8]) {
    let kind = group.kind(field)
    switch (kind, value) {
    case (_, nil):
      clear(row, field)
      return
    case (.integer, .int64(let number)?): setWord(row, field, UInt64(bitPattern: number))
    case (.integer, .timestamp(let moment)?): setWord(row, field, UInt64(bitPattern: moment.milliseconds))
    case (.double, .double(let number)?): setWord(row, field, number.bitPattern)
    case (.location, .location(let place)?):
      setWord(row, field, place.latitude.bitPattern)
      setWord(row, field, plane: 1, place.longitude.bitPattern)
      setDetails(row, field, kind, .location(place), &scratch)
      return
    case (.integer, _), (.double, _), (.location, _), (.name, _):
      clear(row, field)
      return
    case (.bytes, .string(let text)?): withUTF8(of: text) { setBytes(row, field, $0) }
    case (_, let value?):
      scratch.removeAll(keepingCapacity: true)
      value.encode(into: &scratch)
      setBytes(row, field, scratch.span)
      if kind == .locationList {
        setDetails(row, field, kind, value, &scratch)
        return
      }
    }
    setPresent(row, field)
  }

  /// Gives a row that has none its record's name.
  func setName(_ row: Int, _ name: Span<UInt8>) {
    let field = FieldNumber(.recordID)
    if name.count < RowGroup.mostNameWords << 3 {
      let cell = unsafe nameCell(row, words: name.count >> 3 + 1)
      unsafe cell.storeBytes(of: UInt8(name.count), as: UInt8.self)
      unsafe copy(name, to: cell + 1)
    } else {
      // First the slot: making room for it may move the names.
      let slot = makeSlot(name)
      let cell = unsafe nameCell(row, words: 2)
      unsafe cell.storeBytes(of: RowGroup.longName, as: UInt8.self)
      unsafe cell.storeBytes(of: slot.word.littleEndian, toByteOffset: 8, as: UInt64.self)
    }
    setPresent(row, field)
  }

  /// The place of a row's name, to be written to, of so many words at least.
  private func nameCell(_ row: Int, words: Int) -> UnsafeMutableRawPointer {
    let field = FieldNumber(.recordID)
    let column = unsafe column(field)
    let known = group.planes(field)
    let wanted = max(known, words)
    var chunk: UnsafeMutableRawPointer
    if let old = unsafe group.chunk(field) {
      unsafe chunk = UnsafeMutableRawPointer(mutating: old)
      if wanted > known {
        unsafe chunk = heap.allocate(group.capacity * wanted << 3)
        for row in 0..<min(rows, group.capacity) {
          unsafe (chunk + row * wanted << 3).copyMemory(from: old + row * known << 3, byteCount: known << 3)
        }
        unsafe heap.retire(UnsafeMutableRawPointer(mutating: old))
      } else if row < sealedRows {
        unsafe heap.writable(&chunk, used: group.capacity * known << 3)
      }
    } else {
      unsafe chunk = heap.allocate(group.capacity * wanted << 3)
    }
    unsafe column.storeBytes(of: UInt8(wanted), toByteOffset: Offset.planes, as: UInt8.self)
    unsafe column.storeBytes(of: chunk, as: UnsafeMutableRawPointer?.self)
    return unsafe chunk + row * wanted << 3
  }

  private func setPresent(_ row: Int, _ field: FieldNumber) {
    setBit(row, RowGroup.ownPresence(field, of: group.columnCount), to: true)
    choosePresence(field)
  }

  /// Ends the setting of a place or list of places, whose details go into a plane of their own. Its first bytes are of a
  /// row that has a value by then, so that an arena written anew takes them along.
  private func setDetails(
    _ row: Int, _ field: FieldNumber, _ kind: ColumnKind, _ value: FieldValue, _ scratch: inout [UInt8]
  ) {
    if !group.isPresent(row, field) {
      if group.planes(field) > kind.planes { put(ByteSlot(word: 0), row, field, kind.planes) }
      setPresent(row, field)
    }
    scratch.removeAll(keepingCapacity: true)
    value.encodeDetails(into: &scratch)
    if scratch.isEmpty, group.planes(field) <= kind.planes { return }
    setBytes(row, field, plane: kind.planes, scratch.span)
  }

  /// Takes a row's value of a field away.
  func clear(_ row: Int, _ field: FieldNumber) {
    letGo(row, field)
    choosePresence(field)
  }

  /// Takes a row's value of a field away; the place of the column's bits must be chosen behind it, before anything else is
  /// read of the column.
  private func letGo(_ row: Int, _ field: FieldNumber) {
    guard group.isPresent(row, field), let chunk = unsafe group.chunk(field) else { return }
    let kind = group.kind(field)
    if kind == .name {
      if let slot = group.longNameSlot(row) { release(slot, row, field, 0) }
    } else {
      for plane in 0..<group.planes(field) where kind.holdsBytes(plane: plane) { release(row, field, plane) }
    }
    let own = RowGroup.ownPresence(field, of: group.columnCount)
    setBit(row, own, to: false)
    if unsafe base.loadUnaligned(fromByteOffset: own, as: SIMD4<UInt64>.self) == .zero {
      unsafe heap.retire(UnsafeMutableRawPointer(mutating: chunk))
      unsafe column(field).storeBytes(of: nil, as: UnsafeMutableRawPointer?.self)
      unsafe column(field).storeBytes(of: 0, toByteOffset: Offset.planes, as: UInt8.self)
      setSharing(field, .never)
      unsafe column(field).storeBytes(of: 255, toByteOffset: Offset.rowMask, as: UInt8.self)
    }
  }

  private func isPresent(_ row: Int, _ field: FieldNumber, plane: Int) -> Bool {
    group.isPresent(row, field) && plane < group.planes(field)
  }

  private func setWord(_ row: Int, _ field: FieldNumber, plane: Int = 0, _ word: UInt64) {
    if group.isPresent(row, field), group.word(row, field, plane: plane) == word { return }
    if isHeldAlready(word, field) { return }
    unsafe cell(row, field, plane: plane).storeBytes(of: word, as: UInt64.self)
  }

  /// Whether the single cell of a column has a word, or, where there is no cell yet, is made with it.
  private func isHeldAlready(_ word: UInt64, _ field: FieldNumber) -> Bool {
    if group.isConstant(field) { return group.word(0, field) == word }
    guard unsafe group.chunk(field) == nil, group.kind(field).mayBeConstant else { return false }
    let column = unsafe column(field)
    let chunk = unsafe heap.allocate(8)
    unsafe chunk.storeBytes(of: word, as: UInt64.self)
    unsafe column.storeBytes(of: chunk, as: UnsafeMutableRawPointer?.self)
    unsafe column.storeBytes(of: 1, toByteOffset: Offset.planes, as: UInt8.self)
    unsafe column.storeBytes(of: 0, toByteOffset: Offset.rowMask, as: UInt8.self)
    return true
  }

  /// Gives each row of a column with a single cell one of its own.
  private func divide(_ field: FieldNumber) {
    guard let old = unsafe group.chunk(field) else { return }
    let new = unsafe heap.allocate(group.capacity << 3)
    unsafe new.initializeMemory(as: UInt64.self, repeating: old.load(as: UInt64.self), count: group.capacity)
    unsafe heap.retire(UnsafeMutableRawPointer(mutating: old))
    unsafe column(field).storeBytes(of: new, as: UnsafeMutableRawPointer?.self)
    unsafe column(field).storeBytes(of: 255, toByteOffset: Offset.rowMask, as: UInt8.self)
    setSharing(field, Sharing(group.presence(field)))
  }

  /// The place of a row's eight bytes, to be written to.
  private func cell(_ row: Int, _ field: FieldNumber, plane: Int) -> UnsafeMutableRawPointer {
    if group.isConstant(field) { divide(field) }
    let column = unsafe column(field)
    let size = group.capacity << 3
    let (known, least) = (group.planes(field), group.kind(field).planes)
    let planes = max(known, least, plane + 1)
    var chunk: UnsafeMutableRawPointer
    if let old = unsafe group.chunk(field) {
      unsafe chunk = UnsafeMutableRawPointer(mutating: old)
      if planes > known {
        unsafe heap.move(&chunk, used: known * size, bytes: planes * size)
      } else if row < sealedRows {
        unsafe heap.writable(&chunk, used: known * size)
      }
    } else {
      unsafe chunk = heap.allocate(planes * size)
    }
    if planes > known {
      if planes > least {
        // No details for the rows there are.
        unsafe (chunk + least * size).initializeMemory(as: UInt8.self, repeating: 0, count: size)
      }
      unsafe column.storeBytes(of: UInt8(planes), toByteOffset: Offset.planes, as: UInt8.self)
    }
    unsafe column.storeBytes(of: chunk, as: UnsafeMutableRawPointer?.self)
    return unsafe chunk + (plane * group.capacity + row) << 3
  }

  // MARK: Bytes

  private func slot(_ row: Int, _ field: FieldNumber, _ plane: Int) -> ByteSlot {
    ByteSlot(word: UInt64(littleEndian: group.word(row, field, plane: plane)))
  }

  private func put(_ slot: ByteSlot, _ row: Int, _ field: FieldNumber, _ plane: Int) {
    if isHeldAlready(slot.word.littleEndian, field) { return }
    unsafe cell(row, field, plane: plane).storeBytes(of: slot.word.littleEndian, as: UInt64.self)
  }

  private func setBytes(_ row: Int, _ field: FieldNumber, plane: Int = 0, _ bytes: Span<UInt8>) {
    if isPresent(row, field, plane: plane) {
      if group.withStoredBytes(row, field, plane: plane, { $0.isSame(as: bytes) }) { return }
      release(row, field, plane)
      put(ByteSlot(word: 0), row, field, plane)
    }
    put(makeSlot(row, field, plane, bytes), row, field, plane)
  }

  private func makeSlot(_ row: Int, _ field: FieldNumber, _ plane: Int, _ bytes: Span<UInt8>) -> ByteSlot {
    if group.isConstant(field), bytes.count <= ByteSlot.arenaLimit,
      group.withStoredBytes(row, field, { $0.isSame(as: bytes) })
    {
      return slot(row, field, plane)
    }
    if bytes.count > ByteSlot.inlineLimit, bytes.count <= ByteSlot.arenaLimit, row & (Sharing.rows - 1) > 0,
      isPresent(row - 1, field, plane: plane)
    {
      let neighbour = slot(row - 1, field, plane)
      if neighbour.place == .arena, neighbour.arenaLength == bytes.count,
        group.withStoredBytes(row - 1, field, plane: plane, { $0.isSame(as: bytes) })
      {
        if sharing(field) == .never { setSharing(field, .near) }
        return neighbour
      }
    }
    return makeSlot(bytes)
  }

  private func makeSlot(_ bytes: Span<UInt8>) -> ByteSlot {
    if bytes.count <= ByteSlot.inlineLimit { return ByteSlot(inline: bytes) }
    if bytes.count > ByteSlot.arenaLimit {
      let page = unsafe heap.allocate(8 + bytes.count)
      unsafe page.storeBytes(of: bytes.count, as: Int.self)
      unsafe copy(bytes, to: page + 8)
      return unsafe ByteSlot(page: page)
    }
    let arena = unsafe arena(for: bytes.count)
    let used = group.arenaUsed
    unsafe copy(bytes, to: arena + used)
    put(used + bytes.count, Offset.arenaUsed)
    return ByteSlot(arenaOffset: used, length: bytes.count)
  }

  private func copy(_ bytes: Span<UInt8>, to place: UnsafeMutableRawPointer) {
    unsafe bytes.withUnsafeBytes {
      if let start = $0.baseAddress { unsafe place.copyMemory(from: start, byteCount: $0.count) }
    }
  }

  /// The arena, with room for so many bytes more.
  private func arena(for count: Int) -> UnsafeMutableRawPointer {
    guard var arena = unsafe group.arena else {
      let arena = unsafe heap.allocate(max(count, 64))
      unsafe setArena(arena, used: 0, garbage: 0)
      return unsafe arena
    }
    let (used, garbage) = (group.arenaUsed, group.arenaGarbage)
    if unsafe used + count <= PageHeap.capacity(of: arena) { return unsafe arena }
    if garbage > used / 4 { return unsafe compact(count) }
    unsafe heap.move(&arena, used: used, bytes: PageHeap.step((used + count) * 5 / 4))
    unsafe setArena(arena, used: used, garbage: garbage)
    return unsafe arena
  }

  /// Lets go of the longer bytes of a row's value.
  private func release(_ row: Int, _ field: FieldNumber, _ plane: Int) {
    release(slot(row, field, plane), row, field, plane)
  }

  private func release(_ slot: ByteSlot, _ row: Int, _ field: FieldNumber, _ plane: Int) {
    switch slot.place {
    case .inline: break
    case .page: if let page = unsafe slot.page { unsafe heap.retire(page) }
    case .arena:
      if !isShared(slot, row, field, plane) { put(group.arenaGarbage + slot.arenaLength, Offset.arenaGarbage) }
    }
  }

  /// Whether another row of the column has the same slot.
  private func isShared(_ slot: ByteSlot, _ row: Int, _ field: FieldNumber, _ plane: Int) -> Bool {
    if group.isConstant(field) {
      var others = group.presence(field)
      others[row >> 6] &= ~(1 << UInt64(row & 63))
      return others != .zero
    }
    // Most columns have no equal neighbours in a group, and looking through one costs more than changing it.
    let sharing = sharing(field)
    guard sharing != .never, let chunk = unsafe group.chunk(field) else { return false }
    let word = slot.word.littleEndian
    let cells = unsafe chunk + (plane * group.capacity) << 3
    func has(_ other: Int) -> Bool {
      unsafe cells.load(fromByteOffset: other << 3, as: UInt64.self) == word && group.isPresent(other, field)
    }
    let isNear = sharing == .near
    let count = min(rows, group.capacity, isNear ? (row | (Sharing.rows - 1)) + 1 : RowGroup.size)
    if row > 0, has(row - 1) { return true }
    if row + 1 < count, has(row + 1) { return true }
    // Capacities are multiples of four.
    let wanted = SIMD4<UInt64>(repeating: word)
    var first = isNear ? row & ~(Sharing.rows - 1) : 0
    while first < count {
      let four = unsafe cells.loadUnaligned(fromByteOffset: first << 3, as: SIMD4<UInt64>.self)
      if any(four .== wanted) {
        for other in first..<min(first + 4, count) where other != row && has(other) { return true }
      }
      first += 4
    }
    return false
  }

  /// Calls `body` with each slot of the arena, by column and row, and whether it is the one before it again.
  private func forEachArenaSlot(_ body: (_ row: Int, _ field: FieldNumber, _ plane: Int, ByteSlot, Bool) -> Void) {
    let count = min(rows, group.capacity)
    for field in 0..<group.columnCount {
      let kind = group.kind(field)
      if kind == .name {
        for row in 0..<count {
          if let slot = group.longNameSlot(row), slot.place == .arena { body(row, field, 0, slot, false) }
        }
        continue
      }
      for plane in 0..<group.planes(field) where kind.holdsBytes(plane: plane) {
        var last = ByteSlot(word: 0)
        for row in 0..<count where group.isPresent(row, field) {
          let slot = slot(row, field, plane)
          if slot.place == .arena {
            body(row, field, plane, slot, slot == last)
            last = slot
          }
          // Its cell, which may have just been written, is that of all rows.
          if group.isConstant(field) { break }
        }
      }
    }
  }

  /// Puts another slot into the single cell of a column.
  private func replaceConstant(_ field: FieldNumber, with slot: ByteSlot) {
    guard let old = unsafe group.chunk(field) else { return }
    let new = unsafe heap.allocate(8)
    unsafe new.storeBytes(of: slot.word.littleEndian, as: UInt64.self)
    unsafe heap.retire(UnsafeMutableRawPointer(mutating: old))
    unsafe column(field).storeBytes(of: new, as: UnsafeMutableRawPointer?.self)
  }

  /// Writes the arena anew without garbage, with room for `count` bytes and some.
  private func compact(_ count: Int) -> UnsafeMutableRawPointer {
    guard let old = unsafe group.arena else { return unsafe arena(for: count) }
    var total = 0
    forEachArenaSlot { _, _, _, slot, isRepeated in if !isRepeated { total += slot.arenaLength } }
    let new = unsafe heap.allocate((total + count) * 9 / 8)
    var used = 0
    var written = ByteSlot(word: 0)
    forEachArenaSlot { row, field, plane, slot, isRepeated in
      if !isRepeated {
        unsafe (new + used).copyMemory(from: old + slot.arenaOffset, byteCount: slot.arenaLength)
        written = ByteSlot(arenaOffset: used, length: slot.arenaLength)
        used += slot.arenaLength
      }
      if group.isConstant(field) {
        if !isRepeated { replaceConstant(field, with: written) }
      } else if field == FieldNumber(.recordID) {
        unsafe nameCell(row, words: 2).storeBytes(of: written.word.littleEndian, toByteOffset: 8, as: UInt64.self)
      } else {
        put(written, row, field, plane)
      }
    }
    unsafe heap.retire(old)
    unsafe setArena(new, used: used, garbage: 0)
    return unsafe new
  }
}
