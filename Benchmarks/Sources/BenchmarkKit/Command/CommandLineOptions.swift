/// What a run is asked to do.
struct CommandLineOptions: Equatable {
  enum Suite: String, CaseIterable {
    case query, write, parse, match, subscribe, text, memory

    var summary: String {
      switch self {
      case .query: "questions of all kinds, as record names and as whole records"
      case .write: "bulk load, insert, update, delete, memory, adding an index"
      case .parse: "from a question's text to what can be run, against sqlite3_prepare"
      case .match: "one predicate over records one by one, against a naive tree"
      case .subscribe: "a saved record against standing subscriptions"
      case .text: "the kernels of token search and distance"
      case .memory: "bytes a record alone (part of write)"
      }
    }

    /// Why a suite cannot be asked for, if it cannot.
    var absence: String? { nil }

    static var available: [Suite] { allCases.filter { $0.absence == nil } }
  }

  enum Peer: String, CaseIterable {
    case sqlite
    case sqliteCovering = "sqlite-covering"
    case none
  }

  enum Action: Equatable {
    case run, help, list
  }

  var action = Action.run
  var records = [10_000, 100_000, 1_000_000]
  var suites = Suite.available
  var workloads: [String] = []
  var peer = Peer.sqlite
  var turns: Int?
  /// Nanoseconds of wall time for a measurement.
  var budget = 600_000_000.0
  var seed: UInt64 = 1
  var json: String?
  var html: String?
  var baseline: String?
  /// As they were given.
  var arguments: [String] = []

  /// A command line that cannot be understood.
  struct Misuse: Error, Equatable {
    let message: String
  }

  /// The most records: starts are told apart by at least a millisecond's multiple.
  static let mostRecords = 20_000_000
}

extension CommandLineOptions {
  /// One option: how it is written, what it says, and what it does.
  struct Option: Sendable {
    let name: String
    /// What stands for its value; nil where it takes none.
    var value: String?
    let summary: String
    let apply: @Sendable (inout CommandLineOptions, String) throws -> Void
  }

  static let options = [
    Option(name: "--records", value: "N,…", summary: "how many records, one run for each (10000,100000,1000000)") {
      $0.records = try list($1, "--records") { text in
        guard let number = Int(text), number >= 100, number <= mostRecords else {
          throw Misuse(message: "--records takes numbers from 100 to \(mostRecords), not '\(text)'")
        }
        return number
      }.sorted()
    },
    Option(name: "--suite", value: "NAME,…", summary: "which suites; see --list (all there are)") {
      $0.suites = try list($1, "--suite") { text in
        guard let suite = Suite(rawValue: text) else {
          throw Misuse(
            message: "there is no suite '\(text)'; there are \(Suite.available.map(\.rawValue).joined(separator: ", "))"
          )
        }
        if let absence = suite.absence { throw Misuse(message: "the suite '\(text)' \(absence)") }
        return suite
      }
    },
    Option(name: "--workload", value: "NAME,…", summary: "only these workloads of the suites; see --list (all)") {
      $0.workloads = try list($1, "--workload") { text in
        guard WorkloadList.names.contains(text) else { throw Misuse(message: "there is no workload '\(text)'") }
        return text
      }
    },
    Option(
      name: "--peer", value: "NAME",
      summary: "sqlite, sqlite-covering (record names in every index), or none (sqlite)"
    ) {
      guard let peer = Peer(rawValue: $1) else {
        throw Misuse(message: "--peer takes \(Peer.allCases.map(\.rawValue).joined(separator: ", ")), not '\($1)'")
      }
      $0.peer = peer
    },
    Option(name: "--repeat", value: "N", summary: "turns of each measurement (as many as fit the time, 3 to 101)") {
      guard let turns = Int($1), (1...10_000).contains(turns) else {
        throw Misuse(message: "--repeat takes a number from 1 to 10000, not '\($1)'")
      }
      $0.turns = turns
    },
    Option(name: "--seconds", value: "S", summary: "time for each measurement (0.6)") {
      guard let seconds = Double($1), seconds > 0, seconds <= 600 else {
        throw Misuse(message: "--seconds takes a number above 0, at most 600, not '\($1)'")
      }
      $0.budget = seconds * 1_000_000_000
    },
    Option(name: "--seed", value: "N", summary: "what records and questions are made from (1)") {
      guard let seed = UInt64($1) else { throw Misuse(message: "--seed takes a whole number, not '\($1)'") }
      $0.seed = seed
    },
    Option(name: "--json", value: "FILE", summary: "write the report as JSON") { $0.json = $1 },
    Option(name: "--html", value: "FILE", summary: "write the report as one HTML page") { $0.html = $1 },
    Option(name: "--baseline", value: "FILE", summary: "say what moved since an earlier run's JSON") {
      $0.baseline = $1
    },
    Option(name: "--list", summary: "name the suites and workloads and end") { options, _ in options.action = .list },
    Option(name: "--help", summary: "say this and end") { options, _ in options.action = .help },
  ]

  private static func list<Element: Equatable>(
    _ text: String, _ option: String, _ read: (String) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard !part.isEmpty else { throw Misuse(message: "\(option) has an empty part in '\(text)'") }
      let element = try read(String(part))
      if !elements.contains(element) { elements.append(element) }
    }
    return elements
  }

  /// Reads a command line without the program's name; `--option value` and `--option=value` are the same.
  init(_ arguments: [String]) throws {
    self.init()
    self.arguments = arguments
    var position = 0
    while position < arguments.count {
      let argument = arguments[position]
      position += 1
      let name = argument == "-h" ? "--help" : String(argument.prefix { $0 != "=" })
      guard let option = CommandLineOptions.options.first(where: { $0.name == name }) else {
        throw Misuse(message: "there is no option '\(argument)'")
      }
      let attached = argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
      if option.value == nil {
        guard attached == nil else { throw Misuse(message: "\(name) takes no value") }
        try option.apply(&self, "")
      } else if let attached {
        try option.apply(&self, attached)
      } else {
        guard position < arguments.count else { throw Misuse(message: "\(name) needs a value") }
        try option.apply(&self, arguments[position])
        position += 1
      }
    }
  }

  static var help: String {
    var text = """
      Measures ZoneQuery beside SQLite on this machine and reports it.

      usage: zonequery-bench [options]


      """
    let names = options.map { $0.name + ($0.value.map { " " + $0 } ?? "") }
    let width = names.map(\.count).max() ?? 0
    for (name, option) in zip(names, options) {
      text += "  \(name)\(String(repeating: " ", count: width - name.count))  \(option.summary)\n"
    }
    return text + """

      Run it in release: swift run -c release --package-path Benchmarks zonequery-bench
      Exit codes: 0 done, 1 the engines differ or the run failed, 64 the command line is wrong.

      """
  }
}
