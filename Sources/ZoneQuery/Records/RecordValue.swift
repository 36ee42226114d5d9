/// A Swift value that a field can hold.
///
/// Texts, whole numbers, `Double`, `Float`, `Bool` (1 and 0), ``Timestamp``, ``Location``, ``Reference``, ``Asset`` and arrays of
/// these conform here, as do Foundation's `Date` and `Data`; `[UInt8]` is BYTES. A type of your own says what it is
/// stored as:
///
/// ```swift
/// enum Level: String, RecordValue {
///   case beginner, expert
///   var fieldValue: FieldValue { .string(rawValue) }
/// }
/// record["level"] = Level.expert
/// ```
public protocol RecordValue: Sendable {
  /// The value of a field.
  var fieldValue: FieldValue { get }
}

/// A Swift value that a list can hold.
public protocol RecordListMember: Sendable {
  /// The value of a field that is a list of members; of bytes the value is no list.
  static func fieldValue(of members: [Self]) -> FieldValue
}

extension Record {
  /// Creates a record with fields. Where no name is given the record has a fresh random UUID for one.
  ///
  /// ```swift
  /// let talk = Record(recordType: "Session", fields: ["title": "Maps of the sea", "tags": ["maps", "sea"], "capacity": 120])
  /// ```
  ///
  /// - Parameters:
  ///   - recordType: The name of the type.
  ///   - recordName: The record's name.
  ///   - zoneID: The zone.
  ///   - fields: The fields' names and values; of one that is named twice the last counts, and nil is no value.
  public init(
    recordType: String, recordName: String? = nil, zoneID: ZoneID = .default,
    fields: KeyValuePairs<String, (any RecordValue)?>
  ) {
    self.init(recordType: recordType, recordName: recordName, zoneID: zoneID)
    for (name, value) in fields { self[name] = value }
  }

  /// The value of a field, set to a value of Swift's own; setting `nil` removes it.
  ///
  /// ```swift
  /// let (town, seats): (String, Int?) = ("Suva", nil)
  /// record["city"] = town        // "Suva"
  /// record["seats"] = seats      // nil
  /// ```
  ///
  /// Complexity: as that of a ``FieldValue``.
  @_disfavoredOverload
  public subscript(name: String) -> (any RecordValue)? {
    get { self[name] as FieldValue? }
    set { self[name] = newValue?.fieldValue }
  }
}

extension FieldValue: RecordValue {
  /// The value itself.
  public var fieldValue: FieldValue { self }
}

extension Array: RecordValue where Element: RecordListMember {
  /// A list, or BYTES of an array of bytes.
  public var fieldValue: FieldValue { Element.fieldValue(of: self) }
}

extension String: RecordValue, RecordListMember {
  /// A STRING.
  public var fieldValue: FieldValue { .string(self) }
  /// A LIST of STRING.
  public static func fieldValue(of members: [String]) -> FieldValue { .stringList(members) }
}

extension Substring: RecordValue, RecordListMember {
  /// A STRING.
  public var fieldValue: FieldValue { .string(String(self)) }
  /// A LIST of STRING.
  public static func fieldValue(of members: [Substring]) -> FieldValue { .stringList(members.map(String.init)) }
}

extension Int64: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(self) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [Int64]) -> FieldValue { .int64List(members) }
}

extension Int: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(Int64(self)) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [Int]) -> FieldValue { .int64List(members.map(Int64.init)) }
}

extension Int32: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(Int64(self)) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [Int32]) -> FieldValue { .int64List(members.map(Int64.init)) }
}

extension Int16: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(Int64(self)) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [Int16]) -> FieldValue { .int64List(members.map(Int64.init)) }
}

extension Int8: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(Int64(self)) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [Int8]) -> FieldValue { .int64List(members.map(Int64.init)) }
}

extension UInt32: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(Int64(self)) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [UInt32]) -> FieldValue { .int64List(members.map(Int64.init)) }
}

extension UInt16: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(Int64(self)) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [UInt16]) -> FieldValue { .int64List(members.map(Int64.init)) }
}

extension UInt8: RecordValue, RecordListMember {
  /// An INT64.
  public var fieldValue: FieldValue { .int64(Int64(self)) }
  /// BYTES.
  public static func fieldValue(of members: [UInt8]) -> FieldValue { .bytes(members) }
}

extension Bool: RecordValue, RecordListMember {
  /// An INT64, 1 or 0.
  public var fieldValue: FieldValue { .int64(self ? 1 : 0) }
  /// A LIST of INT64.
  public static func fieldValue(of members: [Bool]) -> FieldValue { .int64List(members.map { $0 ? 1 : 0 }) }
}

extension Double: RecordValue, RecordListMember {
  /// A DOUBLE.
  public var fieldValue: FieldValue { .double(self) }
  /// A LIST of DOUBLE.
  public static func fieldValue(of members: [Double]) -> FieldValue { .doubleList(members) }
}

extension Float: RecordValue, RecordListMember {
  /// A DOUBLE.
  public var fieldValue: FieldValue { .double(Double(self)) }
  /// A LIST of DOUBLE.
  public static func fieldValue(of members: [Float]) -> FieldValue { .doubleList(members.map(Double.init)) }
}

extension Timestamp: RecordValue, RecordListMember {
  /// A TIMESTAMP.
  public var fieldValue: FieldValue { .timestamp(self) }
  /// A LIST of TIMESTAMP.
  public static func fieldValue(of members: [Timestamp]) -> FieldValue { .timestampList(members) }
}

extension Location: RecordValue, RecordListMember {
  /// A LOCATION.
  public var fieldValue: FieldValue { .location(self) }
  /// A LIST of LOCATION.
  public static func fieldValue(of members: [Location]) -> FieldValue { .locationList(members) }
}

extension Reference: RecordValue, RecordListMember {
  /// A REFERENCE.
  public var fieldValue: FieldValue { .reference(self) }
  /// A LIST of REFERENCE.
  public static func fieldValue(of members: [Reference]) -> FieldValue { .referenceList(members) }
}

extension Asset: RecordValue, RecordListMember {
  /// An ASSET.
  public var fieldValue: FieldValue { .asset(self) }
  /// A LIST of ASSET.
  public static func fieldValue(of members: [Asset]) -> FieldValue { .assetList(members) }
}
