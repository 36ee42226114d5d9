public import ZoneQuery

/// Draws records and predicates and lets oracles judge them, until one is broken.
///
/// ```swift
/// var fuzzer = Fuzzer(seed: 7)
/// let report = fuzzer.run(checks: 100_000)
/// report == nil                       // no rule is broken
/// print(fuzzer.summary)               // 100… checks, 0 failures, seed 7
/// ```
///
/// With a schema of one's own and an engine of one's own, here one that knows CloudKit's dialect and one reading of it:
///
/// ```swift
/// let schema = try Schema(ckdb: text)
/// let mine = ComparisonOracle("mine") { testCase in
///   try myEngine.find(testCase.predicate.predicateFormat, in: testCase.records).map(\.recordID)
/// }
/// var fuzzer = Fuzzer(seed: 7, schema: schema, oracles: [mine])
/// (fuzzer.dialects, fuzzer.missingFields, fuzzer.stringEquality) = ([.cloudKit], [.excluded], [.exact])
/// if let report = fuzzer.run(checks: 10_000) { print(report) }
/// ```
public struct Fuzzer: Sendable {
  /// The seed everything is drawn from.
  public let seed: UInt64
  /// The rules that are checked.
  public let oracles: [any Oracle]
  /// The types records are drawn of; nil where types are drawn too.
  public let schema: Schema?
  /// The dialects predicates are drawn in.
  public var dialects = Dialect.allCases
  /// The values of the switch for missing fields that are tried.
  public var missingFields = PredicateOptions.MissingFields.allCases
  /// The values of the switch for the equality of text that are tried.
  public var stringEquality = PredicateOptions.StringEquality.allCases
  /// The most records of a population.
  public var recordCount = 20
  /// How many predicates are asked of each population.
  public var predicatesPerPopulation = 25
  /// How deep AND, OR and NOT lie in each other.
  public var depth = 3
  /// Settings of the predicates beside dialect and depth: operators, token searches, quantifiers, types of fields,
  /// selectivity.
  ///
  /// ```swift
  /// fuzzer.tune = { generator in
  ///   generator.operators = [.equal, .in]
  ///   generator.includesTokenSearches = false   // no ANY tokenize("sea", "cdl") IN allTokens
  ///   generator.quantifiers = []                // no ANY {1, 2} IN scores
  /// }
  /// ```
  public var tune: @Sendable (inout PredicateGenerator) -> Void = { _ in }

  /// How many checks were made so far.
  public private(set) var checks = 0
  /// How many predicates were judged so far.
  public private(set) var predicates = 0
  /// How many failures were found so far.
  public private(set) var failures = 0
  /// How many checks each oracle made.
  public private(set) var checksByOracle: [String: Int] = [:]
  /// Which operators met which types of fields, and by which plans they were answered.
  public private(set) var coverage = FuzzCoverage()
  private var random: SeededRandom

  /// Creates a fuzzer.
  ///
  /// - Parameters:
  ///   - seed: What everything is drawn from.
  ///   - schema: The types records are drawn of, but for `Users`, which no query can ask for; types are drawn too where nil.
  ///   - oracles: The rules; those over the engine where not given.
  public init(seed: UInt64, schema: Schema? = nil, oracles: [any Oracle] = Oracles.all) {
    self.seed = seed
    self.schema = schema
    self.oracles = oracles
    random = SeededRandom(seed: seed)
  }

  /// Creates a fuzzer of given choices.
  init(random: SeededRandom, oracles: [any Oracle]) {
    self.init(seed: 0, oracles: oracles)
    self.random = random
  }

  /// The count that a run ends with: `N checks, 0 failures, seed S`.
  public var summary: String { "\(checks) checks, \(failures) failure\(failures == 1 ? "" : "s"), seed \(seed)" }

  /// Checks until so many checks are made or a rule is broken.
  ///
  /// - Returns: The first broken rule with its case made small; nil where none is. Where nothing can be checked, as with a
  ///   schema without a type that queries can ask for, or where no oracle makes a check for a thousand populations, a report
  ///   of the oracle `setup` says so.
  public mutating func run(checks wanted: Int) -> FuzzReport? {
    var (known, idle) = (checks, 0)
    while checks < wanted {
      if let report = step() { return report }
      idle = checks == known ? idle + 1 : 0
      known = checks
      if idle == Fuzzer.mostIdle { return setupReport("no oracle made a check for \(idle) populations") }
    }
    return nil
  }

  /// After so many populations without a check there will be none.
  private static let mostIdle = 1_000

  private mutating func setupReport(_ message: String) -> FuzzReport {
    failures += 1
    return FuzzReport(
      oracle: "setup", message: message,
      testCase: FuzzCase(
        recordType: RecordType("Users"), records: [], predicate: .true, options: PredicateOptions()),
      seed: seed, original: "")
  }

  /// Checks as long as a condition holds and no rule is broken. The condition is asked before each population of
  /// records.
  ///
  /// - Returns: The first broken rule with its case made small; nil where none is.
  public mutating func run(while goesOn: (Fuzzer) -> Bool) -> FuzzReport? {
    while goesOn(self) {
      if let report = step() { return report }
    }
    return nil
  }

  /// Judges the predicates of one population.
  public mutating func step() -> FuzzReport? {
    let options = PredicateOptions(
      dialect: random.pick(dialects) ?? .cloudKit, missingFields: random.pick(missingFields) ?? .excluded,
      stringEquality: random.chance(3, of: 4) ? stringEquality.first ?? .exact : random.pick(stringEquality) ?? .exact)
    guard let type = schema.map({ random.pick($0.typesToAsk) }) ?? SchemaGenerator().recordType("Thing", &random)
    else {
      return setupReport("the schema has no record type that can be asked for")
    }
    var recordGenerator = RecordGenerator(recordType: type)
    // An index of several fields answers by itself where no record lacks one.
    if random.chance(1, of: 3) { recordGenerator.missingPercentage = 0 }
    let records = recordGenerator.records(random.below(max(0, min(recordCount, .max - 1)) + 1), &random)
    var generator = PredicateGenerator(recordType: type, records: records)
    generator.dialect = options.dialect
    generator.depth = depth
    tune(&generator)
    let base = FuzzCase(recordType: type, records: records, predicate: .true, options: options)
    let subject: OracleSubject
    do {
      subject = try OracleSubject(base)
    } catch {
      failures += 1
      return FuzzReport(oracle: "setup", message: error.description, testCase: base, seed: seed, original: "")
    }
    for _ in 0..<max(0, predicatesPerPopulation) {
      let predicate = generator.predicate(&random)
      predicates += 1
      let asked = subject.asking(predicate, seed: random.next())
      defer { coverage.add(predicate, type, plans: asked.plans.kinds) }
      for oracle in oracles {
        do {
          let count = try oracle.check(asked)
          checks += count
          checksByOracle[oracle.name, default: 0] += count
        } catch {
          checks += 1
          failures += 1
          return FuzzReport(asked.testCase, breaking: oracle, seed: seed)
        }
      }
    }
    return nil
  }
}

extension Schema {
  /// The record types that a query can ask for.
  package var typesToAsk: [RecordType] { recordTypes.filter { !RecordType.isSystemType($0.name) } }
}
