/// The report as text for a terminal.
enum TerminalTable {
  static func text(_ report: Report) -> String {
    var text = ""
    let sizes = Set(report.results.map(\.records)).sorted()
    for size in sizes {
      let results = report.results.filter { $0.records == size }
      let peers = Set(results.compactMap { $0.peer?.name }).sorted()
      let rows: [[String]] = results.map { result in
        [
          result.suite, result.workload, result.variant,
          result.own.map { Figures.amount($0.median, unit: result.unit) } ?? "–",
          result.peer.map { Figures.amount($0.times.median, unit: result.unit) } ?? "–",
          result.ratio.map { Figures.ratio($0) } ?? "–",
          result.ratioQ1.flatMap { q1 in result.ratioQ3.map { "\(Figures.short(q1)) – \(Figures.short($0))" } } ?? "",
        ]
      }
      text += "\n\(Figures.count(size)) records\n"
      text += table(
        ["suite", "workload", "variant", ReportResult.ownEngine, peers.joined(separator: "/"), "ratio", "middle half"],
        rows)
    }
    if !report.absent.isEmpty {
      text += "\nNot measured\n"
      for absence in report.absent { text += "  \(absence.what): \(absence.why)\n" }
    }
    text += "\nratio: the peer's median over ours, thread CPU time; above 1 ZoneQuery is faster.\n"
    return text
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return column < 3 || column == 6 ? cells[column] + space : space + cells[column]
      }
      var text = padded.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return "  " + text + "\n"
    }
    let rule = "  " + String(repeating: "─", count: widths.reduce(0, +) + 2 * (widths.count - 1)) + "\n"
    return line(header) + rule + rows.map(line).joined()
  }
}
