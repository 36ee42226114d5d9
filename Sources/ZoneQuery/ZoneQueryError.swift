/// What went wrong in the engine: the stage, a stable code, one sentence, and where it is if it has a place.
///
/// ```swift
/// do {
///   try database.records(matching: Query(recordType: "Event", predicate: QueryPredicate(format: "seats > 3")))
/// } catch {
///   error.code         // .invalidPredicate
///   error.description  // 1:1: Did not find field: 'seats' in type: 'Event' … with the line and a caret
/// }
/// ```
///
/// Within a closure Swift takes what is caught for any `Error`, unless it is said what is thrown:
///
/// ```swift
/// Task {
///   do throws(ZoneQueryError) { try database.save(record) } catch { log(error.code) }
/// }
/// ```
///
/// The same is to be said before `catch let error as ZoneQueryError`: the compiler of Swift 6.3.1 fails on it ("Found outside of
/// lifetime use") where nothing but typed errors is thrown in the `do` and what is called there goes on with a closure (`map`,
/// `contains(where:)`), or where there are several calls. A plain `catch`, whose `error` is a `ZoneQueryError` then, does as well.
public struct ZoneQueryError: Error, Sendable, Hashable {
  /// The part of the engine that refused.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// A format string or its arguments.
    case syntax
    /// A predicate against dialect, schema and types.
    case binding
    /// A query's sort descriptors, limit, scope or keys.
    case query
    /// A schema, or its text.
    case schema
    /// A record, its names and values.
    case record
    /// A database, its zones and what is stored.
    case database
    /// JSON of CloudKit Web Services.
    case webServices
  }

  /// What is wrong, for programs. More may come; compare with the ones listed here.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ name: StaticString) { description = "\(name)" }

    /// The text is no predicate: see ``ZoneQueryError/diagnostics``.
    public static let syntax = Code("syntax")
    /// The predicate cannot be evaluated: see ``ZoneQueryError/diagnostics``.
    public static let invalidPredicate = Code("invalidPredicate")
    /// The query's sort, limit, scope or keys are not accepted.
    public static let invalidQuery = Code("invalidQuery")
    /// The bytes are no cursor, or not one that the database can have made.
    public static let invalidCursor = Code("invalidCursor")
    /// The place a cursor names is gone; the query must start again.
    public static let cursorExpired = Code("cursorExpired")
    /// The bytes are no change token, or not one that the database can have made for what is asked.
    public static let invalidChangeToken = Code("invalidChangeToken")
    /// What changed since a change token was made is no longer known; everything must be fetched again.
    public static let changeTokenExpired = Code("changeTokenExpired")
    /// The schema has no index that serves the query, and `indexPolicy` demands one: see
    /// ``ZoneQueryError/diagnostics``.
    public static let missingIndex = Code("missingIndex")
    /// A setting of a database is not accepted.
    public static let invalidConfiguration = Code("invalidConfiguration")
    /// The schema's text, or a definition in it, is not accepted.
    public static let invalidSchema = Code("invalidSchema")
    /// A record, its name or a field value is not accepted.
    public static let invalidRecord = Code("invalidRecord")
    /// The text is no JSON, or no JSON of the expected form.
    public static let invalidJSON = Code("invalidJSON")
    /// What was read is CloudKit's refusal of a request: see ``ZoneQueryError/refusal``.
    public static let requestRefused = Code("requestRefused")
    /// There is no record of that ID (CloudKit's `unknownItem`).
    public static let unknownItem = Code("unknownItem")
    /// There is no record type of that name (CloudKit's `unknownItem`).
    public static let unknownRecordType = Code("unknownRecordType")
    /// There is no such zone.
    public static let zoneNotFound = Code("zoneNotFound")
    /// A zone that exists already was created, one that cannot exist in this database, or the state of its changes is none to
    /// go on from.
    public static let invalidZone = Code("invalidZone")
    /// The record on the server is newer than the one it was made from: see ``ZoneQueryError/conflict``.
    public static let serverRecordChanged = Code("serverRecordChanged")
    /// Another record of an atomic batch failed, so this one was not saved.
    public static let batchRequestFailed = Code("batchRequestFailed")
    /// A limit of the database's configuration was passed.
    public static let limitExceeded = Code("limitExceeded")
    /// The record that a `parent` or another checked reference points to does not exist.
    public static let referenceViolation = Code("referenceViolation")
    /// A subscription that cannot be: it hears of nothing, brings along too much, or is of a kind its database lacks.
    public static let invalidSubscription = Code("invalidSubscription")
    /// Another subscription asks for the same.
    public static let duplicateSubscription = Code("duplicateSubscription")
  }

  /// The three records of a save that lost a race.
  public struct Conflict: Sendable, Hashable {
    /// The record as it is stored now.
    public let serverRecord: Record
    /// The record that was to be saved.
    public let clientRecord: Record
    /// The record as it was when the client fetched or last saved it; nil where the client made it anew.
    public let ancestorRecord: Record?

    /// A conflict that somebody else found: a server that was asked in JSON, say.
    ///
    /// - Parameters:
    ///   - serverRecord: The record as it is stored there.
    ///   - clientRecord: The record that was to be saved.
    ///   - ancestorRecord: The record that both were made from; where nil, what the client's was made from, if a database
    ///     gave it.
    public init(serverRecord: Record, clientRecord: Record, ancestorRecord: Record? = nil) {
      (self.serverRecord, self.clientRecord) = (serverRecord, clientRecord)
      self.ancestorRecord = ancestorRecord ?? clientRecord.ancestor
    }
  }

  /// All there is to say, behind one reference: what may throw then has little to hand through where nothing is wrong.
  private let content: Content

  private final class Content: Sendable {
    let stage: Stage
    let code: Code
    let message: String
    let hint: String?
    let diagnostics: [Diagnostic]
    let source: SourceText?
    let recordID: RecordID?
    let conflict: Conflict?
    let refusal: WebServicesError?

    init(
      _ stage: Stage, _ code: Code, _ message: String, _ hint: String?, _ diagnostics: [Diagnostic] = [],
      _ source: SourceText? = nil, _ recordID: RecordID? = nil, _ conflict: Conflict? = nil,
      _ refusal: WebServicesError? = nil
    ) {
      (self.stage, self.code, self.message, self.hint) = (stage, code, message, hint)
      (self.diagnostics, self.source, self.recordID, self.conflict) = (diagnostics, source, recordID, conflict)
      self.refusal = refusal
    }
  }

  /// The part of the engine that refused.
  public var stage: Stage { content.stage }
  /// What is wrong, for programs.
  public var code: Code { content.code }
  /// What is wrong, in one sentence.
  public var message: String { content.message }
  /// What would be accepted instead, if that can be said.
  public var hint: String? { content.hint }
  /// What is wrong with a text, each with its place; empty where no text is to blame.
  public var diagnostics: [Diagnostic] { content.diagnostics }
  /// The text the diagnostics' ranges refer to.
  public var source: SourceText? { content.source }
  /// The record that could not be saved, fetched or deleted.
  public var recordID: RecordID? { content.recordID }
  /// The records of a lost race, with the code ``Code/serverRecordChanged``.
  public var conflict: Conflict? { content.conflict }

  /// What CloudKit refused, with the code ``Code/requestRefused``.
  public var refusal: WebServicesError? { content.refusal }

  /// A refusal of CloudKit's.
  init(_ refusal: WebServicesError) {
    content = Content(
      .webServices, .requestRefused, "CloudKit Web Services answered \(refusal)", nil, [], nil, refusal.recordID, nil,
      refusal)
  }

  package init(
    _ stage: Stage, _ code: Code, _ message: String, hint: String? = nil, recordID: RecordID? = nil,
    conflict: Conflict? = nil
  ) {
    content = Content(stage, code, message, hint, [], nil, recordID, conflict)
  }

  /// Of many diagnostics the first are kept: each is shown with its place, which takes time by the text's length to find.
  package init(_ stage: Stage, _ code: Code, diagnostics: [Diagnostic], source: SourceText?) {
    content = Content(
      stage, code, diagnostics.first?.message ?? "the text is not accepted", diagnostics.first?.hint,
      Array(diagnostics.prefix(Diagnostic.most)), source)
  }

  package init(_ error: SyntaxError) {
    self.init(.syntax, .syntax, diagnostics: error.diagnostics, source: error.source)
  }

  /// Whether both say the same.
  public static func == (left: ZoneQueryError, right: ZoneQueryError) -> Bool {
    left.content === right.content
      || left.stage == right.stage && left.code == right.code && left.message == right.message
        && left.hint == right.hint && left.diagnostics == right.diagnostics && left.source == right.source
        && left.recordID == right.recordID && left.conflict == right.conflict && left.refusal == right.refusal
  }

  /// Feeds the code, the message and the record's ID.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(recordID)
  }
}
