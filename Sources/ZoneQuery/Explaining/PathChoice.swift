/// Takes the plan of one path, of those considered for each table, where an explanation measures what its paths take.
final class PathChoice {
  /// The path, in words.
  private let detail: String
  private let tree: (QueryTrace.TableRun) -> PlanTree
  /// Whether the path was considered for the table planned last.
  private(set) var isTaken = false

  /// A choice of a path; `tree` puts a table's plans into words.
  init(_ detail: String, tree: @escaping (QueryTrace.TableRun) -> PlanTree) {
    (self.detail, self.tree) = (detail, tree)
  }

  /// The plan of the path: the cheapest of those that are the same in words. Nil where the planner did not consider it; where it
  /// was not asked, there is the table's own alone.
  func plan(_ planner: Planner, isChosen: Bool, own: Plan, attempts: [Int]) -> Plan? {
    let tree = tree(
      QueryTrace.TableRun(
        table: planner.table, conjuncts: planner.conjuncts, attempts: attempts, chosen: own, considered: [],
        isForced: true, ran: own))
    let plans = (isChosen ? planner.allPaths() : []).filter { sameBytes(tree.line($0), detail) }
    let plan = plans.min { $0.cost < $1.cost } ?? (sameBytes(tree.line(own), detail) ? own : nil)
    isTaken = plan != nil
    return plan
  }
}
