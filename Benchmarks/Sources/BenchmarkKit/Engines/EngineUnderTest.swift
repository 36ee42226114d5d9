/// An engine that holds the records and answers the questions: the one place where the benchmark knows an engine.
///
/// An instance belongs to one thread.
protocol EngineUnderTest: AnyObject {
  /// The engine's name in the report.
  var name: String { get }
  /// How it was set up, line by line, for the report.
  var setup: [String] { get }

  /// Stores all records of a source at once, with all indexes. What `source` spends on making them is not counted.
  func load(_ source: EventSource) throws

  /// Lets the engine choose among its ways to answer a workload, before anything is timed.
  func settle(_ workload: Workload, _ variant: Variant, on questions: [Question]) throws

  /// Prepares a question whose parameters are bound at each run.
  func prepare(_ question: Question, _ variant: Variant) throws -> any PreparedQuestion

  /// Makes the engine's own form of the records to be changed.
  func prepareChanges(_ changes: Changes) throws -> any PreparedChanges

  /// Adds an index on a field that has none; nil where the engine cannot.
  func addIndex() throws -> (() throws -> Void)?
  /// Removes it again.
  func removeIndex() throws

  /// Goes from question to ready plan, as often as called, without any cache.
  func plan(_ question: Question) throws -> any PlannedQuestion
}

/// A question ready to be run.
protocol PreparedQuestion: AnyObject {
  func run(into sink: inout RowSink) throws

  /// Reads the values that it is asked with, and nothing of the engine's. What is returned says nothing.
  func approach() -> UInt64

  /// What the engine counts while it answers once, by name: work that depends on the data alone.
  func counters() throws -> [String: Double]
}

/// A question that is planned anew at each call.
protocol PlannedQuestion: AnyObject {
  func plan() throws
}

/// What is written beside and to the records that are loaded.
struct Changes {
  /// New records.
  let inserted: [Event]
  /// Updates of records from all over those loaded, by ``UpdateKind``.
  let updates: [[Update]]
  /// Other records from all over those loaded.
  let deleted: [Event]

  /// A record as it is and as it shall be.
  struct Update {
    let standing: Event
    let updated: Event
    let fields: IndexedFields

    /// Gives an event the values of another in some fields; those that are unique are a little greater.
    init(_ event: Event, _ fields: IndexedFields, from other: Event) {
      var updated = event
      if fields.contains(.name) { updated.name = other.name }
      if fields.contains(.city) { updated.city = other.city }
      if fields.contains(.start) { updated.start = other.start + 1 }
      if fields.contains(.price) { updated.price = other.price + 0.005 }
      if fields.contains(.tags) { updated.tags = other.tags }
      if fields.contains(.location) { updated.place = other.place }
      if fields.contains(.title) { updated.title = other.title }
      if fields.contains(.body) { updated.body = other.body }
      (standing, self.updated, self.fields) = (event, updated, fields)
    }
  }
}

/// Of the fields that have indexes those that an update changes.
struct IndexedFields: OptionSet, Hashable {
  let rawValue: Int

  static let name = IndexedFields(rawValue: 1 << 0)
  static let city = IndexedFields(rawValue: 1 << 1)
  static let start = IndexedFields(rawValue: 1 << 2)
  static let price = IndexedFields(rawValue: 1 << 3)
  static let tags = IndexedFields(rawValue: 1 << 4)
  static let location = IndexedFields(rawValue: 1 << 5)
  static let title = IndexedFields(rawValue: 1 << 6)
  static let body = IndexedFields(rawValue: 1 << 7)

  /// Those that are searched by their words.
  static let texts: IndexedFields = [.title, .body]

  /// Each three of the four with one value that is compared.
  static let scalarThrees: [IndexedFields] = [
    withoutStart, [.name, .city, .start], [.name, .start, .price], [.city, .start, .price],
  ]
  /// The start is in the indexes of the city, of the price and of the tags too.
  static let withoutStart: IndexedFields = [.name, .city, .price]

  /// Each three of all eight: 56 sets, in an order in which those with texts, with tags and so on take turns.
  static let threes: [IndexedFields] = {
    let ascending = (0..<1 << 8).filter { $0.nonzeroBitCount == 3 }
    return ascending.indices.map { IndexedFields(rawValue: ascending[$0 * 23 % ascending.count]) }
  }()
}

/// Which fields the updates change.
enum UpdateKind: Int {
  /// Each three of the scalar fields in turn.
  case scalarsInTurn
  /// The scalar fields that stand in fewest indexes.
  case butStart
  /// Each three of all fields in turn.
  case anyInTurn
}

/// Changes ready to be made; each call is one commit of a range of the records, and each but the first three undoes one.
protocol PreparedChanges: AnyObject {
  /// Inserts new records.
  func insert(_ range: Range<Int>) throws
  /// Changes standing records in three indexed fields each.
  func update(_ range: Range<Int>, _ kind: UpdateKind) throws
  /// Deletes standing records.
  func delete(_ range: Range<Int>) throws

  /// Deletes what was inserted.
  func undoInsert(_ range: Range<Int>) throws
  /// Gives what was changed its values back.
  func undoUpdate(_ range: Range<Int>, _ kind: UpdateKind) throws
  /// Inserts what was deleted.
  func undoDelete(_ range: Range<Int>) throws
}

/// Hands out records in pieces, and keeps the time that making them takes apart.
final class EventSource {
  static let pieceSize = 4_096

  private let generator: EventGenerator
  private var position = 0
  /// The processor time and the time spent on making records, in nanoseconds.
  private(set) var excludedCPU = 0.0
  private(set) var excludedWall = 0.0

  init(_ generator: EventGenerator) { self.generator = generator }

  /// The next records in the engine's own form; nil after the last.
  func next<Form>(_ form: (Event) -> Form) -> [Form]? {
    guard position < generator.records else { return nil }
    let watch = Stopwatch()
    let end = min(position + EventSource.pieceSize, generator.records)
    let piece = (position..<end).map { form(generator.event(at: $0)) }
    position = end
    let lap = watch.lap()
    excludedCPU += lap.cpu
    excludedWall += lap.wall
    return piece
  }
}

/// Why a run ends before its report.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
