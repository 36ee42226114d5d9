/// What a record holds that was made by its parts: every property of a ``Record``, and its fields.
struct RecordFields: Sendable {
  let recordID: RecordID
  let recordType: String
  var creationDate: Timestamp?
  var modificationDate: Timestamp?
  var creatorUserRecordID: RecordID?
  var lastModifiedUserRecordID: RecordID?
  var changeTag: String?
  var parent: Reference?
  var share: Reference?
  var isPartial = false
  /// What was taken away since the record was made, fetched or saved.
  private(set) var removed = Removals()
  var origin = Origin.made
  /// The names of the fields, in the order of their values.
  private(set) var places = NamePlaces()
  private(set) var values: [FieldValue] = []

  var names: [String] { places.names }

  /// What goes where a record is saved over a stored one whose other fields stay.
  struct Removals: Sendable {
    /// The names of fields, known to the record's type or not.
    fileprivate(set) var names: Set<ByteKey> = []
    fileprivate(set) var hasParent = false
  }

  /// Where a record's parts come from.
  enum Origin: Sendable {
    /// From whoever made the record.
    case made
    /// They are as a database stored them.
    case stored
    /// They are those of a record as a database had it, and what was changed since.
    case changed(RecordContent)
  }

  init(recordID: RecordID, recordType: String) {
    self.recordID = recordID
    self.recordType = recordType
  }

  /// Gives a field a value, or takes it away.
  mutating func set(_ value: consuming FieldValue?, of name: String) {
    guard let value = consume value else { return remove(name) }
    if let position = places.position(of: name) {
      values[position] = value
    } else {
      append(value, to: name)
    }
    if !removed.names.isEmpty { removed.names.remove(ByteKey(name)) }
  }

  private mutating func remove(_ name: String) {
    if let position = places.position(of: name) {
      places.remove(at: position)
      values.remove(at: position)
    }
    removed.names.insert(ByteKey(name))
  }

  /// Gives the record a parent, or takes it away, which is more than having none.
  mutating func change(parent reference: Reference?) {
    parent = reference
    removed.hasParent = reference == nil
  }

  /// Says that the record is as a database has it now.
  mutating func settle() { (removed, origin) = (Removals(), .stored) }

  /// Whether any of some values refers to another record.
  static func anyRefers(_ values: [FieldValue]) -> Bool {
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
      (values, places) = ([], NamePlaces())
      return
    }
    let wanted = Set(keys.map(ByteKey.init))
    let names = names
    let kept = names.indices.filter { wanted.contains(ByteKey(names[$0])) }
    values = kept.map { values[$0] }
    places = NamePlaces()
    for place in kept { places.append(names[place]) }
  }

  /// Adds a field that the record is known not to have yet.
  mutating func append(_ value: consuming FieldValue, to name: String) {
    places.append(name)
    values.append(value)
  }
}

/// The names of a record's fields, each at the place of its value.
struct NamePlaces: Sendable {
  private(set) var names: [String] = []
  /// The places of the names, once there are many; none behind the removal of one until the next comes.
  private var byName: [ByteKey: Int] = [:]

  /// As many names as it takes for looking one up to be sooner done than going through them.
  private static let many = 64

  /// Adds a name that is known not to be there.
  mutating func append(_ name: String) {
    names.append(name)
    if names.count < NamePlaces.many { return }
    if byName.isEmpty {
      for (place, name) in names.enumerated() { byName[ByteKey(name)] = place }
    } else {
      byName[ByteKey(name)] = names.count - 1
    }
  }

  mutating func remove(at place: Int) {
    names.remove(at: place)
    if !byName.isEmpty { byName = [:] }
  }

  /// The place of a name. Complexity: constant where there are many, else linear in them.
  func position(of name: String) -> Int? {
    if !byName.isEmpty { return byName[ByteKey(name)] }
    for place in names.indices where isIdentical(names[place], name) { return place }
    // A new name is mostly told from the others by its length.
    let count = name.utf8.count
    for place in names.indices where names[place].utf8.count == count && sameBytes(names[place], name) { return place }
    return nil
  }
}
