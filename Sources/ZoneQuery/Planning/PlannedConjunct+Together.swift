/// What conditions on one field say together, before any index is asked.
///
/// ```
/// city = "Oslo" AND city = "Bergen"       no record
/// start > 5 AND start < 3                 no record
/// name = "Sea" AND name ENDSWITH "x"      no record
/// city = "Oslo" AND city != "Bergen"      city = "Oslo": the other need not be asked
/// (city = "Oslo" OR seats > 5) AND city = "Bergen" AND seats < 3
///                                         no record
/// ```
extension PlannedConjunct {
  /// Finds conjuncts that cannot hold together, one of which then asks for nothing, and those that others say already.
  /// `isFixed` says of which no run's values are part, so that it is so in all runs.
  ///
  /// Complexity: quadratic in the conjuncts on one field; of long lists and texts nothing is found, and of conditions of
  /// several parts so many parts are looked at in all.
  static func compare(_ conjuncts: inout [PlannedConjunct], zone: ZoneID, isFixed: (Int) -> Bool) {
    guard (2...ConjunctSet.rest).contains(conjuncts.count) else { return }
    for number in conjuncts.indices {
      guard !conjuncts[number].isImplied, let field = conjuncts[number].comparedField else { continue }
      for other in conjuncts.indices where other != number && !conjuncts[other].isImplied {
        guard conjuncts[other].comparedField == field,
          let holds = conjuncts[other].holds(where: conjuncts[number])
        else { continue }
        if !holds {
          conjuncts[other].form = .nothing
          return
        }
        conjuncts[other].isImplied = true
        conjuncts[other].isAlwaysImplied = isFixed(number) && isFixed(other)
      }
    }
    guard conjuncts.contains(where: \.isToBeDecided) else { return }
    let given = conjuncts.indices.compactMap { number in
      conjuncts[number].isImplied
        ? nil : conjuncts[number].comparedField.map { (conjuncts[number], field: $0, isFixed: isFixed(number)) }
    }
    var others = Others(given: given, zone: zone)
    for number in conjuncts.indices where conjuncts[number].isToBeDecided {
      others.areFixed = isFixed(number)
      guard let holds = others.decide(conjuncts[number].predicate) else { continue }
      if !holds {
        conjuncts[number].form = .nothing
        return
      }
      (conjuncts[number].isImplied, conjuncts[number].isAlwaysImplied) = (true, others.areFixed)
    }
  }

  /// Whether it has several parts, which others may decide.
  private var isToBeDecided: Bool {
    switch predicate {
    case .constant, .comparison: false
    case .and, .or: !isImplied && comparedField == nil
    }
  }

  /// Conjuncts on one field each, by which those of several parts are decided.
  private struct Others {
    let given: [(conjunct: PlannedConjunct, field: FieldNumber, isFixed: Bool)]
    let zone: ZoneID
    /// So many parts are looked at yet, and held against one conjunct each.
    var left = 256
    /// Whether no run's values are part of what decided.
    var areFixed = true

    /// Whether a condition holds wherever all do, or nowhere; nil where neither is known.
    mutating func decide(_ predicate: BoundPredicate) -> Bool? {
      left -= 1
      if left < 0 { return nil }
      let (parts, decides): ([BoundPredicate], Bool)
      switch predicate {
      case .constant(let value): return value
      case .comparison(let comparison): return decide(comparison)
      case .or(let given): (parts, decides) = (given, true)
      case .and(let given): (parts, decides) = (given, false)
      }
      var areKnown = true
      for part in parts {
        let holds = decide(part)
        if holds == decides { return decides }
        if left < 0 { return nil }
        areKnown = areKnown && holds != nil
      }
      return areKnown ? !decides : nil
    }

    private mutating func decide(_ comparison: BoundComparison) -> Bool? {
      guard case .value(let field, let test) = comparison.condition, test.valueCount ?? 1 <= Planner.mostRuns else {
        return nil
      }
      var part: PlannedConjunct?
      for (conjunct, asked, isFixed) in given where asked == field {
        left -= 1
        if left < 0 { return nil }
        let own = part ?? PlannedConjunct(.comparison(comparison), zone: zone)
        part = own
        guard let holds = own.holds(where: conjunct) else { continue }
        areFixed = areFixed && isFixed
        return holds
      }
      return nil
    }
  }

  /// The field whose one value it compares with constants, or asks to be there.
  private var comparedField: FieldNumber? {
    if let intervals = form?.intervals { return intervals.field }
    guard case .comparison(let comparison) = predicate, case .value(let field, _) = comparison.condition else {
      return nil
    }
    return field
  }

  /// Whether it holds wherever another does, or nowhere; nil where neither is known.
  private func holds(where other: PlannedConjunct) -> Bool? {
    if let own = form?.intervals, let given = other.form?.intervals {
      // Of long lists there may be many, and each would be held against all others.
      if own.intervals.count + given.intervals.count > Planner.mostRuns { return nil }
      let common = ValueInterval.common(given.intervals, own.intervals)
      return common.isEmpty ? false : common == given.intervals ? true : nil
    }
    guard case .comparison(let comparison) = predicate, case .value(let field, let test) = comparison.condition else {
      return nil
    }
    let onlyValue = other.onlyValue
    if test == .every, onlyValue != nil || other.form?.intervals != nil { return !comparison.isNegated }
    guard let value = onlyValue, value.count <= Self.longestValue, test.valueCount ?? 1 <= Planner.mostRuns else {
      return nil
    }
    let holds: Bool
    if let terms = Sargable.terms(test) {
      holds = terms.contains(value)
    } else if MemberCondition.cost(of: test) != nil {
      holds = MemberCondition(field, test).holds(value.span)
    } else {
      return nil
    }
    return holds != comparison.isNegated
  }

  /// Longer values, in bytes, are held against no other condition: a pattern may take long.
  private static var longestValue: Int { 1_024 }

  /// The one value that it asks for, as the bytes of a text or a reference, or a number's term.
  private var onlyValue: [UInt8]? {
    guard case .comparison(let comparison) = predicate, !comparison.isNegated, !comparison.whenMissing,
      case .value(_, let test) = comparison.condition, test.valueCount ?? 1 == 1, let terms = Sargable.terms(test)
    else { return nil }
    return terms.count == 1 ? terms[0] : nil
  }
}

extension ValueTest {
  /// How many values it asks for, where it says them one by one.
  fileprivate var valueCount: Int? {
    switch self {
    case .integerSet(let values): values.count
    case .doubleSet(let values): values.count
    case .textSet(let values, _), .referenceSet(let values), .recordNameSet(let values): values.count
    default: nil
    }
  }
}
