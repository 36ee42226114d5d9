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
  /// The number of the zone's last change when they were told: what had changed by then they were told of as it was then, or
  /// will be.
  var readAt: Int64

  /// A place among the changes; where `readAt` is left out, all were told that there were.
  init(since: Int64, place: ChangePlace? = nil, readAt: Int64? = nil) {
    (self.since, self.place, self.readAt) = (since, place, readAt ?? since)
  }
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
  /// The records that are there; of those that were deleted the slots among the deletions, by ``ChangePlace/deletions``.
  var places: [ChangePlace] = []
  var end: ChangePosition
  /// Whether there are more behind it.
  var hasMore = false
}

extension ZoneState {
  // MARK: Reading

  /// Whether all that changed behind a position is still known.
  func knowsChanges(behind position: ChangePosition) -> Bool {
    forgottenChanges...changeNumber ~= position.since && position.readAt <= changeNumber
      && !gaps.contains { $0.contains(position.since) || $0.contains(position.readAt) }
  }

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
    let areWanted = tables.indices.map { number in
      recordTypes?.contains(ByteKey(tables[number].layout.recordType.name)) ?? true
    }
    var list = ChangeList(end: position ?? ChangePosition(since: changeNumber, place: .start))
    list.end.readAt = changeNumber
    let (since, now) = (UInt64(bitPattern: list.end.since), UInt64(bitPattern: changeNumber))
    /// Of `places` those before it are told, and those behind it found.
    var told = 0
    func collect(
      _ number: Int, above lower: UInt64, through upper: UInt64, behind place: TableChange? = nil
    ) {
      let isOfDeletions = number == ChangePlace.deletions
      if !isOfDeletions, !areWanted[number] { return }
      // One more than there is room for tells that there are more.
      var room = limit - told
      let changes = isOfDeletions ? deletions[0].changes : tables[number].changes
      changes?.forEachChange(above: lower, through: upper, behind: place) { change in
        if isOfDeletions, !areWanted[self.table(ofDeletion: change.slot)] { return true }
        list.places.append(ChangePlace(number: change.number, table: number, slot: change.slot))
        room -= 1
        return room >= 0
      }
    }
    func take() {
      let isInOrder = (told + 1..<max(told + 1, list.places.count)).allSatisfy {
        list.places[$0 - 1].precedes(list.places[$0])
      }
      if !isInOrder { list.places[told...].sort { $0.precedes($1) } }
      list.hasMore = list.places.count > limit
      list.places.removeLast(max(0, list.places.count - limit))
      told = list.places.count
    }
    if let place = list.end.place {
      for number in tables.indices {
        // Of the records with the last one's number those of the tables before its own were told, and of the tables behind
        // it none was.
        let above = number < place.table ? place.number : place.number &- 1
        let behind = number == place.table ? TableChange(number: place.number, slot: place.slot) : nil
        collect(number, above: above, through: since, behind: behind)
        collect(number, above: max(above, now), through: .max, behind: behind)
      }
      take()
      if list.hasMore {
        list.end.place = list.places.last ?? place
        return list
      }
      list.end.place = nil
    }
    let first = told
    for number in tables.indices { collect(number, above: since, through: now) }
    if !deletions.isEmpty { collect(ChangePlace.deletions, above: since, through: now) }
    take()
    if !list.hasMore {
      list.end.since = changeNumber
    } else if told > first {
      list.end.since = Int64(bitPattern: list.places[told - 1].number)
    }
    return list
  }

  /// The position of the table that a deleted record was in, by its slot among the deletions.
  func table(ofDeletion slot: UInt32) -> Int {
    let (group, row) = deletions[0].place(Int(slot))
    return Int(group.integer(row, .position(0)))
  }

  // MARK: Checking

  /// What is wrong with the deletions, nil where nothing is.
  var deletionsFault: String? {
    for table in deletions {
      if let fault = table.check() { return "the table of deletions: \(fault)" }
      var fault: String?
      table.changes?.forEachChange { change in
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
    if number != other.number { return number < other.number }
    return table != other.table ? table < other.table : slot < other.slot
  }
}
