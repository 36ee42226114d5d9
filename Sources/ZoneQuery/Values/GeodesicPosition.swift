/// A point of the WGS 84 ellipsoid in Cartesian coordinates that turn with the Earth: what a record stores so
/// that ``GeodesicRadiusTest`` needs three differences and no trigonometry.
///
/// The origin is the Earth's centre, x points to 0° N 0° E, y to 0° N 90° E, z to the north pole. Metres,
/// within 4 × 10⁻⁹ m of the exact place.
package struct GeodesicPosition: Sendable, Equatable {
  package let x: Double
  package let y: Double
  package let z: Double

  /// - Parameters:
  ///   - latitude: Degrees, −90…90; the coordinates of any other latitude are NaN.
  ///   - longitude: Degrees, any finite value.
  package init(latitude: Double, longitude: Double) {
    self.init(GeodesicPoint(latitude: latitude, longitude: longitude))
  }

  package init(_ point: GeodesicPoint) {
    let longitude = GeodesicAngle(degrees: abs(point.longitude))
    let radius = GeodesicEllipsoid.equatorialRadius * point.reduced.cosine
    x = radius * longitude.cosine
    y = point.longitude < 0 ? 0 - radius * longitude.sine : radius * longitude.sine
    z = GeodesicEllipsoid.polarRadius * point.reduced.sine
  }
}
