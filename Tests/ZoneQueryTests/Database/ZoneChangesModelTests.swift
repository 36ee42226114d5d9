import Testing

@testable import ZoneQuery

/// Clients that keep copies of zones by their changes, beside a log of all that was written.
@Suite struct ZoneChangesModelTests {
  @Test func copiesBesideALog() throws {
    let seeds = TestAmount.of(24, long: 1_500)
    var counts = ChangesModel.Counts()
    for seed in 0..<seeds {
      var model = try ChangesModel(seed: UInt64(seed))
      for step in 0..<220 {
        try model.take()
        if let fault = model.fault {
          Issue.record("seed \(seed), step \(step): \(fault)")
          return
        }
      }
      try model.settle()
      if let fault = model.fault { Issue.record("seed \(seed), at the end: \(fault)") }
      counts.add(model.counts)
    }
    print("changes of zones: \(counts) over \(seeds) seeds")
    #expect(counts.exact >= seeds * 7 && counts.same >= seeds * 20 && counts.pages >= seeds * 40)
    #expect(counts.expired >= seeds / 2 && counts.deletions >= seeds * 20 && counts.bulk >= seeds / 4)
  }

  /// One thread writes, others keep copies meanwhile: behind the last commit all are the same.
  @Test func copiesBesideAWriter() async throws {
    let database = try Database()
    let zone = ZoneID(zoneName: "Z")
    try database.createZone(zone)
    let commits: Int64 = 300
    func record(_ name: String, _ version: Int64) -> Record {
      var record = Record(recordType: "T", recordName: name, zoneID: zone)
      record["version"] = .int64(version)
      return record
    }
    try database.saveAll((0..<8).map { record("r\($0)", 0) } + [record("version", 0)])
    try await withThrowingTaskGroup(of: [RecordID: Record].self) { group in
      group.addTask {
        // In each commit two of the records change places: one is saved, one is deleted.
        for version in 1...commits {
          let gone = RecordID(recordName: "r\(version % 8)", zoneID: zone)
          let saved = [record("r\((version + 3) % 8)", version), record("version", version)]
          let results = try database.modify(saving: saved, deleting: [gone], policy: .replace, atomically: false)
          _ = try results.saves.get()
          await Task.yield()
        }
        return [:]
      }
      for limit in [1, 2, 5, 100] {
        group.addTask {
          var copy: [RecordID: Record] = [:]
          var token: ChangeToken?
          while true {
            let changes =
              limit == 2
              ? try database.lentChanges(inZoneWith: zone, since: token, resultsLimit: limit)
              : try database.recordZoneChanges(inZoneWith: zone, since: token, resultsLimit: limit)
            for record in changes.records { copy[record.recordID] = record }
            for deletion in changes.deletions { copy[deletion.recordID] = nil }
            token = changes.changeToken
            if changes.moreComing { continue }
            // A page that is the last shows a commit, whole.
            let version = copy[RecordID(recordName: "version", zoneID: zone)]?["version"]
            guard case .int64(let version)? = version else { break }
            #expect(copy.values.allSatisfy { $0["version"] != nil && copy.count <= 9 })
            if version > 0 {
              #expect(copy[RecordID(recordName: "r\(version % 8)", zoneID: zone)] == nil)
              #expect(
                copy[RecordID(recordName: "r\((version + 3) % 8)", zoneID: zone)]?["version"] == .int64(version))
            }
            if version == commits { break }
            await Task.yield()
          }
          return copy
        }
      }
      var copies = 0
      for try await copy in group where !copy.isEmpty {
        copies += 1
        for (id, record) in copy { #expect(try database.record(for: id) == record) }
        #expect(try database.count(recordType: "T", inZoneWith: zone) == copy.count)
      }
      #expect(copies == 4)
    }
  }

  /// Threads create, delete, load and save, others follow the zones and their records in pages: behind the last change all
  /// have what there is.
  @Test func followersOfZones() async throws {
    let rounds = TestAmount.of(400, long: 4_000)
    var compared = 0
    for round in 0..<rounds {
      let database = try Database()
      let zones = (0..<20).map { ZoneID(zoneName: "z\($0)") }
      let writing = Locked(2)
      let copies = try await withThrowingTaskGroup(of: [ZoneID: Set<String>].self) { group -> [[ZoneID: Set<String>]] in
        for writer in 0..<2 {
          group.addTask {
            var random = SplitMix(seed: UInt64(2 * round + writer))
            for step in 0..<60 {
              let zone = zones[random.below(zones.count)]
              switch random.below(6) {
              case 0: try? database.createZone(zone)
              case 1: try? database.deleteZone(zone)
              case 2: try database.load([Record(recordType: "T", recordName: "l\(step)", zoneID: zone)])
              case 3: _ = try? database.deleteRecord(withID: RecordID(recordName: "s\(random.below(5))", zoneID: zone))
              default:
                let record = Record(recordType: "T", recordName: "s\(random.below(5))", zoneID: zone)
                _ = try? database.save(record, policy: .replace)
              }
              if step % 8 == 0 { await Task.yield() }
            }
            writing.withLock { $0 -= 1 }
            return [:]
          }
        }
        for limit in [1, 3, 1_000] {
          group.addTask {
            var copies: [ZoneID: (token: ChangeToken?, names: Set<String>)] = [:]
            var token: ChangeToken?
            var isLast = false
            while !isLast {
              isLast = writing.withLock { $0 == 0 }
              var changes: DatabaseChanges
              repeat {
                changes = try database.databaseChanges(since: token, resultsLimit: limit)
                #expect(Set(changes.changedZoneIDs).isDisjoint(with: changes.deletedZoneIDs))
                for zone in changes.deletedZoneIDs { copies[zone] = nil }
                for zone in changes.changedZoneIDs {
                  copies[zone] = try Self.follow(zone, of: database, copies[zone] ?? (nil, []), limit)
                }
                token = changes.changeToken
                await Task.yield()
              } while changes.moreComing
            }
            return copies.mapValues(\.names)
          }
        }
        return try await group.reduce(into: []) { if !$1.isEmpty { $0.append($1) } }
      }
      var stored: [ZoneID: Set<String>] = [:]
      for zone in database.zoneIDs where !zone.isDefault {
        stored[zone] = Set(try database.allRecords(inZoneWith: zone).map(\.recordName))
      }
      for copy in copies {
        #expect(copy == stored, "round \(round)")
        compared += 1
      }
      #expect(copies.count == 3 || stored.isEmpty)
    }
    print("followers of zones: \(compared) copies")
    #expect(compared >= 2 * rounds)
  }

  /// Brings a copy of a zone up to date; nil where the zone is not there.
  private static func follow(
    _ zone: ZoneID, of database: Database, _ copy: (token: ChangeToken?, names: Set<String>), _ limit: Int
  ) throws -> (token: ChangeToken?, names: Set<String>)? {
    var (token, names) = copy
    while true {
      do throws(ZoneQueryError) {
        let changes = try database.recordZoneChanges(inZoneWith: zone, since: token, resultsLimit: limit)
        names.formUnion(changes.records.map(\.recordName))
        names.subtract(changes.deletions.map(\.recordID.recordName))
        token = changes.changeToken
        if !changes.moreComing { return (token, names) }
      } catch {
        if error.code == .zoneNotFound { return nil }
        if error.code != .changeTokenExpired { throw error }
        (token, names) = (nil, [])
      }
    }
  }

  /// What `databaseChanges` tells, beside a log of the changes of zones.
  @Test func zonesBesideALog() throws {
    let seeds = TestAmount.of(40, long: 2_000)
    var (exact, expired) = (0, 0)
    for seed in 0..<seeds {
      var random = SplitMix(seed: UInt64(seed))
      var configuration = Database.Configuration()
      configuration.limits.rememberedDeletions = [1, 3, 1_000][random.below(3)]
      let database = try Database(configuration: configuration)
      let zones = (0..<12).map { ZoneID(zoneName: "z\($0)") }
      // The number of each zone's last change, and whether it is there.
      var (log, there, number): ([ZoneID: Int], Set<ZoneID>, Int) = ([:], [], 0)
      var (token, since, isPart): (ChangeToken?, Int, Bool) = (nil, 0, false)
      var known: Set<ZoneID> = []
      // The zones that are gone, the oldest deletion first, and the number that tokens must not be from before.
      var (gone, forgotten): ([ZoneID], Int) = ([], 0)
      for _ in 0..<300 {
        let zone = zones[random.below(zones.count)]
        switch random.below(8) {
        case 0...1 where !there.contains(zone):
          try database.createZone(zone)
          there.insert(zone)
          gone.removeAll { $0 == zone }
          number += 1
          log[zone] = number
        case 2 where there.contains(zone):
          try database.deleteZone(zone)
          there.remove(zone)
          gone.append(zone)
          number += 1
          log[zone] = number
          if gone.count > configuration.limits.rememberedDeletions { forgotten = log[gone.removeFirst()] ?? number }
        case 3...5 where there.contains(zone):
          // One that fails, and one that deletes what is not there, change nothing.
          let id = RecordID(recordName: "r", zoneID: zone)
          let isStored = (try? database.record(for: id)) != nil
          if random.below(2) == 0 {
            let result = try database.save([Record(recordType: "T", recordID: id)])[0]
            #expect(((try? result.get()) == nil) == isStored)
            if isStored { continue }
          } else {
            let result = try database.deleteRecords(withIDs: [id])[0]
            #expect(((try? result.get()) != nil) == isStored)
            if !isStored { continue }
          }
          number += 1
          log[zone] = number
        case 6 where random.below(2) == 0:
          let limit = [1, 2, 3, 100][random.below(4)]
          let changes: DatabaseChanges
          do throws(ZoneQueryError) {
            changes = try database.databaseChanges(since: token, resultsLimit: limit)
          } catch {
            #expect(error.code == .changeTokenExpired && token != nil && since < forgotten)
            (token, since, isPart, known) = (nil, 0, false, [])
            expired += 1
            continue
          }
          #expect(token == nil || since >= forgotten)
          if !isPart, limit == 100 {
            let expected = log.filter { $0.value > since }.sorted { $0.value < $1.value }.map(\.key)
            #expect(changes.changedZoneIDs == expected.filter(there.contains))
            #expect(changes.deletedZoneIDs == (token == nil ? [] : expected.filter { !there.contains($0) }))
            #expect(!changes.moreComing)
            exact += 1
          }
          // Of the pages of all zones the first tells from when on changes come behind them.
          if token == nil { since = number }
          since = max(since, (changes.changedZoneIDs + changes.deletedZoneIDs).compactMap { log[$0] }.max() ?? 0)
          #expect(token != nil || changes.deletedZoneIDs.isEmpty)
          known.formUnion(changes.changedZoneIDs)
          known.subtract(changes.deletedZoneIDs)
          (token, isPart) = (changes.changeToken, changes.moreComing)
          #expect(changes.count <= limit && (!isPart || changes.count == limit))
          if !isPart {
            since = number
            #expect(known == there)
          }
        default: break
        }
      }
    }
    print("changed zones: \(exact) compared, \(expired) expired")
    #expect(exact >= seeds * 2 && expired >= seeds / 8)
  }
}

private struct ChangesModel {
  struct Counts {
    /// Fetches whose every record was expected, copies that were the same as what is stored, pages, and what came about.
    var (exact, same, pages, expired, deletions, bulk) = (0, 0, 0, 0, 0, 0)

    mutating func add(_ other: Counts) {
      exact += other.exact
      same += other.same
      pages += other.pages
      expired += other.expired
      deletions += other.deletions
      bulk += other.bulk
    }
  }

  /// What is stored under a name.
  private struct Item: Equatable {
    var type: String
    var value: Int64
  }

  /// One who keeps a copy.
  private struct Client {
    var copy: [String: Item] = [:]
    var token: ChangeToken?
    /// The number of the last change that the token is about.
    var since = 0
    /// Whether nothing more was coming.
    var isWhole = true
  }

  private static let zone = ZoneID(zoneName: "Z")
  private static let types = ["T", "U", "V"]

  private let database: Database
  private let limits: Database.Limits
  private var random: SplitMix
  private var stored: [String: Item] = [:]
  /// The number of each name's last change.
  private var log: [String: Int] = [:]
  private var number = 0
  /// The names that were deleted, the oldest deletion first.
  private var remembered: [String] = []
  /// The number that tokens must not be from before.
  private var forgotten = 0
  private var clients = Array(repeating: Client(), count: 3)
  private var value: Int64 = 0
  private(set) var counts = Counts()
  private(set) var fault: String?

  init(seed: UInt64) throws {
    random = SplitMix(seed: seed)
    var configuration = Database.Configuration()
    configuration.limits.rememberedDeletions = [3, 10, 1_000][random.below(3)]
    limits = configuration.limits
    database = try Database(configuration: configuration)
    try database.createZone(Self.zone)
  }

  private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: Self.zone) }

  private mutating func name() -> String { "r\(random.below(24))" }

  /// A record of a name, of the type that is stored or of any.
  private mutating func record(_ name: String) -> (Record, Item) {
    value += 1
    let item = Item(type: stored[name]?.type ?? Self.types[random.below(3)], value: value)
    var record = Record(recordType: item.type, recordID: id(name))
    record["v"] = .int64(value)
    return (record, item)
  }

  private mutating func note(saved name: String, _ item: Item) {
    number += 1
    log[name] = number
    stored[name] = item
    remembered.removeAll { $0 == name }
  }

  private mutating func note(deleted name: String) {
    number += 1
    log[name] = number
    stored[name] = nil
    remembered.append(name)
    counts.deletions += 1
    if remembered.count > limits.rememberedDeletions {
      forgotten = max(forgotten, log[remembered.removeFirst()] ?? number)
    }
  }

  /// Takes one step.
  mutating func take() throws {
    switch random.below(16) {
    case 0...3:
      let name = name()
      let (record, item) = record(name)
      try database.save(record, policy: random.below(2) == 0 ? .replace : .changedKeys)
      note(saved: name, item)
    case 4...5:
      let name = name()
      let isStored = stored[name] != nil
      if (try? database.deleteRecord(withID: id(name))) != nil {
        note(deleted: name)
      } else if isStored {
        fault = "'\(name)' was not deleted"
      }
    case 6...7: try takeBatch()
    case 8: try deleteMatches()
    case 9 where random.below(3) == 0: try load()
    case 10 where random.below(12) == 0:
      try database.deleteZone(Self.zone)
      try database.createZone(Self.zone)
      (stored, log, remembered) = ([:], [:], [])
      number += 1
      forgotten = number
    default: try fetch(random.below(clients.count), limit: [1, 2, 3, 7, 1_000][random.below(5)])
    }
  }

  /// Saves and deletes several, atomically or each for itself; one may fail.
  private mutating func takeBatch() throws {
    let names = Set((0..<6).map { _ in name() }).sorted()
    let saving = names.prefix(3).map { name in
      let (record, item) = record(name)
      return (name: name, record: record, item: item)
    }
    let deleting = names.dropFirst(random.below(2) == 0 ? 3 : 2)
    let isAtomic = random.below(2) == 0
    let results = try database.modify(
      saving: saving.map(\.record), deleting: deleting.map(id),
      policy: random.below(4) == 0 ? .ifServerRecordUnchanged : .replace,
      atomically: isAtomic)
    for (save, result) in zip(saving, results.saves) where (try? result.get()) != nil {
      note(saved: save.name, save.item)
    }
    for result in results.deletions {
      for id in (try? result.get()) ?? [] { note(deleted: id.recordName) }
    }
  }

  private mutating func deleteMatches() throws {
    let type = Self.types[random.below(3)]
    guard database.schema[type] != nil, random.below(2) == 0 else { return }
    let query = Query(recordType: type, predicate: try QueryPredicate(format: "v < %d", value - 20))
    for id in try database.deleteRecords(matching: query, inZoneWith: Self.zone) { note(deleted: id.recordName) }
  }

  /// Loads records: few or many, with tags or without.
  private mutating func load() throws {
    let count = random.below(3) == 0 ? 100 : 5
    let isTagged = random.below(4) == 0
    var records: [Record] = []
    var isAnyTagged = false
    for number in 0..<count {
      let name = number < 5 ? name() : "bulk \(random.below(120))"
      var (record, item) = record(name)
      if isTagged, random.below(2) == 0 {
        record.changeTag = String(1 + random.below(3), radix: 36)
        isAnyTagged = isAnyTagged || stored[name] == nil
      }
      records.append(record)
      note(saved: name, item)
    }
    try database.load(records)
    if count == 100 { counts.bulk += 1 }
    if isAnyTagged { forgotten = number }
  }

  /// A client fetches a page.
  private mutating func fetch(_ number: Int, limit: Int) throws {
    var client = clients[number]
    defer { clients[number] = client }
    let changes: RecordZoneChanges
    do throws(ZoneQueryError) {
      changes = try database.recordZoneChanges(inZoneWith: Self.zone, since: client.token, resultsLimit: limit)
    } catch {
      counts.expired += 1
      if error.code != .changeTokenExpired { fault = "\(error)" }
      if client.token == nil || client.since >= forgotten { fault = "what was known since \(client.since) has expired" }
      client = Client()
      return
    }
    counts.pages += 1
    let lent = try database.lentChanges(inZoneWith: Self.zone, since: client.token, resultsLimit: limit)
    if lent != changes { fault = "in place: \(lent)" }
    let since = client.since
    if client.token != nil, since < forgotten {
      fault = "changes since \(since) were told, and those up to \(forgotten) are forgotten"
    }
    if limit == 1_000, client.isWhole {
      let expected = log.filter { $0.value > since }.sorted { $0.value < $1.value }.map(\.key)
      let records = changes.records.map(\.recordName)
      let deletions = changes.deletions.map(\.recordID.recordName)
      let isFirst = client.token == nil
      // At first, records that were loaded under tags of their own come in another order.
      let saved = expected.filter { stored[$0] != nil }
      if isFirst ? Set(records) != Set(stored.keys) || records.count != stored.count : records != saved {
        fault = "\(records) for \(saved) since \(since)"
      }
      if deletions != (isFirst ? [] : expected.filter { stored[$0] == nil }) { fault = "deleted: \(deletions)" }
      counts.exact += 1
    }
    if changes.records.count + changes.deletions.count > limit { fault = "more than \(limit)" }
    for record in changes.records {
      guard case .int64(let value)? = record["v"] else {
        fault = "no value of \(record)"
        continue
      }
      client.copy[record.recordName] = Item(type: record.recordType, value: value)
    }
    for deletion in changes.deletions { client.copy[deletion.recordID.recordName] = nil }
    // Of the pages of all records the first tells from when on changes come behind them.
    if client.token == nil { client.since = self.number }
    let told = changes.records.map(\.recordName) + changes.deletions.map(\.recordID.recordName)
    client.since = changes.moreComing ? max(client.since, told.compactMap { log[$0] }.max() ?? 0) : self.number
    client.isWhole = !changes.moreComing
    client.token = changes.changeToken
    if !changes.moreComing {
      counts.same += 1
      if client.copy != stored { fault = "a copy with \(client.copy.count) records of \(stored.count)" }
    }
  }

  /// All clients fetch what is left.
  mutating func settle() throws {
    for number in clients.indices {
      repeat { try fetch(number, limit: 5) } while !clients[number].isWhole && fault == nil
    }
  }
}
