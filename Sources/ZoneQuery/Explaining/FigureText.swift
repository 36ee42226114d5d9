/// Writes figures as people read them.
enum FigureText {
  /// A whole number with commas: `12,345`.
  static func whole(_ value: Int) -> String {
    let digits = Array("\(value.magnitude)".utf8)
    var text: [UInt8] = value < 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// An estimate, rounded to a whole number.
  static func estimate(_ value: Double) -> String {
    Int(exactly: value.rounded()).map { whole($0) } ?? "\(value)"
  }

  /// A time, in the unit that gives it one to three digits before the point: `640 ns`, `12.3 µs`.
  static func time(_ nanoseconds: Double) -> String {
    var value = nanoseconds
    var unit = "ns"
    for next in ["µs", "ms", "s"] where value >= 999.95 {
      value /= 1_000
      unit = next
    }
    return "\(tenths(value)) \(unit)"
  }

  /// A factor: `3.4`, `120`.
  static func factor(_ value: Double) -> String { value >= 99.95 ? estimate(value) : tenths(value) }

  private static func tenths(_ value: Double) -> String {
    guard let tenths = Int(exactly: (value * 10).rounded()) else { return "\(value)" }
    return tenths % 10 == 0 || tenths >= 1_000 ? whole((tenths + 5) / 10) : "\(tenths / 10).\(tenths % 10)"
  }
}
