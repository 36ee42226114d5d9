internal import ZoneQuery
internal import ZoneQueryTesting

/// The program `zonequery-agree`.
package enum AgreementCommand {
  private struct Options {
    var seconds = 10.0
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var floor = 0

    /// Nil where the command line is not understood.
    init?(_ arguments: [String]) {
      var rest = arguments[...]
      while let name = rest.popFirst() {
        guard let value = rest.popFirst() else { return nil }
        switch name {
        case "--seconds":
          guard let number = Double(value), number > 0, number <= 86_400 else { return nil }
          seconds = number
        case "--seed":
          guard let number = UInt64(value) else { return nil }
          seed = number
        case "--floor":
          guard let number = Int(value), number >= 0 else { return nil }
          floor = number
        default: return nil
        }
      }
    }
  }

  private static let help = """
    Asks ZoneQuery and SQLite the same drawn predicates over the same drawn records, as far as SQL can say them.

    usage: zonequery-agree [--seconds N] [--seed S] [--floor N]

    Ends at the first difference, made as small as it can be. The last line counts: N checks, 0 failures, seed S.
    Exit codes: 0 done, 1 the engines differ or there were fewer checks than the floor, 64 the command line is wrong.
    """

  /// A fuzzer of predicates of which most can be said in SQL.
  static func fuzzer(seed: UInt64, _ oracle: SQLiteOracle) -> Fuzzer {
    var fuzzer = Fuzzer(seed: seed, oracles: [oracle])
    fuzzer.recordCount = 60
    fuzzer.predicatesPerPopulation = 50
    fuzzer.stringEquality = [.exact]
    fuzzer.tune = { generator in
      generator.operators = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .contains, .beginsWith,
        .endsWith,
      ]
      let scalars: [FieldType] = [.string, .int64, .double, .timestamp, .reference]
      generator.fieldTypes = Set(scalars + scalars.map { .list($0.scalar) })
    }
    return fuzzer
  }

  /// Runs it with a command line without the program's name and returns its exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    guard let options = Options(arguments) else {
      print(help)
      return arguments.contains("--help") || arguments.contains("-h") ? 0 : 64
    }
    let oracle = SQLiteOracle()
    var fuzzer = fuzzer(seed: options.seed, oracle)
    let end = ContinuousClock.now + .seconds(options.seconds)
    let report = fuzzer.run { _ in ContinuousClock.now < end }
    if let report { print(report.description + "\n") }
    print("SQLite \(SQLiteConnection.version): \(oracle.said.count) of \(fuzzer.predicates) predicates said in SQL")
    print(fuzzer.summary)
    if fuzzer.checks < options.floor { print("fewer than \(options.floor) checks") }
    return report == nil && fuzzer.checks >= options.floor ? 0 : 1
  }
}
