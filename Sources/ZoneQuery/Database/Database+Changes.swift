extension Database {
  /// What changed in a custom zone since a change token was made: each record that was created or changed, as it is now, and
  /// the ID of each that was deleted, once.
  ///
  /// ```swift
  /// var known = try kept.map { try ChangeToken(text: $0) }   // nil at first
  /// var changes: RecordZoneChanges
  /// repeat {
  ///   changes = try database.recordZoneChanges(inZoneWith: notes, since: known)
  ///   for record in changes.records { local[record.recordID] = record }
  ///   for deletion in changes.deletions { local[deletion.recordID] = nil }
  ///   known = changes.changeToken
  /// } while changes.moreComing
  /// ```
  ///
  /// Without a token all records of the zone are fetched, and no deletions. A page shows the zone as of one commit; what is
  /// saved between two pages, and what is deleted, comes in a later one, a record that was changed once more included. A
  /// record that was created and deleted since the token counts as deleted. A token can expire between two pages as well.
  ///
  /// As CloudKit's, the default zone does not track changes. Differs from `CKDatabase`: the records themselves come in the
  /// order of their changes, where there are results by IDs, as none of them can fail.
  ///
  /// - Parameters:
  ///   - zoneID: The zone.
  ///   - token: The token of the changes before; nil where nothing is known of the zone.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty. Names of no field are passed over.
  ///   - resultsLimit: The most records and deletions together, at least 1; ``Limits/itemsPerOperation`` where nil.
  /// - Returns: The changes, and the token to go on from.
  /// - Throws: `changeTokenExpired` where the zone no longer knows all that changed since: it was deleted and created again,
  ///   more records were deleted since than it remembers, or records were loaded under change tags that they brought along
  ///   (then everything is to be fetched again, without a token, and what is not among it let go of). `invalidChangeToken`,
  ///   `zoneNotFound`, `invalidZone` for the default zone, `invalidQuery` for a limit below 1.
  ///
  /// Complexity: linear in the limit times the record types of the zone, times the logarithm of its records.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since token: ChangeToken? = nil, desiredKeys: [String]? = nil, resultsLimit: Int? = nil
  ) throws(ZoneQueryError) -> RecordZoneChanges {
    try telling(DatabaseEvent(.fetchChanges, zoneID: zoneID)) { outcome throws(ZoneQueryError) in
      let limit = resultsLimit ?? max(1, configuration.limits.itemsPerOperation)
      let keys = desiredKeys.map { Set($0.map(ByteKey.init)) }
      let changes = try changes(zoneID, since: token, keys, limit: limit)
      outcome.returned = changes.count
      return changes
    }
  }

  /// Calls `changed` with each record of a custom zone that was created or changed since a change token was made, read in
  /// place, and then `deleted` with each that was deleted: what
  /// ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)`` returns as values.
  ///
  /// ```swift
  /// let text = try database.field("text", ofType: "Note")
  /// let end = try database.forEachRecordZoneChange(inZoneWith: notes, since: known) { record in
  ///   if record.recordType == "Note" { longest = max(longest, record.withUTF8(text) { $0.count } ?? 0) }
  /// } deleted: { deletion in
  ///   local[deletion.recordID] = nil
  /// }
  /// known = end.changeToken                       // once more with it where there is end.moreComing
  /// ```
  ///
  /// Nothing is copied but what is asked for. A zone has records of several types, and a ``RecordField`` is one's: of the
  /// others' records it reads nothing. All are read as of one commit; no lock is held meanwhile, so that both
  /// may use the database. Where one of them throws there is no token: what they were called with comes again.
  ///
  /// Differs from `CKDatabase`, which has none.
  ///
  /// - Parameters:
  ///   - zoneID: The zone.
  ///   - token: The token of the changes before; nil where nothing is known of the zone.
  ///   - resultsLimit: The most records and deletions together, at least 1; ``Limits/itemsPerOperation`` where nil.
  ///   - changed: Called with each record, of whatever type (``RecordView/recordType``), in the order of
  ///     ``RecordZoneChanges/records``.
  ///   - deleted: Called with each that was deleted, in the order of the deletions.
  /// - Returns: The token to go on from, and whether there is more to fetch at once.
  /// - Throws: As ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)``, and what `changed` and `deleted` throw,
  ///   which is a ``ZoneQueryError`` too.
  ///
  /// Complexity: as ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)``, but for what is not read.
  public func forEachRecordZoneChange(
    inZoneWith zoneID: ZoneID, since token: ChangeToken? = nil, resultsLimit: Int? = nil,
    _ changed: (borrowing RecordView) throws(ZoneQueryError) -> Void,
    deleted: (RecordZoneChanges.Deletion) throws(ZoneQueryError) -> Void
  ) throws(ZoneQueryError) -> (changeToken: ChangeToken, moreComing: Bool) {
    try telling(DatabaseEvent(.fetchChanges, zoneID: zoneID)) { outcome throws(ZoneQueryError) in
      let limit = resultsLimit ?? max(1, configuration.limits.itemsPerOperation)
      let (snapshot, list) = try changeList(zoneID, since: token, limit: limit)
      defer { withExtendedLifetime(snapshot) {} }
      // What is read of a type's records is brought near of those that follow.
      var fields = Array(repeating: FieldsRead(), count: snapshot.sources.count)
      try list.forEachRun { (table, slots) throws(ZoneQueryError) in
        try RecordView.lend(slots, of: snapshot.sources[table], fields: &fields[table]) {
          record throws(ZoneQueryError) in
          outcome.returned += 1
          try changed(record)
        }
      }
      for slot in list.deletions {
        outcome.returned += 1
        try deleted(snapshot.state.deletion(slot))
      }
      return (self.token(of: snapshot.state, list.end), list.hasMore)
    }
  }

  /// What changed in a zone, of which nobody is told; of the records of some types where these are named.
  func changes(
    _ zoneID: ZoneID, since token: ChangeToken?, _ desiredKeys: Set<ByteKey>?, limit: Int,
    of recordTypes: Set<ByteKey>? = nil
  ) throws(ZoneQueryError) -> RecordZoneChanges {
    let (snapshot, list) = try changeList(zoneID, since: token, limit: limit, of: recordTypes)
    defer { withExtendedLifetime(snapshot) {} }
    var changes = RecordZoneChanges(changeToken: self.token(of: snapshot.state, list.end), moreComing: list.hasMore)
    snapshot.state.read(list, desiredKeys, into: &changes)
    return changes
  }

  /// What changed in a zone, and the version in which it is to be read.
  private func changeList(
    _ zoneID: ZoneID, since token: ChangeToken?, limit: Int, of recordTypes: Set<ByteKey>? = nil
  ) throws(ZoneQueryError) -> (snapshot: ZoneSnapshot, list: ChangeList) {
    try Database.check(
      resultsLimit: limit, hint: "leave it out for as many as one operation takes, or pass .max for all")
    let zone = try zone(zoneID)
    if !zone.tracksChanges {
      throw ZoneQueryError(
        .database, .invalidZone, "The default zone does not track changes", hint: "custom zones do: createZone(_:)")
    }
    let position = try token.map { (token: ChangeToken) throws(ZoneQueryError) in
      guard case .zone(let other, let position) = try token.content(key: cursorKey) else {
        throw ChangeToken.invalid(
          "it is one of the database's, not of a zone's changes",
          hint: "give the token that the zone's changes came with, or none to fetch everything")
      }
      if other != zoneID {
        throw ChangeToken.invalid(
          "it is one of the zone '\(SyntaxError.excerpt("\(other)"))', not of '\(SyntaxError.excerpt("\(zoneID)"))'",
          hint: "give the token that this zone's changes came with, or none to fetch everything")
      }
      return position
    }
    let snapshot = zone.pinned()
    if let position, !snapshot.state.knowsChanges(behind: position) {
      throw ChangeToken.expired(
        "not all that changed in '\(SyntaxError.excerpt("\(zoneID)"))' since then is known any more")
    }
    return (snapshot, snapshot.state.changes(behind: position, limit: limit, of: recordTypes))
  }

  /// The token of a place in a zone's changes, or of their end.
  func token(of state: ZoneState, _ position: ChangePosition? = nil) -> ChangeToken {
    ChangeToken(.zone(state.id, position ?? ChangePosition(since: state.changeNumber)), key: cursorKey)
  }

  /// The custom zones that changed since a change token was made, and those that were deleted.
  ///
  /// ```swift
  /// let changes = try database.databaseChanges(since: known)
  /// for zoneID in changes.changedZoneIDs { try fetchChanges(zoneID) }
  /// for zoneID in changes.deletedZoneIDs { local = local.filter { $0.key.zoneID != zoneID } }
  /// known = changes.changeToken
  /// ```
  ///
  /// Without a token these are all custom zones, and none that was deleted before. Each is told once, and once more where it
  /// changed meanwhile. A public database has no custom zones, and so no changes.
  ///
  /// - Parameters:
  ///   - token: The token of the changes before; nil where nothing is known of the database.
  ///   - resultsLimit: The most zones, at least 1; all where nil.
  /// - Returns: The zones, and the token to go on from.
  /// - Throws: `changeTokenExpired` where the token is another database's, one of another process included, or more of the
  ///   zones that were deleted since are not there again than ``Limits/rememberedDeletions``; `invalidChangeToken`;
  ///   `invalidQuery` for a limit below 1.
  ///
  /// Complexity: linear in the number of zones, and n log n in those that changed.
  public func databaseChanges(
    since token: ChangeToken? = nil, resultsLimit: Int? = nil
  ) throws(ZoneQueryError) -> DatabaseChanges {
    try telling(DatabaseEvent(.fetchChanges)) { outcome throws(ZoneQueryError) in
      let changes = try changes(behind: token, limit: resultsLimit ?? .max)
      outcome.returned = changes.count
      return changes
    }
  }

  /// The changes of zones, of which nobody is told.
  func changes(behind token: ChangeToken?, limit: Int) throws(ZoneQueryError) -> DatabaseChanges {
    try Database.check(resultsLimit: limit, hint: "leave it out for all zones")
    var known: ChangedZones.Position?
    if let token {
      guard case .database(let epoch, let position) = try token.content(key: cursorKey) else {
        throw ChangeToken.invalid(
          "it is one of a zone's changes, not of the database's",
          hint: "give the token that the database's changes came with, or none to fetch everything")
      }
      if epoch != self.epoch { throw ChangeToken.expired("another database made it") }
      known = position
    }
    // First the count: what changes behind it is told next time, too.
    let most = limit == .max ? .max : limit + 1
    let view = standing.changedZones.view(deletionsBehind: known?.since ?? .max, most: most)
    if let known {
      if known.since > view.count { throw ChangeToken.invalid("it is newer than all that changed") }
      if known.since < view.forgotten {
        throw ChangeToken.expired("not all zones that were deleted since are known any more")
      }
    }
    let start = known ?? ChangedZones.Position(since: view.count, place: 0)
    // Where there are as many deletions as were asked for, there may be more, behind the last of them.
    let areAll = view.deletions.count < most
    let bound = areAll ? .max : view.deletions.last?.number ?? .max
    // One that was created again since is told next time.
    let (zones, deletions) = zones(without: view.deletions)
    var found = zones.filter(\.tracksChanges).map { (id: $0.id, number: $0.lastChange, isDeleted: false) }
      .filter { $0.number > (start.place ?? start.since) && $0.number <= bound }
    found += deletions.map { (id: $0.id, number: $0.number, isDeleted: true) }
    var (end, hasMore) = (areAll ? view.count : bound, !areAll)
    if found.count > limit {
      (end, hasMore) = (found.map(\.number).sorted()[limit - 1], true)
      found.removeAll { $0.number > end }
    }
    found.sort { $0.number < $1.number }
    var next = ChangedZones.Position(since: min(end, view.count))
    if hasMore, start.place != nil, end <= start.since {
      next = ChangedZones.Position(since: start.since, place: end)
    }
    return DatabaseChanges(
      changedZoneIDs: found.filter { !$0.isDeleted }.map(\.id), deletedZoneIDs: found.filter(\.isDeleted).map(\.id),
      changeToken: ChangeToken(.database(epoch: epoch, next), key: cursorKey), moreComing: hasMore)
  }
}

extension ZoneState {
  /// Reads the records of some changes, with the fields wanted or all.
  fileprivate func read(_ list: ChangeList, _ desiredKeys: Set<ByteKey>?, into changes: inout RecordZoneChanges) {
    var readers: [Int: RecordReader] = [:]
    changes.records.reserveCapacity(list.places.count)
    list.forEachRun { table, slots in
      var reader = readers[table] ?? RecordReader(tables[table], fields: fields(desiredKeys, ofTable: table))
      reader.append(slots, slots.indices, to: &changes.records)
      readers[table] = reader
    }
    changes.deletions = list.deletions.map { deletion($0) }
  }

  /// What is known of a deleted record, by its slot among the deletions.
  fileprivate func deletion(_ slot: UInt32) -> RecordZoneChanges.Deletion {
    // Of a table what is needed alone: a copy of it counts a reference for each of its parts.
    let name = deletions[0].rows.withName(Int(slot)) { String(copying: $0) }
    return RecordZoneChanges.Deletion(
      recordID: RecordID(recordName: name, zoneID: id),
      recordType: tables[table(ofDeletion: slot)].layout.recordType.name)
  }

  /// The numbers of a table's fields that are among some names; nil where these are.
  private func fields(_ names: Set<ByteKey>?, ofTable table: Int) -> [FieldNumber]? {
    guard let names else { return nil }
    let fields = tables[table].layout.recordType.fields
    return fields.indices.filter { names.contains(ByteKey(fields[$0].name)) }.map { .position($0) }
  }
}

extension ChangeList {
  /// Calls `body` with the slots of the records of each table that follow one another, deletions among them left out.
  fileprivate func forEachRun<Failure: Error>(
    _ body: (_ table: Int, _ slots: [UInt32]) throws(Failure) -> Void
  ) throws(Failure) {
    var slots: [UInt32] = []
    slots.reserveCapacity(places.count)
    var table = ChangePlace.deletions
    for place in places where place.table != ChangePlace.deletions {
      if place.table != table, !slots.isEmpty {
        try body(table, slots)
        slots.removeAll(keepingCapacity: true)
      }
      table = place.table
      slots.append(place.slot)
    }
    if !slots.isEmpty { try body(table, slots) }
  }

  /// The slots among the deletions of the records that were deleted.
  fileprivate var deletions: some Sequence<UInt32> {
    places.lazy.filter { $0.table == ChangePlace.deletions }.map(\.slot)
  }
}
