import Testing

@testable import ZoneQuery

/// When an index plans its subscriptions anew.
struct SubscriptionPlanningTests {
  private static let type = RecordType(
    "Item",
    fields: [FieldDefinition("number", .int64), FieldDefinition("name", .string), FieldDefinition("note", .string)])

  /// Numbers and names that follow no order, from a counter.
  private func record(_ count: inout UInt64, above least: Int64) -> Record {
    count &+= 1
    let mixed = ByteHash.fold(count, 0x9E37_79B9_7F4A_7C15)
    var record = Record(recordType: "Item", recordName: "r\(count)")
    record["number"] = .int64(least + Int64(mixed % 1_000))
    record["name"] = .string("n\(mixed >> 32 % 50)")
    record["note"] = "read by nobody"
    return record
  }

  @Test func whereRecordsComeToLookDifferent() throws {
    let index = SubscriptionIndex(seed: 1)
    var count: UInt64 = 0
    index.learn(from: (0..<600).map { _ in record(&count, above: 0) }, recordType: Self.type)
    for number in 0..<300 {
      _ = try index.add(
        QueryPredicate(format: "number BETWEEN {%@, %@} AND name = %@", number, number + 9, "n\(number % 50)"),
        for: Self.type)
    }
    func isMoving() -> Bool { index.withTable(named: "Item") { $0.isMoving } ?? false }
    var (found, isAnew) = (0, false)
    for _ in 0..<3_000 {
      found += index.matches(created: record(&count, above: 0)).count
      if isMoving() { isAnew = true }
    }
    // Asked after 2,400.
    #expect(!isAnew)
    #expect(found > 50)
    for _ in 0..<7_000 where !isAnew {
      let next = record(&count, above: 400)
      let matches = index.matches(created: next)
      if isMoving() {
        isAnew = true
        #expect(matches == index.matchesByScanning(created: next))
      }
    }
    // Asked again after 9,600, when two thirds of the sample are of the others.
    #expect(isAnew)
  }

  @Test func eventsThatNeverCome() {
    for events in [QuerySubscription.Events([]), QuerySubscription.Events(rawValue: 16)] {
      do throws(ZoneQueryError) {
        _ = try SubscriptionIndex().add(.true, for: Self.type, events: events)
        Issue.record("added")
      } catch {
        #expect(error.code == .invalidSubscription && error.hint != nil)
      }
    }
  }

  /// What was prepared has chosen by what an index knew then; it is found all the same when that is known no more, or was
  /// never known.
  @Test func byWhatIsKnownWhenTheyAreAdded() throws {
    let index = SubscriptionIndex(seed: 1)
    let other = SubscriptionIndex(seed: 2)
    var count: UInt64 = 0
    let many = (0..<40).map { "n\($0)" }
    var predicates: [QueryPredicate] = try (0..<50).map { (number: Int) in
      try QueryPredicate(
        format: "number BETWEEN {%@, %@} AND name = %@", 20 * number, 20 * number + 200, "n\(number)")
    }
    predicates.append(try QueryPredicate(format: "name IN %@ AND number > 900", many))
    predicates.append(try QueryPredicate(format: "number != 5"))
    predicates.append(try QueryPredicate(format: "name BEGINSWITH %@", String(repeating: "n", count: 2_100)))
    func prepare() throws -> [SubscriptionIndex.Prepared] {
      try predicates.map { try index.prepare($0, for: Self.type) }
    }
    func add(_ prepared: [SubscriptionIndex.Prepared], to index: SubscriptionIndex) throws {
      for one in prepared { _ = try index.add(one) }
    }
    let first = try prepare()
    index.learn(from: (0..<100).map { _ in record(&count, above: 0) }, recordType: Self.type)
    let second = try prepare()
    try add(second, to: index)
    index.learn(from: (0..<100).map { _ in record(&count, above: 700) }, recordType: Self.type)
    let third = try prepare()
    for prepared in [first, second, third] { try add(prepared, to: index) }
    for prepared in [first, second, third] { try add(prepared, to: other) }
    #expect(index.count == 4 * predicates.count)
    var found = 0
    for _ in 0..<500 {
      let next = record(&count, above: 0)
      let matches = index.matches(created: next)
      #expect(matches == index.matchesByScanning(created: next))
      #expect(matches.count % 4 == 0)
      #expect(other.matches(created: next) == other.matchesByScanning(created: next))
      #expect(other.matches(created: next).count * 4 == matches.count * 3)
      found += matches.count
    }
    #expect(found > 4 * 500)
  }

  /// A type may be named with more fields later, before anything is added that reads them.
  @Test func byFieldsThatComeLater() throws {
    let index = SubscriptionIndex(seed: 1)
    var count: UInt64 = 0
    index.learn(from: (0..<100).map { _ in record(&count, above: 0) }, recordType: Self.type)
    _ = try index.add(QueryPredicate(format: "number > 500"), for: Self.type)
    var more = Self.type
    for number in 0..<8 { more.define(FieldDefinition("late\(number)", number % 2 == 0 ? .int64 : .string)) }
    let late = try ["late0 = 7", "late7 = 'x'", "late6 BETWEEN {1, 9} AND number < 900", "late1 BEGINSWITH 'y'"].map {
      try index.prepare(QueryPredicate(format: $0), for: more)
    }
    let handles = try late.map { try index.add($0) }
    let changes: [(String, FieldValue)] = [("late0", 7), ("late7", "x"), ("late6", 3), ("late1", "yes")]
    for (position, (field, value)) in changes.enumerated() {
      var next = record(&count, above: 0)
      next["number"] = 100
      next[field] = value
      #expect(index.matches(created: next) == [handles[position]])
      #expect(index.matchesByScanning(created: next) == [handles[position]])
    }
  }
}

/// What an index keeps of the records it has seen.
struct AccessSamplerTests {
  /// However many members and words a record has, no more than some are kept, of each kind evenly.
  @Test func recordsOfManyMembers() throws {
    let type = RecordType(
      "T",
      fields: [
        FieldDefinition("numbers", .list(.int64), [.queryable]), FieldDefinition("places", .list(.location)),
        FieldDefinition("names", .list(.string), [.searchable]), FieldDefinition("few", .list(.int64)),
      ])
    let layout = FieldLayout(recordType: type)
    let (hash, all) = (ByteHash(seed: 1), Array(0..<layout.count))
    let statistics = AccessStatistics(layout, samples: [], hash: hash)
    let slot = { (name: String) throws in 2 * (try #require(layout.number(of: name))) }
    let (numbers, places, few) = (try slot("numbers"), try slot("places"), try slot("few"))
    for count in [3, 300, 1_024, 1_025, 20_000] {
      var record = Record(recordType: "T", recordName: "r")
      record["numbers"] = .int64List((0..<count).map { Int64($0) })
      record["places"] = .locationList((0..<count).map { Location(latitude: Double($0 % 90), longitude: 1) })
      record["names"] = .stringList((0..<count).map { "word\($0)" })
      record["few"] = .int64List([1, 2])
      var encoding = RecordEncoding(hash: hash)
      encoding.encode(KeyedSource(record), layout, fields: all, tokenFields: layout.searchable)
      let sample = AccessSampler.sample(encoding, statistics, fields: all)
      let most = AccessSampler.mostOfRecord
      #expect(sample.wordCount <= most && sample.keys.count <= 2 * most && sample.orders.count <= most, "\(count)")
      #expect(sample.wordCount >= min(count, most / 3), "\(count)")
      #expect(sample.orders.count >= min(2 * count, most / 3), "\(count)")
      // Both of what is told of a place.
      for slot in [numbers, places, places + 1] { #expect(sample.orders.contains { $0.slot == slot }, "\(count)") }
      if count == 3 { #expect(sample.orders.count { $0.slot == few } == 2) }
    }
  }
}
