import Testing

@testable import ZoneQuery

/// A commit fires exactly the subscriptions whose queries, asked before and after it, say so.
struct SubscriptionFiringTests {
  private struct Standing {
    var subscription: QuerySubscription
    /// The records it matches, by name and zone.
    var matching: Set<RecordID> = []
  }

  private static func matching(_ subscription: QuerySubscription, _ database: Database) throws -> Set<RecordID> {
    let query = Query(recordType: "Event", predicate: subscription.predicate)
    let page = try database.records(
      matching: query, inZoneWith: subscription.zoneID, desiredKeys: [], resultsLimit: .max)
    return Set(page.records.map(\.recordID))
  }

  /// What a notification says, in one text.
  private static func text(_ delivered: DeliveredNotification) -> String {
    guard case .query(let query) = delivered.notification else { return "other" }
    let entered = query.hasEntered.map { $0 ? " entered" : " stayed" } ?? ""
    return
      "\(query.subscriptionID) \(query.reason.rawValue)\(entered) \(query.recordID.recordName) \(query.recordID.zoneID)"
  }

  @Test func firesAsQueriesSay() throws {
    var checks = 0
    var fired = 0
    let seeds = TestAmount.of(7, long: 400)
    for seed in 0..<seeds {
      var random = SplitMix(seed: UInt64(seed))
      let database = try StandingSample().database
      let heard = Heard()
      let observer = database.onNotification(bufferingLimit: 100_000) { heard.add($0) }
      defer { observer.cancel() }
      var standing: [Standing] = []
      var known: Set<RecordID> = []
      var number = 0
      for step in 0..<60 {
        // Subscriptions come and go between the commits.
        while standing.count < 5 || random.below(3) == 0 {
          number += 1
          var events = QuerySubscription.Events(rawValue: UInt8(random.below(16)))
          if events.isEmpty { events = .all }
          let zone = [nil, nil, ZoneID.default, StandingSample.custom][random.below(4)]
          let subscription = QuerySubscription(
            recordType: "Event", predicate: try StandingSample.predicate(&random), subscriptionID: "s\(number)",
            firesOn: events, firesOnce: random.below(8) == 0, zoneID: zone)
          do {
            try database.save(.query(subscription))
            standing.append(Standing(subscription: subscription, matching: try Self.matching(subscription, database)))
          } catch {
            #expect((error as? ZoneQueryError)?.code == .duplicateSubscription)
          }
        }
        if random.below(4) == 0 {
          let gone = standing.remove(at: random.below(standing.count))
          try database.deleteSubscription(withID: gone.subscription.subscriptionID)
        }
        // One commit: several records saved and some deleted, in one zone; the custom zone's may fail as a whole.
        let zone = random.below(2) == 0 ? ZoneID.default : StandingSample.custom
        var names: Set<String> = []
        for _ in 0...random.below(4) { names.insert("r\(random.below(12))") }
        let saving = names.sorted().map { StandingSample.record($0, zone, &random) }
        let deleting = (0..<random.below(3)).map { _ in
          RecordID(recordName: "r\(random.below(12))", zoneID: zone)
        }
        _ = try database.modify(
          saving: saving, deleting: Array(Set(deleting)).sorted { $0.recordName < $1.recordName }, policy: .replace)
        let now = Set(
          try database.records(matching: Query(recordType: "Event"), desiredKeys: [], resultsLimit: .max).records.map(
            \.recordID))
        let all = heard.take()
        var expected: [String] = []
        var left: [Standing] = []
        let touched = Set(all.map { $0.commit })
        #expect(touched.count <= 1)
        let written = Set(saving.map(\.recordID)).union(deleting)
        for var one in standing {
          let subscription = one.subscription
          let after = try Self.matching(subscription, database)
          // Deletions of what the same commit saved leave nothing to tell; a commit that failed neither.
          let isPublished = try Self.isPublished(saving, deleting, database, now, known)
          var said: [String] = []
          if isPublished {
            for id in written.sorted(by: { $0.recordName < $1.recordName }) {
              let (was, matches) = (one.matching.contains(id), after.contains(id))
              let events = subscription.firesOn
              let id_ = "\(id.recordName) \(id.zoneID)"
              switch (known.contains(id), now.contains(id)) {
              case (false, true) where matches && events.contains(.creation):
                said.append("\(subscription.subscriptionID) recordCreated \(id_)")
              case (true, false) where was && events.contains(.deletion):
                said.append("\(subscription.subscriptionID) recordDeleted \(id_)")
              case (true, true) where matches && events.contains(.update):
                said.append("\(subscription.subscriptionID) recordUpdated \(was ? "stayed" : "entered") \(id_)")
              case (true, true) where was && !matches && events.contains(.leaving):
                said.append("\(subscription.subscriptionID) recordLeft \(id_)")
              default: break
              }
              checks += 1
            }
          }
          one.matching = after
          if subscription.firesOnce, !said.isEmpty {
            // Which of them was first depends on the commit's order; one it is.
            let heardOf = all.filter { $0.notification.subscriptionID == subscription.subscriptionID }.map(Self.text)
            #expect(heardOf.count == 1 && said.contains(heardOf[0]), "seed \(seed), step \(step)")
            expected += heardOf
            #expect(throws: ZoneQueryError.self) { try database.subscription(for: subscription.subscriptionID) }
          } else {
            expected += said
            left.append(one)
          }
        }
        standing = left
        #expect(all.map(Self.text).sorted() == expected.sorted(), "seed \(seed), step \(step)")
        fired += all.count
        known = now
      }
    }
    print("firing: \(checks) records and subscriptions compared, \(fired) notifications")
    #expect(checks >= 650 * seeds && fired >= 160 * seeds)
  }

  /// A commit of the custom zone fails where a record to be deleted is not there.
  private static func isPublished(
    _ saving: [Record], _ deleting: [RecordID], _ database: Database, _ now: Set<RecordID>, _ known: Set<RecordID>
  ) throws -> Bool {
    guard let zone = saving.first?.recordID.zoneID, !zone.isDefault else { return true }
    return deleting.allSatisfy { id in known.contains(id) || saving.contains { $0.recordID == id } }
  }

  @Test func orderOfCommits() throws {
    let database = try StandingSample().database
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    var random = SplitMix(seed: 1)
    for commit in 0..<20 {
      try database.save(
        .query(QuerySubscription(recordType: "Event", subscriptionID: "s\(commit)", firesOn: .creation, zoneID: nil)))
      try database.save(StandingSample.record("r\(commit)", .default, &random))
      let all = heard.take()
      #expect(all.count == 1 && all[0].commit == UInt64(commit + 1))
      try database.deleteSubscription(withID: "s\(commit)")
    }
    observer.cancel()
  }

  @Test func loadsAndZonesFire() throws {
    let database = try StandingSample().database
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    try database.save(.query(QuerySubscription(recordType: "Event", subscriptionID: "q", firesOn: .all)))
    try database.save(.zone(ZoneSubscription(zoneID: StandingSample.custom, subscriptionID: "z", recordType: "Event")))
    try database.save(.database(DatabaseSubscription(subscriptionID: "d")))
    var random = SplitMix(seed: 2)
    try database.load((0..<3).map { StandingSample.record("r\($0)", StandingSample.custom, &random) })
    #expect(heard.take().map(\.notification.subscriptionID).sorted() == ["d", "q", "q", "q", "z"])
    try database.load([StandingSample.record("r", .default, &random)])
    #expect(heard.take().map(\.notification.subscriptionID) == ["q"])
    try database.deleteZone(StandingSample.custom)
    #expect(heard.take().map(\.notification.subscriptionID).sorted() == ["d", "z"])
    // Of a zone without records those hear who ask for no type.
    try database.save(.database(DatabaseSubscription(subscriptionID: "e", recordType: "Event")))
    try database.createZone(StandingSample.custom)
    try database.deleteZone(StandingSample.custom)
    #expect(heard.take().map(\.notification.subscriptionID) == ["d"])
    observer.cancel()
    try database.save(StandingSample.record("other", .default, &random))
    #expect(heard.take().isEmpty)
  }

  @Test func callbacksMayUseTheDatabase() async throws {
    let database = try StandingSample().database
    try database.save(.query(QuerySubscription(recordType: "Event", subscriptionID: "q", firesOn: .creation)))
    let heard = Heard()
    let observer = database.onNotification { [weak database] delivered in
      heard.add(delivered)
      var random = SplitMix(seed: delivered.commit)
      if delivered.commit < 5 {
        _ = try? database?.save(StandingSample.record("next\(delivered.commit)", .default, &random))
      }
    }
    var random = SplitMix(seed: 2)
    try database.save(StandingSample.record("first", .default, &random))
    // What the callback saves is left to a task.
    #expect(await eventually { heard.count >= 5 })
    #expect(heard.take().map(\.commit) == [1, 2, 3, 4, 5])
    observer.cancel()
  }

  /// A type that grows while something stands: searches for words look at the new fields too.
  @Test func typesGrow() throws {
    let database = try Database()
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    var record = Record(recordType: "Note", recordName: "a")
    record["title"] = "maps"
    try database.save(record)
    for (id, format) in [("w", "self CONTAINS 'sea'"), ("t", "title = 'maps'")] {
      try database.save(
        .query(
          QuerySubscription(
            recordType: "Note", predicate: try QueryPredicate(format: format), subscriptionID: id, firesOn: .creation)))
    }
    record = Record(recordType: "Note", recordName: "b")
    record["body"] = "of the sea"
    try database.save(record)
    #expect(heard.take().map(\.notification.subscriptionID) == ["w"])
    record = Record(recordType: "Note", recordName: "c")
    record["title"] = "maps"
    try database.save(record)
    #expect(heard.take().map(\.notification.subscriptionID) == ["t"])
    try database.deleteSubscription(withID: "t")
    try database.deleteSubscription(withID: "w")
    #expect(database.subscriptions().isEmpty)
    observer.cancel()
  }
}
