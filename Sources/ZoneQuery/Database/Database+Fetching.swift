extension Database {
  /// The record of an ID.
  ///
  /// - Parameters:
  ///   - id: The record's ID.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty. Names of no field are
  ///     passed over.
  /// - Returns: The record as it is stored, with the fields wanted.
  /// - Throws: `unknownItem` where there is no such record, `zoneNotFound`.
  ///
  /// Complexity: linear in the fields returned, and in the record types that the zone has, or had, records of.
  public func record(for id: RecordID, desiredKeys: [String]? = nil) throws(ZoneQueryError) -> Record {
    try telling(DatabaseEvent(.fetch, zoneID: id.zoneID)) { outcome throws(ZoneQueryError) in
      outcome.failed = 1
      let record = try fetch(id, desiredKeys)
      (outcome.returned, outcome.failed) = (1, 0)
      return record
    }
  }

  private func fetch(_ id: RecordID, _ desiredKeys: [String]?) throws(ZoneQueryError) -> Record {
    guard let record = try zone(id.zoneID, of: id).read({ $0.record(id.recordName, desiredKeys: desiredKeys) }) else {
      throw Database.unknownItem(id)
    }
    return record
  }

  /// Fetches records from one version of each zone: of what one commit did all is seen, or nothing.
  private func fetch(_ ids: [RecordID], _ desiredKeys: [String]?) -> [Result<Record, ZoneQueryError>] {
    // That a zone is not there holds for all of its records, too.
    var versions: [ZoneID: ZoneSnapshot?] = [:]
    return ids.map { id in
      Result { () throws(ZoneQueryError) in
        let known = versions[id.zoneID] ?? (try? zone(id.zoneID))?.pinned()
        versions[id.zoneID] = .some(known)
        guard let version = known else { throw zoneNotFound(id.zoneID, recordID: id) }
        let record = withExtendedLifetime(version) { version.state.record(id.recordName, desiredKeys: desiredKeys) }
        guard let record else { throw Database.unknownItem(id) }
        return record
      }
    }
  }

  /// The records of some IDs, or why there is none, in the order given; those of a zone as they were at one moment.
  ///
  /// - Throws: `limitExceeded` where there are more IDs than one operation takes.
  public func records(
    for ids: [RecordID], desiredKeys: [String]? = nil
  ) throws(ZoneQueryError) -> [Result<Record, ZoneQueryError>] {
    try telling(DatabaseEvent(.fetch, zoneID: Database.soleZone(of: ids))) { outcome throws(ZoneQueryError) in
      if ids.count > configuration.limits.itemsPerOperation {
        throw ZoneQueryError(
          .database, .limitExceeded,
          "\(ids.count) IDs are more than the \(configuration.limits.itemsPerOperation) that one operation takes",
          hint: "split them, or raise Limits.itemsPerOperation")
      }
      let records = fetch(ids, fieldNames(among: desiredKeys))
      outcome.note(records)
      outcome.returned = records.count - outcome.failed
      return records
    }
  }

  /// The number of records of a type, in one zone or all: 0 of a type there are none of, known or not.
  ///
  /// Complexity: linear in the number of zones.
  ///
  /// - Throws: `zoneNotFound`.
  public func count(recordType: String, inZoneWith zoneID: ZoneID? = nil) throws(ZoneQueryError) -> Int {
    let zones = try zoneID.map { (id: ZoneID) throws(ZoneQueryError) in [try zone(id)] } ?? zones
    return zones.reduce(0) { sum, zone in sum + zone.read { $0.table(recordType)?.count ?? 0 } }
  }

  // MARK: Parts

  /// Of very many names those that are fields' of record types, or of some records: each record would look up all of them.
  func fieldNames(among desiredKeys: [String]?, of records: [Record] = []) -> [String]? {
    guard let desiredKeys, desiredKeys.count > 256 else { return desiredKeys }
    var wanted = Set(desiredKeys.map(ByteKey.init))
    var names: [String] = []
    func take(_ name: String) { if wanted.remove(ByteKey(name)) != nil { names.append(name) } }
    for type in schema.recordTypes { for field in type.fields { take(field.name) } }
    for record in records { for name in record.fieldNames { take(name) } }
    return names
  }

  /// The zone that all of some records are in; nil where they are in several.
  static func soleZone(of ids: some Sequence<RecordID>) -> ZoneID? {
    var sole: ZoneID?
    for id in ids {
      if let sole, sole != id.zoneID { return nil }
      sole = id.zoneID
    }
    return sole
  }
}
