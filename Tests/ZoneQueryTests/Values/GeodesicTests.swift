import FoundationEssentials
import Testing

@testable import ZoneQuery

@Suite struct GeodesicTests {
  @Test func agreesWithPublishedValues() {
    let samples = GeodesicSample.samples(GeodesicReferenceTable.published)
    #expect(samples.count == 16)
    for sample in samples {
      #expect(abs(sample.computed - sample.distance) <= 0.6e-3, "\(sample)")
    }
  }

  @Test func agreesWithTable() {
    let samples = GeodesicSample.samples(GeodesicReferenceTable.computed)
    #expect(samples.count >= 190)
    for sample in samples {
      #expect(abs(sample.computed - sample.distance) <= 3e-8, "\(sample) \(sample.computed)")
      #expect(sample.computed == sample.computedBackwards, "\(sample)")
      if sample.kind == "coincident" { #expect(sample.computed == 0, "\(sample)") }
    }
  }

  /// The pairs that Tests/Generators/geodesic_reference.py writes, where the environment names the file.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["ZONEQUERY_GEODESIC_PAIRS"] != nil,
      "set ZONEQUERY_GEODESIC_PAIRS to a file of Tests/Generators/geodesic_reference.py"))
  func agreesWithGeographicLib() throws {
    let path = try #require(ProcessInfo.processInfo.environment["ZONEQUERY_GEODESIC_PAIRS"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let samples = GeodesicSample.samples(String(decoding: bytes, as: UTF8.self))
    var worst: [Substring: Double] = [:]
    var (asymmetric, boundChecks, wrong, unsure) = (0, 0, 0, 0)
    for sample in samples {
      let computed = sample.computed
      let error = abs(computed - sample.distance)
      worst[sample.kind] = max(worst[sample.kind] ?? 0, error.isNaN ? .infinity : error)
      if computed != sample.computedBackwards { asymmetric += 1 }
      let position = GeodesicPosition(latitude: sample.latitude2, longitude: sample.longitude2)
      for radius in sample.radiiAroundRim {
        let test = GeodesicRadiusTest(
          latitude: sample.latitude1, longitude: sample.longitude1, radius: radius, comparison: .lessThan)
        for verdict in [
          test.classify(position), test.classify(latitude: sample.latitude2, longitude: sample.longitude2),
        ] {
          boundChecks += 1
          switch verdict {
          case .inside: if !(computed < radius) { wrong += 1 }
          case .outside: if !(computed > radius) { wrong += 1 }
          case .unsure: unsure += 1
          }
        }
        let longitude = GeodesicPoint.reducedLongitude(sample.longitude2)
        if computed <= radius,
          test.bounds?.contains(latitude: sample.latitude2, longitude: longitude) != true,
          abs(sample.latitude2) != 90
        {
          wrong += 1
        }
      }
    }
    print(
      "geodesic: \(samples.count) pairs, \(boundChecks) checks of the bound, \(unsure) left to the formula")
    for (kind, error) in worst.sorted(by: { $0.key < $1.key }) { print("  \(kind): worst \(error) m") }
    #expect(samples.count >= 100_000)
    #expect(worst.values.allSatisfy { $0 <= 1e-3 })
    #expect(asymmetric == 0)
    #expect(wrong == 0)
  }

  @Test func takesLongitudesOfAnySize() {
    for (one, other) in [(180.0, -180.0), (540.0, 180.0), (-180.0, 540.0), (360.0, 0.0), (0x1p60 * 360, 0.0)] {
      let d = Geodesic.distance(latitude1: 10, longitude1: one, latitude2: 10, longitude2: other)
      #expect(d == 0)
    }
    let here = Geodesic.distance(
      latitude1: 0, longitude1: 180.000_000_1, latitude2: 0, longitude2: -179.999_999_9)
    #expect(here < 1e-8)
    for longitude in [Double.greatestFiniteMagnitude, -1e300, 1e22, .leastNonzeroMagnitude] {
      let d = Geodesic.distance(latitude1: 1, longitude1: longitude, latitude2: -1, longitude2: 0)
      #expect(d >= 0 && d <= GeodesicEllipsoid.greatestDistance)
    }
  }

  @Test func takesHostileNumbers() {
    let latitudes = [
      90, 90.0.nextDown, 89.999_999_999, 45, 1e-15, .leastNonzeroMagnitude, .leastNormalMagnitude, 0, -0.0,
      -.leastNonzeroMagnitude, -1e-300, -(45.0.nextDown), -(90.0.nextDown), -90,
    ]
    let longitudes = [
      0, -0.0, .leastNonzeroMagnitude, 1e-300, 1e-16, 90, 179.394, 180.0.nextDown, 180, -180,
      -(180.0.nextDown), -90,
      -1e-18, 180.0.nextUp, 1e17,
    ]
    var checks = 0
    for a in latitudes {
      for b in longitudes {
        for c in latitudes {
          for d in longitudes {
            let there = Geodesic.distance(latitude1: a, longitude1: b, latitude2: c, longitude2: d)
            let back = Geodesic.distance(latitude1: c, longitude1: d, latitude2: a, longitude2: b)
            if !(there >= 0 && there <= GeodesicEllipsoid.greatestDistance && there == back) {
              Issue.record("\(a) \(b) \(c) \(d): \(there) \(back)")
            }
            checks += 1
          }
        }
      }
    }
    print("geodesic: \(checks) hostile pairs")
    #expect(checks >= 40_000)
    #expect(Geodesic.distance(latitude1: 91, longitude1: 0, latitude2: 0, longitude2: 0).isNaN)
    #expect(Geodesic.distance(latitude1: 0, longitude1: 0, latitude2: .nan, longitude2: 0).isNaN)
  }

  @Test func isContinuousWhereTheEquatorCeasesToBeShortest() {
    // Just beyond (1 − f) · 180° of longitude the shortest path leaves the equator.
    for longitude in [179.396_493_6, 179.396_494, 179.396_654_030_867, 179.4, 179.9] {
      let onEquator = Geodesic.distance(latitude1: 0, longitude1: 0, latitude2: 0, longitude2: longitude)
      for step in 0..<60 {
        let latitude = 1e-18 * SplitMix.powerOfTwo(Double(step) / 2)
        let off = Geodesic.distance(latitude1: latitude, longitude1: 0, latitude2: 0, longitude2: longitude)
        // A degree of latitude is below 111 km there.
        #expect(abs(off - onEquator) <= 111_000 * latitude + 3e-8, "\(longitude) \(latitude)")
      }
    }
  }

  @Test func obeysTriangleInequality() {
    var random = SplitMix(seed: 7)
    for _ in 0..<5000 {
      let a = random.point()
      let b = random.point(around: a)
      let c = random.point(around: b)
      let (pa, pb, pc) = (
        GeodesicPoint(latitude: a.latitude, longitude: a.longitude),
        GeodesicPoint(latitude: b.latitude, longitude: b.longitude),
        GeodesicPoint(latitude: c.latitude, longitude: c.longitude)
      )
      let direct = Geodesic.distance(from: pa, to: pc)
      #expect(direct <= Geodesic.distance(from: pa, to: pb) + Geodesic.distance(from: pb, to: pc) + 1e-7)
    }
  }
}
