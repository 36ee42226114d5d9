import Testing

@testable import ZoneQuery

/// Records of one type in three zones, with many equal and many missing values, and ways to ask for pages of them.
struct CursorSample {
  let database: Database
  private(set) var records: [RecordID: Record] = [:]

  static let zones = [ZoneID(zoneName: "A"), ZoneID(zoneName: "B"), ZoneID.default]
  static let origin = Location(latitude: 1, longitude: 2)
  static let sorts: [[SortKey]] = [
    [], [.ascending("x")], [.descending("x")], [.ascending("text"), .descending("y")],
    [.descending("text"), .ascending("when")], [.distance("place", from: origin)], [.descending("target")],
    [.ascending("recordID")], [.ascending("x"), .distance("place", from: origin)], [.descending("creationDate")],
  ]
  static let predicates = [
    "TRUEPREDICATE", "x >= 2", "text IN {'a', 'b', 'ä'} AND y < 3", "allTokens TOKENMATCHES[cdl] 'b'",
  ]
  static let key = Array(UInt8(7)..<23)

  static func schema() throws -> Schema {
    try Schema(
      ckdb: """
        DEFINE SCHEMA RECORD TYPE Thing (
          "___recordID" REFERENCE QUERYABLE SORTABLE, x INT64 QUERYABLE SORTABLE, y DOUBLE QUERYABLE SORTABLE,
          text STRING QUERYABLE SORTABLE SEARCHABLE, when TIMESTAMP QUERYABLE SORTABLE, place LOCATION QUERYABLE,
          target REFERENCE QUERYABLE);
        """)
  }

  static func database(key: [UInt8]? = CursorSample.key) throws -> Database {
    var configuration = Database.Configuration()
    configuration.cursorKey = key
    configuration.clock = { Timestamp(milliseconds: 1_000) }
    let database = try Database(schema: try schema(), configuration: configuration)
    for zone in zones.dropLast() { try database.createZone(zone) }
    return database
  }

  init(count: Int, _ random: inout SplitMix) throws {
    database = try Self.database()
    var made: [Record] = []
    for index in 0..<count { made.append(Self.record("r\(index)", &random)) }
    try save(made)
  }

  static func record(_ name: String, in zone: ZoneID? = nil, _ random: inout SplitMix) -> Record {
    let zone = zone ?? zones[Int(random.next() % 3)]
    var record = Record(recordType: "Thing", recordName: name, zoneID: zone)
    func has() -> Bool { random.next() % 4 != 0 }
    if has() { record["x"] = .int64(Int64(random.next() % 5)) }
    if has() { record["y"] = .double(Double(random.next() % 9) / 2) }
    if has() { record["text"] = .string(["a", "b", "ä", "", "b c"][Int(random.next() % 5)]) }
    if has() { record["when"] = .timestamp(Timestamp(milliseconds: Int64(random.next() % 3) - 1)) }
    if has() { record["place"] = .location(Location(latitude: Double(random.next() % 3), longitude: 2)) }
    if has() {
      record["target"] = .reference(Reference(RecordID(recordName: "t\(random.next() % 3)", zoneID: zone)))
    }
    return record
  }

  mutating func save(_ records: [Record]) throws {
    try database.load(records)
    for record in records { self.records[record.recordID] = record }
  }

  mutating func delete(_ id: RecordID) throws {
    _ = try database.modify(deleting: [id])
    records[id] = nil
  }

  /// The names of all pages, each within its limit.
  static func pages(
    _ database: Database, _ query: Query, zone: ZoneID? = nil, limit: Int, throughText: Bool = false
  ) throws -> [RecordID] {
    var page = try database.records(matching: query, inZoneWith: zone, resultsLimit: limit)
    var names = page.records.map(\.recordID)
    #expect(page.records.count <= limit)
    while let cursor = page.cursor {
      let taken = throughText ? try #require(QueryCursor(cursor.description)) : try QueryCursor(data: cursor.data)
      #expect(taken == cursor)
      page = try database.records(continuingMatchFrom: taken, resultsLimit: limit)
      #expect(!page.records.isEmpty && page.records.count <= limit)
      names += page.records.map(\.recordID)
    }
    return names
  }
}
