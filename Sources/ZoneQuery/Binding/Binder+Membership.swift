extension Binder {
  /// `value IN list`, `list CONTAINS value`, and their quantified and textual kin.
  mutating func bindMembership(_ comparison: Comparison) -> BoundPredicate {
    if comparison.quantifier != nil { return bindQuantified(comparison) }
    var comparison = comparison
    if comparison.relation == .contains { swap(&comparison.left, &comparison.right) }
    let (element, collection) = (comparison.left, comparison.right)
    switch (element, collection) {
    case (.field(let field), .list): return bindSet(field, comparison)
    case (.list(_, let span), .field(let field)):
      if case .known(let type) = field.knowledge, !type.isList {
        return typeFault(
          "notList", "'\(field.name)' is \(type), not a list.", field.span, hint: Binder.amongValues(field),
          whenMissing: whenMissing(comparison))
      }
      return fail(
        "quantifierMissing", "A list of values needs a quantifier to be searched for in '\(field.name)'.", span,
        hint: "Write `ANY {…} IN \(field.name)` for one of them, `ALL {…} IN \(field.name)` for all.")
    case (.constant, .field(let field)), (.parameter, .field(let field)):
      return bindMember(field, element, comparison)
    case (.field(let field), .parameter):
      // Whichever way it is written, what is asked is whether a list has the value.
      comparison.relation = .in
      return test(field, comparison) { .value($0, $1) }
    case (.field(let field), .constant(let literal, let span)):
      if case .recordType = scope, field.isList, literal != .null {
        return fail(
          "operandOrder", "A list stands \(comparison.relation == .in ? "behind IN" : "before CONTAINS").",
          comparison.operatorSpan, hint: "Write `\(field.name) CONTAINS value`.")
      }
      if isCloudKit, case .string = literal {
        return refuse(
          comparison.relation == .in ? .substringIn : .substringContains, comparison.operatorSpan)
      }
      if isCloudKit || literal == .null { return noList(comparison, span, hint: "Write `\(field.name) IN {a, b}`.") }
      return bindComputed(comparison)
    case (.field, .field) where isCloudKit: return refuse(.fieldToField, comparison.span)
    case (.distance, _) where isCloudKit: return refuse(.distanceOutside, comparison.operatorSpan)
    case _ where isCloudKit: return refuse(.twoConstants, comparison.span)
    case (.constant(.null, _), .list(let literals, let span)):
      var asked = comparison
      asked.relation = .in
      return bindMixedList(asked, literals.map { .constant($0, span) }, span)
    case (_, .list(let literals, let span)) where literals.contains(.null):
      return bindSetWithNil(comparison, literals, span)
    case (_, .constant(.null, let span)): return noList(comparison, span, hint: "Write `value IN {a, b}`.")
    default: return bindComputed(comparison)
    }
  }

  /// What can be asked of a single value beside a list.
  private static func amongValues(_ field: FieldHandle) -> String {
    "`\(field.name) IN {…}` asks whether it is one of them."
  }

  private mutating func noList(_ comparison: Comparison, _ span: SourceSpan, hint: String) -> BoundPredicate {
    let place =
      comparison.relation == .in ? "IN needs a list on its right side." : "CONTAINS needs a list on its left side."
    return fail("inList", place, span, hint: hint)
  }

  /// `field IN {a, b}`.
  private mutating func bindSet(_ field: FieldHandle, _ comparison: Comparison) -> BoundPredicate {
    var comparison = comparison
    comparison.relation = .in
    guard case .list(let literals, let span) = comparison.right else { return .constant(false) }
    if literals.contains(.null) {
      return bindSetWithNil(comparison, literals, span)
    }
    if field.isList {
      return typeFault(
        "listField", "'\(field.name)' is a list; IN asks for a single value.", field.span,
        hint: "Write `ANY \(field.name) IN {…}`.", whenMissing: whenMissing(comparison))
    }
    return test(field, comparison) { .value($0, $1) }
  }

  /// `value IN {nil, a}` is `value = nil OR value IN {a}`.
  private mutating func bindSetWithNil(
    _ comparison: Comparison, _ literals: [Literal], _ span: SourceSpan
  ) -> BoundPredicate {
    var isNil = comparison
    isNil.relation = .equal
    isNil.right = .constant(.null, span)
    var isAmong = comparison
    isAmong.right = .list(literals.filter { $0 != .null }, span)
    let faults = diagnostics.count
    var parts: [BoundPredicate] = []
    if case .field(let field) = comparison.left {
      parts.append(bindNil(field, isNil, nilSpan: isNil.span))
      // What is wrong with the field is said once.
      if diagnostics.count > faults { return .constant(false) }
      parts.append(bindSet(field, isAmong))
    } else {
      parts.append(bindComputed(isNil))
      if diagnostics.count > faults { return .constant(false) }
      parts.append(bindComputed(isAmong))
    }
    return comparison.isNegated ? .all(of: parts) : .any(of: parts)
  }

  /// `list CONTAINS value`, or, in the extended dialect, `text CONTAINS part`.
  private mutating func bindMember(
    _ field: FieldHandle, _ element: Operand, _ comparison: Comparison
  ) -> BoundPredicate {
    var member = comparison
    member.left = .field(field)
    member.right = element
    var isNil = false
    if case .constant(.null, _) = element { isNil = true }
    if case .known(let type) = field.knowledge, !type.isList {
      if type == .string, !isNil {
        if isCloudKit {
          if case .shape = scope { return .constant(whenMissing(member)) }
          if comparison.relation == .in { return refuse(.substringIn, comparison.operatorSpan) }
          // A search for words takes no NOT before it.
          return refuse(
            .substringContains, comparison.operatorSpan,
            hint: comparison.isNegated ? "Use BEGINSWITH for a prefix." : nil)
        }
        member.relation = .contains
        member.isSubstring = true
        return test(field, member) { .value($0, $1) }
      }
      return typeFault(
        "notList", "'\(field.name)' is \(type), not a list.", field.span,
        hint: "Compare it with =, or with IN {a, b}.", whenMissing: whenMissing(member))
    }
    if isNil { return fail("nilOperand", "A list holds no nil.", operandSpan(element)) }
    member.quantifier = .any
    member.relation = .equal
    return test(field, member) { .anyMember($0, $1) }
  }

  // MARK: ANY and ALL

  mutating func bindQuantified(_ comparison: Comparison) -> BoundPredicate {
    guard let quantifier = comparison.quantifier else { return .constant(false) }
    var comparison = comparison
    switch (comparison.left, comparison.right) {
    case (.field(let field), _) where comparison.right.isConstant:
      return bindMembers(field, quantifier, comparison)
    case (.field(let field), .field), (.field(let field), .computed):
      guard !isCloudKit, quantifier == .any, comparison.relation == .equal, field.mayBeList else { break }
      // `ANY list = value` and `list CONTAINS value` are one test.
      (comparison.quantifier, comparison.relation) = (nil, .contains)
      return bindMembership(comparison)
    case (.list(let literals, let span), .field(let field)):
      if comparison.relation == .in { return bindAmongMembers(literals, span, field, comparison) }
      return bindConstants(literals, span, field, quantifier, comparison)
    case (.constant, .field(let field)):
      guard let mirrored = comparison.relation.mirrored, comparison.relation != .in,
        comparison.relation != .contains
      else {
        return fail(
          "quantifierOperand", "\(comparison.quantifierWord) needs a list: a list field, or `{a, b}`.",
          operandSpan(comparison.left))
      }
      comparison.relation = mirrored
      swap(&comparison.left, &comparison.right)
      return bindMembers(field, quantifier, comparison)
    case (.parameter, .field): return .constant(false)
    default: break
    }
    if isCloudKit, case .field = comparison.left { return refuse(.fieldToField, comparison.span) }
    return fail(
      "quantifierOperand",
      "\(comparison.quantifierWord) takes a list field and a constant, or a list of constants and a field.",
      comparison.span)
  }

  /// `ANY list relation constant`.
  private mutating func bindMembers(
    _ field: FieldHandle, _ quantifier: Quantifier, _ comparison: Comparison
  ) -> BoundPredicate {
    if isCloudKit {
      if quantifier == .all { return refuse(.allQuantifier, comparison.span) }
      switch comparison.relation {
      case .equal, .in, .beginsWith: break
      case .contains where field.mayBeList:
        return refuse(
          .quantifierOperator, comparison.operatorSpan,
          hint: "`\(field.name) CONTAINS value` asks for a whole member, not for a part of one.")
      default: return refuse(.quantifierOperator, comparison.operatorSpan)
      }
    }
    if case .list(_, let span) = comparison.right {
      if comparison.relation != .in, comparison.relation != .between {
        return fail(
          "listOperand", "\(comparison.relation.rawValue) compares with a single value, not with a list.", span)
      }
    } else if comparison.relation == .in, case .constant(let literal, let span) = comparison.right {
      guard !isCloudKit, case .string = literal else {
        return fail("inList", "IN needs a list on its right side.", span)
      }
      return fail(
        "inList", "\(comparison.quantifierWord) … IN needs a list on its right side.", span,
        hint: "Write `\(quantifier.rawValue) \(field.name) IN {a, b}`.")
    }
    if case .known(let type) = field.knowledge, !type.isList {
      return typeFault(
        "notList", "\(comparison.quantifierWord) needs a list; '\(field.name)' is \(type).", field.span,
        hint: comparison.isNone ? "Write NOT in place of NONE." : "Leave \(quantifier.rawValue) out.",
        whenMissing: whenMissing(comparison))
    }
    // "Some member differs" is "not every member is equal": the test is made for equality.
    let asksAny = (quantifier == .any) != comparison.isComplement
    var comparison = comparison
    comparison.isSubstring = comparison.relation == .contains
    return test(field, comparison) { asksAny ? .anyMember($0, $1) : .allMembers($0, $1) }
  }

  /// `ANY {a, b} IN list` and `ALL {a, b} IN list`.
  private mutating func bindAmongMembers(
    _ literals: [Literal], _ span: SourceSpan, _ field: FieldHandle, _ comparison: Comparison
  ) -> BoundPredicate {
    if case .known(let type) = field.knowledge, !type.isList {
      return typeFault(
        "notList", "'\(field.name)' is \(type), not a list.", field.span, hint: Binder.amongValues(field),
        whenMissing: whenMissing(comparison))
    }
    var member = comparison
    member.left = .field(field)
    member.relation = .in
    member.right = .list(literals, span)
    if comparison.quantifier == .any {
      if literals.isEmpty { return presence(field, member, .none) }
      return test(field, member) { .anyMember($0, $1) }
    }
    if literals.isEmpty { return presence(field, member, .every) }
    // A value that the list's type cannot hold is no member.
    if case .known(let type) = field.knowledge, type.scalar == .int64 || type.scalar == .double {
      let unholdable = literals.contains { literal in
        switch (literal, type.scalar) {
        case (.double, .int64): true
        case (.integer(let whole), .double): Double(exactly: whole) == nil
        default: false
        }
      }
      if unholdable { return presence(field, member, .none) }
    }
    return test(field, member) { .holdsAll($0, $1) }
  }

  /// A comparison with no value at all, which asks nothing of the field's value but that it is there and of a type that
  /// takes the operator.
  private mutating func presence(
    _ field: FieldHandle, _ comparison: Comparison, _ test: ValueTest
  ) -> BoundPredicate {
    switch field.knowledge {
    case .absent: return .constant(whenMissing(comparison))
    case .unknown: return .constant(false)
    case .known(let type):
      guard takesOperator(type.scalar, field, comparison) else { return .constant(testFallback(comparison)) }
      return .comparison(
        BoundComparison(
          condition: .value(field.number, test), isNegated: comparison.isNegated,
          whenMissing: whenMissing(comparison)))
    }
  }

  /// `ANY {a, b} = field` is `field IN {a, b}`; with another relation, or with ALL, one comparison each.
  private mutating func bindConstants(
    _ literals: [Literal], _ span: SourceSpan, _ field: FieldHandle, _ quantifier: Quantifier,
    _ comparison: Comparison
  ) -> BoundPredicate {
    if isCloudKit {
      if quantifier == .all { return refuse(.allQuantifier, comparison.span) }
      if comparison.relation != .equal { return refuse(.quantifierOperator, comparison.operatorSpan) }
    }
    var scalar = comparison
    scalar.quantifier = nil
    scalar.left = .field(field)
    if quantifier == .any, comparison.relation == .equal {
      scalar.right = .list(literals, span)
      return bindSet(field, scalar)
    }
    guard let mirrored = comparison.relation.mirrored else {
      return fail(
        "operandOrder", "The field stands before \(comparison.relation.rawValue).", comparison.operatorSpan)
    }
    if literals.isEmpty {
      var empty = comparison
      empty.relation = mirrored
      if let fault = listFault(field, empty) { return fault }
      return presence(field, empty, quantifier == .any ? .none : .every)
    }
    scalar.relation = mirrored
    let parts = literals.map { literal in
      scalar.right = .constant(literal, span)
      return bindField(field, scalar)
    }
    return (quantifier == .any) != comparison.isNegated ? .any(of: parts) : .all(of: parts)
  }
}

extension FieldHandle {
  /// Whether no type is known of the field that is no list.
  fileprivate var mayBeList: Bool {
    if case .known(let type) = knowledge { type.isList } else { true }
  }
}
