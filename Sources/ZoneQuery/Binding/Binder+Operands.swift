extension Binder {
  /// One side of a comparison, as far as it decides the comparison's form.
  enum Operand {
    case constant(Literal, SourceSpan)
    case list([Literal], SourceSpan)
    /// A list with fields or computed values among its elements.
    indirect case mixedList([Operand], SourceSpan)
    case field(FieldHandle)
    case allTokens(SourceSpan)
    case selfReference(SourceSpan)
    /// The words of a `tokenize` call.
    case tokens([[UInt8]], SourceSpan)
    indirect case distance(FieldHandle, latitude: Double, longitude: Double, SourceSpan)
    indirect case computed(BoundExpression, ComputedKind, SourceSpan)
    /// A parameter whose value is not known yet.
    case parameter(SourceSpan)
    /// A fault was recorded.
    case failed

    var isConstant: Bool {
      switch self {
      case .constant, .list, .parameter: true
      default: false
      }
    }

    /// Whether it is one value, which is none of the predicate's own.
    var isOneValue: Bool {
      switch self {
      case .field, .computed, .distance: true
      default: false
      }
    }

    /// Whether it is a location, or a list with one.
    var holdsLocation: Bool {
      func isLocation(_ literal: Literal) -> Bool { if case .location = literal { true } else { false } }
      return switch self {
      case .constant(let literal, _): isLocation(literal)
      case .list(let literals, _): literals.contains(where: isLocation)
      default: false
      }
    }
  }

  mutating func operand(_ node: ExpressionNode) -> Operand {
    switch node {
    case .literal(let literal):
      if let fault = literal.value.fault {
        fail("constant", "This constant cannot be used: \(fault).", literal.span)
        return .failed
      }
      return .constant(literal.value, literal.span)
    case .list(let list): return listOperand(list)
    case .key(let key): return keyOperand(key)
    case .selfReference(let node): return .selfReference(node.span)
    case .variable(let variable): return parameterOperand(variable)
    case .function(let call): return functionOperand(call)
    case .cast(let cast):
      // With a constant of its kind it would be a literal by now.
      if CastLiteral(cast.typeName) != nil, case .variable = cast.value {
        fail(
          "castValue", "CAST takes a constant.", cast.value.span,
          hint: "Write the parameter alone, and give it a value of the field's type.")
        return .failed
      }
      if let kind = CastLiteral(cast.typeName), case .literal(let literal) = cast.value {
        fail(
          "castValue", "CAST to \"\(kind.rawValue)\" does not read \(Binder.describe(literal.value)).",
          literal.span,
          hint: kind == .date
            ? "Write the seconds since 2001, or pass a date as an argument for %@." : "Write \(kind.expectation).")
        return .failed
      }
      fail(
        "castType", "CAST to \"\(SyntaxError.excerpt(cast.typeName))\" is not evaluated.", cast.span,
        hint: "CAST takes \"NSDate\" with seconds since 2001, \"CLLocation\" with \"latitude,longitude\", "
          + "and \"CKReference\" with a record name.")
      return .failed
    case .subquery(let node):
      refuse(.subquery, node.span)
      return .failed
    case .customFunction(let node):
      refuse(.customFunction, node.span)
      return .failed
    case .assignment(let node):
      refuse(.assignment, node.span)
      return .failed
    case .property(let node):
      // What no dialect takes says more than the path from it.
      if case .subquery = node.base { return operand(node.base) }
      if case .customFunction = node.base { return operand(node.base) }
      guard Binder.isCount(node.components) else {
        refuse(Binder.refusal(ofPath: node.components), node.span)
        return .failed
      }
      if !isCloudKit { return computedOperand(.property(node)) }
      refuse(.arithmetic, node.span, hint: Refusal.storedValue)
      return .failed
    case .unary, .binary, .index, .ternary:
      if isCloudKit {
        let hint = PredicateKeys(node).names.isEmpty ? nil : Refusal.storedValue
        if node.readsAsDate { refuse(.dateAsArithmetic, node.span) } else { refuse(.arithmetic, node.span, hint: hint) }
        return .failed
      }
      return computedOperand(node)
    }
  }

  private mutating func listOperand(_ list: ListNode) -> Operand {
    var literals: [Literal] = []
    literals.reserveCapacity(list.elements.count)
    for element in list.elements {
      switch operand(element) {
      case .constant(let literal, _): literals.append(literal)
      case .parameter(let span): return .parameter(span)
      case .failed: return .failed
      case .field(let field) where isCloudKit:
        fail(
          "listElement", "A list holds constants; '\(field.name)' is a field.", field.span,
          hint: "Put quotes around a text, or pass the value as an argument for %@.")
        return .failed
      case let first where !isCloudKit && first.isOneValue:
        return mixedListOperand(list, constants: literals, first)
      default:
        fail("listElement", isCloudKit ? "A list holds constants only." : Binder.singleValues, element.span)
        return .failed
      }
    }
    if let other = Binder.mixed(literals) {
      fail(
        "mixedList", "The list mixes \(Binder.describe(other)) with values of another type.", list.span,
        hint: "All values of a list have one type.")
      return .failed
    }
    return .list(literals, list.span)
  }

  /// The first of some values that is of another type than those before it; nil where they have one. nil has none.
  private static func mixed(_ literals: [Literal]) -> Literal? {
    let typed = literals.lazy.filter { $0 != .null }
    guard let first = typed.first.map({ ComputedKind($0) }) else { return nil }
    return typed.first { ComputedKind($0) != first }
  }

  /// A list of which an element is no constant: every element is an operand of its own. Those up to the first such one are
  /// bound already, and each is bound once, since what stands in it may be such a list itself.
  private mutating func mixedListOperand(_ list: ListNode, constants: [Literal], _ first: Operand) -> Operand {
    var elements: [Operand] = zip(constants, list.elements).map { .constant($0, $1.span) }
    elements.append(first)
    for element in list.elements.dropFirst(elements.count) {
      switch operand(element) {
      case .failed: return .failed
      case .parameter(let span): return .parameter(span)
      case .constant(let literal, let span): elements.append(.constant(literal, span))
      case let value where value.isOneValue: elements.append(value)
      default:
        fail("listElement", Binder.singleValues, element.span)
        return .failed
      }
    }
    return .mixedList(elements, list.span)
  }

  private static let singleValues = "A list holds single values only."

  private mutating func keyOperand(_ key: KeyNode) -> Operand {
    let name = key.name
    if !key.path.isEmpty {
      guard Binder.isCount(key.path) else {
        refusePath(key)
        return .failed
      }
      if !isCloudKit { return computedOperand(.key(key)) }
      refuse(.arithmetic, key.span, hint: Refusal.storedValue)
      return .failed
    }
    if name.utf8.first == UInt8(ascii: "@") {
      fail(Binder.unknownField, "'\(SyntaxError.excerpt(name))' is no field.", key.span)
      return .failed
    }
    if sameBytes(name, "allTokens"), !hasField(name) { return .allTokens(key.span) }
    guard let field = field(name, key.span) else { return .failed }
    return .field(field)
  }

  /// Whether a field's name is more likely the function's.
  static func isNow(_ name: String) -> Bool { name.utf8.elementsEqual("now".utf8) { $0 | 0x20 == $1 } }

  static let nowHint = "The present moment is `now()`."

  /// How what is said of a name begins where it is near no other.
  static let fieldsAre = "Its fields are "

  /// What to write in place of a name that stands for something else than a field.
  static func wholeHint(for name: String) -> String? {
    if isNow(name) { return nowHint }
    guard sameBytes(name, "recordName") else { return nil }
    return "It is part of `recordID`, which is compared with a record ID: pass one as an argument for %@, or write "
      + "`recordID = CAST(\"name\", \"CKReference\")`."
  }

  private func hasField(_ name: String) -> Bool {
    if case .recordType(let type) = scope { type.field(name) != nil } else { false }
  }

  /// Finds a field; a name the schema does not have, and a field no predicate can use, are faults.
  mutating func field(_ name: String, _ span: SourceSpan) -> FieldHandle? {
    switch scope {
    case .open(let ofRecords):
      if ofRecords, let system = SystemField(key: name) {
        return FieldHandle(number: FieldNumber(system), name: name, knowledge: .known(system.type), span: span)
      }
      return checkName(name, span) ? FieldHandle(number: 0, name: name, knowledge: .unknown, span: span) : nil
    case .shape(let shape):
      guard let position = shape.numbers[ByteKey(name)], let type = shape.types[position] else {
        guard checkName(name, span) else { return nil }
        return FieldHandle(number: 0, name: name, knowledge: .absent, span: span)
      }
      return FieldHandle(number: position, name: name, knowledge: .known(type), span: span)
    case .recordType(let recordType):
      if let position = recordType.position(of: name) {
        let definition = recordType.fields[position]
        guard checkName(name, span) else { return nil }
        if definition.isEncrypted {
          fail(
            "encryptedField", "'\(name)' is encrypted: the server cannot compare it.", span,
            hint: "Ask for something else and compare the records you get.")
          return nil
        }
        return FieldHandle(
          number: .position(position), name: name, knowledge: .known(definition.type), span: span)
      }
      if let system = SystemField(key: name) {
        return FieldHandle(number: FieldNumber(system), name: name, knowledge: .known(system.type), span: span)
      }
      fail(
        Binder.unknownField, "Did not find field: '\(SyntaxError.excerpt(name))' in type: '\(recordType.name)'", span,
        hint: !tellsHints ? nil : Binder.wholeHint(for: name) ?? Binder.suggestion(for: name, in: recordType))
      return nil
    }
  }

  /// In CloudKit's dialect a field's name is a letter, then letters, digits and `_`; the system's names under three
  /// underscores are not.
  private mutating func checkName(_ name: String, _ span: SourceSpan) -> Bool {
    guard isCloudKit, !FieldDefinition.isName(name), SystemField(key: name) == nil else { return true }
    fail(
      "fieldName",
      "'\(SyntaxError.excerpt(name))' is no field name of CloudKit's: a letter of ASCII, then letters, digits and _.",
      span,
      hint: "The system fields are recordID, creationDate, modificationDate, creatorUserRecordID, "
        + "lastModifiedUserRecordID, parent and share.")
    return false
  }

  /// The code of a name that is no field's.
  static let unknownField = "unknownField"
  /// The code of the one fault that a query before its parameters have values is free of.
  static let unboundParameter = "unboundParameter"

  private mutating func parameterOperand(_ variable: VariableNode) -> Operand {
    guard let value = parameters[ByteKey(variable.name)] else {
      if allowsUnbound { return .parameter(variable.span) }
      if case .open = scope { return .parameter(variable.span) }
      fail(
        Binder.unboundParameter, "The parameter $\(SyntaxError.excerpt(variable.name)) has no value.", variable.span,
        hint: "Give it one, by its name without the $, where the predicate is matched or the query is asked; "
          + "the predicate of a subscription has its values in it.")
      return .failed
    }
    let fault: String
    switch ParameterValue(value) {
    case .constant(let literal): return .constant(literal, variable.span)
    case .list(let literals):
      guard let other = Binder.mixed(literals) else { return .list(literals, variable.span) }
      fault = "mixes \(Binder.describe(other)) with values of another type; all values of a list have one type"
    case .refused(let reason): fault = reason
    }
    diagnostics.append(.parameter(variable, fault))
    return .failed
  }

  private mutating func functionOperand(_ call: FunctionNode) -> Operand {
    switch call.function {
    case .now:
      if call.arguments.isEmpty { return .constant(.date(milliseconds: now.milliseconds), call.span) }
      fail("argumentCount", "now takes no arguments.", call.span)
      return .failed
    case .tokenize: return tokenizeOperand(call)
    case .distance: return distanceOperand(call)
    case .random, .randomBelow:
      refuse(.random, call.span)
      return .failed
    default:
      if isCloudKit {
        refuse(.function, call.nameSpan)
        return .failed
      }
      return computedOperand(.function(call))
    }
  }

  static func isCount(_ components: [String]) -> Bool {
    components.count == 1 && sameBytes(components[0], "@count")
  }

  /// Tells why no query follows the path behind a key: of a field that is no reference by its type.
  private mutating func refusePath(_ key: KeyNode) {
    let refusal = Binder.refusal(ofPath: key.path)
    guard refusal.code == Refusal.keyPath.code, let part = key.path.first, case .recordType(let type) = scope,
      let field = type.field(key.name), field.type.scalar != .reference
    else {
      refuse(refusal, key.span)
      return
    }
    let name = SyntaxError.excerpt(key.name)
    var hint = "Keep what is compared in a field of its own."
    var beyond: String?
    switch field.type.scalar {
    case _ where field.type.isList && sameBytes(part, "count"): beyond = "`\(name).@count`"
    case .location where !field.type.isList:
      hint = "How far away it is says `distanceToLocation:fromLocation:(\(name), %@)`."
    case .string where !field.type.isList: beyond = "`lowercase:(\(name))` and `length:(\(name))`"
    default: break
    }
    if let beyond {
      if !isCloudKit { hint = "Of the whole value you can ask \(beyond)." }
      if isCloudKit, offersExtended { hint += " The extended dialect takes \(beyond)." }
    }
    let message = "'\(name)' is \(field.type), of which nothing is asked by '.\(SyntaxError.excerpt(part))'."
    fail(refusal.code, message, key.span, hint: hint)
  }

  /// Why no query follows a path behind a key.
  private static func refusal(ofPath components: [String]) -> Refusal {
    components.first?.utf8.first == UInt8(ascii: "@") && !isCount(Array(components.prefix(1)))
      ? .collectionOperator : .keyPath
  }

  /// The field of nearly the same name, or else the fields there are: those that the schema defines, and the system's where
  /// these may stand there.
  static func suggestion(for name: String, in type: RecordType, allowsSystemFields: Bool = true) -> String? {
    func folded(_ text: String) -> [UInt8] { text.utf8.filter { $0 != UInt8(ascii: "_") }.map { $0 | 0x20 } }
    guard name.utf8.count <= 255 else { return nil }
    let wanted = folded(name)
    let system = allowsSystemFields ? SystemField.allCases.filter { $0 != .changeTag }.map(\.key) : []
    let keys = type.fields.map(\.name) + system
    if let near = keys.first(where: { folded($0) == wanted }) {
      return "Names are case-sensitive; did you mean '\(near)'?"
    }
    let words = [
      "recordname": "recordID", "createdat": "creationDate", "created": "creationDate",
      "createdtimestamp": "creationDate", "modifiedtimestamp": "modificationDate",
      "modifiedat": "modificationDate", "modified": "modificationDate", "id": "recordID",
    ]
    if allowsSystemFields, let system = words[String(decoding: wanted, as: UTF8.self)] {
      return "Did you mean '\(system)'?"
    }
    if let near = near(wanted, keys.map { (name: $0, bytes: folded($0)) }) { return "Did you mean '\(near)'?" }
    if type.fields.isEmpty { return nil }
    let more = type.fields.count > 24 ? " and \(type.fields.count - 24) more" : ""
    return fieldsAre + type.fields.prefix(24).map(\.name).joined(separator: ", ") + more + "."
  }

  /// The name that is the fewest slips away from what was written: one in three letters, two at most. None where so many
  /// long names would have to be held against it that someone who writes nothing but slips could keep a thread busy.
  private static func near(_ written: [UInt8], _ names: [(name: String, bytes: [UInt8])]) -> String? {
    let most = min(2, written.count / 3)
    if most == 0 || names.count * written.count * written.count > 100_000 { return nil }
    return EditDistance.nearest(to: written, among: names, most: most)?.name
  }
}

extension ComputedValue {
  /// The literal of the same value.
  var literal: Literal? {
    switch self {
    case .missing, .list: nil
    case .integer(let value): .integer(value)
    case .double(let value): .number(value)
    case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .timestamp(let milliseconds): .date(milliseconds: milliseconds)
    case .reference(let bytes):
      RecordID(encoded: bytes).flatMap {
        if case .literal(let literal) = $0.predicateArgument { literal } else { nil }
      }
    case .location(let latitude, let longitude): .location(latitude: latitude, longitude: longitude)
    }
  }

  /// The value of a literal; a place or a name that is not acceptable has none.
  init?(_ literal: Literal) {
    switch literal {
    case .null: self = .missing
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .string(let text): self = .text(Array(text.utf8))
    case .date(let milliseconds): self = .timestamp(milliseconds)
    case .location(let latitude, let longitude): self = .place(latitude, longitude)
    case .reference(let recordName, let zoneName, let ownerName):
      self = .reference(
        RecordID(recordName: recordName, zoneName: zoneName, ownerName: ownerName).encoded)
    }
  }
}

extension ExpressionNode {
  /// Whether it is what an unquoted date reads as: `2020-01-31`.
  fileprivate var readsAsDate: Bool {
    guard case .binary(let outer) = self, outer.operation == .subtract, case .binary(let inner) = outer.left,
      inner.operation == .subtract, case .literal(let year) = inner.left, case .literal(let month) = inner.right,
      case .literal(let day) = outer.right, case .integer(let year) = year.value,
      case .integer(let month) = month.value, case .integer(let day) = day.value
    else { return false }
    return (1000...9999).contains(year) && (1...12).contains(month) && (1...31).contains(day)
  }
}
