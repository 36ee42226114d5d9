extension Database {
  /// The first records of a query's answer.
  ///
  /// - Parameters:
  ///   - query: The record type, the predicate and the order.
  ///   - zoneID: The zone to look in; every zone of the database where nil, which the shared database refuses.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty.
  ///   - resultsLimit: The most records returned, at least 1.
  /// - Returns: The records, in the query's order, and whether there are more.
  /// - Throws: `unknownRecordType`, `zoneNotFound`, `invalidQuery` for the sort, the limit or the keys, and
  ///   `invalidPredicate` with every fault's place where dialect, schema or types refuse the predicate.
  ///
  /// ```swift
  /// let page = try database.records(
  ///   matching: Query(recordType: "Session", predicate: QueryPredicate(format: "track = %@", "Maps"),
  ///                   sort: [.ascending("start")]),
  ///   resultsLimit: 3)
  /// page.records.count   // 3
  /// page.hasMore         // true
  /// ```
  ///
  /// Complexity: linear in the number of records of the type in the scope.
  public func records(
    matching query: Query, inZoneWith zoneID: ZoneID? = nil, desiredKeys: [String]? = nil, resultsLimit: Int = 100
  ) throws(ZoneQueryError) -> QueryPage {
    guard resultsLimit >= 1 else {
      throw ZoneQueryError(.query, .invalidQuery, "The results limit \(resultsLimit) is not at least 1")
    }
    let (executor, recordType) = try executor(for: query, zoneID)
    let fields = try desiredKeys.map { (keys: [String]) throws(ZoneQueryError) in
      try Database.fields(keys, of: recordType)
    }
    let (rows, hasMore) = executor.rows(limit: resultsLimit)
    return QueryPage(records: rows.map { $0.source.table.record($0.slot, fields: fields) }, hasMore: hasMore)
  }

  /// The number of records that match a query. Complexity: as ``records(matching:inZoneWith:desiredKeys:resultsLimit:)``.
  public func count(matching query: Query, inZoneWith zoneID: ZoneID? = nil) throws(ZoneQueryError) -> Int {
    try executor(for: query, zoneID).executor.count()
  }

  private func executor(
    for query: Query, _ zoneID: ZoneID?
  ) throws(ZoneQueryError) -> (executor: QueryExecutor, recordType: RecordType) {
    if sameBytes(query.recordType, "Users") {
      throw ZoneQueryError(.query, .invalidQuery, "Can't query system types")
    }
    guard let recordType = schema[query.recordType] else {
      let known = schema.recordTypes.prefix(12).map(\.name).joined(separator: ", ")
      throw ZoneQueryError(
        .query, .unknownRecordType, "Did not find record type: '\(Binder.excerpt(query.recordType))'",
        hint: known.isEmpty ? nil : "the record types are \(known)")
    }
    if zoneID == nil, configuration.scope == .shared {
      throw ZoneQueryError(.query, .invalidQuery, "A query of the shared database names a zone")
    }
    let bound = try Binder.bind(
      query.predicate, scope: .recordType(recordType), options: configuration.predicateOptions,
      now: configuration.clock())
    let order = try SortOrder(query.sort, recordType)
    let zones = try zoneID.map { (id: ZoneID) throws(ZoneQueryError) in [try zone(id)] } ?? sortedZones
    // A table that has not seen the newest fields of its type takes them over: its records lack them.
    let tables = zones.compactMap { zone -> Table? in
      guard var table = zone.snapshot.table(recordType.name) else { return nil }
      if table.layout.recordType.fields.count < recordType.fields.count { table.adopt(recordType) }
      return table
    }
    return (QueryExecutor(program: Program(bound), order: order, tables: tables), recordType)
  }

  /// The zones in an order that depends on their names alone.
  private var sortedZones: [Zone] {
    zones.sorted { left, right in
      if !sameBytes(left.id.zoneName, right.id.zoneName) {
        return left.id.zoneName.utf8.lexicographicallyPrecedes(right.id.zoneName.utf8)
      }
      return left.id.ownerName.utf8.lexicographicallyPrecedes(right.id.ownerName.utf8)
    }
  }

  private static func fields(_ keys: [String], of recordType: RecordType) throws(ZoneQueryError) -> [FieldNumber] {
    var fields: Set<FieldNumber> = []
    for key in keys {
      if let position = recordType.position(of: key) {
        fields.insert(.position(position))
      } else if SystemField(key: key) == nil {
        throw ZoneQueryError(
          .query, .invalidQuery, "Did not find field: '\(Binder.excerpt(key))' in type: '\(recordType.name)'",
          hint: Binder.suggestion(for: key, in: recordType))
      }
    }
    return fields.sorted()
  }
}
