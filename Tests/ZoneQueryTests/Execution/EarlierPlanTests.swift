import Testing

@testable import ZoneQuery

/// Prepared queries whose runs take the plan of an earlier one, over compound indexes that come and go: values of all
/// kinds, at the ends of what numbers can be, against forced scans.
@Suite struct EarlierPlanTests {
  private struct Asked {
    var format: String
    var sort: [SortKey] = []
  }

  private static let questions: [Asked] = [
    Asked(format: "a > $p AND b < $q"),
    Asked(format: "a > $p AND b < $q", sort: [.ascending("a")]),
    Asked(format: "b >= $q", sort: [.descending("a")]),
    Asked(format: "b != $q", sort: [.ascending("a"), .ascending("b")]),
    Asked(format: "b >= $q AND c <= $r", sort: [.descending("a"), .descending("b")]),
    Asked(format: "c BETWEEN {$r, $s} AND a <= $p", sort: [.ascending("a")]),
    Asked(format: "city = $city AND c = $r", sort: [.descending("b")]),
    Asked(format: "city = $city AND c < $r AND b BETWEEN {$q, $t}"),
    Asked(format: "city = $city AND c < $r AND c > $s", sort: [.ascending("b"), .descending("c")]),
    Asked(format: "numbers CONTAINS $p AND c > $r AND b <= $q"),
    Asked(format: "numbers CONTAINS $p AND c > $r", sort: [.descending("b")]),
    Asked(format: "tags CONTAINS $city AND c > $r", sort: [.ascending("b")]),
    Asked(format: "tags CONTAINS $city AND c > $r"),
    Asked(format: "b != nil AND a > $p AND c != nil", sort: [.ascending("a")]),
    Asked(format: "b = 9223372036854775807 AND a >= $p"),
    Asked(format: "NOT (b = $q) AND a >= $p AND c >= 0"),
    Asked(format: "d > $d AND a > $p AND b > $q", sort: [.descending("d")]),
    Asked(format: "d <= $d AND a <= $p"),
    Asked(format: "a = $p AND city = $city"), Asked(format: "a > $p AND city != $city", sort: [.ascending("a")]),
    Asked(format: "a > $p AND city BEGINSWITH $city", sort: [.descending("a")]),
    Asked(format: "a >= $p AND b >= $q AND c >= $r AND city = $city", sort: [.ascending("a")]),
    Asked(format: "city = $city AND b != 5 AND c != nil"), Asked(format: "a > $p AND (b = 3 OR c = nil OR tags = nil)"),
    Asked(format: "a > $p AND a IN {0, 1, 2} AND NOT (city IN {'Rome', ''})", sort: [.ascending("a")]),
    Asked(format: "ref = $ref"), Asked(format: "ref = $ref", sort: [.descending("b")]),
    Asked(format: "ref = $ref AND b > $q", sort: [.ascending("b")]), Asked(format: "ref = $ref AND c <= $r"),
    Asked(format: "a >= $p AND ref = $ref", sort: [.ascending("a")]), Asked(format: "a >= $p AND ref != $ref"),
    Asked(format: "refs CONTAINS $ref", sort: [.ascending("b")]), Asked(format: "refs CONTAINS $ref AND city = $city"),
    Asked(format: "a IN $list"), Asked(format: "a IN $list", sort: [.descending("b")]), Asked(format: "d IN $dates"),
    Asked(format: "c IN $list AND city = $city", sort: [.ascending("c")]), Asked(format: "ANY refs IN $targets"),
    Asked(format: "ref IN $targets", sort: [.ascending("c"), .descending("a")]), Asked(format: "$p IN numbers"),
    Asked(format: "ANY numbers IN $list AND a >= $p"), Asked(format: "city IN $cities", sort: [.ascending("c")]),
    Asked(format: "NOT (numbers CONTAINS $p) AND city = $city"), Asked(format: "a >= $p AND NOT (b IN $list)"),
    Asked(format: "creatorUserRecordID = $ref"), Asked(format: "modificationDate >= $d AND a > $p"),
    Asked(format: "recordID = $ref AND b > $q"), Asked(format: "city = $city AND (a = $p OR b < $q)"),
    Asked(format: "ref = CAST('other', 'CKReference') AND city = $city", sort: [.ascending("b")]),
  ]
  private static let definitions = [
    ["a", "b"], ["a", "b", "c"], ["city", "b", "c"], ["numbers", "b", "c"], ["tags", "b", "c"], ["d", "a", "b", "c"],
    ["c", "a", "b"], ["ref", "b"], ["refs", "b", "c"],
  ].map { IndexDefinition(recordType: "Event", keys: $0) }

  /// What records hold and queries ask for.
  private struct Values {
    var samples: SplitMix
    /// Whether records lack some fields.
    let someLack: Bool

    private static let integers: [Int64] = [
      .min, .min + 1, -(1 << 53) - 1, -(1 << 53), -5, -1, 0, 1, 2, 3, 1 << 53, (1 << 53) + 1, (1 << 53) + 2, .max - 1,
      .max,
    ]
    private static let doubles: [Double] = [
      -.infinity, -.greatestFiniteMagnitude, -0.0, 0, 0.5, 1, 0x1p53, 0x1p63, -0x1p63, 1e300, .leastNonzeroMagnitude,
      .infinity,
    ]
    static let cities = [
      "a city of a long name", "a city of a long name, and more", "Rome", "", "eight888", "eight-89 ",
    ]

    static let targets = ["post 8082", "post 338078", "other", "é"].map { RecordID(recordName: $0) }

    mutating func one<Value>(of values: [Value]) -> Value { values[samples.below(values.count)] }

    mutating func record(_ number: Int) -> Record {
      var record = Record(recordType: "Event", recordName: "r\(number)")
      let values: [(String, FieldValue)] = [
        ("a", .int64(one(of: Self.integers))), ("b", .int64(one(of: Self.integers))),
        ("c", .double(one(of: Self.doubles))), ("d", .timestamp(Timestamp(milliseconds: Int64(samples.below(9))))),
        ("city", .string(one(of: Self.cities))),
        ("tags", .stringList((0..<samples.below(4)).map { _ in one(of: Self.cities) })),
        ("numbers", .int64List((0..<samples.below(4)).map { _ in one(of: Self.integers) })),
        ("ref", .reference(Reference(one(of: Self.targets)))),
        ("refs", .referenceList((0..<samples.below(3)).map { _ in Reference(one(of: Self.targets)) })),
      ]
      for (name, value) in values where !someLack || samples.below(9) > 0 { record[name] = value }
      return record
    }

    /// Some values of one kind, the same one several times or none among them.
    private mutating func members<Value: PredicateArgument>(of values: [Value]) -> any PredicateArgument {
      (0..<samples.below(5)).map { _ in one(of: values) }
    }

    private mutating func numbers() -> any PredicateArgument {
      samples.below(4) == 0 ? members(of: Self.doubles) : members(of: Self.integers)
    }

    private mutating func moments() -> any PredicateArgument {
      members(of: (0..<9).map { Timestamp(milliseconds: Int64($0)) })
    }

    private mutating func number() -> any PredicateArgument {
      switch samples.below(8) {
      case 0: one(of: Self.doubles)
      case 1: one(of: [0.5, 0x1.0000000000001p53, -1.5, 0x1.fffffffffffffp62, Double.nan])
      case 2: one(of: ["text" as any PredicateArgument, true, Timestamp(milliseconds: 4), "9"])
      default: one(of: Self.integers)
      }
    }

    mutating func arguments(_ names: [String]) -> [String: any PredicateArgument] {
      var arguments: [String: any PredicateArgument] = [:]
      for name in names {
        let isOther = samples.below(20) == 0
        switch name {
        case "city": arguments[name] = isOther ? 5 : one(of: Self.cities)
        case "ref": arguments[name] = isOther ? "other" : Reference(one(of: Self.targets), action: .deleteSelf)
        case "list": arguments[name] = isOther ? members(of: Self.cities) : numbers()
        case "dates": arguments[name] = isOther ? numbers() : moments()
        case "targets":
          arguments[name] = isOther ? numbers() : members(of: Self.targets.map { Reference($0) })
        case "cities": arguments[name] = isOther ? moments() : members(of: Self.cities)
        case "d": arguments[name] = isOther ? 5 : Timestamp(milliseconds: Int64(samples.below(10)))
        default: arguments[name] = number()
        }
      }
      return arguments
    }
  }

  @Test(arguments: 0..<5) func answersOfScans(seed: Int) throws {
    var values = Values(samples: SplitMix(seed: UInt64(100 + seed)), someLack: seed > 0)
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(
      dialect: .extended, missingFields: seed > 1 ? .likeNSPredicate : .excluded)
    configuration.limits.itemsPerOperation = 1_000
    let indexed = seed % 2 == 0 ? " QUERYABLE SORTABLE" : ""
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Event (
            a INT64\(indexed), b INT64\(indexed), c DOUBLE\(indexed), d TIMESTAMP, city STRING,
            tags LIST<STRING>\(seed == 2 ? " QUERYABLE" : ""), numbers LIST<INT64>,
            ref REFERENCE\(seed < 3 ? " QUERYABLE" : ""), refs LIST<REFERENCE>\(seed < 2 ? " QUERYABLE" : ""));
          """), configuration: configuration)
    for definition in Self.definitions { try database.addIndex(definition) }
    var there = Set(Self.definitions.indices)
    let count = TestAmount.isFull ? 700 : 350
    for result in try database.save((0..<count).map { values.record($0) }, policy: .replace) { _ = try result.get() }
    var prepared: [(asked: Asked, query: PreparedQuery, limit: Int)] = []
    let limits = [Int.max, 3, 17]
    for (number, asked) in Self.questions.enumerated() {
      // In the short form one limit each, of which every seed gives it another.
      for limit in TestAmount.isFull ? limits : [limits[(number + seed) % 3]] {
        let query = Query(
          recordType: "Event", predicate: try QueryPredicate(format: asked.format), sort: asked.sort)
        prepared.append((asked, try database.prepare(query, inZoneWith: .default), limit))
      }
    }
    var (checks, direct, errors) = (0, 0, 0)
    let rounds = TestAmount.isLong ? 100 : 2
    for round in 0..<rounds {
      for _ in 0..<4 { try database.save(values.record(values.samples.below(count + 20)), policy: .replace) }
      // An index goes or comes back, once at least.
      if round == 1 || values.samples.below(6) == 0 {
        let number = values.samples.below(Self.definitions.count)
        if there.remove(number) != nil {
          try database.dropIndex(Self.definitions[number])
        } else {
          try database.addIndex(Self.definitions[number])
          there.insert(number)
        }
      }
      for (asked, query, limit) in prepared {
        let arguments = values.arguments(query.parameterNames)
        let before = query.directAnswers
        let scanned = Result { try query.answer(forcing: .scan, arguments) }
        guard case .success(let scan) = scanned else {
          #expect(throws: ZoneQueryError.self) { try query.forEachRecord(arguments, resultsLimit: limit) { _ in } }
          errors += 1
          continue
        }
        let found = try pages(query, arguments, limit)
        #expect(asked.sort.isEmpty ? Set(found) == Set(scan.ids) : found == scan.ids, "\(asked) \(arguments) \(there)")
        #expect(found.count == scan.ids.count)
        #expect(try query.count(arguments) == scan.ids.count)
        let records = try records(query, arguments, limit)
        // Without a sort either may come in the order of a plan of its own.
        let names = records.map(\.recordID)
        #expect(asked.sort.isEmpty ? Set(names) == Set(found) : names == found, "\(asked) \(arguments) \(there)")
        #expect(names.count == found.count)
        for record in records.prefix(2) { #expect(try database.record(for: record.recordID) == record) }
        direct += max(0, query.directAnswers - before)
        checks += 2
      }
    }
    print("earlier plans \(seed): \(checks) answers, \(direct) of them by earlier plans, \(errors) errors")
    let share = rounds * prepared.count / Self.questions.count
    #expect(checks >= 25 * share && direct * 3 >= 8 * share && errors >= 2 * share)
  }

  /// All records, page by page.
  private func pages(
    _ query: PreparedQuery, _ arguments: [String: any PredicateArgument], _ limit: Int
  ) throws -> [RecordID] {
    var found: [RecordID] = []
    var cursor: QueryCursor?
    var hasMore = true
    while hasMore {
      let (after, known) = (cursor, found.count)
      hasMore = try query.forEachRecord(arguments, resultsLimit: limit, after: after) { view throws(ZoneQueryError) in
        found.append(view.recordID)
        if found.count - known == limit { cursor = try view.cursor() }
      }
      try #require(!hasMore || found.count == known + limit)
    }
    return found
  }

  /// The same as values.
  private func records(
    _ query: PreparedQuery, _ arguments: [String: any PredicateArgument], _ limit: Int
  ) throws -> [Record] {
    var page = try query.records(arguments, resultsLimit: limit)
    var found = page.records
    while let cursor = page.cursor {
      page = try query.records(arguments, resultsLimit: limit, after: cursor)
      found += page.records
    }
    return found
  }

  /// An earlier plan does not answer where later values leave it much more to read than it was made for.
  @Test func muchToRead() throws {
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Event (a INT64, b INT64 QUERYABLE SORTABLE, tags LIST<STRING> QUERYABLE);
          """))
    for keys in [["a", "b"], ["tags", "a", "b"]] {
      try database.addIndex(IndexDefinition(recordType: "Event", keys: keys))
    }
    let count = 30_000
    try database.load(
      (0..<count).map { number in
        var record = Record(recordType: "Event", recordName: "r\(number)")
        record["a"] = .int64(Int64(number))
        record["b"] = .int64(Int64(number * 7_919 % count))
        record["tags"] = .stringList([number % 1_000 == 0 ? "rare" : "common"])
        return record
      })
    let few: [String: any PredicateArgument] = ["a": 29_900, "b": 27_000]
    for (format, early, late, isSoon) in [
      ("a > $a AND b > $b", few, ["a": 10, "b": 29_997], false),
      ("a > $a AND b > $b", few, ["a": 24_000, "b": 29_990], false),
      ("a > $a AND b > $b", few, ["a": 29_000, "b": 27_000], true),
      ("tags CONTAINS $t AND b > $b", ["t": "rare", "b": 10], ["t": "common", "b": 10], false),
      ("tags CONTAINS $t AND b > $b", ["t": "rare", "b": 10], ["t": "common", "b": 29_990], false),
      ("tags CONTAINS $t AND b > $b", ["t": "rare", "b": 10], ["t": "rare", "b": 29_000], true),
    ] as [(String, [String: any PredicateArgument], [String: any PredicateArgument], Bool)] {
      for limit in [50, Int.max] {
        let query = try database.prepare(
          Query(recordType: "Event", predicate: try QueryPredicate(format: format)), inZoneWith: .default)
        for _ in 0..<2 { try query.forEachRecord(early, resultsLimit: limit) { _ in } }
        let before = query.directAnswers
        #expect(before > 0)
        var found: [RecordID] = []
        try query.forEachRecord(late, resultsLimit: limit) { found.append($0.recordID) }
        #expect(query.directAnswers - before == (isSoon ? 1 : 0), "\(format) \(late) \(limit)")
        let all = try query.answer(forcing: .scan, late).ids
        #expect(Set(found).isSubset(of: all) && found.count == min(limit, all.count))
      }
    }
  }

  /// How many records a condition holds for is known from an index on several fields that begins with its own.
  @Test func sharesOfFirstFields() throws {
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (a INT64, b INT64, c INT64);"))
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["a", "b"]))
    try database.load(
      (0..<20_000).map { number in
        var record = Record(recordType: "Event", recordName: "r\(number)")
        record["a"] = .int64(Int64(number * 7_919 % 20_000))
        record["b"] = .int64(Int64(number))
        return record
      })
    let query = try database.prepare(
      Query(recordType: "Event", predicate: try QueryPredicate(format: "a > $a AND b > 10")), inZoneWith: .default)
    let few = try query.explain(["a": 19_900], resultsLimit: 7)
    #expect(few.counters.rowsExamined <= 7 && few.counters.entriesRead <= 99, "\(few)")
    // Of nearly all records, the first are found soonest where they stand.
    let most = try query.explain(["a": 100], resultsLimit: 7)
    #expect(most.counters.entriesRead <= 144, "\(most)")
    // An index that no record is in, since all lack its other field, tells nothing of the first.
    try database.dropIndex(IndexDefinition(recordType: "Event", keys: ["a", "b"]))
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["a", "c"]))
    try database.addIndex(IndexDefinition(recordType: "Event", keys: ["b"]))
    let sorted = try database.prepare(
      Query(
        recordType: "Event", predicate: try QueryPredicate(format: "a > $a"), sort: [.ascending("b")]),
      inZoneWith: .default)
    let first = try sorted.explain(["a": 100], resultsLimit: 10)
    #expect(first.counters.entriesRead <= 144 && first.counters.rowsExamined <= 144, "\(first)")
  }

  /// Pages of records and records read in place each keep a plan for their limit.
  @Test func pagesBesideRecordsInPlace() throws {
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (a INT64 QUERYABLE SORTABLE);"))
    try database.load(
      (0..<500).map { number in
        var record = Record(recordType: "Event", recordName: "r\(number)")
        record["a"] = .int64(Int64(number))
        return record
      })
    let query = try database.prepare(
      Query(recordType: "Event", predicate: try QueryPredicate(format: "a > $a"), sort: [.ascending("a")]),
      inZoneWith: .default)
    for round in 0..<5 {
      var count = 0
      try query.forEachRecord(["a": 100]) { _ in count += 1 }
      let page = try query.records(["a": 100], resultsLimit: 10)
      #expect(count == 399 && page.records.map { $0["a"] } == (101..<111).map { .int64($0) } && page.cursor != nil)
      #expect(query.directAnswers == 2 * round)
    }
  }
}
