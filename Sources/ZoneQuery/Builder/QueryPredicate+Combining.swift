extension QueryPredicate {
  /// Both hold: `a AND b`. Chains are flat, whichever way they were grouped.
  ///
  /// ```swift
  /// Field("city") == "Seoul" && Field("capacity") > 100   // city == "Seoul" AND capacity > 100
  /// ```
  ///
  /// Complexity: linear in the number of parts.
  public static func && (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate { all(of: [left, right]) }

  /// One of them holds at least: `a OR b`, which the extended dialect alone takes.
  ///
  /// Complexity: linear in the number of parts.
  public static func || (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate { any(of: [left, right]) }

  /// The predicate does not hold: `NOT a`.
  public static prefix func ! (operand: QueryPredicate) -> QueryPredicate { not(operand) }

  /// Both hold: `a AND b`.
  public func and(_ other: QueryPredicate) -> QueryPredicate { self && other }

  /// One of them holds at least: `a OR b`.
  public func or(_ other: QueryPredicate) -> QueryPredicate { self || other }

  /// The predicate does not hold: `NOT a`.
  public static func not(_ operand: QueryPredicate) -> QueryPredicate {
    let (root, size, faults) = operand.measured
    let grown = TreeSize.over(size)
    return QueryPredicate(grown, faults) { .not(NotNode(root)) }
  }

  /// All of them hold: `a AND b AND …`; one stands alone, and none at all is `TRUEPREDICATE`.
  ///
  /// Complexity: linear in the number of parts.
  public static func all(of predicates: some Sequence<QueryPredicate>) -> QueryPredicate {
    let parts = Parts(predicates) { if case .and = $0 { true } else { false } }
    return parts.only ?? QueryPredicate(parts.size, parts.faults) { .all(of: parts.roots) }
  }

  /// At least one of them holds: `a OR b OR …`; one stands alone, and none at all is `FALSEPREDICATE`.
  ///
  /// Complexity: linear in the number of parts.
  public static func any(of predicates: some Sequence<QueryPredicate>) -> QueryPredicate {
    let parts = Parts(predicates) { if case .or = $0 { true } else { false } }
    return parts.only ?? QueryPredicate(parts.size, parts.faults) { .any(of: parts.roots) }
  }

  /// The root, its size and what is wrong with it.
  var measured: (root: PredicateNode, size: TreeSize, faults: [Diagnostic]) {
    if !faults.isEmpty { return (.false, .leaf, faults) }
    if let knownSize { return (root, knownSize, []) }
    guard let size = TreeSize(of: root) else { return (.false, .leaf, [.nestingTooDeep]) }
    return (root, size, [])
  }

  /// The tree that `make` builds, unless there is a fault or it would pass a limit.
  private init(_ size: TreeSize, _ faults: [Diagnostic], _ make: () -> PredicateNode) {
    let faults = faults.isEmpty ? size.fault.map { [$0] } ?? [] : faults
    self.init(root: faults.isEmpty ? make() : .false, size: faults.isEmpty ? size : .leaf, faults: faults)
  }

  /// The parts of a conjunction or disjunction, with the size of the whole; no more are read once that is too large.
  private struct Parts {
    var roots: [PredicateNode] = []
    var size = TreeSize.leaf
    var faults: [Diagnostic] = []
    /// The predicate that has no other beside it.
    var only: QueryPredicate?

    init(_ predicates: some Sequence<QueryPredicate>, merges: (PredicateNode) -> Bool) {
      for predicate in predicates {
        let (root, part, found) = predicate.measured
        only = roots.isEmpty ? predicate : nil
        faults = Diagnostic.merged(faults, found)
        let isMerged = merges(root)
        size.height = max(size.height, isMerged ? part.height : part.height + 1)
        size.nodes += isMerged ? part.nodes - 1 : part.nodes
        size.constantBytes += part.constantBytes
        if only == nil, size.fault != nil { break }
        roots.append(root)
      }
    }
  }
}

// MARK: - Token search

extension QueryPredicate {
  /// The record's searchable texts have every word: `ALL tokenize(text, "Cdl") IN allTokens`.
  ///
  /// ```swift
  /// try database.records(matching: Query(recordType: "Session", predicate: .allTokens("after session")))
  /// ```
  public static func allTokens(_ text: String) -> QueryPredicate { tokens(.value(text), .all) }

  /// The record's searchable texts have every word of a parameter.
  public static func allTokens(_ text: Field) -> QueryPredicate { tokens(text, .all) }

  /// The record's searchable texts have at least one of the words: `ANY tokenize(text, "Cdl") IN allTokens`.
  public static func anyToken(_ text: String) -> QueryPredicate { tokens(.value(text), .any) }

  /// The record's searchable texts have at least one of the words of a parameter.
  public static func anyToken(_ text: Field) -> QueryPredicate { tokens(text, .any) }

  private static func tokens(_ text: Field, _ quantifier: Quantifier) -> QueryPredicate {
    let options = Field.value("Cdl")
    let call = Field(over: [text, options]) { .function(FunctionNode(.tokenize, [text.node, options.node])) }
    return QueryPredicate(comparing: call, .in, Field("allTokens"), quantifier: quantifier)
  }
}
