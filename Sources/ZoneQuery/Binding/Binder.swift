/// Turns a syntax tree into a bound predicate: the one place that sees names, schema and dialect.
///
/// Data flow: `bind` walks the logical structure and pushes `NOT` down to the comparisons; each comparison
/// classifies its two sides (`Binder+Operands`), settles which of the forms it is (`Binder+Comparison`,
/// `Binder+Membership`, `Binder+Tokens`, `Binder+Distance`), and becomes a typed test (`Binder+Tests`) or, in the
/// extended dialect, a relation of computed values (`Binder+Expressions`). Faults are collected, so that one pass
/// reports all of them.
struct Binder {
  let scope: BindingScope
  let options: PredicateOptions
  /// The moment `now()` stands for.
  let now: Timestamp
  /// The values of `$name` parameters.
  let parameters: [ByteKey: ArgumentValue]
  var diagnostics: [Diagnostic] = []

  /// Binds a predicate.
  ///
  /// - Throws: An error of stage `binding` with every fault found, if there is one.
  static func bind(
    _ predicate: QueryPredicate, scope: BindingScope, options: PredicateOptions, now: Timestamp,
    parameters: [ByteKey: ArgumentValue] = [:]
  ) throws(ZoneQueryError) -> BoundPredicate {
    if !predicate.faults.isEmpty {
      throw ZoneQueryError(
        .binding, .invalidPredicate, diagnostics: predicate.faults, source: predicate.source)
    }
    var binder = Binder(scope: scope, options: options, now: now, parameters: parameters)
    let bound = binder.bind(predicate.root, negated: false)
    guard binder.diagnostics.isEmpty else {
      throw ZoneQueryError(
        .binding, .invalidPredicate, diagnostics: binder.diagnostics, source: predicate.source)
    }
    return bound
  }

  var isCloudKit: Bool { options.dialect == .cloudKit }

  mutating func bind(_ node: PredicateNode, negated: Bool) -> BoundPredicate {
    switch node {
    case .constant(let constant):
      return .constant(constant.value != negated)
    case .comparison(let comparison):
      return bind(comparison, negated: negated)
    case .and(let compound):
      return combine(compound, asConjunction: !negated, negated: negated)
    case .or(let compound):
      if isCloudKit {
        // The alternatives' own faults are reported too; the connective's comes first.
        refuse(.or, compound.operatorSpans.first ?? compound.span)
      }
      return combine(compound, asConjunction: negated, negated: negated)
    case .not(let not):
      if isCloudKit { checkNegation(not) }
      return bind(not.operand, negated: !negated)
    }
  }

  private mutating func combine(
    _ compound: CompoundNode, asConjunction: Bool, negated: Bool
  ) -> BoundPredicate {
    var parts: [BoundPredicate] = []
    parts.reserveCapacity(compound.parts.count)
    for part in compound.parts { parts.append(bind(part, negated: negated)) }
    return asConjunction ? .all(of: parts) : .any(of: parts)
  }

  /// CloudKit's dialect takes NOT before one comparison alone.
  private mutating func checkNegation(_ not: NotNode) {
    switch not.operand {
    case .comparison: break
    case .not: refuse(.doubleNegation, not.span)
    case .constant: refuse(.negatedConstant, not.span)
    case .and: refuse(.negatedConjunction, not.span)
    case .or: break  // The OR is refused for itself.
    }
  }
}

// MARK: - Faults

extension Binder {
  /// Records a fault and gives the value that stands for the part that could not be bound.
  @discardableResult
  mutating func fail(
    _ code: String, _ message: String, _ span: SourceSpan, hint: String? = nil
  ) -> BoundPredicate {
    diagnostics.append(
      Diagnostic(stage: .binder, code: code, message: message, range: span.range, hint: hint))
    return .constant(false)
  }

  /// Records that the dialect does not take a construct.
  @discardableResult
  mutating func refuse(_ refusal: Refusal, _ span: SourceSpan, hint: String? = nil) -> BoundPredicate {
    fail(refusal.code, refusal.message, span, hint: hint ?? refusal.hint)
  }

  /// A fault that lies in the type of a field. Without a schema it is none: a value of a type that cannot be
  /// compared behaves as missing.
  mutating func typeFault(
    _ code: String, _ message: String, _ span: SourceSpan, hint: String? = nil, whenMissing: Bool
  ) -> BoundPredicate {
    if case .shape = scope { return .constant(whenMissing) }
    return fail(code, message, span, hint: hint)
  }
}
