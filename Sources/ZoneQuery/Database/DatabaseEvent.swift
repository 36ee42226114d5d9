/// An operation that a database has ended, as ``Instrumentation`` tells of it.
///
/// ```swift
/// configuration.instrumentation = Instrumentation { event in print(event) }
/// // query Event where city == "Seoul" sorted by start descending: 50 records, 61.8 µs
/// ```
public struct DatabaseEvent: Sendable {
  /// What an operation was asked to do. More may come; compare with the ones listed here.
  public struct Operation: Sendable, Hashable, CustomStringConvertible {
    /// The operation in a word, for logs and the labels of metrics: `query`, `addIndex`.
    public let description: String

    private init(_ name: StaticString) { description = "\(name)" }

    /// A page of a query's answer, or its records lent in place.
    public static let query = Operation("query")
    /// The number of records that match a query.
    public static let count = Operation("count")
    /// Records of some IDs.
    public static let fetch = Operation("fetch")
    /// What changed in a zone since a change token was made, or which zones of the database.
    public static let fetchChanges = Operation("fetchChanges")
    /// Saves and deletions, one or a batch.
    public static let modify = Operation("modify")
    /// The deletion of what matches a query.
    public static let deleteMatching = Operation("deleteMatching")
    /// Many records stored at once.
    public static let load = Operation("load")
    /// All records of a zone, to be gone over.
    public static let export = Operation("export")
    /// An index added and filled.
    public static let addIndex = Operation("addIndex")
    /// An index dropped.
    public static let dropIndex = Operation("dropIndex")
    /// A zone created.
    public static let createZone = Operation("createZone")
    /// A zone deleted.
    public static let deleteZone = Operation("deleteZone")
    /// A subscription saved.
    public static let saveSubscription = Operation("saveSubscription")
    /// A subscription deleted.
    public static let deleteSubscription = Operation("deleteSubscription")
  }

  /// What came of an operation.
  public struct Outcome: Sendable {
    /// How many records it handed out, or counted; how many changes.
    public internal(set) var returned = 0
    /// How many records it stored.
    public internal(set) var saved = 0
    /// How many records it deleted, those included that went with others.
    public internal(set) var deleted = 0
    /// How many of the records it was given were not there, or were not saved or deleted: all of a batch for a custom zone
    /// where one fails; 0 where the call refused all of them together, as for a limit, and for a load that failed.
    public internal(set) var failed = 0
    /// What the call threw, which the body of a `forEachRecord` may have done; or the first failure among its results that
    /// says more than `batchRequestFailed`.
    public internal(set) var error: ZoneQueryError?

    /// Notes the failures among some results.
    mutating func note<Value>(_ results: [Result<Value, ZoneQueryError>]) {
      for case .failure(let failure) in results {
        failed += 1
        if error == nil || error?.code == .batchRequestFailed && failure.code != .batchRequestFailed { error = failure }
      }
    }
  }

  /// What it was asked to do.
  public let operation: Operation
  /// The query, for those operations that have one. Its predicate holds the values that people ask for, which not every
  /// log is to show.
  ///
  /// It is as it was given, with `$name` for parameters; that of `records(continuingMatchFrom:)` has their values, as the
  /// cursor has them. A deletion's has no sort, and that of a query subscription is what it asks for.
  public let query: Query?
  /// The record type that is asked for, or that an index is of.
  public let recordType: String?
  /// The zone it keeps to; nil where it may touch several, or none. (A page behind a cursor keeps to what the cursor does.)
  public let zoneID: ZoneID?
  /// The index that was added or dropped.
  public internal(set) var index: IndexDefinition?
  /// The ID of the subscription that was saved or deleted.
  public internal(set) var subscriptionID: String?
  /// The record name of the user who asked for it; see ``Database/acting(as:)``.
  public internal(set) var userRecordName = ZoneID.currentUserName
  /// How long it took: the waiting for another writer of the zone included, and whatever it called, such as the body of
  /// `forEachRecord` and handlers of notifications.
  public internal(set) var duration = Duration.zero
  /// What came of it.
  public internal(set) var outcome = Outcome()

  init(_ operation: Operation, _ query: Query? = nil, recordType: String? = nil, zoneID: ZoneID? = nil) {
    self.operation = operation
    self.query = query
    self.recordType = recordType ?? query?.recordType
    self.zoneID = zoneID
  }
}

extension DatabaseEvent {
  /// The event as an operation of a user's.
  func by(_ userRecordName: String) -> DatabaseEvent {
    var event = self
    event.userRecordName = userRecordName
    return event
  }

  /// An event of an index.
  init(_ operation: Operation, _ index: IndexDefinition) {
    self.init(operation, recordType: index.recordType)
    self.index = index
  }

  /// An event of a subscription.
  init(_ operation: Operation, _ subscription: Subscription) {
    switch subscription {
    case .query(let query):
      self.init(operation, Query(recordType: query.recordType, predicate: query.predicate), zoneID: query.zoneID)
    case .zone(let zone): self.init(operation, recordType: zone.recordType, zoneID: zone.zoneID)
    case .database(let database): self.init(operation, recordType: database.recordType)
    }
    subscriptionID = subscription.subscriptionID
  }

  /// An event of the subscription of an ID.
  init(_ operation: Operation, subscriptionID: String) {
    self.init(operation)
    self.subscriptionID = subscriptionID
  }
}

extension DatabaseEvent {
  /// What a query asks of a type, in its order, behind the type's name.
  fileprivate static func conditions(_ query: Query) -> String {
    var text = ""
    if query.predicate != .true { text += " where \(SyntaxError.excerpt("\(query.predicate)", most: longest))" }
    if !query.sort.isEmpty {
      let keys = query.sort.prefix(mostSortKeys).map { SyntaxError.excerpt($0.description, most: longestSortKey) }
      text += " sorted by \(keys.joined(separator: ", "))"
      if query.sort.count > keys.count { text += " and \(query.sort.count - keys.count) more" }
    }
    return text
  }

  fileprivate static func place(_ zoneID: ZoneID?) -> String {
    zoneID.map { " in '\(SyntaxError.excerpt("\($0)", most: longest))'" } ?? ""
  }
}

extension PreparedQuery: CustomStringConvertible {
  /// The query in a line: `Event where city == $city sorted by start descending`. What is long is cut short, and what would
  /// steer a terminal is shown by name, as in diagnostics.
  public var description: String {
    SyntaxError.excerpt(query.recordType) + DatabaseEvent.conditions(query) + DatabaseEvent.place(zoneID)
  }
}

extension Database: CustomStringConvertible {
  /// What it is, in a line: `private database, development, 3 zones`.
  public var description: String {
    let count = zones.count
    return "\(configuration.scope.rawValue) database, \(environment.rawValue), \(count) zone\(count == 1 ? "" : "s")"
  }
}

extension DatabaseEvent: CustomStringConvertible {
  /// The event in a line: `query Event where city == "Seoul": 50 records, 61.8 µs`. What is long is cut short, and
  /// characters that end a line, steer a terminal or turn the direction of a text are shown by name, as in diagnostics.
  public var description: String {
    var text = operation.description
    if let subscriptionID { text += " '\(SyntaxError.excerpt(subscriptionID))'" }
    if let recordType { text += " \(SyntaxError.excerpt(recordType))" }
    if let index { text += " (\(SyntaxError.excerpt(index.name, most: DatabaseEvent.longest)))" }
    if let query { text += DatabaseEvent.conditions(query) }
    text += DatabaseEvent.place(zoneID)
    var parts: [String] = []
    func add(_ count: Int, _ what: String) {
      if count > 0 { parts.append("\(FigureText.whole(count)) \(what)") }
    }
    let isReading = [.query, .count, .fetch, .fetchChanges, .export].contains(operation)
    if isReading, outcome.error == nil || outcome.returned > 0 {
      let what = operation == .fetchChanges ? "change" : "record"
      parts.append("\(FigureText.whole(outcome.returned)) \(what)\(outcome.returned == 1 ? "" : "s")")
    }
    add(outcome.saved, "saved")
    add(outcome.deleted, "deleted")
    add(outcome.failed, isReading && operation != .fetchChanges ? "not there" : "failed")
    let (seconds, attoseconds) = duration.components
    parts.append(FigureText.time(Double(seconds) * 1e9 + Double(attoseconds) / 1e9))
    text += ": \(parts.joined(separator: ", "))"
    if let error = outcome.error { text += "; \(error.messageOfRecord)" }
    return text.unicodeScalars.map(DiagnosticFormatter.shown).joined()
  }

  /// The most bytes of a predicate, a name and a sort key that are shown, and the most of these.
  private static var longest: Int { 1_000 }
  private static var longestSortKey: Int { 120 }
  private static var mostSortKeys: Int { 16 }
}
