internal import ZoneQuery

/// Measures the distance of two places, as distance predicates do.
struct DistanceCommand: ToolCommand {
  static let definition = CommandDefinition(
    "distance", "Prints the metres between two places along the WGS 84 ellipsoid.",
    operands: CommandDefinition.Operands(placeholder: "[--] LAT,LON LAT,LON", minimum: 2, maximum: 2),
    discussion: ["Places are latitude and longitude in degrees, north and east positive."],
    examples: ["distance 37.5665,126.978 -18.1416,178.4419"])

  private let places: [Location]

  init(_ arguments: ParsedArguments) throws(Stop) {
    var places: [Location] = []
    for text in arguments.operands {
      guard let place = ArgumentNumbers.place(text) else {
        throw .misuse(
          "distance: expected \(ArgumentNumbers.placeExpectation), found '\(Printable.excerpt(text))'", hint: nil)
      }
      places.append(place)
    }
    self.places = places
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    let metres = Geodesic.distance(
      latitude1: places[0].latitude, longitude1: places[0].longitude, latitude2: places[1].latitude,
      longitude2: places[1].longitude)
    try console.writeLine(Self.sixDecimals(metres))
    return ExitStatus.success
  }

  /// A distance on the Earth with six digits behind the point.
  static func sixDecimals(_ metres: Double) -> String {
    guard let millionths = Int64(exactly: (metres * 1_000_000).rounded()) else { return "\(metres)" }
    let fraction = "\(millionths % 1_000_000)"
    return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }
}
