internal import CProbes

/// Times competitors in turn, A B A B, on one thread of one process, so that whatever disturbs the machine disturbs
/// both alike.
struct Alternation {
  /// One who is timed: does the operations of a range, each a number below the cycle's length.
  struct Competitor {
    let name: String
    /// Called before and after each timed stretch, untimed.
    var before: (Range<Int>) throws -> Void = { _ in }
    var after: (Range<Int>) throws -> Void = { _ in }
    /// Reads what the operations are given, untimed, before some of them are timed; none where nil.
    var approach: ((Range<Int>) -> Void)?
    let run: (Range<Int>) throws -> Void
  }

  /// What one competitor took for an operation, in nanoseconds, a value for each turn.
  struct Timing {
    var cpu: [Double] = []
    var wall: [Double] = []
    var allocations = 0.0
  }

  /// How many different operations there are.
  let cycle: Int
  /// The number of turns; where nil it is chosen so that the whole takes about `budget`.
  let turns: Int?
  /// Nanoseconds of wall time for all turns.
  let budget: Double
  /// Whether operations may be done more than once in a turn, which those that change something may not.
  var mayRepeat = true

  static let leastTurns = 3
  static let mostTurns = 101
  /// A stretch shorter than this would measure the clock.
  static let shortestStretch = 100_000.0
  /// The same where there is input to approach: repeated, it would be asked of data that the time before has brought near.
  static let shortestApproached = 20_000.0
  /// About how long the operations before a timed stretch take at least, if there are enough others.
  static let shortestPass = 10_000_000.0

  func run(_ competitors: [Competitor]) throws -> [Timing] {
    var timings = [Timing](repeating: Timing(), count: competitors.count)
    let costs = try competitors.enumerated().map { try warmUp($1, &timings[$0]) }
    let slowest = costs.max() ?? 1
    // The slice of the cycle one turn does, the same for all: the whole cycle unless the slowest would take too long.
    let slice = slice(atMost: Int(budget / 6 / max(slowest, 1)))
    let repeats = zip(competitors, costs).map { competitor, cost in
      let shortest = competitor.approach == nil ? Alternation.shortestStretch : Alternation.shortestApproached
      return mayRepeat ? max(1, Int((shortest / (cost * Double(slice))).rounded(.up))) : 1
    }
    let passes = costs.map { mayRepeat ? pass(of: slice, cost: $0) : 0 }
    let turnCost = costs.indices.reduce(0) { $0 + costs[$1] * Double(slice * repeats[$1] + passes[$1]) }
    let turns = turns ?? max(Alternation.leastTurns, min(Alternation.mostTurns, Int(budget / max(turnCost, 1))))
    var first = 0
    for _ in 0..<turns {
      if first + slice > cycle { first = 0 }
      let range = first..<first + slice
      for index in competitors.indices {
        try competitors[index].before(range)
        // The other competitors' turns leave the caches full of theirs. A user asks one thing after the other, and so does a
        // turn: what is timed comes behind the operations before it, which are the same only where the turn takes all.
        for part in Alternation.operations(passes[index], before: first, of: cycle) { try competitors[index].run(part) }
        let lap = try time(competitors[index], range, repeats[index])
        try competitors[index].after(range)
        let timed = Double(slice * repeats[index])
        timings[index].cpu.append(lap.cpu / timed)
        timings[index].wall.append(lap.wall / timed)
      }
      first += slice
    }
    return timings
  }

  /// The most operations whose input is approached at a time: so many that the clock does not count, so few that they
  /// leave the cache as it is.
  static let approached = 256

  /// What the operations of a range take, done so many times.
  private func time(
    _ competitor: Competitor, _ range: Range<Int>, _ repeats: Int
  ) throws -> (cpu: Double, wall: Double) {
    guard let approach = competitor.approach else {
      let watch = Stopwatch()
      for _ in 0..<repeats { try competitor.run(range) }
      return watch.lap()
    }
    var lap = (cpu: 0.0, wall: 0.0)
    for _ in 0..<repeats {
      for first in stride(from: range.lowerBound, to: range.upperBound, by: Alternation.approached) {
        let part = first..<min(first + Alternation.approached, range.upperBound)
        approach(part)
        let watch = Stopwatch()
        try competitor.run(part)
        let taken = watch.lap()
        (lap.cpu, lap.wall) = (lap.cpu + taken.cpu, lap.wall + taken.wall)
      }
    }
    return lap
  }

  /// How many operations come before a timed slice: as many as it has, and more where these take less than
  /// ``shortestPass``, in which one who is quick would not have got going: each is to be timed as one who has asked for a
  /// while, however much longer the other takes. Those that are timed are not among them, unless they are all there are.
  func pass(of slice: Int, cost: Double) -> Int {
    min(max(slice, cycle - slice), max(slice, Int((Alternation.shortestPass / cost).rounded(.up))))
  }

  /// So many operations before one, of a cycle that begins anew behind its end.
  static func operations(_ count: Int, before end: Int, of cycle: Int) -> [Range<Int>] {
    [min(cycle, cycle + end - count)..<cycle, max(0, end - count)..<end].filter { !$0.isEmpty }
  }

  /// The whole cycle or an even part of it: few sizes, so that another run most likely takes the same.
  func slice(atMost limit: Int) -> Int {
    var part = 1
    // 1, 2, 3, 4, 6, 8, 12, 16 …
    while cycle / part > max(limit, 1) {
      part = part == 1 ? 2 : part.nonzeroBitCount == 1 ? part / 2 * 3 : part / 3 * 4
    }
    return max(1, cycle / part)
  }

  /// Runs a competitor untimed, more and more of the cycle, until it is known what an operation costs.
  private func warmUp(_ competitor: Competitor, _ timing: inout Timing) throws -> Double {
    var count = 1
    while true {
      let range = 0..<min(count, cycle)
      try competitor.before(range)
      let allocations = probe_allocations()
      let watch = Stopwatch()
      try competitor.run(range)
      let lap = watch.lap()
      timing.allocations = Double(probe_allocations() &- allocations) / Double(range.count)
      try competitor.after(range)
      if lap.cpu >= 3_000_000 || range.count == cycle { return max(lap.cpu / Double(range.count), 1) }
      count *= 4
    }
  }
}
