extension JSONReader {
  /// The powers of ten that are exact doubles.
  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]

  /// Reads the number whose minus sign or first digit is the next byte.
  ///
  /// Up to 19 significant digits are kept in one integer. Where that and the power of ten are exact doubles, one
  /// multiplication or division rounds correctly (W. D. Clinger, "How to Read Floating Point Numbers Accurately",
  /// 1990); the standard library's parser takes the rest.
  mutating func number() throws(Fault) -> JSONNumber {
    let start = position
    let isNegative = at(UInt8(ascii: "-"))
    if isNegative { position += 1 }

    var significand: UInt64 = 0
    var significantDigits = 0
    let whole = digits(into: &significand, &significantDigits)
    guard whole > 0 else { throw Fault(.expected("a digit after '-'"), position) }
    if whole > 1, bytes[position - whole] == UInt8(ascii: "0") {
      throw Fault(.leadingZero, position - whole)
    }

    var exponent = 0
    var isWhole = true
    if at(UInt8(ascii: ".")) {
      position += 1
      isWhole = false
      let fraction = digits(into: &significand, &significantDigits)
      guard fraction > 0 else { throw Fault(.expected("a digit after '.'"), position) }
      exponent = -fraction
    }
    if at(UInt8(ascii: "e")) || at(UInt8(ascii: "E")) {
      position += 1
      isWhole = false
      let isNegative = at(UInt8(ascii: "-"))
      if isNegative || at(UInt8(ascii: "+")) { position += 1 }
      var written: UInt64 = 0
      var writtenDigits = 0
      guard digits(into: &written, &writtenDigits) > 0 else {
        throw Fault(.expected("a digit in the exponent"), position)
      }
      // Beyond this the value is settled whatever stands before; the slow path reads the text itself.
      let clamped = writtenDigits > 19 || written > 1_000_000 ? 1_000_000 : Int(written)
      exponent += isNegative ? -clamped : clamped
    }

    if isWhole, significantDigits <= 19 {
      if significand == 0 { return isNegative ? .negativeZero : JSONNumber(0) }
      if !isNegative, let value = Int64(exactly: significand) { return JSONNumber(value) }
      if isNegative, significand <= UInt64(Int64.max) + 1 {
        return JSONNumber(Int64(truncatingIfNeeded: 0 &- significand))
      }
    }
    if !isWhole, significantDigits <= 19 {
      if significand == 0, let zero = JSONNumber(isNegative ? -0.0 : 0.0) { return zero }
      if significand <= 1 << 53, exponent >= -22, exponent <= 22 {
        let digits = Double(isNegative ? -Int64(significand) : Int64(significand))
        let value =
          exponent < 0 ? digits / Self.exactPowers[-exponent] : digits * Self.exactPowers[exponent]
        if let number = JSONNumber(value) { return number }
      }
    }
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)),
      let number = isWhole ? JSONNumber(wholeBeyondInt64: value) : JSONNumber(value)
    else { throw Fault(.numberOutOfRange, start) }
    return number
  }

  /// Passes over the digits ahead and says how many; the first 19 after any leading zeros enter `significand`.
  @inline(__always)
  private mutating func digits(into significand: inout UInt64, _ significantDigits: inout Int) -> Int {
    let start = position
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      position += 1
      if digit == 0 && significantDigits == 0 { continue }
      significantDigits += 1
      if significantDigits <= 19 { significand = significand &* 10 &+ UInt64(digit) }
    }
    return position - start
  }
}
