/// The series of Karney's paper, to the sixth order in the expansion parameter ε.
///
/// Source: C. F. F. Karney, *Algorithms for geodesics*, Journal of Geodesy 87 (2013), 43–55,
/// doi:10.1007/s00190-012-0578-z; §2 for distance and longitude, §3 for the reduced length. Cut off at this
/// order, the series are good to a few nanometres for the Earth's flattening.
struct GeodesicSeries {
  /// A Fourier series Σ cₖ sin 2kσ, k = 1…6.
  struct Sines {
    var c1 = 0.0
    var c2 = 0.0
    var c3 = 0.0
    var c4 = 0.0
    var c5 = 0.0
    var c6 = 0.0

    /// The sum at the angle σ, by Clenshaw's recurrence.
    @inline(__always)
    func sum(at sigma: GeodesicAngle) -> Double {
      let step = 2 * (sigma.cosine - sigma.sine) * (sigma.cosine + sigma.sine)
      let b6 = c6
      let b5 = step * b6 + c5
      let b4 = step * b5 - b6 + c4
      let b3 = step * b4 - b5 + c3
      let b2 = step * b3 - b4 + c2
      let b1 = step * b2 - b3 + c1
      return 2 * sigma.sine * sigma.cosine * b1
    }
  }

  /// The expansion parameter ε = (√(1 + k²) − 1) / (√(1 + k²) + 1) with k = e′ cos α₀.
  let epsilon: Double

  /// - Parameter k2: k² = e′² cos² α₀.
  @inline(__always)
  init(k2: Double) {
    // The plain form would lose every digit of a small k².
    epsilon = k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
  }

  /// A₁, the mean scale of distance.
  var a1: Double {
    let e2 = epsilon * epsilon
    return (1 + e2 * (1.0 / 4 + e2 * (1.0 / 64 + e2 / 256))) / (1 - epsilon)
  }

  /// C₁ₖ, the periodic part of distance.
  var distance: Sines {
    let e = epsilon
    let e2 = e * e
    return Sines(
      c1: e * (-1.0 / 2 + e2 * (3.0 / 16 - e2 / 32)),
      c2: e2 * (-1.0 / 16 + e2 * (1.0 / 32 - e2 * (9.0 / 2048))),
      c3: e2 * e * (-1.0 / 48 + e2 * (3.0 / 256)),
      c4: e2 * e2 * (-5.0 / 512 + e2 * (3.0 / 512)),
      c5: e2 * e2 * e * (-7.0 / 1280),
      c6: e2 * e2 * e2 * (-7.0 / 2048))
  }

  /// A₂ of the reduced length.
  var a2: Double {
    let e2 = epsilon * epsilon
    return (1 + e2 * (1.0 / 4 + e2 * (9.0 / 64 + e2 * (25.0 / 256)))) * (1 - epsilon)
  }

  /// C₂ₖ of the reduced length.
  var reducedLength: Sines {
    let e = epsilon
    let e2 = e * e
    return Sines(
      c1: e * (1.0 / 2 + e2 * (1.0 / 16 + e2 / 32)),
      c2: e2 * (3.0 / 16 + e2 * (1.0 / 32 + e2 * (35.0 / 2048))),
      c3: e2 * e * (5.0 / 48 + e2 * (5.0 / 256)),
      c4: e2 * e2 * (35.0 / 512 + e2 * (7.0 / 512)),
      c5: e2 * e2 * e * (63.0 / 1280),
      c6: e2 * e2 * e2 * (77.0 / 2048))
  }

  /// A₃, the mean scale of longitude.
  var a3: Double {
    let e = epsilon
    let k = Self.longitudeCoefficients
    return 1 + e * (k.a1 + e * (k.a2 + e * (k.a3 + e * (k.a4 + e * k.a5))))
  }

  /// C₃ₖ, the periodic part of longitude.
  var longitude: Sines {
    let e = epsilon
    let k = Self.longitudeCoefficients
    let e2 = e * e
    return Sines(
      c1: e * (k.c11 + e * (k.c12 + e * (k.c13 + e * (k.c14 + e * k.c15)))),
      c2: e2 * (k.c22 + e * (k.c23 + e * (k.c24 + e * k.c25))),
      c3: e2 * e * (k.c33 + e * (k.c34 + e * k.c35)),
      c4: e2 * e2 * (k.c44 + e * k.c45),
      c5: e2 * e2 * e * k.c55,
      c6: 0)
  }

  /// The coefficients of A₃ and C₃ₖ, polynomials in the third flattening n, at n of WGS 84: the coefficient
  /// of εʲ in A₃ is aʲ, that in C₃ₖ is cᵏʲ.
  private struct LongitudeCoefficients {
    let a1, a2, a3, a4, a5: Double
    let c11, c12, c13, c14, c15: Double
    let c22, c23, c24, c25: Double
    let c33, c34, c35: Double
    let c44, c45: Double
    let c55: Double

    init(thirdFlattening n: Double) {
      let n2 = n * n
      a1 = -(1.0 / 2 - n / 2)
      a2 = -(1.0 / 4 + n / 8 - n2 * (3.0 / 8))
      a3 = -(1.0 / 16 + n * (3.0 / 16) + n2 / 16)
      a4 = -(3.0 / 64 + n / 32)
      a5 = -3.0 / 128
      c11 = 1.0 / 4 - n / 4
      c12 = 1.0 / 8 - n2 / 8
      c13 = 3.0 / 64 + n * (3.0 / 64) - n2 / 64
      c14 = 5.0 / 128 + n / 64
      c15 = 3.0 / 128
      c22 = 1.0 / 16 - n * (3.0 / 32) + n2 / 32
      c23 = 3.0 / 64 - n / 32 - n2 * (3.0 / 64)
      c24 = 3.0 / 128 + n / 128
      c25 = 5.0 / 256
      c33 = 5.0 / 192 - n * (3.0 / 64) + n2 * (5.0 / 192)
      c34 = 3.0 / 128 - n * (5.0 / 192)
      c35 = 7.0 / 512
      c44 = 7.0 / 512 - n * (7.0 / 256)
      c45 = 7.0 / 512
      c55 = 21.0 / 2560
    }
  }

  private static let longitudeCoefficients =
    LongitudeCoefficients(thirdFlattening: GeodesicEllipsoid.thirdFlattening)
}
