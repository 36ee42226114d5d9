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
  /// Complexity: quadratic in the conjuncts on one field; of long lists, and of conditions of many parts, nothing is found.
  static func compare(_ conjuncts: inout [PlannedConjunct], zone: ZoneID, isFixed: (Int) -> Bool) {
    guard (2...ConjunctSet.rest).contains(conjuncts.count) else { return }
    for number in conjuncts.indices {
      guard !conjuncts[number].isImplied, let field = conjuncts[number].comparedField else { continue }
      for other in conjuncts.indices where other != number && !conjuncts[other].isImplied {
        guard conjuncts[other].comparedField == field,
          let holds = conjuncts[other].holds(where: conjuncts[number])
        else { continue }
        if !holds {
          (conjuncts[other].form, conjuncts[other].cannotHold) = (.nothing, isFixed(number))
          return
        }
        conjuncts[other].isImplied = true
        conjuncts[other].isAlwaysImplied = isFixed(number) && isFixed(other)
      }
    }
    for number in conjuncts.indices where !conjuncts[number].isImplied && conjuncts[number].comparedField == nil {
      var (left, areFixed) = (mostParts, isFixed(number))
      let holds = holds(conjuncts[number].predicate, &left) { part, field in
        for other in conjuncts.indices where !conjuncts[other].isImplied && conjuncts[other].comparedField == field {
          guard let holds = PlannedConjunct(part, zone: zone).holds(where: conjuncts[other]) else { continue }
          areFixed = areFixed && isFixed(other)
          return holds
        }
        return nil
      }
      if holds == false {
        (conjuncts[number].form, conjuncts[number].cannotHold) = (.nothing, areFixed)
        return
      }
      (conjuncts[number].isImplied, conjuncts[number].isAlwaysImplied) = (holds == true, holds == true && areFixed)
    }
  }

  /// So many parts of a condition are looked at.
  private static var mostParts: Int { 32 }

  /// Whether a condition of several parts holds, of which one or all may decide, as far as is known of a comparison with one field's
  /// value.
  private static func holds(
    _ predicate: BoundPredicate, _ left: inout Int, known: (BoundPredicate, FieldNumber) -> Bool?
  ) -> Bool? {
    let (parts, decides): ([BoundPredicate], Bool)
    switch predicate {
    case .constant(let value): return value
    case .comparison(let comparison):
      guard case .value(let field, let test) = comparison.condition, test.valueCount ?? 1 <= Planner.mostRuns else {
        return nil
      }
      return known(predicate, field)
    case .or(let given): (parts, decides) = (given, true)
    case .and(let given): (parts, decides) = (given, false)
    }
    var areKnown = true
    for part in parts {
      left -= 1
      if left < 0 { return nil }
      let holds = holds(part, &left, known: known)
      if holds == decides { return decides }
      areKnown = areKnown && holds != nil
    }
    return areKnown ? !decides : nil
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
    guard let value = onlyValue else { return nil }
    if test.valueCount ?? 1 > Planner.mostRuns { return nil }
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
