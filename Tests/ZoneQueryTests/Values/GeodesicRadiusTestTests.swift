import Testing

@testable import ZoneQuery

@Suite struct GeodesicRadiusTestTests {
  @Test func boundIsNeverWrong() {
    var random = SplitMix(seed: 42)
    var (checks, wrong, unsure, decidedNear) = (0, 0, 0, 0)
    for _ in 0..<TestAmount.of(52_000) {
      let a = random.point()
      let b = random.point(around: a)
      let position = GeodesicPosition(latitude: b.latitude, longitude: b.longitude)
      let start = GeodesicPoint(latitude: a.latitude, longitude: a.longitude)
      let d = Geodesic.distance(from: start, to: GeodesicPoint(latitude: b.latitude, longitude: b.longitude))
      for step in 0..<20 {
        let radius: Double
        switch step {
        case 0: radius = d
        case 1: radius = d.nextUp
        case 2: radius = d.nextDown
        case 3: radius = random.number(in: 0...21_000_000)
        default:
          let factor = SplitMix.powerOfTwo(random.number(in: -40...0))
          radius = step % 2 == 0 ? d * (1 + factor) : d * (1 - factor)
        }
        let test = GeodesicRadiusTest(
          latitude: a.latitude, longitude: a.longitude, radius: radius, comparison: .lessThan)
        let first = test.classify(position)
        let second = test.classify(latitude: b.latitude, longitude: b.longitude)
        for verdict in [first, second] {
          switch verdict {
          case .inside: if !(d < radius) { wrong += 1 }
          case .outside: if !(d > radius) { wrong += 1 }
          case .unsure: unsure += 1
          }
        }
        if step > 3 && first != .unsure { decidedNear += 1 }
        checks += 1
      }
    }
    print("geodesic: \(checks) pairs and radii, \(unsure) of \(2 * checks) left to the formula")
    #expect(checks >= TestAmount.of(1_000_000))
    #expect(wrong == 0)
    #expect(decidedNear > checks / 4, "a bound that decides nothing is never wrong either")
  }

  /// A test that is widened to a chord holds all that are nearer, and what is outside of it is farther away.
  @Test func widenedTestsOrderDistances() {
    var random = SplitMix(seed: 77)
    var (checks, told, widened) = (0, 0, 0)
    for _ in 0..<TestAmount.of(4_000) {
      let a = random.point()
      let test = GeodesicRadiusTest(
        latitude: a.latitude, longitude: a.longitude, radius: 1_000, comparison: .lessThanOrEqual)
      let start = GeodesicPoint(latitude: a.latitude, longitude: a.longitude)
      let points = (0..<12).map { _ in random.point(around: a) }
      let squares = points.map { test.squaredChord(latitude: $0.latitude, longitude: $0.longitude) }
      let distances = points.map {
        Geodesic.distance(from: start, to: GeodesicPoint(latitude: $0.latitude, longitude: $0.longitude))
      }
      for number in points.indices {
        guard let near = test.widened(to: squares[number]) else { continue }
        widened += 1
        let nearest = points.indices.filter { squares[$0] <= squares[number] }.map { distances[$0] }
        for other in points.indices where near.isOutside(squares[other]) {
          #expect(nearest.allSatisfy { $0 < distances[other] })
          told += 1
        }
        checks += points.count
      }
    }
    print("geodesic: \(checks) chords beside others, \(told) told farther, \(widened) tests widened")
    #expect(checks > TestAmount.of(300_000) && told > checks / 4)
  }

  /// Where one chord tells that its point is farther away than another's, it is: for points anywhere, and for points north
  /// and east of a centre at distances that differ by next to nothing, where chords and distances differ most.
  @Test func longerChordsLeadFarther() {
    var random = SplitMix(seed: 78)
    var (checks, told, wrong) = (0, 0, 0)
    func compare(
      _ places: [(latitude: Double, longitude: Double)], around centre: (latitude: Double, longitude: Double)
    ) {
      let test = GeodesicRadiusTest(
        latitude: centre.latitude, longitude: centre.longitude, radius: 1_000, comparison: .lessThanOrEqual)
      let start = GeodesicPoint(latitude: centre.latitude, longitude: centre.longitude)
      let squares = places.map { test.squaredChord(latitude: $0.latitude, longitude: $0.longitude) }
      let distances = places.map {
        Geodesic.distance(from: start, to: GeodesicPoint(latitude: $0.latitude, longitude: $0.longitude))
      }
      for one in places.indices {
        for other in places.indices where other != one {
          checks += 1
          guard test.isFarther(squares[one], than: squares[other]) else { continue }
          told += 1
          if distances[one] <= distances[other] { wrong += 1 }
        }
      }
    }
    for _ in 0..<TestAmount.of(4_000) {
      let centre = random.point()
      compare((0..<12).map { _ in random.point(around: centre) }, around: centre)
    }
    let (anywhere, toldAnywhere) = (checks, told)
    for _ in 0..<TestAmount.of(400) {
      let centre = (latitude: random.number(in: -80...80), longitude: random.number(in: -180...180))
      let start = GeodesicPoint(latitude: centre.latitude, longitude: centre.longitude)
      let step = SplitMix.powerOfTwo(random.number(in: -18...3))
      let north = (latitude: centre.latitude + step, longitude: centre.longitude)
      let distance = Geodesic.distance(
        from: start, to: GeodesicPoint(latitude: north.latitude, longitude: north.longitude))
      var (near, far) = (0.0, 90.0)
      for _ in 0..<70 {
        let middle = (near + far) / 2
        let found = Geodesic.distance(
          from: start, to: GeodesicPoint(latitude: centre.latitude, longitude: centre.longitude + middle))
        if found < distance { near = middle } else { far = middle }
      }
      var places = [north]
      for exponent in stride(from: -46, through: -6, by: 4) {
        for sign in [-1.0, 1] {
          let longitude = centre.longitude + near * (1 + sign * SplitMix.powerOfTwo(Double(exponent)))
          places.append((latitude: centre.latitude, longitude: longitude))
        }
      }
      compare(places, around: centre)
    }
    print("geodesic: \(checks) chords beside one another, \(told) told farther, \(toldAnywhere) of them anywhere")
    #expect(wrong == 0)
    #expect(anywhere >= TestAmount.of(500_000) && toldAnywhere > anywhere / 4)
    #expect(checks - anywhere >= TestAmount.of(180_000) && told - toldAnywhere > (checks - anywhere) / 8)
  }

  @Test func matchesAsTheExactFormula() {
    var random = SplitMix(seed: 3)
    for _ in 0..<TestAmount.of(3000) {
      let a = random.point()
      let b = random.point(around: a)
      let d = Geodesic.distance(
        latitude1: a.latitude, longitude1: a.longitude, latitude2: b.latitude, longitude2: b.longitude)
      let p = GeodesicPosition(latitude: b.latitude, longitude: b.longitude)
      for radius in [d, d.nextUp, d.nextDown, d * 1.5, d * 0.5, -1, 0, .infinity, 2.1e7, -.infinity] {
        for comparison in GeodesicRadiusTest.Comparison.allCases {
          let test = GeodesicRadiusTest(
            latitude: a.latitude, longitude: a.longitude, radius: radius, comparison: comparison)
          let expected = comparison.holds(d, radius)
          let byDegrees = test.matches(latitude: b.latitude, longitude: b.longitude)
          let byPosition = test.matches(x: p.x, y: p.y, z: p.z) { b }
          if byDegrees != expected || byPosition != expected {
            Issue.record("\(a) \(b) \(d) \(radius) \(comparison)")
          }
        }
      }
    }
  }

  @Test func ringOfDoubtIsNarrow() {
    // The widths that the type's proof promises.
    for (radius, width) in [
      (1000.0, 1e-5), (50_000, 5e-3), (1_000_000, 25), (10_000_000, 40_000), (1.5e7, 70_000),
    ] {
      let test = GeodesicRadiusTest(latitude: 0, longitude: 0, radius: radius, comparison: .lessThan)
      var random = SplitMix(seed: 11)
      for _ in 0..<TestAmount.of(2000) {
        let b = random.point(around: (0, 0))
        let d = Geodesic.distance(
          latitude1: 0, longitude1: 0, latitude2: b.latitude, longitude2: b.longitude)
        guard abs(d - radius) > width else { continue }
        let p = GeodesicPosition(latitude: b.latitude, longitude: b.longitude)
        #expect(test.classify(p) == (d < radius ? .inside : .outside))
      }
    }
  }

  @Test func edgeRadii() {
    func test(_ radius: Double, _ comparison: GeodesicRadiusTest.Comparison) -> GeodesicRadiusTest {
      GeodesicRadiusTest(latitude: 10, longitude: 20, radius: radius, comparison: comparison)
    }
    #expect(!test(0, .lessThan).matches(latitude: 10, longitude: 20))
    #expect(test(0, .lessThanOrEqual).matches(latitude: 10, longitude: 380))
    #expect(!test(0, .greaterThan).matches(latitude: 10, longitude: 20))
    #expect(test(0, .greaterThanOrEqual).matches(latitude: 10, longitude: 20))
    #expect(!test(-1, .lessThanOrEqual).matches(latitude: 10, longitude: 20))
    #expect(test(-1, .greaterThan).matches(latitude: 10, longitude: 20))
    #expect(test(.infinity, .lessThan).matches(latitude: -10, longitude: -160))
    #expect(!test(.infinity, .greaterThanOrEqual).matches(latitude: -10, longitude: -160))
    #expect(test(20_004_000, .lessThan).matches(latitude: -10, longitude: -160))
    for comparison in GeodesicRadiusTest.Comparison.allCases {
      #expect(!test(.nan, comparison).matches(latitude: 10, longitude: 20))
      #expect(!test(.nan, comparison).matches(latitude: -50, longitude: 20))
    }
  }
}
