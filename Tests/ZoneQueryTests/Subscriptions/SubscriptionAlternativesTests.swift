import Testing

@testable import ZoneQuery

/// Subscriptions that ask for one of several things fire as a matcher says, however each is looked up, whatever records they
/// were planned for.
struct SubscriptionAlternativesTests {
  private static let type = RecordType(
    "T",
    fields: [
      FieldDefinition("x", .int64), FieldDefinition("y", .int64), FieldDefinition("z", .int64),
      FieldDefinition("d", .double), FieldDefinition("s", .string), FieldDefinition("l", .list(.string)),
      FieldDefinition("p", .location),
    ])
  private static let options = PredicateOptions(dialect: .extended)

  /// Conditions where each letter stands for a number.
  private static let forms = [
    "(x > «A» AND y = «B») OR z = «C»", "x > «A» AND (y = «B» OR z = «C»)",
    "(x != «A» AND s = 't«B»') OR (y = «C» AND s != 't«A»')",
    "(x > «A» AND s BEGINSWITH 't«B»') OR z IN {«B», «C»}",
    "(x >= «A» AND (y = «B» OR (z < «C» AND s = 't«A»'))) OR y = «C»",
    "s != 't«A»' AND y = «B»", "NOT (s = 't«A»' OR y = «B»)", "NOT (x = «A» AND y = «B»)",
    "y != «A» AND z != «B» AND x = «C»",
    "l CONTAINS 't«A»' OR (x > «B» AND d < «C»)", "ANY l IN {'t«A»', 't«B»'} AND NOT z = «C»",
    "(d >= «A» AND d < «B») OR (s > 't«B»' AND s < 't«C»')", "x = «A» OR y = «B» OR z = «C» OR s = 't«A»' OR d = «B»",
    "distanceToLocation:fromLocation:(p, CAST('«A»,«B»', 'CLLocation')) < 200000 OR y = «C»",
    "NOT distanceToLocation:fromLocation:(p, CAST('«A»,«B»', 'CLLocation')) < 900000 AND y = «C»",
    "s ==[c] 'T«A»' OR (s BEGINSWITH[c] 'T' AND y = «B»)", "s = nil OR x = «A»", "x != nil AND y = nil",
    "s LIKE 't?' AND (x = «A» OR y = «B»)", "NOT (x BETWEEN {«A», «B»}) AND z = «C»",
  ]

  private let database: Database
  private var random = SplitMix(seed: 31)
  private var matchers: [String: Matcher] = [:]
  private let heard = Heard()
  /// From where on the numbers of new records lie.
  private var base = 0

  init() throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = Self.options
    database = try Database(schema: Schema([Self.type]), configuration: configuration)
  }

  private mutating func number() -> Int { base + random.below(8) }

  private mutating func record(_ name: String) -> Record {
    var record = note(name)
    for key in ["x", "y", "z"] where random.below(7) > 0 { record[key] = .int64(Int64(number())) }
    if random.below(6) > 0 { record["d"] = .double(Double(number()) + Double(random.below(2)) / 2) }
    if random.below(6) > 0 { record["s"] = .string((random.below(4) == 0 ? "T" : "t") + "\(number())") }
    if random.below(3) > 0 { record["l"] = .stringList((0..<random.below(3)).map { _ in "t\(number())" }) }
    if random.below(3) > 0 {
      record["p"] = .location(Location(latitude: Double(random.below(8)), longitude: Double(random.below(8))))
    }
    return record
  }

  /// Saves a subscription in the place of the one of its number, if there is one.
  private mutating func subscribe(_ place: Int, to form: Int) throws {
    let name = "s\(place)"
    if matchers.removeValue(forKey: name) != nil { _ = try database.deleteSubscription(withID: name) }
    var format = Self.forms[form % Self.forms.count]
    for letter in ["«A»", "«B»", "«C»"] { format = format.replacing(letter, with: "\(number())") }
    let predicate = try QueryPredicate(format: format)
    let subscription = QuerySubscription(
      recordType: "T", predicate: predicate, subscriptionID: name, firesOn: .all)
    // Some are the same as others, by chance.
    if failureCode({ try database.save(.query(subscription)) }) != nil { return }
    matchers[name] = try Matcher(predicate, for: Self.type, options: Self.options)
  }

  /// Changes some records, and expects of each change that all hear of it whom it concerns.
  private mutating func change(_ count: Int) throws {
    for step in 0..<count {
      let record = record("r\(random.below(250))")
      let before = try? database.record(for: record.recordID)
      let deletes = before != nil && step % 9 == 0
      var expected: [String: QueryNotification.Reason] = [:]
      for (name, matcher) in matchers {
        let did = try before.map { try matcher.matches($0) } ?? false
        let does = try matcher.matches(record)
        if deletes {
          if did { expected[name] = .recordDeleted }
        } else if does {
          expected[name] = before == nil ? .recordCreated : .recordUpdated
        } else if did {
          expected[name] = .recordLeft
        }
      }
      if deletes {
        try database.deleteRecord(withID: record.recordID)
      } else {
        try database.save(record, policy: .replace)
      }
      var found: [String: QueryNotification.Reason] = [:]
      for case .query(let notification) in heard.take().map(\.notification) {
        #expect(found[notification.subscriptionID] == nil)
        found[notification.subscriptionID] = notification.reason
      }
      #expect(found == expected, "step \(step) from \(base)")
    }
  }

  @Test mutating func asAMatcherSays() throws {
    // What the index learns of the records there are.
    try database.saveAll((0..<200).map { record("r\($0)") })
    for number in 0..<240 { try subscribe(number, to: number) }
    #expect(matchers.count > 150)
    let observer = database.onNotification { [heard] in heard.add($0) }
    defer { observer.cancel() }
    try change(200)
  }

  /// Where records come to hold other values, the ways in which subscriptions are looked up change with them.
  @Test mutating func whileTheyComeAndGo() throws {
    let observer = database.onNotification { [heard] in heard.add($0) }
    defer { observer.cancel() }
    for round in 0..<4 {
      base = [0, 6, 40, 2][round]
      for number in stride(from: round % 2, to: 80, by: round == 0 ? 1 : 3) {
        try subscribe(number, to: number + round)
      }
      try database.saveAll(
        (0..<250).map { record("r\($0)") }.filter { (try? database.record(for: $0.recordID)) == nil })
      _ = heard.take()
      for _ in 0..<(TestAmount.isFull ? 3 : 1) {
        _ = try database.save((0..<300).map { record("q\($0)") }, policy: .replace)
        _ = heard.take()
        try change(40)
      }
    }
  }
}
