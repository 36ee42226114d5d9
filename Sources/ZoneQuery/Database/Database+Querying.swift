extension Database {
  /// The first records of a query's answer.
  ///
  /// - Parameters:
  ///   - query: The record type, the predicate and the order.
  ///   - zoneID: The zone to look in; every zone of the database where nil, which the shared database refuses.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty.
  ///   - resultsLimit: The most records returned, at least 1; 100 where it is left out.
  ///   - parameters: The values of `$name` parameters of the predicate; others are passed over, so that one dictionary can
  ///     serve many predicates.
  /// - Returns: The records, in the query's order, and a cursor where there are more.
  /// - Throws: `unknownRecordType`, `zoneNotFound`, `invalidQuery` for the sort, the limit, the keys, the type
  ///   `Users`, or no zone in a shared database, `limitExceeded` where there are more records and the query is too long or
  ///   too deep for a cursor, and where it takes longer than ``Limits/queryDuration``, `invalidPredicate` with the place of every fault, up to twenty, where dialect, schema or types refuse the predicate, and
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
  /// Complexity: that of the plan chosen; linear in the number of records of the type in the scope where no index
  /// serves the query.
  public func records(
    matching query: Query, inZoneWith zoneID: ZoneID? = nil, desiredKeys: [String]? = nil, resultsLimit: Int = 100,
    parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> QueryPage {
    try telling(DatabaseEvent(.query, query, zoneID: zoneID)) { outcome throws(ZoneQueryError) in
      let page = try page(query, zoneID, desiredKeys, resultsLimit, parameters)
      outcome.returned = page.records.count
      return page
    }
  }

  /// A page has one record at least; the hint says what else is taken.
  static func check(
    resultsLimit: Int, hint: String = "pass 1 or more, .max for all"
  ) throws(ZoneQueryError) {
    if resultsLimit >= 1 { return }
    throw ZoneQueryError(
      .query, .invalidQuery, "The results limit \(resultsLimit) is not at least 1",
      hint: hint)
  }

  /// A page of an answer, which nobody is told of.
  func page(
    _ query: Query, _ zoneID: ZoneID?, _ desiredKeys: [String]?, _ resultsLimit: Int,
    _ parameters: [String: any PredicateArgument]
  ) throws(ZoneQueryError) -> QueryPage {
    let known = try answerAsBefore(query, zoneID, parameters) { (prepared, arguments) throws(ZoneQueryError) in
      try prepared.page(arguments, desiredKeys, resultsLimit)
    }
    if let known { return known }
    let prepared = try PreparedQuery(self, query, zoneID)
    return try prepared.page(prepared.arguments(known: parameters), desiredKeys, resultsLimit)
  }

  /// The records of a query's answer behind those of a page.
  ///
  /// The query, its scope, the values of its parameters and the time of its `now()` are the first page's; the schema is the
  /// database's as it is. A record that does not change while someone pages comes exactly once, whatever else is saved or
  /// deleted in the meantime; one that does change may come again or not at all, as its values move it.
  ///
  /// - Parameters:
  ///   - cursor: The page's ``QueryPage/cursor``.
  ///   - desiredKeys: The fields wanted; all where nil, none but the system's where empty.
  ///   - resultsLimit: The most records returned, at least 1; 100 where it is left out.
  /// - Returns: The records that follow, and a cursor where there are more.
  /// - Throws: `invalidCursor` where the cursor was changed or made under another key, `cursorExpired` where the query
  ///   has no sort and the store its cursor points into, or the index that its records came from, is gone or made anew
  ///   (`zoneNotFound` where it is of one zone, and that is deleted), and what
  ///   ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)`` throws.
  ///
  /// Complexity: as for the first page, and linear in a cursor that was read from bytes or text.
  public func records(
    continuingMatchFrom cursor: QueryCursor, desiredKeys: [String]? = nil, resultsLimit: Int = 100
  ) throws(ZoneQueryError) -> QueryPage {
    try telling(event(of: cursor)) { outcome throws(ZoneQueryError) in
      let page = try page(behind: cursor, desiredKeys, resultsLimit)
      outcome.returned = page.records.count
      return page
    }
  }

  /// What a cursor says that was made with the database's key, and where predicates meant what they mean here.
  ///
  /// - Throws: `invalidCursor`.
  func content(of cursor: QueryCursor) throws(ZoneQueryError) -> CursorContent {
    let content = try cursor.content(key: cursorKey)
    try content.check(configuration.predicateOptions)
    return content
  }

  private func event(of cursor: QueryCursor) -> DatabaseEvent {
    let content = try? cursor.content(key: cursorKey)
    return DatabaseEvent(.query, content.flatMap { try? $0.query() }, zoneID: content?.zoneID)
  }

  private func page(
    behind cursor: QueryCursor, _ desiredKeys: [String]?, _ resultsLimit: Int
  ) throws(ZoneQueryError) -> QueryPage {
    let content = try content(of: cursor)
    func page(_ prepared: PreparedQuery, _ arguments: QueryArguments) throws(ZoneQueryError) -> QueryPage {
      try prepared.page(arguments, desiredKeys, resultsLimit, from: content)
    }
    if let known = try continueAsBefore(cursor, page) { return known }
    let query = try content.query()
    if let known = try continueAsBefore(query, content.zoneID, page) { return known }
    let prepared: PreparedQuery
    do throws(ZoneQueryError) {
      prepared = try PreparedQuery(self, query, content.zoneID)
    } catch {
      prepared = try PreparedQuery(self, try content.queryAsWritten(), content.zoneID)
    }
    return try page(prepared, prepared.arguments())
  }

  /// The number of records that match a query.
  ///
  /// Complexity: as ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)``; logarithmic for each
  /// zone where one index counts them all.
  ///
  /// - Throws: As ``records(matching:inZoneWith:desiredKeys:resultsLimit:parameters:)``, but for keys and limit.
  public func count(
    matching query: Query, inZoneWith zoneID: ZoneID? = nil, parameters: [String: any PredicateArgument] = [:]
  ) throws(ZoneQueryError) -> Int {
    try telling(DatabaseEvent(.count, query, zoneID: zoneID)) { outcome throws(ZoneQueryError) in
      outcome.returned = try count(query, zoneID, parameters)
      return outcome.returned
    }
  }

  private func count(
    _ query: Query, _ zoneID: ZoneID?, _ parameters: [String: any PredicateArgument]
  ) throws(ZoneQueryError) -> Int {
    let known = try answerAsBefore(query, zoneID, parameters) { (prepared, arguments) throws(ZoneQueryError) in
      try prepared.matchCount(arguments)
    }
    if let known { return known }
    let prepared = try PreparedQuery(self, query, zoneID)
    return try prepared.matchCount(prepared.arguments(known: parameters))
  }

  // MARK: Parts

  /// The record type that a query asks for, where it may be asked in a zone, or in all.
  func recordType(of query: Query, _ zoneID: ZoneID?) throws(ZoneQueryError) -> RecordType {
    let recordType = try query.recordType(in: schema)
    if zoneID == nil, configuration.scope == .shared {
      throw ZoneQueryError(.query, .invalidQuery, "A query of the shared database names a zone")
    }
    return recordType
  }

  /// The zone, or all zones, in the order of their names.
  func zones(_ zoneID: ZoneID?) throws(ZoneQueryError) -> [Zone] {
    if let zoneID { [try zone(zoneID)] } else { sortedZones }
  }

  /// A cursor's place is one of this order, in stores that are still there.
  func check(
    _ position: CursorPosition, _ order: SortOrder, _ snapshots: [ZoneSnapshot], _ recordType: RecordType
  ) throws(ZoneQueryError) {
    switch position {
    case .sorted(let place):
      if !order.fits(place) { throw QueryCursor.invalid("the fields it sorts by have other types here") }
    case .unsorted(let place):
      guard place.epoch.database == epoch else {
        throw QueryCursor.expired("another database answered the query, which has no sort")
      }
      // Where its zone is deleted there is nothing left of it to answer with, and the zones behind it are whole.
      guard let zone = snapshots.first(where: { $0.state.id == place.zoneID }) else { return }
      if epoch(of: zone) != place.epoch {
        throw QueryCursor.expired("the zone '\(place.zoneID)' was deleted and created again")
      }
      if case .index(let name, _) = place.order, let table = zone.state.table(recordType.name),
        table.indexes.position(ofOrdered: name) == nil
      {
        throw QueryCursor.expired("the index on '\(name)', in whose order the records came, was dropped")
      }
    }
  }

  private func epoch(of zone: ZoneSnapshot) -> StoreEpoch {
    StoreEpoch(database: epoch, zone: UInt64(bitPattern: zone.state.generation))
  }

  /// The place of a row of an answer, for a cursor; without a sort the row came as it stands in the table, or in the
  /// index of a number.
  func position(of row: TableRow, _ order: SortOrder, walked index: Int?) -> CursorPosition {
    if !order.descriptors.isEmpty { return .sorted(order.position(of: row)) }
    return .unsorted(
      ScanPosition(
        order: index.map { row.order(inIndex: $0) } ?? .table,
        epoch: StoreEpoch(database: epoch, zone: UInt64(bitPattern: row.source.generation)), slot: row.slot,
        recordName: row.withName { String(copying: $0) }, zoneID: row.zoneID))
  }

  static func fields(_ keys: [String], of recordType: RecordType) throws(ZoneQueryError) -> [FieldNumber] {
    var fields: Set<FieldNumber> = []
    for key in keys {
      if let position = recordType.position(of: key) {
        fields.insert(.position(position))
      } else if SystemField(key: key) == nil {
        throw ZoneQueryError(
          .query, .invalidQuery, "Did not find field: '\(SyntaxError.excerpt(key))' in type: '\(recordType.name)'",
          hint: Binder.suggestion(for: key, in: recordType))
      }
    }
    return fields.sorted()
  }
}

extension TableRow {
  /// Where the row stands in an index that is walked without a sort, whose lead is no list: a row has one key.
  fileprivate func order(inIndex number: Int) -> ScanPosition.Order {
    let shape = source.table.indexes[number].shape
    return .index(
      name: shape.name,
      values: shape.components.map {
        SortOrder.none.value(self, SortOrder.Descriptor(field: $0.field, type: $0.type, isDescending: false))
      })
  }
}
