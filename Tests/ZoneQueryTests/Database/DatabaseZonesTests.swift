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
  /// The own user's name is no owner of zones: the error says what is.
  @Test(arguments: [Database.Scope.private, .shared]) func zonesOfTheOwnUser(scope: Database.Scope) throws {
    var configuration = Database.Configuration()
    configuration.scope = scope
    configuration.userRecordName = "_u1"
    let database = try Database(configuration: configuration)
    #expect {
      try database.createZone(ZoneID(zoneName: "Trip", ownerName: "_u1"))
    } throws: {
      "\($0)".contains("named without the owner or with '__defaultOwner__'")
    }
  }

  /// Errors say the same to those who ask them as any error.
  @Test func localizedErrors() throws {
    let error = #expect(throws: ZoneQueryError.self) { try Database().record(for: RecordID(recordName: "x")) }
    #expect(error?.errorDescription == error?.description && error?.description.isEmpty == false)
  }

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

  /// A zone is found by its name as often as it goes and comes, also where it is the one that was asked for last.
  @Test func zonesGoAndComeUnderTheirNames() throws {
    let database = try Database()
    let (first, second) = (ZoneID(zoneName: "First"), ZoneID(zoneName: "Second"))
    let all = Query(recordType: "T")
    for round in 0..<100 {
      for id in [first, second] { try database.createZone(id) }
      for id in [first, second, second, first] {
        var record = Record(recordType: "T", recordName: "r", zoneID: id)
        record["f\(round % 30)"] = .string("round \(round)")
        try database.save(record, policy: .replace)
        #expect(try database.count(matching: all, inZoneWith: id) == 1)
      }
      try database.deleteZone(first)
      expectFailure(.zoneNotFound) { try database.save(Record(recordType: "T", recordName: "r", zoneID: first)) }
      try database.createZone(first)
      #expect(try database.count(matching: all, inZoneWith: first) == 0)
      for id in [second, first] { try database.deleteZone(id) }
    }
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
    let swaps = TestAmount.isLong ? 200_000 : 5_000
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

  // MARK: Types that grow meanwhile

  private static func note(_ name: String, _ field: String, _ word: String, _ zone: ZoneID = .default) -> Record {
    var record = Record(recordType: "Note", recordName: name, zoneID: zone)
    record[field] = .string(word)
    return record
  }

  /// A prepared query sees the fields that its type has got since, whichever plan answers it.
  @Test func aPreparedQueryOfATypeThatGrows() throws {
    let zone = ZoneID(zoneName: "Z")
    for isSorted in [false, true] {
      for dropsIndex in [false, true] {
        let database = try Database()
        try database.createZone(zone)
        try database.save(Self.note("a", "x", "river"))
        let query = Query(
          recordType: "Note", predicate: try QueryPredicate(format: "self CONTAINS $w"),
          sort: isSorted ? [.ascending("recordID")] : [])
        let all = Query(recordType: "Note", sort: [.ascending("recordID")])
        let (prepared, pages) = (try database.prepare(query), try database.prepare(all))
        let word = try prepared.parameter("w")
        var arguments = prepared.arguments()
        arguments[word] = "sea"
        func check(_ names: [String]) throws {
          if dropsIndex, names.count == 1 {
            try database.dropIndex(IndexDefinition(recordType: "Note", keys: ["allTokens"]))
          }
          for _ in 0..<3 {
            #expect(try prepared.records(["w": "sea"]).records.map(\.recordID.recordName).sorted() == names)
            #expect(try prepared.count(["w": "sea"]) == names.count)
            var found: [String] = []
            try prepared.forEachRecord(arguments) { found.append($0.recordID.recordName) }
            #expect(found.sorted() == names)
            let explained = try prepared.explain(arguments).tables.reduce(0) { $0 + ($1.plan.actualRows ?? 0) }
            #expect(explained == names.count)
          }
        }
        try check([])
        for record in [Self.note("b", "y", "sea"), Self.note("c", "z", "sand")] { try database.save(record) }
        try check(["b"])
        try database.save(Self.note("d", "y", "sea", zone))
        try check(["b", "d"])
        #expect(try prepared.records(["w": "sea"], desiredKeys: ["y"]).records.allSatisfy { $0["y"] == "sea" })
        let field = try prepared.field("y")
        try prepared.forEachRecord(arguments) { record in
          #expect(record.withUTF8(field) { String(copying: $0) } == "sea")
        }
        // Pages that began before, and with another query.
        var page = try database.records(matching: all, resultsLimit: 1)
        var names = page.records.map(\.recordID.recordName)
        while let next = page.cursor {
          page = try pages.records(resultsLimit: 1, after: next)
          names += page.records.map(\.recordID.recordName)
        }
        #expect(names.sorted() == ["a", "b", "c", "d"])
      }
    }
  }

  @Test func preparingForAZoneThatIsNotThereYet() throws {
    let database = try Self.database()
    let zone = ZoneID(zoneName: "Later")
    let prepared = try database.prepare(Query(recordType: "T"), inZoneWith: zone)
    expectFailure(.zoneNotFound) { try prepared.count() }
    for _ in 0..<2 {
      try database.createZone(zone)
      try database.save(Record(recordType: "T", recordName: "a", zoneID: zone))
      #expect(try prepared.count() == 1)
      try database.deleteZone(zone)
      expectFailure(.zoneNotFound) { try prepared.records() }
    }
  }

  /// A record that is deleted is told of to who asks for words, though its field came when nobody heard.
  @Test func deletionsOfATypeThatGrewUnheard() throws {
    for byQuery in [false, true] {
      let database = try Database()
      try database.save(Self.note("a", "x", "river"))
      let words = try QueryPredicate(format: "self CONTAINS 'sea'")
      try database.save(
        .query(QuerySubscription(recordType: "Note", predicate: words, subscriptionID: "s", firesOn: .deletion)))
      try database.save(Self.note("b", "y", "sea"))
      let heard = Locked<[String]>([])
      let observer = database.onNotification { notification in
        heard.withLock { $0.append(notification.notification.subscriptionID) }
      }
      if byQuery {
        #expect(try database.deleteRecords(matching: Query(recordType: "Note", predicate: words)).count == 1)
      } else {
        try database.deleteRecord(withID: RecordID(recordName: "b"))
      }
      #expect(heard.withLock { $0 } == ["s"])
      observer.cancel()
    }
  }

  // MARK: Zones that go meanwhile

  private static let passing = ZoneID(zoneName: "Passing")

  /// A database whose clock, which a save asks while it is under way, deletes a zone.
  private func databaseThatDeletes(_ goes: Locked<Bool>) throws -> Database {
    let holder = Holder()
    var configuration = Database.Configuration()
    configuration.clock = {
      if goes.withLock({ $0 }) { try? holder.database.withLock { $0 }?.deleteZone(Self.passing) }
      return Timestamp(milliseconds: 1)
    }
    let database = try Database(configuration: configuration)
    holder.database.withLock { $0 = database }
    try database.createZone(Self.passing)
    return database
  }

  private final class Holder: Sendable {
    let database = Locked<Database?>(nil)
  }

  /// A save whose zone is deleted before it is published saves nothing, teaches the schema nothing and fires nothing.
  @Test func aSaveIntoAZoneThatGoes() throws {
    let goes = Locked(false)
    let database = try databaseThatDeletes(goes)
    try database.save(Record(recordType: "Old", recordName: "a", zoneID: Self.passing))
    try database.save(.query(QuerySubscription(recordType: "Old", subscriptionID: "old", firesOn: .all)))
    let heard = Locked<[String]>([])
    let observer = database.onNotification { notification in
      heard.withLock { $0.append(notification.notification.subscriptionID) }
    }
    goes.withLock { $0 = true }
    let records = ["Old", "New"].map { Record(recordType: $0, recordName: "b \($0)", zoneID: Self.passing) }
    let results = try database.modify(
      saving: records + [Record(recordType: "Kept", recordName: "k")],
      deleting: [RecordID(recordName: "a", zoneID: Self.passing)])
    goes.withLock { $0 = false }
    func code<Value>(_ result: Result<Value, ZoneQueryError>) -> ZoneQueryError.Code? {
      if case .failure(let error) = result { error.code } else { nil }
    }
    #expect(results.saves.map(code) == [.zoneNotFound, .zoneNotFound, nil])
    #expect(results.deletions.map(code) == [.zoneNotFound])
    #expect(database.schema["New"] == nil && database.schema["Kept"] != nil)
    #expect(heard.withLock { $0 } == [])
    #expect(!database.zoneIDs.contains(Self.passing))
    // One of the same name that comes later has nothing of it.
    try database.createZone(Self.passing)
    #expect(try database.count(matching: Query(recordType: "Old")) == 0)
    try database.save(records[0])
    #expect(heard.withLock { $0 } == ["old"])
    observer.cancel()
  }

  /// What a query finds in several zones is deleted in those that are still there, and all of it is told of.
  @Test func deletingFromZonesOfWhichOneGoes() throws {
    let database = try Database()
    let zones = ["A", "B", "C"].map { ZoneID(zoneName: $0) }
    for zone in zones {
      try database.createZone(zone)
      try database.save(Record(recordType: "T", recordName: "r", zoneID: zone))
    }
    try database.save(.query(QuerySubscription(recordType: "T", subscriptionID: "s", firesOn: .deletion)))
    let observer = database.onNotification { _ in try? database.deleteZone(zones[1]) }
    let gone = try database.deleteRecords(matching: Query(recordType: "T"))
    #expect(Set(gone) == Set([zones[0], zones[2]].map { RecordID(recordName: "r", zoneID: $0) }))
    observer.cancel()
    expectFailure(.zoneNotFound) { try database.deleteRecords(matching: Query(recordType: "T"), inZoneWith: zones[1]) }
  }

  /// A zone that a load creates goes with the load; one that was there stays.
  @Test func zonesOfALoadThatFails() throws {
    let database = try Database()
    try database.createZone(ZoneID(zoneName: "Old"))
    for name in ["Old", "New"] {
      let zone = ZoneID(zoneName: name)
      var wrong = Record(recordType: "T", recordName: "b", zoneID: zone)
      wrong["x"] = .double(.nan)
      expectFailure(.invalidRecord) {
        try database.load([Record(recordType: "T", recordName: "a", zoneID: zone), wrong])
      }
      #expect(database.schema["T"] == nil)
    }
    #expect(Set(database.zoneIDs) == [.default, ZoneID(zoneName: "Old")])
    // The zone of the first part of a load is stored before the second is looked at.
    let parts = ["One", "Two"].map { Record(recordType: "T", recordName: "a", zoneID: ZoneID(zoneName: $0)) }
    var wrong = parts[1]
    wrong["x"] = .double(.nan)
    expectFailure(.invalidRecord) { try database.load([parts[0], wrong]) }
    #expect(Set(database.zoneIDs) == [.default, ZoneID(zoneName: "Old"), parts[0].recordID.zoneID])
  }

  /// A zone that a load makes is nobody's before the load has succeeded: what others do meanwhile stands.
  @Test func loadsBesideOthers() async throws {
    let rounds = TestAmount.isLong ? 2_000 : 150
    let zone = ZoneID(zoneName: "Z")
    var wrong = Record(recordType: "T", recordName: "b", zoneID: zone)
    wrong["x"] = .double(.nan)
    let bad = (0..<50).map { Record(recordType: "T", recordName: "a\($0)", zoneID: zone) } + [wrong]
    let good = [Record(recordType: "T", recordName: "c", zoneID: zone)]
    for round in 0..<rounds {
      let database = try Database()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { expectFailure(.invalidRecord) { try database.load(bad) } }
        for _ in 0..<2 {
          group.addTask {
            let count = try database.load(good)
            #expect(count == 1)
          }
        }
        if round % 2 == 0 { group.addTask { try? database.createZone(zone) } }
        try await group.waitForAll()
      }
      #expect(database.zoneIDs.contains(zone))
      #expect(try database.count(matching: Query(recordType: "T")) == 1)
    }
  }

  /// Deleting by a query beside the deletion of one of its zones: no error, and nothing told of that was not there.
  @Test func deletingFromAZoneThatGoes() async throws {
    let zones = ["A", "B"].map { ZoneID(zoneName: $0) }
    for _ in 0..<60 {
      let database = try Database()
      try database.load(
        zones.flatMap { zone in (0..<30).map { Record(recordType: "T", recordName: "r\($0)", zoneID: zone) } })
      async let gone = Task { try database.deleteRecords(matching: Query(recordType: "T")) }.value
      async let deleted: Void = Task { try database.deleteZone(zones[1]) }.value
      let ids = try await gone
      try await deleted
      #expect(Set(ids).count == ids.count && [30, 60].contains(ids.count))
      #expect(try database.count(matching: Query(recordType: "T")) == 0)
    }
  }

  @Test func namesInSchemas() {
    for name in ["", "_X", "1T", "a b", "é", String(repeating: "T", count: 256)] {
      expectFailure(.invalidSchema) { try Database(schema: Schema([RecordType(name)])) }
    }
  }
}
