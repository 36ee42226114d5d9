internal import ZoneQuery

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The distance of two places by Vincenty's inverse formula (Survey Review 23, 1975), another way than the engine's.
///
/// Vincenty's series is good to half a millimetre where it converges; for nearly antipodal places it does not, and
/// only bounds are told.
enum ReferenceDistance {
  /// The least and the greatest length the distance may have, in metres; equal where it is known to the last bit.
  static func bounds(_ a: Location, _ b: Location) -> ClosedRange<Double> {
    let isSamePole = abs(a.latitude) == 90 && a.latitude == b.latitude
    let isSameMeridian = a.longitude == b.longitude || abs(a.longitude) == 180 && abs(b.longitude) == 180
    if isSamePole || a.latitude == b.latitude && isSameMeridian { return 0...0 }
    // Half a meridian is the greatest distance there is; beside it lie the pairs the series cannot reach.
    guard let length = vincenty(a, b) else { return 19_900_000...20_003_932 }
    return max(0, length - 0.001)...(length + 0.001)
  }

  private static func vincenty(_ a: Location, _ b: Location) -> Double? {
    let equator = 6_378_137.0
    let flattening = 1 / 298.257223563
    let pole = equator * (1 - flattening)
    let degree = Double.pi / 180
    var difference = b.longitude - a.longitude
    if difference > 180 { difference -= 360 }
    if difference < -180 { difference += 360 }
    let wanted = difference * degree
    let u1 = reduced(a.latitude, flattening)
    let u2 = reduced(b.latitude, flattening)
    var lambda = wanted
    for _ in 0..<200 {
      let x = u2.cosine * sin(lambda)
      let y = u1.cosine * u2.sine - u1.sine * u2.cosine * cos(lambda)
      let sineSigma = (x * x + y * y).squareRoot()
      let cosineSigma = u1.sine * u2.sine + u1.cosine * u2.cosine * cos(lambda)
      if sineSigma == 0 { return cosineSigma > 0 ? 0 : nil }
      let sigma = atan2(sineSigma, cosineSigma)
      let sineAlpha = u1.cosine * u2.cosine * sin(lambda) / sineSigma
      let squareCosineAlpha = 1 - sineAlpha * sineAlpha
      let middle = squareCosineAlpha > 1e-15 ? cosineSigma - 2 * u1.sine * u2.sine / squareCosineAlpha : 0
      let c = flattening / 16 * squareCosineAlpha * (4 + flattening * (4 - 3 * squareCosineAlpha))
      let before = lambda
      let inner = middle + c * cosineSigma * (2 * middle * middle - 1)
      lambda = wanted + (1 - c) * flattening * sineAlpha * (sigma + c * sineSigma * inner)
      if abs(lambda) > .pi { return nil }
      guard abs(lambda - before) < 1e-14 else { continue }
      let square = squareCosineAlpha * (equator * equator - pole * pole) / (pole * pole)
      let large = 1 + square / 16384 * (4096 + square * (-768 + square * (320 - 175 * square)))
      let small = square / 1024 * (256 + square * (-128 + square * (74 - 47 * square)))
      let fourth = (4 * sineSigma * sineSigma - 3) * (4 * middle * middle - 3)
      let third = cosineSigma * (2 * middle * middle - 1) - small / 6 * middle * fourth
      let delta = small * sineSigma * (middle + small / 4 * third)
      let length = pole * large * (sigma - delta)
      // Close to the antipode convergence alone proves nothing.
      return length > 19_900_000 ? nil : length
    }
    return nil
  }

  private static func reduced(_ latitude: Double, _ flattening: Double) -> (sine: Double, cosine: Double) {
    if abs(latitude) == 90 { return (latitude < 0 ? -1 : 1, 0) }
    let tangent = (1 - flattening) * tan(latitude * .pi / 180)
    let cosine = 1 / (1 + tangent * tangent).squareRoot()
    return (tangent * cosine, cosine)
  }
}
