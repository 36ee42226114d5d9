import Testing

@testable import ZoneQuery

/// What a prepared query takes from elsewhere: cursors of other queries, records of other zones; and what tells tokens apart.
struct ForeignCursorTests {
  private let zones = [ZoneID(zoneName: "Y"), ZoneID(zoneName: "Z")]

  private func database(_ configuration: Database.Configuration = Database.Configuration()) throws -> Database {
    let database = try Database(configuration: configuration)
    for zone in zones {
      try database.createZone(zone)
      for type in ["T", "U"] {
        try database.saveAll((0..<6).map { note("\(type)\($0)", zone, n: Int64($0), type: type) })
      }
    }
    return database
  }

  private func query(_ type: String, _ format: String, sort: [SortKey]) throws -> Query {
    Query(recordType: type, predicate: try QueryPredicate(format: format), sort: sort)
  }

  @Test func cursorsOfOtherQueries() throws {
    let database = try database()
    let ascending = [SortKey.ascending("n")]
    let queries = [
      (try query("T", "n >= $n", sort: ascending), zones[0]), (try query("U", "n >= $n", sort: ascending), zones[0]),
      (try query("T", "n >= $n", sort: ascending), zones[1]),
      (try query("T", "n >= $n", sort: [.descending("n")]), zones[0]),
      (try query("T", "n <= $n", sort: ascending), zones[0]),
    ]
    let prepared = try queries.map { try database.prepare($0.0, inZoneWith: $0.1) }
    let cursors = try prepared.map { query -> QueryCursor in
      var cursor: QueryCursor?
      _ = try query.forEachRecord(["n": 3], resultsLimit: 1) { view throws(ZoneQueryError) in cursor = try view.cursor()
      }
      return try #require(cursor)
    }
    for (place, query) in prepared.enumerated() {
      for (other, cursor) in cursors.enumerated() {
        // As it was made, and as another process reads it.
        for cursor in [cursor, try QueryCursor(data: cursor.data)] {
          let code = failureCode { try query.forEachRecord(["n": 3], resultsLimit: 9, after: cursor) { _ in } }
          #expect(code == (place == other ? nil : .invalidCursor), "\(place) \(other)")
        }
      }
      expectFailure(.invalidCursor) {
        try query.forEachRecord(["n": 2], resultsLimit: 9, after: cursors[place]) { _ in }
      }
    }
  }

  /// A position among numbers is none among texts.
  @Test func cursorsOfFieldsOfAnotherType() throws {
    var configuration = Database.Configuration()
    configuration.cursorKey = Array(0..<16)
    let query = Query(recordType: "T", sort: [.ascending("v")])
    func database(_ value: (Int) -> FieldValue) throws -> Database {
      let database = try Database(configuration: configuration)
      try database.saveAll(
        (0..<4).map {
          var record = note("r\($0)")
          record["v"] = value($0)
          return record
        })
      return database
    }
    let cursors = try [database { .int64(Int64($0)) }, database { .string("\($0)") }].map { database in
      try #require(try database.records(matching: query, resultsLimit: 2).cursor)
    }
    for (place, database) in [try database { .int64(Int64($0)) }, try database { .string("\($0)") }].enumerated() {
      let prepared = try database.prepare(query)
      for (other, cursor) in cursors.enumerated() {
        let expected: ZoneQueryError.Code? = place == other ? nil : .invalidCursor
        #expect(failureCode { try prepared.forEachRecord(after: cursor) { _ in } } == expected)
        #expect(failureCode { try database.records(continuingMatchFrom: cursor) } == expected)
      }
    }
  }

  /// The way by a record's name finds none of another zone, alone and with other conditions.
  @Test func recordsOfOtherZones() throws {
    let database = try database()
    let all = [ZoneID.default] + zones
    try database.saveAll((0..<6).map { note("T\($0)", n: Int64($0)) })
    let others = [
      ZoneID(zoneName: "Y", ownerName: "other"), ZoneID(zoneName: "X"),
      ZoneID(zoneName: ZoneID.defaultZoneName, ownerName: "other"),
    ]
    for (format, conditions) in [("recordID = $r", 0), ("recordID = $r AND n >= 0", 1), ("recordID = $r AND n < 0", 2)]
    {
      for zone in all {
        let prepared = try database.prepare(try query("T", format, sort: []), inZoneWith: zone)
        for round in 0..<6 {
          for other in all + others {
            let id = RecordID(recordName: "T1", zoneID: other)
            let expected = other == zone && conditions < 2 ? [id] : []
            var found: [RecordID] = []
            let hasMore = try prepared.forEachRecord(["r": id]) { found.append($0.recordID) }
            #expect(found == expected && !hasMore, "\(format) \(zone) \(other) \(round)")
            #expect(try prepared.records(["r": id]).records.map(\.recordID) == expected)
            #expect(try prepared.count(["r": id]) == expected.count)
          }
          let foreign = RecordID(recordName: "U1", zoneID: zone)
          #expect(try prepared.records(["r": foreign]).records.isEmpty)
        }
      }
    }
  }

  @Test func parametersAreNamedWithoutTheirSign() throws {
    let prepared = try database().prepare(try query("T", "n >= $low AND n < $high", sort: []), inZoneWith: zones[0])
    func hint(_ name: String) -> String? {
      do throws(ZoneQueryError) {
        _ = try prepared.parameter(name)
        return nil
      } catch { return error.hint }
    }
    #expect(hint("low") == nil)
    #expect(hint("lo") == "it has $low, $high")
    #expect(hint("$low") == "it has $low, $high; names are given without the $")
  }

  @Test func changeTokensAreTheirBytes() throws {
    var configuration = Database.Configuration()
    configuration.cursorKey = Array(0..<16)
    let (one, other) = (try database(configuration), try database(configuration))
    let first = try one.recordZoneChanges(inZoneWith: zones[0]).changeToken
    #expect(try first == one.recordZoneChanges(inZoneWith: zones[0]).changeToken)
    #expect(try first != one.recordZoneChanges(inZoneWith: zones[1]).changeToken)
    #expect(try first != one.recordZoneChanges(inZoneWith: zones[0], resultsLimit: 1).changeToken)
    #expect(try first != one.databaseChanges().changeToken)
    #expect(try one.databaseChanges().changeToken != other.databaseChanges().changeToken)
    let read = try ChangeToken(data: first.data)
    #expect(read == first && read.hashValue == first.hashValue)
    #expect(try read != ChangeToken(data: one.recordZoneChanges(inZoneWith: zones[1]).changeToken.data))
    try one.save(note("new", zones[0], n: 1))
    let second = try one.recordZoneChanges(inZoneWith: zones[0]).changeToken
    #expect(second != first && second != read)
    // Of another key the same place is other bytes.
    configuration.cursorKey = Array(1..<17)
    let foreign = try Database(configuration: configuration)
    let (own, its) = (try Database(configuration: configuration), foreign)
    #expect(try own.databaseChanges().changeToken != its.databaseChanges().changeToken)
  }
}
