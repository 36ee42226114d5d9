/// Numbers as people read them.
enum Figures {
  /// Three significant digits: 0.0123, 1.23, 12.3, 123, 1234.
  static func short(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let magnitude = abs(value)
    let places = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : magnitude >= 0.1 ? 3 : 4
    return fixed(value, places)
  }

  static func fixed(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    guard abs(value) < 1e15 / scale else { return "\(value)" }
    let scaled = Int64((value * scale).rounded())
    let digits = String(scaled.magnitude)
    let padded = digits.count > places ? digits : String(repeating: "0", count: places + 1 - digits.count) + digits
    let whole = padded.dropLast(places)
    return (scaled < 0 ? "-" : "") + whole + (places > 0 ? "." + padded.suffix(places) : "")
  }

  /// A time with its unit.
  static func time(_ nanoseconds: Double) -> String {
    switch abs(nanoseconds) {
    case ..<1_000: short(nanoseconds) + " ns"
    case ..<1_000_000: short(nanoseconds / 1_000) + " µs"
    case ..<1_000_000_000: short(nanoseconds / 1_000_000) + " ms"
    default: short(nanoseconds / 1_000_000_000) + " s"
    }
  }

  static func amount(_ value: Double, unit: String) -> String {
    unit == "bytes" ? short(value) + " B" : time(value)
  }

  static func ratio(_ value: Double) -> String { short(value) + "×" }

  /// 10000 as 10,000.
  static func count(_ value: Int) -> String {
    let digits = Array(String(value))
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result
  }
}
