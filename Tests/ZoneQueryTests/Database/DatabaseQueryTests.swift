import Testing

@testable import ZoneQuery

struct DatabaseQueryTests {
  private static func database() throws -> Database {
    let database = try Database()
    for zone in ["A", "B"] { try database.createZone(ZoneID(zoneName: zone)) }
    func event(_ name: String, _ zone: ZoneID, _ city: String?, _ size: Int64?, _ place: Location?) -> Record {
      var record = Record(recordType: "Event", recordName: name, zoneID: zone)
      record["city"] = city.map { .string($0) }
      record["seats"] = size.map { .int64($0) }
      record["place"] = place.map { .location($0) }
      return record
    }
    let a = ZoneID(zoneName: "A")
    let b = ZoneID(zoneName: "B")
    try database.load([
      event("1", a, "Seoul", 10, Location(latitude: 0, longitude: 1)), event("2", b, "Seoul", 20, nil),
      event("3", .default, "Busan", nil, Location(latitude: 0, longitude: 3)),
      event("4", a, nil, 20, Location(latitude: 0, longitude: 2)),
      event("4", b, "Seoul", 20, Location(latitude: 0, longitude: 2)),
    ])
    return database
  }

  private func names(_ page: QueryPage) -> [String] { page.records.map(\.recordID.description) }

  @Test func sorting() throws {
    let database = try Self.database()
    func sorted(_ sort: [SortKey], zone: ZoneID? = nil) throws -> [String] {
      names(try database.records(matching: Query(recordType: "Event", sort: sort), inZoneWith: zone))
    }
    #expect(try sorted([.ascending("seats")]) == ["3", "A/1", "B/2", "A/4", "B/4"])
    #expect(try sorted([.descending("seats")]) == ["B/2", "A/4", "B/4", "A/1", "3"])
    #expect(try sorted([.ascending("city"), .descending("seats")]) == ["A/4", "3", "B/2", "B/4", "A/1"])
    #expect(try sorted([.descending("recordID")]) == ["3", "B/4", "B/2", "A/4", "A/1"])
    #expect(
      try sorted([.distance("place", from: Location(latitude: 0, longitude: 2.1))]) == [
        "A/4", "B/4", "3", "A/1", "B/2",
      ])
    #expect(try sorted([.ascending("seats")], zone: ZoneID(zoneName: "A")) == ["A/1", "A/4"])
    #expect(try sorted([.ascending("creationDate"), .descending("seats")]).first == "B/2")
  }

  @Test func limitsKeysAndCounts() throws {
    let database = try Self.database()
    let query = Query(
      recordType: "Event", predicate: try QueryPredicate(format: "city = 'Seoul'"), sort: [.descending("seats")])
    let page = try database.records(matching: query, desiredKeys: ["seats"], resultsLimit: 2)
    #expect(names(page) == ["B/2", "B/4"] && page.hasMore)
    #expect(page.records.allSatisfy { $0.fieldNames == ["seats"] && $0.creationDate != nil })
    #expect(try !database.records(matching: query, resultsLimit: 3).hasMore)
    #expect(try database.records(matching: query, desiredKeys: []).records.allSatisfy { $0.fieldCount == 0 })
    #expect(try database.count(matching: query) == 3)
    #expect(try database.count(matching: query, inZoneWith: ZoneID(zoneName: "B")) == 2)
    let unsorted = try database.records(matching: Query(recordType: "Event"), resultsLimit: 4)
    #expect(unsorted.records.count == 4 && unsorted.hasMore)
  }

  @Test func refusals() throws {
    let database = try Self.database()
    func code(_ query: Query, zone: ZoneID? = nil, keys: [String]? = nil, limit: Int = 1) -> ZoneQueryError.Code? {
      do {
        _ = try database.records(matching: query, inZoneWith: zone, desiredKeys: keys, resultsLimit: limit)
        return nil
      } catch {
        return error.code
      }
    }
    let all = Query(recordType: "Event")
    #expect(
      code(all, limit: 0) == .invalidQuery && code(all, limit: -1) == .invalidQuery && code(all, limit: .max) == nil)
    #expect(code(all, keys: ["nope"]) == .invalidQuery && code(all, keys: ["recordID"]) == nil)
    #expect(code(Query(recordType: "Nope")) == .unknownRecordType)
    #expect(code(Query(recordType: "Users")) == .invalidQuery)
    #expect(code(all, zone: ZoneID(zoneName: "C")) == .zoneNotFound)
    for sort in [
      SortKey.ascending("nope"), .ascending("place"), .distance("city", from: Location(latitude: 0, longitude: 0)),
      .distance("place", from: Location(latitude: 91, longitude: 0)),
    ] {
      #expect(code(Query(recordType: "Event", sort: [sort])) == .invalidQuery)
    }
    #expect(code(Query(recordType: "Event", predicate: try QueryPredicate(format: "nope = 1"))) == .invalidPredicate)
  }

  @Test func theFirstOfManyAreTheFirstOfAllSorted() throws {
    var random = SplitMix(seed: 5)
    let database = try Database()
    var records: [Record] = []
    for index in 0..<500 {
      var record = Record(recordType: "Event", recordName: "e\(index)")
      if random.next() % 10 > 0 { record["x"] = .int64(Int64(random.next() % 40)) }
      record["y"] = .double(Double(random.next() % 7) / 2)
      records.append(record)
    }
    try database.load(records)
    var checks = 0
    for limit in [1, 2, 10, 99, 500, 1000] {
      for sort in [[SortKey.ascending("x")], [.descending("x"), .ascending("y")], [.descending("y")]] {
        let found = try database.records(matching: Query(recordType: "Event", sort: sort), resultsLimit: limit)
        let expected = records.sorted { precedes($0, $1, sort) }.prefix(limit).map(\.recordID)
        #expect(found.records.map(\.recordID) == expected && found.hasMore == (limit < 500))
        checks += found.records.count
      }
    }
    print("sorted queries: \(checks) positions checked")
    #expect(checks > 3300)
  }

  private func precedes(_ left: Record, _ right: Record, _ sort: [SortKey]) -> Bool {
    func number(_ value: FieldValue?) -> Double {
      switch value {
      case .int64(let number)?: Double(number)
      case .double(let number)?: number
      default: -1
      }
    }
    for key in sort {
      let (a, b) = (number(left[key.key]), number(right[key.key]))
      if a != b { return (a < b) == (key.order == .ascending) }
    }
    return left.recordID.recordName < right.recordID.recordName
  }
}
