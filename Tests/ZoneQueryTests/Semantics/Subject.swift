import Testing
import ZoneQuery

/// One record type with a field of every type, and every door a predicate can come in by.
enum Subject {
  static let type = RecordType(
    "Thing",
    fields: [
      FieldDefinition("name", .string, [.queryable, .sortable]),
      FieldDefinition("city", .string, [.queryable]),
      FieldDefinition("age", .int64, [.queryable, .sortable]),
      FieldDefinition("depth", .int64, [.queryable]),
      FieldDefinition("price", .double, [.queryable, .sortable]),
      FieldDefinition("start", .timestamp, [.queryable, .sortable]),
      FieldDefinition("end", .timestamp, [.queryable]),
      FieldDefinition("Location", .location, [.queryable]),
      FieldDefinition("owner", .reference, [.queryable]),
      FieldDefinition("tags", .list(.string), [.queryable]),
      FieldDefinition("counts", .list(.int64), [.queryable]),
      FieldDefinition("ratios", .list(.double), [.queryable]),
      FieldDefinition("dates", .list(.timestamp), [.queryable]),
      FieldDefinition("owners", .list(.reference), [.queryable]),
      FieldDefinition("places", .list(.location), [.queryable]),
      FieldDefinition("title", .string, [.searchable]),
      FieldDefinition("body", .string, [.searchable]),
      FieldDefinition("keywords", .list(.string), [.searchable]),
      FieldDefinition("blob", .bytes),
      FieldDefinition("file", .asset),
      FieldDefinition("secret", .string, isEncrypted: true),
    ])

  static let now = Timestamp(milliseconds: 1_000_000_000_000)

  static func options(_ dialect: Dialect) -> PredicateOptions { PredicateOptions(dialect: dialect) }

  static func record(_ fields: [String: FieldValue]) -> Record {
    var record = Record(recordType: "Thing", recordID: RecordID(recordName: "thing"))
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { record[name] = value }
    return record
  }

  /// What a predicate says of a record: the same through a matcher bound to the type, through a matcher bound to the
  /// record's own types, through a query and a count, and after its text has been printed and read again.
  static func truth(
    _ predicate: QueryPredicate, _ fields: [String: FieldValue], _ options: PredicateOptions,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    let record = record(fields)
    let typed = try Matcher(predicate, for: type, options: options, now: now).matches(record)
    let shaped = try Matcher(predicate, options: options, now: now).matches(searchable(record))
    #expect(shaped == typed, "by the record's own types", sourceLocation: sourceLocation)
    let printed = try QueryPredicate(format: predicate.description)
    #expect(printed == predicate, "printed: \(predicate)", sourceLocation: sourceLocation)

    var configuration = Database.Configuration()
    configuration.predicateOptions = options
    configuration.clock = { now }
    let database = try Database(schema: Schema([type]), configuration: configuration)
    try database.save(record)
    let query = Query(recordType: "Thing", predicate: printed)
    let found = try database.records(matching: query).records.count == 1
    #expect(found == typed, "by query", sourceLocation: sourceLocation)
    #expect(try database.count(matching: query) == (typed ? 1 : 0), "by count", sourceLocation: sourceLocation)
    return typed
  }

  /// The record with the searchable fields of the type as the only ones whose words are seen.
  private static func searchable(_ record: Record) -> some KeyedFields { SearchableRecord(record: record) }

  private struct SearchableRecord: KeyedFields {
    let record: Record
    func fieldValue(forKey key: String) -> FieldValue? { record.fieldValue(forKey: key) }
    var searchableKeys: [String] { ["title", "body", "keywords"] }
  }

  /// Expects a predicate to hold for a record.
  static func expect(
    _ format: String, _ arguments: [(any PredicateArgument)?], _ fields: [String: FieldValue], is expected: Bool,
    _ options: PredicateOptions = PredicateOptions(), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      let predicate = try QueryPredicate(format: format, arguments: arguments)
      let truth = try truth(predicate, fields, options, sourceLocation: sourceLocation)
      #expect(truth == expected, "\(format) with \(fields)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(format): \(error)", sourceLocation: sourceLocation)
    }
  }

  /// Expects a predicate to be refused with a code, at the text that `place` is.
  static func expectRefused(
    _ format: String, _ arguments: [(any PredicateArgument)?], _ code: String, at place: String,
    message: String? = nil, _ dialects: [Dialect] = [.cloudKit, .extended],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for dialect in dialects {
      do {
        let predicate = try QueryPredicate(format: format, arguments: arguments)
        _ = try Matcher(predicate, for: type, options: options(dialect), now: now)
        Issue.record("\(format) is taken by \(dialect)", sourceLocation: sourceLocation)
      } catch {
        guard let first = error.diagnostics.first else {
          Issue.record("\(format): no diagnostic", sourceLocation: sourceLocation)
          continue
        }
        #expect(first.code == code, "\(format) (\(dialect)): \(first.message)", sourceLocation: sourceLocation)
        let bytes = Array(format.utf8)
        let range = first.range ?? SourceRange(0, 0)
        let text = String(
          decoding: bytes[min(range.lowerBound, bytes.count)..<min(range.upperBound, bytes.count)], as: UTF8.self)
        #expect(text == place, "\(format) (\(dialect)): \(first.message)", sourceLocation: sourceLocation)
        if let message { #expect(first.message.contains(message), sourceLocation: sourceLocation) }
        #expect(!first.message.isEmpty && first.stage == .binder, sourceLocation: sourceLocation)
      }
    }
  }

  static func expect(
    _ format: String, _ fields: [String: FieldValue], is expected: Bool,
    _ options: PredicateOptions = PredicateOptions(), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(format, [], fields, is: expected, options, sourceLocation: sourceLocation)
  }

  static func expectRefused(
    _ format: String, _ code: String, at place: String, message: String? = nil,
    _ dialects: [Dialect] = [.cloudKit, .extended], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefused(format, [], code, at: place, message: message, dialects, sourceLocation: sourceLocation)
  }
}
