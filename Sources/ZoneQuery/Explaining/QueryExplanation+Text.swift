extension QueryExplanation: CustomStringConvertible {
  /// The explanation as an indented tree, with times.
  public var description: String { text(showsTimes: true) }

  /// The explanation as an indented tree; without times it depends on the records, the indexes and the query alone, so that
  /// a test can hold it against the text of a run before. Costs are estimates, and stay.
  ///
  /// ```swift
  /// let text = try database.explain(query).text(showsTimes: false)
  /// assert(text == golden)
  /// ```
  public func text(showsTimes: Bool) -> String {
    var lines = [summary(showsTimes)]
    lines.append("predicate: \(SyntaxError.excerpt(predicate, most: 1_000))")
    for tables in tables.prefix(Self.mostTables) {
      lines.append("")
      lines.append(Self.title(tables))
      lines += Self.lines(tables.plan, "", showsTimes)
      if let abandoned = tables.abandoned {
        lines.append("the walk's budget was spent, and the plan above taken in its place; before that:")
        lines += Self.lines(abandoned, "  ", showsTimes)
      }
      if tables.paths.count > 1 || tables.paths.first?.reason == "forced" {
        lines += Self.lines(tables.paths, showsTimes)
      }
    }
    if tables.count > Self.mostTables {
      lines.append("")
      lines.append("and \(FigureText.whole(tables.count - Self.mostTables)) more plans of other zones")
    }
    if !missingIndexes.isEmpty {
      lines.append("")
      lines.append("indexes that would serve the query, as lines of the schema:")
      for index in missingIndexes { lines.append("  " + (index.item ?? index.message)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The most plans written out; of ten thousand zones with unlike ones nobody reads more.
  private static let mostTables = 8

  private func summary(_ showsTimes: Bool) -> String {
    let zones = tables.reduce(0) { $0 + $1.zoneCount }
    let records = tables.reduce(0) { $0 + $1.recordCount }
    return "\(recordType): \(Self.counted(counters.rowsReturned, "record"))\(hasMore ? ", and there are more" : ""); "
      + "\(Self.counted(zones, "zone")) of \(Self.counted(records, "record"))"
      + (zonesPassedOver > 0 ? ", \(Self.counted(zonesPassedOver, "zone")) more passed over by the sort" : "") + "; "
      + "\(Self.counted(counters.entriesRead, "index entry", "index entries")) read, "
      + "\(Self.counted(counters.rowsExamined, "row")) examined"
      + (showsTimes
        ? "; \(FigureText.time(Double(nanoseconds))), \(FigureText.time(Double(planningNanoseconds))) of it planning"
        : "")
  }

  private static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(FigureText.whole(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  private static func title(_ tables: Tables) -> String {
    tables.zoneCount == 1
      ? "zone \(tables.firstZone) of \(counted(tables.recordCount, "record")):"
      : "\(counted(tables.zoneCount, "zone")) of \(counted(tables.recordCount, "record")), zone "
        + "\(tables.firstZone) the first:"
  }

  private static func lines(_ node: Node, _ indent: String, _ showsTimes: Bool) -> [String] {
    var figures: [String] = []
    if let estimate = node.estimatedRows { figures.append("estimated \(FigureText.estimate(estimate))") }
    if let rows = node.actualRows { figures.append(counted(rows, "row")) }
    if node.entriesRead > 0 { figures.append(counted(node.entriesRead, "entry", "entries")) }
    if node.rowsExamined > 0 { figures.append("\(FigureText.whole(node.rowsExamined)) examined") }
    if let ranges = node.ranges {
      let noun = node.operation == .postings || node.operation == .probe ? "list" : "range"
      figures.append(counted(ranges, noun))
    }
    if let budget = node.budget { figures.append("budget \(FigureText.whole(budget))") }
    if showsTimes, let time = node.nanoseconds { figures.append(FigureText.time(Double(time))) }
    let detail = node.detail.isEmpty ? "" : " \(node.detail)"
    var lines = [
      "\(indent)\(node.operation.name)\(detail)\(figures.isEmpty ? "" : " — \(figures.joined(separator: ", "))")"
    ]
    for child in node.children { lines += Self.lines(child, indent + "  ", showsTimes) }
    return lines
  }

  private static func lines(_ paths: [Path], _ showsTimes: Bool) -> [String] {
    let isMeasured = paths.contains { $0.measured != nil }
    return ["paths, with what they were taken to cost\(isMeasured ? ", and what they took" : ""):"]
      + paths.map { path in
        "  \(FigureText.time(path.cost))\(path.measured.map { took($0, showsTimes) } ?? ""): \(path.detail) — \(path.reason)"
      }
  }

  private static func took(_ measured: Measurement, _ showsTimes: Bool) -> String {
    let figures = [
      showsTimes ? FigureText.time(Double(measured.nanoseconds)) : nil,
      measured.entriesRead > 0 ? counted(measured.entriesRead, "entry", "entries") : nil,
      measured.rowsExamined > 0 ? "\(FigureText.whole(measured.rowsExamined)) examined" : nil,
    ]
    let texts = figures.compactMap { $0 }
    return " (took \(texts.isEmpty ? "nothing" : texts.joined(separator: ", ")))"
  }
}
