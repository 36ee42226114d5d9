import Foundation
import Testing

@testable import ZoneQuery

/// Covers of circles against the exact distance.
@Suite("Location keys")
struct LocationKeysTests {
  struct Place {
    var latitude: Double
    var longitude: Double
  }

  static let latitudes = [-90, 90, -89.999999, 89.9999, 0, -0.0, 1e-12, -60, 45, 66.5]
  static let longitudes = [-180, 180, -179.999999999, 179.99999, 0, -0.0, 90, -90, 1e-13, 540, -181]
  static let radii = [
    0, 1e-9, 1e-3, 1, 100, 10_000, 50_000, 1e6, 9_999_999, 1e7, 1.9e7, 20_003_931.4, 2.1e7, .infinity,
  ]

  static func place(_ random: inout SplitMix) -> Place {
    let isNamed = random.below(3) == 0
    return Place(
      latitude: isNamed ? latitudes[random.below(latitudes.count)] : unit(&random) * 90,
      longitude: isNamed ? longitudes[random.below(longitudes.count)] : unit(&random) * 180)
  }

  /// From −1 to 1.
  static func unit(_ random: inout SplitMix) -> Double { Double(Int64(bitPattern: random.next())) * 0x1p-63 }

  static func near(_ centre: Place, _ radius: Double, _ random: inout SplitMix) -> Place {
    let reach = min(radius, 2e7) / 111_195 * 1.02
    let latitude = max(-90, min(90, centre.latitude + unit(&random) * reach))
    let parallel = max(1e-9, cos(min(abs(latitude), abs(centre.latitude)) * .pi / 180))
    var longitude = centre.longitude + unit(&random) * min(180, reach / parallel)
    longitude = longitude.remainder(dividingBy: 360)
    return Place(latitude: latitude, longitude: longitude)
  }

  @Test func `a cover holds every place within the radius`() {
    var random = SplitMix(seed: 3)
    let circles = TestAmount.of(12_000, long: 300_000)
    var (checks, inside, ranges) = (0, 0, 0)
    for _ in 0..<circles {
      let centre = LocationKeysTests.place(&random)
      let radius =
        random.below(2) == 0
        ? LocationKeysTests.radii[random.below(LocationKeysTests.radii.count)]
        : pow(10, 3.5 + 4 * LocationKeysTests.unit(&random))
      let cover = LocationKeys.cover(latitude: centre.latitude, longitude: centre.longitude, radius: radius)
      ranges += cover.count
      let isApart = zip(cover, cover.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
      #expect(isApart && cover.count <= LocationKeys.mostRanges && !cover.isEmpty)
      for number in 0..<10 {
        var place = centre
        if number > 0 {
          place =
            number > 2
            ? LocationKeysTests.near(centre, radius, &random) : LocationKeysTests.place(&random)
        } else if random.below(2) == 0, abs(centre.longitude) == 180 {
          place.longitude = -place.longitude
        }
        checks += 1
        let distance = Geodesic.distance(
          latitude1: centre.latitude, longitude1: centre.longitude, latitude2: place.latitude,
          longitude2: place.longitude)
        if distance > radius { continue }
        inside += 1
        let key = LocationKeys.key(latitude: place.latitude, longitude: place.longitude)
        #expect(cover.contains { $0.contains(key) }, "\(centre) \(radius) \(place)")
      }
    }
    print("location keys: \(checks) places, \(inside) inside; \(Double(ranges) / Double(circles)) ranges a cover")
    #expect(checks >= TestAmount.of(100_000) && inside >= TestAmount.of(50_000))
  }

  @Test func `there is no cover of no circle`() {
    #expect(LocationKeys.cover(latitude: 0, longitude: 0, radius: -1).isEmpty)
    #expect(LocationKeys.cover(latitude: 0, longitude: 0, radius: .nan).isEmpty)
    #expect(LocationKeys.cover(latitude: 91, longitude: 0, radius: 1).isEmpty)
    #expect(LocationKeys.cover(latitude: 0, longitude: .infinity, radius: 1).isEmpty)
    #expect(LocationKeys.cover(latitude: 0, longitude: 0, radius: .infinity) == [0 ... .max])
  }

  @Test(arguments: [1000.0, 10_000, 50_000, 500_000])
  func `covers are not much larger than circles`(_ radius: Double) {
    var random = SplitMix(seed: 4)
    var (sum, ranges) = (0.0, 0)
    let circles = 2000
    for _ in 0..<circles {
      let latitude = asin(LocationKeysTests.unit(&random) * 0.9) * 180 / .pi
      let cover = LocationKeys.cover(
        latitude: latitude, longitude: LocationKeysTests.unit(&random) * 180, radius: radius)
      ranges += cover.count
      let keys = cover.reduce(0.0) { $0 + Double($1.upperBound - $1.lowerBound) + 1 } * 0x1p-64
      let metres = keys * 360 * 180 * 111_195 * 111_195 * cos(latitude * .pi / 180)
      sum += metres / (.pi * radius * radius)
    }
    print(
      "location keys, \(Int(radius)) m: \(Double(ranges) / Double(circles)) ranges, \(sum / Double(circles)) times the circle"
    )
    #expect(sum / Double(circles) < 3)
  }

  @Test func `keys of the ends`() {
    #expect(LocationKeys.key(latitude: -90, longitude: -180) == 0)
    #expect(LocationKeys.key(latitude: 90, longitude: 180) == .max)
    #expect(
      LocationKeys.key(latitude: 90, longitude: 540) == .max || LocationKeys.key(latitude: 90, longitude: 540) > 0)
  }
}
