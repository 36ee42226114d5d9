/// What moved between two runs beyond noise.
///
/// A measurement has moved where the middle halves of the turns of both runs have nothing in common and the medians
/// differ by more than 3 %. Where both runs had the same peer the ratios turn by turn are compared, in which a machine
/// that was slower as a whole cancels out; otherwise our own times.
struct BaselineComparison: Equatable {
  enum Direction: String {
    case faster, slower, unchanged
  }

  struct Line: Equatable {
    let identity: [String]
    let direction: Direction
    /// How many times as fast as in the baseline.
    let factor: Double
    let comparesRatios: Bool
  }

  static let rule = """
    moved: the middle halves (first to third quartile) of both runs do not overlap and the medians differ by more \
    than 3 %; ratios against the same peer where both runs have them, else our own times
    """
  static let leastChange = 1.03

  let lines: [Line]
  /// Measurements of the baseline that this run lacks, and the other way round.
  let onlyBefore: [[String]]
  let onlyNow: [[String]]

  init(_ before: Report, _ now: Report) {
    var known: [[String]: ReportResult] = [:]
    for result in before.results { known[result.identity] = result }
    var lines: [Line] = []
    var onlyNow: [[String]] = []
    for result in now.results {
      guard let old = known.removeValue(forKey: result.identity) else {
        onlyNow.append(result.identity)
        continue
      }
      if let line = BaselineComparison.compare(old, result) { lines.append(line) }
    }
    self.lines = lines
    self.onlyNow = onlyNow
    onlyBefore = known.keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func compare(_ old: ReportResult, _ new: ReportResult) -> Line? {
    guard let oldOwn = old.own, let newOwn = new.own else { return nil }
    if let oldPeer = old.peer, let newPeer = new.peer, oldPeer.name == newPeer.name {
      func ratios(_ peer: EngineTimes, _ own: EngineTimes) -> Quartiles {
        Quartiles(zip(peer.samples, own.samples).filter { $1 > 0 }.map { $0 / $1 })
      }
      let (before, now) = (ratios(oldPeer.times, oldOwn), ratios(newPeer.times, newOwn))
      return line(new, before, now, factor: now.median / before.median, comparesRatios: true)
    }
    let (before, now) = (Quartiles(oldOwn.samples), Quartiles(newOwn.samples))
    return line(new, before, now, factor: before.median / now.median, comparesRatios: false)
  }

  private static func line(
    _ result: ReportResult, _ before: Quartiles, _ now: Quartiles, factor: Double, comparesRatios: Bool
  ) -> Line {
    let moved = before.isApart(from: now) && max(factor, 1 / factor) > leastChange
    return Line(
      identity: result.identity, direction: !moved ? .unchanged : factor > 1 ? .faster : .slower, factor: factor,
      comparesRatios: comparesRatios)
  }

  var text: String {
    var text = "\nAgainst the baseline (\(BaselineComparison.rule))\n"
    for direction in [Direction.slower, .faster] {
      for line in lines where line.direction == direction {
        text += "  \(direction.rawValue)  \(line.identity.joined(separator: " "))  "
        text += "\(Figures.ratio(line.factor)) as fast\(line.comparesRatios ? "" : " (our time alone)")\n"
      }
    }
    let unchanged = lines.filter { $0.direction == .unchanged }.count
    text += "  \(unchanged) of \(lines.count) have not moved"
    if !onlyBefore.isEmpty { text += "; \(onlyBefore.count) only in the baseline" }
    if !onlyNow.isEmpty { text += "; \(onlyNow.count) only in this run" }
    return text + "\n"
  }
}
