import Testing

@testable import ZoneQuery

/// Standing circles that reach over the antimeridian or a pole are found for the places that a matcher says lie in them.
struct SubscriptionPlacesTests {
  private static let type = RecordType("T", fields: [FieldDefinition("n", .int64), FieldDefinition("p", .location)])
  private static let options = PredicateOptions(dialect: .extended)
  /// Where circles have their centres, and places lie about.
  private static let corners: [(latitude: Double, longitude: Double)] = [
    (0, 180), (0, -180), (-18, 179.999), (67, -179.5), (90, 0), (90, 180), (-90, 0), (-89.99, 42), (89.5, -90), (0, 0),
    (51.5, -0.001),
  ]

  @Test func circlesAtTheEdges() throws {
    var random = SplitMix(seed: 180)
    func place() -> (latitude: Double, longitude: Double) {
      let corner = Self.corners[random.below(Self.corners.count)]
      let reach = [0.00001, 0.01, 1, 40][random.below(4)]
      func step() -> Double { random.below(4) == 0 ? 0 : (Double(random.below(2_001)) / 1_000 - 1) * reach }
      let latitude = min(90, max(-90, corner.latitude + step()))
      var longitude = corner.longitude + step() * 2
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      return (latitude, longitude)
    }
    let index = SubscriptionIndex(options: Self.options, seed: 1)
    var (standing, found, checks): ([SubscriptionIndex.Handle: Matcher], Int, Int) = ([:], 0, 0)
    let radii = [0, 0.5, 30, 2_000, 150_000, 3_000_000, 19_000_000, 20_100_000]
    for number in 0..<TestAmount.of(800) {
      let (centre, radius) = (place(), radii[random.below(radii.count)])
      let circle =
        "distanceToLocation:fromLocation:(p, %@) \(["<", "<=", ">", ">="][random.below(8) % 5 % 4]) \(radius)"
      let format =
        switch random.below(5) {
        case 0: "\(circle) AND n = \(random.below(3))"
        case 1: "NOT \(circle)"
        case 2: "\(circle) OR n = \(random.below(3))"
        default: circle
        }
      let predicate = try QueryPredicate(
        format: format, Location(latitude: centre.latitude, longitude: centre.longitude))
      let handle = try index.add(predicate, for: Self.type)
      standing[handle] = try Matcher(predicate, for: Self.type, options: Self.options)
      // Some come later, when the index has been planned by records.
      if number % 8 != 0 { continue }
      for name in 0..<12 {
        var record = Record(recordType: "T", recordName: "r\(name)")
        let place = place()
        if name > 0 { record["p"] = .location(Location(latitude: place.latitude, longitude: place.longitude)) }
        record["n"] = .int64(Int64(random.below(4)))
        index.learn(from: [record], recordType: Self.type)
        let fired = Set(index.matches(created: record))
        #expect(try fired == Set(standing.filter { try $0.value.matches(record) }.keys), "\(record)")
        #expect(fired == Set(index.matchesByScanning(created: record)), "\(record)")
        found += fired.count
        checks += standing.count
      }
    }
    print("circles at the edges: \(checks) checks, \(found) found")
    #expect(checks >= 2_500 && found >= checks / 10)
  }
}
