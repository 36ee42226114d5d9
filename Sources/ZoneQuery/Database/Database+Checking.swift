extension Database {
  static func invalid(_ message: String, _ record: Record, hint: String? = nil) -> ZoneQueryError {
    ZoneQueryError(.record, .invalidRecord, message, hint: hint, recordID: record.recordID)
  }

  /// A value that no field can have.
  static func unstorable(_ fault: String, in name: String, _ record: Record) -> ZoneQueryError {
    invalid("Field '\(SyntaxError.excerpt(name))': \(fault)", record)
  }

  static func unknownItem(_ id: RecordID, hint: String? = nil) -> ZoneQueryError {
    ZoneQueryError(
      .database, .unknownItem, "There is no record '\(SyntaxError.excerpt("\(id)"))'", hint: hint, recordID: id)
  }

  /// An item was undone, as another of its batch failed.
  static func batchFailed(_ id: RecordID, because other: RecordID?) -> ZoneQueryError {
    let name = other.map { ", '\(SyntaxError.excerpt($0.recordName))'," } ?? ""
    return ZoneQueryError(
      .database, .batchRequestFailed,
      "Another item of the same batch\(name) failed, and a custom zone commits all or none", recordID: id)
  }

  /// A record cannot be put in place of one of another type.
  static func typeDiffers(_ record: Record, from type: String) -> ZoneQueryError {
    invalid(
      "The zone has a record '\(SyntaxError.excerpt("\(record.recordID)"))' of type '\(type)', and this one is of "
        + "'\(SyntaxError.excerpt(record.recordType))'; a record's type cannot change", record)
  }

  /// A record's own name and its type's.
  func checkNames(_ record: Record, mayBeServerGiven: Bool = false) throws(ZoneQueryError) {
    let fault = RecordID.nameFault(
      record.recordName, limit: configuration.limits.nameLength, mayBeServerGiven: mayBeServerGiven)
    if let fault {
      throw Database.invalid("The record cannot be named so: \(fault)", record)
    }
    if let fault = Database.typeNameFault(record.recordType, limit: configuration.limits.nameLength) {
      throw Database.invalid(fault, record)
    }
  }

  /// What is wrong with the name of a record type, of at most so many characters; nil where nothing is.
  static func typeNameFault(_ name: String, limit: Int) -> String? {
    if !withUTF8(of: name, { SchemaReader.isIdentifier($0) }) {
      return "'\(SyntaxError.excerpt(name))' is no record type: a letter of ASCII, then letters, digits and _"
    }
    if name.utf8.count <= limit { return nil }
    return "'\(SyntaxError.excerpt(name))' is too long for a record type: it has at most \(limit) characters"
  }

  /// Brings a record's values to the types of its schema, which in development learns what it does not know yet.
  func conform(
    _ record: inout Record, to schema: inout Schema
  ) throws(ZoneQueryError) -> (type: RecordType, fit: RecordFit) {
    var type: RecordType
    if let known = schema[record.recordType] {
      if let fit = try known.fit(&record) { return (known, fit) }
      type = known
    } else {
      guard environment == .development else {
        throw Database.invalid(
          "Did not find record type: '\(SyntaxError.excerpt(record.recordType))'", record,
          hint: schema.recordTypes.isEmpty
            ? "in production no record type is learned: give the database a schema, or take the environment .development"
            : schema.suggestion(forType: record.recordType))
      }
      let most = SchemaTextOptions().recordTypes
      if schema.recordTypes.count >= most {
        throw ZoneQueryError(
          .record, .limitExceeded,
          "The database has \(schema.recordTypes.count) record types, and learns no more than \(most)",
          recordID: record.recordID)
      }
      type = RecordType(record.recordType, systemFields: Database.inferredSystemFields)
    }
    for field in record.fields {
      if try type.takes(field.value, in: field.name, of: record) { continue }
      if let fault = FieldDefinition.nameFault(field.name) { throw Database.invalid(fault, record) }
      guard environment == .development else {
        throw Database.invalid(
          "Cannot create or modify field '\(SyntaxError.excerpt(field.name))' in record '\(type.name)' in production schema",
          record, hint: Binder.suggestion(for: field.name, in: type, allowsSystemFields: false))
      }
      if type.fields.count >= configuration.limits.mostFields {
        throw ZoneQueryError(
          .record, .limitExceeded,
          "Type '\(type.name)' would have more than \(type.fields.count) fields, which are the most a type can have",
          hint: "keep some in records of another type, or raise Limits.fieldsPerType", recordID: record.recordID)
      }
      type.define(FieldDefinition(field.name, field.value.type, .inferred(for: field.value.type)))
    }
    schema[type.name] = type
    return (type, try type.fit(&record) ?? RecordFit())
  }

  /// The record, with what stays of the stored one, is not too large.
  func checkSize(
    _ record: Record, _ fit: RecordFit, keepingOthersOf stored: StoredRow?
  ) throws(ZoneQueryError) {
    let limit = min(configuration.limits.recordSize, 1 << 30)
    var size = 64 + fit.size
    if let stored {
      // That counts what is replaced as well, so that records near the limit are looked at more closely.
      if size + stored.mostBytes <= limit { return }
      size += stored.bytes(but: fit.decided)
    }
    if size > limit {
      throw ZoneQueryError(
        .record, .limitExceeded,
        "The record has about \(size) bytes; a record has at most \(limit) without assets",
        hint: "keep what is large in a file, of which the record has an Asset, or raise Limits.recordSize",
        recordID: record.recordID)
    }
  }

  private static let inferredSystemFields: [RecordType.SystemFieldIndex] = [
    .recordID, .creationDate, .modificationDate, .creatorUserRecordID, .lastModifiedUserRecordID,
  ].map { RecordType.SystemFieldIndex($0, [.queryable, .sortable]) }

  /// The names in a record's references can be encoded, and references stay within their zone.
  func checkReferencedIDs(_ record: Record) throws(ZoneQueryError) {
    func check(_ name: String, _ reference: Reference) throws(ZoneQueryError) {
      if let fault = reference.recordID.encodingFault {
        throw Database.invalid("Field '\(SyntaxError.excerpt(name))': \(fault)", record)
      }
      if reference.recordID.zoneID == record.zoneID { return }
      throw ZoneQueryError(
        .record, .referenceViolation,
        "Field '\(SyntaxError.excerpt(name))' refers to '\(SyntaxError.excerpt("\(reference.recordID)"))' in another "
          + "zone; references stay within one zone",
        recordID: record.recordID)
    }
    for field in record.fields {
      switch field.value {
      case .reference(let reference): try check(field.name, reference)
      case .referenceList(let list): for reference in list { try check(field.name, reference) }
      default: break
      }
    }
    /// What is no field, whose bytes count, has the name of a record that there can be.
    func checkWhole(_ name: String, _ reference: Reference) throws(ZoneQueryError) {
      try check(name, reference)
      if let fault = RecordID.nameFault(
        reference.recordID.recordName, limit: configuration.limits.nameLength, mayBeServerGiven: true)
      {
        throw Database.invalid("The \(name) is no record: \(fault)", record)
      }
    }
    if let parent = record.parent {
      try checkWhole("parent", parent)
      if parent.action == .deleteSelf {
        throw Database.invalid(
          "The parent is referred to by .deleteSelf; a parent takes its children along only where a field refers to it so",
          record)
      }
    }
    if let share = record.share { try checkWhole("share", share) }
  }

  /// References stay within their zone, a parent exists and so does what is referred to by `.validate`, and no record is the
  /// target of too many cascades. All others may dangle, as CloudKit has it (CKModifyRecordsOperation).
  ///
  /// - Returns: What has to be there.
  func checkReferences(
    _ record: Record, over place: ZoneState.Place, companions: inout Companions, in state: inout ZoneState
  ) throws(ZoneQueryError) -> [RequiredTarget] {
    try checkReferencedIDs(record)
    let targets = RequiredTarget.all(of: record)
    for target in targets where !state.contains(target.recordName) && !companions.contains(target.recordName) {
      throw Database.missing(target, of: record)
    }
    try checkCascades(of: record, over: place, in: &state)
    return targets
  }

  /// No record is the target of more `.deleteSelf` references than the limit, those of one record counted each.
  private func checkCascades(
    of record: Record, over place: ZoneState.Place, in state: inout ZoneState
  ) throws(ZoneQueryError) {
    let limit = configuration.limits.cascadingReferences
    func check(_ target: RecordID, _ count: Int) throws(ZoneQueryError) {
      if count <= limit { return }
      throw ZoneQueryError(
        .record, .limitExceeded,
        "'\(SyntaxError.excerpt("\(target)"))' would be the target of \(count) .deleteSelf references; it can be that of \(limit)",
        recordID: record.recordID)
    }
    let own = CascadeTargets(of: record)
    var doubtful: [[UInt8]: Int] = [:]
    for target in own.targets {
      // Only where it is not known beforehand that there is room for all are the references themselves counted.
      if target.count + state.mostCascadingReferences(to: target.encoded) > limit { doubtful[target.encoded] = 0 }
    }
    if doubtful.isEmpty { return }
    state.learnCascadingReferences(to: doubtful)
    if place.isFound { state.tables[place.table].countCascadingReferences(place.slot, to: &doubtful) }
    for target in own.targets {
      // One that makes the references no more is taken though a load stored more of them than may be.
      guard let replaced = doubtful[target.encoded], target.count > replaced else { continue }
      try check(target.recordID, target.count + state.cascadingReferences(to: target.encoded) - replaced)
    }
  }
}

/// The records whose deletion deletes another, in the order of that one's references, and how many each has.
struct CascadeTargets {
  private(set) var targets: [(recordID: RecordID, encoded: [UInt8], count: Int)] = []
  private var places: [[UInt8]: Int] = [:]

  init(of record: Record) {
    for field in record.fields {
      switch field.value {
      case .reference(let reference): add(reference)
      case .referenceList(let references): for reference in references { add(reference) }
      default: break
      }
    }
  }

  private mutating func add(_ reference: Reference) {
    guard reference.action == .deleteSelf else { return }
    let encoded = reference.recordID.encoded
    if let place = places[encoded] {
      targets[place].count += 1
    } else {
      places[encoded] = targets.count
      targets.append((reference.recordID, encoded, 1))
    }
  }
}

extension IndexKinds {
  /// Every index a field of a type can have: what development gives a new field.
  static func inferred(for type: FieldType) -> IndexKinds {
    var kinds: IndexKinds = []
    if type.isQueryable { kinds.insert(.queryable) }
    if type.isSortable { kinds.insert(.sortable) }
    if type.scalar == .string { kinds.insert(.searchable) }
    return kinds
  }
}
