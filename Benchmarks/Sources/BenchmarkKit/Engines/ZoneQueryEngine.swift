internal import ZoneQuery

/// ZoneQuery through its public interface.
final class ZoneQueryEngine: EngineUnderTest {
  let name = "zonequery"
  private let database: Database

  static let recordType = "Event"

  static let schemaText = """
    DEFINE SCHEMA
      RECORD TYPE Event (
        "___recordID" REFERENCE QUERYABLE,
        name STRING QUERYABLE SORTABLE,
        city STRING QUERYABLE SORTABLE,
        start TIMESTAMP QUERYABLE SORTABLE,
        attendees INT64,
        price DOUBLE QUERYABLE SORTABLE,
        rating DOUBLE,
        tags LIST<STRING> QUERYABLE,
        location LOCATION QUERYABLE,
        title STRING SEARCHABLE,
        body STRING SEARCHABLE,
        owner STRING
      );
    """

  init() throws {
    var configuration = Database.Configuration()
    // A page deep in an order of two fields is asked for with OR, which CloudKit's dialect does not have.
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    configuration.limits.itemsPerOperation = 1_000
    configuration.userRecordName = Event.savedBy
    configuration.clock = { Timestamp(milliseconds: Event.savedAt) }
    database = try Database(schema: try Schema(ckdb: ZoneQueryEngine.schemaText), configuration: configuration)
  }

  var setup: [String] {
    [
      "ZoneQuery of this repository, one zone of a private database, through its public interface",
      "queries by records(matching:), which reads the predicate and builds the records at each run; ids with no desired "
        + "keys, records with all",
      "a deep page by OR over city and start, as there are no cursors yet",
    ] + ZoneQueryEngine.schemaText.split(separator: "\n").map { String($0) }
  }

  // MARK: Loading

  func load(_ source: EventSource) throws {
    try database.load(RecordPieces(source: source))
  }

  private struct RecordPieces: Sequence, IteratorProtocol {
    let source: EventSource
    var piece: [Record] = []
    var position = 0

    init(source: EventSource) { self.source = source }

    mutating func next() -> Record? {
      if position == piece.count {
        guard let following = source.next(ZoneQueryEngine.record) else { return nil }
        piece = following
        position = 0
      }
      position += 1
      return piece[position - 1]
    }
  }

  static func record(_ event: Event) -> Record {
    var record = Record(recordType: recordType, recordName: event.recordName)
    record["name"] = .string(event.name)
    record["city"] = .string(event.city)
    record["start"] = .timestamp(Timestamp(milliseconds: event.start))
    record["attendees"] = .int64(event.attendees)
    record["price"] = .double(event.price)
    record["rating"] = .double(event.rating)
    record["tags"] = .stringList(event.tags)
    record["location"] = .location(Location(latitude: event.place.latitude, longitude: event.place.longitude))
    record["title"] = .string(event.title)
    record["body"] = .string(event.body)
    record["owner"] = .string(event.owner)
    return record
  }

  // MARK: Questions

  func settle(_ workload: Workload, _ variant: Variant, on questions: [Question]) throws {}

  func prepare(_ question: Question, _ variant: Variant) throws -> any PreparedQuestion {
    if case .point(let recordName) = question {
      return ZoneQueryFetch(database, RecordID(recordName: recordName), variant)
    }
    return ZoneQueryQuestion(database, ZoneQueryForm(question), isCount: question.isCount, variant)
  }

  func takeCounters() -> [String: Double] { [:] }

  func plan(_ question: Question) throws -> any PlannedQuestion {
    ZoneQueryPlanning(database: try ZoneQueryEngine().database, form: ZoneQueryForm(question))
  }

  // MARK: Changes

  func prepareChanges(_ events: [Event], updated: [Event]) throws -> any PreparedChanges {
    ZoneQueryChanges(
      database, events.map(ZoneQueryEngine.record),
      updated.map { event in
        var record = Record(recordType: ZoneQueryEngine.recordType, recordName: event.recordName)
        record["name"] = .string(event.name)
        record["city"] = .string(event.city)
        record["price"] = .double(event.price)
        return record
      })
  }

  func addIndex() throws -> (() throws -> Void)? { nil }
  func removeIndex() throws {}
}

/// A query that is asked anew at each run.
final class ZoneQueryQuestion: PreparedQuestion {
  private let database: Database
  private let form: ZoneQueryForm
  private let isCount: Bool
  private let variant: Variant

  init(_ database: Database, _ form: ZoneQueryForm, isCount: Bool, _ variant: Variant) {
    self.database = database
    self.form = form
    self.isCount = isCount
    self.variant = variant
  }

  func run(into sink: inout RowSink) throws {
    let query = try form.query()
    if isCount { return sink.number(try database.count(matching: query)) }
    let page = try database.records(
      matching: query, desiredKeys: variant == .ids ? [] : nil, resultsLimit: form.limit)
    for record in page.records { sink.take(record, variant) }
  }
}

/// A record fetched by its name.
final class ZoneQueryFetch: PreparedQuestion {
  private let database: Database
  private let id: RecordID
  private let variant: Variant

  init(_ database: Database, _ id: RecordID, _ variant: Variant) {
    self.database = database
    self.id = id
    self.variant = variant
  }

  func run(into sink: inout RowSink) throws {
    sink.take(try database.record(for: id, desiredKeys: variant == .ids ? [] : nil), variant)
  }
}

/// Reads, binds and plans a question over an empty zone.
final class ZoneQueryPlanning: PlannedQuestion {
  private let database: Database
  private let form: ZoneQueryForm

  init(database: Database, form: ZoneQueryForm) {
    self.database = database
    self.form = form
  }

  func plan() throws { _ = try database.records(matching: try form.query(), desiredKeys: [], resultsLimit: 1) }
}

/// Records ready to be saved.
final class ZoneQueryChanges: PreparedChanges {
  private let database: Database
  private let records: [Record]
  private let updated: [Record]

  init(_ database: Database, _ records: [Record], _ updated: [Record]) {
    self.database = database
    self.records = records
    self.updated = updated
  }

  func insert(_ range: Range<Int>) throws {
    for result in try database.save(Array(records[range])) { _ = try result.get() }
  }

  func update(_ range: Range<Int>) throws {
    for result in try database.save(Array(updated[range]), policy: .changedKeys) { _ = try result.get() }
  }

  func delete(_ range: Range<Int>) throws {
    for result in try database.deleteRecords(withIDs: records[range].map(\.recordID)) { _ = try result.get() }
  }
}

extension RowSink {
  /// A record with the fields that the variant reads, in the order of the schema.
  fileprivate mutating func take(_ record: Record, _ variant: Variant) {
    record.recordID.recordName.withBytes { row($0) }
    guard variant == .records else { return }
    for (_, value) in record.fields {
      switch value {
      case .string(let text): text.withBytes { self.text($0) }
      case .int64(let number): integer(number)
      case .double(let number): real(number)
      case .timestamp(let moment): integer(moment.milliseconds)
      case .location(let location):
        real(location.latitude)
        real(location.longitude)
      case .stringList(let list): texts(list)
      default: break
      }
    }
    integer(record.creationDate?.milliseconds ?? 0)
    integer(record.modificationDate?.milliseconds ?? 0)
    (record.creatorUserRecordID?.recordName ?? "").withBytes { text($0) }
    (record.lastModifiedUserRecordID?.recordName ?? "").withBytes { text($0) }
    (record.changeTag ?? "").withBytes { ownText($0) }
  }
}
