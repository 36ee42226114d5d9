public import PredicateSyntax
public import ZoneQuery

/// Says what a predicate says of a record, straight from the syntax tree and the rules, one value at a time.
///
/// It shares nothing with the engine but the tree and the record: it computes in three values (yes, no, unknown) where
/// the engine has two, orders numbers by their own bits, folds text by the standard library's mappings, measures
/// distances by Vincenty's formula, and splits words by a rule of its own. What the rules leave open, and what lies
/// within a millimetre of a circle, is `undecided`.
///
/// ```swift
/// let evaluator = NaiveEvaluator(recordType: schema["Event"]!, options: PredicateOptions())
/// evaluator.truth(of: predicate.root, for: record)   // .yes, .no, .unknown or .undecided
/// ```
///
/// The predicate is taken to be a legal one of its dialect; of another it says anything, but ends.
public struct NaiveEvaluator: Sendable {
  /// The type of the records: it tells which fields token searches see.
  public let recordType: RecordType
  /// Dialect and switches.
  public let options: PredicateOptions
  /// The moment `now()` stands for.
  public let now: Timestamp

  /// Creates an evaluator of records of a type.
  public init(recordType: RecordType, options: PredicateOptions, now: Timestamp = Timestamp(milliseconds: 0)) {
    self.recordType = recordType
    self.options = options
    self.now = now
  }

  /// What a predicate says of a record.
  ///
  /// Complexity: whatever the most direct computation costs.
  public func truth(of predicate: PredicateNode, for record: Record) -> Truth {
    switch predicate {
    case .constant(let node): Truth(node.value)
    case .not(let node): truth(of: node.operand, for: record).negated
    case .and(let node): Truth.all(node.parts.map { truth(of: $0, for: record) })
    case .or(let node): Truth.any(node.parts.map { truth(of: $0, for: record) })
    case .comparison(let node): tokenSearch(node, record) ?? comparison(node, record)
    }
  }

  /// The records of some that a predicate finds; nil where one of them is undecided.
  public func records(matching predicate: PredicateNode, among records: [Record]) -> [Record]? {
    var found: [Record] = []
    for record in records {
      switch truth(of: predicate, for: record) {
      case .yes: found.append(record)
      case .undecided: return nil
      case .no, .unknown: break
      }
    }
    return found
  }

  // MARK: Comparisons

  /// What a comparison says where a value is missing and the operator has no rule of its own for that.
  var absent: Truth { options.missingFields == .excluded ? .unknown : .no }

  private func comparison(_ node: ComparisonNode, _ record: Record) -> Truth {
    let left = value(of: node.left, record)
    let right = value(of: node.right, record)
    if left.isUndecided || right.isUndecided { return .undecided }
    guard let quantifier = node.quantifier else {
      return compare(left, node.comparison, node.options, right)
    }
    if left.isMissing || right.isMissing {
      // Whether "some member is not x" holds of a list that is nil, no rule says.
      let isOpen = options.missingFields == .likeNSPredicate && node.comparison == .notEqual
      return isOpen ? .undecided : absent
    }
    guard case .list(let members) = left else { return .undecided }
    let truths = members.map { compare($0, node.comparison, node.options, right) }
    return quantifier == .any ? Truth.any(truths) : Truth.all(truths)
  }

  func compare(
    _ left: NaiveValue, _ comparison: ComparisonOperator, _ letters: ComparisonOptions, _ right: NaiveValue
  ) -> Truth {
    if left.isUndecided || right.isUndecided { return .undecided }
    switch comparison {
    case .equal: return equal(left, right, letters)
    case .notEqual: return equal(left, right, letters).negated
    case .less: return ordered(left, right, letters) { $0 < 0 }
    case .lessOrEqual: return ordered(left, right, letters) { $0 <= 0 }
    case .greater: return ordered(left, right, letters) { $0 > 0 }
    case .greaterOrEqual: return ordered(left, right, letters) { $0 >= 0 }
    case .between:
      guard case .list(let bounds) = right, bounds.count == 2 else { return .undecided }
      return Truth.all([
        ordered(left, bounds[0], letters) { $0 >= 0 }, ordered(left, bounds[1], letters) { $0 <= 0 },
      ])
    case .in: return member(left, of: right, letters)
    case .contains: return member(right, of: left, letters)
    case .beginsWith: return texts(left, right, letters) { $0.begins(with: $1) }
    case .endsWith: return texts(left, right, letters) { $0.ends(with: $1) }
    case .like: return like(left, right, letters)
    case .matches, .tokenMatches: return .undecided
    }
  }

  private func equal(_ left: NaiveValue, _ right: NaiveValue, _ letters: ComparisonOptions) -> Truth {
    switch (left, right) {
    case (.undecided, _), (_, .undecided), (.list, _), (_, .list), (.null, .null): return .undecided
    case (.null, .missing), (.missing, .null): return .yes
    case (.null, _), (_, .null): return .no
    case (.missing, .missing): return options.missingFields == .excluded ? .unknown : .yes
    case (.missing, _), (_, .missing): return absent
    case (.text(let a), .text(let b)):
      let ignoresCase = letters.contains(.caseInsensitive) || options.stringEquality == .caseInsensitive
      let ignoresMarks = letters.contains(.diacriticInsensitive)
      guard let a = NaiveText(a).folded(case: ignoresCase, marks: ignoresMarks),
        let b = NaiveText(b).folded(case: ignoresCase, marks: ignoresMarks)
      else { return .undecided }
      return Truth(a == b)
    case (.record(let a), .record(let b)): return Truth(a == b)
    case (.record(let id), .text(let name)), (.text(let name), .record(let id)):
      // Whether a bare name finds records of other zones, no rule says.
      if !sameBytes(id.recordName, name) { return .no }
      return id.zoneID.isDefault ? .yes : .undecided
    case (.place(let a), .place(let b)):
      let isSameMeridian = a.longitude == b.longitude || abs(a.longitude) == 180 && abs(b.longitude) == 180
      return Truth(a.latitude == b.latitude && (isSameMeridian || abs(a.latitude) == 90))
    default:
      guard let order = order(left, right) else { return absent }
      return order == .undecided ? .undecided : Truth(order == .equal)
    }
  }

  private enum Order: Int {
    case less = -1
    case equal = 0
    case greater = 1
    case undecided
  }

  /// How two numbers or moments stand to each other; nil where they cannot be compared.
  private func order(_ left: NaiveValue, _ right: NaiveValue) -> Order? {
    func exact(_ value: NaiveValue) -> ExactNumber? {
      switch value {
      case .integer(let value): ExactNumber(value)
      case .double(let value): ExactNumber(value)
      case .distance(let range) where range.lowerBound == range.upperBound: ExactNumber(range.lowerBound)
      default: nil
      }
    }
    if case .moment(let a) = left, case .moment(let b) = right { return a < b ? .less : a == b ? .equal : .greater }
    if let a = exact(left), let b = exact(right) { return Order(rawValue: ExactNumber.order(a, b)) }
    if case .distance(let range) = left, let number = exact(right) {
      if ExactNumber.order(ExactNumber(range.upperBound), number) < 0 { return .less }
      return ExactNumber.order(ExactNumber(range.lowerBound), number) > 0 ? .greater : .undecided
    }
    if case .distance = right, exact(left) != nil {
      switch order(right, left) {
      case .less: return .greater
      case .greater: return .less
      case let other: return other
      }
    }
    return nil
  }

  private func ordered(
    _ left: NaiveValue, _ right: NaiveValue, _ letters: ComparisonOptions, _ holds: (Int) -> Bool
  ) -> Truth {
    if left.isMissing || right.isMissing { return absent }
    if case .text(let a) = left, case .text(let b) = right {
      let (c, d) = (letters.contains(.caseInsensitive), letters.contains(.diacriticInsensitive))
      guard let a = NaiveText(a).folded(case: c, marks: d), let b = NaiveText(b).folded(case: c, marks: d) else {
        return .undecided
      }
      let isLess = a.scalars.lexicographicallyPrecedes(b.scalars)
      return Truth(holds(a == b ? 0 : isLess ? -1 : 1))
    }
    guard let order = order(left, right) else { return absent }
    return order == .undecided ? .undecided : Truth(holds(order.rawValue))
  }

  /// Whether a value is one of a list, or a text part of a text.
  private func member(_ value: NaiveValue, of whole: NaiveValue, _ letters: ComparisonOptions) -> Truth {
    if case .text = whole { return texts(whole, value, letters) { $0.contains($1) } }
    guard case .list(let members) = whole else { return whole.isMissing ? absent : .undecided }
    if value.isMissing {
      return members.contains(where: \.isNull) ? .yes : absent
    }
    return Truth.any(members.map { $0.isNull ? .no : equal(value, $0, letters) })
  }

  private func texts(
    _ left: NaiveValue, _ right: NaiveValue, _ letters: ComparisonOptions, _ holds: (NaiveText, NaiveText) -> Bool
  ) -> Truth {
    if left.isMissing || right.isMissing { return absent }
    guard case .text(let a) = left, case .text(let b) = right else { return absent }
    let (c, d) = (letters.contains(.caseInsensitive), letters.contains(.diacriticInsensitive))
    guard let whole = NaiveText(a).folded(case: c, marks: d), let part = NaiveText(b).folded(case: c, marks: d) else {
      return .undecided
    }
    if b.utf8.isEmpty { return .no }
    return part.scalars.isEmpty ? .undecided : Truth(holds(whole, part))
  }

  private func like(_ left: NaiveValue, _ right: NaiveValue, _ letters: ComparisonOptions) -> Truth {
    if left.isMissing || right.isMissing { return absent }
    guard case .text(let a) = left, case .text(let b) = right else { return absent }
    let (c, d) = (letters.contains(.caseInsensitive), letters.contains(.diacriticInsensitive))
    guard let matches = NaiveText(a).matches(pattern: NaiveText(b), case: c, marks: d) else { return .undecided }
    return Truth(matches)
  }
}
