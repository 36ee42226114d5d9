import Foundation
import Testing

@testable import ZoneQuery

/// The plans of `Golden/*.txt`, and that every way to each answer gives the same.
///
/// `ZONEQUERY_REGENERATE=1` writes the files anew: whoever changes a plan reads the difference.
struct GoldenScriptTests {
  @Test func scriptsReadAsTheyAreWrittenDown() throws {
    let names = try GoldenScript.names()
    var (queries, checks) = (0, 0)
    for name in names {
      let file = GoldenScript.folder.appending(path: name)
      let text = try String(contentsOf: file, encoding: .utf8)
      let script = try GoldenScript(text)
      var lines = script.head
      for asked in script.asked {
        lines += try Self.answer(asked, script.database)
        queries += 1
        guard TestAmount.takes(queries) else { continue }
        checks += try Self.agreement(asked, script.database, name)
      }
      let actual = lines.joined(separator: "\n")
      if ProcessInfo.processInfo.environment["ZONEQUERY_REGENERATE"] != nil {
        try actual.write(to: file, atomically: true, encoding: .utf8)
      } else {
        let both = zip(actual.components(separatedBy: "\n"), text.components(separatedBy: "\n"))
        let first = both.first { $0 != $1 }
        #expect(actual == text, "\(name): \(first?.0 ?? "") | is not written down: \(first?.1 ?? "")")
      }
    }
    print("golden scripts: \(names.count), \(queries) queries, \(checks) answers compared")
    #expect(names.count >= 18 && queries >= 35 && checks > TestAmount.taken(300))
  }

  /// The query's part of the script.
  private static func answer(_ asked: GoldenScript.Asked, _ database: Database) throws -> [String] {
    var lines = [asked.line, "[plan]"]
    if asked.isCount {
      let explanation = try database.explainCount(asked.query)
      lines += explanation.text(showsTimes: false).dropLast().components(separatedBy: "\n")
      lines.append("[rows] \(try database.count(matching: asked.query)) counted")
    } else {
      let limit = asked.limit ?? .max
      let explanation = try database.explain(asked.query, resultsLimit: limit)
      let page = try database.records(matching: asked.query, desiredKeys: [], resultsLimit: limit)
      // Explaining runs the same stages.
      #expect(explanation.counters.rowsReturned == page.records.count && explanation.hasMore == page.hasMore)
      lines += explanation.text(showsTimes: false).dropLast().components(separatedBy: "\n")
      let names = page.records.prefix(6).map(\.recordID.description).joined(separator: " ")
      lines.append("[rows] \(page.records.count)\(page.hasMore ? " and more" : ""): \(names)")
    }
    return lines + [""]
  }

  /// The same answer by a scan, by every path considered, after printing and reading the predicate, page by page, and
  /// as a count.
  private static func agreement(_ asked: GoldenScript.Asked, _ database: Database, _ name: String) throws -> Int {
    let query = asked.query
    let whole = try database.records(matching: query, desiredKeys: [], resultsLimit: .max).records.map(\.recordID)
    var ways: [(String, [RecordID])] = []
    let prepared = try database.prepare(query)
    ways.append(("scan", try prepared.found(.scan, limit: .max)))
    let paths = try prepared.pathCount()
    // Within a limit each path is tried below.
    for number in 0..<paths where TestAmount.isLong || asked.limit == nil || query.sort.isEmpty {
      ways.append(("path \(number)", try prepared.found(.considered(number), limit: .max)))
    }
    var read = query
    read.predicate = try QueryPredicate(format: query.predicate.description)
    ways.append(("printed", try database.prepare(read).found(nil, limit: .max)))
    ways.append(("pages", try CursorSample.pages(database, query, limit: max(7, whole.count / 4))))
    let known = Set(whole)
    for (way, found) in ways {
      #expect(
        query.sort.isEmpty ? found.count == whole.count && Set(found) == known : found == whole,
        "\(name), \(asked.line), \(way)")
    }
    #expect(try database.count(matching: query) == whole.count, "\(name), \(asked.line)")
    if let limit = asked.limit, !query.sort.isEmpty {
      for number in 0..<paths {
        let found = try prepared.found(.considered(number), limit: limit)
        #expect(found == Array(whole.prefix(limit)), "\(name), \(asked.line), path \(number) within the limit")
      }
      // What is explained is run in stages, and finds the same.
      let execution = try prepared.execution(nil)
      execution.trace = QueryTrace { _ in }
      #expect(try prepared.found(execution, limit: limit) == Array(whole.prefix(limit)))
      let ordinary = try prepared.execution(nil)
      #expect(try prepared.found(ordinary, limit: limit) == Array(whole.prefix(limit)))
      #expect(execution.counters == ordinary.counters, "\(name), \(asked.line), the counters")
      return ways.count + paths + 4
    }
    return ways.count + 1
  }

}

extension PreparedQuery {
  /// How many paths are considered, in the zone with the most of them.
  func pathCount() throws -> Int {
    var count = 1
    let execution = try execution(nil)
    execution.trace = QueryTrace { count = max(count, $0.considered.count) }
    _ = try found(execution, limit: 5)
    return count
  }

  func execution(_ forcedPlan: ForcedPlan?) throws -> QueryExecution {
    let execution = QueryExecution(order: order, template: template)
    execution.zones = try database.zones(zoneID)
    execution.pin()
    execution.forcedPlan = forcedPlan
    try execution.bind(arguments().values, database.configuration.clock)
    return execution
  }

  /// The records that a plan finds.
  func found(_ forcedPlan: ForcedPlan?, limit: Int) throws -> [RecordID] {
    try found(try execution(forcedPlan), limit: limit)
  }

  func found(_ execution: QueryExecution, limit: Int) throws -> [RecordID] {
    defer { execution.close() }
    execution.run(recordType, limit: limit)
    return execution.rows.map { ranked in
      let row = execution.row(ranked)
      return RecordID(recordName: row.withName { String(copying: $0) }, zoneID: row.zoneID)
    }
  }
}
