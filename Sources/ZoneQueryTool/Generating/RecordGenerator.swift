internal import ZoneQuery

/// Makes records one after the other; the same ones for the same settings.
protocol RecordGenerator {
  mutating func next() -> Record
}

/// Places in clusters, as people live, and some anywhere.
struct PlaceSource {
  private let centres: [Location]

  init(_ random: inout RandomSource, clusters: Int = 50) {
    centres = (0..<clusters).map { _ in PlaceSource.anywhere(&random) }
  }

  /// Four of five places lie within half a degree of a centre.
  func next(_ random: inout RandomSource) -> Location {
    guard random.below(5) > 0, !centres.isEmpty else { return Self.anywhere(&random) }
    let centre = centres[random.below(centres.count)]
    return Location(
      latitude: centre.latitude + Double(random.within(-500_000...500_000)) / 1_000_000,
      longitude: centre.longitude + Double(random.within(-500_000...500_000)) / 1_000_000)
  }

  /// A place between the 70th parallels, with six decimals and room for a cluster around it.
  private static func anywhere(_ random: inout RandomSource) -> Location {
    Location(
      latitude: Double(random.within(-70_000_000...70_000_000)) / 1_000_000,
      longitude: Double(random.within(-179_000_000...179_000_000)) / 1_000_000)
  }
}
