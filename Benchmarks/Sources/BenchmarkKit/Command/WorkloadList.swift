/// All workloads by suite, for `--list` and to check names.
enum WorkloadList {
  static let write: [(name: String, summary: String)] = [
    ("load", "all records at once, with all indexes; a record"),
    ("insert", "a record, a commit each"),
    ("update", "three indexed fields of a record, each three of name, city, start and price in turn, a commit each"),
    ("update-but-start", "name, city and price of a record, a commit each"),
    ("update-any", "each three of all eight indexed fields in turn, places, tags and texts among them, a commit each"),
    ("delete", "a record, a commit each"),
    ("insert-1000", "a record, a thousand a commit"),
    ("update-1000", "three indexed fields of a record, a thousand a commit"),
    ("update-but-start-1000", "name, city and price of a record, a thousand a commit"),
    ("update-any-1000", "three of all indexed fields of a record, a thousand a commit"),
    ("delete-1000", "a record, a thousand a commit"),
    ("memory", "bytes of heap a record, data and indexes"),
    ("add-index", "an index on a field of loaded records; a record"),
    (SharingSuite.reading, "point reads while another thread writes; the peer reads alone (ids)"),
    (SharingSuite.writing, "updates while another thread reads; the peer writes alone"),
  ]

  static let parse: [(name: String, summary: String)] = [
    ("lex", "text to tokens"),
    ("parse", "text to tree"),
    ("bind", "text to compiled predicate"),
    ("plan", "text to the first record among two thousand; above what a ready query takes, SQLite's sqlite3_prepare"),
  ]

  /// What is asked for beside the questions of `Workload`.
  static let furtherQueries: [(name: String, summary: String)] =
    [
      ("ordinary-50", "equality-sort-limit by records(matching:), as values; the peer lends them in place (records)"),
      ("ordinary-50-format", "the same, the predicate read from its format each time (records)"),
      ("values-50", "the same by PreparedQuery.records (records)"),
      (MixedSuite.workload, "300 drawn questions of one to four conditions; the quartiles are theirs (ids, records)"),
      (PlansSuite.workload, "300 questions of one to four conditions; the peer is the fastest path of each (ids)"),
      (ZonesSuite.workload, "first 50 by start of 10,000 zones of ten records each, once a run (ids)"),
      NamesSuite.workload,
    ] + ChangesSuite.workloads

  private static let kinds = [
    "equality", "not-equal", "integer-range", "double-range", "date-range", "between", "prefix", "in-20", "contains",
    "distance", "tokens", "conjunction",
  ]

  static let match: [(name: String, summary: String)] =
    [("match", "all of match-… in turn, each record by itself; a record")]
    + kinds.map { ("match-\($0)", "a record") }
    + [("match-batch", "all of match-batch-… in turn, counted over columns without indexes; a record")]
    + kinds.map { ("match-batch-\($0)", "a record") }

  static let text: [(name: String, summary: String)] = [
    ("tokenize-ascii", "tokens of a text of ASCII words"),
    ("tokenize-mixed", "tokens of a text in several scripts"),
    ("distance", "a place in degrees against a circle of 100 km"),
  ]

  static let subscribe: [(name: String, summary: String)] = [
    ("created", "a new record against all subscriptions; a record, its encoding included"),
    ("created-bounded", "the same with subscriptions that match the less, the more there are"),
    ("encode", "a record from outside brought into the form that programs read"),
    ("updated", "a changed record: who entered, stayed and left"),
    ("subscribe", "adding a subscription that is compiled: choosing what it waits under, and entering it there"),
    ("subscribe-planned", "adding one that has chosen when it was prepared"),
    ("unsubscribe", "removing one"),
    ("subscription-memory", "bytes a subscription, in index and program"),
    ("save-standing", "what saving a record in a database costs more than without subscriptions, unheard and heard"),
    ("update-standing", "what changing one costs more, likewise"),
  ]

  static func workloads(of suite: CommandLineOptions.Suite) -> [(name: String, summary: String)] {
    switch suite {
    case .query:
      Workload.allCases.map { workload in
        let variants = workload.variants.count == 1 ? "" : " (ids, records)"
        return (workload.rawValue, workload.summary + variants)
      } + furtherQueries
    case .write: write
    case .parse: parse
    case .match: match
    case .text: text
    case .memory: write.filter { $0.name == "memory" }
    case .subscribe: subscribe
    }
  }

  static let names = Set(CommandLineOptions.Suite.allCases.flatMap { workloads(of: $0).map(\.name) })

  static var description: String {
    var text = ""
    for suite in CommandLineOptions.Suite.allCases {
      text += "\(suite.rawValue): \(suite.absence ?? suite.summary)\n"
      for (name, summary) in workloads(of: suite) {
        text += "  \(name)\(String(repeating: " ", count: max(1, 24 - name.count)))\(summary)\n"
      }
    }
    return text
  }
}
