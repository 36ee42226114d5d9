/// Makes a plan that was run a tree of steps.
struct PlanTree {
  typealias Node = QueryExplanation.Node

  let run: QueryTrace.TableRun
  let text: PlanText
  let order: SortOrder
  /// The most rows asked for; nil where all are, or where they are counted.
  let limit: Int?
  let isCount: Bool

  private var isSorted: Bool { !order.descriptors.isEmpty && !isCount }

  /// The conjuncts that a plan's source itself answers, or offers rows for that may fail it.
  private func covered(_ plan: Plan) -> ConjunctSet {
    var covered = ConjunctSet.all(run.conjuncts.count).subtracting(plan.residual)
    for probe in plan.probes { covered.remove(probe.conjunct) }
    if let asked = plan.asked { covered.insert(asked) }
    return covered
  }

  /// The plan that gave the answer.
  var answer: Node {
    let plan = run.ran
    var node = steps(plan, source: run.access)
    if plan.isWalk || isCount { spread(run.whole, &node) }
    if isCount {
      node = Node(operation: .count, detail: "", estimatedRows: plan.rows, children: [node])
    } else if isSorted, !plan.isWalk {
      let stages = [run.walk, run.access, run.probing, run.filtering].compactMap { $0 }
      node = Node(
        operation: .topRows, detail: text.order, estimatedRows: min(plan.rows, Double(limit ?? .max)),
        rowsExamined: max(0, run.whole.examined - stages.reduce(0) { $0 + $1.examined }),
        nanoseconds: max(0, run.whole.nanoseconds - stages.reduce(0) { $0 + $1.nanoseconds }), children: [node])
    } else if limit != nil || plan.addsMissing {
      var children = [node]
      if plan.addsMissing {
        let field = order.descriptors.first.map { text.layout.name(of: $0.field) } ?? ""
        let missing = Node(operation: .missingRows, detail: field)
        children.insert(missing, at: order.descriptors.first?.isDescending == true ? 1 : 0)
      }
      node = Node(
        operation: .limit, detail: limit.map { "\($0)" } ?? "all", estimatedRows: min(plan.rows, Double(limit ?? .max)),
        children: children)
    }
    return node
  }

  /// The walk whose budget was spent.
  var abandoned: Node? {
    guard run.isBudgetSpent, let walk = run.walk else { return nil }
    var node = steps(run.chosen, source: nil)
    spread(walk, &node)
    return node
  }

  /// One line on what a plan would do.
  func line(_ plan: Plan) -> String {
    var texts: [String] = []
    var node = steps(plan, source: nil)
    while true {
      texts.append(node.detail.isEmpty ? node.operation.name : "\(node.operation.name) \(node.detail)")
      guard node.operation != .union, let child = node.children.first else { break }
      node = child
    }
    texts.reverse()
    if isSorted, !plan.isWalk, node.operation != .nothing { texts.append("top rows") }
    return texts.joined(separator: " → ")
  }

  /// The indexes that a plan reads.
  func indexes(_ plan: Plan) -> [IndexDefinition] { steps(plan, source: nil).allIndexes }

  /// The source, and what each of its rows has yet to pass.
  private func steps(_ plan: Plan, source: QueryTrace.Stage?) -> Node {
    var node = self.source(plan)
    if let source { figures(source, &node) }
    // There is nothing to hold against the rest.
    if case .access(.nothing) = plan.source { return node }
    let answered = source != nil
    if !plan.probes.isEmpty {
      var probed = ConjunctSet.empty
      for probe in plan.probes { probed.insert(probe.conjunct) }
      let lists = plan.probes.reduce(0) { $0 + $1.lists.count }
      let rows = plan.residual.isEmpty || plan.isScan ? plan.rows : nil
      node = Node(
        operation: .probe, detail: text.conditions(probed, Array(run.conjuncts.indices)), estimatedRows: rows,
        ranges: lists, children: [node])
      node.indexes = text.indexes(plan.probes.compactMap(\.index))
      if answered, let stage = run.probing { figures(stage, &node) }
    }
    if !plan.residual.isEmpty, !plan.isScan {
      node = Node(
        operation: .filter, detail: text.conditions(plan.residual, run.attempts), estimatedRows: found(plan),
        children: [node])
      if answered, let stage = run.filtering { figures(stage, &node) }
    }
    return node
  }

  /// How many rows a plan is taken to find before it stops.
  private func found(_ plan: Plan) -> Double {
    guard let limit, !isCount, plan.isWalk || !isSorted else { return plan.rows }
    return min(plan.rows, Double(limit) + 1)
  }

  /// How many rows a source is taken to offer: fewer than it reads entries where these are held against something.
  private func offered(_ plan: Plan) -> Double {
    guard let path = plan.path, !path.tests.isEmpty, plan.residual.isEmpty, plan.probes.isEmpty else {
      return plan.entries
    }
    return found(plan)
  }

  private func source(_ plan: Plan) -> Node {
    let covered = covered(plan)
    switch plan.source {
    case .scan:
      let rows = plan.probes.isEmpty ? found(plan) : nil
      return Node(operation: .columnScan, detail: text.conditions(plan.residual, run.attempts), estimatedRows: rows)
    case .access(.overlap(let runs)): return node(.overlap(runs), covered, entries: plan.rows)
    case .access(let access): return node(access, covered, entries: offered(plan))
    case .walk(let walk):
      return Node(
        operation: .indexWalk, detail: text.walk(walk, covered), indexes: text.indexes([walk.index]),
        estimatedRows: offered(plan),
        ranges: walk.others.isEmpty ? nil : walk.others.count + 1,
        budget: walk.budget == .max || !isSorted ? nil : walk.budget)
    }
  }

  private func node(_ access: Access, _ covered: ConjunctSet, entries: Double, form: Sargable? = nil) -> Node {
    // A row may stand in several of the entries, and in several parts.
    var node = Node(
      operation: access.operation, detail: text.access(access, covered, form: form),
      estimatedRows: min(entries, Double(run.table.count)))
    // Those of a union are its parts'.
    if case .union = access {} else { node.indexes = text.indexes(access.indexes) }
    switch access {
    case .spans(_, let spans), .circle(_, let spans, _): if spans.count > 1 { node.ranges = spans.count }
    case .overlap(let runs): node.ranges = runs.count
    case .rest(let rest): if rest.lists.count > 1 { node.ranges = rest.lists.count }
    case .lists(_, let lists, _): if lists.count > 1 { node.ranges = lists.count }
    case .union(let parts):
      let forms = unionForms(form.map { [$0] } ?? text.forms(covered), parts)
      for (number, part) in parts.enumerated() {
        node.children.append(self.node(part, covered, entries: Double(part.entries), form: forms?[number]))
      }
    case .nothing, .slots, .tested: break
    }
    return node
  }

  /// The forms of a union's parts, where none of them came out empty.
  private func unionForms(_ asked: [Sargable], _ parts: [Access]) -> [Sargable]? {
    for form in asked {
      switch form {
      case .either(let forms) where forms.count == parts.count: return forms
      case .narrowest(let forms): if let found = unionForms(forms, parts) { return found }
      default: continue
      }
    }
    return nil
  }

  /// Gives the figures of stages that are one loop to the steps: what was found to the first, what was read to the last.
  private func spread(_ stage: QueryTrace.Stage, _ node: inout Node) {
    node.actualRows = stage.rows
    node.rowsExamined = stage.examined
    node.last { last in
      last.entriesRead = stage.entries
      last.nanoseconds = stage.nanoseconds
    }
  }

  private func figures(_ stage: QueryTrace.Stage, _ node: inout Node) {
    node.actualRows = stage.rows
    node.entriesRead = stage.entries
    node.rowsExamined = stage.examined
    node.nanoseconds = stage.nanoseconds
  }
}

extension QueryExplanation.Node {
  /// Calls `body` with the step that all others work on.
  mutating func last(_ body: (inout QueryExplanation.Node) -> Void) {
    if operation == .union || children.isEmpty { return body(&self) }
    children[0].last(body)
  }
}

extension Plan {
  /// Whether rows without the sort's field are added to those of a walk.
  var addsMissing: Bool { if case .walk(let walk) = source { walk.addsMissing } else { false } }
}

extension Access {
  var operation: QueryExplanation.Operation {
    switch self {
    case .nothing: .nothing
    case .slots: .fetch
    case .spans(_, let spans): spans.count > 1 ? .multiRange : .indexRange
    case .tested: .indexRange
    case .overlap: .intersection
    case .lists, .rest: .postings
    case .circle: .locationCover
    case .union: .union
    }
  }
}
