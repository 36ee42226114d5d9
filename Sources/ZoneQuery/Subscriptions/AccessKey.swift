/// What kind of key a subscription waits under: a record that matches it has one of its keys.
enum AccessKind: UInt32, CaseIterable {
  /// The key that every record has.
  case always
  /// A value, or a member of a list, is this one. The level says how texts are folded.
  case equal
  /// A reference's record name is this one.
  case name
  /// A word of the searchable texts.
  case token
  /// A text, or a member of a list, begins with this. The level is the number of bytes.
  case prefix
  /// A value's code lies in this cell of the grid of 2^level codes.
  case range
  /// A place lies in this cell of the grid of 2^level codes of latitude and longitude.
  case place
}

/// A kind of key, a field and a level, in one number.
struct AccessUse: Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ kind: AccessKind, field: FieldNumber = 0, level: Int = 0) {
    rawValue = UInt32(field) << 10 | kind.rawValue << 7 | UInt32(level)
  }

  static let levelCount = 64

  var level: Int { Int(rawValue & 0x7F) }
  /// The number of field and kind, without the level.
  var group: Int { Int(rawValue >> 7) }
  var kind: AccessKind { AccessKind(rawValue: rawValue >> 7 & 7) ?? .always }
  var field: FieldNumber { Int(rawValue >> 10) }

  /// The key of a value under this use, never 0.
  @inline(__always)
  func key(_ payload: UInt64, _ hash: ByteHash) -> UInt64 {
    let key = hash.hash(payload, UInt64(rawValue))
    return key == 0 ? 1 : key
  }
}

extension ByteHash {
  /// The key of the same value for the subscriptions of one zone, whose number is not 0.
  @inline(__always)
  func zoned(_ key: UInt64, _ zone: UInt32) -> UInt64 {
    if zone == 0 { return key }
    let key = hash(key, UInt64(zone) << 32)
    return key == 0 ? 1 : key
  }

  /// The payload of a double, where −0 is 0.
  func payload(_ value: Double) -> UInt64 { value == 0 ? 0 : value.bitPattern }

  /// The payload of a place, by the degrees that tell it from others.
  func payload(_ latitude: Double, _ longitude: Double) -> UInt64 {
    let place = Location.distinct(latitude: latitude, longitude: longitude)
    return hash(payload(place.latitude), payload(place.longitude))
  }
}

/// A key and what it was made as.
struct AccessKey {
  var key: UInt64
  var use: AccessUse
}
