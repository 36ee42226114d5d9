import Testing

@testable import ZoneQuery

/// The benchmark's kinds of questions over a few thousand records that are the same everywhere.
struct WorkloadSample {
  struct Question {
    let name: String
    let format: String
    var values: [String: any PredicateArgument] = [:]
    var sort: [SortKey] = []
    var limit = Int.max
    var isCount = false
    /// Which record of the whole answer the page asked for lies behind.
    var behind: Int?
  }

  static let recordCount = 6_000
  let database: Database

  init() throws {
    var configuration = Database.Configuration()
    configuration.clock = { Timestamp(milliseconds: 1_788_220_800_000) }
    database = try Database(schema: try Schema(ckdb: WorkloadSample.schema), configuration: configuration)
    for keys in [["city", "start"], ["price", "start"], ["tags", "start"]] {
      try database.addIndex(IndexDefinition(recordType: "Event", keys: keys))
    }
    var random = SplitMix(seed: 11)
    try database.load((0..<WorkloadSample.recordCount).map { WorkloadSample.record($0, &random) })
  }

  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE Event (
        "___recordID" REFERENCE QUERYABLE, name STRING QUERYABLE SORTABLE, city STRING QUERYABLE SORTABLE,
        start TIMESTAMP QUERYABLE SORTABLE, attendees INT64, price DOUBLE, rating DOUBLE,
        tags LIST<STRING> QUERYABLE, location LOCATION QUERYABLE, title STRING SEARCHABLE);
    """

  /// Starts, prices and ratings come once each, in orders that have nothing to do with one another or with the names'.
  private static func record(_ number: Int, _ random: inout SplitMix) -> Record {
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    var record = Record(recordType: "Event", recordName: "r\(number)")
    record["name"] = .string("name \(below(600))")
    record["city"] = .string("city \(below(60))")
    record["start"] = .timestamp(Timestamp(milliseconds: moment(number * 1_789 % recordCount)))
    record["attendees"] = .int64(Int64(below(10_000)))
    record["price"] = .double(Double(number * 2_803 % recordCount))
    record["rating"] = .double(Double(number * 4_201 % recordCount) / 1_000)
    record["tags"] = .stringList((0..<below(6)).map { _ in "tag \(below(40))" })
    let cluster = below(12)
    record["location"] = .location(
      Location(
        latitude: Double(cluster * 8 - 44) + Double(below(10_000)) / 10_000,
        longitude: Double(cluster * 25 - 150) + Double(below(10_000)) / 10_000))
    record["title"] = .string(
      (0..<(4 + below(8))).map { _ in "word\(min(below(400), below(400)))" }.joined(separator: " "))
    return record
  }

  static func moment(_ rank: Int) -> Int64 { 1_788_220_800_000 + Int64(rank) * 60_000 }

  static var questions: [Question] {
    func date(_ share: Double) -> Timestamp { Timestamp(milliseconds: moment(Int(share * Double(recordCount)))) }
    let near = "distanceToLocation:fromLocation:(location, $centre) < $metres"
    func circle(_ kilometres: Double) -> [String: any PredicateArgument] {
      ["centre": Location(latitude: -19.5, longitude: -74.5), "metres": kilometres * 1_000]
    }
    let nearest = [SortKey.distance("location", from: Location(latitude: -19.5, longitude: -74.5))]
    return [
      Question(name: "point", format: "recordID = $id", values: ["id": RecordID(recordName: "r77")]),
      Question(name: "equality", format: "name = $name", values: ["name": "name 7"]),
      Question(
        name: "equality-sort-limit", format: "city = $city", values: ["city": "city 7"], sort: [.descending("start")],
        limit: 50),
      Question(
        name: "range-limit", format: "start > $after", values: ["after": date(0.4)], sort: [.ascending("start")],
        limit: 100),
      Question(
        name: "indexed-sort", format: "start > $after", values: ["after": date(0.5)], sort: [.ascending("price")],
        limit: 20),
      Question(
        name: "range-other-sort", format: "start > $after", values: ["after": date(0.5)], sort: [.descending("rating")],
        limit: 20),
      Question(
        name: "equality-and-range", format: "city = $city AND start > $after",
        values: ["city": "city 7", "after": date(0.5)]),
      Question(
        name: "range-and-range", format: "start BETWEEN {$first, $last} AND price BETWEEN {$least, $most}",
        values: ["first": date(0.3), "last": date(0.35), "least": 1_000.0, "most": 1_300.0]),
      Question(name: "prefix", format: "name BEGINSWITH $prefix", values: ["prefix": "name 41"]),
      Question(name: "contains-1", format: "tags CONTAINS $tag", values: ["tag": "tag 3"]),
      Question(
        name: "contains-2", format: "tags CONTAINS $tag AND tags CONTAINS $other",
        values: ["tag": "tag 3", "other": "tag 5"]),
      Question(
        name: "contains-sort", format: "tags CONTAINS $tag", values: ["tag": "tag 3"], sort: [.descending("start")],
        limit: 50),
      Question(
        name: "in-20", format: "name IN $names", values: ["names": (0..<20).map { "name \($0 * 29)" }]),
      Question(
        name: "radius-1km", format: near,
        values: ["centre": Location(latitude: -19.2937, longitude: -74.7806), "metres": 1_000.0]),
      Question(name: "radius-10km", format: near, values: circle(10)),
      Question(name: "radius-100km", format: near, values: circle(100)),
      Question(name: "nearest-10", format: near, values: circle(100), sort: nearest, limit: 10),
      Question(name: "nearest-20", format: near, values: circle(100), sort: nearest, limit: 20),
      Question(
        name: "tokens-2", format: "ALL tokenize($words, 'Cdl') IN allTokens", values: ["words": "word40 word60"]),
      Question(
        name: "tokens-sort", format: "ALL tokenize($words, 'Cdl') IN allTokens", values: ["words": "word1 word3"],
        sort: [.descending("start")], limit: 50),
      Question(
        name: "tokens-range-equality",
        format: "ALL tokenize($words, 'Cdl') IN allTokens AND city = $city AND start > $after",
        values: ["words": "word9", "city": "city 7", "after": date(0.3)]),
      Question(
        name: "materialise-10pct", format: "start BETWEEN {$first, $last}",
        values: ["first": date(0.3), "last": date(0.4)]),
      Question(
        name: "deep-page", format: "TRUEPREDICATE", sort: [.ascending("city"), .ascending("start")], limit: 100,
        behind: 2_999),
      Question(
        name: "scan-count", format: "rating > $rating AND attendees > $attendees",
        values: ["rating": 5.5, "attendees": 9_000], isCount: true),
      Question(name: "scan-top50", format: "TRUEPREDICATE", sort: [.descending("rating")], limit: 50),
      Question(
        name: "count", format: "start BETWEEN {$first, $last}", values: ["first": date(0.3), "last": date(0.4)],
        isCount: true),
    ]
  }
}
