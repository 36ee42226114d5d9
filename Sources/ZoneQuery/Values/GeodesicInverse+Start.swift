/// Where the search for the azimuth begins (Karney 2013, §5).
extension GeodesicInverse {
  enum Start {
    /// The points are so close that the sphere of the mean latitude gives the distance.
    case short(distance: Double)
    /// A first guess of the azimuth at the first point.
    case azimuth(GeodesicAngle)
  }

  /// Below this arc (23 cm) the spherical solution is exact to rounding: what it leaves out is of the order of
  /// e² σ² of the whole.
  private static let shortArc = 3.6e-8

  func start() -> Start {
    let difference = beta2.difference(from: beta1)
    let sineOfSum = beta2.sine * beta1.cosine + beta2.cosine * beta1.sine
    let mayBeShort = difference.cosine >= 0 && difference.sine < 0.5 && beta2.cosine * lambda < 0.5

    var omega = lambdaAngle
    var meanStretch = 1.0
    if mayBeShort {
      // The longitude on the sphere that touches the ellipsoid at the mean latitude.
      let sines = beta1.sine + beta2.sine
      let cosines = beta1.cosine + beta2.cosine
      let sineSquared = sines * sines / (sines * sines + cosines * cosines)
      meanStretch = (1 + GeodesicEllipsoid.secondEccentricitySquared * sineSquared).squareRoot()
      omega = GeodesicAngle(radians: lambda / ((1 - GeodesicEllipsoid.flattening) * meanStretch))
    }

    // The spherical triangle, in the forms that do not cancel for small and for large differences of longitude.
    let tilt = beta2.cosine * beta1.sine * omega.sine * omega.sine
    let sine = beta2.cosine * omega.sine
    let cosine =
      omega.cosine >= 0
      ? difference.sine + tilt / (1 + omega.cosine) : sineOfSum - tilt / (1 - omega.cosine)
    let sineOfArc = (sine * sine + cosine * cosine).squareRoot()
    let cosineOfArc = beta1.sine * beta2.sine + beta1.cosine * beta2.cosine * omega.cosine
    if mayBeShort && sineOfArc < Self.shortArc {
      let arc = CMathematics.arctangent(y: sineOfArc, x: cosineOfArc)
      return .short(distance: GeodesicEllipsoid.polarRadius * meanStretch * arc)
    }

    let isNearlyAntipodal =
      cosineOfArc < 0
      && sineOfArc < 6 * GeodesicEllipsoid.thirdFlattening * .pi * beta1.cosine * beta1.cosine
    if isNearlyAntipodal { return .azimuth(antipodalAzimuth(sineOfSum: sineOfSum)) }
    return .azimuth(Self.eastward(sine: sine, cosine: cosine))
  }

  /// The guess near the antipode: there the geodesics from the first point envelop an astroid, and the plane
  /// problem of finding the one through a given point has a closed solution.
  private func antipodalAzimuth(sineOfSum: Double) -> GeodesicAngle {
    let series = GeodesicSeries(
      k2: beta1.sine * beta1.sine * GeodesicEllipsoid.secondEccentricitySquared)
    let longitudeScale = GeodesicEllipsoid.flattening * beta1.cosine * series.a3 * .pi
    let x = 0 - supplement / longitudeScale
    let y = sineOfSum / (longitudeScale * beta1.cosine)

    // On the cut locus, and so near it that the astroid's root is lost in rounding.
    if y > -200 * Double.ulpOfOne && x > -1 - 1000 * Double.ulpOfOne.squareRoot() {
      let sine = min(1, 0 - x)
      return Self.eastward(sine: sine, cosine: 0 - ((1 - sine) * (1 + sine)).squareRoot())
    }
    let k = Self.astroidRoot(x: x, y: y)
    // The longitude on the sphere that the root stands for, then the azimuth there for it.
    let omegaSupplement = longitudeScale * (0 - x * k / (1 + k))
    let omega = GeodesicAngle(
      sine: CMathematics.sine(omegaSupplement), cosine: 0 - CMathematics.cosine(omegaSupplement))
    let tilt = beta2.cosine * beta1.sine * omega.sine * omega.sine
    return Self.eastward(sine: beta2.cosine * omega.sine, cosine: sineOfSum - tilt / (1 - omega.cosine))
  }

  private static func eastward(sine: Double, cosine: Double) -> GeodesicAngle {
    sine > 0
      ? GeodesicAngle(directionOfSine: sine, cosine: cosine) : GeodesicAngle(sine: 1, cosine: 0)
  }

  /// The positive root k of k⁴ + 2k³ − (x² + y² − 1)k² − 2y²k − y² = 0, or 0 where y = 0 inside the
  /// astroid.
  ///
  /// The quartic is the meeting of a circle with a hyperbola; its resolvent cubic has one real root by
  /// Cardano's rule or three by the cosine, of which the largest is taken.
  static func astroidRoot(x: Double, y: Double) -> Double {
    let p = x * x
    let q = y * y
    let r = (p + q - 1) / 6
    if q == 0 && r <= 0 { return 0 }
    let s = p * q / 4
    let r2 = r * r
    let r3 = r * r2
    let discriminant = s * (s + 2 * r3)
    var u = r
    if discriminant >= 0 {
      var cube = s + r3
      let root = discriminant.squareRoot()
      cube += cube < 0 ? 0 - root : root
      let t = CMathematics.cubeRoot(cube)
      u += t + (t != 0 ? r2 / t : 0)
    } else {
      let angle = CMathematics.arctangent(y: (0 - discriminant).squareRoot(), x: 0 - (s + r3))
      u += 2 * r * CMathematics.cosine(angle / 3)
    }
    let v = (u * u + q).squareRoot()
    let uv = u < 0 ? q / (v - u) : u + v
    let w = (uv - q) / (2 * v)
    return uv / ((uv + w * w).squareRoot() + w)
  }
}
