#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A logarithmic axis over whole powers of ten.
struct LogAxis {
  let low: Double
  let high: Double
  let start: Double
  let end: Double

  /// The powers of ten around all values that are above 0.
  init(_ values: [Double], start: Double, end: Double) {
    let logarithms = values.filter { $0 > 0 && $0.isFinite }.map { log10($0) }
    low = (logarithms.min() ?? 0).rounded(.down)
    high = max((logarithms.max() ?? 1).rounded(.up), low + 1)
    self.start = start
    self.end = end
  }

  func position(_ value: Double) -> Double {
    start + (end - start) * (log10(max(value, 1e-300)) - low) / (high - low)
  }

  var powers: [Double] { (Int(low)...Int(high)).map { pow(10, Double($0)) } }
}

/// A number as SVG takes it.
private func place(_ value: Double) -> String { Figures.fixed(value, 1) }

/// How many times as fast we are, a row for each workload.
struct RatioChart {
  private let axis: LogAxis
  private static let width = 960.0
  private static let rowHeight = 24.0

  /// Takes all results that any panel shows, so that every panel has the same axis.
  init(all: [ReportResult]) {
    axis = LogAxis(all.compactMap(\.ratio) + [0.5, 2], start: 190, end: RatioChart.width - 130)
  }

  func svg(_ results: [ReportResult]) -> String {
    var rows: [(suite: String, workload: String, results: [ReportResult])] = []
    for result in results {
      if let index = rows.firstIndex(where: { $0.suite == result.suite && $0.workload == result.workload }) {
        rows[index].results.append(result)
      } else {
        rows.append((result.suite, result.workload, [result]))
      }
    }
    var suites: [String] = []
    for row in rows where !suites.contains(row.suite) { suites.append(row.suite) }
    let height = 34 + Double(rows.count) * RatioChart.rowHeight + Double(suites.count) * 30 + 8
    var text = "<svg viewBox=\"0 0 \(place(RatioChart.width)) \(place(height))\" role=\"img\" "
    text += "aria-label=\"Ratio of each workload\">\n"
    for power in axis.powers {
      let x = place(axis.position(power))
      text += "<line class=\"\(power == 1 ? "one" : "grid")\" x1=\"\(x)\" x2=\"\(x)\" y1=\"24\" "
      text += "y2=\"\(place(height))\"/>"
      text += "<text class=\"axis\" x=\"\(x)\" y=\"16\" text-anchor=\"middle\">\(label(power))×</text>\n"
    }
    var y = 34.0
    for suite in suites {
      text += "<text class=\"group\" x=\"8\" y=\"\(place(y + 18))\">\(suite)</text>\n"
      y += 30
      for row in rows where row.suite == suite {
        text += self.row(row.workload, row.results, y + RatioChart.rowHeight / 2)
        y += RatioChart.rowHeight
      }
    }
    return text + "</svg>\n"
  }

  private func row(_ workload: String, _ results: [ReportResult], _ y: Double) -> String {
    let one = place(axis.position(1))
    var text = "<text x=\"178\" y=\"\(place(y + 4))\" text-anchor=\"end\">\(HTMLReport.escape(workload))</text>"
    var values: [String] = []
    for result in results {
      guard let ratio = result.ratio else { continue }
      let side = ratio >= 1 ? "ahead" : "behind"
      let x = place(axis.position(ratio))
      text += "<line class=\"stem\" x1=\"\(one)\" x2=\"\(x)\" y1=\"\(place(y))\" y2=\"\(place(y))\"/>"
      if let q1 = result.ratioQ1, let q3 = result.ratioQ3 {
        let (left, right) = (place(axis.position(q1)), place(axis.position(q3)))
        text += "<line class=\"spread \(side)\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(place(y))\" y2=\"\(place(y))\"/>"
      }
      let hollow = result.variant == Variant.ids.rawValue ? "" : " hollow"
      text += "<circle class=\"\(side)\(hollow)\" cx=\"\(x)\" cy=\"\(place(y))\" r=\"5\"><title>"
      text += "\(HTMLReport.escape(workload)) \(result.variant): \(Figures.ratio(ratio))</title></circle>"
      values.append(Figures.ratio(ratio))
    }
    text += "<text class=\"value\" x=\"\(place(RatioChart.width - 6))\" y=\"\(place(y + 4))\" text-anchor=\"end\">"
    return text + values.joined(separator: " · ") + "</text>\n"
  }

  private func label(_ power: Double) -> String {
    power >= 1 ? Figures.count(Int(power)) : Figures.fixed(power, Int((-log10(power)).rounded()))
  }
}

/// How time grows with the number of records, one small chart a workload, all on the same axes.
struct GrowthChart {
  private let across: LogAxis
  private let up: LogAxis
  private static let width = 200.0
  private static let height = 140.0

  init(_ all: [ReportResult]) {
    across = LogAxis(all.map { Double($0.records) }, start: 52, end: GrowthChart.width - 12)
    up = LogAxis(all.flatMap { $0.engines.values.map(\.median) }, start: GrowthChart.height - 20, end: 8)
  }

  func svg(_ results: [ReportResult]) -> String {
    var text = "<svg viewBox=\"0 0 \(place(GrowthChart.width)) \(place(GrowthChart.height))\" role=\"img\">\n"
    for (index, power) in up.powers.enumerated() {
      let y = place(up.position(power))
      text += "<line class=\"grid\" x1=\"46\" x2=\"\(place(GrowthChart.width - 6))\" y1=\"\(y)\" y2=\"\(y)\"/>"
      if (up.powers.count - 1 - index) % 2 == 0 {
        text += "<text class=\"axis\" x=\"42\" y=\"\(place(up.position(power) + 4))\" text-anchor=\"end\">"
        text += "\(unit(power))</text>\n"
      }
    }
    for power in across.powers {
      text += "<text class=\"axis\" x=\"\(place(across.position(power)))\" y=\"\(place(GrowthChart.height - 4))\" "
      let anchor = power == across.powers.last ? "end" : "middle"
      text += "text-anchor=\"\(anchor)\">\(size(power))</text>\n"
    }
    let peers = results.map { ($0.records, $0.peer?.times) }
    text += line(peers, "peer") + line(results.map { ($0.records, $0.own) }, "own")
    return text + "</svg>"
  }

  private func line(_ points: [(records: Int, times: EngineTimes?)], _ kind: String) -> String {
    var path = ""
    var marks = ""
    for point in points.sorted(by: { $0.records < $1.records }) {
      guard let times = point.times else { continue }
      let (x, y) = (place(across.position(Double(point.records))), place(up.position(times.median)))
      path += "\(path.isEmpty ? "M" : "L")\(x) \(y)"
      marks += "<circle class=\"\(kind)-mark\" cx=\"\(x)\" cy=\"\(y)\" r=\"3\"><title>"
      marks += "\(Figures.count(point.records)): \(Figures.time(times.median))</title></circle>"
    }
    return path.isEmpty ? "" : "<path class=\"\(kind)-line\" d=\"\(path)\"/>\(marks)\n"
  }

  private func unit(_ nanoseconds: Double) -> String {
    let places = nanoseconds < 1 ? 1 : 0
    switch nanoseconds {
    case ..<1_000: return Figures.fixed(nanoseconds, places) + " ns"
    case ..<1_000_000: return Figures.fixed(nanoseconds / 1_000, 0) + " µs"
    case ..<1_000_000_000: return Figures.fixed(nanoseconds / 1_000_000, 0) + " ms"
    default: return Figures.fixed(nanoseconds / 1_000_000_000, 0) + " s"
    }
  }

  private func size(_ records: Double) -> String {
    switch records {
    case 1_000_000...: "\(Int(records / 1_000_000))M"
    case 1_000...: "\(Int(records / 1_000))k"
    default: "\(Int(records))"
    }
  }
}

/// The turns of one run, relative to their median.
struct DistributionChart {
  private static let width = 960.0
  private static let rowHeight = 30.0
  /// Turns further from the median than this are drawn at the edge.
  private static let reach = 0.3
  private static let left = 190.0
  private static let right = 940.0

  func svg(_ results: [ReportResult]) -> String {
    let height = 34 + Double(results.count) * DistributionChart.rowHeight
    var text = "<svg viewBox=\"0 0 \(place(DistributionChart.width)) \(place(height))\" role=\"img\" "
    text += "aria-label=\"Turns relative to their median\">\n"
    for step in -3...3 {
      let x = place(position(1 + Double(step) / 10))
      text += "<line class=\"\(step == 0 ? "one" : "grid")\" x1=\"\(x)\" x2=\"\(x)\" y1=\"24\" "
      text += "y2=\"\(place(height))\"/>"
      let sign = step > 0 ? "+" : step < 0 ? "−" : ""
      text += "<text class=\"axis\" x=\"\(x)\" y=\"16\" text-anchor=\"middle\">"
      text += "\(step == 0 ? "median" : "\(sign)\(abs(step) * 10) %")</text>\n"
    }
    for (index, result) in results.enumerated() {
      let y = 34 + Double(index) * DistributionChart.rowHeight
      text += "<text x=\"178\" y=\"\(place(y + 16))\" text-anchor=\"end\">\(HTMLReport.escape(result.workload))</text>"
      if let own = result.own { text += strip(own, "own", y + 3) }
      if let peer = result.peer { text += strip(peer.times, "peer", y + 14) }
      text += "\n"
    }
    return text + "</svg>"
  }

  private func position(_ relative: Double) -> Double {
    let reach = DistributionChart.reach
    let share = (min(max(relative, 1 - reach), 1 + reach) - (1 - reach)) / (2 * reach)
    return DistributionChart.left + (DistributionChart.right - DistributionChart.left) * share
  }

  private func strip(_ times: EngineTimes, _ kind: String, _ y: Double) -> String {
    guard times.median > 0 else { return "" }
    let (left, right) = (position(times.q1 / times.median), position(times.q3 / times.median))
    var text = "<rect class=\"\(kind)-box\" x=\"\(place(left))\" y=\"\(place(y))\" "
    text += "width=\"\(place(max(right - left, 1)))\" height=\"9\" rx=\"2\"/>"
    for sample in times.samples {
      let x = place(position(sample / times.median))
      text += "<line class=\"\(kind)-tick\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(place(y))\" y2=\"\(place(y + 9))\"/>"
    }
    return text
  }
}
