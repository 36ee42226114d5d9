extension Database {
  /// The first records of a query's answer.
  ///
  /// - Parameters:
  ///   - query: The record type, the predicate and the order.
  ///   - zoneID: The zone to look in; every zone of the database where nil, which the shared database refuses.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty.
  ///   - resultsLimit: The most records returned, at least 1.
  ///   - parameters: The values of `$name` parameters of the predicate.
  /// - Returns: The records, in the query's order, and a cursor where there are more.
  /// - Throws: `unknownRecordType`, `zoneNotFound`, `invalidQuery` for the sort, the limit or the keys,
  ///   `invalidPredicate` with every fault's place where dialect, schema or types refuse the predicate, and
  ///   `missingIndex` where the configuration's `indexPolicy` demands indexes that the schema lacks.
  ///
  /// ```swift
  /// let page = try database.records(
  ///   matching: Query(recordType: "Session", predicate: QueryPredicate(format: "track = %@", "Maps"),
  ///                   sort: [.ascending("start")]),
  ///   resultsLimit: 3)
  /// page.records.count   // 3
  /// page.cursor          // where the next page goes on
  /// ```
  ///
  /// Complexity: linear in the number of records of the type in the scope.
  public func records(
    matching query: Query, inZoneWith zoneID: ZoneID? = nil, desiredKeys: [String]? = nil, resultsLimit: Int = 100,
    parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> QueryPage {
    let request = Request(query, zoneID, now: configuration.clock(), parameters)
    return try page(of: request, desiredKeys, resultsLimit)
  }

  /// The records of a query's answer behind those of a page.
  ///
  /// The query, its scope, the values of its parameters and the time of its `now()` are the first page's; the predicate
  /// is bound anew to the schema as it is. A record that does not change while someone pages comes exactly once, whatever
  /// else is saved or deleted in the meantime; one that does change may come again or not at all, as its values move it.
  ///
  /// - Parameters:
  ///   - cursor: The page's ``QueryPage/cursor``.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty.
  ///   - resultsLimit: The most records returned, at least 1.
  /// - Throws: `invalidCursor` where the cursor was changed or made under another key, `cursorExpired` where the query
  ///   has no sort and the store its cursor points into is gone, and what
  ///   ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)`` throws.
  ///
  /// Complexity: as for the first page, and linear in the cursor.
  public func records(
    continuingMatchFrom cursor: QueryCursor, desiredKeys: [String]? = nil, resultsLimit: Int = 100
  ) throws(ZoneQueryError) -> QueryPage {
    let content = try CursorContent(encoded: cursor.data, key: cursorKey)
    var request = Request(try content.query(), content.zoneID, now: content.now)
    request.position = content.position
    return try page(of: request, desiredKeys, resultsLimit)
  }

  /// The number of records that match a query.
  ///
  /// Complexity: as ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)``.
  public func count(
    matching query: Query, inZoneWith zoneID: ZoneID? = nil, parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> Int {
    let request = Request(query, zoneID, now: configuration.clock(), parameters)
    return try executor(for: request).executor.count()
  }

  /// A query with all that decides its answer, as a cursor keeps it.
  private struct Request {
    /// The query, values in the places of its parameters.
    var query: Query
    var zoneID: ZoneID?
    var now: Timestamp
    /// The values, for what the binder has to say of those that could not be put in.
    var parameters: [ByteKey: ArgumentValue] = [:]
    /// The end of the page before.
    var position: CursorPosition?

    init(_ query: Query, _ zoneID: ZoneID?, now: Timestamp, _ parameters: [String: any PredicateArgument] = [:]) {
      for (name, value) in parameters { self.parameters[ByteKey(name)] = value.predicateArgument }
      self.query = query
      self.query.predicate = query.predicate.replacing(self.parameters)
      self.zoneID = zoneID
      self.now = now
    }
  }

  private func page(
    of request: Request, _ desiredKeys: [String]?, _ resultsLimit: Int
  ) throws(ZoneQueryError) -> QueryPage {
    guard resultsLimit >= 1 else {
      throw ZoneQueryError(.query, .invalidQuery, "The results limit \(resultsLimit) is not at least 1")
    }
    let (executor, recordType) = try executor(for: request)
    let fields = try desiredKeys.map { (keys: [String]) throws(ZoneQueryError) in
      try Database.fields(keys, of: recordType)
    }
    let (rows, hasMore) = executor.rows(limit: resultsLimit, behind: request.position)
    var cursor: QueryCursor?
    if hasMore, let last = rows.last { cursor = try self.cursor(behind: last, executor, request) }
    return QueryPage(records: rows.map { $0.source.table.record($0.slot, fields: fields) }, cursor: cursor)
  }

  private func cursor(
    behind row: TableRow, _ executor: QueryExecutor, _ request: Request
  ) throws(ZoneQueryError) -> QueryCursor {
    let position: CursorPosition
    let place = executor.order.position(of: row)
    if executor.order.descriptors.isEmpty {
      guard let source = executor.tables.firstIndex(where: { $0.zoneID == place.zoneID }) else {
        throw Database.zoneNotFound(place.zoneID)
      }
      position = .unsorted(
        ScanPosition(
          order: .table, epoch: executor.epochs[source], slot: row.slot, recordName: place.recordName,
          zoneID: place.zoneID))
    } else {
      position = .sorted(place)
    }
    let content = CursorContent(
      recordType: request.query.recordType, predicate: request.query.predicate.root.predicateFormat,
      sort: request.query.sort, zoneID: request.zoneID, now: request.now, position: position)
    return try QueryCursor(content, key: cursorKey)
  }

  private func executor(
    for request: Request
  ) throws(ZoneQueryError) -> (executor: QueryExecutor, recordType: RecordType) {
    let (query, zoneID) = (request.query, request.zoneID)
    let recordType = try query.recordType(in: schema)
    if zoneID == nil, configuration.scope == .shared {
      throw ZoneQueryError(.query, .invalidQuery, "A query of the shared database names a zone")
    }
    let bound = try Binder.bind(
      query.predicate, scope: .recordType(recordType), options: configuration.predicateOptions, now: request.now,
      parameters: request.parameters)
    let order = try SortOrder(query.sort, recordType)
    if configuration.indexPolicy == .required { try IndexRequirements(of: query, in: recordType).check() }
    let zones = try zoneID.map { (id: ZoneID) throws(ZoneQueryError) in [try zone(id)] } ?? sortedZones
    try check(request.position, order, zones)
    var executor = QueryExecutor(program: Program(bound), order: order)
    for zone in zones {
      guard var table = zone.snapshot.table(recordType.name) else { continue }
      // A table that has not seen the newest fields of its type takes them over: its records lack them.
      if table.layout.recordType.fields.count < recordType.fields.count { table.adopt(recordType) }
      executor.tables.append(table)
      executor.epochs.append(epoch(of: zone))
    }
    return (executor, recordType)
  }

  /// A cursor's place is one of this order, in stores that are still there.
  private func check(
    _ position: CursorPosition?, _ order: SortOrder, _ zones: [Zone]
  ) throws(ZoneQueryError) {
    switch position {
    case nil: break
    case .sorted(let place)?:
      if !order.fits(place) { throw QueryCursor.invalid("the fields it sorts by have other types here") }
    case .unsorted(let place)?:
      guard place.epoch.database == epoch else {
        throw QueryCursor.expired("another database answered the query, which has no sort")
      }
      // Where its zone is deleted there is nothing left of it to answer with, and the zones behind it are whole.
      if let zone = zones.first(where: { $0.id == place.zoneID }), epoch(of: zone) != place.epoch {
        throw QueryCursor.expired("the zone '\(place.zoneID)' was deleted and created again")
      }
      guard place.order == .table else {
        throw QueryCursor.expired("the index in whose order the query was answered is not there")
      }
    }
  }

  private func epoch(of zone: Zone) -> StoreEpoch {
    StoreEpoch(database: epoch, zone: UInt64(bitPattern: zone.generation))
  }

  /// The zones in an order that depends on their names alone.
  private var sortedZones: [Zone] { zones.sorted { $0.id.compare($1.id) < 0 } }

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
