import Testing

@testable import ZoneQuery

/// The series against the integrals they expand, at an ε thirty times the Earth's, where a wrong coefficient of any
/// order shows.
@Suite struct GeodesicSeriesTests {
  /// The mean of an even function of σ with period π, and the coefficients cₖ of its integral's sine series, by the
  /// trapezoidal rule, which is exact to rounding for a smooth periodic function.
  private func expansion(of integrand: (Double) -> Double) -> (mean: Double, coefficients: [Double]) {
    let count = 64
    let angles = (0..<count).map { Double($0) * .pi / Double(count) }
    let values = angles.map(integrand)
    let mean = values.reduce(0, +) / Double(count)
    let coefficients = (1...6).map { k in
      let sum = zip(angles, values).map { $1 * CMathematics.cosine(2 * Double(k) * $0) }.reduce(0, +)
      return 2 * sum / Double(count) / (2 * Double(k) * mean)
    }
    return (mean, coefficients)
  }

  private func coefficients(_ sines: GeodesicSeries.Sines) -> [Double] {
    [sines.c1, sines.c2, sines.c3, sines.c4, sines.c5, sines.c6]
  }

  @Test func agreeWithIntegrals() {
    let epsilon = 0.05
    let k2 = 4 * epsilon / ((1 - epsilon) * (1 - epsilon))
    let series = GeodesicSeries(k2: k2)
    #expect(abs(series.epsilon - epsilon) < 1e-15)
    func root(_ sigma: Double) -> Double {
      let sine = CMathematics.sine(sigma)
      return (1 + k2 * sine * sine).squareRoot()
    }
    let f = GeodesicEllipsoid.flattening
    let distance = expansion { root($0) }
    let reduced = expansion { 1 / root($0) }
    let longitude = expansion { (2 - f) / (1 + (1 - f) * root($0)) }

    #expect(abs(series.a1 - distance.mean) < 1e-10)
    #expect(abs(series.a2 - reduced.mean) < 1e-10)
    #expect(abs(series.a3 - longitude.mean) < 1e-9)
    // What the sixth power of ε, the first left out of C3, would add is 3.4e-10 at most.
    for k in 0..<6 {
      #expect(abs(coefficients(series.distance)[k] - distance.coefficients[k]) < 8e-12, "C1 \(k + 1)")
      #expect(abs(coefficients(series.reducedLength)[k] - reduced.coefficients[k]) < 2e-11, "C2 \(k + 1)")
      #expect(
        abs(coefficients(series.longitude)[k] - longitude.coefficients[k]) < (k == 4 ? 1.5e-10 : 4e-10),
        "C3 \(k + 1)")
    }
  }

  @Test func sumsAsTheSineSeries() {
    let sines = GeodesicSeries.Sines(c1: 0.1, c2: -0.2, c3: 0.3, c4: -0.4, c5: 0.5, c6: -0.6)
    for step in 0..<50 {
      let sigma = Double(step) / 7
      let expected = coefficients(sines).enumerated().map { k, c in
        c * CMathematics.sine(2 * Double(k + 1) * sigma)
      }.reduce(0, +)
      #expect(abs(sines.sum(at: GeodesicAngle(radians: sigma)) - expected) < 1e-13)
    }
  }
}
