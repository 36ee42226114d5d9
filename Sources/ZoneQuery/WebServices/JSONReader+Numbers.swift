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

    let first = position
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
    let last = position
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
      let clamped = writtenDigits > 18 ? 1 << 60 : Int(written)
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
        return fraction(value, digits: first..<last, exponent)
      }
    }
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
      throw Fault(.numberOutOfRange, start)
    }
    if !isWhole { return fraction(value, digits: first..<last, exponent) }
    guard let number = JSONNumber(wholeBeyondInt64: value) else { throw Fault(.numberOutOfRange, start) }
    return number
  }

  /// The number that is written with digits, the last of which stands for a power of ten, and has a nearest double.
  private func fraction(_ value: Double, digits: Range<Int>, _ exponent: Int) -> JSONNumber {
    if exponent < 0, value == value.rounded(.towardZero), !isWhole(digits, exponent) {
      return JSONNumber(roundedToWhole: value)
    }
    return JSONNumber(value) ?? JSONNumber(roundedToWhole: value)
  }

  /// Whether what the digits stand for is a whole number, where the last of them stands for a tenth or less.
  private func isWhole(_ digits: Range<Int>, _ exponent: Int) -> Bool {
    var zeros = 0
    for index in digits.reversed() where bytes[index] != UInt8(ascii: ".") {
      if bytes[index] != UInt8(ascii: "0") { return zeros >= -exponent }
      zeros += 1
    }
    return true
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
