extension Record {
  /// The names of the fields that are not as they were when a database gave the record, in the order of ``fieldNames``, and
  /// behind them, by their bytes, of those that were set to nil, whether they had a value or not; of a record that no
  /// database gave, of all it has.
  ///
  /// ```swift
  /// record["city"] = "Suva"
  /// record.changedKeys   // ["city"]
  /// ```
  ///
  /// Those are what ``Database/SavePolicy/changedKeys`` writes. Differs from `CKRecord`, whose `changedKeys()` has a field
  /// that was set to the value it had.
  ///
  /// Complexity: linear in the fields.
  public var changedKeys: [String] { changedFields + removedKeys }

  /// The names of the fields that have other values than a database gave; of all where none did.
  var changedFields: [String] {
    guard let ancestor else { return fieldNames }
    return fieldNames.filter { ancestor[$0] != self[$0] }
  }

  /// The names of the fields that were set to nil, by their bytes.
  var removedKeys: [String] {
    removed.names.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The record as one that a database has just given: what is set from now on is what changed.
  ///
  /// For a record that was kept outside of the process, as ``webServicesJSON`` say, and is read again to be changed and saved.
  /// Without this a record that is read counts as changed in all its fields, so that saving it by
  /// ``Database/SavePolicy/changedKeys``, or ``ZoneQueryError/Conflict/merged(_:)``, would put back what others changed in the
  /// meantime.
  ///
  /// ```swift
  /// var record = try Record(webServicesJSON: text).asFetched()
  /// record["title"] = "mine"
  /// record.changedKeys   // ["title"]
  /// ```
  ///
  /// The records of ``WebServicesRecords`` are such already. Changes that were made before it was kept are to be saved
  /// before, or made again: what was set to nil is forgotten.
  ///
  /// Complexity: linear in the fields.
  public func asFetched() -> Record {
    var record = self
    record.settle()
    return record
  }
}

extension ZoneQueryError.Conflict {
  /// The record as it is stored now with what the client changed, ready to be saved.
  ///
  /// ```swift
  /// do throws(ZoneQueryError) {
  ///   try database.save(record)
  /// } catch {
  ///   guard let conflict = error.conflict else { throw error }
  ///   try database.save(conflict.merged())
  /// }
  /// ```
  ///
  /// A counter, which both raised, is what it was and both their steps:
  ///
  /// ```swift
  /// let merged = conflict.merged { key, ancestor, client, server in
  ///   guard key == "visits", case .int64(let mine)? = client, case .int64(let theirs)? = server else { return client }
  ///   if case .int64(let before)? = ancestor { return .int64(mine + theirs - before) }
  ///   return .int64(mine + theirs)
  /// }
  /// ```
  ///
  /// A parent that the client changed is the client's, and the share is the stored record's.
  ///
  /// - Parameter resolve: Says what a field becomes that both changed, be it to the same value, of the value that they changed,
  ///   the client's and the stored one, each nil where there is none; the client's, where it is left out. Of a record that was
  ///   fetched in part both are taken to have changed what was not fetched and the client set; of a record that no database
  ///   gave (``Record/asFetched()``), all that it has.
  ///
  /// - Returns: The stored record, with its change tag, and the client's changes in it.
  ///
  /// Complexity: linear in the fields of the three records, and what `resolve` takes.
  public func merged(
    _ resolve: (
      _ key: String, _ ancestor: FieldValue?, _ client: FieldValue?, _ server: FieldValue?
    ) -> FieldValue? = { _, _, client, _ in client }
  ) -> Record {
    var merged = serverRecord
    for key in clientKeys {
      let (ancestor, client, server) = (ancestorRecord?[key], clientRecord[key], serverRecord[key])
      // Setting a field to nil that it did not have changed nothing.
      if ancestorRecord.map({ !$0.isPartial && client == ancestor }) ?? false { continue }
      let value = server == ancestor ? client : resolve(key, ancestor, client, server)
      if value != server { merged[key] = value }
    }
    if clientRecord.removed.hasParent || clientRecord.parent != ancestorRecord?.parent {
      merged.parent = clientRecord.parent
    }
    return merged
  }

  /// The names of the fields that the client changed, beside some that it set to nil and did not have.
  private var clientKeys: [String] {
    guard clientRecord.ancestor == nil, let ancestorRecord else { return clientRecord.changedKeys }
    let lost = ancestorRecord.isPartial ? [] : ancestorRecord.fieldNames.filter { clientRecord[$0] == nil }
    return clientRecord.fieldNames + lost + clientRecord.removedKeys.filter { ancestorRecord[$0] == nil }
  }
}
