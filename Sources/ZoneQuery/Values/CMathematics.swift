#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(ucrt)
  import ucrt
#endif

/// The C library's transcendental functions: the one place that knows which C library there is, so that no
/// other file needs Foundation for a sine.
enum CMathematics {
  @inline(__always)
  static func sine(_ angle: Double) -> Double { sin(angle) }

  @inline(__always)
  static func cosine(_ angle: Double) -> Double { cos(angle) }

  @inline(__always)
  static func arcsine(_ value: Double) -> Double { asin(value) }

  /// The angle of the point (x, y), in −π…π.
  @inline(__always)
  static func arctangent(y: Double, x: Double) -> Double { atan2(y, x) }

  @inline(__always)
  static func cubeRoot(_ value: Double) -> Double { cbrt(value) }

  @inline(__always)
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  @inline(__always)
  static func exponential(_ value: Double) -> Double { exp(value) }

  @inline(__always)
  static func naturalLogarithm(_ value: Double) -> Double { log(value) }

  /// The logarithm to the base 10.
  @inline(__always)
  static func logarithm(_ value: Double) -> Double { log10(value) }
}
