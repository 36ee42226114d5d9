internal import PredicateSyntax
internal import Synchronization
internal import ZoneQuery

/// Whoever is asked what a predicate holds for gives the same records: the query, the count, a matcher, a subscription
/// that stands by, and the deletion of them.
struct DeletionOracle: Oracle {
  let name = "delete"
  let summary = "Deleting by a predicate deletes what query and matcher find, and a subscription to it is told of each."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    // A database for one question is dear.
    guard random.chance(1, of: 4) else { return 0 }
    let world = try subject.answer("storing the records in a roundabout way") { () throws(ZoneQueryError) in
      try RoundaboutDatabase(subject.testCase, &random)
    }
    let database = world.database
    let testCase = subject.testCase
    let query = subject.query(testCase.predicate)
    let zone = random.chance(1, of: 3) ? random.pick(database.zoneIDs) : nil
    let inScope = world.records.filter { zone == nil || $0.recordID.zoneID == zone }
    let told = Told()
    let observer = try subject.answer("subscribing") { () throws(ZoneQueryError) in
      try database.save(
        .query(
          QuerySubscription(
            recordType: query.recordType, predicate: query.predicate, subscriptionID: "deletions",
            firesOn: .deletion, zoneID: zone)))
      return database.onNotification(bufferingLimit: .max) { told.add($0.notification) }
    }
    defer { observer.cancel() }
    let found = try subject.page(query, in: database, zone: zone).records.map(\.recordID)
    let matched = try subject.answer("the matcher") { () throws(ZoneQueryError) in
      let matcher = try Matcher(query.predicate, for: testCase.recordType, options: testCase.options, now: testCase.now)
      var ids: [RecordID] = []
      for record in inScope where try matcher.matches(try database.record(for: record.recordID)) {
        ids.append(record.recordID)
      }
      return ids
    }
    try same(matched, found, "the matcher says yes to", "the query finds")
    let deleted = try subject.answer("deleting by the predicate") { () throws(ZoneQueryError) in
      try database.deleteRecords(matching: query, inZoneWith: zone)
    }
    try same(deleted, found, "deletion takes away", "the query found")
    try same(told.ids, found, "the subscription is told of", "the query found")
    let count = try subject.answer("counting") { () throws(ZoneQueryError) in
      try database.count(matching: query, inZoneWith: zone)
    }
    try expect(count == 0, "\(count) records match after all that match were deleted")
    let gone = Set(found)
    let left = try subject.page(subject.query(.true), in: database).records.map(\.recordID)
    try same(left, world.records.map(\.recordID).filter { !gone.contains($0) }, "there remain", "what did not match is")
    return inScope.count + 4
  }

  private func same(
    _ left: [RecordID], _ right: [RecordID], _ leftWords: String, _ rightWords: String
  ) throws(OracleFailure) {
    try expect(
      left.count == right.count && Set(left) == Set(right), "\(leftWords) \(left), \(rightWords) \(right)")
  }

  private final class Told: Sendable {
    private let recordIDs = Mutex<[RecordID]>([])
    var ids: [RecordID] { recordIDs.withLock { $0 } }

    func add(_ notification: SubscriptionNotification) {
      guard case .query(let notification) = notification else { return }
      recordIDs.withLock { $0.append(notification.recordID) }
    }
  }
}
