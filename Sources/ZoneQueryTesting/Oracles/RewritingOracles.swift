internal import PredicateSyntax
internal import ZoneQuery

/// The laws of logic hold.
struct AlgebraOracle: Oracle {
  let name = "algebra"
  let summary = "AND and OR commute and associate, NOT NOT p is p, De Morgan's laws hold."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    var random = subject.random
    let predicate = subject.testCase.predicate
    let plain = try subject.found(predicate)
    var checks = 0
    func expectSame(_ other: PredicateNode, _ law: String) throws(OracleFailure) {
      let found = try subject.found(other)
      try expect(sameTexts(found, plain), "\(law): \(plain) became \(found) by \(other.predicateFormat)")
      checks += 1
    }
    try expectSame(predicate.commuted(&random), "parts in another order")
    try expectSame(predicate.regrouped(&random), "parts in other groups")
    try expectSame(.and(CompoundNode(parts: [predicate])), "AND of one")
    try expectSame(.all(of: [predicate, .true]), "p AND TRUE")
    try expectSame(.and(CompoundNode(parts: [predicate, predicate])), "p AND p")
    guard subject.testCase.options.dialect == .extended else { return checks }
    try expectSame(.or(CompoundNode(parts: [predicate, predicate])), "p OR p")
    try expectSame(.any(of: [predicate, .false]), "p OR FALSE")
    try expectSame(.not(NotNode(.not(NotNode(predicate)))), "double negation")
    try expectSame(predicate.dualized, "De Morgan")
    return checks
  }
}

extension PredicateNode {
  /// The parts of AND and OR in a random order.
  fileprivate func commuted(_ random: inout SeededRandom) -> PredicateNode {
    switch self {
    case .and(let node): .and(CompoundNode(parts: random.shuffled(node.parts.map { $0.commuted(&random) })))
    case .or(let node): .or(CompoundNode(parts: random.shuffled(node.parts.map { $0.commuted(&random) })))
    case .not(let node): .not(NotNode(node.operand.commuted(&random)))
    case .constant, .comparison: self
    }
  }

  /// Some neighbours among the parts of AND and OR put in a group of their own.
  fileprivate func regrouped(_ random: inout SeededRandom) -> PredicateNode {
    func grouped(_ parts: [PredicateNode], _ make: ([PredicateNode]) -> PredicateNode) -> [PredicateNode] {
      guard parts.count > 2 else { return parts }
      let start = random.below(parts.count - 1)
      return parts[..<start] + [make(Array(parts[start...(start + 1)]))] + parts[(start + 2)...]
    }
    switch self {
    case .and(let node): return .and(CompoundNode(parts: grouped(node.parts) { .and(CompoundNode(parts: $0)) }))
    case .or(let node): return .or(CompoundNode(parts: grouped(node.parts) { .or(CompoundNode(parts: $0)) }))
    default: return self
    }
  }

  /// AND as NOT over OR and the other way round.
  fileprivate var dualized: PredicateNode {
    switch self {
    case .and(let node):
      .not(NotNode(.or(CompoundNode(parts: node.parts.map { .not(NotNode($0.dualized)) }))))
    case .or(let node):
      .not(NotNode(.and(CompoundNode(parts: node.parts.map { .not(NotNode($0.dualized)) }))))
    case .not(let node): .not(NotNode(node.operand.dualized))
    case .constant, .comparison: self
    }
  }
}

/// A comparison means what its definition says.
struct RewriteOracle: Oracle {
  let name = "rewrite"
  let summary = "BETWEEN is two comparisons, IN an OR of equalities, a mirrored comparison the same, NONE a NOT ANY."

  func check(_ subject: OracleSubject) throws(OracleFailure) -> Int {
    let predicate = subject.testCase.predicate
    let isExtended = subject.testCase.options.dialect == .extended
    let plain = try subject.found(predicate)
    var checks = 0
    for rewriting in Rewriting.allCases where isExtended || rewriting != .inToEqualities {
      let other = rewriting.apply(predicate, isExtended: isExtended)
      guard other != predicate else { continue }
      let found = try subject.found(other)
      try expect(sameTexts(found, plain), "\(plain) became \(found) by \(other.predicateFormat)")
      checks += 1
    }
    // CloudKit's dialect has no OR, but a union of queries.
    if !isExtended, case .comparison(let node) = predicate, let parts = Rewriting.equalities(node) {
      var union: Set<[UInt8]> = []
      for part in parts { union.formUnion(try subject.found(part).map { Array($0.utf8) }) }
      try expect(union == Set(plain.map { Array($0.utf8) }), "the union of the equalities is not \(plain)")
      checks += 1
    }
    return checks
  }
}

/// Ways to say a comparison by others.
private enum Rewriting: CaseIterable {
  case betweenToBounds, inToEqualities, mirror, membership

  func apply(_ predicate: PredicateNode, isExtended: Bool) -> PredicateNode {
    switch predicate {
    case .and(let node): .all(of: node.parts.map { apply($0, isExtended: isExtended) })
    case .or(let node): .any(of: node.parts.map { apply($0, isExtended: isExtended) })
    case .not(let node):
      // What becomes an AND cannot stand under CloudKit's NOT.
      .not(NotNode(isExtended || self != .betweenToBounds ? apply(node.operand, isExtended: isExtended) : node.operand))
    case .comparison(let node): apply(node) ?? predicate
    case .constant: predicate
    }
  }

  private func apply(_ node: ComparisonNode) -> PredicateNode? {
    switch self {
    case .betweenToBounds:
      guard node.quantifier == nil, node.comparison == .between, case .list(let bounds) = node.right,
        bounds.elements.count == 2, !Self.isDistance(node.left)
      else { return nil }
      return .all(of: [
        .comparison(ComparisonNode(node.left, .greaterOrEqual, options: node.options, bounds.elements[0])),
        .comparison(ComparisonNode(node.left, .lessOrEqual, options: node.options, bounds.elements[1])),
      ])
    case .inToEqualities: return Self.equalities(node).map { .any(of: $0) }
    case .mirror:
      guard node.quantifier == nil, node.options.isEmpty,
        let mirrored = OperatorTable.facts(of: node.comparison).mirrored
      else { return nil }
      switch node.comparison {
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
        return .comparison(ComparisonNode(node.right, mirrored, node.left))
      default: return nil
      }
    case .membership:
      // `list CONTAINS v`, `v IN list` and `ANY list = v` are one test.
      guard node.quantifier == .any, node.comparison == .equal, case .key = node.left, case .literal = node.right else {
        return nil
      }
      return .comparison(ComparisonNode(node.left, .contains, options: node.options, node.right))
    }
  }

  static func equalities(_ node: ComparisonNode) -> [PredicateNode]? {
    guard node.quantifier == nil, node.comparison == .in, case .key = node.left, case .list(let list) = node.right,
      !list.elements.isEmpty
    else { return nil }
    return list.elements.map { .comparison(ComparisonNode(node.left, .equal, options: node.options, $0)) }
  }

  private static func isDistance(_ expression: ExpressionNode) -> Bool {
    if case .function(let call) = expression { call.function == .distance } else { false }
  }
}
