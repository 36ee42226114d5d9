// An unsafe leaf: what a record refers to, which is one of two kinds of object.
//
// Invariant: `start` is negative where the object is a `RecordValues`; else it is a `RecordBlock`, and `start` the place
// of the record in it.
// Proof of Sendable: values are changed behind `makeOwn` alone, which makes sure that no other content refers to them; a
// block does not change once its records are handed out.

/// What the copies of a record share.
class RecordObject: @unchecked Sendable {}

/// The parts of a record that was made, that a save returned, or that was changed since a database returned it.
final class RecordValues: RecordObject, @unchecked Sendable {
  @exclusivity(unchecked) var fields: RecordFields

  init(_ fields: RecordFields) { unsafe self.fields = fields }
}

/// What a record holds: its parts, or the place where its values lie as they were stored.
struct RecordContent: Sendable {
  private var object: RecordObject
  /// The place of the record in its block; negative where it has parts.
  let start: Int

  init(_ fields: RecordFields) { self.init(RecordValues(fields)) }

  private init(_ values: RecordValues) {
    object = values
    start = -1
  }

  init(_ block: RecordBlock, _ start: Int) {
    object = block
    self.start = start
  }

  /// Whether it lies in a block.
  @inline(__always)
  var isCopied: Bool { start >= 0 }

  @inline(__always)
  private var values: RecordValues { unsafe unsafeDowncast(object, to: RecordValues.self) }

  /// The block of one that lies in one.
  @inline(__always)
  var block: RecordBlock { unsafe unsafeDowncast(object, to: RecordBlock.self) }

  /// The parts, to be changed: this content's alone from then on.
  @inline(__always)
  var ownFields: RecordFields {
    mutating get {
      makeOwn()
      return unsafe values.fields
    }
    _modify {
      makeOwn()
      yield unsafe &values.fields
    }
  }

  /// Makes parts of what lies in a block, is shared, or is as a database stored it.
  mutating func makeOwn() {
    if let stored {
      let values = unsafe isCopied ? RecordValues(block.fields(start)) : RecordValues(self.values.fields)
      unsafe values.fields.origin = .changed(stored)
      self = RecordContent(values)
    } else if !isKnownUniquelyReferenced(&object) {
      object = unsafe RecordValues(values.fields)
    }
  }

  /// This content, where it is as a database stored it.
  private var stored: RecordContent? {
    if isCopied { return self }
    if case .stored = unsafe values.fields.origin { return self }
    return nil
  }

  /// Whether it was changed since a database gave it.
  var isChanged: Bool {
    if !isCopied, case .changed = unsafe values.fields.origin { true } else { false }
  }

  /// The content that a database gave, before anything was changed; nil where none did.
  var ancestor: RecordContent? {
    if !isCopied, case .changed(let ancestor) = unsafe values.fields.origin { return ancestor }
    return stored
  }
}

// What a record says of itself, each part by itself: handed over together all would be copied.

extension RecordContent {
  var recordID: RecordID { isCopied ? block.recordID(start) : unsafe values.fields.recordID }

  /// The name of the record's ID, without a copy of the zone's.
  var recordName: String { isCopied ? block.recordName(start) : unsafe values.fields.recordID.recordName }

  /// The zone of the record's ID, without a copy of the name.
  var zoneID: ZoneID { isCopied ? block.shape.zoneID : unsafe values.fields.recordID.zoneID }

  /// Whether the record's ID is of a zone, without a copy of either.
  func isOf(_ zoneID: ZoneID) -> Bool {
    isCopied ? block.shape.zoneID == zoneID : unsafe values.fields.recordID.zoneID == zoneID
  }

  var recordType: String { isCopied ? block.recordType : unsafe values.fields.recordType }

  var creationDate: Timestamp? {
    isCopied ? block.moment(start, .creationDate) : unsafe values.fields.creationDate
  }

  var modificationDate: Timestamp? {
    isCopied ? block.moment(start, .modificationDate) : unsafe values.fields.modificationDate
  }

  var creatorUserRecordID: RecordID? {
    isCopied ? block.user(start, .creatorUserRecordID) : unsafe values.fields.creatorUserRecordID
  }

  var lastModifiedUserRecordID: RecordID? {
    isCopied ? block.user(start, .lastModifiedUserRecordID) : unsafe values.fields.lastModifiedUserRecordID
  }

  var changeTag: String? { isCopied ? block.changeTag(start) : unsafe values.fields.changeTag }

  var parent: Reference? { isCopied ? block.reference(start, .parent) : unsafe values.fields.parent }

  var share: Reference? { isCopied ? block.reference(start, .share) : unsafe values.fields.share }

  var removed: RecordFields.Removals { isCopied ? RecordFields.Removals() : unsafe values.fields.removed }

  var isPartial: Bool { isCopied ? block.isPartial : unsafe values.fields.isPartial }

  var fieldCount: Int { isCopied ? block.fieldCount(start) : unsafe values.fields.names.count }

  var fieldNames: [String] { isCopied ? block.fieldNames(start) : unsafe values.fields.names }

  /// The values of the fields, in the order of their names.
  var fieldValues: [FieldValue] { isCopied ? block.fieldValues(start) : unsafe values.fields.values }

  func value(_ name: String) -> FieldValue? {
    isCopied ? block.value(start, name) : ownValue(name)
  }

  /// As ``RecordBlock/index(_:_:)`` gives it; nil also where there is no block.
  @inline(__always)
  func index(_ name: String, _ type: FieldType) -> Int? { isCopied ? block.index(name, type) : nil }

  /// The value of a field of one that has parts.
  @inline(never)
  private func ownValue(_ name: String) -> FieldValue? {
    let places = unsafe values.fields.places
    return places.position(of: name).map { unsafe values.fields.values[$0] }
  }

  var holdsReferences: Bool {
    if isCopied { return block.holdsReferences(start) }
    if unsafe values.fields.parent != nil || values.fields.share != nil { return true }
    return unsafe RecordFields.anyRefers(values.fields.values)
  }

  /// The name of a field, by its place among the names. Complexity: constant for one that has parts, else linear.
  func name(at index: Int) -> String { isCopied ? fieldNames[index] : unsafe values.fields.names[index] }

  /// The value of a field, by its place among the names. Complexity: constant for one that has parts, else linear.
  func value(at index: Int) -> FieldValue { isCopied ? fieldValues[index] : unsafe values.fields.values[index] }
}
