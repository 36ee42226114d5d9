/// A point on the WGS 84 ellipsoid with the trigonometry of its latitude done once, for measuring from it
/// many times.
package struct GeodesicPoint: Sendable {
  /// Degrees, −90…90; outside of that range distances are NaN.
  package let latitude: Double
  /// Degrees, reduced exactly to −180…180.
  package let longitude: Double
  /// The reduced latitude β, tan β = (1 − f) tan φ; its cosine is never quite zero, so that a pole has an
  /// azimuth.
  let reduced: GeodesicAngle
  /// √(1 + e′² sin² β).
  let stretch: Double

  /// Whether it is a place.
  var isOnEarth: Bool { abs(latitude) <= 90 && longitude.isFinite }

  /// The least cosine of a reduced latitude: small enough that its square is no subnormal.
  static let leastCosine = 0x1p-511

  /// - Parameters:
  ///   - latitude: Degrees, −90…90.
  ///   - longitude: Degrees, any finite value.
  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = Self.reducedLongitude(longitude)
    guard abs(latitude) <= 90 else {
      reduced = GeodesicAngle(sine: .nan, cosine: .nan)
      stretch = .nan
      return
    }
    // Nearer to the equator than a nanometre is on it: where the points are nearly opposite, the azimuth of so
    // slightly inclined a geodesic has no digits left, and its length would be micrometres out.
    let degrees = abs(latitude) < 0x1p-47 ? 0 : Self.withoutTinyPart(abs(latitude))
    let angle = GeodesicAngle(degrees: degrees)
    let beta = GeodesicAngle(
      directionOfSine: (1 - GeodesicEllipsoid.flattening) * angle.sine, cosine: angle.cosine)
    let sine = latitude < 0 ? 0 - beta.sine : beta.sine
    reduced = GeodesicAngle(sine: sine, cosine: max(Self.leastCosine, beta.cosine))
    stretch = (1 + GeodesicEllipsoid.secondEccentricitySquared * sine * sine).squareRoot()
  }

  /// A longitude taken exactly to −180…180: the remainder of a division is a Double itself, so nothing is
  /// rounded.
  @inline(__always)
  static func reducedLongitude(_ longitude: Double) -> Double {
    abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
  }

  /// Drops what lies below 2⁻⁵⁷ of a degree (a picometre), so that no product of small angles underflows.
  @inline(__always)
  static func withoutTinyPart(_ degrees: Double) -> Double {
    degrees < 1.0 / 16 ? 1.0 / 16 - (1.0 / 16 - degrees) : degrees
  }
}
