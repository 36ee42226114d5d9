extension Database {
  /// All records of a zone, of every type, as they are at this moment: for exporting them.
  ///
  /// ```swift
  /// for zoneID in database.zoneIDs {
  ///   for record in try database.allRecords(inZoneWith: zoneID) { print(try record.webServicesJSON) }
  /// }
  /// ```
  ///
  /// What is written meanwhile is not among them, and waits for nothing. ``load(_:)`` takes them back, with their dates, users
  /// and change tags; ``load(_:restoring:)`` with what the zone knows of its changes too (``ZoneRecords/changeState``).
  ///
  /// Beyond CloudKit.
  ///
  /// - Returns: The records, type by type, to be gone over any number of times.
  /// - Throws: `zoneNotFound`.
  ///
  /// Complexity: constant; the records are read when they are asked for.
  public func allRecords(inZoneWith zoneID: ZoneID) throws(ZoneQueryError) -> ZoneRecords {
    try telling(DatabaseEvent(.export, zoneID: zoneID)) { outcome throws(ZoneQueryError) in
      let records = ZoneRecords(try zone(zoneID).pinned())
      outcome.returned = records.count
      return records
    }
  }
}
