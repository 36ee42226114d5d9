/// Inserts, changes and deletes records, with all indexes, so that in the end each engine holds what it held before. What
/// is changed and deleted lies all over what is loaded.
struct WriteSuite {
  private let run: BenchmarkRun
  private let generator: EventGenerator

  private enum Change: String, CaseIterable {
    case insert, update
    case updateButStart = "update-but-start"
    case updateAny = "update-any"
    case delete

    func make(_ range: Range<Int>, _ prepared: any PreparedChanges) throws {
      switch self {
      case .insert: try prepared.insert(range)
      case .update: try prepared.update(range, .scalarsInTurn)
      case .updateButStart: try prepared.update(range, .butStart)
      case .updateAny: try prepared.update(range, .anyInTurn)
      case .delete: try prepared.delete(range)
      }
    }

    func undo(_ range: Range<Int>, _ prepared: any PreparedChanges) throws {
      switch self {
      case .insert: try prepared.undoInsert(range)
      case .update: try prepared.undoUpdate(range, .scalarsInTurn)
      case .updateButStart: try prepared.undoUpdate(range, .butStart)
      case .updateAny: try prepared.undoUpdate(range, .anyInTurn)
      case .delete: try prepared.undoDelete(range)
      }
    }
  }

  /// The records of one transaction of many.
  static let batch = 1_000

  init(_ run: BenchmarkRun, _ generator: EventGenerator) {
    self.run = run
    self.generator = generator
  }

  func measure(_ engines: [any EngineUnderTest]) throws {
    // Not more than half of those there are, and not more than the shuffled values have room for.
    let count = max(1, min(WriteSuite.batch, generator.capacity - generator.records, generator.records / 2))
    let standing = self.standing(count, from: 0)
    func update(_ index: Int, _ fields: IndexedFields) -> Changes.Update {
      Changes.Update(standing[index], fields, from: standing[(index + 1) % count])
    }
    let changes = Changes(
      inserted: (0..<count).map { generator.event(at: generator.records + $0) },
      updates: [
        (0..<count).map { update($0, IndexedFields.scalarThrees[$0 % IndexedFields.scalarThrees.count]) },
        // Others than those that were updated just before.
        (0..<count).map { update(($0 + count / 2) % count, .withoutStart) },
        (0..<count).map { update($0, IndexedFields.threes[$0 % IndexedFields.threes.count]) },
      ],
      deleted: self.standing(count, from: 1))
    let prepared = try engines.map { try $0.prepareChanges(changes) }
    try compareChanges(engines, prepared, changes)
    if Change.allCases.contains(where: { run.wants($0.rawValue) }) { try time(engines, prepared, count, size: 1) }
    if Change.allCases.contains(where: { run.wants("\($0.rawValue)-\(WriteSuite.batch)") }) {
      try time(engines, prepared, count, size: count)
    }
    if let own = engines.firstIndex(where: { $0.name == ReportResult.ownEngine }) {
      try SharingSuite(run: run, source: QuestionSource(generator)).measure(engines[own], prepared[own], count)
    }
    if run.wants("add-index") { try timeIndex(engines) }
  }

  /// Records from all over those loaded, of two halves, shuffled, so that no engine's own order helps it or hinders it.
  private func standing(_ count: Int, from half: Int) -> [Event] {
    let step = max(1, generator.records / 2 / count)
    var random = RandomSource(seed: UInt64(half))
    var order = Array(0..<count)
    for place in order.indices.reversed() { order.swapAt(place, random.below(place + 1)) }
    return order.map { generator.event(at: min(generator.records - 1, 2 * $0 * step + half)) }
  }

  /// Goes through all changes once and compares what the engines hold after each.
  private func compareChanges(
    _ engines: [any EngineUnderTest], _ prepared: [any PreparedChanges], _ changes: Changes
  ) throws {
    let all = 0..<changes.inserted.count
    func compare(_ when: String, _ events: [Event]) throws {
      let watch = Stopwatch()
      for (index, event) in events.prefix(40).enumerated() {
        if index > 0, watch.lap().wall > run.options.budget * 2 { break }
        let questions: [Question] = [
          .equalitySortLimit(city: event.city, limit: 10_000), .equality(name: event.name),
          .rangeAndRange(starts: event.start...event.start + 1_000, prices: event.price - 1...event.price + 1),
          .tokensSort(Array(event.title.split(separator: " ").prefix(2).map(String.init)), limit: 1_000),
          .contains(Array(event.tags.prefix(1)) + (event.tags.isEmpty ? [generator.tag(0)] : [])),
          .containsSort(tag: event.tags.first ?? generator.tag(0), limit: 1_000),
          .radius(centre: event.place, metres: 500),
        ]
        for question in questions { _ = try AnswerComparison.compare(question, .records, engines, when) }
      }
    }
    for change in Change.allCases {
      let events =
        switch change {
        case .insert: changes.inserted
        case .update: changes.updates[UpdateKind.scalarsInTurn.rawValue].flatMap { [$0.updated, $0.standing] }
        case .updateButStart: changes.updates[UpdateKind.butStart.rawValue].flatMap { [$0.updated, $0.standing] }
        case .updateAny: changes.updates[UpdateKind.anyInTurn.rawValue].flatMap { [$0.updated, $0.standing] }
        case .delete: changes.deleted
        }
      for prepared in prepared { try change.make(all, prepared) }
      try compare("after \(change.rawValue)", events)
      for prepared in prepared { try change.undo(all, prepared) }
      try compare("after undoing \(change.rawValue)", events)
    }
  }

  /// Makes the changes of a range, so many in a transaction.
  private func make(_ change: Change, _ range: Range<Int>, size: Int, _ prepared: any PreparedChanges) throws {
    for first in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      try change.make(first..<min(first + size, range.upperBound), prepared)
    }
  }

  /// Each engine makes each change in its turn and undoes it, untimed, so that a turn ends where it began. What is timed
  /// comes behind as many changes that are made and undone untimed, as a user changes one thing after the other: the ones
  /// before it, or the same where a turn takes all.
  private func time(
    _ engines: [any EngineUnderTest], _ changes: [any PreparedChanges], _ count: Int, size: Int
  ) throws {
    var timings = Change.allCases.map { _ in engines.map { _ in Alternation.Timing() } }
    var slice = size == 1 ? min(count, 200) : count
    let total = Stopwatch()
    var turn = 0
    var first = 0
    while true {
      if first + slice > count { first = 0 }
      let range = first..<first + slice
      let pass = Alternation.operations(slice, before: first, of: count)
      for (kind, change) in Change.allCases.enumerated() {
        for (index, prepared) in changes.enumerated() {
          for part in pass { try make(change, part, size: size, prepared) }
          for part in pass { try change.undo(part, prepared) }
          let allocations = AllocationCount()
          let watch = Stopwatch()
          try make(change, range, size: size, prepared)
          let lap = watch.lap()
          // The first turn warms up.
          if turn > 0 {
            timings[kind][index].cpu.append(lap.cpu / Double(slice))
            timings[kind][index].wall.append(lap.wall / Double(slice))
            timings[kind][index].allocations = allocations.since / Double(slice)
          }
        }
        for prepared in changes { try change.undo(range, prepared) }
      }
      turn += 1
      first += slice
      let elapsed = total.lap().wall
      // Half of what is done is not timed.
      if turn == 1, size == 1, elapsed > run.options.budget {
        slice = max(10, Int(Double(slice) * run.options.budget / elapsed))
      }
      if let turns = run.options.turns {
        if turn > turns { break }
      } else if turn > Alternation.leastTurns, elapsed > run.options.budget * 6 || turn > Alternation.mostTurns {
        break
      }
    }
    for (kind, change) in Change.allCases.enumerated() {
      let name = size == 1 ? change.rawValue : "\(change.rawValue)-\(WriteSuite.batch)"
      guard run.wants(name) else { continue }
      var counters = ["records_per_commit": Double(size)]
      for (engine, timing) in zip(engines, timings[kind]) {
        counters["\(engine.name).allocations"] = timing.allocations
      }
      run.add(
        ReportResult(
          suite: "write", workload: name, variant: .records, records: generator.records,
          timings: zip(engines, timings[kind]).map { (name: $0.name, timing: $1) }, counters: counters))
    }
  }

  private func timeIndex(_ engines: [any EngineUnderTest]) throws {
    var timings = engines.map { _ in Alternation.Timing() }
    var able: [Int] = []
    for index in engines.indices {
      guard let add = try engines[index].addIndex() else {
        run.addAbsence(
          "add-index of \(engines[index].name)", "it cannot add an index to loaded records yet; comes with indexes")
        continue
      }
      able.append(index)
      for turn in 0...(run.options.turns.map { min($0, 5) } ?? 3) {
        let watch = Stopwatch()
        try add()
        let lap = watch.lap()
        try engines[index].removeIndex()
        if turn > 0 {
          timings[index].cpu.append(lap.cpu / Double(generator.records))
          timings[index].wall.append(lap.wall / Double(generator.records))
        }
      }
    }
    guard !able.isEmpty else { return }
    run.add(
      ReportResult(
        suite: "write", workload: "add-index", variant: .records, records: generator.records,
        timings: able.map { (name: engines[$0].name, timing: timings[$0]) }, counters: [:]))
  }
}
