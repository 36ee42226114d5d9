/// A plan other than the planner's choice, so that oracles can hold all plans of a query against each other.
package enum ForcedPlan: Sendable, Hashable {
  /// Every row is looked at.
  case scan
  /// The plan of a number among those considered for a table, counted round.
  case considered(Int)
}

/// Which plans there were to choose from in a run whose plan was forced.
package struct PlanNotes: Sendable {
  /// The most plans considered for a table.
  package private(set) var most = 0
  /// What they read from: `scan`, `spans`, `walk`, …
  package private(set) var kinds: Set<String> = []

  mutating func add(_ considered: [Plan]) {
    most = max(most, considered.count)
    for plan in considered { kinds.insert(plan.kind) }
  }
}

extension Plan {
  fileprivate var kind: String {
    let name =
      switch source {
      case .scan: "scan"
      case .walk(let walk):
        (!walk.others.isEmpty
          ? "walk of several" : walk.addsMissing ? "walk with missing" : walk.sorted > 0 ? "sorted walk" : "walk")
          + (walk.filter.isEmpty ? "" : ", tested")
      case .access(.nothing): "nothing"
      case .access(.slots): "slots"
      case .access(.spans(_, let spans)): spans.count == 1 ? "span" : "spans"
      case .access(.lists(_, let lists, let requiresAll)):
        lists.count == 1 ? "list" : requiresAll ? "all lists" : "any list"
      case .access(.circle): "circle"
      case .access(.tested): "tested span"
      case .access(.overlap): "overlap"
      case .access(.union): "union"
      case .access(.rest): "rest"
      }
    return name + (residual.isEmpty ? "" : ", residual") + (probes.isEmpty ? "" : ", probes")
  }
}
