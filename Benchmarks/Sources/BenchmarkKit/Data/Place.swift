#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A place on the Earth, in degrees, and where it lies in space.
struct Place: Sendable, Equatable {
  let latitude: Double
  let longitude: Double

  /// Metres from the Earth's centre along its three axes: a point of the WGS 84 ellipsoid at height zero.
  var cartesian: Cartesian {
    let radians = Double.pi / 180
    let (sine, cosine) = (sin(latitude * radians), cos(latitude * radians))
    let eccentricitySquared = 0.006_694_379_990_141_316
    let normal = 6_378_137 / (1 - eccentricitySquared * sine * sine).squareRoot()
    return Cartesian(
      x: normal * cosine * cos(longitude * radians), y: normal * cosine * sin(longitude * radians),
      z: normal * (1 - eccentricitySquared) * sine)
  }

  /// Degrees of latitude and longitude that certainly hold a circle around the place, away from poles and antimeridian.
  func box(metres: Double) -> (latitude: Double, longitude: Double) {
    let latitudeSpan = metres / 110_500
    let parallel = cos((abs(latitude) + latitudeSpan) * Double.pi / 180) * 111_300
    return (latitudeSpan, metres / parallel)
  }
}

/// A point in space, in metres. The straight line between two points of the ellipsoid up to 100 km apart is shorter than
/// the geodesic by at most a metre, and orders pairs as the geodesic does but for centimetres.
struct Cartesian: Sendable {
  let x: Double
  let y: Double
  let z: Double

  func squaredChord(to other: Cartesian) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}

/// A circle that radius queries ask for. No record lies within 1 % of its rim, so that any honest way of measuring
/// distance finds the same records.
struct QueryCircle: Sendable {
  let centre: Place
  let metres: Double
  private let cartesian: Cartesian
  private let inner: Double
  private let outer: Double

  init(centre: Place, metres: Double) {
    self.centre = centre
    self.metres = metres
    cartesian = centre.cartesian
    inner = (metres * 0.989) * (metres * 0.989)
    outer = (metres * 1.011) * (metres * 1.011)
  }

  func hasOnRim(_ point: Cartesian) -> Bool {
    let squared = point.squaredChord(to: cartesian)
    return squared > inner && squared < outer
  }
}
