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
      .sorted(
        SortPosition(types: [.string, .double], values: [.missing, .double(-0.5)], recordName: "a", zoneID: zone)),
      .sorted(
        SortPosition(
          types: [.timestamp, .reference], values: [.integer(.min), .bytes([0, 255])], recordName: "", zoneID: .default)
      ),
      .unsorted(
        ScanPosition(
          order: .table, epoch: StoreEpoch(database: .max, zone: 1), slot: 0, recordName: "n", zoneID: zone)),
      .unsorted(
        ScanPosition(
          order: .index(name: "city, start", values: [.integer(.min), .missing, .double(-0.5), .bytes([0, 7])]),
          epoch: StoreEpoch(database: 0, zone: .max),
          slot: Int(Int32.max), recordName: "é", zoneID: zone)),
    ]
    for position in positions {
      for scope in [nil, zone] {
        var sort: [SortKey] = []
        if case .sorted = position {
          sort = [.descending("x"), .distance("place", from: Location(latitude: -90, longitude: 180))]
        }
        let options = PredicateOptions(
          dialect: random.below(2) == 0 ? .cloudKit : .extended,
          missingFields: random.below(2) == 0 ? .excluded : .likeNSPredicate,
          stringEquality: random.below(2) == 0 ? .exact : .caseInsensitive)
        let content = CursorContent(
          recordType: "Type", predicate: .text("a == \"\(random.next())\""), options: options, sort: sort,
          zoneID: scope, now: Timestamp(milliseconds: Int64(bitPattern: random.next())), position: position)
        let read = try CursorContent(encoded: content.encoded(key: key), key: key)
        #expect(
          read.recordType == content.recordType && read.predicate.text == content.predicate.text && read.sort == sort)
        #expect(read.options == options)
        #expect(read.zoneID == scope && read.now == content.now && read.position == position)
        #expect(try read.query().predicate == QueryPredicate(format: content.predicate.text))
        checks += 1
      }
    }
    #expect(checks == 8)
  }

  /// Predicates of every shape that nest as deep as any may have cursors that are read again, and deeper ones have none,
  /// whoever wrote them.
  @Test func deepPredicates() throws {
    var configuration = Database.Configuration()
    configuration.cursorKey = CursorSample.key
    configuration.predicateOptions.dialect = .extended
    let database = try Database(schema: try CursorSample.schema(), configuration: configuration)
    for index in 0..<3 {
      var record = Record(recordType: "Thing", recordName: "r\(index)")
      record["x"] = .int64(1)
      try database.save(record)
    }
    var limits = SyntaxLimits()
    limits.nesting = 1_000
    let shapes: [(String, String, String)] = [
      ("NOT ", "x < 0", ""), ("(x > 0 AND (x < 0 OR ", "x == 1", "))"), ("1 + (2 - ", "x", ")"), ("abs(", "x", ")"),
      ("TERNARY(x > 0, ", "x", ", 2)"), ("TERNARY(NOT (", "x < 0", "), TRUE, FALSE) == TRUE"), ("-(-", "x", ")"),
      ("2 ** -(", "x", ")"),
    ]
    var (checks, refused) = (0, 0)
    for (before, core, after) in shapes {
      for depth in 1...200 where TestAmount.takes(depth) {
        let text = String(repeating: before, count: depth) + core + String(repeating: after, count: depth)
        let format = core == "x" ? "\(text) > -9" : text
        guard let predicate = try? QueryPredicate(format: format, arguments: [], limits: limits) else { continue }
        let query = Query(recordType: "Thing", predicate: predicate)
        // What is deeper than the language's own limit may be refused where it is bound.
        let accepted = (try? QueryPredicate(format: format)) != nil
        do throws(ZoneQueryError) {
          let page = try database.records(matching: query, resultsLimit: 1)
          guard let cursor = page.cursor else { continue }
          let read = try QueryCursor(data: cursor.data)
          let rest = try database.records(continuingMatchFrom: read, resultsLimit: 100)
          #expect(rest.records.count == 2, "\(before) \(depth)")
          checks += 1
        } catch {
          #expect(!accepted && error.code == .limitExceeded, "\(before) \(depth): \(error)")
          refused += 1
        }
      }
    }
    #expect(checks >= TestAmount.taken(400) && refused >= TestAmount.taken(400), "\(checks) \(refused)")
    print("cursors of deep predicates: \(checks) read again, \(refused) refused")
    // Those who know the key may write what no database made.
    let page = try database.records(matching: Query(recordType: "Thing"), resultsLimit: 1)
    let content = try #require(page.cursor).content(key: try #require(SipHash.Key(CursorSample.key)))
    for depth in [200, 100_000] {
      var deep = content
      deep.predicate = .text(String(repeating: "(", count: depth) + "x > 0" + String(repeating: ")", count: depth))
      let cursor = try QueryCursor(data: deep.encoded(key: try #require(SipHash.Key(CursorSample.key))))
      #expect(throws: ZoneQueryError.self) { try database.records(continuingMatchFrom: cursor) }
    }
    guard case .unsorted(var place) = content.position else {
      Issue.record("a page without a sort ended at \(content.position)")
      return
    }
    for slot in [Int(UInt32.max), .max] {
      place.slot = slot
      var beyond = content
      beyond.position = .unsorted(place)
      let bytes = beyond.encoded(key: try #require(SipHash.Key(CursorSample.key)))
      let rest = try? database.records(continuingMatchFrom: try QueryCursor(data: bytes)).records
      #expect(rest?.isEmpty ?? (slot == .max), "\(slot)")
    }
  }

  /// A cursor that is not written down has no more bytes than were reckoned, whatever its query's values are.
  @Test func bytesAreReckoned() throws {
    let key = try #require(SipHash.Key(CursorSample.key))
    var random = SplitMix(seed: 22)
    func text() -> String {
      let letters = ["\u{1}", "\u{7F}", "\"", "\\", "/", "%", "é", "a"]
      return (0..<random.below(40)).map { _ in letters[random.below(8)] }.joined()
    }
    func literal() -> Literal {
      switch random.below(6) {
      case 0: .integer(random.below(2) == 0 ? .min : .max)
      case 1: .double([-.infinity, -2.2250738585072014e-308, 1.7976931348623157e308, 0x1p-1074][random.below(4)])
      case 2: .date(milliseconds: random.below(2) == 0 ? .min : .max)
      case 3: .location(latitude: -89.12345678901234, longitude: -1.2345678901234567e-300)
      case 4: .reference(recordName: text(), zoneName: text(), ownerName: random.below(2) == 0 ? nil : text())
      default: .string(text())
      }
    }
    func value() -> ArgumentValue? {
      switch random.below(4) {
      case 0: .list((0..<random.below(5)).map { _ in .literal(literal()) })
      case 1: random.below(2) == 0 ? nil : .unsupported(text())
      default: .literal(literal())
      }
    }
    let names = ["x", "in", ""]
    var (checks, mentions) = (0, 0)
    func side() -> ExpressionNode {
      let variable = ExpressionNode.variable(VariableNode(names[random.below(3)]))
      let count = random.below(3)
      mentions += max(1, count)
      return count == 0 ? variable : .list(ListNode(Array(repeating: variable, count: count)))
    }
    let rounds = TestAmount.of(20_000)
    for _ in 0..<rounds {
      mentions = 0
      let predicate = QueryPredicate(
        .all(
          of: (0..<1 + random.below(3)).map { number in
            .comparison(ComparisonNode(nil, .key(KeyNode("k\(number)")), .equal, side()))
          }))
      let bytes = predicate.root.predicateFormat.utf8.count
      let values = names.map { _ in value() }
      let asked = CursorPredicate(predicate, bytes: bytes, mentions: mentions, names, values)
      let written = asked.text.utf8.count
      #expect(written <= CursorPredicate.mostBytes(bytes: bytes, mentions: mentions, values))
      guard case .asked = asked else { continue }
      let position = CursorPosition.sorted(
        SortPosition(
          types: [.string, .location], values: [.bytes(Array(text().utf8)), .missing], recordName: text(),
          zoneID: .default))
      let content = CursorContent(
        recordType: text(), predicate: .text(asked.text), options: PredicateOptions(),
        sort: [.ascending(text()), .descending("b")], zoneID: nil, now: Timestamp(milliseconds: 1), position: position)
      #expect(content.encoded(key: key).count <= content.mostBytes)
      checks += 1
    }
    // What may be too long is written down at once.
    let predicate = try QueryPredicate(format: "a = $x")
    let long = ArgumentValue.literal(.string(String(repeating: "a", count: 1 << 20)))
    if case .asked = CursorPredicate(predicate, bytes: 7, mentions: 1, ["x"], [long]) {
      Issue.record("a text of a megabyte is not written down")
    }
    print("cursors reckoned: \(checks)")
    #expect(checks == rounds)
  }
}
