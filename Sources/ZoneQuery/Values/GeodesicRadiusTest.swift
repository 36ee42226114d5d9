/// Decides whether points lie within a geodesic distance of a centre, running the exact formula only for
/// those so near the rim that a bound cannot tell.
///
/// **The bound.** The ellipsoid is the set xᵀQx = 1, Q = diag(1/a², 1/a², 1/b²). Let γ be a shortest path of
/// length d between two of its points, run at unit speed, c the straight chord between its ends, and k² =
/// (x−y)ᵀQ(x−y) the squared chord between the ends' images on the auxiliary unit sphere.
///
/// *Up to 10 000 km: the chord.* Let f(s) = |γ(s) − γ(0)|². As γ is a geodesic, γ″ = −κn with n the outward
/// normal Qγ/|Qγ|. With p = 1/|Qγ|, two derivatives of γᵀQγ = 1 give κ = p γ′ᵀQγ′, and (γ(s) − γ(0))·n = ½ p
/// k(s)². So
///
///     f″ = 2 + 2 (γ(s) − γ(0))·γ″ = 2 − p² (γ′ᵀQγ′) k²
///
/// where b ≤ p ≤ a, 1/a² ≤ γ′ᵀQγ′ ≤ 1/b² and f/a² ≤ k² ≤ f/b². Hence 2 − Ω²f ≤ f″ ≤ 2 − ω²f with ω = b/a², Ω
/// = a/b². The equation g″ = 2 − ω²g with g(0) = g′(0) = 0 is solved by g = (2/ω)² sin²(ωs/2); h = f − g has
/// h″ + ω²h = q ≤ 0, so h(s) = ∫₀ˢ sin(ω(s−t)) q(t) dt / ω ≤ 0 while ωs ≤ π, and likewise the other way with
/// Ω:
///
///     (2/Ω) sin(Ωd/2)  ≤  c  ≤  (2/ω) sin(ωd/2)      (left for Ωd ≤ π, right for ωd ≤ π)
///
/// The right side holds for all d, since d ≤ 20 003 932 m < π/ω. So d ≤ r gives c ≤ (2/ω) sin(ωr/2): **a
/// longer chord means outside.** If d ≥ r, then c ≥ (2/Ω) sin(Ωr/2) where Ωd ≤ π; for larger d the auxiliary
/// sphere (below) gives c ≥ bk ≥ 2b sin(d/2a) ≥ 2b sin(πb²/2a²) > 1.9998 b, while (2/Ω) sin(…) ≤ 2b²/a <
/// 1.9933 b: **a shorter chord means inside.** Between the two lies a ring of relative width below (Ω² − ω²)
/// r² / 24: 3 mm at 50 km, 21 m at 1000 km.
///
/// *Beyond 10 000 km: the auxiliary sphere.* Carrying each point to the unit sphere at its reduced latitude
/// shrinks lengths by a factor between b and a (see ``GeodesicBounds``), so for the angle σ there bσ ≤ d ≤
/// aσ, and k = 2 sin(σ/2) grows with σ: k < 2 sin(r/2a) means inside, k > 2 sin(r/2b) outside (nothing is, if
/// r ≥ πb). Radii from ``GeodesicEllipsoid/greatestDistance`` on hold every point.
///
/// Both chords are the one form dx² + dy² + w dz², with w = 1, or w = a²/b² and thresholds times a.
///
/// **Rounding.** Coordinates are within 4 × 10⁻⁹ m of the truth, so differences within 10⁻⁸ m; those that
/// ``classify(latitude:longitude:)`` makes from degrees within 10⁻⁷ m. The exact formula is within 2 × 10⁻⁸
/// m. The thresholds are set for r ∓ 1 µm, then moved 1 µm and 10⁻¹² of themselves further apart (the squares
/// and their sum lose less than 10⁻¹⁵), so a decided point is decided as the exact formula, as computed,
/// would.
package struct GeodesicRadiusTest: Sendable {
  /// How the distance is compared with the radius.
  package enum Comparison: Sendable, CaseIterable {
    case lessThan
    case lessThanOrEqual
    case greaterThan
    case greaterThanOrEqual

    @inlinable
    package func holds(_ distance: Double, _ radius: Double) -> Bool {
      switch self {
      case .lessThan: distance < radius
      case .lessThanOrEqual: distance <= radius
      case .greaterThan: distance > radius
      case .greaterThanOrEqual: distance >= radius
      }
    }
  }

  /// What the bound alone can say of a point.
  package enum Verdict: Sendable {
    /// The distance is certainly below the radius.
    case inside
    /// The distance is certainly above the radius.
    case outside
    /// The exact formula must decide.
    case unsure
  }

  package let center: GeodesicPoint
  /// Metres.
  package let radius: Double
  package let comparison: Comparison
  /// The bounds of the circle, nil where no point is in it.
  package let bounds: GeodesicBounds?

  @usableFromInline let origin: GeodesicPosition
  @usableFromInline let weight: Double
  /// Below this square of the chord a point is inside, above the other outside.
  @usableFromInline let innerSquare: Double
  @usableFromInline let outerSquare: Double
  @usableFromInline let isNearer: Bool

  @usableFromInline let south: Double
  @usableFromInline let north: Double
  @usableFromInline let halfWidth: Double
  /// The centre's distance from the Earth's axis.
  @usableFromInline let axisDistance: Double

  /// - Parameters:
  ///   - latitude: Degrees, −90…90.
  ///   - longitude: Degrees, any finite value.
  ///   - radius: Metres. No distance is below a negative radius, each is above it; every distance is below
  ///     infinity. Nothing compares with NaN.
  ///   - comparison: How a point's distance must compare with the radius.
  package init(latitude: Double, longitude: Double, radius: Double, comparison: Comparison) {
    center = GeodesicPoint(latitude: latitude, longitude: longitude)
    self.radius = radius
    self.comparison = comparison
    isNearer = comparison == .lessThan || comparison == .lessThanOrEqual
    origin = GeodesicPosition(center)
    axisDistance = GeodesicEllipsoid.equatorialRadius * center.reduced.cosine
    bounds = GeodesicBounds(center: center, radius: radius)
    let chord = Self.thresholds(radius: radius)
    weight = chord.weight
    innerSquare = chord.inner > 0 ? chord.inner * chord.inner : -1
    outerSquare = chord.outer >= 0 ? chord.outer * chord.outer : chord.outer
    if let bounds {
      // Degrees that a subtraction rounds: far below the padding of the bounds, and padded once more.
      south = bounds.latitudes.lowerBound
      north = bounds.latitudes.upperBound
      halfWidth = bounds.halfWidth >= 180 ? .infinity : bounds.halfWidth + 1e-12
    } else {
      south = -.infinity
      north = .infinity
      halfWidth = .infinity
    }
  }

  /// Up to this radius, in metres, the chord bounds the distance; beyond it the auxiliary sphere does.
  static var greatestChordRadius: Double { 10_000_000 }

  private static func thresholds(radius: Double) -> (weight: Double, inner: Double, outer: Double) {
    let (a, b) = (GeodesicEllipsoid.equatorialRadius, GeodesicEllipsoid.polarRadius)
    if radius.isNaN { return (1, -1, .infinity) }
    if radius < 0 { return (1, -1, -1) }
    if radius >= GeodesicEllipsoid.greatestDistance + 1e-3 { return (1, .infinity, .infinity) }
    let (low, high) = (radius - 1e-6, radius + 1e-6)
    let weight: Double
    var inner, outer: Double
    if radius <= greatestChordRadius {
      weight = 1
      let (slow, fast) = (b / (a * a), a / (b * b))
      inner = 2 / fast * CMathematics.sine(fast * low / 2)
      outer = 2 / slow * CMathematics.sine(slow * high / 2)
    } else {
      weight = (a * a) / (b * b)
      inner = 2 * a * CMathematics.sine(low / (2 * a))
      outer = high >= .pi * b ? .infinity : 2 * a * CMathematics.sine(high / (2 * b))
    }
    inner = inner * (1 - 1e-12) - 1e-6
    outer = outer * (1 + 1e-12) + 1e-6
    return (weight, inner, outer)
  }

  /// What the bound says of a point whose Cartesian coordinates are known: three differences, no
  /// trigonometry.
  @inlinable
  @inline(__always)
  package func classify(x: Double, y: Double, z: Double) -> Verdict {
    let dx = x - origin.x
    let dy = y - origin.y
    let dz = z - origin.z
    return verdict(dx * dx + dy * dy + weight * (dz * dz))
  }

  @inlinable
  @inline(__always)
  package func classify(_ position: GeodesicPosition) -> Verdict {
    classify(x: position.x, y: position.y, z: position.z)
  }

  /// What the bound says of a point of which only degrees are known.
  ///
  /// Most points are outside of the ``bounds`` and cost two comparisons. For the others the chord is (ρ₁ −
  /// ρ₂)² + 4ρ₁ρ₂ sin²(Δλ/2) + w (z₁ − z₂)², ρ the distance from the Earth's axis; its sines are those of
  /// half the latitude and a quarter of Δλ, at most 45°, where Taylor's polynomial of degree 15 is within 5 ×
  /// 10⁻¹⁷ of the sine, and those of the doubled angles follow from it with one square root, of a number not
  /// below a half.
  ///
  /// - Parameters:
  ///   - latitude: Degrees, −90…90.
  ///   - longitude: Degrees, any finite value.
  /// - Returns: Inside or outside only where the exact formula would say the same.
  @inlinable
  @inline(__always)
  package func classify(latitude: Double, longitude: Double) -> Verdict {
    if latitude < south || latitude > north { return .outside }
    let difference = difference(longitude)
    if abs(difference) > halfWidth { return .outside }
    return verdict(squaredChord(latitude, difference))
  }

  @usableFromInline
  @inline(__always)
  func verdict(_ square: Double) -> Verdict {
    square < innerSquare ? .inside : square > outerSquare ? .outside : .unsure
  }

  /// How far east of the centre a longitude is, −180…180.
  @usableFromInline
  @inline(__always)
  func difference(_ longitude: Double) -> Double {
    var difference = longitude - center.longitude
    if abs(longitude) > 180 { difference = Self.reducedDifference(longitude, center.longitude) }
    if difference > 180 { difference -= 360 } else if difference < -180 { difference += 360 }
    return difference
  }

  /// The square of the chord to a point, by which a test of the same centre, and a radius of at most 10 000 km, knows it
  /// (``isOutside(_:)``).
  func squaredChord(latitude: Double, longitude: Double) -> Double { squaredChord(latitude, difference(longitude)) }

  /// Whether a point that a squared chord leads to is certainly inside.
  func isInside(_ square: Double) -> Bool { verdict(square) == .inside }

  /// Whether a point that a squared chord leads to is certainly outside.
  func isOutside(_ square: Double) -> Bool { verdict(square) == .outside }

  /// Whether the point that one squared chord leads to is certainly farther away than the point that another leads to, up
  /// to 1 000 km.
  ///
  /// By the bound, turned round, a point at a chord c is no farther than (2/Ω) arcsin(Ωc/2) and no nearer than (2/ω)
  /// arcsin(ωc/2). As x + x³/6 ≤ arcsin x ≤ x + 1.003 x³/6 where x ≤ 0.08, it is enough for the longer chord to be above
  /// the other, c, by (1.003 Ω² − ω²) c³/24 < 0.001 c³/a². Chords and distances as computed are within a micrometre of
  /// those meant, all four together.
  func isFarther(_ square: Double, than other: Double) -> Bool {
    if weight != 1 || other > 1e12 { return false }
    let a = GeodesicEllipsoid.equatorialRadius
    let bound = other.squareRoot() * (1 + 0.001 / (a * a) * other) + 2e-6
    return square > bound * bound * (1 + 1e-12)
  }

  /// A test of the same centre by which all points are inside whose squared chords are at most this; nil where the bound
  /// cannot tell.
  func widened(to square: Double) -> GeodesicRadiusTest? {
    let (a, b) = (GeodesicEllipsoid.equatorialRadius, GeodesicEllipsoid.polarRadius)
    let fast = a / (b * b)
    // The bound turned round, a hair farther; whether far enough is asked of the test itself.
    let radius = 2 / fast * CMathematics.arcsine(fast * (square.squareRoot() + 1e-6) / 2) * (1 + 1e-11) + 1e-5
    guard weight == 1, radius <= Self.greatestChordRadius else { return nil }
    let test = GeodesicRadiusTest(
      latitude: center.latitude, longitude: center.longitude, radius: radius, comparison: .lessThanOrEqual)
    return test.verdict(square) == .inside ? test : nil
  }

  @usableFromInline
  @inline(__always)
  func squaredChord(_ latitude: Double, _ difference: Double) -> Double {
    let s = Self.sine(latitude * (.pi / 360))
    let ss = s * s
    let sine = 2 * s * (1 - ss).squareRoot()
    let normal = Self.normal(sineSquared: 4 * ss * (1 - ss))
    let axis = normal * (1 - 2 * ss)
    let t = Self.sine(difference * (.pi / 720))
    let tt = t * t
    let dr = axis - axisDistance
    let dz = normal * (1 - GeodesicEllipsoid.eccentricitySquared) * sine - origin.z
    return dr * dr + 16 * axisDistance * axis * tt * (1 - tt) + weight * (dz * dz)
  }

  @usableFromInline
  static func reducedDifference(_ longitude: Double, _ center: Double) -> Double {
    GeodesicPoint.reducedLongitude(longitude) - center
  }

  // Both polynomials are summed in pairs (Estrin's scheme), as a chain of additions would be twice as slow.

  /// The sine of at most π/4.
  @usableFromInline
  @inline(__always)
  static func sine(_ t: Double) -> Double {
    let u = t * t
    let u2 = u * u
    let low = (-1.0 / 6 + u * (1.0 / 120)) + u2 * (-1.0 / 5040 + u * (1.0 / 362_880))
    let high = (-1.0 / 39_916_800 + u * (1.0 / 6_227_020_800)) + u2 * (-1.0 / 1_307_674_368_000)
    return t + t * u * (low + u2 * u2 * high)
  }

  /// The length N = a / √(1 − e² sin² φ) of the normal down to the Earth's axis, by the binomial series: of
  /// w = e² sin² φ ≤ 0.0067 the seventh power, the first left out, adds below 2 × 10⁻¹⁶.
  @usableFromInline
  @inline(__always)
  static func normal(sineSquared: Double) -> Double {
    let w = GeodesicEllipsoid.eccentricitySquared * sineSquared
    let w2 = w * w
    let low = (1 + w * (1.0 / 2)) + w2 * (3.0 / 8 + w * (5.0 / 16))
    let high = (35.0 / 128 + w * (63.0 / 256)) + w2 * (231.0 / 1024)
    return GeodesicEllipsoid.equatorialRadius * (low + w2 * w2 * high)
  }

  /// Whether the distance to a point compares with the radius as asked, exactly.
  @inlinable
  package func matches(latitude: Double, longitude: Double) -> Bool {
    switch classify(latitude: latitude, longitude: longitude) {
    case .inside: isNearer
    case .outside: !isNearer
    case .unsure: matchesExactly(latitude: latitude, longitude: longitude)
    }
  }

  /// The same for a point whose Cartesian coordinates are stored; its degrees are asked for only near the
  /// rim.
  @inlinable
  @inline(__always)
  package func matches(
    x: Double, y: Double, z: Double, degrees: () -> (latitude: Double, longitude: Double)
  ) -> Bool {
    switch classify(x: x, y: y, z: z) {
    case .inside: return isNearer
    case .outside: return !isNearer
    case .unsure:
      let (latitude, longitude) = degrees()
      return matchesExactly(latitude: latitude, longitude: longitude)
    }
  }

  /// The comparison by the exact formula alone.
  @inline(never)
  package func matchesExactly(latitude: Double, longitude: Double) -> Bool {
    comparison.holds(
      Geodesic.distance(from: center, to: GeodesicPoint(latitude: latitude, longitude: longitude)), radius)
  }
}
