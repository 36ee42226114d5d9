/// Finds what a dialect takes and means the same as a predicate that was refused, for the hint of the refusal.
///
/// Where both dialects refuse a comparison it has no meaning yet; then what it would say by the rules of the others is
/// meant: `list = v` that the list holds v, ANY before a single value nothing.
///
/// Comparisons are rewritten by rules, each to a predicate of the same meaning, until the binder takes them; NOT is
/// pushed down to them as the binder does, and alternatives are put together where they are values of one field. What
/// is written is bound once more before it is told.
struct Rewriter {
  /// Binds what is tried. It tells nothing itself.
  private var binder: Binder
  /// How much may still be looked at. Compounds stand within each other, so that of each it is little; a comparison is
  /// looked at for itself alone.
  private var remaining = 0

  init(_ binder: Binder, _ dialect: Dialect) {
    self.binder = binder
    self.binder.options.dialect = dialect
    self.binder.isTrial = true
  }

  /// The text of what is taken in place of a predicate, short enough for a hint; nil where nothing of its meaning is.
  mutating func text(inPlaceOf node: PredicateNode) -> String? {
    remaining = node.innermost.isCompound ? 64 : 10_000
    // What is taken as it is was refused for what stands round it.
    guard let rewritten = rewritten(node, negated: false), rewritten != node, takes(rewritten) else { return nil }
    return HintText.text(of: rewritten)
  }

  private var excludesMissing: Bool { binder.options.missingFields == .excluded }

  private mutating func takes(_ node: PredicateNode) -> Bool {
    binder.diagnostics = []
    _ = binder.bind(node, negated: false)
    return binder.diagnostics.isEmpty
  }

  // MARK: Logic

  private mutating func rewritten(_ node: PredicateNode, negated: Bool) -> PredicateNode? {
    remaining -= 1
    if remaining < 0 { return nil }
    switch node {
    case .constant(let constant): return constant.value != negated ? .true : .false
    case .not(let not): return rewritten(not.operand, negated: !negated)
    case .comparison(let comparison): return rewritten(comparison, negated: negated)
    case .and(let compound), .or(let compound):
      var isConjunction = negated
      if case .and = node { isConjunction.toggle() }
      if compound.parts.count > remaining { return nil }
      var parts: [PredicateNode] = []
      for part in compound.parts {
        guard let part = rewritten(part, negated: negated) else { return nil }
        parts.append(part)
      }
      return isConjunction ? .all(of: parts) : Alternatives(parts)?.predicate
    }
  }

  private mutating func rewritten(_ comparison: ComparisonNode, negated: Bool) -> PredicateNode? {
    for case .list(let list) in [comparison.left, comparison.right] { remaining -= list.elements.count / 16 }
    if remaining < 0 { return nil }
    var (comparison, negated) = (comparison, negated)
    if negated, comparison.quantifier == nil, comparison.comparison == .notEqual {
      comparison.comparison = .equal
      negated = false
    }
    let written = PredicateNode.comparison(comparison)
    let asked = negated ? .not(NotNode(written)) : written
    if takes(asked) { return asked }
    let (left, right) = binder.operands(of: comparison)
    if negated, let denied = denial(of: comparison, left, right) { return denied }
    guard let equivalent = equivalent(to: comparison, left, right) else { return nil }
    return rewritten(equivalent, negated: negated)
  }

  /// What asks the same as NOT before a comparison, for comparisons whose equivalent alone does not tell.
  private func denial(
    of comparison: ComparisonNode, _ left: Binder.Operand, _ right: Binder.Operand
  ) -> PredicateNode? {
    guard excludesMissing, comparison.quantifier == nil else { return nil }
    switch (left, comparison.comparison, right) {
    case (.distance, let relation, _):
      return complement(of: relation).map { .comparison(ComparisonNode(nil, comparison.left, $0, comparison.right)) }
    case (_, let relation, .distance):
      return complement(of: relation.mirrored).map {
        .comparison(ComparisonNode(nil, comparison.right, $0, comparison.left))
      }
    case (.field, .in, .list(let literals, _)) where literals.contains(.null):
      // What equals nil is a missing value, for which NOT is false anyway.
      guard case .list(let list) = comparison.right else { return nil }
      let others = zip(list.elements, literals).filter { $1 != .null }.map(\.0)
      if others.isEmpty { return nil }
      return .not(NotNode(.comparison(ComparisonNode(nil, comparison.left, .in, .list(ListNode(others))))))
    default: return nil
    }
  }

  private func complement(of relation: ComparisonOperator?) -> ComparisonOperator? {
    relation.flatMap { OperatorTable.facts(of: $0).complement }
  }

  // MARK: Comparisons

  /// A predicate of the same meaning that is nearer to what dialects take.
  private mutating func equivalent(
    to comparison: ComparisonNode, _ left: Binder.Operand, _ right: Binder.Operand
  ) -> PredicateNode? {
    switch (left, right) {
    case (.allTokens, _) where comparison.comparison == .tokenMatches,
      (.selfReference, _) where comparison.comparison == .contains:
      return words(comparison, right)
    case (.distance, _), (_, .distance): return comparison.quantifier == nil ? nil : unquantified(comparison)
    default: break
    }
    guard comparison.options.isEmpty else { return nil }
    switch (left, right) {
    case (.field(let field), _) where right.isConstant:
      return comparison.quantifier == nil ? single(comparison, field, right) : members(comparison, field, right)
    case (_, .field(let field)) where left.isConstant:
      if let quantifier = comparison.quantifier {
        if left.isList { return constants(comparison, field) }
        if comparison.comparison == .in || field.kind == .single { return unquantified(comparison) }
        return comparison.comparison.mirrored.flatMap {
          members(ComparisonNode(quantifier, comparison.right, $0, comparison.left), field, left)
        }
      }
      // With the field on the left it is one of the forms above.
      let relation: ComparisonOperator? =
        switch comparison.comparison {
        case .in: .contains
        case .contains: .in
        default: comparison.comparison.mirrored
        }
      return relation.flatMap { single(ComparisonNode(nil, comparison.right, $0, comparison.left), field, left) }
    default: return nil
    }
  }

  private func unquantified(_ comparison: ComparisonNode) -> PredicateNode {
    var comparison = comparison
    comparison.quantifier = nil
    return .comparison(comparison)
  }

  /// Of `field relation constant`.
  private func single(_ comparison: ComparisonNode, _ field: FieldHandle, _ value: Binder.Operand) -> PredicateNode? {
    let (key, constant) = (comparison.left, comparison.right)
    func form(_ relation: ComparisonOperator, _ quantifier: Quantifier? = nil) -> PredicateNode {
      .comparison(ComparisonNode(quantifier, key, relation, constant))
    }
    switch (field.kind, comparison.comparison, value.isList) {
    case (.list, .in, false) where value.isParameter: return nil
    case (.list, .equal, false), (.list, .in, false): return form(.contains)
    case (.list, .notEqual, false): return .not(NotNode(form(.contains)))
    case (.list, .beginsWith, false): return form(.beginsWith, .any)
    case (.list, .in, true): return form(.in, .any)
    case (.list, _, _): return nil
    case (_, .equal, true): return form(.in)
    case (_, .notEqual, true): return .not(NotNode(form(.in)))
    case (_, .in, false):
      switch value {
      case .constant(.string, _), .constant(.null, _), .parameter: return nil
      default: break
      }
      return .comparison(ComparisonNode(nil, key, .in, .list(ListNode([constant]))))
    case (_, .like, false): return pattern(comparison, value)
    default: return nil
    }
  }

  /// Of `ANY field relation constant`, or with ALL.
  private func members(_ comparison: ComparisonNode, _ field: FieldHandle, _ value: Binder.Operand) -> PredicateNode? {
    if field.kind == .single { return unquantified(comparison) }
    func form(_ relation: ComparisonOperator) -> PredicateNode {
      .comparison(ComparisonNode(.any, comparison.left, relation, comparison.right))
    }
    switch (comparison.quantifier, comparison.comparison, value.isList) {
    // Of an empty list both hold, of a missing one neither, unless what is missing is nil.
    case (.all, .notEqual, false) where excludesMissing: return .not(NotNode(form(.equal)))
    case (.any, .equal, true): return form(.in)
    case (.any, .contains, false):
      // Parts of texts may be meant; of other members only the whole.
      guard case .known(let type) = field.knowledge, type.scalar != .string else { return nil }
      return unquantified(comparison)
    case (_, .like, false): return pattern(comparison, value)
    default: return nil
    }
  }

  /// Of `ANY {a, b} relation field`, or with ALL.
  private func constants(_ comparison: ComparisonNode, _ field: FieldHandle) -> PredicateNode? {
    func form(_ relation: ComparisonOperator, _ quantifier: Quantifier? = nil) -> PredicateNode {
      .comparison(ComparisonNode(quantifier, comparison.right, relation, comparison.left))
    }
    switch (field.kind, comparison.quantifier, comparison.comparison) {
    case (.single, .any, .in): return form(.in)
    case (_, _, .in): return nil
    case (.list, .any, .equal): return form(.in, .any)
    case (.list, _, _): return nil
    default: break
    }
    guard case .list(let list) = comparison.left, !list.elements.isEmpty,
      let mirrored = comparison.comparison.mirrored
    else { return nil }
    if comparison.quantifier == .all, mirrored == .notEqual { return .not(NotNode(form(.in))) }
    if list.elements.count > 8 { return nil }
    let parts = list.elements.map { PredicateNode.comparison(ComparisonNode(nil, comparison.right, mirrored, $0)) }
    return comparison.quantifier == .all ? .all(of: parts) : .any(of: parts)
  }

  /// A pattern whose only wildcard is a * at its end is a prefix, one without any a text.
  private func pattern(_ comparison: ComparisonNode, _ value: Binder.Operand) -> PredicateNode? {
    guard case .constant(.string(let pattern), _) = value else { return nil }
    let bytes = Array(pattern.utf8)
    let isPrefix = bytes.last == UInt8(ascii: "*")
    let text = isPrefix ? bytes.dropLast() : bytes[...]
    let isPlain = !text.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "\\") }
    guard isPlain, !text.isEmpty, isPrefix || binder.options.stringEquality == .exact else { return nil }
    let literal = ExpressionNode.literal(LiteralNode(.string(String(decoding: text, as: UTF8.self))))
    return .comparison(
      ComparisonNode(comparison.quantifier, comparison.left, isPrefix ? .beginsWith : .equal, literal))
  }

  /// Searches for words with a quantifier, which stands before tokenize alone: TOKENMATCHES asks for all of them, `self
  /// CONTAINS` for one.
  private func words(_ comparison: ComparisonNode, _ text: Binder.Operand) -> PredicateNode? {
    guard let quantifier = comparison.quantifier, text.isConstant else { return nil }
    let asksAll = comparison.comparison == .tokenMatches
    if asksAll == (quantifier == .all) { return unquantified(comparison) }
    let call = FunctionNode(.tokenize, [comparison.right, .literal(LiteralNode(.string("Cdl")))])
    return .comparison(ComparisonNode(quantifier, .function(call), .in, .key(KeyNode("allTokens"))))
  }
}

extension FieldHandle {
  fileprivate enum Kind {
    case single, list, unknown
  }

  fileprivate var kind: Kind {
    if case .known(let type) = knowledge { type.isList ? .list : .single } else { .unknown }
  }
}

extension Binder.Operand {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
  fileprivate var isParameter: Bool { if case .parameter = self { true } else { false } }
}

extension PredicateNode {
  /// What stands behind all the NOTs before it.
  var innermost: PredicateNode {
    var node = self
    while case .not(let not) = node { node = not.operand }
    return node
  }

  fileprivate var isCompound: Bool {
    switch self {
    case .and, .or: true
    default: false
    }
  }
}
