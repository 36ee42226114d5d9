import FoundationEssentials
import Testing

@testable import BenchmarkKit

@Suite struct ReportTests {
  private func smallReport(_ suites: String = "query,write,parse,match,text") throws -> Report {
    var options = try CommandLineOptions([
      "--records", "200", "--repeat", "3", "--suite", suites,
      "--workload",
      "point,equality-sort-limit,count,ordinary-50,load,plan,match-equality,match-batch-equality,tokenize-ascii",
    ])
    options.budget = 1_000_000
    let run = BenchmarkRun(options) { _ in }
    try run.runAll()
    return run.report
  }

  /// What plans take beside the fastest paths is no race, and every question was answered by all of its paths.
  @Test func plansBesideTheFastestPaths() throws {
    var options = try CommandLineOptions([
      "--records", "300", "--repeat", "1", "--suite", "query", "--workload", "mixed-plans", "--peer", "none",
    ])
    options.budget = 1_000_000
    let run = BenchmarkRun(options) { _ in }
    try run.runAll()
    let result = try #require(run.report.results.first)
    #expect(run.report.results.count == 1 && result.workload == "mixed-plans" && !result.isRace)
    #expect(Set(result.engines.keys) == ["zonequery", "best-path"])
    #expect(result.counters["questions"] == 300 && result.rival == nil)
    #expect(result.engines.values.allSatisfy { $0.samples.count == 3 && $0.median > 0 })
  }

  @Test func jsonHasThePromisedForm() throws {
    let report = try smallReport()
    let json = try report.json()
    let object = try JSONDecoder().decode([String: JSONAny].self, from: Data(json))
    guard case .array(let results)? = object["results"] else {
      Issue.record("no list of results")
      return
    }
    #expect(results.count == 11)
    for case .object(let result) in results {
      for key in ["suite", "workload", "variant"] {
        guard case .string? = result[key] else {
          Issue.record("\(key) is no text in \(result)")
          continue
        }
      }
      if case .string(let variant)? = result["variant"] { #expect(["ids", "records"].contains(variant)) }
      #expect(result["records"] == .number(200))
      guard case .object(let engines)? = result["engines"], case .object(let own)? = engines["zonequery"],
        case .number(let ratio)? = result["ratio"], case .object? = result["counters"]
      else {
        Issue.record("engines, ratio or counters are missing in \(result)")
        continue
      }
      #expect(engines.count == 2)
      if result["suite"] == .string("query"), case .object(let counters)? = result["counters"] {
        for key in ["zonequery.rows_examined", "zonequery.entries_read", "zonequery.allocations"] {
          #expect(counters[key] != nil, "\(key)")
        }
      }
      #expect(ratio > 0)
      for key in ["median_ns", "q1_ns", "q3_ns", "wall_ns"] {
        guard case .number(let value)? = own[key], value > 0 else {
          Issue.record("\(key) is missing in \(own)")
          continue
        }
      }
    }
    for key in ["machine", "versions", "method", "setups", "absent", "seed", "command", "generated"] {
      #expect(object[key] != nil, "\(key)")
    }
    #expect(try Report(json: json) == report)
  }

  /// What is counted of a question is the same each time.
  @Test func countersDoNotDependOnTheClock() throws {
    func counters() throws -> [[String: Double]] {
      try smallReport("query").results.map { result in
        result.counters.filter { $0.key.hasSuffix("rows_examined") || $0.key.hasSuffix("entries_read") }
      }
    }
    let first = try counters()
    #expect(first.allSatisfy { $0.count >= 2 } && first.count == 6)
    #expect(try counters() == first)
  }

  @Test func pageIsWholeAndNeedsNothingElse() throws {
    let page = HTMLReport(try smallReport()).text
    #expect(page.contains("prefers-color-scheme: dark"))
    #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("@import"))
    for tag in ["svg", "table", "section", "details", "div", "figure", "text"] {
      let opened = page.split(separator: "<\(tag)", omittingEmptySubsequences: false).dropFirst()
        .filter { $0.first == " " || $0.first == ">" }.count
      let closed = page.split(separator: "</\(tag)>", omittingEmptySubsequences: false).count - 1
      #expect(opened == closed, "\(tag)")
    }
  }

  @Test func quartilesInterpolate() {
    #expect(Quartiles([4, 1, 3, 2]) == Quartiles([1, 2, 3, 4]))
    let even = Quartiles([1, 2, 3, 4])
    #expect((even.q1, even.median, even.q3) == (1.75, 2.5, 3.25))
    let odd = Quartiles([5, 1, 4, 2, 3])
    #expect((odd.q1, odd.median, odd.q3) == (2, 3, 4))
    let one = Quartiles([7])
    #expect((one.q1, one.median, one.q3) == (7, 7, 7))
    #expect(Quartiles([]).median == 0)
    #expect(Quartiles([1, 2, 3]).isApart(from: Quartiles([4, 5, 6])))
    #expect(!Quartiles([1, 2, 3]).isApart(from: Quartiles([2, 3, 4])))
  }

  @Test func ratioIsThePeersMedianOverOurs() {
    let own = Alternation.Timing(cpu: [1, 2, 3], wall: [1, 2, 3])
    let peer = Alternation.Timing(cpu: [10, 30, 30], wall: [10, 30, 30])
    let result = ReportResult(
      suite: "query", workload: "point", variant: .ids, records: 10,
      timings: [("zonequery", own), ("sqlite", peer)], counters: [:])
    #expect(result.ratio == 15)
    #expect(result.ratioQ1 == 10)
    #expect(result.ratioQ3 == 12.5)
  }

  private func report(own: [Double], peer: [Double]?, named name: String = "sqlite") -> Report {
    var timings = [("zonequery", Alternation.Timing(cpu: own, wall: own))]
    if let peer { timings.append((name, Alternation.Timing(cpu: peer, wall: peer))) }
    var report = Report(
      generated: "", command: [], seed: 1, machine: .current(), versions: [:], method: [], setups: [:], absent: [])
    report.results = [
      ReportResult(
        suite: "query", workload: "point", variant: .ids, records: 10,
        timings: timings.map { (name: $0.0, timing: $0.1) }, counters: [:])
    ]
    return report
  }

  @Test func baselineTellsWhatMovedBeyondNoise() {
    let before = report(own: [100, 101, 102], peer: [1_000, 1_001, 1_002])
    func direction(_ now: Report) -> BaselineComparison.Direction? {
      BaselineComparison(before, now).lines.first?.direction
    }
    #expect(direction(report(own: [50, 51, 52], peer: [1_000, 1_001, 1_002])) == .faster)
    #expect(direction(report(own: [200, 201, 202], peer: [1_000, 1_001, 1_002])) == .slower)
    // The whole machine was half as fast: the ratio has not moved.
    #expect(direction(report(own: [200, 202, 204], peer: [2_000, 2_002, 2_004])) == .unchanged)
    // Apart, but by less than 3 %.
    #expect(direction(report(own: [98.6, 99, 99.4], peer: [1_000, 1_001, 1_002])) == .unchanged)
    // Overlapping.
    #expect(direction(report(own: [60, 101, 160], peer: [1_000, 1_001, 1_002])) == .unchanged)
    // What a peer that is ourselves does says nothing: both became twice as fast.
    let (slow, fast) = (
      report(own: [100, 101, 102], peer: [10, 11, 12], named: "prepared"),
      report(own: [50, 51, 52], peer: [5, 5.5, 6], named: "prepared")
    )
    #expect(BaselineComparison(slow, fast).lines.first?.direction == .faster)
    // Without a peer our own times are compared.
    #expect(direction(report(own: [50, 51, 52], peer: nil)) == .faster)
  }

  @Test func figuresAreShort() {
    #expect(Figures.short(0.01234) == "0.0123")
    #expect(Figures.short(1.2345) == "1.23")
    #expect(Figures.short(1_234.5) == "1235")
    #expect(Figures.time(1_500) == "1.50 µs")
    #expect(Figures.time(2_000_000_000) == "2.00 s")
    #expect(Figures.count(1_000_000) == "1,000,000")
    #expect(Figures.fixed(-0.25, 2) == "-0.25")
  }
}

/// Any JSON, to look at a form without the types it was written from.
enum JSONAny: Decodable, Equatable {
  case string(String)
  case number(Double)
  case array([JSONAny])
  case object([String: JSONAny])
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONAny].self) {
      self = .array(value)
    } else if let value = try? container.decode([String: JSONAny].self) {
      self = .object(value)
    } else {
      self = .other
    }
  }
}
