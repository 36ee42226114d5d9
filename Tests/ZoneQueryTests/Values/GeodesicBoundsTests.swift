import Testing

@testable import ZoneQuery

@Suite struct GeodesicBoundsTests {
  @Test func holdEveryPointOfTheCircle() {
    var random = SplitMix(seed: 99)
    var (checks, escaped) = (0, 0)
    for _ in 0..<TestAmount.of(60_000) {
      let a = random.point()
      let b = random.point(around: a)
      let d = Geodesic.distance(
        latitude1: a.latitude, longitude1: a.longitude, latitude2: b.latitude, longitude2: b.longitude)
      // At a pole any longitude is the same point, but only one is in the record.
      for radius in [d, d * 1.000_001, d * 2] {
        guard let bounds = GeodesicBounds(latitude: a.latitude, longitude: a.longitude, radius: radius) else {
          escaped += 1
          continue
        }
        checks += 1
        if !bounds.contains(latitude: b.latitude, longitude: b.longitude) {
          escaped += 1
          Issue.record("\(a) \(b) \(d) \(bounds)")
        }
      }
    }
    print("geodesic: \(checks) points in bounds")
    #expect(checks >= TestAmount.of(150_000))
    #expect(escaped == 0)
  }

  @Test func holdTheRimOfTheCircle() throws {
    // Where the circle is widest the bounds have least room: walk along its rim by bisection on the distance.
    var random = SplitMix(seed: 5)
    for _ in 0..<300 {
      let a = random.point()
      let radius = 2e7 * SplitMix.powerOfTwo(random.number(in: -24...0))
      let bounds = try #require(GeodesicBounds(latitude: a.latitude, longitude: a.longitude, radius: radius))
      for _ in 0..<20 {
        let target = random.point()
        var (low, high) = (0.0, 1.0)
        func place(_ t: Double) -> (Double, Double) {
          let turn = (target.longitude - a.longitude).remainder(dividingBy: 360)
          return (
            a.latitude + (target.latitude - a.latitude) * t,
            (a.longitude + turn * t).remainder(dividingBy: 360)
          )
        }
        for _ in 0..<50 {
          let middle = (low + high) / 2
          let p = place(middle)
          let d = Geodesic.distance(
            latitude1: a.latitude, longitude1: a.longitude, latitude2: p.0, longitude2: p.1)
          if d <= radius { low = middle } else { high = middle }
        }
        let p = place(low)
        #expect(bounds.contains(latitude: p.0, longitude: p.1), "\(a) \(radius) \(p)")
      }
    }
  }

  @Test func areTight() throws {
    let bounds = try #require(GeodesicBounds(latitude: 37.5, longitude: 127, radius: 10_000))
    #expect(bounds.longitudesBeyondAntimeridian == nil)
    let north = Geodesic.distance(
      latitude1: 37.5, longitude1: 127, latitude2: bounds.latitudes.upperBound, longitude2: 127)
    #expect(north > 10_000 && north < 10_020)
    let east = Geodesic.distance(
      latitude1: 37.5, longitude1: 127, latitude2: 37.5, longitude2: bounds.longitudes.upperBound)
    #expect(east > 10_000 && east < 10_050)
  }

  @Test func splitAtAntimeridianAndOpenAtPoles() throws {
    let fiji = try #require(GeodesicBounds(latitude: -17, longitude: 179.9, radius: 50_000))
    #expect(fiji.longitudes.upperBound == 180)
    #expect(fiji.longitudesBeyondAntimeridian?.lowerBound == -180)
    #expect(fiji.contains(latitude: -17, longitude: -179.8))
    #expect(!fiji.contains(latitude: -17, longitude: 0))

    let west = try #require(GeodesicBounds(latitude: -17, longitude: -180, radius: 0))
    #expect(west.contains(latitude: -17, longitude: 180) && west.contains(latitude: -17, longitude: -180))

    let pole = try #require(GeodesicBounds(latitude: 89.9, longitude: 0, radius: 20_000))
    #expect(pole.latitudes.upperBound == 90)
    #expect(pole.longitudes == -180...180 && pole.longitudesBeyondAntimeridian == nil)

    let all = try #require(GeodesicBounds(latitude: 1, longitude: 1, radius: .infinity))
    #expect(all.latitudes == -90...90 && all.longitudes == -180...180)
    #expect(GeodesicBounds(latitude: 1, longitude: 1, radius: -1) == nil)
    #expect(GeodesicBounds(latitude: 1, longitude: 1, radius: .nan) == nil)
    #expect(GeodesicBounds(latitude: 91, longitude: 1, radius: 1) == nil)
  }
}
