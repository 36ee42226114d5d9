/// Places as keys of an ordered index, and circles as ranges of these keys.
///
/// A key interleaves the bits of two cells of 32 bits each, the longitude's before the latitude's, so that places with
/// near keys are near, and a rectangle of places is a few ranges (G. M. Morton, *A computer oriented geodetic data base*,
/// IBM 1966).
///
/// **Why a cover misses nothing.** A cell is a degree plus 90 or 180, times a constant, rounded down: each step keeps
/// order, so a degree between two others has a cell between theirs. A circle lies in the box of its `GeodesicBounds`.
/// Among the places of a rectangle of cells the keys grow with either cell, so the least key is that of its low corner and
/// the greatest that of its high one; a rectangle that is cut in two is covered by the ranges of both.
enum LocationKeys {
  /// The key of a place.
  ///
  /// - Parameters:
  ///   - latitude: Degrees, −90…90.
  ///   - longitude: Degrees; any that are not in −180…180 are taken there.
  /// - Returns: Any key; the same for most places that are less than some millimetres apart.
  static func key(latitude: Double, longitude: Double) -> UInt64 {
    let longitude = GeodesicPoint.reducedLongitude(longitude)
    return interleaved(Rectangle.cell(latitude, halfTurn: 90), Rectangle.cell(longitude, halfTurn: 180))
  }

  private static func interleaved(_ latitude: UInt32, _ longitude: UInt32) -> UInt64 {
    spread(longitude) << 1 | spread(latitude)
  }

  /// A zero before each bit.
  private static func spread(_ cell: UInt32) -> UInt64 {
    var word = UInt64(cell)
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F
    word = (word | word << 2) & 0x3333_3333_3333_3333
    return (word | word << 1) & 0x5555_5555_5555_5555
  }

  // MARK: Covers

  /// How many ranges a cover has at most: each is sought in an index, so more of them cost more than they leave out.
  static let mostRanges = 6

  /// Ranges of keys that hold every place whose distance on the ellipsoid is at most `radius`.
  ///
  /// The places in them are to be measured: about one in two lies within the circle.
  /// - Parameters:
  ///   - latitude: Degrees, −90…90.
  ///   - longitude: Degrees, any finite value.
  ///   - radius: Metres; infinity covers all.
  /// - Returns: At most `mostRanges`, ascending and apart; none if there are no such places, as with a negative radius.
  /// - Complexity: Constant.
  static func cover(latitude: Double, longitude: Double, radius: Double) -> [ClosedRange<UInt64>] {
    guard let bounds = GeodesicBounds(latitude: latitude, longitude: longitude, radius: radius) else { return [] }
    return cover(bounds)
  }

  /// Ranges of keys that hold every place in the bounds.
  static func cover(_ bounds: GeodesicBounds) -> [ClosedRange<UInt64>] {
    var parts: [Rectangle] = []
    parts.reserveCapacity(mostRanges)
    parts.append(Rectangle(bounds.latitudes, bounds.longitudes))
    if let beyond = bounds.longitudesBeyondAntimeridian { parts.append(Rectangle(bounds.latitudes, beyond)) }
    while parts.count < mostRanges {
      // The one whose range holds most that lies outside.
      var worst = 0
      for index in parts.indices where parts[index].excess > parts[worst].excess { worst = index }
      if parts[worst].excess < 1 { break }
      let (low, high) = parts[worst].halves
      parts[worst] = low
      parts.append(high)
    }
    parts.sort { $0.first < $1.first }
    return joined(parts)
  }

  /// The ranges of rectangles, those joined that touch.
  private static func joined(_ parts: [Rectangle]) -> [ClosedRange<UInt64>] {
    var ranges: [ClosedRange<UInt64>] = []
    ranges.reserveCapacity(parts.count)
    for part in parts {
      if let last = ranges.last, part.first <= last.upperBound || part.first == last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, part.last)
      } else {
        ranges.append(part.first...part.last)
      }
    }
    return ranges
  }

  /// Cells from a low corner to a high one, both included.
  private struct Rectangle {
    let latitudes: ClosedRange<UInt32>
    let longitudes: ClosedRange<UInt32>
    let first: UInt64
    let last: UInt64
    /// How many keys between the first and the last are outside.
    let excess: Double

    init(_ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>) {
      let south = Self.cell(latitudes.lowerBound, halfTurn: 90)
      let north = Self.cell(latitudes.upperBound, halfTurn: 90)
      let west = Self.cell(longitudes.lowerBound, halfTurn: 180)
      let east = Self.cell(longitudes.upperBound, halfTurn: 180)
      self.init(
        south...north, west...east, first: interleaved(south, west), last: interleaved(north, east))
    }

    private init(_ latitudes: ClosedRange<UInt32>, _ longitudes: ClosedRange<UInt32>, first: UInt64, last: UInt64) {
      self.latitudes = latitudes
      self.longitudes = longitudes
      self.first = first
      self.last = last
      let height = Double(latitudes.upperBound - latitudes.lowerBound) + 1
      let width = Double(longitudes.upperBound - longitudes.lowerBound) + 1
      excess = Double(last - first) + 1 - height * width
    }

    /// The cell of degrees from minus to plus `halfTurn`.
    static func cell(_ degrees: Double, halfTurn: Double) -> UInt32 {
      let cell = (degrees + halfTurn) * (0x1p31 / halfTurn)
      // Where the degree is at the end, or is none at all.
      guard cell < 0x1p32 else { return .max }
      return cell > 0 ? UInt32(cell) : 0
    }

    /// The parts on both sides of the border of the largest cell that the rectangle is not within one half of.
    var halves: (Rectangle, Rectangle) {
      let bit = 63 - (first ^ last).leadingZeroBitCount
      let unit: UInt32 = 1 << UInt32(bit >> 1)
      if bit & 1 == 1 {
        let border = longitudes.upperBound & ~(unit - 1)
        return (
          Rectangle(
            latitudes, longitudes.lowerBound...border - 1, first: first,
            last: interleaved(latitudes.upperBound, border - 1)),
          Rectangle(
            latitudes, border...longitudes.upperBound, first: interleaved(latitudes.lowerBound, border), last: last)
        )
      }
      let border = latitudes.upperBound & ~(unit - 1)
      return (
        Rectangle(
          latitudes.lowerBound...border - 1, longitudes, first: first,
          last: interleaved(border - 1, longitudes.upperBound)),
        Rectangle(
          border...latitudes.upperBound, longitudes, first: interleaved(border, longitudes.lowerBound), last: last)
      )
    }
  }
}
