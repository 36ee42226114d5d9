internal import PredicateSyntax
internal import ZoneQuery

/// A question answered with records as values.
final class ValuesQuestion: PreparedQuestion {
  /// The call that answers.
  enum Door: String, CaseIterable {
    /// `Database.records(matching:)` with a predicate that was read beforehand.
    case ordinary = "ordinary-50"
    /// The same, the predicate read from its format string each time.
    case format = "ordinary-50-format"
    /// `PreparedQuery.records`.
    case prepared = "values-50"
  }

  private let database: Database
  private let prepared: PreparedQuery
  private let door: Door
  private let form: ZoneQueryForm
  private let format: String
  private let query: Query
  private let parameters: [String: any PredicateArgument]

  init(_ database: Database, _ prepared: PreparedQuery, _ form: ZoneQueryForm, through door: Door) throws {
    self.database = database
    self.prepared = prepared
    self.form = form
    self.door = door
    format = form.formatOfArguments
    query = try ValuesQuestion.query(form, format)
    parameters = Dictionary(form.values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private static func query(_ form: ZoneQueryForm, _ format: String) throws -> Query {
    Query(
      recordType: ZoneQueryEngine.recordType,
      predicate: try QueryPredicate(format: format, arguments: form.arguments), sort: form.sort)
  }

  func approach() -> UInt64 {
    form.values.reduce(UInt64(parameters.count)) { $0 &+ ZoneQueryQuestion.approach($1.value.predicateArgument) }
  }

  func run(into sink: inout RowSink) throws {
    let page =
      switch door {
      case .ordinary: try database.records(matching: query, inZoneWith: .default, resultsLimit: form.limit)
      case .format:
        try database.records(
          matching: try ValuesQuestion.query(form, format), inZoneWith: .default, resultsLimit: form.limit)
      case .prepared: try prepared.records(parameters, resultsLimit: form.limit)
      }
    for record in page.records { sink.take(record) }
  }

  func counters() throws -> [String: Double] {
    let counters = try prepared.explain(parameters, resultsLimit: form.limit).counters
    return [
      "rows_examined": Double(counters.rowsExamined), "entries_read": Double(counters.entriesRead),
    ]
  }
}

extension RowSink {
  /// A record that was handed over as a value, with all its fields in the order of the schema: each is asked for by its
  /// name, and its strings are made.
  fileprivate mutating func take(_ record: Record) {
    var name = record.recordID.recordName
    name.withUTF8 { row($0) }
    text(record.string("name"))
    text(record.string("city"))
    integer(record.timestamp("start")?.milliseconds ?? 0)
    integer(record.int64("attendees") ?? 0)
    real(record.double("price") ?? 0)
    real(record.double("rating") ?? 0)
    texts(record.stringList("tags") ?? [])
    if let place = record.location("location") {
      real(place.latitude)
      real(place.longitude)
    }
    text(record.string("title"))
    text(record.string("body"))
    text(record.string("owner"))
    integer(record.creationDate?.milliseconds ?? 0)
    integer(record.modificationDate?.milliseconds ?? 0)
    text(record.creatorUserRecordID?.recordName)
    text(record.lastModifiedUserRecordID?.recordName)
  }

  @inline(__always)
  private mutating func text(_ value: consuming String?) {
    guard var text = consume value else { return self.text(UnsafeBufferPointer(start: nil, count: 0)) }
    text.withUTF8 { self.text($0) }
  }
}
