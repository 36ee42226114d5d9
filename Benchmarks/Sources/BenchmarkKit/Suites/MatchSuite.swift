internal import PredicateSyntax
internal import ZoneQuery

/// One compiled predicate over records one by one, against a tree that is walked over dictionaries.
struct MatchSuite {
  private let run: BenchmarkRun
  private let generator: EventGenerator

  /// The peer's name in the report.
  static let peer = "naive"

  /// A kind of comparison with a predicate of its own in both forms.
  struct Kind {
    let name: String
    let format: String
    let arguments: [(any PredicateArgument)?]
    let naive: NaivePredicate
  }

  init(_ run: BenchmarkRun, _ generator: EventGenerator) {
    self.run = run
    self.generator = generator
  }

  func measure() throws {
    let schema = try Schema(ckdb: ZoneQueryEngine.schemaText)
    guard let recordType = schema[ZoneQueryEngine.recordType] else { return }
    let events = (0..<min(generator.records, 10_000)).map { generator.event(at: $0) }
    let records = events.map { ZoneQueryEngine.record($0) }
    let dictionaries = records.map { record in
      Dictionary(record.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    var pairs: [(kind: Kind, matcher: Matcher)] = []
    for kind in kinds(events) {
      let predicate = try QueryPredicate(format: kind.format, arguments: kind.arguments)
      let matcher = try Matcher(predicate, for: recordType, options: PredicateOptions(dialect: .extended))
      for index in records.indices {
        let (own, naive) = (try matcher.matches(records[index]), kind.naive.matches(dictionaries[index]))
        if own != naive {
          throw BenchmarkError(
            "'\(kind.format)': the matcher says \(own), the naive tree \(naive) of \(records[index].fields)")
        }
      }
      pairs.append((kind, matcher))
    }
    var selections = pairs.map { (name: "match-\($0.kind.name)", pairs: [$0]) }
    selections.insert((name: "match", pairs: pairs), at: 0)
    for selection in selections where run.wants(selection.name) {
      try time(selection.name, selection.pairs, records, dictionaries)
    }
    run.addSetup(
      MatchSuite.peer,
      [
        "an enum walked for each record over a dictionary of its values, written without cleverness; haversine for "
          + "distances, lowercased() and split for words",
        "match-…: one predicate over up to 10,000 records that are in memory in each side's own form (a Record, a "
          + "dictionary); match: all of them in turn",
        "match-batch-…: the same predicates counted over a database without indexes, which reads them a block of rows at "
          + "a time from its columns; a record's part of the time",
      ])
    try BatchSuite(run, generator).measure(pairs.map(\.kind), records, dictionaries)
  }

  private func time(
    _ name: String, _ pairs: [(kind: Kind, matcher: Matcher)], _ records: [Record],
    _ dictionaries: [[String: FieldValue]]
  ) throws {
    // The kinds take turns, so that every stretch holds them all.
    let kinds = pairs.count
    var competitors = [
      Alternation.Competitor(name: ReportResult.ownEngine) { range in
        var found: UInt64 = 0
        for operation in range where try pairs[operation % kinds].matcher.matches(records[operation / kinds]) {
          found += 1
        }
        blackHole(found)
      }
    ]
    if run.options.peer != .none {
      competitors.append(
        Alternation.Competitor(name: MatchSuite.peer) { range in
          var found: UInt64 = 0
          for operation in range where pairs[operation % kinds].kind.naive.matches(dictionaries[operation / kinds]) {
            found += 1
          }
          blackHole(found)
        })
    }
    let timings = try run.alternation(cycle: records.count * kinds).run(competitors)
    var counters = ["matches": 0.0]
    for pair in pairs {
      for record in records where try pair.matcher.matches(record) { counters["matches", default: 0] += 1 }
    }
    for (competitor, timing) in zip(competitors, timings) {
      counters["\(competitor.name).allocations"] = timing.allocations
    }
    run.add(
      ReportResult(
        suite: "match", workload: name, variant: .records, records: generator.records,
        timings: zip(competitors, timings).map { (name: $0.name, timing: $1) }, counters: counters))
  }

  private func kinds(_ events: [Event]) -> [Kind] {
    let some = events[events.count / 2]
    let middle = generator.start(after: 0.5)
    let price = generator.price(above: 0.4)...generator.price(above: 0.6)
    let prefix = String(some.name.prefix(3))
    let names = events.prefix(20).map(\.name)
    let circle = generator.circles[2][0]
    let location = Location(latitude: circle.centre.latitude, longitude: circle.centre.longitude)
    let words = [generator.word(rank: 0), generator.word(rank: 3)]
    let tag = some.tags.first ?? generator.tag(0)
    let start = Literal.date(milliseconds: middle)
    return [
      Kind(
        name: "equality", format: "city = %@", arguments: [some.city], naive: .equal("city", .string(some.city))),
      Kind(
        name: "not-equal", format: "city != %@", arguments: [some.city],
        naive: .not(.equal("city", .string(some.city)))),
      Kind(name: "integer-range", format: "attendees > %@", arguments: [100], naive: .greater("attendees", 100)),
      Kind(name: "double-range", format: "rating > %@", arguments: [2.5], naive: .greaterDouble("rating", 2.5)),
      Kind(name: "date-range", format: "start > %@", arguments: [start], naive: .greater("start", middle)),
      Kind(
        name: "between", format: "price BETWEEN {%@, %@}", arguments: [price.lowerBound, price.upperBound],
        naive: .between("price", price)),
      Kind(name: "prefix", format: "name BEGINSWITH %@", arguments: [prefix], naive: .beginsWith("name", prefix)),
      Kind(name: "in-20", format: "name IN %@", arguments: [names], naive: .isIn("name", names)),
      Kind(name: "contains", format: "tags CONTAINS %@", arguments: [tag], naive: .contains("tags", tag)),
      Kind(
        name: "distance", format: "distanceToLocation:fromLocation:(location, %@) < %@",
        arguments: [location, circle.metres], naive: .within("location", circle.centre, metres: circle.metres)),
      Kind(
        name: "tokens", format: "ALL tokenize(%@, 'Cdl') IN allTokens", arguments: [words.joined(separator: " ")],
        naive: .words(words, in: ["title", "body"])),
      Kind(
        name: "conjunction", format: "start > %@ AND rating > %@ AND (city = %@ OR tags CONTAINS %@)",
        arguments: [start, 1.0, some.city, tag],
        naive: .all([
          .greater("start", middle), .greaterDouble("rating", 1),
          .any([.equal("city", .string(some.city)), .contains("tags", tag)]),
        ])),
    ]
  }
}
