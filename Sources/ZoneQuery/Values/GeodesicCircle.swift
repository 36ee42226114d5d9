/// The places nearer than a radius to a centre, ready to be asked about many places.
///
/// A proven bound from three differences decides all places but those within a sliver of the rim; for them the geodesic
/// is measured, so the answer is always that of ``Location/distance(to:)``. This is how distance predicates match.
///
/// ```swift
/// let circle = GeodesicCircle(center: Location(latitude: 48.8566, longitude: 2.3522), radius: 393_000)
/// circle.contains(GeodesicCircle.Place(Location(latitude: 45.764, longitude: 4.8357)))   // true: Lyon is 391.7 km off
/// ```
public struct GeodesicCircle: Sendable {
  /// A place prepared once for many circles: its degrees and its Cartesian coordinates.
  public struct Place: Sendable {
    let latitude: Double
    let longitude: Double
    let position: GeodesicPosition

    /// Prepares a place. Complexity: constant, two sines and two cosines.
    public init(_ location: Location) {
      latitude = location.latitude
      longitude = location.longitude
      position = GeodesicPosition(latitude: latitude, longitude: longitude)
    }
  }

  private let test: GeodesicRadiusTest

  /// Creates the circle of a centre, which must lie on the Earth, and a radius in metres; no place is in a circle of a
  /// radius that is not positive.
  public init(center: Location, radius: Double) {
    test = GeodesicRadiusTest(
      latitude: center.latitude, longitude: center.longitude, radius: radius, comparison: .lessThan)
  }

  /// Whether a place is nearer to the centre than the radius. Complexity: constant, a few nanoseconds away from the rim.
  public func contains(_ place: Place) -> Bool {
    test.matches(x: place.position.x, y: place.position.y, z: place.position.z) { (place.latitude, place.longitude) }
  }
}
