internal import ZoneQuery

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Location {
  /// The place so many metres away in a direction, in radians clockwise from north.
  ///
  /// It is computed on a sphere, whose radius is then taken to be what makes the distance right, twice more for what is
  /// left. Nearly as far as the antipode this does not converge, and gives a place about there.
  func moved(_ metres: Double, towards direction: Double) -> Location {
    var angle = metres / 6_371_008.8
    var place = turned(angle, towards: direction)
    for _ in 0..<3 {
      let measured = distance(to: place)
      guard measured > 0 else { break }
      angle *= metres / measured
      place = turned(angle, towards: direction)
    }
    return place
  }

  private func turned(_ angle: Double, towards direction: Double) -> Location {
    let degree = Double.pi / 180
    let (sine, cosine) = (sin(latitude * degree), cos(latitude * degree))
    let height = max(-1, min(1, sine * cos(angle) + cosine * sin(angle) * cos(direction)))
    let turn = atan2(sin(direction) * sin(angle) * cosine, cos(angle) - sine * height) / degree
    let longitude = (longitude + turn).remainder(dividingBy: 360)
    return Location(latitude: max(-90, min(90, asin(height) / degree)), longitude: longitude)
  }
}
