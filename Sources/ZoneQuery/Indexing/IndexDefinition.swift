/// An index declared beside those that a schema gives: on one field, or on several together.
///
/// ```swift
/// try database.addIndex(IndexDefinition(recordType: "Event", keys: ["city", "start"]))
/// // city = $city sorted by start now reads its records one after the other from the index
/// ```
///
/// Its entries are ordered by the first key, among equals by the second, and so on. It serves an equality on the first
/// keys, or IN, followed by a range or a sort on the next (`author IN $following`, the newest first, reads of each author the
/// newest alone); ranges of numbers and moments on up to two keys behind that its entries
/// tell by themselves, so that no record is looked at. The first key may be a REFERENCE, for the records that refer to
/// one in the order of the next key (`post, creationDate`), or a list of texts, numbers, moments or references, which then
/// has an entry for each member; the others are STRING, INT64, DOUBLE or TIMESTAMP. A LOCATION may be the only key. The
/// last key, or the only one, may be `recordID`, for pages in the order of the records' names. An index has room for two
/// texts, of which a name is one, for a text and two others, or for four others, of which a list's member is one.
///
/// Differs from CloudKit, whose indexes are on single fields.
public struct IndexDefinition: Sendable, Hashable, CustomStringConvertible {
  /// The name of the record type.
  public var recordType: String
  /// The fields, a system field under its key included; the first leads. Records are found by their names without an index:
  /// one on `recordID` has them in the names' order.
  public var keys: [String]

  /// Describes an index.
  public init(recordType: String, keys: [String]) {
    self.recordType = recordType
    self.keys = keys
  }

  /// Describes the index that a table has.
  init(_ shape: IndexShape, _ layout: FieldLayout) {
    self.init(
      recordType: layout.recordType.name,
      keys: shape.kind == .tokens ? [shape.name] : shape.components.map { layout.name(of: $0.field) })
  }

  /// The keys, with commas between: the name under which plans show the index.
  public var name: String { keys.joined(separator: ", ") }

  /// Type and keys, as messages have them.
  var excerpt: String { SyntaxError.excerpt(description, most: 512) }

  /// The type and the keys: `Event (city, start)`.
  public var description: String { "\(recordType) (\(name))" }

  /// Whether type and keys are the same, by their bytes.
  public static func == (left: IndexDefinition, right: IndexDefinition) -> Bool {
    sameBytes(left.recordType, right.recordType) && left.keys.elementsEqual(right.keys, by: sameBytes)
  }

  /// Feeds type and keys.
  public func hash(into hasher: inout Hasher) {
    hashBytes(recordType, into: &hasher)
    for key in keys { hashBytes(key, into: &hasher) }
  }
}
