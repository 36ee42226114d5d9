/// All records of a zone as of one commit, of every type: see ``Database/allRecords(inZoneWith:)``.
///
/// They are read while one goes over them, some at a time; each time from the beginning. While it is held, the zone's version
/// stays in memory, and no more however much is written meanwhile (``ZoneMemory/heldBytes``).
public struct ZoneRecords: Sequence, Sendable {
  private let snapshot: ZoneSnapshot

  init(_ snapshot: ZoneSnapshot) { self.snapshot = snapshot }

  /// The number of records.
  public var count: Int { snapshot.state.tables.reduce(0) { $0 + $1.count } }

  /// The number of records.
  public var underestimatedCount: Int { count }

  /// What goes over the records from the beginning.
  public func makeIterator() -> Iterator { Iterator(snapshot) }

  /// Goes over the records, type by type. Complexity: as many steps as there are records and places of deleted ones.
  public struct Iterator: IteratorProtocol {
    private let snapshot: ZoneSnapshot
    /// The table that is read, and the group of rows there that comes next.
    private var (table, group) = (0, 0)
    private var reader: RecordReader?
    /// Those of a group, the last first.
    private var waiting: [Record] = []

    fileprivate init(_ snapshot: ZoneSnapshot) { self.snapshot = snapshot }

    /// The next record, with all its fields; nil where there is none.
    public mutating func next() -> Record? {
      while waiting.isEmpty, readGroup() {}
      return waiting.popLast()
    }

    /// Reads the records of the next group of rows; false where there is none.
    private mutating func readGroup() -> Bool {
      defer { withExtendedLifetime(snapshot) {} }
      let tables = snapshot.state.tables
      while table < tables.count, group == tables[table].groupCount {
        (table, group, reader) = (table + 1, 0, nil)
      }
      guard table < tables.count else { return false }
      var reader = reader ?? RecordReader(tables[table])
      let first = group << RowGroup.shift
      var slots: [UInt32] = []
      tables[table].group(group).live.forEachRow { slots.append(UInt32(truncatingIfNeeded: first + $0)) }
      reader.append(slots, slots.indices, to: &waiting)
      waiting.reverse()
      group += 1
      self.reader = reader
      return true
    }
  }
}
