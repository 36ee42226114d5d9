import Testing

@testable import ZoneQuery

/// Cursors and change tokens that say what none of this library's does, and what tells them apart.
struct CursorEdgeTests {
  private static let zone = ZoneID(zoneName: "Z")

  private func content(_ sort: [SortKey], _ position: CursorPosition) -> CursorContent {
    CursorContent(
      recordType: "T", predicate: .text("TRUEPREDICATE"), options: PredicateOptions(), sort: sort, zoneID: Self.zone,
      now: Timestamp(milliseconds: 0), position: position)
  }

  @Test func positionsThatDoNotFitTheirSort() throws {
    let key = try #require(SipHash.Key(CursorSample.key))
    func sorted(_ count: Int) -> CursorPosition {
      .sorted(
        SortPosition(
          types: Array(repeating: .int64, count: count), values: Array(repeating: .integer(1), count: count),
          recordName: "a", zoneID: Self.zone))
    }
    let unsorted = CursorPosition.unsorted(
      ScanPosition(
        order: .table, epoch: StoreEpoch(database: 1, zone: 1), slot: 0, recordName: "a", zoneID: Self.zone))
    let keys = [SortKey.ascending("x"), .descending("y")]
    for count in 0...2 {
      let sort = Array(keys.prefix(count))
      for other in 0...3 {
        let bytes = content(sort, sorted(other)).encoded(key: key)
        let code = failureCode { try CursorContent(encoded: bytes, key: key) }
        #expect(code == (count > 0 && other == count ? nil : .invalidCursor), "\(count) \(other)")
      }
      let code = failureCode { try CursorContent(encoded: content(sort, unsorted).encoded(key: key), key: key) }
      #expect(code == (count == 0 ? nil : .invalidCursor))
    }
  }

  @Test func moreBytesThanAnyCursors() {
    let most = CursorFormat.maximumSize
    for (count, part) in [(most + 1, "more than any cursor"), (most, "no cursor's"), (0, "no cursor's")] {
      do throws(ZoneQueryError) {
        _ = try QueryCursor(data: [UInt8](repeating: 0, count: count))
        Issue.record("nothing was thrown")
      } catch { #expect(error.code == .invalidCursor && error.message.contains(part), "\(error.message)") }
    }
  }

  @Test func placesWithoutANumber() throws {
    let key = try #require(SipHash.Key(CursorSample.key))
    for number in [0, 1, UInt64.max] {
      let position = ChangePosition(since: 5, place: ChangePlace(number: number, table: 0, slot: 3))
      let token = ChangeToken(.zone(Self.zone, position), key: key)
      #expect(failureCode { try ChangeToken(data: token.data) } == (number == 0 ? .invalidChangeToken : nil))
    }
  }

  @Test func cursorsAreTheirBytes() throws {
    let database = try CursorSample.database()
    try database.saveAll(
      (0..<6).map { number in
        var record = Record(recordType: "Thing", recordName: "r\(number)")
        record["x"] = .int64(Int64(number))
        return record
      })
    let query = Query(recordType: "Thing", sort: [.ascending("x")])
    func cursor(_ limit: Int) throws -> QueryCursor {
      try #require(try database.records(matching: query, resultsLimit: limit).cursor)
    }
    let (one, again, two) = (try cursor(1), try cursor(1), try cursor(2))
    let read = try QueryCursor(data: one.data)
    let copy = one
    #expect(one == copy && one == again && one == read && one.hashValue == read.hashValue)
    #expect(one != two && read != two && two != read)
    #expect(try QueryCursor(data: two.data) != read)
  }

  /// A cursor goes on with the values that made it alone, of whatever type they are.
  @Test func valuesOfCursors() throws {
    let database = try CursorSample.database()
    let moments = (0..<8).map { Timestamp(milliseconds: Int64($0)) }
    try database.saveAll(
      (0..<8).map { number in
        var record = Record(recordType: "Thing", recordName: "r\(number)")
        record["x"] = .int64(Int64(number))
        record["y"] = .double(Double(number) / 4)
        record["when"] = .timestamp(moments[number])
        record["text"] = .string("t\(number)")
        record["target"] = .reference(Reference(RecordID(recordName: "a")))
        return record
      })
    let forms: [(String, [any PredicateArgument])] = [
      ("y >= $v", [0.5, 0.25, 0.0, -0.5]), ("when >= $v", [moments[1], moments[0], Timestamp(milliseconds: -1)]),
      ("text >= $v", ["t1", "t0", ""]), ("x IN $v", [[0, 1, 2, 3], [0, 1, 2], [0, 1, 2, 3, 4]]),
      ("text IN $v", [["t0", "t1", "t2"], ["t0", "t1", "t3"]]), ("x >= $v", [1, 0, 0.5]),
    ]
    for (format, values) in forms {
      let query = Query(recordType: "Thing", predicate: try QueryPredicate(format: format), sort: [.ascending("x")])
      let prepared = try database.prepare(query)
      for (place, value) in values.enumerated() {
        let first = try prepared.records(["v": value], resultsLimit: 1)
        let cursor = try #require(first.cursor)
        for (other, given) in values.enumerated() {
          for cursor in [cursor, try QueryCursor(data: cursor.data)] {
            let code = failureCode { try prepared.records(["v": given], resultsLimit: 9, after: cursor) }
            #expect(code == (place == other ? nil : .invalidCursor), "\(format) \(place) \(other)")
            let lent = failureCode { try prepared.forEachRecord(["v": given], after: cursor) { _ in } }
            #expect(lent == code)
          }
        }
        let rest = try prepared.records(["v": value], after: cursor).records
        #expect(try first.records + rest == prepared.records(["v": value]).records)
      }
    }
  }
}
