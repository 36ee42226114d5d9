import Foundation
import Synchronization
import Testing

@testable import ZoneQuery

/// Deletion of what a predicate finds.
struct DeletingTests {
  private static let schema = """
    DEFINE SCHEMA RECORD TYPE Event ( city STRING QUERYABLE SORTABLE, seats INT64 QUERYABLE, room STRING,
      venue REFERENCE QUERYABLE, start TIMESTAMP QUERYABLE );
    RECORD TYPE Venue ( name STRING QUERYABLE );
    """
  private static let custom = ZoneID(zoneName: "A")

  private func database(_ change: (inout Database.Configuration) -> Void = { _ in }) throws -> Database {
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: 5_000) }
    change(&configuration)
    let database = try Database(schema: Schema(ckdb: Self.schema), configuration: configuration)
    if configuration.scope == .private { try database.createZone(Self.custom) }
    return database
  }

  private func event(_ name: String, _ zone: ZoneID = .default, city: String? = nil, seats: Int64? = nil) -> Record {
    var record = Record(recordType: "Event", recordID: RecordID(recordName: name, zoneID: zone))
    record["city"] = city.map { .string($0) }
    record["seats"] = seats.map { .int64($0) }
    return record
  }

  private func query(_ format: String) throws(ZoneQueryError) -> Query {
    Query(recordType: "Event", predicate: try QueryPredicate(format: format))
  }

  private func names(_ database: Database) throws -> [String] {
    try database.records(matching: Query(recordType: "Event"), resultsLimit: .max).records
      .map { "\($0.recordID.zoneID.zoneName)/\($0.recordID.recordName)" }.sorted()
  }

  @Test func whatMatchesGoesFromEveryZoneOrOne() throws {
    let database = try database()
    for zone in [ZoneID.default, Self.custom] {
      try database.saveAll([
        event("a", zone, city: "Suva", seats: 1), event("b", zone, city: "Oslo", seats: 1), event("c", zone, seats: 2),
      ])
    }
    // A missing field matches nothing, nor does its negation.
    let gone = try database.deleteRecords(matching: query("city != 'Oslo'"), inZoneWith: Self.custom)
    #expect(gone == [RecordID(recordName: "a", zoneID: Self.custom)])
    let left = try names(database)
    #expect(left == ["A/b", "A/c", "_defaultZone/a", "_defaultZone/b", "_defaultZone/c"])
    let one = try database.deleteRecords(matching: query("seats = $n"), parameters: ["n": 1])
    #expect(Set(one.map(\.recordName)) == ["a", "b"] && one.count == 3)
    let rest = try names(database)
    #expect(rest == ["A/c", "_defaultZone/c"])
    #expect(try database.deleteRecords(matching: query("seats = 1")).isEmpty)
    #expect(try database.deleteRecords(matching: Query(recordType: "Event", sort: [.ascending("city")])).count == 2)
    #expect(try names(database).isEmpty)
  }

  @Test func clockIsReadOnce() throws {
    let reads = Locked(0)
    let database = try database { configuration in
      configuration.clock = {
        reads.withLock { $0 += 1 }
        return Timestamp(milliseconds: 5_000)
      }
    }
    for zone in [ZoneID.default, Self.custom] {
      var record = event("e", zone)
      record["start"] = .timestamp(Timestamp(milliseconds: 5_000))
      try database.save(record)
    }
    let before = reads.withLock { $0 }
    #expect(try database.deleteRecords(matching: query("start < now()")).isEmpty)
    #expect(try database.deleteRecords(matching: query("start <= now()")).count == 2)
    #expect(reads.withLock { $0 } == before + 2)
  }

  @Test func recordsThatReferGoToo() throws {
    let database = try database()
    var records: [Record] = []
    for name in ["v", "w"] {
      var venue = Record(recordType: "Venue", recordName: name)
      venue["name"] = .string(name)
      records.append(venue)
    }
    for (name, venue, action) in [("e", "v", Reference.Action.deleteSelf), ("f", "v", .none), ("g", "e", .deleteSelf)] {
      var record = event(name)
      record["venue"] = .reference(Reference(RecordID(recordName: venue), action: action))
      records.append(record)
    }
    try database.saveAll(records)
    let venues = Query(recordType: "Venue", predicate: try QueryPredicate(format: "name IN {'v', 'x'}"))
    #expect(try database.deleteRecords(matching: venues).map(\.recordName) == ["v", "e", "g"])
    #expect(try names(database) == ["_defaultZone/f"])
    // One that matches itself is told once, whether it went by itself or with another.
    try database.saveAll([records[2], records[4]])
    let both = try database.deleteRecords(matching: Query(recordType: "Event"))
    #expect(Set(both.map(\.recordName)) == ["e", "f", "g"] && both.count == 3)
  }

  @Test func readersKeepTheirsAndSubscriptionsAreTold() throws {
    let database = try database()
    try database.saveAll([event("a", city: "Suva", seats: 3), event("b", city: "Suva", seats: 9)])
    let told = Locked<[String]>([])
    let observer = database.onNotification { delivered in
      guard case .query(let notification) = delivered.notification else { return }
      told.withLock { $0.append("\(delivered.commit) \(notification.reason) \(notification.recordID.recordName)") }
    }
    for (id, format) in [("few", "seats < 5"), ("many", "seats > 5")] {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "Event", predicate: QueryPredicate(format: format), subscriptionID: id, firesOn: .deletion)))
    }
    let prepared = try database.prepare(query("city = 'Suva'"))
    var seen = 0
    try prepared.forEachRecord { (_: borrowing RecordView) throws(ZoneQueryError) in
      // A reader in the middle keeps the version it began with.
      if seen == 0 { try database.deleteRecords(matching: Query(recordType: "Event")) }
      seen += 1
    }
    #expect(seen == 2)
    let notified = told.withLock { $0.sorted() }
    #expect(notified.map { $0.split(separator: " ")[2] } == ["a", "b"])
    #expect(Set(notified.map { $0.split(separator: " ")[0] }).count == 1, "both in one commit")
    // Nothing found, no commit.
    try database.deleteRecords(matching: query("seats = 3"))
    #expect(told.withLock { $0.count } == 2)
    observer.cancel()
  }

  @Test func refusals() throws {
    let database = try database()
    try database.save(event("a", seats: 1))
    for (format, code) in [
      ("nope = 1", ZoneQueryError.Code.invalidPredicate), ("seats = 1 OR seats = 2", .invalidPredicate),
      ("seats = $n", .invalidPredicate),
    ] {
      #expect { try database.deleteRecords(matching: query(format)) } throws: { ($0 as? ZoneQueryError)?.code == code }
    }
    #expect { try database.deleteRecords(matching: Query(recordType: "Nope")) } throws: {
      ($0 as? ZoneQueryError)?.code == .unknownRecordType
    }
    let nowhere = ZoneID(zoneName: "nowhere")
    #expect { try database.deleteRecords(matching: query("seats = 1"), inZoneWith: nowhere) } throws: {
      ($0 as? ZoneQueryError)?.code == .zoneNotFound
    }
    let shared = try self.database { $0.scope = .shared }
    #expect { try shared.deleteRecords(matching: query("seats = 1")) } throws: {
      ($0 as? ZoneQueryError)?.code == .invalidQuery
    }
    let strict = try self.database { $0.indexPolicy = .required }
    #expect { try strict.deleteRecords(matching: query("room = 'x'")) } throws: {
      ($0 as? ZoneQueryError)?.code == .missingIndex
    }
    #expect(try names(database) == ["_defaultZone/a"])
  }

  /// The limit of an operation does not bind it, nor does that of a page.
  @Test func thousands() throws {
    let database = try database()
    try database.load((0..<3_000).map { event("r\($0)", seats: Int64($0 % 3)) })
    #expect(try database.deleteRecords(matching: query("seats >= 1")).count == 2_000)
    #expect(try database.count(matching: Query(recordType: "Event")) == 1_000)
    #expect(try database.count(matching: query("seats = 0")) == 1_000)
  }

  /// Beside a writer that takes records in and out of the predicate, only records go that match at that moment.
  @Test func besideAWriter() async throws {
    let database = try database()
    let wrong = Locked(0)
    let right = Locked(0)
    let observer = database.onNotification(bufferingLimit: .max) { delivered in
      (delivered.notification.subscriptionID == "out" ? wrong : right).withLock { $0 += 1 }
    }
    for (id, format) in [("in", "seats = 1"), ("out", "seats = 0")] {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "Event", predicate: QueryPredicate(format: format), subscriptionID: id, firesOn: .deletion)))
    }
    let rounds = TestAmount.isLong ? 20_000 : 600
    let isDone = Atomic<Bool>(false)
    let deleted = Locked(0)
    let deleting = try query("seats = 1")
    DispatchQueue.concurrentPerform(iterations: 2) { worker in
      if worker == 0 {
        var random = SplitMix(seed: 9)
        for _ in 0..<rounds {
          let record = event(
            "r\(random.below(8))", random.below(2) == 0 ? .default : Self.custom,
            seats: Int64(random.below(2)))
          _ = try? database.save(record, policy: .replace)
        }
        isDone.store(true, ordering: .releasing)
      } else {
        while !isDone.load(ordering: .acquiring) {
          let gone = (try? database.deleteRecords(matching: deleting))?.count ?? 0
          deleted.withLock { $0 += gone }
        }
      }
    }
    let all = deleted.withLock { $0 }
    // The last may have been left to a task.
    #expect(await eventually { right.withLock { $0 } >= all })
    let (told, mistaken) = (right.withLock { $0 }, wrong.withLock { $0 })
    print("deletions beside a writer: \(all) of \(rounds) records written")
    #expect(mistaken == 0 && told == all)
    observer.cancel()
  }
}
