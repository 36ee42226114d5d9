import Testing
import ZoneQuery

struct GeodesicCircleTests {
  @Test func aCircleHoldsWhatIsNearer() {
    let paris = Location(latitude: 48.8566, longitude: 2.3522)
    let lyon = Location(latitude: 45.764, longitude: 4.8357)
    let distance = paris.distance(to: lyon)
    #expect(abs(distance - 392_200) < 500 && distance == lyon.distance(to: paris))
    for (radius, holds) in [
      (393_000, true), (391_000, false), (distance.nextUp, true), (distance, false), (distance.nextDown, false),
      (0, false),
      (-1, false), (.infinity, true),
    ] {
      #expect(GeodesicCircle(center: paris, radius: radius).contains(GeodesicCircle.Place(lyon)) == holds, "\(radius)")
    }
    #expect(paris.distance(to: Location(latitude: 91, longitude: 0)).isNaN)
  }
}
