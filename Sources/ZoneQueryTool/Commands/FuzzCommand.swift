internal import ZoneQuery
internal import ZoneQueryTesting

/// Tries the engine against rules that must hold of every predicate.
struct FuzzCommand: ToolCommand {
  private enum Options {
    static let seed = ToolOption<UInt64>(
      "seed", "S", "What records and predicates are drawn from; a fresh one where not given.",
      expecting: "a whole number from 0 to \(UInt64.max)",
      read: { text in text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? UInt64(text) : nil })
    static let seconds = ToolOption<Double>(
      "seconds", "N", "How long to go on; 10 where neither this nor --predicates is given.",
      expecting: "a number of seconds from 0 to 86400",
      read: { ArgumentNumbers.decimal($0).flatMap { $0 >= 0 && $0 <= 86_400 ? $0 : nil } })
    static let predicates = ToolOption<Int>(
      "predicates", "N", "How many predicates to try: with --seed the same on every machine, however quick.",
      expecting: "a whole number from 1 to \(Int.max)",
      read: { ArgumentNumbers.natural($0).flatMap { $0 >= 1 ? $0 : nil } })
    static let oracle = ToolOption<String>(
      "oracle", "NAME", "A rule to check; all where not given.",
      expecting: TextList.alternatives(Oracles.all.map(\.name)), isRepeatable: true,
      read: { Oracles.named($0)?.name })
    static let coverage = ToolOption<Bool>(
      flag: "coverage", "Print how often each operator met each type of field, and by which plans.")
  }

  static let definition = CommandDefinition(
    "fuzz", "Tries the engine on drawn predicates against rules that hold of every one.",
    options: [
      SharedOptions.schema.definition, Options.seed.definition, Options.seconds.definition,
      Options.predicates.definition, SharedOptions.dialect.definition, Options.oracle.definition,
      Options.coverage.definition,
    ],
    discussion: [
      """
      Records are drawn of the schema's types, or of types drawn too. The first rule that does not hold ends the run: \
      the case is made as small as it can be and printed with its seed and a test in Swift; the exit status is 1. The \
      last line counts: N checks, 0 failures, seed S. Otherwise a run ends when its seconds are over or its number of \
      predicates is tried, whichever comes first (25 are tried on each database, so the number is rounded up). Both \
      dialects are tried where --dialect names none.
      """,
      "The rules: " + Oracles.all.map { "\($0.name) (\($0.summary.dropLast()))" }.joined(separator: "; ") + ".",
    ],
    examples: [
      "fuzz --seconds 60", "fuzz --seed 7 --predicates 2000", "fuzz --seed 7 --oracle evaluator --oracle matcher",
      "fuzz --schema conference.ckdb",
    ])

  private let schemaPath: String?
  private let seed: UInt64
  /// When the run ends, if by time.
  private let seconds: Double?
  /// How many predicates end it, if their number.
  private let predicates: Int?
  private let dialect: Dialect?
  private let oracles: [any Oracle]
  private let printsCoverage: Bool

  init(_ arguments: ParsedArguments) throws(Stop) {
    schemaPath = arguments.value(SharedOptions.schema)
    seed = arguments.value(Options.seed) ?? UInt64.random(in: 0...UInt64(UInt32.max))
    predicates = arguments.value(Options.predicates)
    seconds = arguments.value(Options.seconds) ?? (predicates == nil ? 10 : nil)
    dialect = arguments.value(SharedOptions.dialect)
    let names = arguments.values(Options.oracle)
    // In their own order, each once.
    oracles =
      names.isEmpty ? Oracles.all : Oracles.all.filter { oracle in names.contains { Spelling.isSame($0, oracle.name) } }
    printsCoverage = arguments.has(Options.coverage)
  }

  func run(_ console: Console) throws(Stop) -> Int32 {
    var schema: Schema?
    if let schemaPath {
      let read = try SchemaFile.read(schemaPath)
      if read.typesToAsk.isEmpty {
        throw .failed("\(Printable.text(schemaPath)): the schema has no record type that can be asked for")
      }
      schema = read
    }
    var fuzzer = Fuzzer(seed: seed, schema: schema, oracles: oracles)
    if let dialect { fuzzer.dialects = [dialect] }
    let start = ContinuousClock.now
    func elapsed() -> Double {
      let time = ContinuousClock.now - start
      return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    }
    var report: FuzzReport?
    var shown = 0.0
    repeat {
      report = fuzzer.step()
      let now = elapsed()
      if now - shown >= 0.2 {
        shown = now
        let rate = Int(Double(fuzzer.checks) / now)
        console.show(
          progress: "\(progress(fuzzer, now)): \(fuzzer.checks) checks, \(rate) a second, "
            + Self.covered(fuzzer.coverage))
      }
    } while report == nil && goesOn(fuzzer, elapsed())
    if let report { try console.writeLine(Printable.text(report.description, keepingLines: true) + "\n") }
    try summarise(fuzzer, elapsed(), console)
    return report == nil ? ExitStatus.success : ExitStatus.failure
  }

  private func goesOn(_ fuzzer: Fuzzer, _ elapsed: Double) -> Bool {
    elapsed < seconds ?? .infinity && fuzzer.predicates < predicates ?? .max
  }

  /// How much is done of what ends the run.
  private func progress(_ fuzzer: Fuzzer, _ elapsed: Double) -> String {
    let time = seconds.map { "\(Int(elapsed)) s of \(Int($0))" }
    let count = predicates.map { "\(fuzzer.predicates) predicates of \($0)" }
    return [time, count].compactMap { $0 }.joined(separator: ", ")
  }

  private func summarise(_ fuzzer: Fuzzer, _ seconds: Double, _ console: Console) throws(Stop) {
    if printsCoverage { try printCoverage(fuzzer.coverage, console) }
    for oracle in fuzzer.oracles {
      try console.writeLine("\(oracle.name): \(fuzzer.checksByOracle[oracle.name] ?? 0) checks")
    }
    let rate = seconds > 0 ? Int(Double(fuzzer.checks) / seconds) : 0
    try console.writeLine(
      "\(fuzzer.predicates) predicates, \(Self.covered(fuzzer.coverage)), \(rate) checks a second")
    try console.writeLine(fuzzer.summary)
  }

  private static func covered(_ coverage: FuzzCoverage) -> String {
    "\(coverage.pairs) pairs of operator and type, \(coverage.triples) with a kind of plan"
  }

  /// A line for each operator and type: how many comparisons there were, and how many of them each kind of plan answered.
  private func printCoverage(_ coverage: FuzzCoverage, _ console: Console) throws(Stop) {
    func sorted<Value>(_ counts: [String: Value]) -> [(key: String, value: Value)] {
      counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
    for (name, types) in sorted(coverage.counts) {
      for (type, count) in sorted(types) {
        let plans = sorted(coverage.plans[name]?[type] ?? [:]).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        try console.writeLine("\(name) \(type): \(count)" + (plans.isEmpty ? "" : "; \(plans)"))
      }
    }
  }
}
