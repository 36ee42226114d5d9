/// Where a page of a query's answer ended: the last record it gave, in the order the answer has.
enum CursorPosition: Sendable, Equatable {
  /// In the total order of a sort, which depends on the records alone.
  case sorted(SortPosition)
  /// In the order the planner chose for a query without a sort.
  case unsorted(ScanPosition)
}

/// A place in the order of a sort: the values the record was sorted by, and the ID that breaks ties.
struct SortPosition: Sendable, Equatable {
  /// Of the fields, each value's: the same values of other types are in another order, or mean something else.
  var types: [FieldType.Scalar]
  var values: [SortValue]
  var recordName: String
  var zoneID: ZoneID
}

/// A place in an order of the engine's own.
struct ScanPosition: Sendable, Equatable {
  /// Which order it is.
  enum Order: Sendable, Equatable {
    /// Zones by name and owner, in each the table's slots.
    case table
    /// Zones likewise, in each the entries of an index: its name, the last record's values of its fields, then slots.
    case index(name: String, values: [SortValue])
  }

  var order: Order
  /// The store that gave the slot its meaning.
  var epoch: StoreEpoch
  var slot: Int
  var recordName: String
  var zoneID: ZoneID
}

/// Tells a zone's store from every other, one of the same name in another process or after a deletion included.
struct StoreEpoch: Sendable, Equatable {
  /// Drawn by chance when the database was made.
  var database: UInt64
  /// Counts the zones that the database created.
  var zone: UInt64
}
