/// A field that every record has beside those of its type.
public enum SystemField: Int, Sendable, Hashable, CaseIterable {
  /// The record's ID; compared as a reference.
  case recordID
  /// When the record was first saved.
  case creationDate
  /// When it was last saved.
  case modificationDate
  /// The user who first saved it.
  case creatorUserRecordID
  /// The user who last saved it.
  case lastModifiedUserRecordID
  /// The record it belongs to in a sharing hierarchy, if any.
  case parent
  /// The share it takes part in, if any.
  case share
  /// The change tag. It has a name in schemas but is no key of predicates and sorts.
  case changeTag

  /// Whether it refers to a user.
  var isUser: Bool { self == .creatorUserRecordID || self == .lastModifiedUserRecordID }

  /// The name in predicates and sort descriptors, which take all but `changeTag`'s.
  public var key: String {
    switch self {
    case .recordID: "recordID"
    case .creationDate: "creationDate"
    case .modificationDate: "modificationDate"
    case .creatorUserRecordID: "creatorUserRecordID"
    case .lastModifiedUserRecordID: "lastModifiedUserRecordID"
    case .parent: "parent"
    case .share: "share"
    case .changeTag: "recordChangeTag"
    }
  }

  /// The name in schemas, also accepted as a key (but for `changeTag`'s); `nil` for those a schema does not mention.
  public var schemaName: String? {
    switch self {
    case .recordID: "___recordID"
    case .creationDate: "___createTime"
    case .modificationDate: "___modTime"
    case .creatorUserRecordID: "___createdBy"
    case .lastModifiedUserRecordID: "___modifiedBy"
    case .changeTag: "___etag"
    case .parent, .share: nil
    }
  }

  /// The type of the field's values.
  public var type: FieldType {
    switch self {
    case .creationDate, .modificationDate: .timestamp
    case .changeTag: .string
    case .recordID, .creatorUserRecordID, .lastModifiedUserRecordID, .parent, .share: .reference
    }
  }

  /// The field that a key of a predicate or sort descriptor names, under either of its names.
  package init?(key: String) {
    guard key.utf8.count <= 24 else { return nil }
    for field in SystemField.allCases where field != .changeTag {
      if sameBytes(field.key, key) || field.schemaName.map({ sameBytes($0, key) }) == true {
        self = field
        return
      }
    }
    return nil
  }

  /// The field of a name in a schema.
  package init?(schemaName: String) {
    guard schemaName.utf8.count <= 24 else { return nil }
    for field in SystemField.allCases where field.schemaName.map({ sameBytes($0, schemaName) }) == true {
      self = field
      return
    }
    return nil
  }
}
