#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The program `zonequery-bench`.
package enum BenchmarkCommand {
  /// Runs it with a command line without the program's name and returns its exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    let options: CommandLineOptions
    do {
      options = try CommandLineOptions(arguments)
    } catch {
      let message = (error as? CommandLineOptions.Misuse)?.message ?? "\(error)"
      complain("zonequery-bench: \(message)\nTry zonequery-bench --help.")
      return 64
    }
    switch options.action {
    case .help:
      print(CommandLineOptions.help, terminator: "")
      return 0
    case .list:
      print(WorkloadList.description, terminator: "")
      return 0
    case .run: break
    }
    do {
      try run(options)
      return 0
    } catch {
      complain("zonequery-bench: \(error)")
      return 1
    }
  }

  private static func run(_ options: CommandLineOptions) throws {
    // Read before anything is measured: a run of minutes should not end in a misspelt path.
    let baseline = try options.baseline.map { path in
      let bytes = try ReportFile.read(path)
      do {
        return try Report(json: bytes)
      } catch {
        throw BenchmarkError("'\(path)' is no report of this program: \(error)")
      }
    }
    #if DEBUG
      complain("zonequery-bench: this is a debug build; its times mean nothing. Use swift run -c release.")
    #endif
    print("seed \(options.seed)")
    let run = BenchmarkRun(options) { complain($0) }
    try run.runAll()
    let report = run.report
    let machine = report.machine
    print(
      "\(machine.cpu), \(machine.cores) cores, \(Figures.short(Double(machine.memoryBytes) / 1e9)) GB, \(machine.kernel)"
    )
    print("SQLite \(report.versions["sqlite"] ?? "?"), Swift \(report.versions["swift"] ?? "?")", terminator: "")
    print(", \(report.versions["build"] ?? "?") build, at most \(report.peakResidentBytes / 1_000_000) MB of memory")
    print(TerminalTable.text(report), terminator: "")
    if let baseline { print(BaselineComparison(baseline, report).text, terminator: "") }
    if let path = options.json { try ReportFile.write(try report.json(), to: path) }
    if let path = options.html {
      try ReportFile.write(Array(HTMLReport(report, baseline: baseline).text.utf8), to: path)
    }
  }

  private static func complain(_ message: String) {
    let bytes = Array((message + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }
}
