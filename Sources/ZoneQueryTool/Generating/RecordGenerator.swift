internal import ZoneQuery

/// Makes records one after the other; the same ones for the same settings.
protocol RecordGenerator {
  mutating func next() -> Record
}

/// Places in clusters, as people live, and some anywhere.
struct PlaceSource {
  /// A place in millionths of a degree, so that coordinates have six decimals whatever is added to them.
  private typealias Point = (latitude: Int, longitude: Int)

  private let centres: [Point]

  init(_ random: inout RandomSource, clusters: Int = 50) {
    centres = (0..<clusters).map { _ in PlaceSource.anywhere(&random) }
  }

  /// Four of five places lie within half a degree of a centre.
  func next(_ random: inout RandomSource) -> Location {
    guard random.below(5) > 0, !centres.isEmpty else { return Self.location(Self.anywhere(&random)) }
    var point = centres[random.below(centres.count)]
    point.latitude += random.within(-500_000...500_000)
    point.longitude += random.within(-500_000...500_000)
    return Self.location(point)
  }

  /// A place between the 70th parallels, with room for a cluster around it.
  private static func anywhere(_ random: inout RandomSource) -> Point {
    (random.within(-70_000_000...70_000_000), random.within(-179_000_000...179_000_000))
  }

  private static func location(_ point: Point) -> Location {
    Location(latitude: Double(point.latitude) / 1_000_000, longitude: Double(point.longitude) / 1_000_000)
  }
}
