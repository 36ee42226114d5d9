import PredicateSyntax
import Testing
import ZoneQuery

@testable import ZoneQueryTesting

/// The values of records that are drawn near a predicate.
struct NearbyRecordsTests {
  private func records(_ format: String, _ count: Int = TestAmount.isFull ? 400 : 200) throws -> [Record] {
    let generator = try RecordGenerator(
      recordType: PredicateSample.type, near: QueryPredicate(format: format), options: PredicateSample.extended,
      now: PredicateSample.now)
    var random = SeededRandom(seed: 11)
    return generator.records(count, &random)
  }

  /// Each of the values is among those of a field.
  private func expect(_ values: [FieldValue?], of name: String, _ format: String) throws {
    let drawn = try records(format).map { $0[name] }
    for value in values { #expect(drawn.contains(value), "\(format): \(String(describing: value))") }
  }

  @Test func constantsAndTheirNeighbours() throws {
    try expect([5, 4, 6, nil], of: "seats", "seats = 5")
    try expect([2, 3], of: "seats", "seats > 2.5")
    try expect([2.5, .double(2.5.nextUp), .double(2.5.nextDown), nil], of: "price", "price < 2.5")
    try expect([4, 7, 9], of: "seats", "seats IN {4, 7, 9}")
    let now = PredicateSample.now.milliseconds
    try expect(
      [now, now - 1, now + 1].map { .timestamp(Timestamp(milliseconds: $0)) } + [nil], of: "start", "start > now()")
    try expect(
      ["Suva", "Suvaa", "Suv", "uva", "SUVA", "suva", "Suva\u{301}", nil], of: "city", "city = 'Suva'")
    try expect(["Caf\u{E9}", "Cafe\u{301}", "Cafe"], of: "city", "city = 'Caf\u{E9}'")
    try expect(
      [.stringList(["maps", "sea"]), .stringList(["sea"]), .stringList(["maps"]), .stringList([]), nil], of: "tags",
      "ALL {'maps', 'sea'} IN tags")
    try expect([.int64List([]), .int64List([3])], of: "scores", "scores CONTAINS 3")
    try expect(["aaaa", "Suva"].map { .string($0) }, of: "city", "length(city) = 4 OR city = 'Suva'")
    let hall = Reference(RecordID(recordName: "hall"))
    try expect(
      [.reference(hall), .reference(Reference(RecordID(recordName: "halla"))), nil], of: "venue",
      "venue = CAST('hall', 'CKReference')")
    #expect(try records("recordID = CAST('keynote', 'CKReference')").contains { $0.recordID.recordName == "keynote" })
    #expect(try records("parent = CAST('hall', 'CKReference')").contains { $0.parent == hall })
  }

  @Test func bothSidesOfARim() throws {
    let centre = PredicateSample.suva
    for radius in [1.0, 250, 200_000, 9_000_000] {
      let places = try records(
        "distanceToLocation:fromLocation:(place, CAST('\(centre)', 'CLLocation')) < \(radius)"
      ).compactMap { $0.location("place") }
      let distances = places.map { $0.distance(to: centre) }
      let margin = max(0.01, radius * 1e-6)
      #expect(distances.contains(0))
      #expect(distances.contains { $0 < radius && radius - $0 < margin * 1.2 }, "\(radius)")
      #expect(distances.contains { $0 > radius && $0 - radius < margin * 1.2 }, "\(radius)")
      #expect(distances.allSatisfy { abs($0 - radius) > margin / 2 }, "\(radius)")
    }
  }

  @Test func wordsOfTokenSearches() throws {
    let titles = try records("ALL tokenize('night sky', 'Cdl') IN allTokens").compactMap { $0.string("title") }
    for text in ["night sky", "sky night", "night", "sky", "nights", "NIGHT SKY"] {
      #expect(titles.contains { $0.utf8.elementsEqual(text.utf8) }, "\(text)")
    }
  }

  /// References stay in the zone of their record, and no two records have one ID.
  @Test func recordsCanBeStored() throws {
    for format in [
      "recordID IN {CAST('n1', 'CKReference'), CAST('A/n2', 'CKReference')}", "venue = CAST('A/hall', 'CKReference')",
      "share = CAST('hall', 'CKReference') OR parent = CAST('hall', 'CKReference')", "recordID = 'n5'",
    ] {
      let drawn = try records(format, 60)
      #expect(Set(drawn.map(\.recordID)).count == drawn.count)
      let database = try Database(schema: Schema([PredicateSample.type]))
      #expect(try database.load(drawn) == 60, "\(format)")
    }
  }

  @Test func sameSeedSameRecords() throws {
    let format = "city BEGINSWITH 'Su' AND seats IN {1, 2} AND ANY tags IN {'a', 'b'}"
    #expect(try records(format) == records(format))
  }

  @Test func whatIsRefused() throws {
    for (format, text) in [
      ("age = 3", "Did not find field: 'age'"), ("seats = $least", "$least"), ("NOT (seats = 'a')", "seats"),
    ] {
      let error = #expect(throws: ZoneQueryError.self) {
        try RecordGenerator(recordType: PredicateSample.type, near: QueryPredicate(format: format))
      }
      #expect(error?.code == .invalidPredicate && error?.description.contains(text) == true, "\(format)")
    }
  }
}
