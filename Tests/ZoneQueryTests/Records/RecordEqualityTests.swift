import Testing

@testable import ZoneQuery

/// Records, queries and sort keys are equal where each of their parts is.
struct RecordEqualityTests {
  private static let id = RecordID(recordName: "a")

  @Test func records() {
    var base = Record(recordType: "T", recordID: Self.id)
    base["n"] = 1
    base["s"] = "x"
    base.creationDate = Timestamp(milliseconds: 1)
    base.modificationDate = Timestamp(milliseconds: 2)
    base.changeTag = "t"
    expectEachPartCounts(
      base,
      [
        { $0["n"] = 2 }, { $0["n"] = nil }, { $0["m"] = 1 }, { $0["n"] = 1.0 },
        {
          $0["n"] = nil
          $0["N"] = 1
        },
        { $0.creationDate = Timestamp(milliseconds: 3) }, { $0.modificationDate = nil }, { $0.changeTag = "u" },
        { $0.changeTag = nil }, { $0.creatorUserRecordID = Self.id }, { $0.lastModifiedUserRecordID = Self.id },
        { $0.parent = Reference(RecordID(recordName: "p")) }, { $0.share = Reference(RecordID(recordName: "p")) },
        { $0 = Self.copy($0, as: "U", Self.id) }, { $0 = Self.copy($0, as: "T", RecordID(recordName: "b")) },
        { $0 = Self.copy($0, as: "T", RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Z"))) },
      ])
  }

  /// A record with the parts of another.
  private static func copy(_ record: Record, as type: String, _ id: RecordID) -> Record {
    var copy = Record(recordType: type, recordID: id)
    for field in record.fields { copy[field.name] = field.value }
    copy.creationDate = record.creationDate
    copy.modificationDate = record.modificationDate
    copy.changeTag = record.changeTag
    return copy
  }

  @Test func fieldsInAnyOrder() {
    var (one, other) = (note("a"), note("a"))
    one["x"] = 1
    one["y"] = 2
    other["y"] = 2
    other["x"] = 1
    #expect(one == other && one.hashValue == other.hashValue)
    other["x"] = 3
    #expect(one != other)
  }

  /// Of records that a database returned each copy is compared with the others and with one that was made.
  @Test func recordsOfADatabase() throws {
    let database = try Database()
    try database.saveAll((0..<4).map { note("r\($0)", n: Int64($0 % 2)) })
    let query = Query(recordType: "T", sort: [.ascending("n")])
    let found = try database.records(matching: query).records
    let again = try database.records(matching: query).records
    #expect(found == again)
    for (place, record) in found.enumerated() {
      for (other, copy) in again.enumerated() { #expect((record == copy) == (place == other)) }
    }
    var changed = found[0]
    changed["n"] = 7
    #expect(changed != found[0] && changed != again[0])
    changed["n"] = found[0]["n"]
    #expect(changed == found[0] && changed == again[0])
  }

  @Test func queries() {
    expectEachPartCounts(
      Query(recordType: "T", sort: [.ascending("n")]),
      [
        { $0.recordType = "U" }, { $0.predicate = QueryPredicate.false }, { $0.sort = [] },
        { $0.sort = [.descending("n")] },
        { $0.sort.append(.ascending("m")) },
      ])
  }

  @Test func sortKeys() {
    let (place, other) = (Location(latitude: 1, longitude: 2), Location(latitude: 1, longitude: 3))
    expectEachPartCounts(
      SortKey.ascending("n"),
      [
        { $0 = .ascending("m") }, { $0 = .descending("n") }, { $0 = .distance("n", from: place) },
        // Names are compared as they are written.
        { $0 = .ascending("N") },
      ])
    #expect(SortKey.distance("n", from: place) != .distance("n", from: other))
    #expect(SortKey.distance("n", from: place) == .distance("n", from: place))
    #expect(SortKey.ascending("\u{E9}") != .ascending("e\u{301}"))
  }
}
