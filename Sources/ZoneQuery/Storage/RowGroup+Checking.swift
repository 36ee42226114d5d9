// An unsafe leaf, as ``RowGroup``.

extension RowGroup {
  var isListed: Bool { unsafe base.load(fromByteOffset: Offset.isListed, as: UInt32.self) != 0 }
  var nextFree: Int { Int(unsafe base.load(fromByteOffset: Offset.nextFree, as: UInt32.self)) }

  private func slot(_ row: Int, _ field: FieldNumber, _ plane: Int) -> ByteSlot {
    ByteSlot(word: UInt64(littleEndian: word(row, field, plane: plane)))
  }

  /// Calls `body` with every byte slot, by column, plane and row.
  private func forEachSlot(_ body: (FieldNumber, _ plane: Int, ByteSlot) -> Void) {
    for field in 0..<columnCount {
      let kind = kind(field)
      if kind == .name {
        for row in 0..<RowGroup.size where isPresent(row, field) {
          if let slot = longNameSlot(row) { body(field, 0, slot) }
        }
        continue
      }
      for plane in 0..<planes(field) where kind.holdsBytes(plane: plane) {
        for row in 0..<RowGroup.size where isPresent(row, field) { body(field, plane, slot(row, field, plane)) }
      }
    }
  }

  /// Calls `body` with every page that the header points to.
  func forEachPage(_ body: (UnsafeMutableRawPointer) -> Void) {
    if let arena = unsafe arena { unsafe body(arena) }
    for field in 0..<columnCount {
      if let chunk = unsafe chunk(field) { unsafe body(UnsafeMutableRawPointer(mutating: chunk)) }
    }
    forEachSlot { _, _, slot in
      if slot.place == .page, let page = unsafe slot.page { unsafe body(page) }
    }
  }

  /// What is wrong with the group, of whose rows so many were given to records; nil where nothing is.
  func check(_ kinds: [ColumnKind], rowCount: Int) -> String? {
    if columnCount > kinds.count { return "\(columnCount) columns for \(kinds.count) fields" }
    if presence(0) != live { return "names and live rows differ" }
    for row in 0..<RowGroup.size where isLive(row) && (row >= rowCount || row >= capacity) {
      return "row \(row) is live behind \(rowCount) rows, \(capacity) of them with room"
    }
    for field in 0..<columnCount {
      let present = presence(field)
      if kind(field) != kinds[field] { return "field \(field) is of another kind" }
      let own = RowGroup.ownPresence(field, of: columnCount)
      let ownBits = unsafe base.loadUnaligned(fromByteOffset: own, as: SIMD4<UInt64>.self)
      if presenceOffset(field) != (ownBits == live ? Offset.live : own) || present != ownBits {
        return "the bits of field \(field) are read from the wrong place"
      }
      if present & live != present { return "field \(field) has values in rows that are not live" }
      guard let chunk = unsafe chunk(field) else {
        if present != .zero { return "field \(field) has values and no chunk" }
        continue
      }
      if present == .zero { return "field \(field) has a chunk and no value" }
      let planes = planes(field)
      if kinds[field] == .name {
        if !(1...RowGroup.mostNameWords).contains(planes) { return "names have \(planes) words" }
      } else if planes < kinds[field].planes || planes > kinds[field].planes + 1 {
        return "field \(field) has \(planes) planes"
      }
      if rowMask(field) != 0, rowMask(field) != 255 { return "field \(field) has a wrong mask" }
      if isConstant(field), !kinds[field].mayBeConstant || planes != 1 { return "field \(field) may not have one cell" }
      let cells = isConstant(field) ? 1 : planes * capacity
      if unsafe PageHeap.capacity(of: UnsafeMutableRawPointer(mutating: chunk)) < cells << 3 {
        return "field \(field) has too small a chunk"
      }
    }
    var held = 0
    var fault: String?
    var seen: Set<UInt64> = []
    var column = (-1, 0)
    let used = arenaUsed
    forEachSlot { field, plane, slot in
      guard slot.place == .arena else { return }
      if column != (field, plane) {
        column = (field, plane)
        seen.removeAll(keepingCapacity: true)
      }
      if slot.arenaOffset + slot.arenaLength > used { fault = "field \(field) has bytes beyond the arena" }
      if seen.insert(slot.word).inserted { held += slot.arenaLength }
    }
    if let fault { return fault }
    if let arena = unsafe arena, unsafe PageHeap.capacity(of: arena) < used {
      return "the arena is used beyond its end"
    }
    return used - arenaGarbage == held
      ? nil : "\(used) bytes used, \(arenaGarbage) of them garbage, \(held) referred to"
  }
}
