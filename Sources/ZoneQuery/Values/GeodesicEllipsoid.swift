/// The WGS 84 ellipsoid of revolution and what follows from its two defining numbers.
///
/// Source: NIMA TR8350.2, *Department of Defense World Geodetic System 1984*, §3.2: the semi-major axis and
/// the reciprocal of the flattening are exact by definition.
package enum GeodesicEllipsoid {
  /// The equatorial radius a, in metres.
  package static let equatorialRadius = 6_378_137.0
  /// The flattening f = (a − b) / a.
  package static let flattening = 1 / 298.257223563
  /// The polar radius b = a (1 − f), in metres.
  package static let polarRadius = equatorialRadius * (1 - flattening)
  /// The third flattening n = (a − b) / (a + b), in which Karney's series are written.
  static let thirdFlattening = flattening / (2 - flattening)
  /// The square of the eccentricity, e² = (a² − b²) / a².
  static let eccentricitySquared = flattening * (2 - flattening)
  /// The square of the second eccentricity, e′² = (a² − b²) / b².
  static let secondEccentricitySquared = eccentricitySquared / ((1 - flattening) * (1 - flattening))

  /// A length in metres that no geodesic distance exceeds: half of a meridian ellipse, 20 003 931.4586 m,
  /// rounded up.
  ///
  /// Two points are joined by the arcs of their meridians through the north pole and by those through the
  /// south pole. Together these make one whole meridian ellipse, so the shorter way is at most half of it.
  package static let greatestDistance = 20_003_931.459

  static let radiansPerDegree = Double.pi / 180
}
