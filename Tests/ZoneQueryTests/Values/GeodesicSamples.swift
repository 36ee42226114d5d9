@testable import ZoneQuery

/// A pair of points and the distance between them that somebody else computed.
struct GeodesicSample {
  var kind: Substring
  var latitude1, longitude1, latitude2, longitude2: Double
  var distance: Double

  /// A line of the reference table or of the generator's output; nil if it is neither.
  init?(line: Substring) {
    let parts = line.split(separator: " ")
    guard parts.count == 6 else { return nil }
    let numbers = parts.dropFirst().compactMap { Double($0) }
    guard numbers.count == 5 else { return nil }
    kind = parts[0]
    (latitude1, longitude1, latitude2, longitude2) = (numbers[0], numbers[1], numbers[2], numbers[3])
    distance = numbers[4]
  }

  static func samples(_ text: String) -> [GeodesicSample] {
    text.split(separator: "\n").compactMap { GeodesicSample(line: $0) }
  }

  var computed: Double {
    Geodesic.distance(
      latitude1: latitude1, longitude1: longitude1, latitude2: latitude2, longitude2: longitude2)
  }

  var computedBackwards: Double {
    Geodesic.distance(
      latitude1: latitude2, longitude1: longitude2, latitude2: latitude1, longitude2: longitude1)
  }

  var radiiAroundRim: [Double] {
    let d = computed
    return [
      d, d.nextUp, d.nextDown, d + 1e-3, d - 1e-3, d * 1.01, d * 0.99, d + 3e-6, d - 3e-6, d * (1 + 1e-9),
      d * (1 - 1e-9),
    ]
  }
}

extension SplitMix {
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  static func powerOfTwo(_ exponent: Double) -> Double {
    let whole = exponent.rounded(.down)
    return Double(sign: .plus, exponent: Int(whole), significand: 1 + exponent - whole)
  }

  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  mutating func point() -> (latitude: Double, longitude: Double) {
    switch next() % 16 {
    case 0: (next() % 2 == 0 ? 90 : -90, number(in: -180...180))
    case 1: (number(in: -90...90), next() % 2 == 0 ? 180 : -180)
    case 2: (0, number(in: -180...180))
    case 3: (number(in: 85...90) * (next() % 2 == 0 ? 1 : -1), number(in: -180...180))
    default:
      (CMathematics.arcsine(number(in: -1...1)) * 180 / .pi, number(in: -180...180))
    }
  }

  /// A point from a millimetre to half a turn away from another, or across the globe from it.
  mutating func point(around center: (latitude: Double, longitude: Double)) -> (
    latitude: Double, longitude: Double
  ) {
    if next() % 4 == 0 { return point() }
    let size = 180 * SplitMix.powerOfTwo(number(in: -34...0))
    let latitude = min(90, max(-90, center.latitude + size * number(in: -1...1)))
    let turn = size * number(in: -1...1) / max(0.01, CMathematics.cosine(center.latitude * .pi / 180))
    let longitude = (center.longitude + turn).remainder(dividingBy: 360)
    return next() % 8 == 0
      ? (0 - latitude, (longitude + 180).remainder(dividingBy: 360)) : (latitude, longitude)
  }
}
