/// Turns a syntax tree into a bound predicate: the one place that sees names, schema and dialect.
///
/// Data flow: `bind` walks the logical structure and pushes `NOT` down to the comparisons; each comparison
/// classifies its two sides (`Binder+Operands`), settles which of the forms it is (`Binder+Comparison`,
/// `Binder+Membership`, `Binder+Tokens`, `Binder+Distance`), and becomes a typed test (`Binder+Tests`) or, in the
/// extended dialect, a relation of computed values (`Binder+Expressions`). Faults are collected, so that one pass
/// reports all of them.
struct Binder {
  let scope: BindingScope
  var options: PredicateOptions
  /// The moment `now()` stands for.
  let now: Timestamp
  /// The values of `$name` parameters.
  let parameters: [ByteKey: ArgumentValue]
  /// Whether a parameter may stand without a value, which it gets later.
  let allowsUnbound: Bool
  var diagnostics: [Diagnostic] = []
  /// Whether faults are only counted, without a look at what is taken in their place.
  var isTrial = false
  /// Whether hints tell of the extended dialect, where a predicate of it could be used.
  var offersExtended = true
  /// What the extended dialect makes of a refused construct, by the position of its diagnostic.
  var offers: [(Int, String)] = []

  init(
    scope: BindingScope, options: PredicateOptions, now: Timestamp, parameters: [ByteKey: ArgumentValue],
    allowsUnbound: Bool = false
  ) {
    self.scope = scope
    self.options = options
    self.now = now
    self.parameters = parameters
    self.allowsUnbound = allowsUnbound
  }

  /// Binds a predicate.
  ///
  /// - Throws: An error of stage `binding` with every fault found, if there is one.
  static func bind(
    _ predicate: QueryPredicate, scope: BindingScope, options: PredicateOptions, now: Timestamp,
    parameters: [ByteKey: ArgumentValue] = [:], offersExtended: Bool = true
  ) throws(ZoneQueryError) -> BoundPredicate {
    try checkForm(of: predicate, options)
    if !parameters.isEmpty {
      let mentions = VariableMentions(predicate.root)
      let values = mentions.names.map { parameters[$0] }
      if let fault = VariableMentions.fault(mentions.counts, values, own: predicate.ownConstantBytes) {
        throw ZoneQueryError(.binding, .invalidPredicate, diagnostics: [fault], source: predicate.source)
      }
    }
    var binder = Binder(scope: scope, options: options, now: now, parameters: parameters)
    binder.offersExtended = offersExtended
    let bound = binder.bind(predicate.root, negated: false)
    guard binder.diagnostics.isEmpty else {
      throw ZoneQueryError(
        .binding, .invalidPredicate, diagnostics: binder.diagnostics, source: predicate.source)
    }
    return bound
  }

  /// Checks what is to be known of a predicate before it is bound.
  ///
  /// - Throws: An error of stage `binding` for what was wrong when it was built, and where it is computed too often.
  static func checkForm(of predicate: QueryPredicate, _ options: PredicateOptions) throws(ZoneQueryError) {
    var faults = predicate.faults
    if faults.isEmpty, options.dialect == .extended, let fault = EvaluatedParts.fault(of: predicate.root) {
      faults = [fault]
    }
    if !faults.isEmpty {
      throw ZoneQueryError(.binding, .invalidPredicate, diagnostics: faults, source: predicate.source)
    }
  }

  var isCloudKit: Bool { options.dialect == .cloudKit }

  /// Whether what is to be written instead will be read by anyone: not of a trial, and not behind the first faults, since no
  /// others are told.
  var tellsHints: Bool { !isTrial && diagnostics.count <= Diagnostic.most }

  mutating func bind(_ node: PredicateNode, negated: Bool) -> BoundPredicate {
    let known = diagnostics.count
    let bound = bindParts(of: node, negated: negated)
    if diagnostics.count > known, tellsHints { suggest(inPlaceOf: node, since: known) }
    return bound
  }

  private mutating func bindParts(of node: PredicateNode, negated: Bool) -> BoundPredicate {
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
        let refusal = negated ? Refusal.negatedOr : .or
        let hint = [refusal.hint, offersExtended ? refusal.beyond : nil].compactMap { $0 }.joined(separator: " ")
        fail(refusal.code, refusal.message, compound.operatorSpans.first ?? compound.span, hint: hint)
      }
      return combine(compound, asConjunction: negated, negated: negated)
    case .not(let not):
      if isCloudKit { checkNegation(not) }
      switch not.operand {
      // What is taken in their place is told of the whole.
      case .not: return bindParts(of: not.operand, negated: !negated)
      case .comparison(let comparison): return bind(comparison, negated: !negated, isNone: not.isNone)
      default: return bind(not.operand, negated: !negated)
      }
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
    if let beyond = refusal.beyond, isCloudKit, offersExtended { offers.append((diagnostics.count, beyond)) }
    return fail(refusal.code, refusal.message, span, hint: hint ?? refusal.hint)
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
