import Testing

@testable import ZoneQuery

/// Places are compared as places: −180 is the meridian of 180, and all longitudes at a pole are one.
@Suite struct LocationEqualityTests {
  private static let places = [
    "east": Location(latitude: 10, longitude: 180), "west": Location(latitude: 10, longitude: -180),
    "north": Location(latitude: 90, longitude: 0), "alsoNorth": Location(latitude: 90, longitude: 77),
    "south": Location(latitude: -90, longitude: -180), "zero": Location(latitude: 0, longitude: 0),
    "alsoZero": Location(latitude: -0.0, longitude: -0.0), "other": Location(latitude: 10, longitude: 179.9),
  ]
  /// Which of them are the same.
  private static let same: [Set<String>] = [
    ["east", "west"], ["north", "alsoNorth"], ["south"], ["zero", "alsoZero"], ["other"],
  ]

  private static func record(_ name: String, _ place: Location) -> Record {
    var record = Record(recordType: "T", recordName: name)
    record["place"] = .location(place)
    record["places"] = .locationList([Location(latitude: 1, longitude: 1), place])
    return record
  }

  private static func database(_ count: Int) throws -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions.dialect = .extended
    let database = try Database(
      schema: try Schema(ckdb: "DEFINE SCHEMA RECORD TYPE T (place LOCATION QUERYABLE, places LIST<LOCATION>);"),
      configuration: configuration)
    for (name, place) in places { try database.save(record(name, place)) }
    // Enough that rows are held against conditions by columns.
    try database.load((0..<count).map { record("r\($0)", Location(latitude: 20, longitude: Double($0 % 90))) })
    return database
  }

  @Test(arguments: [0, 2_000]) func queries(others: Int) throws {
    let database = try Self.database(others)
    for (name, place) in Self.places {
      let expected = try #require(Self.same.first { $0.contains(name) })
      for format in [
        "place = $place", "place IN {$place}", "places CONTAINS $place", "NOT place != $place", "$place IN places",
        "place = TERNARY(TRUEPREDICATE, $place, place)", "places[1] = $place",
        "distanceToLocation:fromLocation:(place, $place) <= 0",
      ] {
        let query = Query(recordType: "T", predicate: try QueryPredicate(format: format))
        let prepared = try database.prepare(query, inZoneWith: .default)
        for _ in 0..<2 {
          let found = try prepared.records(["place": place], resultsLimit: .max).records.map(\.recordID.recordName)
          #expect(Set(found) == expected && found.count == expected.count, "\(format), \(name)")
        }
        #expect(try prepared.count(["place": place]) == expected.count, "\(format), \(name)")
        for (other, held) in Self.places {
          let options = PredicateOptions(dialect: .extended)
          for type in [nil, database.schema["T"]] {
            let matcher = try Matcher(query.predicate, for: type, options: options, parameters: ["place": place])
            #expect(try matcher.matches(Self.record(other, held)) == expected.contains(other), "\(format), \(other)")
          }
        }
      }
    }
  }

  @Test func subscriptions() async throws {
    let database = try Self.database(0)
    func save(_ id: String, _ place: Location) throws {
      let predicate = try QueryPredicate(format: "place = %@", arguments: [place])
      try database.save(.query(QuerySubscription(recordType: "T", predicate: predicate, subscriptionID: id)))
    }
    try save("east", Self.places["east"] ?? Location(latitude: 0, longitude: 0))
    let error = #expect(throws: ZoneQueryError.self) {
      try save("west", Self.places["west"] ?? Location(latitude: 0, longitude: 0))
    }
    #expect(error?.code == .duplicateSubscription)
    let heard = Heard()
    let observer = database.onNotification { heard.add($0) }
    try database.save(Self.record("new", Location(latitude: 10, longitude: -180)))
    try database.save(Self.record("far", Location(latitude: 10, longitude: -179)))
    #expect(await eventually { heard.count > 0 })
    observer.cancel()
    #expect(heard.count == 1)
  }

  /// Of many predicates those are found that a record matches, however its place is written.
  @Test func manyPredicates() throws {
    let type = try #require(try Self.database(0).schema["T"])
    let index = SubscriptionIndex(options: PredicateOptions(dialect: .extended))
    var names: [SubscriptionIndex.Handle: String] = [:]
    for (name, place) in Self.places {
      for format in ["place = %@", "places CONTAINS %@", "place IN {%@}"] {
        let predicate = try QueryPredicate(format: format, arguments: [place])
        names[try index.add(predicate, for: type)] = name
      }
    }
    for number in 0..<400 {
      let place = Location(latitude: Double(number % 80), longitude: Double(number) / 4 - 60.1)
      let predicate = try QueryPredicate(format: "place = %@", arguments: [place])
      names[try index.add(predicate, for: type)] = "filler"
    }
    for (name, place) in Self.places {
      let same = try #require(Self.same.first { $0.contains(name) })
      let record = Self.record("x", place)
      let found = index.matches(created: record)
      #expect(Set(found) == Set(index.matchesByScanning(created: record)))
      #expect(Set(found.compactMap { names[$0] }).subtracting(["filler"]) == same, "\(name)")
    }
  }
}
