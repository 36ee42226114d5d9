/// What an index of a table is on, bound to the table's fields.
final class IndexShape: Sendable {
  enum Kind: Sendable, Hashable {
    /// The values of one field, or of several together, in order.
    case ordered
    /// The members of a list.
    case members
    /// The records that a field refers to.
    case references
    /// The words of the searchable fields.
    case tokens
    /// The places of a field.
    case location

    /// Whether an index's entries are the slots that have a term.
    var isOfPostings: Bool {
      switch self {
      case .members, .references, .tokens: true
      case .ordered, .location: false
      }
    }
  }

  /// One field of an ordered index.
  struct Component: Sendable, Hashable {
    var field: FieldNumber
    var type: FieldType.Scalar
    /// Whether each member of a list has an entry.
    var isList: Bool
    /// The first of its words in the key.
    var word: Int
    /// How many words it takes.
    var wordCount: Int

    /// Whether entries are in the order of its values; those of lists and references are in the order of what stands for
    /// a member (``KeyEncoding/memberWord(_:)``) or a record (``KeyEncoding/recordWord(_:)``), which may be one word for
    /// several.
    var isInOrder: Bool { !isList && (type.isOrdered || isRecordName) }
    /// Whether it is of the records' own names: of their IDs, since a table's are of one zone.
    var isRecordName: Bool { IndexShape.isRecordName(field) }
  }

  let name: String
  let kind: Kind
  let components: [Component]
  /// Whether the schema asks for it.
  let isSchemas: Bool
  let wordCount: Int
  /// The first field.
  let field: FieldNumber
  /// The fields, for finding their texts.
  let fields: SIMD4<Int32>
  private let fieldSet: FieldSet

  var isCompound: Bool { components.count > 1 }

  /// Whether another says what the same index is on, now or in another version of the type. The index of words may have
  /// the name of a field's.
  func isSameIndex(as other: IndexShape) -> Bool {
    (kind == .tokens) == (other.kind == .tokens) && sameBytes(name, other.name)
  }

  /// Whether any of its fields is in a set.
  func isOn(_ fields: FieldSet) -> Bool { fieldSet.intersects(fields) }

  private init(name: String, kind: Kind, components: [Component], isSchemas: Bool) {
    self.name = name
    self.kind = kind
    self.components = components
    self.isSchemas = isSchemas
    wordCount = components.reduce(0) { $0 + $1.wordCount }
    field = components[0].field
    var fields = SIMD4<Int32>.zero
    for (position, component) in components.prefix(4).enumerated() { fields[position] = Int32(component.field) }
    self.fields = fields
    var fieldSet = FieldSet()
    for component in components { fieldSet.insert(component.field) }
    self.fieldSet = fieldSet
  }

  /// Stands for the table of record names, which every table has.
  static let recordName = IndexShape(
    name: SystemField.recordID.key, kind: .references,
    components: [component(FieldNumber(.recordID), SystemField.recordID.type, 0)], isSchemas: true)

  /// Whether a field is the record's ID, of which an index of a zone's records has the names.
  private static func isRecordName(_ field: FieldNumber) -> Bool { field == FieldNumber(.recordID) }

  /// The index of one field; nil where its type has none.
  convenience init?(_ field: FieldNumber, _ layout: FieldLayout, isSchemas: Bool) {
    let type = layout.type(of: field)
    let kind: Kind
    switch (type.scalar, type.isList) {
    case (.bytes, _), (.asset, _), (.location, true): return nil
    case _ where IndexShape.isRecordName(field): kind = .ordered
    case (_, true): kind = .members
    case (.reference, false): kind = .references
    case (.location, false): kind = .location
    default: kind = .ordered
    }
    self.init(
      name: layout.name(of: field), kind: kind, components: [IndexShape.component(field, type, 0)],
      isSchemas: isSchemas)
  }

  private static func component(_ field: FieldNumber, _ type: FieldType, _ word: Int) -> Component {
    Component(
      field: field, type: type.scalar, isList: type.isList, word: word,
      wordCount: type.scalar == .string && !type.isList || isRecordName(field) ? 2 : 1)
  }

  /// The index of the words of all searchable fields; nil where there are none.
  convenience init?(tokensOf layout: FieldLayout) {
    let fields = layout.searchable
    if fields.isEmpty { return nil }
    self.init(
      name: "allTokens", kind: .tokens,
      components: fields.map { IndexShape.component($0, layout.type(of: $0), 0) }, isSchemas: true)
  }

  /// The indexes that a definition may mean, which is one; where a field is called `allTokens`, too, the words' index and
  /// then that field's.
  ///
  /// - Throws: `invalidSchema` where a key is no field, or none that can stand there, and where words are asked for of a
  ///   type that has no searchable field.
  static func named(_ definition: IndexDefinition, _ layout: FieldLayout) throws(ZoneQueryError) -> [IndexShape] {
    guard sameBytes(definition.name, "allTokens") else { return [try make(definition, layout)] }
    let hasField = layout.number(of: "allTokens") != nil
    if let words = IndexShape(tokensOf: layout) {
      if hasField, let field = try? make(definition, layout) { return [words, field] }
      return [words]
    }
    if hasField { return [try make(definition, layout)] }
    throw ZoneQueryError(
      .schema, .invalidSchema, "There can be no index \(definition.excerpt): no field of the type is SEARCHABLE",
      hint: "allTokens are the words of the SEARCHABLE fields")
  }

  /// The index of fields that a definition asks for.
  ///
  /// - Throws: `invalidSchema` where a key is no field, or none that can stand there.
  static func make(_ definition: IndexDefinition, _ layout: FieldLayout) throws(ZoneQueryError) -> IndexShape {
    func refuse(_ reason: String, hint: String? = nil) -> ZoneQueryError {
      ZoneQueryError(.schema, .invalidSchema, "There can be no index \(definition.excerpt): \(reason)", hint: hint)
    }
    guard !definition.keys.isEmpty else { throw refuse("it has no keys") }
    var components: [Component] = []
    var word = 0
    for (position, key) in definition.keys.enumerated() {
      guard let field = layout.number(of: key) else {
        throw refuse(
          "'\(SyntaxError.excerpt(key))' is no field of the type that can be indexed",
          hint: Binder.suggestion(for: key, in: layout.recordType))
      }
      if components.contains(where: { $0.field == field }) { throw refuse("'\(key)' stands in it twice") }
      let type = layout.type(of: field)
      let definition_ =
        field < FieldLayout.systemCount ? nil : layout.recordType.fields[field - FieldLayout.systemCount]
      if definition_?.isEncrypted == true { throw refuse("'\(key)' is encrypted") }
      if definition.keys.count == 1 {
        guard let shape = IndexShape(field, layout, isSchemas: false) else {
          throw refuse("'\(key)' is \(type), which has no order and no equality")
        }
        return shape
      }
      let isRecordName = isRecordName(field)
      if isRecordName, position < definition.keys.count - 1 {
        throw refuse("'\(key)' stands before other keys", hint: "no two records have one name: it is the last key")
      }
      let mayStand =
        position == 0 ? type.scalar.isOrdered || type.scalar == .reference : type.scalar.isOrdered && !type.isList
      guard isRecordName || mayStand else {
        throw refuse(
          "'\(key)' is \(type)",
          hint: position == 0
            ? "the first key is a STRING, INT64, DOUBLE, TIMESTAMP or REFERENCE, or a list of such"
            : "keys behind the first are STRING, INT64, DOUBLE or TIMESTAMP, and the last may be recordID")
      }
      components.append(IndexShape.component(field, type, word))
      word += components[components.count - 1].wordCount
    }
    if word > 4 {
      throw refuse(
        "its keys are longer than an index has room for",
        hint: "two texts fit, a text and two others, or four others, where recordID is a text and a list a member of it"
      )
    }
    let names = components.map { layout.name(of: $0.field) }
    return IndexShape(
      name: names.joined(separator: ", "), kind: .ordered, components: components, isSchemas: false)
  }

  /// The indexes that a record type's schema asks for.
  static func all(of layout: FieldLayout) -> [IndexShape] {
    var shapes: [IndexShape] = []
    for field in SystemField.allCases where field != .changeTag {
      let kinds = layout.recordType.indexes(of: field)
      // Records are found by their names without one.
      if field == .recordID ? !kinds.contains(.sortable) : kinds.isEmpty { continue }
      if let shape = IndexShape(FieldNumber(field), layout, isSchemas: true) { shapes.append(shape) }
    }
    for (position, field) in layout.recordType.fields.enumerated() where !field.isEncrypted {
      if field.indexes.isDisjoint(with: [.queryable, .sortable]) { continue }
      if let shape = IndexShape(.position(position), layout, isSchemas: true) { shapes.append(shape) }
    }
    if let tokens = IndexShape(tokensOf: layout) { shapes.append(tokens) }
    return shapes
  }
}
