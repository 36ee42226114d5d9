// What a zone that tracks changes knows of them: the saves by the numbers of the records' change tags, in each table, and
// the deletions, which are rows of a table of their own, under numbers from the same count.
//
// A change token names a number, and is answered with all that has a greater one. Records that a load stores under tags of
// their own have other numbers: tokens from before such a load expire.

/// Where somebody stands in the changes of a zone.
struct ChangePosition: Sendable, Hashable {
  /// The number of the last change that is known to them, but for what `place` says.
  var since: Int64
  /// The last record that they were told of, where they have not been told of all there was at that number.
  var place: ChangePlace?
}

/// A record's place among all of a zone: by the number of its tag, then by its table and its slot.
struct ChangePlace: Sendable, Hashable {
  var number: UInt64
  var table: Int
  var slot: UInt32

  /// The place before all others.
  static let start = ChangePlace(number: 0, table: .max, slot: 0)
  /// What stands for the table of deletions.
  static let deletions = -1
}

/// Changes of a zone, in their order, and where that ends.
struct ChangeList: Sendable {
  /// A record that is there, by its table; or one that was deleted, by its slot among the deletions.
  enum Item: Sendable {
    case saved(table: Int, slot: UInt32)
    case deleted(slot: UInt32)
  }

  var items: [Item] = []
  var end: ChangePosition
  /// Whether there are more behind it.
  var hasMore = false
}

extension ZoneState {
  // MARK: Reading

  /// Whether all that changed since a number is still known.
  func knowsChanges(since number: Int64) -> Bool { forgottenChanges...changeNumber ~= number }

  /// The first changes behind a position; all records as they are where there is none.
  ///
  /// Who begins is told of the records in the order of their numbers, as of the number that there is then; what is saved
  /// while they read on, and what is deleted, they are told behind that.
  ///
  /// - Parameters:
  ///   - position: Where they stand; nil where they begin.
  ///   - limit: The most changes.
  ///   - recordTypes: The names of the types whose records are asked for; all where nil.
  /// - Returns: The changes, and where they end.
  ///
  /// Complexity: O(t · (log n + l)) for t record types with n records and a limit of l; where types are named, linear in the
  /// deletions of others.
  func changes(behind position: ChangePosition?, limit: Int, of recordTypes: Set<ByteKey>? = nil) -> ChangeList {
    let areWanted = tables.map { recordTypes?.contains(ByteKey($0.layout.recordType.name)) ?? true }
    var list = ChangeList(end: position ?? ChangePosition(since: changeNumber, place: .start))
    let (since, now) = (UInt64(bitPattern: list.end.since), UInt64(bitPattern: changeNumber))
    var found: [ChangePlace] = []
    func collect(
      _ table: Table, _ number: Int, above lower: UInt64, through upper: UInt64, behind place: TableChange? = nil
    ) {
      // One more than there is room for tells that there are more.
      var room = limit - list.items.count
      let isOfDeletions = number == ChangePlace.deletions
      if !isOfDeletions, !areWanted[number] { return }
      table.forEachChange(above: lower, through: upper, behind: place) { change in
        if isOfDeletions, !areWanted[self.table(ofDeletion: change.slot)] { return true }
        found.append(ChangePlace(number: change.number, table: number, slot: change.slot))
        room -= 1
        return room >= 0
      }
    }
    func take() {
      found.sort { $0.precedes($1) }
      let surplus = found.count - (limit - list.items.count)
      list.hasMore = surplus > 0
      found.removeLast(max(0, surplus))
      list.items += found.map { $0.table < 0 ? .deleted(slot: $0.slot) : .saved(table: $0.table, slot: $0.slot) }
    }
    if let place = list.end.place {
      for (number, table) in tables.enumerated() {
        // Of the records with the last one's number those of the tables before its own were told, and of the tables behind
        // it none was.
        let above = number < place.table ? place.number : place.number &- 1
        let behind = number == place.table ? TableChange(number: place.number, slot: place.slot) : nil
        collect(table, number, above: above, through: since, behind: behind)
        collect(table, number, above: max(above, now), through: .max, behind: behind)
      }
      take()
      if list.hasMore {
        list.end.place = found.last ?? place
        return list
      }
      list.end.place = nil
      found = []
    }
    for (number, table) in tables.enumerated() { collect(table, number, above: since, through: now) }
    for table in deletions { collect(table, ChangePlace.deletions, above: since, through: now) }
    take()
    if !list.hasMore {
      list.end.since = changeNumber
    } else if let last = found.last {
      list.end.since = Int64(bitPattern: last.number)
    }
    return list
  }

  /// What is known of a deleted record, by its slot among the deletions: its name, and that of its type.
  func deletion(_ slot: UInt32) -> (recordName: String, recordType: String) {
    (
      deletions[0].withName(Int(slot)) { String(copying: $0) },
      tables[table(ofDeletion: slot)].layout.recordType.name
    )
  }

  /// The position of the table that a deleted record was in.
  private func table(ofDeletion slot: UInt32) -> Int { Int(deletions[0].integer(Int(slot), .position(0))) }

  // MARK: Checking

  /// What is wrong with the deletions, nil where nothing is.
  var deletionsFault: String? {
    for table in deletions {
      if let fault = table.check() { return "the table of deletions: \(fault)" }
      var fault: String?
      table.forEachChange(above: 0, through: .max) { change in
        let name = table.withName(Int(change.slot)) { String(copying: $0) }
        if contains(name) { fault = "'\(name)' is there, and among the deletions" }
        if change.number > UInt64(bitPattern: changeNumber) { fault = "a deletion is newer than the zone" }
        return fault == nil
      }
      if let fault { return fault }
    }
    return nil
  }
}

extension ChangePlace {
  /// Whether it comes before another.
  func precedes(_ other: ChangePlace) -> Bool {
    (number, table, Int(slot)) < (other.number, other.table, Int(other.slot))
  }
}
