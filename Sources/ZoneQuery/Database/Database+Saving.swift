extension Database {
  /// What became of each record of a modification, in the order given.
  public struct ModifyResults: Sendable {
    /// The records as stored, or why they were not.
    public var saves: [Result<Record, ZoneQueryError>]
    /// The IDs of all records deleted with each one, cascades included (none for one that an earlier item's cascade
    /// deleted), or why it was not deleted.
    public var deletions: [Result<[RecordID], ZoneQueryError>]
  }

  /// Saves one record and returns it as stored, with its new change tag and dates.
  ///
  /// - Throws: `serverRecordChanged` where the stored record is newer, `invalidRecord` where a name or a value is not
  ///   acceptable or does not fit the schema, `zoneNotFound`, `limitExceeded`, `referenceViolation`.
  @discardableResult
  public func save(
    _ record: Record, policy: SavePolicy = .ifServerRecordUnchanged
  ) throws(ZoneQueryError) -> Record {
    let results = try modify(saving: [record], policy: policy)
    return try results.saves[0].get()
  }

  /// Saves records: all or none in a custom zone, each for itself in the default zone.
  ///
  /// - Returns: A result for each record, in the order given.
  /// - Throws: `limitExceeded` where there are more records than one operation takes.
  @discardableResult
  public func save(
    _ records: [Record], policy: SavePolicy = .ifServerRecordUnchanged
  ) throws(ZoneQueryError) -> [Result<Record, ZoneQueryError>] {
    try modify(saving: records, policy: policy).saves
  }

  /// Deletes a record, and with it those that refer to it by `.deleteSelf`.
  ///
  /// - Returns: The IDs of all records deleted.
  /// - Throws: `unknownItem` where there is no such record, `zoneNotFound`.
  @discardableResult
  public func deleteRecord(withID id: RecordID) throws(ZoneQueryError) -> [RecordID] {
    try modify(deleting: [id]).deletions[0].get()
  }

  /// Deletes records: all or none in a custom zone, each for itself in the default zone.
  ///
  /// - Returns: A result for each ID, in the order given.
  @discardableResult
  public func deleteRecords(withIDs ids: [RecordID]) throws(ZoneQueryError) -> [Result<[RecordID], ZoneQueryError>] {
    try modify(deleting: ids).deletions
  }

  /// Saves and deletes records in one commit a zone: first the saves, then the deletions, in the order given.
  ///
  /// In a custom zone one failure fails the batch: the others' results are `batchRequestFailed` and nothing is
  /// changed. The default zone takes each for itself.
  ///
  /// - Throws: `limitExceeded` where there are more items than one operation takes.
  public func modify(
    saving records: [Record] = [], deleting ids: [RecordID] = [], policy: SavePolicy = .ifServerRecordUnchanged
  ) throws(ZoneQueryError) -> ModifyResults {
    let count = records.count + ids.count
    if count > configuration.limits.itemsPerOperation {
      throw ZoneQueryError(
        .database, .limitExceeded,
        "\(count) items are more than the \(configuration.limits.itemsPerOperation) that one operation takes",
        hint: "split them, or raise Limits.itemsPerOperation")
    }
    var results = ModifyResults(
      saves: records.map { .failure(Database.zoneNotFound($0.recordID.zoneID, recordID: $0.recordID)) },
      deletions: ids.map { .failure(Database.zoneNotFound($0.zoneID, recordID: $0)) })
    var zoneIDs: [ZoneID] = []
    var seen: Set<ZoneID> = []
    for id in records.map(\.recordID.zoneID) + ids.map(\.zoneID) where seen.insert(id).inserted { zoneIDs.append(id) }
    for zoneID in zoneIDs {
      guard let zone = try? zone(zoneID) else { continue }
      let saving = records.indices.filter { records[$0].recordID.zoneID == zoneID }
      let deleting = ids.indices.filter { ids[$0].zoneID == zoneID }
      try commit(
        Batch(records: records, saving: saving, ids: ids, deleting: deleting, policy: policy), to: zone, &results)
    }
    return results
  }

  /// The part of a modification that concerns one zone.
  private struct Batch {
    var records: [Record]
    var saving: [Int]
    var ids: [RecordID]
    var deleting: [Int]
    var policy: SavePolicy
  }

  private func commit(_ batch: Batch, to zone: Zone, _ results: inout ModifyResults) throws(ZoneQueryError) {
    let isAtomic = !zone.id.isDefault
    var outcome = results
    do throws(ZoneQueryError) {
      try withSchema { (schema: inout Schema) throws(ZoneQueryError) in
        _ = try zone.commit(publishing: { names, before, after, publish in
          standing.publish(names, of: zone.id, from: before, to: after, publish)
        }) { (state: inout ZoneState) throws(ZoneQueryError) -> [String] in
          var changed: [String] = []
          let companions = Set(batch.saving.map { ByteKey(batch.records[$0].recordID.recordName) })
          var saved: Set<ByteKey> = []
          var failure: ZoneQueryError?
          for index in batch.saving {
            let record = batch.records[index]
            do throws(ZoneQueryError) {
              if !saved.insert(ByteKey(record.recordID.recordName)).inserted {
                throw Database.invalid("The record is saved twice in one operation", record)
              }
              outcome.saves[index] = .success(
                try save(record, batch.policy, companions: companions, into: &state, &schema))
              changed.append(record.recordID.recordName)
            } catch {
              outcome.saves[index] = .failure(error)
              failure = failure ?? error
            }
          }
          var cascaded: Set<RecordID> = []
          for index in batch.deleting {
            if cascaded.contains(batch.ids[index]) {
              outcome.deletions[index] = .success([])
              continue
            }
            let deleted = state.delete(batch.ids[index].recordName)
            cascaded.formUnion(deleted)
            for id in deleted
            where !saved.contains(ByteKey(id.recordName))
              || !changed.contains(where: {
                sameBytes($0, id.recordName)
              })
            {
              changed.append(id.recordName)
            }
            if deleted.isEmpty {
              let error = Database.unknownItem(batch.ids[index])
              outcome.deletions[index] = .failure(error)
              failure = failure ?? error
            } else {
              outcome.deletions[index] = .success(deleted)
            }
          }
          // Nothing of this commit is published where it throws.
          if isAtomic, let failure { throw failure }
          return changed
        }
      }
      results = outcome
      standing.deliver()
    } catch {
      results = outcome
      for index in batch.saving where isSuccess(results.saves[index]) {
        results.saves[index] = .failure(Database.batchFailed(batch.records[index].recordID))
      }
      for index in batch.deleting where isSuccess(results.deletions[index]) {
        results.deletions[index] = .failure(Database.batchFailed(batch.ids[index]))
      }
    }
  }

  private func isSuccess<Value>(_ result: Result<Value, ZoneQueryError>) -> Bool {
    if case .success = result { true } else { false }
  }

  /// Saves one record into the state of a commit.
  private func save(
    _ record: Record, _ policy: SavePolicy, companions: Set<ByteKey>, into state: inout ZoneState,
    _ schema: inout Schema
  ) throws(ZoneQueryError) -> Record {
    try checkNames(record)
    let stored = state.record(record.recordID.recordName)
    var saved = record
    if let stored {
      if !sameBytes(stored.recordType, record.recordType) {
        throw Database.invalid(
          "The zone has a record '\(record.recordID)' of type '\(stored.recordType)'; a record's type cannot change",
          record)
      }
      switch policy {
      case .ifServerRecordUnchanged where !sameBytes(stored.changeTag, record.changeTag):
        throw ZoneQueryError(
          .database, .serverRecordChanged,
          record.changeTag == nil
            ? "The record '\(record.recordID)' exists already" : "The record '\(record.recordID)' has changed",
          hint: "fetch it and apply the change to it, or save with another policy", recordID: record.recordID,
          conflict: ZoneQueryError.Conflict(serverRecord: stored, clientRecord: record, ancestorRecord: nil))
      case .ifServerRecordUnchanged, .changedKeys, .allKeys: break
      }
      // What was never fetched is not meant to go.
      if policy == .changedKeys || record.isPartial, policy != .allKeys {
        for field in stored.fields where record[field.name] == nil { saved[field.name] = field.value }
        saved.parent = record.parent ?? stored.parent
      }
    } else if policy == .ifServerRecordUnchanged, record.changeTag != nil {
      throw Database.unknownItem(record.recordID)
    }
    var proposed = schema
    let recordType = try conform(&saved, to: &proposed)
    try checkReferences(saved, companions: companions, in: state)
    schema = proposed
    let now = configuration.clock()
    let user = RecordID(recordName: configuration.userRecordName)
    saved.creationDate = stored?.creationDate ?? now
    saved.creatorUserRecordID = stored?.creatorUserRecordID ?? user
    saved.modificationDate = now
    saved.lastModifiedUserRecordID = user
    return state.store(saved, as: recordType)
  }

  /// Stores many records at once, each in place of the one of its name, without the limit on the size of an
  /// operation: for filling a database from a file. Dates and users that a record carries are kept; those it lacks
  /// are the moment and user of the load. Zones that do not exist are created. Names that only a server gives, with a
  /// leading underscore, are taken, as an export may hold them.
  ///
  /// - Returns: The number of records stored.
  /// - Throws: The first record's error; then no record of its zone is stored.
  @discardableResult
  public func load(_ records: some Sequence<Record>) throws(ZoneQueryError) -> Int {
    var zoneIDs: [ZoneID] = []
    var byZone: [ZoneID: [Record]] = [:]
    for record in records {
      if byZone[record.recordID.zoneID] == nil { zoneIDs.append(record.recordID.zoneID) }
      byZone[record.recordID.zoneID, default: []].append(record)
    }
    let now = configuration.clock()
    let user = RecordID(recordName: configuration.userRecordName)
    var count = 0
    for zoneID in zoneIDs {
      if (try? zone(zoneID)) == nil { try createZone(zoneID) }
      let zone = try zone(zoneID)
      let records = byZone[zoneID] ?? []
      try withSchema { (schema: inout Schema) throws(ZoneQueryError) in
        _ = try zone.commit(publishing: { names, before, after, publish in
          standing.publish(names, of: zone.id, from: before, to: after, publish)
        }) { (state: inout ZoneState) throws(ZoneQueryError) -> [String] in
          state.beginBulk(records.count)
          for record in records {
            try checkNames(record, mayBeServerGiven: true)
            if let stored = state.record(record.recordID.recordName, desiredKeys: []),
              !sameBytes(stored.recordType, record.recordType)
            {
              throw Database.invalid(
                "The zone has a record '\(record.recordID)' of type '\(stored.recordType)'", record)
            }
            try checkReferenceNames(record)
            var loaded = record
            let recordType = try conform(&loaded, to: &schema)
            loaded.creationDate = record.creationDate ?? now
            loaded.creatorUserRecordID = record.creatorUserRecordID ?? user
            loaded.modificationDate = record.modificationDate ?? now
            loaded.lastModifiedUserRecordID = record.lastModifiedUserRecordID ?? user
            _ = state.store(loaded, as: recordType)
          }
          state.endBulk()
          return Database.distinctNames(of: records)
        }
      }
      standing.deliver()
      count += records.count
    }
    return count
  }

  /// The names of records, each once.
  private static func distinctNames(of records: [Record]) -> [String] {
    var seen: Set<ByteKey> = []
    seen.reserveCapacity(records.count)
    return records.compactMap { record in
      let name = record.recordID.recordName
      return seen.insert(ByteKey(name)).inserted ? name : nil
    }
  }
}
