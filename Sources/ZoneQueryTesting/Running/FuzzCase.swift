public import PredicateSyntax
public import ZoneQuery

/// One predicate over some records: what an oracle judges, and what a shrinker makes smaller.
public struct FuzzCase: Sendable {
  /// The type of the records.
  public var recordType: RecordType
  /// The records; each has an ID of its own.
  public var records: [Record]
  /// The predicate.
  public var predicate: PredicateNode
  /// Dialect and switches.
  public var options: PredicateOptions
  /// The moment `now()` stands for.
  public var now: Timestamp
  /// The moment where none is given: 2001-09-09T01:46:40Z.
  public static let defaultNow = Timestamp(milliseconds: 1_000_000_000_000)
  /// What an oracle draws its own choices from, so that the same case gives the same verdict again.
  public var seed: UInt64

  /// Creates a case.
  public init(
    recordType: RecordType, records: [Record], predicate: PredicateNode, options: PredicateOptions = PredicateOptions(),
    now: Timestamp = FuzzCase.defaultNow, seed: UInt64 = 0
  ) {
    self.recordType = recordType
    self.records = records
    self.predicate = predicate
    self.options = options
    self.now = now
    self.seed = seed
  }

  /// The evaluator of the case's type, switches and moment.
  public var evaluator: NaiveEvaluator { NaiveEvaluator(recordType: recordType, options: options, now: now) }

  /// A case of the same records with another predicate.
  func with(_ predicate: PredicateNode) -> FuzzCase {
    var other = self
    other.predicate = predicate
    return other
  }

  /// A database that holds the records.
  func database(loading records: [Record]? = nil) throws(ZoneQueryError) -> Database {
    var configuration = Database.Configuration()
    configuration.predicateOptions = options
    let moment = now
    configuration.clock = { moment }
    let database = try Database(schema: Schema([recordType]), configuration: configuration)
    _ = try database.load(records ?? self.records)
    return database
  }
}
