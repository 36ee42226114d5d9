/// All records of a zone as of one commit, of every type: see ``Database/allRecords(inZoneWith:)``.
///
/// They are read while one goes over them, some at a time; each time from the beginning. While it is held, the zone's version
/// stays in memory, and no more however much is written meanwhile (``ZoneMemory/heldBytes``).
public struct ZoneRecords: Sequence, Sendable {
  private let snapshot: ZoneSnapshot

  init(_ snapshot: ZoneSnapshot) { self.snapshot = snapshot }

  /// What the zone knows of its changes as of the same commit; nil of the default zone, which does not track them.
  public var changeState: ZoneChangeState? {
    defer { withExtendedLifetime(snapshot) {} }
    return snapshot.state.changeState
  }

  /// The number of records.
  public var count: Int { snapshot.state.tables.reduce(0) { $0 + $1.count } }

  /// The number of records.
  public var underestimatedCount: Int { count }

  /// What goes over the records from the beginning.
  public func makeIterator() -> Iterator { Iterator(snapshot) }

  /// Goes over the records, type by type. Complexity: as many steps as there are records and places of deleted ones.
  public struct Iterator: IteratorProtocol {
    private let snapshot: ZoneSnapshot
    /// The table that is read, and the slot there that comes next.
    private var (table, slot) = (0, 0)
    private var reader: RecordReader?
    /// Some that were read, the last first.
    private var waiting: [Record] = []

    fileprivate init(_ snapshot: ZoneSnapshot) { self.snapshot = snapshot }

    /// The next record, with all its fields; nil where there is none.
    public mutating func next() -> Record? {
      if waiting.isEmpty { readSome() }
      return waiting.popLast()
    }

    /// Reads the next records: as many as take some 64 KB together, and one at least, where there is one.
    private mutating func readSome() {
      defer { withExtendedLifetime(snapshot) {} }
      let tables = snapshot.state.tables
      while table < tables.count {
        var (slots, bytes): ([UInt32], Int) = ([], 0)
        while slot < tables[table].slotCount, bytes < Iterator.mostBytes {
          if tables[table].isLive(slot) {
            bytes += tables[table].stored(slot).mostBytes
            slots.append(UInt32(truncatingIfNeeded: slot))
          }
          slot += 1
        }
        if slots.isEmpty {
          (table, slot, reader) = (table + 1, 0, nil)
          continue
        }
        var reader = reader ?? RecordReader(tables[table])
        reader.append(slots, slots.indices, to: &waiting)
        waiting.reverse()
        self.reader = reader
        return
      }
    }

    private static let mostBytes = 1 << 16
  }
}
