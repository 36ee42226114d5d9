/// The sine and the cosine of one angle, which is how the geodesic formulas carry their angles: no angle is
/// ever computed only to have its sine taken again.
struct GeodesicAngle {
  var sine: Double
  var cosine: Double

  @inline(__always)
  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// The angle of a vector of any length but zero.
  @inline(__always)
  init(directionOfSine sine: Double, cosine: Double) {
    let length = (sine * sine + cosine * cosine).squareRoot()
    self.init(sine: sine / length, cosine: cosine / length)
  }

  @inline(__always)
  init(radians: Double) {
    self.init(sine: CMathematics.sine(radians), cosine: CMathematics.cosine(radians))
  }

  /// The angle `degrees + correction`, where `degrees` is in 0…180 and the correction is far below one
  /// degree.
  ///
  /// Whole right angles are taken off exactly first, so that multiples of 90° have exact sines and cosines
  /// and an angle near 180° keeps its distance from 180° to the last bit.
  init(degrees: Double, correction: Double = 0) {
    let rightAngles = (degrees / 90).rounded()
    let rest = ((degrees - 90 * rightAngles) + correction) * GeodesicEllipsoid.radiansPerDegree
    let sine = CMathematics.sine(rest)
    let cosine = CMathematics.cosine(rest)
    if rightAngles == 1 {
      self.init(sine: cosine, cosine: 0 - sine)
    } else if rightAngles == 2 {
      self.init(sine: 0 - sine, cosine: 0 - cosine)
    } else {
      self.init(sine: sine, cosine: cosine)
    }
  }

  /// The angle from `other` to this one, in 0…π; a difference that rounding made negative is 0.
  @inline(__always)
  func radians(from other: GeodesicAngle) -> Double {
    let difference = self.difference(from: other)
    // In this order `max` gives 0, never −0, which would make half a turn a negative one.
    return CMathematics.arctangent(y: max(difference.sine, 0), x: difference.cosine)
  }

  @inline(__always)
  func difference(from other: GeodesicAngle) -> GeodesicAngle {
    GeodesicAngle(
      sine: other.cosine * sine - other.sine * cosine,
      cosine: other.cosine * cosine + other.sine * sine)
  }

  /// This angle turned by another.
  @inline(__always)
  func turned(by other: GeodesicAngle) -> GeodesicAngle {
    GeodesicAngle(
      sine: sine * other.cosine + cosine * other.sine,
      cosine: cosine * other.cosine - sine * other.sine)
  }
}
