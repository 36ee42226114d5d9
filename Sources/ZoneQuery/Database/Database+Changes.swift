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
  /// record that was created and deleted since the token counts as deleted.
  ///
  /// As CloudKit's, the default zone does not track changes.
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
  /// Complexity: linear in what is returned, times the logarithm of the zone's records; linear in its record types.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since token: ChangeToken? = nil, desiredKeys: [String]? = nil, resultsLimit: Int? = nil
  ) throws(ZoneQueryError) -> RecordZoneChanges {
    try telling(DatabaseEvent(.fetchChanges, zoneID: zoneID)) { outcome throws(ZoneQueryError) in
      let limit = resultsLimit ?? max(1, configuration.limits.itemsPerOperation)
      let changes = try changes(zoneID, since: token, desiredKeys, limit: limit)
      outcome.returned = changes.count
      return changes
    }
  }

  /// What changed in a zone, of which nobody is told; of the records of some types where these are named.
  func changes(
    _ zoneID: ZoneID, since token: ChangeToken?, _ desiredKeys: [String]?, limit: Int, of recordTypes: [String]? = nil
  ) throws(ZoneQueryError) -> RecordZoneChanges {
    try Database.check(resultsLimit: limit)
    let zone = try zone(zoneID)
    if !zone.tracksChanges {
      throw ZoneQueryError(
        .database, .invalidZone, "The default zone does not track changes", hint: "custom zones do: createZone(_:)")
    }
    let position = try token.map { (token: ChangeToken) throws(ZoneQueryError) in
      guard case .zone(let other, let position) = try token.content(key: cursorKey) else {
        throw ChangeToken.invalid("it is one of the database's, not of a zone's changes")
      }
      if other != zoneID { throw ChangeToken.invalid("it is one of the zone '\(other)', not of '\(zoneID)'") }
      return position
    }
    return try zone.read { (state: ZoneState) throws(ZoneQueryError) in
      if let position, !state.knowsChanges(since: position.since) {
        throw ChangeToken.expired("not all that changed in '\(zoneID)' since then is known any more")
      }
      let list = state.changes(behind: position, limit: limit, of: recordTypes)
      var changes = RecordZoneChanges(
        changeToken: ChangeToken(.zone(zoneID, list.end), key: cursorKey), moreComing: list.hasMore)
      state.read(list.items, desiredKeys, into: &changes)
      return changes
    }
  }

  /// The custom zones that changed since a change token was made, each once, and those that were deleted.
  ///
  /// ```swift
  /// let changes = try database.databaseChanges(since: known)
  /// for zoneID in changes.changedZoneIDs { try fetchChanges(zoneID) }
  /// for zoneID in changes.deletedZoneIDs { local = local.filter { $0.key.zoneID != zoneID } }
  /// known = changes.changeToken
  /// ```
  ///
  /// Without a token these are all custom zones, and none that was deleted.
  ///
  /// - Parameters:
  ///   - token: The token of the changes before; nil where nothing is known of the database.
  ///   - resultsLimit: The most zones, at least 1; all where nil.
  /// - Returns: The zones, and the token to go on from.
  /// - Throws: `changeTokenExpired` where the token is another database's, one of another process included, or more zones were
  ///   deleted since than ``Limits/rememberedDeletions``; `invalidChangeToken`; `invalidQuery` for a limit below 1.
  ///
  /// Complexity: linear in the number of zones, and sorting those that are returned.
  public func databaseChanges(
    since token: ChangeToken? = nil, resultsLimit: Int? = nil
  ) throws(ZoneQueryError) -> DatabaseChanges {
    try telling(DatabaseEvent(.fetchChanges)) { outcome throws(ZoneQueryError) in
      let changes = try changes(of: token, resultsLimit ?? .max)
      outcome.returned = changes.count
      return changes
    }
  }

  private func changes(of token: ChangeToken?, _ limit: Int) throws(ZoneQueryError) -> DatabaseChanges {
    try Database.check(resultsLimit: limit)
    // First the count: what changes behind it is told next time, too.
    let state = standing.changedZones.current
    var since: UInt64 = 0
    if let token {
      guard case .database(let epoch, let changes) = try token.content(key: cursorKey) else {
        throw ChangeToken.invalid("it is one of a zone's changes, not of the database's")
      }
      if epoch != self.epoch { throw ChangeToken.expired("another database made it") }
      if changes > state.count { throw ChangeToken.invalid("it is newer than all that changed") }
      if changes < state.forgotten {
        throw ChangeToken.expired("not all zones that were deleted since are known any more")
      }
      since = changes
    }
    let zones = zones
    var found = zones.filter(\.tracksChanges).map { (id: $0.id, number: $0.lastChange, isDeleted: false) }
      .filter { $0.number > since }
    if token != nil {
      // One that was created again meanwhile is there.
      let known = Set(zones.map(\.id))
      found += state.deleted.filter { $0.value > since && !known.contains($0.key) }.map {
        (id: $0.key, number: $0.value, isDeleted: true)
      }
    }
    found.sort { $0.number < $1.number }
    let hasMore = found.count > limit
    let told = found.prefix(limit)
    let end = hasMore ? told.last?.number ?? since : state.count
    return DatabaseChanges(
      changedZoneIDs: told.filter { !$0.isDeleted }.map(\.id), deletedZoneIDs: told.filter(\.isDeleted).map(\.id),
      changeToken: ChangeToken(.database(epoch: epoch, changes: min(end, state.count)), key: cursorKey),
      moreComing: hasMore)
  }
}

extension ZoneState {
  /// Reads the records of some changes, with the fields wanted or all.
  fileprivate func read(_ items: [ChangeList.Item], _ desiredKeys: [String]?, into changes: inout RecordZoneChanges) {
    var readers: [Int: RecordReader] = [:]
    // Records of a type that follow one another are read together.
    var (table, slots): (Int, [UInt32]) = (0, [])
    func flush() {
      if slots.isEmpty { return }
      var reader = readers[table] ?? RecordReader(tables[table], fields: fields(desiredKeys, table: table))
      reader.append(slots, slots.indices, to: &changes.records)
      readers[table] = reader
      slots = []
    }
    for item in items {
      switch item {
      case .saved(let number, let slot):
        if number != table { flush() }
        table = number
        slots.append(slot)
      case .deleted(let slot):
        let (name, type) = deletion(slot)
        changes.deletions.append(
          RecordZoneChanges.Deletion(recordID: RecordID(recordName: name, zoneID: id), recordType: type))
      }
    }
    flush()
  }
}
