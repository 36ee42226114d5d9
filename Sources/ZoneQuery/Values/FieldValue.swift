/// The value of a field. A field without a value has none: there is no null.
///
/// ```swift
/// record["title"] = "Maps of the sea"
/// record["subtitle"] = "Near \(city)"
/// record["capacity"] = 120
/// record["tags"] = .stringList(["maps", "sea"])
/// record["start"] = .timestamp(Timestamp(milliseconds: 1_788_000_000_000))
/// ```
///
/// Two values are equal where type and content are: text by its bytes (not by Unicode's canonical equivalence),
/// numbers as Swift compares them. Predicates compare by the rules of the language instead, where an `INT64` and a
/// `DOUBLE` can be equal.
public enum FieldValue: Sendable, Hashable {
  /// `STRING`.
  case string(String)
  /// `INT64`.
  case int64(Int64)
  /// `DOUBLE`; NaN is refused where a record is saved.
  case double(Double)
  /// `BYTES`.
  case bytes([UInt8])
  /// `TIMESTAMP`.
  case timestamp(Timestamp)
  /// `LOCATION`.
  case location(Location)
  /// `REFERENCE`.
  indirect case reference(Reference)
  /// `ASSET`.
  indirect case asset(Asset)
  /// `LIST<STRING>`.
  case stringList([String])
  /// `LIST<INT64>`.
  case int64List([Int64])
  /// `LIST<DOUBLE>`.
  case doubleList([Double])
  /// `LIST<BYTES>`.
  case bytesList([[UInt8]])
  /// `LIST<TIMESTAMP>`.
  case timestampList([Timestamp])
  /// `LIST<LOCATION>`.
  case locationList([Location])
  /// `LIST<REFERENCE>`.
  case referenceList([Reference])
  /// `LIST<ASSET>`.
  case assetList([Asset])

  /// The type of the value.
  public var type: FieldType {
    switch self {
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .location: .location
    case .reference: .reference
    case .asset: .asset
    case .stringList: .list(.string)
    case .int64List: .list(.int64)
    case .doubleList: .list(.double)
    case .bytesList: .list(.bytes)
    case .timestampList: .list(.timestamp)
    case .locationList: .list(.location)
    case .referenceList: .list(.reference)
    case .assetList: .list(.asset)
    }
  }

  /// Whether type and content are the same.
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.string(let a), .string(let b)): sameBytes(a, b)
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.location(let a), .location(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    case (.asset(let a), .asset(let b)): a == b
    case (.stringList(let a), .stringList(let b)): a.elementsEqual(b, by: sameBytes)
    case (.int64List(let a), .int64List(let b)): a == b
    case (.doubleList(let a), .doubleList(let b)): a == b
    case (.bytesList(let a), .bytesList(let b)): a == b
    case (.timestampList(let a), .timestampList(let b)): a == b
    case (.locationList(let a), .locationList(let b)): a == b
    case (.referenceList(let a), .referenceList(let b)): a == b
    case (.assetList(let a), .assetList(let b)): a == b
    default: false
    }
  }

  /// Feeds the content, text by its bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let value): hashBytes(value, into: &hasher)
    case .int64(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value)
    case .location(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .asset(let value): hasher.combine(value)
    case .stringList(let values): for value in values { hashBytes(value, into: &hasher) }
    case .int64List(let values): hasher.combine(values)
    case .doubleList(let values): hasher.combine(values)
    case .bytesList(let values): hasher.combine(values)
    case .timestampList(let values): hasher.combine(values)
    case .locationList(let values): hasher.combine(values)
    case .referenceList(let values): hasher.combine(values)
    case .assetList(let values): hasher.combine(values)
    }
  }
}

extension FieldValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// `STRING`, `"like \(this)"` too.
  public init(stringLiteral value: String) { self = .string(value) }
  /// `INT64`.
  public init(integerLiteral value: Int64) { self = .int64(value) }
  /// `DOUBLE`.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// `INT64` 1 or 0.
  public init(booleanLiteral value: Bool) { self = .int64(value ? 1 : 0) }
}

extension FieldValue {
  /// Why the value cannot be stored, if it cannot: NaN, a place off the Earth, or a file of fewer than no bytes.
  var fault: String? {
    switch self {
    case .double(let value): value.isNaN ? "NaN is no field value" : nil
    case .doubleList(let values): values.contains(where: \.isNaN) ? "NaN is no field value" : nil
    case .location(let value): value.fault
    case .locationList(let values): values.lazy.compactMap(\.fault).first
    case .asset(let value): value.fault
    case .assetList(let values): values.lazy.compactMap(\.fault).first
    default: nil
    }
  }

  /// The value, where it is one that can be stored.
  var sound: FieldValue? { fault == nil ? self : nil }

  /// The value under another type of the same meaning: whole numbers as `DOUBLE` and doubles as `INT64` where
  /// that is exact. `nil` where the value does not fit the type.
  func converted(to type: FieldType) -> FieldValue? {
    if self.type == type { return self }
    switch (self, type) {
    case (.int64(let value), .double): return Double(exactly: value).map { .double($0) }
    case (.double(let value), .int64): return Int64(exactly: value).map { .int64($0) }
    case (.int64List(let values), .list(.double)):
      let exact = values.compactMap { Double(exactly: $0) }
      return exact.count == values.count ? .doubleList(exact) : nil
    case (.doubleList(let values), .list(.int64)):
      let exact = values.compactMap { Int64(exactly: $0) }
      return exact.count == values.count ? .int64List(exact) : nil
    default: return nil
    }
  }

  /// Roughly how many bytes the value counts towards the size of its record. Assets count nothing.
  ///
  /// No more than 64, or than four for each byte that is stored of it (``StoredRow/mostBytes``).
  var size: Int {
    switch self {
    case .string(let value): value.utf8.count
    case .int64, .double, .timestamp: 8
    case .bytes(let value): value.count
    case .location(let value): value.hasDetails ? 64 : 16
    case .reference(let value): value.recordID.recordName.utf8.count + value.recordID.zoneID.zoneName.utf8.count
    case .asset, .assetList: 0
    case .stringList(let values): values.reduce(0) { $0 + $1.utf8.count + 4 }
    case .int64List(let values): values.count * 8
    case .doubleList(let values): values.count * 8
    case .timestampList(let values): values.count * 8
    case .bytesList(let values): values.reduce(0) { $0 + $1.count + 4 }
    case .locationList(let values): values.reduce(0) { $0 + ($1.hasDetails ? 64 : 16) }
    case .referenceList(let values): values.reduce(0) { $0 + FieldValue.reference($1).size }
    }
  }
}

private func ~= (pattern: FieldType, value: FieldType) -> Bool { pattern == value }
