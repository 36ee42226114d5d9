/// What moved between two runs beyond noise.
///
/// A measurement has moved where the middle halves of the turns of both runs have nothing in common and the change is
/// greater than the noise. The noise is how much the peer moved, whose code did not change: the nine tenths of its
/// medians that moved least, after what all of them moved together has been taken out; at least 3 %. Where both runs had
/// the same peer the ratios turn by turn are compared, in which a machine that was slower as a whole cancels out;
/// otherwise our own times, and 10 % is taken for the noise.
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
    moved: the middle halves (first to third quartile) of both runs do not overlap, and the change is greater than what \
    nine tenths of the peer's own times moved by, whose code is the same; ratios against the same peer where both runs \
    have them, else our own times
    """
  static let leastNoise = 1.03
  static let noiseWithoutPeer = 1.10

  let lines: [Line]
  /// The factor by which the times of code that did not change went up or down.
  let noise: Double
  /// Measurements of the baseline that this run lacks, and the other way round.
  let onlyBefore: [[String]]
  let onlyNow: [[String]]

  init(_ before: Report, _ now: Report) {
    var known: [[String]: ReportResult] = [:]
    for result in before.results { known[result.identity] = result }
    let noise = BaselineComparison.noise(before, now)
    var lines: [Line] = []
    var onlyNow: [[String]] = []
    for result in now.results {
      guard let old = known.removeValue(forKey: result.identity) else {
        onlyNow.append(result.identity)
        continue
      }
      if let line = BaselineComparison.compare(old, result, noise: noise) { lines.append(line) }
    }
    self.lines = lines
    self.noise = noise
    self.onlyNow = onlyNow
    onlyBefore = known.keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func noise(_ before: Report, _ now: Report) -> Double {
    var known: [[String]: ReportResult] = [:]
    for result in before.results { known[result.identity] = result }
    let factors = now.results.compactMap { result -> Double? in
      guard let peer = result.rival, let old = known[result.identity]?.rival, old.name == peer.name,
        old.times.median > 0, peer.times.median > 0
      else { return nil }
      return peer.times.median / old.times.median
    }
    let common = Quartiles(factors).median
    let moves = factors.map { max($0 / common, common / $0) }.sorted()
    guard !moves.isEmpty else { return leastNoise }
    return max(leastNoise, moves[min(moves.count - 1, moves.count * 9 / 10)])
  }

  private static func compare(_ old: ReportResult, _ new: ReportResult, noise: Double) -> Line? {
    guard let oldOwn = old.own, let newOwn = new.own else { return nil }
    if let oldPeer = old.rival, let newPeer = new.rival, oldPeer.name == newPeer.name {
      func ratios(_ peer: EngineTimes, _ own: EngineTimes) -> Quartiles {
        Quartiles(zip(peer.samples, own.samples).filter { $1 > 0 }.map { $0 / $1 })
      }
      let (before, now) = (ratios(oldPeer.times, oldOwn), ratios(newPeer.times, newOwn))
      return line(new, before, now, factor: now.median / before.median, comparesRatios: true, noise: noise)
    }
    let (before, now) = (Quartiles(oldOwn.samples), Quartiles(newOwn.samples))
    return line(new, before, now, factor: before.median / now.median, comparesRatios: false, noise: noiseWithoutPeer)
  }

  private static func line(
    _ result: ReportResult, _ before: Quartiles, _ now: Quartiles, factor: Double, comparesRatios: Bool,
    noise: Double
  ) -> Line {
    let moved = before.isApart(from: now) && max(factor, 1 / factor) > noise
    return Line(
      identity: result.identity, direction: !moved ? .unchanged : factor > 1 ? .faster : .slower, factor: factor,
      comparesRatios: comparesRatios)
  }

  var text: String {
    var text = "\nAgainst the baseline (\(BaselineComparison.rule); here \(Figures.ratio(noise)))\n"
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
