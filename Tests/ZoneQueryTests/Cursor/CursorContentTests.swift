import Testing

@testable import ZoneQuery

struct CursorContentTests {
  /// What a cursor says it holds is what was put in, whatever the query.
  @Test func roundTrips() throws {
    let key = try #require(SipHash.Key(CursorSample.key))
    var random = SplitMix(seed: 21)
    var checks = 0
    let zone = ZoneID(zoneName: "Z", ownerName: "own/er")
    let positions: [CursorPosition] = [
      .sorted(SortPosition(values: [.missing, .double(-0.5)], recordName: "a", zoneID: zone)),
      .sorted(SortPosition(values: [.integer(.min), .bytes([0, 255])], recordName: "", zoneID: .default)),
      .unsorted(
        ScanPosition(
          order: .table, epoch: StoreEpoch(database: .max, zone: 1), slot: 0, recordName: "n", zoneID: zone)),
      .unsorted(
        ScanPosition(
          order: .index(name: "city, start", key: [0, .max, 7]), epoch: StoreEpoch(database: 0, zone: .max),
          slot: Int(Int32.max), recordName: "é", zoneID: zone)),
    ]
    for position in positions {
      for scope in [nil, zone] {
        var sort: [SortKey] = []
        if case .sorted = position {
          sort = [.descending("x"), .distance("place", from: Location(latitude: -90, longitude: 180))]
        }
        let content = CursorContent(
          recordType: "Type", predicate: "a == \"\(random.next())\"", sort: sort, zoneID: scope,
          now: Timestamp(milliseconds: Int64(bitPattern: random.next())), position: position)
        let read = try CursorContent(encoded: try content.encoded(key: key), key: key)
        #expect(read.recordType == content.recordType && read.predicate == content.predicate && read.sort == sort)
        #expect(read.zoneID == scope && read.now == content.now && read.position == position)
        #expect(try read.query().predicate == QueryPredicate(format: content.predicate))
        checks += 1
      }
    }
    #expect(checks == 8)
  }
}
