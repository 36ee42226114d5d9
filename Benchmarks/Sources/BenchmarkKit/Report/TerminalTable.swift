/// The report as text for a terminal.
enum TerminalTable {
  static func text(_ report: Report) -> String {
    var text = ""
    let sizes = Set(report.results.map(\.records)).sorted()
    for size in sizes {
      let results = report.results.filter { $0.records == size }
      let peers = Set(results.compactMap { $0.peer?.name }).sorted()
      text += "\n\(Figures.count(size)) records\n"
      var header = ["suite", "workload", "variant", ReportResult.ownEngine, "peer", "ratio", "middle half"]
      header += ReportResult.shownCounters.map(\.title)
      var rows = results.map(cells)
      if peers.count == 1 {
        header[4] = peers[0]
      } else if peers.count > 1 {
        header.append("peer is")
        for index in rows.indices { rows[index].append(results[index].peer?.name ?? "") }
      }
      text += table(header, rows)
    }
    if !report.absent.isEmpty {
      text += "\nNot measured\n"
      for absence in report.absent { text += "  \(absence.what): \(absence.why)\n" }
    }
    text += "\nratio: the peer's median over ours, thread CPU time; above 1 ZoneQuery is faster.\n"
    text += "examined, entries, allocs: rows looked at, index entries read and blocks asked of the heap by ZoneQuery, "
    text += "an operation on average.\n"
    return text
  }

  private static func cells(_ result: ReportResult) -> [String] {
    let middle = result.ratioQ1.flatMap { q1 in
      result.ratioQ3.map { "\(Figures.short(q1)) – \(Figures.short($0))" }
    }
    let figures = [
      result.suite, result.workload, result.variant,
      result.own.map { Figures.amount($0.median, unit: result.unit) } ?? "–",
      result.peer.map { Figures.amount($0.times.median, unit: result.unit) } ?? "–",
      result.ratio.map { Figures.ratio($0) } ?? "–", middle ?? "",
    ]
    return figures + ReportResult.shownCounters.map { result.counter($0.key) }
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    let lastText = 7 + ReportResult.shownCounters.count
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return column < 3 || column == 6 || column == lastText ? cells[column] + space : space + cells[column]
      }
      var text = padded.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return "  " + text + "\n"
    }
    let rule = "  " + String(repeating: "─", count: widths.reduce(0, +) + 2 * (widths.count - 1)) + "\n"
    return line(header) + rule + rows.map(line).joined()
  }
}
