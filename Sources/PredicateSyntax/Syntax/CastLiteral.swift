/// The constants that have no spelling but `CAST(…, "type")`.
///
/// `NSDate` is Apple's own; `CLLocation`, `CKReference`, `CKOwnedReference` and `NSNumber` are forms of this
/// language for what Apple prints but cannot read back.
package enum CastLiteral: String, CaseIterable {
  /// Seconds since 2001-01-01T00:00:00Z.
  case date = "NSDate"
  /// `latitude,longitude` in degrees.
  case location = "CLLocation"
  /// `record` or `zone/record`.
  case reference = "CKReference"
  /// `owner/zone/record`, with `%` and `/` of owner and zone percent-encoded.
  case ownedReference = "CKOwnedReference"
  /// `infinity` or `-infinity`.
  case number = "NSNumber"

  package init?(_ typeName: String) {
    for kind in Self.allCases where sameBytes(kind.rawValue, typeName) {
      self = kind
      return
    }
    return nil
  }

  /// Milliseconds from 1970 to 2001.
  package static let referenceDate: Int64 = 978_307_200_000

  /// The whole number nearest to a number of milliseconds, the greater of two that are as near: the same from whatever moment
  /// is counted.
  package static func nearest(_ milliseconds: Double) -> Double {
    let whole = milliseconds.rounded(.down)
    return milliseconds - whole >= 0.5 ? whole + 1 : whole
  }

  /// Whether a literal of this kind of value must be a constant of the type.
  func reads(_ literal: Literal) -> Bool {
    switch (self, literal) {
    case (.date, .integer), (.date, .double): true
    case (.date, _): false
    case (.number, .string): true
    case (.location, .string), (.reference, .string), (.ownedReference, .string): true
    default: false
    }
  }

  /// What the content must be, for a diagnostic.
  package var expectation: String {
    switch self {
    case .date: "a number of seconds since 2001 that stays within 64 bits of milliseconds"
    case .location: "\"latitude,longitude\" with a latitude from -90 to 90 and a longitude from -180 to 180"
    case .reference: "\"recordName\" or \"zone/recordName\""
    case .ownedReference: "\"owner/zone/recordName\""
    case .number: "\"infinity\" or \"-infinity\""
    }
  }

  /// The constant, or `nil` where the content spells none.
  func literal(_ content: Literal) -> Literal? {
    switch (self, content) {
    case (.date, .integer(let seconds)):
      let milliseconds = Int128(seconds) * 1000 + Int128(Self.referenceDate)
      return Int64(exactly: milliseconds).map { .date(milliseconds: $0) }
    case (.date, .double(let seconds)):
      // Within this bound the milliseconds fit whatever the rounding.
      guard abs(seconds) < 9.2e15 else { return nil }
      guard let milliseconds = Int64(exactly: Self.nearest(seconds * 1000)) else { return nil }
      let (sum, overflow) = milliseconds.addingReportingOverflow(Self.referenceDate)
      return overflow ? nil : .date(milliseconds: sum)
    case (.location, .string(let text)): return Self.location(text)
    case (.reference, .string(let text)): return Self.reference(Array(text.utf8))
    case (.ownedReference, .string(let text)): return Self.ownedReference(Array(text.utf8))
    case (.number, .string(let text)):
      if sameBytes(text, "infinity") { return .double(.infinity) }
      return sameBytes(text, "-infinity") ? .double(-.infinity) : nil
    default: return nil
    }
  }

  /// The date of a number of seconds written with decimals, to the nearest millisecond (a half goes up), with
  /// no rounding through a double. `digits` has the shape `digits [. [digits]]`.
  static func date(decimal digits: ArraySlice<UInt8>, isNegative: Bool) -> Literal? {
    var milliseconds: Int128 = 0
    var decimals = -1
    var roundsUp = false
    var hasRemainder = false
    for byte in digits {
      if byte == UInt8(ascii: ".") {
        decimals = 0
        continue
      }
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      let digit = Int128(byte - 0x30)
      if decimals >= 0 { decimals += 1 }
      if decimals <= 3 {
        milliseconds = milliseconds * 10 + digit
        if milliseconds > Int128(1) << 70 { return nil }
      } else if decimals == 4 {
        roundsUp = digit >= 5
        hasRemainder = digit != 0 && digit != 5
      } else if digit != 0 {
        hasRemainder = true
      }
    }
    if decimals < 0 { decimals = 0 }
    for _ in min(decimals, 3)..<3 { milliseconds *= 10 }
    if isNegative {
      milliseconds = -milliseconds
      // Half a millisecond below zero goes up, that is towards zero; more than half goes down.
      if roundsUp, hasRemainder { milliseconds -= 1 }
    } else if roundsUp {
      milliseconds += 1
    }
    return Int64(exactly: milliseconds + Int128(referenceDate)).map { .date(milliseconds: $0) }
  }

  private static func location(_ text: String) -> Literal? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 128, let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    guard let latitude = degrees(bytes[..<comma]), let longitude = degrees(bytes[(comma + 1)...]) else {
      return nil
    }
    guard isLocation(latitude: latitude, longitude: longitude) else { return nil }
    return .location(latitude: latitude, longitude: longitude)
  }

  /// Whether the two are degrees of a place on Earth.
  static func isLocation(latitude: Double, longitude: Double) -> Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
  }

  /// A decimal number with an optional sign, digits, point and exponent, blanks round it allowed.
  private static func degrees(_ bytes: ArraySlice<UInt8>) -> Double? {
    var slice = bytes
    while slice.first == 0x20 { slice.removeFirst() }
    while slice.last == 0x20 { slice.removeLast() }
    guard let last = slice.last, IdentifierRules.isDigit(last) else { return nil }
    for byte in slice {
      switch byte {
      case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    return Double(String(decoding: slice, as: UTF8.self))
  }

  private static func reference(_ bytes: [UInt8]) -> Literal? {
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else {
      if bytes.isEmpty { return nil }
      return .reference(
        recordName: String(decoding: bytes, as: UTF8.self), zoneName: nil, ownerName: nil)
    }
    guard slash > 0, slash + 1 < bytes.count else { return nil }
    return Literal.reference(
      recordName: String(decoding: bytes[(slash + 1)...], as: UTF8.self),
      zoneName: String(decoding: bytes[..<slash], as: UTF8.self), ownerName: nil
    ).normalized
  }

  private static func ownedReference(_ bytes: [UInt8]) -> Literal? {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "/")),
      let second = bytes[(first + 1)...].firstIndex(of: UInt8(ascii: "/")), second + 1 < bytes.count,
      let owner = percentDecoded(bytes[..<first]), let zone = percentDecoded(bytes[(first + 1)..<second])
    else { return nil }
    return Literal.reference(
      recordName: String(decoding: bytes[(second + 1)...], as: UTF8.self), zoneName: zone, ownerName: owner
    ).normalized
  }

  private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> String? {
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.endIndex, let high = IdentifierRules.hexValue(bytes[index + 1]),
          let low = IdentifierRules.hexValue(bytes[index + 2])
        else { return nil }
        result.append(UInt8(high << 4 | low))
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }
}
