/// A range of latitudes and one or two ranges of longitudes that hold every point within a geodesic distance
/// of a centre.
///
/// **Proof.** Write the ellipsoid with the reduced latitude β: (a cos β cos λ, a cos β sin λ, b sin β). Its
/// element of length is ds² = (a² sin² β + b² cos² β) dβ² + a² cos² β dλ². Carry each point to the unit
/// sphere at latitude β and longitude λ, whose element is dσ² = dβ² + cos² β dλ². Since a² ≥ a² sin² β + b²
/// cos² β = a² (1 − e² cos² β), every path has ds ≥ m dσ, where m² is the least value of a² (1 − e² cos² β)
/// on it: m = b anywhere.
///
/// 1. A point at distance d ≤ r therefore lies within the angle r / b of the centre on the sphere, and so
///    does each point of the shortest path to it, being nearer still.
/// 2. So that path keeps to latitudes whose least |β|, call it β₀, is that of the cap of step 1, and there
///    m = a √(1 − e² cos² β₀): the point lies in the smaller cap of angle ρ = r / m.
/// 3. A cap of angle ρ around (β₁, 0) spans the latitudes β₁ ± ρ and, if it holds no pole (|β₁| + ρ < π/2),
///    the longitudes ± arcsin(sin ρ / cos β₁), where the meridian touches it; with a pole, all longitudes.
///
/// φ grows with β, so the range of β is one of φ. Rounding: r is enlarged by 1 µm and by 10⁻¹² of itself,
/// more than the exact formula's own error, and the resulting degrees by 10⁻¹¹ (1 µm on the ground), a
/// thousand times what the few operations here can lose; arcsin, which is steep near 1, gets 10⁻¹² of its
/// argument more.
package struct GeodesicBounds: Sendable, Equatable {
  /// Degrees, within −90…90.
  package let latitudes: ClosedRange<Double>
  /// Degrees, within −180…180.
  package let longitudes: ClosedRange<Double>
  /// The part beyond the antimeridian, where the circle crosses or touches it.
  package let longitudesBeyondAntimeridian: ClosedRange<Double>?
  /// Half of the width in longitude, in degrees; 180 where a pole lies within.
  package let halfWidth: Double

  /// The bounds of the points at most `radius` metres from the centre; nil where there are none because the
  /// radius is negative or NaN.
  ///
  /// - Parameters:
  ///   - latitude: Degrees, −90…90; nil is returned for any other.
  ///   - longitude: Degrees, any finite value.
  ///   - radius: Metres; infinity covers the Earth.
  package init?(latitude: Double, longitude: Double, radius: Double) {
    self.init(center: GeodesicPoint(latitude: latitude, longitude: longitude), radius: radius)
  }

  package init?(center: GeodesicPoint, radius: Double) {
    guard radius >= 0, !center.stretch.isNaN, center.longitude.isFinite else { return nil }
    let reach = radius * (1 + 1e-12) + 1e-6
    let beta = CMathematics.arctangent(y: center.reduced.sine, x: center.reduced.cosine)
    let firstCap = reach / GeodesicEllipsoid.polarRadius
    let leastBeta = max(0, abs(beta) - firstCap)
    let cosine = CMathematics.cosine(leastBeta)
    let scale = (1 - GeodesicEllipsoid.eccentricitySquared * cosine * cosine).squareRoot()
    let cap = reach / (GeodesicEllipsoid.equatorialRadius * scale) * (1 + 1e-12)

    latitudes = Self.latitude(beta - cap, pad: -1e-11)...Self.latitude(beta + cap, pad: 1e-11)
    guard abs(beta) + cap < .pi / 2 - 1e-12 else {
      longitudes = -180...180
      longitudesBeyondAntimeridian = nil
      halfWidth = 180
      return
    }
    let sine = CMathematics.sine(cap) / center.reduced.cosine * (1 + 1e-12)
    let half = sine >= 1 ? 90 : CMathematics.arcsine(sine) / GeodesicEllipsoid.radiansPerDegree
    halfWidth = min(180, half * (1 + 1e-12) + 1e-11)
    let west = center.longitude - halfWidth
    let east = center.longitude + halfWidth
    if west <= -180 {
      longitudes = -180...east
      longitudesBeyondAntimeridian = (west + 360)...180
    } else if east >= 180 {
      longitudes = west...180
      longitudesBeyondAntimeridian = -180...(east - 360)
    } else {
      longitudes = west...east
      longitudesBeyondAntimeridian = nil
    }
  }

  /// The geographic latitude of a reduced one, in degrees, padded and kept in −90…90.
  private static func latitude(_ beta: Double, pad: Double) -> Double {
    guard abs(beta) < .pi / 2 else { return beta < 0 ? -90 : 90 }
    let tangentSine = CMathematics.sine(beta)
    let tangentCosine = (1 - GeodesicEllipsoid.flattening) * CMathematics.cosine(beta)
    let latitude = CMathematics.arctangent(y: tangentSine, x: tangentCosine)
    return min(90, max(-90, latitude / GeodesicEllipsoid.radiansPerDegree + pad))
  }

  /// Whether a point lies in the bounds.
  ///
  /// - Parameters:
  ///   - latitude: Degrees.
  ///   - longitude: Degrees, −180…180.
  /// - Returns: False only for points that are certainly farther than the radius.
  package func contains(latitude: Double, longitude: Double) -> Bool {
    guard latitudes.contains(latitude) else { return false }
    return longitudes.contains(longitude) || (longitudesBeyondAntimeridian?.contains(longitude) ?? false)
  }
}
