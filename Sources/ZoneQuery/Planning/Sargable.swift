/// What a condition asks of one field, in the form that indexes answer (a "search argument").
///
/// Every record for which the condition holds is among those described; no other is, but where only some parts of a
/// condition are looked up.
indirect enum Sargable: Sendable, Hashable {
  /// No record.
  case nothing
  /// The records whose value of the field lies in the interval.
  case interval(FieldNumber, ValueInterval)
  /// The records whose value lies in one of several intervals, which are sorted and apart.
  case intervals(FieldNumber, [ValueInterval])
  /// The records whose value folds to one of some texts: asked of an index as what is stored of these (``spelled(in:)``).
  case folded(FieldNumber, FoldedTexts)
  /// The records whose list holds one of the terms, or all of them.
  case members(FieldNumber, [[UInt8]], requiresAll: Bool)
  /// The records whose list holds a member that passes a test, which is none of equality (``MemberCondition``).
  case someMembers(FieldNumber, ValueTest)
  /// The records that refer to one of the records, given by their encodings.
  case references(FieldNumber, [[UInt8]])
  /// The records of these names.
  case names([[UInt8]])
  /// The records with one of the words, or with all.
  case tokens([[UInt8]], requiresAll: Bool)
  /// The records within a distance of a place.
  case circle(FieldNumber, CircleTest)
  /// The records of any of the parts.
  case either([Sargable])
  /// All records that have one of the fields, or all where these are nil, but those of the form.
  case rest(of: Sargable, having: [FieldNumber]?)
  /// The records of whichever part has the fewest: those of all parts, and more.
  case narrowest([Sargable])
}

extension Sargable {
  /// The form of a condition; nil where no index answers it.
  init?(_ predicate: BoundPredicate, zone: ZoneID) {
    switch predicate {
    case .constant(false): self = .nothing
    case .constant(true): return nil
    case .comparison(let comparison):
      guard let found = Sargable(comparison, zone: zone) else { return nil }
      self = found
    case .and(let parts):
      let forms = parts.compactMap { Sargable($0, zone: zone) }
      guard let form = Sargable(all: forms, isWhole: forms.count == parts.count) else { return nil }
      self = form
    case .or(let parts):
      var forms: [Sargable] = []
      for part in parts {
        guard let form = Sargable(part, zone: zone) else { return nil }
        forms.append(form)
      }
      self.init(any: forms)
    }
  }

  /// The form of one comparison.
  init?(_ comparison: BoundComparison, zone: ZoneID) {
    if comparison.isNegated, let form = Sargable(restOf: comparison, zone: zone) {
      self = form
      return
    }
    // A record that lacks the field is in no index of it.
    if comparison.whenMissing { return nil }
    switch comparison.condition {
    case .value(let field, let test):
      guard let found = Sargable(field, test, isNegated: comparison.isNegated, zone) else { return nil }
      self = found
    case .anyMember(let field, let test):
      if comparison.isNegated { return nil }
      if let terms = Sargable.terms(test) {
        self = terms.isEmpty ? .nothing : .members(field, terms, requiresAll: false)
      } else if MemberCondition.cost(of: test) != nil {
        self = .someMembers(field, test)
      } else {
        return nil
      }
    case .holdsAll(let field, let test):
      if comparison.isNegated { return nil }
      if let terms = Sargable.terms(test) {
        self = terms.isEmpty ? .nothing : .members(field, terms, requiresAll: true)
      } else if case .textSet(let texts, let folding) = test, let longest = texts.max(by: { $0.count < $1.count }) {
        // Each text may be stored in several ways; of a longer one there are mostly fewer rows.
        self = .narrowest([.someMembers(field, ValueTest.among([longest], folding))])
      } else if MemberCondition.cost(of: test) != nil {
        self = .someMembers(field, test)
      } else {
        return nil
      }
    case .tokens(let search):
      guard !comparison.isNegated else { return nil }
      self = search.tokens.isEmpty ? .nothing : .tokens(search.tokens, requiresAll: search.requiresAll)
    case .allMembers, .computed: return nil
    }
  }

  /// The form of a negated comparison of a list's members or of words; nil where it is another.
  private init?(restOf comparison: BoundComparison, zone: ZoneID) {
    let fields: [FieldNumber]
    switch comparison.condition {
    case .anyMember(let field, _), .holdsAll(let field, _): fields = [field]
    case .tokens(let search): fields = search.fields
    case .value, .allMembers, .computed: return nil
    }
    let positive = BoundComparison(condition: comparison.condition, isNegated: false, whenMissing: false)
    guard let form = Sargable(positive, zone: zone), form != .nothing else { return nil }
    // The rows of a part are more than those it holds for.
    if case .narrowest = form { return nil }
    self = .rest(of: form, having: comparison.whenMissing ? nil : fields)
  }

  private init?(_ field: FieldNumber, _ test: ValueTest, isNegated: Bool, _ zone: ZoneID) {
    switch test {
    case .none: self = isNegated ? .interval(field, .everything) : .nothing
    case .every:
      if isNegated { return nil }
      self = .interval(field, .everything)
    case .integers(let range):
      self = Sargable.interval(
        field, ValueInterval(word: KeyEncoding.word(range.lowerBound), through: KeyEncoding.word(range.upperBound)),
        isNegated)
    case .doubles(let range):
      self = Sargable.interval(
        field, ValueInterval(word: KeyEncoding.word(range.lowerBound), through: KeyEncoding.word(range.upperBound)),
        isNegated)
    case .integerSet(let values):
      if isNegated { return nil }
      self = .intervals(
        field, values.map { ValueInterval(word: KeyEncoding.word($0), through: KeyEncoding.word($0)) })
    case .doubleSet(let values):
      if isNegated { return nil }
      self = .intervals(
        field, values.map { ValueInterval(word: KeyEncoding.word($0), through: KeyEncoding.word($0)) })
    case .text(let text):
      if !text.folding.isEmpty {
        self.init(field, folding: text, isNegated: isNegated)
        return
      }
      guard let interval = ValueInterval(text.relation, text.operand) else { return nil }
      self = Sargable.interval(field, interval, isNegated)
    case .textSet(let texts, let folding):
      if isNegated { return nil }
      self =
        folding.folding.map { .folded(field, FoldedTexts(texts: texts, folding: $0)) }
        ?? .intervals(field, texts.map { ValueInterval(text: $0) })
    case .textRange(let lower, let upper, let folding):
      guard folding.isEmpty else { return nil }
      if upper.lexicographicallyPrecedes(lower) {
        self = isNegated ? .interval(field, .everything) : .nothing
        return
      }
      self = Sargable.interval(
        field,
        ValueInterval(
          lower: ValueInterval.End(lower, isAfter: false), upper: ValueInterval.End(upper, isAfter: true),
          isPoint: lower == upper),
        isNegated)
    case .referenceSet(let encodings):
      if isNegated { return nil }
      if field == FieldNumber(.recordID) {
        // A record of another zone is not in this one.
        let prefix = Array(zone.zoneName.utf8) + [0] + Array(zone.ownerName.utf8) + [0]
        self = .names(
          encodings.compactMap { $0.starts(with: prefix) ? Array($0.dropFirst(prefix.count)) : nil })
      } else {
        self = .references(field, encodings)
      }
    case .recordNameSet(let names):
      guard !isNegated, field == FieldNumber(.recordID) else { return nil }
      self = .names(names)
    case .distance(let circle):
      guard let inner = circle.inner(isNegated: isNegated) else { return nil }
      self = .circle(field, inner)
    case .location: return nil
    }
  }

  private static func interval(_ field: FieldNumber, _ interval: ValueInterval, _ isNegated: Bool) -> Sargable {
    if !isNegated { return .interval(field, interval) }
    return Sargable(field, ValueInterval.complement(of: [interval]))
  }

  /// The terms under which members of a list stand in its index; nil where the test is no equality.
  static func terms(_ test: ValueTest) -> [[UInt8]]? {
    switch test {
    case .none: []
    case .integers(let range) where range.lowerBound == range.upperBound: [KeyEncoding.term(range.lowerBound)]
    case .integerSet(let values): values.map { KeyEncoding.term($0) }
    case .doubles(let range) where range.lowerBound == range.upperBound: [KeyEncoding.term(range.lowerBound)]
    case .doubleSet(let values): values.map { KeyEncoding.term($0) }
    case .text(let text) where text.relation == .equal && text.folding.isEmpty: [text.operand]
    case .textSet(let texts, let folding) where folding.isEmpty: texts
    case .referenceSet(let encodings): encodings
    default: nil
    }
  }
}

extension CircleTest {
  /// The same test, or its negation, where it asks for what lies within the circle.
  func inner(isNegated: Bool) -> CircleTest? {
    var circle = self
    switch (relation, isNegated) {
    case (.lessThan, false), (.lessThanOrEqual, false): break
    case (.greaterThan, true): circle.relation = .lessThanOrEqual
    case (.greaterThanOrEqual, true): circle.relation = .lessThan
    default: return nil
    }
    return circle
  }
}

extension KeyEncoding {
  /// The term of a number in an index of list members: its word, the greatest byte first.
  static func term(_ value: Int64) -> [UInt8] { term(word: word(value)) }
  static func term(_ value: Double) -> [UInt8] { term(word: word(value)) }

  static func term(word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
  }
}
