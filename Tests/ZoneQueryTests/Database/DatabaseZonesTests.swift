import Foundation
import Testing

@testable import ZoneQuery

/// What queries see of zones and indexes that come and go between their runs.
struct DatabaseZonesTests {
  private static func database() throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    return try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE T ( \"___recordID\" REFERENCE QUERYABLE, a INT64 QUERYABLE, b INT64 );"),
      configuration: configuration)
  }

  /// A prepared query that ran while one zone had the type's only table is planned anew for another zone.
  @Test func aPreparedQueryOutlivesItsZone() throws {
    let database = try Self.database()
    let (first, second) = (ZoneID(zoneName: "First"), ZoneID(zoneName: "Second"))
    try database.createZone(first)
    try database.save(Record(recordType: "T", recordName: "x", zoneID: first))
    let query = Query(
      recordType: "T", predicate: try QueryPredicate(format: "recordID = %@", RecordID(recordName: "x", zoneID: first)))
    let prepared = try database.prepare(query)
    #expect(try prepared.count() == 1)
    try database.deleteZone(first)
    try database.createZone(second)
    try database.save(Record(recordType: "T", recordName: "x", zoneID: second))
    #expect(try prepared.count() == 0)
    #expect(try database.count(matching: query) == 0)
  }

  /// A cursor that follows an index expires with it, rather than giving no more records.
  @Test func aCursorExpiresWithItsIndex() throws {
    let database = try Self.database()
    let index = IndexDefinition(recordType: "T", keys: ["a", "b"])
    try database.addIndex(index)
    _ = try database.load(
      (0..<4_000).map { number in
        var record = Record(recordType: "T", recordName: "r\(number)")
        record["a"] = .int64(Int64(number % 3))
        record["b"] = .int64(Int64(number))
        return record
      })
    var expired = 0
    for format in ["a = 1", "a = 1 AND b > 100", "a > 0", "b >= 0"] {
      let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
      let page = try database.records(matching: query, resultsLimit: 10)
      let cursor = try #require(page.cursor)
      let rest = try database.records(continuingMatchFrom: cursor, resultsLimit: 10_000).records.count
      #expect(rest == (try database.count(matching: query)) - 10)
      try database.dropIndex(index)
      do throws(ZoneQueryError) {
        // One that came in another order goes on.
        let page = try database.records(continuingMatchFrom: cursor, resultsLimit: 10_000)
        #expect(page.records.count == rest, "\(format)")
      } catch {
        #expect(error.code == .cursorExpired)
        expired += 1
      }
      try database.addIndex(index)
    }
    #expect(expired >= 1)
  }

  /// The zones of a query are those there are, though they were asked for while some came and went.
  @Test func zonesAreNeverStale() throws {
    let database = try Database()
    let isOver = Locked(false)
    let done = DispatchSemaphore(value: 0)
    Thread {
      while !isOver.withLock({ $0 }) { _ = database.sortedZones.count }
      done.signal()
    }.start()
    let (one, other) = (ZoneID(zoneName: "One"), ZoneID(zoneName: "Other"))
    try database.createZone(one)
    let swaps = LongRun.isAsked ? 200_000 : 5_000
    var stale = 0
    for swap in 0..<swaps {
      try database.deleteZone(swap % 2 == 0 ? one : other)
      try database.createZone(swap % 2 == 0 ? other : one)
      if database.sortedZones.map(\.id) != database.zoneIDs { stale += 1 }
    }
    isOver.withLock { $0 = true }
    done.wait()
    print("zones: \(swaps) swaps, \(stale) stale")
    #expect(stale == 0)
  }
}
