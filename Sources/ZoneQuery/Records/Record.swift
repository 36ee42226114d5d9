/// A record: its ID, its type, its fields, and what the system knows of it.
///
/// ```swift
/// var record = Record(recordType: "Event", recordName: "keynote")
/// record["title"] = "Maps of the sea"
/// record["capacity"] = 120
/// record["city"] = .string(city)   // of a variable: its type is said
/// record["capacity"]          // .int64(120)
/// record["capacity"] = nil    // removes the field
/// ```
///
/// Differs from `CKRecord`: a value type; two copies are independent. Of its changes it knows which fields were set to nil,
/// and what the record was when a database gave it; neither plays a part in equality.
///
/// A record that a database returned holds a copy of what is stored, and makes a value, with its strings, each time it
/// is asked for one; whoever needs a text often keeps the text. Records of an answer that follow one another share the
/// memory of their copies, up to some eight kilobytes (those longer than half of that have theirs alone), which goes when
/// the last of those that share it does. Changing such a record makes all its values once; the copy stays, for telling a
/// conflict's ancestor (``ZoneQueryError/Conflict/ancestorRecord``).
public struct Record: Sendable, Hashable {
  private(set) var content: RecordContent

  /// Creates a record without fields.
  public init(recordType: String, recordID: RecordID) {
    content = RecordContent(RecordFields(recordID: recordID, recordType: recordType))
  }

  /// Creates a record that is stored at a place of a block.
  init(_ block: RecordBlock, _ start: Int) { content = RecordContent(block, start) }

  // MARK: The record itself

  /// The record's ID; a record created without a name has a fresh UUID for one.
  public var recordID: RecordID { content.recordID }

  /// The zone of the record's ID.
  var zoneID: ZoneID { content.zoneID }
  var recordName: String { content.recordName }

  /// The name of the record's type.
  public var recordType: String { content.recordType }

  /// When the record was first saved; `nil` before.
  public package(set) var creationDate: Timestamp? {
    get { content.creationDate }
    set { content.ownFields.creationDate = newValue }
  }

  /// When the record was last saved; `nil` before.
  public package(set) var modificationDate: Timestamp? {
    get { content.modificationDate }
    set { content.ownFields.modificationDate = newValue }
  }

  /// The user who first saved it; `nil` before.
  public package(set) var creatorUserRecordID: RecordID? {
    get { content.creatorUserRecordID }
    set { content.ownFields.creatorUserRecordID = newValue }
  }

  /// The user who last saved it; `nil` before.
  public package(set) var lastModifiedUserRecordID: RecordID? {
    get { content.lastModifiedUserRecordID }
    set { content.ownFields.lastModifiedUserRecordID = newValue }
  }

  /// The version of the record, new at every save; `nil` before the first.
  public package(set) var changeTag: String? {
    get { content.changeTag }
    set { content.ownFields.changeTag = newValue }
  }

  /// The record this one belongs to in a sharing hierarchy. It has to be there, or be saved with this one, and takes
  /// nothing along where it is deleted: a parent that is referred to by `.deleteSelf` is refused. Children whose parent was
  /// deleted stay, and are saved again when their parent is set to nil or to one that is there.
  public var parent: Reference? {
    get { content.parent }
    set { content.ownFields.change(parent: newValue) }
  }

  /// The share this record takes part in.
  public package(set) var share: Reference? {
    get { content.share }
    set { content.ownFields.share = newValue }
  }

  /// Whether it was fetched with some of its fields only; saving it then keeps the others.
  package var isPartial: Bool {
    get { content.isPartial }
    set { content.ownFields.isPartial = newValue }
  }

  // MARK: Fields

  /// The number of fields that have a value.
  public var fieldCount: Int { content.fieldCount }

  /// The names of the fields that have a value, in the order they were first set (for a record that was fetched or found,
  /// the order of its type; a save returns the order of the record that was saved).
  public var fieldNames: [String] { content.fieldNames }

  /// The fields and their values, in the order of ``fieldNames``.
  public var fields: [(name: String, value: FieldValue)] {
    zip(content.fieldNames, content.fieldValues).map { ($0, $1) }
  }

  /// The value of a field; setting `nil` removes it. Complexity: linear in the number of fields, constant where there are
  /// many; removing one is linear.
  public subscript(name: String) -> FieldValue? {
    get { content.value(name) }
    set { content.ownFields.set(newValue, of: name) }
  }

  // MARK: Saving

  /// The record as a database gave it before it was changed, or as it is where it was not; nil where none did.
  var ancestor: Record? { content.ancestor.map { Record($0) } }

  /// Whether it was changed since a database gave it, to the same values perhaps.
  var isChanged: Bool { content.isChanged }

  private init(_ content: RecordContent) { self.content = content }

  /// What was taken away since the record was made, fetched or saved.
  var removed: RecordFields.Removals { content.removed }

  /// Says that the record is as the database that is about to return it has it.
  mutating func settle() { content.ownFields.settle() }

  /// Makes all values of a record that a database returned, so that asking for them by their places costs little.
  mutating func makeValues() {
    if content.isCopied { content.makeOwn() }
  }

  /// The name of a field, by its place in ``fieldNames``.
  func name(at index: Int) -> String { content.name(at: index) }

  /// The value of a field, by its place in ``fieldNames``.
  func value(at index: Int) -> FieldValue { content.value(at: index) }

  /// Whether it refers to any other record.
  var holdsReferences: Bool { content.holdsReferences }

  /// Gives the field at a place another value.
  mutating func replaceValue(at index: Int, with value: FieldValue) {
    content.ownFields.replaceValue(at: index, with: value)
  }

  /// Takes away all fields but some.
  mutating func keepFields(_ keys: [String]) { content.ownFields.keepFields(keys) }

  /// Takes away what is as the database gave it: the fields that are no other than they were, parent and share. Of a record
  /// that no database gave everything is a change.
  mutating func keepChanges() {
    guard let ancestor else { return }
    content.ownFields.keepFields(changedFields)
    if parent == ancestor.parent { content.ownFields.parent = nil }
    if share == ancestor.share { share = nil }
  }

  /// Adds a field that the record is known not to have yet.
  mutating func append(_ value: consuming FieldValue, to name: String) { content.ownFields.append(value, to: name) }

  // MARK: Comparing

  /// Whether ID, type, fields (in any order) and system fields are the same.
  public static func == (left: Record, right: Record) -> Bool {
    if left.content.isCopied, right.content.isCopied,
      left.content.block.isSame(left.content.start, right.content.block, right.content.start)
    {
      return true
    }
    return left.recordID == right.recordID && sameBytes(left.recordType, right.recordType)
      && left.creationDate == right.creationDate && left.modificationDate == right.modificationDate
      && left.creatorUserRecordID == right.creatorUserRecordID
      && left.lastModifiedUserRecordID == right.lastModifiedUserRecordID
      && sameBytes(left.changeTag, right.changeTag) && left.parent == right.parent
      && left.share == right.share && left.hasSameFields(as: right)
  }

  /// Whether the fields and their values are the same, in any order, whatever the IDs, types and system fields are: what a test
  /// compares a saved record by, which has a change tag and dates of its own.
  ///
  /// ```swift
  /// let talk = Record(recordType: "Session", recordName: "keynote")
  /// try database.save(talk).hasSameFields(as: talk)   // true
  /// ```
  public func hasSameFields(as other: Record) -> Bool {
    fieldCount == other.fieldCount && fields.allSatisfy { other[$0.name] == $0.value }
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
