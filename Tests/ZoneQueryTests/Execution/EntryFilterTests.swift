import Testing

@testable import ZoneQuery

/// What is asked of later fields of compound indexes, which their entries tell by themselves.
@Suite struct EntryFilterTests {
  /// Runs of entries against a filter by hand, in both directions and in pieces of all lengths: of three numbers, and of two,
  /// whose leaves have codes.
  @Test func runs() {
    let checks = runs(Key3.self, words: 1..<3) + runs(Key2.self, words: 1..<2)
    print("entry filters: \(checks) runs and pieces")
    #expect(checks >= TestAmount.of(8_000))
  }

  private func runs<Key: IndexKey>(_ type: Key.Type, words: Range<Int>) -> Int {
    var samples = SplitMix(seed: 21)
    let heap = PageHeap()
    var checks = 0
    for round in 0..<TestAmount.of(40) {
      heap.begin()
      var index = OrderedIndex<Key>(shape: KeyShape(Array(repeating: .number, count: Key.wordCount)))
      let edges: [UInt64] = [0, 1, 5, 6, 7, 1 << 63, .max - 1, .max]
      var entries: [IndexEntry<Key>] = []
      for slot in 0..<UInt32(1 + samples.below(400)) {
        let last = round % 2 == 0 ? edges[samples.below(8)] : samples.next() >> UInt64(samples.below(3) * round % 64)
        let key = Key(Key4(UInt64(samples.below(9)), words.count == 1 ? last : edges[samples.below(8)], last))
        entries.append(IndexEntry(key: key, slot: slot))
        index.insert(key, slot: slot, heap: heap, ties: NoTies())
      }
      for _ in 0..<samples.below(entries.count) {
        let entry = entries.remove(at: samples.below(entries.count))
        index.remove(entry.key, slot: entry.slot, heap: heap, ties: NoTies())
      }
      let fault = index.fault(ties: NoTies())
      #expect(fault == nil)
      for _ in 0..<20 {
        var filter = EntryFilter()
        var ranges: [(word: Int, range: ClosedRange<UInt64>)] = []
        for _ in 0..<samples.below(4) {
          let ends = (edges[samples.below(8)], edges[samples.below(8)])
          let range = min(ends.0, ends.1)...max(ends.0, ends.1)
          let word = words.lowerBound + samples.below(words.count)
          let isTaken = filter.add(word, range)
          #expect(isTaken)
          ranges.append((word, range))
        }
        func passes(_ key: Key) -> Bool { ranges.allSatisfy { $0.range.contains(key[$0.word]) } }
        #expect(filter.isEmpty == ranges.isEmpty)
        let (low, high) = (samples.below(entries.count + 1), samples.below(entries.count + 1))
        let (lower, upper) = (index.position(rank: min(low, high)), index.position(rank: max(low, high)))
        for isDescending in [false, true] {
          index.forEachRun(from: lower, to: upper, descending: isDescending) { run in
            let expected = (0..<run.count).filter { passes(run.key($0)) }
            if filter.isHopeless {
              #expect(expected.isEmpty)
              return true
            }
            #expect((0..<run.count).filter { run.passes(filter, $0) } == expected)
            var first = 0
            while first < run.count {
              let count = min(1 + samples.below(32), run.count - first)
              let mask = run.passing(filter, first, count)
              #expect(
                (0..<32).filter { mask >> $0 & 1 == 1 }.map { first + $0 }
                  == expected.filter {
                    $0 >= first && $0 < first + count
                  })
              first += count
              checks += 1
            }
            checks += 1
            return true
          }
        }
        let (wanted, mostEntries) = (1 + samples.below(300), 1 + samples.below(300))
        var passing: [UInt32] = []
        // It ends behind the leaf with which there is enough of either.
        var (first, read) = ([UInt32](), 0)
        index.forEachRun(from: lower, to: upper) { run in
          let slots = (0..<run.count).filter { passes(run.key($0)) }.map { run.slot($0) }
          passing += slots
          if first.count < wanted, read < mostEntries {
            first += slots
            read += run.count
          }
          return true
        }
        var found: [UInt32] = [7]
        let isWhole = index.collect(from: lower, to: upper, passing: filter, into: &found)
        #expect(isWhole && found == [7] + passing)
        found = []
        let isEnough = index.collect(
          from: lower, to: upper, passing: filter, wanted: wanted, mostEntries: mostEntries, into: &found)
        #expect(found == first)
        #expect(isEnough == (filter.isHopeless || read < mostEntries || first.count >= wanted))
        checks += 2
      }
      heap.rollback()
    }
    return checks
  }

  /// How words become codes, at the ends of all spans.
  @Test func scales() {
    var samples = SplitMix(seed: 9)
    var checks = 0
    for _ in 0..<TestAmount.of(20_000) {
      let ends = (samples.next() >> UInt64(samples.below(64)), samples.next() >> UInt64(samples.below(64)))
      let (least, greatest) = samples.below(9) == 0 ? (0, .max) : (min(ends.0, ends.1), max(ends.0, ends.1))
      let scale = WordScale(least: least, greatest: greatest)
      #expect(scale.covers(least) && scale.covers(greatest))
      let words = [least, greatest, least &- 1, greatest &+ 1, samples.next(), least / 2 + greatest / 2].sorted()
      for (lower, word) in zip(words, words.dropFirst()) where scale.covers(word) {
        if scale.covers(lower) { #expect(scale.place(lower) <= scale.place(word)) }
        let codes = scale.codes(from: lower, to: word)
        #expect(codes.map { UInt64($0.last) } == scale.place(word))
        if scale.covers(lower) { #expect(codes.map { UInt64($0.first) } == scale.place(lower)) }
        checks += 1
      }
    }
    print("scales of words: \(checks) checks")
    #expect(checks >= TestAmount.of(40_000))
  }

  /// There is room for two words, and a word may be asked for more than once.
  @Test func room() {
    var filter = EntryFilter()
    #expect(filter.isEmpty && !filter.isHopeless)
    let taken = [filter.add(2, 5...9), filter.add(1, 0 ... .max), filter.add(3, 1...2), filter.add(2, 9...12)]
    #expect(taken == [true, true, false, true])
    #expect(filter.first.holds(9) && !filter.first.holds(8) && !filter.first.holds(10) && filter.second.holds(0))
    #expect(!filter.isHopeless)
    let isTaken = filter.add(2, 10...12)
    #expect(isTaken && filter.isHopeless && !filter.isEmpty)
    var empty = EntryFilter()
    let isNothingTaken = empty.add(1, nil)
    #expect(isNothingTaken && empty.isHopeless && !empty.isEmpty)
  }

  private struct Asked {
    var format: String
    var sort: [SortKey] = []
    var limit = Int.max
    /// Whether no row is to be looked at: all that is asked for is in an index.
    var isTold = true
  }

  private static let questions: [Asked] = [
    Asked(format: "a > $a AND b BETWEEN {$b, $d}"),
    Asked(format: "a > $a AND b < $b", limit: 7),
    Asked(format: "b >= $b", sort: [.ascending("a")], limit: 5),
    Asked(format: "b >= $b AND b < $d", sort: [.descending("a")], limit: 9),
    Asked(format: "b = $b", sort: [.descending("a"), .ascending("b")], limit: 4),
    Asked(format: "a <= $a AND b > $b", sort: [.descending("a")], limit: 6),
    Asked(format: "a <= $a AND b > $b AND e > $e", sort: [.ascending("a")], limit: 6, isTold: false),
    Asked(format: "a BETWEEN {$a, $d} AND b != $b", isTold: false),
    Asked(format: "city = $city AND b > $b AND c < $c"),
    Asked(format: "city = $city AND c > $c"),
    Asked(format: "city = $city AND c > $c", sort: [.descending("b")], limit: 5),
    Asked(format: "city = $city AND c > $c AND e < $e", sort: [.ascending("b")], limit: 5, isTold: false),
    Asked(format: "city BEGINSWITH 'a city' AND b < $b AND c >= $c"),
    Asked(format: "tags CONTAINS $tag AND b > $b AND c = $c"),
    Asked(format: "tags CONTAINS $tag AND c > $c", sort: [.ascending("b")], limit: 5),
    Asked(format: "c = $c AND a > $a AND e > $e AND b < $d"),
    Asked(format: "c > $c AND b > $b AND e <= $e AND a > $a", limit: 3, isTold: false),
  ]

  @Test(arguments: [false, true]) func answersOfScans(someLack: Bool) throws {
    var configuration = Database.Configuration()
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    configuration.limits.itemsPerOperation = 1_000
    let database = try Database(
      schema: try Schema(
        ckdb: """
          DEFINE SCHEMA RECORD TYPE Event (
            a INT64, b TIMESTAMP, c DOUBLE, e INT64, city STRING, tags LIST<STRING>);
          """), configuration: configuration)
    for keys in [["a", "b"], ["city", "b", "c"], ["tags", "b", "c"], ["c", "a", "e", "b"]] {
      try database.addIndex(IndexDefinition(recordType: "Event", keys: keys))
    }
    var samples = SplitMix(seed: someLack ? 4 : 3)
    let cities = ["a city of a long name", "a city of a long name, and more", "Rome", ""]
    func record(_ number: Int, _ zone: ZoneID = .default) -> Record {
      var record = Record(recordType: "Event", recordName: "r\(number)", zoneID: zone)
      func give(_ name: String, _ value: FieldValue) {
        // Without one of the fields a row is not in an index on it.
        if !someLack || samples.below(12) > 0 { record[name] = value }
      }
      give("a", .int64(Int64(samples.below(60)) - 30))
      give("b", .timestamp(Timestamp(milliseconds: Int64(samples.below(50)) * 1_000)))
      give("c", .double([-0.0, 0, 0.5, 1, Double.infinity, -Double.infinity][samples.below(6)]))
      give("e", .int64(samples.below(9) == 0 ? .max : Int64(samples.below(20))))
      give("city", .string(cities[samples.below(4)]))
      give("tags", .stringList((0..<samples.below(4)).map { _ in ["x", "y", "a tag of length"][samples.below(3)] }))
      return record
    }
    for _ in 0..<2 {
      for result in try database.save((0..<900).map { record($0) }, policy: .replace) { _ = try result.get() }
    }
    let other = ZoneID(zoneName: "other")
    try database.createZone(other)
    for result in try database.save((0..<300).map { record($0, other) }, policy: .replace) { _ = try result.get() }
    let prepared = try Self.questions.map {
      try database.prepare(
        Query(recordType: "Event", predicate: try QueryPredicate(format: $0.format), sort: $0.sort),
        inZoneWith: .default)
    }
    var (checks, direct, told, kinds) = (0, 0, 0, Set<String>())
    let rounds = TestAmount.of(20, long: 300)
    for round in 0..<rounds {
      for _ in 0..<5 { try database.save(record(samples.below(900)), policy: .replace) }
      for (asked, query) in zip(Self.questions, prepared) {
        let b = samples.below(50)
        let all: [String: any PredicateArgument] = [
          "a": samples.below(64) - 32, "b": Timestamp(milliseconds: Int64(b) * 1_000),
          "c": [0.0, -0.0, 0.5, 2, -Double.infinity][samples.below(5)], "city": cities[samples.below(4)],
          "d": asked.format.contains("a BETWEEN")
            ? samples.below(40) as any PredicateArgument
            : Timestamp(milliseconds: Int64(b + samples.below(20) - 3) * 1_000), "e": samples.below(22),
          "tag": ["x", "a tag of length", "none"][samples.below(3)],
        ]
        let values = all.filter { query.parameterNames.contains($0.key) }
        let expected = try query.answer(forcing: .scan, values, resultsLimit: asked.limit)
        kinds.formUnion(expected.notes.kinds)
        let before = query.directAnswers
        for _ in 0..<2 {
          var found: [RecordID] = []
          let hasMore = try query.forEachRecord(values, resultsLimit: asked.limit) { found.append($0.recordID) }
          if asked.sort.isEmpty, asked.limit == .max {
            #expect(Set(found) == Set(expected.ids), "\(asked.format), \(values)")
          } else if !asked.sort.isEmpty {
            #expect(found == expected.ids, "\(asked.format), \(values)")
          }
          #expect(found.count == expected.ids.count && hasMore == expected.hasMore, "\(asked.format), \(values)")
          checks += 2
        }
        direct += max(0, query.directAnswers - before)
        #expect(try query.count(values) == query.count(forcing: .scan, values).count, "\(asked.format), \(values)")
        let explained = try query.explain(values, resultsLimit: asked.limit)
        let plan = String(decoding: explained.description.utf8, as: UTF8.self).split(separator: "\npaths,")[0]
        // A long member is told apart by the rows alone; what is put in order is looked at.
        if plan.contains("each entry"), asked.isTold, !plan.contains("filter"), !plan.contains("top rows") {
          told += 1
          #expect(explained.counters.rowsExamined == 0, "\(explained)")
        }
        checks += 2
        guard round % 6 == 0 else { continue }
        // Page by page, by every plan there is to choose from, and over all zones.
        var paged: [RecordID] = []
        var cursor: QueryCursor?
        repeat {
          let page = try query.records(values, resultsLimit: 13, after: cursor)
          paged += page.records.map(\.recordID)
          cursor = page.cursor
        } while cursor != nil
        let whole = try query.answer(forcing: .scan, values).ids
        #expect(asked.sort.isEmpty ? Set(paged) == Set(whole) && paged.count == whole.count : paged == whole)
        checks += 1
        for number in 0..<max(1, expected.notes.most) {
          let forced = try query.answer(forcing: .considered(number), values, resultsLimit: asked.limit)
          #expect(asked.sort.isEmpty ? forced.ids.count == expected.ids.count : forced.ids == expected.ids)
          checks += 1
        }
        let everywhere = try database.prepare(query.query)
        for limit in [asked.limit, .max] {
          var found: [RecordID] = []
          try everywhere.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
          let scanned = try everywhere.answer(forcing: .scan, values, resultsLimit: limit).ids
          #expect(asked.sort.isEmpty ? found.count == scanned.count : found == scanned, "\(asked.format), \(values)")
          if limit == .max { #expect(Set(found) == Set(scanned), "\(asked.format), \(values)") }
          checks += 1
        }
      }
    }
    print(
      "later fields: \(checks) checks, \(direct) answers by an earlier plan, \(told) without a look at rows; "
        + kinds.sorted().joined(separator: "; "))
    #expect(checks >= 100 * rounds && direct >= 8 * rounds && told >= 2 * rounds)
    #expect(kinds.contains { $0.hasPrefix("tested span") } && kinds.contains { $0.hasPrefix("sorted walk, tested") })
    #expect(kinds.contains { $0.hasPrefix("walk, tested") })
  }
}
