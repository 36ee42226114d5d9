import PredicateSyntax
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
          recordType: "Type", predicate: .text("a == \"\(random.next())\""), sort: sort, zoneID: scope,
          now: Timestamp(milliseconds: Int64(bitPattern: random.next())), position: position)
        let read = try CursorContent(encoded: content.encoded(key: key), key: key)
        #expect(
          read.recordType == content.recordType && read.predicate.text == content.predicate.text && read.sort == sort)
        #expect(read.zoneID == scope && read.now == content.now && read.position == position)
        #expect(try read.query().predicate == QueryPredicate(format: content.predicate.text))
        checks += 1
      }
    }
    #expect(checks == 8)
  }

  /// A cursor that is not written down has no more bytes than were reckoned, whatever its query's values are.
  @Test func bytesAreReckoned() throws {
    let key = try #require(SipHash.Key(CursorSample.key))
    var random = SplitMix(seed: 22)
    func text() -> String {
      let letters = ["\u{1}", "\u{7F}", "\"", "\\", "/", "%", "é", "a"]
      return (0..<Int(random.next() % 40)).map { _ in letters[Int(random.next() % 8)] }.joined()
    }
    func value(_ depth: Int) -> ArgumentValue? {
      switch random.next() % 8 {
      case 0: return .literal(.integer(random.next() % 2 == 0 ? .min : .max))
      case 1: return .literal(.double(Double(bitPattern: random.next() | 1)))
      case 2: return .literal(.date(milliseconds: .min))
      case 3: return .literal(.location(latitude: -89.12345678901234, longitude: -2.2250738585072014e-308))
      case 4:
        return .literal(
          .reference(recordName: text(), zoneName: text(), ownerName: random.next() % 2 == 0 ? nil : text()))
      case 5 where depth < 2:
        return .list((0..<Int(random.next() % 5)).compactMap { _ in value(depth + 1) })
      case 6: return nil
      default: return .literal(.string(text()))
      }
    }
    let predicate = try QueryPredicate(format: "a = $x AND b IN $y AND c CONTAINS $x AND d = 'constant'")
    let bytes = predicate.root.predicateFormat.utf8.count
    var checks = 0
    for _ in 0..<2_000 {
      let values = [value(0), value(0)]
      let reckoned = CursorPredicate(predicate, bytes: bytes, ["x", "y"], values)
      let written = CursorPredicate.text(reckoned.text)
      let position = CursorPosition.sorted(
        SortPosition(values: [.bytes(Array(text().utf8)), .missing], recordName: text(), zoneID: .default))
      func content(_ predicate: CursorPredicate) -> CursorContent {
        CursorContent(
          recordType: text(), predicate: predicate, sort: [.ascending(text()), .descending("b")], zoneID: nil,
          now: Timestamp(milliseconds: 1), position: position)
      }
      let most = values.reduce(bytes) { $0 + 2 * CursorPredicate.mostBytes($1) }
      #expect(written.text.utf8.count <= most)
      for content in [content(reckoned), content(written)] {
        #expect(content.encoded(key: key).count <= content.mostBytes)
        checks += 1
      }
    }
    // What is too long to be reckoned is written down at once.
    let long = CursorPredicate(
      predicate, bytes: bytes, ["x"], [.literal(.string(String(repeating: "a", count: 1 << 20)))])
    if case .asked = long { Issue.record("a text of a megabyte is not written down") }
    #expect(checks == 4_000)
  }
}
