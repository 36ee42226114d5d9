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
  /// A parent that the client changed is the client's, and the share is the stored record's.
  ///
  /// - Parameter resolve: Says what a field becomes that both changed, of the client's value and the stored one, nil where
  ///   there is none; the client's, where it is left out. Of a record that was fetched in part both are taken to have changed
  ///   what was not fetched and the client set.
  ///
  /// - Returns: The stored record, with its change tag, and the client's changes in it.
  ///
  /// Complexity: linear in the fields of the three records, and what `resolve` takes.
  public func merged(
    _ resolve: (_ key: String, _ client: FieldValue?, _ server: FieldValue?) -> FieldValue? = { _, client, _ in client }
  ) -> Record {
    var merged = serverRecord
    for key in clientRecord.changedKeys {
      let (client, server) = (clientRecord[key], serverRecord[key])
      // Setting a field to nil that it did not have changed nothing.
      if client == server || ancestorRecord.map({ !$0.isPartial && $0[key] == client }) == true { continue }
      let isServers = server != ancestorRecord?[key]
      merged[key] = isServers ? resolve(key, client, server) : client
    }
    if clientRecord.removed.hasParent || clientRecord.parent != ancestorRecord?.parent {
      merged.parent = clientRecord.parent
    }
    return merged
  }
}
