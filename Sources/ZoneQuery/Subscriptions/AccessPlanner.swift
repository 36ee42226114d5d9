/// What a subscription waits under, as some statistics have it.
struct AccessPlan: Sendable {
  let statistics: AccessStatistics
  let keys: [AccessKey]
  let filters: (EntryBuckets.Filter, EntryBuckets.Filter)
}

/// Chooses what a subscription waits under: the keys of which every matching record has one, as few records as possible
/// any; and up to two intervals of codes that every matching record lies in.
///
/// An instruction whose answer must be yes for the record to match gives keys if it is not negated, says no of missing
/// fields, and tests for a value, a prefix, an interval, a circle or words. Along a conjunction the rarest is taken. In
/// general keys cover the ways to acceptance: what is reached by an instruction's yes is covered by its own keys or by
/// those behind it, what is reached by its no by those behind alone. What cannot be covered waits under the key that
/// every record has. Complexity: linear in the program, times the logarithm of the sample.
struct AccessPlanner {
  struct Filter {
    var interval = Interval(slot: 0, low: 0, high: .max)
    var share = 0.9

    /// The filter as entries have it: a little wider, since their codes are shorter.
    var packed: EntryBuckets.Filter {
      let low = interval.low >> EntryBuckets.codeShift
      return EntryBuckets.Filter(
        slot: UInt8(truncatingIfNeeded: interval.slot), low: low, width: interval.high >> EntryBuckets.codeShift - low)
    }
  }

  typealias Interval = AccessStatistics.Interval

  private let tests: AccessTests
  private var keys: [AccessKey] = []
  private var filters = (Filter(), Filter())
  /// The instructions that must say yes, the intervals of codes they ask for and the shares of records with their keys.
  private var required: [(index: Int32, interval: Interval?, share: Double)] = []

  private var hash: ByteHash { tests.statistics.hash }

  /// A share of records from which on keys are not worth while.
  private static let shareLimit = 0.9

  init(statistics: AccessStatistics, tokenFields: [FieldNumber]) {
    tests = AccessTests(statistics: statistics, tokenFields: tokenFields)
  }

  /// Plans a program. One that nothing can match has no keys.
  mutating func plan(_ program: PackedProgram) -> AccessPlan {
    choose(for: program)
    return AccessPlan(statistics: tests.statistics, keys: keys, filters: (filters.0.packed, filters.1.packed))
  }

  /// Plans a program that cannot be looked into.
  func planForEveryRecord() -> AccessPlan {
    AccessPlan(statistics: tests.statistics, keys: [everyRecord], filters: (Filter().packed, Filter().packed))
  }

  /// Leaves what a program waits under in `keys` and `filters`.
  private mutating func choose(for program: PackedProgram) {
    keys.removeAll(keepingCapacity: true)
    required.removeAll(keepingCapacity: true)
    filters = (Filter(), Filter())
    var best = Self.shareLimit
    var chosen: Int32 = -1
    var next = program.entry
    while next >= 0 {
      let instruction = program.instruction(at: next)
      guard instruction.ifFalse == Program.reject else { break }
      let interval = tests.interval(program, instruction)
      let share = tests.share(program, instruction, interval)
      required.append((next, interval, share))
      if share < best { (best, chosen) = (share, next) }
      next = instruction.ifTrue
    }
    if next == Program.reject { return }
    if next >= 0, cover(program, from: next, below: best) {
      chosen = -1
    } else if chosen < 0 {
      keys.append(everyRecord)
    }
    for index in required.indices {
      let (place, interval, share) = required[index]
      let instruction = program.instruction(at: place)
      if place == chosen { emit(program, instruction, interval) }
      addFilters(program, instruction, interval, share, isKey: place == chosen)
    }
  }

  private var everyRecord: AccessKey { AccessKey(key: AccessUse(.always).key(0, hash), use: AccessUse(.always)) }

  /// Covers the ways to acceptance from an instruction, if the share of records is below a limit.
  private mutating func cover(_ program: PackedProgram, from first: Int32, below limit: Double) -> Bool {
    var reached: Set<Int32> = [first]
    var waiting = [first]
    while let index = waiting.popLast() {
      let instruction = program.instruction(at: index)
      for target in [instruction.ifTrue, instruction.ifFalse] where target >= 0 && reached.insert(target).inserted {
        waiting.append(target)
      }
    }
    // Every way leads forward, so what lies behind is known.
    var costs: [Int32: Double] = [:]
    func cost(_ target: Int32) -> Double {
      target == Program.accept ? .infinity : target == Program.reject ? 0 : costs[target] ?? .infinity
    }
    var own: Set<Int32> = []
    for index in reached.sorted(by: >) {
      let instruction = program.instruction(at: index)
      let share = tests.share(program, instruction, tests.interval(program, instruction))
      if share < cost(instruction.ifTrue) { own.insert(index) }
      costs[index] = min(share, cost(instruction.ifTrue)) + cost(instruction.ifFalse)
    }
    guard cost(first) < limit else { return false }
    waiting = [first]
    reached = [first]
    while let index = waiting.popLast() {
      let instruction = program.instruction(at: index)
      var targets = [instruction.ifFalse]
      if own.contains(index) {
        emit(program, instruction, tests.interval(program, instruction))
      } else {
        targets.append(instruction.ifTrue)
      }
      if keys.count > AccessTests.keyLimit {
        keys.removeAll(keepingCapacity: true)
        return false
      }
      for target in targets where target >= 0 && reached.insert(target).inserted { waiting.append(target) }
    }
    // Several alternatives may have one key in common.
    var seen: Set<UInt64> = []
    keys.removeAll { !seen.insert($0.key).inserted }
    return true
  }

  // MARK: Keys

  private mutating func emit(_ program: PackedProgram, _ instruction: Program.Instruction, _ interval: Interval?) {
    // Taken out, so that appending does not copy.
    var found: [AccessKey] = []
    swap(&found, &keys)
    let before = found.count
    let form = tests.forEachKey(program, instruction) { found.append($0) }
    switch form {
    case .none:
      if let interval {
        let (level, rows, _) = AccessTests.cells(of: interval)
        let use = AccessUse(.range, field: Int(instruction.field), level: level)
        for row in rows { found.append(AccessKey(key: use.key(UInt64(row), hash), use: use)) }
      } else if let cells = tests.placeCells(program, instruction) {
        appendKeys(of: cells, to: &found)
      }
    case .each: break
    case .rarest:
      var rarest = before
      var least = Double.infinity
      for index in before..<found.count {
        let share = tests.statistics.share(found[index].key, unknown: 0.002)
        if share < least { (least, rarest) = (share, index) }
      }
      if rarest < found.count {
        found[before] = found[rarest]
        found.removeSubrange((before + 1)...)
      }
    }
    keys = found
  }

  private func appendKeys(of cells: AccessTests.PlaceCells, to keys: inout [AccessKey]) {
    let start = keys.count
    for row in cells.rows {
      for columns in cells.columns {
        for column in columns {
          let key = cells.use.key(UInt64(row) << 16 | UInt64(column), hash)
          if !keys[start...].contains(where: { $0.key == key }) { keys.append(AccessKey(key: key, use: cells.use)) }
        }
      }
    }
  }

  // MARK: Filters

  private mutating func addFilters(
    _ program: PackedProgram, _ instruction: Program.Instruction, _ interval: Interval?, _ share: Double, isKey: Bool
  ) {
    guard !instruction.isNegated, !instruction.whenMissing, instruction.subject == .value else { return }
    let constant = Int(instruction.constant)
    let slot = 2 * Int(instruction.field)
    switch instruction.operation {
    case .distance where program.isNearer(constant):
      guard let (latitudes, longitudes) = tests.codes(ofCircle: program, constant) else { return }
      add(Interval(slot: slot, latitudes), tests.statistics.share(Interval(slot: slot, latitudes)))
      if longitudes.count == 1 {
        let interval = Interval(slot: slot + 1, longitudes[0])
        add(interval, tests.statistics.share(interval))
      }
    case .text where constant >= 0 && program.length(constant) & 15 == Int(TextTest.Relation.equal.rawValue):
      if !isKey { addEquality(program, instruction, share) }
    case .references where constant >= 0 && program.length(constant) == 1:
      if !isKey { addEquality(program, instruction, share) }
    default:
      if isKey, instruction.operation == .integers, constant >= 0, program.length(constant) == 1 { return }
      // The cells of the keys hold the interval, and as much more.
      if let interval {
        let cells = AccessTests.cells(of: interval).codes
        add(interval, share * (Double(interval.high - interval.low) + 1) / (Double(cells.high - cells.low) + 1))
      }
    }
  }

  private mutating func addEquality(
    _ program: PackedProgram, _ instruction: Program.Instruction, _ share: Double
  ) {
    var code: UInt16 = 0
    program.forEachText(instruction.operation, Int(instruction.constant)) {
      code = ValueCodes.code(hash: hash.hash($0))
    }
    add(Interval(slot: 2 * Int(instruction.field), low: code, high: code), share)
  }

  private mutating func add(_ interval: Interval, _ share: Double) {
    guard interval.slot <= EntryBuckets.slotLimit else { return }
    let filter = Filter(interval: interval, share: share)
    if filter.share < filters.0.share {
      filters.1 = filters.0
      filters.0 = filter
    } else if filter.share < filters.1.share {
      filters.1 = filter
    }
  }
}
