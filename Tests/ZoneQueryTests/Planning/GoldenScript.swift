import Foundation
import Testing

@testable import ZoneQuery

/// A text file that says how records are made, asks queries, and keeps how each was answered.
///
/// ```
/// # What it shows.
/// schema: city STRING QUERYABLE SORTABLE, start TIMESTAMP QUERYABLE SORTABLE
/// index: city, start
/// records: 4000 in 1 zones, 10% missing, seed 7
///
/// query: city = 'Seoul' | by start desc | first 50
/// [plan]
/// …
/// [rows] 50 and more: r0001 r0002 …
/// ```
///
/// A query is a predicate, perhaps an order and perhaps a limit; one that ends in `| count` is counted.
struct GoldenScript {
  struct Asked {
    var line: String
    var query: Query
    var limit: Int?
    var isCount: Bool
  }

  /// The lines before the first query.
  let head: [String]
  let asked: [Asked]
  let database: Database

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted()
  }

  init(_ text: String) throws {
    let lines = text.components(separatedBy: "\n")
    let head = Array(lines.prefix { !$0.hasPrefix("query: ") })
    self.head = head
    func values(_ key: String) -> [String] {
      head.filter { $0.hasPrefix(key + ": ") }.map { String($0.dropFirst(key.count + 2)) }
    }
    let fields = try #require(values("schema").first)
    let numbers = try #require(values("records").first).split { !$0.isNumber }.compactMap { Int($0) }
    try #require(numbers.count == 4)
    database = try Self.database(fields, values("index"), numbers)
    asked = try lines.filter { $0.hasPrefix("query: ") }.map { try Self.asked($0) }
  }

  private static func asked(_ line: String) throws -> Asked {
    let parts = line.dropFirst("query: ".count).components(separatedBy: " | ")
    var query = Query(recordType: "Event", predicate: try QueryPredicate(format: parts[0]))
    var limit: Int?
    for part in parts.dropFirst() {
      if part.hasPrefix("first ") { limit = Int(part.dropFirst(6)) }
      guard part.hasPrefix("by ") else { continue }
      for key in part.dropFirst(3).components(separatedBy: ", ") {
        let words = key.split(separator: " ").map(String.init)
        switch words.last {
        case "desc": query.sort.append(.descending(words[0]))
        case "asc": query.sort.append(.ascending(words[0]))
        default:
          let place = Location(latitude: try #require(Double(words[1])), longitude: try #require(Double(words[2])))
          query.sort.append(.distance(words[0], from: place))
        }
      }
    }
    return Asked(line: line, query: query, limit: limit, isCount: parts.last == "count")
  }

  // MARK: Records

  private static func database(_ fields: String, _ indexes: [String], _ numbers: [Int]) throws -> Database {
    let system = #""___recordID" REFERENCE QUERYABLE, "#
    let schema = try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE Event (\(system)\(fields));")
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    configuration.clock = { Timestamp(milliseconds: 1_788_220_800_000) }
    let database = try Database(schema: schema, configuration: configuration)
    for index in indexes {
      try database.addIndex(IndexDefinition(recordType: "Event", keys: index.components(separatedBy: ", ")))
    }
    let type = try #require(schema["Event"])
    let zones = numbers[1] == 1 ? [ZoneID.default] : (0..<numbers[1]).map { ZoneID(zoneName: "zone\($0)") }
    for zone in zones where zone != .default { try database.createZone(zone) }
    var random = SplitMix(seed: UInt64(numbers[3]))
    try database.load(
      (0..<numbers[0]).map { number in
        record(number, zones[number % zones.count], type, missing: UInt64(numbers[2]), &random)
      })
    return database
  }

  static let cities = [
    "Apia", "Baku", "Cusco", "Dakar", "Espoo", "Fes", "Galway", "Hobart", "Izmir", "Jeju", "Kyoto", "Lima", "Mumbai",
    "Nairobi", "Oslo", "Porto", "Quito", "Riga", "Seoul", "Suva",
  ]
  static let tags = ["swift", "maps", "sync", "indexes", "text", "geo", "testing", "design", "audio", "games"]
  static let words = [
    "river", "stone", "cloud", "lantern", "harbour", "forest", "signal", "copper", "winter", "meadow", "anchor",
    "violet",
    "pebble", "saddle", "orchard", "thunder", "glacier", "compass", "willow", "ember",
  ]

  /// A record with a value for each field that its name tells of, but for some in a hundred.
  static func record(
    _ number: Int, _ zone: ZoneID, _ type: RecordType, missing: UInt64, _ random: inout SplitMix
  ) -> Record {
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    var record = Record(recordType: "Event", recordName: "r\(number)", zoneID: zone)
    for field in type.fields {
      if random.next() % 100 < missing { continue }
      switch field.name {
      case "city": record["city"] = .string(cities[below(20)])
      case "name": record["name"] = .string("\(words[below(20)]) \(words[below(20)]) of the \(below(50))th")
      case "title":
        record["title"] = .string((0..<(3 + below(4))).map { _ in words[below(20)] }.joined(separator: " "))
      case "start":
        record["start"] = .timestamp(Timestamp(milliseconds: 1_788_220_800_000 + Int64(below(10_000_000)) * 1_000))
      case "seats": record["seats"] = .int64(Int64(below(500)))
      case "level": record["level"] = .int64(Int64(below(4)))
      case "price": record["price"] = .double(Double(below(4_000)) / 4)
      case "tags":
        record["tags"] = .stringList((0..<below(4)).map { _ in tags[min(below(10), below(10))] })
      case "place":
        let centre = below(20)
        record["place"] = .location(
          Location(
            latitude: Double(centre * 5 - 50) + Double(below(10_000)) / 10_000,
            longitude: Double(centre * 17 - 170) + Double(below(10_000)) / 10_000))
      case "venue":
        record["venue"] = .reference(Reference(RecordID(recordName: "v\(below(40))", zoneID: zone)))
      default: record[field.name] = .string(words[below(20)])
      }
    }
    return record
  }
}
