internal import FoundationEssentials

/// Turns the expressions of a Foundation predicate into the syntax tree.
///
/// Each expression type converts itself (``ConvertibleExpression``) into a ``Converted``; this type knows the variables
/// in scope, the names of fields, and how one form of a result becomes another.
struct PredicateConverter {
  /// The variable that stands for the record.
  let record: PredicateExpressions.VariableID
  let recordType: String
  let fieldName: (AnyKeyPath) -> String?
  /// What the variables of closures stand for, where that needs a record.
  private var variables: [PredicateExpressions.VariableID: Converted] = [:]
  /// What needs none.
  private(set) var captured = CapturedValues()
  /// How many tests of texts were converted: a text contains another or begins with it, where a list contains a member.
  var textTests = 0
  /// How often a test was converted for a member of a list from outside.
  private var expansions = 0
  /// The variable that was read last: of a path of properties the one that it begins with.
  var lastVariable: PredicateExpressions.VariableID?
  private var depth = 0
  private var markers = 0

  /// What an expression is in the language.
  enum Converted {
    /// A condition.
    case predicate(PredicateNode)
    /// A value; a truth value is 1 or 0.
    case value(ExpressionNode)
    /// The record, or what a path of properties leads to from it.
    case property(AnyKeyPath?)
    /// A condition on a value that may be nil, and nil where that is.
    case optional(PredicateNode, of: ExpressionNode)
    /// A range.
    case range(lower: ExpressionNode?, upper: ExpressionNode?, includesUpper: Bool)
  }

  init(
    record: PredicateExpressions.VariableID, recordType: String, fieldName: @escaping (AnyKeyPath) -> String?
  ) {
    self.record = record
    self.recordType = recordType
    self.fieldName = fieldName
  }

  // MARK: Expressions

  mutating func convert(_ expression: some PredicateExpression) throws(ZoneQueryError) -> Converted {
    guard depth < TreeSize.limits.nesting else { throw Self.error(.nestingTooDeep) }
    if let constant = captured.constant(of: expression) { return try Self.converted(constant) }
    guard let convertible = expression as? any ConvertibleExpression else {
      throw Self.unsupported(type(of: expression))
    }
    depth += 1
    defer { depth -= 1 }
    return try convertible.converted(by: &self)
  }

  mutating func predicate(_ expression: some PredicateExpression) throws(ZoneQueryError) -> PredicateNode {
    try predicate(of: convert(expression))
  }

  mutating func value(_ expression: some PredicateExpression) throws(ZoneQueryError) -> ExpressionNode {
    try value(of: convert(expression))
  }

  /// A result as a condition: a truth value is compared with 1.
  func predicate(of converted: Converted) throws(ZoneQueryError) -> PredicateNode {
    switch converted {
    case .predicate(let node): return node
    case .value(.literal(let literal)) where literal.value == .integer(1): return .true
    case .value(.literal(let literal)) where literal.value == .integer(0): return .false
    default: return try .comparison(ComparisonNode(nil, value(of: converted), .equal, Self.integer(1)))
    }
  }

  /// A result as a value: a condition is 1 or 0.
  func value(of converted: Converted) throws(ZoneQueryError) -> ExpressionNode {
    switch converted {
    case .value(let node): return node
    case .property(let path): return try field(path)
    case .predicate(.constant(let constant)): return Self.integer(constant.value ? 1 : 0)
    case .predicate(let node): return Self.truthValue(node)
    case .optional(let node, let operand):
      return .ternary(TernaryNode(Self.isNil(operand), Self.null, Self.truthValue(node)))
    case .range:
      throw Self.error("unsupportedExpression", "A range can stand only before contains in a predicate.")
    }
  }

  /// A result as a value that will stand in the tree twice, which trees within the limits alone may.
  func operand(_ converted: Converted) throws(ZoneQueryError) -> ExpressionNode {
    let node = try value(of: converted)
    guard let size = TreeSize(of: node) else { throw Self.error(.nestingTooDeep) }
    if let fault = size.fault { throw Self.error(fault) }
    return node
  }

  private func field(_ path: AnyKeyPath?) throws(ZoneQueryError) -> ExpressionNode {
    guard let path else {
      throw Self.error(
        "unsupportedExpression", "The record itself is no value; its properties are.",
        hint: "Compare $0.property, or its identifier with a record ID.")
    }
    guard let name = fieldName(path) else {
      throw Self.error(
        "unknownProperty", "No field is known for the property \(SyntaxError.excerpt("\(path)")).",
        hint: "Only plain stored properties of a structure are fields of their own names; for any other write "
          + "fields: [\\.property: \"field\"].")
    }
    guard let key = KeyNode(path: name) else {
      throw Self.error("invalidKey", "'\(SyntaxError.excerpt(name))' is no key.")
    }
    return .key(key)
  }

  // MARK: Variables

  mutating func variable(_ id: PredicateExpressions.VariableID) throws(ZoneQueryError) -> Converted {
    lastVariable = id
    if id == record { return .property(nil) }
    guard let known = variables[id] else {
      throw Self.error("unsupportedExpression", "The predicate uses a variable from outside of it.")
    }
    return known
  }

  /// Converts an expression in which a variable stands for something.
  mutating func convert(
    _ expression: some PredicateExpression, with id: PredicateExpressions.VariableID, as meaning: Converted
  ) throws(ZoneQueryError) -> Converted {
    let outer = variables.updateValue(meaning, forKey: id)
    defer { variables[id] = outer }
    return try convert(expression)
  }

  /// Converts an expression in which a variable stands for a value.
  mutating func convert<Value>(
    _ expression: some PredicateExpression, with variable: PredicateExpressions.Variable<Value>, for value: Value
  ) throws(ZoneQueryError) -> Converted {
    let outer = captured
    captured = captured.binding(variable, to: value)
    defer { captured = outer }
    return try convert(expression)
  }

  /// The condition that some or every member of a list satisfies a test.
  mutating func members(
    of list: ExpressionNode, _ quantifier: Quantifier, satisfy test: some PredicateExpression,
    with id: PredicateExpressions.VariableID
  ) throws(ZoneQueryError) -> PredicateNode {
    // No parameter has a name that begins with a digit.
    let marker = VariableNode("\(markers)")
    markers += 1
    let known = textTests
    let condition = try predicate(of: convert(test, with: id, as: .value(.variable(marker))))
    let whole = MemberTest(list: list, marker: marker)
    guard case .list(let constants) = list else { return try whole.quantified(condition, quantifier) }
    // A quantifier before a list of constants has no texts that contain others.
    if textTests == known, let node = try? whole.quantified(condition, quantifier), Self.isAsked(node, of: constants) {
      return node
    }
    expansions += constants.elements.count
    if expansions > TreeSize.limits.nodes { throw Self.error(.tooManyNodes(TreeSize.limits.nodes)) }
    var parts: [PredicateNode] = []
    for constant in constants.elements {
      parts.append(try predicate(of: convert(test, with: id, as: .value(constant))))
    }
    return quantifier == .any ? .any(of: parts) : .all(of: parts)
  }

  /// Whether the language asks a condition of a list of constants: single ones, and of a field or another constant.
  private static func isAsked(_ node: PredicateNode, of constants: ListNode) -> Bool {
    switch node {
    case .not(let not): return isAsked(not.operand, of: constants)
    case .comparison(let comparison) where comparison.quantifier != nil:
      func isSingle(_ node: ExpressionNode) -> Bool {
        switch node {
        case .literal, .key: true
        default: false
        }
      }
      func isList(_ node: ExpressionNode) -> Bool { if case .list = node { true } else { false } }
      return constants.elements.allSatisfy(isSingle)
        && isSingle(isList(comparison.left) ? comparison.right : comparison.left)
    default: return true
    }
  }

  // MARK: Nodes

  static let null = ExpressionNode.literal(LiteralNode(.null))

  static func integer(_ value: Int64) -> ExpressionNode { .literal(LiteralNode(.integer(value))) }

  static func isNil(_ operand: ExpressionNode) -> PredicateNode {
    .comparison(ComparisonNode(nil, operand, .equal, null))
  }

  static func isPresent(_ operand: ExpressionNode) -> PredicateNode {
    .comparison(ComparisonNode(nil, operand, .notEqual, null))
  }

  private static func truthValue(_ node: PredicateNode) -> ExpressionNode {
    .ternary(TernaryNode(node, integer(1), integer(0)))
  }

  /// A condition on an operand, false where that is nil.
  static func guarded(_ node: PredicateNode, _ operand: ExpressionNode) -> PredicateNode {
    // A comparison of the operand itself is false already where it is missing.
    if case .comparison(let comparison) = node, comparison.quantifier == nil, comparison.comparison != .notEqual,
      comparison.left == operand
    {
      return node
    }
    return .all(of: [isPresent(operand), node])
  }

  // MARK: Errors

  static func error(_ diagnostic: Diagnostic) -> ZoneQueryError {
    ZoneQueryError(.binding, .invalidPredicate, diagnostics: [diagnostic], source: nil)
  }

  static func error(_ code: String, _ message: String, hint: String? = nil) -> ZoneQueryError {
    error(Diagnostic(stage: .binder, code: code, message: message, range: nil, hint: hint))
  }

  /// The error of an expression that has no counterpart in the language.
  static func unsupported(_ type: any PredicateExpression.Type) -> ZoneQueryError {
    let spelling = "\(type)".utf8.prefix { $0 != UInt8(ascii: "<") }
    let name = String(decoding: spelling, as: UTF8.self)
    return error(
      "unsupportedExpression", "PredicateExpressions.\(SyntaxError.excerpt(name)) has no counterpart in the language.",
      hint: hints[name])
  }

  private static let hints = [
    "Filter": "Ask about the members themselves: contains(where:) or allSatisfy.",
    "CollectionRangeSubscript": "Subscript one element, or keep the part in a field of its own.",
    "DictionaryKeySubscript": "A record's fields hold no dictionaries; keep the value in a field of its own.",
    "DictionaryKeyDefaultValueSubscript":
      "A record's fields hold no dictionaries; keep the value in a field of its own.",
    "TypeCheck": "A field has one type, which the schema tells; leave the check out.",
    "ForceCast": "A field has one type, which the schema tells; leave the cast out.",
    "ConditionalCast": "A field has one type, which the schema tells; leave the cast out.",
    "StringContainsRegex": "Use hasPrefix, or Field(\"name\").isLike(pattern) of the builder.",
    "StringLocalizedStandardContains":
      "Write Field(\"name\").contains(text, options: [.caseInsensitive, .diacriticInsensitive]).",
    "StringCaseInsensitiveCompare": "Write Field(\"name\").isEqual(to: text, options: .caseInsensitive).",
    "StringLocalizedCompare": "Comparisons do not depend on a locale; compare the texts with < or >.",
    "PredicateEvaluate": "Convert both predicates and join them with &&.",
    "ExpressionEvaluate": "Write the expression where it is evaluated.",
  ]
}

/// An expression of Foundation that has a counterpart in the language.
protocol ConvertibleExpression {
  func converted(by converter: inout PredicateConverter) throws(ZoneQueryError) -> PredicateConverter.Converted
}

/// Distributes a quantifier over a condition on the members of a list, which a variable stands for.
struct MemberTest {
  let list: ExpressionNode
  let marker: VariableNode

  /// `ANY (p OR q)` is `ANY p OR ANY q`, `ALL (p AND q)` is `ALL p AND ALL q`, and `NOT` changes one into the other.
  func quantified(_ node: PredicateNode, _ quantifier: Quantifier) throws(ZoneQueryError) -> PredicateNode {
    switch (node, quantifier) {
    case (.comparison(let comparison), _): return try .comparison(quantified(comparison, quantifier))
    case (.not(let not), .any): return try .not(NotNode(quantified(not.operand, .all)))
    case (.not(let not), .all): return try .not(NotNode(quantified(not.operand, .any)))
    case (.or(let compound), .any): return try .any(of: parts(compound, quantifier))
    case (.and(let compound), .all): return try .all(of: parts(compound, quantifier))
    case (.and(let compound), .any):
      if let range = range(compound) { return .comparison(range) }
      throw refusal("two conditions on one and the same member cannot be joined by && here")
    case (.or, .all): throw refusal("two conditions on one and the same member cannot be joined by || here")
    case (.constant, _): throw refusal("the test does not look at the member")
    }
  }

  private func parts(_ compound: CompoundNode, _ quantifier: Quantifier) throws(ZoneQueryError) -> [PredicateNode] {
    var parts: [PredicateNode] = []
    for part in compound.parts { parts.append(try quantified(part, quantifier)) }
    return parts
  }

  private func quantified(
    _ node: ComparisonNode, _ quantifier: Quantifier
  ) throws(ZoneQueryError) -> ComparisonNode {
    let isLeft = node.left == .variable(marker)
    let isRight = node.right == .variable(marker)
    guard node.quantifier == nil, isLeft != isRight else {
      throw refusal("the member itself must stand on one side of a comparison")
    }
    let other = isLeft ? node.right : node.left
    guard !mentions(other) else { throw refusal("the member stands on both sides of a comparison") }
    switch (list, other) {
    case (.key, .literal), (.key, .list), (.list, _): break
    case (.key, _) where quantifier == .any && node.comparison == .equal: break
    case (.key, _): throw refusal("a member is compared with what the record holds")
    default: throw refusal("the list is no field of the record")
    }
    if isLeft { return ComparisonNode(quantifier, list, node.comparison, options: node.options, other) }
    if node.comparison == .contains, case .literal = other { throw refusal("a member is looked for in a text") }
    guard let mirrored = OperatorTable.facts(of: node.comparison).mirrored else {
      throw refusal("the member must stand before \(node.comparison.rawValue)")
    }
    return ComparisonNode(quantifier, list, mirrored, options: node.options, other)
  }

  /// Two bounds of one and the same member, both included, in either order, are `ANY list BETWEEN {a, b}`.
  private func range(_ compound: CompoundNode) -> ComparisonNode? {
    guard compound.parts.count == 2 else { return nil }
    var (lower, upper): (ExpressionNode?, ExpressionNode?)
    for case .comparison(let part) in compound.parts {
      let isLeft = part.left == .variable(marker)
      let other = isLeft ? part.right : part.left
      guard part.quantifier == nil, part.options.isEmpty, isLeft || part.right == .variable(marker),
        case .literal = other
      else { return nil }
      switch isLeft ? part.comparison : OperatorTable.facts(of: part.comparison).mirrored {
      case .greaterOrEqual: lower = other
      case .lessOrEqual: upper = other
      default: return nil
      }
    }
    guard let lower, let upper else { return nil }
    return ComparisonNode(.any, list, .between, .list(ListNode([lower, upper])))
  }

  private func mentions(_ node: ExpressionNode) -> Bool {
    if node == .variable(marker) { return true }
    if case .ternary(let ternary) = node, mentions(ternary.condition) { return true }
    return node.operands.contains(where: mentions)
  }

  private func mentions(_ node: PredicateNode) -> Bool {
    switch node {
    case .constant: false
    case .not(let not): mentions(not.operand)
    case .and(let compound), .or(let compound): compound.parts.contains(where: mentions)
    case .comparison(let comparison): mentions(comparison.left) || mentions(comparison.right)
    }
  }

  private func refusal(_ reason: String) -> ZoneQueryError {
    PredicateConverter.error(
      "unsupportedExpression", "The test of a list's members has no counterpart: \(reason).",
      hint: "The language compares each member with a constant: tags.contains { $0 == \"x\" }, "
        + "counts.allSatisfy { $0 > 0 }.")
  }
}
