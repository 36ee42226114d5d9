import Testing

@testable import ZoneQuery

/// A database and a dictionary go through the same steps, drawn by seeds: saves and deletions over several zones that come
/// and go, fields that come with time, indexes that are dropped and added. What queries, prepared ones and pages find, and
/// what subscriptions tell, is worked out from the dictionary.
@Suite struct DatabaseModelTests {
  @Test func stepsAgainstADictionary() throws {
    let seeds = TestAmount.of(6, long: 400)
    var checks = 0
    for seed in 0..<seeds {
      var world = try DatabaseModel(seed: UInt64(seed))
      for step in 0..<160 {
        try world.take(step)
        if let fault = world.fault {
          Issue.record("seed \(seed), step \(step): \(fault)")
          return
        }
      }
      checks += world.checks
    }
    print("database model: \(checks) checks over \(seeds) seeds")
    #expect(checks >= seeds * 250)
  }
}

private struct DatabaseModel {
  private static let words = ["river", "sea", "harbour", "light", "salt"]
  private static let zones = [ZoneID.default, ZoneID(zoneName: "A"), ZoneID(zoneName: "B")]
  private static let forms = [
    "self CONTAINS $w", "ALL tokenize($w, 'Cdl') IN allTokens AND n > $n", "n > $n", "main = $w",
    "main = $w AND n <= $n",
  ]

  private let database: Database
  private var random: SplitMix
  /// What is stored: the texts of fields, and the number.
  private var stored: [RecordID: (texts: [String: String], number: Int?)] = [:]
  private var zones: Set<ZoneID> = [.default]
  private var prepared: [(query: PreparedQuery, form: String, isSorted: Bool, zone: ZoneID?)] = []
  private var observer: NotificationObserver?
  private let heard = Locked<[RecordID]>([])
  private(set) var checks = 0
  private(set) var fault: String?

  init(seed: UInt64) throws {
    random = SplitMix(seed: seed)
    database = try Database()
    // What all predicates name is there from the start.
    try save(RecordID(recordName: "r0"), ["main": "sea"], 1, keepsOthers: false)
    try database.save(
      .query(
        QuerySubscription(
          recordType: "Note", predicate: try QueryPredicate(format: "self CONTAINS 'sea'"), subscriptionID: "sea",
          firesOn: [.creation, .update, .deletion])))
  }

  /// Takes a step and compares what it should have led to.
  mutating func take(_ step: Int) throws {
    heard.withLock { $0 = [] }
    var told: Set<RecordID> = []
    // Most steps need a record.
    switch stored.isEmpty ? 0 : random.below(12) {
    case 0..<5: told = try saveSome(step)
    case 5:
      let id = pick(stored.keys.sorted { "\($0)" < "\($1)" })
      told = stored[id].map { hasWord("sea", $0.texts) } == true ? [id] : []
      try database.deleteRecord(withID: id)
      stored[id] = nil
    case 6:
      let word = pick(Self.words)
      let zone = pick(zones.sorted { $0.zoneName < $1.zoneName })
      let query = Query(recordType: "Note", predicate: try QueryPredicate(format: "main = %@", word))
      let going = stored.filter { $0.key.zoneID == zone && $0.value.texts["main"] == word }
      told = Set(going.filter { hasWord("sea", $0.value.texts) }.keys)
      let gone = try database.deleteRecords(matching: query, inZoneWith: zone)
      expect(Set(gone) == Set(going.keys), "deleted \(gone)")
      for id in going.keys { stored[id] = nil }
    case 7:
      let zone = Self.zones[1 + random.below(2)]
      if zones.remove(zone) != nil {
        try database.deleteZone(zone)
        stored = stored.filter { $0.key.zoneID != zone }
        prepared.removeAll { $0.zone == zone }
      } else {
        try database.createZone(zone)
        zones.insert(zone)
      }
    case 8:
      let index = IndexDefinition(recordType: "Note", keys: pick([["allTokens"], ["n"], ["main"], ["main", "n"]]))
      if (try? database.dropIndex(index)) == nil { try database.addIndex(index) }
    case 9:
      if let known = observer {
        known.cancel()
        observer = nil
      } else {
        let heard = heard
        observer = database.onNotification(bufferingLimit: 10_000) { delivered in
          if case .query(let notification) = delivered.notification {
            heard.withLock { $0.append(notification.recordID) }
          }
        }
      }
    case 10: try page()
    default:
      let form = pick(Self.forms)
      let (isSorted, zone) = (
        random.below(2) == 0, random.below(3) == 0 ? pick(Array(zones.sorted { $0.zoneName < $1.zoneName })) : nil
      )
      prepared.append((try database.prepare(query(form, isSorted), inZoneWith: zone), form, isSorted, zone))
      if prepared.count > 6 { prepared.removeFirst() }
    }
    if observer != nil {
      let all = heard.withLock { $0 }
      expect(Set(all) == told && all.count == told.count, "told of \(all), and not of \(told)")
    }
    for query in prepared where random.below(2) == 0 { try check(query) }
  }

  // MARK: Changes

  private mutating func saveSome(_ step: Int) throws -> Set<RecordID> {
    // Fields come with time.
    let fields = ["main"] + (0...step / 40).map { "t\($0)" }
    var told: Set<RecordID> = []
    let zone = pick(zones.sorted { $0.zoneName < $1.zoneName })
    for number in Set((0..<1 + random.below(3)).map { _ in random.below(12) }).sorted() {
      let id = RecordID(recordName: "r\(number)", zoneID: zone)
      var texts: [String: String] = [:]
      for _ in 0..<random.below(3) { texts[pick(fields)] = pick(Self.words) }
      try save(id, texts, random.below(3) == 0 ? nil : random.below(6), keepsOthers: random.below(2) == 0)
      if let now = stored[id], hasWord("sea", now.texts) { told.insert(id) }
    }
    return told
  }

  private mutating func save(
    _ id: RecordID, _ texts: [String: String], _ number: Int?, keepsOthers: Bool
  ) throws {
    var record = Record(recordType: "Note", recordID: id)
    for (field, text) in texts.sorted(by: { $0.key < $1.key }) { record[field] = .string(text) }
    if let number { record["n"] = .int64(Int64(number)) }
    try database.save(record, policy: keepsOthers ? [.changedKeys, .allKeys][random.below(2)] : .replace)
    let old = keepsOthers ? stored[id] : nil
    stored[id] = ((old?.texts ?? [:]).merging(texts) { $1 }, number ?? old?.number)
  }

  // MARK: Questions

  private func query(_ form: String, _ isSorted: Bool) throws -> Query {
    Query(
      recordType: "Note", predicate: try QueryPredicate(format: form),
      sort: isSorted ? [.descending("n"), .ascending("recordID")] : [])
  }

  private func hasWord(_ word: String, _ texts: [String: String]) -> Bool { texts.values.contains(word) }

  private func matching(_ form: String, _ word: String, _ number: Int, _ zone: ZoneID?) -> [RecordID] {
    stored.filter { id, value in
      if let zone, id.zoneID != zone { return false }
      let isGreater = value.number.map { $0 > number } ?? false
      let isFirst = value.texts["main"] == word
      return switch form {
      case Self.forms[0]: hasWord(word, value.texts)
      case Self.forms[1]: hasWord(word, value.texts) && isGreater
      case Self.forms[2]: isGreater
      case Self.forms[3]: isFirst
      default: isFirst && (value.number.map { $0 <= number } ?? false)
      }
    }.map(\.key)
  }

  private mutating func check(
    _ known: (query: PreparedQuery, form: String, isSorted: Bool, zone: ZoneID?)
  ) throws {
    let (word, number) = (pick(Self.words), random.below(6))
    let values: [String: any PredicateArgument] = ["w": word, "n": number].filter { known.form.contains("$\($0.key)") }
    let expected = matching(known.form, word, number, known.zone)
    func same(_ found: [RecordID]) -> Bool { found.count == expected.count && Set(found) == Set(expected) }
    let page = try known.query.records(values, resultsLimit: .max).records
    expect(same(page.map(\.recordID)), "\(known.form) \(values): \(page.map(\.recordID)), not \(expected)")
    for record in page {
      let texts = stored[record.recordID]?.texts ?? [:]
      expect(texts.allSatisfy { record[$0.key] == .string($0.value) }, "\(record)")
    }
    if known.isSorted {
      let numbers = page.map { stored[$0.recordID]?.number ?? -1 }
      expect(numbers == numbers.sorted(by: >), "\(known.form): in the order \(numbers)")
    }
    var lent = 0
    try known.query.forEachRecord(values) { _ in lent += 1 }
    expect(lent == expected.count, "\(known.form): lent \(lent)")
    let counted = try known.query.count(values)
    expect(counted == expected.count, "\(known.form): counted \(counted)")
    let ordinary = try database.records(
      matching: query(known.form, known.isSorted), inZoneWith: known.zone, resultsLimit: .max, parameters: values)
    expect(same(ordinary.records.map(\.recordID)), "\(known.form), asked once: \(ordinary.records.map(\.recordID))")
  }

  /// Pages through all records while some change; those that do not come once.
  private mutating func page() throws {
    let all = Query(recordType: "Note", sort: random.below(2) == 0 ? [.ascending("main")] : [.ascending("recordID")])
    let other = try database.prepare(all)
    var untouched = Set(stored.keys)
    let size = 1 + random.below(4)
    var page = try database.records(matching: all, resultsLimit: size)
    var found = page.records.map(\.recordID)
    while let cursor = page.cursor {
      let id = pick(stored.keys.sorted { "\($0)" < "\($1)" })
      untouched.remove(id)
      try save(id, ["late\(random.below(3))": pick(Self.words)], nil, keepsOthers: true)
      page =
        try random.below(2) == 0
        ? database.records(continuingMatchFrom: cursor, resultsLimit: size)
        : other.records(resultsLimit: size, after: cursor)
      found += page.records.map(\.recordID)
    }
    let kept = found.filter(untouched.contains)
    expect(kept.count == untouched.count && Set(kept) == untouched, "paged \(found), and not all of \(untouched)")
    heard.withLock { $0 = [] }
  }

  private mutating func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    checks += 1
    if !holds, fault == nil { fault = message() }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
}
