/// A constant of the language.
///
/// Numbers are held by their mathematical value: a `double` is never a whole number that `Int64` can hold, is
/// never NaN, and truth values are the integers 1 and 0, so that every literal prints to text that reads back as
/// the same literal. Build them with ``number(_:)``, which keeps that rule. Equality is by bytes, not by
/// Unicode's canonical equivalence.
public enum Literal: Sendable, Hashable {
  /// `nil` or `NULL`.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number that is not whole, or too large for `Int64`; infinite at most.
  case double(Double)
  /// Text.
  case string(String)
  /// A moment in milliseconds since 1970-01-01T00:00:00Z; printed `CAST(seconds since 2001, "NSDate")`.
  case date(milliseconds: Int64)
  /// A place in WGS 84 degrees; printed `CAST("latitude,longitude", "CLLocation")`.
  case location(latitude: Double, longitude: Double)
  /// A record's name, with its zone's name and owner where these are not the default ones; printed
  /// `CAST("zone/record", "CKReference")`.
  indirect case reference(recordName: String, zoneName: String?, ownerName: String?)

  /// The literal of a number, whole if its value is; `nil` for NaN.
  public static func number(_ value: Double) -> Literal? {
    if value.isNaN { return nil }
    if let whole = Int64(exactly: value) { return .integer(whole) }
    return .double(value)
  }

  /// Whether both are the same constant, text compared byte by byte.
  public static func == (left: Literal, right: Literal) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): sameBytes(a, b)
    case (.date(let a), .date(let b)): a == b
    case (.location(let latitude, let longitude), .location(let otherLatitude, let otherLongitude)):
      latitude == otherLatitude && longitude == otherLongitude
    case (
      .reference(let record, let zone, let owner), .reference(let otherRecord, let otherZone, let otherOwner)
    ):
      sameBytes(record, otherRecord) && sameBytes(zone, otherZone) && sameBytes(owner, otherOwner)
    default: false
    }
  }

  /// Feeds the kind and the value, text by its bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hashBytes(value, into: &hasher)
    case .date(let milliseconds): hasher.combine(milliseconds)
    case .location(let latitude, let longitude):
      hasher.combine(latitude)
      hasher.combine(longitude)
    case .reference(let record, _, _): hashBytes(record, into: &hasher)
    }
  }
}

/// Whether two texts are the same bytes. Swift's own `==` merges texts that Unicode calls equivalent, and takes
/// quadratic time over long runs of combining marks.
package func sameBytes(_ left: String, _ right: String) -> Bool {
  let (left, right) = (left.utf8, right.utf8)
  guard left.count == right.count else { return false }
  var other = right.makeIterator()
  for byte in left where byte != other.next() { return false }
  return true
}

/// Whether both are absent, or present and the same bytes.
package func sameBytes(_ left: String?, _ right: String?) -> Bool {
  switch (left, right) {
  case (nil, nil): true
  case (let left?, let right?): sameBytes(left, right)
  default: false
  }
}

/// Feeds a text by its bytes, in keeping with ``sameBytes(_:_:)-1``.
package func hashBytes(_ text: String, into hasher: inout Hasher) {
  var word: UInt64 = 0
  var filled = 0
  for byte in text.utf8 {
    word = word << 8 | UInt64(byte)
    filled += 1
    if filled & 7 == 0 { hasher.combine(word) }
  }
  // What is left of the last word, then the length, so that no two texts feed the same words.
  hasher.combine(word)
  hasher.combine(filled)
}

extension Literal {
  /// Why it equals nothing there is, as no literal of a text can; nil for all others.
  package var fault: String? {
    switch self {
    case .double(let value) where value.isNaN: "NaN is no number and equals nothing"
    case .location(let latitude, let longitude)
    where !CastLiteral.isLocation(latitude: latitude, longitude: longitude):
      "a latitude lies from -90 to 90 and a longitude from -180 to 180"
    case .reference(let record, _, _) where record.utf8.isEmpty: "a record's name is not empty"
    default: nil
    }
  }
}
