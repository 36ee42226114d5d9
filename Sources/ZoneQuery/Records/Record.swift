/// A record: its ID, its type, its fields, and what the system knows of it.
///
/// ```swift
/// var record = Record(recordType: "Event", recordName: "keynote")
/// record["title"] = "Maps of the sea"
/// record["capacity"] = 120
/// record["capacity"]          // .int64(120)
/// record["capacity"] = nil    // removes the field
/// ```
///
/// Differs from `CKRecord`: a value type, without change tracking of its own; two copies are independent.
public struct Record: Sendable, Hashable {
  // Made by the initialiser that the compiler gives, from the extension below: with one written here, in which property
  // after property is set, each new record is copied once and with it all references it counts.
  /// The record's ID; a record created without a name has a fresh UUID for one.
  public let recordID: RecordID
  /// The name of the record's type.
  public let recordType: String
  /// When the record was first saved; `nil` before.
  public package(set) var creationDate: Timestamp?
  /// When the record was last saved; `nil` before.
  public package(set) var modificationDate: Timestamp?
  /// The user who first saved it; `nil` before.
  public package(set) var creatorUserRecordID: RecordID?
  /// The user who last saved it; `nil` before.
  public package(set) var lastModifiedUserRecordID: RecordID?
  /// The version of the record, new at every save; `nil` before the first.
  public package(set) var changeTag: String?
  /// The record this one belongs to in a sharing hierarchy.
  public var parent: Reference?
  /// The share this record takes part in.
  public package(set) var share: Reference?
  /// Whether it was fetched with some of its fields only; saving it then keeps the others.
  package var isPartial = false
  private var names: [String]
  private var values: [FieldValue]

  /// The number of fields that have a value.
  public var fieldCount: Int { names.count }

  /// The names of the fields that have a value, in the order they were first set (for a record that a database
  /// returned, the order of its type).
  public var fieldNames: [String] { names }

  /// The fields and their values, in the order of ``fieldNames``.
  public var fields: [(name: String, value: FieldValue)] { zip(names, values).map { ($0, $1) } }

  /// The value of a field; setting `nil` removes it. Complexity: linear in the number of fields, of which a type
  /// has at most a few hundred.
  public subscript(name: String) -> FieldValue? {
    get { position(of: name).map { values[$0] } }
    set {
      switch (position(of: name), newValue) {
      case (let position?, let value?): values[position] = value
      case (let position?, nil):
        names.remove(at: position)
        values.remove(at: position)
      case (nil, let value?): append(value, to: name)
      case (nil, nil): break
      }
    }
  }

  /// The name of a field, by its place in ``fieldNames``.
  func name(at index: Int) -> String { names[index] }

  /// The value of a field, by its place in ``fieldNames``.
  func value(at index: Int) -> FieldValue { values[index] }

  /// Whether it refers to any other record.
  var holdsReferences: Bool {
    if parent != nil || share != nil { return true }
    for index in values.indices {
      switch values[index] {
      case .reference, .referenceList: return true
      default: break
      }
    }
    return false
  }

  /// Gives the field at a place another value. (Inlined into a loop it would make sure of its array, which copies it,
  /// before the loop knows whether any value is replaced.)
  @inline(never)
  mutating func replaceValue(at index: Int, with value: FieldValue) { values[index] = value }

  /// Takes away all fields but some.
  mutating func keepFields(_ keys: [String]) {
    if keys.isEmpty {
      (names, values) = ([], [])
      return
    }
    let wanted = Set(keys.map(ByteKey.init))
    for index in names.indices.reversed() where !wanted.contains(ByteKey(names[index])) {
      names.remove(at: index)
      values.remove(at: index)
    }
  }

  /// Adds a field that the record is known not to have yet.
  mutating func append(_ value: FieldValue, to name: String) {
    names.append(name)
    values.append(value)
  }

  private func position(of name: String) -> Int? {
    names.firstIndex { sameBytes($0, name) }
  }

  /// Whether ID, type, fields (in any order) and system fields are the same.
  public static func == (left: Record, right: Record) -> Bool {
    left.recordID == right.recordID && sameBytes(left.recordType, right.recordType)
      && left.creationDate == right.creationDate && left.modificationDate == right.modificationDate
      && left.creatorUserRecordID == right.creatorUserRecordID
      && left.lastModifiedUserRecordID == right.lastModifiedUserRecordID
      && sameBytes(left.changeTag, right.changeTag) && left.parent == right.parent
      && left.share == right.share && left.hasSameFields(as: right)
  }

  /// Whether the fields and their values are the same, in any order.
  func hasSameFields(as other: Record) -> Bool {
    fieldCount == other.fieldCount && zip(names, values).allSatisfy { other[$0] == $1 }
  }

  /// Feeds the ID and the change tag.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recordID)
    if let changeTag { hashBytes(changeTag, into: &hasher) }
  }

  /// The value of a system field, as predicates and sorts see it.
  public func systemValue(_ field: SystemField) -> FieldValue? {
    switch field {
    case .recordID: .reference(Reference(recordID))
    case .creationDate: creationDate.map { .timestamp($0) }
    case .modificationDate: modificationDate.map { .timestamp($0) }
    case .creatorUserRecordID: creatorUserRecordID.map { .reference(Reference($0)) }
    case .lastModifiedUserRecordID: lastModifiedUserRecordID.map { .reference(Reference($0)) }
    case .parent: parent.map { .reference($0) }
    case .share: share.map { .reference($0) }
    case .changeTag: changeTag.map { .string($0) }
    }
  }
}

extension Record {
  /// Creates a record without fields.
  public init(recordType: String, recordID: RecordID) {
    self.init(recordID: recordID, recordType: recordType, names: [], values: [])
  }

  /// Creates a record that a database keeps, with a value for each name.
  init(
    recordType: String, recordID: RecordID, names: [String], values: [FieldValue], isPartial: Bool,
    creationDate: Timestamp?, modificationDate: Timestamp?, creatorUserRecordID: RecordID?,
    lastModifiedUserRecordID: RecordID?, changeTag: String?, parent: Reference?, share: Reference?
  ) {
    self.init(
      recordID: recordID, recordType: recordType, creationDate: creationDate, modificationDate: modificationDate,
      creatorUserRecordID: creatorUserRecordID, lastModifiedUserRecordID: lastModifiedUserRecordID,
      changeTag: changeTag, parent: parent, share: share, isPartial: isPartial, names: names, values: values)
  }
}
