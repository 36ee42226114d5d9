@testable import ZoneQuery

/// A database of few records and few values, so that much happens to each.
struct StandingSample {
  static let custom = ZoneID(zoneName: "Custom")
  static let type = RecordType(
    "Event",
    fields: [
      FieldDefinition("city", .string, [.queryable, .sortable]),
      FieldDefinition("seats", .int64, [.queryable, .sortable]),
      FieldDefinition("score", .double, [.queryable, .sortable]), FieldDefinition("tags", .list(.string), .queryable),
      FieldDefinition("place", .location, .queryable),
    ])
  private static let cities = ["Oslo", "Seoul", "Suva", "서울"]

  let database: Database

  init(scope: Database.Scope = .private) throws {
    var configuration = Database.Configuration()
    configuration.scope = scope
    configuration.predicateOptions.dialect = .extended
    configuration.clock = { Timestamp(milliseconds: 1_000_000_000_000) }
    database = try Database(schema: Schema([Self.type]), configuration: configuration)
    if scope == .private { try database.createZone(Self.custom) }
  }

  static func record(_ name: String, _ zone: ZoneID, _ random: inout SplitMix) -> Record {
    var record = Record(recordType: "Event", recordID: RecordID(recordName: name, zoneID: zone))
    if random.below(8) > 0 { record["city"] = .string(cities[random.below(cities.count)]) }
    if random.below(8) > 0 { record["seats"] = .int64(Int64(random.below(10))) }
    if random.below(8) > 0 { record["score"] = .double(Double(random.below(20)) / 4) }
    if random.below(4) > 0 {
      record["tags"] = .stringList((0..<random.below(3)).map { _ in cities[random.below(cities.count)] })
    }
    if random.below(4) > 0 {
      record["place"] = .location(Location(latitude: Double(random.below(10)), longitude: Double(random.below(10))))
    }
    return record
  }

  static func predicate(_ random: inout SplitMix) throws -> QueryPredicate {
    func comparison() -> String {
      let city = cities[random.below(cities.count)]
      let number = random.below(10)
      switch random.below(9) {
      case 0: return "city = '\(city)'"
      case 1: return "city != '\(city)'"
      case 2: return "city BEGINSWITH 'S'"
      case 3: return "seats > \(number)"
      case 4: return "seats BETWEEN {\(number), \(number + 2)}"
      case 5: return "score <= \(number).25"
      case 6: return "tags CONTAINS '\(city)'"
      case 7: return "seats IN {\(number), \((number * 3) % 10)}"
      default: return "distanceToLocation:fromLocation:(place, CAST('\(number),5', 'CLLocation')) < 300000"
      }
    }
    var parts = (0...random.below(3)).map { _ in comparison() }
    if random.below(6) == 0 { parts.append("(\(comparison()) OR \(comparison()))") }
    if random.below(12) == 0 { parts = ["TRUEPREDICATE"] }
    return try QueryPredicate(format: parts.joined(separator: " AND "))
  }
}
