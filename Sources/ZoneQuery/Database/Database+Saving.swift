extension Database {
  /// What became of each record of a modification, in the order given.
  public struct ModifyResults: Sendable {
    /// The records as stored, or why they were not.
    public var saves: [Result<Record, ZoneQueryError>]
    /// The IDs of all records deleted with each one, cascades included (none for one that an earlier item or its cascade
    /// deleted), or why it was not deleted.
    public var deletions: [Result<[RecordID], ZoneQueryError>]

    /// The records as stored and the IDs of those deleted, where all that was asked for was done.
    ///
    /// - Throws: The first failure; of a custom zone's batch the one that made the others fail, rather than theirs
    ///   (`batchRequestFailed`). What was not part of a batch that failed is done all the same.
    ///
    /// Complexity: linear in the number of results.
    public func get() throws(ZoneQueryError) -> (saved: [Record], deleted: [RecordID]) {
      do throws(ZoneQueryError) {
        return (try saves.get(), try deletions.get().flatMap(\.self))
      } catch {
        // Saves may have failed for the sake of a deletion.
        if error.code == .batchRequestFailed { _ = try deletions.get() }
        throw error
      }
    }
  }

  /// Saves one record and returns it as stored, with its new change tag and dates.
  ///
  /// A new record's name has no leading underscore: such names a server gives, and a record that
  /// ``Database/load(_:)`` stored under one can be saved over.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - policy: Which record wins where the stored one may be newer.
  ///   - desiredKeys: The fields wanted of the record as stored; all where nil, none but the system's where empty.
  /// - Returns: The record as stored, with the fields wanted.
  /// - Throws: `serverRecordChanged` where the stored record is newer; `unknownItem` where the record carries a change tag,
  ///   is saved by ``SavePolicy/ifServerRecordUnchanged`` and is no longer stored: somebody deleted it (to store it again,
  ///   save a new record with its fields, or by another policy); `invalidRecord` where a name or a value is not
  ///   acceptable or does not fit the schema; `zoneNotFound`, `limitExceeded`, `referenceViolation`.
  @discardableResult
  public func save(
    _ record: Record, policy: SavePolicy = .ifServerRecordUnchanged, desiredKeys: [String]? = nil
  ) throws(ZoneQueryError) -> Record {
    let results = try modify(saving: [record], policy: policy, desiredKeys: desiredKeys)
    return try results.saves[0].get()
  }

  /// Saves records: all or none in a custom zone, each for itself in the default zone.
  ///
  /// What cannot be saved is no error that is thrown: each record's is in its result. A record that is given twice is
  /// `invalidRecord` the second time.
  ///
  /// ```swift
  /// let saved = try database.save(records).get()   // or throws what made the batch fail
  /// ```
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - policy: Which record wins where the stored one may be newer.
  ///   - desiredKeys: The fields wanted of the records as stored; all where nil, none but the system's where empty.
  /// - Returns: A result for each record, in the order given.
  /// - Throws: `limitExceeded` where there are more records than one operation takes.
  public func save(
    _ records: [Record], policy: SavePolicy = .ifServerRecordUnchanged, desiredKeys: [String]? = nil
  ) throws(ZoneQueryError) -> [Result<Record, ZoneQueryError>] {
    try modify(saving: records, policy: policy, desiredKeys: desiredKeys).saves
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
  /// What cannot be deleted is no error that is thrown: each ID's is in its result.
  ///
  /// - Returns: A result for each ID, in the order given: the IDs of all that were deleted with it, none where an earlier
  ///   ID was the same, or its deletion took the record along.
  /// - Throws: `limitExceeded` where there are more IDs than one operation takes.
  public func deleteRecords(withIDs ids: [RecordID]) throws(ZoneQueryError) -> [Result<[RecordID], ZoneQueryError>] {
    try modify(deleting: ids).deletions
  }

  /// Saves and deletes records in one commit a zone: first the saves, then the deletions, in the order given. A record
  /// that is saved and deleted is gone behind it, and of one that was not there before no subscription tells.
  ///
  /// In a custom zone one failure fails the batch: the others' results are `batchRequestFailed` and nothing is
  /// changed. The default zone takes each for itself, and so does a custom one where it is told to.
  ///
  /// - Parameters:
  ///   - records: The records to save.
  ///   - ids: The IDs of the records to delete.
  ///   - policy: Which record wins where the stored one may be newer.
  ///   - atomically: Whether a custom zone takes all or none.
  ///   - desiredKeys: The fields wanted of the saved records as stored; all where nil, none but the system's where empty.
  /// - Returns: A result for each record and each ID, in the order given.
  /// - Throws: `limitExceeded` where there are more items than one operation takes.
  public func modify(
    saving records: [Record] = [], deleting ids: [RecordID] = [], policy: SavePolicy = .ifServerRecordUnchanged,
    atomically: Bool = true, desiredKeys: [String]? = nil
  ) throws(ZoneQueryError) -> ModifyResults {
    try modify(
      Modification(
        saving: records, deleting: ids, rule: SaveRule(policy), desiredKeys: desiredKeys, isAtomic: atomically))
  }

  /// Changes what is asked for, and tells of it.
  func modify(_ modification: Modification) throws(ZoneQueryError) -> ModifyResults {
    try telling(DatabaseEvent(.modify, zoneID: modification.soleZone)) { outcome throws(ZoneQueryError) in
      var modification = modification
      modification.desiredKeys = fieldNames(among: modification.desiredKeys, of: modification.saving)
      let results = try change(modification)
      outcome.note(results.saves)
      outcome.saved = results.saves.count - outcome.failed
      outcome.note(results.deletions)
      for case .success(let deleted) in results.deletions { outcome.deleted += deleted.count }
      return results
    }
  }

  /// How a record is saved.
  struct SaveRule {
    /// What becomes of the fields that it does not have.
    var policy: SavePolicy
    /// Whether the stored record must be the one that it was made from.
    var checksTag: Bool

    init(_ policy: SavePolicy) { self.init(policy, checksTag: policy == .ifServerRecordUnchanged) }

    init(_ policy: SavePolicy, checksTag: Bool) { (self.policy, self.checksTag) = (policy, checksTag) }
  }

  /// What one operation is to change.
  struct Modification {
    var saving: [Record] = []
    var deleting: [RecordID] = []
    var rule = SaveRule(.ifServerRecordUnchanged)
    /// The rule of each record, where they have not all the same.
    var rules: [SaveRule]?
    /// The change tag that each record must have to be deleted, if it must; nil where none must.
    var tags: [String?]?
    var desiredKeys: [String]?
    /// Whether a custom zone takes all or none.
    var isAtomic = true

    /// The zone of all that is changed, where that is one.
    var soleZone: ZoneID? { Database.soleZone(of: saving.map(\.recordID) + deleting) }
  }

  /// Changes what is asked for, zone by zone.
  private func change(_ modification: Modification) throws(ZoneQueryError) -> ModifyResults {
    let (records, ids) = (modification.saving, modification.deleting)
    let count = records.count + ids.count
    if count > configuration.limits.itemsPerOperation {
      throw ZoneQueryError(
        .database, .limitExceeded,
        "\(count) items are more than the \(configuration.limits.itemsPerOperation) that one operation takes",
        hint: "split them, or raise Limits.itemsPerOperation")
    }
    var results = ModifyResults(saves: Database.undone(records.count), deletions: Database.undone(ids.count))
    func change(_ part: Part) {
      let batch = Batch(modification: modification, saving: part.saving, deleting: part.deleting)
      if let zone = try? zone(part.zoneID) {
        commit(batch, to: zone, &results)
      } else {
        failAll(batch, &results)
      }
    }
    if let part = Database.solePart(of: records, ids) {
      change(part)
    } else {
      for part in Database.parts(of: records, ids) { change(part) }
    }
    return results
  }

  /// What stands for a result until there is one.
  private static let undone = ZoneQueryError(.database, .batchRequestFailed, "The item was not reached")

  /// So many of them.
  @inline(__always)
  private static func undone<Success>(_ count: Int) -> [Result<Success, ZoneQueryError>] {
    // One item, as most changes are of, is given its array in less time than many.
    count == 1 ? [.failure(undone)] : Array(repeating: .failure(undone), count: count)
  }

  /// The places of the records and IDs of one zone.
  private typealias Part = (zoneID: ZoneID, saving: [Int], deleting: [Int])

  /// All places, where the records and IDs are of one zone.
  private static func solePart(of records: [Record], _ ids: [RecordID]) -> Part? {
    guard let first = records.first?.zoneID ?? ids.first?.zoneID else { return nil }
    if records.count + ids.count == 1 { return (first, records.isEmpty ? [] : [0], ids.isEmpty ? [] : [0]) }
    guard records.allSatisfy({ $0.content.isOf(first) }), ids.allSatisfy({ $0.zoneID == first }) else { return nil }
    return (first, Array(records.indices), Array(ids.indices))
  }

  /// The places of the records and IDs of each zone, the zones in the order of their first.
  private static func parts(of records: [Record], _ ids: [RecordID]) -> [Part] {
    var parts: [Part] = []
    var numbers: [ZoneID: Int] = [:]
    func number(of id: ZoneID) -> Int {
      if let number = numbers[id] { return number }
      numbers[id] = parts.count
      parts.append((id, [], []))
      return parts.count - 1
    }
    for index in records.indices { parts[number(of: records[index].zoneID)].saving.append(index) }
    for index in ids.indices { parts[number(of: ids[index].zoneID)].deleting.append(index) }
    return parts
  }

  /// The part of a modification that concerns one zone.
  private struct Batch {
    let modification: Modification
    var saving: [Int]
    var deleting: [Int]
    /// Those of the records that were to be saved and are not, as their parents are not.
    var orphans: [Int] = []

    var records: [Record] { modification.saving }
    var ids: [RecordID] { modification.deleting }

    /// Whether one failure fails all.
    func isAtomic(in zone: Zone) -> Bool { modification.isAtomic && !zone.id.isDefault }
  }

  private func commit(_ batch: Batch, to zone: Zone, _ results: inout ModifyResults) {
    var targets: [Int: [RequiredTarget]] = [:]
    if attempt(batch, zone, &results, &targets) { return }
    // Once more without those that lack a record that they need, of whom there are fewer each time.
    var batch = batch
    for attempts in 2... {
      let saved = batch.saving.filter { isSuccess(results.saves[$0]) }.map { index in
        (index: index, name: batch.records[index].recordName, targets: targets[index] ?? [])
      }
      let orphans = zone.read { Database.orphans(saved, in: $0) }
      for (index, target) in orphans {
        if case .success(let record) = results.saves[index] {
          results.saves[index] = .failure(Database.missing(target, of: record))
        }
      }
      batch.saving.removeAll { orphans[$0] != nil }
      batch.orphans += orphans.keys
      if attempts > Database.mostAttempts { return giveUp(batch, &results) }
      targets = [:]
      if attempt(batch, zone, &results, &targets) { return }
    }
  }

  /// How often a batch is tried. Records can be made so that each time one more turns out to lack one that it needs, and each
  /// attempt costs what saving all of them does.
  private static let mostAttempts = 32

  /// Fails what is left of a batch.
  private func giveUp(_ batch: Batch, _ results: inout ModifyResults) {
    func error(_ id: RecordID) -> ZoneQueryError {
      ZoneQueryError(
        .record, .limitExceeded,
        "More than \(Database.mostAttempts) times another record of the operation turned out to lack a record that it needs",
        hint: "save the records in several operations, parents first", recordID: id)
    }
    for index in batch.saving { results.saves[index] = .failure(error(batch.records[index].recordID)) }
    for index in batch.deleting { results.deletions[index] = .failure(error(batch.ids[index])) }
  }

  /// Commits a batch, or says in the results why not; `targets` get what has to be there for each record that is saved.
  ///
  /// - Returns: False, with nothing changed, where a record lacks one that it needs, so that the batch is to be tried again
  ///   without it.
  private func attempt(
    _ batch: Batch, _ zone: Zone, _ results: inout ModifyResults, _ targets: inout [Int: [RequiredTarget]]
  ) -> Bool {
    var hasOrphans = false
    do throws(ZoneQueryError) {
      let changed = try withSchema { (schema: inout Schema) throws(ZoneQueryError) in
        try zone.commit(publishing: { names, before, after, publish in
          standing.publish(names, of: zone, from: before, to: after) {
            self.publish(schema)
            publish()
            return true
          }
        }) { (state: inout ZoneState) throws(ZoneQueryError) -> [String] in
          var changed: [String] = []
          state.beginBatch(batch.saving.count + batch.deleting.count)
          let saveFailure = save(batch, into: &state, &schema, &results, &changed, &targets)
          hasOrphans =
            saveFailure != nil && !batch.isAtomic(in: zone)
            && targets.contains { isSuccess(results.saves[$0.key]) && isAnyMissing($0.value, in: state) }
          // Nothing of this commit is published where it throws.
          if hasOrphans { throw Database.undone }
          let failure = delete(batch, from: &state, &results, &changed)
          if batch.isAtomic(in: zone), let failure = saveFailure ?? failure { throw failure }
          state.endBatch()
          return changed
        }
      }
      if changed == nil { failAll(batch, &results) } else { standing.deliver() }
    } catch {
      if hasOrphans { return false }
      fail(batch, &results)
    }
    return true
  }

  /// Says of the items of a batch that there is no zone for them.
  private func failAll(_ batch: Batch, _ results: inout ModifyResults) {
    for index in batch.saving {
      let id = batch.records[index].recordID
      results.saves[index] = .failure(zoneNotFound(id.zoneID, recordID: id))
    }
    for index in batch.deleting {
      let id = batch.ids[index]
      results.deletions[index] = .failure(zoneNotFound(id.zoneID, recordID: id))
    }
  }

  /// Says of the items of a batch of which nothing was kept that the others failed.
  private func fail(_ batch: Batch, _ results: inout ModifyResults) {
    let first =
      batch.saving.first { !isSuccess(results.saves[$0]) }.map { batch.records[$0].recordID }
      ?? batch.deleting.first { !isSuccess(results.deletions[$0]) }.map { batch.ids[$0] }
    for index in batch.saving where isSuccess(results.saves[index]) {
      results.saves[index] = .failure(Database.batchFailed(batch.records[index].recordID, because: first))
    }
    for index in batch.deleting where isSuccess(results.deletions[index]) {
      results.deletions[index] = .failure(Database.batchFailed(batch.ids[index], because: first))
    }
  }

  /// Whether any of those that have to be there is neither stored nor saved.
  private func isAnyMissing(_ targets: [RequiredTarget], in state: ZoneState) -> Bool {
    targets.contains { !state.contains($0.recordName) }
  }

  private func isSuccess<Value>(_ result: Result<Value, ZoneQueryError>) -> Bool {
    if case .success = result { true } else { false }
  }

  /// Saves the records of a batch into the state of a commit.
  ///
  /// - Returns: The first failure.
  private func save(
    _ batch: Batch, into state: inout ZoneState, _ schema: inout Schema, _ results: inout ModifyResults,
    _ changed: inout [String], _ targets: inout [Int: [RequiredTarget]]
  ) -> ZoneQueryError? {
    var companions = Companions(batch.records, batch.saving)
    var saved = Set(batch.orphans.map { ByteKey(batch.records[$0].recordName) })
    var failure: ZoneQueryError?
    for index in batch.saving {
      var record = batch.records[index]
      do throws(ZoneQueryError) {
        if batch.saving.count > 1 || !saved.isEmpty, !saved.insert(ByteKey(record.recordName)).inserted {
          throw Database.invalid("The record is saved twice in one operation", record)
        }
        let rule = batch.modification.rules?[index] ?? batch.modification.rule
        let required = try save(&record, rule, &companions, into: &state, &schema, batch.modification.desiredKeys)
        if !required.isEmpty { targets[index] = required }
        changed.append(record.recordName)
        results.saves[index] = .success(record)
      } catch {
        results.saves[index] = .failure(error)
        failure = failure ?? error
      }
    }
    return failure
  }

  /// Deletes the records of a batch from the state of a commit, of whose records some are changed already.
  ///
  /// - Returns: The first failure.
  private func delete(
    _ batch: Batch, from state: inout ZoneState, _ results: inout ModifyResults, _ changed: inout [String]
  ) -> ZoneQueryError? {
    var failure: ZoneQueryError?
    var known = Set(batch.deleting.isEmpty ? [] : changed.map(ByteKey.init))
    var cascaded: Set<ByteKey> = []
    for index in batch.deleting {
      let name = batch.ids[index].recordName
      if cascaded.contains(ByteKey(name)) {
        results.deletions[index] = .success([])
        continue
      }
      do throws(ZoneQueryError) {
        try checkDeletion(batch, index, in: state)
      } catch {
        results.deletions[index] = .failure(error)
        failure = failure ?? error
        continue
      }
      let deleted = state.delete(name)
      for id in deleted {
        if batch.deleting.count > 1 { cascaded.insert(ByteKey(id.recordName)) }
        if known.isEmpty || known.insert(ByteKey(id.recordName)).inserted { changed.append(id.recordName) }
      }
      if deleted.isEmpty {
        let error = Database.unknownItem(batch.ids[index])
        results.deletions[index] = .failure(error)
        failure = failure ?? error
      } else {
        results.deletions[index] = .success(deleted)
      }
    }
    return failure
  }

  /// Saves one record into the state of a commit; it becomes the one stored.
  ///
  /// - Returns: What has to be there for it.
  private func save(
    _ record: inout Record, _ rule: SaveRule, _ companions: inout Companions, into state: inout ZoneState,
    _ schema: inout Schema, _ desiredKeys: [String]?
  ) throws(ZoneQueryError) -> [RequiredTarget] {
    let place = state.placeToChange(of: record.recordName)
    // What a load stored under a name that only a server gives, its users' records say, is saved as every other.
    try checkNames(record, mayBeServerGiven: place.isFound)
    let stored = place.isFound ? state.tables[place.table].stored(place.slot) : nil
    let kept: StoredRow? =
      switch rule.policy {
      // What was never fetched is not meant to go.
      case .ifServerRecordUnchanged: record.isPartial ? stored : nil
      case .changedKeys, .allKeys: stored
      case .replace: nil
      }
    if let stored {
      try check(record, rule, against: stored) { state.record(at: place) }
    } else if rule.checksTag, record.changeTag != nil {
      throw Database.unknownItem(
        record.recordID,
        hint: "somebody deleted it; to store it again, save a new record with its fields, or by another policy")
    }
    // A record that was fetched in part was fetched with its parent and its share.
    if let kept, rule.policy != .ifServerRecordUnchanged {
      if rule.policy == .changedKeys { record.keepChanges() }
      if record.parent == nil, !record.removed.hasParent, let parent = kept.reference(.parent) {
        record.parent = parent
      }
      if record.share == nil, let share = kept.reference(.share) { record.share = share }
    }
    var table = state.position(of: record.recordType)
    var fit = RecordFit()
    var learned: Schema?
    if let known = table, let all = try state.tables[known].shape.fit(&record) {
      fit = all
      // Tables know their types as other zones made them, so that what is asked often is not planned each time.
      if environment == .development, let type = schema[record.recordType] { table = state.table(for: type) }
    } else {
      var proposed = schema
      fit = try conform(&record, to: &proposed).fit
      learned = proposed
    }
    if let kept { fit.lost = kept.shape.lostPositions(of: record) }
    try checkSize(record, fit, keepingOthersOf: kept)
    var targets: [RequiredTarget] = []
    if let kept, !kept.shape.references.isEmpty {
      var whole = record
      kept.addOtherReferences(to: &whole, but: fit.decided)
      targets = try checkReferences(whole, over: place, companions: &companions, in: &state)
    } else if record.holdsReferences {
      targets = try checkReferences(record, over: place, companions: &companions, in: &state)
    }
    if let learned {
      schema = learned
      if let type = learned[record.recordType] { table = state.table(for: type) }
    }
    guard let table else { throw Database.invalid("Did not find record type: '\(record.recordType)'", record) }
    let now = configuration.clock()
    record.creationDate = stored?.timestamp(.creationDate) ?? now
    record.creatorUserRecordID = stored?.user(.creatorUserRecordID, known: user) ?? user
    record.modificationDate = now
    record.lastModifiedUserRecordID = user
    state.store(
      record, fit.positions, in: table, at: place, others: kept == nil ? .gone : .kept(but: fit.lost))
    record.changeTag = ZoneState.changeTag(state.changeNumber)
    if let desiredKeys {
      record.isPartial = true
      record.keepFields(desiredKeys)
    }
    if kept != nil, desiredKeys?.isEmpty != true {
      // The row is another by now.
      state.tables[table].stored(place.slot).addOthers(to: &record, but: fit.decided, keys: desiredKeys)
    }
    record.settle()
    return targets
  }

  /// A record may be saved over the one at a place.
  private func check(
    _ record: Record, _ rule: SaveRule, against stored: StoredRow, serverRecord: () -> Record
  ) throws(ZoneQueryError) {
    let type = stored.shape.layout.recordType.name
    if !sameBytes(type, record.recordType) {
      throw Database.typeDiffers(record, from: type)
    }
    if rule.checksTag, !stored.hasChangeTag(record.changeTag) {
      throw Database.changed(record, serverRecord())
    }
  }

  /// A record is not the one that it was made from.
  private static func changed(_ record: Record, _ serverRecord: Record) -> ZoneQueryError {
    let name = SyntaxError.excerpt("\(record.recordID)")
    return ZoneQueryError(
      .database, .serverRecordChanged,
      record.changeTag == nil
        ? "The record '\(name)' exists already" : "The record '\(name)' has changed",
      hint:
        "apply the change to what a fetch or the last save returned, save what the error's conflict.merged() gives, or save with "
        + "the policy .changedKeys, .allKeys or .replace",
      recordID: record.recordID,
      conflict: ZoneQueryError.Conflict(serverRecord: serverRecord, clientRecord: record))
  }

  /// The record of an ID that is to be deleted is the one it is meant to be.
  private func checkDeletion(_ batch: Batch, _ index: Int, in state: ZoneState) throws(ZoneQueryError) {
    guard let tags = batch.modification.tags, let tag = tags[index] else { return }
    let id = batch.ids[index]
    let place = state.place(of: id.recordName)
    guard place.isFound, !state.tables[place.table].stored(place.slot).hasChangeTag(tag) else { return }
    let record = state.record(at: place)
    var known = Record(recordType: record.recordType, recordID: id)
    known.changeTag = tag
    throw Database.changed(known, record)
  }
}
