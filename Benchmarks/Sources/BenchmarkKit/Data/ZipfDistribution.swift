/// Ranks drawn by Zipf's law: rank `r` (from 0) with a weight of 1 / (r + 1).
///
/// Only additions and divisions, so that every machine draws the same ranks.
struct ZipfDistribution {
  private let cumulative: [Double]
  /// For each of equal parts of the whole weight, the first rank that reaches into it.
  private let guide: [Int32]

  var count: Int { cumulative.count }

  init(count: Int) {
    var sum = 0.0
    cumulative = (0..<max(1, count)).map { rank in
      sum += 1 / Double(rank + 1)
      return sum
    }
    var guide: [Int32] = []
    var rank = 0
    for part in 0..<4_096 {
      while cumulative[rank] <= sum * Double(part) / 4_096, rank + 1 < cumulative.count { rank += 1 }
      guide.append(Int32(rank))
    }
    self.guide = guide
  }

  /// A rank. Complexity: constant for the frequent ranks, logarithmic in the count for the others.
  func draw(_ source: inout RandomSource) -> Int {
    let unit = source.unit()
    let target = unit * cumulative[cumulative.count - 1]
    let part = Int(unit * 4_096)
    var low = Int(guide[part])
    var high = part + 1 < guide.count ? Int(guide[part + 1]) : cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] <= target { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
