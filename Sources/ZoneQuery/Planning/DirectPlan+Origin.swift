extension DirectPlan {
  /// A plan that the planner chose, read for what it has in common with those for other values.
  struct Draft {
    let plan: Plan
    let table: Table
    let template: PredicateTemplate
    let conjuncts: [PlannedConjunct]
    let order: SortOrder
    let limit: Int
    /// Whether the rows are counted alone.
    let counts: Bool
    /// The conjuncts that the plan's source answers.
    let answered: [Int]
    /// What the source answers, where that is one condition on texts but for case or marks.
    let spellings: Spellings?

    init(
      _ given: Plan, _ table: Table, _ template: PredicateTemplate, _ conjuncts: [PlannedConjunct], _ order: SortOrder,
      limit: Int, counts: Bool
    ) {
      (self.table, self.template, self.conjuncts) = (table, template, conjuncts)
      (self.order, self.limit, self.counts) = (order, limit, counts)
      var plan = given
      if case .access(.nothing) = plan.source { plan.askForMissingTerm(conjuncts, template, table) }
      self.plan = plan
      var left = plan.residual
      for probe in plan.probes { left.insert(probe.conjunct) }
      answered = conjuncts.indices.filter { !left.contains($0) && !conjuncts[$0].isImplied }
      spellings =
        answered.count == 1
        ? Spellings(template.parts[answered[0]], conjuncts[answered[0]].form, template.options) : nil
    }

    func lookup(_ number: Int) -> Lookup? {
      Lookup(template.parts[number], conjuncts[number].form, table)
    }

    func operand(_ number: Int) -> Operand? {
      Operand(template.parts[number], conjuncts[number].form, template.options)
    }
  }

  /// Where the rows of a plan come from, and in which order.
  struct Origin {
    let source: Source
    /// Which conjuncts ask for which fields of an index.
    let path: Plan.Path
    /// The lists, where the source is of lists.
    var lists: [Lookup] = []
    var isWalk = false
    var isDescending = false
    /// How many sort descriptors the index's order satisfies.
    var sorted = 0
    /// Whether the rows have yet to be put into the query's order.
    var isRanked = false

    init(_ source: Source, _ path: Plan.Path) { (self.source, self.path) = (source, path) }

    init(_ source: Source, index: Int) { self.init(source, Plan.Path(index: index, points: [], interval: [])) }
  }
}

extension DirectPlan.Draft {
  /// Where the rows come from; nil where that has no form to be kept.
  func origin() -> DirectPlan.Origin? {
    switch plan.source {
    case .scan:
      // Beside a look at all rows planning is little.
      guard !counts, order.descriptors.isEmpty, plan.probes.isEmpty, Double(limit) < plan.rows else { return nil }
      return DirectPlan.Origin(.scan, index: .max)
    case .walk(let walk):
      guard !counts, var origin = origin(of: walk) else { return nil }
      (origin.isDescending, origin.sorted) = (walk.isDescending, walk.sorted)
      return origin
    case .access(let access):
      // A value that does not fit is an error, whatever else is asked.
      if case .nothing = access, !template.isVolatile, conjuncts.contains(where: { $0.form == .nothing }) {
        return DirectPlan.Origin(.nothing, index: .max)
      }
      // The nearest are looked for in circles that grow.
      if case .circle = access, order.descriptors.first?.origin != nil { return nil }
      guard var origin = origin(of: access) else { return nil }
      origin.isRanked = !order.descriptors.isEmpty
      return origin
    }
  }

  private func origin(of walk: Plan.Walk) -> DirectPlan.Origin? {
    let most = max(16, 2 * walk.stretches.count)
    if let spellings {
      guard !spellings.isPrefix, walk.sorted > 0, walk.lead.fields == 1, walk.filter.isEmpty, !walk.addsMissing else {
        return nil
      }
      var path = Plan.Path(index: walk.index, points: [], interval: [])
      path.several = answered[0]
      return DirectPlan.Origin(.stretches(.spellings(spellings), nil, isTested: false, most: most), path)
    }
    guard let path = plan.path else { return nil }
    if !walk.addsMissing, path.several == nil {
      var origin = DirectPlan.Origin(.stretch, path)
      origin.isWalk = walk.sorted == 0
      return origin
    }
    // There may be one stretch alone.
    guard walk.filter.isEmpty, let asking = path.several, let parameter = members(of: asking, mayBeOfList: true) else {
      return nil
    }
    return DirectPlan.Origin(
      .stretches(
        .members(parameter: parameter), lookup(asking), isTested: plan.residual.contains(asking), most: most), path)
  }

  private func origin(of access: Access) -> DirectPlan.Origin? {
    switch access {
    case .spans(let index, let spans): return origin(of: spans, index)
    case .tested: return plan.path.map { DirectPlan.Origin(.stretch, $0) }
    case .slots where answered.count == 1:
      guard case .form(.record(let parameter), _) = template.parts[answered[0]] else { return nil }
      return DirectPlan.Origin(.record(parameter: parameter), index: .max)
    case .circle(let index, _, _) where answered.count == 1:
      guard case .form(let form, _) = template.parts[answered[0]], case .circle = form else { return nil }
      return DirectPlan.Origin(.circle(form), index: index)
    case .lists(let index, _, _) where !answered.isEmpty: return originOfLists(index)
    // No row has a term that was asked for.
    case .nothing where !answered.isEmpty: return lookup(answered[0]).flatMap { originOfLists($0.number) }
    case .overlap(let runs) where runs.count == answered.count: return origin(of: runs, entries: access.entries)
    default: return nil
    }
  }

  private func origin(of spans: [IndexSpan], _ index: Int) -> DirectPlan.Origin? {
    if let spellings { return DirectPlan.Origin(.among(.spellings(spellings)), index: index) }
    if spans.count == 1, let path = plan.path { return DirectPlan.Origin(.stretch, path) }
    // Of what was found by all texts of an index there is no form.
    guard answered.count == 1, conjuncts[answered[0]].form != nil,
      let parameter = members(of: answered[0], mayBeOfList: false)
    else { return nil }
    return DirectPlan.Origin(.among(.members(parameter: parameter)), index: index)
  }

  /// The parameter that gives the values of `field IN $values`, or of a list's members; nil where a conjunct is another
  /// condition, or its texts are equal to more than themselves.
  private func members(of conjunct: Int, mayBeOfList: Bool) -> Int? {
    guard case .form(.among(_, let type, let parameter, let isMember), _) = template.parts[conjunct],
      mayBeOfList || !isMember, isMember || type != .string || template.options.stringEquality == .exact
    else { return nil }
    return parameter
  }

  private func originOfLists(_ index: Int) -> DirectPlan.Origin? {
    var lists: [DirectPlan.Lookup] = []
    for number in answered {
      guard let lookup = lookup(number), lookup.number == index else { return nil }
      lists.append(lookup)
    }
    if lists.contains(where: \.isOfAny) {
      return lists.count > 1 ? nil : DirectPlan.Origin(.anyList(lists[0]), index: index)
    }
    var origin = DirectPlan.Origin(.lists, index: index)
    origin.lists = lists
    return origin
  }

  private func origin(of runs: [Access.Overlapping], entries: Int) -> DirectPlan.Origin? {
    var stretches: [DirectPlan.Stretch] = []
    for run in runs {
      let shape = table.indexes[run.index].shape
      let asking = answered.filter {
        if case .interval(shape.field, _)? = conjuncts[$0].form { true } else { false }
      }
      guard shape.wordCount == 1, asking.count == 1, let range = operand(asking[0]) else { return nil }
      stretches.append(DirectPlan.Stretch(number: run.index, range: range))
    }
    return DirectPlan.Origin(.overlap(stretches, entries: entries), index: runs[0].index)
  }
}

extension Plan {
  /// Of a plan for terms that no row has: asks for these alone, and leaves what else is asked for to the rows that may come to
  /// have them; nothing is changed where there are none, or where an index tells more cheaply what is left.
  fileprivate mutating func askForMissingTerm(
    _ conjuncts: [PlannedConjunct], _ template: PredicateTemplate, _ table: Table
  ) {
    let lookups = conjuncts.indices.map { number -> DirectPlan.Lookup? in
      if conjuncts[number].isImplied { return nil }
      let lookup = DirectPlan.Lookup(template.parts[number], conjuncts[number].form, table)
      return lookup?.isOfAny == false ? lookup : nil
    }
    let isMissing = { (number: Int) -> Bool in
      guard let lookup = lookups[number], case .postings(let index) = table.indexes[lookup.number].entries else {
        return false
      }
      return conjuncts[number].form?.terms.contains { index.list(PostingTerm($0.span)) == nil } ?? false
    }
    guard let index = conjuncts.indices.first(where: isMissing).flatMap({ lookups[$0]?.number }) else { return }
    let others = conjuncts.indices.filter { !conjuncts[$0].isImplied && lookups[$0]?.number != index }
    let isDear = { (number: Int) in conjuncts[number].cost >= Cost.mostHeld && conjuncts[number].form != nil }
    if others.contains(where: { lookups[$0] == nil && isDear($0) }) { return }
    residual = .empty
    for number in others {
      if let lookup = lookups[number] {
        probes.append(Probe(conjunct: number, index: lookup.number, lists: [], requiresAll: true))
      } else {
        residual.insert(number)
      }
    }
  }
}

extension Sargable {
  /// The terms of which an index of lists or of words has the rows.
  fileprivate var terms: [[UInt8]] {
    switch self {
    case .members(_, let terms, _), .references(_, let terms): terms
    case .tokens(let tokens, _): tokens
    default: []
    }
  }
}
