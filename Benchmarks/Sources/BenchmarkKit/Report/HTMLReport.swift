/// The report as one page that needs nothing else: no scripts, no fonts, no images from elsewhere.
struct HTMLReport {
  private let report: Report
  private let baseline: Report?
  private let sizes: [Int]
  /// The largest size of more than a single measurement.
  private let mainSize: Int?

  init(_ report: Report, baseline: Report? = nil) {
    self.report = report
    self.baseline = baseline
    let sizes = Set(report.results.map(\.records)).sorted()
    self.sizes = sizes
    mainSize = sizes.last { size in report.results.count { $0.records == size } > 1 } ?? sizes.last
  }

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>ZoneQuery benchmark</title>
    <style>
    \(HTMLStyle.css)
    \(tabStyle)
    </style>
    </head>
    <body>
    <main>
    \(heading)
    \(moved)
    \(ratios)
    \(growth)
    \(distribution)
    \(tables)
    \(background)
    </main>
    </body>
    </html>

    """
  }

  static func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private var peerNames: String {
    let names = Set(report.results.filter { $0.suite == "query" }.compactMap { $0.rival?.name }).sorted()
    return names.isEmpty ? "its peers" : names.map { $0.hasPrefix("sqlite") ? "SQLite" : $0 }.joined(separator: ", ")
  }

  // MARK: Heading

  private var heading: String {
    let machine = report.machine
    let gigabytes = Figures.short(Double(machine.memoryBytes) / 1_073_741_824)
    var text = """
      <header>
      <p class="kicker">Benchmark report</p>
      <h1>ZoneQuery beside \(HTMLReport.escape(peerNames))</h1>
      <p class="lead">The same records, the same questions, the same answers, in turns on one thread of one process. \
      All times are thread CPU time.</p>
      <p class="facts">\(HTMLReport.escape(machine.cpu)) · \(machine.cores) cores · \(gigabytes) GiB · \
      \(HTMLReport.escape(machine.kernel)) · SQLite \(HTMLReport.escape(report.versions["sqlite"] ?? "?")) · \
      Swift \(HTMLReport.escape(report.versions["swift"] ?? "?")) · \
      \(HTMLReport.escape(report.versions["build"] ?? "?")) build · seed \(report.seed) · \
      <span class="whole-word">\(HTMLReport.escape(report.generated))</span></p>
      </header>

      """
    if report.versions["build"] == "debug" {
      text += "<p class=\"warning\">This was a debug build: its times mean nothing.</p>\n"
    }
    let raced = sizes.filter { size in report.results.contains { $0.records == size && $0.rival != nil } }
    // A row for what is read, a column for each size.
    text += "<div class=\"cards\" style=\"--columns: \(raced.count == 1 ? 3 : raced.count)\">\n"
    for variant in Variant.allCases {
      for size in raced {
        let found = report.results.filter {
          $0.records == size && $0.suite == "query" && $0.variant == variant.rawValue && $0.rival != nil
        }.compactMap(\.ratio)
        guard !found.isEmpty else { continue }
        let ahead = found.filter { $0 > 1 }.count
        text += """
          <div class="card"><span class="figure">\(Figures.ratio(Quartiles(found).median))</span>\
          <span class="label">median ratio reading \(variant == .ids ? "record names" : "whole records"), \
          \(Figures.count(size)) records</span><span class="note">ahead in \(ahead) of \(found.count)</span></div>

          """
      }
    }
    return text + "</div>\n"
  }

  private var moved: String {
    guard let baseline else { return "" }
    let comparison = BaselineComparison(baseline, report)
    let lines = comparison.lines.filter { $0.direction != .unchanged }
    var text = "<section><h2>Since the baseline</h2>\n"
    text += "<p>\(HTMLReport.escape(BaselineComparison.rule)); "
    text += "here \(Figures.ratio(comparison.noise)).</p>\n"
    text += "<p>The baseline is of \(HTMLReport.escape(baseline.generated)).</p>\n"
    if lines.isEmpty { return text + "<p>Nothing has moved beyond noise.</p></section>\n" }
    text += "<div class=\"scroll\"><table><thead><tr><th>workload</th><th>variant</th><th class=\"n\">records</th>"
    text += "<th></th><th class=\"n\">as fast</th></tr></thead><tbody>\n"
    for line in lines.sorted(by: { $0.factor < $1.factor }) {
      text += "<tr><td>\(line.identity[0])</td><td>\(line.identity[1])</td><td class=\"n\">"
      text += "\(Int(line.identity[2]).map(Figures.count) ?? "")</td><td class=\"\(line.direction.rawValue)\">"
      text += "\(line.direction.rawValue)</td><td class=\"n\">\(Figures.ratio(line.factor))</td></tr>\n"
    }
    return text + "</tbody></table></div></section>\n"
  }

  // MARK: Charts

  private var tabStyle: String {
    sizes.map {
      "#size-\($0):checked ~ .tabs label[for=size-\($0)] { background: var(--ink); color: var(--page); }\n"
        + "#size-\($0):checked ~ .panel-\($0) { display: block; }"
    }.joined(separator: "\n")
  }

  private var ratios: String {
    // What our own doors, and a reader and a writer, cost beside one another stands in the tables.
    let compared = report.results.filter { $0.ratio != nil && $0.isRace }
    guard !compared.isEmpty else { return "" }
    var text = """
      <section><h2>How many times as fast</h2>
      <p>The peer's median time over ours, on a logarithmic axis: right of the line at 1× ZoneQuery is faster. \
      The thin bar is the middle half of the ratios turn by turn.</p>
      <p class="legend"><span class="dot ids"></span>record names <span class="dot whole"></span>whole records, \
      and all that is not a query</p>

      """
    let shown = sizes.filter { size in compared.contains { $0.records == size } }
    text += "<div class=\"chooser\">\n"
    for size in shown {
      let checked = size == shown.last ? " checked" : ""
      text += "<input type=\"radio\" name=\"size\" id=\"size-\(size)\"\(checked)>\n"
    }
    text += "<div class=\"tabs\">"
    for size in shown { text += "<label for=\"size-\(size)\">\(Figures.count(size)) records</label>" }
    text += "</div>\n"
    let chart = RatioChart(all: compared)
    for size in shown {
      text += "<div class=\"panel panel-\(size) scroll\">\n"
      text += chart.svg(compared.filter { $0.records == size }) + "</div>\n"
    }
    return text + "</div></section>\n"
  }

  private var growth: String {
    let queries = report.results.filter { $0.suite == "query" || $0.suite == "write" && $0.unit == "ns" }
    let chart = GrowthChart(queries)
    var figures = ""
    var seen: [String] = []
    for result in queries where !seen.contains(result.workload) {
      seen.append(result.workload)
      let variant = result.suite == "query" ? Variant.ids.rawValue : Variant.records.rawValue
      let points = queries.filter { $0.workload == result.workload && $0.variant == variant && $0.own != nil }
      guard Set(points.map(\.records)).count > 1 else { continue }
      figures += "<figure><figcaption>\(HTMLReport.escape(result.workload))</figcaption>\(chart.svg(points))</figure>\n"
    }
    guard !figures.isEmpty else { return "" }
    return """
      <section><h2>Growth with the number of records</h2>
      <p>Median time against records, both axes logarithmic and the same in every chart. Flat is good.</p>
      <p class="legend"><span class="line own"></span>ZoneQuery <span class="line peer"></span>\
      \(HTMLReport.escape(peerNames))</p>
      <div class="multiples">
      \(figures)</div></section>

      """
  }

  private var distribution: String {
    guard let size = mainSize else { return "" }
    let results = report.results.filter {
      $0.records == size && $0.unit == "ns" && ($0.suite != "query" || $0.variant == Variant.ids.rawValue)
    }
    guard !results.isEmpty else { return "" }
    return """
      <section><h2>The turns of this run</h2>
      <p>Every turn's time relative to its engine's median, at \(Figures.count(size)) records: a tick is a turn, \
      the box is the middle half. A wide box is a noisy measurement, and a difference smaller than the box says nothing.</p>
      <p class="legend"><span class="line own"></span>ZoneQuery <span class="line peer"></span>peer</p>
      <div class="scroll">
      \(DistributionChart().svg(results))
      </div></section>

      """
  }

  // MARK: Tables and background

  private var tables: String {
    var text = """
      <section><h2>All figures</h2>
      <p>Rows are those of an answer; examined are the rows whose values ZoneQuery looked at for it, entries those it \
      read from indexes, allocs the blocks it asked of the heap, each an operation on average. Such figures hardly depend \
      on the machine.</p>

      """
    for size in sizes.reversed() {
      text += "<details\(size == mainSize ? " open" : "")><summary>\(Figures.count(size)) records</summary>\n"
      text += "<div class=\"scroll\"><table><thead><tr><th>suite</th><th>workload</th><th>variant</th>"
      text += "<th class=\"n\">ZoneQuery</th><th class=\"n\">peer</th><th class=\"n\">ratio</th>"
      text += "<th class=\"n\">middle half</th>"
      for counter in ReportResult.shownCounters { text += "<th class=\"n\">\(counter.title)</th>" }
      text += "</tr></thead><tbody>\n"
      for result in report.results where result.records == size { text += row(result) }
      text += "</tbody></table></div></details>\n"
    }
    return text + "</section>\n"
  }

  private func row(_ result: ReportResult) -> String {
    func amount(_ times: EngineTimes?) -> String { times.map { Figures.amount($0.median, unit: result.unit) } ?? "–" }
    let middle = result.ratioQ1.flatMap { q1 in result.ratioQ3.map { "\(Figures.short(q1)) – \(Figures.short($0))" } }
    let peer = result.peer.map { amount($0.times) + ($0.name.hasPrefix("sqlite") ? "" : " <small>\($0.name)</small>") }
    let counters = ReportResult.shownCounters.map { "<td class=\"n\">\(result.counter($0.key))</td>" }.joined()
    let speed = result.isRace ? result.ratio.map { $0 > 1 ? "faster" : "slower" } ?? "" : ""
    return """
      <tr><td>\(result.suite)</td><td>\(HTMLReport.escape(result.workload))</td><td>\(result.variant)</td>\
      <td class="n">\(amount(result.own))</td><td class="n">\(peer ?? "–")</td>\
      <td class="n \(speed)">\(result.ratio.map { Figures.ratio($0) } ?? "–")</td><td class="n">\(middle ?? "")</td>\
      \(counters)</tr>

      """
  }

  private var background: String {
    func list(_ lines: [String]) -> String {
      "<ul>" + lines.map { "<li>\(HTMLReport.escape($0))</li>" }.joined() + "</ul>\n"
    }
    var text = "<section><h2>How it was measured</h2>\n" + list(report.method)
    if !report.absent.isEmpty {
      text += "<h3>Not measured</h3>\n" + list(report.absent.map { "\($0.what): \($0.why)" })
    }
    for (name, lines) in report.setups.sorted(by: { $0.key < $1.key }) {
      text += "<details><summary>Set-up of \(HTMLReport.escape(name))</summary>\n"
      text += "<pre>\(HTMLReport.escape(lines.joined(separator: "\n")))</pre></details>\n"
    }
    text += "<details><summary>Versions and machine</summary>\n<dl>"
    let machine = [
      "cpu": report.machine.cpu, "cores": "\(report.machine.cores)", "kernel": report.machine.kernel,
      "memory": "\(report.machine.memoryBytes) bytes", "architecture": report.machine.architecture,
      "load before the run": Figures.short(report.machine.load),
      "peak resident memory": "\(report.peakResidentBytes) bytes", "command": report.command.joined(separator: " "),
    ]
    for (key, value) in (machine.merging(report.versions) { first, _ in first }).sorted(by: { $0.key < $1.key }) {
      text += "<dt>\(HTMLReport.escape(key))</dt><dd>\(HTMLReport.escape(value))</dd>"
    }
    return text + "</dl></details></section>\n"
  }
}
