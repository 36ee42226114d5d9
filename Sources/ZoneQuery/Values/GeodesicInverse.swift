/// One inverse problem, in the standard position that ``Geodesic`` describes.
///
/// Invariant: β₁ ≤ 0, β₁ ≤ β₂ ≤ −β₁, 0 ≤ λ₁₂ ≤ π.
struct GeodesicInverse {
  let beta1: GeodesicAngle
  let beta2: GeodesicAngle
  /// √(1 + e′² sin² β) at both points.
  let stretch1: Double
  let stretch2: Double
  /// The difference in longitude, in radians, and its supplement, each exact to its own last bits.
  let lambda: Double
  let supplement: Double
  let lambdaAngle: GeodesicAngle

  private typealias Earth = GeodesicEllipsoid

  init(_ start: GeodesicPoint, _ end: GeodesicPoint) {
    let startIsFarther = abs(start.latitude) >= abs(end.latitude)
    let far = startIsFarther ? start : end
    let near = startIsFarther ? end : start
    beta1 = GeodesicAngle(sine: 0 - abs(far.reduced.sine), cosine: far.reduced.cosine)
    beta2 = GeodesicAngle(
      sine: far.reduced.sine > 0 ? 0 - near.reduced.sine : near.reduced.sine, cosine: near.reduced.cosine)
    stretch1 = far.stretch
    stretch2 = near.stretch

    let (degrees, rest) = Self.longitudeDifference(start.longitude, end.longitude)
    lambdaAngle = GeodesicAngle(degrees: degrees, correction: rest)
    lambda = (degrees + rest) * Earth.radiansPerDegree
    supplement = ((180 - degrees) - rest) * Earth.radiansPerDegree
  }

  /// |end − start| in 0…180 degrees, exactly: the sum of the two numbers returned.
  private static func longitudeDifference(_ start: Double, _ end: Double) -> (degrees: Double, rest: Double) {
    // Knuth's two-sum, twice: once for the difference, once after whole turns are taken off.
    func sum(_ a: Double, _ b: Double) -> (Double, Double) {
      let s = a + b
      let b1 = s - a
      let a1 = s - b1
      return (s, (a - a1) + (b - b1))
    }
    let (raw, rawRest) = sum(end, 0 - start)
    var (degrees, rest) = sum(raw.remainder(dividingBy: 360), rawRest)
    if degrees < 0 || (degrees == 0 && rest < 0) {
      degrees = 0 - degrees
      rest = 0 - rest
    }
    if degrees == 180 && rest > 0 { rest = 0 - rest }
    if degrees < 1.0 / 16 { return (GeodesicPoint.withoutTinyPart(degrees + rest), 0) }
    return (degrees, rest)
  }

  var distance: Double {
    if lambdaAngle.sine == 0 || beta1.cosine == GeodesicPoint.leastCosine { return meridianDistance }
    if beta1.sine == 0 && supplement >= Earth.flattening * .pi { return Earth.equatorialRadius * lambda }
    switch start() {
    case .short(let distance): return distance
    case .azimuth(let guess): return length(of: solution(from: guess))
    }
  }

  /// Along a meridian, or over a pole where the longitudes differ by 180°: on an oblate ellipsoid always the
  /// shortest.
  private var meridianDistance: Double {
    let overPole = beta1.cosine != GeodesicPoint.leastCosine && lambdaAngle.cosine < 0
    let sigma1 = GeodesicAngle(sine: beta1.sine, cosine: overPole ? 0 - beta1.cosine : beta1.cosine)
    let sigma12 = beta2.radians(from: sigma1)
    if sigma12 < 3 * GeodesicPoint.leastCosine { return 0 }
    let series = GeodesicSeries(k2: Earth.secondEccentricitySquared)
    let periodic = series.distance
    return Earth.polarRadius * series.a1 * (sigma12 + (periodic.sum(at: beta2) - periodic.sum(at: sigma1)))
  }

  // MARK: The geodesic of a given azimuth

  /// The geodesic that leaves the first point at the azimuth α₁, followed to the second point's parallel.
  struct Trial {
    let sigma1: GeodesicAngle
    let sigma2: GeodesicAngle
    /// The arc on the auxiliary sphere, in radians.
    let sigma12: Double
    let series: GeodesicSeries
    /// How far the longitude reached lies east of the one wanted.
    let excess: Double
    /// cos α₂.
    let cosine2: Double
  }

  private func trial(_ azimuth: GeodesicAngle) -> Trial {
    // On the equator due east and west are one with every point a node; a hair off tells them apart.
    let alpha1 =
      beta1.sine == 0 && azimuth.cosine == 0
      ? GeodesicAngle(sine: azimuth.sine, cosine: 0 - GeodesicPoint.leastCosine) : azimuth

    // Clairaut's relation (eq. 5) and the right-angled spherical triangle at the equator.
    let sine0 = alpha1.sine * beta1.cosine
    let across = alpha1.sine * beta1.sine
    let cosine0 = (alpha1.cosine * alpha1.cosine + across * across).squareRoot()
    let sigma1 = GeodesicAngle(directionOfSine: beta1.sine, cosine: alpha1.cosine * beta1.cosine)
    let omega1 = GeodesicAngle(sine: sine0 * beta1.sine, cosine: alpha1.cosine * beta1.cosine)

    // Clairaut once more for α₂, with cos² β₂ − cos² β₁ factored so that nearly equal latitudes keep their digits.
    let cosine2: Double
    if beta2.cosine != beta1.cosine || abs(beta2.sine) != 0 - beta1.sine {
      let along = alpha1.cosine * beta1.cosine
      let gap =
        beta1.cosine < 0 - beta1.sine
        ? (beta2.cosine - beta1.cosine) * (beta1.cosine + beta2.cosine)
        : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
      cosine2 = max(0, along * along + gap).squareRoot() / beta2.cosine
    } else {
      cosine2 = abs(alpha1.cosine)
    }
    let sigma2 = GeodesicAngle(directionOfSine: beta2.sine, cosine: cosine2 * beta2.cosine)
    let omega2 = GeodesicAngle(sine: sine0 * beta2.sine, cosine: cosine2 * beta2.cosine)
    let sigma12 = sigma2.radians(from: sigma1)

    let omega12 = omega2.difference(from: omega1)
    let spherical = GeodesicAngle(sine: max(omega12.sine, 0), cosine: omega12.cosine)
      .difference(from: lambdaAngle)
    let series = GeodesicSeries(k2: cosine0 * cosine0 * Earth.secondEccentricitySquared)
    let periodic = series.longitude
    // λ − ω (eq. 8), of the order of the flattening.
    let correction =
      Earth.flattening * series.a3 * sine0
      * (sigma12 + (periodic.sum(at: sigma2) - periodic.sum(at: sigma1)))
    let excess = CMathematics.arctangent(y: spherical.sine, x: spherical.cosine) - correction
    return Trial(
      sigma1: sigma1, sigma2: sigma2, sigma12: sigma12, series: series, excess: excess, cosine2: cosine2)
  }

  /// dλ₁₂/dα₁ with β₁, φ₂ fixed (§4), through the reduced length (§3).
  private func slope(_ trial: Trial) -> Double {
    if trial.cosine2 == 0 { return -2 * (1 - Earth.flattening) * stretch1 / beta1.sine }
    let (s1, s2) = (trial.sigma1, trial.sigma2)
    let series = trial.series
    let (a1, a2) = (series.a1, series.a2)
    let (c1, c2) = (series.distance, series.reducedLength)
    let j12 =
      (a1 - a2) * trial.sigma12
      + (a1 * (c1.sum(at: s2) - c1.sum(at: s1)) - a2 * (c2.sum(at: s2) - c2.sum(at: s1)))
    let reducedLength =
      stretch2 * (s1.cosine * s2.sine) - stretch1 * (s1.sine * s2.cosine) - s1.cosine * s2.cosine * j12
    return reducedLength * (1 - Earth.flattening) / (trial.cosine2 * beta2.cosine)
  }

  private func length(of trial: Trial) -> Double {
    let periodic = trial.series.distance
    return Earth.polarRadius * trial.series.a1
      * (trial.sigma12 + (periodic.sum(at: trial.sigma2) - periodic.sum(at: trial.sigma1)))
  }

  // MARK: Newton's method

  /// The trial that meets the second point.
  private func solution(from guess: GeodesicAngle) -> Trial {
    let precision = Double.ulpOfOne
    var azimuth = guess
    var low = GeodesicAngle(sine: GeodesicPoint.leastCosine, cosine: 1)
    var high = GeodesicAngle(sine: GeodesicPoint.leastCosine, cosine: -1)
    var nearlyThere = false
    var bracketIsClosed = false
    // 20 steps of Newton's are three times what was ever needed; 63 bisections exhaust the bracket.
    for step in 0..<83 {
      let current = trial(azimuth)
      let excess = current.excess
      if bracketIsClosed || !(abs(excess) >= (nearlyThere ? 8 : 1) * precision) { return current }
      if excess > 0 {
        if step > 20 || azimuth.cosine * high.sine > high.cosine * azimuth.sine { high = azimuth }
      } else {
        if step > 20 || azimuth.cosine * low.sine < low.cosine * azimuth.sine { low = azimuth }
      }
      if step < 20 {
        let slope = slope(current)
        let turn = -excess / slope
        if slope > 0 && abs(turn) < .pi {
          let next = azimuth.turned(by: GeodesicAngle(radians: turn))
          if next.sine > 0 {
            azimuth = GeodesicAngle(directionOfSine: next.sine, cosine: next.cosine)
            // Convergence is quadratic: from here on one more step leaves rounding alone.
            nearlyThere = abs(excess) <= 16 * precision
            continue
          }
        }
      }
      azimuth = GeodesicAngle(
        directionOfSine: (low.sine + high.sine) / 2, cosine: (low.cosine + high.cosine) / 2)
      nearlyThere = false
      bracketIsClosed =
        abs(low.sine - azimuth.sine) + (low.cosine - azimuth.cosine) < precision
        || abs(azimuth.sine - high.sine) + (azimuth.cosine - high.cosine) < precision
    }
    return trial(azimuth)
  }
}
