#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import ZoneQuery

/// What one writes first: a tree of comparisons, walked for each record over a dictionary of values.
indirect enum NaivePredicate {
  case equal(String, FieldValue)
  case greater(String, Int64)
  case greaterDouble(String, Double)
  case between(String, ClosedRange<Double>)
  case beginsWith(String, String)
  case isIn(String, [String])
  case contains(String, String)
  case within(String, Place, metres: Double)
  case words([String], in: [String])
  case all([NaivePredicate])
  case any([NaivePredicate])
  case not(NaivePredicate)

  func matches(_ record: [String: FieldValue]) -> Bool {
    switch self {
    case .equal(let key, let value): return record[key] == value
    case .greater(let key, let bound):
      switch record[key] {
      case .int64(let value)?: return value > bound
      case .timestamp(let value)?: return value.milliseconds > bound
      default: return false
      }
    case .greaterDouble(let key, let bound):
      if case .double(let value)? = record[key] { return value > bound }
      return false
    case .between(let key, let range):
      if case .double(let value)? = record[key] { return range.contains(value) }
      return false
    case .beginsWith(let key, let prefix):
      if case .string(let value)? = record[key] { return value.hasPrefix(prefix) }
      return false
    case .isIn(let key, let values):
      if case .string(let value)? = record[key] { return values.contains(value) }
      return false
    case .contains(let key, let member):
      if case .stringList(let values)? = record[key] { return values.contains(member) }
      return false
    case .within(let key, let centre, let metres):
      if case .location(let value)? = record[key] {
        let place = Place(latitude: value.latitude, longitude: value.longitude)
        return NaivePredicate.haversine(place, centre) < metres
      }
      return false
    case .words(let words, let keys):
      var found: Set<Substring> = []
      for key in keys {
        guard case .string(let text)? = record[key] else { continue }
        found.formUnion(text.lowercased().split { !$0.isLetter && !$0.isNumber })
      }
      return words.allSatisfy { found.contains(Substring($0)) }
    case .all(let parts): return parts.allSatisfy { $0.matches(record) }
    case .any(let parts): return parts.contains { $0.matches(record) }
    case .not(let part): return !part.matches(record)
    }
  }

  /// The distance on a sphere of the Earth's mean radius.
  static func haversine(_ left: Place, _ right: Place) -> Double {
    let radians = Double.pi / 180
    let latitude = sin((right.latitude - left.latitude) * radians / 2)
    let longitude = sin((right.longitude - left.longitude) * radians / 2)
    let chord =
      latitude * latitude
      + cos(left.latitude * radians) * cos(right.latitude * radians) * longitude * longitude
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }
}
