extension SchemaReader {
  /// A field's type as it was read.
  private struct TypeSpelling {
    /// `nil` where the word is no type, which was reported.
    var type: FieldType?
    var isEncrypted = false
    var numberSpelling = FieldDefinition.NumberSpelling.plain
  }

  mutating func item(_ draft: inout SchemaTypeDraft) {
    if isAt(.grant), isAtReservedWord || following.isPermission {
      grant(&draft)
    } else {
      field(&draft)
    }
  }

  private mutating func field(_ draft: inout SchemaTypeDraft) {
    if diagnoseMisplacedWord() { return }
    let range = token.range
    guard let name = name("a field's name") else {
      skipItem()
      return
    }
    if let first = draft.places[ByteKey(name)] {
      report(
        "duplicateField", range, "The field \(excerpt(range)) is defined twice in one type.",
        hint: "The first definition is on line \(line(of: first)).")
    } else {
      draft.places[ByteKey(name)] = range
    }
    let typeRange = token.range
    guard let spelling = fieldType() else {
      skipItem()
      return
    }
    let indexes = indexes(of: spelling)
    guard let type = spelling.type else { return }
    if name.utf8.starts(with: "___".utf8) {
      defineSystemField(name, spelling, indexes, at: range, typeRange: typeRange, &draft)
      return
    }
    draft.fieldCount += 1
    if draft.fieldCount - 1 == max(options.fieldsPerType, 0) {
      report("tooManyFields", range, "A type has at most \(options.fieldsPerType) fields.")
    }
    guard draft.fieldCount <= options.fieldsPerType else { return }
    draft.type.define(
      FieldDefinition(
        name, type, indexes, isEncrypted: spelling.isEncrypted, numberSpelling: spelling.numberSpelling))
  }

  /// Reports a word of the language in capitals that stands where a field begins but means no name.
  private mutating func diagnoseMisplacedWord() -> Bool {
    guard isAtReservedWord, let word else { return false }
    if word.index != nil {
      report(
        "misplacedIndex", token.range, "\(excerpt(token.range)) stands behind a field's type, with no comma before it.",
        hint: "Remove the comma, or quote the word where it is a name.")
    } else if word.beginsType, case .word(let next) = following.kind, next?.beginsType != true {
      report(
        "typeBeforeName", token.range, "A field's name stands before its type.",
        hint: "Write \(excerpt(following.range)) \(excerpt(token.range)).")
    } else {
      return false
    }
    skipItem()
    return true
  }

  private mutating func defineSystemField(
    _ name: String, _ spelling: TypeSpelling, _ indexes: IndexKinds, at range: SourceRange, typeRange: SourceRange,
    _ draft: inout SchemaTypeDraft
  ) {
    guard let field = SystemField(schemaName: name) else {
      let names = SystemField.allCases.compactMap(\.schemaName)
      report(
        "unknownSystemField", range, "There is no system field \(excerpt(range)).",
        hint: SchemaWord.nearest(to: Array(name.utf8)[...], among: names).map { "Write \"\($0)\"." }
          ?? "The system fields are \(names.joined(separator: ", ")).")
      return
    }
    guard spelling.type == field.type, !spelling.isEncrypted else {
      report(
        "systemFieldType", typeRange, "The system field \(excerpt(range)) is of the type \(field.type).",
        hint: "Write \(field.type).")
      return
    }
    guard draft.type.systemFields.count < SystemField.allCases.count else { return }
    draft.type.systemFields.append(RecordType.SystemFieldIndex(field, indexes))
  }

  // MARK: Types

  private mutating func fieldType() -> TypeSpelling? {
    guard take(.list) else { return primitive() }
    guard take("<") else {
      report("expectedAngle", gap, "Expected < behind LIST, \(found).", hint: "Write LIST<STRING>, for example.")
      return nil
    }
    guard var spelling = primitive() else { return nil }
    guard take(">") else {
      report("expectedAngle", gap, "Expected > behind the type of the list's members, \(found).", hint: "Write > here.")
      return nil
    }
    spelling.type = spelling.type.map { .list($0.scalar) }
    return spelling
  }

  private mutating func primitive() -> TypeSpelling? {
    let range = token.range
    guard case .word(let word) = token.kind else {
      report("expectedFieldType", isAt(",") || isAt(")") ? gap : range, "Expected a type, \(found).", hint: Self.types)
      return nil
    }
    if let scalar = word?.scalar {
      advance()
      return TypeSpelling(type: FieldType(scalar))
    }
    switch word {
    case .encrypted:
      advance()
      return encrypted()
    case .number:
      advance()
      return number()
    case .list:
      report("listOfLists", range, "A list has no lists for members.")
      return nil
    case let word? where word.index != nil:
      report("expectedFieldType", gap, "Expected a type before \(excerpt(range)).", hint: Self.types)
      return TypeSpelling(type: nil)
    default:
      report(
        "unknownType", range, "There is no type \(excerpt(range)).",
        hint: SchemaWord.typeMeant(by: bytes(of: token)).map { "Write \($0)." } ?? Self.types)
      advance()
      skipTypeArguments()
      return TypeSpelling(type: nil)
    }
  }

  /// Passes over what other languages put behind a type, `(255)` or `<…>`, whose type was reported already.
  private mutating func skipTypeArguments() {
    for (opening, closing) in [("(", ")"), ("<", ">")] as [(Unicode.Scalar, Unicode.Scalar)] where take(opening) {
      if case .word = token.kind { advance() }
      _ = take(closing)
    }
  }

  private mutating func encrypted() -> TypeSpelling? {
    let range = token.range
    switch word {
    case .asset?, .reference?:
      report(
        "notEncryptable", range, "A field of the type \(excerpt(range)) cannot be ENCRYPTED.",
        hint: isAt(.asset) ? "CloudKit encrypts assets always: write ASSET." : "Write REFERENCE, or ENCRYPTED STRING.")
      advance()
      return TypeSpelling(type: nil)
    case .number?:
      report("notEncryptable", range, "NUMBER cannot be ENCRYPTED.", hint: "Write ENCRYPTED DOUBLE or ENCRYPTED INT64.")
      advance()
      _ = number()
      return TypeSpelling(type: nil)
    case .list?:
      report(
        "notEncryptable", range, "The members of a list are encrypted, not the list.", hint: "Write LIST<ENCRYPTED …>.")
      return nil
    case .encrypted?:
      report("notEncryptable", range, "ENCRYPTED stands once before a type.", hint: "Remove one.")
      return nil
    default:
      guard var spelling = primitive() else { return nil }
      spelling.isEncrypted = true
      return spelling
    }
  }

  private mutating func number() -> TypeSpelling? {
    guard take(.preferred) else { return TypeSpelling(type: .double, numberSpelling: .number) }
    if !take(.asWord) {
      report("expectedAs", gap, "Expected AS behind PREFERRED, \(found).", hint: "Write AS here.")
    }
    switch word {
    case .int64?, .double?:
      let type = word?.scalar.map { FieldType($0) }
      advance()
      return TypeSpelling(type: type, numberSpelling: .numberPreferred)
    default:
      report("preferredType", token.range, "Expected INT64 or DOUBLE behind PREFERRED AS, \(found).")
      if case .word(let other) = token.kind, other?.index == nil { advance() }
      return TypeSpelling(type: nil)
    }
  }

  private static let types =
    "The types are ASSET, BYTES, DOUBLE, INT64, LOCATION, REFERENCE, STRING, TIMESTAMP and LIST<…>."

  // MARK: Indexes

  /// Reads the indexes behind a type and judges each.
  private mutating func indexes(of spelling: TypeSpelling) -> IndexKinds {
    var indexes: IndexKinds = []
    while case .word(let word) = token.kind, !beginsItem, !beginsDefinition {
      let range = token.range
      if let index = word?.index {
        advance()
        guard let fault = Self.fault(of: index, spelling.type, isEncrypted: spelling.isEncrypted) else {
          indexes.formUnion(index)
          continue
        }
        if options.uselessIndexes == .refused {
          report("uselessIndex", range, fault.message, hint: fault.hint)
        }
        continue
      }
      report(
        "unknownIndex", range, "Expected an index, , or ), \(found).",
        hint: nearestHint(["QUERYABLE", "SORTABLE", "SEARCHABLE"])
          ?? "The indexes are QUERYABLE, SEARCHABLE and SORTABLE.")
      advance()
    }
    return indexes
  }

  /// Why an index can serve no query on a field of a type, if it cannot.
  static func fault(
    of index: IndexKinds, _ type: FieldType?, isEncrypted: Bool
  ) -> (message: String, hint: String)? {
    guard let type else { return nil }
    if isEncrypted {
      return ("An ENCRYPTED field has no index: the server cannot read its values.", "Remove the index or ENCRYPTED.")
    }
    let remove = "Remove the index."
    switch index {
    case .queryable where !type.isQueryable:
      return ("A field of the type \(type) cannot be QUERYABLE: no predicate takes it.", remove)
    case .searchable where type.scalar != .string:
      return ("A field of the type \(type) cannot be SEARCHABLE: only STRING and LIST<STRING> have words.", remove)
    case .sortable where type == .location:
      return (
        "A field of the type LOCATION cannot be SORTABLE: it sorts by distance, which QUERYABLE serves.",
        "Write QUERYABLE."
      )
    case .sortable where type.isList:
      return ("A field of the type \(type) cannot be SORTABLE: lists have no order.", remove)
    case .sortable where !type.isSortable:
      return ("A field of the type \(type) cannot be SORTABLE: it has no order.", remove)
    default: return nil
    }
  }

  // MARK: Grants

  private mutating func grant(_ draft: inout SchemaTypeDraft) {
    let start = token.range
    advance()
    var permissions: [RecordType.Grant.Permission] = []
    repeat {
      if let permission = permission() { permissions.append(permission) }
    } while take(",")
    guard take(.to) else {
      report("expectedTo", gap, "Expected TO and a role behind the rights, \(found).", hint: nearestHint(["TO"]))
      skipItem()
      return
    }
    let range = token.range
    guard let role = name("a role's name") else {
      skipItem()
      return
    }
    if role.utf8.first == UInt8(ascii: "_"), !Self.standingRoles.contains(where: { sameBytes($0, role) }) {
      report(
        "unknownRole", range, "There is no role \(excerpt(range)).",
        hint: SchemaWord.nearest(to: Array(role.utf8)[...], among: Self.standingRoles).map { "Write \"\($0)\"." }
          ?? "The roles that exist always are \"_creator\", \"_icloud\" and \"_world\".")
    }
    guard draft.type.grants.count < options.grantsPerType else {
      report("tooManyGrants", start, "A type has at most \(options.grantsPerType) grants.")
      return
    }
    draft.type.grants.append(RecordType.Grant(permissions, to: role))
  }

  private mutating func permission() -> RecordType.Grant.Permission? {
    if let permission = word?.permission {
      advance()
      return permission
    }
    let hint = nearestHint(["READ", "CREATE", "WRITE"]) ?? "The rights are READ, CREATE and WRITE."
    report("expectedPermission", token.range, "Expected a right, \(found).", hint: hint)
    if case .word(let word) = token.kind, word != .to { advance() }
    return nil
  }
}

extension SchemaToken {
  /// Whether the token is a right that a grant can give.
  fileprivate var isPermission: Bool {
    if case .word(let word?) = kind { return word.permission != nil }
    return false
  }
}
