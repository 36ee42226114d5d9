/// Chooses how to answer a query over one table, from statistics of its indexes. What is asked for but for case or marks, or
/// of any member of a list, is first brought into a form that has such: by what an index holds, where that is little beside
/// what else there is to do.
///
/// Every index says exactly how many entries a condition has in it, for two searches. What a path costs follows from
/// these counts and the constants of ``Cost``; how many rows pass several conditions is estimated as if these were
/// independent. Since a walk in an index's order depends on that guess, it has a budget, beyond which the next best
/// plan is taken.
///
/// Complexity: two searches for each conjunct and index that fit, or fewer where one of the first paths is cheap already.
struct Planner {
  let table: Table
  private(set) var conjuncts: [PlannedConjunct]
  let order: SortOrder
  /// How many rows are wanted.
  let limit: Int
  /// What was considered, where somebody asks why.
  var considered: [Plan]?

  /// In which order a query without a sort is to be answered.
  var following = RowOrder.any
  /// Whether rows are counted only, which an index does by itself where it answers all conjuncts.
  var counts = false

  /// The distances, in metres, of which rows are wanted, where the nearest may be looked for in circles that grow.
  var distances: ClosedRange<Double>?

  enum RowOrder: Equatable {
    case any
    /// The table's own.
    case slots
    /// That of the index of a name.
    case index(String)
  }

  /// Each conjunct's own path, where there is one and it was looked for.
  var accesses: [Found?]
  /// The shares of rows that conjuncts hold for which no index of their own tells, but one that begins with their field.
  private var shares: [Double?]
  private(set) var best: Plan?
  /// How long the run may take: what is asked at length ends where it is over, as the run does.
  var timeLimit = TimeLimit()
  /// Whether indexes are asked however long it takes: for tests of all plans there are.
  var isExhaustive = false
  /// How long an index may be asked for the members that a condition holds for, in nanoseconds.
  private(set) var patience = 0.0
  /// The best that is no walk.
  private var bestGathering: Plan?
  let rowCount: Double
  /// The conjuncts that rows are held against, unless a path answers them: all that no others imply.
  let all: ConjunctSet
  /// The conjuncts' numbers in the order in which rows are held against them.
  private(set) var cheapestFirst: [Int]

  init(table: Table, conjuncts: [PlannedConjunct], order: SortOrder, limit: Int, explains: Bool = false) {
    self.table = table
    self.conjuncts = conjuncts
    self.order = order
    self.limit = limit
    considered = explains ? [] : nil
    accesses = Array(repeating: nil, count: min(conjuncts.count, ConjunctSet.rest))
    shares = Array(repeating: nil, count: accesses.count)
    rowCount = Double(max(1, table.count))
    var all = ConjunctSet.all(conjuncts.count)
    for number in conjuncts.indices where conjuncts[number].isImplied {
      all.remove(number)
      self.conjuncts[number].form = nil
    }
    self.all = all
    cheapestFirst = Array(conjuncts.indices)
    if conjuncts.count > 1 { cheapestFirst.sort { (conjuncts[$0].cost, $0) < (conjuncts[$1].cost, $1) } }
  }

  /// Of so few rows a guess is as good as a look at an index for each part of a condition.
  static let fewRows = 512.0

  /// What a plan costs that is taken without a look at further ones.
  private static let cheap = 600.0

  /// The plan, with, for a walk, the plan to take when its budget is spent.
  mutating func plan() -> (Plan, otherwise: Plan?) {
    if case .index(let name) = following {
      spell(searches: Planner.fewSearches)
      return (cannotBe ? .nothing : walk(inOrderOf: name), nil)
    }
    if table.count == 0 || cannotBe { return (.nothing, nil) }
    // What posting lists tell cheaper than a look at the row, a path may leave to them.
    for number in accesses.indices where conjuncts[number].cost > Cost.probe {
      switch conjuncts[number].form {
      case .tokens?, .rest?: accesses[number] = conjuncts[number].form.flatMap { find($0) }
      default: continue
      }
    }
    considerOrdered(withPointsOnly: true)
    if let best, isCheap(best) { return finished(best) }
    if spell(searches: Planner.fewSearches) {
      if cannotBe { return (.nothing, nil) }
      considerOrdered(withPointsOnly: true)
      if let best, isCheap(best) { return finished(best) }
    }
    for number in accesses.indices where accesses[number] == nil {
      if let found = conjuncts[number].form.flatMap({ find($0) }) {
        accesses[number] = found
        if best == nil, found.entries < 8, found.isExact, considered == nil, !isOfSeveralFields(found.access) { break }
      } else {
        if conjuncts[number].isImplied { continue }
        shares[number] = share(ofFirstField: number) ?? share(ofParts: number)
      }
    }
    // What was considered before that was known is considered anew.
    if best != nil {
      (best, bestGathering, considered) = (nil, nil, considered == nil ? nil : [])
      considerOrdered(withPointsOnly: true)
    }
    considerAccesses()
    considerNearest()
    if let best, isCheap(best) { return finished(best) }
    let (later, isSpelled) = findLater()
    if cannotBe { return (.nothing, nil) }
    if isSpelled { considerOrdered(withPointsOnly: true) }
    if !later.isEmpty {
      considerAccesses(later)
      if let best, isCheap(best) { return finished(best) }
    }
    considerRuns()
    if let best, isCheap(best) { return finished(best) }
    considerOrdered(withPointsOnly: false)
    offer(scan())
    return finished(best ?? scan())
  }

  /// Whether a plan is taken without a look at further ones: not one that ends when there are enough rows, where that rests
  /// on a condition of which an index may yet tell more.
  private func isCheap(_ plan: Plan) -> Bool {
    guard plan.cost < Planner.cheap, considered == nil else { return false }
    if !plan.isWalk, shareLooked(at: plan.rows) == 1 { return true }
    return accesses.indices.allSatisfy {
      !plan.residual.contains($0) || accesses[$0] != nil || conjuncts[$0].form == nil
    }
  }

  /// All that is considered where no path is left out because another is cheap: for those who ask why. The plan of an ordinary
  /// run need not be among it.
  func allPaths() -> [Plan] {
    var again = Planner(table: table, conjuncts: conjuncts, order: order, limit: limit, explains: true)
    (again.following, again.counts, again.distances) = (following, counts, distances)
    _ = again.plan()
    return again.considered ?? []
  }

  /// So many searches for stored texts that they are worth no thought.
  static let fewSearches = 64

  /// Whether a condition holds for no row.
  private var cannotBe: Bool { conjuncts.contains { $0.form == .nothing } }

  /// Brings conditions on texts but for case or marks into the form of those stored; returns whether there is one more in it.
  @discardableResult
  private mutating func spell(searches: Int) -> Bool {
    var (left, isSpelled) = (searches, false)
    for number in accesses.indices where conjuncts[number].isFolded && left > 0 {
      if conjuncts[number].spell(in: table, searches: &left) { isSpelled = true }
    }
    return isSpelled
  }

  /// Finds the paths of conditions for which an index has to be asked at some length, where that is little beside the best way
  /// so far.
  private mutating func findLater() -> (found: ConjunctSet, isSpelled: Bool) {
    let other = isExhaustive ? 1e12 : min(best?.cost ?? .infinity, scan().cost)
    patience = other / 2
    let isSpelled = spell(searches: Int(min(other / 4 / Cost.spelling, 1e9)))
    var later = ConjunctSet.empty
    for number in accesses.indices where accesses[number] == nil {
      guard let found = conjuncts[number].form.flatMap({ find($0) }) ?? findTexts(number) else { continue }
      accesses[number] = found
      later.insert(number)
    }
    return (later, isSpelled)
  }

  private mutating func finished(_ plan: Plan) -> (Plan, otherwise: Plan?) {
    guard case .walk(var walk) = plan.source,
      !plan.residual.isEmpty || !plan.probes.isEmpty || !walk.filter.isEmpty
    else { return (plan, nil) }
    // What the walk costs beyond the next best way is the most that a wrong guess may cost.
    let otherwise = bestGathering ?? scan()
    // Entries that come first may pass more often than all do.
    walk.share = max(walk.share, Cost.unknownShare)
    walk.budget = max(256, Int(min(otherwise.cost / max(1, costOfEntry(walk, plan.residual, plan.probes)), 1e15)))
    var budgeted = plan
    budgeted.source = .walk(walk)
    return (budgeted, otherwise)
  }

  /// What a walk costs for each entry it comes to, on average.
  private func costOfEntry(_ walk: Plan.Walk, _ residual: ConjunctSet, _ probes: [Plan.Probe]) -> Double {
    var passing = Cost.entry
    if !residual.isEmpty { passing += Cost.scatteredVisit + holding(residual, scattered: true) }
    passing += Double(probes.count) * Cost.scatteredProbe
    return Cost.entry + (walk.filter.isEmpty ? 0 : Cost.tested) + walk.share * passing
  }

  mutating func offer(_ plan: Plan) {
    considered?.append(plan)
    if case .walk = plan.source {
    } else if bestGathering.map({ $0.cost > plan.cost }) ?? true {
      bestGathering = plan
    }
    if let best, best.cost <= plan.cost { return }
    best = plan
  }

  // MARK: Estimates

  /// The share of rows that a conjunct holds for.
  func share(_ number: Int) -> Double {
    if case .nothing? = conjuncts[number].form { return 0 }
    if number < accesses.count {
      if let found = accesses[number] { return found.share ?? min(1, found.entries / rowCount) }
      if let share = shares[number] { return share }
    }
    return conjuncts[number].share
  }

  /// The share of rows that a conjunct holds for, from indexes that tell of its parts, or who has a field.
  private func share(ofParts number: Int) -> Double {
    if rowCount < Planner.fewRows { return conjuncts[number].share }
    return Cost.share(conjuncts[number].predicate) { comparison in
      if let field = comparison.presenceField {
        return table.indexNumber(of: field, .ordered).map {
          Cost.share(comparison, present: min(1, Double(table.indexes[$0].count) / rowCount))
        }
      }
      let form = Sargable(.comparison(comparison), zone: table.zoneID)
      return form.flatMap { find($0) }.map { min(1, $0.entries / rowCount) }
    }
  }

  /// The share of rows that a conjunct holds for, from an index that begins with its field: rows that have this one and
  /// lack another are not in it, and taken to be spread as the others are.
  private func share(ofFirstField number: Int) -> Double? {
    guard let (field, intervals) = conjuncts[number].form?.intervals, intervals.count <= Planner.fewSearches else {
      return nil
    }
    for index in table.indexes.indices {
      let shape = table.indexes[index].shape
      let (held, lacking) = (Double(table.indexes[index].count), Double(table.indexes[index].incomplete))
      guard shape.kind == .ordered, shape.components[0].field == field, !shape.components[0].isList, held > lacking
      else { continue }
      let ties = RowTies(table, shape)
      let found = intervals.reduce(0) { $0 + table.indexes[index].span(SpanBound(), $1, ties: ties).count }
      return min(1, Double(found) / held * (held + lacking) / rowCount)
    }
    return nil
  }

  func share(of set: ConjunctSet) -> Double {
    var share = 1.0
    for number in conjuncts.indices where set.contains(number) { share *= self.share(number) }
    return share
  }

  /// The share of the rows found that are held against conjuncts, where so many pass: of a query without a sort until there
  /// are enough.
  func shareLooked(at rows: Double) -> Double {
    order.descriptors.isEmpty && !counts && Double(limit) < rows ? Double(limit) / rows : 1
  }

  /// What holding a row against conjuncts costs: those that cost less come first. The texts of rows in no order are far.
  func holding(_ set: ConjunctSet, scattered: Bool = false) -> Double {
    var (cost, reaching) = (0.0, 1.0)
    for number in cheapestFirst where set.contains(number) {
      cost += reaching * conjuncts[number].cost
      if scattered, conjuncts[number].readsFar { cost += reaching * Cost.scatteredText }
      reaching *= share(number)
    }
    return cost
  }

  /// What putting so many rows into order costs. How far away one is tells its chord, but of those that are among the
  /// first when they are come to; of the nearest within a circle chords mostly tell alone.
  func sorting(_ rows: Double, byChords: Bool = false, inScan: Bool = false) -> Double {
    guard let descriptor = order.descriptors.first else { return 0 }
    let kept = max(1, min(rows, Double(limit)))
    let deeper = Cost.sortedDeeper * CMathematics.naturalLogarithm(kept)
    // Of more rows than are kept some take the place of others.
    let sorted = kept * (Cost.sorted + deeper + CMathematics.naturalLogarithm(max(1, rows / kept)) * deeper / 2)
    switch descriptor.type {
    case .location: return rows * Cost.distance + (byChords ? 0 : min(rows, 8 * kept) * Cost.exactDistance) + sorted
    case .int64, .timestamp, .double: return rows * (inScan && rows > kept ? Cost.columnRank : Cost.rank) + sorted
    default: return rows * Cost.textRank + sorted
    }
  }

  /// Takes out of the residual what posting lists can tell cheaper.
  func probes(_ residual: inout ConjunctSet) -> [Plan.Probe] {
    var probes: [Plan.Probe] = []
    for number in accesses.indices where residual.contains(number) && conjuncts[number].cost > Cost.probe {
      guard let found = accesses[number], found.isExact else { continue }
      switch found.access {
      case .lists(let index, let lists, let requiresAll):
        probes.append(Plan.Probe(conjunct: number, index: index, lists: lists, requiresAll: requiresAll))
      case .rest(let rest):
        probes.append(
          Plan.Probe(
            conjunct: number, index: rest.index, lists: rest.lists, requiresAll: rest.requiresAll, isNegated: true,
            fields: rest.fields))
      default: continue
      }
      residual.remove(number)
    }
    return probes
  }

  // MARK: Offering

  /// Offers an access; of what is left to be asked, `estimated` is what rows may fail, all where it is nil. `share` is
  /// that of the entries which pass what they are held against, `asked` the conjunct whose own path it is.
  mutating func offer(
    _ access: Access, entries: Double, residual: ConjunctSet, _ estimated: ConjunctSet? = nil, _ path: Plan.Path? = nil,
    share passed: Double = 1, asked: Int? = nil
  ) {
    let found = entries * passed
    let rows = min(found, rowCount) * share(of: estimated ?? residual)
    var residual = residual
    let probes = probes(&residual)
    var cost = Cost.seek + entries * (access.isList ? Cost.posting : Cost.entry)
    if case .circle = access { cost += entries * Cost.distance }
    if case .tested = access { cost += entries * Cost.tested }
    if case .rest = access { cost += Double(access.entries) * Cost.posting + rowCount / 64 }
    let held = found * shareLooked(at: rows)
    if !residual.isEmpty {
      let isScattered = !access.isSlotOrdered
      cost += held * (isScattered ? Cost.scatteredVisit : Cost.visit)
      cost += held * holding(residual, scattered: isScattered)
    }
    cost += held * Double(probes.count) * Cost.probe
    if counts, residual.isEmpty, probes.isEmpty, access.exactCount != nil { cost = Cost.seek }
    if !access.isSlotOrdered, order.descriptors.isEmpty, !counts { cost += found * 5 }
    offer(
      Plan(
        source: .access(access), residual: residual, probes: probes, entries: entries, rows: rows,
        cost: cost + sorting(rows, byChords: findsNearest(access)), path: path, asked: asked))
  }

  // MARK: Ordered indexes

  /// Ordered indexes whose first fields have one value each, then perhaps an interval, then perhaps the sort's field.
  private mutating func considerOrdered(withPointsOnly: Bool) {
    if withPointsOnly, !hasPoints { return }
    let descriptor = order.descriptors.first
    for number in table.indexes.indices {
      let shape = table.indexes[number].shape
      guard shape.kind == .ordered, withPointsOnly || shape.field == descriptor?.field || asks(shape.field) else {
        continue
      }
      let components = shape.components
      var lead = SpanBound()
      var path = Plan.Path(index: number, points: [], interval: [])
      var covered = ConjunctSet.empty
      while path.points.count < components.count,
        let point = point(components[path.points.count], isLead: path.points.isEmpty, &covered)
      {
        lead.append(point.end, components[path.points.count])
        path.points.append(point.conjunct)
      }
      let points = path.points
      let isDoubtful = points.first.map { !covered.contains($0) } ?? false
      if points.isEmpty == withPointsOnly { continue }
      var interval: ValueInterval?
      if points.count < components.count {
        interval = self.interval(on: components[points.count], &covered, &path.interval)
      }
      let next = points.count < components.count ? components[points.count] : nil
      let isSorted =
        descriptor.map { next?.field == $0.field && $0.origin == nil && next?.isInOrder == true } ?? false
      if points.isEmpty, !isSorted, interval == nil { continue }
      // What conjuncts ask of the fields behind, the entries tell by themselves.
      let (filter, told) = filter(components.dropFirst(points.count + 1), &covered, &path.tests)
      // Records that lack a later field are not in the index.
      let known = points.count + (interval == nil ? 0 : 1)
      let lacksRows = known + told < components.count && table.indexes[number].incomplete > 0
      let addsMissing =
        points.isEmpty && interval == nil && components.count == 1 && table.indexes[number].count < table.count
      if lacksRows
        || points.isEmpty && interval == nil && components.count > 1 && table.indexes[number].count < table.count
      {
        continue
      }
      let span = table.indexes[number].span(lead, interval, ties: RowTies(table, shape))
      if !addsMissing, span.count == 0 || filter.isHopeless {
        return offer(Plan(source: .access(.nothing), residual: .empty, entries: 0, rows: 0, cost: Cost.seek))
      }
      if isDoubtful, known == 1, holds(points[0], entries: span.count) { covered.insert(points[0]) }
      let residual = all.subtracting(covered)
      // The word of a member that is not held whole, or of a record that is referred to, is hardly another's.
      var estimated = residual
      if isDoubtful { estimated.remove(points[0]) }
      let share = path.tests.reduce(1) { $0 * self.share($1) }
      if !points.isEmpty || interval != nil {
        let access: Access =
          filter.isEmpty ? .spans(index: number, [span]) : .tested(index: number, span, filter)
        offer(access, entries: Double(span.count), residual: residual, estimated, path, share: share)
      }
      if isSorted || descriptor == nil && points.count < components.count && canBeFollowed(shape) {
        var walk = Plan.Walk(index: number, lead: lead, span: span, sorted: 0, addsMissing: addsMissing)
        (walk.filter, walk.share) = (filter, share)
        offerWalk(walk, path, residual, estimated, sortedFrom: isSorted ? points.count : nil)
      }
    }
  }

  /// Whether the entries of a member's or a record's word are its alone: no more than have it by its posting list.
  mutating func holds(_ number: Int, entries: Int) -> Bool {
    if accesses[number] == nil { accesses[number] = conjuncts[number].form.flatMap { find($0) } }
    guard let found = accesses[number], found.isExact, case .lists = found.access else { return false }
    return Int(found.entries) == entries
  }

  /// Whether the rows of a query without a sort may come in an index's order: pages go on behind a row's values and its slot,
  /// of which there are several in the index of a list.
  private func canBeFollowed(_ shape: IndexShape) -> Bool {
    if case .slots = following { return false }
    return !shape.components[0].isList
  }

  /// The plan that goes on in an index's order; one in which nothing is left where the index is gone.
  private mutating func walk(inOrderOf name: String) -> Plan {
    guard let number = table.indexes.position(ofOrdered: name) else { return .nothing }
    let index = table.indexes[number]
    var lead = SpanBound()
    var path = Plan.Path(index: number, points: [], interval: [])
    var covered = ConjunctSet.empty
    let components = index.shape.components
    while path.points.count < components.count,
      let point = point(components[path.points.count], isLead: path.points.isEmpty, &covered)
    {
      lead.append(point.end, components[path.points.count])
      path.points.append(point.conjunct)
    }
    guard canBeFollowed(index.shape) else { return .nothing }
    var interval: ValueInterval?
    if path.points.count < components.count {
      interval =
        self.interval(on: components[path.points.count], &covered, &path.interval)
        ?? hull(components[path.points.count])
    }
    let span = index.span(lead, interval, ties: RowTies(table, index.shape))
    return Plan(
      source: .walk(Plan.Walk(index: number, lead: lead, span: span, sorted: 0)),
      residual: all.subtracting(covered), entries: Double(span.count),
      rows: Double(span.count), cost: Double(span.count))
  }

  /// From the first to the last of the values that a conjunct asks of a component.
  private func hull(_ component: IndexShape.Component) -> ValueInterval? {
    for number in accesses.indices {
      guard let form = conjuncts[number].form?.intervals, form.field == component.field, !component.isList else {
        continue
      }
      return ValueInterval(lower: form.intervals.first?.lower, upper: form.intervals.last?.upper, isPoint: false)
    }
    return nil
  }

  /// Offers a walk; `position` is the place of the first sort descriptor's field in the index, nil without a sort.
  mutating func offerWalk(
    _ given: Plan.Walk, _ path: Plan.Path?, _ residual: ConjunctSet, _ estimated: ConjunctSet,
    sortedFrom position: Int?
  ) {
    var walk = given
    walk.isDescending = position != nil && order.descriptors[0].isDescending
    let share = walk.share * share(of: estimated)
    let first = shareOfFirst(walk, estimated) ?? share
    var residual = residual
    let probes = probes(&residual)
    let entries = Double(walk.entries)
    let rows = entries * share
    var visited = min(entries, Double(min(limit, 1 << 40)) / max(first, 1e-9) + 1)
    let sorted = position.map { order.covered(by: table.indexes[walk.index].shape, from: $0) } ?? 0
    walk.sorted = sorted
    var cost = Cost.seek
    if !walk.others.isEmpty {
      // Of each stretch, what may come before the rows of those before: the more these are, the less.
      let stretches = Double(walk.others.count + 1)
      visited = min(entries, visited * (1 + CMathematics.naturalLogarithm(stretches)) + stretches)
      cost += visited * Cost.rank
    }
    cost += visited * costOfEntry(walk, residual, probes)
    // Rows with equal values are put into order by the other descriptors, or by their names.
    if position != nil { cost += min(rows, Double(limit)) * (sorted < order.descriptors.count ? Cost.tied : 2) }
    // Descending, rows without the field come last: they are looked at where those before do not suffice.
    if walk.addsMissing, !walk.isDescending || rows < Double(limit) {
      cost += rowCount / 100 + (rowCount - entries) * Cost.visit
    }
    offer(
      Plan(
        source: .walk(walk), residual: residual, probes: probes, entries: visited, rows: rows, cost: cost, path: path))
  }

  /// Whether a conjunct asks for values of a field.
  private func asks(_ field: FieldNumber) -> Bool {
    for number in accesses.indices {
      if case .interval(field, _)? = conjuncts[number].form { return true }
    }
    return false
  }

  /// Whether a conjunct asks for one value of a field, one member of a list, or a reference to one record.
  private var hasPoints: Bool {
    for number in accesses.indices {
      switch conjuncts[number].form {
      case .interval(_, let interval)? where interval.isPoint: return true
      case .members(_, let terms, _)? where terms.count == 1: return true
      case .references(_, let encodings)? where encodings.count == 1: return true
      default: continue
      }
    }
    return false
  }

  /// The one value that a conjunct asks of a component.
  private func point(
    _ component: IndexShape.Component, isLead: Bool, _ covered: inout ConjunctSet
  ) -> (end: ValueInterval.End, conjunct: Int)? {
    for number in accesses.indices {
      switch conjuncts[number].form {
      case .interval(component.field, let interval)? where !component.isList && interval.isPoint:
        guard let end = interval.lower else { continue }
        covered.insert(number)
        return (end, number)
      case .members(component.field, let terms, _)? where component.isList && isLead && terms.count == 1,
        .references(component.field, let terms)? where !component.isList && isLead && terms.count == 1:
        let word = KeyEncoding.memberWord(terms[0], component.type)
        if word.isExact { covered.insert(number) }
        return (ValueInterval.End(first: word.word, isAfter: false), number)
      default: continue
      }
    }
    return nil
  }

  /// The interval that conjuncts ask of a component: what is common to all.
  func interval(
    on component: IndexShape.Component, _ covered: inout ConjunctSet, _ conjuncts: inout [Int]
  ) -> ValueInterval? {
    if component.isList { return nil }
    var common: ValueInterval?
    for number in accesses.indices {
      if case .interval(component.field, let interval)? = self.conjuncts[number].form {
        covered.insert(number)
        conjuncts.append(number)
        common = common.map { $0.intersection(interval) } ?? interval
      }
    }
    return common
  }

  /// What conjuncts ask of numbers behind those that an index's entries are in order by, and of how many of these fields
  /// they ask anything.
  private mutating func filter(
    _ components: ArraySlice<IndexShape.Component>, _ covered: inout ConjunctSet, _ conjuncts: inout [Int]
  ) -> (EntryFilter, told: Int) {
    var (filter, told) = (EntryFilter(), 0)
    for component in components where component.wordCount == 1 {
      var isTold = false
      for number in accesses.indices {
        guard case .interval(component.field, let interval)? = self.conjuncts[number].form,
          let range = KeyRange(interval), filter.add(component.word, range.numbers)
        else { continue }
        covered.insert(number)
        conjuncts.append(number)
        isTold = true
      }
      if isTold { told += 1 }
    }
    return (filter, told)
  }
}

extension Access {
  fileprivate var isList: Bool { if case .lists = self { true } else { false } }
}
