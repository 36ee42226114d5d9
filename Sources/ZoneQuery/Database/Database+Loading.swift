extension Database {
  /// Stores many records at once, each in place of the one of its name, without the limit on the size of an
  /// operation: for filling a database from a file. Dates and users that a record carries are kept; those it lacks
  /// are the moment and user of the load. So are change tags such as a database gives, of records that the zone does not
  /// have: what a client fetched before an export can then be saved behind the load of it, unless it has changed, and never
  /// if it has, for no tag is given twice, by whatever database. A record that was changed since a database gave it has a new
  /// tag, one that is read and then changed too where it is read by ``Record/asFetched()``; one that is edited in its file is to
  /// have none there. Zones that do not exist are created. Names that only a
  /// server gives, with a leading underscore, are taken, as an export may hold them; so are parents that are not there, which
  /// may come with a later file, and as many `.deleteSelf` references to one record as there are; references into other zones
  /// are not.
  ///
  /// - Returns: The number of records stored.
  /// - Throws: The error of the first record that cannot be stored in the first zone that has one, zones in the order of
  ///   their first records; then no record of that zone or of a later one is stored, nor is such a zone created. Zones before
  ///   it keep theirs. It is `invalidRecord`, `limitExceeded`, `referenceViolation` for a reference into another zone, or
  ///   `invalidZone` for a zone that cannot be.
  ///
  /// Complexity: n log n in the records, whose indexes are sorted; linear in their values.
  @discardableResult
  public func load(_ records: some Sequence<Record>) throws(ZoneQueryError) -> Int {
    try telling(DatabaseEvent(.load)) { outcome throws(ZoneQueryError) in
      try load(records, count: &outcome.saved)
      return outcome.saved
    }
  }

  /// Restores a custom zone that is not there: its records, and what it knew of its changes, so that change tokens from before
  /// go on under the same ``Configuration/cursorKey``, as if the zone had been here all the time.
  ///
  /// Records keep their change tags; tokens that the other process gave behind the state, or of a page that it read then, expire,
  /// as what they tell of is lost. So do all where two records have one tag, as a load of tags can bring about. A record
  /// without a tag, and one that was changed since a database gave it (``Record/asFetched()`` says so of one that is read),
  /// counts as changed since. Of what else was changed in the file tokens tell nothing. In development a deletion is forgotten,
  /// and tokens from before it expire, where no record of its type is left.
  ///
  /// Change tokens of the database (``databaseChanges(since:resultsLimit:)``) expire with the process.
  ///
  /// ```swift
  /// let state = try ZoneChangeState(json: text)
  /// try database.load(records, restoring: state)
  /// let changes = try database.recordZoneChanges(inZoneWith: state.zoneID, since: known)   // known from the process before
  /// ```
  ///
  /// Beyond CloudKit.
  ///
  /// - Parameters:
  ///   - records: The zone's records.
  ///   - state: What ``ZoneRecords/changeState`` gave with the records.
  /// - Returns: The number of records stored.
  /// - Throws: As ``load(_:)``; `invalidZone` where there is a zone of the name already and where the state's numbers leave no
  ///   room for more, `invalidRecord` for a record of another zone and where a deleted record cannot be named so. Where it
  ///   throws, nothing is restored.
  ///
  /// Complexity: n log n in the records and deletions.
  @discardableResult
  public func load(
    _ records: some Sequence<Record>, restoring state: ZoneChangeState
  ) throws(ZoneQueryError) -> Int {
    try telling(DatabaseEvent(.load, zoneID: state.zoneID)) { outcome throws(ZoneQueryError) in
      if state.changeNumber > ZoneChangeState.mostChanges {
        throw ZoneQueryError(
          .database, .invalidZone, "The zone's changes are numbered too high to go on: \(state.changeNumber)",
          hint: "load its records alone; change tokens from before expire")
      }
      let pile = PiledRecords()
      for record in records {
        if record.zoneID != state.zoneID {
          throw Database.invalid(
            "The record is not of the zone that is restored, '\(SyntaxError.excerpt("\(state.zoneID)"))'", record)
        }
        pile.append(record)
      }
      for deletion in state.deletions {
        guard
          let fault = RecordID.nameFault(
            deletion.recordName, limit: configuration.limits.nameLength, mayBeServerGiven: true)
        else { continue }
        throw ZoneQueryError(.record, .invalidRecord, "A deleted record cannot be named so: \(fault)")
      }
      let (now, count) = (configuration.clock(), pile.count)
      while true {
        if (try? zone(state.zoneID)) != nil {
          throw ZoneQueryError(
            .database, .invalidZone, "The zone '\(SyntaxError.excerpt("\(state.zoneID)"))' exists already",
            hint: "a zone is restored where there is none of its name; delete this one before")
        }
        let (zone, indexes) = try unlistedZone(state.zoneID)
        // Once more where the indexes are others meanwhile.
        if try load(pile, into: zone, now, restoring: state, entering: { self.enter(zone, indexes, $0) }) { break }
      }
      outcome.saved = count
      return count
    }
  }

  /// Stores records zone by zone, and counts those of the zones that are done.
  private func load(_ records: some Sequence<Record>, count: inout Int) throws(ZoneQueryError) {
    var batches: [(zoneID: ZoneID, records: PiledRecords)] = []
    var numbers: [ZoneID: Int] = [:]
    var number = 0
    for record in records {
      let zoneID = record.zoneID
      if number >= batches.count || batches[number].zoneID != zoneID {
        number = numbers[zoneID] ?? batches.count
        numbers[zoneID] = number
        if number == batches.count { batches.append((zoneID, PiledRecords())) }
      }
      batches[number].records.append(record)
    }
    let now = configuration.clock()
    for (zoneID, records) in batches {
      // Once more where the zone comes or goes meanwhile.
      let all = records.count
      while try !load(records, intoZone: zoneID, now) {}
      count += all
    }
  }

  /// Loads records of one zone; false, and nothing is stored, where that was created or deleted meanwhile. A zone that there
  /// was not is one of the database's from the moment that it has the records.
  private func load(
    _ records: PiledRecords, intoZone id: ZoneID, _ now: Timestamp
  ) throws(ZoneQueryError) -> Bool {
    if let zone = try? zone(id) { return try load(records, into: zone, now) }
    let (zone, indexes) = try unlistedZone(id, of: records.first?.recordID)
    return try load(records, into: zone, now) { self.enter(zone, indexes, $0) }
  }

  /// Loads records into a zone, of which `entering` makes one of the database's where it is none yet, with the schema that
  /// the records made; false, with nothing stored and the records waiting again, where the zone is deleted or not entered.
  func load(
    _ records: PiledRecords, into zone: Zone, _ now: Timestamp, restoring known: ZoneChangeState? = nil,
    entering: ((Schema) -> Bool)? = nil
  ) throws(ZoneQueryError) -> Bool {
    var isPublished = false
    var stored: [ZoneState.Position] = []
    // The change tags that records brought along, by their order, up to the last that did.
    var tags: [String?] = []
    try withSchema { (schema: inout Schema) throws(ZoneQueryError) in
      try zone.commit(publishing: { (_: Void, before, after, publish) in
        func changed() -> [StoredRecord] {
          var seen: Set<ZoneState.Position> = []
          return stored.filter { seen.insert($0).inserted }.map { after.stored(at: $0) }
        }
        standing.publish(changed().map(\.recordID.recordName), of: zone, from: before, to: after) {
          if entering == nil { self.publish(schema) }
          // Nobody sees a zone that is entered before it has the records.
          publish()
          isPublished = entering?(schema) ?? true
          return isPublished
        }
        if isPublished { return }
        // They are nowhere else any more. Of those of one name the last is left, which has no tag of its own.
        var times: [ZoneState.Position: Int] = [:]
        for position in stored { times[position, default: 0] += 1 }
        for (number, position) in stored.enumerated() {
          guard let count = times.removeValue(forKey: position) else { continue }
          var record = after.stored(at: position).record
          record.changeTag = count == 1 && number < tags.count ? tags[number] : nil
          records.append(record.asFetched())
        }
      }) { (state: inout ZoneState) throws(ZoneQueryError) in
        if let known { state.beginRestoring(known) }
        if environment == .development { state.adoptFields(of: schema) }
        state.beginBulk(records.count)
        state.beginBatch(records.count)
        stored.reserveCapacity(records.count)
        try records.forEach { (record: inout Record) throws(ZoneQueryError) in
          // The tag of one that was changed is that of another content.
          let tag = record.isChanged ? nil : record.changeTag
          if let tag {
            tags += repeatElement(nil, count: stored.count - tags.count)
            tags.append(tag)
          }
          stored.append(try load(&record, tag, into: &state, &schema, now))
        }
        state.endBatch()
        // The indexes are built in the memory that they had.
        records.removeAll()
        state.endBulk()
        if let known { state.endRestoring(known, schema) }
      }
    }
    if !isPublished { return false }
    standing.deliver()
    return true
  }

  /// Stores one record of a load, with the change tag that it brought along, into the state of a commit, and tells where.
  @inline(__always)
  private func load(
    _ record: inout Record, _ tag: String?, into state: inout ZoneState, _ schema: inout Schema, _ now: Timestamp
  ) throws(ZoneQueryError) -> ZoneState.Position {
    try checkNames(record, mayBeServerGiven: true)
    let place = state.place(of: record.recordName)
    if place.isFound, case let type = state.tables[place.table].layout.recordType.name,
      !sameBytes(type, record.recordType)
    {
      throw Database.typeDiffers(record, from: type)
    }
    if record.holdsReferences { try checkReferencedIDs(record) }
    let (table, fit): (Int, RecordFit)
    if let known = state.position(of: record.recordType), let all = try state.tables[known].shape.fit(&record) {
      (table, fit) = (known, all)
    } else {
      let conformed = try conform(&record, to: &schema)
      (table, fit) = (state.table(for: conformed.type), conformed.fit)
    }
    try checkSize(record, fit, keepingOthersOf: nil)
    if record.creationDate == nil { record.creationDate = now }
    if let creator = record.creatorUserRecordID {
      try checkName(of: creator, record)
    } else {
      record.creatorUserRecordID = user
    }
    if record.modificationDate == nil { record.modificationDate = now }
    if let modifier = record.lastModifiedUserRecordID {
      try checkName(of: modifier, record)
    } else {
      record.lastModifiedUserRecordID = user
    }
    let number = place.isFound ? nil : tag.flatMap(state.changeNumber)
    return state.store(record, fit.positions, in: table, at: place, tagged: number)
  }

  /// The name of a record's user, which is no field, whose bytes count, is as long as a name may be.
  private func checkName(of user: RecordID, _ record: Record) throws(ZoneQueryError) {
    let (count, most) = (user.recordName.utf8.count, configuration.limits.nameLength)
    if count <= most { return }
    throw Database.invalid("A user's name has at most \(most) characters; this one has \(count)", record)
  }
}

/// Records that wait to be loaded, in pieces: one array would be moved each time it grows.
final class PiledRecords {
  private var pieces: [[Record]] = []
  private(set) var count = 0

  /// How many records lie together: less than what the system maps apart.
  private static var pieceCount: Int { 256 }

  var first: Record? { pieces.first?.first }

  func append(_ record: Record) {
    if count % PiledRecords.pieceCount == 0 {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(PiledRecords.pieceCount)
    }
    pieces[pieces.count - 1].append(record)
    count += 1
  }

  /// Calls `body` with each record, to be changed where it lies.
  @inline(__always)
  func forEach(_ body: (inout Record) throws(ZoneQueryError) -> Void) throws(ZoneQueryError) {
    for number in pieces.indices {
      var piece: [Record] = []
      swap(&piece, &pieces[number])
      defer { swap(&piece, &pieces[number]) }
      for index in piece.indices { try body(&piece[index]) }
    }
  }

  func removeAll() { (pieces, count) = ([], 0) }
}
