/// Appends the parts of a cursor or a change token.
struct CursorWriter {
  var bytes: [UInt8]

  mutating func write(_ byte: UInt8) { bytes.append(byte) }

  mutating func write(_ word: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  mutating func write(_ content: [UInt8]) {
    write(UInt64(content.count))
    bytes += content
  }

  mutating func write(_ text: String) {
    write(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  mutating func write(_ options: PredicateOptions) {
    write(
      (options.dialect == .extended ? CursorFormat.extended : 0)
        | (options.missingFields == .likeNSPredicate ? CursorFormat.likeNSPredicate : 0)
        | (options.stringEquality == .caseInsensitive ? CursorFormat.caseInsensitive : 0))
  }

  mutating func write(_ zoneID: ZoneID) {
    write(zoneID.zoneName)
    write(zoneID.ownerName)
  }

  mutating func write(_ key: SortKey) {
    write(key.key)
    if let origin = key.origin {
      write(CursorFormat.distance)
      write(origin.latitude.bitPattern)
      write(origin.longitude.bitPattern)
    } else {
      write(key.order == .descending ? CursorFormat.descending : CursorFormat.ascending)
    }
  }

  mutating func write(_ position: CursorPosition) {
    switch position {
    case .sorted(let position):
      write(CursorFormat.sorted)
      write(UInt64(position.values.count))
      for (type, value) in zip(position.types, position.values) {
        write(UInt8(CursorFormat.types.firstIndex(of: type) ?? 0))
        write(value)
      }
      write(position.recordName)
      write(position.zoneID)
    case .unsorted(let position):
      switch position.order {
      case .table: write(CursorFormat.table)
      case .index(let name, let values):
        write(CursorFormat.index)
        write(name)
        write(UInt64(values.count))
        for value in values { write(value) }
      }
      write(position.epoch.database)
      write(position.epoch.zone)
      write(UInt64(position.slot))
      write(position.recordName)
      write(position.zoneID)
    }
  }

  private mutating func write(_ value: SortValue) {
    switch value {
    case .missing: write(CursorFormat.missing)
    case .integer(let value):
      write(CursorFormat.integer)
      write(UInt64(bitPattern: value))
    case .double(let value):
      write(CursorFormat.double)
      write(value.bitPattern)
    case .bytes(let value):
      write(CursorFormat.byteString)
      write(value)
    }
  }
}
