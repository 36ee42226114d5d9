/// The type of a field: one of CloudKit's eight, or a homogeneous list of one.
///
/// ```swift
/// FieldType.list(.string).description   // "LIST<STRING>"
/// FieldType.timestamp.webServicesName   // "TIMESTAMP"
/// ```
public struct FieldType: Sendable, Hashable, CustomStringConvertible {
  /// The type of a single value.
  public enum Scalar: String, Sendable, Hashable, CaseIterable {
    /// Text, compared by Unicode code points.
    case string = "STRING"
    /// A whole number of 64 bits; truth values are 0 and 1.
    case int64 = "INT64"
    /// A floating-point number, never NaN.
    case double = "DOUBLE"
    /// Bytes; never in a predicate, a sort or an index.
    case bytes = "BYTES"
    /// A moment, to the millisecond.
    case timestamp = "TIMESTAMP"
    /// A place in WGS 84 degrees.
    case location = "LOCATION"
    /// A record's ID, with what happens when that record is deleted.
    case reference = "REFERENCE"
    /// A file kept elsewhere; never in a predicate, a sort or an index.
    case asset = "ASSET"
  }

  /// The type of the value, or of a list's members.
  public let scalar: Scalar
  /// Whether the field holds a list.
  public let isList: Bool

  /// Creates the type of a single value.
  public init(_ scalar: Scalar) {
    self.scalar = scalar
    self.isList = false
  }

  private init(listOf scalar: Scalar) {
    self.scalar = scalar
    self.isList = true
  }

  /// The type of lists whose members are of one type.
  public static func list(_ scalar: Scalar) -> FieldType { FieldType(listOf: scalar) }

  /// `STRING`.
  public static let string = FieldType(.string)
  /// `INT64`.
  public static let int64 = FieldType(.int64)
  /// `DOUBLE`.
  public static let double = FieldType(.double)
  /// `BYTES`.
  public static let bytes = FieldType(.bytes)
  /// `TIMESTAMP`.
  public static let timestamp = FieldType(.timestamp)
  /// `LOCATION`.
  public static let location = FieldType(.location)
  /// `REFERENCE`.
  public static let reference = FieldType(.reference)
  /// `ASSET`.
  public static let asset = FieldType(.asset)

  /// The type as the schema language writes it: `STRING`, `LIST<INT64>`.
  public var description: String { isList ? "LIST<\(scalar.rawValue)>" : scalar.rawValue }

  /// The type as CloudKit Web Services writes it: `STRING`, `INT64_LIST`, `ASSETID`.
  public var webServicesName: String {
    let name = scalar == .asset ? "ASSETID" : scalar.rawValue
    return isList ? name + "_LIST" : name
  }

  /// The type that CloudKit Web Services writes as `name`; `nil` where there is none such. `NUMBER_INT64` and
  /// `NUMBER_DOUBLE`, which older responses hold, are read too, and the names of encrypted fields' types, such as
  /// `ENCRYPTED_BYTES`: that a field is encrypted its definition says.
  public init?(webServicesName name: String) {
    guard let known = Self.webServicesNames.first(where: { sameBytes($0.name, name) }) else { return nil }
    self = known.type
  }

  /// All names that are read.
  private static let webServicesNames: [(name: String, type: FieldType)] =
    Scalar.allCases.flatMap { [FieldType($0), .list($0)] }.map { ($0.webServicesName, $0) }
    + [("ASSET", .asset), ("ASSET_LIST", .list(.asset)), ("NUMBER_INT64", .int64), ("NUMBER_DOUBLE", .double)]
    + [Scalar.bytes, .string, .double, .int64, .location, .timestamp].flatMap { [FieldType($0), .list($0)] }
    .map { ("ENCRYPTED_" + $0.webServicesName, $0) }

  /// The type of one member of a list, or the type itself.
  public var element: FieldType { FieldType(scalar) }
}

extension FieldType.Scalar {
  /// Whether `<`, `<=`, `>`, `>=` and `BETWEEN` take the type.
  var isOrdered: Bool {
    switch self {
    case .string, .int64, .double, .timestamp: true
    case .bytes, .location, .reference, .asset: false
    }
  }
}

extension FieldType {
  /// Whether a sort descriptor takes the type; a location sorts by distance alone.
  var isSortable: Bool { !isList && (scalar.isOrdered || scalar == .reference) }

  /// Whether a predicate can ask anything of the type.
  var isQueryable: Bool { scalar != .bytes && scalar != .asset }
}
