internal import ZoneQuery

/// ZoneQuery through its public interface.
final class ZoneQueryEngine: EngineUnderTest {
  let name = "zonequery"
  let database: Database
  private var preparedQueries: [String: ZoneQueryStatement] = [:]
  /// The cursors of deep pages by the start they lie behind: finding one takes a walk to there.
  private var cursors: [Int64: QueryCursor] = [:]

  static let recordType = "Event"

  /// The city alone has no index: that of city and start serves for both, as SQLite's does.
  static let schemaText = """
    DEFINE SCHEMA
      RECORD TYPE Event (
        "___recordID" REFERENCE QUERYABLE,
        name STRING QUERYABLE SORTABLE,
        city STRING,
        start TIMESTAMP QUERYABLE SORTABLE,
        attendees INT64,
        price DOUBLE,
        rating DOUBLE,
        tags LIST<STRING> QUERYABLE,
        location LOCATION QUERYABLE,
        title STRING SEARCHABLE,
        body STRING SEARCHABLE,
        owner STRING
      );
    """

  init() throws { database = try ZoneQueryEngine.database() }

  /// An empty database with the schema and all indexes.
  static func database() throws -> Database {
    var configuration = Database.Configuration()
    // A page deep in an order of two fields is asked for with OR, which CloudKit's dialect does not have.
    configuration.predicateOptions = PredicateOptions(dialect: .extended)
    configuration.limits.itemsPerOperation = 1_000
    configuration.userRecordName = Event.savedBy
    configuration.clock = { Timestamp(milliseconds: Event.savedAt) }
    let database = try Database(schema: try Schema(ckdb: ZoneQueryEngine.schemaText), configuration: configuration)
    for keys in [["city", "start"], ["price", "start"], ["tags", "start"]] {
      try database.addIndex(IndexDefinition(recordType: ZoneQueryEngine.recordType, keys: keys))
    }
    return database
  }

  var setup: [String] {
    [
      "ZoneQuery of this repository, one zone of a private database, through its public interface",
      "queries prepared once; parameters bound at each run to arguments that are kept, records read in place by forEachRecord",
      "a deep page by the cursor of the page before",
      "indexes beside the schema's: (city, start), (price, start) and (tags, start)",
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
        guard let following = source.next({ ZoneQueryEngine.record($0) }) else { return nil }
        piece = following
        position = 0
      }
      position += 1
      return piece[position - 1]
    }
  }

  static func record(_ event: Event, in zone: ZoneID = .default) -> Record {
    var record = Record(recordType: recordType, recordName: event.recordName, zoneID: zone)
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
    let form = ZoneQueryForm(question)
    let prepared = try prepared(form)
    guard case .deepPage(_, let start, _) = question else {
      return try ZoneQueryQuestion(prepared, form, question, variant, after: nil)
    }
    let cursor = try cursors[start] ?? ZoneQueryQuestion.cursor(prepared.query, behind: start)
    cursors[start] = cursor
    return try ZoneQueryQuestion(prepared, form, question, variant, after: cursor)
  }

  /// A question whose answer is records as values.
  func values(_ question: Question, through door: ValuesQuestion.Door) throws -> any PreparedQuestion {
    let form = ZoneQueryForm(question)
    return try ValuesQuestion(database, try prepared(form).query, form, through: door)
  }

  /// Questions that differ in their parameters alone are one prepared query, as they are one statement of SQLite's.
  private func prepared(_ form: ZoneQueryForm) throws -> ZoneQueryStatement {
    let key = form.format + " \(form.sort)"
    if let known = preparedQueries[key] { return known }
    let prepared = ZoneQueryStatement(try database.prepare(try form.query(), inZoneWith: .default))
    preparedQueries[key] = prepared
    return prepared
  }

  func plan(_ question: Question) throws -> any PlannedQuestion {
    ZoneQueryPlanning(database: try planned(), form: ZoneQueryForm(question))
  }

  /// Some of the records, among which a question finds its first one soon, so that what it takes is its planning; of an empty
  /// database nothing would be planned.
  private func planned() throws -> Database {
    if let knownPlanned { return knownPlanned }
    let database = try ZoneQueryEngine.database()
    let all = Query(recordType: ZoneQueryEngine.recordType, predicate: .true)
    try database.load(self.database.records(matching: all, resultsLimit: ZoneQueryEngine.plannedCount).records)
    knownPlanned = database
    return database
  }

  /// What planning a question takes beside all records, as an explanation tells: the least of some.
  func planningNanoseconds(_ question: Question) throws -> Double {
    let form = ZoneQueryForm(question)
    let prepared = try database.prepare(try form.query(), inZoneWith: .default)
    var arguments = prepared.arguments()
    for (name, value) in form.values { arguments[try prepared.parameter(name)] = value }
    var least = Int64.max
    for _ in 0..<5 { least = min(least, try prepared.explain(arguments, resultsLimit: 1).planningNanoseconds) }
    return Double(least)
  }

  private var knownPlanned: Database?
  /// Of fewer records planning would be left out.
  private static let plannedCount = 2_000

  // MARK: Changes

  func prepareChanges(_ changes: Changes) throws -> any PreparedChanges { ZoneQueryChanges(database, changes) }

  private let addedIndex = IndexDefinition(recordType: ZoneQueryEngine.recordType, keys: ["rating"])

  func addIndex() throws -> (() throws -> Void)? {
    { [database, addedIndex] in try database.addIndex(addedIndex) }
  }

  func removeIndex() throws { try database.dropIndex(addedIndex) }
}

/// A prepared query and the values that are bound to it: to be used as a statement of SQLite's is.
final class ZoneQueryStatement {
  let query: PreparedQuery
  @exclusivity(unchecked) private(set) var arguments: QueryArguments

  init(_ query: PreparedQuery) {
    self.query = query
    arguments = query.arguments()
  }

  @inline(__always)
  func bind(_ values: [(QueryParameter, ArgumentValue)]) {
    for index in values.indices { arguments[value: values[index].0] = values[index].1 }
  }
}

/// A prepared query whose parameters are bound at each run, and whose answer is read in place.
final class ZoneQueryQuestion: PreparedQuestion {
  private let statement: ZoneQueryStatement
  /// The values in the form that they are bound in, as those of SQLite's questions are.
  private let values: [(QueryParameter, ArgumentValue)]
  private let isCount: Bool
  private let variant: Variant
  private let limit: Int
  private let cursor: QueryCursor?
  private let fields: Fields

  /// The fields that a record is read with, in the order of the schema.
  fileprivate struct Fields {
    let name, city, start, attendees, price, rating, tags, location, title, body, owner: RecordField
    let created, modified, createdBy, modifiedBy: RecordField

    init(_ prepared: PreparedQuery) throws {
      (name, city, start) = (try prepared.field("name"), try prepared.field("city"), try prepared.field("start"))
      (attendees, price) = (try prepared.field("attendees"), try prepared.field("price"))
      (rating, tags) = (try prepared.field("rating"), try prepared.field("tags"))
      (location, title) = (try prepared.field("location"), try prepared.field("title"))
      (body, owner) = (try prepared.field("body"), try prepared.field("owner"))
      (created, modified) = (try prepared.field("creationDate"), try prepared.field("modificationDate"))
      createdBy = try prepared.field("creatorUserRecordID")
      modifiedBy = try prepared.field("lastModifiedUserRecordID")
    }
  }

  init(
    _ statement: ZoneQueryStatement, _ form: ZoneQueryForm, _ question: Question, _ variant: Variant,
    after cursor: QueryCursor?
  ) throws {
    self.statement = statement
    values = try form.values.map { (try statement.query.parameter($0.name), $0.value.predicateArgument) }
    isCount = question.isCount
    limit = form.limit
    self.variant = variant
    fields = try Fields(statement.query)
    self.cursor = cursor
  }

  /// A query that has all its values, and gives records.
  init(_ statement: ZoneQueryStatement, limit: Int, _ variant: Variant) throws {
    self.statement = statement
    (values, isCount, cursor) = ([], false, nil)
    (self.limit, self.variant) = (limit, variant)
    fields = try Fields(statement.query)
  }

  /// The cursor of the page that ends with the event of a start.
  fileprivate static func cursor(_ prepared: PreparedQuery, behind start: Int64) throws -> QueryCursor? {
    let field = try prepared.field("start")
    var found: QueryCursor?
    do {
      try prepared.forEachRecord { (record) throws(ZoneQueryError) in
        guard record.timestamp(field)?.milliseconds == start else { return }
        found = try record.cursor()
        // Nothing behind it is wanted.
        throw ZoneQueryError.found
      }
    } catch {
      if found == nil { throw error }
    }
    return found
  }

  func approach() -> UInt64 { values.reduce(0) { $0 &+ ZoneQueryQuestion.approach($1.1) } }

  /// Reads a value.
  static func approach(_ value: ArgumentValue) -> UInt64 {
    switch value {
    case .literal(.string(let text)), .literal(.reference(let text, _, _)):
      text.withBytes { UInt64($0.first ?? 0) &+ UInt64($0.last ?? 0) }
    case .list(let members): members.reduce(0) { $0 &+ approach($1) }
    default: 0
    }
  }

  /// Binds the question's values.
  private func bind() { statement.bind(values) }

  func counters() throws -> [String: Double] {
    bind()
    let arguments = statement.arguments
    let explanation =
      isCount
      ? try statement.query.explainCount(arguments)
      : try statement.query.explain(arguments, resultsLimit: limit, after: cursor)
    return [
      "rows_examined": Double(explanation.counters.rowsExamined),
      "entries_read": Double(explanation.counters.entriesRead),
    ]
  }

  func run(into sink: inout RowSink) throws {
    bind()
    if isCount { return sink.number(try statement.query.count(statement.arguments)) }
    switch variant {
    case .ids:
      try statement.query.forEachRecord(statement.arguments, resultsLimit: limit, after: cursor) { record in
        record.withRecordName { $0.withUnsafeBufferPointer { sink.row($0) } }
      }
    case .records:
      try statement.query.forEachRecord(statement.arguments, resultsLimit: limit, after: cursor) { record in
        sink.take(record, fields)
      }
    }
  }
}

extension ZoneQueryError {
  /// Ends a search.
  fileprivate static var found: ZoneQueryError {
    do {
      _ = try QueryPredicate(format: "")
    } catch {
      return error
    }
    preconditionFailure("an empty predicate is none")
  }
}

/// Reads, binds and plans a question over a zone of some records, and finds the first of its answer.
final class ZoneQueryPlanning: PlannedQuestion {
  private let database: Database
  private let form: ZoneQueryForm

  init(database: Database, form: ZoneQueryForm) {
    self.database = database
    self.form = form
  }

  func plan() throws {
    let prepared = try database.prepare(try form.query())
    var arguments = prepared.arguments()
    for (name, value) in form.values { arguments[try prepared.parameter(name)] = value }
    try prepared.forEachRecord(arguments, resultsLimit: 1) { _ in }
  }
}

/// Records ready to be saved.
final class ZoneQueryChanges: PreparedChanges {
  private let database: Database
  private let inserted: [Record]
  private let insertedIDs: [RecordID]
  private let deleted: [Record]
  private let deletedIDs: [RecordID]
  /// By the kind of update: what is there, and what it is changed to.
  private let standing: [[Record]]
  private let updated: [[Record]]

  init(_ database: Database, _ changes: Changes) {
    self.database = database
    (inserted, deleted) = (
      changes.inserted.map { ZoneQueryEngine.record($0) }, changes.deleted.map { ZoneQueryEngine.record($0) }
    )
    (insertedIDs, deletedIDs) = (inserted.map(\.recordID), deleted.map(\.recordID))
    standing = changes.updates.map { $0.map { ZoneQueryChanges.change($0.standing, $0.fields) } }
    updated = changes.updates.map { $0.map { ZoneQueryChanges.change($0.updated, $0.fields) } }
  }

  /// A record with the fields that an update changes.
  private static func change(_ event: Event, _ fields: IndexedFields) -> Record {
    var record = Record(recordType: ZoneQueryEngine.recordType, recordName: event.recordName)
    let whole = ZoneQueryEngine.record(event)
    let names: [(IndexedFields, String)] = [
      (.name, "name"), (.city, "city"), (.start, "start"), (.price, "price"), (.tags, "tags"),
      (.location, "location"), (.title, "title"), (.body, "body"),
    ]
    for (field, name) in names where fields.contains(field) { record[name] = whole[name] }
    return record
  }

  func insert(_ range: Range<Int>) throws { try save(inserted, range) }
  func undoInsert(_ range: Range<Int>) throws { try delete(insertedIDs, range) }
  func update(_ range: Range<Int>, _ kind: UpdateKind) throws { try change(updated[kind.rawValue], range) }
  func undoUpdate(_ range: Range<Int>, _ kind: UpdateKind) throws { try change(standing[kind.rawValue], range) }
  func delete(_ range: Range<Int>) throws { try delete(deletedIDs, range) }
  func undoDelete(_ range: Range<Int>) throws { try save(deleted, range) }

  private func save(_ records: [Record], _ range: Range<Int>) throws {
    for result in try database.save(Array(records[range])) { _ = try result.get() }
  }

  private func change(_ records: [Record], _ range: Range<Int>) throws {
    for result in try database.save(Array(records[range]), policy: .changedKeys, desiredKeys: []) {
      _ = try result.get()
    }
  }

  private func delete(_ ids: [RecordID], _ range: Range<Int>) throws {
    for result in try database.deleteRecords(withIDs: Array(ids[range])) { _ = try result.get() }
  }
}

extension RowSink {
  /// A record with all its fields, in the order of the schema.
  @inline(__always)
  fileprivate mutating func take(_ record: borrowing RecordView, _ fields: ZoneQueryQuestion.Fields) {
    record.withRecordName { $0.withUnsafeBufferPointer { row($0) } }
    text(record, fields.name)
    text(record, fields.city)
    integer(record.timestamp(fields.start)?.milliseconds ?? 0)
    integer(record.int64(fields.attendees) ?? 0)
    real(record.double(fields.price) ?? 0)
    real(record.double(fields.rating) ?? 0)
    var isFirst = true
    record.forEachText(fields.tags) { tag in
      tag.withUnsafeBufferPointer { member($0, isFirst: isFirst) }
      isFirst = false
    }
    endMembers()
    if let (latitude, longitude) = record.degrees(fields.location) {
      real(latitude)
      real(longitude)
    }
    text(record, fields.title)
    text(record, fields.body)
    text(record, fields.owner)
    integer(record.timestamp(fields.created)?.milliseconds ?? 0)
    integer(record.timestamp(fields.modified)?.milliseconds ?? 0)
    user(record, fields.createdBy)
    user(record, fields.modifiedBy)
    change(record.changeNumber)
  }

  @inline(__always)
  private mutating func text(_ record: borrowing RecordView, _ field: RecordField) {
    record.withUTF8(field) { $0.withUnsafeBufferPointer { text($0) } }
  }

  /// The record name of a user, which is the last part of the reference's encoding.
  @inline(__always)
  private mutating func user(_ record: borrowing RecordView, _ field: RecordField) {
    record.withUTF8(field) { encoding in
      var start = encoding.count
      while start > 0, encoding[start - 1] != 0 { start -= 1 }
      encoding.extracting(start..<encoding.count).withUnsafeBufferPointer { text($0) }
    }
  }
}
