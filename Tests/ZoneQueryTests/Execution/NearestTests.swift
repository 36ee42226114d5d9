import Testing

@testable import ZoneQuery

/// Records in the order of their distance, near and far, against a scan, and how much is read for them.
@Suite struct NearestTests {
  private static func database(_ records: [Record]) throws -> Database {
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = records.count
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Event (place LOCATION QUERYABLE, seats INT64, name STRING SORTABLE);"),
      configuration: configuration)
    for result in try database.save(records) { _ = try result.get() }
    return database
  }

  private static func record(_ number: Int, _ latitude: Double, _ longitude: Double, seats: Int = 0) -> Record {
    var record = Record(recordType: "Event", recordName: "r\(number)")
    record["place"] = .location(
      Location(latitude: latitude, longitude: longitude.remainder(dividingBy: 360)))
    record["seats"] = .int64(Int64(seats))
    record["name"] = .string("n\(number * 7 % 5)")
    return record
  }

  /// Places that many records share, and such at equal distances, in the order of a further descriptor and of the names,
  /// with the limit among them; and places so far away that chords do not tell.
  @Test func tiesAndFarPlaces() throws {
    var records: [Record] = []
    for number in 0..<600 {
      // Sixteen places, four of them at one distance east and west, at steps up to the other side of the Earth.
      let (ring, side) = (number % 8, number / 8 % 2 == 0 ? 1.0 : -1.0)
      let step = [0.0, 0.001, 0.001, 0.5, 9, 60, 120, 179.9][ring]
      records.append(NearestTests.record(number, 10, 40 + side * step))
    }
    let database = try NearestTests.database(records)
    var checks = 0
    let limits = TestAmount.isLong ? [1, 50, 74, 75, 76, 200, 599, 1_000] : [1, 75, 76, 1_000]
    for (side, here) in [Location(latitude: 10, longitude: 40), Location(latitude: -10, longitude: -140)].enumerated() {
      for (tie, further) in [[], [.ascending("name")], [.descending("name")]].enumerated()
        as EnumeratedSequence<[[SortKey]]>
      {
        let prepared = try database.prepare(
          Query(
            recordType: "Event",
            predicate: try QueryPredicate(format: "distanceToLocation:fromLocation:(place, $here) < $metres"),
            sort: [.distance("place", from: here)] + further))
        for (size, metres) in [0.5, 200, 1e5, 1.1e6, 8e6, 1.3e7, 2.1e7, 1e300].enumerated() {
          for (number, limit) in limits.enumerated() where TestAmount.takes(2 * side + tie + size + number) {
            let values: [String: any PredicateArgument] = ["here": here, "metres": metres]
            var found: [RecordID] = []
            try prepared.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
            let expected = try prepared.answer(forcing: .scan, values, resultsLimit: limit)
            #expect(found == expected.ids, "\(here), \(further.count), \(metres), \(limit)")
            checks += 1
          }
        }
      }
    }
    print("nearest: \(checks) checks of ties and far places")
    #expect(checks == TestAmount.taken(TestAmount.isLong ? 384 : 192))
  }

  /// What smaller circles are asked in vain stays below twice what the whole one holds.
  @Test func searchInVainIsBounded() throws {
    var samples = SplitMix(seed: 5)
    var records: [Record] = []
    for number in 0..<12_000 {
      // Most lie within five kilometres; hardly any have the seats that are asked for, and some have no place.
      let isNear = number % 3 > 0
      let (latitude, longitude) =
        isNear
        ? (50 + Double(samples.below(9_000)) / 200_000, 8 + Double(samples.below(9_000)) / 200_000)
        : (Double(samples.below(160)) - 80, Double(samples.below(360)) - 180)
      records.append(NearestTests.record(number, latitude, longitude, seats: number % 997))
      if number % 10 == 0 { records[number]["place"] = nil }
    }
    let database = try NearestTests.database(records)
    var checks = 0
    for (here, format) in [
      (Location(latitude: 50, longitude: 8), "distanceToLocation:fromLocation:(place, $here) < $metres AND seats = 77"),
      (Location(latitude: -50, longitude: -172), "distanceToLocation:fromLocation:(place, $here) < $metres"),
      (
        Location(latitude: -50, longitude: -172),
        "distanceToLocation:fromLocation:(place, $here) < $metres AND seats = 77"
      ),
    ] {
      let prepared = try database.prepare(
        Query(
          recordType: "Event", predicate: try QueryPredicate(format: format), sort: [.distance("place", from: here)]))
      for metres in [1e4, 1e6, 9e6, 1.9e7, 1e300] {
        for limit in [1, 5, 100] {
          let values: [String: any PredicateArgument] = ["here": here, "metres": metres]
          let read = try prepared.explain(values, resultsLimit: limit).counters
          #expect(read.entriesRead <= 3 * 12_000 && read.rowsExamined <= 3 * 12_000, "\(format), \(metres), \(limit)")
          var found: [RecordID] = []
          try prepared.forEachRecord(values, resultsLimit: limit) { found.append($0.recordID) }
          #expect(found == (try prepared.answer(forcing: .scan, values, resultsLimit: limit)).ids)
          checks += 2
        }
      }
    }
    print("nearest: \(checks) checks of searches in vain")
    #expect(checks == 90)
  }

  /// A circle that was asked for is told as one, however large.
  @Test func circlesAreTold() throws {
    let records = (0..<300).map { NearestTests.record($0, Double($0 % 90), Double($0 % 170)) }
    let database = try NearestTests.database(records)
    let here = Location(latitude: 10, longitude: 10)
    for sort: [SortKey] in [
      [], [.distance("place", from: here)], [.distance("place", from: Location(latitude: 20, longitude: 20))],
    ] {
      let query = Query(
        recordType: "Event",
        predicate: try QueryPredicate(format: "distanceToLocation:fromLocation:(place, %@) < 30000000", here),
        sort: sort)
      let text = try database.explain(query, resultsLimit: 5).text(showsTimes: false)
      #expect(!text.contains("the nearest to"))
      let prepared = try database.prepare(query)
      let found = try prepared.records(resultsLimit: 5).records.map(\.recordID)
      if !sort.isEmpty { #expect(found == (try prepared.answer(forcing: .scan, resultsLimit: 5)).ids) }
    }
  }

  /// Where the nearest are asked from: beside the spots and the antimeridian and at a pole; in a long run in the city, far
  /// from most, at the other pole and on the antimeridian, too.
  private static let origins: [(Double, Double)] =
    [(-20, -179.5), (90, 0)] + (TestAmount.isLong ? [(50, 8), (12, 34), (-90, 20), (0, 180)] : [])

  /// The nearest of all, without a distance that they are to be within: near and far, where many match and where few do,
  /// with places at one spot, and where some records have none and come last.
  @Test func nearestOfAll() throws {
    var samples = SplitMix(seed: 6)
    var records: [Record] = []
    for number in 0..<2_400 {
      // A third all over the Earth, a third in one city, a third at seven spots.
      let (latitude, longitude) =
        switch number % 3 {
        case 0: (Double(samples.below(18_000)) / 100 - 90, Double(samples.below(36_000)) / 100 - 180)
        case 1: (50 + Double(samples.below(9_000)) / 200_000, 8 + Double(samples.below(9_000)) / 200_000)
        default: (-20, 177 + Double(number % 7))
        }
      records.append(NearestTests.record(number, latitude, longitude, seats: number % 500))
    }
    var checks = 0
    for lacking in [0, 300] {
      for number in 0..<lacking { records[number * 3]["place"] = nil }
      let database = try NearestTests.database(records)
      for (place, here) in Self.origins.enumerated() {
        let formats = ["TRUEPREDICATE", "seats < 250", "seats = 77", "name = 'n3' AND seats > 20"]
        for (form, format) in formats.enumerated() {
          for (tie, further) in [[], [SortKey.descending("name")]].enumerated() {
            let number = tie + form + 2 * place + (lacking > 0 ? 1 : 0)
            let origin = Location(latitude: here.0, longitude: here.1)
            let prepared = try database.prepare(
              Query(
                recordType: "Event", predicate: try QueryPredicate(format: format),
                sort: [.distance("place", from: origin)] + further))
            for (size, limit) in [1, 20, 300, .max].enumerated() where TestAmount.takes(number + size) {
              var found: [RecordID] = []
              try prepared.forEachRecord(resultsLimit: limit) { found.append($0.recordID) }
              let expected = try prepared.answer(forcing: .scan, resultsLimit: limit)
              #expect(found == expected.ids, "\(here), \(format), \(limit)")
              checks += 1
              let read = try prepared.explain(resultsLimit: limit)
              #expect(read.counters.rowsExamined <= 4 * 2_400)
              if limit <= 20, lacking == 0, format == "TRUEPREDICATE" {
                // From the pole all of the city are as good as at one spot. On the equator at the antimeridian the spots
                // lie just where the circle ends that has enough, so that several circles have all of them.
                let most = here.0 == 0 ? 3_600 : abs(here.0) > 15 ? 1_300 : 600
                #expect(read.counters.rowsExamined < most, "\(here), \(limit)")
                #expect(read.text(showsTimes: false).contains("location cover (place): the nearest to"))
                checks += 2
              }
            }
            guard TestAmount.takes(number) else { continue }
            let first = try prepared.records(resultsLimit: 30)
            let second = try prepared.records(resultsLimit: 30, after: first.cursor)
            let both = try prepared.answer(forcing: .scan, resultsLimit: 60).ids
            if first.cursor != nil { #expect((first.records + second.records).map(\.recordID) == both) }
          }
        }
      }
    }
    print("nearest: \(checks) checks of the nearest of all")
    #expect(checks >= TestAmount.of(70) * Self.origins.count)
  }

  /// Records in zones, of which a third lie all over the Earth, a third in one city, a third at seven spots, or all of them
  /// all over the Earth; one in `lacking` has no place.
  private static func zones(_ sizes: [Int], lacking: Int, allOver: Bool = false) throws -> Database {
    var samples = SplitMix(seed: 7)
    var configuration = Database.Configuration()
    configuration.limits.itemsPerOperation = 4_000
    let database = try Database(
      schema: try Schema(
        ckdb: "DEFINE SCHEMA RECORD TYPE Event (place LOCATION QUERYABLE, seats INT64, name STRING SORTABLE);"),
      configuration: configuration)
    var number = 0
    for (zone, size) in sizes.enumerated() {
      let id = ZoneID(zoneName: "zone\(zone)")
      try database.createZone(id)
      var records: [Record] = []
      for _ in 0..<size {
        let (latitude, longitude) =
          switch allOver ? 0 : number % 3 {
          case 0: (Double(samples.below(18_000)) / 100 - 90, Double(samples.below(36_000)) / 100 - 180)
          case 1: (50 + Double(samples.below(9_000)) / 200_000, 8 + Double(samples.below(9_000)) / 200_000)
          default: (-20, 177 + Double(number % 7))
          }
        var record = Record(recordType: "Event", recordName: "r\(number)", zoneID: id)
        record["seats"] = .int64(Int64(number % 500))
        record["name"] = .string("n\(number * 7 % 5)")
        if lacking == 0 || samples.below(lacking) > 0 {
          record["place"] = .location(Location(latitude: latitude, longitude: longitude.remainder(dividingBy: 360)))
        }
        records.append(record)
        number += 1
      }
      for result in try database.save(records) { _ = try result.get() }
    }
    return database
  }

  /// Page by page, over one zone and over several, small and large, with and without records that have no place: what a
  /// scan that measures all distances finds.
  @Test func pagesAndZones() throws {
    var checks = 0
    for sizes in [[700], [400, 90, 300, 3, 0, 140]] {
      for lacking in [0, 400, 3] {
        let database = try NearestTests.zones(sizes, lacking: lacking)
        for (place, here) in Self.origins.enumerated() {
          let origin = Location(latitude: here.0, longitude: here.1)
          for (form, format) in [
            "TRUEPREDICATE", "seats < 250", "seats = 77", "distanceToLocation:fromLocation:(place, $here) < 3e6",
            "distanceToLocation:fromLocation:(place, $here) < 3e6 AND seats > 100",
          ].enumerated() {
            for (tie, further) in [[], [SortKey.descending("name")]].enumerated() {
              // Twelve small pages, and all the larger ones.
              let kinds = [(7, 12), (90, .max), (1_000, Int.max)].enumerated().filter { kind in
                TestAmount.takes(kind.offset + tie + 2 * place + form + (lacking == 3 ? 1 : 0))
              }
              if kinds.isEmpty { continue }
              let prepared = try database.prepare(
                Query(
                  recordType: "Event", predicate: try QueryPredicate(format: format),
                  sort: [.distance("place", from: origin)] + further))
              let values: [String: any PredicateArgument] = format.contains("$here") ? ["here": origin] : [:]
              let all = try prepared.answer(forcing: .scan, values, resultsLimit: .max).ids
              for (_, (limit, most)) in kinds {
                var found: [RecordID] = []
                var cursor: QueryCursor?
                var pages = 0
                repeat {
                  let page = try prepared.records(values, resultsLimit: limit, after: cursor)
                  found += page.records.map(\.recordID)
                  cursor = page.cursor
                  pages += 1
                } while cursor != nil && pages < most
                let expected = cursor == nil ? all : Array(all.prefix(limit * pages))
                #expect(found == expected, "\(sizes), \(lacking), \(here), \(format), \(limit)")
                checks += found.count
              }
            }
          }
        }
      }
    }
    print("nearest: \(checks) records compared over pages and zones")
    #expect(checks >= TestAmount.of(25_000) * Self.origins.count)
  }

  /// What further pages read, what is read where some records have no place, and what of several zones.
  @Test func littleIsReadOfPagesAndZones() throws {
    for lacking in [0, 400] {
      let here = Location(latitude: 12, longitude: 34)
      let query = Query(
        recordType: "Event", predicate: try QueryPredicate(format: "TRUEPREDICATE"),
        sort: [.distance("place", from: here)])
      let database = try NearestTests.zones([3_000], lacking: lacking, allOver: true)
      let one = try database.prepare(query)
      var cursor: QueryCursor?
      for page in 0..<8 {
        let read = try one.explain(one.arguments(), resultsLimit: 20, after: cursor).counters.rowsExamined
        #expect(read < 400 + 4 * 20 * page, "page \(page): \(read)")
        cursor = try one.records(resultsLimit: 20, after: cursor).cursor
      }
      cursor = nil
      // Where hardly any match, pages end in a scan before circles have read much.
      let few = try database.prepare(
        Query(
          recordType: "Event", predicate: try QueryPredicate(format: "seats IN {77, 300}"),
          sort: [.distance("place", from: here)]))
      repeat {
        let read = try few.explain(few.arguments(), resultsLimit: 5, after: cursor).counters.rowsExamined
        #expect(read <= 3_000 * 3 / 2, "\(read)")
        cursor = try few.records(resultsLimit: 5, after: cursor).cursor
      } while cursor != nil
      let several = try NearestTests.zones([1_900, 1_800, 1_700], lacking: lacking, allOver: true).prepare(query)
      let read = try several.explain(resultsLimit: 20).counters.rowsExamined
      #expect(read < 800, "\(read)")
    }
  }
}
