/// First quartile, median and third quartile, by linear interpolation between the two nearest values (the rule of R's
/// type 7 and of spreadsheets).
struct Quartiles: Equatable {
  let q1: Double
  let median: Double
  let q3: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    func quantile(_ share: Double) -> Double {
      guard let last = sorted.indices.last else { return 0 }
      let position = share * Double(last)
      let low = Int(position)
      let high = min(low + 1, last)
      return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
    }
    q1 = quantile(0.25)
    median = quantile(0.5)
    q3 = quantile(0.75)
  }

  /// Whether the middle halves of two sets of values have nothing in common.
  func isApart(from other: Quartiles) -> Bool { q3 < other.q1 || other.q3 < q1 }
}
