import Testing

@testable import ZoneQuery

/// Zones that are restored in another process, where change tokens go on.
struct ZoneRestoringTests {
  private static let zone = ZoneID(zoneName: "notes")

  private static func database(remembered: Int = 100_000) throws -> Database {
    var configuration = Database.Configuration()
    configuration.cursorKey = Array("sixteen bytes ok".utf8)
    configuration.limits.rememberedDeletions = remembered
    return try Database(configuration: configuration)
  }

  /// The database of the next process, from the texts that this one writes.
  private static func restarted(_ database: Database, remembered: Int = 100_000) throws -> Database {
    let records = try database.allRecords(inZoneWith: zone)
    let state = try #require(records.changeState).json
    let lines = try records.map { record throws(ZoneQueryError) in try record.webServicesJSON }
    let next = try Self.database(remembered: remembered)
    let read = try lines.map { line throws(ZoneQueryError) in try Record(webServicesJSON: line) }
    #expect(try next.load(read, restoring: ZoneChangeState(json: state)) == lines.count)
    return next
  }

  private static func save(_ name: String, _ value: Int, _ type: String = "Note", in database: Database) throws {
    var record = Record(recordType: type, recordName: name, zoneID: zone)
    record["n"] = .int64(Int64(value))
    for result in try database.save([record], policy: .replace) { _ = try result.get() }
  }

  /// Someone who keeps a copy of the zone.
  private struct Copy {
    var records: [String: FieldValue?] = [:]
    var token: ChangeToken?
    var (fetched, begun) = (0, 0)

    /// Fetches some changes; true where there are no more.
    mutating func step(_ database: Database, limit: Int) throws -> Bool {
      do throws(ZoneQueryError) {
        let text = token?.description
        let known = try text.map { text throws(ZoneQueryError) in try ChangeToken(text: text) }
        let changes = try database.recordZoneChanges(inZoneWith: zone, since: known, resultsLimit: limit)
        for record in changes.records { records[record.recordID.recordName] = record["n"] }
        for deletion in changes.deletions { records[deletion.recordID.recordName] = nil }
        fetched += changes.records.count + changes.deletions.count
        token = changes.changeToken
        return !changes.moreComing
      } catch {
        guard error.code == .changeTokenExpired else { throw error }
        (records, token, begun) = ([:], nil, begun + 1)
        return false
      }
    }

    mutating func finish(_ database: Database, limit: Int = 7) throws {
      while try !step(database, limit: limit) {}
      var stored: [String: FieldValue?] = [:]
      for record in try database.allRecords(inZoneWith: zone) { stored[record.recordID.recordName] = record["n"] }
      #expect(records == stored)
    }
  }

  /// Copies that stand somewhere in the changes, within a page too, go on behind restarts, and fetch what changed alone.
  @Test func copiesGoOn() throws {
    var random = SplitMix(seed: 77)
    var (checks, fetched) = (0, 0)
    for _ in 0..<TestAmount.of(40) {
      var database = try Self.database()
      try database.createZone(Self.zone)
      for number in 0..<40 { try Self.save("n\(number)", number, number % 3 == 0 ? "Task" : "Note", in: database) }
      var copies = Array(repeating: Copy(), count: 6)
      for place in copies.indices.dropFirst() { _ = try copies[place].step(database, limit: place * 5) }
      try copies[1].finish(database)
      for round in 0..<6 {
        for _ in 0..<random.below(8) {
          let name = "n\(random.below(60))"
          if random.below(3) == 0 {
            _ = try database.deleteRecords(withIDs: [RecordID(recordName: name, zoneID: Self.zone)])
          } else {
            // Types stay as they are.
            let id = RecordID(recordName: name, zoneID: Self.zone)
            let type = (try? database.record(for: id))?.recordType ?? "Note"
            try Self.save(name, 1_000 * round + random.below(100), type, in: database)
          }
        }
        database = try Self.restarted(database)
        for place in copies.indices where random.below(3) == 0 { _ = try copies[place].step(database, limit: 4) }
      }
      for place in copies.indices {
        try copies[place].finish(database)
        #expect(copies[place].begun == 0)
        let before = copies[place].fetched
        try Self.save("last", 1, in: database)
        try copies[place].finish(database)
        #expect(copies[place].fetched == before + 1)
        checks += 2
      }
      fetched += copies[1].fetched
    }
    print("restored zones: \(checks) copies checked, \(fetched) changes fetched by those that had all")
    #expect(checks >= TestAmount.of(480))
  }

  /// Copies that fetched pages of changes that are lost are right in the end, too: they begin anew, or go on rightly.
  @Test func copiesOfLostChanges() throws {
    var random = SplitMix(seed: 78)
    var (checks, begun) = (0, 0)
    for _ in 0..<TestAmount.of(120) {
      var database = try Self.database()
      try database.createZone(Self.zone)
      for number in 0..<8 { try Self.save("n\(number)", number, in: database) }
      var copies = Array(repeating: Copy(), count: 4)
      func change() throws {
        for _ in 0..<random.below(4) {
          let name = "n\(random.below(10))"
          if random.below(3) == 0 {
            _ = try database.deleteRecords(withIDs: [RecordID(recordName: name, zoneID: Self.zone)])
          } else {
            try Self.save(name, random.below(1_000), in: database)
          }
          for place in copies.indices where random.below(3) == 0 {
            _ = try copies[place].step(database, limit: 1 + random.below(3))
          }
        }
      }
      for _ in 0..<4 {
        try change()
        let records = try database.allRecords(inZoneWith: Self.zone)
        let state = try #require(records.changeState)
        // Lost, but for what copies have of it.
        if random.below(3) > 0 { try change() }
        let next = try Self.database()
        try next.load(
          records.map { try Record(webServicesJSON: $0.webServicesJSON) }, restoring: ZoneChangeState(json: state.json))
        database = next
      }
      for place in copies.indices {
        try copies[place].finish(database, limit: 2)
        checks += 1
        begun += copies[place].begun > 0 ? 1 : 0
      }
    }
    print("lost changes: \(checks) copies checked, \(begun) of them begun anew")
    #expect(checks >= TestAmount.of(480) && begun < checks)
  }

  /// A page that skips a record whose newer version is lost is no place to go on from.
  @Test func pagesBehindTheState() throws {
    let database = try Self.database()
    try database.createZone(Self.zone)
    for number in 0..<4 { try Self.save("n\(number)", number, in: database) }
    for isFirst in [true, false] {
      var copy = Copy()
      if !isFirst {
        try copy.finish(database)
        for number in 0..<4 { try Self.save("n\(number)", number + 10, in: database) }
      }
      _ = try copy.step(database, limit: 1)
      let records = try database.allRecords(inZoneWith: Self.zone)
      let state = try #require(records.changeState)
      let exported = Array(records)
      try Self.save("n1", 100, in: database)
      _ = try copy.step(database, limit: 1)
      let next = try Self.database()
      try next.load(exported, restoring: state)
      try copy.finish(next)
      #expect(copy.records.count == 4 && copy.begun == 1)
    }
  }

  /// Tags that a load brought along from elsewhere stay, whatever their numbers.
  @Test func foreignTags() throws {
    for _ in 0..<12 {
      let first = try Self.database()
      try first.createZone(Self.zone)
      for number in 0..<5 { try Self.save("n\(number)", number, in: first) }
      let second = try Self.database()
      try second.load(Array(first.allRecords(inZoneWith: Self.zone)))
      try Self.save("n5", 5, in: second)
      var copy = Copy()
      try copy.finish(second)
      let third = try Self.restarted(second)
      for record in try second.allRecords(inZoneWith: Self.zone) {
        #expect(try third.record(for: record.recordID).changeTag == record.changeTag)
        try third.save(record)
      }
      try copy.finish(third)
      #expect(copy.begun == 0)
    }
  }

  /// What was saved behind the state is lost, and so are the tokens that know of it.
  @Test func tokensOfLostChangesExpire() throws {
    let database = try Self.database()
    try database.createZone(Self.zone)
    for number in 0..<10 { try Self.save("n\(number)", number, in: database) }
    var early = Copy()
    try early.finish(database)
    let records = try database.allRecords(inZoneWith: Self.zone)
    let state = try #require(records.changeState)
    let exported = Array(records)
    var (late, within) = (early, Copy())
    try Self.save("lost", 1, in: database)
    try late.finish(database)
    _ = try within.step(database, limit: 3)
    for number in 0..<9 { try Self.save("n\(number)", number + 100, in: database) }
    while within.records.count < 10 { _ = try within.step(database, limit: 3) }
    let (one, other) = (try Self.database(), try Self.database())
    for next in [one, other] {
      try next.load(exported, restoring: state)
      #expect(try next.record(for: exported[3].recordID) == exported[3])
      try Self.save("new", 5, in: next)
      for (copy, begun) in [(early, 0), (late, 1), (within, 1)] {
        var copy = copy
        try copy.finish(next)
        #expect(copy.begun == begun)
      }
    }
    // Tags that were lost are not given again, nor tokens of two processes taken for each other's.
    let lost = try database.record(for: RecordID(recordName: "lost", zoneID: Self.zone)).changeTag
    #expect(try !Array(one.allRecords(inZoneWith: Self.zone)).contains { $0.changeTag == lost })
    for (from, to) in [(one, other), (other, one)] {
      var copy = early
      try copy.finish(from)
      try copy.finish(to)
      #expect(copy.begun == 1)
    }
  }

  /// Records that the zone's tags do not tell of count as changed; tags of two records end all tokens.
  @Test func recordsThatWereEdited() throws {
    let database = try Self.database()
    try database.createZone(Self.zone)
    for number in 0..<10 { try Self.save("n\(number)", number, in: database) }
    var copy = Copy()
    try copy.finish(database)
    let records = try database.allRecords(inZoneWith: Self.zone)
    let state = try #require(records.changeState)
    var edited = Array(records)
    edited[2]["n"] = 50
    edited.append(Record(recordType: "Note", recordName: "added", zoneID: Self.zone))
    let next = try Self.database()
    try next.load(edited, restoring: state)
    let fetched = copy.fetched
    try copy.finish(next)
    #expect(copy.fetched == fetched + 2 && copy.begun == 0)

    let twice = try Self.database()
    var (same, two) = (Array(records), Array(records))
    for place in same.indices { same[place].changeTag = same[0].changeTag }
    try twice.load(same.map { try Record(webServicesJSON: $0.webServicesJSON) }, restoring: state)
    var begun = Copy()
    try begun.finish(database)
    try begun.finish(twice)
    #expect(begun.begun == 1)
    two.removeLast()
    let fewer = try Self.database()
    try fewer.load(two, restoring: state)
    #expect(try fewer.allRecords(inZoneWith: Self.zone).count == 9)
  }

  /// As many restorations as are remembered, and no more; deletions likewise.
  @Test func manyRestarts() throws {
    var database = try Self.database()
    try database.createZone(Self.zone)
    for number in 0..<6 { try Self.save("n\(number)", number, in: database) }
    var copies: [Copy] = []
    for round in 0..<ZoneChangeState.mostGaps + 4 {
      var copy = Copy()
      try copy.finish(database)
      copies.append(copy)
      try Self.save("n\(round % 6)", 100 + round, in: database)
      database = try Self.restarted(database)
    }
    for (place, copy) in copies.enumerated() {
      var copy = copy
      try copy.finish(database)
      #expect(copy.begun == (place < 4 ? 1 : 0), "\(place)")
    }
    var copy = try #require(copies.last)
    try copy.finish(database)
    let id = { (name: String) in RecordID(recordName: name, zoneID: Self.zone) }
    for name in ["n0", "n1", "n2", "n3"] { try database.deleteRecord(withID: id(name)) }
    for (remembered, begun) in [(4, 0), (3, 1)] {
      var copy = copy
      try copy.finish(try Self.restarted(database, remembered: remembered))
      #expect(copy.begun == begun && copy.records.count == 2)
    }
  }

  @Test func whatIsRefused() throws {
    let database = try Self.database()
    try database.createZone(Self.zone)
    for number in 0..<5 { try Self.save("n\(number)", number, in: database) }
    try database.deleteRecord(withID: RecordID(recordName: "n0", zoneID: Self.zone))
    let records = Array(try database.allRecords(inZoneWith: Self.zone))
    let state = try #require(try database.allRecords(inZoneWith: Self.zone).changeState)
    #expect(try ZoneChangeState(json: state.json) == state)
    #expect(try database.allRecords(inZoneWith: .default).changeState == nil)
    expectFailure(.invalidZone) { try database.load(records, restoring: state) }
    let next = try Self.database()
    expectFailure(.invalidRecord) {
      try next.load(records + [Record(recordType: "Note", recordName: "other")], restoring: state)
    }
    var broken = records
    broken[1]["n"] = "a text"
    #expect(failureCode { try next.load(broken, restoring: state) } != nil)
    let named = try ZoneChangeState(json: state.json.replacing(#""n0""#, with: #""_é""#))
    expectFailure(.invalidRecord) { try next.load(records, restoring: named) }
    #expect(next.zoneIDs == [.default])
    let none = try ZoneChangeState(json: state.json.replacing(#""Note""#, with: #""Unknown""#))
    try next.load(records, restoring: none)
    #expect(try next.recordZoneChanges(inZoneWith: Self.zone).records.count == 4)
    // Numbers that leave no room for more are read, as they may have been written, and end in an error where one goes on.
    let most = ZoneChangeState.mostChanges
    func numbered(_ number: Int64) -> ZoneChangeState {
      ZoneChangeState(zoneID: Self.zone, changeNumber: number, forgotten: 1, gaps: [], deletions: [])
    }
    #expect(try ZoneChangeState(json: numbered(most).json) == numbered(most))
    for number in [most + 1, .max] {
      let read = try ZoneChangeState(json: numbered(number).json)
      #expect(read == numbered(number))
      expectFailure(.invalidZone) { try Self.database().load([], restoring: read) }
    }
    let last = try Self.database()
    try last.load([], restoring: numbered(most))
    try Self.save("n", 1, in: last)
    let beyond = try #require(try last.allRecords(inZoneWith: Self.zone).changeState)
    #expect(try ZoneChangeState(json: beyond.json) == beyond)
    expectFailure(.invalidZone) { try Self.database().load([], restoring: beyond) }
    for number in [0, -1] {
      #expect(failureCode { _ = try ZoneChangeState(json: numbered(Int64(number)).json) } == .invalidJSON)
    }
    // Whatever bytes are changed, there is a zone in the end or an error.
    var random = SplitMix(seed: 5)
    let bytes = Array(state.json.utf8)
    var (taken, refused) = (0, 0)
    for _ in 0..<TestAmount.of(4_000) {
      var changed = bytes
      for _ in 0...random.below(3) {
        changed[random.below(bytes.count)] = bytes[random.below(bytes.count)]
      }
      do throws(ZoneQueryError) {
        let read = try ZoneChangeState(json: String(decoding: changed, as: UTF8.self))
        let database = try Database()
        try database.load(
          records.map { Record(recordType: $0.recordType, recordName: $0.recordName, zoneID: read.zoneID) },
          restoring: read)
        try database.deleteRecord(withID: RecordID(recordName: "n1", zoneID: read.zoneID))
        _ = try database.recordZoneChanges(inZoneWith: read.zoneID)
        taken += 1
      } catch {
        refused += 1
      }
    }
    print("changed states: \(taken) taken, \(refused) refused")
    #expect(taken > 0 && refused > 0)
  }
}
